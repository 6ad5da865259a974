/* test_deps.c - which assemblies came from packages, and which from projects; anything that is not
 * JSON of the shape is refused or skipped. */
#include "scope/deps.h"

#include <stdio.h>

#include "tests/support/check.h"

static const char sample[] =
    "{\n"
    "  \"runtimeTarget\": { \"name\": \".NETCoreApp,Version=v10.0\", \"signature\": \"\" },\n"
    "  \"compilationOptions\": {},\n"
    "  \"targets\": {\n"
    "    \".NETCoreApp,Version=v10.0\": {\n"
    "      \"App/1.0.0\": { \"dependencies\": { \"Lib\": \"1.0.0\" }, \"runtime\": { \"App.dll\": "
    "{} } },\n"
    "      \"Newtonsoft.Json/13.0.3\": {\n"
    "        \"runtime\": { \"lib/net6.0/Newtonsoft.Json.dll\": { \"assemblyVersion\": "
    "\"13.0.0.0\" } }\n"
    "      },\n"
    "      \"Data/2.0.0\": {\n"
    "        \"runtimeTargets\": {\n"
    "          \"runtimes/unix/lib/net8.0/Data.Unix.dll\": { \"rid\": \"unix\", \"assetType\": "
    "\"runtime\" },\n"
    "          \"runtimes\\\\win\\\\lib\\\\Data.Win.dll\": { \"rid\": \"win\" }\n"
    "        },\n"
    "        \"resources\": { \"lib/de/Data.resources.dll\": { \"locale\": \"de\" } },\n"
    "        \"native\": { \"native/data.so\": { \"fileVersion\": \"0.0.0.0\" } }\n"
    "      },\n"
    "      \"Lib/1.0.0\": { \"runtime\": { \"Lib.dll\": {} } },\n"
    "      \"Framework/10.0.0\": { \"runtime\": { \"System.Runtime.dll\": {} } },\n"
    "      \"Loose/1.0.0\": { \"runtime\": { \"Loose.dll\": {} } },\n"
    "      \"Nowhere/1.0.0\": { \"runtime\": { \"Nowhere.dll\": {} } }\n"
    "    }\n"
    "  },\n"
    "  \"libraries\": {\n"
    "    \"App/1.0.0\": { \"type\": \"project\", \"serviceable\": false, \"sha512\": \"\" },\n"
    "    \"Newtonsoft.Json/13.0.3\": { \"type\": \"package\", \"serviceable\": true, \"sha512\": "
    "\"x\" },\n"
    "    \"Data/2.0.0\": { \"type\": \"package\" },\n"
    "    \"Lib/1.0.0\": { \"type\": \"project\" },\n"
    "    \"Framework/10.0.0\": { \"type\": \"runtimepack\" },\n"
    "    \"Loose/1.0.0\": { \"type\": \"reference\" }\n"
    "  }\n"
    "}\n";

static struct view view_of(const char *json)
{
    return (struct view){(const uint8_t *)json, strlen(json)};
}

static void files_are_those_of_their_library(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool package, project;
    } cases[] = {
        {"Newtonsoft.Json.dll", true, false},
        {"newtonsoft.JSON.DLL", true, false},
        {"Data.Unix.dll", true, false},
        {"Data.Win.dll", true, false},
        {"System.Runtime.dll", true, false}, /* of a self-contained application */
        {"App.dll", false, true},
        {"Lib.dll", false, true},
        {"lib.DLL", false, true},
        {"Loose.dll", false, false},
        {"Nowhere.dll", false, false},
        {"Data.resources.dll", false, false},
        {"data.so", false, false},
        {"lib/net6.0/Newtonsoft.Json.dll", false, false},
        {"", false, false},
    };
    struct arena arena;
    struct deps deps;
    struct err err;
    struct view json = exact_copy(view_of(sample));
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(deps_read(&deps, json, &arena, &err));
    exact_free(json); /* the strings are copies */
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(deps_is_package(&deps, str_of(cases[i].file)), cases[i].package);
        assert_int_equal(deps_is_project(&deps, str_of(cases[i].file)), cases[i].project);
    }
    assert_int_equal(deps.package_count, 4);
    assert_int_equal(deps.project_count, 2);
    arena_free(&arena);
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    size_t whole = strlen(sample) - 1; /* without the final line end */
    for (size_t len = 0; len < whole; len++) {
        struct arena arena;
        struct deps deps;
        struct err err = {.code = ERR_NONE};
        struct view cut = exact_copy((struct view){(const uint8_t *)sample, len});
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_failed(deps_read(&deps, cut, &arena, &err), err, ERR_FORMAT);
        assert_int_equal(deps.package_count, 0);
        exact_free(cut);
        arena_free(&arena);
    }
}

static const struct {
    const char *name, *json;
    bool read;
} shapes[] = {
    {"empty object", "{}", true},
    {"byte order mark", "\xEF\xBB\xBF{}", true},
    {"white space", " \t\r\n{ } \n", true},
    {"values of every kind",
     "{\"a\":[1,-2.5e+3,true,false,null,\"s\",[],{},[[]]],\"b\":{\"c\":[{}]}}", true},
    {"targets that are not an object", "{\"targets\":[1,2]}", true},
    {"target that is not an object", "{\"targets\":{\"x\":7},\"libraries\":{}}", true},
    {"libraries that are not an object", "{\"libraries\":\"none\"}", true},
    {"library that is not an object", "{\"libraries\":{\"x\":null}}", true},
    {"type that is not a string", "{\"libraries\":{\"x\":{\"type\":1}}}", true},
    {"runtime that is not an object",
     "{\"libraries\":{\"x\":{\"type\":\"package\"}},\"targets\":{\"t\":{\"x\":{\"runtime\":[]}}}}",
     true},
    {"nothing", "", false},
    {"array", "[]", false},
    {"string", "\"x\"", false},
    {"more after it", "{}x", false},
    {"two objects", "{}{}", false},
    {"key without value", "{\"a\"}", false},
    {"key without quotes", "{a:1}", false},
    {"comma at the end", "{\"a\":1,}", false},
    {"comma at the start", "{,\"a\":1}", false},
    {"no comma", "{\"a\":1 \"b\":2}", false},
    {"no comma in an array", "{\"a\":[1 2]}", false},
    {"comma at the end of an array", "{\"a\":[1,]}", false},
    {"brackets crossed", "{\"a\":[1}]", false},
    {"line end in a string", "{\"a\nb\":1}", false},
    {"backslash at the end", "{\"a\\", false},
    {"no value", "{\"a\":}", false},
};

static void only_json_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        struct arena arena;
        struct deps deps;
        struct err err = {.code = ERR_NONE};
        struct view json = exact_copy(view_of(shapes[i].json));
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        bool read = deps_read(&deps, json, &arena, &err);
        if (read != shapes[i].read)
            print_error("%s\n", shapes[i].name);
        if (shapes[i].read)
            assert_true(read);
        else
            assert_failed(read, err, ERR_FORMAT);
        assert_int_equal(deps.package_count, 0);
        exact_free(json);
        arena_free(&arena);
    }
}

static void escapes_are_undone(void **state)
{
    (void)state;
    static const struct {
        const char *in_json, *name;
    } cases[] = {
        {"a\\u0041.dll", "aA.dll"},
        {"\\u00e4\\u20AC.dll", "\xC3\xA4\xE2\x82\xAC.dll"},
        {"\\ud83d\\ude00.dll", "\xF0\x9F\x98\x80.dll"},
        {"\\ud800\\ud83d\\ude00", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {"\\ud83d", "\xEF\xBF\xBD"},
        {"\\ud83d\\n", "\xEF\xBF\xBD\n"},
        {"\\ud83dx.dll", "\xEF\xBF\xBDx.dll"},
        {"\\ud83d\\u0041.dll", "\xEF\xBF\xBD"
                               "A.dll"},
        {"lib\\/a\\\"b.dll", "a\"b.dll"},
        {"t\\tn\\n.dll", "t\tn\n.dll"},
        {"\\u12", "\xEF\xBF\xBD"},
        {"\\uzzzz", "\xEF\xBF\xBD"},
        {"\\ud800\\u", "\xEF\xBF\xBD\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char json[400];
        (void)snprintf(json, sizeof json,
                       "{\"targets\":{\"t\":{\"x\\/1\":{\"runtime\":{\"%s\":{}}}}},"
                       "\"libraries\":{\"x/1\":{\"type\":\"package\"}}}",
                       cases[i].in_json);
        struct arena arena;
        struct deps deps;
        struct view copy = exact_copy(view_of(json));
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(deps_read(&deps, copy, &arena, NULL));
        assert_int_equal(deps.package_count, 1);
        assert_str(deps.package_files[0], cases[i].name);
        exact_free(copy);
        arena_free(&arena);
    }
}

static void longer_text_than_the_limit_is_not_read(void **state)
{
    (void)state;
    struct deps deps;
    struct err err = {.code = ERR_NONE};
    struct view json = {(const uint8_t *)"{}", (size_t)DEPS_LEN_MAX + 1};
    assert_failed(deps_read(&deps, json, NULL, &err), err, ERR_LIMIT);
}

static void nesting_ends_at_a_limit(void **state)
{
    (void)state;
    static char json[200000] = "{\"a\":";
    memset(json + 5, '[', sizeof json - 6);
    struct arena arena;
    struct deps deps;
    struct err err = {.code = ERR_NONE};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(deps_read(&deps, view_of(json), &arena, &err), err, ERR_FORMAT);
    arena_free(&arena);
}

static void many_libraries_are_found_without_a_quadratic_search(void **state)
{
    (void)state;
    enum {
        COUNT = 20000
    };
    struct arena arena;
    struct str json;
    struct deps deps;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct text t = text_in(&arena);
    text_add_c(&t, "{\"targets\":{\"t\":{");
    for (unsigned i = 0; i < COUNT; i++)
        text_addf(&t, "%s\"L%u/1\":{\"runtime\":{\"L%u.dll\":{}}}", i != 0 ? "," : "", i, i);
    text_add_c(&t, "}},\"libraries\":{");
    for (unsigned i = 0; i < COUNT; i++)
        text_addf(&t, "%s\"L%u/1\":{\"type\":\"%s\"}", i != 0 ? "," : "", i,
                  i % 2 == 0 ? "package" : "project");
    text_add_c(&t, "}}");
    assert_true(text_take(&json, &t, NULL));
    assert_true(
        deps_read(&deps, (struct view){(const uint8_t *)json.text, json.len}, &arena, NULL));
    assert_int_equal(deps.package_count, COUNT / 2);
    assert_true(deps_is_package(&deps, STR("L1998.dll")));
    assert_false(deps_is_package(&deps, STR("L1999.dll"))); /* a project's */
    arena_free(&arena);
}

static void limit_of_the_arena_is_kept(void **state)
{
    (void)state;
    struct arena arena;
    struct deps deps;
    struct err err = {.code = ERR_NONE};
    for (size_t limit = 0; limit < 3000; limit += 50) {
        arena_init(&arena, NULL, 0, limit);
        if (!deps_read(&deps, view_of(sample), &arena, &err))
            assert_true(err.code == ERR_LIMIT || err.code == ERR_MEMORY);
        arena_free(&arena);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_are_those_of_their_library),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(only_json_is_read),
    cmocka_unit_test(escapes_are_undone),
    cmocka_unit_test(longer_text_than_the_limit_is_not_read),
    cmocka_unit_test(nesting_ends_at_a_limit),
    cmocka_unit_test(many_libraries_are_found_without_a_quadratic_search),
    cmocka_unit_test(limit_of_the_arena_is_kept),
};
UNIT_TESTS(tests);

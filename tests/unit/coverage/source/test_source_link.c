/* test_source_link.c - which folder of the build was the repository. */
#include "coverage/source/source_link.h"

#include "tests/support/check.h"

#define REPOSITORY "{\"documents\":{\"/build/app/*\":\"https://example.com/app/1234/*\"}}"
#define SUBMODULE                                                                                  \
    "{\"documents\":{\"/build/app/lib/*\":\"https://example.com/lib/5/*\",\n"                      \
    "                \"/build/app/*\" : \"https://example.com/app/1234/*\"}}"
#define WINDOWS "{\"documents\":{\"C:\\\\build\\\\app\\\\*\":\"https://example.com/app/1234/*\"}}"

static const struct {
    const char *json, *path, *rest;
} cases[] = {
    {REPOSITORY, "/build/app/src/A.cs", "src/A.cs"},
    {REPOSITORY, "/build/apple/A.cs", ""},
    {REPOSITORY, "/build/app", ""},
    {REPOSITORY, "", ""},
    {SUBMODULE, "/build/app/lib/A.cs", "lib/A.cs"},
    {SUBMODULE, "/build/app/A.cs", "A.cs"},
    {WINDOWS, "C:\\build\\app\\src\\A.cs", "src\\A.cs"},
    {WINDOWS, "/build/app/A.cs", ""},
    {"{\"documents\":{\"/build/A.cs\":\"https://example.com/A.cs\"}}", "/build/A.cs", ""},
    {"{\"documents\":{\"/b\\u0061/*\":\"https://example.com/*\"}}", "/ba/A.cs", ""},
    {"", "/build/app/A.cs", ""},
};

static void rest_is_what_follows_the_outermost_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct view json = {(const uint8_t *)cases[i].json, strlen(cases[i].json)};
        struct str rest = source_link_rest(json, str_of(cases[i].path));
        if (!str_is(rest, cases[i].rest))
            fail_msg("case %zu: %.*s", i, STR_ARGS(rest));
    }
}

/* The folder is known as soon as its name has ended. */
static void any_truncation_is_read_to_its_end(void **state)
{
    static const char json[] = WINDOWS;
    size_t known_len = (size_t)(strstr(json, "*\"") - json) + 2;
    (void)state;
    for (size_t len = 0; len < sizeof json; len++) {
        struct view copy = exact_copy((struct view){(const uint8_t *)json, len});
        assert_str(source_link_rest(copy, STR("C:\\build\\app\\A.cs")),
                   len < known_len ? "" : "A.cs");
        exact_free(copy);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rest_is_what_follows_the_outermost_folder),
    cmocka_unit_test(any_truncation_is_read_to_its_end),
};
UNIT_TESTS(tests);

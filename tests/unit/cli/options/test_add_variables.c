/* test_add_variables.c - variables come into the settings that a project has, and all else stays.
 * tests/e2e/test_env.sh has .NET read the results. */
#include "cli/options/add_variables.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static char first[] = "A=1", second[] = "B=/a&\"b\"=c";
static char *const variables[] = {first, second, NULL};

static struct addition addition_to(const char *text)
{
    return (struct addition){"dir/own", {(const uint8_t *)text, strlen(text)}, variables};
}

static struct str added(add_variables *add, const char *text)
{
    struct addition addition = addition_to(text);
    struct err err = {0};
    struct str out = {0};
    assert_true(add(&out, &addition, &arena, &err));
    return out;
}

/* `overrides` is how the message begins. */
static void refused(add_variables *add, const char *text, const char *overrides)
{
    struct addition addition = addition_to(text);
    struct err err = {0};
    struct str out;
    assert_false(add(&out, &addition, &arena, &err));
    assert_memory_equal(err.text, overrides, strlen(overrides));
}

static void runsettings_keep_what_they_say(void **state)
{
    (void)state;
    assert_str(added(add_to_runsettings,
                     "\xef\xbb\xbf<RunSettings>\n  <!-- ours -->\n"
                     "  <RunConfiguration><MaxCpuCount>1</MaxCpuCount>"
                     "<EnvironmentVariables><A>0</A><C>3</C></EnvironmentVariables>"
                     "</RunConfiguration>\n"
                     "  <NUnit><Where>cat == \xc3\xa9</Where></NUnit></RunSettings>"),
               "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
               "<RunSettings>\n"
               "  <!-- ours -->\n"
               "  <RunConfiguration>\n"
               "    <MaxCpuCount>1</MaxCpuCount>\n"
               "    <EnvironmentVariables>\n"
               "      <C>3</C>\n"
               "      <A>1</A>\n"
               "      <B>/a&amp;\"b\"=c</B>\n"
               "    </EnvironmentVariables>\n"
               "  </RunConfiguration>\n"
               "  <NUnit>\n"
               "    <Where>cat == \xc3\xa9</Where>\n"
               "  </NUnit>\n"
               "</RunSettings>\n");
    assert_str(added(add_to_runsettings, "<RunSettings/>"),
               "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
               "<RunSettings>\n"
               "  <RunConfiguration>\n"
               "    <EnvironmentVariables>\n"
               "      <A>1</A>\n"
               "      <B>/a&amp;\"b\"=c</B>\n"
               "    </EnvironmentVariables>\n"
               "  </RunConfiguration>\n"
               "</RunSettings>\n");
}

static void testconfig_keeps_what_it_says(void **state)
{
    (void)state;
    assert_str(
        added(add_to_testconfig,
              "\xef\xbb\xbf{ // ours\n\"mstest\": {\"timeout\": 0.1, \"all\": [true, null]},\n"
              "\"environmentVariables\": {\"A\": \"0\", \"C\": \"\xc3\xa9\"} }"),
        "{\n"
        "  \"mstest\": {\n"
        "    \"timeout\": 0.1,\n"
        "    \"all\": [\n"
        "      true,\n"
        "      null\n"
        "    ]\n"
        "  },\n"
        "  \"environmentVariables\": {\n"
        "    \"A\": \"1\",\n"
        "    \"C\": \"\xc3\xa9\",\n"
        "    \"B\": \"/a&\\\"b\\\"=c\"\n"
        "  }\n"
        "}\n");
}

static void testconfig_begins_with_nothing(void **state)
{
    static char path[] = "B=/a \"b\\c\"/it's=\xC3\xA4";
    struct addition addition = addition_to("{}");
    struct err err = {0};
    struct str out = {0};
    (void)state;
    addition.variables = (char *const[]){first, path, NULL};
    assert_true(add_to_testconfig(&out, &addition, &arena, &err));
    assert_str(out, "{\n"
                    "  \"environmentVariables\": {\n"
                    "    \"A\": \"1\",\n"
                    "    \"B\": \"/a \\\"b\\\\c\\\"/it's=\xC3\xA4\"\n"
                    "  }\n"
                    "}\n");
}

static void launchsettings_get_the_project_s_profile_with_the_variables(void **state)
{
    (void)state;
    assert_str(added(add_to_launchsettings,
                     "{\"profiles\": {\"IIS\": {\"commandName\": \"IISExpress\"},"
                     "\"App\": {\"commandName\": \"Project\", \"applicationUrl\": \"http://x\","
                     "\"environmentVariables\": {\"C\": \"3\"}}}}"),
               "{\n"
               "  \"profiles\": {\n"
               "    \"IIS\": {\n"
               "      \"commandName\": \"IISExpress\"\n"
               "    },\n"
               "    \"App\": {\n"
               "      \"commandName\": \"Project\",\n"
               "      \"applicationUrl\": \"http://x\",\n"
               "      \"environmentVariables\": {\n"
               "        \"C\": \"3\"\n"
               "      }\n"
               "    },\n"
               "    \"ilcov\": {\n"
               "      \"commandName\": \"Project\",\n"
               "      \"applicationUrl\": \"http://x\",\n"
               "      \"environmentVariables\": {\n"
               "        \"C\": \"3\",\n"
               "        \"A\": \"1\",\n"
               "        \"B\": \"/a&\\\"b\\\"=c\"\n"
               "      }\n"
               "    }\n"
               "  }\n"
               "}\n");
}

static void launchsettings_without_such_a_profile_get_a_plain_one(void **state)
{
    (void)state;
    assert_str(added(add_to_launchsettings, "{}"), "{\n"
                                                   "  \"profiles\": {\n"
                                                   "    \"ilcov\": {\n"
                                                   "      \"commandName\": \"Project\",\n"
                                                   "      \"environmentVariables\": {\n"
                                                   "        \"A\": \"1\",\n"
                                                   "        \"B\": \"/a&\\\"b\\\"=c\"\n"
                                                   "      }\n"
                                                   "    }\n"
                                                   "  }\n"
                                                   "}\n");
}

static void what_is_no_such_file_is_refused_with_its_place(void **state)
{
    (void)state;
    refused(add_to_runsettings, "<Project/>",
            "dir/own is not a .runsettings file: its root element is <Project>");
    refused(add_to_runsettings, "<a>\n<b>\n</a>", "dir/own:3: not well-formed XML: ");
    refused(add_to_testconfig, "[]", "dir/own is not a JSON object");
    refused(add_to_testconfig, "{\n\"a\" 1}", "dir/own:2: not JSON: ':' expected near '1'");
    refused(add_to_testconfig, "{ /* }", "dir/own:1:3: this comment has no end");
    refused(add_to_testconfig, "{\"environmentVariables\": 1}",
            "dir/own: \"environmentVariables\" is not an object");
    refused(add_to_launchsettings, "{\"profiles\": []}", "dir/own: \"profiles\" is not an object");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(runsettings_keep_what_they_say, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(testconfig_keeps_what_it_says, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(testconfig_begins_with_nothing, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(launchsettings_get_the_project_s_profile_with_the_variables,
                                    open_arena, close_arena),
    cmocka_unit_test_setup_teardown(launchsettings_without_such_a_profile_get_a_plain_one,
                                    open_arena, close_arena),
    cmocka_unit_test_setup_teardown(what_is_no_such_file_is_refused_with_its_place, open_arena,
                                    close_arena),
};
UNIT_TESTS(tests);

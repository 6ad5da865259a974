/* test_settings_file.c - what a settings file says, and what it must not say. */
#include "cli/options/settings_file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/setting_key.h"
#include "cli/options/settings_path.h"
#include "cli/verbs/verbs.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

#define PATH "/r/ilcov.json"

static bool parse(struct settings_file *out, const char *text, struct err *err)
{
    return settings_file_parse(out, str_of(text), PATH, verbs, &arena, err);
}

/* "key=value,value@line" of each setting, "verb.key" in a section. */
static struct str read_all(const char *text)
{
    struct settings_file file;
    struct err err = {0};
    struct str said;
    if (!parse(&file, text, &err))
        return (text_format(&said, &arena, &err, "%s", err.text)) ? said : STR("");
    struct text out = text_in(&arena);
    for (size_t i = 0; i < file.count; i++) {
        const struct setting *item = &file.items[i];
        char key[SETTING_KEY_ROOM];
        setting_key(key, item->row);
        text_addf(&out, "%s%s%s%s=", i == 0 ? "" : " ", item->verb != NULL ? item->verb->name : "",
                  item->verb != NULL ? "." : "", key);
        for (size_t j = 0; j < item->count; j++)
            text_addf(&out, "%s%s", j == 0 ? "" : ",", item->values[j]);
        text_addf(&out, "@%u", item->line);
    }
    assert_true(text_take(&said, &out, &err));
    return said;
}

static void keys_are_options_in_camel_case(void **state)
{
    (void)state;
    struct verb_option option;
    char key[SETTING_KEY_ROOM];
    assert_true(verb_find_option(&option, &verb_run, "exclude-auto-properties", 0));
    setting_key(key, option.row);
    assert_string_equal(key, "excludeAutoProperties");
    setting_variable(key, NULL, option.row);
    assert_string_equal(key, "ILCOV_EXCLUDE_AUTO_PROPERTIES");
    setting_variable(key, &verb_run, option.row);
    assert_string_equal(key, "ILCOV_RUN_EXCLUDE_AUTO_PROPERTIES");
}

static void values_are_what_would_be_typed(void **state)
{
    (void)state;
    assert_str(read_all("{}"), "");
    assert_str(read_all("{ // percent\n\"failUnder\": 79.5}"), "failUnder=79.5@2");
    assert_str(read_all("{\"failUnder\": 8e1}"), "failUnder=80@1");
    assert_str(read_all("{\"failUnder\": 0.1}"), "failUnder=0.1@1");
    assert_str(read_all("{\"failUnder\": \"80%\"}"), "failUnder=80%@1");
    assert_str(read_all("{\"hangTimeout\": 60, \"mode\": \"hit\"}"), "hangTimeout=60@1 mode=hit@1");
    assert_str(read_all("{\"quiet\": true, \"verbose\": false}"), "quiet=yes@1 verbose=no@1");
    assert_str(read_all("{\"gate\": \"line>=80\"}"), "gate=line>=80@1");
    assert_str(read_all("{\"gate\": [\"line>=80\",\n\"lost=0\"]}"), "gate=line>=80,lost=0@1");
    assert_str(read_all("{\"gate\": []}"), "gate=@1");
    assert_str(read_all("{\"$schema\": \"x\", \"exclude\": \"[A\\u002a]*\"}"), "exclude=[A*]*@1");
}

static void a_section_is_for_one_verb(void **state)
{
    (void)state;
    assert_str(read_all("{\"mode\": \"hit\",\n\"run\": {\n\"mode\": \"exact\"},\n\"diff\": "
                        "{\"format\": \"json\"},\n\"report\": {}, \"quiet\": true}"),
               "mode=hit@1 run.mode=exact@3 diff.format=json@4 quiet=yes@5");
}

/* So that a file means the same from every directory. */
static void relative_paths_are_relative_to_the_file(void **state)
{
    (void)state;
    assert_str(read_all("{\"data\": \"x.ilcov\"}"), "data=/r/x.ilcov@1");
    assert_str(read_all("{\"data\": \"/x.ilcov\"}"), "data=/x.ilcov@1");
    assert_str(read_all("{\"format\": [\"html=site\", \"text\", \"json=-\", \"lcov=/l\"]}"),
               "format=html=/r/site,text,json=-,lcov=/l@1");
    assert_str(read_all("{\"excludeFiles\": \"gen/*\"}"), "excludeFiles=gen/*@1");
    assert_str(read_all("{\"patch\": \"main...HEAD\"}"), "patch=main...HEAD@1");
}

static void a_patch_is_a_path_if_there_is_such_a_file(void **state)
{
    (void)state;
    struct temporary t;
    struct settings_file file;
    struct err err = {0};
    temporary_open(&t);
    const char *patch = temporary_file(&t, "main", "x", 1);
    const char *path = temporary_path(&t, SETTINGS_FILE_NAME);
    assert_true(
        settings_file_parse(&file, STR("{\"patch\": \"main\"}"), path, verbs, &arena, &err));
    assert_string_equal(file.items[0].values[0], patch);
    temporary_close(&t);
}

static void what_is_wrong_is_said_with_its_place_and_what_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *text, *overrides;
    } all[] = {
        {"{\"fail-under\": 1}", "1: unknown setting 'fail-under'; did you mean 'failUnder'?"},
        {"{\n\"exclude_files\": 1}",
         "2: unknown setting 'exclude_files'; did you mean 'excludeFiles'?"},
        {"{\"Exclude\": 1}", "1: unknown setting 'Exclude'; did you mean 'exclude'?"},
        {"{\"formats\": 1}", "1: unknown setting 'formats'; did you mean 'format'?"},
        {"{\"Report\": {}}", "1: unknown setting 'Report'; did you mean 'report'?"},
        {"{\"xyzzyxyzzyxyzzy\": 1}",
         "1: unknown setting 'xyzzyxyzzyxyzzy'; 'ilcov config' lists all settings"},
        {"{\"report\": {\"mode\": \"hit\"}}", "1: 'ilcov report' has no option 'mode'"},
        {"{\"report\": {\"quit\": true}}", "1: unknown setting 'quit'; did you mean 'quiet'?"},
        {"{\"report\": {\n\"run\": {}}}",
         "2: unknown setting 'run'; 'ilcov config' lists all settings"},
        {"{\"report\": 1}", "1: 'report' must be an object: the options of 'ilcov report'"},
        {"{\"ps\": {}}", "1: unknown setting 'ps'; 'ilcov config' lists all settings"},
        {"{\"open\": true}", NULL},
        {"{\"help\": true}", NULL},
        {"{\"config\": \"x\"}", NULL},
        {"{\"quiet\": \"yes\"}", "1: 'quiet' must be true or false"},
        {"{\"quiet\": null}", "1: 'quiet' must be true or false"},
        {"{\"mode\": 1}", "1: 'mode' must be a string"},
        {"{\"mode\": [\"hit\"]}", "1: 'mode' must be a string"},
        {"{\"gate\": [\"line>=1\", 1]}", "1: 'gate' must be a string or an array of strings"},
        {"{\"gate\": {}}", "1: 'gate' must be a string or an array of strings"},
        {"{\"failUnder\": true}", "1: 'failUnder' must be a number or a string"},
        {"{\"$schema\": 1}", "1: '$schema' must be a string"},
        {"[]", "1: settings must be an object: { ... }"},
        {"{\"quiet\": true,\n\"quiet\": true}", "2:7: duplicate object key near '\"quiet\"'"},
        {"{\"run\": {\"quiet\": true, \"quiet\": false}}",
         "1:31: duplicate object key near '\"quiet\"'"},
        {"{\"quiet\": true,}", NULL},
        {"{\n  quiet: true}", "2:7: string or '}' expected near 'quiet'"},
        {"{\"mode\": \"\xff\"}", NULL},
        {"{\"mode\": \"\\ud800\"}", NULL},
        {"{\"mode\": \"a\\u0000b\"}", NULL},
        {"{\"failUnder\": 1e999}", NULL},
        {"{\"failUnder\": 99999999999999999999}", NULL},
        {"{\"failUnder\": NaN}", NULL},
        {"{\"failUnder\": 01}", NULL},
        {"{} x", NULL},
        {"{ /* ", "1:3: this comment has no end"},
        {"", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct settings_file file;
        struct err err = {0};
        char overrides[200];
        assert_failed(parse(&file, all[i].text, &err), err, ERR_USAGE);
        (void)snprintf(overrides, sizeof overrides, PATH ":%s",
                       all[i].overrides != NULL ? all[i].overrides : "");
        if (all[i].overrides != NULL)
            assert_string_equal(err.text, overrides);
        else
            assert_int_equal(strncmp(err.text, overrides, strlen(overrides)), 0);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    enum {
        DEPTH = 200000
    };
    struct settings_file file;
    struct err err = {0};
    char *text = malloc(DEPTH + sizeof "{\"mode\":");
    assert_non_null(text);
    size_t len = (size_t)sprintf(text, "{\"mode\":");
    memset(text + len, '[', DEPTH);
    assert_failed(
        settings_file_parse(&file, (struct str){text, len + DEPTH}, PATH, verbs, &arena, &err), err,
        ERR_USAGE);
    free(text);
}

static void a_large_file_is_refused(void **state)
{
    struct settings_file file;
    struct err err = {0};
    static char large[SETTINGS_FILE_MAX + 1];
    (void)state;
    memset(large, ' ', sizeof large);
    assert_failed(
        settings_file_parse(&file, (struct str){large, sizeof large}, PATH, verbs, &arena, &err),
        err, ERR_LIMIT);
}

static void a_file_that_cannot_be_read_is_no_wrong_setting(void **state)
{
    (void)state;
    struct settings_file file;
    struct err err = {0};
    assert_failed(settings_file_read(&file, "/nowhere/ilcov.json", verbs, &arena, &err), err,
                  ERR_IO);
    assert_int_equal(strncmp(err.text, "/nowhere/ilcov.json cannot be opened: ", 38), 0);
}

/* --- where it is ------------------------------------------------------------------------------ */

static const char *find_in(const char *folder)
{
    struct err err = {0};
    const char *path;
    assert_int_equal(chdir(folder), 0);
    assert_true(settings_path_find(&path, &arena, &err));
    return path;
}

static void the_nearest_file_of_the_work_tree_is_found(void **state)
{
    (void)state;
    struct temporary t;
    char old[4096];
    assert_non_null(getcwd(old, sizeof old));
    temporary_open(&t);
    const char *top = temporary_path(&t, "top"), *git = temporary_path(&t, "top/.git"),
               *a = temporary_path(&t, "top/a"), *b = temporary_path(&t, "top/a/b");
    assert_int_equal(mkdir(top, 0700) + mkdir(a, 0700) + mkdir(b, 0700), 0);
    const char *above = temporary_file(&t, SETTINGS_FILE_NAME, "{}", 2);
    const char *own = temporary_file(&t, "top/" SETTINGS_FILE_NAME, "{}", 2);
    assert_null(find_in(b)); /* no work tree: only the current directory */
    assert_string_equal(find_in(top), SETTINGS_FILE_NAME);
    assert_int_equal(mkdir(git, 0700), 0);
    assert_string_equal(find_in(b), own);
    assert_int_equal(unlink(own), 0);
    assert_null(find_in(b)); /* what is above the work tree is another project's */
    const char *nearest = temporary_file(&t, "top/a/" SETTINGS_FILE_NAME, "{}", 2);
    assert_string_equal(find_in(b), nearest);
    assert_string_equal(find_in(a), SETTINGS_FILE_NAME);
    assert_int_equal(unlink(nearest), 0);
    assert_int_equal(symlink("nothing", nearest), 0); /* not passed over */
    assert_string_equal(find_in(b), nearest);
    assert_string_equal(find_in(a), SETTINGS_FILE_NAME);
    assert_int_equal(chdir(old), 0);
    assert_int_equal(
        unlink(nearest) + unlink(above) + rmdir(git) + rmdir(b) + rmdir(a) + rmdir(top), 0);
    temporary_close(&t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(keys_are_options_in_camel_case),
    TEST(values_are_what_would_be_typed),
    TEST(a_section_is_for_one_verb),
    TEST(relative_paths_are_relative_to_the_file),
    TEST(a_patch_is_a_path_if_there_is_such_a_file),
    TEST(what_is_wrong_is_said_with_its_place_and_what_is_right),
    TEST(nesting_is_bounded),
    TEST(a_large_file_is_refused),
    TEST(a_file_that_cannot_be_read_is_no_wrong_setting),
    TEST(the_nearest_file_of_the_work_tree_is_found),
};
UNIT_TESTS(tests);

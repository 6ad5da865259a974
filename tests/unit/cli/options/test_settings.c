/* test_settings.c - what comes before what: options, variables, the settings file. */
#include "cli/options/settings.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/setting_key.h"
#include "cli/options/settings_file.h"
#include "cli/options/settings_path.h"
#include "cli/verbs/verbs.h"
#include "contract/session_format.h"
#include "coverage/diff/gate.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    WORDS_MAX = 16
};

/* A command line with variables and a settings file. */
struct given {
    const struct verb *verb;
    const char *line, *file; /* NULL: no file */
    const char *variables[5][2];
};

struct publish {
    struct temporary t;
    const struct measurement_options *options; /* the first member of the verb's struct */
    bool goes_on;
    int status;
    struct str err;
};

static int split(char *argv[WORDS_MAX + 1], char *words)
{
    char *rest = NULL;
    int argc = 0;
    for (char *word = strtok_r(words, " ", &rest); word != NULL && argc < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

static void parse(struct publish *out, const struct given *given, const char *config)
{
    char *argv[WORDS_MAX + 1];
    struct operands operands;
    void *options = NULL;
    char *words = arena_copy_text(&out->t.arena, given->line, strlen(given->line), NULL);
    assert_non_null(words);
    const struct command_line line = {.verb = given->verb,
                                      .verbs = verbs,
                                      .argc = split(argv, words),
                                      .argv = argv,
                                      .settings = settings_find,
                                      .config = config};
    const char *err = temporary_path(&out->t, "err");
    int saved = temporary_redirect(STDERR_FILENO, err);
    out->goes_on = options_parse(&options, &operands, &line, &out->t.arena, &out->status);
    temporary_restore(STDERR_FILENO, saved);
    out->options = options;
    out->err = temporary_read(&out->t, err);
}

static struct publish open_with(const struct given *given)
{
    struct publish out = {.status = -1};
    temporary_open(&out.t);
    const char *config = "";
    if (given->file != NULL)
        config = temporary_file(&out.t, SETTINGS_FILE_NAME, given->file, strlen(given->file));
    for (size_t i = 0; given->variables[i][0] != NULL; i++)
        assert_int_equal(setenv(given->variables[i][0], given->variables[i][1], 1), 0);
    parse(&out, given, config);
    for (size_t i = 0; given->variables[i][0] != NULL; i++)
        assert_int_equal(unsetenv(given->variables[i][0]), 0);
    return out;
}

static void check_mode(enum count_mode expected, struct given given)
{
    struct publish out = open_with(&given);
    assert_true(out.goes_on);
    assert_int_equal(out.err.len, 0);
    assert_int_equal(out.options->measure.mode, expected);
    temporary_close(&out.t);
}

static void options_come_before_variables_and_these_before_the_file(void **state)
{
    (void)state;
    check_mode(MODE_COUNT, (struct given){&verb_run, "run x", "{}", {{0}}});
    check_mode(MODE_HIT, (struct given){&verb_run, "run x", "{\"mode\": \"hit\"}", {{0}}});
    check_mode(
        MODE_EXACT,
        (struct given){&verb_run, "run x", "{\"mode\": \"hit\"}", {{"ILCOV_MODE", "exact"}}});
    check_mode(MODE_COUNT, (struct given){&verb_run,
                                          "run --mode count x",
                                          "{\"mode\": \"hit\"}",
                                          {{"ILCOV_MODE", "exact"}}});
}

static void what_is_said_for_one_verb_comes_first(void **state)
{
    (void)state;
    static const char file[] =
        "{\"run\": {\"mode\": \"exact\"}, \"mode\": \"hit\", \"env\": {\"mode\": \"count\"}}";
    check_mode(MODE_EXACT, (struct given){&verb_run, "run x", file, {{0}}});
    check_mode(MODE_COUNT, (struct given){&verb_env, "env", file, {{0}}});
    check_mode(MODE_HIT, (struct given){&verb_attach, "attach 1", file, {{0}}});
    check_mode(MODE_HIT,
               (struct given){
                   &verb_run, "run x", NULL, {{"ILCOV_MODE", "exact"}, {"ILCOV_RUN_MODE", "hit"}}});
    check_mode(MODE_EXACT, (struct given){&verb_attach,
                                          "attach 1",
                                          NULL,
                                          {{"ILCOV_MODE", "exact"}, {"ILCOV_RUN_MODE", "hit"}}});
}

static void an_empty_variable_counts_as_not_set(void **state)
{
    (void)state;
    check_mode(MODE_HIT,
               (struct given){&verb_run, "run x", "{\"mode\": \"hit\"}", {{"ILCOV_MODE", ""}}});
}

static void a_list_replaces_that_of_a_lower_place(void **state)
{
    (void)state;
    static const char file[] = "{\"gate\": [\"line>=1\", \"line>=2\"], \"exclude\": [\"[A]*\"]}";
    static const char variable[] = " branch>=3 ;\nlost=0;;";
    struct given given = {&verb_run, "run x", file, {{"ILCOV_GATE", variable}}};
    struct publish out = open_with(&given);
    const struct list *gates = &out.options->publish.gates.list;
    const struct gate *all = gates->items;
    assert_int_equal(gates->count, 2);
    assert_str(all[0].text, "branch>=3");
    assert_str(all[1].text, "lost=0");
    assert_int_equal(out.options->publish.filter.exclude.count, 1);
    temporary_close(&out.t);
    given.line = "run --gate method>=4 x";
    out = open_with(&given);
    gates = &out.options->publish.gates.list;
    all = gates->items;
    assert_int_equal(gates->count, 1);
    assert_str(all[0].text, "method>=4");
    temporary_close(&out.t);
}

static void a_flag_can_be_unset(void **state)
{
    (void)state;
    static const struct {
        const char *line, *variable;
        bool quiet;
    } all[] = {
        {"run x", "", true},          {"run --quiet=no x", "", false},
        {"run x", "no", false},       {"run -q x", "0", true},
        {"run --quiet x", "0", true}, {"run --quiet=yes x", "false", true},
        {"run x", "on", true},        {"run -q --quiet=off x", "on", false},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        const struct given given = {
            &verb_run, all[i].line, "{\"quiet\": true}", {{"ILCOV_QUIET", all[i].variable}}};
        struct publish out = open_with(&given);
        assert_true(out.goes_on);
        assert_int_equal(out.options->publish.talk.quiet, all[i].quiet);
        temporary_close(&out.t);
    }
}

/* --format of `diff` knows other formats. */
static void a_name_with_two_meanings_needs_a_section(void **state)
{
    (void)state;
    static const char file[] = "{\"format\": \"lcov\", \"diff\": {\"format\": \"sarif\"}}";
    struct publish out = open_with(&(struct given){&verb_diff, "diff a b", file, {{0}}});
    assert_true(out.goes_on);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_report, "report", file, {{0}}});
    assert_true(out.goes_on);
    temporary_close(&out.t);
    out = open_with(
        &(struct given){&verb_diff, "diff a b", "{\"diff\": {\"format\": \"lcov\"}}", {{0}}});
    assert_false(out.goes_on);
    temporary_close(&out.t);
}

/* What is typed in vain is a mistake; a setting is there for other runs as well. */
static void a_setting_may_have_no_effect(void **state)
{
    (void)state;
    static const char file[] = "{\"split\": \"10MiB\", \"base\": \"b\", \"format\": \"html\"}";
    struct publish out = open_with(&(struct given){&verb_run, "run -f lcov x", file, {{0}}});
    assert_true(out.goes_on);
    assert_int_equal(out.options->publish.formats.split, 0);
    assert_null(out.options->publish.gates.base);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run -f lcov --fail-under 1 x", file, {{0}}});
    assert_true(out.goes_on);
    assert_null(out.options->publish.gates.base);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run -f lcov --gate lost=0 x", file, {{0}}});
    assert_true(out.goes_on);
    assert_non_null(out.options->publish.gates.base);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run -f html -f cobertura x", file, {{0}}});
    assert_true(out.goes_on);
    assert_int_equal(out.options->publish.formats.split, 10 << 20);
    assert_non_null(out.options->publish.gates.base);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run x", "{\"hangKill\": true}", {{0}}});
    assert_true(out.goes_on);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run --hang-kill x", NULL, {{0}}});
    assert_false(out.goes_on);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run --split 10MiB -f html x", NULL, {{0}}});
    assert_false(out.goes_on);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run --base b -f lcov x", NULL, {{0}}});
    assert_true(out.goes_on);
    assert_non_null(out.options->publish.gates.base); /* publish_check refuses it */
    temporary_close(&out.t);
}

static void report_open_writes_html_whatever_formats_are_set(void **state)
{
    (void)state;
    static const char file[] = "{\"format\": [\"cobertura\", \"lcov\"]}";
    struct publish out = open_with(&(struct given){&verb_report, "report --open", file, {{0}}});
    assert_true(out.goes_on);
    assert_int_equal(out.options->publish.formats.count, 1);
    assert_string_equal(out.options->publish.formats.items[0].format->name, "html");
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_report, "report --open -f lcov", file, {{0}}});
    assert_false(out.goes_on);
    temporary_close(&out.t);
}

/* What `run` writes, the others read. */
static void the_data_file_that_is_set_is_read_as_well(void **state)
{
    (void)state;
    static const char file[] = "{\"data\": \"/x/y.ilcov\"}";
    struct publish out = open_with(&(struct given){&verb_report, "report", file, {{0}}});
    assert_string_equal(out.options->publish.data, "/x/y.ilcov");
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_report, "report z.ilcov", file, {{0}}});
    assert_string_equal(out.options->publish.data, "z.ilcov");
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run x", file, {{0}}});
    assert_string_equal(out.options->publish.data, "/x/y.ilcov");
    temporary_close(&out.t);
}

static void check_refusal(struct given given, int status, const char *overrides)
{
    struct publish out = open_with(&given);
    assert_false(out.goes_on);
    assert_int_equal(out.status, status);
    if (strstr(out.err.text, overrides) == NULL)
        fail_msg("'%s' lacks '%s'", out.err.text, overrides);
    assert_ptr_equal(strchr(out.err.text, '\n'), out.err.text + out.err.len - 1);
    temporary_close(&out.t);
}

static void an_error_says_where_the_value_is_from(void **state)
{
    (void)state;
    check_refusal((struct given){&verb_run, "run x", "{\n\"failUnder\": 101}", {{0}}}, EXIT_USAGE,
                  "/ilcov.json:2: invalid percentage '101'");
    check_refusal((struct given){&verb_run, "run x", NULL, {{"ILCOV_MODE", "fats"}}}, EXIT_USAGE,
                  "ILCOV_MODE: unknown mode 'fats'");
    check_refusal((struct given){&verb_run, "run x", NULL, {{"ILCOV_QUIET", "maybe"}}}, EXIT_USAGE,
                  "ILCOV_QUIET must be yes or no, not 'maybe'");
    check_refusal((struct given){&verb_run, "run --quiet=maybe x", NULL, {{0}}}, EXIT_USAGE,
                  "option --quiet must be yes or no, not 'maybe'");
    check_refusal((struct given){&verb_run, "run --config /nowhere x", NULL, {{0}}}, EXIT_BAD,
                  "/nowhere cannot ");
    check_refusal((struct given){&verb_run, "run x", "{\"format\": [\"none\", \"html\"]}", {{0}}},
                  EXIT_USAGE,
                  "--format none cannot be combined with another format; 'ilcov config run' shows "
                  "what is set");
}

/* A broken file must not keep anybody from reading the help, nor from `ilcov ps`. */
static void what_needs_no_settings_reads_none(void **state)
{
    (void)state;
    struct publish out = open_with(&(struct given){&verb_ps, "ps", "{", {{0}}});
    assert_true(out.goes_on);
    temporary_close(&out.t);
    out = open_with(&(struct given){&verb_run, "run --no-config x", "{", {{0}}});
    assert_true(out.goes_on);
    temporary_close(&out.t);
}

static void a_variable_that_is_nearly_a_setting_is_named(void **state)
{
    (void)state;
    struct given given = {&verb_run,
                          "run x",
                          NULL,
                          {{"ILCOV_FAILUNDER", "80"},
                           {"ILCOV_LONG", "1"},
                           {"ILCOV_TEST_DLL", "x"},
                           {SESSION_ENV, "/s"}}};
    struct publish out = open_with(&given);
    assert_true(out.goes_on);
    assert_str(out.err,
               "ilcov: the variable ILCOV_FAILUNDER is ignored; did you mean ILCOV_FAIL_UNDER?\n");
    temporary_close(&out.t);
}

static void verbose_names_the_file(void **state)
{
    (void)state;
    struct publish out = open_with(&(struct given){&verb_run, "run -v x", "{}", {{0}}});
    assert_non_null(strstr(out.err.text, "ilcov: settings: "));
    temporary_close(&out.t);
}

/* --- the tables ------------------------------------------------------------------------------- */

/* Nor is a setting called like a section, or a variable like one that has another meaning. */
static void names_of_settings_are_theirs_alone(void **state)
{
    struct verb_option option;
    char key[SETTING_KEY_ROOM];
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            if (!option_is_setting(option.row))
                continue;
            setting_key(key, option.row);
            for (const struct verb *const *other = verbs; *other != NULL; other++)
                assert_string_not_equal(key, (*other)->name);
            setting_variable(key, NULL, option.row);
            assert_string_not_equal(key, SESSION_ENV);
            assert_string_not_equal(key, SETTING_CONFIG);
            setting_variable(key, *verb, option.row);
            assert_string_not_equal(key, SESSION_ENV);
        }
}

/* `repeats` says what `take` does: two values are two items. */
static void rows_say_whether_they_repeat(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            bool overrides = option.more != NULL && strstr(option.more, "May be repeated") != NULL;
            overrides = overrides || strstr(option.help, "may be repeated") != NULL ||
                        strstr(option.help, "repeatable") != NULL;
            if (overrides != option.row->repeats)
                fail_msg("%s --%s: does it repeat?", (*verb)->name, option.row->name);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_come_before_variables_and_these_before_the_file),
    cmocka_unit_test(what_is_said_for_one_verb_comes_first),
    cmocka_unit_test(an_empty_variable_counts_as_not_set),
    cmocka_unit_test(a_list_replaces_that_of_a_lower_place),
    cmocka_unit_test(a_flag_can_be_unset),
    cmocka_unit_test(a_name_with_two_meanings_needs_a_section),
    cmocka_unit_test(a_setting_may_have_no_effect),
    cmocka_unit_test(report_open_writes_html_whatever_formats_are_set),
    cmocka_unit_test(the_data_file_that_is_set_is_read_as_well),
    cmocka_unit_test(an_error_says_where_the_value_is_from),
    cmocka_unit_test(what_needs_no_settings_reads_none),
    cmocka_unit_test(a_variable_that_is_nearly_a_setting_is_named),
    cmocka_unit_test(verbose_names_the_file),
    cmocka_unit_test(names_of_settings_are_theirs_alone),
    cmocka_unit_test(rows_say_whether_they_repeat),
};
UNIT_TESTS(tests);

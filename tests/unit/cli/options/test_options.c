/* test_options.c - the command lines of the verbs: what is taken, what is refused and with which
 * words. */
#include "cli/options/options.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/say.h"
#include "cli/verbs/verbs.h"
#include "coverage/diff/gate.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/version.h"

/* --- one command line, with what it prints ---------------------------------------------------- */

enum {
    WORDS_MAX = 32
};

struct line {
    struct temporary t;
    char words[512];
    char *argv[WORDS_MAX + 1];
    int argc;
    const struct measurement_options *options; /* as far as the verb has them */
    struct operands operands;
    int status;
    bool goes_on;
    struct str out, err;
};

static void split_words(struct line *line, const char *text)
{
    (void)snprintf(line->words, sizeof line->words, "%s", text);
    char *rest = NULL;
    for (char *word = strtok_r(line->words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(line->argc < WORDS_MAX);
        line->argv[line->argc++] = word;
    }
}

/* `text` begins with the verb; a word is what stands between spaces. */
static void line_open(struct line *line, const struct verb *verb, const char *text)
{
    *line = (struct line){.status = -1};
    temporary_open(&line->t);
    split_words(line, text);
    const char *out = temporary_path(&line->t, "out"), *err = temporary_path(&line->t, "err");
    int saved_out = temporary_redirect(STDOUT_FILENO, out),
        saved_err = temporary_redirect(STDERR_FILENO, err);
    struct command_line command = {
        .verb = verb, .verbs = verbs, .argc = line->argc, .argv = line->argv};
    void *options = NULL;
    line->goes_on =
        options_parse(&options, &line->operands, &command, &line->t.arena, &line->status);
    line->options = options; /* the first member of the verb's struct */
    temporary_restore(STDOUT_FILENO, saved_out);
    temporary_restore(STDERR_FILENO, saved_err);
    line->out = temporary_read(&line->t, out);
    line->err = temporary_read(&line->t, err);
}

static void line_close(struct line *line)
{
    temporary_close(&line->t);
}

/* --- what is taken ---------------------------------------------------------------------------- */

/* `expected`: what is between two gates is a blank. */
static void check_gates(struct line *line, const char *expected)
{
    const struct list *gates = &line->options->publish.gates.list;
    const struct gate *all = gates->items;
    struct str got;
    struct text text = text_in(&line->t.arena);
    for (uint32_t i = 0; i < gates->count; i++)
        text_addf(&text, "%s%.*s", i == 0 ? "" : " ", STR_ARGS(all[i].text));
    assert_true(text_take(&got, &text, NULL));
    assert_str(got, expected);
}

static void fail_under_is_a_gate_on_lines(void **state)
{
    static const struct {
        const char *line, *gates;
    } cases[] = {
        {"run --gate lost=0 --fail-under 80 true", "line>=80 lost=0"},
        {"run --gate lost=0 --fail-under 80 --gate patch>=1 true", "line>=80 lost=0 patch>=1"},
        {"run --fail-under 80 --fail-under 90 true", "line>=90"},
        {"run --fail-under 0 true", "line>=0"},
        {"run --gate line>=1 true", "line>=1"},
        {"run true", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct line line;
        line_open(&line, &verb_run, cases[i].line);
        assert_true(line.goes_on);
        check_gates(&line, cases[i].gates);
        line_close(&line);
    }
}

static void defaults_are_those_of_the_manual(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &verb_run, "run true");
    assert_true(line.goes_on);
    const struct measurement_options *options = line.options;
    assert_string_equal(options->publish.data, "TestResults/run.ilcov");
    assert_int_equal(options->publish.formats.count, 1);
    assert_string_equal(options->publish.formats.items[0].format->name, "cobertura");
    assert_string_equal(options->publish.formats.items[0].path, "coverage.cobertura.xml");
    assert_int_equal(options->measure.mode, MODE_COUNT);
    assert_null(options->publish.sources.root);
    assert_null(options->measure.session_dir);
    assert_false(options->publish.gates.list.count != 0 || options->allow_empty ||
                 options->publish.deterministic || options->publish.talk.quiet ||
                 options->publish.talk.verbose || options->measure.include_tests);
    assert_int_equal(line.operands.count, 1);
    assert_string_equal(line.operands.items[0], "true");
    assert_null(line.operands.items[1]);
    assert_int_equal(line.err.len, 0);
    line_close(&line);
}

static void every_option_of_run_is_taken(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &verb_run,
              "run -d a.ilcov --format text=t.txt -f cobertura=c.xml -f text -r /r -i [A]* "
              "--include=[B]* -x [C]* --exclude-files *.g.cs --include-tests --mode exact "
              "--exclude-attribute N.Mark --exclude-auto-properties true");
    assert_true(line.goes_on);
    assert_int_equal(line.options->exclusions.attributes.count, 1);
    assert_str(line.options->exclusions.attributes.items[0], "N.Mark");
    assert_true(line.options->exclusions.auto_properties);
    assert_string_equal(line.options->publish.data, "a.ilcov");
    assert_int_equal(line.options->publish.formats.count, 3);
    assert_string_equal(line.options->publish.formats.items[0].path, "t.txt");
    assert_string_equal(line.options->publish.formats.items[1].path, "c.xml");
    assert_null(line.options->publish.formats.items[2].path);
    assert_string_equal(line.options->publish.sources.root, "/r");
    assert_int_equal(line.options->measure.include.count, 2);
    assert_str(line.options->measure.include.items[0], "[A]*");
    assert_str(line.options->measure.include.items[1], "[B]*");
    assert_int_equal(line.options->publish.filter.exclude.count, 1);
    assert_int_equal(line.options->publish.filter.exclude_files.count, 1);
    assert_str(line.options->publish.filter.exclude_files.items[0], "*.g.cs");
    assert_true(line.options->measure.include_tests);
    assert_int_equal(line.options->measure.mode, MODE_EXACT);
    assert_int_equal(line.operands.count, 1);
    line_close(&line);
    line_open(&line, &verb_run,
              "run --fail-under 79.5 --allow-empty --deterministic --session-dir /s --keep-session "
              "-qv true");
    assert_true(line.goes_on);
    check_gates(&line, "line>=79.5");
    assert_true(line.options->allow_empty && line.options->publish.deterministic &&
                line.options->publish.talk.quiet && line.options->publish.talk.verbose);
    assert_string_equal(line.options->measure.session_dir, "/s");
    line_close(&line);
}

static void flag_that_data_decides_tells_no_from_nothing(void **state)
{
    static const struct {
        const char *text;
        bool is_given, yes;
    } cases[] = {
        {"run true", false, false},
        {"run --include-generated true", true, true},
        {"run --include-generated=no true", true, false},
        {"run --include-generated=no --include-generated true", true, true},
        {"run --include-generated --include-generated=off true", true, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct line line;
        line_open(&line, &verb_run, cases[i].text);
        assert_true(line.goes_on);
        const struct option_choice choice = line.options->publish.filter.include_generated;
        assert_int_equal(choice.is_given, cases[i].is_given);
        assert_int_equal(choice.yes, cases[i].yes);
        line_close(&line);
    }
}

/* What follows COMMAND belongs to it, and so does everything after "--". */
static void options_end_at_the_command(void **state)
{
    (void)state;
    static const char *const lines[] = {"run -q dotnet test -v --mode x",
                                        "run -q -- dotnet test -v --mode x"};
    struct line line;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        line_open(&line, &verb_run, lines[i]);
        assert_true(line.goes_on);
        assert_false(line.options->publish.talk.verbose);
        assert_int_equal(line.operands.count, 5);
        assert_string_equal(line.operands.items[0], "dotnet");
        assert_string_equal(line.operands.items[4], "x");
        line_close(&line);
    }
    line_open(&line, &verb_run, "run -- -q");
    assert_true(line.goes_on);
    assert_string_equal(line.operands.items[0], "-q");
    line_close(&line);
}

static void report_takes_options_on_both_sides_of_its_data(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &verb_report, "report -f text my.ilcov --fail-under 80");
    assert_true(line.goes_on);
    assert_string_equal(line.options->publish.data, "my.ilcov");
    check_gates(&line, "line>=80");
    line_close(&line);
    line_open(&line, &verb_report, "report");
    assert_true(line.goes_on);
    assert_string_equal(line.options->publish.data, "TestResults/run.ilcov");
    assert_string_equal(line.options->publish.formats.items[0].path, "coverage.cobertura.xml");
    line_close(&line);
}

static void no_format_is_a_format(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &verb_run, "run -f none true");
    assert_true(line.goes_on);
    assert_int_equal(line.options->publish.formats.count, 0);
    line_close(&line);
}

static void deterministic_time_is_that_of_the_source(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    line_open(&line, &verb_run, "run --deterministic true");
    assert_true(line.goes_on);
    assert_int_equal(line.options->publish.timestamp, 0);
    line_close(&line);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    line_open(&line, &verb_run, "run --deterministic true");
    assert_int_equal(line.options->publish.timestamp, 1700000000);
    line_close(&line);
    line_open(&line, &verb_run, "run true");
    assert_true(line.options->publish.timestamp > 1700000000);
    line_close(&line);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    line_open(&line, &verb_run, "run --deterministic true");
    assert_false(line.goes_on);
    assert_int_equal(line.status, EXIT_USAGE);
    line_close(&line);
    line_open(&line, &verb_run, "run true");
    assert_true(line.goes_on);
    line_close(&line);
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
}

/* --- what is refused -------------------------------------------------------------------------- */

static const struct {
    const struct verb *verb;
    const char *line, *overrides;
} refusals[] = {
    {&verb_run, "run --exlude [A]* true", "did you mean '--exclude'?"},
    {&verb_run, "run --exlude=[A]* true", "did you mean '--exclude'?"},
    {&verb_run, "run --zzzzzz true", "unknown option '--zzzzzz'"},
    {&verb_run, "run -Z true", "unknown option '-Z'"},
    {&verb_run, "run --in [A]* true", "'--in' is ambiguous: --include or --include-tests?"},
    {&verb_run, "run --quiet=maybe true", "--quiet must be yes or no, not 'maybe'"},
    {&verb_run, "run --help=1 true", "--help takes no value"},
    {&verb_run, "run -d", "--data requires FILE"},
    {&verb_run, "run --data", "--data requires FILE"},
    {&verb_run, "run --data= true", "--data is empty"},
    {&verb_run, "run -f lcovx true", "unknown format 'lcovx'"},
    {&verb_run, "run -f cobertura,html=x true", "repeat the option: -f cobertura -f html=x"},
    {&verb_run, "run -f cobertura= true", "names no file"},
    {&verb_run, "run -f none=x true", "format 'none' writes no file: 'x'"},
    {&verb_run, "run -f cobertura=- true", "standard output belongs to COMMAND"},
    {&verb_run, "run -f none -f text true", "--format none cannot be combined"},
    {&verb_run, "run -f text=a -f cobertura=a true", "two reports would be written to a"},
    {&verb_run, "run -d a -f text=a true", "a report would replace the data file a"},
    {&verb_run, "run --mode fast true", "unknown mode 'fast'"},
    {&verb_run, "run --fail-under 100.01 true",
     "for --fail-under; expected 0 to 100 with at most two decimals"},
    {&verb_run, "run --fail-under -1 true",
     "for --fail-under; expected 0 to 100 with at most two decimals"},
    {&verb_run, "run --fail-under +1 true",
     "for --fail-under; expected 0 to 100 with at most two decimals"},
    {&verb_run, "run --fail-under x true",
     "for --fail-under; expected 0 to 100 with at most two decimals"},
    {&verb_run, "run -i [A true", "lacks a ']'"},
    {&verb_run, "run --exclude-attribute [Mark] true", "'[Mark]' is not the name of an attribute"},
    {&verb_run, "run --exclude-attribute= true", "'' is not the name of an attribute"},
    {&verb_report, "report --exclude-attribute A",
     "unknown option '--exclude-attribute' of 'ilcov report'; 'ilcov run', 'ilcov collect', "
     "'ilcov attach' and 'ilcov snapshot' have it"},
    {&verb_run, "run -x [A true", "lacks a ']'"},
    {&verb_collect, "collect a b", "unexpected argument 'b'"},
    {&verb_report, "report --allow-empty",
     "unknown option '--allow-empty' of 'ilcov report'; 'ilcov run', 'ilcov collect' and 'ilcov "
     "attach' have it"},
    {&verb_merge, "merge --data=a", "unknown option '--data' of 'ilcov merge'; 'ilcov run', "},
    {&verb_merge, "merge -d a", "unknown option '-d' of 'ilcov merge'; 'ilcov run', "},
    {&verb_report, "report -f out/a.xml", "did you mean 'cobertura=out/a.xml'?"},
    {&verb_report, "report -f cobertura=a a", "a report would replace the data file a"},
    {&verb_report, "report -f cobertura=- -f text=-", "two reports would be written to -"},
    {&verb_doctor, "doctor x", "unexpected argument 'x'"},
    {&verb_doctor, "doctor -q", "unknown option '-q' of 'ilcov doctor'; 'ilcov run', "},
    {&verb_merge, "merge --gate lost=0",
     "unknown option '--gate' of 'ilcov merge'; 'ilcov run', 'ilcov collect', 'ilcov attach', "
     "'ilcov report' and 'ilcov diff' have it"},
    {&verb_run, "run --reset true",
     "unknown option '--reset' of 'ilcov run'; 'ilcov snapshot' has it"},
    {&verb_env, "env --shell bash", "unknown shell 'bash'; did you mean 'sh'?"},
    {&verb_env, "env --shell cmd.exe",
     "expected one of sh, pwsh, runsettings, testconfig, launchsettings, docker, github, gitlab"},
    {&verb_diff, "diff -f markdwon a b", "unknown format 'markdwon'; did you mean 'markdown'?"},
    {&verb_run, "run --mode fast true", "unknown mode 'fast'; expected one of count, hit, exact"},
    {&verb_run, "run --mode exat true", "unknown mode 'exat'; did you mean 'exact'?"},
    {&verb_run, "run --hang-kill true", "--hang-kill requires --hang-timeout"},
    {&verb_run, "run --hang-timeout soon true",
     "invalid time 'soon' for --hang-timeout; expected, for example, 500ms, 60s or 2m, up to 24h"},
    {&verb_run, "run --hang-timeout 25h true", "invalid time '25h'"},
    {&verb_stacks, "stacks --timeout 0 1", "invalid time '0' for --timeout"},
    {&verb_run, "run --gate lines>=80 true",
     "invalid gate 'lines>=80': unknown metric 'lines'; did you mean 'line'?"},
};

static void wrong_usage_is_refused_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        struct line line;
        line_open(&line, refusals[i].verb, refusals[i].line);
        if (line.goes_on || line.status != EXIT_USAGE ||
            strstr(line.err.text, refusals[i].overrides) == NULL)
            fail_msg("'%s': status %d, '%s'", refusals[i].line, line.status, line.err.text);
        assert_true(str_starts(line.err, "ilcov: "));
        assert_ptr_equal(strchr(line.err.text, '\n'), line.err.text + line.err.len - 1);
        assert_int_equal(line.out.len, 0);
        line_close(&line);
    }
}

static void pattern_with_a_line_end_is_refused(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &verb_run, "run -x [A]*\nmode=exact true");
    assert_false(line.goes_on);
    assert_int_equal(line.status, EXIT_USAGE);
    line_close(&line);
}

/* --- help ------------------------------------------------------------------------------------- */

static void help_names_every_option_of_the_verb(void **state)
{
    (void)state;
    static const char *const options[] = {"-d, --data FILE",       "-f, --format NAME[=FILE]",
                                          "-r, --root DIR",        "-i, --include PATTERN",
                                          "-x, --exclude PATTERN", "--exclude-files GLOB",
                                          "--include-tests",       "--mode MODE",
                                          "--fail-under PERCENT",  "--allow-empty",
                                          "--deterministic",       "--session-dir DIR",
                                          "--keep-session",        "-q, --quiet",
                                          "-v, --verbose",         "-h, --help",
                                          "-V, --version"};
    struct line line;
    line_open(&line, &verb_run, "run --help-all --nonsense");
    assert_false(line.goes_on);
    assert_int_equal(line.status, EXIT_FINE);
    assert_int_equal(line.err.len, 0);
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        if (strstr(line.out.text, options[i]) == NULL)
            fail_msg("%s is missing", options[i]);
    }
    line_close(&line);
    line_open(&line, &verb_report, "report -h");
    assert_non_null(strstr(line.out.text, "--deterministic"));
    assert_null(strstr(line.out.text, "--allow-empty"));
    assert_null(strstr(line.out.text, "work tree"));
    line_close(&line);
    line_open(&line, &verb_doctor, "doctor --help");
    assert_null(strstr(line.out.text, "--format"));
    assert_null(strstr(line.out.text, "Formats"));
    line_close(&line);
}

static void version_is_one_line_everywhere(void **state)
{
    (void)state;
    static const struct verb *const usages[] = {&verb_run, &verb_report, &verb_doctor};
    for (size_t i = 0; i < ARRAY_LEN(usages); i++) {
        struct line line;
        line_open(&line, usages[i], "verb --version");
        assert_false(line.goes_on);
        assert_int_equal(line.status, EXIT_FINE);
        assert_str(line.out, "ilcov " TEST_VERSION "\n");
        line_close(&line);
    }
}

/* --- small things ----------------------------------------------------------------------------- */

static void numbers_are_written_for_people(void **state)
{
    (void)state;
    char number[GROUPED_ROOM], rate[PERCENT_ROOM];
    assert_string_equal(grouped(number, 0), "0");
    assert_string_equal(grouped(number, 999), "999");
    assert_string_equal(grouped(number, 1000), "1,000");
    assert_string_equal(grouped(number, 1234567), "1,234,567");
    assert_string_equal(grouped(number, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(percent(rate, 0), "0");
    assert_string_equal(percent(rate, 8750), "87.5");
    assert_string_equal(percent(rate, 9999), "99.99");
    assert_string_equal(percent(rate, 9905), "99.05");
    assert_string_equal(percent(rate, 10000), "100");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(defaults_are_those_of_the_manual),
    cmocka_unit_test(every_option_of_run_is_taken),
    cmocka_unit_test(fail_under_is_a_gate_on_lines),
    cmocka_unit_test(flag_that_data_decides_tells_no_from_nothing),
    cmocka_unit_test(options_end_at_the_command),
    cmocka_unit_test(report_takes_options_on_both_sides_of_its_data),
    cmocka_unit_test(no_format_is_a_format),
    cmocka_unit_test(deterministic_time_is_that_of_the_source),
    cmocka_unit_test(wrong_usage_is_refused_in_one_line),
    cmocka_unit_test(pattern_with_a_line_end_is_refused),
    cmocka_unit_test(help_names_every_option_of_the_verb),
    cmocka_unit_test(version_is_one_line_everywhere),
    cmocka_unit_test(numbers_are_written_for_people),
};
UNIT_TESTS(tests);

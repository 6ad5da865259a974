/* test_options.c - the command lines of the verbs: what is taken, what is refused and with which
 * words. */
#include "cli/base/options.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static const struct usage run = {.verb = FOR_RUN,
                                 .name = "run",
                                 .operands = "COMMAND",
                                 .summary = "Runs.",
                                 .operand_max = INT_MAX};
static const struct usage report = {.verb = FOR_REPORT,
                                    .name = "report",
                                    .operands = "[DATA]",
                                    .summary = "Reports.",
                                    .operand_max = 1};
static const struct usage doctor = {
    .verb = FOR_DOCTOR, .name = "doctor", .operands = "", .summary = "Checks.", .operand_max = 0};

/* --- one command line, with what it prints ---------------------------------------------------- */

enum {
    WORDS_MAX = 24
};

struct line {
    struct temporary t;
    char words[512];
    char *argv[WORDS_MAX + 1];
    int argc;
    struct options options;
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
static void line_open(struct line *line, const struct usage *usage, const char *text)
{
    *line = (struct line){.status = -1};
    temporary_open(&line->t);
    split_words(line, text);
    const char *out = temporary_path(&line->t, "out"), *err = temporary_path(&line->t, "err");
    int saved_out = temporary_redirect(STDOUT_FILENO, out),
        saved_err = temporary_redirect(STDERR_FILENO, err);
    line->goes_on =
        options_parse(&line->options, usage, line->argc, line->argv, &line->t.arena, &line->status);
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

static void defaults_are_those_of_the_manual(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &run, "run true");
    assert_true(line.goes_on);
    const struct options *options = &line.options;
    assert_string_equal(options->data, "coverage.ilcov");
    assert_int_equal(options->format_count, 1);
    assert_string_equal(options->formats[0].reporter->name, "cobertura");
    assert_string_equal(options->formats[0].path, "cobertura.xml");
    assert_int_equal(options->mode, MODE_COUNT);
    assert_null(options->root);
    assert_null(options->session_dir);
    assert_false(options->has_fail_under || options->allow_empty || options->deterministic ||
                 options->keep_session || options->quiet || options->verbose ||
                 options->include_tests);
    assert_int_equal(options->operand_count, 1);
    assert_string_equal(options->operands[0], "true");
    assert_null(options->operands[1]);
    assert_int_equal(line.err.len, 0);
    line_close(&line);
}

static void every_option_of_run_is_taken(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &run,
              "run -d a.ilcov --format text=t.txt -f cobertura=c.xml -f text -r /r -i [A]* "
              "--include=[B]* -x [C]* --exclude-files *.g.cs --include-tests --mode exact "
              "--exclude-attribute N.Mark --exclude-auto-properties");
    assert_true(line.goes_on);
    assert_int_equal(line.options.exclude_attributes.count, 1);
    assert_str(line.options.exclude_attributes.items[0], "N.Mark");
    assert_true(line.options.exclude_auto_properties);
    assert_string_equal(line.options.data, "a.ilcov");
    assert_int_equal(line.options.format_count, 3);
    assert_string_equal(line.options.formats[0].path, "t.txt");
    assert_string_equal(line.options.formats[1].path, "c.xml");
    assert_null(line.options.formats[2].path);
    assert_string_equal(line.options.root, "/r");
    assert_int_equal(line.options.include.count, 2);
    assert_str(line.options.include.items[0], "[A]*");
    assert_str(line.options.include.items[1], "[B]*");
    assert_int_equal(line.options.exclude.count, 1);
    assert_int_equal(line.options.exclude_files.count, 1);
    assert_str(line.options.exclude_files.items[0], "*.g.cs");
    assert_true(line.options.include_tests);
    assert_int_equal(line.options.mode, MODE_EXACT);
    assert_int_equal(line.options.operand_count, 0);
    line_close(&line);
    line_open(
        &line, &run,
        "run --fail-under 79.5 --allow-empty --deterministic --session-dir /s --keep-session -qv");
    assert_true(line.goes_on);
    assert_true(line.options.has_fail_under);
    assert_int_equal(line.options.fail_under_x100, 7950);
    assert_true(line.options.allow_empty && line.options.deterministic &&
                line.options.keep_session && line.options.quiet && line.options.verbose);
    assert_string_equal(line.options.session_dir, "/s");
    line_close(&line);
}

/* What follows COMMAND is COMMAND's, and so is everything behind "--". */
static void options_end_at_the_command(void **state)
{
    (void)state;
    static const char *const lines[] = {"run -q dotnet test -v --mode x",
                                        "run -q -- dotnet test -v --mode x"};
    struct line line;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        line_open(&line, &run, lines[i]);
        assert_true(line.goes_on);
        assert_false(line.options.verbose);
        assert_int_equal(line.options.operand_count, 5);
        assert_string_equal(line.options.operands[0], "dotnet");
        assert_string_equal(line.options.operands[4], "x");
        line_close(&line);
    }
    line_open(&line, &run, "run -- -q");
    assert_true(line.goes_on);
    assert_string_equal(line.options.operands[0], "-q");
    line_close(&line);
}

static void report_takes_options_on_both_sides_of_its_data(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &report, "report -f text my.ilcov --fail-under 80");
    assert_true(line.goes_on);
    assert_string_equal(line.options.data, "my.ilcov");
    assert_int_equal(line.options.fail_under_x100, 8000);
    line_close(&line);
    line_open(&line, &report, "report");
    assert_true(line.goes_on);
    assert_string_equal(line.options.data, "coverage.ilcov");
    assert_string_equal(line.options.formats[0].path, "cobertura.xml");
    line_close(&line);
}

static void no_format_is_a_format(void **state)
{
    (void)state;
    struct line line;
    line_open(&line, &run, "run -f none true");
    assert_true(line.goes_on);
    assert_int_equal(line.options.format_count, 0);
    line_close(&line);
}

static void deterministic_time_is_that_of_the_source(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    line_open(&line, &run, "run --deterministic true");
    assert_true(line.goes_on);
    assert_int_equal(line.options.timestamp, 0);
    line_close(&line);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    line_open(&line, &run, "run --deterministic true");
    assert_int_equal(line.options.timestamp, 1700000000);
    line_close(&line);
    line_open(&line, &run, "run true");
    assert_true(line.options.timestamp > 1700000000);
    line_close(&line);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    line_open(&line, &run, "run --deterministic true");
    assert_false(line.goes_on);
    assert_int_equal(line.status, EXIT_USAGE);
    line_close(&line);
    line_open(&line, &run, "run true");
    assert_true(line.goes_on);
    line_close(&line);
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
}

/* --- what is refused -------------------------------------------------------------------------- */

static const struct {
    const struct usage *usage;
    const char *line, *says;
} refusals[] = {
    {&run, "run --exlude [A]* true", "did you mean '--exclude'?"},
    {&run, "run --exlude=[A]* true", "did you mean '--exclude'?"},
    {&run, "run --zzzzzz true", "unknown option '--zzzzzz'"},
    {&run, "run -Z true", "unknown option '-Z'"},
    {&run, "run --in [A]* true", "'--in' may mean several"},
    {&run, "run --quiet=1 true", "--quiet takes no value"},
    {&run, "run -d", "--data lacks its FILE"},
    {&run, "run --data", "--data lacks its FILE"},
    {&run, "run --data= true", "--data is empty"},
    {&run, "run -f lcovx true", "unknown format 'lcovx'"},
    {&run, "run -f cobertura= true", "names no file"},
    {&run, "run -f none=x true", "unknown format 'none'"},
    {&run, "run -f cobertura=- true", "standard output is COMMAND's"},
    {&run, "run -f none -f text true", "none cannot stand beside"},
    {&run, "run -f text=a -f cobertura=a true", "two reports would be written to a"},
    {&run, "run -d a -f text=a true", "both the data file and a report"},
    {&run, "run --mode fast true", "unknown mode 'fast'"},
    {&run, "run --fail-under 100.01 true", "no percentage"},
    {&run, "run --fail-under -1 true", "no percentage"},
    {&run, "run --fail-under x true", "no percentage"},
    {&run, "run -i [A true", "lacks a ']'"},
    {&run, "run --exclude-attribute [Mark] true", "'[Mark]' is no attribute's name"},
    {&run, "run --exclude-attribute= true", "'' is no attribute's name"},
    {&report, "report --exclude-attribute A", "'ilcov run' has it"},
    {&run, "run -x [A true", "lacks a ']'"},
    {&report, "report a b", "unexpected argument 'b'"},
    {&report, "report --allow-empty", "unknown option '--allow-empty': 'ilcov run' has it"},
    {&report, "report --data=a", "unknown option '--data': 'ilcov run' has it"},
    {&report, "report -d a", "unknown option '-d': 'ilcov run' has it"},
    {&report, "report -f out/a.xml", "did you mean 'cobertura=out/a.xml'?"},
    {&report, "report -f cobertura=a a", "DATA, a, would be replaced by a report"},
    {&report, "report -f cobertura=- -f text=-", "two reports would be written to -"},
    {&doctor, "doctor x", "unexpected argument 'x'"},
    {&doctor, "doctor -q", "unknown option '-q'"},
};

static void wrong_usage_is_refused_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        struct line line;
        line_open(&line, refusals[i].usage, refusals[i].line);
        if (line.goes_on || line.status != EXIT_USAGE ||
            strstr(line.err.text, refusals[i].says) == NULL)
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
    line_open(&line, &run, "run -x [A]*\nmode=exact true");
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
    line_open(&line, &run, "run --help --nonsense");
    assert_false(line.goes_on);
    assert_int_equal(line.status, EXIT_FINE);
    assert_int_equal(line.err.len, 0);
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        if (strstr(line.out.text, options[i]) == NULL)
            fail_msg("%s is missing", options[i]);
    }
    line_close(&line);
    line_open(&line, &report, "report -h");
    assert_non_null(strstr(line.out.text, "--deterministic"));
    assert_null(strstr(line.out.text, "--allow-empty"));
    assert_null(strstr(line.out.text, "work tree"));
    line_close(&line);
    line_open(&line, &doctor, "doctor --help");
    assert_null(strstr(line.out.text, "--format"));
    assert_null(strstr(line.out.text, "Formats"));
    line_close(&line);
}

static void version_is_one_line_everywhere(void **state)
{
    (void)state;
    static const struct usage *const usages[] = {&run, &report, &doctor};
    for (size_t i = 0; i < ARRAY_LEN(usages); i++) {
        struct line line;
        line_open(&line, usages[i], "verb --version");
        assert_false(line.goes_on);
        assert_int_equal(line.status, EXIT_FINE);
        assert_str(line.out, "ilcov " ILCOV_VERSION "\n");
        line_close(&line);
    }
}

/* --- small things ----------------------------------------------------------------------------- */

static void percentages_have_two_decimals_at_most(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        uint32_t x100;
    } cases[] = {
        {"0", true, 0},          {"80", true, 8000},
        {"100", true, 10000},    {"100%", true, 10000},
        {"79.5", true, 7950},    {"79.05", true, 7905},
        {"79.95%", true, 7995},  {"007", true, 700},
        {"100.00", true, 10000}, {"", false, 0},
        {"%", false, 0},         {".5", false, 0},
        {"5.", false, 0},        {"79.951", false, 0},
        {"100.01", false, 0},    {"101", false, 0},
        {"-1", false, 0},        {"+1", false, 0},
        {" 1", false, 0},        {"1 ", false, 0},
        {"1e1", false, 0},       {"99999999999", false, 0},
        {"0x10", false, 0},      {"50%%", false, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t x100 = 0;
        bool ok = options_percent(&x100, cases[i].text);
        if (ok != cases[i].ok || (ok && x100 != cases[i].x100))
            fail_msg("'%s' gives %d, %u", cases[i].text, ok, x100);
    }
}

static void nearest_is_what_was_meant_or_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"run", "report", "inspect", "doctor", NULL};
    assert_string_equal(options_nearest("rnu", names), "run");
    assert_string_equal(options_nearest("reprot", names), "report");
    assert_string_equal(options_nearest("inspec", names), "inspect");
    assert_null(options_nearest("merge", names));
    assert_null(options_nearest("xyz", names));
    assert_null(options_nearest("", names));
    assert_null(options_nearest("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", names));
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_manual),
        cmocka_unit_test(every_option_of_run_is_taken),
        cmocka_unit_test(options_end_at_the_command),
        cmocka_unit_test(report_takes_options_on_both_sides_of_its_data),
        cmocka_unit_test(no_format_is_a_format),
        cmocka_unit_test(deterministic_time_is_that_of_the_source),
        cmocka_unit_test(wrong_usage_is_refused_in_one_line),
        cmocka_unit_test(pattern_with_a_line_end_is_refused),
        cmocka_unit_test(help_names_every_option_of_the_verb),
        cmocka_unit_test(version_is_one_line_everywhere),
        cmocka_unit_test(percentages_have_two_decimals_at_most),
        cmocka_unit_test(nearest_is_what_was_meant_or_nothing),
        cmocka_unit_test(numbers_are_written_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

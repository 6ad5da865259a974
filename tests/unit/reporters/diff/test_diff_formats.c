#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/utf16.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/legible.h"
#include "tests/support/diff_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/no_text.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"
#include "tests/unit/unit.h"

enum {
    COMMENT_MOST = 65536, /* GitHub refuses it */
    HUGE_FILES = 20000
};

static struct str printed_from(const char *format, const struct diff *diff,
                               const struct sources *sources, bool colour)
{
    const struct format_job job = {.diff = diff, .sources = sources, .screen = {.colour = colour}};
    return written_by(format_find(diff_formats, str_of(format)), &job, &arena);
}

static struct str printed(const char *format, const struct diff *diff)
{
    return printed_from(format, diff, &fixture_sources, false);
}

/* --- what they print -------------------------------------------------------------------------- */

static const struct {
    const char *format, *suffix;
} formats[] = {
    {"text", "txt"},          {"markdown", "md"},        {"json", "json"},
    {"github", "github.txt"}, {"gitlab", "gitlab.json"}, {"sarif", "sarif"},
};

static const struct {
    const char *name;
    void (*make)(struct diff *out);
} diffs[] = {
    {"diff", fixture_diff},
    {"diff.empty", fixture_diff_empty},
    {"diff.patch", fixture_diff_patch},
};

static void fixtures_are_printed_as_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(diffs); i++)
        for (size_t k = 0; k < ARRAY_LEN(formats); k++) {
            struct diff diff;
            char name[64];
            diffs[i].make(&diff);
            (void)snprintf(name, sizeof name, "%s.%s", diffs[i].name, formats[k].suffix);
            assert_true(golden_matches(name, printed(formats[k].format, &diff), &arena));
        }
}

static void colours_are_where_expected(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff(&diff);
    struct str text = printed_from("text", &diff, &fixture_sources, true);
    assert_true(golden_matches("diff.colour.txt", text, &arena));
}

static void all_formats_are_tested(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        assert_string_equal(diff_formats[i].name, formats[i].format);
        assert_ptr_equal(format_find(diff_formats, str_of(formats[i].format)), &diff_formats[i]);
    }
    assert_string_equal(diff_formats[ARRAY_LEN(formats)].name, "html"); /* test_diff_html.c */
    assert_null(diff_formats[ARRAY_LEN(formats) + 1].name);
    assert_null(format_find(diff_formats, STR("")));
    assert_null(format_find(diff_formats, STR("Text")));
}

/* --- well-formed ------------------------------------------------------------------------------ */

/* Valid UTF-8, and without what could command a terminal. */
static void is_clean(struct str text)
{
    for (size_t pos = 0; pos < text.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(text.text, text.len, &pos);
        bool is_replacement = pos - start == 3 && memcmp(text.text + start, "\xEF\xBF\xBD", 3) == 0;
        assert_true(c != 0xFFFD || is_replacement);
        assert_true(c == '\n' || c == 0xFFFD || legible_char(c) || c == 0x202E);
    }
}

/* RFC 8259, by SQLite. */
static bool json_is_valid(struct str text)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT json_valid(?)", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_bind_text(statement, 1, text.text, (int)text.len, SQLITE_STATIC),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    bool valid = sqlite3_column_int(statement, 0) == 1;
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return valid;
}

static void json_is_well_formed(void **state)
{
    static const char *const json[] = {"json", "gitlab", "sarif"};
    (void)state;
    assert_false(json_is_valid(STR("[1,]")));
    for (size_t i = 0; i < ARRAY_LEN(json); i++) {
        struct diff diff;
        for (size_t k = 0; k < ARRAY_LEN(diffs); k++) {
            diffs[k].make(&diff);
            struct str text = printed(json[i], &diff);
            is_clean(text);
            assert_true(json_is_valid(text));
        }
        fixture_diff_huge(&diff, 300, &arena);
        assert_true(json_is_valid(printed(json[i], &diff)));
    }
}

static void text_for_people_is_clean(void **state)
{
    static const char *const formats_for_people[] = {"text", "markdown", "github"};
    struct diff diff;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats_for_people); i++) {
        fixture_diff(&diff);
        is_clean(printed(formats_for_people[i], &diff));
        assert_null(strstr(printed(formats_for_people[i], &diff).text, "\xE2\x80\xAE"));
        fixture_diff_huge(&diff, 300, &arena);
        is_clean(printed(formats_for_people[i], &diff));
    }
}

/* --- Markdown --------------------------------------------------------------------------------- */

static size_t occurrences(struct str text, const char *what)
{
    size_t count = 0;
    for (const char *at = text.text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* Rows of a table that stand together have equally many cells; what is opened is closed. */
static void is_whole_markdown(struct str text)
{
    size_t cells = 0;
    assert_true(str_starts(text, "<!-- ilcov diff -->\n"));
    assert_int_equal(occurrences(text, "<details"), occurrences(text, "</details>"));
    assert_int_equal(occurrences(text, "<code>"), occurrences(text, "</code>"));
    assert_int_equal(occurrences(text, "<"), occurrences(text, ">"));
    assert_null(strchr(text.text, '`'));
    for (const char *line = text.text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t count = 0, len = strcspn(line, "\n");
        for (size_t i = 0; i < len; i++)
            count += line[i] == '|';
        assert_true(count == 0 || line[0] == '|');
        assert_true(cells == 0 || count == 0 || count == cells);
        cells = count;
    }
}

/* The rows of the table under the title, and those that it tells to have left out. */
static size_t rows_under(struct str text, const char *title)
{
    const char *start = strstr(text.text, title);
    assert_non_null(start);
    struct str table = {start, (size_t)(strstr(start, "</details>") - start)};
    size_t rows = 0;
    for (size_t i = 1; i < table.len; i++)
        rows += strncmp(&table.text[i - 1], "\n| <code>", 9) == 0;
    const char *more = strstr(start, "\n\xE2\x80\xA6 and ");
    if (more != NULL && more < table.text + table.len)
        rows += strtoul(more + strlen("\n\xE2\x80\xA6 and "), NULL, 10);
    return rows;
}

static void markdown_is_whole_however_large_the_diff(void **state)
{
    static const uint32_t file_counts[] = {1, 20, 21, 40, 60, 100, 1000, HUGE_FILES};
    struct diff diff;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(diffs); i++) {
        diffs[i].make(&diff);
        is_whole_markdown(printed("markdown", &diff));
    }
    for (size_t i = 0; i < ARRAY_LEN(file_counts); i++) {
        fixture_diff_huge(&diff, file_counts[i], &arena);
        struct str text = printed("markdown", &diff);
        is_whole_markdown(text);
        assert_true(text.len < COMMENT_MOST);
        assert_int_equal(rows_under(text, "Lines that need tests"), file_counts[i]);
        assert_int_equal(rows_under(text, "<summary>Methods"), file_counts[i]);
    }
}

static void text_tells_how_much_it_leaves_out(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff_huge(&diff, 300, &arena);
    struct str text = printed("text", &diff);
    assert_non_null(strstr(text.text, "\n  \xE2\x80\xA6 and 280 more\n"));
    assert_non_null(strstr(text.text, "\n\xE2\x80\xA6 and 2800 more lines in 280 files\n"));
}

/* --- annotations ------------------------------------------------------------------------------ */

static void github_gets_ten_warnings_and_a_notice(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff_huge(&diff, 300, &arena);
    struct str text = printed("github", &diff);
    assert_int_equal(occurrences(text, "::warning file="), 10);
    assert_int_equal(occurrences(text, "::notice "), 1);
    assert_int_equal(occurrences(text, "\n"), 11);
    assert_int_equal(occurrences(text, "title=Coverage lost::"), 10);
    assert_non_null(strstr(text.text, "::notice title=ilcov diff::and 2990 more warnings, of 2990 "
                                      "lines\n"));
}

static void uris_need_no_escapes(void **state)
{
    static const char uri[] = "\"uri\": \"";
    struct diff diff;
    size_t count = 0;
    (void)state;
    fixture_diff(&diff);
    struct str text = printed("sarif", &diff);
    for (const char *at = text.text; (at = strstr(at, uri)) != NULL; count++) {
        at += strlen(uri);
        bool is_absolute = strncmp(at, "file:///", 8) == 0;
        at += is_absolute ? 8 : 0;
        size_t len = strcspn(at, "\"");
        assert_int_equal(strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "-._~/%"),
                         len);
        assert_true(is_absolute == (strncmp(at + len, "\"}", 2) == 0));
    }
    assert_true(count > 0);
}

static struct findings findings_of(const struct diff *diff, const struct sources *sources)
{
    struct findings findings;
    struct err err = {0};
    assert_true(findings_build(&findings, diff, sources, &arena, &err));
    return findings;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static struct str same_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context, (void)package, (void)path, (void)number;
    return STR("    return;");
}

static void fingerprints_are_unique(void **state)
{
    const struct sources same = {same_line, NULL, false, no_text};
    struct diff diff;
    (void)state;
    fixture_diff_huge(&diff, 1000, &arena);
    struct findings findings = findings_of(&diff, &same);
    uint64_t *values = arena_alloc(&arena, findings.count, sizeof *values, NULL);
    assert_non_null(values);
    assert_int_equal(findings.count, 10000);
    for (uint32_t i = 0; i < findings.count; i++)
        values[i] = findings.items[i].fingerprint;
    qsort(values, findings.count, sizeof *values, by_value);
    for (uint32_t i = 1; i < findings.count; i++)
        assert_true(values[i] != values[i - 1]);
}

/* Sources of which some lines moved down by `*context`. */
static struct str moved_line(void *context, struct str package, struct str path, uint32_t number)
{
    const uint32_t *by = context;
    return fixture_sources.line(fixture_sources.context, package, path, number - *by);
}

static void fingerprints_stay_when_lines_move(void **state)
{
    uint32_t by = 1000;
    const struct sources sources = {moved_line, &by, false, no_text};
    struct diff diff;
    (void)state;
    fixture_diff_huge(&diff, 10, &arena);
    struct findings before = findings_of(&diff, &fixture_sources);
    for (uint32_t i = 0; i < diff.file_count; i++)
        for (uint32_t k = 0; k < diff.files[i].line_count; k++)
            diff.files[i].lines[k].number += by;
    struct findings after = findings_of(&diff, &sources);
    assert_int_equal(before.count, after.count);
    for (uint32_t i = 0; i < before.count; i++)
        assert_true(before.items[i].fingerprint == after.items[i].fingerprint);
    assert_true(before.items[0].fingerprint != before.items[1].fingerprint);
}

/* --- rules ------------------------------------------------------------------------------------ */

static void line_has_the_most_important_rule(void **state)
{
    static const uint32_t lost[DIFF_STATE_COUNT] = {[DIFF_LOST] = 1};
    static const uint32_t new_missed[DIFF_STATE_COUNT] = {[DIFF_NEW_MISSED] = 1};
    static const uint32_t still_missed[DIFF_STATE_COUNT] = {[DIFF_STILL_MISSED] = 1};
    static const struct {
        struct diff_line line;
        enum finding_rule rule, without_base;
    } cases[] = {
        {{.state = DIFF_KEPT}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_KEPT, .in_patch = true}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_LOST}, FINDING_LOST, FINDING_NONE},
        {{.state = DIFF_LOST, .in_patch = true}, FINDING_LOST, FINDING_PATCH_MISSED},
        {{.state = DIFF_NEW_MISSED}, FINDING_NEW_MISSED, FINDING_NONE},
        {{.state = DIFF_NEW_MISSED, .in_patch = true}, FINDING_NEW_MISSED, FINDING_PATCH_MISSED},
        {{.state = DIFF_STILL_MISSED}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_STILL_MISSED, .in_patch = true},
         FINDING_PATCH_MISSED,
         FINDING_PATCH_MISSED},
        {{.state = DIFF_NOT_RUN}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_NOT_RUN, .in_patch = true}, FINDING_PATCH_MISSED, FINDING_PATCH_MISSED},
        {{.state = DIFF_CARRIED}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_LOST, .outcomes = lost}, FINDING_LOST, FINDING_NONE},
        {{.state = DIFF_KEPT, .outcomes = lost}, FINDING_LOST_BRANCH, FINDING_NONE},
        {{.state = DIFF_GAINED, .outcomes = new_missed}, FINDING_MISSED_BRANCH, FINDING_NONE},
        {{.state = DIFF_KEPT, .outcomes = still_missed}, FINDING_NONE, FINDING_NONE},
        {{.state = DIFF_KEPT, .in_patch = true, .outcomes = still_missed},
         FINDING_MISSED_BRANCH,
         FINDING_MISSED_BRANCH},
    };
    const struct diff with = {.base_name = STR("base.ilcov")}, without = {0};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(finding_rule_of(&with, &cases[i].line), cases[i].rule);
        assert_int_equal(finding_rule_of(&without, &cases[i].line), cases[i].without_base);
    }
}

/* --- failure ---------------------------------------------------------------------------------- */

static ssize_t take_some(void *context, const char *bytes, size_t len)
{
    size_t *left = context;
    (void)bytes;
    if (*left == 0)
        return 0;
    size_t taken = len < *left ? len : *left;
    *left -= taken;
    return (ssize_t)taken;
}

static bool fails_after(const struct format *format, const struct diff *diff, size_t bytes)
{
    const cookie_io_functions_t functions = {.write = take_some};
    struct err err = {0};
    FILE *file = fopencookie(&bytes, "w", functions);
    assert_non_null(file);
    const struct format_job job = {.diff = diff, .sources = &fixture_sources};
    bool ok = written_to(file, format, &job, &err);
    assert_true(ok || err.code == ERR_IO);
    ok = ok && fflush(file) == 0 && !ferror(file);
    (void)fclose(file);
    return !ok;
}

static void stream_that_fails_is_noticed(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff(&diff);
    for (const struct format *format = diff_formats; format->name != NULL; format++) {
        if (format->output == DESTINATION_DIRECTORY)
            continue;
        size_t len = printed(format->name, &diff).len;
        for (size_t bytes = 0; bytes < len; bytes += 1 + len / 50)
            assert_true(fails_after(format, &diff, bytes));
        assert_true(fails_after(format, &diff, len - 1));
        assert_false(fails_after(format, &diff, len));
    }
}

static void file_that_cannot_be_written_is_reported(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff(&diff);
    for (const struct format *format = diff_formats; format->name != NULL; format++) {
        struct err err = {0};
        if (format->output == DESTINATION_DIRECTORY)
            continue;
        const struct format_job job = {.diff = &diff, .sources = &fixture_sources};
        assert_false(format_write(format, "/dev/full", &job, &err));
        assert_int_equal(err.code, ERR_IO);
        assert_non_null(strstr(err.text, "No space left"));
    }
}

static void default_is_a_file_or_standard_output(void **state)
{
    (void)state;
    for (size_t i = 0; diff_formats[i].name != NULL; i++) {
        bool is_stream = str_is(STR("text"), diff_formats[i].name) ||
                         str_is(STR("github"), diff_formats[i].name);
        assert_non_null(diff_formats[i].default_path);
        assert_int_equal(strcmp(diff_formats[i].default_path, DESTINATION_STDOUT) == 0, is_stream);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(fixtures_are_printed_as_expected),
    TEST(colours_are_where_expected),
    TEST(all_formats_are_tested),
    TEST(json_is_well_formed),
    TEST(text_for_people_is_clean),
    TEST(markdown_is_whole_however_large_the_diff),
    TEST(text_tells_how_much_it_leaves_out),
    TEST(github_gets_ten_warnings_and_a_notice),
    TEST(uris_need_no_escapes),
    TEST(fingerprints_are_unique),
    TEST(fingerprints_stay_when_lines_move),
    TEST(line_has_the_most_important_rule),
    TEST(stream_that_fails_is_noticed),
    TEST(file_that_cannot_be_written_is_reported),
    TEST(default_is_a_file_or_standard_output),
};
UNIT_TESTS(tests);

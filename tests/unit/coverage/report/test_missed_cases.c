/* test_missed_cases.c - arms that were never taken are named where that accounts for every outcome
 * that never happened, and nowhere else. */
#include "coverage/report/missed_cases.h"

#include <string.h>

#include "coverage/report/sentence.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* In the texts, `@0[case 1]` is the label of the arm that outcome 0 leads to, `@01[...]` that of
 * two outcomes, `@+0[...]` that of an arm that was taken another way, `@s[...]` the subject, and
 * `@n2` says that outcome 2 is that no arm matches. `hits` has a digit for each outcome. */
static const struct {
    const char *text, *hits;
    const char *expected; /* empty: no arm is named */
} cases[] = {
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: G(); @2[default]: H(); }", "102",
     "[switch (n)] never took [case 2]"},
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: G(); @2[default]: H(); }", "003",
     "[switch (n)] never took [case 1], [case 2]"},
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: G(); @n2 }", "010",
     "[switch (n)] never took [case 1], and always matched a case"},
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: G(); @n2 }", "110",
     "[switch (n)] always matched a case"},
    {"@0[case 1]: F(); @1[case 2]: G();", "10", "a switch never took [case 2]"},
    /* an outcome that has no name, and one that does not matter */
    {"@s[switch (n)] { @0[case 1]: F(); case 2: G(); @2[default]: H(); }", "002", ""},
    {"@s[switch (n)] { @0[case 1]: F(); case 2: G(); @2[default]: H(); }", "012",
     "[switch (n)] never took [case 1]"},
    /* one outcome of several arms */
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: break; @1[default]: break; }", "10",
     "[switch (n)] never took [case 2], [default]"},
    {"@s[switch (n)] { @0[case 1]: F(); @1[case 2]: break; @n1 }", "10",
     "[switch (n)] never took [case 2], and always matched a case"},
    /* one arm of several outcomes */
    {"@s[n switch] { @01[1 or 2] => F(), @2[_] => 0 }", "001", "[n switch] never took [1 or 2]"},
    {"@s[n switch] { @01[1 or 2] => F(), @2[_] => 0 }", "011", ""},
    {"@s[n switch] { @01[1 or 2] => F(), @2[3] => F(), @3[_] => 0 }", "0101",
     "[n switch] never took [3]"},
    /* an arm that a guard led to */
    {"@s[n switch] { @0[1 when q] => F(), @1[2] => F(), @+2[_] => 0 }", "100",
     "[n switch] never took [2]"},
    {"@s[n switch] { @0[1 when q] => F(), @1[2] => F(), @+2[_] => 0 }", "110", ""},
    /* nothing or everything happened */
    {"@s[n switch] { @0[1] => F(), @1[_] => 0 }", "00", ""},
    {"@s[n switch] { @0[1] => F(), @1[_] => 0 }", "11", ""},
    /* many */
    {"@s[n switch] { @0[1] => F(), @1[2] => F(), @2[3] => F(), @3[4] => F(), @4[_] => 0 }", "00001",
     "[n switch] never took [1], [2], [3] and 1 more"},
    /* labels on one line, not too long, without comments */
    {"@s[switch (n)] { @0[case 1:\n     case 2]: F(); @1[default]: G(); }", "01",
     "[switch (n)] never took [case 1: case 2]"},
    {"@s[switch (n)] { @0[case 1: // one\n case 2]: F(); @1[default]: G(); }", "01",
     "[switch (n)] never took [case 1 ...]"},
    {"@s[switch (n)] { @0[case \"http://x\"]: F(); @1[default]: G(); }", "01",
     "[switch (n)] never took [case \"http://x\"]"},
    {"@s[switch (n)] { @0[case 12345678901234567890123456789012345678901234567890123456789]: F(); "
     "@1[default]: G(); }",
     "01",
     "[switch (n)] never took [case 1234567890123456789012345678901234567890123456789012345 ...]"},
    {"@s[switch (F(12345678901234567890123456789012345678901234567890123456789))] { @0[case 1]: "
     "@1[default]: }",
     "01", "a switch never took [case 1]"},
    {"@s[switch (a\n + b)] { @0[case 1]: @1[default]: }", "01", "a switch never took [case 1]"},
};

struct source {
    struct str text;
    struct view arms;
    uint64_t hits[8];
    struct report_condition condition;
};

static void add_arms(struct writer *w, const char *outcomes, struct fact_span span)
{
    bool is_shared = *outcomes == '+';
    for (outcomes += is_shared; *outcomes != '['; outcomes++) {
        struct fact_arm arm = {is_shared ? ARM_SHARED : ARM_LABEL, 0, span, 0};
        if (*outcomes == 's')
            arm.kind = ARM_SUBJECT;
        else
            arm.outcome = (uint32_t)(*outcomes - '0');
        arms_add(w, &arm);
    }
}

static void read(struct source *out, const char *text, const char *hits)
{
    const char *outcomes = NULL;
    struct fact_span at = {1, 1, 1, 1}, span = at;
    struct writer w = wr_in(&arena);
    struct text shown = text_in(&arena);
    for (; *text != '\0'; text++) {
        if (text[0] == '@' && text[1] == 'n') {
            arms_add(&w, &(struct fact_arm){ARM_NO_MATCH, (uint32_t)(text[2] - '0'), {0}, 0});
            text += 2;
        } else if (*text == '@') {
            outcomes = text + 1;
            text = strchr(text, '[');
            span = at;
        } else if (*text == ']') {
            span.end_line = at.end_line;
            span.end_column = at.end_column;
            add_arms(&w, outcomes, span);
        } else {
            text_add(&shown, (struct str){text, 1});
            at.start_line = at.end_line += *text == '\n';
            at.start_column = at.end_column = *text == '\n' ? 1 : (uint16_t)(at.start_column + 1);
        }
    }
    assert_true(text_take(&out->text, &shown, NULL));
    out->condition = (struct report_condition){
        .is_switch = true, .outcome_hits = out->hits, .arms = w.data, .arms_len = (uint32_t)w.len};
    for (; *hits != '\0'; hits++) {
        out->hits[out->condition.outcome_count++] = (uint64_t)(*hits - '0');
        out->condition.covered_count += *hits != '0';
    }
}

static void quote(struct text *out, struct str code)
{
    text_addf(out, "[%.*s]", STR_ARGS(code));
}

static struct str said(const struct missed_cases *missed)
{
    struct str out;
    struct text text = text_in(&arena);
    if (missed_cases_are_known(missed)) {
        if (missed->subject.len != 0)
            quote(&text, missed->subject);
        else
            text_add_c(&text, SENTENCE_SWITCH);
        text_add(&text, STR(" "));
        sentence_of_cases(&text, missed, quote);
    }
    assert_true(text_take(&out, &text, NULL));
    return out;
}

static void arms_are_named_where_they_account_for_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct source source;
        struct missed_cases missed;
        struct line_extent lines;
        read(&source, cases[i].text, cases[i].hits);
        bool any = missed_cases_lines(&lines, &source.condition);
        if (*cases[i].expected != '\0')
            assert_true(any && lines.first == 1);
        assert_true(missed_cases_find(&missed, &source.condition, source.text, 1, &arena, NULL));
        assert_str(said(&missed), cases[i].expected);
    }
}

/* The text begins with the first line that the names are on. */
static void lines_before_the_switch_are_not_needed(void **state)
{
    struct source source;
    struct missed_cases missed;
    struct line_extent lines;
    (void)state;
    read(&source, "F();\nG();\n@s[switch (n)] {\n@0[case 1]: F();\n@1[default]: G();\n}", "01");
    assert_true(missed_cases_lines(&lines, &source.condition));
    assert_int_equal(lines.first, 3);
    assert_int_equal(lines.last, 5);
    assert_true(
        missed_cases_find(&missed, &source.condition, str_from(source.text, 10), 3, &arena, NULL));
    assert_str(said(&missed), "[switch (n)] never took [case 1]");
}

/* A source that is gone, or shorter than it was. */
static void without_text_nothing_is_named(void **state)
{
    struct source source;
    struct missed_cases missed;
    struct str text = {NULL, 0};
    (void)state;
    read(&source, "@s[switch (n)] { @0[case 1]: F(); @1[default]: G(); }", "10");
    assert_true(missed_cases_find(&missed, &source.condition, text, 1, &arena, NULL));
    assert_false(missed_cases_are_known(&missed));
    text = (struct str){source.text.text, 20};
    assert_true(missed_cases_find(&missed, &source.condition, text, 1, &arena, NULL));
    assert_false(missed_cases_are_known(&missed));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arms_are_named_where_they_account_for_all),
    cmocka_unit_test(lines_before_the_switch_are_not_needed),
    cmocka_unit_test(without_text_nothing_is_named),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

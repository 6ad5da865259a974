/* test_missed_cases.c - arms that were never taken are named where their number agrees with what
 * was counted, and nowhere else. */
#include "coverage/report/missed_cases.h"

#include <string.h>

#include "coverage/report/sentence.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* In the texts, `|` ends what is switched on, `+` stands before a statement that ran and `-` before
 * one that did not. */
static const struct {
    const char *text;
    uint32_t outcomes, covered;
    const char *expected; /* empty: no arm is named */
} cases[] = {
    {"switch (n|) { case 1: +F(); break; case 2: -G(); break; default: +H(); break; }", 3, 2,
     "[switch (n)] never took [case 2]"},
    {"switch (n|) { case 1: -F(); break; case 2: -G(); break; default: +H(); break; }", 3, 1,
     "[switch (n)] never took [case 1], [case 2]"},
    {"switch (n|) { case 1: -F(); break; case 2: +{ +G(); } break; }", 3, 2,
     "[switch (n)] never took [case 1]"},
    {"switch (n|) { case 1: -F(); break; case 2: +G(); break; }", 3, 1,
     "[switch (n)] never took [case 1], and always matched a case"},
    {"switch (n|) { case 1: +F(); break; case 2: +G(); break; }", 3, 2,
     "[switch (n)] always matched a case"},
    /* fewer or more outcomes than arms */
    {"switch (n|) { case 1: +F(); break; case 2: -G(); break; default: +H(); break; }", 4, 3, ""},
    {"switch (n|) { case 1: +F(); break; case 2: -G(); break; default: +H(); break; }", 2, 1, ""},
    /* an arm ran although its outcome never happened, or the other way round */
    {"switch (n|) { case 1: +F(); break; case 2: +G(); break; default: +H(); break; }", 3, 2, ""},
    {"switch (n|) { case 1: +F(); break; case 2: -G(); break; default: -H(); break; }", 3, 2, ""},
    /* the first statement of an arm is not known */
    {"switch (n|) { case 1: +F(); break; case 2: G(); break; default: -H(); break; }", 3, 2, ""},
    /* optimised code: no statement for `break` */
    {"switch (n|) { case 1: +F(); break; case 2: break; default: -H(); break; }", 3, 2,
     "[switch (n)] never took [default]"},
    {"switch (n|) { case 1: +F(); break; case 2: break; default: break; }", 2, 1,
     "[switch (n)] never took [case 2], [default]"},
    {"switch (n|) { case 1: +F(); break; case 2: break; }", 2, 1,
     "[switch (n)] never took [case 2], and always matched a case"},
    /* a guard is asked first, and leads on where it does not hold */
    {"switch (n|) { case 1 +when q: -F(); break; case 2: -G(); break; default: +H(); break; }", 3,
     2, "[switch (n)] never took [case 2]"},
    {"switch (n|) { case 1 -when q: -F(); break; case 2: +G(); break; default: +H(); break; }", 3,
     2, "[switch (n)] never took [case 1 when q]"},
    {"switch (n|) { case 1 when +q: +F(); break; case 2: +G(); break; }", 3, 2, ""},
    {"switch (n|) { case 0: case 1 -when q: -F(); break; default: +H(); break; }", 2, 1, ""},
    /* expressions */
    {"n| switch { 1 => +F(), > 2 => -G(), _ => +0 }", 3, 2, "[n switch] never took [> 2]"},
    {"n| switch { 1 => -F(), null => throw e, _ => +0 }", 2, 1, "[n switch] never took [1]"},
    {"n| switch { 1 => -F(), 2 => -F(), 3 => -F(), 4 => -F(), 5 => -F(), _ => +0 }", 6, 1,
     "[n switch] never took [1], [2], [3] and 2 more"},
    /* labels on one line, not too long, without comments */
    {"switch (n|) { case 1:\n     case 2: -F(); break; default: +G(); break; }", 2, 1,
     "[switch (n)] never took [case 1: case 2]"},
    {"switch (n|) { case 1: // one\n case 2: -F(); break; default: +G(); break; }", 2, 1,
     "[switch (n)] never took [case 1 ...]"},
    {"switch (n|) { case 1234567890: case 2345678901: case 3456789012: case 4567890123: -F(); "
     "break; default: +G(); break; }",
     2, 1, "[switch (n)] never took [case 1234567890 ...]"},
    {"switch (a, b|) { case (1, 2): -F(); break; default: +G(); break; }", 2, 1,
     "[switch (a, b)] never took [case (1, 2)]"},
    {"switch (n|) {\n#if X\n case 1: -F(); break;\n#endif\n default: +G(); break; }", 2, 1, ""},
};

/* Where the head of a switch has no text of its own, `|` stands before the condition's. */
static const struct {
    const char *text;
    uint32_t outcomes, covered;
    const char *expected;
} headless[] = {
    {"switch (n) { case 1: |+F(); break; case 2: -G(); break; default: +H(); break; }", 3, 2,
     "[switch (n)] never took [case 2]"},
    {"switch (n) { case 1: -F(); break; case 2: break; default: |+H(); break; }", 3, 2,
     "[switch (n)] never took [case 1]"},
    {"switch (n) { case 1: +F(); |+G(); break; default: -H(); break; }", 2, 1, ""},
    {"switch (n) { case 1: if (+q) |+G(); break; default: -H(); break; }", 2, 1, ""},
    {"|+F(); switch (n) { case 1: +F(); break; default: -H(); break; }", 2, 1, ""},
};

struct source {
    struct text text;
    uint32_t line, column;
    struct report_start starts[16];
    uint32_t start_count;
    struct fact_span mark; /* of the `|`, and empty */
};

static void read(struct source *out, const char *text)
{
    *out = (struct source){.line = 1, .column = 1};
    text_open(&out->text, &arena);
    for (; *text != '\0'; text++) {
        bool is_start = (*text == '+' || *text == '-') && text[1] != ' ';
        if (is_start)
            out->starts[out->start_count++] =
                (struct report_start){out->line, (uint16_t)out->column, *text == '+'};
        if (*text == '|')
            out->mark = (struct fact_span){out->line, out->line, (uint16_t)out->column,
                                           (uint16_t)out->column};
        if (is_start || *text == '|')
            continue;
        text_add(&out->text, (struct str){text, 1});
        out->column = *text == '\n' ? 1 : out->column + 1;
        out->line += *text == '\n';
    }
}

static void quote(struct text *out, struct str code)
{
    text_addf(out, "[%.*s]", STR_ARGS(code));
}

static struct str said(const struct missed_cases *missed)
{
    struct text text, name;
    struct str out;
    text_open(&text, &arena);
    if (missed_cases_are_known(missed)) {
        text_open(&name, &arena);
        sentence_switch(&name, missed);
        assert_true(text_take(&out, &name, NULL));
        quote(&text, out);
        text_add(&text, STR(" "));
        sentence_of_cases(&text, missed, quote);
    }
    assert_true(text_take(&out, &text, NULL));
    return out;
}

static void check_case(const char *text, bool is_exact, uint32_t outcomes, uint32_t covered,
                       const char *expected)
{
    struct source source;
    struct str taken;
    struct missed_cases missed;
    struct line_extent lines;
    read(&source, text);
    struct report_condition condition = {.is_switch = true,
                                         .outcome_count = outcomes,
                                         .covered_count = covered,
                                         .span = source.mark,
                                         .is_exact = is_exact,
                                         .starts = source.starts,
                                         .start_count = source.start_count};
    assert_true(text_take(&taken, &source.text, NULL));
    const char *open = strchr(taken.text, '(');
    if (is_exact) /* "n" of "switch (n" and of "n switch" */
        condition.span.start_column =
            open != NULL && open < taken.text + 10 ? (uint16_t)(open - taken.text + 2) : 1;
    assert_true(missed_cases_lines(&lines, &condition));
    assert_int_equal(lines.first, 1);
    assert_true(missed_cases_find(&missed, &condition, taken, lines.first, &arena, NULL));
    assert_str(said(&missed), expected);
}

static void arms_are_named_where_numbers_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(cases[i].text, true, cases[i].outcomes, cases[i].covered, cases[i].expected);
}

static void arms_are_found_from_one_of_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(headless); i++)
        check_case(headless[i].text, false, headless[i].outcomes, headless[i].covered,
                   headless[i].expected);
}

static void without_text_nothing_is_named(void **state)
{
    static const struct report_start starts[] = {{1, 22, true}};
    struct report_condition condition = {.is_switch = true, .outcome_count = 3, .covered_count = 1};
    struct missed_cases missed;
    struct line_extent lines;
    (void)state;
    assert_false(missed_cases_lines(&lines, &condition));
    assert_true(missed_cases_find(&missed, &condition, STR("switch (n) { }"), 1, &arena, NULL));
    assert_false(missed_cases_are_known(&missed));
    condition.starts = starts;
    condition.start_count = 1;
    assert_true(missed_cases_find(&missed, &condition, (struct str){NULL, 0}, 1, &arena, NULL));
    assert_false(missed_cases_are_known(&missed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_are_named_where_numbers_agree),
        cmocka_unit_test(arms_are_found_from_one_of_them),
        cmocka_unit_test(without_text_nothing_is_named),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}

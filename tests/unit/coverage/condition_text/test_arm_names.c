/* test_arm_names.c - an outcome of a switch is called by the label before the place that it leads
 * to. Expected are the head of the switch, then each label and the line of that place, in order of
 * the names. */
#include "coverage/condition_text/arm_names.h"

#include <stdio.h>

#include "coverage/branches/decisions.h"
#include "coverage/facts/arms.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    LINES_BEFORE = 150 /* more than are looked at around a method of other languages */
};

static const char arms_text[] = "switch (n) {\n"
                                "case 1: F(); break;\n"
                                "case 2: G(); break;\n"
                                "default: H(); break;\n"
                                "} }\n";
/* Points have the lines of a text that follows another one. */
static const char arms_code[] =
    ".locals int32; .point %d 1-11; ldarg.0; stloc.0; .hidden; ldloc.0; switch A B; br.s D;"
    "A: .point %d 9-13; call void(); .point %d 14-20; br.s E; B: .point %d 9-13; call void();"
    ".point %d 14-20; br.s E; D: .point %d 10-14; call void(); .point %d 15-21; br.s E;"
    "E: .point %d 3-4; ret";

struct text_source {
    struct line_index index;
    struct tokens tokens;
    bool is_without_tokens;
};

static bool index_of(const struct line_index **out, void *context, uint32_t document,
                     struct err *err)
{
    (void)document;
    (void)err;
    *out = &((struct text_source *)context)->index;
    return true;
}

static bool tokens_of(const struct tokens **out, void *context, uint32_t document, struct err *err)
{
    struct text_source *source = context;
    (void)document;
    (void)err;
    *out = source->is_without_tokens ? NULL : &source->tokens;
    return true;
}

static uint32_t line_of_outcome(const struct decisions *decisions, uint32_t n)
{
    const struct decision *decision = &decisions->items[0];
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++)
        if (decisions->parts[i].outcome == n &&
            decisions->parts[i].place < decisions->points->count)
            return decisions->points->points[decisions->parts[i].place].start_line;
    return 0;
}

static void describe(struct text *out, struct view names, const struct decisions *decisions,
                     const struct line_index *index, uint32_t before)
{
    struct reader r = arms_open(names.data, (uint32_t)names.len);
    struct fact_arm arm;
    while (arms_next(&r, &arm)) {
        uint32_t start = 0, end = 0;
        assert_true(line_index_offset(&start, index, arm.span.start_line, arm.span.start_column) &&
                    line_index_offset(&end, index, arm.span.end_line, arm.span.end_column));
        text_addf(out, "%.*s", (int)(end - start), index->text.text + start);
        if (arm.kind == ARM_LABEL)
            text_addf(out, " -> %u", line_of_outcome(decisions, arm.outcome) - before);
        text_add_c(out, ";");
    }
}

/* What the arms of the switch are called after `before` lines that end with that text. */
static void compare(const char *text, uint32_t before, bool is_without_tokens, const char *expected)
{
    struct il_method m;
    struct decisions decisions;
    struct statements statements;
    struct reach reach;
    struct text_source source = {.is_without_tokens = is_without_tokens};
    struct str said;
    enum outcome_words *words;
    char code[1024];
    int b = (int)before;
    (void)snprintf(code, sizeof code, arms_code, b + 1, b + 2, b + 2, b + 3, b + 3, b + 4, b + 4,
                   b + 5);
    il_method_open(&m, "void(int32)", code);
    struct seq_points points = il_points(&m.builder);
    struct statements_source method = {.flow = &m.flow, .reach = &reach, .points = &points};
    assert_true(line_index_make(&source.index, str_of(text), &m.arena, NULL) &&
                tokens_find(&source.tokens, str_of(text), LANGUAGE_CSHARP, &m.arena, NULL) &&
                reach_make(&reach, &m.flow, NULL, &m.arena, NULL) &&
                statements_find(&statements, &method, &m.arena, NULL) &&
                decide(&decisions, &method, &m.plan, &m.arena, NULL) &&
                decision_text_find(&words, &decisions, &method, index_of, tokens_of, &source,
                                   &m.arena, NULL));
    assert_int_equal(decisions.count, 1);
    struct view names = {NULL, 0};
    const struct arm_names_request request = {&method,  &decisions, &statements,
                                              index_of, tokens_of,  &source};
    assert_true(arm_names_find(&names, &request, &m.arena, &m.arena, NULL));
    struct text found = text_in(&m.arena);
    describe(&found, names, &decisions, &source.index, before);
    assert_true(text_take(&said, &found, NULL));
    assert_str(said, expected);
    il_method_close(&m);
}

static const char all_arms[] = "switch (n);case 1 -> 2;case 2 -> 3;default -> 4;";

static void outcomes_are_called_by_their_labels(void **state)
{
    (void)state;
    compare(arms_text, 0, false, all_arms);
}

/* Even a string that the lines around the method would cut. */
static void what_stands_before_a_method_does_no_harm(void **state)
{
    char text[4096] = "s = \"\"\"\n";
    (void)state;
    for (int i = 0; i < LINES_BEFORE; i++)
        (void)strcat(text, "{ \" (\n");
    (void)strcat(text, "\"\"\";\n");
    (void)strcat(text, arms_text);
    compare(text, LINES_BEFORE + 2, false, all_arms);
}

static void without_tokens_there_are_no_names(void **state)
{
    (void)state;
    compare(arms_text, 0, true, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(outcomes_are_called_by_their_labels),
    cmocka_unit_test(what_stands_before_a_method_does_no_harm),
    cmocka_unit_test(without_tokens_there_are_no_names),
};
UNIT_TESTS(tests);

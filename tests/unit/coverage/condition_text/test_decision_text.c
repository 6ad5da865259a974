/* test_decision_text.c - each decision has the text of its own condition and knows which of its
 * outcomes is the true one, or it has its whole statement and no words. Expected are, in the order
 * of the code, the text and what the first and the second outcome are called; `?`: neither is
 * known. */
#include "coverage/condition_text/decision_text.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"
#include "tests/support/test_arena.h"

static const char *const words_of[] = {
    [WORDS_UNKNOWN] = "?",
    [WORDS_FALSE_TRUE] = "false true",
    [WORDS_TRUE_FALSE] = "true false",
    [WORDS_VALUE_NULL] = "value null",
    [WORDS_NULL_VALUE] = "null value",
    [WORDS_BODY_END] = "body end",
    [WORDS_END_BODY] = "end body",
};

struct condition {
    const char *text, *signature, *code, *expected;
};

/* The statement is line 1; what it leads to has line 2 and 3. */
#define THEN "; .point 2 1-5; call void(); E: .point 3 1-2; ret"

static const struct condition csharp[] = {
    {"if (a > b)", "void(int32,int32)", ".point 1 1-11; ldarg.0; ldarg.1; ble.s E" THEN,
     "[a > b] true false"},
    {"if (a > b)", "void(int32,int32)",
     ".locals bool; .point 1 1-11; ldarg.0; ldarg.1; cgt; stloc.0; .hidden; ldloc.0; brfalse.s "
     "E" THEN,
     "[a > b] true false"},
    {"if (!(a > b))", "void(int32,int32)", ".point 1 1-14; ldarg.0; ldarg.1; bgt.s E" THEN,
     "[a > b] false true"},
    {"if (a != b)", "void(int32,int32)", ".point 1 1-12; ldarg.0; ldarg.1; beq.s E" THEN,
     "[a != b] true false"},
    {"if (!a)", "void(bool)", ".point 1 1-8; ldarg.0; brtrue.s E" THEN, "[!a] true false"},
    {"if (a == null)", "void(object)", ".point 1 1-15; ldarg.0; brtrue.s E" THEN,
     "[a == null] true false"},
    {"if (a is not null)", "void(object)", ".point 1 1-19; ldarg.0; brfalse.s E" THEN,
     "[a is not null] true false"},
    {"if (a == false)", "void(bool)", ".point 1 1-16; ldarg.0; brtrue.s E" THEN,
     "[a == false] true false"},
    {"if (a & b)", "void(bool,bool)", ".point 1 1-11; ldarg.0; ldarg.1; and; brfalse.s E" THEN,
     "[a & b] true false"},
    /* of unsigned numbers, which are only asked for zero */
    {"if (a > 0)", "void(int32)", ".point 1 1-11; ldarg.0; brfalse.s E" THEN, "[a > 0] true false"},
    {"if (a <= 0)", "void(int32)", ".point 1 1-12; ldarg.0; brtrue.s E" THEN,
     "[a <= 0] true false"},
    {"if (0 < a)", "void(int32)", ".point 1 1-11; ldarg.0; brfalse.s E" THEN, "[0 < a] true false"},
    {"if (0 >= a)", "void(int32)", ".point 1 1-12; ldarg.0; brtrue.s E" THEN,
     "[0 >= a] true false"},
    {"if (a < 0)", "void(int32)", ".point 1 1-11; ldarg.0; brfalse.s E" THEN, "[a < 0] ?"},
    {"if (a && b)", "void(bool,bool)",
     ".point 1 1-12; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E" THEN,
     "[a] true false [b] true false"},
    {"if (a || b)", "void(bool,bool)",
     ".point 1 1-12; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; T: nop" THEN,
     "[a] false true [b] true false"},
    {"if (a is > 3 and < 9)", "void(int32)",
     ".point 1 1-22; ldarg.0; ldc.i4.3; ble.s E; ldarg.0; ldc.i4.s 9; bge.s E" THEN,
     "[> 3] true false [< 9] true false"},
    {"x = a ?? b;", "void(object,object)",
     ".point 1 1-12; ldarg.0; dup; brtrue.s J; pop; ldarg.1; J: call void(object); .point 3 1-2; "
     "ret",
     "[a] null value"},
    /* a variable that another statement set: how is not what the text says */
    {"if (d)", "void(object)",
     ".locals bool bool; .point 5 1-5; ldarg.0; ldnull; ceq; stloc.0; .point 1 1-7; ldloc.0; "
     "stloc.1; .hidden; ldloc.1; brfalse.s E" THEN,
     "[d] true false"},
    {"if (!d)", "void(object)",
     ".locals bool bool; .point 5 1-5; ldarg.0; ldnull; ceq; stloc.0; .point 1 1-8; ldloc.0; "
     "ldc.i4.0; ceq; stloc.1; .hidden; ldloc.1; brfalse.s E" THEN,
     "[!d] true false"},
    {"if (d)", "void(object)",
     ".locals bool; .point 5 1-5; ldarg.0; ldnull; ceq; stloc.0; .point 1 1-7; ldloc.0; brfalse.s "
     "E" THEN,
     "[d] true false"},
    {"if (!d)", "void(bool)", ".point 5 1-5; ldarg.0; ldc.i4.0; ceq; .point 1 1-8; brtrue.s E" THEN,
     "[!d] true false"},
    {"if (d == false)", "void(bool)",
     ".point 5 1-5; ldarg.0; ldc.i4.0; ceq; .point 1 1-16; ldc.i4.0; ceq; brfalse.s E" THEN,
     "[d == false] true false"},
    /* a constant by its name, and null! */
    {"if (P != K)", "void()", ".point 1 1-12; call int32() get_P; brfalse.s E" THEN,
     "[P != K] true false"},
    {"if (a == null!)", "void(object)", ".point 1 1-16; ldarg.0; brtrue.s E" THEN,
     "[a == null!] true false"},
    /* patterns whose steps depend on types */
    {"if (a is { B: > 0 })", "void(object)",
     ".point 1 1-21; ldarg.0; brfalse.s E; ldarg.0; call int32(object) get_B; ldc.i4.0; ble.s "
     "E" THEN,
     "[a] value null [B: > 0] true false"},
    {"if (a is { B: true })", "void(int32)",
     ".point 1 1-22; ldarg.0; call bool(int32) get_B; brfalse.s E" THEN, "[B: true] true false"},
    {"if (a is [1, 2] && b)", "void(object,bool)",
     ".point 1 1-22; ldarg.0; brfalse.s E; ldarg.0; call int32(object) get_Item; ldc.i4.1; "
     "bne.un.s "
     "E; ldarg.1; brfalse.s E" THEN,
     "a is [1, 2] ? a is [1, 2] ? a is [1, 2] && b ?"},
    {"F(a is [1, 2] ? 1 : 2, B() ? 3 : 4);", "void(object)",
     ".point 1 1-37; ldarg.0; brfalse.s A; ldarg.0; call int32(object) get_Item; ldc.i4.1; "
     "bne.un.s "
     "A; call void(); A: call bool() B; brfalse.s E" THEN,
     "a is [1, 2] ? a is [1, 2] ? [B()] true false"},
    /* a filter's pattern is tested before the point of the filter, which says nothing of it */
    {"when (a is int or long)\n{", "int32(object)",
     ".try A F filter F H E; .locals bool bool; A: .point 9 1-2; call void(); leave.s E; F: "
     ".hidden; "
     "pop; ldarg.0; isinst; brtrue.s T; ldarg.0; isinst; brtrue.s T; br.s N; T: ldc.i4.1; stloc.0; "
     "br.s J; N: ldc.i4.0; stloc.0; J: .point 1 1-24; ldloc.0; stloc.1; .hidden; ldloc.1; "
     "ldc.i4.0; "
     "cgt.un; endfilter; H: .hidden; pop; .point 2 1-2; nop; leave.s E; E: .point 3 1-2; ldc.i4.0; "
     "ret",
     "a is int or long ? a is int or long ?"},
    /* the code asks more than the text, something else, or the text cannot be read */
    {"if (a)", "void(bool,bool)", ".point 1 1-7; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E" THEN,
     "if (a) ? if (a) ?"},
    {"if (a && b)", "void(bool)", ".point 1 1-12; ldarg.0; brfalse.s E" THEN, "a && b ?"},
    {"if (a is [1, 2])", "void(object)", ".point 1 1-17; ldarg.0; brfalse.s E" THEN,
     "a is [1, 2] ?"},
    /* the text is known, the true outcome is not */
    {"if (a + b)\nF();", "void(int32,int32)",
     ".point 1 1-11; ldarg.0; ldarg.1; add; brfalse.s E" THEN, "[a + b] true false"},
    {"if (a == b && c)", "void(int32,int32,bool)",
     ".point 1 1-17; ldarg.0; ldarg.1; ceq; ldarg.2; and; brfalse.s E" THEN,
     "[a == b && c] true false"},
    {"return a?.Length ?? 1;", "void(string)",
     ".point 1 1-23; ldarg.0; brtrue.s T; ldc.i4.1; br.s J; T: ldarg.0; call int32(string) "
     "get_Length; J: call void(int32); .point 3 1-2; ret",
     "[a] null value"},
    {"if (a + b)", "void(int32,int32)", ".point 1 1-11; ldarg.0; ldarg.1; add; brfalse.s E" THEN,
     "[a + b] ?"},
};

static const struct condition visual_basic[] = {
    {"Case Is < 3", "void(int32)", ".point 1 1-12; ldarg.0; ldc.i4.3; bge.s E" THEN,
     "[Case Is < 3] true false"},
    {"Case 7, Is < 3", "void(int32)",
     ".point 1 1-15; ldarg.0; ldc.i4.7; beq.s T; ldarg.0; ldc.i4.3; bge.s E; T: nop" THEN,
     "[7] false true [Is < 3] true false"},
    {"For i = 1 To n", "void(int32)",
     ".locals int32; .point 1 1-15; ldc.i4.1; stloc.0; .hidden; br.s T; B: .point 3; nop;"
     "T: .hidden; ldloc.0; ldarg.0; ble.s B; E: ret",
     "[For i = 1 To n] end body"},
    {"If n > 0 Then", "void(int32)",
     ".locals bool; .point 1 1-14; ldarg.0; ldc.i4.0; cgt; stloc.0; .hidden; ldloc.0; brfalse.s "
     "E" THEN,
     "[n > 0] true false"},
    {"If Not (a AndAlso b) Then", "void(bool,bool)",
     ".point 1 1-26; ldarg.0; brfalse.s T; ldarg.1; brtrue.s E; T: nop" THEN,
     "[a] true false [b] false true"},
    {"If s = \"x\" Then", "void(string)",
     ".point 1 1-16; ldarg.0; call int32(string) CompareString; brtrue.s E" THEN,
     "[s = \"x\"] true false"},
    {"If s IsNot Nothing Then", "void(string)", ".point 1 1-24; ldarg.0; brfalse.s E" THEN,
     "[s IsNot Nothing] true false"},
    {"ElseIf o >= 0 Then", "void(object)",
     ".point 1 1-19; ldarg.0; call bool(object) ConditionalCompareObjectGreaterEqual; brfalse.s "
     "E" THEN,
     "[o >= 0] true false"},
    {"x = If(a, b, c)", "void(bool)",
     ".point 1 1-16; ldarg.0; brtrue.s T; ldc.i4.3; br.s J; T: ldc.i4.4; J: call void(int32); "
     ".point 3 1-2; ret",
     "[a] false true"},
    {"Case 7, 8", "void(int32)", ".point 1 1-10; ldarg.0; ldc.i4.7; bne.un.s E" THEN,
     "Case 7, 8 ?"},
};

/* Each operand has a point; behind it stands where control goes on. */
static const struct condition fsharp[] = {
    {"if a && b then\nF ()", "void(bool,bool)",
     ".point 1 4-5; ldarg.0; brfalse.s E; .point 1 9-10; ldarg.1; brfalse.s E; .point 2 1-5; call "
     "void(); E: .point 3 1-2; ret",
     "[a] true false [b] true false"},
    {"if not (a || b) then\nF ()", "void(bool,bool)",
     ".point 1 9-10; ldarg.0; brtrue.s E; .point 1 14-15; ldarg.1; brtrue.s E; .point 2 1-5; call "
     "void(); E: .point 3 1-2; ret",
     "[a] false true [b] false true"},
    {"| x when not x -> F ()", "void(bool)",
     ".point 1 10-15; ldarg.0; brtrue.s E; .point 1 19-23; call void(); E: .point 3 1-2; ret",
     "[not x] true false"},
    {"elif a then\nF ()", "void(bool)",
     ".point 1 1-12; ldarg.0; brfalse.s E; .point 2 1-5; call void(); E: .point 3 1-2; ret",
     "[a] true false"},
};

static bool index_of(const struct line_index **out, void *context, uint32_t document,
                     struct err *err)
{
    (void)document;
    (void)err;
    *out = context;
    return true;
}

static bool tokens_of(const struct tokens **out, void *context, uint32_t document, struct err *err)
{
    static struct tokens tokens;
    const struct line_index *index = context;
    (void)document;
    *out = &tokens;
    return tokens_find(&tokens, index->text, LANGUAGE_FSHARP, &arena, err);
}

static struct str span_text(const struct line_index *index, const struct fact_span *span)
{
    uint32_t start = 0, end = 0;
    assert_true(line_index_offset(&start, index, span->start_line, span->start_column) &&
                line_index_offset(&end, index, span->end_line, span->end_column));
    return (struct str){index->text.text + start, end - start};
}

static void describe(struct text *out, const struct decisions *decisions,
                     const enum outcome_words *words, const struct line_index *index)
{
    for (uint32_t i = 0; i < decisions->count; i++) {
        struct str text = span_text(index, &decisions->items[i].span);
        bool is_exact = decisions->items[i].is_exact;
        text_addf(out, "%s%s%.*s%s %s", i == 0 ? "" : " ", is_exact ? "[" : "", STR_ARGS(text),
                  is_exact ? "]" : "", words_of[words[i]]);
    }
}

static void find(struct decisions *out, enum outcome_words **words, struct line_index *index,
                 struct il_method *m, const struct condition *condition, enum language language,
                 uint32_t end_line)
{
    il_method_open_optimised(m, condition->signature, condition->code);
    for (uint32_t i = 0; i < m->builder.point_count; i++)
        if (m->builder.points[i].start_line == 1)
            m->builder.points[i].end_line = end_line;
    struct seq_points points = il_points(&m->builder);
    struct statements_source source = {.flow = &m->flow, .points = &points, .language = language};
    assert_true(line_index_make(index, str_of(condition->text), &m->arena, NULL));
    assert_true(decide(out, &source, &m->plan, &m->arena, NULL));
    assert_true(
        decision_text_find(words, out, &source, index_of, tokens_of, index, &m->arena, NULL));
}

static unsigned compare(const struct condition *condition, enum language language)
{
    struct il_method m;
    struct decisions decisions;
    struct line_index index;
    enum outcome_words *words;
    struct str said;
    find(&decisions, &words, &index, &m, condition, language, 1);
    struct text found = text_in(&m.arena);
    describe(&found, &decisions, words, &index);
    assert_true(text_take(&said, &found, NULL));
    bool is_fine = str_is(said, condition->expected);
    if (!is_fine)
        print_error("%s: %.*s instead of %s\n", condition->text, STR_ARGS(said),
                    condition->expected);
    il_method_close(&m);
    return !is_fine;
}

static void a_condition_has_its_text_and_its_true_outcome_or_neither(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(csharp); i++)
        wrong += compare(&csharp[i], LANGUAGE_CSHARP);
    assert_int_equal(wrong, 0);
}

static void a_test_of_a_case_has_its_text_and_its_true_outcome_or_neither(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(visual_basic); i++)
        wrong += compare(&visual_basic[i], LANGUAGE_VISUAL_BASIC);
    assert_int_equal(wrong, 0);
}

static void an_operand_of_fsharp_has_its_text_and_its_true_outcome_or_neither(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fsharp); i++)
        wrong += compare(&fsharp[i], LANGUAGE_FSHARP);
    assert_int_equal(wrong, 0);
}

/* Its column has no number in facts, and would be that of another place. */
static void a_condition_too_far_to_the_right_has_lines_alone(void **state)
{
    static char text[0x10020] = "if (a &&\n";
    struct il_method m;
    struct decisions decisions;
    struct line_index index;
    enum outcome_words *words;
    const struct condition condition = {text, "void(bool,bool)",
                                        ".point 1 1-3; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E;"
                                        ".point 4 1-5; call void(); E: .point 5 1-2; ret",
                                        NULL};
    (void)state;
    size_t len = strlen(text);
    memset(text + len, ' ', 0x10000);
    (void)strcpy(text + len + 0x10000, "b\n) ");
    find(&decisions, &words, &index, &m, &condition, LANGUAGE_CSHARP, 3);
    assert_int_equal(decisions.count, 2);
    assert_true(decisions.items[0].is_exact && !decisions.items[1].is_exact);
    assert_int_equal(decisions.items[1].span.start_line, 2);
    assert_int_equal(decisions.items[1].span.start_column, 0);
    assert_int_equal(decisions.items[1].span.end_column, 0);
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_condition_has_its_text_and_its_true_outcome_or_neither),
    cmocka_unit_test(a_test_of_a_case_has_its_text_and_its_true_outcome_or_neither),
    cmocka_unit_test_setup_teardown(
        an_operand_of_fsharp_has_its_text_and_its_true_outcome_or_neither, open_arena, close_arena),
    cmocka_unit_test(a_condition_too_far_to_the_right_has_lines_alone),
};
UNIT_TESTS(tests);

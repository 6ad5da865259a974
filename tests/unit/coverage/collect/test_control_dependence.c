/* test_control_dependence.c - what leads to a statement is the last place on each way to it, or is
 * not known. Each case is C# in words and its IL in the shape that a compiler gives it. Expected,
 * in order of the code, is `LINE:CAUSES`, joined by | in the order of their text:
 *
 *   called        the method begins               N    the statement on line N comes to its end
 *   N=V           the condition, operand or       N+   likewise, and `finally` blocks after it
 *                 switch on line N has outcome V  N>   the iterator is asked for more after line N
 *   N!            what begins on N throws         N~   the `try` that begins on N is left
 *   ?             not known */
#include "coverage/collect/control_dependence.h"

#include <stdio.h>

#include "coverage/branches/decisions.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

struct source {
    const char *name, *signature, *expected, *text;
    bool is_state_machine;
};

/* The state is set, the caller gets the answer, and when it asks again the label is reached. */
#define DISPATCH        "ldarg.0; ldfld int32 <>1__state; switch S R; ldc.i4.0; ret; S: "
#define YIELD           "ldarg.0; ldc.i4.1; stfld int32 <>1__state; ldc.i4.1; ret; R: .hidden; "
#define UNLESS_DISPOSED "ldarg.0; ldfld bool <>w__disposeMode; brfalse.s G; ret; G: "
/* An awaiter that is not completed suspends the method; it is called again and goes on. */
#define RESUME ".hidden; ldarg.0; ldfld int32 <>1__state; brfalse.s R; "
#define AWAIT                                                                                      \
    "call object(); stloc.0; .hidden; ldloc.0; call this:bool() get_IsCompleted; brtrue.s D;"      \
    "ldarg.0; ldc.i4.0; stfld int32 <>1__state; call void(); ret; R: ldarg.0; ldc.i4.m1;"          \
    "stfld int32 <>1__state; D: ldloc.0; call this:void() GetResult; "

static const struct source sources[] = {
    {"statements in a row", "void()", "2:called 3:2 4:3",
     ".point 2; call void(); .point 3; call void(); .point 4; call void(); ret", false},
    {"braces are no places", "void()", "2:called 4:2",
     ".point 1 1-2; nop; .point 2; call void(); .point 3 1-2; nop; .point 4; call void();"
     ".point 5 1-2; ret",
     false},

    {"if and else", "void(bool)", "2:called 3:2=0 4:2=1 5:3|4",
     ".point 2; ldarg.0; brfalse.s L; .point 3; call void(); br.s E; L: .point 4; call void();"
     "E: .point 5; call void(); ret",
     false},
    {"if without else", "void(bool)", "2:called 3:2=0 4:2=1|3",
     ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); E: .point 4; call void(); ret", false},
    {"if whose body returns", "void(bool)", "2:called 3:2=0 4:2=1",
     ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); ret; E: .point 4; call void(); ret",
     false},
    {"if in if", "void(bool,bool)", "2:called 3:2=0 4:3=0 5:2=1|3=1|4",
     ".point 2; ldarg.0; brfalse.s E; .point 3; ldarg.1; brfalse.s E; .point 4; call void();"
     "E: .point 5; call void(); ret",
     false},
    {"if (a && b)", "void(bool,bool)", "2:called 3:2=0", /* of b: it is asked if a holds */
     ".point 2; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E; .point 3; call void(); E: ret", false},
    {"if (a || b)", "void(bool,bool)", "2:called 3:2=0|2=1",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; T: .point 3; call void(); E: ret",
     false},
    {"if (a && b), kept in a variable", "void(bool,bool)", "2:called 3:2=1 4:2=0|2=1|3",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: stloc.0;"
     ".hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop; E: .point 4; call void(); ret",
     false},
    {"if (!(a && b)), kept in a variable", "void(bool,bool)", "2:called 3:2=0|2=1",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: ldc.i4.0;"
     "ceq; stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop; E: .point 5 1-2;"
     "ret",
     false},

    {"while", "void(bool)", "2:called 4:3=1 3:2|4 5:3=0",
     ".point 2; call void(); .hidden; br.s C; B: .point 4; call void(); C: .point 3; ldarg.0;"
     "brtrue.s B; .point 5; call void(); ret",
     false},
    {"do and while", "void(bool)", "2:3=1|called 3:2 4:3=0",
     "B: .point 2; call void(); .point 3; ldarg.0; brtrue.s B; .point 4; call void(); ret", false},
    {"a loop without end", "void()", "2:2|called", "B: .point 2; call void(); .hidden; br.s B",
     false},

    {"switch", "void(int32)", "2:called 3:2=0 4:2=1 5:2=2|3|4",
     ".locals int32; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; switch A B; br.s E; A: .point 3;"
     "call void(); br.s E; B: .point 4; call void(); E: .point 5; call void(); ret",
     false},

    {"try and catch", "void()", "2:called 3:2! 4:2|3",
     ".try A C catch C E; A: .point 2; call void(); leave.s E; C: .hidden; pop; .point 3;"
     "call void(); leave.s E; E: .point 4; call void(); ret",
     false},
    {"try and finally", "void()", "2:called 3:2~ 4:2+",
     ".try A H finally H E; A: .point 2; call void(); leave.s E; H: .point 3; call void();"
     "endfinally; E: .point 4; call void(); ret",
     false},
    {"if at the end of a finally", "void(bool)", "2:called 3:2~ 4:3=0 5:2+",
     ".try A H finally H E; A: .point 2; call void(); leave.s E; H: .point 3; ldarg.0; brfalse.s F;"
     ".point 4; call void(); F: endfinally; E: .point 5; call void(); ret",
     false},
    {"exception filter", "void()", "2:called 3:2! 4:2! 5:2|4",
     ".try A F filter F H E; A: .point 2; call void(); leave.s E; F: pop; .point 3; call bool();"
     "brtrue.s Y; ldc.i4.0; br.s Z; Y: ldc.i4.1; Z: endfilter; H: pop; .point 4; call void();"
     "leave.s E; E: .point 5; call void(); ret",
     false},
    {"a fault handler is not told from the others", "void()", "2:called 3:? 4:2",
     ".try A H fault H E; A: .point 2; call void(); leave.s E; H: .point 3; call void();"
     "endfinally; E: .point 4; call void(); ret",
     false},

    {"yield return", "this:bool()", "2:called 3:2 4:3>",
     DISPATCH ".point 2; call void(); .point 3; " YIELD ".point 4; call void(); ldc.i4.0; ret",
     true},
    {"yield return in a loop", "this:bool()", "2:called 3:4=1 4:2|3> 5:4=0",
     DISPATCH ".point 2; call void(); .hidden; br.s C; B: .point 3; " YIELD
              "C: .point 4; call bool(); brtrue.s B; .point 5; call void(); ldc.i4.0; ret",
     true},
    {"yield return of an async iterator", "this:void()", "2:called 3:2 4:3>",
     "ldarg.0; ldfld int32 <>1__state; switch S R; ret; S: .point 2; call void(); .point 3; "
     "ldarg.0;"
     "ldc.i4.1; stfld int32 <>1__state; ret; R: .hidden; " UNLESS_DISPOSED
     ".point 4; call void(); ret",
     true},
    {"yield break of an async iterator", "this:void()", "2:called 3:2=0 4:2=1 5:4",
     ".point 2; call bool(); brfalse.s L; .point 3; ldarg.0; ldc.i4.1; stfld bool <>w__disposeMode;"
     "br.s X; L: .point 4; call void(); X: .hidden; " UNLESS_DISPOSED ".point 5; call void(); ret",
     true},
    {"a catch that awaits", "this:void()", "2:called 4:2! 5:2|4",
     ".locals int32; .try A C catch C J; ldc.i4.0; stloc.0; A: .point 2; call void(); .point 3 "
     "1-2; leave.s J;"
     "C: .hidden; pop; ldc.i4.1; stloc.0; leave.s J; J: .hidden; ldloc.0; ldc.i4.1; bne.un.s E;"
     ".point 4; call void(); E: .point 5; call void(); ret",
     true},
    {"two that do", "this:void()", "2:called 4:2! 6:2! 7:2|4|6",
     ".locals int32; .try A C catch C D; .try A C catch D J; ldc.i4.0; stloc.0; A: .point 2;"
     "call void(); .point 3 1-2; leave.s J; C: .hidden; pop; ldc.i4.1; stloc.0; leave.s J; D: "
     ".hidden; pop;"
     "ldc.i4.2; stloc.0; leave.s J; J: .hidden; ldloc.0; ldc.i4.1; beq.s M; ldloc.0; ldc.i4.2;"
     "beq.s N; br.s E; M: .point 4; call void(); .hidden; br.s E; N: .point 6; call void();"
     "E: .point 7; call void(); ret",
     true},
    {"a variable that is computed is no note", "this:void(int32)", "2:called 4:2=1 5:2=0|4",
     ".locals int32; .try A C catch C J; ldarg.1; stloc.0; A: .point 2; call void(); .point 3 1-2; "
     "leave.s J;"
     "C: .hidden; pop; ldc.i4.1; stloc.0; leave.s J; J: .hidden; ldloc.0; ldc.i4.1; bne.un.s E;"
     ".point 4; call void(); E: .point 5; call void(); ret",
     true},
    {"a note that has two values", "this:void(bool)", "2:called 4:? 5:?",
     ".locals int32; .try A C catch C J; ldc.i4.0; stloc.0; A: .point 2; ldarg.1; brfalse.s L;"
     "ldc.i4.1; stloc.0; L: .point 3 1-2; leave.s J; C: .hidden; pop; ldc.i4.1; stloc.0; leave.s J;"
     "J: .hidden; ldloc.0; ldc.i4.1; bne.un.s E; .point 4; call void(); E: .point 5; call void();"
     "ret",
     true},
    {"a finally that awaits", "this:void()", "2:called 3:2~ 5:2+",
     ".locals object; .try A C catch C J; ldnull; stloc.0; A: .point 2; call void(); leave.s J;"
     "C: .hidden; stloc.0; leave.s J; J: .point 3; call void(); .hidden; ldloc.0; brfalse.s E;"
     "ldloc.0; isinst; brtrue.s D; ldloc.0; throw; D: call void(); E: .point 5; call void();"
     "ret",
     true},
    {"await", "this:void()", "2:called 3:2 4:3",
     ".locals object; " RESUME ".point 2; call void(); .point 3; " AWAIT
     ".point 4; call void(); ret",
     true},
    {"the first statement awaits", "this:void()", "3:called 4:3",
     ".locals object; " RESUME ".point 3; " AWAIT ".point 4; call void(); ret", true},

    {"a statement that is compiled twice", "void(bool)", "2:called 3:2",
     ".point 2; ldarg.0; brtrue.s T; .point 3; call void(); br.s E; T: .point 3; call void();"
     "E: ret",
     false},
    {"what comes after it is not known", "void(bool)", "2:called 3:2 4:?",
     ".point 2; ldarg.0; brtrue.s T; .point 3; call void(); br.s E; T: .point 3; call void();"
     "E: .point 4; call void(); ret",
     false},
    {"a branch that nobody wrote", "void()", "2:called 3:?",
     ".point 2; call void(); ldsfld object <>9__0; brtrue.s E; .point 3; call void(); E: ret",
     false},
    {"if (a) { if (b) throw e; } throw e;, merged", "void(bool,bool,object)",
     "2:called 3:2=0 4:3 5:?",
     ".point 2; ldarg.0; brfalse.s L; .point 3; ldarg.1; pop; .point 4; ldarg.2; throw;"
     "L: .point 5; ldarg.2; throw",
     false},
    {"another exception is not merged", "void(bool,bool,object)", "2:called 3:2=0 4:3 5:2=1",
     ".point 2; ldarg.0; brfalse.s L; .point 3; ldarg.1; pop; .point 4; ldarg.2; throw;"
     "L: .point 5; ldarg.1; throw",
     false},
    {"more causes than the facts hold", "void(int32)",
     "2:called 3:2=0 4:2=1 5:2=2 6:2=3 7:2=4 8:2=5 9:2=6 10:2=7 11:2=8 12:2=9 13:2=10 14:2=11 15:?",
     ".locals int32; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; switch A B C D F G H I J K L M;"
     "ret; A: .point 3; call void(); br.s E; B: .point 4; call void(); br.s E; C: .point 5;"
     "call void(); br.s E; D: .point 6; call void(); br.s E; F: .point 7; call void(); br.s E;"
     "G: .point 8; call void(); br.s E; H: .point 9; call void(); br.s E; I: .point 10;"
     "call void(); br.s E; J: .point 11; call void(); br.s E; K: .point 12; call void(); br.s E;"
     "L: .point 13; call void(); br.s E; M: .point 14; call void(); E: .point 15; call void(); ret",
     false},
};

static const struct source tests[] = {
    {"a test begins with its statement", "void(bool)", "2:2",
     ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); E: ret", false},
    {"likewise in a loop", "void(bool)", "3:3",
     ".point 2; call void(); .hidden; br.s C; B: .point 4; call void(); C: .point 3; ldarg.0;"
     "brtrue.s B; ret",
     false},
    {"a && b && c", "void(bool,bool,bool)", "2:2 2:2=0 2:2=0",
     ".point 2; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E; ldarg.2; brfalse.s E; .point 3;"
     "call void(); E: ret",
     false},
    {"a || b", "void(bool,bool)", "2:2 2:2=0",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; T: .point 3; call void(); E: ret",
     false},
    {"what two ways lead to", "void(bool,bool,bool)", "2:2 2:? 2:2=1", /* c, b: (a || b) && c */
     ".point 2; ldarg.0; brfalse.s B; C: ldarg.2; brtrue.s T; br.s E; B: ldarg.1; brtrue.s C;"
     "br.s E; T: .point 3; call void(); E: ret",
     false},
    {"after a branch that nobody wrote", "void(bool)", "2:?",
     ".point 2; call void(); ldsfld object <>9__0; brtrue.s E; ldarg.0; brfalse.s E; .point 3;"
     "call void(); E: ret",
     false},
    {"what is made in a handler", "void()", "3:3",
     ".try A C catch C E; A: .point 2; call void(); leave.s E; C: .hidden; pop; .point 3;"
     "call bool(); brfalse.s F; .point 4; call void(); F: leave.s E; E: ret",
     false},
};

struct analysis {
    struct il_method method;
    struct seq_points points;
    struct reach reach;
    struct statements statements;
    struct decisions decisions;
    struct control_dependence *dependence;
};

static void analyse(struct analysis *out, const struct source *of)
{
    struct err err;
    if (of->is_state_machine || strstr(of->text, "stloc") == NULL)
        il_method_open_optimised(&out->method, of->signature, of->text);
    else
        il_method_open(&out->method, of->signature, of->text);
    struct arena *arena = &out->method.arena;
    out->points = il_points(&out->method.builder);
    struct statements_source *source = ARENA_NEW(arena, struct statements_source, 1, NULL);
    assert_true(reach_make(&out->reach, &out->method.flow, NULL, arena, &err));
    *source = (struct statements_source){.flow = &out->method.flow,
                                         .reach = &out->reach,
                                         .points = &out->points,
                                         .language = LANGUAGE_CSHARP,
                                         .is_state_machine = of->is_state_machine};
    assert_true(statements_find(&out->statements, source, arena, &err));
    assert_true(decide(&out->decisions, source, &out->method.plan, arena, &err));
    uint32_t *number_of = ARENA_NEW(arena, uint32_t, out->decisions.count, &err);
    for (uint32_t i = 0; i < out->decisions.count; i++)
        number_of[i] = i;
    out->dependence = control_dependence_make(source, &out->method.plan, &out->statements,
                                              &out->decisions, number_of, arena, &err);
    assert_non_null(out->dependence);
}

static unsigned line_of_statement(const struct analysis *a, uint32_t index)
{
    assert_true(index < a->statements.count);
    return a->points.points[a->statements.items[index].point].start_line;
}

static unsigned line_of_decision(const struct analysis *a, uint32_t index)
{
    assert_true(index < a->decisions.count);
    return a->decisions.points->points[a->decisions.items[index].point].start_line;
}

static void describe_cause(struct text *out, const struct analysis *a, struct fact_cause cause)
{
    static const char *const after[] = {
        [CAUSE_COMPLETED] = "", [CAUSE_CLEANED_UP] = "+", [CAUSE_RESUMED] = ">",
        [CAUSE_CAUGHT] = "!",   [CAUSE_LEFT] = "~",       [CAUSE_OUTCOME] = "="};
    if (cause.kind == CAUSE_ENTRY)
        text_addf(out, "called");
    else if (cause.kind == CAUSE_OUTCOME)
        text_addf(out, "%u=%u", line_of_decision(a, cause.index), (unsigned)cause.outcome);
    else
        text_addf(out, "%u%s", line_of_statement(a, cause.index), after[cause.kind]);
}

static int order_texts(const void *left, const void *right)
{
    const struct str *a = left, *b = right;
    return str_cmp(*a, *b);
}

static void describe(struct text *out, struct analysis *a, struct fact_causes causes)
{
    struct str texts[FACT_CAUSES_LEN];
    size_t count = 0;
    struct fact_cause cause;
    struct reader r = causes_open(&causes);
    while (causes_next(&r, &cause)) {
        struct text text = text_in(&a->method.arena);
        describe_cause(&text, a, cause);
        assert_true(text_take(&texts[count++], &text, NULL));
    }
    assert_false(r.failed);
    qsort(texts, count, sizeof *texts, order_texts);
    for (size_t i = 0; i < count; i++)
        text_addf(out, "%s%.*s", i == 0 ? "" : "|", STR_ARGS(texts[i]));
    if (count == 0)
        text_addf(out, "?");
}

static void describe_statements(struct text *out, struct analysis *a)
{
    for (uint32_t n = 0; n < a->statements.count; n++) {
        text_addf(out, "%s%u:", n == 0 ? "" : " ", line_of_statement(a, n));
        describe(out, a, control_dependence_of_statement(a->dependence, n));
    }
}

static void describe_tests(struct text *out, struct analysis *a)
{
    for (uint32_t n = 0; n < a->decisions.count; n++) {
        text_addf(out, "%s%u:", n == 0 ? "" : " ", line_of_decision(a, n));
        describe(out, a, control_dependence_of_decision(a->dependence, n));
    }
}

static bool is_as_expected(const struct source *source,
                           void (*describe_all)(struct text *out, struct analysis *a))
{
    struct analysis a;
    struct str found;
    analyse(&a, source);
    struct text text = text_in(&a.method.arena);
    describe_all(&text, &a);
    assert_true(text_take(&found, &text, NULL));
    bool is_right = str_is(found, source->expected);
    if (!is_right)
        print_error("%s: %.*s, expected %s\n", source->name, STR_ARGS(found), source->expected);
    il_method_close(&a.method);
    return is_right;
}

static void causes_of_statements_are_the_last_places_before(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        wrong += !is_as_expected(&sources[i], describe_statements);
    assert_int_equal(wrong, 0);
}

static void causes_of_a_test_are_on_the_straight_way_to_it(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tests); i++)
        wrong += !is_as_expected(&tests[i], describe_tests);
    assert_int_equal(wrong, 0);
}

static const struct CMUnitTest all[] = {
    cmocka_unit_test(causes_of_statements_are_the_last_places_before),
    cmocka_unit_test(causes_of_a_test_are_on_the_straight_way_to_it),
};
UNIT_TESTS(all);

/* test_expressions.c - conditions of one expression are known as such, in code built with and
 * without optimisation, and each knows which one comes next. Each case is C# in words and its IL
 * in the shape that a compiler gives it; expected for each decision is EXPRESSION:NEXT,NEXT, of
 * the branch that falls through and of the one that jumps (of a value: false, true); `-` is the
 * expression's end. */
#include "coverage/branches/decisions.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

#define AND "0:1,- 0:-,-"

static const struct {
    const char *name, *signature, *expected;
    const char *debug, *release; /* either may be NULL */
} sources[] = {
    {"if (a)", "void(bool)", "0:-,-",
     ".locals bool; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call "
     "void(); nop;"
     "E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); E: .point 4 1-2; ret"},

    {"if (a > 0 && b > 0)", "void(int32,int32)", AND,
     ".locals bool; .point 2; ldarg.0; ldc.i4.0; ble.s F; ldarg.1; ldc.i4.0; cgt; br.s J; F: "
     "ldc.i4.0;"
     "J: stloc.0; .hidden; ldloc.0; brfalse.s L; .point 3; call void(); nop; L: .point 5 1-2; ret",
     ".point 2; ldarg.0; ldc.i4.0; ble.s L; ldarg.1; ldc.i4.0; ble.s L; .point 3; call void();"
     "L: .point 5 1-2; ret"},

    {"if (a || b)", "void(bool,bool)", AND,
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; br.s J; T: ldc.i4.1; J: stloc.0;"
     ".hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop; E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; T: .point 3; call void();"
     "E: .point 4 1-2; ret"},

    {"if (a && b && c)", "void(bool,bool,bool)", "0:1,- 0:2,- 0:-,-",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; brfalse.s F; ldarg.2; br.s J;"
     "F: ldc.i4.0; J: stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop;"
     "E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E; ldarg.2; brfalse.s E; .point 3;"
     "call void(); E: .point 4 1-2; ret"},

    {"if ((a || b) && c)", "void(bool,bool,bool)", "0:1,2 0:2,- 0:-,-",
     ".locals bool; .point 2; ldarg.0; brtrue.s C; ldarg.1; brfalse.s F; C: ldarg.2; br.s J;"
     "F: ldc.i4.0; J: stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop;"
     "E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brtrue.s C; ldarg.1; brfalse.s E; C: ldarg.2; brfalse.s E; .point 3;"
     "call void(); E: .point 4 1-2; ret"},

    {"return a && b;", "bool(bool,bool)", AND,
     ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J;"
     "F: ldc.i4.0; J: stloc.0; br.s E; E: .point 3 1-2; ldloc.0; ret",
     ".point 2; ldarg.0; brfalse.s F; ldarg.1; ret; F: ldc.i4.0; ret"},

    {"F(a && b, c || d);", "void(bool,bool,bool,bool)", "0:1,- 0:-,- 2:3,- 2:-,-", NULL,
     ".point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: ldarg.2; brtrue.s T; "
     "ldarg.3;"
     "br.s K; T: ldc.i4.1; K: call void(bool,bool); .point 3 1-2; ret"},

    {"if (a && F(c ? 1 : 2))", "void(bool,bool)", "0:2,- 1:-,- 0:-,-", NULL,
     ".point 2; ldarg.0; brfalse.s E; ldarg.1; brtrue.s T; ldc.i4.2; br.s J; T: ldc.i4.1;"
     "J: call bool(int32); brfalse.s E; .point 3; call void(); E: .point 4 1-2; ret"},

    {"return c ? (p ? 5 : 6) : (q ? 7 : 8);", "int32(bool,bool,bool)", "0:1,2 1:-,- 2:-,-", NULL,
     ".point 2; ldarg.0; brtrue.s T; ldarg.2; brtrue.s Q; ldc.i4.8; br.s J; Q: ldc.i4.7; br.s J;"
     "T: ldarg.1; brtrue.s P; ldc.i4.6; br.s J; P: ldc.i4.5; J: ret"},

    {"if (c ? p : q)", "void(bool,bool,bool)", "0:1,2 0:-,- 0:-,-", NULL,
     ".point 2; ldarg.0; brtrue.s T; ldarg.2; br.s J; T: ldarg.1; J: brfalse.s E; .point 3;"
     "call void(); E: .point 4 1-2; ret"},

    {"if (a) if (b)", "void(bool,bool)", "0:-,- 1:-,-", NULL,
     ".point 2; ldarg.0; brfalse.s E; .point 3; ldarg.1; brfalse.s E; .point 4; call void();"
     "E: .point 5 1-2; ret"},

    {"a ?? b ?? c", "object(object,object,object)", "0:1,- 1:-,-", NULL,
     ".point 2; ldarg.0; dup; brtrue.s J; pop; ldarg.1; dup; brtrue.s J; pop; ldarg.2; J: ret"},
};

static void describe(char *out, size_t room, const struct decisions *decisions)
{
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *d = &decisions->items[i];
        char next[2][12];
        for (int k = 0; k < 2; k++)
            (void)snprintf(next[k], sizeof next[k],
                           d->next[k] >= 0              ? "%d"
                           : d->next[k] == DECISION_END ? "-"
                                                        : "?",
                           d->next[k]);
        int n = snprintf(out + len, room - len, "%s%u:%s,%s", i != 0 ? " " : "", d->expression,
                         next[0], next[1]);
        len += n > 0 && (size_t)n < room - len ? (size_t)n : 0;
    }
}

static unsigned is_wrong(size_t i, const char *text, bool optimised)
{
    struct il_method m;
    struct decisions decisions;
    struct err err;
    char got[256];
    if (text == NULL)
        return 0;
    (optimised ? il_method_open_optimised : il_method_open)(&m, sources[i].signature, text);
    struct seq_points points = il_points(&m.builder);
    struct statements_source source = {
        .flow = &m.flow, .points = &points, .language = LANGUAGE_CSHARP};
    if (!decide(&decisions, &source, &m.plan, &m.arena, &err))
        fail_msg("%s", err.text);
    describe(got, sizeof got, &decisions);
    bool wrong = strcmp(got, sources[i].expected) != 0;
    if (wrong)
        print_error("%s, %s: \"%s\" instead of \"%s\"\n", sources[i].name,
                    optimised ? "release" : "debug", got, sources[i].expected);
    il_method_close(&m);
    return wrong;
}

static void conditions_of_an_expression_know_each_other(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        wrong += is_wrong(i, sources[i].debug, false) + is_wrong(i, sources[i].release, true);
    assert_int_equal(wrong, 0);
}

/* One statement with more conditions than are compared: each is alone. */
static void too_many_conditions_stay_alone(void **state)
{
    enum {
        COUNT = 80
    };
    char text[4096] = ".point 2;";
    struct il_method m;
    struct decisions decisions;
    struct err err;
    (void)state;
    for (int i = 0; i < COUNT; i++)
        (void)strcat(text, "ldarg.0; brfalse E;");
    (void)strcat(text, ".point 3; call void(); E: .point 4 1-2; ret");
    il_method_open_optimised(&m, "void(bool)", text);
    struct seq_points points = il_points(&m.builder);
    struct statements_source source = {
        .flow = &m.flow, .points = &points, .language = LANGUAGE_CSHARP};
    assert_true(decide(&decisions, &source, &m.plan, &m.arena, &err));
    assert_int_equal(decisions.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(decisions.items[i].expression, i);
        assert_int_equal(decisions.items[i].next[0], DECISION_UNKNOWN);
    }
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conditions_of_an_expression_know_each_other),
    cmocka_unit_test(too_many_conditions_stay_alone),
};
UNIT_TESTS(tests);

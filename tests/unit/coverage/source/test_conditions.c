/* test_conditions.c - the conditions in the text of a statement are found in the order in which the
 * compiler emits them, or none is. Expected is `[text]IF_FALSE,IF_TRUE` for each: the number of the
 * condition that comes next, or `-`; with `~` before it for a test of null, `:` for a switch, `^`
 * for an object and `*` for several steps. `?`: the text is not understood. */
#include "coverage/source/conditions.h"

#include <stdio.h>

#include "tests/support/check.h"

/* clang-format off */
static const struct {
    const char *text, *expected;
} statements[] = {
    /* heads */
    {"if (a)",                          "[a]-,-"},
    {"if (!a)",                         "[!a]-,-"},
    {"while (i < n)",                   "[i < n]-,-"},
    {"while (i < n);",                  "[i < n]-,-"},
    {"when x > 3",                      "[x > 3]-,-"},
    {"when (a && b)",                   "[a]-,1 [b]-,-"},
    {"switch (x)",                      ":[x]"},
    {"switch (a ?? b)",                 "~[a]-,- :[a ?? b]"},
    {"return a;",                       ""},
    {"return !a;",                      ""},
    {"throw a ?? b;",                   "~[a]-,-"},
    {"yield return a ? 1 : 2;",         "[a]-,-"},
    {"base(a ? 1 : 2)",                 "[a]-,-"},
    {"a > 3",                           ""},
    {"a ? 1 : 2)",                      "[a]-,-"},
    {"in",                              ""},
    {"",                                "?"},

    /* && || ! */
    {"if (a && b)",                     "[a]-,1 [b]-,-"},
    {"if (a || b)",                     "[a]1,- [b]-,-"},
    {"if (a && b && c)",                "[a]-,1 [b]-,2 [c]-,-"},
    {"if (a || b && c)",                "[a]1,- [b]-,2 [c]-,-"},
    {"if ((a || b) && c)",              "[a]1,2 [b]-,2 [c]-,-"},
    {"if (a && (b || c))",              "[a]-,1 [b]2,- [c]-,-"},
    {"if (((a)) && (((b))))",           "[a]-,1 [b]-,-"},
    {"if (!(a && b))",                  "[a]-,1 [b]-,-"},
    {"if (!(a || b) && !c)",            "[a]1,- [b]2,- [!c]-,-"},
    {"return !(a && b);",               "[a]-,1 [b]-,-"},
    {"x = a && b;",                     "[a]-,1 [b]-,-"},
    {"x |= a && b;",                    "[a]-,1 [b]-,-"},
    {"bool x = a, y = b || c;",         "[b]1,- [c]-,-"},
    {"x >>= a ? 1 : 2;",                "[a]-,-"},
    {"x >>>= a && b ? 1 : 2;",          "[a]-,1 [b]-,-"},
    {"x <<= a ? 1 : 2;",                "[a]-,-"},
    {"if (a & b | c)",                  "[a & b | c]-,-"},
    {"if (a == (b && c))",              "[b]-,1 [c]-,- [a == (b && c)]-,-"},
    {"return await a && await b;",      "[await a]-,1 [await b]-,-"},

    /* comparisons and type arguments */
    {"if (a < b && c > (d))",           "[a < b]-,1 [c > (d)]-,-"},
    {"if (F<int>(a) && b)",             "[F<int>(a)]-,1 [b]-,-"},
    {"if (F<int, G<X[]>>(a) && b)",     "[F<int, G<X[]>>(a)]-,1 [b]-,-"},
    {"D<int, bool> d = F(a && b);",     "[a]-,1 [b]-,-"},
    {"F(a < b, c > d);",                ""},
    {"F(a < b || c, d > e);",           "[a < b]1,- [c]-,-"},
    {"if (i << 2 > n && m >> 1 < 3)",   "[i << 2 > n]-,1 [m >> 1 < 3]-,-"},
    {"if (d.TryGetValue(k, out List<int>? v) && v != null)",
                                        "[d.TryGetValue(k, out List<int>? v)]-,1 [v != null]-,-"},

    /* ?: */
    {"return a ? b : c;",               "[a]-,-"},
    {"x = a && b ? 1 : 2;",             "[a]-,1 [b]-,-"},
    {"return c ? (p ? 1 : 2) : (q ? 3 : 4);", "[c]1,2 [q]-,- [p]-,-"},
    {"return a ? 1 : b ? 2 : 3;",       "[a]1,- [b]-,-"},
    {"if ((a ? b : c) && d)",           "[a]1,2 [c]-,3 [b]-,3 [d]-,-"},
    {"return a ? await (b ? x : y) : await (c ? x : y);", "?"},
    {"return a ? await x : await y;",   "[a]-,-"},
    {"int? x = a ? b : c;",             "[a]-,-"},
    {"x = (int?)a ?? b;",               "~[(int?)a]-,-"},
    {"if (x is int? y && z)",           "[x is int? y]-,1 [z]-,-"},
    {"F(a ? new D<int, bool>() : d, e || f)", "[a]-,- [e]2,- [f]-,-"},
    {"F(n: a ? b : c, m: d || e)",      "[a]-,- [d]2,- [e]-,-"},
    {"x = a ?.5 : 1;",                  "[a]-,-"},

    /* ?? ?. */
    {"return a ?? b;",                  "~[a]-,-"},
    {"return a ?? b ?? c;",             "~[a]1,- ~[b]-,-"},
    {"a ?\?= b;",                        "~[a]-,-"},
    {"a ?\?= b && c;",                   "~[a]1,- [b]-,2 [c]-,-"},
    {"a?.B();",                         "~[a]-,-"},
    {"a?.B?.C();",                      "~[a]-,1 ~[a?.B]-,-"},
    {"x = a?.B.C(d)?.E;",               "~[a]-,1 ~[a?.B.C(d)]-,-"},
    {"x = a?[0];",                      "~[a]-,-"},
    {"x = await a?.B();",               "~[a]-,-"},
    {"x = b + c.d(e)?.f;",              "~[c.d(e)]-,-"},
    {"x = (T)a?.b;",                    "~[a]-,-"},
    {"x = new A(b)?.c;",                "~[new A(b)]-,-"},
    {"x = (a ?? b)?.c;",                "~[a]-,- ~[(a ?? b)]-,-"},
    {"x = a!.b!?.c;",                   "~[a!.b!]-,-"},
    {"if (a?.b == 3 || c)",             "~[a]-,- [a?.b == 3]2,- [c]-,-"},
    {"if (a ?? b)",                     "*[a ?? b]-,-"},
    {"if ((a ?? b) > 3)",               "~[a]-,- [(a ?? b) > 3]-,-"},
    {"a?.B(c && d);",                   "~[a]-,1 [c]-,2 [d]-,-"},
    {"a?.b = c || d;",                  "~[a]-,- [c]2,- [d]-,-"},

    /* operands in operands */
    {"if (a && F(c ? 1 : 2) && d)",     "[a]-,2 [c]-,- [F(c ? 1 : 2)]-,3 [d]-,-"},
    {"F(a && b, c || d);",              "[a]-,1 [b]-,- [c]3,- [d]-,-"},
    {"x[a ? 1 : 2] = b ? 3 : 4;",       "[a]-,- [b]-,-"},
    {"x = new A { B = c && d, E = { f ? 1 : 2 } };", "[c]-,1 [d]-,- [f]-,-"},
    {"int[] x = [.. a ? b : c, d ? e : f];", "[a]-,- [d]-,-"},
    {"(a, b) = (c ? 1 : 2, d ? 3 : 4);", "[c]-,- [d]-,-"},
    {"if ((a, b) == (c, d))",           "*[(a, b) == (c, d)]-,-"},

    /* lambdas are statements of their own */
    {"F(x => x && y, z || w);",         "[z]1,- [w]-,-"},
    {"F((a, b) => { return a && b; }) ;", ""},
    {"F((int? a, int b) => a ?? b, c || d);", "[c]1,- [d]-,-"},
    {"F(async x => await x || y);",     ""},
    {"if (l.Any(x => x > 3 && x < 5) && b)", "[l.Any(x => x > 3 && x < 5)]-,1 [b]-,-"},
    {"F(delegate (int x) { return x > 3 && y; }, z ? 1 : 2);", "[z]-,-"},
    {"var q = from x in l where a && b select x;", "?"},

    /* patterns */
    {"if (x is null)",                  "[x is null]-,-"},
    {"if (x is not null && y)",         "[x is not null]-,1 [y]-,-"},
    {"if (o is List<int> l && l.Count > 0)", "[o is List<int> l]-,1 [l.Count > 0]-,-"},
    {"if (x is not null and > 3)",      "[not null]-,1 [> 3]-,-"},
    {"if (c is >= 'a' and <= 'z')",     "[>= 'a']-,1 [<= 'z']-,-"},
    {"if (c is < 'a' or > 'z' && y)",   "[< 'a']1,2 [> 'z']-,2 [y]-,-"},
    {"if (c is \"b\" or \"a\")",        "[\"b\"]1,- [\"a\"]-,-"},
    {"if (o is List<int>[] && y)",      "[o is List<int>[]]-,1 [y]-,-"},

    /* constants are sorted */
    {"if (c is >= 'a' and <= 'z' or '_')", "*[c is >= 'a' and <= 'z' or '_']-,-"},
    {"if (c is (> 3 or < 1) and not 7)", "*[c is (> 3 or < 1) and not 7]-,-"},
    {"if (c is > 3 or < 1 or > 2)",     "*[c is > 3 or < 1 or > 2]-,-"},
    {"x = c is 'a' or 'b';",            "*[c is 'a' or 'b']-,-"},
    {"x = c is A.B or C;",              "*[c is A.B or C]-,-"},
    {"x = c is not 3 and not 5;",       "*[c is not 3 and not 5]-,-"},
    {"x = c is 'a';",                   ""},
    {"if (x is { } y && y > 3)",        "[x is { } y]-,1 [y > 3]-,-"},
    {"if (x is { A: 3 })",              "^[x]-,1 [A: 3]-,-"},
    {"if (x is not { A: > 1 and < 5 })", "^[x]-,1 [A: > 1]-,2 [< 5]-,-"},
    {"if (x is T { A: { B: null }, C: true } y)",
                                        "[T]-,1 ^[A]-,2 [B: null]-,3 [C: true]-,-"},
    {"if (a?.b is { A: 3 } && c)",      "~[a]-,- ^[a?.b]-,2 [A: 3]-,3 [c]-,-"},
    {"if (x is { A: 1 or 2 })",         "*[x is { A: 1 or 2 }]-,-"},
    {"if (x is { A: 1 } or { B: 2 })",  "*[x is { A: 1 } or { B: 2 }]-,-"},
    {"if (x is { A.B: 2 } && c)",       "*[x is { A.B: 2 }]-,1 [c]-,-"},
    {"if (x is (1, 2))",                "*[x is (1, 2)]-,-"},
    {"if (x is [1, 2])",                "*[x is [1, 2]]-,-"},
    {"if (x is [])",                    "*[x is []]-,-"},
    {"if (x is var y && z)",            "*[x is var y]-,1 [z]-,-"},
    {"if (x is > 3 and int)",           "*[x is > 3 and int]-,-"},
    {"if (F(a ? b : c) is T)",          "[a]-,- [F(a ? b : c) is T]-,-"},
    {"return x switch { 1 => a && b, _ => c };", ":[x]"},
    {"return x.Y(z) switch { _ => c } > 3 && b;", ":[x.Y(z)] [x.Y(z) switch { _ => c } > 3]-,2 [b]-,-"},
    {"return await x switch { 1 => a };", "?"},

    /* what only looks like a condition */
    {"x = \"a && b\" + y;",             ""},
    {"x = \"\\\"\" + (a ? @\"\"\"b\"\" ? :\" : '\\'');", "[a]-,-"},
    {"if (s == \"\"\"a \"b\" && \"\"\" && t)", "[s == \"\"\"a \"b\" && \"\"\"]-,1 [t]-,-"},
    {"if (s == '?' || t == ':')",       "[s == '?']1,- [t == ':']-,-"},
    {"x = $\"{a} {b:0.0}\" + (c ? 1 : 2);", "[c]-,-"},
    {"x = $\"{(a ? 1 : 2)}\";",         "?"},
    {"x = $@\"{a && b}\";",             "?"},
    {"if (a /* && b */ && c) // || d",  "[a]-,1 [c]-,-"},
    {"if (a\n    && b // no\n    || c)", "[a]2,1 [b]2,- [c]-,-"},
    {"if (a\n#if X\n && b\n#endif\n)",  "?"},
    {"if (@if && \xC3\xA4)",            "[@if]-,1 [\xC3\xA4]-,-"},
    {"typeof(T?).F(a ? b : c);",        "[a]-,-"},

    /* what is no statement */
    {"if (a",                           "?"},
    {"if (a))",                         "?"},
    {"a ? b",                           ""}, /* a type and a name */
    {"a && ",                           "?"},
    {") && b",                          "?"},
    {"a ? b : ",                        "?"},
    {"x is",                            "?"},
    {"{ a && b }",                      "[a]-,1 [b]-,-"},
};

/* The conditions of `for` loops. */
static const struct {
    const char *text, *expected;
} loops[] = {
    {"i < n",          "[i < n]-,-"},
    {"i < n && F(i)",  "[i < n]-,1 [F(i)]-,-"},
    {"!done",          "[!done]-,-"},
    {"i = 3",          "?"},
    {"return a",       "?"},
    {"F();",           "?"},
};
/* clang-format on */

static void describe(char *out, size_t room, const char *text, const struct text_conditions *found)
{
    size_t len = 0;
    (void)snprintf(out, room, "%s", found->is_known ? "" : "?");
    for (uint32_t i = 0; i < found->count; i++) {
        const struct text_condition *c = &found->items[i];
        char next[2][12] = {"-", "-"};
        for (int k = 0; k < 2; k++)
            if (c->next[k] != CONDITION_END)
                (void)snprintf(next[k], sizeof next[k], "%d", c->next[k]);
        bool is_switch = c->kind == CONDITION_SWITCH;
        int n = snprintf(out + len, room - len, "%s%s[%.*s]%s%s%s", i != 0 ? " " : "",
                         is_switch                      ? ":"
                         : c->kind == CONDITION_NULL    ? "~"
                         : c->kind == CONDITION_OBJECT  ? "^"
                         : c->kind == CONDITION_SEVERAL ? "*"
                                                        : "",
                         (int)(c->end - c->start), text + c->start, is_switch ? "" : next[0],
                         is_switch ? "" : ",", is_switch ? "" : next[1]);
        len += n > 0 && (size_t)n < room - len ? (size_t)n : 0;
    }
}

/* clang-format off */
static const struct {
    const char *text, *expected;
} basic[] = {
    {"If a Then",                       "[a]-,-"},
    {"If Not a = b Then",               "[a = b]-,-"},
    {"If a AndAlso Not (b OrElse c) Then", "[a]-,1 [b]2,- [c]-,-"},
    {"elseif a andalso b then",         "[a]-,1 [b]-,-"},
    {"While a OrElse b",                "[a]1,- [b]-,-"},
    {"Loop Until a <> b",               "[a <> b]-,-"},
    {"Catch e As E When a AndAlso b",   "[a]-,1 [b]-,-"},
    {"Return a AndAlso b = c",          "[a]-,1 [b = c]-,-"},
    {"x As Boolean = a OrElse b",       "[a]1,- [b]-,-"},
    {"x = a = b",                       ""},
    {"x = If(a, b, c)",                 "[a]-,-"},
    {"F(If(a, b), n:=If(c, d))",        "~[a]-,- ~[c]-,-"},
    {"If If(a, b, c) Then",             "[a]1,2 [c]-,- [b]-,-"},
    {"If TypeOf a Is T AndAlso b Then", "[TypeOf a Is T]-,1 [b]-,-"},
    {"If TypeOf a IsNot T OrElse b Then", "[TypeOf a IsNot T]1,- [b]-,-"},
    {"If a?.b Is Nothing Then",         "~[a]-,- [a?.b Is Nothing]-,-"},
    {"x = a?(0)",                       "~[a]-,-"},
    {"x = F(Function(n) n > 1 AndAlso a, b AndAlso c)", "[b]-,1 [c]-,-"},
    {"x = New T With {.A = a AndAlso b, .C = c}", "[a]-,1 [b]-,-"},
    {"x = $\"{a}\" & If(b, c, d)",      "[b]-,-"},
    {"x = $\"{If(a, b, c)}\"",          "?"},
    {"Select Case If(a, b, c)",         "[a]-,-"},
    {"x = Function(n) As Boolean",      "?"},
};
/* clang-format on */

static void check(const char *text, const char *expected, enum text_reading reading)
{
    char got[512];
    struct arena arena;
    struct text_conditions found;
    struct view copy = exact_copy((struct view){(const uint8_t *)text, strlen(text)});
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(conditions_find(&found, (struct str){(const char *)copy.data, copy.len}, reading,
                                (struct conditions_options){.joins = false}, &arena, NULL));
    describe(got, sizeof got, text, &found);
    if (strcmp(got, expected) != 0)
        fail_msg("%s: \"%s\" instead of \"%s\"", text, got, expected);
    arena_free(&arena);
    exact_free(copy);
}

static void conditions_are_those_that_were_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(statements); i++)
        check(statements[i].text, statements[i].expected, READ_STATEMENT);
}

static void the_condition_of_a_for_loop_is_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(loops); i++)
        check(loops[i].text, loops[i].expected, READ_LOOP);
}

static void those_of_visual_basic_are_read_as_csharp(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(basic); i++)
        check(basic[i].text, basic[i].expected, READ_BASIC);
    check("x = a AndAlso b", "[x = a]-,1 [b]-,-", READ_BASIC_VALUE);
}

/* Each condition lies within the text, and leads to a later one. */
static void every_truncation_is_read_or_refused(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
        for (size_t len = 0; len <= strlen(statements[i].text); len++) {
            struct text_conditions found;
            struct view copy = exact_copy((struct view){(const uint8_t *)statements[i].text, len});
            assert_true(conditions_find(
                &found, (struct str){(const char *)copy.data, len}, (enum text_reading)(len % 4),
                (struct conditions_options){len % 8 > 3, len % 16 > 7}, &arena, NULL));
            for (uint32_t c = 0; c < found.count; c++) {
                assert_true(found.items[c].start < found.items[c].end);
                assert_true(found.items[c].end <= len);
                for (int k = 0; k < 2; k++)
                    assert_true(found.items[c].next[k] == CONDITION_END ||
                                (found.items[c].next[k] > (int32_t)c &&
                                 found.items[c].next[k] < (int32_t)found.count));
            }
            exact_free(copy);
            arena_reset(&arena);
        }
    }
    arena_free(&arena);
}

/* Brackets in brackets, and tuples, which are read twice, end somewhere. */
static void what_is_nested_too_deep_is_not_understood(void **state)
{
    static const char *const nested[] = {
        "(", "(a, ", "!(", "a ? b : ", "F(", "x is not (", "[", "a ?? "};
    char text[4096];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(nested); i++) {
        size_t len = 0;
        while (len + 16 < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s", nested[i]);
        check(text, "?", false);
    }
}

static void more_conditions_than_are_compared_are_not_understood(void **state)
{
    char text[1024] = "x = a";
    (void)state;
    for (int i = 0; i < CONDITIONS_MAX; i++)
        (void)strcat(text, " && a");
    check(text, "?", false);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conditions_are_those_that_were_written),
    cmocka_unit_test(the_condition_of_a_for_loop_is_one),
    cmocka_unit_test(those_of_visual_basic_are_read_as_csharp),
    cmocka_unit_test(every_truncation_is_read_or_refused),
    cmocka_unit_test(what_is_nested_too_deep_is_not_understood),
    cmocka_unit_test(more_conditions_than_are_compared_are_not_understood),
};
UNIT_TESTS(tests);

/* test_statement_order.c - which statement comes after another one. In each text `S` begins the
 * statement, and `N` the next one; without an `N`, the text does not say. */
#include "coverage/source/statement_order.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"

/* clang-format off */
static const struct {
    const char *name, *text;
} cases[] = {
    {"the next line",                "{ S(); N(); }"},
    {"through else",                 "{ if (a) S(); else G(); N; }"},
    {"from else",                    "{ if (a) F(); else S(); N; }"},
    {"through a chain of else",      "{ if (a) S(); else if (b) { G(); } else { H(); if (c) I(); } N; }"},
    {"out of blocks",                "{ if (a) { { S(); } } else { G(); } N; }"},
    {"to the inner one",             "{ if (a) { S(); N; } else { G(); } H; }"},
    {"past the return of else",      "{ if (a) S(); else { G(); return; } N; }"},
    {"into a block",                 "{ if (a) S(); else G(); { N; } }"},
    {"past what is empty",           "{ if (a) S(); else G(); ; label: N; }"},
    {"past loops in else",           "{ if (a) S(); else for (;;) while (b) do F(); while (c); N; }"},
    {"past try in else",             "{ if (a) S(); else try { } catch (E e) when (e.F()) { } finally { } N; }"},
    {"past using and lock in else",  "{ if (a) S(); else using (x) lock (y) fixed (z) { } N; }"},
    {"past await in else",           "{ if (a) S(); else await foreach (var x in y) F(); N; }"},
    {"past lambdas in else",         "{ if (a) S(); else F(() => { G(); }, x[1]); N; }"},
    {"past a switch",                "{ S(); switch (x) { case 1: break; } N; }"},
    {"from the head of a switch",    "{ S; switch (x) { case 1: break; } }"},
    {"out of a loop",                "{ if (a) { foreach (var x in y) { S(); } } else F(); N; }"},
    {"out of a loop without braces", "{ if (a) while (b) S(); else F(); N; }"},
    {"out of a do loop",             "{ if (a) { do { S(); } while (b); } else F(); N; }"},
    {"the end of a try is not told", "{ try { S(); } finally { F(); } G(); }"},
    {"nor that of a method",         "void F() { S(); } int G() { }"},
    {"nor that of a lambda",         "{ F(() => { S(); }); G(); }"},
    {"nor is #if read",              "{ if (a) S(); else\n#if X\nG();\n#else\nH();\n#endif\nI(); }"},
    {"#if elsewhere does no harm",   "{\n#if X\nif (b) {\n#endif\n if (a) { S(); } else { G(); } N; }"},
    {"nor is nonsense",              "} ) ] S(); } else"},
    {"comments and strings",         "{ if (a) S(); /* else */ else G(\"}\" + '}'); // x\n N; }"},
};

/* The statement begins with `break`, whose place is at `S`. */
static const struct {
    const char *name, *text;
} breaks[] = {
    {"of a switch",            "{ switch (x) { case 1: F(); S; case 2: G(); break; } N; }"},
    {"of a section's if",      "{ switch (x) { case 1: if (a) S; else G(); break; } N; }"},
    {"of a section's else",    "{ switch (x) { case A.B when a ? b : c: if (a) F(); else S; break; } N; }"},
    {"of a loop",              "{ while (a) { F(); S; } N; }"},
    {"without braces",         "{ for (;;) if (a) F(); else if (b) S; else G(); N; }"},
    {"of the inner loop",      "{ while (a) { foreach (var x in y) S; N; } H(); }"},
    {"of a do loop",           "{ do { S; } while (a); N; }"},
    {"of a do loop without",   "{ do if (a) S; while (a); N; }"},
    {"in blocks",              "{ while (a) { lock (b) { { S; } } } N; }"},
    {"in a loop in else",      "{ if (a) F(); else while (b) { if (c) { S; } G(); } N; }"},
    {"of nothing",             "void F() { S; } void G() { }"},
};
/* clang-format on */

/* The text with `break` for the `S` of a break. */
static void compare(const char *name, const char *text, bool is_break, unsigned *wrong)
{
    char whole[256];
    struct arena arena;
    struct tokens tokens;
    uint32_t next = 0;
    const char *mark = strchr(text, 'S');
    assert_true(snprintf(whole, sizeof whole, "%.*s%s%s", (int)(mark - text), text,
                         is_break ? "break" : "S", mark + 1) < (int)sizeof whole);
    const char *start = whole + (mark - text), *expected = strchr(start, 'N');
    const char *end = strchr(start, ';');
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(tokens_find(&tokens, str_of(whole), LANGUAGE_CSHARP, &arena, NULL));
    bool is_known = statement_order_next(&next, &tokens, (uint32_t)(start - whole),
                                         (uint32_t)(end + 1 - whole));
    if (statement_order_is_break(&tokens, (uint32_t)(start - whole)) != is_break ||
        is_known != (expected != NULL) || (is_known && whole + next != expected)) {
        print_error("%s: `%s` is followed by `%s`\n", name, whole, is_known ? whole + next : "?");
        ++*wrong;
    }
    arena_free(&arena);
}

static void the_next_statement_is_found_or_none(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        compare(cases[i].name, cases[i].text, false, &wrong);
    assert_int_equal(wrong, 0);
}

static void a_break_leads_past_its_loop_or_switch(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(breaks); i++)
        compare(breaks[i].name, breaks[i].text, true, &wrong);
    assert_int_equal(wrong, 0);
}

/* Brackets and statements without braces, deeper than any that is followed. */
static void depth_is_bounded(void **state)
{
    static char text[1 << 20];
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        static const char *const unit[] = {"{", "if(a)", "("};
        struct arena arena;
        struct tokens tokens;
        size_t len = 0;
        uint32_t next;
        while (len + 8 < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s", unit[kind]);
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(tokens_find(&tokens, (struct str){text, len}, LANGUAGE_CSHARP, &arena, NULL));
        assert_false(statement_order_next(&next, &tokens, 1, 2));
        arena_free(&arena);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_next_statement_is_found_or_none),
    cmocka_unit_test(a_break_leads_past_its_loop_or_switch),
    cmocka_unit_test(depth_is_bounded),
};
UNIT_TESTS(tests);

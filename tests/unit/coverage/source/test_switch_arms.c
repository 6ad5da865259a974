/* test_switch_arms.c - the arms of a switch in its text: their labels and where their code
 * begins. */
#include "coverage/source/switch_arms.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* `expected`: per arm its label and, after a colon, its code from each place where that may
 * begin, of which only the first four bytes are compared; "?" if the switch is unknown. */
static const struct {
    const char *text; /* what is switched on ends at the first `|` */
    const char *expected;
} cases[] = {
    {"switch (n|) { case 1: F(); break; default: G(); break; }", "case 1:F();;default:G();"},
    {"switch (n|) { case 1: case 2: { F(); } break; }", "case 1: case 2:{ F(,F();"},
    {"switch (n|) { case 1: goto case 2; case 2: return c ? default : 1; default: break; }",
     "case 1:goto;case 2:retu;default:brea"},
    {"switch (n|) { case A ? 1 : 2: F(); break; }", "case A ? 1 : 2:F();"},
    {"switch (n|) { case ':': F(\"case 1: {\"); break; /* case 2: */ }", "case ':':F(\"c"},
    {"switch (n|) { case 1 when q: F(); break; }", "case 1 when q:when,q: F,F();"},
    {"switch (n|) { case 1: switch (m) { case 9: F(); break; } break; case 2: G(); }",
     "case 1:swit;case 2:G();"},
    {"switch (a, b|) { case (1, 2): F(); break; }", "case (1, 2):F();"},
    {"switch (a, b)|{ case (1, 2): F(); break; }", "case (1, 2):F();"},
    {"n| switch { 1 or 2 => F(a, b), \"x,y\" => G(), _ => 0 }", "1 or 2:F(a,;\"x,y\":G(),;_:0 }"},
    {"(n|) switch { 1 => x => x + 1, _ => (a, b) => a }", "1:x =>;_:(a, "},
    {"n| switch { 1 => F<int, string>(3), > 2 => 0, _ => a < b }", "1:F<in;> 2:0, _;_:a < "},
    {"n| switch { 1 => a < b, 2 => c > (d), _ => 0, }", "1:a < ;2:c > ;_:0, }"},
    {"n| switch { { X: 1, Y: 2 } => 0, (1, _) when a && b => 1, _ => 2 }",
     "{ X: 1, Y: 2 }:0, (;(1, _) when a && b:when,a &&,1, _;_:2 }"},
    {"n| switch { D<int, int> d => 0, _ => 1 }", "?"},
    {"n| switch { 1 => 0, _ => 1", "?"},
    {"n| switch { 1 => 0, => 1 }", "?"},
    {"switch (n|) { case 1: F(); break;\n#if X\n case 2: break;\n#endif\n }", "?"},
    {"switch (n|) { case '}': F(\"}\"); /* } */ break; default: G(); }",
     "case '}':F(\"};default:G();"},
    {"switch (n|) { }", "?"},
    {"switch (n|) F();", "?"},
    {"if (n|) { F(); }", "?"},
    {"switch (n|) { case 1; }", "?"},
    {"switch (n|) { case 1: }", "?"},
};

static bool read(struct switch_arms *arms, struct str *text, const char *source)
{
    size_t end = (size_t)(strchr(source, '|') - source);
    char *copy = ARENA_NEW(&arena, char, strlen(source) + 1, NULL);
    assert_non_null(copy);
    memcpy(copy, source, end);
    strcpy(copy + end, source + end + 1);
    *text = str_of(copy);
    const char *open = strchr(source, '('); /* the value is what `switch` or the text begins with */
    bool is_statement = strncmp(source, "switch", 6) == 0 && open != NULL && open < source + end;
    uint32_t start = is_statement ? (uint32_t)(open - source) + 1 : 0;
    struct tokens tokens;
    return tokens_find(&tokens, *text, LANGUAGE_CSHARP, &arena, NULL) &&
           switch_arms_find(arms, &tokens, start, (uint32_t)end, &arena, NULL);
}

static struct str shown(const struct switch_arms *arms, struct str source)
{
    struct str out;
    struct text text = text_in(&arena);
    if (!arms->is_known)
        text_add_c(&text, "?");
    for (uint32_t i = 0; i < arms->count; i++) {
        const struct switch_arm *arm = &arms->items[i];
        text_addf(&text, "%s%.*s:", i == 0 ? "" : ";", (int)(arm->label_end - arm->label_start),
                  source.text + arm->label_start);
        for (uint32_t k = 0; k < arm->start_count; k++)
            text_addf(&text, "%s%.4s", k == 0 ? "" : ",", source.text + arm->starts[k]);
    }
    assert_true(text_take(&out, &text, NULL));
    return out;
}

static void arms_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct switch_arms arms;
        struct str source;
        assert_true(read(&arms, &source, cases[i].text));
        assert_str(shown(&arms, source), cases[i].expected);
    }
}

static void what_an_arm_does_is_known(void **state)
{
    struct switch_arms arms;
    struct str source;
    (void)state;
    assert_true(read(&arms, &source,
                     "switch (n|) { case 1: { break; } case 2: break; case 3: F(); "
                     "break; case 4: { F(); break; } default: { } break; }"));
    static const bool breaks[] = {true, true, false, false, false};
    assert_int_equal(arms.count, ARRAY_LEN(breaks));
    for (size_t i = 0; i < ARRAY_LEN(breaks); i++)
        assert_int_equal(arms.items[i].breaks, breaks[i]);
    assert_true(arms.has_default && !arms.is_expression);
    assert_true(read(&arms, &source, "n| switch { 1 when q => throw e, _ => 0 }"));
    assert_true(arms.is_expression && arms.items[0].throws && !arms.items[1].throws);
    assert_true(arms.items[0].has_guard && !arms.items[1].has_guard);
    assert_true(read(&arms, &source, "switch (n|) { case 1: case 2 when q: F(); break; }"));
    assert_true(arms.items[0].has_several && arms.items[0].has_guard && !arms.has_default);
}

/* From an arm's code to its switch, and not to one around it. "...": the value is not known. */
static void switch_around_code_is_found(void **state)
{
    static const struct {
        const char *text, *subject; /* the code begins at the `|`, which is part of it */
    } around[] = {
        {"void M() { switch (n) { case 1: |F(); break; } }", "switch (n)"},
        {"switch (a + (b)) { case 1: { |F(); break; } }", "switch (a + (b))"},
        {"switch (a) { case 1: switch (b) { case 2: |F(); break; } break; }", "switch (b)"},
        {"switch (a) { case 1: if (b) { |F(); } break; }", "switch (a)"},
        {"switch (a) { case 1: F(|x); break; }", ""},
        {"if (a) { |F(); }", ""},
        {"|F();", ""},
        {"switch ((a, b)) { case (1, 2): |F(); break; }", "switch ((a, b))"},
        {"return a.b(c)[0] switch { 1 => |F(), _ => 0 };", "a.b(c)[0] switch"},
        {"F(x, (a, b) switch { (1, 2) => |F(), _ => 0 });", "(a, b) switch"},
        {"r = a switch { 1 => b switch { 2 => |F(), _ => 1 }, _ => 0 };", "b switch"},
        /* what belongs to the value is not certain */
        {"r = -a switch { 1 => |F(), _ => 0 };", "..."},
        {"r = (A)a switch { 1 => |F(), _ => 0 };", "..."},
        {"r = await a switch { 1 => |F(), _ => 0 };", "..."},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(around); i++) {
        struct switch_arms arms;
        const char *text = around[i].text;
        struct tokens tokens;
        assert_true(tokens_find(&tokens, str_of(text), LANGUAGE_CSHARP, &arena, NULL));
        assert_true(
            switch_arms_around(&arms, &tokens, (uint32_t)(strchr(text, '|') - text), &arena, NULL));
        struct str subject = {text + arms.subject_start, arms.subject_end - arms.subject_start};
        bool has_arms = arms.is_known;
        assert_str(has_arms && subject.len == 0 ? STR("...") : subject, around[i].subject);
    }
}

/* Any prefix of a switch is read without harm; none but the whole is known. */
static void truncated_text_is_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t end = (size_t)(strchr(cases[i].text, '|') - cases[i].text);
        size_t len = strlen(cases[i].text) - 1;
        for (size_t cut = end; cut < len; cut++) {
            struct switch_arms arms;
            struct tokens tokens;
            struct view copy = exact_unmarked(&end, cases[i].text, cut + 1, '|');
            assert_int_equal(copy.len, cut);
            assert_true(tokens_find(&tokens, exact_text(copy), LANGUAGE_CSHARP, &arena, NULL) &&
                        switch_arms_find(&arms, &tokens, 0, (uint32_t)end, &arena, NULL));
            assert_false(arms.is_known);
            exact_free(copy);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arms_are_found),
    cmocka_unit_test(what_an_arm_does_is_known),
    cmocka_unit_test(switch_around_code_is_found),
    cmocka_unit_test(truncated_text_is_unknown),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

/* test_tokens.c - which brackets of C# belong together, and what stands in which. */
#include "coverage/source/tokens.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static struct tokens read(const char *text)
{
    struct tokens tokens;
    assert_true(tokens_find(&tokens, str_of(text), LANGUAGE_CSHARP, &arena, NULL));
    return tokens;
}

/* Below each bracket the number of its pair, `#` if a directive is within it, `!` if it is in
 * none. */
static void brackets_have_the_partner_that_they_enclose_with(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"f(a[1]) { }", ".1.2.21.3.3"},
        {"(\")\" + ')')", "1.........1"},
        {"( /* ) */ )", "1.........1"},
        {"( ]", "!.!"},
        {"{ ( }", "!.!.!"},
        {"( ) )", "1.1.!"},
        {"{ { }", "!.1.1"},
        {"{\n#if A\n} ( )", "#.......#.2.2"},
        {"{ } \n#if A\n{ }", "1.1........2.2"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct tokens tokens = read(cases[i].text);
        char found[32] = "", pairs = 0;
        memset(found, '.', strlen(cases[i].text));
        for (uint32_t n = 0; n < tokens.count; n++) {
            const struct token *token = &tokens.items[n];
            if (!token_opens(token->kind) && !token_closes(token->kind))
                continue;
            bool closes = token->partner != NO_INDEX && token->partner < n;
            pairs = (char)(pairs + (token->partner != NO_INDEX && !closes));
            found[token->start] = token->partner == NO_INDEX               ? '!'
                                  : tokens_partner(&tokens, n) == NO_INDEX ? '#'
                                  : closes ? found[tokens.items[token->partner].start]
                                           : (char)('0' + pairs);
            assert_true(token->partner == NO_INDEX || tokens.items[token->partner].partner == n);
        }
        assert_string_equal(found, cases[i].expected);
    }
}

static void a_token_knows_the_innermost_bracket_around_it(void **state)
{
    struct tokens tokens = read("a { b ( c ) d } e");
    static const uint32_t around[] = {NO_INDEX, NO_INDEX, 1, 1, 3, 1, 1, NO_INDEX, NO_INDEX};
    (void)state;
    assert_int_equal(tokens.count, ARRAY_LEN(around));
    for (uint32_t i = 0; i < tokens.count; i++)
        assert_int_equal(tokens.items[i].around, around[i]);
}

static void past_a_bracket_is_known_without_directives_alone(void **state)
{
    struct tokens tokens = read("( a ) { \n#if B\n }");
    (void)state;
    assert_int_equal(tokens_past(&tokens, 0), 3);
    assert_int_equal(tokens_past(&tokens, 1), NO_INDEX); /* not a bracket */
    assert_int_equal(tokens_past(&tokens, 2), NO_INDEX); /* it closes */
    assert_int_equal(tokens_past(&tokens, 3), NO_INDEX);
    assert_int_equal(tokens_past(&tokens, NO_INDEX), NO_INDEX);
}

static void the_colon_of_a_label_is_none_of_a_condition(void **state)
{
    struct tokens tokens = read("case a ? 1 : F(b ? 2 : 3): default: x");
    (void)state;
    uint32_t end = tokens_label_end(&tokens, 0);
    assert_true(tokens_is_label(&tokens, 0) && tokens_is_label(&tokens, end + 1));
    assert_int_equal(tokens_label_end(&tokens, end + 1), end + 2);
    assert_false(tokens_is_label(&tokens, end + 3));
    assert_int_equal(tokens_label_end(&tokens, end + 3), NO_INDEX);
}

static void a_token_is_one_of_several_words(void **state)
{
    struct tokens tokens = read("for (@for forward \"for\"");
    (void)state;
    assert_true(tokens_is(&tokens, 0, "for") && tokens_is(&tokens, 0, "while for do"));
    assert_false(tokens_is(&tokens, 0, "fo or forward"));
    for (uint32_t i = 1; i < 6; i++) /* and past the last one */
        assert_false(tokens_is(&tokens, i, "while for do"));
}

static void tokens_are_found_by_their_place(void **state)
{
    struct tokens tokens = read(" ab  c ");
    (void)state;
    assert_int_equal(tokens_from(&tokens, 0), 0);
    assert_int_equal(tokens_from(&tokens, 1), 0);
    assert_int_equal(tokens_from(&tokens, 2), 1);
    assert_int_equal(tokens_from(&tokens, 6), 2);
}

/* A date is one; a directive is none. */
static void a_date_of_visual_basic_is_a_literal(void **state)
{
    static const char text[] = "Case #1/1/2000 10:30:00#\n#If A Then #\n#1/1/2000\n#";
    struct tokens tokens;
    (void)state;
    assert_true(tokens_find(&tokens, STR(text), LANGUAGE_VISUAL_BASIC, &arena, NULL));
    assert_true(tokens.items[1].kind == TOKEN_LITERAL &&
                tokens_is_sign(&tokens, 1, "#1/1/2000 10:30:00#"));
    assert_true(tokens_is_directive(&tokens, 2) && tokens_is(&tokens, 3, "If"));
    assert_true(tokens_is_directive(&tokens, 6) && tokens_is_directive(&tokens, 7));
    assert_int_equal(tokens.items[8].kind, TOKEN_NUMBER);
}

/* Of Visual Basic, where case does not matter. */
static void a_word_of_visual_basic_has_any_case(void **state)
{
    struct tokens tokens = read("SeLeCt case n");
    (void)state;
    assert_true(tokens_is_basic(&tokens, 0, "end select") &&
                tokens_is_basic(&tokens, 1, "case else"));
    assert_false(tokens_is_basic(&tokens, 0, "sel cases") || tokens_is_basic(&tokens, 3, "n"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(brackets_have_the_partner_that_they_enclose_with),
    cmocka_unit_test(a_token_knows_the_innermost_bracket_around_it),
    cmocka_unit_test(past_a_bracket_is_known_without_directives_alone),
    cmocka_unit_test(the_colon_of_a_label_is_none_of_a_condition),
    cmocka_unit_test(a_token_is_one_of_several_words),
    cmocka_unit_test(tokens_are_found_by_their_place),
    cmocka_unit_test(a_date_of_visual_basic_is_a_literal),
    cmocka_unit_test(a_word_of_visual_basic_has_any_case),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

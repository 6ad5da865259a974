/* test_condition_meaning.c - the relation that the text of a condition asks for is the one that C#
 * gives it, or none is said. `!` before the name of a relation: the opposite of it. */
#include "coverage/source/condition_meaning.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* clang-format off */
static const char *const names[] = {
    [RELATION_UNKNOWN] = "?", [RELATION_TRUTH] = "truth", [RELATION_EQUAL] = "==", [RELATION_LESS] = "<",
    [RELATION_LESS_EQUAL] = "<=", [RELATION_GREATER] = ">", [RELATION_GREATER_EQUAL] = ">=",
    [RELATION_BITS] = "bits", [RELATION_NULL] = "null", [RELATION_OBJECT] = "object",
    [RELATION_TYPE] = "type", [RELATION_NAME] = "name", [RELATION_CONSTANT] = "constant",
};

static const struct {
    const char *text, *expected;
} expressions[] = {
    {"a", "truth"},
    {"!a", "!truth"},
    {"!!a", "truth"},
    {"(a)", "truth"},
    {"!(a)", "!truth"},
    {"!((!a))", "truth"},
    {"a.B(c, d)[e].F<int>(x > 3)", "truth"},
    {"a!.B", "truth"},
    {"await F(x)", "truth"},
    {"(bool)o", "truth"},
    {"a?.B(c)", "truth"},
    {"a == b", "=="},
    {"a != b", "!=="},
    {"!(a != b)", "=="},
    {"!(a == b)", "!=="},
    {"ReferenceEquals(a, b)", "=="},
    {"!object.ReferenceEquals(a, b)", "!=="},
    {"a == b == c", "=="},
    {"a < b", "<"},
    {"a <= b", "<="},
    {"a > b", ">"},
    {"a >= b", ">="},
    {"!(a >= b)", "!>="},
    {"checked(a + b) > c", ">"},
    {"checked(a > b)", ">"},
    {"-a < -b", "<"},
    {"a + b * c > d % 2", ">"},
    {"a >> 2 >= b", ">="},
    {"a >>> 2 < b", "?"},
    {"F<int>(a)", "truth"},
    {"F<int>(a) == b", "=="},
    {"F<int>(a) > b", "?"}, /* which sign is which? */
    {"(a < b) == false", "!<"},
    {"true == a", "truth"},
    {"!a == false", "truth"},
    {"!a != true", "truth"},
    {"!a is true", "!truth"},
    {"a is not true", "!truth"},
    {"(a == b) is false", "!=="},
    {"a & b", "bits"},
    {"a | b & c", "bits"},
    {"!(a ^ b)", "!bits"},
    {"(a & 1) != 0", "!=="},
    {"a == b & c", "bits"},
    {"F(&a)", "truth"},
    {"a is null", "null"},
    {"a is not null", "!null"},
    {"a is not (null)", "!null"},
    {"!(a is not null)", "null"},
    {"a is { }", "object"},
    {"a is { } b", "object"},
    {"a is not { }", "!object"},
    {"a is { Length: 3 }", "?"},
    {"a is string", "type"},
    {"a is string s", "type"},
    {"a is not string", "!type"},
    {"a is T t", "type"},
    {"a is A.B t", "type"},
    {"a is List<int>", "type"},
    {"a is List<int> l", "type"},
    {"a is int[]", "type"},
    {"a is T", "name"},
    {"a is not A.B", "!name"},
    {"a is 3", "constant"},
    {"a is -3", "constant"},
    {"a is not 3", "!constant"},
    {"a is \"x\"", "constant"},
    {"a is > 3", ">"},
    {"a is not <= 3", "!<="},
    {"a is 3 or 4", "?"},
    {"a is var b", "?"},
    {"a is [1, 2]", "?"},
    {"a = b", "?"},
    {"(a = b)", "?"},
    {"(a = F()) != null", "!=="},
    {"a ? b : c", "?"},
    {"a ?? b", "?"},
    {"a switch { 1 => true, _ => false }", "?"},
    {"a && b", "bits"},
    {"a || b", "bits"},
    {"a == b is true", "?"},
    {"a + b", "?"},
    {"x => x > 3", "?"},
    {"$\"{a}\" == b", "=="},
    {"\"a > b\" != c", "!=="},
    {"", "?"},
    {"!", "?"},
    {"(", "?"},
    {")", "?"},
};

static const struct {
    const char *text, *expected;
} patterns[] = {
    {"null", "null"}, {"not null", "!null"}, {"> 3", ">"}, {"not > 3", "!>"}, {"3", "constant"},
    {"(3)", "constant"}, {"not (not 3)", "constant"}, {"string s", "type"}, {"T", "name"},
    {"{ }", "object"}, {"true", "?"}, {"var x", "?"}, {"", "?"}, {"not", "?"},
};
/* clang-format on */

static struct condition_meaning meaning_of(struct str text, bool is_pattern)
{
    struct tokens tokens;
    assert_true(tokens_find(&tokens, text, LANGUAGE_CSHARP, &arena, NULL));
    return condition_meaning_of(&tokens, 0, tokens.count, is_pattern);
}

static void expect(const char *text, const char *expected, bool is_pattern)
{
    struct condition_meaning meaning = meaning_of(str_of(text), is_pattern);
    char said[32];
    bool negated = meaning.negated && meaning.relation != RELATION_UNKNOWN;
    (void)snprintf(said, sizeof said, "%s%s", negated ? "!" : "", names[meaning.relation]);
    if (strcmp(said, expected) != 0)
        fail_msg("%s: %s instead of %s", text, said, expected);
}

static void relation_is_that_of_the_loosest_operator(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expressions); i++)
        expect(expressions[i].text, expressions[i].expected, false);
}

static void patterns_are_read_without_what_they_are_about(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
        expect(patterns[i].text, patterns[i].expected, true);
}

static void literals_are_zero_or_true(void **state)
{
    static const struct {
        const char *text;
        enum condition_literal left, right;
    } cases[] = {
        {"a == null", LITERAL_NONE, LITERAL_ZERO},    {"null != a", LITERAL_ZERO, LITERAL_NONE},
        {"a > 0", LITERAL_NONE, LITERAL_ZERO},        {"0UL < a", LITERAL_ZERO, LITERAL_NONE},
        {"a == '\\0'", LITERAL_NONE, LITERAL_ZERO},   {"a == 0.0", LITERAL_NONE, LITERAL_NONE},
        {"a == (0)", LITERAL_NONE, LITERAL_ZERO},     {"a == 10", LITERAL_NONE, LITERAL_NONE},
        {"a == default", LITERAL_NONE, LITERAL_ZERO}, {"a == Zero", LITERAL_NONE, LITERAL_NONE},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct condition_meaning meaning = meaning_of(str_of(cases[i].text), false);
        assert_int_equal(meaning.left, cases[i].left);
        assert_int_equal(meaning.right, cases[i].right);
    }
}

/* Whatever the text, nothing is read past it. */
static void every_part_of_a_text_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expressions); i++) {
        size_t len = strlen(expressions[i].text);
        for (size_t first = 0; first <= len; first++)
            for (int is_pattern = 0; is_pattern < 2; is_pattern++) {
                struct view part =
                    exact_copy((struct view){(const uint8_t *)expressions[i].text, len - first});
                (void)meaning_of(exact_text(part), is_pattern != 0);
                exact_free(part);
            }
    }
}

/* What stands before and after a condition in its statement is none of it. */
static void a_part_of_a_statement_is_read_alone(void **state)
{
    struct tokens tokens;
    (void)state;
    assert_true(
        tokens_find(&tokens, STR("if (!(a == b) && F(c) is > 3)"), LANGUAGE_CSHARP, &arena, NULL));
    struct condition_meaning first = condition_meaning_of(&tokens, 4, 7, false);
    struct condition_meaning negated = condition_meaning_of(&tokens, 2, 8, false);
    struct condition_meaning last = condition_meaning_of(&tokens, 9, 16, false);
    assert_true(first.relation == RELATION_EQUAL && !first.negated);
    assert_true(negated.relation == RELATION_EQUAL && negated.negated);
    assert_true(last.relation == RELATION_GREATER && !last.negated);
}

static void an_order_and_its_complement_are_two(void **state)
{
    (void)state;
    assert_int_equal(relation_complement(RELATION_LESS), RELATION_GREATER_EQUAL);
    assert_int_equal(relation_complement(RELATION_GREATER_EQUAL), RELATION_LESS);
    assert_int_equal(relation_complement(RELATION_GREATER), RELATION_LESS_EQUAL);
    assert_int_equal(relation_complement(RELATION_LESS_EQUAL), RELATION_GREATER);
    assert_true(relation_is_order(RELATION_LESS) && relation_is_order(RELATION_LESS_EQUAL));
    assert_false(relation_is_order(RELATION_EQUAL) || relation_is_order(RELATION_BITS));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(relation_is_that_of_the_loosest_operator),
    cmocka_unit_test(patterns_are_read_without_what_they_are_about),
    cmocka_unit_test(literals_are_zero_or_true),
    cmocka_unit_test(every_part_of_a_text_can_be_read),
    cmocka_unit_test(a_part_of_a_statement_is_read_alone),
    cmocka_unit_test(an_order_and_its_complement_are_two),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

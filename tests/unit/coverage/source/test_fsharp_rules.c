/* test_fsharp_rules.c - the pattern and guard before the code of an F# rule; none where it is not
 * certain that the code is that of a rule. */
#include "coverage/source/fsharp_rules.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* The code begins at the `@`, which is not part of the text; after a `/` the column of the rule. */
static const struct {
    const char *text, *expected;
} cases[] = {
    {"match n with\n| 1 -> a\n| 2 -> @b", "2/1"},
    {"match n with\n| 1 -> @a\n| 2 -> b", "1/1"},
    {"match n with\n    | 1 | 2 -> a\n    | 3\n    | 4 -> @b", "3\n    | 4/5"},
    {"match n with 1 -> a | 2 -> @b", "2/0"},
    {"match n with 1 -> @a | 2 -> b", "1/0"},
    {"match n with 1 | 2 -> @a | 3 -> b", "1 | 2/0"},
    {"function 1 | 2 -> @a", "1 | 2/0 function"},
    {"match n with\n| Some x when x > 0 && (f x) -> @a", "Some x when x > 0 && (f x)/1"},
    {"match a, b with\n| 1, [| _; 2 |] -> @a", "1, [| _; 2 |]/1"},
    {"match n with\n| { X = 1 } | {| Y = 2 |} -> @a", "{ X = 1 } | {| Y = 2 |}/1"},
    {"match s with\n| \"a|b -> c\" -> @a", "\"a|b -> c\"/1"},
    {"match c with\n| '|' -> @a", "'|'/1"},
    {"match n with\n| ``a -> b`` -> @a", "``a -> b``/1"},
    {"match n with\n| 1 -> x ||| y\n| 2 -> @b", "2/1"},
    {"match n with\n| 1 -> if c then a else b\n| 2 | 3 -> @b", "2 | 3/1"},
    {"match n with\n| 1 -> (match q with | true -> a | false -> b)\n| 2 -> @b", "2/1"},
    {"match n with\n| 1 ->\n    match q with\n    | true -> a\n    | false -> b\n| 2 -> @c", "2/1"},
    {"match n with\n| 1 -> (match q with true -> @a | false -> b)", "true/0"},
    {"match n with\n| 1 (* | 7 -> *) -> // | 8 ->\n    @a", "1/1"},
    {"function\n| 1 -> @a", "1/1 function"},
    {"function 1 -> @a | 2 -> b", "1/0 function"},
    {"function\n| 1 -> a\n| 2 -> @b", "2/1"},
    {"try f () with\n| :? E as e -> @a", ":? E as e/1"},
    /* the code goes straight on to the place */
    {"match n with\n| 1 -> (@a)", "1/1"},
    {"match n with\n| 1 ->\n    let y = @f 1\n    y", "1/1"},
    {"match n with\n| 1 ->\n    do! @f 1", "1/1"},
    /* it does not, or there may have been another way to it */
    {"match n with\n| 1 -> if c then @a else b", ""},
    {"match n with\n| 1 -> match q with true -> a | _ -> b; @c", ""},
    {"match n with\n| 1 ->\n    match q with\n    | true -> a\n    | false -> b\n    @c", ""},
    {"match n with\n| 1 -> a\n| 2 -> b\n@c", ""},
    {"match n with 1 -> a | 2 -> b\n@c", ""},
    {"match n with\n| 1 -> a; @b", ""},
    {"match n with\n| 1 when @q -> a", ""},
    {"match @n with\n| 1 -> a", ""},
    {"fun x -> @a", ""},
    {"[ for x in xs -> @a ]", ""},
    {"match n with\n#if X\n| 1\n#endif\n| 2 -> @a", ""},
    {"| 1 -> @a", ""},
    {"f (-> @a)", ""},
    {"@a", ""},
};

static struct str read(const char *source, size_t len)
{
    struct str shown;
    struct tokens tokens;
    struct fsharp_rule rule;
    size_t place = 0;
    struct view copy = exact_unmarked(&place, source, len, '@');
    struct str code = exact_text(copy);
    assert_true(tokens_find(&tokens, code, LANGUAGE_FSHARP, &arena, NULL));
    struct text text = text_in(&arena);
    if (fsharp_rule_before(&rule, &tokens, (uint32_t)place)) {
        assert_true(rule.start < rule.end && rule.end < place);
        text_addf(&text, "%.*s/%u", (int)(rule.end - rule.start), code.text + rule.start,
                  rule.column);
    }
    if (rule.function_end != 0) {
        assert_true(rule.function_start < rule.function_end && rule.function_end <= place);
        text_addf(&text, " %.*s", (int)(rule.function_end - rule.function_start),
                  code.text + rule.function_start);
    }
    assert_true(text_take(&shown, &text, NULL));
    exact_free(copy);
    return shown;
}

static void rules_are_found_from_their_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str(read(cases[i].text, strlen(cases[i].text)), cases[i].expected);
}

/* Where it is cut, the code begins; what follows the place decides nothing. */
static void what_follows_the_code_decides_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t len = strlen(cases[i].text);
             len > (size_t)(strchr(cases[i].text, '@') - cases[i].text) + 1; len--)
            assert_str(read(cases[i].text, len), cases[i].expected);
}

/* ... and what is found lies before the code: `read` looks. */
static void any_part_of_a_text_is_read_without_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t len = strlen(cases[i].text); len-- != 0;) {
            assert_non_null(read(cases[i].text, len).text);
            assert_non_null(read(cases[i].text + len, strlen(cases[i].text) - len).text);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_are_found_from_their_code),
    cmocka_unit_test(what_follows_the_code_decides_nothing),
    cmocka_unit_test(any_part_of_a_text_is_read_without_harm),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

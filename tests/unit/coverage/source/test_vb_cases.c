/* test_vb_cases.c - the arms of a Select Case of Visual Basic in its text: their labels and where
 * they begin. */
#include "coverage/source/vb_cases.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* The head ends at the `@`, which is not part of the text. `expected`: per arm its label, its code
 * from each place where that may begin after the label, of which only the first three bytes are
 * compared, and a `!` if it does nothing; "?" if they are unknown. */
static const struct {
    const char *text, *expected;
} cases[] = {
    {"Select Case n@\nCase 1\nF()\nCase 2, 3 To 4, Is > 7\nG()\nH()\nEnd Select",
     "Case 1:F();Case 2, 3 To 4, Is > 7:G()"},
    {"select case n@\n  case 1 : F()\n  CASE ELSE : G()\nEnd SELECT", "case 1:F();CASE ELSE:G()"},
    {"Select Case n@ ' Case 7\n' Case 8\nCase 1 ' Case 9\n  ' more\n  F() ' End Select\nEnd Select",
     "Case 1:F()"},
    {"Select Case s@\nCase \"a: Case 2\", \"' \"\"\"\nF()\nEnd Select",
     "Case \"a: Case 2\", \"' \"\"\":F()"},
    {"Select Case n@\nCase 1,\n  2, _\n  3\nF()\nEnd Select", "Case 1,\n  2, _\n  3:F()"},
    {"Select Case n@\nCase F(\n  1)\nF()\nEnd Select", "Case F(\n  1):F()"},
    {"Select Case d@\nCase #1/1/2000 1:00:00#\nF()\nEnd Select", "Case #1/1/2000 1:00:00#:F()"},
    {"Select Case n@\nCase 1\nSelect Case m\nCase 2\nF()\nEnd Select\nCase 3\nG()\nEnd Select",
     "Case 1:Sel;Case 3:G()"},
    {"Select Case n@\nCase 1\nCase 2\nExit Select\nCase 3\nF()\nExit Select\nEnd Select",
     "Case 1:!;Case 2:Exi!;Case 3:F()"},
    {"Select Case n@\nCase 1\nDim c = Caser\nDim q = From x In xs\nSelect x\nEnd Select\n'",
     "Case 1:Dim"},
    {"Select Case n@\nCase 1\nF(a:=2)\nEnd Select", "Case 1:F(a"},
    {"Select Case n@\r\nCase 1\r\nF()\r\nEnd Select\r\n", "Case 1:F()"},
    {"Select Case n@\n#If X\nCase 1\n#End If\nF()\nEnd Select", "?"},
    {"Select Case n@\nCase 1\nF()\n", "?"},
    {"Select Case n@\nEnd Select", "?"},
    {"If n@ Then\nCase 1\nF()\nEnd Select", "?"},
};

static void find(struct switch_arms *arms, struct str text, size_t end)
{
    struct tokens tokens;
    assert_true(tokens_find(&tokens, text, LANGUAGE_VISUAL_BASIC, &arena, NULL) &&
                vb_cases_find(arms, &tokens, 0, (uint32_t)end, &arena, NULL));
}

static struct str read(const char *source, size_t len)
{
    struct str shown;
    struct switch_arms arms;
    size_t end = 0;
    struct view copy = exact_unmarked(&end, source, len, '@');
    struct str code = exact_text(copy);
    find(&arms, code, end);
    struct text text = text_in(&arena);
    if (!arms.is_known)
        text_add_c(&text, "?");
    for (uint32_t i = 0; i < arms.count; i++) {
        const struct switch_arm *arm = &arms.items[i];
        assert_int_equal(arm->starts[0], arm->label_start);
        text_addf(&text, "%s%.*s:", i == 0 ? "" : ";", (int)(arm->label_end - arm->label_start),
                  code.text + arm->label_start);
        for (uint32_t k = 1; k < arm->start_count; k++)
            text_addf(&text, "%.3s", code.text + arm->starts[k]);
        text_add_c(&text, arm->breaks ? "!" : "");
    }
    assert_true(text_take(&shown, &text, NULL));
    exact_free(copy);
    return shown;
}

static void arms_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str(read(cases[i].text, strlen(cases[i].text)), cases[i].expected);
}

/* None but the whole is known. */
static void truncated_text_is_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t len = strlen(cases[i].text); /* of all but the last `End Select` and what follows */
        while (len != 0 && memcmp(cases[i].text + len - 1, "\nE", 2) != 0)
            len--;
        for (; *cases[i].expected != '?' && len != 0; len--)
            assert_str(read(cases[i].text, len), "?");
    }
}

/* `Case Else`, of the outer one. */
static void else_is_the_default(void **state)
{
    struct switch_arms arms;
    (void)state;
    find(&arms, STR("Select Case n\nCase 1\nSelect Case m\nCase Else\nF()\nEnd Select\nEnd Select"),
         13);
    assert_true(arms.is_known && !arms.has_default);
    find(&arms, STR("Select Case n\nCase 1\nCase Else\nEnd Select"), 13);
    assert_true(arms.is_known && arms.has_default);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arms_are_found),
    cmocka_unit_test(truncated_text_is_unknown),
    cmocka_unit_test(else_is_the_default),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

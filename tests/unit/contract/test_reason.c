/* test_reason.c - reasons: their texts, which are alike, and the list in docs/data-file.md. */
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/reasons.h"

static void subject_and_remark_are_in_the_text(void **state)
{
    (void)state;
    assert_reason(NULL, "");
    assert_reason(reason_of(REASON_EXCLUDED), "excluded by -x");
    assert_reason(ERROR_REASON("not a DLL"), "not a DLL");
    assert_reason(ATTRIBUTE_REASON("Obsolete"), "[Obsolete]");
    assert_reason(COMMENT_REASON("why"), "ilcov:ignore: why");
    assert_reason(reason_intern(REASON_ATTRIBUTE, STR("Obsolete"), STR("old")), "[Obsolete]: old");
    assert_reason(reason_of_verdict(VERDICT_DECLINED_STACK),
                  "the evaluation stack does not balance");
}

static void no_other_number_is_a_reason(void **state)
{
    static const uint32_t numbers[] = {REASON_NONE, 90, 99, REASON_CODE_END, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        assert_false(reason_is_known(numbers[i]));
    assert_true(reason_is_known(REASON_AUTO_PROPERTY));
    assert_true(reason_is_known(REASON_VERDICT + VERDICT_DECLINED_STACK));
}

static void order_is_that_of_numbers_whatever_the_texts(void **state)
{
    (void)state;
    assert_int_equal(reason_order(NULL, NULL), 0);
    assert_true(reason_order(NULL, reason_of(REASON_AUTO_PROPERTY)) < 0);
    for (uint32_t code = 2; code <= REASON_ERROR; code++)
        assert_true(reason_order(reason_of((enum reason_code)(code - 1)),
                                 reason_of((enum reason_code)code)) < 0);
    assert_true(reason_order(ERROR_REASON("a"), ERROR_REASON("b")) < 0);
    assert_true(reason_order(COMMENT_REASON("b"), COMMENT_REASON("a")) > 0);
    assert_true(reason_eq(COMMENT_REASON("a"), COMMENT_REASON("a")));
}

static void remark_makes_no_other_kind(void **state)
{
    (void)state;
    assert_true(reason_same_kind(COMMENT_REASON("a"), COMMENT_REASON("b")));
    assert_false(reason_same_kind(ATTRIBUTE_REASON("A"), ATTRIBUTE_REASON("B")));
    assert_false(reason_same_kind(reason_of(REASON_NO_PDB), reason_of(REASON_NO_PDB_BESIDE)));
}

static void brief_text_follows_lines_that_are_excluded(void **state)
{
    static const struct {
        enum reason_code code;
        const char *text;
    } cases[] = {
        {REASON_AUTO_PROPERTY, "by --exclude-auto-properties"},
        {REASON_EXCLUDED, "by -x"},
        {REASON_COMMENT, "by ilcov:ignore"},
        {REASON_MEASURED, "because ilcov measured the file itself"},
        {REASON_NO_SOURCE, "because the source is not below the source root"},
    };
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str brief;
        struct text text = text_in(&arena);
        reason_add_brief(&text, reason_of(cases[i].code));
        assert_true(text_take(&brief, &text, NULL));
        assert_string_equal(brief.text, cases[i].text);
    }
    arena_free(&arena);
}

static void page_lists_each_reason(void **state)
{
    char page[64 << 10];
    FILE *file = fopen("docs/data-file.md", "r");
    (void)state;
    assert_non_null(file);
    size_t len = fread(page, 1, sizeof page - 1, file);
    page[len] = '\0';
    (void)fclose(file);
    for (uint32_t code = 1; code < REASON_CODE_END; code++) {
        char row[256];
        if (reason_words[code].text == NULL || code == REASON_VERDICT + VERDICT_OK)
            continue;
        (void)snprintf(row, sizeof row, "\n| %u | %s |\n", code, reason_words[code].text);
        if (strstr(page, row) == NULL)
            fail_msg("docs/data-file.md lacks%s", row);
    }
}

static void what_was_left_as_it_was_is_worse_than_what_may_have_run(void **state)
{
    static const enum verdict order[] = {VERDICT_NO_IL,           VERDICT_OK,
                                         VERDICT_MAY_HAVE_RUN,    VERDICT_WAS_RUNNING,
                                         VERDICT_DECLINED_HEADER, VERDICT_DECLINED_RUNTIME_ASYNC};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        for (size_t j = 0; j < ARRAY_LEN(order); j++)
            assert_int_equal(verdict_is_worse(order[i], order[j]), i > j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_left_as_it_was_is_worse_than_what_may_have_run),
    cmocka_unit_test(subject_and_remark_are_in_the_text),
    cmocka_unit_test(no_other_number_is_a_reason),
    cmocka_unit_test(order_is_that_of_numbers_whatever_the_texts),
    cmocka_unit_test(remark_makes_no_other_kind),
    cmocka_unit_test(brief_text_follows_lines_that_are_excluded),
    cmocka_unit_test(page_lists_each_reason),
};
UNIT_TESTS(tests);

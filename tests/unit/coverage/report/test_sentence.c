/* test_sentence.c - words for what did not happen. */
#include "coverage/report/sentence.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static struct str taken(struct text *text)
{
    struct str taken;
    assert_true(text_take(&taken, text, NULL));
    return taken;
}

static void outcome_that_never_happened_is_named(void **state)
{
    static const uint64_t first[] = {3, 0}, second[] = {0, 3}, none[] = {0, 0};
    static const struct {
        enum outcome_words words;
        const char *if_first, *if_second; /* what to say where only that happened */
    } cases[] = {
        {WORDS_UNKNOWN, "1 of 2 outcomes never happened", "1 of 2 outcomes never happened"},
        {WORDS_FALSE_TRUE, "was never true", "was never false"},
        {WORDS_TRUE_FALSE, "was never false", "was never true"},
        {WORDS_VALUE_NULL, "was never null", "was always null"},
        {WORDS_NULL_VALUE, "was always null", "was never null"},
        {WORDS_BODY_END, "never came to its end", "never had an item"},
        {WORDS_END_BODY, "never had an item", "never came to its end"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report_condition condition = {
            .outcome_count = 2, .covered_count = 1, .words = cases[i].words};
        struct text text;
        for (int k = 0; k < 2; k++) {
            condition.outcome_hits = k == 0 ? first : second;
            text = text_in(&arena);
            sentence_of_condition(&text, &condition);
            assert_str(taken(&text), k == 0 ? cases[i].if_first : cases[i].if_second);
        }
        condition.outcome_hits = none;
        condition.covered_count = 0;
        text = text_in(&arena);
        sentence_of_condition(&text, &condition);
        bool is_loop = cases[i].words == WORDS_BODY_END || cases[i].words == WORDS_END_BODY;
        assert_str(taken(&text), is_loop ? "never began" : "never gave a result");
        condition.never_asked = true;
        text = text_in(&arena);
        sentence_of_condition(&text, &condition);
        assert_str(taken(&text), "was never evaluated");
        assert_true(sentence_needs_subject(&condition));
        condition.never_asked = false;
    }
}

static void missed_cases_are_counted(void **state)
{
    static const uint64_t hits[] = {0, 7, 0, 0, 0};
    struct report_condition condition = {
        .is_switch = true, .outcome_count = 5, .covered_count = 1, .outcome_hits = hits};
    (void)state;
    struct text text = text_in(&arena);
    sentence_of_condition(&text, &condition);
    assert_str(taken(&text), "4 of 5 cases never happened");
    assert_false(sentence_needs_subject(&condition));
}

static void missed_lines_are_counted_and_explained(void **state)
{
    static const struct {
        uint64_t count;
        bool not_loaded;
        const char *words;
    } cases[] = {
        {1, false, "1 line did not run"},
        {12, false, "12 lines did not run"},
        {2, true, "2 lines could not run: the assembly was never loaded"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct text text = text_in(&arena);
        sentence_of_missed_lines(&text, cases[i].count, cases[i].not_loaded);
        assert_str(taken(&text), cases[i].words);
    }
}

static void statements_that_did_not_run_are_said_to(void **state)
{
    (void)state;
    struct text text = text_in(&arena);
    text_add_c(&text, SENTENCE_STATEMENT);
    text_add(&text, STR(" "));
    text_add_c(&text, SENTENCE_DID_NOT_RUN);
    assert_str(taken(&text), "a statement did not run");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(outcome_that_never_happened_is_named),
    cmocka_unit_test(missed_cases_are_counted),
    cmocka_unit_test(missed_lines_are_counted_and_explained),
    cmocka_unit_test(statements_that_did_not_run_are_said_to),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

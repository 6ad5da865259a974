/* test_sentence.c - words for what did not happen. */
#include "coverage/report/sentence.h"

#include "tests/support/check.h"

static struct arena arena;

static struct str taken(struct text *text)
{
    struct str taken;
    assert_true(text_take(&taken, text, NULL));
    return taken;
}

static void missed_outcomes_are_counted(void **state)
{
    static const struct {
        struct report_condition condition;
        const char *words;
    } cases[] = {
        {{.outcome_count = 2, .covered_count = 1}, "1 of 2 outcomes never happened"},
        {{.outcome_count = 5, .covered_count = 1, .is_switch = true},
         "4 of 5 cases never happened"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct text text;
        text_open(&text, &arena);
        sentence_of_condition(&text, &cases[i].condition);
        assert_str(taken(&text), cases[i].words);
    }
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
        struct text text;
        text_open(&text, &arena);
        sentence_of_missed_lines(&text, cases[i].count, cases[i].not_loaded);
        assert_str(taken(&text), cases[i].words);
    }
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missed_outcomes_are_counted),
        cmocka_unit_test(missed_lines_are_counted_and_explained),
    };
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    return cmocka_run_group_tests(tests, NULL, close_arena);
}

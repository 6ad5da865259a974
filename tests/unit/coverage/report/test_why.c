/* test_why.c - what did not run is traced back to what did not happen. */
#include "coverage/report/why.h"

#include "coverage/report/sentence.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

/* A method of statements on the lines 1, 2, ...; `text` says which ran ("x"). */
struct case_method {
    struct hand hand;
    struct fact_module *module;
    uint64_t *counts;
};

static void open_method(struct case_method *out, const char *code, const char *text)
{
    hand_open(&out->hand, &arena);
    hand_module(&out->hand, "App", 1);
    (void)hand_method(&out->hand, "C", "M", "()", code);
    hand_lay_out(&out->hand);
    out->counts = hand_counts(&out->hand, hand_run(&out->hand, 1, RUN_MEASURED), 0);
    out->module = &out->hand.facts.modules[0];
    for (uint32_t i = 0; text[i] != '\0'; i++)
        out->counts[out->module->statements[i].count] = text[i] == 'x';
    if (strchr(text, 'x') != NULL)
        out->counts[out->module->methods[0].entry_count] = 1;
}

static void add(struct fact_causes *to, enum cause_kind kind, uint32_t index, uint32_t outcome)
{
    assert_true(causes_add(to, (struct fact_cause){kind, index, outcome}));
}

static const char *why(struct case_method *m, uint32_t statement)
{
    struct why_finder finder;
    const struct report_why *found;
    struct str words;
    assert_true(why_open(&finder, m->module, m->counts, &arena, &arena, NULL));
    assert_true(why_of(&found, &finder, statement, NULL));
    if (found == NULL)
        return "";
    struct text text = text_in(&arena);
    for (uint32_t i = 0; i < found->root_count; i++) {
        text_add_c(&text, i != 0 ? "; " : "");
        if (why_needs_subject(&found->roots[i]))
            text_add_c(&text, sentence_noun(found->roots[i].decision->words));
        why_words(&text, found, &found->roots[i], m->module->statements[statement].start_line);
    }
    assert_true(text_take(&words, &text, NULL));
    return arena_copy_text(&arena, words.text, words.len, NULL);
}

static void statements_after_one_that_threw_name_it(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b c d", "xx--");
    for (uint32_t i = 1; i < 4; i++)
        add(&m.module->statements[i].causes, CAUSE_COMPLETED, i - 1, 0);
    assert_string_equal(why(&m, 2), "line 2 never completed: it threw or did not return");
    assert_string_equal(why(&m, 3), "line 2 never completed: it threw or did not return");
}

static void nothing_is_said_where_a_way_is_not_known(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b c", "x--");
    assert_string_equal(why(&m, 1), "");
    add(&m.module->statements[2].causes, CAUSE_COMPLETED, 0, 0);
    add(&m.module->statements[2].causes, CAUSE_COMPLETED, 1, 0);
    assert_string_equal(why(&m, 2), "");
}

static void method_that_was_never_called_says_so(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b", "--");
    add(&m.module->statements[0].causes, CAUSE_ENTRY, 0, 0);
    add(&m.module->statements[1].causes, CAUSE_COMPLETED, 0, 0);
    assert_string_equal(why(&m, 1), "the method was never called");
    m.counts[m.module->methods[0].entry_count] = 1; /* then something is wrong */
    assert_string_equal(why(&m, 1), "");
}

/* An attached library knows what it cannot know. */
static void what_may_have_run_before_is_not_called_never(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b", "--");
    add(&m.module->statements[0].causes, CAUSE_ENTRY, 0, 0);
    m.module->methods[0].reason = reason_of_verdict(VERDICT_MAY_HAVE_RUN);
    assert_string_equal(why(&m, 0), "the method was never called since ilcov was attached, but may "
                                    "have run before");
    m.module->methods[0].reason = reason_of_verdict(VERDICT_WAS_RUNNING);
    assert_string_equal(why(&m, 0), "the method was running when ilcov was attached, and was never "
                                    "called since");
    open_method(&m, "a b", "x-");
    add(&m.module->statements[1].causes, CAUSE_COMPLETED, 0, 0);
    m.module->methods[0].reason = reason_of_verdict(VERDICT_MAY_HAVE_RUN);
    assert_string_equal(why(&m, 1), "line 1 never completed: it threw or did not return (since "
                                    "ilcov was attached)");
}

static void outcome_that_never_happened_is_named(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "A b c", "x--");
    struct fact_decision *decision = &m.module->decisions[0];
    add(&m.module->statements[1].causes, CAUSE_OUTCOME, 0, 1);
    add(&decision->causes, CAUSE_COMPLETED, 0, 0);
    assert_string_equal(why(&m, 1), "line 1 never completed: it threw or did not return");
    m.counts[decision->first_count] = 3;
    assert_string_equal(why(&m, 1), "line 1 never led here");
    decision->words = WORDS_FALSE_TRUE;
    assert_string_equal(why(&m, 1), "a condition on line 1 was never true");
    m.counts[decision->first_count + 1] = 3; /* what led to it happened, but it did not run */
    assert_string_equal(why(&m, 1), "");
}

/* More roots than a sentence can hold, and ways in a circle. */
static void long_and_circular_ways_come_to_an_end(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b c d e f", "xxxx--");
    for (uint32_t i = 0; i < 4; i++)
        add(&m.module->statements[4].causes, CAUSE_COMPLETED, i, 0);
    assert_string_equal(why(&m, 4), "");
    m.module->statements[4].causes = (struct fact_causes){0};
    add(&m.module->statements[4].causes, CAUSE_COMPLETED, 5, 0);
    add(&m.module->statements[5].causes, CAUSE_COMPLETED, 4, 0);
    assert_string_equal(why(&m, 4), "");
    assert_string_equal(why(&m, 5), "");
}

static void without_memory_it_says_so(void **state)
{
    struct case_method m;
    (void)state;
    open_method(&m, "a b", "x-");
    add(&m.module->statements[1].causes, CAUSE_COMPLETED, 0, 0);
    for (size_t limit = 0;; limit += 8) {
        struct arena small;
        struct why_finder finder;
        const struct report_why *found = NULL;
        struct err err = {0};
        arena_init(&small, NULL, 0, limit);
        bool ok = why_open(&finder, m.module, m.counts, &small, &small, &err) &&
                  why_of(&found, &finder, 1, &err);
        assert_true(ok || err.code == ERR_LIMIT);
        assert_int_equal(ok, found != NULL);
        arena_free(&small);
        if (ok)
            break;
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(statements_after_one_that_threw_name_it),
    cmocka_unit_test(nothing_is_said_where_a_way_is_not_known),
    cmocka_unit_test(method_that_was_never_called_says_so),
    cmocka_unit_test(what_may_have_run_before_is_not_called_never),
    cmocka_unit_test(outcome_that_never_happened_is_named),
    cmocka_unit_test(long_and_circular_ways_come_to_an_end),
    cmocka_unit_test(without_memory_it_says_so),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

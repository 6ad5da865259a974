#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "coverage/facts/facts.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/test_arena.h"
#include "tests/unit/unit.h"

/* --- sort ------------------------------------------------------------------------------------- */

#define REVERSE(type, items, count)                                                                \
    do {                                                                                           \
        for (uint32_t i_ = 0; i_ < (count) / 2; i_++) {                                            \
            type kept_ = (items)[i_];                                                              \
            (items)[i_] = (items)[(count)-1 - i_];                                                 \
            (items)[(count)-1 - i_] = kept_;                                                       \
        }                                                                                          \
    } while (0)

static void reverse_module(struct fact_module *m)
{
    for (uint32_t i = 0; i < m->method_count; i++)
        m->methods[i].user_method = m->method_count - 1 - m->methods[i].user_method;
    for (uint32_t i = 0; i < m->statement_count; i++) {
        m->statements[i].method = m->method_count - 1 - m->statements[i].method;
        m->statements[i].document = m->document_count - 1 - m->statements[i].document;
    }
    for (uint32_t i = 0; i < m->decision_count; i++) {
        m->decisions[i].method = m->method_count - 1 - m->decisions[i].method;
        m->decisions[i].document = m->document_count - 1 - m->decisions[i].document;
    }
    REVERSE(struct fact_document, m->documents, m->document_count);
    REVERSE(struct fact_method, m->methods, m->method_count);
    REVERSE(struct fact_statement, m->statements, m->statement_count);
    REVERSE(struct fact_decision, m->decisions, m->decision_count);
}

static void sort_gives_one_order_whatever_came_first(void **state)
{
    struct facts facts, expected;
    struct err err = {0};
    (void)state;
    fixture_facts(&expected, &arena);
    assert_true(facts_sort(&expected, &arena, &err));
    fixture_facts(&facts, &arena);
    assert_true(facts_equal(&facts, &expected)); /* the fixture is sorted */
    for (uint32_t i = 0; i < facts.module_count; i++)
        reverse_module(&facts.modules[i]);
    for (uint32_t i = 0; i < facts.process_count; i++)
        facts.processes[i].run = facts.run_count - 1 - facts.processes[i].run;
    for (uint32_t i = 0; i < facts.counts_count; i++) {
        facts.counts[i].run = facts.run_count - 1 - facts.counts[i].run;
        facts.counts[i].module = facts.module_count - 1 - facts.counts[i].module;
    }
    REVERSE(struct fact_module, facts.modules, facts.module_count);
    REVERSE(struct fact_run, facts.runs, facts.run_count);
    REVERSE(struct fact_process, facts.processes, facts.process_count);
    REVERSE(struct fact_counts, facts.counts, facts.counts_count);
    assert_false(facts_check(&facts, &err));
    assert_false(facts_equal(&facts, &expected));
    assert_true(facts_sort(&facts, &arena, &err));
    assert_true(facts_check(&facts, &err));
    assert_true(facts_equal(&facts, &expected));
}

static void sort_joins_counts_of_one_run_and_module(void **state)
{
    struct facts facts;
    struct err err = {0};
    (void)state;
    fixture_facts(&facts, &arena);
    uint32_t count = facts.counts_count;
    uint64_t *first = facts.counts[0].counts;
    struct fact_counts *counts = ARENA_NEW(&arena, struct fact_counts, count + 2, &err);
    assert_non_null(counts);
    for (uint32_t i = 0; i < count + 2; i++)
        counts[i] = facts.counts[i < count ? i : 0];
    facts.counts = counts;
    facts.counts_count = count + 2;
    assert_true(facts_sort(&facts, &arena, &err));
    assert_int_equal(facts.counts_count, count);
    assert_int_equal(facts.counts[0].counts[0], 12);
    assert_int_equal(first[0], 4); /* other facts may hold it */
}

static void sort_of_nothing_is_nothing(void **state)
{
    struct facts facts = {0};
    struct err err = {0};
    (void)state;
    assert_true(facts_sort(&facts, &arena, &err));
    assert_true(facts_check(&facts, &err));
}

/* --- check ------------------------------------------------------------------------------------ */

static void break_name(struct facts *f)
{
    f->modules[0].name.len = 0;
}

static void break_state(struct facts *f)
{
    f->modules[0].state = (enum module_state)(MODULE_EXTERNAL + 1);
}

static void break_count_len(struct facts *f)
{
    f->modules[0].count_len = FACT_COUNTS_LIMIT + 1;
}

static void break_user_method(struct facts *f)
{
    f->modules[0].methods[3].user_method = f->modules[0].method_count;
}

static void break_method_state(struct facts *f)
{
    f->modules[0].methods[3].state = (enum method_state)(METHOD_EXCLUDED + 1);
}

static void break_entry_count(struct facts *f)
{
    f->modules[0].methods[0].entry_count = f->modules[0].count_len;
}

static void break_statement_method(struct facts *f)
{
    f->modules[0].statements[0].method = f->modules[0].method_count;
}

static void break_statement_document(struct facts *f)
{
    f->modules[0].statements[0].document = f->modules[0].document_count;
}

static void break_statement_count(struct facts *f)
{
    f->modules[0].statements[0].count = f->modules[0].count_len;
}

static void break_start_line(struct facts *f)
{
    f->modules[0].statements[0].start_line = 0;
}

static void break_end_line(struct facts *f)
{
    f->modules[0].statements[0].end_line = f->modules[0].statements[0].start_line - 1;
}

static void break_hidden_line(struct facts *f)
{
    f->modules[0].statements[0].end_line = FACT_LINE_LIMIT;
}

static void break_decision_method(struct facts *f)
{
    f->modules[0].decisions[0].method = f->modules[0].method_count;
}

static void break_decision_document(struct facts *f)
{
    f->modules[0].decisions[0].document = f->modules[0].document_count;
}

static void break_decision_line(struct facts *f)
{
    f->modules[0].decisions[0].line = 0;
}

static void break_span_line(struct facts *f)
{
    f->modules[0].decisions[2].span.end_line = FACT_LINE_LIMIT;
}

static void break_span_lines(struct facts *f)
{
    f->modules[0].decisions[2].span.end_line--;
}

static void break_span_columns(struct facts *f)
{
    f->modules[0].decisions[2].span.end_column = f->modules[0].decisions[2].span.start_column - 1;
}

static void break_half_a_span(struct facts *f)
{
    f->modules[0].decisions[2].span.start_column = 0;
}

static void break_exact_without_columns(struct facts *f)
{
    f->modules[0].decisions[0].is_exact = true;
}

static void break_expression_before_the_first(struct facts *f)
{
    f->modules[0].decisions[0].expression = 1;
}

static void break_expression_of_another_method(struct facts *f)
{
    f->modules[0].decisions[2].expression = 1;
}

static void break_expression_that_is_not_the_first(struct facts *f)
{
    f->modules[0].decisions[3].method = f->modules[0].decisions[4].method = 2;
    f->modules[0].decisions[4].is_switch = false;
    f->modules[0].decisions[4].outcome_count = 2;
    f->modules[0].decisions[4].il_offset = f->modules[0].decisions[3].il_offset + 1;
    f->modules[0].decisions[4].expression = 1;
}

static void break_expression_of_a_switch(struct facts *f)
{
    f->modules[0].decisions[3].is_switch = true;
}

static void break_condition(struct facts *f)
{
    f->modules[0].decisions[0].outcome_count = 3;
}

static void break_arms(struct facts *f)
{
    f->modules[0].decisions[4].outcome_count = 0;
}

static void break_first_outcome(struct facts *f)
{
    f->modules[0].decisions[0].first_count = UINT32_MAX;
}

static void break_last_outcome(struct facts *f)
{
    f->modules[0].decisions[0].first_count = f->modules[0].count_len - 1;
}

static void break_order(struct facts *f)
{
    f->modules[0].statements[0].method = f->modules[0].method_count - 1;
}

static void break_tokens(struct facts *f)
{
    f->modules[0].methods[1].token = f->modules[0].methods[0].token;
}

static void break_cause(struct facts *f)
{
    f->modules[0].statements[0].causes = (struct fact_causes){1, {7}}; /* is none */
}

static void break_cut_cause(struct facts *f)
{
    f->modules[0].decisions[0].causes = (struct fact_causes){1, {CAUSE_OUTCOME}};
}

static void break_cause_statement(struct facts *f)
{
    struct fact_cause cause = {CAUSE_COMPLETED, f->modules[0].statement_count, 0};
    if (!causes_add(&f->modules[0].statements[0].causes, cause))
        abort();
}

static void break_cause_outcome(struct facts *f)
{
    struct fact_cause cause = {CAUSE_OUTCOME, 0, 2};
    if (!causes_add(&f->modules[0].decisions[0].causes, cause))
        abort();
}

static void break_arm_outcome(struct facts *f)
{
    static const uint8_t arms[] = {2 << 2 | ARM_NO_MATCH};
    f->modules[0].decisions[0].arms = arms;
    f->modules[0].decisions[0].arms_len = sizeof arms;
}

static void break_arm_statement(struct facts *f)
{
    static const uint8_t arms[] = {ARM_SHARED, 12, 9, 0, 20, 100};
    f->modules[0].decisions[0].arms = arms;
    f->modules[0].decisions[0].arms_len = sizeof arms;
}

static void break_cut_arm(struct facts *f)
{
    static const uint8_t arms[] = {ARM_LABEL, 12, 9};
    f->modules[0].decisions[0].arms = arms;
    f->modules[0].decisions[0].arms_len = sizeof arms;
}

static void break_run_kind(struct facts *f)
{
    f->runs[0].kind = (enum run_kind)(RUN_EXTERNAL + 1);
}

static void break_process(struct facts *f)
{
    f->processes[0].run = f->run_count;
}

static void break_counts_run(struct facts *f)
{
    f->counts[0].run = f->run_count;
}

static void break_counts_module(struct facts *f)
{
    f->counts[0].module = f->module_count;
}

static void check_finds_what_is_out_of_range(void **state)
{
    static void (*const breaks[])(struct facts *) = {
        break_name,
        break_state,
        break_count_len,
        break_user_method,
        break_method_state,
        break_entry_count,
        break_statement_method,
        break_statement_document,
        break_statement_count,
        break_start_line,
        break_end_line,
        break_hidden_line,
        break_decision_method,
        break_decision_document,
        break_decision_line,
        break_span_line,
        break_span_lines,
        break_span_columns,
        break_half_a_span,
        break_exact_without_columns,
        break_expression_before_the_first,
        break_expression_of_another_method,
        break_expression_that_is_not_the_first,
        break_expression_of_a_switch,
        break_condition,
        break_arms,
        break_first_outcome,
        break_last_outcome,
        break_order,
        break_tokens,
        break_cause,
        break_cut_cause,
        break_cause_statement,
        break_cause_outcome,
        break_arm_outcome,
        break_arm_statement,
        break_cut_arm,
        break_run_kind,
        break_process,
        break_counts_run,
        break_counts_module,
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(breaks); i++) {
        struct facts facts;
        struct err err = {0};
        fixture_facts(&facts, &arena);
        assert_true(facts_check(&facts, &err));
        breaks[i](&facts);
        assert_false(facts_check(&facts, &err));
        assert_int_equal(err.code, ERR_FORMAT);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(sort_gives_one_order_whatever_came_first, open_arena,
                                    close_arena),
    cmocka_unit_test_setup_teardown(sort_joins_counts_of_one_run_and_module, open_arena,
                                    close_arena),
    cmocka_unit_test_setup_teardown(sort_of_nothing_is_nothing, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(check_finds_what_is_out_of_range, open_arena, close_arena),
};
UNIT_TESTS(tests);

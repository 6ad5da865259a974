#include "coverage/facts/facts_tests.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/sort_list.h"

/* --- order ------------------------------------------------------------------------------------ */

ORDER(order_fact_modules, struct fact_module,
      BY(name) BY_BYTES(mvid) BY_BYTES(identity) BY(path) BY(plan_hash) BY(state)
          BY_ORDER(reason_order(a->reason, b->reason)))
ORDER(order_documents, struct fact_document, BY(path))
ORDER(order_fact_methods, struct fact_method, BY(token))
ORDER(order_fact_statements, struct fact_statement, BY(method) BY(il_offset))
ORDER(order_fact_decisions, struct fact_decision, BY(method) BY(il_offset))
ORDER(order_fact_runs, struct fact_run, BY(started) BY_BYTES(id))

ORDER(order_alike_processes, struct fact_process,
      BY(program) BY(runtime) BY_ORDER(reason_order(a->declined, b->declined)) BY(module_count)
          BY(method_count))

int facts_order_processes(const struct fact_process *a, const struct fact_process *b)
{
    return order_alike_processes(a, b);
}

ORDER(order_processes, struct fact_process, BY(run) BY_ORDER(order_alike_processes(a, b)))
ORDER(order_counts, struct fact_counts, BY(run) BY(module))

bool facts_lists_are_sorted(const struct fact_module *module)
{
    bool sorted = true;
    for (uint32_t i = 1; i < module->statement_count; i++)
        sorted &= order_fact_statements(&module->statements[i - 1], &module->statements[i]) <= 0;
    for (uint32_t i = 1; i < module->decision_count; i++)
        sorted &= order_fact_decisions(&module->decisions[i - 1], &module->decisions[i]) <= 0;
    for (uint32_t i = 1; i < module->method_count; i++)
        sorted &= module->methods[i - 1].token < module->methods[i].token;
    return sorted;
}

/* --- sorted ----------------------------------------------------------------------------------- */

static uint32_t renumber_index(const uint32_t *new_index, uint32_t index)
{
    return new_index != NULL ? new_index[index] : index;
}

static bool sort_module(struct fact_module *module, struct arena *arena, struct err *err)
{
    uint32_t *documents = NULL, *methods = NULL, *unused = NULL;
    if (!SORT(&documents, module->documents, module->document_count, order_documents) ||
        !SORT(&methods, module->methods, module->method_count, order_fact_methods))
        return false;
    for (uint32_t i = 0; i < module->method_count; i++)
        module->methods[i].user_method = renumber_index(methods, module->methods[i].user_method);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        struct fact_statement *statement = &module->statements[i];
        statement->method = renumber_index(methods, statement->method);
        statement->document = renumber_index(documents, statement->document);
    }
    for (uint32_t i = 0; i < module->decision_count; i++) {
        struct fact_decision *decision = &module->decisions[i];
        decision->method = renumber_index(methods, decision->method);
        decision->document = renumber_index(documents, decision->document);
    }
    return SORT(&unused, module->statements, module->statement_count, order_fact_statements) &&
           SORT(&unused, module->decisions, module->decision_count, order_fact_decisions);
}

static void sum_counts(uint64_t *sum, const uint64_t *counts, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        sum[i] = number_add(sum[i], counts[i]);
}

/* Two vectors of one run and module may be of two processes, so neither may be written to: the sum
 * is a new one. */
static bool join_counts(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->counts_count;) {
        struct fact_counts joined = facts->counts[i];
        uint32_t len = facts->modules[joined.module].count_len, end = i + 1;
        while (end < facts->counts_count && order_counts(&joined, &facts->counts[end]) == 0)
            end++;
        if (end - i > 1) {
            joined.counts = ARENA_NEW(arena, uint64_t, len, err);
            if (joined.counts == NULL)
                return false;
            for (uint32_t each = i; each < end; each++)
                sum_counts(joined.counts, facts->counts[each].counts, len);
        }
        facts->counts[kept++] = joined;
        i = end;
    }
    facts->counts_count = kept;
    return true;
}

bool facts_sort(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *modules = NULL, *runs = NULL, *unused = NULL;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (!sort_module(&facts->modules[i], arena, err))
            return false;
    if (!SORT(&modules, facts->modules, facts->module_count, order_fact_modules) ||
        !SORT(&runs, facts->runs, facts->run_count, order_fact_runs))
        return false;
    for (uint32_t i = 0; i < facts->process_count; i++)
        facts->processes[i].run = renumber_index(runs, facts->processes[i].run);
    for (uint32_t i = 0; i < facts->counts_count; i++) {
        facts->counts[i].run = renumber_index(runs, facts->counts[i].run);
        facts->counts[i].module = renumber_index(modules, facts->counts[i].module);
    }
    for (uint32_t i = 0; i < facts->test_count; i++)
        facts->tests[i].run = renumber_index(runs, facts->tests[i].run);
    for (uint32_t i = 0; i < facts->hits_count; i++)
        facts->hits[i].module = renumber_index(modules, facts->hits[i].module);
    if (!facts_sort_tests(facts, arena, err))
        return false;
    fact_inputs_sort(facts->inputs, &facts->input_count);
    return SORT(&unused, facts->processes, facts->process_count, order_processes) &&
           SORT(&unused, facts->counts, facts->counts_count, order_counts) &&
           join_counts(facts, arena, err);
}

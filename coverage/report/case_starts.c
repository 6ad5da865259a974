#include "coverage/report/case_starts.h"

enum {
    STARTS_MOST = 2000 /* statements of a method; what has more is not read */
};

/* Where the text of a switch is not known, its statement must be enough to tell it from others. */
static bool is_alone(const struct fact_module *module, const struct fact_decision *decision)
{
    if (decision->is_exact)
        return true;
    uint32_t alike = 0;
    const struct fact_decision *end = module->decisions + module->decision_count;
    const struct fact_decision *first =
        module->decisions + facts_first_decision(module, decision->method);
    for (; first != end && first->method == decision->method; first++)
        alike += first->is_switch && !first->is_exact &&
                 first->span.start_line == decision->span.start_line &&
                 first->span.start_column == decision->span.start_column;
    return alike == 1;
}

static bool has_place(const struct fact_statement *statement, const struct fact_decision *decision)
{
    return statement->document == decision->document && statement->start_column != 0 &&
           statement->start_column < COLUMN_UNKNOWN;
}

bool case_starts_list(struct report_condition *condition, const struct fact_module *module,
                      const struct fact_decision *decision, const struct copies *copies,
                      const uint64_t *sums, struct arena *arena, struct err *err)
{
    uint32_t first = facts_first_statement(module, decision->method), end = first, count = 0;
    if (!condition->is_switch || condition->covered_count == 0 ||
        condition->covered_count == condition->outcome_count || condition->span.start_column == 0 ||
        condition->span.end_column >= COLUMN_UNKNOWN || !is_alone(module, decision))
        return true;
    while (end < module->statement_count && module->statements[end].method == decision->method)
        end++;
    if (end - first > STARTS_MOST)
        return true;
    struct report_start *starts = ARENA_NEW(arena, struct report_start, end - first, err);
    if (starts == NULL)
        return false;
    for (uint32_t s = first; s < end; s++) {
        const struct fact_statement *statement = &module->statements[s];
        if (has_place(statement, decision))
            starts[count++] = (struct report_start){.line = statement->start_line,
                                                    .column = statement->start_column,
                                                    .ran = sums[copies->statement[s]] != 0};
    }
    condition->starts = starts;
    condition->start_count = count;
    return true;
}

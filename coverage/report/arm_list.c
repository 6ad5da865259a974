#include "coverage/report/arm_list.h"

static bool has_shared(const struct fact_decision *decision)
{
    struct fact_arm arm;
    struct reader r = arms_open(decision->arms, decision->arms_len);
    while (arms_next(&r, &arm))
        if (arm.kind == ARM_SHARED)
            return true;
    return false;
}

bool arm_list_make(struct report_condition *condition, const struct fact_module *module,
                   const struct fact_decision *decision, const struct copies *copies,
                   const uint64_t *sums, struct arena *arena, struct err *err)
{
    condition->arms = decision->arms;
    condition->arms_len = decision->arms_len;
    if (condition->covered_count == condition->outcome_count || !has_shared(decision))
        return true;
    struct writer w;
    struct fact_arm arm;
    uint32_t first = facts_first_statement(module, decision->method);
    struct reader r = arms_open(decision->arms, decision->arms_len);
    wr_open(&w, arena);
    while (arms_next(&r, &arm)) {
        if (arm.kind == ARM_SHARED && sums[copies->statement[first + arm.statement]] == 0)
            arm.kind = ARM_LABEL;
        arms_add(&w, &arm);
    }
    condition->arms = w.data;
    condition->arms_len = (uint32_t)w.len;
    return !w.failed || err_set(err, ERR_MEMORY, "out of memory: the arms of a switch");
}

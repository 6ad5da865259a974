#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"

enum {
    CONTEXT_WITHIN = 16, /* instructions from the test */
};

static bool calls_of(const struct flow *flow, uint32_t first, uint32_t end, const char *type)
{
    for (uint32_t i = first; i < end && i < flow->il.count; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if ((instr->op == OP_CALL || instr->op == OP_CALLVIRT) &&
            str_is(idiom_foreign_type(flow->context.md, instr->operand), type))
            return true;
    }
    return false;
}

/* `backgroundTask { }` stays on the current thread if there is no context: no
 * SynchronizationContext, and the default TaskScheduler. */
bool rule_background_task(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    uint32_t last = branch->last;
    return last >= 4 && flow->il.instrs[last - 1].op == OP_BOX &&
           calls_of(flow, last - 4, last, "SynchronizationContext") &&
           calls_of(flow, last + 1, last + CONTEXT_WITHIN, "TaskScheduler");
}

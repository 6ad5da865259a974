/* `task { }` and `seq { }` of F#. At its start, and at each `try` and `while`, a task asks where to
 * continue (ResumptionPoint). At each `let!` it asks whether the awaiter is ready. After all of
 * these it asks, by a bool that is only ever a constant, whether the code before continued or was
 * suspended. */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"

enum {
    SUSPENDS_WITHIN = 16, /* instructions from the test of IsCompleted */
    CONTEXT_WITHIN = 16,  /* instructions from the test */
};

/* --- where to continue ------------------------------------------------------------------------ */

/* `x - 1` of a switch whose first case is 1: where x is loaded. */
static uint32_t switched_on(const struct flow *flow, uint32_t last)
{
    const struct instr *instrs = flow->il.instrs;
    int32_t value = 0;
    uint32_t i = last - 1;
    while (i > 0 && (instrs[i].op == OP_SUB || il_constant(&value, &instrs[i])))
        i--;
    return i;
}

bool rule_fsharp_dispatch(const struct branches *branches, const struct branch *branch)
{
    const struct instr *instrs = branches->flow->il.instrs;
    if (branches->fsharp == FSHARP_NO_MACHINE || branch->last < 2)
        return false;
    uint32_t load = switched_on(branches->flow, branch->last);
    if (branches->fsharp == FSHARP_SEQUENCE)
        return instrs[load].op == OP_LDFLD &&
               instrs[load].operand == instrs[fsharp_machine_state(branches->flow)].operand;
    uint32_t local = il_loaded_local(&instrs[load]);
    return local != NO_INDEX && local == il_stored_local(&instrs[2]);
}

/* --- of a task -------------------------------------------------------------------------------- */

static bool is_condition_of_task(const struct branches *b, const struct branch *branch)
{
    const struct block *block = &b->flow->blocks[branch->block];
    return b->fsharp == FSHARP_TASK && branch->last >= 2 && block->exit == FLOW_CONDITION &&
           block->edge_count == 2;
}

/* Does the way lead to where the task is suspended? `if false then <resume> else <suspend>` is what
 * remains of its source, and stores the state; a ValueTask is asked for its awaiter only there. */
static bool suspends_task(const struct flow *flow, uint32_t block)
{
    const struct il *il = &flow->il;
    uint32_t first = flow->blocks[block].first;
    int32_t value = 0;
    for (uint32_t i = first; i + 1 < il->count && i - first < SUSPENDS_WITHIN; i++) {
        uint8_t flow_of = il_info(&il->instrs[i])->flow;
        if (flow_of == FLOW_CONDITION)
            return i != first && il_constant(&value, &il->instrs[i - 1]) && value == 0;
        if (il->instrs[i].op == OP_STFLD &&
            str_is(idiom_member(flow, &il->instrs[i]), "ResumptionPoint"))
            return true;
    }
    return false;
}

bool rule_fsharp_completed(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct edge *ways = &flow->edges[flow->blocks[branch->block].first_edge];
    const struct instr *call = &flow->il.instrs[branch->last] - 1;
    return is_condition_of_task(branches, branch) && il_is_call(call) &&
           str_is(idiom_member(flow, call), "get_IsCompleted") &&
           (suspends_task(flow, ways[0].to) || suspends_task(flow, ways[1].to));
}

/* Is it the value of code that was inlined, such as `isNull s`, whose ways give constants, too? */
static bool tests_inlined(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    const struct block *join = &flow->blocks[n];
    if (join->in_count == 0)
        return false;
    uint32_t test = idiom_condition_before(flow, flow_edge_in(flow, join, 0)->from);
    return test != NO_INDEX && b->inlined.join[test] == n && b->rule[test] != NULL &&
           b->rule[test]->test == rule_fsharp_inlined;
}

/* Is there a point for the test? One that began before what it loads is that of the statement
 * before: no point is there for a flag, and a condition of the user has one, or is an operand. */
static bool has_point(const struct branches *b, const struct branch *branch)
{
    const struct il *il = &b->flow->il;
    bool is_operand = b->operands.is_operand != NULL && b->operands.is_operand[branch->block];
    return branch->visible && (is_operand || branch->local == NO_INDEX ||
                               b->points->points[b->map.at[branch->last]].il_offset >=
                                   il->instrs[branch->load].offset);
}

bool rule_fsharp_went_on(const struct branches *branches, const struct branch *branch)
{
    return is_condition_of_task(branches, branch) && !has_point(branches, branch) &&
           !tests_inlined(branches, branch->block) &&
           fsharp_machine_gives_flag(branches->flow, branch->block, branch->last);
}

/* The exception that ended the task, or that is rethrown after `use` has disposed. */
bool rule_fsharp_exception(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct block *block = &flow->blocks[branch->block];
    const struct instr *instrs = flow->il.instrs;
    if (!is_condition_of_task(branches, branch) || branch->visible)
        return false;
    for (uint32_t i = block->first; i < block->end; i++)
        if (instrs[i].op == OP_LDFLD && str_starts(idiom_member(flow, &instrs[i]), "savedExn"))
            return true;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        for (uint32_t i = to->first; i < to->end; i++)
            if (il_is_call(&instrs[i]) && str_is(idiom_member(flow, &instrs[i]), "SetException"))
                return true;
    }
    return false;
}

/* --- of a backgroundTask ---------------------------------------------------------------------- */

static bool calls_of(const struct flow *flow, uint32_t first, uint32_t end, const char *type)
{
    for (uint32_t i = first; i < end && i < flow->il.count; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if (il_is_call(instr) &&
            str_is(idiom_external_type(flow->context.md, instr->operand), type))
            return true;
    }
    return false;
}

/* `backgroundTask { }` stays on the current thread if there is no context: no
 * SynchronizationContext, and the default TaskScheduler. */
bool rule_background_task(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    uint32_t last = branch->last;
    return last >= 4 && flow->il.instrs[last - 1].op == OP_BOX &&
           calls_of(flow, last - 4, last, "SynchronizationContext") &&
           calls_of(flow, last + 1, last + CONTEXT_WITHIN, "TaskScheduler");
}

#include "coverage/branches/fsharp_made.h"

#include "coverage/branches/il_idioms.h"
#include "metadata/names.h"

enum {
    SUSPENDS_WITHIN = 16, /* instructions from the test of IsCompleted */
    CONTEXT_WITHIN = 16,
    JOINS_NESTED_MAX = 8,
    LOOP_COPIED_MAX = 64, /* blocks */
    ROUNDS_MAX = 64
};

static struct str member(const struct flow *flow, uint32_t instr)
{
    return name_of_member(flow->context.md, flow->il.instrs[instr].operand);
}

static bool is_call(const struct flow *flow, uint32_t instr)
{
    uint8_t op = flow->il.instrs[instr].op;
    return op == OP_CALL || op == OP_CALLVIRT;
}

/* They begin with what says where to go on: this.ResumptionPoint, this.pc; in a class that is called for the
 * method that it was in, and a line: numbers@31. */
enum fsharp_machine made_fsharp_machine(const struct flow *flow)
{
    const struct metadata *md = flow->context.md;
    const struct instr *instrs = flow->il.instrs;
    if (flow->il.count < 3 || il_loaded_arg(&instrs[0]) != 0 || instrs[1].op != OP_LDFLD)
        return FSHARP_NO_MACHINE;
    uint32_t owner = owner_of_method(md, flow->context.method_rid);
    struct str type = heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, owner));
    bool at_line = false;
    for (size_t i = 0; i < type.len; i++)
        at_line |= type.text[i] == '@';
    if (at_line && str_is(member(flow, 1), "ResumptionPoint") &&
        il_stored_local(&instrs[2]) != IL_NO_INDEX)
        return FSHARP_TASK;
    struct str method = name_of_member(md, TOKEN(TABLE_MethodDef, flow->context.method_rid));
    return at_line && str_starts(member(flow, 1), "pc") &&
                   (str_is(method, "GenerateNext") || str_is(method, "Close") ||
                    str_is(method, "get_CheckClose"))
               ? FSHARP_SEQUENCE
               : FSHARP_NO_MACHINE;
}

/* --- flags ------------------------------------------------------------------------------------ */

static bool gives_flag(const struct made_fsharp *made, const struct flow *flow, uint32_t n,
                       uint32_t end, unsigned nested);

static bool all_give_flag(const struct made_fsharp *made, const struct flow *flow, uint32_t join,
                          unsigned nested)
{
    const struct block *block = &flow->blocks[join];
    if (block->depth == 0 || block->is_entry || nested == JOINS_NESTED_MAX)
        return false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        uint32_t jumps = flow->blocks[from].exit == FLOW_BRANCH;
        if (flow->blocks[from].edge_count != 1 ||
            !gives_flag(made, flow, from, flow->blocks[from].end - jumps, nested + 1))
            return false;
    }
    return block->in_count != 0;
}

/* Is the value on top before instruction `end` of block `n` a constant, or a flag? It may just have been put
 * into a variable that is the user's elsewhere. */
static bool gives_flag(const struct made_fsharp *made, const struct flow *flow, uint32_t n,
                       uint32_t end, unsigned nested)
{
    const struct instr *instrs = flow->il.instrs;
    int32_t value = 0;
    uint32_t first = flow->blocks[n].first, local = IL_NO_INDEX;
    while (end > first) {
        local = il_loaded_local(&instrs[end - 1]);
        if (local != IL_NO_INDEX && end - 1 > first && il_stored_local(&instrs[end - 2]) == local)
            end--;
        else if (instrs[end - 1].op != OP_NOP)
            break;
        end--;
    }
    if (end == first)
        return all_give_flag(made, flow, n, nested);
    return il_constant(&value, &instrs[end - 1]) ||
           (local != IL_NO_INDEX && local < flow->context.local_count && made->is_flag[local]);
}

/* All are at first; each that something else is stored in is none, nor are those that it is copied to. */
static void find_flags(struct made_fsharp *made, const struct flow *flow)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t n = 0; n < flow->block_count; n++)
            for (uint32_t i = flow->blocks[n].first; i < flow->blocks[n].end; i++) {
                uint32_t local = il_stored_local(&flow->il.instrs[i]);
                if (local == IL_NO_INDEX)
                    local = il_address_of_local(&flow->il.instrs[i]);
                else if (local < flow->context.local_count && made->is_flag[local] &&
                         gives_flag(made, flow, n, i, 0))
                    continue;
                if (local < flow->context.local_count && made->is_flag[local])
                    changed = true, made->is_flag[local] = false;
            }
    }
    for (uint32_t local = 0; changed && local < flow->context.local_count; local++)
        made->is_flag[local] = false;
}

bool made_fsharp_make(struct made_fsharp *out, const struct statements_source *source,
                      struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    *out = (struct made_fsharp){source->language == LANGUAGE_FSHARP, FSHARP_NO_MACHINE, NULL};
    if (out->is_fsharp)
        out->machine = made_fsharp_machine(flow);
    if (out->machine != FSHARP_TASK)
        return true;
    out->is_flag = arena_raw(arena, flow->context.local_count, sizeof *out->is_flag, err);
    for (uint32_t local = 0; out->is_flag != NULL && local < flow->context.local_count; local++)
        out->is_flag[local] = true;
    if (out->is_flag != NULL)
        find_flags(out, flow);
    return out->is_flag != NULL;
}

/* --- tests ------------------------------------------------------------------------------------ */

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

static bool asks_for_state(const struct made_fsharp *made, const struct flow *flow, uint32_t last)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t load = switched_on(flow, last);
    if (made->machine == FSHARP_SEQUENCE)
        return instrs[load].op == OP_LDFLD && instrs[load].operand == instrs[1].operand;
    uint32_t local = il_loaded_local(&instrs[load]);
    return local != IL_NO_INDEX && local == il_stored_local(&instrs[2]);
}

/* Does the way go to where the task is suspended? `if false then <resume> else <suspend>` is what is left of
 * its source, and notes the state; a ValueTask is asked for its awaiter only there. */
static bool suspends(const struct flow *flow, uint32_t block)
{
    const struct il *il = &flow->il;
    uint32_t first = flow->blocks[block].first;
    int32_t value = 0;
    for (uint32_t i = first; i + 1 < il->count && i - first < SUSPENDS_WITHIN; i++) {
        uint8_t flow_of = il_info(&il->instrs[i])->flow;
        if (flow_of == FLOW_CONDITION)
            return i != first && il_constant(&value, &il->instrs[i - 1]) && value == 0;
        if (il->instrs[i].op == OP_STFLD && str_is(member(flow, i), "ResumptionPoint"))
            return true;
    }
    return false;
}

static bool asks_for_completion(const struct flow *flow, const struct block *block)
{
    const struct edge *ways = &flow->edges[block->first_edge];
    return is_call(flow, block->end - 2) &&
           str_is(member(flow, block->end - 2), "get_IsCompleted") &&
           (suspends(flow, ways[0].to) || suspends(flow, ways[1].to));
}

/* The exception that ended the task, or that is thrown on when `use` has disposed. */
static bool asks_for_exception(const struct flow *flow, const struct block *block)
{
    for (uint32_t i = block->first; i < block->end; i++)
        if (flow->il.instrs[i].op == OP_LDFLD && str_starts(member(flow, i), "savedExn"))
            return true;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        for (uint32_t i = to->first; i < to->end; i++)
            if (is_call(flow, i) && str_is(member(flow, i), "SetException"))
                return true;
    }
    return false;
}

/* `Seq.sum xs`, `yield! xs`: nothing in the loop has a point, not even its test. */
static bool is_copied_loop(const struct cover *cover, uint32_t n)
{
    const struct flow *flow = cover->flow;
    const struct edge *back = &flow->edges[flow->blocks[n].first_edge];
    if (flow->blocks[n].exit != FLOW_CONDITION || !back->taken || back->to > n)
        return false;
    for (uint32_t m = n + 1; m-- != back->to;)
        if (cover->opens[m] != NO_POINT || n - m > LOOP_COPIED_MAX)
            return false;
    return true;
}

static bool calls_of(const struct flow *flow, uint32_t first, uint32_t end, const char *type)
{
    for (uint32_t i = first; i < end && i < flow->il.count; i++)
        if (is_call(flow, i) &&
            str_is(made_foreign_type(flow->context.md, flow->il.instrs[i].operand), type))
            return true;
    return false;
}

/* `backgroundTask { }` stays on this thread if there is no context: no SynchronizationContext, and the
 * default TaskScheduler. */
static bool asks_for_context(const struct flow *flow, uint32_t last)
{
    return last >= 4 && flow->il.instrs[last - 1].op == OP_BOX &&
           calls_of(flow, last - 4, last, "SynchronizationContext") &&
           calls_of(flow, last + 1, last + CONTEXT_WITHIN, "TaskScheduler");
}

bool made_fsharp_test(const struct made_fsharp *made, const struct cover *cover, uint32_t n)
{
    const struct flow *flow = cover->flow;
    const struct block *block = &flow->blocks[n];
    uint32_t last = block->end - 1;
    if (made->is_fsharp && (is_copied_loop(cover, n) || asks_for_context(flow, last)))
        return true;
    if (made->machine == FSHARP_NO_MACHINE || last < 2)
        return false;
    if (asks_for_state(made, flow, last))
        return true;
    if (made->machine != FSHARP_TASK || block->exit != FLOW_CONDITION || block->edge_count != 2)
        return false;
    return asks_for_completion(flow, block) ||
           (!cover_is_visible(cover, cover->at[last]) &&
            (gives_flag(made, flow, n, last, 0) || asks_for_exception(flow, block)));
}

bool made_fsharp_flag(const struct made_fsharp *made, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return made->machine == FSHARP_TASK &&
           gives_flag(made, flow, n, block->end - (block->exit == FLOW_BRANCH), 0);
}

static bool makes_exception(const struct flow *flow, uint32_t n, const char *type)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; i < block->end; i++)
        if ((flow->il.instrs[i].op == OP_NEWOBJ || is_call(flow, i)) &&
            str_is(made_foreign_type(flow->context.md, flow->il.instrs[i].operand), type))
            return true;
    return false;
}

bool made_fsharp_match_failure(const struct flow *flow, uint32_t n)
{
    return makes_exception(flow, n, "MatchFailureException");
}

bool made_fsharp_throw(const struct made_fsharp *made, const struct flow *flow, uint32_t n)
{
    return made->is_fsharp && (made_fsharp_match_failure(flow, n) ||
                               makes_exception(flow, n, "ExceptionDispatchInfo"));
}

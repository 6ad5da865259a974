/* `try { ... } finally { await f(); }`: after the await the compiler's code completes the way in
 * which the `try` was left. It has stored a number for each `return` and jump out of the `try`, and
 * the exception if there was one:
 *     if (x != null) { if (!(x is Exception e)) throw x; Capture(e).Throw(); }
 *     if (note == 1) return;
 * A `catch` with an await stores a number, too. Its body follows the `try`:
 *     if (note == 1) { ... } */
#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"
#include "coverage/statements/variable.h"

enum {
    NOTE_TAKEN_WITHIN = 32, /* instructions before the test of its copy */
};

/* --- the exception ---------------------------------------------------------------------------- */

/* `if (!(x is Exception e)) throw x;`, with no point of its own. */
static bool asks_for_exception(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    const struct block *block = &flow->blocks[n];
    const struct instr *instrs = flow->il.instrs;
    uint32_t load = block->first + (il_loaded_arg(&instrs[block->first]) == 0);
    return b->map.opens[n] == NO_INDEX && block->exit == FLOW_CONDITION && load + 1 < block->end &&
           instrs[load + 1].op == OP_ISINST &&
           flow->blocks[flow->edges[block->first_edge + block->edge_count - 1].to].exit ==
               FLOW_THROW;
}

bool rule_pending_exception(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct block *block = &flow->blocks[branch->block];
    if (!branches->awaits || branch->load == NO_INDEX ||
        point_map_is_visible(&branches->map, branches->map.point_of[branch->last]))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (asks_for_exception(branches, flow->edges[e].to))
            return true;
    return asks_for_exception(branches, branch->block);
}

/* --- the note --------------------------------------------------------------------------------- */

/* Does the instruction load the exception of a handler, which the handler has stored first? */
static bool loads_exception(const struct flow *flow, uint32_t instr)
{
    const struct block *block = &flow->blocks[flow_block_of(flow, instr)];
    return block->is_entry &&
           body_handler_around(&flow->body, flow->il.instrs[instr].offset) != 0 &&
           il_loads_stored(&flow->il, instr, block->first);
}

/* Only set to constants, or to an exception: which way the `try` was left, or what for. */
static bool only_notes_exit(const struct flow *flow, uint32_t field)
{
    const struct il *il = &flow->il;
    for (uint32_t i = 1; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i], *value = instr - 1;
        int32_t constant = 0;
        if (instr->op == OP_STFLD && instr->operand == field && !il_constant(&constant, value) &&
            value->op != OP_LDNULL && !loads_exception(flow, i - 1))
            return false;
        if (instr->op == OP_LDFLDA && instr->operand == field) /* an `out` argument */
            return false;
    }
    return true;
}

/* Is it right after the rethrow of an exception: Capture(e).Throw()? A block that ends with
 * the first test of the pending exception, which was found before, leads there. */
static bool follows_throw_on(const struct branches *b, uint32_t load)
{
    const struct flow *flow = b->flow;
    const struct instr *instrs = flow->il.instrs;
    uint32_t before = load;
    while (before > 0 &&
           (instrs[before - 1].op == OP_NOP || il_loaded_arg(&instrs[before - 1]) == 0))
        before--;
    if (before == 0 || instrs[before - 1].op != OP_CALLVIRT ||
        !str_is(idiom_member(flow, &instrs[before - 1]), "Throw"))
        return false;
    uint32_t test = idiom_condition_before(flow, flow_block_of(flow, before - 1));
    return test != NO_INDEX && b->rule[test] != NULL &&
           b->rule[test]->test == rule_pending_exception;
}

/* A note begins right before its `try`, also that of a `catch`, whose body with the await follows:
 *     ldc.i4.0; stloc note; try { ...; ldc.i4.1; stloc note; leave }
 * Release code keeps it in any free local or field, which may hold a variable of the user
 * elsewhere, but stores that under a visible point. Is the variable such a note before instruction
 * `before`? */
static bool begins_as_note(const struct branches *b, struct variable note, uint32_t before)
{
    const struct il *il = &b->flow->il;
    const struct il_body *body = &b->flow->body;
    for (uint32_t c = 0; c < body->clause_count; c++) {
        uint32_t end = il->index_at[body->clauses[c].try_offset];
        int32_t value = 0;
        while (end > 0 && il->instrs[end - 1].op == OP_NOP) /* where a way back to an await leads */
            end--;
        if (end < 2 || end >= before || !il_constant(&value, &il->instrs[end - 2]) ||
            point_map_is_visible(&b->map, b->map.point_of[end - 1]))
            continue;
        if (variable_is_stored(note, &il->instrs[end - 1]))
            return true;
    }
    return false;
}

/* In Release the test of the note may also come right after the rethrow. */
static bool is_exit_note(const struct branches *b, uint32_t load)
{
    const struct flow *flow = b->flow;
    const struct instr *instr = &flow->il.instrs[load];
    return instr->op == OP_LDFLD &&
           (follows_throw_on(b, load) || begins_as_note(b, variable_loaded(instr), load) ||
            (idiom_spilled_value(idiom_member(flow, instr)) &&
             only_notes_exit(flow, instr->operand)));
}

/* Is the local a copy of the note, taken shortly before? */
static bool holds_exit(const struct branches *b, uint32_t load, uint32_t local)
{
    const struct il *il = &b->flow->il;
    for (uint32_t i = load; i > 1 && load - i < NOTE_TAKEN_WITHIN; i--)
        if (il_stored_local(&il->instrs[i]) == local)
            return is_exit_note(b, i - 1);
    return false;
}

/* The note is kept in a local if no await comes between; runtime async always does. */
static bool is_local_note(const struct branches *b, const struct branch *branch)
{
    const struct il *il = &b->flow->il;
    uint32_t local = branch->local, store = branch->load;
    while (store > 1 && il_stored_local(&il->instrs[store]) != local)
        store--;
    int32_t value = 0;
    return il_constant(&value, &il->instrs[store - 1]) &&
           !point_map_is_visible(&b->map, b->map.point_of[store]) &&
           !point_map_is_visible(&b->map, b->map.point_of[branch->last]) &&
           begins_as_note(b, variable_loaded(&il->instrs[branch->load]), branch->load);
}

/* A guard of a switch may have a note of its own (way_code.h). */
bool rule_pending_exit(const struct branches *branches, const struct branch *branch)
{
    if (!branches->awaits || branch->load == NO_INDEX ||
        (branch->before != NO_INDEX && guard_read(branches, branch->before) == READS_GUARD))
        return false;
    if (branch->local != NO_INDEX)
        return is_local_note(branches, branch) ||
               (branches->is_state_machine && !branch->visible &&
                holds_exit(branches, branch->load, branch->local));
    if (!branches->is_state_machine)
        return false;
    return branch->visible
               ? branch->load_op == OP_LDFLD && follows_throw_on(branches, branch->load) &&
                     !point_map_is_visible(&branches->map, branches->map.point_of[branch->last])
               : is_exit_note(branches, branch->load);
}

/* --- in a catch ------------------------------------------------------------------------------- */

/* A field, or of runtime async a local that `isinst` looks at. */
static bool keeps_exception(const struct branches *branches, const struct branch *branch)
{
    if (branch->local != NO_INDEX)
        return branches->awaits && branches->flow->il.instrs[branch->load + 1].op == OP_ISINST;
    return branch->load_op == OP_LDFLD && idiom_spilled_value(branch->member);
}

/* `throw;` after an await in a catch, where the exception must be loaded from a field, in runtime
 * async from a local: x = field as Exception; if (x == null) throw field; */
bool rule_rethrow(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct block *b = &flow->blocks[branch->block];
    if (!branch->visible || branch->load == NO_INDEX || !keeps_exception(branches, branch))
        return false;
    for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        if (to->exit != FLOW_THROW || to->end - to->first < 2)
            continue;
        const struct instr *load = &flow->il.instrs[to->end - 2];
        if (branch->local != NO_INDEX
                ? il_loaded_local(load) == branch->local
                : load->op == OP_LDFLD && str_eq(idiom_member(flow, load), branch->member))
            return true;
    }
    return false;
}

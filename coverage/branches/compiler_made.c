#include "coverage/branches/compiler_made.h"

#include "coverage/branches/vb_made.h"
#include "metadata/names.h"

enum {
    STATE_TAKEN_WITHIN = 16, /* instructions from the start of MoveNext */
    APPENDS_WITHIN = 64,
};

/* Is the local only a copy of the state that a state machine was left in? It is taken first of
 * all. */
static bool holds_state(const struct flow *flow, uint32_t local)
{
    const struct il *il = &flow->il;
    for (uint32_t i = 1; i < il->count && i < STATE_TAKEN_WITHIN; i++)
        if (il_stored_local(&il->instrs[i]) == local && il->instrs[i - 1].op == OP_LDFLD)
            return made_state_field(name_of_member(flow->context.md, il->instrs[i - 1].operand));
    return false;
}

/* <>9__0_1 of a lambda, <0>__M of a method group; not <P>k__BackingField, which is the user's
 * property. */
static bool is_delegate_cache(struct str field)
{
    return str_starts(field, "<>") ||
           (field.len > 1 && field.text[0] == '<' && field.text[1] >= '0' && field.text[1] <= '9');
}

/* For targets before .NET 8 a constant span of ints and the like has an array, made when first asked for, in a
 * field of a class that no source can name. */
static bool is_constant_array(const struct metadata *md, uint32_t token)
{
    if (TOKEN_TABLE(token) != TABLE_Field)
        return false;
    uint32_t owner = owner_of_field(md, TOKEN_RID(token));
    return str_starts(heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, owner)),
                      "<PrivateImplementationDetails>");
}

/* Where an async or iterator method keeps across a suspension what has no name: values of the user
 * too. */
static bool is_spilled_value(struct str field)
{
    return str_starts(field, "<>s__") || str_starts(field, "<>7__wrap");
}

/* `if (!(x is Exception e)) throw x;`, with no point of its own. */
static bool asks_for_exception(const struct cover *cover, uint32_t n)
{
    const struct flow *flow = cover->flow;
    const struct block *block = &flow->blocks[n];
    const struct instr *instrs = flow->il.instrs;
    uint32_t load = block->first + (il_loaded_arg(&instrs[block->first]) == 0);
    return cover->opens[n] == NO_POINT && block->exit == FLOW_CONDITION && load + 1 < block->end &&
           instrs[load + 1].op == OP_ISINST &&
           flow->blocks[flow->edges[block->first_edge + block->edge_count - 1].to].exit ==
               FLOW_THROW;
}

/* The exception that a `try` was left with, when its finally has awaited:
 *     if (x != null) { if (!(x is Exception e)) throw x; Capture(e).Throw(); } */
static bool throws_on(const struct cover *cover, uint32_t n)
{
    const struct block *block = &cover->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (asks_for_exception(cover, cover->flow->edges[e].to))
            return true;
    return asks_for_exception(cover, n);
}

static bool is_first_in_handler(const struct flow *flow, uint32_t instr)
{
    return flow->blocks[flow_block_of(flow, instr)].is_entry &&
           body_handler_around(&flow->body, flow->il.instrs[instr].offset) != 0;
}

/* Only set to constants, or where a handler begins: which way a `try` was left by, or the exception,
 * until the `finally` has awaited. */
static bool notes_pending_exit(const struct flow *flow, uint32_t field)
{
    const struct il *il = &flow->il;
    for (uint32_t i = 1; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i], *value = instr - 1;
        int32_t constant = 0;
        if (instr->op == OP_STFLD && instr->operand == field && !il_constant(&constant, value) &&
            value->op != OP_LDNULL && !is_first_in_handler(flow, i))
            return false;
    }
    return true;
}

static bool disposes_first(const struct flow *flow, uint32_t first)
{
    const struct il *il = &flow->il;
    for (uint32_t i = first; i < il->count && i - first < 4; i++) {
        const struct instr *instr = &il->instrs[i];
        if (instr->op == OP_CALL || instr->op == OP_CALLVIRT) {
            struct str name = name_of_member(flow->context.md, instr->operand);
            return str_is(name, "Dispose") || str_is(name, "DisposeAsync");
        }
        if (il_info(instr)->flow != FLOW_NEXT && il_info(instr)->flow != FLOW_PREFIX)
            break;
    }
    return false;
}

bool made_dispose_check(const struct cover *cover, uint32_t n)
{
    const struct flow *flow = cover->flow;
    const struct block *b = &flow->blocks[n];
    for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (cover->opens[to] == NO_POINT && disposes_first(flow, flow->blocks[to].first))
            return b->exit == FLOW_CONDITION;
    }
    return false;
}

/* Is it right behind the throwing-on of an exception: Capture(e).Throw()? */
static bool follows_throw_on(const struct flow *flow, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t before = load;
    while (before > 0 &&
           (instrs[before - 1].op == OP_NOP || il_loaded_arg(&instrs[before - 1]) == 0))
        before--;
    return before > 0 && instrs[before - 1].op == OP_CALLVIRT &&
           str_is(name_of_member(flow->context.md, instrs[before - 1].operand), "Throw");
}

/* Release code keeps the note in whatever field is free, be it a variable of the user's elsewhere;
 * but asks for it right behind the throwing-on. */
static bool is_exit_note(const struct flow *flow, uint32_t load)
{
    const struct instr *instr = &flow->il.instrs[load];
    return instr->op == OP_LDFLD &&
           (follows_throw_on(flow, load) ||
            (is_spilled_value(name_of_member(flow->context.md, instr->operand)) &&
             notes_pending_exit(flow, instr->operand)));
}

/* Is the local a copy of the note how a `try` was left, taken shortly before? */
static bool holds_exit(const struct flow *flow, uint32_t load, uint32_t local)
{
    const struct il *il = &flow->il;
    for (uint32_t i = load; i > 1 && load - i < 32; i--) {
        if (il_stored_local(&il->instrs[i]) == local)
            return is_exit_note(flow, i - 1);
    }
    return false;
}

/* `t?.M()` of an unconstrained T boxes a fresh default value: is T a class? */
static bool is_fresh_box(const struct flow *flow, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    return load != 0 && instrs[load + 1].op == OP_BOX && instrs[load - 1].op == OP_INITOBJ;
}

/* Is something appended to a text, still by the statement of instruction `first`? */
static bool appends(const struct cover *cover, uint32_t first)
{
    const struct il *il = &cover->flow->il;
    for (uint32_t i = first; i < il->count && i - first < APPENDS_WITHIN &&
                             cover->point_of[i] == cover->point_of[first];
         i++)
        if (made_append(cover->flow, i))
            return true;
    return false;
}

/* The bool by which a handler of an interpolated string says whether it wants the text, the last argument of
 * its constructor; the text is for the object that this has made, by the same statement. */
static bool is_handler_answer(const struct cover *cover, uint32_t n, uint32_t load, uint32_t local)
{
    const struct flow *flow = cover->flow;
    const struct instr *instrs = flow->il.instrs;
    uint32_t stores = load != 0 && il_stored_local(&instrs[load - 1]) != IL_NO_INDEX;
    uint32_t next = flow->blocks[n].end;
    if (load < 2 + stores || next == flow->il.count ||
        cover->point_of[load - 1 - stores] != cover->point_of[next])
        return false;
    const struct instr *maker = &instrs[load - 1 - stores];
    uint32_t appended_to = il_address_of_local(&instrs[next]);
    if (appended_to == IL_NO_INDEX)
        appended_to = il_loaded_local(&instrs[next]);
    return (maker->op == OP_CALL || maker->op == OP_NEWOBJ) &&
           (maker->op == OP_NEWOBJ) == (stores != 0) && appended_to != IL_NO_INDEX &&
           str_is(name_of_member(flow->context.md, maker->operand), ".ctor") &&
           il_address_of_local(maker - 1) == local &&
           (stores == 0 || il_stored_local(&instrs[load - 1]) == appended_to) &&
           appends(cover, next);
}

/* `throw;` behind an await, where the exception must be fetched from a field: x = field as
 * Exception; if (x == null) throw field; */
static bool rethrows(const struct flow *flow, uint32_t block, struct str field)
{
    const struct block *b = &flow->blocks[block];
    for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        if (to->exit != FLOW_THROW || to->end - to->first < 2)
            continue;
        const struct instr *load = &flow->il.instrs[to->end - 2];
        if (load->op == OP_LDFLD && str_eq(name_of_member(flow->context.md, load->operand), field))
            return true;
    }
    return false;
}

/* III.1.3 has no names, but metadata does, and names with '<' can't be written in any source. */
bool made_test(const struct cover *cover, uint32_t n, bool is_state_machine, bool visible)
{
    const struct flow *flow = cover->flow;
    uint32_t load = made_tested_load(flow, n), last = flow->blocks[n].end - 1;
    if (load == IL_NO_INDEX)
        return false;
    if (is_state_machine && !cover_is_visible(cover, cover->point_of[last]) && throws_on(cover, n))
        return true;
    const struct instr *instr = &flow->il.instrs[load];
    uint32_t local = il_loaded_local(instr);
    if (local != IL_NO_INDEX)
        return is_fresh_box(flow, load) || is_handler_answer(cover, n, load, local) ||
               (is_state_machine &&
                (holds_state(flow, local) || (!visible && holds_exit(flow, load, local))));
    struct str name = name_of_member(flow->context.md, instr->operand);
    if (cover->language == LANGUAGE_VISUAL_BASIC && made_vb_test(flow, n, load))
        return true;
    switch (instr->op) {
    case OP_LDSFLD:
        return is_delegate_cache(name) || is_constant_array(flow->context.md, instr->operand);
    case OP_LDFLD:
        if (is_state_machine && made_state_field(name))
            return true;
        if (is_state_machine && (visible ? follows_throw_on(flow, load) : is_exit_note(flow, load)))
            return true;
        return is_spilled_value(name) ? visible && rethrows(flow, n, name) : str_starts(name, "<>");
    case OP_CALL:
    case OP_CALLVIRT:
        return made_append(flow, load) ||
               (is_state_machine && made_await_goes_on(flow, n) != NO_BLOCK);
    default:
        return false;
    }
}

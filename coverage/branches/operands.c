#include "coverage/branches/operands.h"

#include "coverage/branches/il_idioms.h"
#include "coverage/branches/lifted.h"

enum {
    VALUE_KEPT_MAX = 48, /* instructions between the making of a value and its test */
    OPERANDS_NESTED_MAX = 64,
};

static bool loads_what_was_stored(const struct il *il, uint32_t first, uint32_t instr)
{
    for (uint32_t i = first; i < instr; i++)
        if (il_loads_stored(il, instr, i))
            return true;
    return false;
}

/* Do the instructions [first, end) only keep the value that is there before them, and test it? */
static bool only_tests(const struct operands *o, uint32_t first, uint32_t end)
{
    const struct il *il = &o->flow->il;
    for (uint32_t i = first; i < end; i++) {
        const struct instr *instr = &il->instrs[i];
        bool keeps = il_stored_local(instr) != IL_NO_INDEX || instr->op == OP_STFLD;
        bool loads = il_loaded_local(instr) != IL_NO_INDEX || instr->op == OP_LDFLD;
        bool of_this = o->is_state_machine && il_loaded_arg(instr) == 0;
        if (!keeps && !of_this && !(loads && loads_what_was_stored(il, first, i)) &&
            !made_of_one_value(instr))
            return false;
    }
    return true;
}

/* A block that only this one follows, and that runs on to nothing else; NO_BLOCK when there is
 * none. */
static uint32_t only_block_before(const struct operands *o, uint32_t n)
{
    const struct block *block = &o->flow->blocks[n];
    if (block->in_count != 1 || block->is_entry)
        return NO_BLOCK;
    uint32_t from = flow_edge_in(o->flow, block, 0)->from;
    bool runs_on = o->flow->blocks[from].exit == FLOW_NEXT && from + 1 == n;
    return runs_on ? from : NO_BLOCK;
}

static bool comes_known(const struct operands *o, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested);
static bool is_told(const struct operands *o, uint32_t n, uint32_t end, uint32_t statement,
                    unsigned nested);

static bool is_way_of_switch(const struct operands *o, const struct block *block)
{
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(o->flow, block, i)->from;
        if (o->flow->blocks[from].exit == FLOW_SWITCH)
            return true;
    }
    return false;
}

/* Is the value that block `n` hands on to a join a constant that branches led to, or an operand that
 * was counted? `load` is the instruction that takes it up at the join; IL_NO_INDEX: it is on the
 * stack. */
static bool is_known(const struct operands *o, uint32_t n, uint32_t load, uint32_t statement,
                     unsigned nested)
{
    const struct block *block = &o->flow->blocks[n];
    const struct instr *instrs = o->flow->il.instrs;
    uint32_t last = flow_last_instr(o->flow, n), end = block->exit == FLOW_BRANCH ? last : last + 1;
    int32_t value = 0;
    bool counted = o->plan->value_counter[n] != NO_COUNTER;
    if (o->inlined->within[n] != NO_BLOCK)
        return false;
    /* F# has a point for each operand, and none for the constants */
    bool of_operand = o->is_fsharp && (counted || !cover_is_visible(o->cover, o->cover->at[last]));
    if (cover_before(o->cover, last) != statement && !of_operand)
        return false;
    bool chosen = !is_way_of_switch(o, block); /* a constant: the labels are no decisions */
    if (load == IL_NO_INDEX)
        return (block->ends_with_zero_or_one && chosen) ||
               (counted && block->bool_store == IL_NO_INDEX) ||
               (flow_only_goes_on(o->flow, n) && comes_known(o, n, load, statement, nested));
    if (block->exit == FLOW_CONDITION) /* told there */
        return last != block->first && il_loads_the_same(&instrs[last - 1], &instrs[load]);
    if (end == block->first || !il_loads_stored(&o->flow->il, load, end - 1))
        return false;
    return counted || is_told(o, n, end - 1, statement, nested) ||
           (chosen && end - 1 > block->first && il_constant(&value, &instrs[end - 2]));
}

static bool comes_known(const struct operands *o, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested)
{
    const struct block *block = &o->flow->blocks[join];
    bool joins = block->in_count >= 2 || (nested != 0 && block->in_count == 1);
    if (nested == OPERANDS_NESTED_MAX || !joins || block->is_entry ||
        (load == IL_NO_INDEX && block->depth == 0))
        return false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(o->flow, block, i)->from;
        if (load != IL_NO_INDEX)
            from = flow_before_cut(o->flow, from);
        if (!is_known(o, from, load, statement, nested + 1))
            return false;
    }
    return true;
}

/* Is the value that is on top before instruction `end` of block `n` known? */
static bool is_told(const struct operands *o, uint32_t n, uint32_t end, uint32_t statement,
                    unsigned nested)
{
    const struct il *il = &o->flow->il;
    for (uint32_t join = n; join != NO_BLOCK; join = only_block_before(o, join)) {
        uint32_t first = o->flow->blocks[join].first;
        if (end - first > VALUE_KEPT_MAX)
            break;
        if (only_tests(o, first, end) && comes_known(o, join, IL_NO_INDEX, statement, nested))
            return true;
        for (uint32_t load = first; load < end && il_only_pushes(&il->instrs[load]); load++)
            if (only_tests(o, load + 1, end) && comes_known(o, join, load, statement, nested))
                return true;
    }
    return false;
}

bool operands_tell_test(const struct operands *o, uint32_t n)
{
    uint32_t last = flow_last_instr(o->flow, n), store = o->flow->blocks[n].bool_store;
    return is_told(o, n, store != IL_NO_INDEX ? store : last, cover_before(o->cover, last), 0);
}

bool operands_just_stored(const struct operands *o, uint32_t block)
{
    const struct il *il = &o->flow->il;
    uint32_t last = flow_last_instr(o->flow, block);
    if (last < 2 || !il_tests_bool(&il->instrs[last]))
        return false;
    uint32_t loaded = il_loaded_local(&il->instrs[last - 1]);
    return loaded != IL_NO_INDEX && loaded == il_stored_local(&il->instrs[last - 2]) &&
           cover_is_visible(o->cover, o->cover->at[last - 2]);
}

bool operands_are_constant(const struct operands *o, uint32_t block)
{
    int32_t value = 0;
    uint32_t last = flow_last_instr(o->flow, block);
    return operands_just_stored(o, block) && last >= o->flow->blocks[block].first + 3 &&
           il_constant(&value, &o->flow->il.instrs[last - 3]);
}

/* The condition behind a join, if nothing else is. */
static uint32_t test_behind(const struct flow *flow, uint32_t join)
{
    uint32_t n = join;
    while (flow->blocks[n].edge_count == 1 && flow->edges[flow->blocks[n].first_edge].to > n)
        n = flow->edges[flow->blocks[n].first_edge].to;
    return flow->blocks[n].exit == FLOW_CONDITION ? n : NO_BLOCK;
}

/* t = a; if (t) t = await b; if (t) ...: are the tests those of the statement that stores? Or, of
 * if (c) t = a; else t = await b; if (t) ...: is the last? */
static bool stands_with_its_test(const struct operands *o, uint32_t n)
{
    const struct flow *flow = o->flow;
    uint32_t join = flow_past_cut(flow, n);
    const struct block *to = &flow->blocks[join];
    uint32_t statement = cover_before(o->cover, flow_last_instr(flow, n));
    bool tested = false;
    for (uint32_t i = 0; i < to->in_count; i++) {
        uint32_t from = flow_edge_in(flow, to, i)->from;
        tested |= flow->blocks[from].exit == FLOW_CONDITION;
        if (from != n && cover_before(o->cover, flow_last_instr(flow, from)) != statement)
            return false;
    }
    if (!tested) {
        uint32_t test = test_behind(flow, join);
        tested = (test != NO_BLOCK && operands_tell_test(o, test)) ||
                 (to->bool_store != IL_NO_INDEX && join > n && operands_tell_test(o, join) &&
                  stands_with_its_test(o, join)); /* it only hands the value on */
    }
    return tested && cover_before(o->cover, to->first) == statement;
}

/* Where the value that a block hands on is taken up; NO_BLOCK when it is returned. */
static uint32_t final_join(const struct operands *o, uint32_t n)
{
    const struct flow *flow = o->flow;
    if (flow->blocks[n].edge_count != 1)
        return NO_BLOCK;
    do
        n = flow->edges[flow->blocks[n].first_edge].to;
    while (flow_only_goes_on(flow, n) && flow->edges[flow->blocks[n].first_edge].to > n);
    return n;
}

/* An operand that was counted by its value: b of `x = a && b`; the verdict of a catch filter. The
 * short way round it must be of the same statement: `if (x) return false; return f();` looks like
 * `!x && f()` otherwise. */
bool operands_decide(const struct operands *o, uint32_t n)
{
    const struct block *block = &o->flow->blocks[n];
    uint32_t last = flow_last_instr(o->flow, n);
    bool jumps = block->exit == FLOW_BRANCH && last != 0;
    if (o->plan->value_counter[n] == NO_COUNTER || o->inlined->within[n] != NO_BLOCK ||
        operands_tell_test(o, n) || made_append(o->flow, jumps ? last - 1 : last))
        return false;
    bool to_filter =
        block->exit == FLOW_ENDFILTER ||
        (block->edge_count == 1 &&
         o->flow->il.instrs[o->flow->blocks[o->flow->edges[block->first_edge].to].first].op ==
             OP_ENDFILTER);
    if (to_filter)
        return true;
    if (block->bool_store != IL_NO_INDEX)
        return stands_with_its_test(o, n);
    uint32_t join = final_join(o, n);
    uint32_t test = join != NO_BLOCK ? test_behind(o->flow, join) : NO_BLOCK;
    if (test != NO_BLOCK && operands_tell_test(o, test))
        return true;
    if (test != NO_BLOCK && lifted_gives(o->flow, n) && /* it is a condition */
        cover_before(o->cover, flow_last_instr(o->flow, test)) == cover_before(o->cover, last))
        return false;
    if (join != NO_BLOCK && flow_only_keeps(o->flow, join) != IL_NO_INDEX &&
        stands_with_its_test(o, join))
        return true;
    uint32_t statement = o->is_fsharp ? cover_before(o->cover, last) : o->cover->at[last];
    for (uint32_t c = n + 1; c < o->flow->block_count; c++) {
        const struct block *constant = &o->flow->blocks[c];
        uint32_t cover =
            o->is_fsharp ? cover_before(o->cover, constant->first) : o->cover->at[constant->first];
        if (cover_is_visible(o->cover, cover) && cover > statement) /* behind the statement */
            break;
        if (constant->ends_with_zero_or_one && cover == statement &&
            (constant->exit == FLOW_RETURN) == (block->exit == FLOW_RETURN) &&
            final_join(o, c) == join)
            return true;
    }
    return false;
}

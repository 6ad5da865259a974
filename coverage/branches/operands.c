#include "coverage/branches/operands.h"

#include "coverage/branches/rules.h"
#include "coverage/statements/il_idioms.h"

enum {
    VALUE_KEPT_MAX = 48, /* instructions from where a value is made to its test */
    OPERANDS_NESTED_MAX = 64,
};

static bool loads_what_was_stored(const struct il *il, uint32_t first, uint32_t instr)
{
    for (uint32_t i = first; i < instr; i++)
        if (il_loads_stored(il, instr, i))
            return true;
    return false;
}

/* Visual Basic, of the Object that `a AndAlso b` of two gives: is it `Not`, or the conversion? */
static bool is_of_object(const struct branches *b, const struct instr *call)
{
    return b->language == LANGUAGE_VISUAL_BASIC &&
           (idiom_calls(b->flow, call, "GetObjectValue") ||
            idiom_calls(b->flow, call, "NotObject") || idiom_calls(b->flow, call, "ToBoolean"));
}

/* Do the instructions [first, end) only store the value that is there before them, and test it? In
 * `x == (a && b)` they, or what follows, compare it with another one, which is below it. */
static bool only_tests_value(const struct branches *b, uint32_t first, uint32_t end)
{
    const struct il *il = &b->flow->il;
    bool has_this = (b->flow->context.sig.flags & SIG_HAS_THIS) != 0;
    uint32_t depth = 1;
    for (uint32_t i = first; i < end; i++) {
        const struct instr *instr = &il->instrs[i];
        bool keeps = il_stored_local(instr) != NO_INDEX || instr->op == OP_STFLD;
        bool loads = il_loaded_local(instr) != NO_INDEX || instr->op == OP_LDFLD;
        bool of_this = has_this && il_loaded_arg(instr) == 0;
        if (i != first && is_of_object(b, instr) &&
            (instr[-1].op == OP_BOX || is_of_object(b, instr - 1)))
            continue;
        if (!keeps && !of_this && !(loads && loads_what_was_stored(il, first, i)) &&
            !idiom_of_one_value(instr))
            return false;
        /* a state machine puts the object whose field it stores in below the value early on */
        if (depth < (instr->op == OP_STFLD ? 1 : il_info(instr)->pops))
            return false;
        depth -= depth < il_info(instr)->pops ? depth : il_info(instr)->pops;
        depth += il_info(instr)->pushes;
    }
    const struct opcode_info *use = il_info(&il->instrs[end]);
    return use->flow != FLOW_CONDITION || depth >= use->pops;
}

/* The block before, if it leads only to this one and nothing else leads here; NO_INDEX
 * otherwise. */
static uint32_t only_block_before(const struct branches *b, uint32_t n)
{
    const struct block *block = &b->flow->blocks[n];
    if (block->in_count != 1 || block->is_entry)
        return NO_INDEX;
    uint32_t from = flow_edge_in(b->flow, block, 0)->from;
    bool runs_on = b->flow->blocks[from].exit == FLOW_NEXT && from + 1 == n;
    return runs_on ? from : NO_INDEX;
}

static bool comes_known(const struct branches *b, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested);
static bool is_value_known(const struct branches *b, uint32_t n, uint32_t end, uint32_t statement,
                           unsigned nested);

/* The instruction with which the block may pass on a value in a variable; NO_INDEX: it only
 * jumps. */
static uint32_t last_store(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t end = block->end - (block->exit == FLOW_BRANCH), kept = flow_only_keeps(flow, n);
    if (block->bool_store != NO_INDEX || kept != NO_INDEX)
        return kept != NO_INDEX ? kept : block->bool_store;
    return end != block->first ? end - 1 : NO_INDEX;
}

/* Is the value that block `n` passes on to a join a constant that branches led to, or an operand
 * that was counted? `load` is the instruction that loads it at the join; NO_INDEX: it is on the
 * stack. */
static bool passes_known_value(const struct branches *b, uint32_t n, uint32_t load,
                               uint32_t statement, unsigned nested)
{
    const struct block *block = &b->flow->blocks[n];
    const struct instr *instrs = b->flow->il.instrs;
    uint32_t last = flow_last_instr(b->flow, n);
    int32_t value = 0;
    bool counted = b->plan->value_counter[n] != NO_INDEX;
    if (b->inlined.within[n] != NO_INDEX)
        return false;
    /* F# has a point for each operand, and none for the constants. With something on the stack, as
     * in [| a || b |], the point of an operand applies to the constant, too. */
    bool of_operand =
        b->language == LANGUAGE_FSHARP &&
        (counted || b->map.opens[n] == NO_INDEX || !point_map_is_visible(&b->map, b->map.at[last]));
    if (point_map_before(&b->map, last) != statement && !of_operand)
        return false;
    if (load == NO_INDEX)
        return block->ends_with_zero_or_one || (counted && block->bool_store == NO_INDEX) ||
               (flow_only_continues(b->flow, n) && comes_known(b, n, load, statement, nested));
    if (block->exit == FLOW_CONDITION) /* already counted there */
        return last != block->first && il_loads_the_same(&instrs[last - 1], &instrs[load]);
    uint32_t store = last_store(b->flow, n);
    if (store == NO_INDEX || !il_loads_stored(&b->flow->il, load, store))
        return false;
    return counted || is_value_known(b, n, store, statement, nested) ||
           (store > block->first && il_constant(&value, &instrs[store - 1]));
}

static bool comes_known(const struct branches *b, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested)
{
    const struct block *block = &b->flow->blocks[join];
    bool joins = block->in_count >= 2 || (nested != 0 && block->in_count == 1);
    if (nested == OPERANDS_NESTED_MAX || !joins || block->is_entry ||
        (load == NO_INDEX && block->depth == 0))
        return false;
    bool made = false; /* otherwise the user asks twice: `n == 0 || n != 0` */
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(b->flow, block, i)->from;
        if (load != NO_INDEX)
            from = flow_before_cut(b->flow, from);
        if (!passes_known_value(b, from, load, statement, nested + 1))
            return false;
        made |= b->flow->blocks[from].exit != FLOW_CONDITION;
    }
    return made;
}

/* F#: does another statement begin between a join, where a value arrives, and instruction `end`? In
 * `let b = x && y` each operand has a point of its own, so these do not tell. */
static bool is_used_later(const struct branches *b, uint32_t join, uint32_t end)
{
    const struct flow *flow = b->flow;
    const struct block *block = &flow->blocks[join];
    const struct seq_point *points = b->points->points;
    if (b->language != LANGUAGE_FSHARP || block->in_count == 0)
        return false;
    uint32_t made = point_map_at_end(&b->map, flow_edge_in(flow, block, 0)->from);
    for (uint32_t i = block->first; i <= end; i++) {
        uint32_t p = b->map.at[i];
        if (point_map_is_visible(&b->map, p) && points[p].il_offset == flow->il.instrs[i].offset &&
            (made == NO_INDEX || !seq_point_is_within(&points[made], &points[p])))
            return true;
    }
    return false;
}

/* Is the value on top of the stack before instruction `end` of block `n` known? */
static bool is_value_known(const struct branches *b, uint32_t n, uint32_t end, uint32_t statement,
                           unsigned nested)
{
    const struct il *il = &b->flow->il;
    for (uint32_t join = n; join != NO_INDEX; join = only_block_before(b, join)) {
        uint32_t first = b->flow->blocks[join].first;
        if (end - first > VALUE_KEPT_MAX || is_used_later(b, join, end))
            break;
        if (only_tests_value(b, first, end) && comes_known(b, join, NO_INDEX, statement, nested))
            return true;
        for (uint32_t load = first; load < end && il_only_pushes(&il->instrs[load]); load++)
            if (only_tests_value(b, load + 1, end) && comes_known(b, join, load, statement, nested))
                return true;
    }
    return false;
}

bool operands_determine_test(const struct branches *b, uint32_t n)
{
    uint32_t last = flow_last_instr(b->flow, n), store = b->flow->blocks[n].bool_store;
    return is_value_known(b, n, store != NO_INDEX ? store : last, point_map_before(&b->map, last),
                          0);
}

bool rule_operands_counted(const struct branches *branches, const struct branch *branch)
{
    return operands_determine_test(branches, branch->block);
}

/* The flow graph has no edge for the other way. */
bool rule_constant_way(const struct branches *branches, const struct branch *branch)
{
    return branches->flow->blocks[branch->block].edge_count < 2;
}

/* `while (true)` in Debug code: ldc.i4.1; stloc V; ldloc V; brtrue. */
bool rule_constant_stored(const struct branches *branches, const struct branch *branch)
{
    int32_t value = 0;
    return branch->just_stored && branch->last >= branches->flow->blocks[branch->block].first + 3 &&
           il_constant(&value, &branches->flow->il.instrs[branch->last - 3]);
}

/* The condition after a join, if there is nothing else. */
static uint32_t test_after(const struct flow *flow, uint32_t join)
{
    uint32_t n = join;
    while (flow->blocks[n].edge_count == 1 && flow->edges[flow->blocks[n].first_edge].to > n)
        n = flow->edges[flow->blocks[n].first_edge].to;
    return flow->blocks[n].exit == FLOW_CONDITION ? n : NO_INDEX;
}

/* In t = a; if (t) t = await b; if (t) ...: do the tests belong to the statement that stores? In if
 * (c) t = a; else t = await b; if (t) ...: does the last one? */
static bool stands_with_its_test(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    uint32_t join = flow_past_cut(flow, n);
    const struct block *to = &flow->blocks[join];
    uint32_t statement = point_map_at_end(&b->map, n);
    bool tested = false;
    for (uint32_t i = 0; i < to->in_count; i++) {
        uint32_t from = flow_edge_in(flow, to, i)->from;
        tested |= flow->blocks[from].exit == FLOW_CONDITION;
        if (from != n && point_map_at_end(&b->map, from) != statement)
            return false;
    }
    if (!tested) {
        uint32_t test = test_after(flow, join);
        tested = (test != NO_INDEX && operands_determine_test(b, test)) ||
                 (to->bool_store != NO_INDEX && join > n && operands_determine_test(b, join) &&
                  stands_with_its_test(b, join)); /* it only passes the value on */
    }
    return tested && point_map_before(&b->map, to->first) == statement;
}

/* Where the value that a block passes on is used; NO_INDEX if it is returned. */
static uint32_t final_join(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    if (flow->blocks[n].edge_count != 1)
        return NO_INDEX;
    do
        n = flow->edges[flow->blocks[n].first_edge].to;
    while (flow_only_continues(flow, n) && flow->edges[flow->blocks[n].first_edge].to > n);
    return n;
}

bool operands_end_with(const struct branches *b, uint32_t n, uint32_t statement)
{
    const struct flow *flow = b->flow;
    uint32_t join = final_join(b, n);
    if (b->language != LANGUAGE_FSHARP || statement == NO_INDEX)
        return false;
    uint32_t first = flow->il.index_at[b->points->points[statement].il_offset];
    if (first == NO_INDEX) /* points of another build */
        return false;
    const struct block *operand = &flow->blocks[flow_block_of(flow, first)];
    for (uint32_t i = 0; i < operand->in_count; i++) {
        const struct block *test = &flow->blocks[flow_source(flow, flow_edge_in(flow, operand, i))];
        for (uint32_t e = test->first_edge; e < test->first_edge + test->edge_count; e++) {
            uint32_t c = flow_past_jumps(flow, flow->edges[e].to);
            const struct block *constant = &flow->blocks[c];
            if (constant->ends_with_zero_or_one && b->map.opens[c] == NO_INDEX &&
                b->inlined.within[c] == NO_INDEX &&
                (constant->exit == FLOW_RETURN) == (flow->blocks[n].exit == FLOW_RETURN) &&
                final_join(b, c) == join)
                return true;
        }
    }
    return false;
}

/* Is it an operand that was counted by its value: b of `x = a && b`, or the verdict of a catch
 * filter? The short way round it must belong to the same statement: otherwise `if (x) return false;
 * return f();` looks like `!x && f()`. */
bool operands_decide(const struct branches *b, uint32_t n)
{
    const struct block *block = &b->flow->blocks[n];
    uint32_t last = flow_last_instr(b->flow, n);
    bool jumps = block->exit == FLOW_BRANCH && last != 0;
    uint32_t made = block->bool_store != NO_INDEX ? block->bool_store - 1 : last - jumps;
    if (b->plan->value_counter[n] == NO_INDEX || b->inlined.within[n] != NO_INDEX ||
        operands_determine_test(b, n) || idiom_append(b->flow, made) ||
        lifted_asks_again(b, n, jumps ? last : last + 1))
        return false;
    bool to_filter =
        block->exit == FLOW_ENDFILTER ||
        (block->edge_count == 1 &&
         b->flow->il.instrs[b->flow->blocks[b->flow->edges[block->first_edge].to].first].op ==
             OP_ENDFILTER);
    if (to_filter)
        return true;
    if (block->bool_store != NO_INDEX)
        return stands_with_its_test(b, n);
    uint32_t join = final_join(b, n);
    uint32_t test = join != NO_INDEX ? test_after(b->flow, join) : NO_INDEX;
    if (test != NO_INDEX && operands_determine_test(b, test))
        return true;
    if (test != NO_INDEX && lifted_gives(b->flow, n) && /* it is a condition */
        point_map_at_end(&b->map, test) == point_map_before(&b->map, last))
        return false;
    if (join != NO_INDEX && flow_only_keeps(b->flow, join) != NO_INDEX &&
        stands_with_its_test(b, join))
        return true;
    uint32_t statement =
        b->language == LANGUAGE_FSHARP ? point_map_before(&b->map, last) : b->map.at[last];
    for (uint32_t c = n + 1; c < b->flow->block_count; c++) {
        const struct block *constant = &b->flow->blocks[c];
        uint32_t point = b->language == LANGUAGE_FSHARP ? point_map_before(&b->map, constant->first)
                                                        : b->map.at[constant->first];
        if (point_map_is_visible(&b->map, point) && point > statement) /* after the statement */
            break;
        if (constant->ends_with_zero_or_one && point == statement &&
            (constant->exit == FLOW_RETURN) == (block->exit == FLOW_RETURN) &&
            final_join(b, c) == join)
            return true;
    }
    return operands_end_with(b, n, statement);
}

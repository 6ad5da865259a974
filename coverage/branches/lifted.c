/* Lifted operators: `a + b`, `(long?)a`, `a < b`, `a == b` of nullable values (C# 12.4.8). Each was
 * written as one operator; compilers make branches of it: is there a value? */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"

enum {
    OPERATOR_WITHIN = 16, /* instructions from the values to the operator */
    CONSTANT_WITHIN = 5,  /* from a nullable to what takes its value */
};

/* What an operator is applied to the values for. */
enum applied {
    APPLIED_NOT,
    APPLIED_FOR_NULLABLE, /* its result becomes a nullable */
    APPLIED_FOR_BOOL,
};

static bool calls_operator(const struct flow *flow, const struct instr *instr)
{
    return instr->op == OP_CALL && str_starts(idiom_member(flow, instr), "op_");
}

/* `a.HasValue`, `a.HasValue & b.HasValue`. */
static bool asks_for_value(const struct flow *flow, uint32_t n)
{
    uint32_t test = flow->blocks[n].end - 1;
    const struct instr *instrs = flow->il.instrs;
    if (test != 0 && instrs[test - 1].op == OP_AND)
        test--;
    return test != 0 && idiom_calls(flow, &instrs[test - 1], "get_HasValue");
}

/* Loads values from the nullables and applies an operator. Nothing else is called, unlike in
 * `a?.M()`. */
static enum applied applies_operator(const struct flow *flow, uint32_t first)
{
    const struct il *il = &flow->il;
    bool by_method = false;
    for (uint32_t i = first; i < il->count && i - first < OPERATOR_WITHIN; i++) {
        const struct instr *instr = &il->instrs[i];
        if (instr->op == OP_NEWOBJ)
            return APPLIED_FOR_NULLABLE;
        if (by_method)
            return APPLIED_FOR_BOOL;
        bool takes_value = idiom_calls(flow, instr, "GetValueOrDefault");
        by_method = calls_operator(flow, instr);
        if (!takes_value && !by_method &&
            (il_info(instr)->flow != FLOW_NEXT || instr->op == OP_LDFLD ||
             il_info(instr)->pops == STACK_VARIES))
            return APPLIED_NOT;
    }
    return APPLIED_NOT;
}

static bool makes_null(const struct flow *flow, const struct block *block)
{
    return block->first + 1 < flow->il.count && flow->il.instrs[block->first + 1].op == OP_INITOBJ;
}

/* One way applies the operator; the other makes null, or a bool. This excludes `a.HasValue && ...`,
 * which continues where a has a value. */
static bool tests_for_operator(const struct flow *flow, uint32_t n)
{
    const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
    for (unsigned i = 0; i < 2; i++) {
        const struct block *without = &flow->blocks[ways[1 - i].to];
        enum applied applied = applies_operator(flow, flow->blocks[ways[i].to].first);
        if ((applied == APPLIED_FOR_NULLABLE && makes_null(flow, without)) ||
            (applied == APPLIED_FOR_BOOL && ways[i].taken && without->ends_with_zero_or_one))
            return asks_for_value(flow, n);
    }
    return false;
}

static bool has_two_ways(const struct flow *flow, uint32_t n)
{
    return flow->blocks[n].exit == FLOW_CONDITION && flow->blocks[n].edge_count == 2;
}

/* `a == b`: a.HasValue == b.HasValue ? (a.HasValue ? a.value == b.value : true) : false */
static bool compares_presence(const struct flow *flow, uint32_t n)
{
    uint32_t last = flow_last_instr(flow, n);
    const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
    uint8_t op = flow->il.instrs[last].op;
    if ((op != OP_BEQ && op != OP_BEQ_S) ||
        !idiom_calls(flow, &flow->il.instrs[last - 1], "get_HasValue"))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t condition = idiom_branch_after(flow, ways[i].to);
        if (ways[i].taken && has_two_ways(flow, condition))
            return tests_for_operator(flow, condition);
    }
    return false;
}

static bool tests_values(const struct flow *flow, uint32_t n)
{
    return has_two_ways(flow, n) && (tests_for_operator(flow, n) || compares_presence(flow, n));
}

/* Does the code of one statement from instruction `i` on only take the value of the nullable on the
 * stack, or a constant if it has none? `stloc t; ldloca t; ldc 7; call GetValueOrDefault`. A lifted
 * comparison goes on to ask t whether it has a value. */
static bool coalesces_value(const struct branches *branches, uint32_t i)
{
    const struct il *il = &branches->flow->il;
    uint32_t point = branches->map.at[i];
    while (i + 2 < il->count && il->instrs[i].op == OP_DUP) /* ++a ?? 7 */
        i += 2;
    uint32_t kept = il_stored_local(&il->instrs[i]);
    if (kept == NO_INDEX || i + 1 >= il->count || il_address_of_local(&il->instrs[i + 1]) != kept)
        return false;
    bool takes_value = false;
    for (uint32_t end = i + OPERATOR_WITHIN, k = i + 2; k + 1 < il->count && k < end; k++) {
        const struct instr *instr = &il->instrs[k];
        if (branches->map.at[k] != point || il_stored_local(instr) == kept)
            break;
        if (il_address_of_local(instr) == kept)
            return false;
        bool takes = idiom_calls(branches->flow, instr, "GetValueOrDefault");
        if (!takes_value && !takes && k >= i + CONSTANT_WITHIN)
            return false;
        if (takes && bool_operator_begins(branches, flow_block_of(branches->flow, k + 1)))
            return false; /* (a ^ b) & null */
        takes_value |= takes;
    }
    return takes_value;
}

/* `(a + b) ?? 7`: whether the operands have values is what `??` asks. */
static bool decides_coalescing(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
    for (unsigned i = 0; has_two_ways(flow, n) && i < 2; i++) {
        const struct block *without = &flow->blocks[ways[i].to];
        if (!makes_null(flow, without) || without->edge_count != 1)
            continue;
        const struct block *join = &flow->blocks[flow->edges[without->first_edge].to];
        if (join->in_count > 1 && coalesces_value(branches, join->first))
            return true;
    }
    return false;
}

bool rule_lifted(const struct branches *branches, const struct branch *branch)
{
    return tests_values(branches->flow, branch->block) &&
           !decides_coalescing(branches, branch->block);
}

/* The lifted test that leads only to block `n`; NO_INDEX if there is none. */
static uint32_t lifted_before(const struct flow *flow, uint32_t n)
{
    uint32_t test = idiom_condition_before(flow, n);
    return test != NO_INDEX && tests_values(flow, test) ? test : NO_INDEX;
}

bool lifted_gives(const struct flow *flow, uint32_t n)
{
    return lifted_before(flow, n) != NO_INDEX;
}

static bool makes_constant(int32_t *value, const struct flow *flow, const struct block *block)
{
    uint32_t jumps = block->exit != FLOW_NEXT;
    return block->ends_with_zero_or_one && block->end - block->first > jumps &&
           il_constant(value, &flow->il.instrs[block->end - 1 - jumps]);
}

uint32_t lifted_constants(struct lifted_constant out[2], const struct flow *flow, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t test = lifted_before(flow, n); test != NO_INDEX && count < 2;
         test = lifted_before(flow, test)) {
        uint32_t first = flow->blocks[test].first_edge;
        for (uint32_t e = first; e < first + 2 && count < 2; e++) {
            int32_t value = 0;
            if (makes_constant(&value, flow, &flow->blocks[flow->edges[e].to]))
                out[count++] = (struct lifted_constant){e, value != 0};
        }
    }
    return count;
}

#include "coverage/condition_text/tested_value.h"

/* --- from the branch or the value back to what made it ---------------------------------------- */

static bool is_null(const struct instr *instr)
{
    int32_t value;
    return instr->op == OP_LDNULL || (il_constant(&value, instr) && value == 0);
}

static bool widens_integer(const struct instr *instr)
{
    return instr->op == OP_CONV_I8 || instr->op == OP_CONV_U8 || instr->op == OP_CONV_I ||
           instr->op == OP_CONV_U;
}

/* The instruction before the zero that `at` compares with; NO_INDEX if it is none. */
static uint32_t before_zero(const struct il *il, uint32_t at)
{
    uint32_t zero = at - 1;
    if (at >= 3 && widens_integer(&il->instrs[zero]))
        zero--;
    return at >= 2 && zero >= 1 && is_null(&il->instrs[zero]) ? zero - 1 : NO_INDEX;
}

/* III.3.5-3.24: short and long branches have one order. */
enum relation tested_relation(uint16_t op, bool *negated)
{
    static const enum relation branches[] = {
        RELATION_EQUAL,         RELATION_GREATER_EQUAL, RELATION_GREATER,    RELATION_LESS_EQUAL,
        RELATION_LESS,          RELATION_EQUAL, /* bne.un */
        RELATION_GREATER_EQUAL, RELATION_GREATER,       RELATION_LESS_EQUAL, RELATION_LESS};
    _Static_assert(OP_BLT_UN_S - OP_BEQ_S + 1 == ARRAY_LEN(branches) &&
                       OP_BLT_UN - OP_BEQ + 1 == ARRAY_LEN(branches),
                   "");
    *negated ^= op == OP_BNE_UN || op == OP_BNE_UN_S;
    if (op >= OP_BEQ_S && op <= OP_BLT_UN_S)
        return branches[op - OP_BEQ_S];
    if (op >= OP_BEQ && op <= OP_BLT_UN)
        return branches[op - OP_BEQ];
    return op == OP_CEQ                      ? RELATION_EQUAL
           : op == OP_CGT || op == OP_CGT_UN ? RELATION_GREATER
           : op == OP_CLT || op == OP_CLT_UN ? RELATION_LESS
                                             : RELATION_UNKNOWN;
}

/* Does control come to the instruction from the one before it only? */
static bool runs_on_to(const struct flow *flow, uint32_t at)
{
    const struct block *block = &flow->blocks[flow_block_of(flow, at)];
    if (il_info(&flow->il.instrs[at - 1])->flow != FLOW_NEXT)
        return false;
    return block->first != at ||
           (!block->is_entry && block->in_count == 1 && !flow_edge_in(flow, block, 0)->taken);
}

/* All of [from, to] runs after `from` in one go. */
static bool is_straight(const struct flow *flow, uint32_t from, uint32_t to)
{
    for (uint32_t at = to; at > from; at--)
        if (!runs_on_to(flow, at))
            return false;
    return true;
}

/* One step back from `at`, which passes on what was there before, perhaps negated; `at` itself if
 * it is what makes the value. */
static uint32_t step_back(const struct flow *flow, uint32_t at, bool *negated)
{
    const struct il *il = &flow->il;
    const struct instr *instr = &il->instrs[at];
    if (at == 0)
        return at;
    if (instr->op == OP_NOP)
        return at - 1;
    uint32_t previous = il_before(il, at);
    if (at >= 2 && previous != 0 &&
        (il_loads_stored(il, at, previous) ||
         (il_stored_local(instr) != NO_INDEX && il->instrs[previous].op == OP_DUP)))
        return previous - 1;
    uint32_t before = NO_INDEX;
    if (instr->op == OP_CEQ || instr->op == OP_CGT_UN)
        before = before_zero(il, at);
    if (before == NO_INDEX)
        return at;
    if (instr->op == OP_CEQ)
        *negated = !*negated;
    return before;
}

static void find_root(struct tested_value *out, const struct flow *flow, uint32_t at)
{
    uint32_t last = at;
    for (;;) {
        uint32_t before = step_back(flow, at, &out->negated);
        if (before == at)
            break;
        at = before;
    }
    if (!is_straight(flow, at, last))
        return;
    out->root = at;
    out->relation = tested_relation(flow->il.instrs[at].op, &out->negated);
    if (out->relation == RELATION_UNKNOWN)
        out->relation = RELATION_TRUTH;
}

/* --- branches and values ---------------------------------------------------------------------- */

static void of_branch(struct tested_value *out, const struct flow *flow, uint32_t last)
{
    const struct instr *branch = &flow->il.instrs[last];
    if (!il_tests_bool(branch)) {
        out->relation = tested_relation(branch->op, &out->negated);
        return;
    }
    out->negated = branch->op == OP_BRFALSE || branch->op == OP_BRFALSE_S;
    if (last != 0 && runs_on_to(flow, last))
        find_root(out, flow, last - 1);
}

static void of_value(struct tested_value *out, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t at = flow_last_instr(flow, n);
    if (block->bool_store != NO_INDEX) {
        at = block->bool_store;
    } else if (block->exit == FLOW_NEXT) {
        find_root(out, flow, at);
        return;
    } else if (block->exit != FLOW_BRANCH && block->exit != FLOW_RETURN) {
        return;
    }
    if (at != 0 && runs_on_to(flow, at))
        find_root(out, flow, at - 1);
}

/* The outcome that a jump counts as; false if jumps of the block count as several, or as none. */
static bool find_jump(uint32_t *outcome, const struct flow *flow, const struct decision *decision,
                      const struct outcome_part *parts, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct edge *edge = &flow->edges[parts[i].index];
        if (parts[i].source == SOURCE_EDGE && edge->from == n && edge->taken) {
            *outcome = parts[i].outcome;
            found++;
        }
    }
    return found == 1;
}

struct tested_value tested_value_of(const struct flow *flow, const struct decision *decision,
                                    const struct outcome_part *parts)
{
    struct tested_value value = {.relation = RELATION_UNKNOWN, .root = NO_INDEX};
    uint32_t n = flow_block_of(flow, flow->il.index_at[decision->il_offset]);
    bool is_value =
        decision->part_count != 0 && parts[decision->first_part].source == SOURCE_COUNTER;
    if (is_value) {
        value.outcome = 1;
        of_value(&value, flow, n);
    } else if (find_jump(&value.outcome, flow, decision, parts, n)) {
        of_branch(&value, flow, flow_last_instr(flow, n));
    }
    return value;
}

/* `o is 3`, `n is > 5` of a nullable: is there a value of the constant's type, and what is it? Both
 * are one condition, that of the second test:
 *
 *       ldarg o; isinst int; brfalse F; ldarg o; unbox.any int; ldc 3; bne.un F
 *
 * `o is int n && n == 3` is compiled to the same where n is used nowhere else; only the text tells
 * the two apart. */
#include "coverage/branches/rules.h"
#include "coverage/statements/il_idioms.h"

/* --- the code --------------------------------------------------------------------------------- */

enum presence {
    PRESENCE_NONE,
    PRESENCE_HAS_VALUE,
    PRESENCE_IS_TYPE,   /* the object is unboxed next */
    PRESENCE_REFERENCE, /* the reference is kept */
};

/* Does the code run straight on to instruction `i` of block `n` from the one before it? */
static bool runs_straight(const struct flow *flow, uint32_t n, uint32_t i)
{
    const struct block *block = &flow->blocks[n];
    return i > block->first || (i != 0 && block->in_count == 1 && !block->is_entry &&
                                flow->blocks[n - 1].exit == FLOW_NEXT);
}

/* Does it load or store a value that was kept during an await? */
static bool spilled_field(const struct flow *flow, const struct instr *instr)
{
    bool is_field = instr->op == OP_LDFLD || instr->op == OP_LDFLDA || instr->op == OP_STFLD;
    return is_field && idiom_spilled_value(idiom_member(flow, instr));
}

static enum presence asks_presence(const struct flow *flow, uint32_t n)
{
    uint32_t last = flow_last_instr(flow, n);
    const struct instr *instrs = flow->il.instrs;
    if (flow->blocks[n].edge_count != 2 || !il_tests_bool(&instrs[last]) ||
        !runs_straight(flow, n, last))
        return PRESENCE_NONE;
    if (idiom_calls(flow, &instrs[last - 1], "get_HasValue"))
        return PRESENCE_HAS_VALUE;
    if (instrs[last - 1].op == OP_ISINST)
        return PRESENCE_IS_TYPE;
    uint32_t store = last - (spilled_field(flow, &instrs[last - 1]) ? 3 : 2);
    return last > 3 && runs_straight(flow, n, store) && instrs[store - 1].op == OP_ISINST &&
                   il_loads_stored(&flow->il, last - 1, store)
               ? PRESENCE_REFERENCE
               : PRESENCE_NONE;
}

static bool makes_constant_operand(const struct instr *instr)
{
    int32_t constant;
    return il_constant(&constant, instr) || instr->op == OP_LDSTR || instr->op == OP_LDC_I8 ||
           instr->op == OP_LDC_R4 || instr->op == OP_LDC_R8;
}

static bool only_compares(const struct flow *flow, const struct instr *instr)
{
    switch (instr->op) {
    case OP_CEQ:
    case OP_CGT:
    case OP_CGT_UN:
    case OP_CLT:
    case OP_CLT_UN:
    case OP_CONV_I8:
    case OP_CONV_U8:
    case OP_NOP:
        return true;
    default:
        return idiom_calls(flow, instr, "op_Equality");
    }
}

/* The block where what is there is compared with a constant, and nothing else is done from block
 * `n` on but that the value may be kept; NO_INDEX if it is not. */
static uint32_t compared_with_constant(const struct branches *b, uint32_t n, enum presence presence,
                                       bool *keeps)
{
    const struct flow *flow = b->flow;
    bool taken = presence == PRESENCE_REFERENCE, constant = false;
    for (;; n++) {
        const struct block *block = &flow->blocks[n];
        bool decides = block->exit == FLOW_CONDITION || b->plan->value_counter[n] != NO_INDEX;
        uint32_t end = block->end - (block->exit != FLOW_NEXT);
        if (block->in_count != 1 || block->is_entry)
            return NO_INDEX;
        for (uint32_t i = block->first; i < end; i++) {
            const struct instr *instr = &flow->il.instrs[i];
            bool takes = instr->op == OP_UNBOX_ANY || idiom_calls(flow, instr, "GetValueOrDefault");
            bool is_field = instr->op == OP_LDFLD || instr->op == OP_LDFLDA;
            bool is_empty =
                presence == PRESENCE_REFERENCE && idiom_calls(flow, instr, "get_Length");
            bool stores =
                taken && (il_stored_local(instr) != NO_INDEX || spilled_field(flow, instr));
            taken |= takes;
            *keeps |= stores;
            constant |= is_empty || makes_constant_operand(instr);
            if (!takes && !stores && !is_empty && !makes_constant_operand(instr) &&
                !only_compares(flow, instr) && (!il_only_pushes(instr) || (is_field && taken)))
                return NO_INDEX;
        }
        if (decides)
            return taken && (constant || presence != PRESENCE_REFERENCE) ? n : NO_INDEX;
        if (block->exit != FLOW_NEXT || n + 1 == flow->block_count)
            return NO_INDEX;
    }
}

/* The outcome of the comparison in block `m` that leads where edge `e` does; -1 if none does. */
static int outcome_of(const struct flow *flow, uint32_t m, uint32_t e)
{
    const struct block *block = &flow->blocks[m];
    uint32_t to = flow_past_jumps(flow, flow->edges[e].to);
    for (uint32_t way = block->first_edge; way < block->first_edge + block->edge_count; way++)
        if (block->edge_count == 2 && flow_past_jumps(flow, flow->edges[way].to) == to)
            return flow->edges[way].taken;
    int32_t value;
    return block->edge_count != 2 && idiom_ends_with_constant(&value, flow, to) ? value : -1;
}

/* --- the text --------------------------------------------------------------------------------- */

/* Is it a name after a type: `int n`, `List<int> n`, `int[] n`, `{ } n`? */
static bool names_variable(const struct tokens *tokens, uint32_t i)
{
    static const char keywords[] = "is not and or when await new as in with switch";
    if (i == 0 || tokens->items[i].kind != TOKEN_WORD || tokens_is(tokens, i, keywords))
        return false;
    enum token_kind before = tokens->items[i - 1].kind;
    return (before == TOKEN_WORD && !tokens_is(tokens, i - 1, keywords)) ||
           before == TOKEN_GREATER || before == TOKEN_CLOSE_SQUARE || before == TOKEN_CLOSE_BRACE;
}

/* A name may be a type. */
static bool is_name(const struct tokens *tokens, uint32_t i)
{
    return tokens_kind(tokens, i) == TOKEN_WORD && !tokens_is(tokens, i, "null true false not");
}

static bool names_null_beside(const struct tokens *tokens, uint32_t i)
{
    return tokens_is(tokens, i - 1, "null") || tokens_is(tokens, i + 1, "null");
}

/* Are the two tests two of the text: is there no pattern, or one of a type, which may be compared
 * behind it, declares a variable, says `and` or `null or`, or asks for a length? Without the text:
 * if the value is kept. */
static bool may_ask_twice(const struct branches *b, uint32_t p, bool keeps)
{
    const struct tokens *tokens = b->tokens;
    uint32_t first, end;
    bool in_pattern = false, is_named = false;
    if (b->text != NULL && b->tokens == NULL) /* it has no `is` */
        return true;
    if (!branches_tokens(&first, &end, b, p))
        return keeps;
    for (uint32_t i = first; i < end; i++) {
        bool is = tokens_is(tokens, i, "is");
        bool after_word = tokens->items[i - (i != 0)].kind == TOKEN_WORD;
        in_pattern |= is;
        is_named |= is && is_name(tokens, i + 1);
        if ((is && tokens_kind(tokens, i + 1) == TOKEN_WORD &&
             keyword_type(tokens_text(tokens, i + 1)) != NULL) ||
            (is_named && tokens->items[i].kind == TOKEN_EQUALITY) ||
            (in_pattern && (tokens_is(tokens, i, "Length var") || names_variable(tokens, i) ||
                            (tokens_is(tokens, i, "and") && after_word) ||
                            (tokens_is(tokens, i, "or") && names_null_beside(tokens, i)))))
            return true;
    }
    return !in_pattern;
}

/* --- the rule --------------------------------------------------------------------------------- */

static bool join_presence(struct branches *b, uint32_t m, bool outcome, uint32_t edge,
                          struct arena *arena, struct err *err)
{
    const struct block *block = &b->flow->blocks[m];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (block->edge_count == 2 &&
            !branches_add_way(b, m, e, b->flow->edges[e].taken, arena, err))
            return false;
    return branches_add_way(b, m, edge, outcome, arena, err);
}

bool find_constant_type(struct branches *branches, const struct rule *rule, struct arena *arena,
                        struct err *err)
{
    const struct flow *flow = branches->flow;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        enum presence presence = asks_presence(flow, n);
        if (presence == PRESENCE_NONE || branches->class[n] != BRANCH_CONDITION ||
            branches->in_pattern[n])
            continue;
        uint32_t first = flow->blocks[n].first_edge;
        bool keeps = presence == PRESENCE_REFERENCE;
        uint32_t there = idiom_way_if(flow, n, true);
        uint32_t m = compared_with_constant(branches, there, presence, &keeps);
        if (m == NO_INDEX || branches->ways[m] != NULL)
            continue;
        uint32_t absent = flow->edges[first].to == there ? first + 1 : first;
        int outcome = outcome_of(flow, m, absent);
        if (outcome < 0 || may_ask_twice(branches, branches->statement[n], keeps))
            continue;
        branches_set_rule(branches, n, rule);
        if (!join_presence(branches, m, outcome != 0, absent, arena, err))
            return false;
    }
    return true;
}

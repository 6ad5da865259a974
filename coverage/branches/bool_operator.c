/* `a & b` and `a | b` of `bool?` are operators, like those of `bool`: both operands are evaluated.
 * The compiler keeps them, and asks which of them is the result:
 *       stloc a; ...; stloc b
 *       ldloca a; call GetValueOrDefault; brtrue B
 *       ldloca b; call GetValueOrDefault; brtrue A
 *       ldloca a; call HasValue; brfalse B
 *   A:  ldloc a; br J
 *   B:  ldloc b
 *   J:
 * That is `a & b`; in `a | b` the places are exchanged. If an operand is null, or a bool, one test
 * is left. A user who asks the same has statements that stored a and b before. */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"
#include "coverage/statements/variable.h"

enum {
    OPERAND_WITHIN = 256 /* instructions of the second operand */
};

/* An operand is kept in a local, or in a field of a state machine: if the instruction loads one or,
 * with `address`, its address, that one. */
static struct variable kept_operand(const struct flow *flow, uint32_t i, bool address)
{
    const struct instr *instr = &flow->il.instrs[i];
    struct variable kept = address ? variable_addressed(instr) : variable_loaded(instr);
    bool may_be = kept.kind == VARIABLE_LOCAL ||
                  (kept.kind == VARIABLE_FIELD && idiom_spilled_value(idiom_member(flow, instr)));
    return may_be ? kept : (struct variable){VARIABLE_NONE, 0};
}

/* Does the block begin with the value of an operand? */
static bool gives_operand(const struct flow *flow, uint32_t n, struct variable kept)
{
    uint32_t first = flow->blocks[n].first + (kept.kind == VARIABLE_FIELD); /* ldarg.0 */
    return first < flow->il.count && variable_is(kept_operand(flow, first, false), kept);
}

static bool gives_null(const struct flow *flow, uint32_t n)
{
    uint32_t first = flow->blocks[n].first;
    return first + 1 < flow->il.count && flow->il.instrs[first + 1].op == OP_INITOBJ;
}

/* `new bool?(false)` */
static bool gives_constant(const struct flow *flow, uint32_t n)
{
    uint32_t first = flow->blocks[n].first;
    int32_t value = 0;
    return first + 1 < flow->il.count && il_constant(&value, &flow->il.instrs[first]) &&
           (value == 0 || value == 1) && flow->il.instrs[first + 1].op == OP_NEWOBJ;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Where the two ways of a test lead; false if the block has other ways. */
static bool two_ways(uint32_t out[2], const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2)
        return false;
    out[0] = flow->edges[block->first_edge].to;
    out[1] = flow->edges[block->first_edge + 1].to;
    return true;
}

/* The kept operand, if the block tests what a method gives for one. */
static struct variable asked_operand(const struct flow *flow, uint32_t n, const char *method)
{
    uint32_t last = flow_last_instr(flow, n);
    return last >= 2 && idiom_calls(flow, &flow->il.instrs[last - 1], method)
               ? kept_operand(flow, last - 2, true)
               : (struct variable){VARIABLE_NONE, 0};
}

/* Was the operand stored right before the first question, by the same statement? */
static bool just_kept(const struct branches *b, uint32_t first_test, struct variable asked,
                      struct variable kept)
{
    uint32_t last = flow_last_instr(b->flow, first_test);
    uint32_t before = 3 + (asked.kind == VARIABLE_FIELD); /* ldarg.0 */
    return last >= before && variable_is_stored(kept, &b->flow->il.instrs[last - before]) &&
           b->map.at[last - before] == b->map.at[last];
}

/* --- two operands that are bool? -------------------------------------------------------------- */

/* The third test chooses between what the first one and the second one chose. */
static bool chooses_operand(const struct flow *flow, uint32_t third, struct variable first,
                            uint32_t of_first, uint32_t of_second)
{
    uint32_t ways[2];
    return two_ways(ways, flow, third) &&
           variable_is(asked_operand(flow, third, "get_HasValue"), first) &&
           ((ways[0] == of_first && ways[1] == of_second) ||
            (ways[1] == of_first && ways[0] == of_second));
}

static bool goes_on_to_second(const struct branches *b, uint32_t first, struct variable x,
                              uint32_t second, uint32_t of_first)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    struct variable y = asked_operand(flow, second, "GetValueOrDefault");
    if (!two_ways(ways, flow, second) || variable_is(x, y) || !just_kept(b, first, x, y))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (chooses_operand(flow, idiom_branch_after(flow, ways[i]), x, of_first, ways[1 - i]))
            return gives_operand(flow, of_first, x)
                       ? gives_operand(flow, ways[1 - i], y)
                       : gives_operand(flow, of_first, y) && gives_operand(flow, ways[1 - i], x);
    return false;
}

/* The first test; or the only one of `a & null`. */
bool bool_operator_begins(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    struct variable x = asked_operand(flow, n, "GetValueOrDefault");
    if (!two_ways(ways, flow, n) || x.kind == VARIABLE_NONE)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if ((gives_null(flow, ways[i]) && gives_operand(flow, ways[1 - i], x) &&
             just_kept(b, n, x, x)) ||
            goes_on_to_second(b, n, x, idiom_branch_after(flow, ways[i]), ways[1 - i]))
            return true;
    return false;
}

/* --- an operand that is a bool ---------------------------------------------------------------- */

/* Did the compiler keep the operand in this statement? What an assignment stores is used. */
static bool keeps_before(const struct branches *b, uint32_t last, struct variable kept)
{
    const struct flow *flow = b->flow;
    for (uint32_t i = last; i > 0 && last - i < OPERAND_WITHIN; i--) {
        if (b->map.at[i - 1] != b->map.at[last] ||
            variable_is(kept_operand(flow, i - 1, false), kept) ||
            variable_is(kept_operand(flow, i - 1, true), kept))
            return false;
        if (variable_is_stored(kept, &flow->il.instrs[i - 1]))
            return i > 1 && flow->il.instrs[i - 2].op != OP_DUP;
    }
    return false;
}

/* `a & flag`: flag ? a : new bool?(false). If the flag is itself a `p && q`, its operands have ways
 * in common. */
static bool tests_flag(const struct branches *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    if (!two_ways(ways, flow, n) || flow->blocks[ways[0]].in_count != 1 ||
        flow->blocks[ways[1]].in_count != 1)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t first = flow->blocks[ways[1 - i]].first;
        if (!gives_constant(flow, ways[i]))
            continue;
        first += il_loaded_arg(&flow->il.instrs[first]) == 0; /* of a field */
        return first < flow->il.count &&
               keeps_before(b, flow_last_instr(flow, n), kept_operand(flow, first, false));
    }
    return false;
}

bool rule_bool_operator(const struct branches *branches, const struct branch *branch)
{
    static const char *const asked[] = {"GetValueOrDefault", "GetValueOrDefault", "get_HasValue"};
    uint32_t n = branch->block;
    if (tests_flag(branches, n))
        return true;
    for (unsigned i = 0; i < ARRAY_LEN(asked) && n != NO_INDEX; i++) {
        if (bool_operator_begins(branches, n))
            return asked_operand(branches->flow, branch->block, asked[i]).kind != VARIABLE_NONE;
        n = idiom_condition_before(branches->flow, n);
    }
    return false;
}

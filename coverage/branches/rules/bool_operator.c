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
#include "coverage/branches/rules/bool_operator.h"

#include "coverage/branches/rules/rules.h"
#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    OPERAND_WITHIN = 256 /* instructions of the second operand */
};

/* What an operand is kept in: a local, or the field of a state machine. */
struct kept {
    uint32_t local, field;
};

static bool is_same(const struct kept *a, const struct kept *b)
{
    return a->local == b->local && a->field == b->field;
}

static bool is_field_of_compiler(const struct flow *flow, const struct instr *instr)
{
    return idiom_spilled_value(name_of_member(flow->context.md, instr->operand));
}

/* Does the instruction load a kept operand or, with `address`, its address? */
static bool loads(struct kept *out, const struct flow *flow, uint32_t i, bool address)
{
    const struct instr *instr = &flow->il.instrs[i];
    *out = (struct kept){.local = address ? il_address_of_local(instr) : il_loaded_local(instr)};
    if (out->local == IL_NO_INDEX && instr->op == (address ? OP_LDFLDA : OP_LDFLD) &&
        is_field_of_compiler(flow, instr))
        out->field = instr->operand;
    return out->local != IL_NO_INDEX || out->field != 0;
}

static bool stores(const struct flow *flow, uint32_t i, const struct kept *kept)
{
    const struct instr *instr = &flow->il.instrs[i];
    return kept->local != IL_NO_INDEX ? il_stored_local(instr) == kept->local
                                      : instr->op == OP_STFLD && instr->operand == kept->field;
}

/* Does the block begin with the value of an operand? */
static bool gives(const struct flow *flow, uint32_t n, const struct kept *kept)
{
    uint32_t first = flow->blocks[n].first;
    struct kept given;
    if (kept->local == IL_NO_INDEX)
        first++; /* ldarg.0 */
    return first < flow->il.count && loads(&given, flow, first, false) && is_same(&given, kept);
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

/* Does the block test what a method gives for a kept operand? */
static bool asks(struct kept *out, const struct flow *flow, uint32_t n, const char *method)
{
    uint32_t last = flow_last_instr(flow, n);
    return last >= 2 && idiom_calls(flow, &flow->il.instrs[last - 1], method) &&
           loads(out, flow, last - 2, true);
}

/* Was the operand stored right before the first question, by the same statement? */
static bool just_kept(const struct board *b, uint32_t first_test, const struct kept *asked,
                      const struct kept *kept)
{
    uint32_t last = flow_last_instr(b->flow, first_test);
    uint32_t before = 3 + (asked->local == IL_NO_INDEX); /* ldarg.0 */
    return last >= before && stores(b->flow, last - before, kept) &&
           b->map.at[last - before] == b->map.at[last];
}

/* Past blocks that are only split because something in them may throw. */
static uint32_t test_after(const struct flow *flow, uint32_t n)
{
    while (flow->blocks[n].exit == FLOW_NEXT && flow->blocks[n].edge_count == 1)
        n = flow->edges[flow->blocks[n].first_edge].to;
    return n;
}

/* The test whose way is block `n`, if no other way leads there; else NO_BLOCK. */
static uint32_t test_before(const struct flow *flow, uint32_t n)
{
    do {
        const struct block *block = &flow->blocks[n];
        if (block->in_count != 1 || block->is_entry)
            return NO_BLOCK;
        n = flow_edge_in(flow, block, 0)->from;
    } while (flow->blocks[n].exit == FLOW_NEXT);
    return flow->blocks[n].exit == FLOW_CONDITION ? n : NO_BLOCK;
}

/* --- two operands that are bool? -------------------------------------------------------------- */

/* The third test chooses between what the first one and the second one chose. */
static bool chooses(const struct flow *flow, uint32_t third, const struct kept *first,
                    uint32_t of_first, uint32_t of_second)
{
    uint32_t ways[2];
    struct kept again;
    return two_ways(ways, flow, third) && asks(&again, flow, third, "get_HasValue") &&
           is_same(&again, first) &&
           ((ways[0] == of_first && ways[1] == of_second) ||
            (ways[1] == of_first && ways[0] == of_second));
}

static bool goes_on_to_second(const struct board *b, uint32_t first, const struct kept *x,
                              uint32_t second, uint32_t of_first)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    struct kept y;
    if (!two_ways(ways, flow, second) || !asks(&y, flow, second, "GetValueOrDefault") ||
        is_same(x, &y) || !just_kept(b, first, x, &y))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (chooses(flow, test_after(flow, ways[i]), x, of_first, ways[1 - i]))
            return gives(flow, of_first, x)
                       ? gives(flow, ways[1 - i], &y)
                       : gives(flow, of_first, &y) && gives(flow, ways[1 - i], x);
    return false;
}

/* The first test; or the only one of `a & null`. */
bool bool_operator_begins(const struct board *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    struct kept x;
    if (!two_ways(ways, flow, n) || !asks(&x, flow, n, "GetValueOrDefault"))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if ((gives_null(flow, ways[i]) && gives(flow, ways[1 - i], &x) &&
             just_kept(b, n, &x, &x)) ||
            goes_on_to_second(b, n, &x, test_after(flow, ways[i]), ways[1 - i]))
            return true;
    return false;
}

/* --- an operand that is a bool ---------------------------------------------------------------- */

/* Did the compiler keep the operand in this statement? What an assignment stores is used. */
static bool keeps_before(const struct board *b, uint32_t last, const struct kept *kept)
{
    const struct flow *flow = b->flow;
    for (uint32_t i = last; i > 0 && last - i < OPERAND_WITHIN; i--) {
        struct kept used;
        if (b->map.at[i - 1] != b->map.at[last] ||
            ((loads(&used, flow, i - 1, false) || loads(&used, flow, i - 1, true)) &&
             is_same(&used, kept)))
            return false;
        if (stores(flow, i - 1, kept))
            return i > 1 && flow->il.instrs[i - 2].op != OP_DUP;
    }
    return false;
}

/* `a & flag`: flag ? a : new bool?(false). If the flag is itself a `p && q`, its operands have ways
 * in common. */
static bool tests_flag(const struct board *b, uint32_t n)
{
    const struct flow *flow = b->flow;
    uint32_t ways[2];
    if (!two_ways(ways, flow, n) || flow->blocks[ways[0]].in_count != 1 ||
        flow->blocks[ways[1]].in_count != 1)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t first = flow->blocks[ways[1 - i]].first;
        struct kept kept;
        if (!gives_constant(flow, ways[i]))
            continue;
        first += il_loaded_arg(&flow->il.instrs[first]) == 0; /* of a field */
        return first < flow->il.count && loads(&kept, flow, first, false) &&
               keeps_before(b, flow_last_instr(flow, n), &kept);
    }
    return false;
}

bool rule_bool_operator(const struct board *board, const struct branch *branch)
{
    uint32_t n = branch->block;
    if (tests_flag(board, n))
        return true;
    for (unsigned tests = 0; tests < 3 && n != NO_BLOCK; tests++) {
        if (bool_operator_begins(board, n))
            return tests == 0 || asks(&(struct kept){0}, board->flow, branch->block,
                                      tests == 1 ? "GetValueOrDefault" : "get_HasValue");
        n = test_before(board->flow, n);
    }
    return false;
}

/* Lifted operators: `a + b`, `(long?)a`, `a < b`, `a == b` of nullable values (C# 12.4.8). Each was
 * written as one operator; compilers make branches of it: is there a value? */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"
#include "coverage/statements/variable.h"

enum {
    OPERATOR_WITHIN = 16, /* instructions from the values to the operator */
    CONSTANT_WITHIN = 5,  /* from a nullable to what takes its value */
    KEPT_WITHIN = 6,      /* from where a value is kept to where it is asked */
    ANSWERS_WITHIN = 64,  /* blocks from what a `?.` brings to what it has without an object */
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
 * `a?.M()`; Visual Basic may get a value without null from a closure or state machine. What is made
 * of no such value is no nullable, but the object of a scope that a lambda captures. */
static enum applied applies_operator(const struct flow *flow, uint32_t first)
{
    const struct il *il = &flow->il;
    bool by_method = false, has_value = false;
    for (uint32_t i = first; i < il->count && i - first < OPERATOR_WITHIN; i++) {
        const struct instr *instr = &il->instrs[i];
        if (instr->op == OP_NEWOBJ)
            return has_value ? APPLIED_FOR_NULLABLE : APPLIED_NOT;
        if (by_method)
            return APPLIED_FOR_BOOL;
        bool takes_value = idiom_calls(flow, instr, "GetValueOrDefault");
        by_method = calls_operator(flow, instr);
        has_value |= takes_value;
        if (!takes_value && !by_method &&
            (il_info(instr)->flow != FLOW_NEXT ||
             (instr->op == OP_LDFLD && !str_starts(idiom_member(flow, instr), "$VB$")) ||
             il_info(instr)->pops == STACK_VARIES))
            return APPLIED_NOT;
    }
    return APPLIED_NOT;
}

static bool makes_null(const struct flow *flow, const struct block *block)
{
    return block->first + 1 < flow->il.count && flow->il.instrs[block->first + 1].op == OP_INITOBJ;
}

/* `Not a` in Visual Basic: without a value, the result is a itself. */
static bool gives_itself(const struct flow *flow, uint32_t test, const struct block *block)
{
    uint32_t call = flow_last_instr(flow, test), first = block->first;
    struct variable asked = call >= 2 ? variable_addressed(&flow->il.instrs[call - 2])
                                      : (struct variable){VARIABLE_NONE, 0};
    first += asked.kind == VARIABLE_FIELD; /* of an object, which is loaded before */
    return first < block->end && variable_is(variable_loaded(&flow->il.instrs[first]), asked);
}

/* One way applies the operator; the other makes null, or a bool. This excludes `a.HasValue && ...`,
 * which continues where a has a value. */
static bool tests_for_operator(const struct flow *flow, uint32_t n)
{
    const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
    for (unsigned i = 0; i < 2; i++) {
        const struct block *without = &flow->blocks[ways[1 - i].to];
        enum applied applied = applies_operator(flow, flow->blocks[ways[i].to].first);
        if ((applied == APPLIED_FOR_NULLABLE &&
             (makes_null(flow, without) || gives_itself(flow, n, without))) ||
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

/* Visual Basic compares nullables to a `Boolean?`, and a condition only asks whether that is true.
 */
static bool is_basic_bool(const struct branches *branches, uint32_t local)
{
    struct reader type = rd_view(stack_local_type(&branches->flow->context, local));
    uint64_t elements = 0;
    return branches->language == LANGUAGE_VISUAL_BASIC && sig_elements(&elements, &type) &&
           (elements >> ELEMENT_BOOLEAN & 1) != 0;
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
    if (kept != NO_INDEX && is_basic_bool(branches, kept))
        return false;
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

/* --- `a AndAlso b` of `Boolean?` in Visual Basic -------------------------------------------------
 * Null goes on like True, and makes the result null in the end:
 *     ldloca a; HasValue; brfalse X; ldloca a; GetValueOrDefault; brfalse F; X: b; brfalse F;
 *     ldloca a; HasValue; brfalse F; ...
 * Only the second test and b are conditions. Where the result is kept, a itself may end it, and b
 * is asked for null as well:
 *     X: ldloca b; HasValue; brtrue Y; null; br J; Y: ldloca b; GetValueOrDefault; brtrue Z;
 *     new bool?(false); br J; Z: ldloc a; J:
 * In `OrElse` null goes on like False. */

/* The nullable of which a call asks what the method of this name gives. */
static struct variable asked_of(const struct flow *flow, uint32_t call, const char *method)
{
    return call != 0 && idiom_calls(flow, &flow->il.instrs[call], method)
               ? variable_addressed(&flow->il.instrs[call - 1])
               : (struct variable){VARIABLE_NONE, 0};
}

static struct variable tested_of(const struct flow *flow, uint32_t n, const char *method)
{
    uint32_t last = flow_last_instr(flow, n);
    return has_two_ways(flow, n) && last != 0 ? asked_of(flow, last - 1, method)
                                              : (struct variable){VARIABLE_NONE, 0};
}

static uint32_t edge_to(const struct flow *flow, uint32_t n, uint32_t to)
{
    uint32_t first = flow->blocks[n].first_edge;
    return flow->edges[first].to == to ? first : first + 1;
}

/* Is the value that comes to the stack before instruction `end` kept in both? dup; stloc c;
 * stfld a; ldloc c; stloc c */
static bool keeps_in_both(const struct flow *flow, uint32_t end, struct variable a,
                          struct variable b)
{
    bool in_a = false, in_b = false;
    for (uint32_t i = end; i-- != 0 && end - i <= KEPT_WITHIN;) {
        const struct instr *instr = &flow->il.instrs[i];
        if (instr->op == OP_DUP)
            return in_a && in_b;
        in_a |= variable_is_stored(a, instr);
        in_b |= variable_is_stored(b, instr);
    }
    return false;
}

/* The nullable that block `second` asks for its value, if it is the one that block `n` asked for
 * its presence, or a copy. */
static struct variable asked_next(const struct flow *flow, uint32_t n, uint32_t second)
{
    struct variable a = tested_of(flow, n, "get_HasValue"),
                    next = tested_of(flow, second, "GetValueOrDefault");
    bool is_it =
        a.kind != VARIABLE_NONE &&
        (variable_is(next, a) || (next.kind != VARIABLE_NONE &&
                                  keeps_in_both(flow, flow_last_instr(flow, n) - 2, a, next)));
    return is_it ? next : (struct variable){VARIABLE_NONE, 0};
}

/* Is it the first test, which goes on where a is null? */
static bool null_goes_on(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    const struct il *il = &flow->il;
    if (branches->language != LANGUAGE_VISUAL_BASIC || !has_two_ways(flow, n))
        return false;
    uint32_t second = idiom_branch_after(flow, idiom_way_if(flow, n, true));
    uint32_t right = idiom_way_if(flow, n, false);
    struct variable a = asked_next(flow, n, second);
    if (a.kind == VARIABLE_NONE ||
        (idiom_way_if(flow, second, true) != right && idiom_way_if(flow, second, false) != right))
        return false;
    for (uint32_t i = flow->blocks[right].first;
         i < il->count && branches->map.at[i] == branches->map.at[flow_last_instr(flow, n)]; i++)
        if (variable_is(asked_of(flow, i, "get_HasValue"), a) ||
            variable_is(variable_loaded(&il->instrs[i]), a))
            return true;
    return false;
}

/* `new bool?(false)` */
static bool makes_nullable(const struct flow *flow, uint32_t n)
{
    uint32_t first = flow->blocks[n].first;
    int32_t value = 0;
    return first + 1 < flow->il.count && il_constant(&value, &flow->il.instrs[first]) &&
           flow->il.instrs[first + 1].op == OP_NEWOBJ;
}

/* Is it the test of b, after which the result is null? */
static bool null_ends(const struct flow *flow, uint32_t n)
{
    if (!has_two_ways(flow, n) || !makes_null(flow, &flow->blocks[idiom_way_if(flow, n, false)]))
        return false;
    uint32_t second = idiom_branch_after(flow, idiom_way_if(flow, n, true));
    if (asked_next(flow, n, second).kind == VARIABLE_NONE)
        return false;
    return makes_nullable(flow, idiom_way_if(flow, second, false)) ||
           makes_nullable(flow, idiom_way_if(flow, second, true));
}

/* Is the result tested, which was counted operand by operand? It comes to a join: stloc r;
 * ldloca r; GetValueOrDefault; brfalse. Debug code stores that, too; and it may be an operand. */
static bool tests_result(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    const struct instr *instrs = flow->il.instrs;
    uint32_t call = flow_last_instr(flow, n) - 1, before = idiom_condition_before(flow, n);
    if (branches->language != LANGUAGE_VISUAL_BASIC || !has_two_ways(flow, n) || call < 3)
        return false;
    if (il_loads_stored(&flow->il, call, call - 1))
        call -= 2;
    struct variable result = asked_of(flow, call, "GetValueOrDefault");
    if (before != NO_INDEX && asked_next(flow, before, n).kind != VARIABLE_NONE)
        call = flow_last_instr(flow, before) - 1;
    uint32_t store = call;
    while (store != 0 && call - store < KEPT_WITHIN && !variable_is_stored(result, &instrs[store]))
        store--;
    if (!variable_is_stored(result, &instrs[store]))
        return false;
    while (store != 0 &&
           (instrs[store - 1].op == OP_DUP || il_stored_local(&instrs[store - 1]) != NO_INDEX))
        store--;
    const struct block *block = &flow->blocks[flow_block_of(flow, store)];
    for (uint32_t i = 0; store == block->first && i < block->in_count; i++)
        if (makes_nullable(flow, flow_edge_in(flow, block, i)->from))
            return true;
    return false;
}

bool lifted_asks_again(const struct branches *branches, uint32_t n, uint32_t end)
{
    const struct flow *flow = branches->flow;
    struct variable a = {VARIABLE_NONE, 0};
    if (branches->language == LANGUAGE_VISUAL_BASIC && end != 0)
        a = asked_of(flow, end - 1, "get_HasValue");
    for (uint32_t m = n; a.kind != VARIABLE_NONE && m-- != 0;) {
        if (branches->map.at[flow_last_instr(flow, m)] != branches->map.at[end - 1])
            return false;
        uint32_t first = idiom_condition_before(flow, m);
        if (variable_is(tested_of(flow, m, "GetValueOrDefault"), a))
            return first != NO_INDEX && null_goes_on(branches, first);
    }
    return false;
}

bool lifted_null(struct lifted_constant *out, const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    uint32_t first =
        branches->language == LANGUAGE_VISUAL_BASIC ? idiom_condition_before(flow, n) : NO_INDEX;
    bool goes_on = first != NO_INDEX && null_goes_on(branches, first);
    if (first == NO_INDEX || (!goes_on && !null_ends(flow, first)))
        return false;
    uint32_t null = idiom_way_if(flow, first, false);
    uint32_t like = goes_on ? null : idiom_way_if(flow, n, false);
    *out = (struct lifted_constant){edge_to(flow, first, null),
                                    flow->edges[edge_to(flow, n, like)].taken};
    return true;
}

bool rule_lifted(const struct branches *branches, const struct branch *branch)
{
    uint32_t n = branch->block;
    return (tests_values(branches->flow, n) && !decides_coalescing(branches, n)) ||
           null_goes_on(branches, n) || null_ends(branches->flow, n) || tests_result(branches, n) ||
           lifted_asks_again(branches, n, branch->last);
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

/* `catch (T e) when (...)`: is it a T? */
static bool asks_for_filtered_type(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return block->is_entry && body_is_in_filter(&flow->body, flow->il.instrs[block->first].offset);
}

/* Is it what `a?.b == 1` is without an a? That comes first, and takes an a on the stack off:
 *     a; brtrue V; ldc.i4.0; br J; V: a; call get_b; ldc.i4.1; ceq; J: */
static bool answers_null(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    const struct instr *instrs = flow->il.instrs;
    uint32_t test = idiom_condition_before(flow, n), last;
    if (test == NO_INDEX || asks_for_filtered_type(flow, test) || !block->ends_with_zero_or_one ||
        (block->exit != FLOW_BRANCH && block->exit != FLOW_RETURN))
        return false;
    last = flow_last_instr(flow, test);
    if (!il_is_brtrue(&instrs[last]) || idiom_way_if(flow, test, false) != n || last == 0)
        return false;
    uint32_t load = last - 1 - (last > 1 && idiom_calls(flow, &instrs[last - 1], "get_HasValue"));
    const struct instr *value = &instrs[flow->blocks[idiom_way_if(flow, test, true)].first];
    return instrs[block->first].op == OP_POP ||
           (il_only_pushes(value) && value->op == instrs[load].op &&
            value->operand == instrs[load].operand);
}

static uint32_t add_constant(struct lifted_constant out[LIFTED_CONSTANTS_MAX], uint32_t count,
                             const struct flow *flow, uint32_t edge)
{
    int32_t value = 0;
    if (count < LIFTED_CONSTANTS_MAX &&
        idiom_ends_with_constant(&value, flow, flow->edges[edge].to))
        out[count++] = (struct lifted_constant){edge, value != 0};
    return count;
}

/* Do both return, or lead only to the same place? */
static bool ends_alike(const struct flow *flow, uint32_t a, uint32_t b)
{
    const struct block *one = &flow->blocks[a], *other = &flow->blocks[b];
    if (one->edge_count != 1 || other->edge_count != 1)
        return one->exit == FLOW_RETURN && other->exit == FLOW_RETURN;
    return flow->edges[one->first_edge].to == flow->edges[other->first_edge].to;
}

/* Where `?.` has no object, control comes to the same place; what comes there from between them is
 * another value. */
uint32_t lifted_constants(struct lifted_constant out[LIFTED_CONSTANTS_MAX], const struct flow *flow,
                          uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t test = lifted_before(flow, n); test != NO_INDEX;
         test = lifted_before(flow, test)) {
        uint32_t first = flow->blocks[test].first_edge;
        count = add_constant(out, count, flow, first);
        count = add_constant(out, count, flow, first + 1);
    }
    for (uint32_t c = n; c-- != 0 && n - c < ANSWERS_WITHIN;) {
        if (!ends_alike(flow, c, n) || lifted_before(flow, c) != NO_INDEX)
            continue;
        if (!answers_null(flow, c))
            break;
        count = add_constant(out, count, flow, edge_to(flow, idiom_condition_before(flow, c), c));
    }
    return count;
}

/* The compiler asks whether there is anything to dispose, to pin or to call, or to call it on. */
#include "coverage/branches/rules.h"

#include <string.h>

#include "coverage/statements/il_idioms.h"

enum {
    DISPOSED_WITHIN = 4, /* instructions */
    LOADED_BEFORE = 3,   /* instructions that load a call site */
};

static uint32_t after_one_instruction(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return block->end - block->first == 1 && block->edge_count == 1
               ? flow->edges[block->first_edge].to
               : n;
}

/* `await using` awaits what DisposeAsync of a `dynamic` value returns by way of a call site. */
static uint32_t after_call_site(const struct flow *flow, uint32_t n, uint32_t *within)
{
    /* The load of the call site may throw, and is then a block of its own, as is a jump. */
    uint32_t next = call_site_continues(flow, after_one_instruction(flow, n));
    *within = DISPOSED_WITHIN + (next == NO_INDEX ? 0 : LOADED_BEFORE);
    if (next == NO_INDEX)
        return n;
    bool jumps = flow->il.instrs[flow->blocks[next].first].op != OP_LDSFLD;
    return jumps ? after_one_instruction(flow, next) : next;
}

static bool disposes_first(const struct flow *flow, uint32_t n)
{
    const struct il *il = &flow->il;
    uint32_t within, first = flow->blocks[after_call_site(flow, n, &within)].first;
    for (uint32_t i = first; i < il->count && i - first < within; i++) {
        const struct instr *instr = &il->instrs[i];
        if (il_is_call(instr))
            return str_is_one_of(idiom_member(flow, instr), "Dispose DisposeAsync");
        if (il_info(instr)->flow != FLOW_NEXT && il_info(instr)->flow != FLOW_PREFIX)
            break;
    }
    return false;
}

/* Visual Basic: a Using with an Await in it; no other code that disposes is so short. */
static bool stands_on_end_using(const struct branches *b, uint32_t point)
{
    if (b->language != LANGUAGE_VISUAL_BASIC || point == NO_INDEX)
        return false;
    const struct seq_point *p = &b->points->points[point];
    return p->start_line == p->end_line &&
           p->end_column - p->start_column == sizeof "End Using" - 1;
}

/* The end of `using`, and of a `foreach` whose enumerator is disposed:
 *     ldloc x; brfalse E; ldloc x; callvirt Dispose; E: endfinally
 * under a hidden point; in Visual Basic it may be that of End Using. */
bool rule_using_check(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct block *block = &flow->blocks[branch->block];
    if ((branch->visible || branch->just_stored) && !stands_on_end_using(branches, branch->before))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (branches->map.opens[to] == NO_INDEX && disposes_first(flow, to))
            return block->exit == FLOW_CONDITION;
    }
    return false;
}

static bool is_pinned(const struct flow *flow, uint32_t local)
{
    return local != NO_INDEX && sig_is_pinned(stack_local_type(&flow->context, local));
}

static bool takes_length(const struct flow *flow, const struct instr *instr)
{
    return instr->op == OP_LDLEN || instr->op == OP_CONV_I4 ||
           (il_is_call(instr) && str_is(idiom_member(flow, instr), "get_Length"));
}

/* Does block `n`, of the same statement, get the place of the first character or element? */
static bool pins_first(const struct branches *b, uint32_t n)
{
    const struct il *il = &b->flow->il;
    uint32_t i = b->flow->blocks[n].first;
    while (i + 1 < il->count && il_only_pushes(&il->instrs[i]))
        i++;
    if (b->map.opens[n] != NO_INDEX || !il_is_call(&il->instrs[i]))
        return false;
    struct str member = idiom_member(b->flow, &il->instrs[i]);
    return str_is(member, "get_OffsetToStringData") ||
           (str_is(member, "GetPinnableReference") && i + 1 < il->count &&
            is_pinned(b->flow, il_stored_local(&il->instrs[i + 1])));
}

/* `fixed (int* p = array)` asks whether the array is null, and whether its length is 0, when it is
 * in a pinned local P, which no source can name; what has GetPinnableReference, and a string, only
 * whether it is null:
 *     dup; stloc P; brfalse; ldloc P; ldlen; conv.i4; brtrue
 *     dup; brtrue T; ...; T: call GetPinnableReference; stloc P */
bool rule_fixed_check(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct instr *instrs = flow->il.instrs;
    uint32_t i = branch->last;
    if (i == 0 || !il_tests_bool(&instrs[i]) || flow->blocks[branch->block].edge_count != 2)
        return false;
    do
        i = il_before(&flow->il, i);
    while (i != 0 && takes_length(flow, &instrs[i]));
    return is_pinned(flow, il_loaded_local(&instrs[i])) ||
           is_pinned(flow, il_stored_local(&instrs[i])) ||
           pins_first(branches, idiom_way_if(flow, branch->block, true));
}

/* Does block `n` only push null for the object that was asked for? */
static bool pushes_null(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t first = block->first;
    first += flow->il.instrs[first].op == OP_POP;
    return first < block->end && flow->il.instrs[first].op == OP_LDNULL && block->edge_count == 1 &&
           block->end - first <= 2;
}

/* Does it only call ToString of the object? */
static bool pushes_text(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t call = flow_last_instr(flow, n);
    for (uint32_t i = block->first; i < call; i++)
        if (flow->il.instrs[i].op == OP_LDFLD || call - i > 2)
            return false;
    return il_is_call(&flow->il.instrs[call]) && block->edge_count == 1 &&
           str_is(idiom_member(flow, &flow->il.instrs[call]), "ToString") &&
           str_is(idiom_external_type(flow->context.md, flow->il.instrs[call].operand), "Object");
}

/* Are texts concatenated from block `n` on, within its statement? */
static bool concatenates(const struct branches *b, uint32_t n)
{
    const struct il *il = &b->flow->il;
    uint32_t first = b->flow->blocks[n].first;
    for (uint32_t i = first; i < il->count && b->map.point_of[i] == b->map.point_of[first]; i++)
        if (idiom_calls(b->flow, &il->instrs[i], "Concat"))
            return true;
    return false;
}

static bool says(struct str text, const char *what)
{
    return text.len != 0 && memmem(text.text, text.len, what, strlen(what)) != NULL;
}

/* `text + o`, where o may be null; o is on the stack, or loaded again:
 *     brtrue T; (pop); ldnull; br J; T: callvirt ToString; J: ...; call Concat
 * Only the source tells it from `o?.ToString()` and `o != null ? o.ToString() : null`; without it,
 * that texts are concatenated. The rest of a statement with an `await` or `switch` may be another
 * one's. */
bool rule_concatenation(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct block *block = &flow->blocks[branch->block];
    if (block->edge_count != 2 || !il_is_brtrue(&flow->il.instrs[branch->last]))
        return false;
    uint32_t null = idiom_way_if(flow, branch->block, false);
    uint32_t some = idiom_way_if(flow, branch->block, true);
    if (!pushes_null(flow, null) || !pushes_text(flow, some))
        return false;
    uint32_t joins = flow->edges[flow->blocks[null].first_edge].to;
    if (flow->edges[flow->blocks[some].first_edge].to != joins)
        return false;
    struct str text = {0};
    uint32_t start, end;
    if (branches->text != NULL && branch->before != NO_INDEX &&
        line_index_point(&start, &end, branches->text, &branches->points->points[branch->before]))
        text = (struct str){branches->text->text.text + start, end - start};
    if (!concatenates(branches, joins))
        return text.len != 0 && !says(text, "?");
    return !says(text, "?.ToString") && !says(text, ": null");
}

/* RaiseEvent Clicked(1) of Visual Basic: x = Me.ClickedEvent; if (x != null) x.Invoke(1). Source
 * code can't copy the field and test the copy in one statement. */
bool rule_raise_event(const struct branches *branches, const struct branch *branch)
{
    const struct il *il = &branches->flow->il;
    const struct instr *instrs = il->instrs;
    uint32_t last = branch->last, load = branch->load;
    if ((branch->load_op != OP_LDFLD && branch->load_op != OP_LDSFLD) || last != load + 3 ||
        last + 1 == il->count || !str_ends(branch->member, "Event"))
        return false;
    uint32_t copy = il_stored_local(&instrs[load + 1]);
    return copy != NO_INDEX && il_loaded_local(&instrs[load + 2]) == copy &&
           (instrs[last].op == OP_BRFALSE || instrs[last].op == OP_BRFALSE_S) &&
           il_loaded_local(&instrs[last + 1]) == copy;
}

/* `t?.M()` of an unconstrained T boxes a fresh default value: is T a class? */
static bool tests_default(const struct flow *flow, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    return load != NO_INDEX && load != 0 && il_loaded_local(&instrs[load]) != NO_INDEX &&
           instrs[load + 1].op == OP_BOX && instrs[load - 1].op == OP_INITOBJ;
}

bool rule_boxed_default(const struct branches *branches, const struct branch *branch)
{
    return tests_default(branches->flow, branch->load);
}

uint32_t boxed_default_goes_on(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    while (block->in_count == 1 && !block->is_entry) {
        const struct edge *in = flow_edge_in(flow, block, 0);
        block = &flow->blocks[in->from];
        if (block->edge_count == 1)
            continue;
        if (block->exit != FLOW_CONDITION || in->taken ||
            !tests_default(flow, idiom_tested_load(flow, in->from)))
            break;
        uint32_t goes_on = block->first_edge;
        const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
        return flow->edges[goes_on].to == ways->to ? goes_on : NO_INDEX;
    }
    return NO_INDEX;
}

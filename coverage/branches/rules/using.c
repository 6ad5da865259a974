/* The end of `using`, and of a `foreach` whose enumerator is disposed:
 *     ldloc x; brfalse E; ldloc x; callvirt Dispose; E: endfinally
 * under a hidden point; in Visual Basic it may be that of End Using. */
#include "coverage/branches/rules/rules.h"

#include "coverage/statements/call_site.h"
#include "metadata/names.h"

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
    *within = DISPOSED_WITHIN + (next == NO_BLOCK ? 0 : LOADED_BEFORE);
    if (next == NO_BLOCK)
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
        if (instr->op == OP_CALL || instr->op == OP_CALLVIRT) {
            struct str name = name_of_member(flow->context.md, instr->operand);
            return str_is(name, "Dispose") || str_is(name, "DisposeAsync");
        }
        if (il_info(instr)->flow != FLOW_NEXT && il_info(instr)->flow != FLOW_PREFIX)
            break;
    }
    return false;
}

/* Visual Basic: a Using with an Await in it; no other code that disposes is so short. */
static bool stands_on_end_using(const struct board *b, uint32_t point)
{
    if (b->language != LANGUAGE_VISUAL_BASIC || point == NO_POINT)
        return false;
    const struct seq_point *p = &b->points->points[point];
    return p->start_line == p->end_line &&
           p->end_column - p->start_column == sizeof "End Using" - 1;
}

bool rule_using_check(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    const struct block *block = &flow->blocks[branch->block];
    if ((branch->visible || branch->just_stored) && !stands_on_end_using(board, branch->before))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (board->map.opens[to] == NO_POINT && disposes_first(flow, to))
            return block->exit == FLOW_CONDITION;
    }
    return false;
}

#include "rewriter/mapped_places.h"

/* Is the place before an instruction one that the JIT distinguishes in optimised code? It does
 * where the stack is empty, and after a call that leaves nothing on it; after an object was made,
 * too, but not in runtime-async methods. More rows would make it
 * distinguish offsets of frames that it otherwise does not. */
static bool is_known_place(const struct flow *flow, uint32_t index)
{
    if (index == 0 || flow->empty_before[index])
        return true;
    const struct instr *before = &flow->il.instrs[index - 1];
    struct method_sig sig;
    if (before->op == OP_NEWOBJ)
        return !flow_is_async(flow);
    bool calls = before->op == OP_CALL || before->op == OP_CALLVIRT || before->op == OP_CALLI;
    return calls && sig_method(&sig, sig_of_call(flow->context.md, before->operand), NULL) &&
           sig_first_element(sig.return_type) == ELEMENT_VOID;
}

static bool is_place(const struct flow *flow, uint32_t index)
{
    return !flow->context.md->optimised || is_known_place(flow, index);
}

/* A place where a statement may begin. */
static bool is_statement(const struct flow *flow, uint32_t index)
{
    return index == 0 || (flow->empty_before[index] && flow->il.instrs[index].op != OP_NOP);
}

static uint32_t count_places(const struct flow *flow,
                             bool (*is_one)(const struct flow *flow, uint32_t index))
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->il.count; i++)
        count += is_one(flow, i);
    return count;
}

uint32_t mapped_places_step(const struct flow *flow)
{
    if (flow->il.count <= MAP_ROWS_MAX || count_places(flow, is_place) <= MAP_ROWS_MAX)
        return 1;
    uint32_t count = count_places(flow, is_statement);
    return count <= MAP_ROWS_MAX ? 1 : (count + MAP_ROWS_FEW - 1) / MAP_ROWS_FEW;
}

/* Of a method that would have too many rows: the places where a statement may begin, so that lines
 * stay right. Of still too many every third, fourth ..., so that few lines are wrong by much. */
uint32_t mapped_places(bool *kept, const struct flow *flow)
{
    bool all = flow->il.count <= MAP_ROWS_MAX || count_places(flow, is_place) <= MAP_ROWS_MAX;
    uint32_t step = mapped_places_step(flow), met = 0, count = 0;
    for (uint32_t i = 0; i < flow->il.count; i++) {
        kept[i] = all ? is_place(flow, i) : is_statement(flow, i) && met++ % step == 0;
        count += kept[i];
    }
    return count;
}

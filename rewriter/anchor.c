#include "rewriter/anchor.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "metadata/sig.h"

enum {
    SPARE_MAX = 4,   /* locals of a signature that may be spare: each one costs a place in frames */
    DEPTH_MAX = 5,   /* of loops */
    DEPTH_BITS = 3,  /* a loop runs eight times: a guess that orders variables */
    OTHER_BITS = 40, /* before any use: what is not a number (choose_own) */
    CONSIDERED_MAX = 64,
};

/* --- spare locals ----------------------------------------------------------------------------- */

/* A signature of the file, and how many of its locals come before the spare ones. */
struct spare {
    struct view before; /* their types */
    uint32_t before_count;
    uint32_t token;
    uint32_t spare_count;
    uint32_t base, dummy; /* locals that may keep a base, or serve as an address; or NO_INDEX */
};

/* What costs nothing where it is not used: no type is loaded for it. */
static bool is_plain_type(enum element_type type)
{
    return (type >= ELEMENT_BOOLEAN && type <= ELEMENT_STRING) || type == ELEMENT_I ||
           type == ELEMENT_U || type == ELEMENT_OBJECT;
}

static bool is_number_type(enum element_type type)
{
    return (type >= ELEMENT_BOOLEAN && type <= ELEMENT_R8) || type == ELEMENT_I ||
           type == ELEMENT_U || type == ELEMENT_PTR;
}

static bool is_wide(enum element_type type)
{
    return type == ELEMENT_I8 || type == ELEMENT_U8 || type == ELEMENT_I || type == ELEMENT_U;
}

static int view_order(struct view a, struct view b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return a.len != 0 ? memcmp(a.data, b.data, a.len) : 0;
}

ORDER(order_before, struct spare, BY_ORDER(view_order(a->before, b->before)))

static int count_uses(const struct spare *spare)
{
    return 2 * (spare->base != NO_INDEX) + (spare->dummy != NO_INDEX);
}

/* The more useful first, then the smaller frame. */
ORDER(order_spare, struct spare,
      BY_ORDER(view_order(a->before, b->before)) BY_ORDER(count_uses(b) - count_uses(a))
          BY(spare_count) BY(token))

/* The last locals of a signature. */
struct tail {
    uint32_t first, count;
    size_t start[SPARE_MAX];
    enum element_type type[SPARE_MAX]; /* ELEMENT_END: of more than one byte */
};

static bool read_tail(struct tail *out, struct view types, uint32_t count)
{
    struct reader r = rd_view(types);
    out->first = count > SPARE_MAX ? count - SPARE_MAX : 0;
    out->count = count - out->first;
    for (uint32_t i = 0; i < count; i++) {
        size_t start = r.pos;
        if (!sig_skip_type(&r))
            return false;
        if (i < out->first)
            continue;
        out->start[i - out->first] = start;
        out->type[i - out->first] =
            r.pos == start + 1 ? (enum element_type)types.data[start] : ELEMENT_END;
    }
    return true;
}

static void add_spare(struct spare_locals *out, const struct tail *tail, uint32_t from,
                      struct view types, uint32_t token)
{
    struct spare spare = {.before = {types.data, tail->start[from]},
                          .before_count = tail->first + from,
                          .token = token,
                          .spare_count = tail->count - from,
                          .base = NO_INDEX,
                          .dummy = NO_INDEX};
    for (uint32_t i = from; i < tail->count; i++) {
        if (spare.base == NO_INDEX && is_wide(tail->type[i]))
            spare.base = tail->first + i;
        else if (spare.dummy == NO_INDEX && is_number_type(tail->type[i]))
            spare.dummy = tail->first + i;
    }
    if (spare.base != NO_INDEX || spare.dummy != NO_INDEX)
        out->list[out->count++] = spare;
}

static void add_spare_signature(struct spare_locals *out, const struct metadata *md, uint32_t rid)
{
    uint32_t token = TOKEN(TABLE_StandAloneSig, rid), count = 0;
    struct view types;
    struct tail tail;
    if (!sig_locals(&count, &types, md, token, NULL) || !read_tail(&tail, types, count))
        return;
    for (uint32_t from = tail.count; from-- > 0 && is_plain_type(tail.type[from]);)
        add_spare(out, &tail, from, types, token);
}

void spare_locals_find(struct spare_locals *out, const struct metadata *md, struct arena *arena)
{
    uint32_t rows = tables_rows(&md->tables, TABLE_StandAloneSig);
    *out = (struct spare_locals){.count = 0};
    out->list = arena_raw(arena, (size_t)rows * SPARE_MAX, sizeof *out->list, NULL);
    for (uint32_t rid = 1; out->list != NULL && rid <= rows; rid++)
        add_spare_signature(out, md, rid);
    if (out->count != 0)
        qsort(out->list, out->count, sizeof *out->list, order_spare);
}

/* The first of those that follow the same locals. */
static const struct spare *find_spare(const struct spare_locals *spare, struct view before,
                                      uint32_t before_count)
{
    const struct spare wanted = {.before = before};
    const struct spare *found =
        spare != NULL ? sorted_find(&wanted, spare->list, spare->count, sizeof wanted, order_before)
                      : NULL;
    return found != NULL && found->before_count == before_count ? found : NULL;
}

bool spare_locals_serve_all(const struct spare_locals *spare)
{
    return find_spare(spare, (struct view){NULL, 0}, 0) != NULL;
}

/* --- a variable of the method ----------------------------------------------------------------- */

/* What it costs to have a variable in memory: its uses, those in loops more. */
struct costs {
    uint64_t of_local[CONSIDERED_MAX], of_argument[CONSIDERED_MAX];
};

static void add_cost(uint64_t *costs, uint32_t variable, uint64_t cost)
{
    if (variable < CONSIDERED_MAX)
        costs[variable] += cost;
}

static void add_costs(struct costs *costs, const struct instr *instr, uint64_t cost)
{
    add_cost(costs->of_local, il_loaded_local(instr), cost);
    add_cost(costs->of_local, il_stored_local(instr), cost);
    add_cost(costs->of_argument, il_loaded_arg(instr), cost);
    add_cost(costs->of_argument, il_stored_arg(instr), cost);
}

/* A variable whose address is taken anyway costs nothing more. */
static void forget_cost(struct costs *costs, const struct instr *instr)
{
    uint32_t local = il_address_of_local(instr);
    if (local < CONSIDERED_MAX)
        costs->of_local[local] = 0;
    if ((instr->op == OP_LDARGA || instr->op == OP_LDARGA_S) && instr->operand < CONSIDERED_MAX)
        costs->of_argument[instr->operand] = 0;
}

/* In how many loops each block is; one more: the end. */
static int32_t *find_depths(const struct flow *flow, struct arena *arena)
{
    int32_t *depths = ARENA_NEW(arena, int32_t, flow->block_count + 1, NULL);
    for (uint32_t n = 0; depths != NULL && n < flow->edge_count; n++) {
        const struct edge *edge = &flow->edges[n];
        if (edge->to > edge->from)
            continue;
        depths[edge->to]++;
        depths[edge->from + 1]--;
    }
    for (uint32_t n = 1; depths != NULL && n < flow->block_count; n++)
        depths[n] += depths[n - 1];
    return depths;
}

static bool find_costs(struct costs *out, const struct flow *flow, struct arena *arena)
{
    const int32_t *depths = find_depths(flow, arena);
    *out = (struct costs){.of_local = {0}};
    for (uint32_t n = 0; depths != NULL && n < flow->block_count; n++) {
        int32_t depth = depths[n] < DEPTH_MAX ? depths[n] : DEPTH_MAX;
        for (uint32_t i = flow->blocks[n].first; i < flow->blocks[n].end; i++)
            add_costs(out, &flow->il.instrs[i], (uint64_t)1 << DEPTH_BITS * depth);
    }
    for (uint32_t i = 0; i < flow->il.count; i++)
        forget_cost(out, &flow->il.instrs[i]);
    return depths != NULL;
}

static bool has_this(const struct stack_context *context)
{
    return (context->sig.flags & (SIG_HAS_THIS | SIG_EXPLICIT_THIS)) == SIG_HAS_THIS;
}

/* Its address may be taken: it is no reference to a variable itself, and the collector need not
 * know more about it. */
static bool is_addressable(struct view type)
{
    enum element_type first = sig_first_element(type);
    return first != ELEMENT_END && first != ELEMENT_BYREF && first != ELEMENT_TYPEDBYREF &&
           !sig_is_pinned(type);
}

static void consider_variable(struct anchor *best, uint64_t *best_cost, struct anchor candidate,
                              struct view type, uint64_t cost)
{
    if (!is_number_type(sig_first_element(type)))
        cost |= (uint64_t)1 << OTHER_BITS;
    if (cost >= *best_cost || !is_addressable(type))
        return;
    *best = candidate;
    *best_cost = cost;
}

/* The cheapest. In optimised code an object whose variable is in memory lives until the method
 * ends, as it does in code that is not optimised yet, and a structure is not taken apart: so what
 * is not a number comes last. `this` is the last of all, because the JIT copies it, and always
 * there. */
static void choose_own(struct anchor *out, const struct flow *flow, struct arena *arena)
{
    const struct stack_context *context = &flow->context;
    uint32_t first = has_this(context);
    uint32_t arguments = context->sig.param_count + first;
    uint64_t best = UINT64_MAX;
    struct costs costs;
    if (!find_costs(&costs, flow, arena))
        return;
    struct anchor candidate = *out;
    candidate.kind = ANCHOR_LOCAL;
    for (uint32_t i = 0; i < context->local_count && i < CONSIDERED_MAX; i++) {
        candidate.variable = i;
        consider_variable(out, &best, candidate, stack_local_type(context, i), costs.of_local[i]);
    }
    candidate.kind = ANCHOR_ARGUMENT;
    for (uint32_t i = first; i < arguments && i < CONSIDERED_MAX; i++) {
        candidate.variable = i;
        consider_variable(out, &best, candidate, stack_argument_type(context, i),
                          costs.of_argument[i]);
    }
    if (out->kind == ANCHOR_NONE && first != 0) {
        out->kind = ANCHOR_ARGUMENT;
        out->variable = 0;
    }
}

/* --- the choice ------------------------------------------------------------------------------- */

/* The local whose address is taken: the base itself, or another one. A base that lives across a
 * call is in a register that the method must save, or is spilled: the frame grows by more than 16
 * bytes. A base that is its own dummy is in memory, where each probe reads it, which would slow
 * loops down. With one probe, or without calls, a register costs nothing; most of the methods that
 * the JIT inlines are like that. Without optimisation every local is in memory. */
static void use_spare(struct anchor *out, const struct spare *spare, const struct flow *flow,
                      const struct plan *plan)
{
    bool in_register = flow->context.md->optimised &&
                       (plan->counter_count <= 1 || !flow_calls(flow) || flow_loops(flow));
    *out = (struct anchor){.kind = ANCHOR_LOCAL,
                           .variable = spare->dummy,
                           .base_local = spare->base,
                           .local_sig = spare->token};
    if (spare->dummy == NO_INDEX || (spare->base != NO_INDEX && !in_register))
        out->variable = spare->base;
    if (plan->counter_count == 1)
        out->base_local = NO_INDEX;
}

static bool is_this(const struct anchor *anchor, const struct flow *flow)
{
    return anchor->kind == ANCHOR_ARGUMENT && anchor->variable == 0 && has_this(&flow->context);
}

void anchor_choose(struct anchor *out, const struct flow *flow, const struct plan *plan,
                   const struct spare_locals *spare, struct arena *arena)
{
    const struct spare *found =
        find_spare(spare, flow->context.local_types, flow->context.local_count);
    *out = (struct anchor){.base_local = NO_INDEX, .local_sig = flow->body.local_sig};
    /* Code that is not optimised has its variables in memory anyway. */
    if (found == NULL || (found->base == NO_INDEX && !flow->context.md->optimised))
        choose_own(out, flow, arena);
    if (found != NULL && (out->kind == ANCHOR_NONE || is_this(out, flow)))
        use_spare(out, found, flow, plan);
    if (flow_is_async(flow))
        out->base_local = NO_INDEX;
}

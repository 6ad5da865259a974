#include "rewriter/flow.h"

#include "metadata/lookup.h"
#include "metadata/names.h"

enum mark {
    MARK_LEADER = 1,
    MARK_SPLIT = 2,
    MARK_THROWS = 4,
    MARK_ENTRY = 8,
    MARK_DONE = 16,
    MARK_AFTER_TAIL = 32,
    MARK_ALWAYS = 64, /* a condition on a constant that always branches */
    MARK_NEVER = 128, /* one that never does */
};
enum {
    JUMPS_MAX = 8, /* in a row */
    WAYS_MANY = 2,
    CLEARED_LEN = 3, /* instructions that clear a field */
};
#define DEPTH_UNKNOWN UINT32_MAX

/* What a block passes on: on top of the stack, or in the variable that it stores last. */
enum end {
    END_OTHER,
    END_BOOL,
    END_ZERO_OR_ONE,
    END_BOOL_STORE,
};

/* What is known while the graph is made; arrays have one entry per instruction. */
struct builder {
    struct flow *flow;
    struct arena *arena;
    uint8_t *marks;   /* instr count + 1 */
    uint32_t *depths; /* where blocks begin */
    uint8_t *ways;    /* that lead to an instruction where a block begins; no more than 2 count */
    uint64_t *known;  /* of such an instruction with one way: variables that are not null there */
    uint8_t *ends;    /* enum end of the last instruction of a block */
    uint32_t *work;   /* leaders to simulate */
    uint32_t work_count;
    struct stack stack;
};

static bool falls_through(uint8_t flow)
{
    return flow == FLOW_NEXT || flow == FLOW_CONDITION || flow == FLOW_SWITCH ||
           flow == FLOW_PREFIX;
}

static bool is_behind_prefix(const struct builder *b, uint32_t index)
{
    return index != 0 && il_info(&b->flow->il.instrs[index - 1])->flow == FLOW_PREFIX;
}

static enum verdict mark_offset(struct builder *b, uint32_t offset, uint8_t marks)
{
    uint32_t index = b->flow->il.index_at[offset];
    if (index == NO_INDEX)
        return VERDICT_DECLINED_ODD_EH;
    if (index < b->flow->il.count && is_behind_prefix(b, index))
        return VERDICT_DECLINED_PREFIX;
    b->marks[index] |= marks | MARK_LEADER;
    b->ways[index] = WAYS_MANY;
    return VERDICT_OK;
}

static enum verdict mark_clause_bounds(struct builder *b)
{
    enum verdict verdict = VERDICT_OK;
    for (uint32_t i = 0; i < b->flow->body.clause_count && verdict == VERDICT_OK; i++) {
        const struct eh_clause *clause = &b->flow->body.clauses[i];
        const struct {
            uint32_t offset;
            uint8_t marks;
        } bounds[] = {
            {clause->try_offset, 0},
            {clause->try_offset + clause->try_length, 0},
            {clause->handler_offset, MARK_ENTRY},
            {clause->handler_offset + clause->handler_length, 0},
            {clause->flags == EH_FILTER ? clause->filter_offset : clause->handler_offset,
             MARK_ENTRY},
        };
        for (size_t n = 0; n < ARRAY_LEN(bounds) && verdict == VERDICT_OK; n++)
            verdict = mark_offset(b, bounds[n].offset, bounds[n].marks);
    }
    return verdict;
}

static void count_way(struct builder *b, uint32_t index)
{
    if (b->ways[index] < WAYS_MANY)
        b->ways[index]++;
}

static void mark_branches(struct builder *b)
{
    const struct il *il = &b->flow->il;
    for (uint32_t i = 0; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i];
        const struct opcode_info *info = il_info(instr);
        if (info->operand == OPERAND_TARGET8 || info->operand == OPERAND_TARGET32) {
            b->marks[instr->operand] |= MARK_LEADER;
            count_way(b, instr->operand);
        }
        for (uint32_t n = 0; info->operand == OPERAND_SWITCH && n < il->targets[instr->operand];
             n++) {
            b->marks[il->targets[instr->operand + 1 + n]] |= MARK_LEADER;
            count_way(b, il->targets[instr->operand + 1 + n]);
        }
        if (info->flow != FLOW_NEXT && info->flow != FLOW_PREFIX)
            b->marks[i + 1] |= MARK_LEADER;
        if (falls_through(info->flow))
            count_way(b, i + 1);
        b->flow->calls_tail |= instr->op == OP_TAIL || instr->op == OP_JMP;
    }
}

/* Is this a `ret` right after a call that must stay a tail call? The call has `tail.`; or the JIT
 * makes it a tail call and a program may rely on that, because the method calls itself or is
 * optimised from its first call on. Elsewhere a program cannot rely on it: two methods that call
 * each other forever run out of stack without ilcov as well. */
static bool belongs_to_tail_call(struct builder *b, uint32_t index)
{
    const struct il *il = &b->flow->il;
    if (il->instrs[index].op != OP_RET || index == 0)
        return false;
    const struct instr *call = &il->instrs[index - 1];
    bool is_call = call->op == OP_CALL || call->op == OP_CALLVIRT || call->op == OP_CALLI;
    if (!is_call)
        return false;
    for (uint32_t i = index - 1; i != 0 && il_info(&il->instrs[i - 1])->flow == FLOW_PREFIX; i--)
        if (il->instrs[i - 1].op == OP_TAIL)
            return true;
    return (b->flow->context.impl_flags & IMPL_AGGRESSIVE_OPTIMIZATION) != 0 ||
           stack_calls_itself(&b->flow->context, index - 1);
}

/* `not_null`: the variables that are not on this way. */
static enum verdict reach_block(struct builder *b, uint32_t index, uint32_t depth,
                                uint64_t not_null)
{
    if (index >= b->flow->il.count)
        return VERDICT_DECLINED_FALLS_OFF;
    if (b->depths[index] == DEPTH_UNKNOWN) {
        b->depths[index] = depth;
        b->known[index] = b->ways[index] < WAYS_MANY ? not_null : 0;
        b->work[b->work_count++] = index;
    }
    return b->depths[index] == depth ? VERDICT_OK : VERDICT_DECLINED_STACK;
}

/* Debug code tests constants to have a place for a breakpoint: ldc.i4.1; brtrue. The code after it
 * never runs. */
static void mark_constant_condition(struct builder *b, uint32_t last)
{
    const struct instr *instr = &b->flow->il.instrs[last];
    bool on_true = il_is_brtrue(instr);
    int32_t value = 0;
    int32_t maker = stack_top_maker(&b->stack);
    if (il_tests_bool(instr) && maker != MAKER_UNKNOWN &&
        il_constant(&value, &b->flow->il.instrs[maker]))
        b->marks[last] |= (value != 0) == on_true ? MARK_ALWAYS : MARK_NEVER;
}

static bool may_branch(const struct builder *b, uint32_t last)
{
    return (b->marks[last] & MARK_NEVER) == 0;
}

static bool may_run_on(const struct builder *b, uint32_t last)
{
    return falls_through(il_info(&b->flow->il.instrs[last])->flow) &&
           (b->marks[last] & MARK_ALWAYS) == 0;
}

/* `if_true`, `if_false`: the variables that are not null if the last instruction, a brtrue or
 * brfalse, finds true or false. */
static enum verdict reach_successors(struct builder *b, uint32_t last, uint64_t if_true,
                                     uint64_t if_false)
{
    const struct il *il = &b->flow->il;
    const struct instr *instr = &il->instrs[last];
    const struct opcode_info *info = il_info(instr);
    uint32_t depth =
        info->flow == FLOW_LEAVE ? 0 : b->stack.depth; /* III.3.46: leave empties the stack */
    uint64_t known = b->stack.not_null, taken = known, not_taken = known;
    if (il_tests_bool(instr)) {
        taken |= il_is_brtrue(instr) ? if_true : if_false;
        not_taken |= il_is_brtrue(instr) ? if_false : if_true;
    }
    enum verdict verdict = VERDICT_OK;
    if (falls_through(info->flow) && last + 1 == il->count) /* even for a condition on a constant */
        return VERDICT_DECLINED_FALLS_OFF;
    if ((info->operand == OPERAND_TARGET8 || info->operand == OPERAND_TARGET32) &&
        may_branch(b, last))
        verdict = reach_block(b, instr->operand, depth, taken);
    for (uint32_t n = 0; info->operand == OPERAND_SWITCH && n < il->targets[instr->operand] &&
                         verdict == VERDICT_OK;
         n++)
        verdict = reach_block(b, il->targets[instr->operand + 1 + n], depth, known);
    if (verdict == VERDICT_OK && may_run_on(b, last))
        verdict = reach_block(b, last + 1, depth, not_taken);
    return verdict;
}

/* What is on top of the stack when control reaches a join, a `ret` or an `endfilter`. */
static enum end describe_top(struct builder *b)
{
    if (b->stack.depth == 0)
        return END_OTHER;
    int32_t maker = stack_top_maker(&b->stack);
    if (maker != MAKER_UNKNOWN && il_makes_zero_or_one(&b->flow->il, (uint32_t)maker))
        return END_ZERO_OR_ONE;
    return stack_top_is_bool(&b->stack, &b->flow->context) ? END_BOOL : END_OTHER;
}

/* What an async method of C# needs behind an await is in fields of the compiler. If these hold
 * references, they are cleared where their statement has used them:
 *     ldarg.0; ldnull; stfld F        of a structure: ldarg.0; ldflda F; initobj T
 * Does that begin at the instruction? */
static bool clears_field(const struct flow *flow, uint32_t index)
{
    const struct il *il = &flow->il;
    if (il->count - index < CLEARED_LEN || il_loaded_arg(&il->instrs[index]) != 0)
        return false;
    const struct instr *second = &il->instrs[index + 1], *third = second + 1;
    const struct instr *field = second->op == OP_LDNULL && third->op == OP_STFLD     ? third
                                : second->op == OP_LDFLDA && third->op == OP_INITOBJ ? second
                                                                                     : NULL;
    if (field == NULL)
        return false;
    struct str name = name_of_member(flow->context.md, field->operand);
    return str_starts(name, "<>s__") || str_starts(name, "<>7__wrap"); /* Debug; Release */
}

/* Do the instructions [first, end) nothing else? */
static bool only_clears(const struct flow *flow, uint32_t first, uint32_t end)
{
    while (first < end && clears_field(flow, first))
        first += CLEARED_LEN;
    return first == end;
}

static bool is_leader(const struct builder *b, uint32_t index)
{
    return (b->marks[index] & MARK_LEADER) != 0;
}

/* The instruction after such code, if it begins at `index` and control comes from above alone. */
static uint32_t past_cleared(const struct builder *b, uint32_t index)
{
    while (clears_field(b->flow, index) && !is_leader(b, index) && !is_leader(b, index + 1) &&
           !is_leader(b, index + 2))
        index += CLEARED_LEN;
    return index;
}

/* Does the instruction, not yet executed, store a bool? */
static bool keeps_bool(const struct builder *b, const struct instr *instr)
{
    bool stores = instr->op == OP_STFLD || il_stored_local(instr) != NO_INDEX;
    return stores && stack_top_is_bool(&b->stack, &b->flow->context);
}

/* Is there nothing but the end of an unoptimised method: `nop; ret`? No statement begins there: a
 * `return` would be a jump to it. In F# it may be the statement `()`. */
static bool is_end_of_method(const struct builder *b, uint32_t index)
{
    const struct il *il = &b->flow->il;
    uint32_t i = index;
    while (i < il->count && il->instrs[i].op == OP_NOP && (b->marks[i] & MARK_LEADER) == 0)
        i++;
    return !b->flow->context.md->optimised && i != index && i < il->count &&
           il->instrs[i].op == OP_RET && (b->marks[i] & MARK_LEADER) == 0 &&
           !compiled_by_fsharp(b->flow->context.md);
}

/* Does the instruction, not yet executed, store a bool as the last thing that its block does? Where
 * fields are cleared after that, `cleared_end` is where that ends. */
static bool keeps_bool_last(uint32_t *cleared_end, const struct builder *b, uint32_t index)
{
    const struct il *il = &b->flow->il;
    if (is_behind_prefix(b, index) || /* nothing may come between a prefix and its store */
        !keeps_bool(b, &il->instrs[index]))
        return false;
    uint32_t end = past_cleared(b, index + 1);
    if (end == il->count || (!is_leader(b, end) && il_info(&il->instrs[end])->flow != FLOW_BRANCH))
        return false;
    *cleared_end = end;
    return true;
}

/* Simulates from a leader to the next one, or to where control leaves. */
static enum verdict simulate_block(struct builder *b, uint32_t first)
{
    const struct il *il = &b->flow->il;
    bool threw = false;
    uint32_t cleared_end = first; /* no statement begins before that */
    if (!stack_enter(&b->stack, b->depths[first], b->known[first]))
        return VERDICT_DECLINED_STACK;
    for (uint32_t i = first;; i++) {
        uint8_t flow = il_info(&il->instrs[i])->flow;
        b->marks[i] |= MARK_DONE;
        b->flow->empty_before[i] = b->stack.depth == 0;
        bool tail = belongs_to_tail_call(b, i);
        if (tail) {
            b->marks[i] |= MARK_AFTER_TAIL;
            b->flow->calls_tail = true;
        }
        bool statement_may_begin = b->stack.depth == 0 || b->flow->context.md->optimised;
        if (threw && statement_may_begin && i != first && i >= cleared_end && !tail &&
            !is_behind_prefix(b, i)) {
            if (!is_end_of_method(b, i)) {
                b->marks[i] |= MARK_SPLIT;
                b->depths[i] = b->stack.depth;
                b->known[i] = b->stack.not_null;
            }
            threw = false;
        }
        bool ends = flow == FLOW_BRANCH || flow == FLOW_RETURN || flow == FLOW_ENDFILTER;
        if (ends)
            b->ends[i] = (uint8_t)describe_top(b);
        if (flow == FLOW_CONDITION)
            mark_constant_condition(b, i);
        bool last = is_leader(b, i + 1) || (flow != FLOW_NEXT && flow != FLOW_PREFIX);
        bool stored = !ends && keeps_bool_last(&cleared_end, b, i);
        bool tests = flow == FLOW_CONDITION;
        uint64_t if_true = tests ? stack_not_null_if(&b->stack, true) : 0;
        uint64_t if_false = tests ? stack_not_null_if(&b->stack, false) : 0;
        bool throws = false;
        enum verdict verdict = stack_step(&b->stack, &throws, &b->flow->context, i);
        if (verdict != VERDICT_OK)
            return verdict;
        if (throws)
            b->marks[i] |= MARK_THROWS;
        threw |= throws;
        if (stored)
            b->ends[i] = END_BOOL_STORE;
        else if (last && !ends)
            b->ends[i] = (uint8_t)describe_top(b);
        if (last)
            return reach_successors(b, i, if_true, if_false);
    }
}

static enum verdict simulate_all(struct builder *b)
{
    const struct flow *flow = b->flow;
    enum verdict verdict = reach_block(b, 0, 0, 0);
    for (uint32_t i = 0; i < flow->body.clause_count && verdict == VERDICT_OK; i++) {
        const struct eh_clause *clause = &flow->body.clauses[i];
        bool gets_exception = clause->flags == EH_CATCH || clause->flags == EH_FILTER;
        verdict = reach_block(b, flow->il.index_at[clause->handler_offset], gets_exception, 0);
        if (clause->flags == EH_FILTER && verdict == VERDICT_OK)
            verdict = reach_block(b, flow->il.index_at[clause->filter_offset], 1, 0);
    }
    while (b->work_count != 0 && verdict == VERDICT_OK)
        verdict = simulate_block(b, b->work[--b->work_count]);
    return verdict;
}

static uint32_t find_bool_store(const struct builder *b, uint32_t first, uint32_t last)
{
    bool jumps = il_info(&b->flow->il.instrs[last])->flow == FLOW_BRANCH;
    uint32_t store = jumps && last != first ? last - 1 : last;
    while (b->ends[store] != END_BOOL_STORE && store - first >= CLEARED_LEN &&
           clears_field(b->flow, store + 1 - CLEARED_LEN))
        store -= CLEARED_LEN;
    return b->ends[store] == END_BOOL_STORE ? store : NO_INDEX;
}

static void fill_block(struct builder *b, uint32_t n, uint32_t first, uint32_t end)
{
    struct block *block = &b->flow->blocks[n];
    uint8_t at = b->marks[first];
    uint32_t last = end - 1;
    *block = (struct block){
        .first = first,
        .end = end,
        .depth = b->depths[first] != DEPTH_UNKNOWN ? b->depths[first] : 0,
        .not_null = b->depths[first] != DEPTH_UNKNOWN ? b->known[first] : 0,
        .exit = il_info(&b->flow->il.instrs[last])->flow,
        .reachable = (at & MARK_DONE) != 0,
        .is_entry = (at & MARK_ENTRY) != 0,
        .ends_with_bool = b->ends[last] == END_BOOL,
        .ends_with_zero_or_one = b->ends[last] == END_ZERO_OR_ONE,
        .bool_store = find_bool_store(b, first, last),
        .after_tail_call = (at & MARK_AFTER_TAIL) != 0,
    };
    for (uint32_t i = first; i < end; i++) {
        block->may_throw |= (b->marks[i] & MARK_THROWS) != 0;
        b->flow->block_of[i] = n;
    }
}

static enum verdict make_blocks(struct builder *b)
{
    struct flow *flow = b->flow;
    for (uint32_t i = 0; i < flow->il.count; i++)
        flow->block_count += (b->marks[i] & (MARK_LEADER | MARK_SPLIT)) != 0;
    flow->blocks = ARENA_NEW(b->arena, struct block, flow->block_count, NULL);
    flow->block_of = arena_raw(b->arena, flow->il.count, sizeof *flow->block_of, NULL);
    if (flow->blocks == NULL || flow->block_of == NULL)
        return VERDICT_DECLINED_MEMORY;
    uint32_t n = 0;
    for (uint32_t first = 0, i = 1; i <= flow->il.count; i++) {
        if (i == flow->il.count || (b->marks[i] & (MARK_LEADER | MARK_SPLIT)) != 0) {
            fill_block(b, n++, first, i);
            first = i;
        }
    }
    return VERDICT_OK;
}

static bool is_in_range(uint32_t offset, uint32_t start, uint32_t length)
{
    return offset >= start && offset - start < length;
}

static bool runs_finally(const struct flow *flow, uint32_t from_offset, uint32_t to_offset)
{
    for (uint32_t i = 0; i < flow->body.clause_count; i++) {
        const struct eh_clause *clause = &flow->body.clauses[i];
        if (clause->flags == EH_FINALLY &&
            is_in_range(from_offset, clause->try_offset, clause->try_length) &&
            !is_in_range(to_offset, clause->try_offset, clause->try_length))
            return true;
    }
    return false;
}

static void add_edge(struct flow *flow, uint32_t from, uint32_t to_instr, bool taken)
{
    const struct block *block = &flow->blocks[from];
    struct edge *edge = &flow->edges[flow->edge_count++];
    *edge = (struct edge){.from = from, .to = flow_block_of(flow, to_instr), .taken = taken};
    flow->blocks[from].edge_count++;
    flow->blocks[edge->to].in_count++;
    if (block->exit == FLOW_LEAVE)
        edge->through_finally = runs_finally(flow, flow->il.instrs[block->end - 1].offset,
                                             flow->il.instrs[to_instr].offset);
}

/* Table entries that lead to the same place are one edge. `seen` says for each instruction which
 * block reached it last. */
static void add_switch_edges(struct flow *flow, uint32_t from, const uint32_t *targets,
                             uint32_t *seen)
{
    for (uint32_t n = 0; n < targets[0]; n++) {
        uint32_t target = targets[1 + n];
        if (seen[target] != from) {
            seen[target] = from;
            add_edge(flow, from, target, true);
        }
    }
}

static enum verdict make_edges(struct builder *b)
{
    struct flow *flow = b->flow;
    size_t room = (size_t)flow->block_count * 2 + flow->il.target_count;
    flow->edges = arena_raw(b->arena, room, sizeof *flow->edges, NULL);
    if (flow->edges == NULL)
        return VERDICT_DECLINED_MEMORY;
    uint32_t *seen = b->depths; /* no longer needed */
    for (uint32_t i = 0; i < flow->il.count; i++)
        seen[i] = UINT32_MAX;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        struct block *block = &flow->blocks[n];
        const struct instr *last = &flow->il.instrs[block->end - 1];
        uint8_t operand = il_info(last)->operand;
        block->first_edge = flow->edge_count;
        if (!block->reachable)
            continue;
        if ((operand == OPERAND_TARGET8 || operand == OPERAND_TARGET32) &&
            may_branch(b, block->end - 1))
            add_edge(flow, n, last->operand, true);
        else if (operand == OPERAND_SWITCH)
            add_switch_edges(flow, n, &flow->il.targets[last->operand], seen);
        if (may_run_on(b, block->end - 1))
            add_edge(flow, n, block->end, false);
    }
    return VERDICT_OK;
}

static enum verdict group_in_edges(struct builder *b)
{
    struct flow *flow = b->flow;
    flow->in_edges = arena_raw(b->arena, flow->edge_count, sizeof *flow->in_edges, NULL);
    if (flow->in_edges == NULL)
        return VERDICT_DECLINED_MEMORY;
    uint32_t next = 0;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        flow->blocks[n].first_in = next;
        next += flow->blocks[n].in_count;
        flow->blocks[n].in_count = 0;
    }
    for (uint32_t e = 0; e < flow->edge_count; e++) {
        struct block *to = &flow->blocks[flow->edges[e].to];
        flow->in_edges[to->first_in + to->in_count++] = e;
    }
    return VERDICT_OK;
}

static enum verdict alloc_builder(struct builder *b)
{
    size_t places = (size_t)b->flow->il.count + 1;
    b->marks = ARENA_NEW(b->arena, uint8_t, places, NULL);
    b->ends = ARENA_NEW(b->arena, uint8_t, places, NULL);
    b->flow->empty_before = ARENA_NEW(b->arena, bool, places, NULL);
    b->depths = arena_raw(b->arena, places, sizeof *b->depths, NULL);
    b->ways = ARENA_NEW(b->arena, uint8_t, places, NULL);
    b->known = arena_raw(b->arena, places, sizeof *b->known, NULL);
    b->work = arena_raw(b->arena, places, sizeof *b->work, NULL);
    if (b->marks == NULL || b->ends == NULL || b->flow->empty_before == NULL || b->depths == NULL ||
        b->ways == NULL || b->known == NULL || b->work == NULL ||
        !stack_init(&b->stack, b->flow->body.max_stack, b->arena))
        return VERDICT_DECLINED_MEMORY;
    for (size_t i = 0; i < places; i++)
        b->depths[i] = DEPTH_UNKNOWN;
    b->marks[b->flow->il.count] = MARK_LEADER; /* so that running off the end is noticed */
    b->marks[0] = MARK_LEADER | MARK_ENTRY;
    b->ways[0] = 1; /* from outside */
    return VERDICT_OK;
}

enum verdict flow_analyse(struct flow *flow, const struct metadata *md,
                          const struct nothrow *nothrow, uint32_t method_rid, struct arena *arena)
{
    struct builder b = {.flow = flow, .arena = arena};
    enum verdict verdict =
        stack_context_init(&flow->context, md, nothrow, &flow->il, &flow->body, method_rid, arena);
    if (verdict == VERDICT_OK)
        verdict = alloc_builder(&b);
    if (verdict == VERDICT_OK)
        verdict = mark_clause_bounds(&b);
    if (verdict == VERDICT_OK) {
        mark_branches(&b);
        verdict = simulate_all(&b);
    }
    if (verdict == VERDICT_OK)
        verdict = make_blocks(&b);
    if (verdict == VERDICT_OK)
        verdict = make_edges(&b);
    if (verdict == VERDICT_OK)
        verdict = group_in_edges(&b);
    return verdict;
}

enum verdict flow_build(struct flow *out, struct view body, const struct metadata *md,
                        const struct nothrow *nothrow, uint32_t method_rid, struct arena *arena)
{
    *out = (struct flow){.block_count = 0};
    enum verdict verdict = body_parse(&out->body, body, arena);
    if (verdict == VERDICT_OK)
        verdict = il_decode(&out->il, &out->body, arena);
    return verdict == VERDICT_OK ? flow_analyse(out, md, nothrow, method_rid, arena) : verdict;
}

uint32_t flow_past_jumps(const struct flow *flow, uint32_t block)
{
    for (uint32_t steps = 0; steps < flow->block_count && flow_only_jumps(flow, block); steps++)
        block = flow->edges[flow->blocks[block].first_edge].to;
    return block;
}

uint32_t flow_source(const struct flow *flow, const struct edge *edge)
{
    uint32_t from = edge->from;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        const struct block *block = &flow->blocks[from];
        if (block->in_count != 1 || block->exit != FLOW_BRANCH || block->end - block->first != 1)
            break;
        from = flow_edge_in(flow, block, 0)->from;
    }
    return from;
}

uint32_t flow_taken_edge(const struct flow *flow, uint32_t block, uint32_t instr_index)
{
    const struct block *from = &flow->blocks[block];
    for (uint32_t e = from->first_edge; e < from->first_edge + from->edge_count; e++)
        if (flow->edges[e].taken && flow->blocks[flow->edges[e].to].first == instr_index)
            return e;
    return from->first_edge;
}

bool flow_only_jumps(const struct flow *flow, uint32_t block)
{
    const struct block *b = &flow->blocks[block];
    if (b->edge_count != 1 || (b->exit != FLOW_NEXT && b->exit != FLOW_BRANCH))
        return false;
    for (uint32_t i = b->first; i < b->end; i++)
        if (flow->il.instrs[i].op != OP_NOP && il_info(&flow->il.instrs[i])->flow != FLOW_BRANCH)
            return false;
    return true;
}

bool flow_only_continues(const struct flow *flow, uint32_t block)
{
    return flow->blocks[block].depth != 0 && flow_only_jumps(flow, block);
}

/* Where a block ends, but for a `br`. */
static uint32_t end_before_jump(const struct block *block)
{
    return block->end - (block->exit == FLOW_BRANCH);
}

uint32_t flow_only_keeps(const struct flow *flow, uint32_t block)
{
    const struct block *b = &flow->blocks[block];
    const struct instr *instr = &flow->il.instrs[b->first];
    bool keeps = instr->op == OP_STFLD || il_stored_local(instr) != NO_INDEX;
    bool goes_on = b->edge_count == 1 && (b->exit == FLOW_NEXT || b->exit == FLOW_BRANCH);
    return b->depth != 0 && keeps && goes_on && only_clears(flow, b->first + 1, end_before_jump(b))
               ? b->first
               : NO_INDEX;
}

static bool is_cut_off(const struct flow *flow, uint32_t block)
{
    const struct block *b = &flow->blocks[block];
    return only_clears(flow, b->first, end_before_jump(b)) && b->edge_count == 1 &&
           b->in_count == 1 && !b->is_entry && flow_edge_in(flow, b, 0)->from + 1 == block &&
           flow->blocks[block - 1].exit == FLOW_NEXT;
}

uint32_t flow_before_cut(const struct flow *flow, uint32_t block)
{
    while (is_cut_off(flow, block))
        block--;
    return block;
}

uint32_t flow_past_cut(const struct flow *flow, uint32_t block)
{
    uint32_t to = flow->edges[flow->blocks[block].first_edge].to;
    while (to == block + 1 && is_cut_off(flow, to)) {
        block = to;
        to = flow->edges[flow->blocks[block].first_edge].to;
    }
    return to;
}

bool flow_loops(const struct flow *flow)
{
    for (uint32_t n = 0; n < flow->edge_count; n++) {
        if (flow->edges[n].to <= flow->edges[n].from)
            return true;
    }
    return false;
}

bool flow_calls(const struct flow *flow)
{
    for (uint32_t i = 0; i < flow->il.count; i++) {
        uint8_t op = flow->il.instrs[i].op;
        if (op == OP_CALL || op == OP_CALLVIRT || op == OP_CALLI || op == OP_NEWOBJ)
            return true;
    }
    return false;
}

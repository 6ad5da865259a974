/* From each block, control gets to the statements that may begin next, past jumps, joins and
 * decisions. If that is one statement only, places before it are causes of that statement. So the
 * way back from a statement is followed as long as control could not have gone elsewhere: to the
 * statement before, or to the outcome of the decision that lets it. */
#include "coverage/collect/control_dependence.h"

#include "coverage/branches/classify.h"
#include "coverage/collect/source_edges.h"
#include "coverage/statements/fsharp_machine.h"
#include "coverage/statements/il_idioms.h"

enum {
    SEARCH_MAX = 256, /* blocks on the ways back from one statement */
    VALUES_NESTED_MAX = 16,
};

/* Where control gets next. Else it is the index of a statement. */
enum {
    NOWHERE = -1, /* an exception ends it */
    ANYWHERE = -2 /* to several statements, or out of the method */
};

/* A block. */
struct stretch {
    uint32_t last; /* the last statement that begins in it, or NO_INDEX */
    int64_t next,
        after;         /* what comes next after its start; after `last` or, without it, its start */
    uint32_t value_of; /* the decision of which it ends with an operand's value, or NO_INDEX */
    uint32_t search;   /* the last one that came here */
    uint32_t goes_on;  /* its branch leaves a state machine, or goes on here; else NO_INDEX */
    enum branch_role role; /* of its branch */
    bool breaks; /* a `yield break` of an async iterator: only `finally` blocks come after it */
};

struct edge_outcome {
    uint32_t decision, outcome; /* NO_INDEX: it is none */
};

struct control_dependence {
    const struct statements_source *source;
    const struct flow *flow;
    struct source_edges source_edges;
    const struct statements *statements;
    const struct decisions *decisions;
    const uint32_t *number_of; /* per decision (control_dependence.h) */
    bool is_off, is_iterator;
    uint32_t *begins; /* per instruction: the statement that begins there, or NO_INDEX */
    struct stretch *stretches;
    struct edge_outcome *outcomes; /* per edge */
    uint32_t *pending;             /* blocks */
    uint32_t search;
};

/* A search for the causes of one statement or decision. */
struct cause_search {
    struct control_dependence *a;
    int64_t target;
    struct fact_cause causes[FACT_CAUSES_LEN]; /* no more fit into the facts */
    uint32_t count;
    bool from_entry; /* a way leads back to where a state machine is called */
    bool through_finally;
    bool failed;
};

/* The statement that begins at an IL offset, or NO_INDEX. */
static uint32_t statement_at_offset(const struct control_dependence *a, uint32_t il_offset)
{
    uint32_t instr = il_index(&a->flow->il, il_offset);
    return instr != NO_INDEX ? a->begins[instr] : NO_INDEX;
}

/* --- what comes next -------------------------------------------------------------------------- */

static void mark_beginnings(struct control_dependence *a)
{
    const struct flow *flow = a->flow;
    for (uint32_t n = 0; n < a->statements->count; n++) {
        const struct statement *statement = &a->statements->items[n];
        for (uint32_t i = 0; i < statement->block_count; i++) {
            uint32_t point = a->statements->points[statement->first_block + i];
            a->begins[flow->il.index_at[a->source->points->points[point].il_offset]] = n;
        }
    }
    for (uint32_t n = 0; n < flow->block_count; n++)
        for (uint32_t i = flow->blocks[n].end; i-- > flow->blocks[n].first;)
            if (a->begins[i] != NO_INDEX) {
                if (a->stretches[n].last == NO_INDEX)
                    a->stretches[n].last = a->begins[i];
                a->stretches[n].next = a->begins[i];
            }
}

/* A way by which a state machine comes back to where it was left; it is not followed. */
static bool is_way_back(const struct control_dependence *a, const struct edge *edge)
{
    return a->stretches[edge->from].role == ROLE_WAY_BACK && edge->taken;
}

/* Nor are the ways by which an async method is suspended, or an async iterator disposed. */
static bool is_followed(const struct control_dependence *a, uint32_t e)
{
    const struct edge *edge = &a->flow->edges[e];
    uint32_t goes_on = a->stretches[edge->from].goes_on;
    return !is_way_back(a, edge) && (goes_on == NO_INDEX || edge->to == goes_on);
}

static int64_t join_next(int64_t a, int64_t b)
{
    if (a == NOWHERE || a == b)
        return b;
    return b == NOWHERE ? a : ANYWHERE;
}

/* At the end of a `finally` that awaits it is asked whether an exception is to be thrown. */
static int64_t next_at(const struct control_dependence *a, uint32_t n)
{
    return a->source_edges.is_bypassed[n] ? ANYWHERE : a->stretches[n].next;
}

static int64_t next_after(const struct control_dependence *a, uint32_t n)
{
    const struct block *block = &a->flow->blocks[n];
    int64_t next = NOWHERE;
    if (a->source->reach->end[n] < block->end)
        return NOWHERE;
    bool leaves = block->edge_count == 0 && block->exit != FLOW_THROW;
    if (leaves || a->stretches[n].breaks)
        return ANYWHERE; /* or out of a handler */
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (is_followed(a, e))
            next = join_next(next, next_at(a, a->source_edges.edges[e].to));
    return next;
}

/* What comes next only grows, from nowhere to a statement to anywhere, so each block is looked at a
 * few times. */
static void find_next(struct control_dependence *a)
{
    const struct flow *flow = a->flow;
    uint32_t count = 0;
    a->search = 1; /* pending: the block's `search` is 1 */
    for (uint32_t n = 0; n < flow->block_count; n++) {
        a->pending[count++] = n;
        a->stretches[n].search = 1;
    }
    while (count != 0) {
        uint32_t n = a->pending[--count];
        struct stretch *stretch = &a->stretches[n];
        stretch->search = 0;
        stretch->after = next_after(a, n);
        if (stretch->last != NO_INDEX || stretch->next == stretch->after)
            continue;
        stretch->next = stretch->after;
        for (uint32_t i = a->source_edges.first_in[n]; i < a->source_edges.first_in[n + 1]; i++) {
            uint32_t from = a->source_edges.edges[a->source_edges.in_edges[i]].from;
            if (a->stretches[from].search == 0)
                a->pending[count++] = from;
            a->stretches[from].search = 1;
        }
    }
}

/* --- outcomes --------------------------------------------------------------------------------- */

/* An edge may be part of a guard and of the switch that the guard belongs to: the guard is
 * nearer. */
static void note_outcomes(struct control_dependence *a, const struct plan *plan,
                          const uint32_t *value_block)
{
    for (uint32_t d = 0; d < a->decisions->count; d++) {
        const struct decision *decision = &a->decisions->items[d];
        uint32_t offset = a->decisions->points->points[decision->point].il_offset;
        if (statement_at_offset(a, offset) == NO_INDEX || offset > decision->il_offset)
            continue; /* no line that reports show is its own: a brace, or the one after it */
        for (uint32_t p = decision->first_part; p < decision->first_part + decision->part_count;
             p++) {
            const struct outcome_part *part = &a->decisions->parts[p];
            if (part->source == SOURCE_COUNTER) {
                if (part->index < plan->counter_count && value_block[part->index] != NO_INDEX)
                    a->stretches[value_block[part->index]].value_of = d;
                continue;
            }
            struct edge_outcome *of = &a->outcomes[part->index];
            if (of->decision == NO_INDEX || !decision->is_switch)
                *of = (struct edge_outcome){d, part->outcome};
        }
    }
}

static bool find_outcomes(struct control_dependence *a, const struct plan *plan,
                          struct arena *arena, struct err *err)
{
    const struct flow *flow = a->flow;
    uint32_t *value_block = arena_no_indexes(arena, plan->counter_count, err);
    if (value_block == NULL)
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (plan->value_counter[n] != NO_INDEX)
            value_block[plan->value_counter[n]] = n;
    for (uint32_t e = 0; e < flow->edge_count; e++)
        a->outcomes[e] = (struct edge_outcome){NO_INDEX, 0};
    note_outcomes(a, plan, value_block);
    return true;
}

/* --- going back ------------------------------------------------------------------------------- */

static void blame_cause(struct cause_search *s, struct fact_cause cause)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->causes[i].kind == cause.kind && s->causes[i].index == cause.index &&
            s->causes[i].outcome == cause.outcome)
            return;
    if (s->count == ARRAY_LEN(s->causes))
        s->failed = true;
    else
        s->causes[s->count++] = cause;
}

/* An outcome of a decision that cannot be reached never happens. */
static void blame_outcome(struct cause_search *s, struct edge_outcome of)
{
    uint32_t number = s->a->number_of[of.decision];
    if (number != NO_INDEX)
        blame_cause(s, (struct fact_cause){CAUSE_OUTCOME, number, of.outcome});
}

/* Does the statement run when control comes to its only sequence point, and else never? */
static bool is_plain_statement(const struct control_dependence *a, uint32_t statement)
{
    const struct statement *of = &a->statements->items[statement];
    uint32_t offset = a->source->points->points[of->point].il_offset;
    return of->block_count == 1 && of->return_count == 0 &&
           a->statements->blocks[of->first_block] ==
               flow_block_of(a->flow, a->flow->il.index_at[offset]);
}

static void blame_statement(struct cause_search *s, enum cause_kind kind, int64_t statement)
{
    if (statement >= 0 && is_plain_statement(s->a, (uint32_t)statement))
        blame_cause(s, (struct fact_cause){kind, (uint32_t)statement, 0});
    else
        s->failed = true;
}

/* The beginning of a handler or filter. */
static void blame_handler(struct cause_search *s, uint32_t n)
{
    const struct flow *flow = s->a->flow;
    uint32_t offset = flow->il.instrs[flow->blocks[n].first].offset;
    for (uint32_t c = 0; c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        bool filters = clause->flags == EH_FILTER && clause->filter_offset == offset;
        if (clause->handler_offset != offset && !filters)
            continue;
        uint32_t first = flow_block_of(flow, flow->il.index_at[clause->try_offset]);
        if (clause->flags == EH_FAULT)
            break;
        blame_statement(s,
                        clause->flags == EH_FINALLY || s->a->source_edges.begins_finally[n]
                            ? CAUSE_LEFT
                            : CAUSE_CAUGHT,
                        s->a->stretches[first].next);
        return;
    }
    s->failed = true;
}

static void blame_entry(struct cause_search *s, uint32_t n)
{
    if (n == 0)
        blame_cause(s, (struct fact_cause){CAUSE_ENTRY, 0, 0});
    else
        blame_handler(s, n);
}

/* A state machine goes to block `n` when it is called again: after the statement before it in the
 * code or, if there is none, where it begins. At the start of a `try` it is asked again where that
 * is. */
static void blame_resumed(struct cause_search *s, uint32_t n)
{
    const struct control_dependence *a = s->a;
    for (int steps = 0; steps < SEARCH_MAX && flow_only_jumps(a->flow, n); steps++)
        n = a->source_edges.edges[a->flow->blocks[n].first_edge].to;
    if (a->stretches[n].role == ROLE_WAY_BACK)
        return;
    uint32_t first = a->flow->blocks[n].first;
    const struct point_map *map = &a->decisions->map;
    uint32_t point = first != 0 ? point_map_before(map, first - 1) : NO_INDEX;
    if (point == NO_INDEX) {
        s->from_entry = true;
        return;
    }
    bool disposes = a->stretches[n].role == ROLE_GENERATED && a->stretches[n].goes_on != NO_INDEX;
    if (!a->is_iterator && !disposes)
        return; /* the way past the await that had not to wait is the same */
    uint32_t statement = statement_at_offset(a, map->points->points[point].il_offset);
    if (statement != NO_INDEX)
        blame_statement(s, CAUSE_RESUMED, statement);
    else
        s->failed = true;
}

/* Does the instruction only hand on a value that `if (a && b)` of Debug builds keeps? */
static bool hands_value_on(const struct instr *instr)
{
    return instr->op == OP_NOP || il_stored_local(instr) != NO_INDEX ||
           il_loaded_local(instr) != NO_INDEX || instr->op == OP_STFLD || instr->op == OP_LDFLD ||
           il_loaded_arg(instr) == 0 || il_info(instr)->flow == FLOW_BRANCH;
}

/* In the instructions [first, end), which hand on a truth value: what it is before them, if it is
 * `value` after them. */
static bool truth_before(bool *value, const struct flow *flow, uint32_t first, uint32_t end)
{
    const struct instr *instrs = flow->il.instrs;
    for (uint32_t i = end; i > first; i--) {
        int32_t zero = 1;
        if (instrs[i - 1].op == OP_CEQ && i - 1 > first && il_constant(&zero, &instrs[i - 2]) &&
            zero == 0) {
            *value = !*value;
            i--;
        } else if (!hands_value_on(&instrs[i - 1])) {
            return false;
        }
    }
    return true;
}

static void trace_into(struct cause_search *s, uint32_t join, bool value, unsigned nested);

/* The block makes the constant, or not, that says how an operand decided. */
static void trace_constant(struct cause_search *s, uint32_t n, bool value)
{
    const struct flow *flow = s->a->flow;
    const struct block *block = &flow->blocks[n];
    int32_t constant = -1;
    uint32_t i = block->first;
    while (i < block->end && flow->il.instrs[i].op == OP_NOP)
        i++;
    if (i == block->end || !il_constant(&constant, &flow->il.instrs[i]) ||
        !truth_before(&value, flow, i + 1, block->end) || block->is_entry) {
        s->failed = true;
        return;
    }
    for (uint32_t k = 0; k < block->in_count && (constant != 0) == value; k++) {
        struct edge_outcome of = s->a->outcomes[flow->in_edges[block->first_in + k]];
        if (of.decision == NO_INDEX)
            s->failed = true;
        else
            blame_outcome(s, of);
    }
}

/* Block `n` hands on a value; which outcomes make it `value`? */
static void trace_from(struct cause_search *s, uint32_t n, bool value, unsigned nested)
{
    const struct flow *flow = s->a->flow;
    const struct block *block = &flow->blocks[n];
    uint32_t decision = s->a->stretches[n].value_of;
    bool before = value;
    if (decision != NO_INDEX)
        blame_outcome(s, (struct edge_outcome){decision, value});
    else if (nested < VALUES_NESTED_MAX && truth_before(&before, flow, block->first, block->end) &&
             s->a->stretches[n].last == NO_INDEX && !block->is_entry)
        trace_into(s, n, before, nested + 1);
    else
        trace_constant(s, n, value);
}

static void trace_into(struct cause_search *s, uint32_t join, bool value, unsigned nested)
{
    const struct block *block = &s->a->flow->blocks[join];
    for (uint32_t i = 0; i < block->in_count; i++)
        trace_from(s, flow_edge_in(s->a->flow, block, i)->from, value, nested);
}

/* A test of what was counted where it was made, `if (a && b)`: which outcomes lead along this
 * edge? */
static void trace_test(struct cause_search *s, const struct edge *edge)
{
    const struct flow *flow = s->a->flow;
    const struct block *block = &flow->blocks[edge->from];
    const struct instr *test = &flow->il.instrs[block->end - 1];
    bool value = edge->taken == il_is_brtrue(test);
    if (il_tests_bool(test) && !block->is_entry && s->a->stretches[edge->from].last == NO_INDEX &&
        truth_before(&value, flow, block->first, block->end - 1))
        trace_into(s, edge->from, value, 0);
    else
        s->failed = true;
}

/* Returns whether the way back goes on at the block that the edge comes from. */
static bool pass_edge(struct cause_search *s, uint32_t e)
{
    const struct control_dependence *a = s->a;
    const struct edge *edge = &a->source_edges.edges[e];
    const struct stretch *from = &a->stretches[edge->from];
    s->through_finally |= edge->through_finally;
    if (is_way_back(a, edge))
        blame_resumed(s, edge->to);
    else if (from->breaks)
        return false;
    else if (from->role == ROLE_PENDING)
        s->failed = true; /* the statement before the `finally` may have thrown, or one in it */
    else if (from->after != s->target && a->outcomes[e].decision != NO_INDEX)
        blame_outcome(s, a->outcomes[e]);
    else if (from->after != s->target && from->role == ROLE_COUNTED)
        trace_test(s, edge);
    else if (from->after != s->target)
        s->failed = true;
    else if (from->last != NO_INDEX)
        blame_statement(s, CAUSE_COMPLETED, from->last);
    else
        return true;
    return false;
}

static void go_back(struct cause_search *s, uint32_t block)
{
    struct control_dependence *a = s->a;
    uint32_t count = 0, passed = 0;
    if (a->stretches[block].search != a->search)
        a->pending[count++] = block;
    a->stretches[block].search = a->search;
    while (count != 0 && !s->failed) {
        uint32_t n = a->pending[--count];
        if (passed++ == SEARCH_MAX)
            s->failed = true;
        if (a->flow->blocks[n].is_entry)
            blame_entry(s, n);
        for (uint32_t i = a->source_edges.first_in[n]; i < a->source_edges.first_in[n + 1]; i++) {
            uint32_t e = a->source_edges.in_edges[i], from = a->flow->edges[e].from;
            if (!a->flow->blocks[from].reachable || a->source_edges.is_bypassed[from] ||
                !pass_edge(s, e) || a->stretches[from].search == a->search)
                continue;
            a->stretches[from].search = a->search;
            a->pending[count++] = from;
        }
    }
}

/* After a finally, it is not known whether the statement or the finally failed. */
static struct fact_causes finish_search(struct cause_search *s)
{
    struct fact_causes causes = {0};
    if (s->from_entry && s->count == 0)
        blame_cause(s, (struct fact_cause){CAUSE_ENTRY, 0, 0});
    for (uint32_t i = 0; i < s->count && !s->failed; i++) {
        if (s->causes[i].kind == CAUSE_COMPLETED && s->through_finally)
            s->causes[i].kind = CAUSE_CLEANED_UP;
        if (!causes_add(&causes, s->causes[i]))
            s->failed = true;
    }
    if (s->failed)
        causes = (struct fact_causes){0};
    return causes;
}

static struct cause_search begin_search(struct control_dependence *a, int64_t target)
{
    a->search++;
    return (struct cause_search){.a = a, .target = target};
}

/* The statement that begins before the instruction in its block, or NO_INDEX. */
static uint32_t begun_before(const struct control_dependence *a, uint32_t block, uint32_t instr)
{
    for (uint32_t i = instr; i > a->flow->blocks[block].first; i--)
        if (a->begins[i - 1] != NO_INDEX)
            return a->begins[i - 1];
    return NO_INDEX;
}

struct fact_causes control_dependence_of_statement(struct control_dependence *a, uint32_t statement)
{
    const struct statement *items = a->statements->items;
    struct cause_search s = begin_search(a, statement);
    if (a->is_off || items[statement].return_count != 0)
        s.failed = true;
    for (uint32_t i = 0; i < items[statement].block_count && !s.failed; i++) {
        uint32_t place = items[statement].first_block + i, block = a->statements->blocks[place];
        uint32_t offset = a->source->points->points[a->statements->points[place]].il_offset;
        uint32_t instr = a->flow->il.index_at[offset], before = begun_before(a, block, instr);
        if (block != flow_block_of(a->flow, instr)) /* F#: it begins elsewhere */
            s.failed = true;
        else if (source_edges_may_be_merged(&a->source_edges, a->flow, instr))
            s.failed = true;
        else if (before != NO_INDEX)
            blame_statement(&s, CAUSE_COMPLETED, before);
        else
            go_back(&s, block);
    }
    return finish_search(&s);
}

/* The only edge into the block but for ways back, or NO_INDEX. */
static uint32_t only_edge(const struct control_dependence *a, uint32_t n)
{
    uint32_t only = NO_INDEX;
    for (uint32_t i = a->source_edges.first_in[n]; i < a->source_edges.first_in[n + 1]; i++) {
        uint32_t e = a->source_edges.in_edges[i];
        if (is_way_back(a, &a->flow->edges[e]) ||
            a->source_edges.is_bypassed[a->flow->edges[e].from])
            continue;
        if (only != NO_INDEX)
            return NO_INDEX;
        only = e;
    }
    return only;
}

/* A decision has no single place where it begins, so only a straight way back to it is followed. */
static void go_straight_back(struct cause_search *s, uint32_t n)
{
    const struct control_dependence *a = s->a;
    for (uint32_t steps = 0; steps < SEARCH_MAX; steps++) {
        uint32_t e = only_edge(a, n);
        if (a->stretches[n].last != NO_INDEX) {
            blame_statement(s, CAUSE_COMPLETED, a->stretches[n].last);
            return;
        }
        if (a->flow->blocks[n].is_entry || e == NO_INDEX)
            break;
        if (a->outcomes[e].decision != NO_INDEX) {
            blame_outcome(s, a->outcomes[e]);
            return;
        }
        n = a->flow->edges[e].from;
        if (a->flow->blocks[n].edge_count != 1 || a->source_edges.edges[e].through_finally)
            break;
    }
    s->failed = true;
}

struct fact_causes control_dependence_of_decision(struct control_dependence *a, uint32_t decision)
{
    struct cause_search s = begin_search(a, NOWHERE);
    uint32_t instr = a->flow->il.index_at[a->decisions->items[decision].il_offset];
    if (a->is_off)
        s.failed = true;
    else
        go_straight_back(&s, flow_block_of(a->flow, instr));
    return finish_search(&s);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void judge_blocks(struct control_dependence *a)
{
    for (uint32_t n = 0; n < a->flow->block_count; n++) {
        enum branch_role role = branch_role_of(a->decisions->rule[n], a->flow, n);
        a->stretches[n] = (struct stretch){
            .last = NO_INDEX,
            .next = NOWHERE,
            .after = NOWHERE,
            .value_of = NO_INDEX,
            .role = role,
            .goes_on = role == ROLE_AWAIT       ? idiom_await_continues(a->flow, n)
                       : role == ROLE_GENERATED ? idiom_undisposed_continues(a->flow, n)
                                                : NO_INDEX,
            .breaks = a->source->is_state_machine && idiom_yield_breaks(a->flow, n),
        };
    }
}

static bool make_source_edges(struct control_dependence *a, struct arena *arena, struct err *err)
{
    bool *is_outcome = ARENA_NEW(arena, bool, a->flow->edge_count, err);
    for (uint32_t e = 0; is_outcome != NULL && e < a->flow->edge_count; e++)
        is_outcome[e] = a->outcomes[e].decision != NO_INDEX;
    return is_outcome != NULL && source_edges_make(&a->source_edges, a->source, a->decisions,
                                                   a->begins, is_outcome, arena, err);
}

static bool returns_bool(const struct flow *flow)
{
    struct view type = flow->context.sig.return_type;
    return type.len != 0 && type.data[0] == ELEMENT_BOOLEAN;
}

struct control_dependence *
control_dependence_make(const struct statements_source *source, const struct plan *plan,
                        const struct statements *statements, const struct decisions *decisions,
                        const uint32_t *number_of, struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    struct control_dependence *a = ARENA_NEW(arena, struct control_dependence, 1, err);
    if (a == NULL)
        return NULL;
    *a = (struct control_dependence){.source = source,
                                     .flow = flow,
                                     .statements = statements,
                                     .decisions = decisions,
                                     .number_of = number_of,
                                     .is_off = fsharp_machine_kind(flow) != FSHARP_NO_MACHINE &&
                                               source->language == LANGUAGE_FSHARP,
                                     .is_iterator = source->is_state_machine && returns_bool(flow)};
    a->begins = arena_no_indexes(arena, flow->il.count, err);
    a->stretches = ARENA_NEW(arena, struct stretch, flow->block_count, err);
    a->outcomes = arena_raw(arena, flow->edge_count, sizeof *a->outcomes, err);
    a->pending = arena_raw(arena, flow->block_count, sizeof *a->pending, err);
    if (a->begins == NULL || a->stretches == NULL || a->outcomes == NULL || a->pending == NULL)
        return NULL;
    judge_blocks(a);
    mark_beginnings(a);
    if (!find_outcomes(a, plan, arena, err) || !make_source_edges(a, arena, err))
        return NULL;
    find_next(a);
    return a;
}

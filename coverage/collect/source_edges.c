#include "coverage/collect/source_edges.h"

#include <string.h>

#include "coverage/branches/classify.h"
#include "coverage/statements/il_idioms.h"
#include "coverage/statements/variable.h"

enum {
    SEARCH_MAX = 256, /* blocks on the ways back to where a note was made */
    ANSWERS_MAX = 8   /* questions in a row */
};

/* `note == value` at the end of a block. */
struct question {
    struct variable note; /* of the compiler */
    int32_t value;
    uint32_t yes, no; /* blocks */
};

struct source_edges_maker {
    struct source_edges *out;
    const struct flow *flow;
    const struct decisions *decisions;
    const uint32_t *begins;
    const bool *is_outcome;
    uint32_t *goes_on; /* per block: where a `finally` begins: the block after it; or NO_INDEX */
    uint32_t *seen, *pending, search;
};

/* --- notes ------------------------------------------------------------------------------------ */

/* The variable that the instruction loads; false if it is none. */
static bool loads_note(struct variable *out, const struct il *il, uint32_t i)
{
    *out = variable_loaded(&il->instrs[i]);
    return out->kind == VARIABLE_LOCAL ||
           (out->kind == VARIABLE_FIELD && i > 0 && il_loaded_arg(&il->instrs[i - 1]) == 0);
}

/* Is it only ever given constants? */
static bool is_note(const struct il *il, struct variable note)
{
    int32_t constant;
    uint32_t count = 0;
    for (uint32_t i = 1; i < il->count; i++)
        if (variable_is_stored(note, &il->instrs[i])) {
            if (!il_constant(&constant, &il->instrs[i - 1]))
                return false;
            count++;
        }
    return count != 0;
}

static bool begins_statement(const struct source_edges_maker *m, uint32_t n)
{
    const struct block *block = &m->flow->blocks[n];
    for (uint32_t i = block->first; i < block->end; i++)
        if (m->begins[i] != NO_INDEX)
            return true;
    return false;
}

static bool read_question(struct question *out, const struct source_edges_maker *m, uint32_t n)
{
    const struct flow *flow = m->flow;
    const struct block *block = &flow->blocks[n];
    const struct instr *instrs = flow->il.instrs;
    uint32_t last = flow_last_instr(flow, n), load = last;
    uint8_t op = instrs[last].op;
    bool equal = op == OP_BEQ || op == OP_BEQ_S, unequal = op == OP_BNE_UN || op == OP_BNE_UN_S;
    bool tests_bool = il_tests_bool(&instrs[last]);
    *out = (struct question){.value = 0};
    if (block->exit != FLOW_CONDITION || block->edge_count != 2 || begins_statement(m, n) ||
        m->is_outcome[block->first_edge] || m->is_outcome[block->first_edge + 1] ||
        !(equal || unequal || tests_bool))
        return false;
    if (!tests_bool && (load < block->first + 2 || !il_constant(&out->value, &instrs[--load])))
        return false;
    if (load-- == block->first)
        return false;
    if (load >= block->first + 2 && il_loads_stored(&flow->il, load, load - 1))
        load -= 2;
    if (!loads_note(&out->note, &flow->il, load) || !is_note(&flow->il, out->note))
        return false;
    const struct edge *edges = &flow->edges[block->first_edge];
    bool first_is_yes = edges[0].taken == (equal || (tests_bool && !il_is_brtrue(&instrs[last])));
    out->yes = edges[first_is_yes ? 0 : 1].to;
    out->no = edges[first_is_yes ? 1 : 0].to;
    return true;
}

/* The constant that the block gives to the note last. */
static bool note_given(int32_t *out, const struct flow *flow, uint32_t n, struct variable note)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->end; i > block->first; i--)
        if (variable_is_stored(note, &flow->il.instrs[i - 1]))
            return i >= 2 && il_constant(out, &flow->il.instrs[i - 2]);
    return false;
}

/* A way back to where a state machine was left: the note is what it was then. */
static bool is_edge_back(const struct source_edges_maker *m, const struct edge *edge)
{
    const struct rule *rule = m->decisions->rule[edge->from];
    return edge->taken && branch_role_of(rule, m->flow, edge->from) == ROLE_WAY_BACK;
}

/* The value of the note at the end of block `n`, if it is the same on all ways there. */
static bool note_value_at(int32_t *out, struct source_edges_maker *m, uint32_t n,
                          struct variable note)
{
    const struct flow *flow = m->flow;
    uint32_t count = 0, passed = 0;
    bool known = false;
    m->search++;
    m->pending[count++] = n;
    m->seen[n] = m->search;
    while (count != 0) {
        int32_t value = 0;
        const struct block *block = &flow->blocks[n = m->pending[--count]];
        if (note_given(&value, flow, n, note)) {
            if (known && value != *out)
                return false;
            known = true;
            *out = value;
            continue;
        }
        if (block->is_entry || block->in_count == 0 || passed++ == SEARCH_MAX)
            return false;
        for (uint32_t i = 0; i < block->in_count; i++) {
            const struct edge *edge = flow_edge_in(flow, block, i);
            if (is_edge_back(m, edge) || m->seen[edge->from] == m->search)
                continue;
            m->seen[edge->from] = m->search;
            m->pending[count++] = edge->from;
        }
    }
    return known;
}

/* --- a finally that awaits -------------------------------------------------------------------- */

/* If the block asks whether an exception is kept: where control goes on if not; else NO_INDEX. */
static uint32_t without_exception(struct variable *kept, const struct source_edges_maker *m,
                                  uint32_t n)
{
    const struct flow *flow = m->flow;
    const struct rule *rule = m->decisions->rule[n];
    const struct block *block = &flow->blocks[n];
    uint32_t load =
        branch_role_of(rule, flow, n) == ROLE_PENDING ? idiom_tested_load(flow, n) : NO_INDEX;
    if (load == NO_INDEX || flow->il.instrs[load + 1].op == OP_ISINST || block->edge_count != 2 ||
        !loads_note(kept, &flow->il, load))
        return NO_INDEX;
    return idiom_way_if(flow, n, false);
}

/* The handler that keeps the exception, the last one before block `n`; or NO_INDEX. */
static uint32_t keeper_of(const struct source_edges_maker *m, struct variable kept, uint32_t n)
{
    const struct flow *flow = m->flow;
    uint32_t found = NO_INDEX;
    for (uint32_t c = 0; c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        uint32_t h = flow_block_of(flow, flow->il.index_at[clause->handler_offset]);
        const struct block *block = &flow->blocks[h];
        bool keeps = false;
        for (uint32_t i = block->first; i < block->end; i++)
            keeps = keeps || variable_is_stored(kept, &flow->il.instrs[i]);
        if (keeps && block->edge_count == 1 && h < n && (found == NO_INDEX || h > found))
            found = h;
    }
    return found;
}

static void note_finally(struct source_edges_maker *m, uint32_t n)
{
    struct variable kept;
    uint32_t next = without_exception(&kept, m, n);
    uint32_t keeper = next != NO_INDEX && next > n ? keeper_of(m, kept, n) : NO_INDEX;
    if (keeper == NO_INDEX)
        return;
    uint32_t begin = m->flow->edges[m->flow->blocks[keeper].first_edge].to;
    if (begin <= keeper || begin > n)
        return;
    m->goes_on[begin] = next;
    m->out->begins_finally[keeper] = true;
    for (uint32_t i = n; i < next; i++)
        m->out->is_bypassed[i] = true;
}

/* --- edges ------------------------------------------------------------------------------------ */

static void lead_edge(struct source_edges_maker *m, struct edge *edge)
{
    for (unsigned i = 0; i < ANSWERS_MAX; i++) {
        struct question question;
        int32_t value = 0;
        if (m->goes_on[edge->to] != NO_INDEX && edge->from < edge->to &&
            !m->out->begins_finally[edge->from]) {
            edge->to = m->goes_on[edge->to];
            edge->through_finally = true;
        } else if (read_question(&question, m, edge->to) &&
                   note_value_at(&value, m, edge->from, question.note)) {
            edge->to = value == question.value ? question.yes : question.no;
        } else {
            return;
        }
    }
}

static bool is_led_to(const struct source_edges *out, uint32_t n)
{
    for (uint32_t i = out->first_in[n]; i < out->first_in[n + 1]; i++)
        if (!out->is_bypassed[out->edges[out->in_edges[i]].from])
            return true;
    return false;
}

/* Blocks to which nothing leads any more; one question follows the other. */
static void note_bypassed(struct source_edges *out, const struct flow *flow)
{
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (!flow->blocks[n].is_entry && flow->blocks[n].reachable && !is_led_to(out, n))
            out->is_bypassed[n] = true;
}

static void group_edges(struct source_edges *out, const struct flow *flow)
{
    for (uint32_t e = 0; e < flow->edge_count; e++)
        out->first_in[out->edges[e].to + 1]++;
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->first_in[n + 1] += out->first_in[n];
    for (uint32_t e = flow->edge_count; e-- != 0;) /* each is the last of those that are left */
        out->in_edges[--out->first_in[out->edges[e].to + 1]] = e;
    /* The starts have moved one place down: first_in[n + 1] is where those of n begin. */
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->first_in[n] = out->first_in[n + 1];
    out->first_in[flow->block_count] = flow->edge_count;
}

/* --- code that was written twice -------------------------------------------------------------- */

static bool ends_way(const struct instr *instr)
{
    return instr->op == OP_THROW || instr->op == OP_RET;
}

/* Does the statement that begins at the instruction throw or return a value, whatever happens? That
 * of nothing else than a `ret` is no sign: many are. */
static bool never_goes_on(const struct il *il, const uint32_t *begins, uint32_t first)
{
    for (uint32_t i = first; i < il->count; i++) {
        if (ends_way(&il->instrs[i]))
            return i != first;
        if ((i != first && begins[i] != NO_INDEX) || il_info(&il->instrs[i])->flow == FLOW_BRANCH)
            break;
    }
    return false;
}

static bool find_merged(struct source_edges *out, const struct source_edges_maker *m,
                        struct arena *arena, struct err *err)
{
    const struct il *il = &m->flow->il;
    for (uint32_t i = 1; m->flow->context.md->optimised && i < il->count; i++)
        if (m->begins[i] != NO_INDEX && il->instrs[i - 1].op == OP_POP &&
            never_goes_on(il, m->begins, i) && !list_put(&out->merged, &i, sizeof i, arena, err))
            return false;
    return true;
}

/* Is the code from the two instructions on equal, up to a `throw` or `ret`? */
static bool are_equal(const struct il *il, uint32_t a, uint32_t b)
{
    for (; a < il->count && b < il->count; a++, b++) {
        const struct instr *x = &il->instrs[a], *y = &il->instrs[b];
        if (x->op != y->op || x->operand != y->operand)
            return false;
        if (ends_way(x))
            return true;
    }
    return false;
}

bool source_edges_may_be_merged(const struct source_edges *source_edges, const struct flow *flow,
                                uint32_t first)
{
    const uint32_t *merged = source_edges->merged.items;
    for (uint32_t i = 0; i < source_edges->merged.count; i++)
        if (merged[i] != first && are_equal(&flow->il, first, merged[i]))
            return true;
    return false;
}

bool source_edges_make(struct source_edges *out, const struct statements_source *source,
                       const struct decisions *decisions, const uint32_t *begins,
                       const bool *is_outcome, struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    uint32_t count = flow->block_count;
    struct source_edges_maker m = {.out = out,
                                   .flow = flow,
                                   .decisions = decisions,
                                   .begins = begins,
                                   .is_outcome = is_outcome,
                                   .goes_on = arena_no_indexes(arena, count, err),
                                   .seen = ARENA_NEW(arena, uint32_t, count, err),
                                   .pending = arena_raw(arena, count, sizeof *m.pending, err)};
    *out = (struct source_edges){
        .edges = arena_raw(arena, flow->edge_count, sizeof *out->edges, err),
        .in_edges = arena_raw(arena, flow->edge_count, sizeof *out->in_edges, err),
        .first_in = ARENA_NEW(arena, uint32_t, (size_t)count + 1, err),
        .is_bypassed = ARENA_NEW(arena, bool, count, err),
        .begins_finally = ARENA_NEW(arena, bool, count, err)};
    if (m.goes_on == NULL || m.seen == NULL || m.pending == NULL || out->edges == NULL ||
        out->in_edges == NULL || out->first_in == NULL || out->is_bypassed == NULL ||
        out->begins_finally == NULL)
        return false;
    if (flow->edge_count != 0)
        memcpy(out->edges, flow->edges, flow->edge_count * sizeof *out->edges);
    if (source->is_state_machine && source->language != LANGUAGE_FSHARP) {
        for (uint32_t n = 0; n < count; n++)
            note_finally(&m, n);
        for (uint32_t e = 0; e < flow->edge_count; e++)
            lead_edge(&m, &out->edges[e]);
    }
    group_edges(out, flow);
    note_bypassed(out, flow);
    return find_merged(out, &m, arena, err);
}

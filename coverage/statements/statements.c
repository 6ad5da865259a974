#include "coverage/statements/statements.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/statements/early_returns.h"
#include "coverage/statements/fsharp_operands.h"
#include "coverage/statements/il_idioms.h"
#include "coverage/statements/spans.h"
#include "coverage/statements/vb_points.h"

enum {
    COPIES_WITHIN = 4096, /* blocks from the first copy of a statement to the last */
};

ORDER(order_by_point, struct statement, BY(point))
ORDER(order_early_returns, struct early_return, BY(point) BY(instr))

bool statements_may_say(const struct statements_source *source, const char *word)
{
    const struct seq_point *points = source->points->points;
    uint32_t first = UINT32_MAX, last = 0;
    if (source->text == NULL)
        return true;
    for (uint32_t p = 0; p < source->points->count; p++) {
        if (points[p].hidden || points[p].document != points[0].document)
            continue;
        first = points[p].start_line < first ? points[p].start_line : first;
        last = points[p].end_line > last ? points[p].end_line : last;
    }
    first -= first > 1; /* what it says may begin on the next line */
    if (first == 0 || first > last || last > source->text->count)
        return true;
    uint32_t start = source->text->starts[first - 1], end = source->text->starts[last];
    return memmem(source->text->text.text + start, end - start, word, strlen(word)) != NULL;
}

/* --- what only begins or ends a block --------------------------------------------------------- */

static bool is_one_column(const struct seq_point *point)
{
    return point->start_line == point->end_line && point->end_column - point->start_column == 1;
}

/* A method, and what is known of all its points at once. */
struct statement_finder {
    const struct statements_source *source;
    struct spans spans;
    struct list early; /* of struct early_return, ascending point */
    uint8_t *clauses;  /* of each instruction: enum clause_mark */
};

enum clause_mark {
    BEGINS_TRY = 1,
    BEGINS_FINALLY = 2, /* the handler */
};

static const struct span *span_of(const struct statement_finder *f, uint32_t p)
{
    return &f->spans.items[f->spans.of[p]];
}

/* Does the code from a point up to the next do nothing but continue? `jumps`: it may continue
 * elsewhere. */
static bool is_idle_point(const struct statements_source *s, uint32_t p, bool jumps)
{
    const struct seq_points *points = s->points;
    const struct il *il = &s->flow->il;
    uint32_t first = il_index(il, points->points[p].il_offset);
    uint32_t end = p + 1 < points->count ? points->points[p + 1].il_offset : il->code_size;
    if (first == NO_INDEX)
        return false;
    for (uint32_t i = first; i < il->count && il->instrs[i].offset < end; i++) {
        const struct instr *instr = &il->instrs[i];
        uint8_t exit = il_info(instr)->flow;
        bool goes = exit == FLOW_BRANCH || exit == FLOW_LEAVE || exit == FLOW_RETURN;
        bool returns_local = il_loaded_local(instr) != NO_INDEX && i + 1 < il->count &&
                             il->instrs[i + 1].op == OP_RET;
        if (instr->op != OP_NOP && exit != FLOW_ENDFINALLY && !(jumps && (goes || returns_local)))
            return false;
    }
    return true;
}

static bool point_can_run(const struct statement_finder *f, uint32_t p)
{
    uint32_t instr = il_index(&f->source->flow->il, f->source->points->points[p].il_offset);
    return instr != NO_INDEX && reach_runs(f->source->reach, instr);
}

/* Is the point one column wide, and does its code, here or at another point of the same span, do
 * nothing but continue? What else may be one column, a constant or a parameter of one letter, loads
 * something. After a nested switch expression the arm before it has a second point, which does
 * nothing, but cannot run either. */
static bool is_idle_brace(const struct statement_finder *f, uint32_t p)
{
    const struct span *span = span_of(f, p);
    if (!is_one_column(&f->source->points->points[p]))
        return false;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (point_can_run(f, f->spans.points[i]) &&
            is_idle_point(f->source, f->spans.points[i], true))
            return true;
    return false;
}

/* The compiler may put the first statement under the opening brace: `lock` of a Lock. */
static bool is_opening_brace(const struct statement_finder *f, uint32_t p)
{
    const struct seq_points *points = f->source->points;
    if (!is_one_column(&points->points[p]) || span_of(f, p)->place != SPAN_BEFORE)
        return false;
    for (uint32_t i = points->count; i-- != 0;)
        if (!points->points[i].hidden)
            return is_idle_brace(f, i) && span_of(f, i)->place == SPAN_AFTER;
    return false;
}

/* Or an empty statement. Without the source, a condition of one letter, as in `for (; d;)`, may be
 * taken for one. */
static bool is_brace(const struct statement_finder *f, uint32_t p)
{
    const struct seq_point *point = &f->source->points->points[p];
    if (!is_one_column(point))
        return false;
    struct str text = line_index_text_of(f->source->text, f->source->points, p);
    if (text.len != 0)
        return str_is_one_of(text, "{ } ;");
    if (f->source->is_state_machine)
        return span_of(f, p)->outermost == f->spans.of[p]; /* an arm of one letter is inside */
    return is_idle_brace(f, p) || is_opening_brace(f, p);
}

static bool begins_clause(const struct statement_finder *f, uint32_t p, enum clause_mark mark)
{
    uint32_t instr = f->source->flow->il.index_at[f->source->points->points[p].il_offset];
    return (f->clauses[instr] & mark) != 0;
}

/* As short as `End Using`, where the source does not say more. */
static bool is_end_using(const struct seq_point *point)
{
    return point->start_line == point->end_line &&
           point->end_column - point->start_column == sizeof "End Using" - 1;
}

/* `End Using` is where its finally handler begins. `Sub F()`, `Else`, `Try` and `End If` are no
 * more than a nop in Debug builds, and `End Sub` is the return. `End If` also jumps where there is
 * an `Else`; then each way to it has its own point. `Return` and `Exit Do` have one. `Next` of a
 * `For` counts, but only its header was written as a statement: the text tells. */
static bool is_block_word(const struct statement_finder *f, uint32_t p)
{
    const struct statements_source *s = f->source;
    const struct seq_points *points = s->points;
    switch (span_of(f, p)->place) {
    case SPAN_BEFORE:
        return is_idle_point(s, p, false);
    case SPAN_AFTER:
        return s->is_state_machine || is_idle_point(s, p, true);
    case SPAN_AMONG:
        break;
    }
    if (vb_points_ends_block(s, p))
        return true;
    return is_idle_point(s, p, false) || (is_idle_point(s, p, true) && span_of(f, p)->count > 1) ||
           (s->text == NULL && begins_clause(f, p, BEGINS_FINALLY) &&
            is_end_using(&points->points[p]));
}

/* The word `finally` in the method that ends a seq early; the one that comes to its end has none.
 * Its code stores the state alone. */
static bool is_finally_of_sequence(const struct statements_source *s, uint32_t p)
{
    const struct seq_point *point = &s->points->points[p];
    const struct il *il = &s->flow->il;
    uint32_t first = il_index(il, point->il_offset);
    return point->start_line == point->end_line &&
           point->end_column - point->start_column == sizeof "finally" - 1 && first != NO_INDEX &&
           first + 3 < il->count && il->instrs[first + 2].op == OP_STFLD &&
           p + 1 < s->points->count && point[1].il_offset == il->instrs[first + 3].offset &&
           str_is(idiom_member(s->flow, &il->instrs[first + 2]), "pc");
}

static bool delimits_block(const struct statement_finder *f, uint32_t p)
{
    switch (f->source->language) {
    case LANGUAGE_VISUAL_BASIC:
        return is_block_word(f, p);
    case LANGUAGE_FSHARP:
        return (begins_clause(f, p, BEGINS_TRY) && is_idle_point(f->source, p, false)) ||
               is_finally_of_sequence(f->source, p);
    case LANGUAGE_IL: /* a `nop` or `ret` counts only in a method with nothing else */
        return is_idle_brace(f, p);
    case LANGUAGE_CSHARP:
        break;
    }
    return is_brace(f, p);
}

/* --- the statements --------------------------------------------------------------------------- */

/* `return;` or a closing brace after a call that stays a tail call: no instruction may come between
 * them, so it is not known whether the call returned. */
static bool is_return_of_tail_call(const struct statements_source *s, uint32_t instr)
{
    const struct instr *instrs = s->flow->il.instrs;
    const struct block *block = &s->flow->blocks[flow_block_of(s->flow, instr)];
    if (s->language == LANGUAGE_IL || instrs[instr].op != OP_RET)
        return false;
    if (block->first == instr)
        return block->after_tail_call;
    const struct instr *before = &instrs[instr - 1]; /* elsewhere a block ends after a call */
    return (il_is_call(before) || before->op == OP_CALLI) &&
           !nothrow_call(s->flow->context.nothrow, s->flow->context.md, before);
}

/* Its place in the list: the first of the point, or of one after it. */
static uint32_t first_early(const struct statement_finder *f, uint32_t p)
{
    const struct early_return first = {.point = p};
    return (uint32_t)sorted_place(&first, f->early.items, f->early.count, sizeof first,
                                  order_early_returns);
}

/* Nothing counts a `ret` after a call that stays a tail call, so a `return` that has one does not
 * count. */
static bool is_return_of_tail_calls(const struct statement_finder *f, uint32_t p)
{
    const struct statements_source *s = f->source;
    const struct early_return *returns = f->early.items;
    if (is_return_of_tail_call(s, s->flow->il.index_at[s->points->points[p].il_offset]))
        return true;
    for (uint32_t i = first_early(f, p), end = first_early(f, p + 1); i < end; i++)
        if (is_return_of_tail_call(s, returns[i].instr))
            return true;
    return false;
}

/* Gives early returns to their statements. */
static bool add_returns(struct statements *out, const struct statement_finder *f,
                        struct arena *arena, struct err *err)
{
    const struct early_return *returns = f->early.items;
    uint32_t count = 0;
    out->returns = ARENA_NEW(arena, uint32_t, f->early.count, err);
    for (uint32_t n = 0; n < out->count && out->returns != NULL; n++) {
        struct statement *statement = &out->items[n];
        uint32_t first = first_early(f, statement->point);
        uint32_t end = first_early(f, statement->point + 1);
        statement->first_return = count;
        for (uint32_t i = first; i < end; i++)
            out->returns[count++] = flow_block_of(f->source->flow, returns[i].instr);
        statement->return_count = count - statement->first_return;
    }
    return out->returns != NULL;
}

/* F# compiles a guard once for each way to it. Does no way lead from one of the blocks to another?
 * `reached`, per block, is scratch. */
static bool exclude_each_other(const struct flow *flow, const uint32_t *blocks, uint32_t count,
                               uint8_t *reached)
{
    uint32_t first = NO_INDEX, last = 0;
    for (uint32_t i = 0; i < count; i++) {
        first = blocks[i] < first ? blocks[i] : first;
        last = blocks[i] > last ? blocks[i] : last;
    }
    if (count < 2 || last - first > COPIES_WITHIN)
        return false;
    memset(&reached[first], 0, last - first + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (reached[blocks[i]] != 0) /* two in one block */
            return false;
        reached[blocks[i]] = 1;
    }
    for (uint32_t n = first; n <= last; n++) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t e = block->first_edge;
             reached[n] != 0 && e < block->first_edge + block->edge_count; e++) {
            uint32_t to = flow->edges[e].to;
            if (to <= n || to > last)
                continue;
            for (uint32_t i = 0; i < count; i++)
                if (blocks[i] == to)
                    return false;
            reached[to] = 1;
        }
    }
    return true;
}

static bool find_copies(struct statements *out, const struct statements_source *s,
                        struct arena *arena, struct err *err)
{
    uint8_t *reached = NULL;
    if (s->language != LANGUAGE_FSHARP)
        return true;
    reached = arena_raw(arena, s->flow->block_count, sizeof *reached, err);
    for (uint32_t n = 0; n < out->count && reached != NULL; n++) {
        struct statement *statement = &out->items[n];
        statement->adds_up = exclude_each_other(s->flow, &out->blocks[statement->first_block],
                                                statement->block_count, reached);
    }
    return reached != NULL;
}

static void mark_clause_starts(const struct statement_finder *f)
{
    const struct flow *flow = f->source->flow;
    for (uint32_t c = 0; c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        f->clauses[flow->il.index_at[clause->try_offset]] |= BEGINS_TRY;
        if (clause->flags == EH_FINALLY)
            f->clauses[flow->il.index_at[clause->handler_offset]] |= BEGINS_FINALLY;
    }
}

static bool open_finder(struct statement_finder *out, const struct statements_source *source,
                        struct arena *arena, struct err *err)
{
    *out = (struct statement_finder){
        .source = source,
        .clauses = ARENA_NEW(arena, uint8_t, (size_t)source->flow->il.count + 1, err)};
    if (out->clauses == NULL || !spans_find(&out->spans, source->points, arena, err) ||
        !early_returns_find(&out->early, source, &out->spans, arena, err))
        return false;
    mark_clause_starts(out);
    sort_unless_sorted(out->early.items, out->early.count, sizeof(struct early_return),
                       order_early_returns);
    return true;
}

/* The block in which the code of a point begins. In Debug builds of Visual Basic `Loop While c`
 * first has a `nop`, which `Continue Do` leaves out. */
static uint32_t first_block(const struct statements_source *s, uint32_t p)
{
    const struct il *il = &s->flow->il;
    const struct seq_point *points = s->points->points;
    uint32_t instr = il->index_at[points[p].il_offset];
    uint32_t end = p + 1 < s->points->count ? points[p + 1].il_offset : il->code_size;
    while (s->language == LANGUAGE_VISUAL_BASIC && il->instrs[instr].op == OP_NOP &&
           instr + 1 < il->count && il->instrs[instr + 1].offset < end)
        instr++;
    return flow_block_of(s->flow, instr);
}

/* Adds a point to the last statement, if that has the same span, or begins one with it. */
static void add_statement_point(struct statements *out, uint32_t place,
                                const struct statement_finder *f, uint32_t p)
{
    const struct statements_source *s = f->source;
    const uint32_t *begins = s->operands != NULL ? s->operands->begins : NULL;
    if (place == 0 || f->spans.of[out->points[place - 1]] != f->spans.of[p])
        out->items[out->count++] = (struct statement){.point = p, .first_block = place};
    out->items[out->count - 1].block_count++;
    out->points[place] = p;
    out->blocks[place] = begins != NULL && begins[p] != NO_INDEX ? begins[p] : first_block(s, p);
}

bool statements_find(struct statements *out, const struct statements_source *s, struct arena *arena,
                     struct err *err)
{
    uint32_t room = s->points->count, count = 0, last_live = NO_INDEX;
    *out = (struct statements){.items = ARENA_NEW(arena, struct statement, room, err),
                               .points = ARENA_NEW(arena, uint32_t, room, err),
                               .blocks = ARENA_NEW(arena, uint32_t, room, err)};
    struct statement_finder finder;
    if (out->items == NULL || out->points == NULL || out->blocks == NULL ||
        !open_finder(&finder, s, arena, err))
        return false;
    for (uint32_t i = 0; i < finder.spans.point_count; i++) {
        uint32_t p = finder.spans.points[i];
        if (!point_can_run(&finder, p) || is_return_of_tail_calls(&finder, p))
            continue;
        if (last_live == NO_INDEX || p > last_live)
            last_live = p;
        if (!delimits_block(&finder, p))
            add_statement_point(out, count++, &finder, p);
    }
    /* The closing brace of a method with nothing but braces counts: Release builds have no other
     * point. */
    if (count == 0 && last_live != NO_INDEX)
        add_statement_point(out, 0, &finder, last_live);
    sort_unless_sorted(out->items, out->count, sizeof *out->items, order_by_point);
    return find_copies(out, s, arena, err) && add_returns(out, &finder, arena, err);
}

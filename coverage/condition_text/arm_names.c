#include "coverage/condition_text/arm_names.h"

#include "base/sort.h"
#include "coverage/source/fsharp_rules.h"
#include "coverage/source/switch_arms.h"
#include "coverage/source/vb_cases.h"

enum {
    LINES_MOST = 5000 /* of a method that is looked at */
};

/* A statement, and where it starts in the document. */
struct placed_statement {
    uint32_t offset, statement;
};

/* What is known of all decisions of a method, and of the one that gets names. */
struct namer {
    const struct decisions *decisions;
    const struct decision *decision;
    const struct statements *statements;
    enum language language;
    uint32_t *ways;     /* per point: how many ways of all decisions lead to it */
    uint32_t *own_ways; /* ... of this one */
    uint32_t *counted;  /* per edge: the last decision that it was counted for, from 1 */
    uint32_t *places;   /* per outcome: the point that it leads to, NO_INDEX or PLACE_UNKNOWN */
    uint32_t *offsets;  /* per outcome: where that is in the document, or NO_INDEX */
    bool *is_found;     /* per outcome: while its place is looked for */
    const struct line_index *index;  /* of the document */
    const struct tokens *tokens;     /* likewise */
    bool has_text;                   /* in the document, that is worth looking at */
    struct placed_statement *placed; /* the statements, ascending offset, once they are needed */
    uint32_t placed_count;
    struct writer names;
    struct arena *scratch;
    struct err *err;
};

/* --- places and offsets ----------------------------------------------------------------------- */

static bool has_columns(const struct seq_point *point)
{
    return point->start_column < COLUMN_UNKNOWN && point->end_column < COLUMN_UNKNOWN;
}

/* Is there a text of the method in the document that is worth looking at? */
static bool has_readable_text(const struct decisions *decisions, const struct line_index *index)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t p = 0; p < decisions->points->count; p++) {
        const struct seq_point *point = &decisions->points->points[p];
        if (!point_map_is_visible(&decisions->map, p))
            continue;
        first = point->start_line < first ? point->start_line : first;
        last = point->end_line > last ? point->end_line : last;
    }
    return last != 0 && last <= index->count && last - first <= LINES_MOST;
}

/* In the document, or NO_INDEX. */
static uint32_t offset_of_place(const struct namer *n, uint32_t line, uint32_t column)
{
    uint32_t offset;
    bool known = column < COLUMN_UNKNOWN && line_index_offset(&offset, n->index, line, column);
    return known ? offset : NO_INDEX;
}

static uint32_t start_of_point(const struct namer *n, uint32_t point)
{
    const struct seq_point *at = &n->decisions->points->points[point];
    return has_columns(at) ? offset_of_place(n, at->start_line, at->start_column) : NO_INDEX;
}

/* All ways of an outcome must lead to one place. */
static void find_outcome_places(struct namer *n)
{
    const struct decision *decision = n->decision;
    bool *is_found = n->is_found;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &n->decisions->parts[i];
        uint32_t *place = &n->places[part->outcome];
        *place = !is_found[part->outcome] || *place == part->place ? part->place : PLACE_UNKNOWN;
        is_found[part->outcome] = true;
    }
    for (uint32_t i = 0; i < decision->outcome_count; i++) {
        bool has_place = is_found[i] && n->places[i] < n->decisions->points->count;
        n->offsets[i] = has_place ? start_of_point(n, n->places[i]) : NO_INDEX;
    }
}

/* A guard's ways are also those of its switch, and count once. */
static void count_ways(struct namer *n, const struct decision *decision, uint32_t number,
                       uint32_t *ways)
{
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &n->decisions->parts[i];
        if (part->place >= n->decisions->points->count || n->counted[part->index] == number)
            continue;
        n->counted[part->index] = number;
        ways[part->place]++;
    }
}

static void forget_ways(struct namer *n)
{
    const struct decision *decision = n->decision;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++)
        if (n->decisions->parts[i].place < n->decisions->points->count)
            n->own_ways[n->decisions->parts[i].place] = 0;
}

/* Does another decision lead there, too? It may be part of the same switch. */
static bool is_shared_place(const struct namer *n, uint32_t outcome)
{
    uint32_t place = n->places[outcome];
    return place < n->decisions->points->count && n->ways[place] != n->own_ways[place];
}

/* --- names ------------------------------------------------------------------------------------ */

static void add_span(struct namer *n, struct fact_arm arm, uint32_t start, uint32_t end)
{
    arm.span = line_index_span(n->index, start, end);
    if (arm.span.start_column != 0)
        arms_add(&n->names, &arm);
}

/* `statement`: the first of the arm, or the count if that is not known. */
static void add_label(struct namer *n, uint32_t outcome, uint32_t start, uint32_t end,
                      uint32_t statement)
{
    struct fact_arm made = {.kind = ARM_LABEL, .outcome = outcome};
    if (is_shared_place(n, outcome)) {
        made.kind = ARM_SHARED;
        made.statement = statement;
    }
    if (made.kind != ARM_SHARED || statement != n->statements->count)
        add_span(n, made, start, end);
}

/* --- the arms of a switch --------------------------------------------------------------------- */

/* What is known of the outcomes of a switch once those that lead to an arm have their names. */
struct rest {
    uint32_t count, outcome; /* that lead to none, and the last of them */
    bool has_unknown;        /* where one of them leads is not known */
    bool asks_guard; /* a guard is a way of its own: what it does not hold for is elsewhere */
};

static bool starts_at(uint32_t *start, const struct switch_arm *arm, uint32_t offset)
{
    for (*start = 0; *start < arm->start_count; ++*start)
        if (arm->starts[*start] == offset)
            return true;
    return false;
}

static const struct switch_arm *arm_at(uint32_t *start, const struct switch_arms *arms,
                                       uint32_t offset)
{
    for (uint32_t i = 0; offset != NO_INDEX && i < arms->count; i++)
        if (starts_at(start, &arms->items[i], offset))
            return &arms->items[i];
    return NULL;
}

ORDER(order_placed, struct placed_statement, BY(offset) BY(statement))

static bool place_all_statements(struct namer *n)
{
    n->placed_count = 0;
    n->placed = arena_raw(n->scratch, n->statements->count, sizeof *n->placed, n->err);
    for (uint32_t i = 0; n->placed != NULL && i < n->statements->count; i++) {
        uint32_t offset = start_of_point(n, n->statements->items[i].point);
        if (offset != NO_INDEX)
            n->placed[n->placed_count++] = (struct placed_statement){offset, i};
    }
    if (n->placed == NULL)
        return false;
    sort_unless_sorted(n->placed, n->placed_count, sizeof *n->placed, order_placed);
    return true;
}

/* The first statement that starts there; the number of statements if none does. */
static uint32_t statement_from(const struct namer *n, uint32_t offset)
{
    const struct placed_statement first = {offset, 0};
    size_t at = sorted_place(&first, n->placed, n->placed_count, sizeof first, order_placed);
    return at < n->placed_count && n->placed[at].offset == offset ? n->placed[at].statement
                                                                  : n->statements->count;
}

/* The first statement of the arm; the number of statements if there is none. */
static uint32_t first_statement(const struct namer *n, const struct switch_arm *arm)
{
    uint32_t first = n->statements->count;
    for (uint32_t k = arm->first_body; k < arm->start_count; k++) {
        uint32_t found = statement_from(n, arm->starts[k]);
        first = found < first ? found : first;
    }
    return first;
}

static void add_arm_label(struct namer *n, uint32_t outcome, const struct switch_arm *arm)
{
    add_label(n, outcome, arm->label_start, arm->label_end, first_statement(n, arm));
}

/* Of several labels, the one that has the guard is not known. */
static struct rest name_arms(struct namer *n, const struct switch_arms *arms, bool *is_named)
{
    struct rest rest = {.count = 0};
    for (uint32_t i = 0; i < n->decision->outcome_count; i++) {
        uint32_t start = 0;
        const struct switch_arm *arm = arm_at(&start, arms, n->offsets[i]);
        if (arm == NULL) {
            rest.outcome = i;
            rest.count++;
            rest.has_unknown |= n->places[i] == PLACE_UNKNOWN;
            continue;
        }
        bool is_guard = start < arm->first_body;
        rest.asks_guard |= is_guard;
        is_named[arm - arms->items] = true;
        if (!is_guard || !arm->has_several)
            add_arm_label(n, i, arm);
    }
    return rest;
}

/* The test for null of a switch, and that of each part of a tuple, may be a decision of its own; in
 * Visual Basic each constant may be a condition. */
static bool is_split(const struct namer *n)
{
    uint32_t of_point = 0;
    for (uint32_t i = 0; i < n->decisions->count; i++)
        of_point += n->decisions->items[i].is_switch >= n->decision->is_switch &&
                    n->decisions->items[i].point == n->decision->point;
    return of_point > 1;
}

/* Optimised code has no place for `break`: such arms come out after the switch, and so does what no
 * arm matches. An expression's `throw` is neither an outcome nor a place. */
static bool is_certain(const struct namer *n, const struct switch_arms *arms, const bool *is_named,
                       const struct rest *rest)
{
    bool certain = rest->count == 1 && !rest->asks_guard && !rest->has_unknown &&
                   !is_shared_place(n, rest->outcome) && !is_split(n);
    for (uint32_t i = 0; i < arms->count; i++)
        certain &= is_named[i] || arms->items[i].breaks || arms->items[i].throws;
    return certain;
}

static void name_rest(struct namer *n, const struct switch_arms *arms, const bool *is_named,
                      const struct rest *rest)
{
    if (!is_certain(n, arms, is_named, rest))
        return;
    for (uint32_t i = 0; i < arms->count; i++)
        if (!is_named[i] && arms->items[i].breaks)
            add_arm_label(n, rest->outcome, &arms->items[i]);
    if (!arms->is_expression && !arms->has_default)
        arms_add(&n->names, &(struct fact_arm){ARM_NO_MATCH, rest->outcome, {0, 0, 0, 0}, 0});
}

static bool name_switch(struct namer *n, const struct switch_arms *arms)
{
    bool *is_named = ARENA_NEW(n->scratch, bool, arms->count, n->err);
    if (is_named == NULL || (n->placed == NULL && !place_all_statements(n)))
        return false;
    if (arms->subject_end != 0)
        add_span(n, (struct fact_arm){.kind = ARM_SUBJECT}, arms->subject_start, arms->subject_end);
    struct rest rest = name_arms(n, arms, is_named);
    name_rest(n, arms, is_named, &rest);
    return true;
}

/* Optimised code may have no place for the head of a switch; then an arm leads to it. */
static bool find_headless(struct switch_arms *out, struct namer *n)
{
    for (uint32_t i = 0; i < n->decision->outcome_count; i++) {
        uint32_t start;
        if (n->offsets[i] == NO_INDEX)
            continue;
        if (!switch_arms_around(out, n->tokens, n->offsets[i], n->scratch, n->err))
            return false;
        if (out->is_known && arm_at(&start, out, n->offsets[i]) != NULL)
            return true;
    }
    out->is_known = false;
    return true;
}

/* In Visual Basic the statement is the head. */
static bool name_arms_of_switch(struct namer *n)
{
    const struct fact_span *span = &n->decision->span;
    struct switch_arms arms = {.items = NULL};
    uint32_t start = offset_of_place(n, span->start_line, span->start_column);
    uint32_t end = offset_of_place(n, span->end_line, span->end_column);
    bool is_placed = start != NO_INDEX && end != NO_INDEX, is_exact = n->decision->is_exact,
         ok = true;
    if (n->language == LANGUAGE_VISUAL_BASIC)
        ok = is_exact || !is_placed ||
             vb_cases_find(&arms, n->tokens, start, end, n->scratch, n->err);
    else if (is_exact && is_placed)
        ok = switch_arms_find(&arms, n->tokens, start, end, n->scratch, n->err);
    else
        ok = find_headless(&arms, n);
    return ok && (!arms.is_known || name_switch(n, &arms));
}

/* --- the rules of a match --------------------------------------------------------------------- */

static uint32_t statement_of_point(const struct namer *n, uint32_t point)
{
    const struct seq_point *points = n->decisions->points->points;
    for (uint32_t i = 0; i < n->statements->count; i++)
        if (seq_point_order(&points[n->statements->items[i].point], &points[point]) == 0)
            return i;
    return n->statements->count;
}

/* `match n with`, which has a point of its own; `function` has that of what a rule does. */
static bool name_subject(struct namer *n, const struct fsharp_rule *rules)
{
    const struct seq_point *point = &n->decisions->points->points[n->decision->point];
    uint32_t start = offset_of_place(n, point->start_line, point->start_column);
    uint32_t end = offset_of_place(n, point->end_line, point->end_column);
    const struct fact_arm subject = {.kind = ARM_SUBJECT};
    if (start == NO_INDEX || end == NO_INDEX)
        return false;
    if (str_starts(str_from(n->index->text, start), "match")) {
        add_span(n, subject, start, end);
        return true;
    }
    for (uint32_t i = 0; i < n->decision->outcome_count; i++)
        if (rules[i].function_end != 0) {
            add_span(n, subject, rules[i].function_start, rules[i].function_end);
            break;
        }
    for (uint32_t i = 0; i < n->decision->outcome_count; i++)
        if (n->offsets[i] == start)
            return true;
    return n->decision->is_switch;
}

/* The rules of one match that lead their lines have one column. */
static bool are_of_one_match(const struct fsharp_rule *rules, uint32_t count)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (rules[i].column != 0 && column != 0 && rules[i].column != column)
            return false;
        column = rules[i].column != 0 ? rules[i].column : column;
    }
    return true;
}

static bool name_fsharp(struct namer *n)
{
    uint32_t count = n->decision->outcome_count;
    struct fsharp_rule *rules = ARENA_NEW(n->scratch, struct fsharp_rule, count, n->err);
    if (rules == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (n->offsets[i] != NO_INDEX)
            (void)fsharp_rule_before(&rules[i], n->tokens, n->offsets[i]);
    if (!are_of_one_match(rules, count) || !name_subject(n, rules))
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (rules[i].end != 0)
            add_label(n, i, rules[i].start, rules[i].end, statement_of_point(n, n->places[i]));
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool name_outcomes(struct namer *n)
{
    switch (n->language) {
    case LANGUAGE_CSHARP:
    case LANGUAGE_VISUAL_BASIC:
        return name_arms_of_switch(n);
    case LANGUAGE_FSHARP:
        return name_fsharp(n);
    case LANGUAGE_IL:
        break;
    }
    return true;
}

static bool name_decision(struct view *out, struct namer *n, struct arena *kept)
{
    uint32_t count = n->decision->outcome_count;
    n->places = arena_raw(n->scratch, count, sizeof *n->places, n->err);
    n->offsets = arena_raw(n->scratch, count, sizeof *n->offsets, n->err);
    n->is_found = ARENA_NEW(n->scratch, bool, count, n->err);
    if (n->places == NULL || n->offsets == NULL || n->is_found == NULL)
        return false;
    n->names = wr_in(kept);
    find_outcome_places(n);
    count_ways(n, n->decision, (uint32_t)(n->decision - n->decisions->items) + 2, n->own_ways);
    if (!name_outcomes(n))
        return false;
    forget_ways(n);
    *out = (struct view){n->names.data, n->names.len};
    return !n->names.failed || err_set(n->err, ERR_MEMORY, "out of memory: the names of arms");
}

static bool open_namer(struct namer *n, const struct flow *flow)
{
    n->ways = ARENA_NEW(n->scratch, uint32_t, n->decisions->points->count, n->err);
    n->own_ways = ARENA_NEW(n->scratch, uint32_t, n->decisions->points->count, n->err);
    n->counted = ARENA_NEW(n->scratch, uint32_t, flow->edge_count, n->err);
    if (n->ways == NULL || n->own_ways == NULL || n->counted == NULL)
        return false;
    for (uint32_t i = 0; i < n->decisions->count; i++)
        count_ways(n, &n->decisions->items[i], 1, n->ways);
    return true;
}

bool arm_names_find(struct view *out, const struct arm_names_request *request, struct arena *kept,
                    struct arena *scratch, struct err *err)
{
    const struct decisions *decisions = request->decisions;
    struct namer n = {.decisions = decisions,
                      .statements = request->statements,
                      .language = request->method->language,
                      .scratch = scratch,
                      .err = err};
    if (n.language == LANGUAGE_IL)
        return true;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct line_index *index = NULL;
        n.decision = &decisions->items[i];
        if (!n.decision->is_switch && n.language == LANGUAGE_CSHARP)
            continue;
        uint32_t document = decisions->points->points[n.decision->point].document;
        if (!request->source(&index, request->context, document, err) ||
            !request->tokens(&n.tokens, request->context, document, err))
            return false;
        if (index == NULL || index->is_mapped || n.tokens == NULL)
            continue;
        if (n.index != index) {
            n.index = index;
            n.has_text = has_readable_text(decisions, index);
            n.placed = NULL;
        }
        if (!n.has_text)
            continue;
        if ((n.ways == NULL && !open_namer(&n, request->method->flow)) ||
            !name_decision(&out[i], &n, kept))
            return false;
    }
    return true;
}

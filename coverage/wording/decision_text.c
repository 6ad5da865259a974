#include "coverage/wording/decision_text.h"

#include "coverage/wording/condition_code.h"
#include "coverage/wording/outcome_words.h"

/* One statement with its decisions, in code order. */
struct asked {
    const struct flow *flow;
    struct decision *items; /* of the method */
    const struct outcome_part *parts;
    enum outcome_words *words; /* for each of `items` */
    const struct seq_point *point;
    uint32_t conditions[CONDITIONS_MAX]; /* indexes of those that are compared with the text */
    uint32_t count;
    uint32_t switches; /* how many of them are switches */
};

/* --- does the code ask what the text does? ---------------------------------------------------- */

/* The index of the condition as the text counts them; DECISION_END or DECISION_UNKNOWN. */
static int32_t place_of(const struct asked *a, int32_t decision)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (decision >= 0 && a->conditions[i] == (uint32_t)decision)
            return (int32_t)i;
    return decision == DECISION_END ? CONDITION_END : DECISION_UNKNOWN;
}

static bool leads_alike(const struct asked *a, const struct decision *decision,
                        const struct text_condition *text)
{
    int32_t no = place_of(a, decision->next[0]), yes = place_of(a, decision->next[1]);
    return decision->is_switch || (no == text->next[0] && yes == text->next[1]) ||
           (no == text->next[1] && yes == text->next[0]);
}

/* A constant operand is not in the code. As many conditions as in the text are then no proof, if
 * the compiler added one: `x is int && o is 3` with an `int x` tests o for its type and its value.
 * False: out of memory. */
static bool agrees(bool *out, const struct asked *a, const struct text_conditions *text,
                   struct arena *arena, struct err *err)
{
    *out = text->is_known && text->count == a->count;
    for (uint32_t i = 0; *out && i < a->count; i++) {
        const struct decision *decision = &a->items[a->conditions[i]];
        struct condition_code code;
        if (!condition_code_of(&code, a->flow, decision, a->point->il_offset, arena, err))
            return false;
        *out = condition_code_fits(&code, text, i) && leads_alike(a, decision, &text->items[i]);
    }
    return true;
}

/* --- spans ------------------------------------------------------------------------------------ */

static void give_spans(const struct asked *a, const struct text_conditions *text,
                       const struct line_index *index, uint32_t start)
{
    for (uint32_t i = 0; i < a->count; i++) {
        struct decision *decision = &a->items[a->conditions[i]];
        decision->span =
            line_index_span(index, start + text->items[i].start, start + text->items[i].end);
        decision->is_exact = decision->span.start_column != 0;
    }
}

/* The ways that the two outcomes take, as indexes of the text's conditions. */
static void give_words(const struct asked *a, const struct text_conditions *text)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct decision *decision = &a->items[a->conditions[i]];
        const struct worded worded = {
            .flow = a->flow,
            .decision = decision,
            .parts = a->parts,
            .condition = &text->items[i],
            .tokens = &text->tokens,
            .leads = {place_of(a, decision->next[0]), place_of(a, decision->next[1])}};
        a->words[a->conditions[i]] = outcome_words_of(&worded);
    }
}

static bool find_text(const struct asked *a, const struct line_index *index, struct arena *arena,
                      struct err *err)
{
    const struct seq_point *point = a->point;
    struct text_conditions found;
    uint32_t start, end;
    if (point->start_column >= COLUMN_UNKNOWN || point->end_column >= COLUMN_UNKNOWN)
        return true;
    if (!line_index_offset(&start, index, point->start_line, point->start_column) ||
        !line_index_offset(&end, index, point->end_line, point->end_column) || end <= start)
        return true;
    struct str text = {index->text.text + start, end - start};
    if (str_is(text, "in") && a->count == 1 && a->switches == 0) { /* foreach: is there more? */
        a->items[a->conditions[0]].is_exact = true;
        a->words[a->conditions[0]] =
            outcome_words_of_loop(a->flow, &a->items[a->conditions[0]], a->parts);
        return true;
    }
    for (int asks = 0; asks < 2; asks++) {
        bool is_such;
        if (!conditions_find(&found, text, asks != 0, arena, err) ||
            !agrees(&is_such, a, &found, arena, err))
            return false;
        if (is_such) {
            give_spans(a, &found, index, start);
            give_words(a, &found);
            return true;
        }
    }
    return true;
}

/* Release code may give a switch no statement of its own; it is then on another one. */
static void leave_out_switches(struct asked *a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (!a->items[a->conditions[i]].is_switch)
            a->conditions[kept++] = a->conditions[i];
    a->count = kept;
}

static bool find_of_statement(struct decisions *decisions, uint32_t first, const struct asked *base,
                              const struct line_index *index, struct arena *arena, struct err *err)
{
    struct asked a = *base;
    for (uint32_t i = first; i != NO_DECISION; i = decisions->items[i].next_on_point) {
        if (a.count == CONDITIONS_MAX)
            return true;
        a.switches += decisions->items[i].is_switch;
        a.conditions[a.count++] = i;
    }
    if (!find_text(&a, index, arena, err))
        return false;
    uint32_t with_switches = a.count;
    leave_out_switches(&a);
    return a.count == 0 || a.count == with_switches || decisions->items[a.conditions[0]].is_exact ||
           find_text(&a, index, arena, err);
}

bool decision_text_find(enum outcome_words **words, struct decisions *decisions,
                        const struct statements_source *statements, decision_source *source,
                        void *context, struct arena *arena, struct err *err)
{
    *words = ARENA_NEW(arena, enum outcome_words, decisions->count, err);
    if (*words == NULL)
        return false;
    for (uint32_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->items[i];
        const struct seq_point *point = &decisions->points->points[decision->point];
        bool known = point->start_column != 0 && point->end_column != 0;
        decision->span =
            (struct fact_span){point->start_line, point->end_line, known ? point->start_column : 0,
                               known ? point->end_column : 0};
        decision->is_exact = false;
    }
    for (uint32_t i = 0; statements->language == LANGUAGE_CSHARP && i < decisions->count; i++) {
        const struct seq_point *point = &statements->points->points[decisions->items[i].point];
        struct asked asked = {.flow = statements->flow,
                              .items = decisions->items,
                              .parts = decisions->parts,
                              .words = *words,
                              .point = point};
        const struct line_index *index = NULL;
        if (!decisions->items[i].is_first_on_point)
            continue;
        if (!source(&index, context, point->document, err))
            return false;
        if (index != NULL && !index->is_mapped &&
            !find_of_statement(decisions, i, &asked, index, arena, err))
            return false;
    }
    return true;
}

#include "coverage/collect/method_contents.h"

#include "base/number.h"
#include "coverage/collect/approach.h"
#include "coverage/statements/early_returns.h"
#include "coverage/wording/arm_names.h"
#include "coverage/wording/case_text.h"
#include "coverage/wording/decision_text.h"

uint64_t method_statement_count(const struct statements *statements,
                                const struct statement *statement, const struct plan_counts *counts)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < statement->block_count; i++) {
        uint64_t count = counts->blocks[statements->blocks[statement->first_block + i]];
        if (statement->adds_up)
            most = number_add(most, count);
        else if (count > most)
            most = count;
    }
    for (uint32_t i = 0; i < statement->return_count; i++)
        most = number_add(most, counts->blocks[statements->returns[statement->first_return + i]]);
    return most;
}

uint64_t method_part_count(const struct outcome_part *part, const struct plan_counts *counts,
                           const uint64_t *counters)
{
    return part->source == SOURCE_EDGE ? counts->edges[part->index] : counters[part->index];
}

/* Why the statement of a sequence point is excluded. */
static const struct reason *point_reason(struct gatherer *g, uint32_t rid,
                                         const struct statements_source *source, uint32_t index,
                                         uint32_t document)
{
    const struct seq_point *point = &source->points->points[index];
    const struct il *il = &source->flow->il;
    uint32_t end_offset =
        index + 1 < source->points->count ? point[1].il_offset : source->flow->il.code_size;
    const struct reason *reason = exclusions_initialiser(
        &g->exclusions, rid, il, il->index_at[point->il_offset], il->index_at[end_offset]);
    const struct reason *ignored_as =
        documents_ignored_reason(&g->documents, document, point->start_line, point->end_line);
    return reason != NULL ? reason : ignored_as;
}

static bool read_tokens(struct statements_source *source, struct gatherer *g, struct err *err)
{
    bool is_needed;
    if (source->language != LANGUAGE_CSHARP || source->points->count == 0)
        return true;
    if (!early_returns_ask_source(&is_needed, source, &g->scratch, err))
        return false;
    if (!is_needed)
        return true;
    uint32_t document = source->points->points[0].document;
    if (!documents_tokens(&source->tokens, &g->documents, document, err))
        return false;
    return source->tokens == NULL || documents_text(&source->text, &g->documents, document, err);
}

static bool add_statements(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                           const struct statements *statements, const struct plan_counts *counts,
                           struct err *err)
{
    for (uint32_t i = 0; i < statements->count; i++) {
        const struct seq_point *point = &source->points->points[statements->items[i].point];
        struct fact_statement *statement =
            list_add(&g->statements, sizeof *statement, g->arena, err);
        uint32_t document = documents_find(&g->documents, point->document, err);
        if (statement == NULL || document == NO_INDEX)
            return false;
        *statement = (struct fact_statement){
            .method = g->method_index[rid - 1],
            .document = document,
            .il_offset = point->il_offset,
            .start_line = point->start_line,
            .end_line = point->end_line,
            .start_column = point->start_column,
            .end_column = point->end_column,
            .count = gatherer_count(
                g, method_statement_count(statements, &statements->items[i], counts), err),
            .reason = point_reason(g, rid, source, statements->items[i].point, document),
        };
        if (statement->count == NO_INDEX)
            return false;
        if (!documents_gaps(&statement->gaps, &g->documents, point, err))
            return false;
    }
    return true;
}

/* Only the language itself is read: #line may lead to anything else, at columns of what was made of
 * it. */
static bool text_of_document(const struct line_index **out, void *context, uint32_t document,
                             struct err *err)
{
    struct gatherer *g = context;
    if (!documents_text(out, &g->documents, document, err))
        return false;
    const struct fact_document *documents = g->documents.list.items;
    struct str path = documents[g->documents.index_of[document - 1]].path;
    if (*out != NULL && !str_ends(path, ".cs") && !str_ends(path, ".fs") && !str_ends(path, ".vb"))
        *out = NULL;
    return true;
}

static bool tokens_of_document(const struct tokens **out, void *context, uint32_t document,
                               struct err *err)
{
    struct gatherer *g = context;
    return documents_tokens(out, &g->documents, document, err);
}

/* `place`, per decision: its index in the module's list, or NO_INDEX. */
static bool add_decisions(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                          const struct statements *statements, struct decisions *decisions,
                          const struct plan_counts *counts, const uint64_t *counters,
                          uint32_t *place, struct err *err)
{
    enum outcome_words *words;
    struct statements_source judged = *source;
    const struct arm_names_request names = {source,           decisions,          statements,
                                            text_of_document, tokens_of_document, g};
    struct view *arms = ARENA_NEW(&g->scratch, struct view, decisions->count, err);
    if (arms == NULL ||
        !decision_text_find(&words, decisions, source, text_of_document, g, &g->scratch, err) ||
        !case_text_find(words, decisions, source, text_of_document, g, err) ||
        !arm_names_find(arms, &names, g->arena, &g->scratch, err))
        return false;
    judged.points = decisions->points;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *from = &decisions->items[i];
        const struct seq_point *point = &decisions->points->points[from->point];
        if (!reach_runs(source->reach, source->flow->il.index_at[from->il_offset]))
            continue;
        struct fact_decision *decision = list_add(&g->decisions, sizeof *decision, g->arena, err);
        uint32_t document = documents_find(&g->documents, point->document, err);
        if (decision == NULL || document == NO_INDEX)
            return false;
        *decision = (struct fact_decision){
            .method = g->method_index[rid - 1],
            .document = document,
            .il_offset = from->il_offset,
            .line = point->start_line,
            .outcome_count = from->outcome_count,
            .is_switch = from->is_switch,
            .first_count = g->counts.count,
            .reason = point_reason(g, rid, &judged, from->point, document),
            .span = from->span,
            .is_exact = from->is_exact,
            .words = words[i],
            .arms = arms[i].data,
            .arms_len = (uint32_t)arms[i].len,
        };
        place[i] = g->decisions.count - 1;
        if (place[from->expression] != NO_INDEX)
            decision->expression = place[i] - place[from->expression];
        else
            place[from->expression] = place[i]; /* the first one cannot run */
        for (uint32_t n = 0; n < from->outcome_count; n++)
            if (gatherer_count(g, 0, err) == NO_INDEX)
                return false;
        uint64_t *outcomes = (uint64_t *)g->counts.items + decision->first_count;
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] +=
                method_part_count(&decisions->parts[n], counts, counters);
    }
    return true;
}

/* Once the statements and decisions of the method, of which the first is at `first_place`, are in
 * the lists. */
static bool add_causes(struct gatherer *g, const struct statements_source *source,
                       const struct plan *plan, const struct statements *statements,
                       const struct decisions *decisions, const uint32_t *place,
                       uint32_t first_place, struct err *err)
{
    struct fact_statement *to =
        (struct fact_statement *)g->statements.items + g->statements.count - statements->count;
    struct fact_decision *all = g->decisions.items;
    uint32_t *number_of = no_indexes(&g->scratch, decisions->count, err);
    for (uint32_t i = 0; number_of != NULL && i < decisions->count; i++)
        if (place[i] != NO_INDEX)
            number_of[i] = place[i] - first_place;
    struct approach *approach =
        number_of != NULL
            ? approach_make(source, plan, statements, decisions, number_of, &g->scratch, err)
            : NULL;
    for (uint32_t i = 0; approach != NULL && i < statements->count; i++)
        to[i].causes = approach_to_statement(approach, i);
    for (uint32_t i = 0; approach != NULL && i < decisions->count; i++)
        if (place[i] != NO_INDEX)
            all[place[i]].causes = approach_to_decision(approach, i);
    return approach != NULL;
}

bool method_contents_add(struct method_contents *out, struct gatherer *g, uint32_t rid,
                         struct statements_source *source, const struct plan *plan,
                         const struct plan_counts *counts, const uint64_t *counters,
                         struct err *err)
{
    struct statements *statements = &out->statements;
    struct decisions *decisions = &out->decisions;
    if (!read_tokens(source, g, err) || !statements_find(statements, source, &g->scratch, err) ||
        !decide(decisions, source, plan, &g->scratch, err))
        return false;
    uint32_t *place = no_indexes(&g->scratch, decisions->count, err);
    uint32_t first_place = g->decisions.count;
    out->place = place;
    return place != NULL && add_statements(g, rid, source, statements, counts, err) &&
           add_decisions(g, rid, source, statements, decisions, counts, counters, place, err) &&
           add_causes(g, source, plan, statements, decisions, place, first_place, err);
}

bool method_contents_outline(struct gatherer *g, uint32_t rid, const struct seq_points *points,
                             uint64_t entries, struct err *err)
{
    const struct seq_point *first = NULL, *last = NULL;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        if (point->hidden || (first != NULL && point->document != first->document))
            continue;
        if (first == NULL || point->start_line < first->start_line ||
            (point->start_line == first->start_line && point->start_column < first->start_column))
            first = point;
        if (last == NULL || point->end_line > last->end_line ||
            (point->end_line == last->end_line && point->end_column > last->end_column))
            last = point;
    }
    if (first == NULL)
        return true;
    struct fact_statement *statement = list_add(&g->statements, sizeof *statement, g->arena, err);
    uint32_t document = documents_find(&g->documents, first->document, err);
    if (statement == NULL || document == NO_INDEX)
        return false;
    *statement = (struct fact_statement){
        .method = g->method_index[rid - 1],
        .document = document,
        .il_offset = first->il_offset,
        .start_line = first->start_line,
        .end_line = last->end_line,
        .start_column = (uint16_t)first->start_column,
        .end_column = (uint16_t)last->end_column,
        .count = gatherer_count(g, entries, err),
    };
    return statement->count != NO_INDEX;
}

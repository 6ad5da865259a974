#include "coverage/collect/method_contents.h"

#include <string.h>

#include "base/number.h"
#include "coverage/collect/control_dependence.h"
#include "coverage/condition_text/arm_names.h"
#include "coverage/condition_text/decision_text.h"
#include "coverage/facts/index_set.h"
#include "coverage/statements/early_returns.h"
#include "metadata/lookup.h"

enum {
    METHOD_SPECIAL_NAME = 0x0800
};

/* How often a statement ran. */
static uint64_t statement_count(const struct statements *statements,
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

/* How often what is part of an outcome happened. */
static uint64_t part_count(const struct outcome_part *part, const struct plan_counts *counts,
                           const uint64_t *counters)
{
    return part->source == SOURCE_EDGE ? counts->edges[part->index] : counters[part->index];
}

/* Why the statement of a sequence point is excluded. */
static const struct reason *point_reason(struct module_builder *g, uint32_t rid,
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

/* Only the language itself is read: #line may lead to anything else, at columns of what was made of
 * it. */
static bool text_of_document(const struct line_index **out, void *context, uint32_t document,
                             struct err *err)
{
    struct module_builder *g = context;
    if (!documents_text(out, &g->documents, document, err))
        return false;
    const struct fact_document *documents = g->documents.list.items;
    struct str path = documents[g->documents.index_of[document - 1]].path;
    static const char *const ends[] = {".cs", ".fs", ".vb", ".razor", ".cshtml"};
    bool is_code = false;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        is_code |= str_ends(path, ends[i]);
    *out = is_code ? *out : NULL;
    return true;
}

/* What early returns, guards and constants of patterns are said to be, and ends of blocks; in F#,
 * where operands are. */
static bool read_tokens(struct statements_source *source, struct module_builder *g, struct err *err)
{
    bool is_basic = source->language == LANGUAGE_VISUAL_BASIC, is_needed;
    bool is_fsharp = source->language == LANGUAGE_FSHARP;
    const char *rule = is_fsharp ? "|" : "switch";
    if (source->points->count == 0 || source->language == LANGUAGE_IL)
        return true;
    uint32_t document = source->points->points[0].document;
    if (!text_of_document(&source->text, g, document, err))
        return false;
    if (source->text != NULL && source->text->is_mapped)
        source->text = NULL;
    if (source->text == NULL || is_basic)
        return true;
    return early_returns_ask_source(&is_needed, source, &g->scratch, err) &&
           ((!is_needed && !statements_may_say(source, "when") &&
             !statements_may_say(source, rule) &&
             !statements_may_say(source, is_fsharp ? "&&" : "is")) ||
            documents_tokens(&source->tokens, &g->documents, document, err));
}

/* Adds a statement from the start of one point to the end of another; NULL with an error. */
static struct fact_statement *add_fact_statement(struct module_builder *g, uint32_t rid,
                                                 const struct seq_point *first,
                                                 const struct seq_point *last, uint64_t count,
                                                 struct err *err)
{
    struct fact_statement *statement = list_add(&g->statements, sizeof *statement, g->arena, err);
    uint32_t document = documents_find(&g->documents, first->document, err);
    if (statement == NULL || document == NO_INDEX)
        return NULL;
    *statement = (struct fact_statement){
        .method = g->method_index[rid - 1],
        .document = document,
        .il_offset = first->il_offset,
        .start_line = first->start_line,
        .end_line = last->end_line,
        .start_column = first->start_column,
        .end_column = last->end_column,
        .count = module_builder_add_count(g, count, err),
    };
    return statement->count != NO_INDEX ? statement : NULL;
}

static bool add_statements(struct method_contents *m, struct module_builder *g, struct err *err)
{
    for (uint32_t i = 0; i < m->statements.count; i++) {
        const struct statement *from = &m->statements.items[i];
        const struct seq_point *point = &m->points.points[from->point];
        struct fact_statement *statement = add_fact_statement(
            g, m->rid, point, point, statement_count(&m->statements, from, &m->counts), err);
        if (statement == NULL || !documents_gaps(&statement->gaps, &g->documents, point, err))
            return false;
        statement->reason = point_reason(g, m->rid, &m->source, from->point, statement->document);
    }
    return true;
}

static bool tokens_of_document(const struct tokens **out, void *context, uint32_t document,
                               struct err *err)
{
    struct module_builder *g = context;
    return documents_tokens(out, &g->documents, document, err);
}

static bool add_decisions(struct method_contents *m, struct module_builder *g, struct err *err)
{
    enum outcome_words *words;
    const struct statements_source *source = &m->source;
    struct decisions *decisions = &m->decisions;
    uint32_t *place = m->place;
    struct statements_source judged = *source;
    const struct arm_names_request names = {source,           decisions,          &m->statements,
                                            text_of_document, tokens_of_document, g};
    struct view *arms = ARENA_NEW(&g->scratch, struct view, decisions->count, err);
    if (arms == NULL ||
        !decision_text_find(&words, decisions, source, text_of_document, tokens_of_document, g,
                            &g->scratch, err) ||
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
            .method = g->method_index[m->rid - 1],
            .document = document,
            .il_offset = from->il_offset,
            .line = point->start_line,
            .outcome_count = from->outcome_count,
            .is_switch = from->is_switch,
            .first_count = g->counts.count,
            .reason = point_reason(g, m->rid, &judged, from->point, document),
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
            if (module_builder_add_count(g, 0, err) == NO_INDEX)
                return false;
        uint64_t *outcomes = (uint64_t *)g->counts.items + decision->first_count;
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] +=
                part_count(&decisions->parts[n], &m->counts, m->counters);
    }
    return true;
}

/* Is it known that the method was never called when its code did not run? The user may have got
 * what it does without a call: F# copies the code of functions to where they are called, if it
 * optimises or they are `inline`; constructors set automatic properties, such as those of records,
 * without their accessors. */
static bool find_calls_are_told(bool *out, const struct method_contents *m,
                                struct module_builder *g, struct err *err)
{
    static const char mark[] = "inline",
                      generated[] = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";
    const struct metadata *md = &g->module->md;
    const struct line_index *index;
    if (m->source.language != LANGUAGE_FSHARP || m->points.count == 0) {
        *out = (tables_get(&md->tables, COL_MethodDef_Flags, m->rid) & METHOD_SPECIAL_NAME) == 0 ||
               !has_attribute(md, TOKEN(TABLE_MethodDef, m->rid), generated, NULL);
        return true;
    }
    if (!documents_text(&index, &g->documents, m->points.points[0].document, err))
        return false;
    *out = !md->optimised && index != NULL;
    if (!*out || memmem(index->text.text, index->text.len, mark, sizeof mark - 1) == NULL)
        return true;
    const struct tokens *tokens; /* a comment may have the word, too */
    if (!documents_tokens(&tokens, &g->documents, m->points.points[0].document, err))
        return false;
    *out = tokens != NULL;
    for (uint32_t i = 0; *out && i < tokens->count; i++)
        *out = !tokens_is(tokens, i, mark);
    return true;
}

static void forget_entry(struct fact_causes *causes)
{
    struct fact_cause cause;
    struct reader r = causes_open(causes);
    while (causes_next(&r, &cause))
        if (cause.kind == CAUSE_ENTRY) {
            *causes = (struct fact_causes){0};
            return;
        }
}

/* Once the statements and decisions of the method, of which the first is at `first_place`, are in
 * the lists. */
static bool add_causes(struct method_contents *m, struct module_builder *g, uint32_t first_place,
                       struct err *err)
{
    struct fact_statement *to =
        (struct fact_statement *)g->statements.items + g->statements.count - m->statements.count;
    struct fact_decision *all = g->decisions.items;
    uint32_t count = m->decisions.count;
    bool calls_are_told;
    if (!find_calls_are_told(&calls_are_told, m, g, err))
        return false;
    uint32_t *number_of = arena_no_indexes(&g->scratch, count, err);
    for (uint32_t i = 0; number_of != NULL && i < count; i++)
        if (m->place[i] != NO_INDEX)
            number_of[i] = m->place[i] - first_place;
    struct control_dependence *dependence =
        number_of != NULL ? control_dependence_make(&m->source, &m->plan, &m->statements,
                                                    &m->decisions, number_of, &g->scratch, err)
                          : NULL;
    for (uint32_t i = 0; dependence != NULL && i < m->statements.count; i++) {
        to[i].causes = control_dependence_of_statement(dependence, i);
        if (!calls_are_told)
            forget_entry(&to[i].causes);
    }
    for (uint32_t i = 0; dependence != NULL && i < count; i++)
        if (m->place[i] != NO_INDEX)
            all[m->place[i]].causes = control_dependence_of_decision(dependence, i);
    return dependence != NULL;
}

bool method_contents_add(struct method_contents *m, struct module_builder *g, struct err *err)
{
    m->source.operands = &m->operands;
    if (!read_tokens(&m->source, g, err) ||
        !fsharp_operands_find(&m->operands, &m->source, &g->scratch, err) ||
        !statements_find(&m->statements, &m->source, &g->scratch, err) ||
        !decide(&m->decisions, &m->source, &m->plan, &g->scratch, err))
        return false;
    uint32_t first_place = g->decisions.count;
    m->place = arena_no_indexes(&g->scratch, m->decisions.count, err);
    return m->place != NULL && add_statements(m, g, err) && add_decisions(m, g, err) &&
           add_causes(m, g, first_place, err);
}

bool method_contents_outline(struct method_contents *m, struct module_builder *g,
                             struct points_extent points, struct err *err)
{
    return points.count == 0 || add_fact_statement(g, m->rid, points.first, points.last,
                                                   m->counts.blocks[0], err) != NULL;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Marks the counts of the method that are not 0 if its counters are these. */
static void mark_counts(bool *has, const struct method_contents *m, const struct module_builder *g,
                        const struct plan_counts *counts, const uint64_t *counters)
{
    const struct decisions *decisions = &m->decisions;
    const struct fact_statement *first = (const struct fact_statement *)g->statements.items +
                                         g->statements.count - m->statements.count;
    const struct fact_decision *facts = g->decisions.items;
    has[0] = counts->blocks[0] != 0;
    if (g->request->is_outline && g->counts.count - m->entry > 1)
        has[1] = has[0]; /* method_contents_outline */
    for (uint32_t i = 0; i < m->statements.count; i++)
        has[first[i].count - m->entry] =
            statement_count(&m->statements, &m->statements.items[i], counts) != 0;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *from = &decisions->items[i];
        if (m->place[i] == NO_INDEX)
            continue;
        bool *outcomes = has + (facts[m->place[i]].first_count - m->entry);
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] |=
                part_count(&decisions->parts[n], counts, counters) != 0;
    }
}

bool method_contents_hits(const struct method_contents *m, struct module_builder *g,
                          struct err *err)
{
    struct list vectors = {0};
    uint32_t count = g->counts.count - m->entry;
    if (g->request->hits == NULL)
        return true;
    if (!test_hits_of_method(&vectors, g->request->hits, m->rid, m->first_counter,
                             m->plan.counter_count, &g->scratch, err))
        return false;
    const struct method_vector *items = vectors.items;
    for (uint32_t i = 0; i < vectors.count; i++) {
        struct plan_counts counts;
        bool *has = ARENA_NEW(&g->scratch, bool, count, err);
        struct fact_hits *hits = list_add(&g->request->hits->found, sizeof *hits, g->arena, err);
        if (has == NULL || hits == NULL ||
            !plan_count(&counts, &m->plan, &m->flow, items[i].counters, &g->scratch, err))
            return false;
        mark_counts(has, m, g, &counts, items[i].counters);
        struct writer w = wr_in(&g->scratch);
        index_set_write_at(&w, has, count, m->entry);
        if (w.failed)
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
        if (!view_copy(&hits->counts, (struct view){w.data, w.len}, g->arena, err) ||
            !view_copy(&hits->tests, items[i].tests, g->arena, err))
            return false;
    }
    return true;
}

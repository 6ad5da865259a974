#include "coverage/collect/module_facts.h"

#include <string.h>

#include "base/bytes.h"
#include "base/number.h"
#include "coverage/branches/decide.h"
#include "coverage/collect/approach.h"
#include "coverage/collect/arm_names.h"
#include "coverage/collect/case_text.h"
#include "coverage/collect/decision_text.h"
#include "coverage/collect/gaps.h"
#include "coverage/collect/generated_code.h"
#include "coverage/collect/nesting.h"
#include "coverage/facts/index_set.h"
#include "coverage/names/declaration.h"
#include "coverage/names/display_name.h"
#include "coverage/names/display_type.h"
#include "coverage/names/identity.h"
#include "coverage/names/made_type.h"
#include "coverage/names/username.h"
#include "coverage/names/userview.h"
#include "coverage/statements/fsharp_filter.h"
#include "coverage/statements/fsharp_operands.h"
#include "coverage/statements/statements.h"
#include "metadata/lookup.h"
#include "rewriter/find_harmless.h"
#include "rewriter/mapped_places.h"

/* A type, and the user's type that it was made for, or itself. */
struct owner {
    uint32_t rid, user_rid; /* 0: not a type, or none is known yet */
    struct str name, user_name;
};

struct gatherer {
    const struct module_facts_request *request;
    const struct module *module;
    struct fact_module *out;
    struct arena *arena;
    struct arena working; /* of the module: what its facts are made with, but do not hold */
    struct arena scratch; /* of one method */
    struct list methods, statements, decisions, counts;
    uint32_t *method_index; /* by row: index in methods, or NO_INDEX */
    struct owner owner;     /* of the method: those of a type stand together, and share its names */
    struct documents documents;
    struct exclusions exclusions;
    struct identity identity;
    struct userview view;
    struct nesting nesting;
    struct method_extents extents;
    struct no_return no_return;
    struct harmless harmless; /* unless the code may change */
    struct fact_type *types;
    uint32_t type_count;
    /* methods that ran and whose lines in stack traces may be wrong */
    uint32_t first_sparse, sparse_count; /* the first one's row */
    uint32_t sparse_step;                /* the largest */
    uint32_t row_count;
    uint32_t next_counter; /* first counter of the next method */
    uint64_t plan_hash;
};

/* What a method was found to have, until the next one. */
struct method_contents {
    struct statements statements;
    struct decisions decisions;
    uint32_t *place; /* of each decision: its index in the module's list, or NO_INDEX */
};

static uint32_t add_count(struct gatherer *g, uint64_t value, struct err *err)
{
    uint64_t *count = list_add(&g->counts, sizeof *count, g->arena, err);
    if (count == NULL)
        return NO_INDEX;
    *count = value;
    return g->counts.count - 1;
}

static uint32_t *alloc_indexes(struct arena *arena, uint32_t count, struct err *err)
{
    uint32_t *indexes = arena_raw(arena, count, sizeof *indexes, err);
    if (indexes != NULL)
        memset(indexes, 0xFF, count * sizeof *indexes); /* NO_INDEX */
    return indexes;
}

/* --- one method ------------------------------------------------------------------------------- */

static const struct reason *exclusion(struct gatherer *g, uint32_t rid, struct str type)
{
    const struct scope *scope = g->request->scope;
    for (uint32_t i = 0; i < scope->exclude_count; i++)
        if (pattern_matches_type(&scope->exclude[i], g->module->name, type))
            return reason_of(REASON_EXCLUDED);
    bool included = scope->include_count == 0;
    for (uint32_t i = 0; i < scope->include_count; i++)
        included |= pattern_matches_type(&scope->include[i], g->module->name, type);
    return included ? exclusions_reason(&g->exclusions, rid) : reason_of(REASON_NOT_INCLUDED);
}

static bool find_owner(struct gatherer *g, uint32_t rid, struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct owner *owner = &g->owner;
    uint32_t type = owner_of_method(md, rid);
    if (type == owner->rid && owner->name.text != NULL)
        return true;
    *owner = (struct owner){.rid = type, .user_rid = made_type_user(md, type)};
    if (!username_type(&owner->name, md, type, g->arena, err))
        return false;
    owner->user_name = owner->name;
    return owner->user_rid == type ||
           username_type(&owner->user_name, md, owner->user_rid, g->arena, err);
}

/* The data for finding the method again in another build. */
static bool identify(struct gatherer *g, uint32_t rid, const struct flow *flow, struct err *err)
{
    struct fact_method *method = (struct fact_method *)g->methods.items + g->method_index[rid - 1];
    struct body_identity identity;
    if (!identity_body(&identity, &g->identity, rid, g->owner.user_rid, &flow->body, &flow->il,
                       &g->scratch, err))
        return false;
    memcpy(method->body, identity.hash, sizeof method->body);
    if (g->request->is_outline)
        return true;
    return view_copy(&method->instructions, identity.instructions, g->arena, err);
}

static bool add_method(struct gatherer *g, uint32_t rid, enum verdict verdict, struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct fact_method *method = list_add(&g->methods, sizeof *method, g->arena, err);
    if (method == NULL)
        return false;
    g->method_index[rid - 1] = g->methods.count - 1;
    *method = (struct fact_method){.token = TOKEN(TABLE_MethodDef, rid),
                                   .user_method = g->methods.count - 1,
                                   .entry_count = NO_INDEX};
    if (!find_owner(g, rid, err) || !username_method(&method->name, md, rid, g->arena, err) ||
        !username_signature(&method->signature, md, rid, g->arena, err))
        return false;
    method->type = g->owner.name;
    method->reason = exclusion(g, rid, g->owner.user_name);
    if (method->reason != NULL) {
        method->state = METHOD_EXCLUDED;
    } else if (verdict != VERDICT_OK) {
        method->state = METHOD_REFUSED;
        method->reason = reason_of_verdict(verdict);
    }
    return true;
}

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

/* Only a method with several `ret` needs it. */
static bool read_order(struct statements_source *source, struct gatherer *g, struct err *err)
{
    uint32_t returns = 0;
    const struct il *il = &source->flow->il;
    for (uint32_t i = 0; i < il->count; i++)
        returns += il->instrs[i].op == OP_RET;
    if (returns < 2 || source->language != LANGUAGE_CSHARP || source->points->count == 0)
        return true;
    uint32_t document = source->points->points[0].document;
    if (!documents_order(&source->order, &g->documents, document, err))
        return false;
    return source->order == NULL || documents_text(&source->text, &g->documents, document, err);
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
            .count = add_count(g, statement_count(statements, &statements->items[i], counts), err),
            .reason = point_reason(g, rid, source, statements->items[i].point, document),
        };
        if (statement->count == NO_INDEX)
            return false;
        if (!documents_gaps(&statement->gaps, &g->documents, point, err))
            return false;
    }
    return true;
}

static uint64_t part_count(const struct outcome_part *part, const struct plan_counts *counts,
                           const uint64_t *counters)
{
    return part->source == SOURCE_EDGE ? counts->edges[part->index] : counters[part->index];
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

static struct fact_span span_of(const struct text_span *span)
{
    bool known = span->start_column != 0 && span->end_column != 0;
    return (struct fact_span){span->start_line, span->end_line, known ? span->start_column : 0,
                              known ? span->end_column : 0};
}

/* `place`, per decision: its index in the module's list, or NO_INDEX. */
static bool add_decisions(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                          const struct statements *statements, struct decisions *decisions,
                          const struct plan_counts *counts, const uint64_t *counters,
                          uint32_t *place, struct err *err)
{
    enum outcome_words *words;
    struct statements_source judged = *source;
    const struct arm_names_request names = {source, decisions, statements, text_of_document, g};
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
            .span = span_of(&from->span),
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
            if (add_count(g, 0, err) == NO_INDEX)
                return false;
        uint64_t *outcomes = (uint64_t *)g->counts.items + decision->first_count;
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] +=
                part_count(&decisions->parts[n], counts, counters);
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
    uint32_t *number_of = alloc_indexes(&g->scratch, decisions->count, err);
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

/* What was written in the method, and how often it ran. */
static bool add_contents(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                         const struct plan *plan, const struct plan_counts *counts,
                         const uint64_t *counters, struct method_contents *contents,
                         struct err *err)
{
    struct statements *statements = &contents->statements;
    struct decisions *decisions = &contents->decisions;
    if (!statements_find(statements, source, &g->scratch, err) ||
        !decide(decisions, source, plan, &g->scratch, err))
        return false;
    uint32_t *place = alloc_indexes(&g->scratch, decisions->count, err);
    uint32_t first_place = g->decisions.count;
    contents->place = place;
    return place != NULL && add_statements(g, rid, source, statements, counts, err) &&
           add_decisions(g, rid, source, statements, decisions, counts, counters, place, err) &&
           add_causes(g, source, plan, statements, decisions, place, first_place, err);
}

/* All that is told of a method of a test assembly: where it stands. Its statement has the count of
 * its entry. */
static bool add_outline(struct gatherer *g, uint32_t rid, const struct seq_points *points,
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
        .count = add_count(g, entries, err),
    };
    return statement->count != NO_INDEX;
}

/* --- which tests hit it ----------------------------------------------------------------------- */

/* Marks the counts of the method, the first of which is `entry`, that are not 0 if its counters are
 * these. */
static void mark_counts(bool *has, const struct gatherer *g, uint32_t entry,
                        const struct method_contents *contents, const struct plan_counts *counts,
                        const uint64_t *counters)
{
    const struct statements *statements = &contents->statements;
    const struct decisions *decisions = &contents->decisions;
    const struct fact_statement *first = (const struct fact_statement *)g->statements.items +
                                         g->statements.count - statements->count;
    const struct fact_decision *facts = g->decisions.items;
    has[0] = counts->blocks[0] != 0;
    if (g->request->is_outline && g->counts.count - entry > 1)
        has[1] = has[0]; /* add_outline */
    for (uint32_t i = 0; i < statements->count; i++)
        has[first[i].count - entry] =
            statement_count(statements, &statements->items[i], counts) != 0;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *from = &decisions->items[i];
        if (contents->place[i] == NO_INDEX)
            continue;
        bool *outcomes = has + (facts[contents->place[i]].first_count - entry);
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] |=
                part_count(&decisions->parts[n], counts, counters) != 0;
    }
}

static bool add_hits(struct gatherer *g, uint32_t rid, const struct flow *flow,
                     const struct plan *plan, uint32_t first_counter, uint32_t entry,
                     const struct method_contents *contents, struct err *err)
{
    struct list vectors = {0};
    uint32_t count = g->counts.count - entry;
    if (g->request->hits == NULL)
        return true;
    if (!test_hits_of_method(&vectors, g->request->hits, rid, first_counter, plan->counter_count,
                             &g->scratch, err))
        return false;
    const struct method_vector *items = vectors.items;
    for (uint32_t i = 0; i < vectors.count; i++) {
        struct plan_counts counts;
        struct writer w;
        bool *has = ARENA_NEW(&g->scratch, bool, count, err);
        struct fact_hits *hits = list_add(&g->request->hits->found, sizeof *hits, g->arena, err);
        if (has == NULL || hits == NULL ||
            !plan_count(&counts, plan, flow, items[i].counters, &g->scratch, err))
            return false;
        mark_counts(has, g, entry, contents, &counts, items[i].counters);
        wr_open(&w, &g->scratch);
        index_set_write_at(&w, has, count, entry);
        if (w.failed)
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
        if (!view_copy(&hits->counts, (struct view){w.data, w.len}, g->arena, err) ||
            !view_copy(&hits->tests, items[i].tests, g->arena, err))
            return false;
    }
    return true;
}

/* The plan, and whether the target saw the same one: counters are numbered across methods in row
 * order. */
static enum verdict plan_method(struct gatherer *g, uint32_t rid, struct view body,
                                struct flow *flow, struct plan *plan)
{
    const struct harmless *harmless = g->request->may_change ? NULL : &g->harmless;
    enum verdict verdict = flow_build(flow, body, &g->module->md, harmless, rid, &g->scratch);
    if (verdict == VERDICT_OK && !plan_make(plan, flow, &g->scratch))
        verdict = VERDICT_REFUSED_MEMORY;
    if (verdict == VERDICT_OK)
        g->plan_hash = plan_hash_method(g->plan_hash, rid, flow->body.whole, plan, flow);
    return verdict;
}

static void note_sparse(struct gatherer *g, uint32_t rid, const struct flow *flow)
{
    uint32_t step = mapped_places_step(flow);
    if (step == 1)
        return;
    if (g->sparse_count++ == 0)
        g->first_sparse = rid;
    if (step > g->sparse_step)
        g->sparse_step = step;
}

static bool gather_method(struct gatherer *g, uint32_t rid, struct err *err)
{
    struct method_def def;
    struct flow flow;
    struct plan plan;
    arena_reset(&g->scratch);
    if (!module_method(&def, g->module, rid))
        return true;
    enum verdict verdict = plan_method(g, rid, def.body, &flow, &plan);
    bool is_sound = verdict == VERDICT_OK;
    if (verdict ==
        VERDICT_REFUSED_MEMORY) /* memory of this program; the verdicts report the target's */
        return err_set(err, ERR_MEMORY, "out of memory: the plan of method %08x needs more",
                       TOKEN(TABLE_MethodDef, rid));
    uint32_t first_counter = g->next_counter;
    if (verdict == VERDICT_OK) {
        g->next_counter += plan.counter_count;
        if (!userview_note(&g->view, rid, &flow.il, err))
            return false;
    }
    const struct module_facts_request *request = g->request;
    if (verdict == VERDICT_OK && request->verdicts != NULL && rid <= request->verdict_count)
        verdict = (enum verdict)request->verdicts[rid - 1];
    if (!add_method(g, rid, verdict, err) || (is_sound && !identify(g, rid, &flow, err)))
        return false;
    if (verdict != VERDICT_OK)
        return true;
    const uint64_t *counters = request->counters;
    if (counters == NULL)
        counters = ARENA_NEW(&g->scratch, uint64_t, plan.counter_count, err);
    else if (g->next_counter > request->counter_count)
        return err_set(err, ERR_MISMATCH, "the DLL on disk is not the one that ran");
    else
        counters += first_counter;
    struct plan_counts counts;
    struct seq_points points = {NULL, 0};
    struct method_contents contents = {.place = NULL};
    if (counters == NULL || !plan_count(&counts, &plan, &flow, counters, &g->scratch, err))
        return false;
    if (counts.blocks[0] != 0)
        note_sparse(g, rid, &flow);
    if (userview_is_made(&g->module->md, rid))
        return true;
    uint32_t entry = add_count(g, counts.blocks[0], err);
    if (entry == NO_INDEX)
        return false;
    ((struct fact_method *)g->methods.items)[g->methods.count - 1].entry_count = entry;
    if (!g->module->has_pdb)
        return add_hits(g, rid, &flow, &plan, first_counter, entry, &contents, err);
    struct reach reach;
    if (!pdb_sequence_points(&points, &g->module->pdb, rid, &g->scratch, err) ||
        !reach_make(&reach, &flow, &g->no_return, &g->scratch, err) ||
        !gaps_note_method(&g->extents, g->method_index[rid - 1], &points, &g->working, err))
        return false;
    nesting_note(&g->nesting, rid, &points);
    userview_note_lines(&g->view, rid, &points);
    if (request->is_outline)
        return add_outline(g, rid, &points, counts.blocks[0], err) &&
               add_hits(g, rid, &flow, &plan, first_counter, entry, &contents, err);
    struct fsharp_operands operands;
    struct statements_source source = {
        .flow = &flow,
        .reach = &reach,
        .points = &points,
        .language = language_of_points(&g->module->pdb, &points),
        .is_state_machine = pdb_kickoff_method(&g->module->pdb, rid) != 0,
        .operands = &operands,
        .pdb = &g->module->pdb,
    };
    if (source.language == LANGUAGE_FSHARP)
        fsharp_filter_cut_rules(&points, &flow.body);
    return fsharp_operands_find(&operands, &source, &g->scratch, err) &&
           read_order(&source, g, err) &&
           add_contents(g, rid, &source, &plan, &counts, counters, &contents, err) &&
           add_hits(g, rid, &flow, &plan, first_counter, entry, &contents, err);
}

/* Once all statements are known. */
static bool add_gaps_by_columns(struct gatherer *g, struct err *err)
{
    bool *lacking;
    arena_reset(&g->scratch);
    return documents_lack_lines(&lacking, &g->documents, &g->scratch, err) &&
           gaps_by_columns(g->statements.items, g->statements.count, &g->extents, lacking,
                           g->documents.index_of, g->arena, err);
}

/* --- the module ------------------------------------------------------------------------------- */

/* One line a module; a lambda or state machine is named by the user's method. */
static bool tell_sparse(struct gatherer *g, struct err *err)
{
    if (g->sparse_count == 0)
        return true;
    const struct fact_method *methods = g->methods.items;
    const struct fact_method *first = &methods[g->method_index[g->first_sparse - 1]];
    struct fact_display shown = fact_method_display(&methods[first->user_method]);
    uint32_t others = g->sparse_count - 1, early = g->sparse_step - 1;
    bool one = others == 0;
    struct str *line = list_add(g->request->documents.warnings, sizeof *line, g->arena, err);
    struct text text;
    text_open(&text, g->arena);
    text_addf(&text, "%.*s.%.*s", STR_ARGS(shown.type), STR_ARGS(shown.name));
    if (!one)
        text_addf(&text, " and %u other %s", others, others == 1 ? "method" : "methods");
    text_addf(&text,
              " of %.*s %s more than %d statements: lines in %s stack traces may be up to %u "
              "%s too early",
              STR_ARGS(g->module->name), one ? "has" : "have", MAP_ROWS_MAX, one ? "its" : "their",
              early, early == 1 ? "statement" : "statements");
    return line != NULL && text_take(line, &text, err);
}

/* Only users' methods are shown. Those of a type stand together, and share its text. */
static bool add_displays(struct gatherer *g, struct err *err)
{
    struct fact_method *methods = g->methods.items;
    const struct metadata *md = &g->module->md;
    uint32_t owner = 0;
    struct str type = STR("");
    for (uint32_t i = 0; i < g->methods.count; i++) {
        struct fact_display *display = &methods[i].display;
        uint32_t rid = TOKEN_RID(methods[i].token), its_owner = owner_of_method(md, rid);
        if (methods[i].user_method != i)
            continue;
        if (its_owner != owner && !display_type(&type, md, its_owner, g->arena, err))
            return false;
        owner = its_owner;
        display->type = type;
        if (!display_method(&display->name, &display->signature, md, rid, g->arena, err))
            return false;
    }
    return true;
}

static bool mark_generated(struct gatherer *g, struct err *err)
{
    const struct generated_code code = {
        .md = &g->module->md,
        .documents = g->documents.list.items,
        .statements = g->statements.items,
        .statement_count = g->statements.count,
        .methods = g->methods.items,
        .method_count = g->methods.count,
    };
    return generated_code_mark(&code, g->arena, err);
}

/* Which methods are the user's must be known. */
static bool add_declarations(struct gatherer *g, struct err *err)
{
    struct declarations declarations;
    struct fact_method *methods = g->methods.items;
    if (!g->request->declares)
        return true;
    if (!declarations_open(&declarations, g->module, &g->identity, err))
        return false;
    for (uint32_t i = 0; i < g->methods.count; i++)
        if (methods[i].user_method == i)
            methods[i].declaration =
                declaration_of_method(&declarations, TOKEN_RID(methods[i].token));
    return declarations_list(&g->types, &g->type_count, &declarations, g->arena);
}

static bool gather(struct gatherer *g, struct err *err)
{
    g->row_count = tables_rows(&g->module->md.tables, TABLE_MethodDef);
    g->method_index = alloc_indexes(&g->working, g->row_count, err);
    if (g->method_index == NULL ||
        !documents_open(&g->documents, &g->request->documents, g->module, g->arena, &g->scratch,
                        err) ||
        !exclusions_open(&g->exclusions, &g->module->md, &g->request->exclusions, g->arena, err) ||
        !userview_open(&g->view, g->module, &g->working, err) ||
        !nesting_open(&g->nesting, &g->view, &g->working, err) ||
        !identity_open(&g->identity, g->module, &g->working, err))
        return false;
    if (!no_return_open(&g->no_return, g->module, g->request->path, &g->working, err))
        return false;
    const struct module_facts_request *request = g->request;
    if (!request->may_change && !find_harmless(&g->harmless, &g->module->md, body_in_image,
                                               g->module, &g->working, &g->scratch))
        return err_set(err, ERR_MEMORY, "out of memory: an assembly needs more");
    g->plan_hash = plan_hash_start(request->mode);
    for (uint32_t rid = 1; rid <= g->row_count; rid++) {
        if (request->stop != NULL && request->stop(request->stop_context))
            return err_set(err, ERR_UNSUPPORTED, "it was not read to its end");
        progress_at(request->progress, "reading methods of an assembly", rid, g->row_count);
        if (!gather_method(g, rid, err))
            return false;
    }
    if (g->request->counters != NULL &&
        (g->plan_hash != g->request->plan_hash || g->next_counter != g->request->counter_count))
        return err_set(err, ERR_MISMATCH, "the DLL on disk is not the one that ran");
    return nesting_fold(&g->nesting, g->methods.items, g->method_index, err) &&
           mark_generated(g, err) && (request->is_outline || add_displays(g, err)) &&
           add_declarations(g, err) && add_gaps_by_columns(g, err) && tell_sparse(g, err) &&
           documents_note_comments(&g->documents, err);
}

/* `hit` knows whether code ran in a process. What is added up from its bytes, for several outcomes
 * or several processes, says no more. */
static void cap_counts(struct list *counts)
{
    uint64_t *items = counts->items;
    for (uint32_t i = 0; i < counts->count; i++)
        items[i] = items[i] != 0;
}

bool module_facts(struct fact_module *out, uint64_t **counts,
                  const struct module_facts_request *request, struct arena *arena, struct err *err)
{
    struct gatherer g = {.request = request, .module = request->module, .out = out, .arena = arena};
    arena_init(&g.working, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&g.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = gather(&g, err);
    no_return_close(&g.no_return);
    documents_close(&g.documents);
    identity_close(&g.identity);
    arena_free(&g.scratch);
    arena_free(&g.working);
    if (!ok)
        return false;
    if (request->mode == MODE_HIT)
        cap_counts(&g.counts);
    *out = (struct fact_module){
        .plan_hash = g.plan_hash,
        .documents = g.documents.list.items,
        .document_count = g.documents.list.count,
        .methods = g.methods.items,
        .method_count = g.methods.count,
        .statements = g.statements.items,
        .statement_count = g.statements.count,
        .decisions = g.decisions.items,
        .decision_count = g.decisions.count,
        .types = g.types,
        .type_count = g.type_count,
        .count_len = g.counts.count,
    };
    memcpy(out->mvid, request->module->mvid, sizeof out->mvid);
    *counts = request->counters != NULL ? g.counts.items : NULL;
    return str_copy(&out->path, request->path, arena, err) &&
           str_copy(&out->name, request->module->name, arena, err) &&
           identity_module(out->identity, out, err);
}

#include "coverage/collect/module_facts.h"

#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "coverage/branches/decide.h"
#include "coverage/branches/statements.h"
#include "coverage/names/identity.h"
#include "coverage/names/username.h"
#include "coverage/names/userview.h"
#include "coverage/source/checksum.h"
#include "coverage/source/excluded_by_comment.h"
#include "coverage/source/paths.h"
#include "coverage/source/source.h"
#include "coverage/source/source_link.h"

/* Where the points of a method lie; document 0: nowhere. */
struct span {
    uint32_t document;   /* row */
    uint64_t first, end; /* line << 16 | column */
};

struct gatherer {
    const struct module_facts_request *request;
    const struct module *module;
    struct fact_module *out;
    struct arena *arena;
    struct arena scratch; /* of one method */
    struct list methods, statements, decisions, documents, counts;
    uint32_t *method_index;   /* by row: index in methods, or NO_INDEX */
    uint32_t *document_index; /* by Document row, likewise */
    struct list ignored;      /* struct ignored, of each of documents */
    uint32_t sources_missed;  /* whose comments are not known */
    struct str first_missed;
    struct exclusions exclusions;
    struct identity identity;
    struct span *spans; /* by row */
    struct userview view;
    struct no_return no_return;
    uint32_t row_count;
    uint32_t next_counter; /* first counter of the next method */
    uint64_t plan_hash;
};

static uint32_t add_count(struct gatherer *g, uint64_t value, struct err *err)
{
    uint64_t *count = list_add(&g->counts, sizeof *count, g->arena, err);
    if (count == NULL)
        return NO_INDEX;
    *count = value;
    return g->counts.count - 1;
}

static bool keep_bytes(struct view *out, struct view bytes, struct arena *arena, struct err *err)
{
    uint8_t *copy = arena_raw(arena, bytes.len, 1, err);
    if (copy != NULL && bytes.len != 0)
        memcpy(copy, bytes.data, bytes.len);
    *out = (struct view){copy, bytes.len};
    return copy != NULL;
}

/* --- documents -------------------------------------------------------------------------------- */

/* What the source link says of a path elsewhere is as if the build had called its repository /_/. */
static bool find_place(enum path_place *place, struct str *relative, const struct gatherer *g,
                       struct str path, struct err *err)
{
    struct str root = g->request->root;
    if (!paths_place(place, relative, root, path, g->arena, err))
        return false;
    if (*place != PATH_OUTSIDE)
        return true;
    struct str rest = source_link_rest(pdb_source_link(&g->module->pdb), path);
    return rest.len == 0 || paths_place(place, relative, root, rest, g->arena, err);
}

/* A path like /_/src/A.cs is under the root when the root has that file, unchanged. Where there is
 * none, its place is kept, for a machine without sources (collect.c); a generator's has no place but
 * what the PDB has of it. */
static bool look_in_root(struct fact_document *document, struct str relative, struct view embedded,
                         struct gatherer *g, struct err *err)
{
    struct str path;
    if (!paths_below(&path, g->request->root, relative, g->arena, err))
        return false;
    bool is_there = access(path.text, F_OK) == 0;
    bool is_generated = !is_there && embedded.len != 0 && !paths_is_absolute(document->path);
    if (is_generated || checksum_matches(path.text, document->hash_algorithm, document->hash)) {
        document->relative = relative;
    } else {
        document->reason = is_there ? STR(REASON_CHANGED) : STR(REASON_NO_SOURCE);
        document->relative = is_there || !paths_is_absolute(document->path) ? STR("") : relative;
    }
    return true;
}

static bool place_document(struct gatherer *g, struct fact_document *document, struct view embedded,
                           struct err *err)
{
    enum path_place place;
    struct str relative;
    const struct module_facts_request *request = g->request;
    if (!find_place(&place, &relative, g, document->path, err))
        return false;
    if (place == PATH_INSIDE)
        document->relative = relative;
    else if (place == PATH_OUTSIDE)
        document->reason = STR(REASON_OUTSIDE_ROOT);
    else if (!look_in_root(document, relative, embedded, g, err))
        return false;
    if (document->reason.len == 0 &&
        paths_match_any(request->exclude_files, request->exclude_file_count, document->relative))
        document->reason = STR(REASON_EXCLUDED_FILE);
    return true;
}

/* The source that the PDB holds, where a report could not show it otherwise. */
static bool keep_source(struct gatherer *g, struct fact_document *document, struct view embedded,
                        struct err *err)
{
    struct str path;
    if (embedded.len == 0 || document->relative.len == 0 || document->reason.len != 0)
        return true;
    return paths_below(&path, g->request->root, document->relative, &g->scratch, err) &&
           (checksum_matches(path.text, document->hash_algorithm, document->hash) ||
            keep_bytes(&document->source, embedded, g->arena, err));
}

/* What the comments of a document that is reported exclude. */
static bool read_comments(struct gatherer *g, uint32_t rid, const struct fact_document *document,
                          struct view embedded, struct err *err)
{
    struct str path;
    struct source source;
    struct comments comments;
    struct ignored *ignored = list_add(&g->ignored, sizeof *ignored, g->arena, err);
    if (ignored == NULL)
        return false;
    if (document->relative.len == 0 || document->reason.len != 0)
        return true;
    if (!paths_below(&path, g->request->root, document->relative, &g->scratch, err) ||
        !source_open(&source, path.text, document, embedded, &g->scratch, err))
        return false;
    if (source.text.len == 0 && g->sources_missed++ == 0)
        g->first_missed = document->relative;
    bool ok =
        comments_find(&comments, source.text, language_of(&g->module->pdb, rid), &g->scratch,
                      err) &&
        ignored_make(ignored, &comments, document->relative, g->request->warnings, g->arena, err);
    source_close(&source);
    return ok;
}

static uint32_t find_document(struct gatherer *g, uint32_t rid, struct err *err)
{
    uint32_t rows = tables_rows(&g->module->pdb.md.tables, TABLE_Document);
    struct pdb_document read;
    if (rid == 0 || rid > rows)
        return err_set(err, ERR_FORMAT, "a sequence point names document %u of %u", rid, rows)
                   ? 0
                   : NO_INDEX;
    if (g->document_index[rid - 1] != NO_INDEX)
        return g->document_index[rid - 1];
    if (!pdb_read_document(&read, &g->module->pdb, rid, g->arena, err))
        return NO_INDEX;
    struct fact_document *document = list_add(&g->documents, sizeof *document, g->arena, err);
    if (document == NULL)
        return NO_INDEX;
    if (read.hash_algorithm != NULL)
        memcpy(document->hash_algorithm, read.hash_algorithm, sizeof document->hash_algorithm);
    if (!str_copy(&document->path, read.name, g->arena, err) ||
        !keep_bytes(&document->hash, read.hash, g->arena, err) ||
        !place_document(g, document, read.embedded_source, err) ||
        !keep_source(g, document, read.embedded_source, err) ||
        !read_comments(g, rid, document, read.embedded_source, err))
        return NO_INDEX;
    return g->document_index[rid - 1] = g->documents.count - 1;
}

/* --- one method ------------------------------------------------------------------------------- */

static struct str exclusion(struct gatherer *g, uint32_t rid, struct str type)
{
    const struct scope *scope = g->request->scope;
    for (uint32_t i = 0; i < scope->exclude_count; i++)
        if (pattern_matches_type(&scope->exclude[i], g->module->name, type))
            return STR(REASON_EXCLUDED_TYPE);
    bool included = scope->include_count == 0;
    for (uint32_t i = 0; i < scope->include_count; i++)
        included |= pattern_matches_type(&scope->include[i], g->module->name, type);
    return included ? exclusions_reason(&g->exclusions, rid) : STR(REASON_NOT_INCLUDED);
}

/* What is needed to find the method again in another build. */
static bool identify(struct gatherer *g, uint32_t rid, const struct flow *flow, struct err *err)
{
    struct fact_method *method = (struct fact_method *)g->methods.items + g->method_index[rid - 1];
    const struct metadata *md = &g->module->md;
    struct body_identity identity;
    if (!identity_body(&identity, &g->identity, rid, userview_type(md, owner_of_method(md, rid)),
                       &flow->body, &flow->il, &g->scratch, err))
        return false;
    memcpy(method->body, identity.hash, sizeof method->body);
    return keep_bytes(&method->instructions, identity.instructions, g->arena, err);
}

static bool add_method(struct gatherer *g, uint32_t rid, enum verdict verdict, struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct str type, user_type;
    uint32_t owner = owner_of_method(md, rid);
    struct fact_method *method = list_add(&g->methods, sizeof *method, g->arena, err);
    if (method == NULL)
        return false;
    g->method_index[rid - 1] = g->methods.count - 1;
    *method = (struct fact_method){.token = TOKEN(TABLE_MethodDef, rid),
                                   .user_method = g->methods.count - 1,
                                   .entry_count = NO_INDEX};
    if (!username_type(&type, md, owner, g->arena, err) ||
        !username_type(&user_type, md, userview_type(md, owner), g->arena, err) ||
        !username_method(&method->name, md, rid, g->arena, err) ||
        !name_method_signature(&method->signature, md, rid, g->arena, err))
        return false;
    method->type = type;
    method->reason = exclusion(g, rid, user_type);
    if (method->reason.len != 0) {
        method->state = METHOD_EXCLUDED;
    } else if (verdict != VERDICT_OK) {
        method->state = METHOD_REFUSED;
        method->reason = str_of(verdict_text(verdict));
    }
    return true;
}

static uint64_t statement_count(const struct statements *statements,
                                const struct statement *statement, const struct plan_counts *counts)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < statement->block_count; i++) {
        uint64_t count = counts->blocks[statements->blocks[statement->first_block + i]];
        if (count > most)
            most = count;
    }
    return most;
}

/* Why the statement that stands on a sequence point is excluded. */
static struct str point_reason(struct gatherer *g, uint32_t rid,
                               const struct statements_source *source, uint32_t index,
                               uint32_t document)
{
    const struct seq_point *point = &source->points->points[index];
    const struct il *il = &source->flow->il;
    uint32_t end_offset =
        index + 1 < source->points->count ? point[1].il_offset : source->flow->il.code_size;
    struct str reason = exclusions_initialiser(
        &g->exclusions, rid, il, il->index_at[point->il_offset], il->index_at[end_offset]);
    struct ignored *ignored = (struct ignored *)g->ignored.items + document;
    struct str ignored_as = ignored_reason(ignored, point->start_line, point->end_line);
    return reason.len != 0 ? reason : ignored_as;
}

static void note_span(struct span *span, const struct seq_points *points)
{
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        uint64_t first = (uint64_t)point->start_line << 16 | point->start_column;
        uint64_t end = (uint64_t)point->end_line << 16 | point->end_column;
        if (point->hidden || (span->document != 0 && span->document != point->document))
            continue;
        if (span->document == 0)
            *span = (struct span){point->document, first, end};
        span->first = first < span->first ? first : span->first;
        span->end = end > span->end ? end : span->end;
    }
}

static bool add_statements(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                           const struct plan_counts *counts, struct err *err)
{
    struct statements statements;
    struct userview_method *view = &g->view.methods[rid - 1];
    if (!statements_find(&statements, source, &g->scratch, err))
        return false;
    for (uint32_t i = 0; i < statements.count; i++) {
        const struct seq_point *point = &source->points->points[statements.items[i].point];
        struct fact_statement *statement =
            list_add(&g->statements, sizeof *statement, g->arena, err);
        uint32_t document = find_document(g, point->document, err);
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
            .count = add_count(g, statement_count(&statements, &statements.items[i], counts), err),
            .reason = point_reason(g, rid, source, statements.items[i].point, document),
        };
        if (statement->count == NO_INDEX)
            return false;
        if (view->first_line == 0 || point->start_line < view->first_line)
            view->first_line = point->start_line;
        if (point->end_line > view->last_line)
            view->last_line = point->end_line;
        view->document = point->document;
    }
    return true;
}

static uint64_t part_count(const struct outcome_part *part, const struct plan_counts *counts,
                           const uint64_t *counters)
{
    return part->source == SOURCE_EDGE ? counts->edges[part->index] : counters[part->index];
}

static bool add_decisions(struct gatherer *g, uint32_t rid, const struct statements_source *source,
                          const struct plan *plan, const struct plan_counts *counts,
                          const uint64_t *counters, struct err *err)
{
    struct decisions decisions;
    if (!decide(&decisions, source, plan, &g->scratch, err))
        return false;
    for (uint32_t i = 0; i < decisions.count; i++) {
        const struct decision *from = &decisions.items[i];
        const struct seq_point *point = &source->points->points[from->point];
        if (!reach_runs(source->reach, source->flow->il.index_at[from->il_offset]))
            continue;
        struct fact_decision *decision = list_add(&g->decisions, sizeof *decision, g->arena, err);
        uint32_t document = find_document(g, point->document, err);
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
            .reason = point_reason(g, rid, source, from->point, document),
        };
        for (uint32_t n = 0; n < from->outcome_count; n++)
            if (add_count(g, 0, err) == NO_INDEX)
                return false;
        uint64_t *outcomes = (uint64_t *)g->counts.items + decision->first_count;
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions.parts[n].outcome] +=
                part_count(&decisions.parts[n], counts, counters);
    }
    return true;
}

/* The plan, and whether the target saw the same one: counters are numbered through the methods in
 * the order of rows. */
static enum verdict plan_method(struct gatherer *g, uint32_t rid, struct view body,
                                struct flow *flow, struct plan *plan)
{
    enum verdict verdict = flow_build(flow, body, &g->module->md, rid, &g->scratch);
    if (verdict == VERDICT_OK && !plan_make(plan, flow, &g->scratch))
        verdict = VERDICT_REFUSED_MEMORY;
    if (verdict == VERDICT_OK)
        g->plan_hash = plan_hash_method(g->plan_hash, rid, flow->body.whole, plan, flow);
    return verdict;
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
    if (verdict == VERDICT_REFUSED_MEMORY) /* ours: what the target had, its verdicts say */
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
    if (counters == NULL || !plan_count(&counts, &plan, &flow, counters, &g->scratch, err))
        return false;
    if (userview_is_made(&g->module->md, rid))
        return true;
    uint32_t entry = add_count(g, counts.blocks[0], err);
    if (entry == NO_INDEX)
        return false;
    ((struct fact_method *)g->methods.items)[g->methods.count - 1].entry_count = entry;
    if (!g->module->has_pdb)
        return true;
    struct reach reach;
    if (!pdb_sequence_points(&points, &g->module->pdb, rid, &g->scratch, err) ||
        !reach_make(&reach, &flow, &g->no_return, &g->scratch, err))
        return false;
    note_span(&g->spans[rid - 1], &points);
    struct statements_source source = {
        .flow = &flow,
        .reach = &reach,
        .points = &points,
        .language = language_of_points(&g->module->pdb, &points),
        .is_state_machine = pdb_kickoff_method(&g->module->pdb, rid) != 0,
    };
    return add_statements(g, rid, &source, &counts, err) &&
           add_decisions(g, rid, &source, &plan, &counts, counters, err);
}

/* --- the module ------------------------------------------------------------------------------- */

static struct fact_method *method_of(struct gatherer *g, uint32_t rid)
{
    uint32_t index = rid != 0 && rid <= g->row_count ? g->method_index[rid - 1] : NO_INDEX;
    return index != NO_INDEX ? (struct fact_method *)g->methods.items + index : NULL;
}

static void exclude_with(struct fact_method *method, const struct fact_method *other)
{
    if (other->state != METHOD_EXCLUDED || method->state == METHOD_EXCLUDED)
        return;
    method->state = METHOD_EXCLUDED;
    method->reason = other->reason;
}

static bool is_inside(const struct span *inner, const struct span *outer)
{
    return inner->document != 0 && inner->document == outer->document &&
           inner->first >= outer->first && inner->end <= outer->end;
}

/* Lambdas and local functions may be excluded, too, and what was written in them is then excluded with them: their
 * state machines, and what lies between their first point and their last. */
static void exclude_nested(struct gatherer *g)
{
    const struct userview_method *view = g->view.methods;
    for (uint32_t rid = 1; rid <= g->row_count; rid++) {
        struct fact_method *method = method_of(g, rid);
        uint32_t kickoff = g->module->has_pdb ? pdb_kickoff_method(&g->module->pdb, rid) : 0;
        const struct fact_method *written = method_of(g, kickoff);
        if (method != NULL && written != NULL)
            exclude_with(method, written);
    }
    for (uint32_t rid = 1; rid <= g->row_count; rid++) {
        uint32_t user = view[rid - 1].user_rid;
        const struct fact_method *outer = method_of(g, rid), *whole = method_of(g, user);
        if (outer == NULL || outer->state != METHOD_EXCLUDED ||
            (whole != NULL && whole->state == METHOD_EXCLUDED))
            continue;
        for (uint32_t other = 1; other <= g->row_count; other++) {
            struct fact_method *inner = method_of(g, other);
            if (inner != NULL && other != user && view[other - 1].user_rid == user &&
                is_inside(&g->spans[other - 1], &g->spans[rid - 1]))
                exclude_with(inner, outer);
        }
    }
}

static void fold_methods(struct gatherer *g)
{
    userview_fold(&g->view);
    for (uint32_t rid = 1; rid <= g->row_count; rid++) {
        struct fact_method *method = method_of(g, rid);
        const struct fact_method *owner = method_of(g, g->view.methods[rid - 1].user_rid);
        if (method == NULL || owner == NULL)
            continue;
        method->user_method = g->method_index[g->view.methods[rid - 1].user_rid - 1];
        exclude_with(method, owner);
    }
    exclude_nested(g);
}

/* --- comments that do nothing ----------------------------------------------------------------- */

static bool note(struct gatherer *g, struct str text, struct err *err)
{
    struct str *added = list_add(g->request->notes, sizeof *added, g->arena, err);
    if (added != NULL)
        *added = text;
    return added != NULL;
}

static bool note_comments(struct gatherer *g, struct err *err)
{
    struct str text;
    const struct fact_document *documents = g->documents.items;
    for (uint32_t d = 0; d < g->ignored.count; d++) {
        const struct ignored *ignored = (struct ignored *)g->ignored.items + d;
        for (uint32_t i = 0; i < ignored->count; i++)
            if (!ignored->items[i].is_used &&
                (!text_format(&text, g->arena, err,
                              "%.*s:%u: ilcov:ignore excludes nothing: no statement is there",
                              STR_ARGS(documents[d].relative), ignored->items[i].first) ||
                 !note(g, text, err)))
                return false;
    }
    return g->sources_missed == 0 ||
           (text_format(&text, g->arena, err,
                        "%.*s: %u of its sources %s not as compiled, so comments there exclude "
                        "nothing: %.*s%s",
                        STR_ARGS(g->module->name), g->sources_missed,
                        g->sources_missed == 1 ? "is" : "are", STR_ARGS(g->first_missed),
                        g->sources_missed == 1 ? "" : " and others") &&
            note(g, text, err));
}

static uint32_t *alloc_indexes(struct arena *arena, uint32_t count, struct err *err)
{
    uint32_t *indexes = arena_raw(arena, count, sizeof *indexes, err);
    if (indexes != NULL)
        memset(indexes, 0xFF, count * sizeof *indexes); /* NO_INDEX */
    return indexes;
}

static bool gather(struct gatherer *g, struct err *err)
{
    uint32_t documents =
        g->module->has_pdb ? tables_rows(&g->module->pdb.md.tables, TABLE_Document) : 0;
    g->row_count = tables_rows(&g->module->md.tables, TABLE_MethodDef);
    g->method_index = alloc_indexes(g->arena, g->row_count, err);
    g->document_index = alloc_indexes(g->arena, documents, err);
    g->spans = ARENA_NEW(g->arena, struct span, g->row_count, err);
    if (g->method_index == NULL || g->document_index == NULL || g->spans == NULL ||
        !exclusions_open(&g->exclusions, &g->module->md, &g->request->exclusions, g->arena, err) ||
        !userview_open(&g->view, g->module, g->arena, err) ||
        !identity_open(&g->identity, &g->module->md, g->arena, err))
        return false;
    if (!no_return_open(&g->no_return, g->module, g->request->path, g->arena, err))
        return false;
    g->plan_hash = plan_hash_start(g->request->mode);
    for (uint32_t rid = 1; rid <= g->row_count; rid++)
        if (!gather_method(g, rid, err))
            return false;
    if (g->request->counters != NULL &&
        (g->plan_hash != g->request->plan_hash || g->next_counter != g->request->counter_count))
        return err_set(err, ERR_MISMATCH, "the DLL on disk is not the one that ran");
    fold_methods(g);
    return note_comments(g, err);
}

bool module_facts(struct fact_module *out, uint64_t **counts,
                  const struct module_facts_request *request, struct arena *arena, struct err *err)
{
    struct gatherer g = {.request = request, .module = request->module, .out = out, .arena = arena};
    arena_init(&g.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = gather(&g, err);
    no_return_close(&g.no_return);
    identity_close(&g.identity);
    arena_free(&g.scratch);
    if (!ok)
        return false;
    *out = (struct fact_module){
        .plan_hash = g.plan_hash,
        .documents = g.documents.items,
        .document_count = g.documents.count,
        .methods = g.methods.items,
        .method_count = g.methods.count,
        .statements = g.statements.items,
        .statement_count = g.statements.count,
        .decisions = g.decisions.items,
        .decision_count = g.decisions.count,
        .count_len = g.counts.count,
    };
    memcpy(out->mvid, request->module->mvid, sizeof out->mvid);
    *counts = request->counters != NULL ? g.counts.items : NULL;
    return str_copy(&out->path, request->path, arena, err) &&
           str_copy(&out->name, request->module->name, arena, err) &&
           identity_module(out->identity, out, err);
}

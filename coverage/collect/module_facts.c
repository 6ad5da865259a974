#include "coverage/collect/module_facts.h"

#include <string.h>

#include "coverage/collect/generated_code.h"
#include "coverage/collect/inlined.h"
#include "coverage/collect/method_contents.h"
#include "coverage/collect/module_builder.h"
#include "coverage/names/compiler_name.h"
#include "coverage/names/declaration.h"
#include "coverage/names/display_name.h"
#include "coverage/names/display_type.h"
#include "coverage/names/username.h"
#include "coverage/statements/fsharp_operands.h"
#include "coverage/statements/fsharp_pattern.h"
#include "coverage/statements/vb_points.h"
#include "metadata/lookup.h"
#include "rewriter/mapped_places.h"
#include "system/clock.h"
#include "system/trace.h"

/* --- one method ------------------------------------------------------------------------------- */

static const struct reason *method_exclusion(struct module_builder *g, uint32_t rid,
                                             struct str type)
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

static bool find_owning_type(struct module_builder *g, uint32_t rid, struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct owning_type *owner = &g->owner;
    uint32_t type = owner_of_method(md, rid);
    if (type == owner->rid && owner->name.text != NULL)
        return true;
    *owner = (struct owning_type){.rid = type, .user_rid = compiler_type_user(md, type)};
    if (!username_type(&owner->name, md, type, g->arena, err))
        return false;
    owner->user_name = owner->name;
    return owner->user_rid == type ||
           username_type(&owner->user_name, md, owner->user_rid, g->arena, err);
}

/* The data for finding the method again in another build. */
static bool identify_method(struct module_builder *g, uint32_t rid, const struct flow *flow,
                            struct err *err)
{
    struct fact_method *method = (struct fact_method *)g->methods.items + g->method_index[rid - 1];
    struct body_hash hash;
    if (!method_hash_body(&hash, &g->hasher, rid, g->owner.user_rid, &flow->body, &flow->il,
                          &g->scratch, err))
        return false;
    memcpy(method->body, hash.hash, sizeof method->body);
    if (g->request->is_outline)
        return true;
    return view_copy(&method->instructions, hash.instructions, g->arena, err);
}

static bool add_fact_method(struct module_builder *g, uint32_t rid, enum verdict verdict,
                            struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct fact_method *method = list_add(&g->methods, sizeof *method, g->arena, err);
    if (method == NULL)
        return false;
    g->method_index[rid - 1] = g->methods.count - 1;
    *method = (struct fact_method){.token = TOKEN(TABLE_MethodDef, rid),
                                   .user_method = g->methods.count - 1,
                                   .entry_count = NO_INDEX};
    if (!find_owning_type(g, rid, err) || !username_method(&method->name, md, rid, g->arena, err) ||
        !username_signature(&method->signature, md, rid, g->arena, err))
        return false;
    method->type = g->owner.name;
    method->reason = method_exclusion(g, rid, g->owner.user_name);
    if (method->reason != NULL) {
        method->state = METHOD_EXCLUDED;
    } else if (verdict != VERDICT_OK) {
        method->state = verdict_is_counted(verdict) ? METHOD_INSTRUMENTED : METHOD_DECLINED;
        method->reason = reason_of_verdict(verdict);
    }
    return true;
}

/* The plan, and whether the target saw the same one: counters are numbered across methods in row
 * order. */
static enum verdict plan_method(struct method_contents *m, struct module_builder *g,
                                struct view body)
{
    const struct nothrow *nothrow = g->request->may_change ? NULL : &g->nothrow;
    enum verdict verdict =
        plan_body(&m->plan, &m->flow, body, &g->module->md, nothrow, m->rid, &g->scratch);
    if (verdict == VERDICT_OK)
        g->plan_hash =
            plan_hash_method(g->plan_hash, m->rid, m->flow.body.whole, &m->plan, &m->flow);
    return verdict;
}

static void note_sparse(struct module_builder *g, uint32_t rid, const struct flow *flow)
{
    uint32_t step = mapped_places_step(flow);
    if (step == 1)
        return;
    if (g->sparse_count++ == 0)
        g->first_sparse = rid;
    if (step > g->sparse_step)
        g->sparse_step = step;
}

/* What the symbols say of the method. */
static bool gather_contents(struct method_contents *m, struct module_builder *g, struct err *err)
{
    const struct pdb *pdb = &g->module->pdb;
    struct reach reach;
    if (!pdb_sequence_points(&m->points, pdb, m->rid, &g->scratch, err) ||
        !reach_make(&reach, &m->flow, &g->no_return, &g->scratch, err))
        return false;
    struct points_extent extent = points_extent(&m->points);
    if (!gaps_note_method(&g->extents, g->method_index[m->rid - 1], extent, &g->working, err))
        return false;
    nesting_note(g, m->rid, extent);
    user_method_map_note_lines(&g->view, m->rid, &m->points);
    if (g->request->is_outline)
        return method_contents_outline(m, g, extent, err);
    m->source = (struct statements_source){
        .flow = &m->flow,
        .reach = &reach,
        .points = &m->points,
        .language = language_of_points(pdb, &m->points),
        .is_state_machine = pdb_kickoff_method(pdb, m->rid) != 0,
        .pdb = pdb,
    };
    if (m->source.language == LANGUAGE_FSHARP)
        fsharp_filter_cut_rules(&m->points, &m->flow.body);
    if (m->source.language == LANGUAGE_VISUAL_BASIC)
        vb_points_hide_whole(&m->points, &m->flow.il);
    return method_contents_add(m, g, err);
}

static bool gather_method(struct module_builder *g, uint32_t rid, struct err *err)
{
    const struct module_facts_request *request = g->request;
    struct method_def def;
    struct method_contents m = {.rid = rid, .first_counter = g->next_counter};
    arena_reset(&g->scratch);
    if (!module_method(&def, g->module, rid))
        return true;
    enum verdict verdict = plan_method(&m, g, def.body);
    bool is_sound = verdict == VERDICT_OK;
    if (verdict ==
        VERDICT_DECLINED_MEMORY) /* memory of this program; the verdicts report the target's */
        return err_set(err, ERR_MEMORY, "out of memory: the plan of method %08x needs more",
                       TOKEN(TABLE_MethodDef, rid));
    if (is_sound) {
        g->next_counter += m.plan.counter_count;
        if (!user_method_map_note(&g->view, rid, &m.flow.il, err))
            return false;
        if (request->verdicts != NULL && rid <= request->verdict_count)
            verdict = (enum verdict)request->verdicts[rid - 1];
    }
    if (!add_fact_method(g, rid, verdict, err) ||
        (is_sound && !identify_method(g, rid, &m.flow, err)))
        return false;
    if (!verdict_is_counted(verdict))
        return true;
    if (request->counters == NULL)
        m.counters = ARENA_NEW(&g->scratch, uint64_t, m.plan.counter_count, err);
    else if (g->next_counter > request->counter_count)
        return err_set(err, ERR_MISMATCH, "the DLL on disk is not the one that ran");
    else
        m.counters = request->counters + m.first_counter;
    if (m.counters == NULL ||
        !plan_count(&m.counts, &m.plan, &m.flow, m.counters, &g->scratch, err))
        return false;
    if (m.counts.blocks[0] != 0)
        note_sparse(g, rid, &m.flow);
    if (synthesized_method_is(&g->module->md, rid))
        return true;
    m.entry = module_builder_add_count(g, m.counts.blocks[0], err);
    if (m.entry == NO_INDEX)
        return false;
    ((struct fact_method *)g->methods.items)[g->methods.count - 1].entry_count = m.entry;
    return (!g->module->has_pdb || gather_contents(&m, g, err)) && method_contents_hits(&m, g, err);
}

/* Once all statements are known. */
static bool add_gaps_by_columns(struct module_builder *g, struct err *err)
{
    bool *lacking;
    arena_reset(&g->scratch);
    return documents_lack_lines(&lacking, &g->documents, &g->scratch, err) &&
           gaps_by_columns(g->statements.items, g->statements.count, &g->extents, lacking,
                           g->documents.index_of, g->arena, err);
}

/* --- the module ------------------------------------------------------------------------------- */

/* One line a module; a lambda or state machine is named by the user's method. */
static bool tell_sparse(struct module_builder *g, struct err *err)
{
    if (g->sparse_count == 0)
        return true;
    const struct fact_method *methods = g->methods.items;
    const struct fact_method *first = &methods[g->method_index[g->first_sparse - 1]];
    struct fact_display shown = fact_method_display(&methods[first->user_method]);
    uint32_t others = g->sparse_count - 1, early = g->sparse_step - 1;
    bool one = others == 0;
    struct str *line = list_add(g->request->documents.warnings, sizeof *line, g->arena, err);
    struct text text = text_in(g->arena);
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
static bool add_displays(struct module_builder *g, struct err *err)
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

static bool mark_generated(struct module_builder *g, struct err *err)
{
    const struct fact_module code = {
        .documents = g->documents.list.items,
        .statements = g->statements.items,
        .statement_count = g->statements.count,
        .methods = g->methods.items,
        .method_count = g->methods.count,
    };
    return generated_code_mark(&code, &g->module->md, g->arena, err);
}

/* Which methods are the user's must be known. */
static bool add_declarations(struct module_builder *g, struct err *err)
{
    struct declarations declarations;
    struct fact_method *methods = g->methods.items;
    if (!g->request->declares)
        return true;
    if (!declarations_open(&declarations, g->module, &g->hasher, err))
        return false;
    for (uint32_t i = 0; i < g->methods.count; i++) {
        uint32_t rid = TOKEN_RID(methods[i].token), user = methods[i].user_method;
        methods[user].declaration += user == i ? declaration_of_method(&declarations, rid)
                                               : declaration_of_made(&declarations, rid);
    }
    return declarations_list(&g->types, &g->type_count, &declarations, g->arena);
}

static bool gather_module(struct module_builder *g, struct err *err)
{
    g->row_count = tables_rows(&g->module->md.tables, TABLE_MethodDef);
    g->method_index = arena_no_indexes(&g->working, g->row_count, err);
    g->ranges = ARENA_NEW(&g->working, struct method_range, g->row_count, err);
    if (g->method_index == NULL || g->ranges == NULL ||
        !documents_open(&g->documents, &g->request->documents, g->module, g->arena, &g->scratch,
                        err) ||
        !exclusions_open(&g->exclusions, &g->module->md, &g->request->exclusions, g->arena, err) ||
        !user_method_map_open(&g->view, g->module, &g->working, err) ||
        !method_hash_open(&g->hasher, g->module, &g->working, err))
        return false;
    if (!no_return_open(&g->no_return, g->module, g->request->path, &g->working, err))
        return false;
    const struct module_facts_request *request = g->request;
    if (!request->may_change && !find_nothrow(&g->nothrow, &g->module->md, body_in_image, g->module,
                                              &g->working, &g->scratch))
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
    return nesting_fold(g, err) && mark_generated(g, err) &&
           (request->is_outline || add_displays(g, err)) && add_declarations(g, err) &&
           add_gaps_by_columns(g, err) && tell_sparse(g, err) &&
           (request->inlined == NULL || inlined_note_module(request->inlined, g, err)) &&
           documents_note_comments(&g->documents, err) && documents_add_others(&g->documents, err);
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
    struct module_builder g = {.request = request, .module = request->module, .arena = arena};
    int64_t start = clock_ns();
    g.working = ARENA_EMPTY;
    g.scratch = ARENA_EMPTY;
    bool ok = gather_module(&g, err);
    no_return_close(&g.no_return);
    documents_close(&g.documents);
    method_hash_close(&g.hasher);
    arena_free(&g.scratch);
    arena_free(&g.working);
    if (!ok)
        return false;
    trace_since(start, "facts of %.*s: %u methods, %u statements, %u decisions",
                STR_ARGS(request->module->name), g.methods.count, g.statements.count,
                g.decisions.count);
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
           method_hash_module(out->identity, out, err);
}

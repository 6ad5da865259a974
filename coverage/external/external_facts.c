#include "coverage/external/external_facts.h"

#include <string.h>

#include "base/list.h"
#include "coverage/facts/digest.h"
#include "coverage/source/paths.h"

static const char no_package[] = "(unknown assembly)";

/* One module being built. */
struct external_module {
    struct list methods, statements, decisions, counts;
    struct arena *arena;
    struct err *err;
};

/* --- a report's lines as statements ----------------------------------------------------------- */

static uint32_t add_line_count(struct external_module *w, uint64_t value)
{
    uint64_t *count = list_add(&w->counts, sizeof *count, w->arena, w->err);
    if (count == NULL)
        return NO_INDEX;
    *count = value;
    return w->counts.count - 1;
}

/* In most reports, the lines of one method are adjacent. A method without a name in the report has
 * its class's name. */
static bool enter_method(struct external_module *w, const struct external_file *file,
                         const struct external_member *member)
{
    struct fact_method *last = w->methods.items;
    struct str type = member->class_name.len != 0 ? member->class_name : file->path;
    if (w->methods.count != 0 && str_eq(last[w->methods.count - 1].type, type) &&
        str_eq(last[w->methods.count - 1].name, member->method_name) &&
        str_eq(last[w->methods.count - 1].signature, member->method_signature))
        return true;
    struct fact_method *method = list_add(&w->methods, sizeof *method, w->arena, w->err);
    if (method == NULL)
        return false;
    *method = (struct fact_method){.token = w->methods.count, /* any ascending numbers */
                                   .type = type,
                                   .name = member->method_name,
                                   .signature = member->method_signature,
                                   .user_method = w->methods.count - 1,
                                   .entry_count = NO_INDEX};
    return true;
}

static bool add_line_decision(struct external_module *w, uint32_t document,
                              const struct external_line *line)
{
    uint32_t outcomes = line->outcome_count;
    if (outcomes == 0)
        return true;
    struct fact_decision *decision = list_add(&w->decisions, sizeof *decision, w->arena, w->err);
    if (decision == NULL)
        return false;
    *decision = (struct fact_decision){.method = w->methods.count - 1,
                                       .document = document,
                                       .il_offset = w->decisions.count,
                                       .line = line->number,
                                       .outcome_count = outcomes,
                                       .is_switch = outcomes != 2,
                                       .first_count = w->counts.count,
                                       .span = {line->number, line->number, 0, 0}};
    for (uint32_t i = 0; i < outcomes; i++)
        if (add_line_count(w, line->outcomes != NULL ? line->outcomes[i]
                                                     : i < line->covered_count) == NO_INDEX)
            return false;
    return true;
}

static bool add_line_statement(struct external_module *w, uint32_t document,
                               const struct external_file *file, const struct external_line *line,
                               const struct external_member *member)
{
    struct fact_statement *statement =
        list_add(&w->statements, sizeof *statement, w->arena, w->err);
    if (statement == NULL || !enter_method(w, file, member))
        return false;
    *statement = (struct fact_statement){.method = w->methods.count - 1,
                                         .document = document,
                                         .il_offset = w->statements.count,
                                         .start_line = line->number,
                                         .end_line = line->number,
                                         .start_column = 1,
                                         .end_column = 2,
                                         .count = add_line_count(w, member->hits)};
    return statement->count != NO_INDEX;
}

/* Of several methods, the one with the hits of the line has its branches. */
static bool add_external_line(struct external_module *w, uint32_t document,
                              const struct external_file *file, const struct external_line *line)
{
    const struct external_member *most = line->members;
    for (uint32_t i = 1; i < line->member_count; i++)
        if (line->members[i].hits > most->hits)
            most = &line->members[i];
    for (uint32_t i = 0; i < line->member_count; i++)
        if (&line->members[i] != most &&
            !add_line_statement(w, document, file, line, &line->members[i]))
            return false;
    return add_line_statement(w, document, file, line, most) &&
           add_line_decision(w, document, line);
}

static bool add_external_document(struct fact_document *out, const struct external_file *file,
                                  struct str root, struct external_module *w)
{
    enum path_place place;
    struct str relative;
    *out = (struct fact_document){.path = file->path};
    if (!paths_place(&place, &relative, root, file->path, w->arena, w->err))
        return false;
    out->relative = place != PATH_OUTSIDE ? relative : STR("");
    out->reason = place != PATH_OUTSIDE ? NULL : reason_of(REASON_OUTSIDE_ROOT);
    return true;
}

/* Equal lines, whatever their hits, mean a report of the same build by the same tool. */
static bool identify_report_module(struct fact_module *module, struct str tool, struct err *err)
{
    struct digest digest;
    if (!digest_open(&digest, err))
        return false;
    digest_text(&digest, STR("external"));
    digest_text(&digest, tool);
    digest_text(&digest, module->name);
    for (uint32_t i = 0; i < module->document_count; i++)
        digest_text(&digest, module->documents[i].path);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        digest_u32(&digest, module->statements[i].document);
        digest_u32(&digest, module->statements[i].method);
        digest_u32(&digest, module->statements[i].start_line);
    }
    for (uint32_t i = 0; i < module->decision_count; i++) {
        digest_u32(&digest, module->decisions[i].line);
        digest_u32(&digest, module->decisions[i].outcome_count);
    }
    digest_take(module->identity, &digest);
    digest_close(&digest);
    return true;
}

static bool add_external_module(struct fact_module *out, struct fact_counts *counts,
                                const struct external *external, uint32_t first, uint32_t end,
                                struct str root, struct arena *arena, struct err *err)
{
    struct external_module w = {.arena = arena, .err = err};
    struct str package = external->files[first].package;
    *out = (struct fact_module){.name = package.len != 0 ? package : str_of(no_package),
                                .state = MODULE_EXTERNAL,
                                .document_count = end - first};
    out->documents = ARENA_NEW(arena, struct fact_document, out->document_count, err);
    if (out->documents == NULL)
        return false;
    for (uint32_t i = first; i < end; i++) {
        const struct external_file *file = &external->files[i];
        if (!add_external_document(&out->documents[i - first], file, root, &w))
            return false;
        for (uint32_t k = 0; k < file->line_count; k++)
            if (!add_external_line(&w, i - first, file, &file->lines[k]))
                return false;
    }
    out->methods = w.methods.items;
    out->method_count = w.methods.count;
    out->statements = w.statements.items;
    out->statement_count = w.statements.count;
    out->decisions = w.decisions.items;
    out->decision_count = w.decisions.count;
    out->count_len = w.counts.count;
    counts->counts = w.counts.items;
    return identify_report_module(out, external->tool, err);
}

/* The same report is the same run. */
static bool identify_report_run(struct fact_run *run, const struct facts *facts, struct err *err)
{
    struct digest digest;
    uint8_t hash[DIGEST_LEN];
    if (!digest_open(&digest, err))
        return false;
    digest_u64(&digest, (uint64_t)run->started);
    for (uint32_t i = 0; i < facts->module_count; i++) {
        digest_bytes(&digest, facts->modules[i].identity, sizeof facts->modules[i].identity);
        for (uint32_t k = 0; k < facts->modules[i].count_len; k++)
            digest_u64(&digest, facts->counts[i].counts[k]);
    }
    digest_take(hash, &digest);
    digest_close(&digest);
    memcpy(run->id, hash, sizeof run->id);
    return true;
}

bool external_facts(struct facts *out, const struct external *external, struct str root,
                    struct arena *arena, struct err *err)
{
    *out =
        (struct facts){.run_count = 1,
                       .runs = ARENA_NEW(arena, struct fact_run, 1, err),
                       .modules = ARENA_NEW(arena, struct fact_module, external->file_count, err),
                       .counts = ARENA_NEW(arena, struct fact_counts, external->file_count, err)};
    if (out->runs == NULL || out->modules == NULL || out->counts == NULL)
        return false;
    for (uint32_t i = 0, end = 0; i < external->file_count; i = end) {
        while (end < external->file_count &&
               str_eq(external->files[end].package, external->files[i].package))
            end++;
        uint32_t module = out->module_count++;
        out->counts[out->counts_count++] = (struct fact_counts){0, module, NULL};
        if (!add_external_module(&out->modules[module], &out->counts[module], external, i, end,
                                 root, arena, err))
            return false;
    }
    out->runs[0] =
        (struct fact_run){.started = external->timestamp, .kind = RUN_EXTERNAL, .root = root};
    return text_format(&out->runs[0].label, arena, err, "%.*s%s%.*s", STR_ARGS(external->format),
                       external->tool.len != 0 ? " of " : "", STR_ARGS(external->tool)) &&
           identify_report_run(&out->runs[0], out, err) && facts_sort(out, arena, err);
}

bool external_only(const struct facts *facts)
{
    uint32_t external = 0, own = 0;
    for (uint32_t i = 0; i < facts->module_count; i++) {
        external += facts->modules[i].state == MODULE_EXTERNAL;
        own += facts_has_code(&facts->modules[i]);
    }
    return external != 0 && own == 0;
}

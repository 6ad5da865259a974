#include "coverage/external/external_apply.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/line_rank.h"
#include "coverage/facts/sums.h"

/* A source file in a module of ilcov's own. */
struct own_file {
    struct str relative;
    uint32_t module, document;
};

/* Of a module. */
struct known {
    uint32_t *first, *next; /* per document its first statement, per statement the next of those */
    const uint64_t *counts; /* measured, by ilcov or the other tool */
    uint64_t *given;        /* counts from the other tool */
    struct condition_lines conditions;
};

struct applying {
    struct facts *out;
    struct known *known;    /* per module */
    struct own_file *files; /* by path, module */
    uint32_t file_count;
    struct arena *arena, scratch; /* of one file */
    struct err *err;
};

/* --- files that ilcov measured ---------------------------------------------------------------- */

ORDER(order_own_files, struct own_file, BY(relative) BY(module) BY(document))

static bool list_own_files(struct applying *w)
{
    const struct facts *facts = w->out;
    size_t room = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        room += facts->modules[i].document_count;
    w->files = ARENA_NEW(w->arena, struct own_file, room, w->err);
    if (w->files == NULL)
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++) {
        const struct fact_module *module = &facts->modules[i];
        for (uint32_t d = 0; d < module->document_count && facts_has_code(module); d++)
            if (module->documents[d].relative.len != 0)
                w->files[w->file_count++] = (struct own_file){module->documents[d].relative, i, d};
    }
    sort_unless_sorted(w->files, w->file_count, sizeof *w->files, order_own_files);
    return true;
}

/* Is the file in one of ilcov's own assemblies with that name? Microsoft's collector has written
 * names in lower case. */
static bool is_own_file_in(const struct applying *w, const struct own_file *file,
                           struct str package)
{
    return str_eq_nocase(w->out->modules[file->module].name, package);
}

/* The file in each build of the assembly; if no assembly of that name has it, in each that has it.
 * Returns how many; NO_INDEX without memory. */
static uint32_t find_own_files(struct own_file **files, struct applying *w, struct str package,
                               struct str relative)
{
    const struct own_file key = {.relative = relative}; /* the first module and document */
    uint32_t count = 0, same = 0;
    size_t low = sorted_place(&key, w->files, w->file_count, sizeof key, order_own_files);
    *files = w->files + low;
    while (low + count < w->file_count && str_eq((*files)[count].relative, relative))
        count++;
    struct own_file *found = ARENA_NEW(&w->scratch, struct own_file, count, w->err);
    if (found == NULL)
        return NO_INDEX;
    for (uint32_t i = 0; i < count; i++)
        if (is_own_file_in(w, &(*files)[i], package))
            found[same++] = (*files)[i];
    if (same != 0)
        *files = found;
    return same != 0 ? same : count;
}

static bool know_module(struct applying *w, uint32_t module)
{
    const struct fact_module *m = &w->out->modules[module];
    struct known *k = &w->known[module];
    struct sums sums;
    k->first = ARENA_NEW(w->arena, uint32_t, m->document_count, w->err);
    k->next = ARENA_NEW(w->arena, uint32_t, m->statement_count, w->err);
    k->given = ARENA_NEW(w->arena, uint64_t, m->count_len, w->err);
    if (k->first == NULL || k->next == NULL || k->given == NULL ||
        !sums_make(&sums, w->out, module, SUMS_REAL, w->arena, w->err) ||
        !condition_lines_find(&k->conditions, m, w->arena, w->err))
        return false;
    for (uint32_t d = 0; d < m->document_count; d++)
        k->first[d] = NO_INDEX;
    for (uint32_t i = m->statement_count; i-- != 0;) {
        uint32_t *first = &k->first[m->statements[i].document];
        k->next[i] = *first;
        *first = i;
    }
    k->counts = sums.counts;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Those of a file that the other tool has. */
struct lines {
    uint32_t len;
    uint64_t *hits; /* of several methods the largest */
    bool *ran;      /* ilcov saw it run, or has it from the other tool */
};

/* Of one file in one module. */
struct own_lines {
    const struct fact_module *module;
    const struct known *known;
    uint32_t first;   /* statement */
    uint32_t *picked; /* per line the statement that hits would go to, or NO_INDEX */
};

static bool read_their_hits(struct lines *out, uint32_t module, uint32_t document,
                            struct applying *w)
{
    const struct fact_statement *statements = w->out->modules[module].statements;
    const struct known *k = &w->known[module];
    *out = (struct lines){.len = 0};
    for (uint32_t i = k->first[document]; i != NO_INDEX; i = k->next[i])
        if (statements[i].start_line >= out->len)
            out->len = statements[i].start_line + 1;
    out->hits = ARENA_NEW(&w->scratch, uint64_t, out->len, w->err);
    out->ran = ARENA_NEW(&w->scratch, bool, out->len, w->err);
    if (out->hits == NULL || out->ran == NULL)
        return false;
    for (uint32_t i = k->first[document]; i != NO_INDEX; i = k->next[i]) {
        uint64_t *hits = &out->hits[statements[i].start_line];
        if (k->counts[statements[i].count] > *hits)
            *hits = k->counts[statements[i].count];
    }
    return true;
}

/* Is it in reports, as far as facts tell? */
static bool is_in_reports(const struct fact_module *module, const struct fact_statement *statement)
{
    const struct fact_method *method = &module->methods[statement->method];
    return statement->reason == NULL && method->state == METHOD_INSTRUMENTED &&
           module->methods[method->user_method].state != METHOD_EXCLUDED;
}

static uint32_t last_told_line(const struct fact_statement *statement, const struct lines *lines)
{
    return statement->end_line < lines->len ? statement->end_line : lines->len - 1;
}

static bool is_before(const struct own_lines *own, const struct fact_statement *a,
                      const struct fact_statement *b, uint32_t line)
{
    const struct fact_module *m = own->module;
    const struct condition_lines *conditions = &own->known->conditions;
    int order = number_order(line_rank(conditions, a, line), line_rank(conditions, b, line));
    if (order == 0)
        order = number_order(is_in_reports(m, b), is_in_reports(m, a));
    if (order == 0)
        order = number_order(a->start_line != line, b->start_line != line);
    if (order == 0)
        order = number_order(a->start_line, b->start_line);
    return order != 0 ? order < 0 : a->start_column < b->start_column;
}

static bool pick_statements(struct own_lines *own, const struct lines *lines, struct applying *w)
{
    const struct fact_statement *statements = own->module->statements;
    own->picked = ARENA_NEW(&w->scratch, uint32_t, lines->len, w->err);
    if (own->picked == NULL)
        return false;
    for (uint32_t line = 0; line < lines->len; line++)
        own->picked[line] = NO_INDEX;
    for (uint32_t i = own->first; i != NO_INDEX; i = own->known->next[i]) {
        const struct fact_statement *s = &statements[i];
        for (uint32_t line = s->start_line; line <= last_told_line(s, lines); line++) {
            uint32_t *best = &own->picked[line];
            if (facts_has_text(s, line) &&
                (*best == NO_INDEX || is_before(own, s, &statements[*best], line)))
                *best = i;
        }
    }
    return true;
}

/* A statement that runs covers all lines that it is, so that none of them needs another. */
static void note_ran(const struct own_lines *own, const struct fact_statement *s,
                     const struct lines *lines)
{
    const struct condition_lines *conditions = &own->known->conditions;
    for (uint32_t line = s->start_line; line <= last_told_line(s, lines); line++)
        lines->ran[line] |=
            facts_has_text(s, line) &&
            line_rank(conditions, s, line) ==
                line_rank(conditions, &own->module->statements[own->picked[line]], line);
}

static void note_measured(const struct own_lines *own, const struct lines *lines)
{
    for (uint32_t i = own->first; i != NO_INDEX; i = own->known->next[i]) {
        const struct fact_statement *s = &own->module->statements[i];
        if (own->known->counts[s->count] != 0 && is_in_reports(own->module, s))
            note_ran(own, s, lines);
    }
}

static void give_line_hits(const struct own_lines *own, const struct lines *lines)
{
    for (uint32_t line = 0; line < lines->len; line++) {
        if (lines->hits[line] == 0 || lines->ran[line] || own->picked[line] == NO_INDEX)
            continue;
        const struct fact_statement *s = &own->module->statements[own->picked[line]];
        if (!is_in_reports(own->module, s))
            continue;
        uint64_t *given = &own->known->given[s->count];
        if (lines->hits[line] > *given)
            *given = lines->hits[line];
        note_ran(own, s, lines);
    }
}

static bool give_hits(struct applying *w, const struct own_file *files, uint32_t count,
                      const struct lines *lines)
{
    struct own_lines *own = ARENA_NEW(&w->scratch, struct own_lines, count, w->err);
    for (uint32_t i = 0; own != NULL && i < count; i++) {
        const struct known *known = &w->known[files[i].module];
        own[i] = (struct own_lines){.module = &w->out->modules[files[i].module],
                                    .known = known,
                                    .first = known->first[files[i].document]};
        if (!pick_statements(&own[i], lines, w))
            return false;
        note_measured(&own[i], lines);
    }
    for (uint32_t i = 0; own != NULL && i < count; i++)
        give_line_hits(&own[i], lines);
    return own != NULL;
}

/* --- what is left of the other tool ----------------------------------------------------------- */

/* The method in the list that is kept. Only methods with lines are: the names of others would take
 * those of ilcov's place. */
static uint32_t keep_method(struct fact_module *m, uint32_t *kept, const struct fact_method *all,
                            uint32_t method)
{
    if (kept[method] == NO_INDEX) {
        kept[method] = m->method_count++;
        m->methods[kept[method]] = all[method];
        m->methods[kept[method]].user_method = kept[method]; /* external_facts.c */
    }
    return kept[method];
}

/* `measured`: per document, whether ilcov has it, too. */
static bool drop_measured(struct fact_module *m, const bool *measured, struct applying *w)
{
    const struct fact_module all = *m;
    uint32_t *kept = ARENA_NEW(&w->scratch, uint32_t, all.method_count, w->err);
    m->methods = ARENA_NEW(w->arena, struct fact_method, all.method_count, w->err);
    m->statements = ARENA_NEW(w->arena, struct fact_statement, all.statement_count, w->err);
    m->decisions = ARENA_NEW(w->arena, struct fact_decision, all.decision_count, w->err);
    if (kept == NULL || m->methods == NULL || m->statements == NULL || m->decisions == NULL)
        return false;
    m->method_count = m->statement_count = m->decision_count = 0;
    for (uint32_t i = 0; i < all.method_count; i++)
        kept[i] = NO_INDEX;
    for (uint32_t i = 0; i < all.statement_count; i++) {
        struct fact_statement statement = all.statements[i];
        if (measured[statement.document])
            continue;
        statement.method = keep_method(m, kept, all.methods, statement.method);
        m->statements[m->statement_count++] = statement;
    }
    for (uint32_t i = 0; i < all.decision_count; i++) {
        struct fact_decision decision = all.decisions[i];
        if (measured[decision.document])
            continue;
        decision.method = keep_method(m, kept, all.methods, decision.method);
        m->decisions[m->decision_count++] = decision;
    }
    if (m->statement_count == 0) {
        m->state = MODULE_SKIPPED;
        m->reason = reason_of(REASON_MEASURED);
    }
    return true;
}

static bool apply_document(bool *measured, uint32_t module, uint32_t document, struct applying *w)
{
    const struct fact_module *m = &w->out->modules[module];
    const struct fact_document *d = &m->documents[document];
    struct own_file *files = NULL;
    struct lines lines;
    if (d->relative.len == 0 || d->reason != NULL)
        return true;
    arena_reset(&w->scratch);
    uint32_t count = find_own_files(&files, w, m->name, d->relative);
    *measured = count != 0;
    return count == 0 || (count != NO_INDEX && read_their_hits(&lines, module, document, w) &&
                          (lines.len == 0 || give_hits(w, files, count, &lines)));
}

static bool apply_module(uint32_t module, struct applying *w)
{
    struct fact_module *m = &w->out->modules[module];
    bool *measured = ARENA_NEW(w->arena, bool, m->document_count, w->err), any = false;
    if (measured == NULL)
        return false;
    for (uint32_t d = 0; d < m->document_count; d++) {
        if (!apply_document(&measured[d], module, d, w))
            return false;
        any |= measured[d];
    }
    arena_reset(&w->scratch);
    return !any || drop_measured(m, measured, w);
}

/* --- the whole -------------------------------------------------------------------------------- */

static uint32_t external_run(const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        if (facts->runs[i].kind == RUN_EXTERNAL)
            return i;
    return 0;
}

static bool copy_facts(struct applying *w, const struct facts *facts)
{
    struct facts *out = w->out;
    out->modules =
        arena_copy(w->arena, facts->modules, facts->module_count, sizeof *out->modules, w->err);
    out->counts = ARENA_NEW(w->arena, struct fact_counts,
                            (size_t)facts->counts_count + facts->module_count, w->err);
    w->known = ARENA_NEW(w->arena, struct known, facts->module_count, w->err);
    if (out->modules == NULL || out->counts == NULL || w->known == NULL)
        return false;
    if (facts->counts_count != 0)
        memcpy(out->counts, facts->counts, facts->counts_count * sizeof *out->counts);
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (!know_module(w, i))
            return false;
    return true;
}

static bool has_any_count(const uint64_t *counts, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        if (counts[i] != 0)
            return true;
    return false;
}

static bool apply_all(struct applying *w, const struct facts *facts)
{
    struct facts *out = w->out;
    if (!copy_facts(w, facts) || !list_own_files(w))
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].state == MODULE_EXTERNAL && !apply_module(i, w))
            return false;
    for (uint32_t i = 0; i < facts->module_count; i++) {
        if (!has_any_count(w->known[i].given, facts->modules[i].count_len))
            continue;
        out->counts[out->counts_count++] =
            (struct fact_counts){external_run(facts), i, w->known[i].given};
        if (out->modules[i].state == MODULE_NOT_LOADED) /* but in the other tool's run */
            out->modules[i].state = MODULE_INSTRUMENTED;
    }
    return true;
}

bool external_apply(struct facts *out, const struct facts *facts, struct arena *arena,
                    struct err *err)
{
    uint32_t external_count = 0;
    *out = *facts;
    for (uint32_t i = 0; i < facts->module_count; i++)
        external_count += facts->modules[i].state == MODULE_EXTERNAL;
    if (external_count == 0 || external_count == facts->module_count)
        return true;
    struct applying w = {.out = out, .arena = arena, .err = err, .scratch = ARENA_EMPTY};
    bool ok = apply_all(&w, facts);
    arena_free(&w.scratch);
    return ok;
}

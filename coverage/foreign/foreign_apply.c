#include "coverage/foreign/foreign_apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/sums.h"

enum {
    NAMES_MAX = 64 /* of one line, that are looked at */
};

/* A source file in a module of ilcov's own. */
struct own_file {
    struct str relative;
    uint32_t module, document;
};

/* The statements of a module, by document and otherwise in their order. */
struct grouped {
    uint32_t *first; /* per document, and one more: its place in `statements` */
    uint32_t *statements;
};

struct work {
    struct facts *out;
    struct grouped *groups; /* per module; NULL lists: not needed yet */
    struct own_file *files; /* by path, module */
    uint32_t file_count;
    uint64_t **measured, **given; /* per module of ilcov's own: counts; NULL: not needed yet */
    struct arena *arena, scratch; /* of one file */
    struct err *err;
};

/* --- files that ilcov measured ---------------------------------------------------------------- */

static int order_files(const void *left, const void *right)
{
    const struct own_file *a = left, *b = right;
    int order = str_cmp(a->relative, b->relative);
    if (order == 0)
        order = number_order(a->module, b->module);
    return order != 0 ? order : number_order(a->document, b->document);
}

static bool list_own_files(struct work *w)
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
    if (w->file_count != 0)
        qsort(w->files, w->file_count, sizeof *w->files, order_files);
    return true;
}

/* Is the file in one of ilcov's own assemblies with that name? Microsoft's collector has written
 * names in lower case. */
static bool is_in(const struct work *w, const struct own_file *file, struct str package)
{
    return str_eq_nocase(w->out->modules[file->module].name, package);
}

/* The file in each build of the assembly; if no assembly of that name has it, in each that has it.
 * Returns how many; NO_INDEX without memory. */
static uint32_t find_own(struct own_file **files, struct work *w, struct str package,
                         struct str relative)
{
    const struct own_file key = {.relative = relative}; /* the first module and document */
    uint32_t count = 0, same = 0;
    size_t low = sorted_place(&key, w->files, w->file_count, sizeof key, order_files);
    *files = w->files + low;
    while (low + count < w->file_count && str_eq((*files)[count].relative, relative))
        count++;
    struct own_file *found = ARENA_NEW(&w->scratch, struct own_file, count, w->err);
    if (found == NULL)
        return NO_INDEX;
    for (uint32_t i = 0; i < count; i++)
        if (is_in(w, &(*files)[i], package))
            found[same++] = (*files)[i];
    if (same != 0)
        *files = found;
    return same != 0 ? same : count;
}

/* --- the statements of a document ------------------------------------------------------------- */

/* Of one document. */
struct group {
    const uint32_t *statements;
    uint32_t count;
};

static bool group_statements(struct grouped *out, const struct fact_module *module, struct work *w)
{
    out->first = ARENA_NEW(w->arena, uint32_t, (size_t)module->document_count + 2, w->err);
    out->statements = ARENA_NEW(w->arena, uint32_t, module->statement_count, w->err);
    if (out->first == NULL || out->statements == NULL)
        return false;
    uint32_t *next = out->first + 1; /* one place later, until all are placed */
    for (uint32_t i = 0; i < module->statement_count; i++)
        next[module->statements[i].document + 1]++;
    for (uint32_t d = 0; d < module->document_count; d++)
        next[d + 1] += next[d];
    for (uint32_t i = 0; i < module->statement_count; i++)
        out->statements[next[module->statements[i].document]++] = i;
    return true;
}

static bool group_of(struct group *out, struct work *w, uint32_t module, uint32_t document)
{
    struct grouped *grouped = &w->groups[module];
    if (grouped->first == NULL && !group_statements(grouped, &w->out->modules[module], w))
        return false;
    uint32_t first = grouped->first[document];
    *out = (struct group){grouped->statements + first, grouped->first[document + 1] - first};
    return true;
}

/* --- hits of the other tool ------------------------------------------------------------------- */

/* One document of a foreign module. */
struct their_lines {
    const struct fact_module *module;
    struct group group;
    uint32_t len;
    uint64_t *hits; /* per line: of several methods the largest, added up over the runs */
    /* Per line, a statement that ran, as its place in the group, or NO_INDEX; per place, the
     * next. */
    uint32_t *ran, *next;
};

static bool add_hits(struct their_lines *t, bool *ran, const uint64_t *counts, struct work *w)
{
    uint64_t *hits = ARENA_NEW(&w->scratch, uint64_t, t->len, w->err);
    if (hits == NULL)
        return false;
    for (uint32_t i = 0; i < t->group.count; i++) {
        const struct fact_statement *s = &t->module->statements[t->group.statements[i]];
        ran[i] |= counts[s->count] != 0;
        if (counts[s->count] > hits[s->start_line])
            hits[s->start_line] = counts[s->count];
    }
    for (uint32_t i = 0; i < t->len; i++)
        t->hits[i] = number_add(t->hits[i], hits[i]);
    return true;
}

static bool read_lines(struct their_lines *out, uint32_t module, uint32_t document, struct work *w)
{
    const struct facts *facts = w->out;
    const struct fact_module *m = &facts->modules[module];
    struct their_lines t = {.module = m};
    if (!group_of(&t.group, w, module, document))
        return false;
    for (uint32_t i = 0; i < t.group.count; i++)
        if (m->statements[t.group.statements[i]].start_line >= t.len)
            t.len = m->statements[t.group.statements[i]].start_line + 1;
    bool *ran = ARENA_NEW(&w->scratch, bool, t.group.count, w->err);
    t.hits = ARENA_NEW(&w->scratch, uint64_t, t.len, w->err);
    t.ran = ARENA_NEW(&w->scratch, uint32_t, t.len, w->err);
    t.next = ARENA_NEW(&w->scratch, uint32_t, t.group.count, w->err);
    if (ran == NULL || t.hits == NULL || t.ran == NULL || t.next == NULL)
        return false;
    for (uint32_t k = 0; k < facts->counts_count; k++)
        if (facts->counts[k].module == module && !add_hits(&t, ran, facts->counts[k].counts, w))
            return false;
    for (uint32_t i = 0; i < t.len; i++)
        t.ran[i] = NO_INDEX;
    for (uint32_t i = 0; i < t.group.count; i++) {
        uint32_t line = m->statements[t.group.statements[i]].start_line;
        if (!ran[i])
            continue;
        t.next[i] = t.ran[line];
        t.ran[line] = i;
    }
    *out = t;
    return true;
}

/* Does the other tool say that a method of this name ran on the line? */
static bool names_method(const struct their_lines *t, uint32_t line,
                         const struct fact_method *method)
{
    uint32_t at = t->ran[line];
    for (int i = 0; i < NAMES_MAX && at != NO_INDEX; i++, at = t->next[at]) {
        const struct fact_statement *statement = &t->module->statements[t->group.statements[at]];
        const struct fact_method *other = &t->module->methods[statement->method];
        if (str_eq(other->type, method->type) && str_eq(other->name, method->name))
            return true;
    }
    return false;
}

/* --- ilcov's own lines ------------------------------------------------------------------------ */

/* Of one file in one module, as far as the other tool has lines. */
struct own_lines {
    const struct fact_module *module;
    struct group group;
    uint32_t len;
    uint64_t *rank;   /* of the statements that a line is, as in facts_rank; UINT64_MAX: none */
    uint32_t *picked; /* the statement that hits would go to, or NO_INDEX */
    const uint64_t *measured;
    uint64_t *given;
    const struct their_lines *theirs;
};

/* Is it in reports, as far as facts tell? */
static bool is_shown(const struct fact_module *module, const struct fact_statement *statement)
{
    const struct fact_method *method = &module->methods[statement->method];
    return statement->reason == NULL && method->state == METHOD_COVERED &&
           module->methods[method->user_method].state != METHOD_EXCLUDED;
}

static uint32_t last_line(const struct own_lines *o, const struct fact_statement *statement)
{
    return statement->end_line < o->len ? statement->end_line : o->len - 1;
}

/* The method itself, or the user's method that it is shown under. */
static bool is_named(const struct own_lines *o, const struct fact_statement *s, uint32_t line)
{
    const struct fact_method *method = &o->module->methods[s->method];
    return names_method(o->theirs, line, method) ||
           names_method(o->theirs, line, &o->module->methods[method->user_method]);
}

/* A line that hits of another report went to already stays with that statement. */
static bool is_better(const struct own_lines *o, const struct fact_statement *a,
                      const struct fact_statement *b, uint32_t line)
{
    int order = number_order(o->given[b->count] != 0, o->given[a->count] != 0);
    if (order == 0)
        order = number_order(is_named(o, b, line), is_named(o, a, line));
    if (order == 0)
        order = number_order(a->start_line != line, b->start_line != line);
    if (order == 0)
        order = number_order(a->start_line, b->start_line);
    return order != 0 ? order < 0 : a->start_column < b->start_column;
}

static void rank_lines(struct own_lines *o)
{
    for (uint32_t i = 0; i < o->group.count; i++) {
        const struct fact_statement *s = &o->module->statements[o->group.statements[i]];
        for (uint32_t line = s->start_line; line <= last_line(o, s); line++) {
            uint64_t rank = facts_rank(s, line);
            if (facts_has_text(s, line) && rank < o->rank[line])
                o->rank[line] = rank;
        }
    }
}

/* Of each line, the statement that hits would go to, and whether ilcov saw it run. */
static void pick_statements(struct own_lines *o, bool *ran)
{
    for (uint32_t i = 0; i < o->group.count; i++) {
        const struct fact_statement *s = &o->module->statements[o->group.statements[i]];
        if (!is_shown(o->module, s))
            continue;
        for (uint32_t line = s->start_line; line <= last_line(o, s); line++) {
            if (!facts_has_text(s, line) || facts_rank(s, line) != o->rank[line])
                continue;
            uint32_t best = o->picked[line];
            ran[line] |= o->measured[s->count] != 0;
            if (best == NO_INDEX || is_better(o, s, &o->module->statements[best], line))
                o->picked[line] = o->group.statements[i];
        }
    }
}

static bool open_lines(struct own_lines *o, const struct own_file *file,
                       const struct their_lines *theirs, struct work *w)
{
    uint32_t len = theirs->len;
    *o = (struct own_lines){.module = &w->out->modules[file->module],
                            .len = len,
                            .rank = ARENA_NEW(&w->scratch, uint64_t, len, w->err),
                            .picked = ARENA_NEW(&w->scratch, uint32_t, len, w->err),
                            .measured = w->measured[file->module],
                            .given = w->given[file->module],
                            .theirs = theirs};
    if (o->rank == NULL || o->picked == NULL ||
        !group_of(&o->group, w, file->module, file->document))
        return false;
    for (uint32_t i = 0; i < len; i++) {
        o->rank[i] = UINT64_MAX;
        o->picked[i] = NO_INDEX;
    }
    return true;
}

/* A statement that runs covers all of its lines, so that none of them needs another. */
static void give(const struct own_lines *o, bool *ran)
{
    const uint64_t *hits = o->theirs->hits;
    for (uint32_t line = 0; line < o->len; line++) {
        if (hits[line] == 0 || ran[line] || o->picked[line] == NO_INDEX)
            continue;
        const struct fact_statement *s = &o->module->statements[o->picked[line]];
        if (hits[line] > o->given[s->count])
            o->given[s->count] = hits[line];
        for (uint32_t next = line; next <= last_line(o, s); next++)
            ran[next] |= facts_has_text(s, next) && facts_rank(s, next) == o->rank[next];
    }
}

static bool know_counts(struct work *w, uint32_t module)
{
    struct sums sums;
    if (w->given[module] != NULL)
        return true;
    w->given[module] = ARENA_NEW(w->arena, uint64_t, w->out->modules[module].count_len, w->err);
    if (w->given[module] == NULL || !sums_make(&sums, w->out, module, SUMS_REAL, w->arena, w->err))
        return false;
    w->measured[module] = sums.counts;
    return true;
}

static bool give_hits(struct work *w, const struct own_file *files, uint32_t count, uint32_t module,
                      uint32_t document)
{
    struct their_lines theirs;
    if (!read_lines(&theirs, module, document, w))
        return false;
    bool *ran = ARENA_NEW(&w->scratch, bool, theirs.len, w->err);
    struct own_lines *lines = ARENA_NEW(&w->scratch, struct own_lines, count, w->err);
    if (ran == NULL || lines == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!know_counts(w, files[i].module) || !open_lines(&lines[i], &files[i], &theirs, w))
            return false;
        if (theirs.len == 0)
            continue;
        rank_lines(&lines[i]);
        pick_statements(&lines[i], ran);
    }
    for (uint32_t i = 0; i < count; i++)
        give(&lines[i], ran);
    return true;
}

/* --- what is left of the other tool ----------------------------------------------------------- */

static bool copy_lists(struct fact_module *m, struct arena *arena, struct err *err)
{
    struct fact_method *methods = ARENA_NEW(arena, struct fact_method, m->method_count, err);
    struct fact_statement *statements =
        ARENA_NEW(arena, struct fact_statement, m->statement_count, err);
    struct fact_decision *decisions =
        ARENA_NEW(arena, struct fact_decision, m->decision_count, err);
    if (methods == NULL || statements == NULL || decisions == NULL)
        return false;
    if (m->method_count != 0)
        memcpy(methods, m->methods, m->method_count * sizeof *methods);
    if (m->statement_count != 0)
        memcpy(statements, m->statements, m->statement_count * sizeof *statements);
    if (m->decision_count != 0)
        memcpy(decisions, m->decisions, m->decision_count * sizeof *decisions);
    m->methods = methods;
    m->statements = statements;
    m->decisions = decisions;
    return true;
}

/* Only methods with lines are kept: the names of others would take those of ilcov's place. */
static bool keep_methods(struct fact_module *m, struct work *w)
{
    uint32_t *number = ARENA_NEW(&w->scratch, uint32_t, m->method_count, w->err);
    uint32_t kept = 0;
    if (number == NULL)
        return false;
    for (uint32_t i = 0; i < m->statement_count; i++)
        number[m->statements[i].method] = number[m->methods[m->statements[i].method].user_method] =
            1;
    for (uint32_t i = 0; i < m->decision_count; i++)
        number[m->decisions[i].method] = number[m->methods[m->decisions[i].method].user_method] = 1;
    for (uint32_t i = 0; i < m->method_count; i++)
        if (number[i] != 0) {
            number[i] = kept;
            m->methods[kept++] = m->methods[i];
        }
    m->method_count = kept;
    for (uint32_t i = 0; i < kept; i++)
        m->methods[i].user_method = number[m->methods[i].user_method];
    for (uint32_t i = 0; i < m->statement_count; i++)
        m->statements[i].method = number[m->statements[i].method];
    for (uint32_t i = 0; i < m->decision_count; i++)
        m->decisions[i].method = number[m->decisions[i].method];
    return true;
}

/* `measured`: per document, whether ilcov has it, too. */
static bool drop_measured(struct fact_module *m, const bool *measured, struct work *w)
{
    uint32_t statements = 0, decisions = 0;
    if (!copy_lists(m, w->arena, w->err))
        return false;
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (!measured[m->statements[i].document])
            m->statements[statements++] = m->statements[i];
    for (uint32_t i = 0; i < m->decision_count; i++)
        if (!measured[m->decisions[i].document])
            m->decisions[decisions++] = m->decisions[i];
    bool is_empty = statements == 0 && m->statement_count != 0;
    m->statement_count = statements;
    m->decision_count = is_empty ? 0 : decisions;
    if (is_empty) {
        m->state = MODULE_SKIPPED;
        m->reason = reason_of(REASON_MEASURED);
    }
    return keep_methods(m, w);
}

static bool apply_document(bool *measured, uint32_t module, uint32_t document, struct work *w)
{
    const struct fact_module *m = &w->out->modules[module];
    const struct fact_document *d = &m->documents[document];
    struct own_file *files = NULL;
    if (d->relative.len == 0 || d->reason != NULL)
        return true;
    arena_reset(&w->scratch);
    uint32_t count = find_own(&files, w, m->name, d->relative);
    *measured = count != 0;
    return count == 0 || (count != NO_INDEX && give_hits(w, files, count, module, document));
}

static bool apply_module(uint32_t module, struct work *w)
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

static uint32_t foreign_run(const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        if (facts->runs[i].kind == RUN_FOREIGN)
            return i;
    return 0;
}

static bool copy_facts(struct work *w, const struct facts *facts)
{
    struct facts *out = w->out;
    out->modules = ARENA_NEW(w->arena, struct fact_module, facts->module_count, w->err);
    out->counts = ARENA_NEW(w->arena, struct fact_counts,
                            (size_t)facts->counts_count + facts->module_count, w->err);
    w->measured = ARENA_NEW(w->arena, uint64_t *, facts->module_count, w->err);
    w->given = ARENA_NEW(w->arena, uint64_t *, facts->module_count, w->err);
    w->groups = ARENA_NEW(w->arena, struct grouped, facts->module_count, w->err);
    if (w->groups == NULL || out->modules == NULL || out->counts == NULL || w->measured == NULL ||
        w->given == NULL)
        return false;
    memcpy(out->modules, facts->modules, facts->module_count * sizeof *out->modules);
    if (facts->counts_count != 0)
        memcpy(out->counts, facts->counts, facts->counts_count * sizeof *out->counts);
    return true;
}

static bool has_any(const uint64_t *counts, uint32_t len)
{
    bool any = false;
    for (uint32_t i = 0; i < len; i++)
        any |= counts[i] != 0;
    return any;
}

static bool apply_all(struct work *w, const struct facts *facts)
{
    struct facts *out = w->out;
    if (!copy_facts(w, facts) || !list_own_files(w))
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].state == MODULE_FOREIGN && !apply_module(i, w))
            return false;
    for (uint32_t i = 0; i < facts->module_count; i++) {
        if (w->given[i] == NULL || !has_any(w->given[i], facts->modules[i].count_len))
            continue;
        out->counts[out->counts_count++] = (struct fact_counts){foreign_run(facts), i, w->given[i]};
        if (out->modules[i].state == MODULE_NOT_LOADED) /* but in the other tool's run */
            out->modules[i].state = MODULE_COVERED;
    }
    return true;
}

bool foreign_apply(struct facts *out, const struct facts *facts, struct arena *arena,
                   struct err *err)
{
    uint32_t foreign_count = 0;
    *out = *facts;
    for (uint32_t i = 0; i < facts->module_count; i++)
        foreign_count += facts->modules[i].state == MODULE_FOREIGN;
    if (foreign_count == 0 || foreign_count == facts->module_count)
        return true;
    struct work w = {.out = out, .arena = arena, .err = err};
    arena_init(&w.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = apply_all(&w, facts);
    arena_free(&w.scratch);
    return ok;
}

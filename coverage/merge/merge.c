#include "coverage/merge/merge.h"

#include <string.h>

#include "base/bytes.h"
#include "base/list.h"
#include "base/sort.h"
#include "coverage/external/external_facts.h"
#include "coverage/external/external_reader.h"
#include "coverage/merge/carry.h"
#include "coverage/merge/merge_counts.h"
#include "coverage/merge/merge_tests.h"
#include "coverage/merge/same_code.h"
#include "coverage/merge/unite.h"
#include "system/whole_file.h"

struct merge {
    const struct merge_options *options;
    struct merge_result *result;
    struct unite unite;
    struct facts facts;
    struct list sources, origins; /* struct merge_source, struct merge_origin */
    struct list warnings, notes;
    struct str first_skipped; /* and why */
    struct list copies;       /* struct output *: data files made of other tools' reports */
    const char *output;
    struct output *kept;   /* where the result goes that only the next step needs; or NULL */
    uint32_t *group_of;    /* of each run, before they are folded: the run that it becomes */
    struct fact_run *runs; /* before they are folded */
    uint32_t run_count;
    struct arena *arena;
    struct err *err;
};

/* --- reading the inputs ----------------------------------------------------------------------- */

static bool tell_user(struct list *list, struct merge *m, struct str text)
{
    return list_put(list, &text, sizeof text, m->arena, m->err);
}

static bool note_source(struct merge *m, const char *path, const struct store_reader *reader,
                        const struct facts *facts)
{
    struct merge_source *source = list_add(&m->sources, sizeof *source, m->arena, m->err);
    if (source == NULL)
        return false;
    *source = (struct merge_source){
        .path = path, .run_count = facts->run_count, .module_count = facts->module_count};
    memcpy(source->digest, reader->digest, sizeof source->digest);
    source->layouts = ARENA_NEW(m->arena, uint64_t, facts->module_count, m->err);
    source->detail = merge_tests_detail(facts, m->arena, m->err);
    if (source->layouts == NULL || source->detail == NULL)
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        source->layouts[i] = facts_layout_hash(&facts->modules[i]);
    struct unite_map map;
    if (!unite_add(&m->unite, &map, facts, m->err))
        return false;
    source->run = map.run;
    source->module = map.module;
    return true;
}

/* False: nothing more to do. */
static bool skip_input(struct merge *m, const char *path, const struct err *why)
{
    struct str text;
    struct err named = *why;
    bool is_fatal = m->options->strict || why->code != ERR_FORMAT;
    err_prefix(&named, "%s", path);
    if (is_fatal)
        return err_set(m->err, why->code, "%s", named.text);
    if (m->first_skipped.len == 0 &&
        !text_format(&m->first_skipped, m->arena, m->err, "%s", named.text))
        return false;
    return text_format(&text, m->arena, m->err, "%s; skipped (--strict makes it an error)",
                       named.text) &&
           tell_user(&m->warnings, m, text);
}

/* None is left: the first one says why. */
static bool refuse_inputs(struct merge *m, uint32_t count)
{
    return err_set(m->err, ERR_FORMAT, "nothing is left to merge of %u %s: %.*s", count,
                   count == 1 ? "file" : "files", STR_ARGS(m->first_skipped));
}

static bool add_data(struct merge *m, const char *path)
{
    struct store_reader reader;
    struct facts facts;
    struct err why = {.code = ERR_NONE};
    struct arena scratch = ARENA_EMPTY;
    bool ok = store_open_facts(&reader, &facts, path, m->options->progress, &scratch, &why);
    if (ok) {
        ok = (m->options->maps == NULL ||
              path_maps_apply(m->options->maps, &facts, STR(""), &scratch, m->err)) &&
             note_source(m, path, &reader, &facts);
        store_close(&reader);
    } else {
        ok = skip_input(m, path, &why);
    }
    arena_free(&scratch);
    return ok;
}

static bool has_branches(const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].decision_count != 0)
            return true;
    return false;
}

/* What of a external report counts. */
static bool describe_report(struct merge *m, const char *path, const struct external *external,
                            const struct facts *facts)
{
    struct str text, losses;
    return text_format(
               &text, m->arena, m->err, "%s: %.*s, by line%s", path, STR_ARGS(facts->runs[0].label),
               has_branches(facts) ? "; its branches do not count in files that ilcov measured too"
                                   : "") &&
           tell_user(&m->notes, m, text) && external_losses(&losses, external, m->arena, m->err) &&
           (losses.len == 0 ||
            (text_format(&text, m->arena, m->err, "%s: %.*s", path, STR_ARGS(losses)) &&
             tell_user(&m->warnings, m, text)));
}

/* Written as a data file of its own, so that its counts need not stay in memory. */
static bool add_external(struct merge *m, const char *path)
{
    struct external external;
    struct facts facts;
    struct err why = {.code = ERR_NONE};
    struct arena scratch = ARENA_EMPTY;
    bool ok = external_read_file(&external, path, m->options->progress, &scratch, &why);
    if (!ok) {
        ok = skip_input(m, path, &why);
        arena_free(&scratch);
        return ok;
    }
    struct output *copy = ARENA_NEW(m->arena, struct output, 1, m->err);
    struct output **listed = list_add(&m->copies, sizeof(struct output *), m->arena, m->err);
    ok = copy != NULL && listed != NULL &&
         external_facts(&facts, &external, m->options->root, &scratch, m->err) &&
         store_write_beside(copy, m->output, &facts, m->options->progress, m->err);
    if (ok)
        *listed = copy;
    ok = ok && describe_report(m, path, &external, &facts);
    arena_free(&scratch);
    return ok && add_data(m, copy->temporary);
}

static void remove_copies(struct merge *m)
{
    struct output *const *copies = m->copies.items;
    for (uint32_t i = 0; i < m->copies.count; i++)
        if (copies[i] != NULL)
            output_abandon(copies[i]);
}

static bool add_input_file(struct merge *m, const char *path)
{
    return external_is_file(path) ? add_external(m, path) : add_data(m, path);
}

/* --- runs ------------------------------------------------------------------------------------- */

struct known_id {
    const uint8_t *id;
    uint32_t run;
    bool is_folded;
};

ORDER(order_ids, struct known_id, BY_ORDER(memcmp(a->id, b->id, FACT_ID_LEN)))

static const char *path_of_run(const struct merge *m, uint32_t run)
{
    const struct merge_origin *origins = m->origins.items;
    const struct merge_source *sources = m->sources.items;
    for (uint32_t i = 0; i < m->origins.count; i++)
        if (origins[i].run == run)
            return sources[origins[i].source].path;
    return "";
}

static bool ids_overlap(const struct known_id *a, const struct known_id *b)
{
    return a->run != b->run && (a->is_folded || b->is_folded) &&
           (order_ids(a, b) == 0 || run_id_contains(a->id, b->id) || run_id_contains(b->id, a->id));
}

/* Folded runs cannot be told apart again: a run that was folded must not come in a second time, nor
 * with another that has its counts, too. */
static bool check_overlap(struct merge *m)
{
    size_t count = m->facts.run_count;
    for (uint32_t i = 0; i < m->facts.run_count; i++)
        count += m->facts.runs[i].folded.len / FACT_ID_LEN;
    struct known_id *ids = ARENA_NEW(m->arena, struct known_id, count, m->err);
    if (ids == NULL)
        return false;
    count = 0;
    for (uint32_t i = 0; i < m->facts.run_count; i++) {
        const struct fact_run *run = &m->facts.runs[i];
        ids[count++] = (struct known_id){run->id, i, false};
        for (size_t at = 0; at < run->folded.len; at += FACT_ID_LEN)
            ids[count++] = (struct known_id){run->folded.data + at, i, true};
    }
    sort_unless_sorted(ids, count, sizeof *ids, order_ids);
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k-- > 0 && run_id_same_session(ids[k].id, ids[i].id);) {
            if (!ids_overlap(&ids[k], &ids[i]))
                continue;
            uint32_t squashed = ids[i].is_folded ? ids[i].run : ids[k].run;
            uint32_t other = ids[i].is_folded ? ids[k].run : ids[i].run;
            return err_set(
                m->err, ERR_FORMAT,
                "%s was squashed, and %s contains one of its runs, which would count twice; "
                "merge the files it was squashed from",
                path_of_run(m, squashed), path_of_run(m, other));
        }
    return true;
}

ORDER(order_origins, struct merge_origin, BY(run) BY(source))

static bool list_origins(struct merge *m)
{
    const struct merge_source *sources = m->sources.items;
    for (uint32_t s = 0; s < m->sources.count; s++)
        for (uint32_t i = 0; i < sources[s].run_count; i++) {
            if (sources[s].run[i] == NO_INDEX)
                continue;
            const struct merge_origin added = {sources[s].run[i], s, i};
            if (!list_put(&m->origins, &added, sizeof added, m->arena, m->err))
                return false;
        }
    sort_unless_sorted(m->origins.items, m->origins.count, sizeof(struct merge_origin),
                       order_origins);
    return true;
}

/* --- squash ----------------------------------------------------------------------------------- */

/* Makes the runs of one kind one run: the first of them, with what they have in common. */
static bool fold_runs(struct fact_run *out, enum run_kind kind, uint32_t *folded, struct merge *m)
{
    struct digest digest;
    struct writer ids = wr_in(m->arena);
    *folded = 0;
    for (uint32_t i = 0; i < m->run_count; i++) {
        const struct fact_run *run = &m->runs[i];
        if (run->kind != kind)
            continue;
        if ((*folded)++ == 0)
            *out = *run;
        if (!str_eq(out->mode, run->mode))
            out->mode = STR("");
        if (out->root.len == 0 || (run->root.len != 0 && str_cmp(run->root, out->root) < 0))
            out->root = run->root;
        if (!str_eq(out->label, run->label))
            out->label = STR("");
        if (!reason_eq(out->reason, run->reason))
            out->reason = NULL;
        facts_add_ids(&ids, run);
    }
    if (ids.failed)
        return err_set(m->err, ERR_MEMORY, "out of memory: %u runs", m->run_count);
    if (*folded < 2)
        return true;
    if (!digest_open(&digest, m->err))
        return false;
    digest_u32(&digest, kind);
    run_id_join(out->id, &digest, &ids);
    out->folded = (struct view){ids.data, ids.len};
    return true;
}

/* Lists each process once: a run of a thousand shards must not list a thousand. They are sorted. */
static void keep_distinct_processes(struct facts *facts)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->process_count; i++) {
        const struct fact_process *process = &facts->processes[i];
        const struct fact_process *last = kept != 0 ? &facts->processes[kept - 1] : NULL;
        if (last == NULL || last->run != process->run || facts_order_processes(last, process) != 0)
            facts->processes[kept++] = *process;
    }
    facts->process_count = kept;
}

/* For each kind of run, the one that is left once the facts are sorted. */
static void find_groups(uint32_t group[RUN_EXTERNAL + 1], const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        group[facts->runs[i].kind] = i;
}

static bool squash_runs(struct merge *m)
{
    struct facts *facts = &m->facts;
    uint32_t group[RUN_EXTERNAL + 1] = {0}, count = 0;
    facts->runs = ARENA_NEW(m->arena, struct fact_run, RUN_EXTERNAL + 1, m->err);
    if (facts->runs == NULL)
        return false;
    for (enum run_kind kind = RUN_MEASURED; kind <= RUN_EXTERNAL; kind++) {
        uint32_t folded = 0;
        if (!fold_runs(&facts->runs[count], kind, &folded, m))
            return false;
        count += folded != 0;
    }
    facts->run_count = count;
    find_groups(group, facts);
    for (uint32_t i = 0; i < facts->process_count; i++)
        facts->processes[i].run = group[m->runs[facts->processes[i].run].kind];
    for (uint32_t i = 0; i < facts->test_count; i++)
        facts->tests[i].run = group[m->runs[facts->tests[i].run].kind];
    if (!facts_sort(facts, m->arena, m->err))
        return false;
    find_groups(group, facts);
    for (uint32_t i = 0; i < m->run_count; i++)
        m->group_of[i] = group[m->runs[i].kind];
    keep_distinct_processes(facts);
    return true;
}

/* --- builds ----------------------------------------------------------------------------------- */

/* How many methods of `b` have the same code in `a`, and how many have different code. */
static void compare_builds(uint64_t *same, uint64_t *other, const struct code *a,
                           const struct code *b)
{
    for (uint32_t i = 0, k = 0; k < b->count; k++) {
        while (i < a->count && same_code_order(&a->methods[i], &b->methods[k]) < 0)
            i++;
        if (i == a->count || same_code_order(&a->methods[i], &b->methods[k]) != 0 ||
            b->methods[k].statement_count == 0)
            continue;
        if (same_code(a, &a->methods[i], b, &b->methods[k]))
            ++*same;
        else
            ++*other;
    }
}

/* The modules [first, end) are builds of one assembly, except for skipped ones. */
static bool note_builds(struct merge *m, uint32_t first, uint32_t end, uint32_t read)
{
    struct code base = {.count = 0}, other;
    uint64_t same = 0, unlike = 0;
    struct str text;
    bool ok = true;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = first; ok && i < end; i++) {
        const struct fact_module *module = &m->facts.modules[i];
        if (!facts_has_code(module))
            continue;
        ok = same_code_list(&other, module, &scratch, m->err);
        if (ok && base.module != NULL)
            compare_builds(&same, &unlike, &base, &other);
        else
            base = other;
    }
    arena_free(&scratch);
    return ok &&
           text_format(&text, m->arena, m->err,
                       "%.*s: %u builds; %llu %s the same code in all and %s merged, %llu %s "
                       "different code and %s merged by line",
                       STR_ARGS(m->facts.modules[first].name), read, (unsigned long long)same,
                       same == 1 ? "method has" : "methods have", same == 1 ? "is" : "are",
                       (unsigned long long)unlike, unlike == 1 ? "has" : "have",
                       unlike == 1 ? "is" : "are") &&
           tell_user(&m->notes, m, text);
}

static bool tell_builds(struct merge *m)
{
    const struct fact_module *modules = m->facts.modules;
    for (uint32_t i = 0, end = 0; i < m->facts.module_count; i = end) {
        uint32_t read = 0;
        while (end < m->facts.module_count && str_eq(modules[end].name, modules[i].name))
            read += facts_has_code(&modules[end++]);
        if (read > 1 && !note_builds(m, i, end, read))
            return false;
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Maps the numbers of unite_add to those of the facts. */
static void renumber_sources(struct merge *m, const struct unite_map *final)
{
    struct merge_source *sources = m->sources.items;
    for (uint32_t s = 0; s < m->sources.count; s++) {
        for (uint32_t i = 0; i < sources[s].run_count; i++)
            sources[s].run[i] = final->run[sources[s].run[i]];
        for (uint32_t i = 0; i < sources[s].module_count; i++)
            sources[s].module[i] = final->module[sources[s].module[i]];
    }
}

/* unite_finish has sorted all but tests and what comes with them. */
static bool unite_all(struct merge *m)
{
    struct unite_map final;
    if (!unite_finish(&m->facts, &final, &m->unite, m->err))
        return false;
    renumber_sources(m, &final);
    m->runs = m->facts.runs;
    m->run_count = m->facts.run_count;
    m->group_of = ARENA_NEW(m->arena, uint32_t, m->run_count, m->err);
    return m->group_of != NULL && list_origins(m) && check_overlap(m) &&
           merge_tests(&m->facts, m->sources.items, m->sources.count, m->arena, m->err) &&
           (m->facts.test_count == 0 || facts_sort(&m->facts, m->arena, m->err)) &&
           (!m->options->squash || squash_runs(m));
}

static bool write_counts(struct store_writer *writer, struct merge *m)
{
    struct merge_counts counts = {
        .facts = &m->facts,
        .sources = m->sources.items,
        .origins = m->origins.items,
        .origin_count = m->origins.count,
        .folds = m->options->squash,
        .group_of = m->group_of,
        .progress = m->options->progress,
        .err = m->err,
    };
    uint64_t *layouts = ARENA_NEW(m->arena, uint64_t, m->facts.module_count, m->err);
    for (uint32_t i = 0; layouts != NULL && i < m->facts.module_count; i++)
        layouts[i] = facts_layout_hash(&m->facts.modules[i]);
    counts.layouts = layouts;
    return layouts != NULL && merge_counts_write(writer, &counts);
}

static bool write_merged(const char *path, struct merge *m)
{
    struct store_writer writer;
    bool ok = store_create(&writer, path, &m->facts, m->options->progress, m->err);
    if (ok && !write_counts(&writer, m)) {
        store_abandon(&writer);
        return false;
    }
    if (ok &&
        (m->kept != NULL ? store_keep(m->kept, &writer, m->err) : store_finish(&writer, m->err)))
        return true;
    err_prefix(m->err, "%s", path);
    return false;
}

static bool merge_inputs_into(const char *path, const char *const *inputs, uint32_t input_count,
                              struct merge *m)
{
    bool ok = true;
    unite_open(&m->unite, m->arena);
    m->output = path;
    for (uint32_t i = 0; ok && i < input_count; i++) {
        progress_at(m->options->progress, "reading data files", i, input_count);
        ok = add_input_file(m, inputs[i]);
    }
    if (ok && m->sources.count == 0)
        ok = refuse_inputs(m, input_count);
    ok = ok && unite_all(m) && tell_builds(m) && write_merged(path, m);
    remove_copies(m);
    if (!ok)
        return false;
    uint32_t module_count = 0;
    for (uint32_t i = 0; i < m->facts.module_count; i++)
        module_count += m->facts.modules[i].state != MODULE_SKIPPED;
    *m->result = (struct merge_result){.warnings = m->warnings.items,
                                       .warning_count = m->warnings.count,
                                       .notes = m->notes.items,
                                       .note_count = m->notes.count,
                                       .file_count = m->sources.count,
                                       .run_count = m->run_count,
                                       .module_count = module_count};
    return true;
}

/* Carried counts are one more file to merge, once it is known what ran. */
static bool write_carried(struct output *out, const char *path, const char *head_path,
                          struct merge *m, uint64_t *methods)
{
    struct facts head, base, carried;
    const char *base_path = m->options->carry;
    struct arena scratch = ARENA_EMPTY;
    bool ok = store_read_summed(&head, head_path, m->options->progress, &scratch, &scratch, m->err);
    if (ok &&
        !store_read_summed(&base, base_path, m->options->progress, &scratch, &scratch, m->err)) {
        err_prefix(m->err, "%s", base_path);
        ok = false;
    }
    ok = ok && carry(&carried, methods, &head, &base, &scratch, m->err) &&
         store_write_beside(out, path, &carried, m->options->progress, m->err);
    arena_free(&scratch);
    return ok;
}

static bool merge_with_carried(const char *path, const char *const *inputs, uint32_t input_count,
                               struct merge *m)
{
    struct output *merged = ARENA_NEW(m->arena, struct output, 1, m->err);
    struct output *carried = ARENA_NEW(m->arena, struct output, 1, m->err);
    if (merged == NULL || carried == NULL)
        return false;
    struct merge_options plain = *m->options;
    struct merge first = *m, second = *m;
    uint64_t methods = 0;
    plain.squash = false;
    first.options = &plain;
    first.kept = merged;
    if (!merge_inputs_into(path, inputs, input_count, &first))
        return false;
    struct merge_result result = *m->result;
    bool has_carried = write_carried(carried, path, merged->temporary, m, &methods);
    const char *both[] = {merged->temporary, carried->temporary};
    bool ok = has_carried && merge_inputs_into(path, both, ARRAY_LEN(both), &second);
    if (has_carried)
        output_abandon(carried);
    output_abandon(merged);
    *m->result = result;
    m->result->carried_methods = methods;
    return ok;
}

bool merge_files(struct merge_result *out, const char *path, const char *const *inputs,
                 uint32_t input_count, const struct merge_options *options, struct arena *arena,
                 struct err *err)
{
    struct merge m = {.options = options, .result = out, .arena = arena, .err = err};
    *out = (struct merge_result){.file_count = 0};
    return options->carry != NULL ? merge_with_carried(path, inputs, input_count, &m)
                                  : merge_inputs_into(path, inputs, input_count, &m);
}

#include "coverage/merge/merge_tests.h"

#include <string.h>

#include "base/list.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/store.h"
#include "coverage/merge/unite.h"

struct merging {
    struct facts *facts;
    const struct merge_source *sources;
    uint32_t source_count;
    uint32_t *taken_from; /* of each run: the source whose tests count */
    struct list tests, hits, inputs;
    struct arena *arena;
    struct err *err;
};

/* The tests count for more than any number of counts. */
#define COUNTS_DETAIL_MAX (UINT64_C(1) << 32)

static void add_counts_detail(uint64_t *detail, uint32_t counts)
{
    uint64_t room = COUNTS_DETAIL_MAX - 1 - *detail % COUNTS_DETAIL_MAX;
    *detail += counts < room ? counts : room;
}

uint64_t *merge_tests_detail(const struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t first, end;
    uint64_t *detail = ARENA_NEW(arena, uint64_t, facts->run_count, err);
    for (uint32_t i = 0; detail != NULL && i < facts->test_count; i++)
        detail[facts->tests[i].run] += COUNTS_DETAIL_MAX;
    for (uint32_t i = 0; detail != NULL && i < facts->hits_count; i++) {
        struct index_runs runs = index_set_runs(facts->hits[i].tests);
        uint32_t counts = index_set_count(facts->hits[i].counts);
        while (index_set_next(&runs, &first, &end))
            for (uint32_t t = first; t < end; t++)
                add_counts_detail(&detail[facts->tests[t].run], counts);
    }
    return detail;
}

/* The digest decides where files say as much, whatever order they came in. */
static bool says_more(const struct merge_source *a, uint64_t detail_a, const struct merge_source *b,
                      uint64_t detail_b)
{
    return detail_a != detail_b ? detail_a > detail_b
                                : memcmp(a->digest, b->digest, sizeof a->digest) > 0;
}

static bool choose_sources(struct merging *m)
{
    uint64_t *most = ARENA_NEW(m->arena, uint64_t, m->facts->run_count, m->err);
    m->taken_from = ARENA_NEW(m->arena, uint32_t, m->facts->run_count, m->err);
    if (most == NULL || m->taken_from == NULL)
        return false;
    for (uint32_t s = 0; s < m->source_count; s++)
        for (uint32_t i = 0; i < m->sources[s].run_count; i++) {
            uint32_t run = m->sources[s].run[i];
            uint64_t detail = m->sources[s].detail[i];
            if (detail == 0 || run == NO_INDEX ||
                (most[run] != 0 &&
                 !says_more(&m->sources[s], detail, &m->sources[m->taken_from[run]], most[run])))
                continue;
            most[run] = detail;
            m->taken_from[run] = s;
        }
    return true;
}

/* For each count of the file's module its place in the union's. */
static uint32_t *places_in_union(const struct merging *m, const struct fact_module *to,
                                 const struct fact_module *from, struct arena *scratch)
{
    uint32_t *sources = NULL;
    uint32_t *places = arena_raw(scratch, from->count_len, sizeof *places, m->err);
    if (places == NULL || !unite_sources(&sources, to, from, scratch, m->err))
        return NULL;
    for (uint32_t i = 0; i < from->count_len; i++)
        places[i] = NO_INDEX;
    for (uint32_t i = 0; i < to->count_len; i++)
        if (sources[i] != NO_INDEX)
            places[sources[i]] = i;
    return places;
}

/* *numbers: of each test of the file, in the union; NO_INDEX: another file has its run's tests. */
static bool add_tests_of_file(uint32_t **numbers, struct merging *m, uint32_t s,
                              const struct facts *file, struct arena *scratch)
{
    const struct merge_source *source = &m->sources[s];
    *numbers = arena_raw(scratch, file->test_count, sizeof **numbers, m->err);
    for (uint32_t i = 0; *numbers != NULL && i < file->test_count; i++) {
        uint32_t run = source->run[file->tests[i].run];
        (*numbers)[i] = NO_INDEX;
        if (run == NO_INDEX || m->taken_from[run] != s)
            continue;
        struct fact_test *added = list_add(&m->tests, sizeof *added, m->arena, m->err);
        if (added == NULL)
            return false;
        *added = file->tests[i];
        added->run = run;
        (*numbers)[i] = m->tests.count - 1;
        if (!str_copy(&added->name, file->tests[i].name, m->arena, m->err))
            return false;
    }
    return *numbers != NULL;
}

static bool add_hits_of_file(struct merging *m, uint32_t s, const struct facts *file,
                             const uint32_t *numbers, struct arena *scratch)
{
    uint32_t *places = NULL, placed = NO_INDEX;
    bool ok = true;
    struct arena working = ARENA_EMPTY;
    for (uint32_t i = 0; ok && i < file->hits_count; i++) {
        const struct fact_hits *hits = &file->hits[i];
        uint32_t module = m->sources[s].module[hits->module];
        const struct fact_module *to = &m->facts->modules[module];
        if (placed != hits->module)
            places = places_in_union(m, to, &file->modules[hits->module], scratch);
        placed = hits->module;
        struct fact_hits moved = {.module = module};
        arena_reset(&working);
        ok = places != NULL &&
             index_set_renumber(&moved.tests, hits->tests, numbers, &working, m->arena, m->err) &&
             index_set_renumber(&moved.counts, hits->counts, places, &working, m->arena, m->err);
        if (!ok || moved.tests.len == 0 || moved.counts.len == 0)
            continue;
        struct fact_hits *added = list_add(&m->hits, sizeof *added, m->arena, m->err);
        ok = added != NULL;
        if (ok)
            *added = moved;
    }
    arena_free(&working);
    return ok;
}

static bool add_inputs(struct merging *m, const struct facts *file)
{
    for (uint32_t i = 0; i < file->input_count; i++) {
        struct fact_input *added = list_add(&m->inputs, sizeof *added, m->arena, m->err);
        if (added == NULL)
            return false;
        *added = file->inputs[i];
        if (!str_copy(&added->folder, added->folder, m->arena, m->err) ||
            !str_copy(&added->path, added->path, m->arena, m->err))
            return false;
    }
    return true;
}

static bool source_has_tests(const struct merge_source *source)
{
    for (uint32_t i = 0; i < source->run_count; i++)
        if (source->detail[i] != 0)
            return true;
    return false;
}

static bool add_tests_of_source(struct merging *m, uint32_t s)
{
    struct store_reader reader;
    struct facts file;
    uint32_t *numbers = NULL;
    if (!source_has_tests(&m->sources[s]))
        return true;
    struct arena scratch = ARENA_EMPTY;
    bool ok = store_open_facts(&reader, &file, m->sources[s].path, NULL, &scratch, m->err);
    if (ok)
        store_close(&reader);
    if (ok && (file.run_count != m->sources[s].run_count ||
               file.module_count != m->sources[s].module_count))
        ok = err_set(m->err, ERR_IO, "it was changed while it was read");
    ok = ok && add_tests_of_file(&numbers, m, s, &file, &scratch) &&
         add_hits_of_file(m, s, &file, numbers, &scratch) && add_inputs(m, &file);
    if (!ok)
        err_prefix(m->err, "%s", m->sources[s].path);
    arena_free(&scratch);
    return ok;
}

bool merge_tests(struct facts *facts, const struct merge_source *sources, uint32_t count,
                 struct arena *arena, struct err *err)
{
    struct merging m = {
        .facts = facts, .sources = sources, .source_count = count, .arena = arena, .err = err};
    if (!choose_sources(&m))
        return false;
    for (uint32_t s = 0; s < count; s++)
        if (!add_tests_of_source(&m, s))
            return false;
    facts->tests = m.tests.items;
    facts->test_count = m.tests.count;
    facts->hits = m.hits.items;
    facts->hits_count = m.hits.count;
    facts->inputs = m.inputs.items;
    facts->input_count = m.inputs.count;
    return true;
}

#include "coverage/merge/merge_counts.h"

#include <string.h>

#include "base/number.h"
#include "coverage/facts/packed.h"
#include "coverage/merge/unite.h"

/* The vectors of one run in one file, or of several folded runs. */
struct vectors {
    uint64_t **of_module; /* of the result; NULL: it never loaded */
    struct arena arena;
    const struct merge_counts *merge;
    const struct merge_source *source;
    const struct facts *shard;    /* its modules; only their lengths unless layouts differ */
    const uint32_t *const *moves; /* per module; NULL: same layout */
};

static bool vectors_open(struct vectors *v, const struct merge_counts *m)
{
    *v = (struct vectors){.merge = m, .arena = ARENA_EMPTY};
    v->of_module = ARENA_NEW(&v->arena, uint64_t *, m->facts->module_count, m->err);
    return v->of_module != NULL;
}

static uint64_t *merged_vector_of(struct vectors *v, uint32_t module, struct err *err)
{
    uint64_t **vector = &v->of_module[module];
    if (*vector == NULL)
        *vector = ARENA_NEW(&v->arena, uint64_t, v->merge->facts->modules[module].count_len, err);
    return *vector;
}

/* Two modules of a file may be one module now: the same build in two places. */
static bool take_packed_counts(void *context, uint32_t run, uint32_t module, struct view packed,
                               struct err *err)
{
    struct vectors *v = context;
    (void)run;
    uint32_t to = v->source->module[module];
    uint32_t len = v->merge->facts->modules[to].count_len;
    uint64_t *vector = merged_vector_of(v, to, err);
    if (vector == NULL)
        return false;
    if (v->moves == NULL || v->moves[module] == NULL)
        return packed_add(vector, len, packed) || err_set(err, ERR_FORMAT, "damaged counts");
    struct arena scratch = ARENA_EMPTY;
    uint32_t from_len = v->shard->modules[module].count_len;
    uint64_t *from = ARENA_NEW(&scratch, uint64_t, from_len, err);
    bool ok = from != NULL &&
              (packed_add(from, from_len, packed) || err_set(err, ERR_FORMAT, "damaged counts"));
    for (uint32_t i = 0; ok && i < len; i++)
        if (v->moves[module][i] != NO_INDEX)
            vector[i] = number_add(vector[i], from[v->moves[module][i]]);
    arena_free(&scratch);
    return ok;
}

/* An input that is open for its counts, with the map from its places to the result's. */
struct opened {
    uint32_t source; /* NO_INDEX: no file is open */
    struct store_reader reader;
    struct facts facts;
    uint32_t **moves;
    struct arena arena;
};

static void close_merge_source(struct opened *o)
{
    if (o->source != NO_INDEX) {
        store_close(&o->reader);
        arena_free(&o->arena);
    }
    o->source = NO_INDEX;
}

static bool has_other_layout(const struct merge_counts *m, const struct merge_source *source)
{
    bool other = false;
    for (uint32_t i = 0; i < source->module_count; i++)
        other |= source->layouts[i] != m->layouts[source->module[i]];
    return other;
}

static bool find_moves(struct opened *o, const struct merge_source *source,
                       const struct merge_counts *m, struct err *err)
{
    o->moves = ARENA_NEW(&o->arena, uint32_t *, source->module_count, err);
    for (uint32_t i = 0; o->moves != NULL && i < source->module_count; i++) {
        uint32_t to = source->module[i];
        if (source->layouts[i] != m->layouts[to] &&
            !unite_sources(&o->moves[i], &m->facts->modules[to], &o->facts.modules[i], &o->arena,
                           err))
            return false;
    }
    return o->moves != NULL;
}

/* If a file has the result's layouts, only the lengths are needed. */
static bool take_lengths(struct opened *o, const struct merge_source *source,
                         const struct merge_counts *m, struct err *err)
{
    o->facts = (struct facts){
        .modules = ARENA_NEW(&o->arena, struct fact_module, source->module_count, err),
        .module_count = source->module_count,
        .run_count = source->run_count};
    for (uint32_t i = 0; o->facts.modules != NULL && i < source->module_count; i++)
        o->facts.modules[i].count_len = m->facts->modules[source->module[i]].count_len;
    return o->facts.modules != NULL;
}

static bool open_merge_source(struct opened *o, uint32_t index, const struct merge_counts *m)
{
    const struct merge_source *source = m->sources + index;
    if (o->source == index)
        return true;
    close_merge_source(o);
    o->arena = ARENA_EMPTY;
    o->moves = NULL;
    bool other = has_other_layout(m, source);
    bool ok = other ? store_open_facts(&o->reader, &o->facts, source->path, m->progress, &o->arena,
                                       m->err)
                    : store_open_again(&o->reader, source->path, source->digest, &o->arena, m->err);
    if (ok && memcmp(o->reader.digest, source->digest, DIGEST_LEN) != 0) {
        ok = err_set(m->err, ERR_FORMAT, "was changed while it was being read");
        store_close(&o->reader);
    }
    if (!ok) {
        err_prefix(m->err, "%s", source->path);
        arena_free(&o->arena);
        return false;
    }
    o->source = index;
    return other ? find_moves(o, source, m, m->err) : take_lengths(o, source, m, m->err);
}

static bool read_origin(struct vectors *into, const struct merge_origin *origin,
                        struct opened *opened, const struct merge_counts *m)
{
    if (!open_merge_source(opened, origin->source, m))
        return false;
    into->source = m->sources + origin->source;
    into->shard = &opened->facts;
    into->moves = (const uint32_t *const *)opened->moves;
    if (store_each_counts(&opened->reader, &opened->facts, origin->index, take_packed_counts, into,
                          m->err))
        return true;
    err_prefix(m->err, "%s", into->source->path);
    return false;
}

/* The larger of each count: the same run from another file, where a snapshot of it may have been
 * taken before it ended. Else their sum. */
static bool unite_vectors(struct vectors *kept, const struct vectors *other, bool is_same_run)
{
    const struct facts *facts = kept->merge->facts;
    for (uint32_t i = 0; i < facts->module_count; i++) {
        const uint64_t *more = other->of_module[i];
        uint64_t *vector = more != NULL ? merged_vector_of(kept, i, kept->merge->err) : NULL;
        if (more != NULL && vector == NULL)
            return false;
        for (uint32_t k = 0; more != NULL && k < facts->modules[i].count_len; k++)
            if (!is_same_run)
                vector[k] = number_add(vector[k], more[k]);
            else if (more[k] > vector[k])
                vector[k] = more[k];
    }
    return true;
}

static bool read_run(struct vectors *out, const struct merge_origin *origins, uint32_t count,
                     struct opened *opened, const struct merge_counts *m)
{
    bool ok = read_origin(out, &origins[0], opened, m);
    for (uint32_t i = 1; ok && i < count; i++) {
        struct vectors other;
        ok = vectors_open(&other, m) && read_origin(&other, &origins[i], opened, m) &&
             unite_vectors(out, &other, true);
        arena_free(&other.arena);
    }
    return ok;
}

static bool write_vectors(struct store_writer *writer, uint32_t run, const struct vectors *v)
{
    const struct facts *facts = v->merge->facts;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (v->of_module[i] != NULL &&
            !store_put_counts(writer, run, i, v->of_module[i], facts->modules[i].count_len,
                              v->merge->err))
            return false;
    return true;
}

/* Run by run; the sum of folded runs is written at the end. */
bool merge_counts_write(struct store_writer *writer, const struct merge_counts *m)
{
    const struct merge_origin *origins = m->origins;
    struct opened opened = {.source = NO_INDEX};
    struct vectors sums[RUN_EXTERNAL + 1];
    uint32_t sum_count = m->folds ? m->facts->run_count : 0;
    bool ok = true;
    for (uint32_t i = 0; i < sum_count; i++)
        ok = vectors_open(&sums[i], m) && ok;
    for (uint32_t i = 0, end = 0; ok && i < m->origin_count; i = end) {
        struct vectors one;
        uint32_t run = origins[i].run;
        progress_at(m->progress, "writing runs", i, m->origin_count);
        while (end < m->origin_count && origins[end].run == run)
            end++;
        ok = vectors_open(&one, m) && read_run(&one, &origins[i], end - i, &opened, m) &&
             (sum_count != 0 ? unite_vectors(&sums[m->group_of[run]], &one, false)
                             : write_vectors(writer, run, &one));
        arena_free(&one.arena);
    }
    for (uint32_t i = 0; i < sum_count; i++) {
        ok = ok && write_vectors(writer, i, &sums[i]);
        arena_free(&sums[i].arena);
    }
    close_merge_source(&opened);
    return ok;
}

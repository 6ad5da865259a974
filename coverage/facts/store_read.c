/* Rows in, facts out: the data file that store_tables.c draws. facts_check tests references between
 * rows. */
#include "coverage/facts/store_read.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "coverage/facts/packed.h"
#include "system/clock.h"
#include "system/trace.h"

enum {
    HASH_LIMIT = 64,
    STEPS_LEAST = 100000, /* of SQLite's machine in one statement: to read the schema, too */
    STEPS_PER_BYTE = 4
};

struct rows_source store_source_of(const struct store_reader *reader, struct arena *arena,
                                   struct err *err)
{
    static const char shortest_item[] = "[0,0,1,0,1,0,0,0,\"\",\"\"],";
    uint64_t items = reader->bytes / (sizeof shortest_item - 1);
    return (struct rows_source){.db = reader->db,
                                .bytes = reader->bytes,
                                .items_left = (uint32_t)number_min(items, UINT32_MAX - 1),
                                .arena = arena,
                                .code = arena,
                                .err = err};
}

/* --- tables ----------------------------------------------------------------------------------- */

/* An item for each row; NULL after a failure. */
static void *read_table(uint32_t *count, const struct rows_source *source,
                        enum store_table_id table)
{
    const struct store_columns *columns = &store_columns[table];
    uint8_t *items = NULL;
    if (!rows_count(count, source, table) ||
        (items = arena_alloc(source->arena, *count, columns->size, source->err)) == NULL)
        return NULL;
    struct rows_in rows = rows_of(source, table);
    for (uint32_t i = 0; i < *count && rows_next(&rows); i++)
        get_columns(&rows, columns, items + i * columns->size, i);
    return rows_close(&rows) ? items : NULL;
}

/* Documents and methods of a module: their number was counted. They are not touched before their
 * rows come, so a file that lies costs no memory. */
static bool make_list(struct fact_module *module, enum store_table_id table, uint32_t count,
                      const struct rows_source *source)
{
    if (table == DOCUMENTS) {
        module->document_count = count;
        module->documents = arena_raw(source->arena, count, sizeof *module->documents, source->err);
        return module->documents != NULL;
    }
    module->method_count = count;
    module->methods = arena_raw(source->code, count, sizeof *module->methods, source->err);
    return module->methods != NULL;
}

/* The rows of its methods hold its statements and decisions: memory for them, but not for more than
 * the file can have. */
static bool make_code_room(struct fact_module *module, struct rows_source *source)
{
    uint64_t items = (uint64_t)module->statement_count + module->decision_count;
    if (items > source->items_left)
        return err_set(source->err, ERR_FORMAT, "damaged: %.*s has more code than the file",
                       STR_ARGS(module->name));
    source->items_left -= (uint32_t)items;
    module->statements =
        arena_raw(source->code, module->statement_count, sizeof *module->statements, source->err);
    module->decisions =
        arena_raw(source->code, module->decision_count, sizeof *module->decisions, source->err);
    return module->statements != NULL && module->decisions != NULL;
}

static bool read_modules(struct facts *out, struct rows_source *source)
{
    out->modules = read_table(&out->module_count, source, MODULES);
    bool ok = out->modules != NULL;
    for (uint32_t i = 0; ok && i < out->module_count; i++)
        ok = make_code_room(&out->modules[i], source);
    return ok;
}

/* Where the next row of a list goes. */
struct row_place {
    struct fact_module *module;
    uint32_t index;
    uint32_t statement, decision; /* the next ones that are in rows of methods */
};

static void get_document(struct rows_in *rows, struct row_place *place)
{
    get_columns(rows, &store_columns[DOCUMENTS], &place->module->documents[place->index],
                place->index);
}

/* Those of a method, from *next on in the list of its module. They begin with it (facts.c). */
static void get_items(struct rows_in *rows, enum store_table_id view, void *items, uint32_t count,
                      uint32_t *next, uint32_t method)
{
    const struct store_columns *columns = &store_columns[view];
    expect_id(rows, *next);
    items_open(rows);
    for (; items_next(rows); ++*next) {
        void *item = (uint8_t *)items + *next * columns->size;
        if (*next == count) {
            rows_refuse(rows);
            return;
        }
        get_columns(rows, columns, item, *next);
        *(uint32_t *)item = method;
    }
}

static void get_method(struct rows_in *rows, struct row_place *place)
{
    struct fact_module *module = place->module;
    get_columns(rows, &store_columns[METHODS], &module->methods[place->index], place->index);
    get_items(rows, STATEMENTS, module->statements, module->statement_count, &place->statement,
              place->index);
    get_items(rows, DECISIONS, module->decisions, module->decision_count, &place->decision,
              place->index);
}

/* Have all statements and decisions come that the module says it has? */
static bool is_full(const struct row_place *place)
{
    return place->statement == place->module->statement_count &&
           place->decision == place->module->decision_count;
}

/* How many rows there are, and memory for them. */
static bool make_lists(uint32_t **counts, uint64_t *total, struct facts *out,
                       enum store_table_id table, const struct rows_source *source)
{
    struct rows_in rows = rows_from(source, table, store_tables[table].owners);
    *counts = ARENA_NEW(source->arena, uint32_t, out->module_count, source->err);
    rows.failed = rows.failed || *counts == NULL;
    for (; rows_next(&rows); ++*total) {
        uint32_t module = get_u32(&rows, UINT32_MAX);
        if (module >= out->module_count || (*counts)[module] == UINT32_MAX - 1)
            rows_refuse(&rows);
        else
            (*counts)[module]++;
    }
    if (!rows_close(&rows))
        return false;
    for (uint32_t i = 0; i < out->module_count; i++)
        if ((*counts)[i] != 0 && !make_list(&out->modules[i], table, (*counts)[i], source))
            return false;
    return true;
}

/* Rows come in order of module and id, and as many per module as make_lists counted: SQLite reads
 * one consistent file. */
static bool read_list(struct facts *out, enum store_table_id table,
                      const struct rows_source *source)
{
    const char *what = table == DOCUMENTS ? "reading files" : "reading methods";
    uint32_t *counts = NULL;
    uint64_t done = 0, total = 0;
    if (!make_lists(&counts, &total, out, table, source))
        return false;
    struct rows_in rows = rows_of(source, table);
    for (uint32_t module = 0; module < out->module_count && !rows.failed; module++) {
        struct row_place place = {.module = &out->modules[module]};
        for (; place.index < counts[module] && rows_next(&rows); place.index++) {
            progress_step(source->progress, what, done++, total);
            expect_id(&rows, module);
            (table == DOCUMENTS ? get_document : get_method)(&rows, &place);
        }
        if (table == METHODS && !is_full(&place))
            rows_refuse(&rows);
    }
    return rows_close(&rows);
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Of a method, or of a type, of which each module lists those it has. */
static void get_declaration(struct rows_in *rows, struct facts *out, struct list *types)
{
    uint32_t module = get_u32(rows, UINT32_MAX), method = get_index(rows);
    struct str name = get_text(rows);
    uint64_t declaration = (uint64_t)get_int(rows);
    uint32_t foreign_count = get_u32(rows, UINT32_MAX);
    if (rows->failed)
        return;
    if (module >= out->module_count ||
        (method != NO_INDEX && method >= out->modules[module].method_count)) {
        rows_refuse(rows);
        return;
    }
    if (method != NO_INDEX) {
        out->modules[module].methods[method].declaration = declaration;
        return;
    }
    struct fact_type *type =
        list_add(&types[module], sizeof *type, rows->source->arena, rows->source->err);
    rows->failed = type == NULL;
    if (type != NULL)
        *type = (struct fact_type){name, declaration, foreign_count};
}

static bool read_declarations(struct facts *out, const struct rows_source *source)
{
    struct list *types = ARENA_NEW(source->arena, struct list, out->module_count, source->err);
    struct rows_in rows = rows_of(source, DECLARATIONS);
    rows.failed = rows.failed || types == NULL;
    while (rows_next(&rows))
        get_declaration(&rows, out, types);
    for (uint32_t i = 0; types != NULL && i < out->module_count; i++) {
        out->modules[i].types = types[i].items;
        out->modules[i].type_count = types[i].count;
    }
    return rows_close(&rows);
}

/* --- counts ----------------------------------------------------------------------------------- */

static bool check_counts(const struct facts *facts, uint32_t run, uint32_t module,
                         struct view packed)
{
    return run < facts->run_count && module < facts->module_count &&
           packed_is_sound(facts->modules[module].count_len, packed);
}

bool store_each_counts(struct store_reader *reader, const struct facts *facts, uint32_t run,
                       store_take_counts *take, void *context, struct err *err)
{
    char sql[160];
    struct arena arena = ARENA_EMPTY;
    (void)snprintf(sql, sizeof sql, "SELECT * FROM counts WHERE run = %" PRIu32 " ORDER BY module",
                   run);
    struct rows_source source = store_source_of(reader, &arena, err);
    struct rows_in rows =
        rows_from(&source, COUNTS, run == NO_INDEX ? store_tables[COUNTS].select : sql);
    while (rows_next(&rows)) {
        uint32_t of_run = get_u32(&rows, UINT32_MAX), module = get_u32(&rows, UINT32_MAX);
        struct view packed = get_blob(&rows, SIZE_MAX);
        if (!rows.failed && !check_counts(facts, of_run, module, packed))
            rows_refuse(&rows);
        if (!rows.failed && !take(context, of_run, module, packed, err))
            rows.failed = true;
        arena_reset(&arena);
    }
    bool ok = rows_close(&rows);
    arena_free(&arena);
    return ok;
}

/* --- the file --------------------------------------------------------------------------------- */

bool store_check_schema(const struct store_reader *reader, struct arena *arena, struct err *err)
{
    struct rows_source source = store_source_of(reader, arena, err);
    struct rows_in rows =
        rows_from(&source, META, "SELECT type, sql FROM sqlite_master ORDER BY rowid");
    rows.table = "sqlite_master";
    int table = 0;
    while (rows_next(&rows)) {
        struct str type = get_text(&rows), sql = get_text(&rows);
        if (table == STORE_TABLE_COUNT ||
            !str_is(type, store_tables[table].is_view ? "view" : "table") ||
            !str_is(sql, store_tables[table].create))
            rows_refuse(&rows);
        else
            table++;
    }
    return rows_close(&rows) &&
           (table == STORE_TABLE_COUNT ||
            err_set(err, ERR_FORMAT, "damaged: it has %d tables and views, not %d", table,
                    STORE_TABLE_COUNT));
}

/* All zero if it is missing, which no digest is. */
static bool read_digest(uint8_t digest[DIGEST_LEN], const struct store_reader *reader,
                        struct arena *arena, struct err *err)
{
    struct rows_source source = store_source_of(reader, arena, err);
    struct rows_in rows = rows_from(&source, META, "SELECT value FROM meta WHERE key = 'digest'");
    struct view stored = rows_next(&rows) ? get_blob(&rows, DIGEST_LEN) : (struct view){NULL, 0};
    memset(digest, 0, DIGEST_LEN);
    if (stored.len == DIGEST_LEN)
        memcpy(digest, stored.data, DIGEST_LEN);
    return rows_close(&rows);
}

/* For SQLite's progress handler. */
static int stop_query(void *unused)
{
    (void)unused;
    return 1;
}

/* Pages of a tree may be damaged so that each leads to the same few others, and a table has rows
 * without end. SQLite needs less than a step for each byte of a sound file to read a table. */
static void limit_steps(const struct store_reader *reader)
{
    uint64_t bytes = number_min(reader->bytes, INT_MAX);
    uint64_t steps = number_min(STEPS_LEAST + STEPS_PER_BYTE * bytes, INT_MAX);
    sqlite3_progress_handler(reader->db, (int)steps, stop_query, NULL);
}

bool store_open_to_read(struct store_reader *out, const char *path, struct err *err)
{
    *out = (struct store_reader){.db = NULL};
    if (!store_check_header(&out->bytes, path, err) ||
        !store_open(&out->db, path, "?immutable=1", SQLITE_OPEN_READONLY, err))
        return false;
    limit_steps(out);
    (void)sqlite3_db_config(out->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(out->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return store_execute(out->db, "PRAGMA mmap_size = 0; PRAGMA cell_size_check = 1; BEGIN", err);
}

bool store_read_reasons(struct rows_source *source)
{
    const struct reason *reasons = read_table(&source->reason_count, source, REASONS);
    for (uint32_t i = 0; reasons != NULL && i < source->reason_count; i++)
        if (!reason_is_known(reasons[i].code))
            return err_set(source->err, ERR_FORMAT, "damaged: there is no reason %u",
                           reasons[i].code);
    source->reasons = reasons;
    return reasons != NULL;
}

static bool read_choices(struct facts *out, const struct rows_source *source)
{
    struct rows_in rows =
        rows_from(source, META, "SELECT value FROM meta WHERE key = 'counts_generated'");
    out->counts_generated = rows_next(&rows);
    return rows_close(&rows);
}

bool store_read_outline(struct facts *out, struct rows_source *source)
{
    return read_choices(out, source) && store_read_reasons(source) &&
           (out->runs = read_table(&out->run_count, source, RUNS)) != NULL &&
           (out->processes = read_table(&out->process_count, source, PROCESSES)) != NULL &&
           read_modules(out, source) && read_list(out, DOCUMENTS, source);
}

bool store_read_tests(struct facts *out, const struct rows_source *source)
{
    return (out->tests = read_table(&out->test_count, source, TESTS)) != NULL &&
           (out->hits = read_table(&out->hits_count, source, TEST_HITS)) != NULL;
}

/* The digest is computed as the rows are read; if it does not match, they are discarded. */
static bool read_rows(struct facts *out, struct rows_source *source)
{
    return store_hash_table(source->digest, source->db, &store_tables[META], source->bytes, NULL,
                            source->err) &&
           store_read_outline(out, source) && read_list(out, METHODS, source) &&
           store_read_tests(out, source) && read_declarations(out, source) &&
           (out->inputs = read_table(&out->input_count, source, INPUTS)) != NULL &&
           store_hash_table(source->digest, source->db, &store_tables[COUNTS], source->bytes,
                            source->progress, source->err);
}

static bool read_checked(struct facts *out, struct store_reader *reader,
                         const struct progress_hook *progress, struct arena *arena,
                         struct arena *code, struct err *err)
{
    uint8_t found[DIGEST_LEN];
    struct digest digest;
    struct rows_source source = store_source_of(reader, arena, err);
    source.progress = progress;
    source.code = code;
    if (!read_digest(reader->digest, reader, arena, err) || !digest_open(&digest, err))
        return false;
    source.digest = &digest;
    bool ok = read_rows(out, &source);
    if (ok)
        digest_take(found, &digest);
    digest_close(&digest);
    if (!ok)
        return false;
    if (memcmp(found, reader->digest, DIGEST_LEN) != 0)
        return err_set(err, ERR_FORMAT, "damaged: the digest over its rows does not match");
    if (facts_check(out, err))
        return true;
    err_prefix(err, "damaged");
    return false;
}

static bool open_facts(struct store_reader *out, struct facts *facts, const char *path,
                       const struct progress_hook *progress, struct arena *arena,
                       struct arena *code, struct err *err)
{
    int64_t start = clock_ns();
    *facts = (struct facts){0};
    bool ok = store_open_to_read(out, path, err) && store_check_schema(out, arena, err) &&
              read_checked(facts, out, progress, arena, code, err);
    trace_since(start, "read %s", path);
    if (ok)
        return true;
    store_close(out);
    *facts = (struct facts){0};
    return false;
}

bool store_open_facts(struct store_reader *out, struct facts *facts, const char *path,
                      const struct progress_hook *progress, struct arena *arena, struct err *err)
{
    return open_facts(out, facts, path, progress, arena, arena, err);
}

bool store_open_again(struct store_reader *out, const char *path, const uint8_t digest[DIGEST_LEN],
                      struct arena *arena, struct err *err)
{
    if (store_open_to_read(out, path, err) && store_check_schema(out, arena, err) &&
        read_digest(out->digest, out, arena, err)) {
        if (memcmp(out->digest, digest, DIGEST_LEN) == 0)
            return true;
        (void)err_set(err, ERR_FORMAT, "was changed while it was being read");
    }
    store_close(out);
    return false;
}

void store_close(struct store_reader *reader)
{
    (void)sqlite3_close(reader->db);
    reader->db = NULL;
}

/* --- all at once ------------------------------------------------------------------------------ */

struct gathering {
    struct facts *facts;
    struct list counts; /* struct fact_counts */
    uint32_t *row;      /* per kind of run and module: index in counts, or NO_INDEX */
    struct arena *arena;
};

static bool add_count_vector(struct gathering *g, uint32_t run, uint32_t module, struct err *err)
{
    struct fact_counts *counts = list_add(&g->counts, sizeof *counts, g->arena, err);
    if (counts == NULL)
        return false;
    *counts = (struct fact_counts){run, module, NULL};
    counts->counts = ARENA_NEW(g->arena, uint64_t, g->facts->modules[module].count_len, err);
    return counts->counts != NULL;
}

static bool gather_counts(void *context, uint32_t run, uint32_t module, struct view packed,
                          struct err *err)
{
    struct gathering *g = context;
    uint32_t len = g->facts->modules[module].count_len;
    uint32_t *row =
        g->row != NULL ? &g->row[g->facts->runs[run].kind * g->facts->module_count + module] : NULL;
    if ((row == NULL || *row == NO_INDEX) && !add_count_vector(g, run, module, err))
        return false;
    if (row != NULL && *row == NO_INDEX)
        *row = g->counts.count - 1;
    uint32_t index = row != NULL ? *row : g->counts.count - 1;
    return packed_add(((struct fact_counts *)g->counts.items)[index].counts, len, packed);
}

static bool read_data_file(struct facts *out, const char *path, bool summed,
                           const struct progress_hook *progress, struct arena *arena,
                           struct arena *code, struct err *err)
{
    struct store_reader reader;
    struct gathering g = {.facts = out, .arena = code};
    if (!open_facts(&reader, out, path, progress, arena, code, err))
        return false;
    size_t rows = (size_t)out->module_count * (RUN_EXTERNAL + 1);
    bool ok = !summed || (g.row = arena_raw(code, rows, sizeof *g.row, err)) != NULL;
    if (ok && summed)
        memset(g.row, 0xFF, rows * sizeof *g.row); /* NO_INDEX */
    ok = ok && store_each_counts(&reader, out, NO_INDEX, gather_counts, &g, err);
    out->counts = g.counts.items;
    out->counts_count = g.counts.count;
    store_close(&reader);
    if (!ok)
        *out = (struct facts){0};
    return ok;
}

bool store_read(struct facts *out, const char *path, struct arena *arena, struct err *err)
{
    return read_data_file(out, path, false, NULL, arena, arena, err);
}

bool store_read_summed(struct facts *out, const char *path, const struct progress_hook *progress,
                       struct arena *arena, struct arena *code, struct err *err)
{
    return read_data_file(out, path, true, progress, arena, code, err);
}

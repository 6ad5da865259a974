/* Facts in, rows out: the data file that store_tables.c draws, written whole and then renamed. */
#include <stdio.h>

#include "base/version.h"
#include "coverage/facts/packed.h"
#include "coverage/facts/rows_out.h"
#include "system/clock.h"
#include "system/trace.h"

enum {
    ROWS_MANY = 5000, /* of methods: some megabytes */
    PAGE_SMALL = 4096,
    PAGE_LARGE = 32 << 10
};

struct facts_writing {
    struct rows_target target;
    const struct progress_hook *progress;
    uint64_t done, total; /* rows of documents and methods */
};

static void put_listed(struct rows_out *rows, struct facts_writing *w)
{
    rows_put(rows);
    progress_step(w->progress, "writing rows of the data file", w->done++, w->total);
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool write_table(struct facts_writing *w, enum store_table_id table, const void *items,
                        uint32_t count)
{
    const struct store_columns *columns = &store_columns[table];
    struct rows_out rows = rows_to(&w->target, table);
    for (uint32_t i = 0; i < count && !rows.failed; i++) {
        put_columns(&rows, columns, (const uint8_t *)items + i * columns->size, i);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static void put_documents(struct rows_out *rows, const struct fact_module *module,
                          uint32_t module_id, struct facts_writing *w)
{
    for (uint32_t i = 0; i < module->document_count && !rows->failed; i++) {
        put_int(rows, module_id);
        put_columns(rows, &store_columns[DOCUMENTS], &module->documents[i], i);
        put_listed(rows, w);
    }
}

static void put_items(struct rows_out *rows, enum store_table_id view, const void *items,
                      uint32_t first, uint32_t end)
{
    const struct store_columns *columns = &store_columns[view];
    put_int(rows, first);
    items_begin(rows);
    for (uint32_t i = first; i < end; i++) {
        item_begin(rows);
        put_columns(rows, columns, (const uint8_t *)items + i * columns->size, i);
        item_end(rows);
    }
    items_end(rows);
}

static void put_methods_of(struct rows_out *rows, const struct fact_module *module,
                           uint32_t module_id, struct facts_writing *w)
{
    for (uint32_t i = 0; i < module->method_count && !rows->failed; i++) {
        struct fact_extent of = facts_extent(module, i);
        put_int(rows, module_id);
        put_columns(rows, &store_columns[METHODS], &module->methods[i], i);
        put_items(rows, STATEMENTS, module->statements, of.first_statement, of.end_statement);
        put_items(rows, DECISIONS, module->decisions, of.first_decision, of.end_decision);
        put_listed(rows, w);
    }
}

static bool write_lists(struct facts_writing *w, const struct facts *facts)
{
    struct rows_out documents = rows_to(&w->target, DOCUMENTS);
    for (uint32_t i = 0; i < facts->module_count && !documents.failed; i++)
        put_documents(&documents, &facts->modules[i], i, w);
    if (!rows_end(&documents))
        return false;
    struct rows_out methods = rows_to(&w->target, METHODS);
    for (uint32_t i = 0; i < facts->module_count && !methods.failed; i++)
        put_methods_of(&methods, &facts->modules[i], i, w);
    return rows_end(&methods);
}

static bool note_reasons_of(struct facts_writing *w, enum store_table_id table, const void *items,
                            uint32_t count)
{
    const struct store_columns *of = &store_columns[table];
    uint32_t row;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < of->count; c++) {
            const uint8_t *field = (const uint8_t *)items + i * of->size + of->columns[c].at;
            if (of->columns[c].kind == COLUMN_REASON &&
                !reason_list_row(&row, &w->target.reasons, reason_at(field), w->target.err))
                return false;
        }
    return true;
}

/* All, because their rows are written before those that name them. */
static bool note_reasons(struct facts_writing *w, const struct facts *facts)
{
    bool ok = note_reasons_of(w, RUNS, facts->runs, facts->run_count) &&
              note_reasons_of(w, PROCESSES, facts->processes, facts->process_count);
    for (uint32_t i = 0; ok && i < facts->module_count; i++) {
        const struct fact_module *module = &facts->modules[i];
        ok = note_reasons_of(w, MODULES, module, 1) &&
             note_reasons_of(w, DOCUMENTS, module->documents, module->document_count) &&
             note_reasons_of(w, METHODS, module->methods, module->method_count) &&
             note_reasons_of(w, STATEMENTS, module->statements, module->statement_count) &&
             note_reasons_of(w, DECISIONS, module->decisions, module->decision_count);
    }
    return ok;
}

static bool write_reasons(struct facts_writing *w)
{
    struct rows_out rows = rows_to(&w->target, REASONS);
    for (uint32_t i = 0; i < w->target.reasons.items.count && !rows.failed; i++) {
        put_columns(&rows, &store_columns[REASONS], reason_list_at(&w->target.reasons, i), i);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static void put_declarations(struct rows_out *rows, const struct fact_module *module,
                             uint32_t module_id)
{
    for (uint32_t i = 0; i < module->method_count && !rows->failed; i++) {
        if (module->methods[i].declaration == 0)
            continue;
        put_int(rows, module_id);
        put_index(rows, i);
        put_text(rows, STR(""));
        put_int(rows, (int64_t)module->methods[i].declaration);
        put_int(rows, 0);
        rows_put(rows);
    }
    for (uint32_t i = 0; i < module->type_count && !rows->failed; i++) {
        put_int(rows, module_id);
        put_index(rows, NO_INDEX);
        put_text(rows, module->types[i].name);
        put_int(rows, (int64_t)module->types[i].declaration);
        put_int(rows, module->types[i].foreign_count);
        rows_put(rows);
    }
}

static bool write_declarations(struct facts_writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_to(&w->target, DECLARATIONS);
    for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++)
        put_declarations(&rows, &facts->modules[i], i);
    return rows_end(&rows);
}

/* --- the file --------------------------------------------------------------------------------- */

static void put_meta(struct rows_out *rows, const char *key, const void *value, size_t len)
{
    put_text(rows, str_of(key));
    put_blob(rows, value, len);
    rows_put(rows);
}

/* In the order of their keys. */
static bool write_facts_of_file(struct facts_writing *w, const struct facts *facts)
{
    static const char yes[] = "yes";
    char writer[80];
    int len = snprintf(writer, sizeof writer, "ilcov %s", ilcov_version);
    struct rows_out rows = rows_to(&w->target, META);
    if (facts->counts_generated)
        put_meta(&rows, "counts_generated", yes, sizeof yes - 1);
    put_meta(&rows, "writer", writer, (size_t)len);
    return rows_end(&rows);
}

static bool write_digest(sqlite3 *db, const uint8_t digest[DIGEST_LEN], struct err *err)
{
    struct rows_target target = {.db = db, .err = err};
    struct rows_out rows = rows_to(&target, META);
    put_meta(&rows, "digest", digest, DIGEST_LEN);
    return rows_end(&rows);
}

/* Each page is a write of its own, but each table has at least one page. */
static bool write_schema(sqlite3 *db, uint64_t row_count, struct err *err)
{
    char pragmas[256];
    unsigned page_size = row_count < ROWS_MANY ? PAGE_SMALL : PAGE_LARGE;
    /* No journal and no waiting for the disk: nobody uses the file until it is renamed. */
    (void)snprintf(
        pragmas, sizeof pragmas,
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = %u;"
        "PRAGMA encoding = 'UTF-8'; BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d",
        page_size, STORE_APPLICATION_ID, STORE_VERSION);
    bool ok = store_execute(db, pragmas, err);
    for (enum store_table_id table = 0; ok && table < STORE_TABLE_COUNT; table++)
        ok = store_execute(db, store_tables[table].create, err);
    return ok;
}

static uint64_t count_list_rows(const struct facts *facts)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        count += (uint64_t)facts->modules[i].document_count + facts->modules[i].method_count;
    return count;
}

static bool write_rows(struct store_writer *writer, const struct facts *facts, struct err *err)
{
    struct facts_writing w = {.target = {.db = writer->db,
                                         .digest = &writer->digest,
                                         .reasons = {.arena = &writer->arena},
                                         .arena = &writer->arena,
                                         .err = err},
                              .progress = writer->progress,
                              .total = count_list_rows(facts)};
    return write_schema(writer->db, w.total, err) && write_facts_of_file(&w, facts) &&
           note_reasons(&w, facts) && write_reasons(&w) &&
           write_table(&w, RUNS, facts->runs, facts->run_count) &&
           write_table(&w, PROCESSES, facts->processes, facts->process_count) &&
           write_table(&w, MODULES, facts->modules, facts->module_count) &&
           write_lists(&w, facts) && write_table(&w, TESTS, facts->tests, facts->test_count) &&
           write_table(&w, TEST_HITS, facts->hits, facts->hits_count) &&
           write_declarations(&w, facts) &&
           write_table(&w, INPUTS, facts->inputs, facts->input_count);
}

bool store_create(struct store_writer *out, const char *path, const struct facts *facts,
                  const struct progress_hook *progress, struct err *err)
{
    *out = (struct store_writer){.progress = progress};
    if (!facts_check(facts, err) || !output_open(&out->output, path, err))
        return false;
    out->arena = ARENA_EMPTY;
    if (out->output.temporary[0] == '\0')
        (void)err_set(err, ERR_IO, "is not a regular file");
    else if (store_open(&out->db, out->output.temporary, "?nolock=1", SQLITE_OPEN_READWRITE, err) &&
             digest_open(&out->digest, err) && write_rows(out, facts, err))
        return true;
    store_abandon(out);
    return false;
}

/* One statement per row: there are as many as runs and modules, and each row holds a blob. */
static bool put_packed(struct store_writer *writer, uint32_t run, uint32_t module,
                       struct view packed, struct err *err)
{
    struct rows_target target = {.db = writer->db, .err = err};
    struct rows_out rows = rows_to(&target, COUNTS);
    put_int(&rows, run);
    put_int(&rows, module);
    put_blob(&rows, packed.data, packed.len);
    rows_put(&rows);
    return rows_end(&rows);
}

bool store_put_counts(struct store_writer *writer, uint32_t run, uint32_t module,
                      const uint64_t *counts, uint32_t len, struct err *err)
{
    arena_reset(&writer->arena);
    struct writer w = wr_in(&writer->arena);
    packed_write(&w, counts, len);
    if (w.failed)
        return err_set(err, ERR_MEMORY, "out of memory: counts need %zu bytes", w.len);
    return put_packed(writer, run, module, (struct view){w.data, w.len}, err);
}

/* Closes the database and gives back the memory; the output stays. */
static bool close_database(struct store_writer *writer)
{
    int rc = sqlite3_close(writer->db);
    writer->db = NULL;
    digest_close(&writer->digest);
    arena_free(&writer->arena);
    return rc == SQLITE_OK;
}

void store_abandon(struct store_writer *writer)
{
    (void)close_database(writer);
    output_abandon(&writer->output);
}

/* Counts may have come in any order. */
static bool seal_database(struct store_writer *writer, struct err *err)
{
    uint8_t digest[DIGEST_LEN];
    if (!store_hash_table(&writer->digest, writer->db, &store_tables[COUNTS], UINT64_MAX,
                          writer->progress, err))
        return false;
    digest_take(digest, &writer->digest);
    return write_digest(writer->db, digest, err);
}

static bool finish_database(struct store_writer *writer, struct err *err)
{
    bool ok = seal_database(writer, err) && store_execute(writer->db, "COMMIT", err);
    if (!close_database(writer) && ok)
        ok = err_set(err, ERR_IO, "the database could not be closed");
    if (!ok)
        output_abandon(&writer->output);
    return ok;
}

bool store_finish(struct store_writer *writer, struct err *err)
{
    return finish_database(writer, err) && output_commit(&writer->output, err);
}

bool store_keep(struct output *out, struct store_writer *writer, struct err *err)
{
    if (!finish_database(writer, err) || !output_keep(&writer->output, err))
        return false;
    *out = writer->output;
    return true;
}

static bool write_whole_file(struct store_writer *writer, const char *path,
                             const struct facts *facts, const struct progress_hook *progress,
                             struct err *err)
{
    if (!store_create(writer, path, facts, progress, err))
        return false;
    for (uint32_t i = 0; i < facts->counts_count; i++) {
        const struct fact_counts *counts = &facts->counts[i];
        if (!store_put_counts(writer, counts->run, counts->module, counts->counts,
                              facts->modules[counts->module].count_len, err)) {
            store_abandon(writer);
            return false;
        }
    }
    return true;
}

bool store_write(const char *path, const struct facts *facts, const struct progress_hook *progress,
                 struct err *err)
{
    struct store_writer writer;
    int64_t start = clock_ns();
    bool ok = write_whole_file(&writer, path, facts, progress, err) && store_finish(&writer, err);
    trace_since(start, "wrote %s", path);
    return ok;
}

bool store_write_beside(struct output *out, const char *path, const struct facts *facts,
                        const struct progress_hook *progress, struct err *err)
{
    struct store_writer writer;
    return write_whole_file(&writer, path, facts, progress, err) && store_keep(out, &writer, err);
}

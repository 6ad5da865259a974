/* Facts in, rows out: the data file that store_tables.c draws, written whole and then renamed. */
#include <stdio.h>

#include "base/version.h"
#include "coverage/store/packed.h"
#include "coverage/store/rows_out.h"
#include "system/clock.h"
#include "system/trace.h"

enum {
    ROWS_MANY = 5000, /* of methods: some megabytes */
    PAGE_SMALL = 4096,
    PAGE_LARGE = 32 << 10
};

/* What all rows of a file are written with. */
struct writing {
    sqlite3 *db;
    struct reason_list reasons;
    struct digest *digest;
    const struct progress_hook *progress;
    uint64_t done, total; /* rows of documents and methods */
    struct arena *arena;
    struct err *err;
};

/* All rows of a table, in its order; they go into the digest. */
static struct rows_out rows_of(struct writing *w, enum store_table_id table)
{
    return rows_to(w->db, table, w->digest, &w->reasons, w->arena, w->err);
}

static void put_listed(struct rows_out *rows, struct writing *w)
{
    rows_put(rows);
    progress_step(w->progress, "writing rows of the data file", w->done++, w->total);
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool write_runs(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, RUNS);
    for (uint32_t i = 0; i < facts->run_count && !rows.failed; i++) {
        const struct fact_run *run = &facts->runs[i];
        put_int(&rows, i);
        put_blob(&rows, run->id, sizeof run->id);
        put_int(&rows, run->started);
        put_int(&rows, run->kind);
        put_text(&rows, run->mode);
        put_text(&rows, run->root);
        put_text(&rows, run->label);
        put_reason(&rows, run->reason);
        put_blob(&rows, run->folded.data, run->folded.len);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static bool write_processes(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, PROCESSES);
    for (uint32_t i = 0; i < facts->process_count && !rows.failed; i++) {
        const struct fact_process *process = &facts->processes[i];
        put_int(&rows, i);
        put_int(&rows, process->run);
        put_text(&rows, process->program);
        put_text(&rows, process->runtime);
        put_reason(&rows, process->declined);
        put_int(&rows, process->module_count);
        put_int(&rows, (int64_t)process->method_count);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static bool write_modules(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, MODULES);
    for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++) {
        const struct fact_module *module = &facts->modules[i];
        put_int(&rows, i);
        put_text(&rows, module->name);
        put_text(&rows, module->path);
        put_blob(&rows, module->mvid, sizeof module->mvid);
        put_blob(&rows, module->identity, sizeof module->identity);
        put_int(&rows, (int64_t)module->plan_hash);
        put_int(&rows, module->seen);
        put_int(&rows, module->state);
        put_reason(&rows, module->reason);
        put_int(&rows, module->count_len);
        put_int(&rows, module->statement_count);
        put_int(&rows, module->decision_count);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static void put_documents(struct rows_out *rows, const struct fact_module *module,
                          uint32_t module_id, struct writing *w)
{
    for (uint32_t i = 0; i < module->document_count && !rows->failed; i++) {
        const struct fact_document *document = &module->documents[i];
        put_int(rows, module_id);
        put_int(rows, i);
        put_text(rows, document->path);
        put_text(rows, document->relative);
        put_reason(rows, document->reason);
        put_blob(rows, document->hash_algorithm, sizeof document->hash_algorithm);
        put_blob(rows, document->hash.data, document->hash.len);
        put_blob(rows, document->source.data, document->source.len);
        put_reason(rows, document->generated);
        put_listed(rows, w);
    }
}

static void put_statement(struct rows_out *rows, const struct fact_statement *statement)
{
    item_begin(rows);
    put_int(rows, statement->document);
    put_int(rows, statement->il_offset);
    put_int(rows, statement->start_line);
    put_int(rows, statement->start_column);
    put_int(rows, statement->end_line);
    put_int(rows, statement->end_column);
    put_int(rows, statement->count);
    put_reason(rows, statement->reason);
    put_blob(rows, statement->gaps.data, statement->gaps.len);
    put_blob(rows, statement->causes.bytes, statement->causes.len);
    item_end(rows);
}

/* Those of a method, beginning with the `first`. Returns the first one after them. */
static uint32_t put_statements(struct rows_out *rows, const struct fact_module *module,
                               uint32_t method, uint32_t first)
{
    uint32_t i = first;
    put_int(rows, first);
    items_begin(rows);
    for (; i < module->statement_count && module->statements[i].method == method; i++)
        put_statement(rows, &module->statements[i]);
    items_end(rows);
    return i;
}

static void put_decision(struct rows_out *rows, const struct fact_module *module, uint32_t i)
{
    const struct fact_decision *decision = &module->decisions[i];
    item_begin(rows);
    put_int(rows, decision->document);
    put_int(rows, decision->il_offset);
    put_int(rows, decision->line);
    put_int(rows, decision->outcome_count);
    put_int(rows, decision->is_switch);
    put_int(rows, decision->first_count);
    put_reason(rows, decision->reason);
    put_int(rows, decision->span.start_line);
    put_int(rows, decision->span.start_column);
    put_int(rows, decision->span.end_line);
    put_int(rows, decision->span.end_column);
    put_int(rows, decision->is_exact);
    put_int(rows, i - decision->expression);
    put_int(rows, decision->words);
    put_blob(rows, decision->causes.bytes, decision->causes.len);
    put_blob(rows, decision->arms, decision->arms_len);
    item_end(rows);
}

static uint32_t put_decisions(struct rows_out *rows, const struct fact_module *module,
                              uint32_t method, uint32_t first)
{
    uint32_t i = first;
    put_int(rows, first);
    items_begin(rows);
    for (; i < module->decision_count && module->decisions[i].method == method; i++)
        put_decision(rows, module, i);
    items_end(rows);
    return i;
}

static void put_method(struct rows_out *rows, const struct fact_method *method)
{
    put_int(rows, method->token);
    put_text(rows, method->type);
    put_text(rows, method->name);
    put_text(rows, method->signature);
    put_int(rows, method->user_method);
    put_int(rows, method->state);
    put_reason(rows, method->reason);
    put_index(rows, method->entry_count);
    put_blob(rows, method->body, sizeof method->body);
    put_blob(rows, method->instructions.data, method->instructions.len);
    put_text(rows, method->display.type);
    put_text(rows, method->display.name);
    put_text(rows, method->display.signature);
    put_reason(rows, method->generated);
}

/* The lists are in the order of their methods (facts_check). */
static void put_methods(struct rows_out *rows, const struct fact_module *module, uint32_t module_id,
                        struct writing *w)
{
    uint32_t statement = 0, decision = 0;
    for (uint32_t i = 0; i < module->method_count && !rows->failed; i++) {
        put_int(rows, module_id);
        put_int(rows, i);
        put_method(rows, &module->methods[i]);
        statement = put_statements(rows, module, i, statement);
        decision = put_decisions(rows, module, i, decision);
        put_listed(rows, w);
    }
}

static bool write_lists(struct writing *w, const struct facts *facts)
{
    struct rows_out documents = rows_of(w, DOCUMENTS);
    for (uint32_t i = 0; i < facts->module_count && !documents.failed; i++)
        put_documents(&documents, &facts->modules[i], i, w);
    if (!rows_end(&documents))
        return false;
    struct rows_out methods = rows_of(w, METHODS);
    for (uint32_t i = 0; i < facts->module_count && !methods.failed; i++)
        put_methods(&methods, &facts->modules[i], i, w);
    return rows_end(&methods);
}

static bool note_reason(struct writing *w, const struct reason *reason)
{
    uint32_t row;
    return reason_list_row(&row, &w->reasons, reason, w->err);
}

static bool note_reasons_of(struct writing *w, const struct fact_module *module)
{
    bool ok = note_reason(w, module->reason);
    for (uint32_t i = 0; ok && i < module->document_count; i++)
        ok = note_reason(w, module->documents[i].reason) &&
             note_reason(w, module->documents[i].generated);
    for (uint32_t i = 0; ok && i < module->method_count; i++)
        ok = note_reason(w, module->methods[i].reason) &&
             note_reason(w, module->methods[i].generated);
    for (uint32_t i = 0; ok && i < module->statement_count; i++)
        ok = note_reason(w, module->statements[i].reason);
    for (uint32_t i = 0; ok && i < module->decision_count; i++)
        ok = note_reason(w, module->decisions[i].reason);
    return ok;
}

/* All, because their rows are written before those that name them. */
static bool note_reasons(struct writing *w, const struct facts *facts)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < facts->run_count; i++)
        ok = note_reason(w, facts->runs[i].reason);
    for (uint32_t i = 0; ok && i < facts->process_count; i++)
        ok = note_reason(w, facts->processes[i].declined);
    for (uint32_t i = 0; ok && i < facts->module_count; i++)
        ok = note_reasons_of(w, &facts->modules[i]);
    return ok;
}

static bool write_reasons(struct writing *w)
{
    struct rows_out rows = rows_of(w, REASONS);
    for (uint32_t i = 0; i < w->reasons.items.count && !rows.failed; i++) {
        const struct reason *reason = reason_list_at(&w->reasons, i);
        put_int(&rows, i);
        put_int(&rows, reason->code);
        put_text(&rows, reason->subject);
        put_text(&rows, reason->remark);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static bool write_tests(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, TESTS);
    for (uint32_t i = 0; i < facts->test_count && !rows.failed; i++) {
        const struct fact_test *test = &facts->tests[i];
        put_int(&rows, i);
        put_int(&rows, test->run);
        put_text(&rows, test->name);
        put_int(&rows, test->kind);
        put_int(&rows, test->end);
        put_int(&rows, (int64_t)test->ns);
        put_int(&rows, (int64_t)test->rows);
        rows_put(&rows);
    }
    return rows_end(&rows);
}

static bool write_test_hits(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, TEST_HITS);
    for (uint32_t i = 0; i < facts->hits_count && !rows.failed; i++) {
        const struct fact_hits *hits = &facts->hits[i];
        put_int(&rows, hits->module);
        put_blob(&rows, hits->counts.data, hits->counts.len);
        put_blob(&rows, hits->tests.data, hits->tests.len);
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
        rows_put(rows);
    }
    for (uint32_t i = 0; i < module->type_count && !rows->failed; i++) {
        put_int(rows, module_id);
        put_index(rows, NO_INDEX);
        put_text(rows, module->types[i].name);
        put_int(rows, (int64_t)module->types[i].declaration);
        rows_put(rows);
    }
}

static bool write_declarations(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, DECLARATIONS);
    for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++)
        put_declarations(&rows, &facts->modules[i], i);
    return rows_end(&rows);
}

static bool write_inputs(struct writing *w, const struct facts *facts)
{
    struct rows_out rows = rows_of(w, INPUTS);
    for (uint32_t i = 0; i < facts->input_count && !rows.failed; i++) {
        put_text(&rows, facts->inputs[i].folder);
        put_text(&rows, facts->inputs[i].path);
        put_blob(&rows, facts->inputs[i].hash, sizeof facts->inputs[i].hash);
        rows_put(&rows);
    }
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
static bool write_facts_of_file(struct writing *w, const struct facts *facts)
{
    static const char yes[] = "yes";
    char writer[80];
    int len = snprintf(writer, sizeof writer, "ilcov %s", ilcov_version);
    struct rows_out rows = rows_of(w, META);
    if (facts->counts_generated)
        put_meta(&rows, "counts_generated", yes, sizeof yes - 1);
    put_meta(&rows, "writer", writer, (size_t)len);
    return rows_end(&rows);
}

static bool write_digest(sqlite3 *db, const uint8_t digest[DIGEST_LEN], struct err *err)
{
    struct rows_out rows = rows_to(db, META, NULL, NULL, NULL, err);
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
    struct writing w = {.db = writer->db,
                        .digest = &writer->digest,
                        .progress = writer->progress,
                        .total = count_list_rows(facts),
                        .arena = &writer->arena,
                        .err = err};
    reason_list_open(&w.reasons, &writer->arena);
    return write_schema(w.db, w.total, err) && write_facts_of_file(&w, facts) &&
           note_reasons(&w, facts) && write_reasons(&w) && write_runs(&w, facts) &&
           write_processes(&w, facts) && write_modules(&w, facts) && write_lists(&w, facts) &&
           write_tests(&w, facts) && write_test_hits(&w, facts) && write_declarations(&w, facts) &&
           write_inputs(&w, facts);
}

bool store_create(struct store_writer *out, const char *path, const struct facts *facts,
                  const struct progress_hook *progress, struct err *err)
{
    *out = (struct store_writer){.progress = progress};
    if (!facts_check(facts, err) || !output_open(&out->output, path, err))
        return false;
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
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
    struct rows_out rows = rows_to(writer->db, COUNTS, NULL, NULL, NULL, err);
    put_int(&rows, run);
    put_int(&rows, module);
    put_blob(&rows, packed.data, packed.len);
    rows_put(&rows);
    return rows_end(&rows);
}

bool store_put_counts(struct store_writer *writer, uint32_t run, uint32_t module,
                      const uint64_t *counts, uint32_t len, struct err *err)
{
    struct writer w;
    arena_reset(&writer->arena);
    wr_open(&w, &writer->arena);
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
static bool seal(struct store_writer *writer, struct err *err)
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
    bool ok = seal(writer, err) && store_execute(writer->db, "COMMIT", err);
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

static bool write_all(struct store_writer *writer, const char *path, const struct facts *facts,
                      const struct progress_hook *progress, struct err *err)
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
    bool ok = write_all(&writer, path, facts, progress, err) && store_finish(&writer, err);
    trace_since(start, "wrote %s", path);
    return ok;
}

bool store_write_beside(struct output *out, const char *path, const struct facts *facts,
                        const struct progress_hook *progress, struct err *err)
{
    struct store_writer writer;
    return write_all(&writer, path, facts, progress, err) && store_keep(out, &writer, err);
}

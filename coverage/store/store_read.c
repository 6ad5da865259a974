/* Rows in, facts out: the data file that store_tables.c draws. Whoever wrote it, no value is believed
 * before its type and range are tested; what refers to what is facts_check's to test. */
#include "coverage/store/store_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "coverage/store/packed.h"

enum {
    HASH_LIMIT = 64
};

/* --- columns are taken from left to right, failure is sticky ---------------------------------- */

struct rows_in {
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct arena *arena;
    struct err *err;
    const char *table;
    uint32_t row;
    int column;
    bool failed;
    struct digest *digest; /* of what is taken, or NULL */
};

static struct rows_in rows_from(sqlite3 *db, enum store_table_id table, const char *sql,
                                struct arena *arena, struct err *err)
{
    struct rows_in rows = {.db = db, .arena = arena, .err = err, .table = store_tables[table].name};
    int rc = sqlite3_prepare_v2(db, sql, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !store_explain(db, rc, err);
    return rows;
}

/* All of a table, into the digest. */
static struct rows_in rows_of(sqlite3 *db, enum store_table_id table, struct digest *digest,
                              struct arena *arena, struct err *err)
{
    struct rows_in rows = rows_from(db, table, store_tables[table].select, arena, err);
    rows.digest = digest;
    store_hash_name(digest, table);
    return rows;
}

static bool next_row(struct rows_in *rows)
{
    if (rows->failed)
        return false;
    rows->column = 0;
    rows->row++;
    int rc = sqlite3_step(rows->statement);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        rows->failed = !store_explain(rows->db, rc, rows->err);
    if (rc == SQLITE_ROW && rows->digest != NULL)
        store_hash_row(rows->digest);
    return rc == SQLITE_ROW;
}

static bool rows_close(struct rows_in *rows)
{
    (void)sqlite3_finalize(rows->statement);
    return !rows->failed;
}

static void refuse(struct rows_in *rows)
{
    if (!rows->failed)
        rows->failed = !err_set(rows->err, ERR_FORMAT, "damaged: table %s, row %u, column %d",
                                rows->table, rows->row, rows->column);
}

static void hash_type(struct rows_in *rows, int type)
{
    uint8_t byte = (uint8_t)type;
    if (rows->digest != NULL)
        digest_bytes(rows->digest, &byte, 1);
}

static bool next_is(struct rows_in *rows, int type)
{
    rows->column++;
    hash_type(rows, type);
    return !rows->failed && sqlite3_column_type(rows->statement, rows->column - 1) == type;
}

static int64_t get_int(struct rows_in *rows)
{
    if (next_is(rows, SQLITE_INTEGER)) {
        int64_t value = sqlite3_column_int64(rows->statement, rows->column - 1);
        if (rows->digest != NULL)
            digest_u64(rows->digest, (uint64_t)value);
        return value;
    }
    refuse(rows);
    return 0;
}

static uint32_t get_u32(struct rows_in *rows, uint32_t max)
{
    int64_t value = get_int(rows);
    if (value >= 0 && value <= max)
        return (uint32_t)value;
    refuse(rows);
    return 0;
}

static uint32_t get_index(struct rows_in *rows)
{
    if (sqlite3_column_type(rows->statement, rows->column) != SQLITE_NULL)
        return get_u32(rows, NO_INDEX - 1);
    rows->column++;
    hash_type(rows, SQLITE_NULL);
    if (rows->digest != NULL)
        digest_text(rows->digest, STR(""));
    return NO_INDEX;
}

/* The row's own id: rows are numbered from 0. */
static void expect_id(struct rows_in *rows, uint32_t id)
{
    if (get_int(rows) != id)
        refuse(rows);
}

static struct view get_bytes(struct rows_in *rows, int type)
{
    if (!next_is(rows, type)) {
        refuse(rows);
        return (struct view){NULL, 0};
    }
    const void *data = sqlite3_column_blob(rows->statement, rows->column - 1);
    size_t len = (size_t)sqlite3_column_bytes(rows->statement, rows->column - 1);
    char *copy = arena_copy_text(rows->arena, data, data != NULL ? len : 0, rows->err);
    if (copy == NULL || (data == NULL && len != 0)) {
        rows->failed = true;
        return (struct view){NULL, 0};
    }
    if (rows->digest != NULL)
        digest_text(rows->digest, (struct str){copy, len});
    return (struct view){(const uint8_t *)copy, len};
}

static struct str get_text(struct rows_in *rows)
{
    struct view bytes = get_bytes(rows, SQLITE_TEXT);
    return (struct str){(const char *)bytes.data, bytes.len};
}

static struct view get_blob(struct rows_in *rows, size_t max_len)
{
    struct view bytes = get_bytes(rows, SQLITE_BLOB);
    if (bytes.len > max_len)
        refuse(rows);
    return bytes;
}

/* Exactly `len` bytes. */
static void get_exactly(uint8_t *out, size_t len, struct rows_in *rows)
{
    struct view bytes = get_blob(rows, len);
    if (bytes.len != len)
        refuse(rows);
    else
        memcpy(out, bytes.data, len);
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool count_rows(uint32_t *out, sqlite3 *db, enum store_table_id table, struct arena *arena,
                       struct err *err)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", store_tables[table].name);
    struct rows_in rows = rows_from(db, table, sql, arena, err);
    *out = next_row(&rows) ? get_u32(&rows, UINT32_MAX - 1) : 0;
    return rows_close(&rows);
}

static bool read_runs(struct facts *out, sqlite3 *db, struct digest *digest, struct arena *arena,
                      struct err *err)
{
    if (!count_rows(&out->run_count, db, RUNS, arena, err) ||
        (out->runs = ARENA_NEW(arena, struct fact_run, out->run_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_of(db, RUNS, digest, arena, err);
    for (uint32_t i = 0; i < out->run_count && next_row(&rows); i++) {
        struct fact_run *run = &out->runs[i];
        expect_id(&rows, i);
        get_exactly(run->id, sizeof run->id, &rows);
        run->started = get_int(&rows);
        run->kind = (enum run_kind)get_u32(&rows, RUN_FOREIGN);
        run->mode = get_text(&rows);
        run->root = get_text(&rows);
        run->label = get_text(&rows);
        run->folded = get_blob(&rows, SIZE_MAX);
    }
    return rows_close(&rows);
}

static bool read_processes(struct facts *out, sqlite3 *db, struct digest *digest,
                           struct arena *arena, struct err *err)
{
    if (!count_rows(&out->process_count, db, PROCESSES, arena, err) ||
        (out->processes = ARENA_NEW(arena, struct fact_process, out->process_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_of(db, PROCESSES, digest, arena, err);
    for (uint32_t i = 0; i < out->process_count && next_row(&rows); i++) {
        struct fact_process *process = &out->processes[i];
        expect_id(&rows, i);
        process->run = get_u32(&rows, UINT32_MAX);
        process->program = get_text(&rows);
        process->runtime = get_text(&rows);
        process->verdict = get_text(&rows);
    }
    return rows_close(&rows);
}

static bool read_modules(struct facts *out, sqlite3 *db, struct digest *digest, struct arena *arena,
                         struct err *err)
{
    if (!count_rows(&out->module_count, db, MODULES, arena, err) ||
        (out->modules = ARENA_NEW(arena, struct fact_module, out->module_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_of(db, MODULES, digest, arena, err);
    for (uint32_t i = 0; i < out->module_count && next_row(&rows); i++) {
        struct fact_module *module = &out->modules[i];
        expect_id(&rows, i);
        module->name = get_text(&rows);
        module->path = get_text(&rows);
        get_exactly(module->mvid, sizeof module->mvid, &rows);
        get_exactly(module->identity, sizeof module->identity, &rows);
        module->plan_hash = (uint64_t)get_int(&rows);
        module->seen = get_int(&rows);
        module->state = (enum module_state)get_u32(&rows, MODULE_FOREIGN);
        module->reason = get_text(&rows);
        module->count_len = get_u32(&rows, FACT_COUNTS_LIMIT);
    }
    return rows_close(&rows);
}

/* Memory for a list of a module; the length was counted in the file, not told by it. */
static bool make_list(struct fact_module *module, enum store_table_id table, uint32_t count,
                      struct arena *arena, struct err *err)
{
    switch ((int)table) {
    case DOCUMENTS:
        module->document_count = count;
        module->documents = ARENA_NEW(arena, struct fact_document, count, err);
        return module->documents != NULL;
    case METHODS:
        module->method_count = count;
        module->methods = ARENA_NEW(arena, struct fact_method, count, err);
        return module->methods != NULL;
    case STATEMENTS:
        module->statement_count = count;
        module->statements = ARENA_NEW(arena, struct fact_statement, count, err);
        return module->statements != NULL;
    default:
        module->decision_count = count;
        module->decisions = ARENA_NEW(arena, struct fact_decision, count, err);
        return module->decisions != NULL;
    }
}

static void get_document(struct rows_in *rows, struct fact_module *module, uint32_t i)
{
    struct fact_document *document = &module->documents[i];
    document->path = get_text(rows);
    document->relative = get_text(rows);
    document->reason = get_text(rows);
    get_exactly(document->hash_algorithm, sizeof document->hash_algorithm, rows);
    document->hash = get_blob(rows, HASH_LIMIT);
    document->source = get_blob(rows, SIZE_MAX);
}

static void get_method(struct rows_in *rows, struct fact_module *module, uint32_t i)
{
    struct fact_method *method = &module->methods[i];
    method->token = get_u32(rows, UINT32_MAX);
    method->type = get_text(rows);
    method->name = get_text(rows);
    method->signature = get_text(rows);
    method->user_method = get_u32(rows, UINT32_MAX);
    method->state = (enum method_state)get_u32(rows, METHOD_EXCLUDED);
    method->reason = get_text(rows);
    method->entry_count = get_index(rows);
    get_exactly(method->body, sizeof method->body, rows);
    method->instructions = get_blob(rows, SIZE_MAX);
}

static void get_statement(struct rows_in *rows, struct fact_module *module, uint32_t i)
{
    struct fact_statement *statement = &module->statements[i];
    statement->method = get_u32(rows, UINT32_MAX);
    statement->document = get_u32(rows, UINT32_MAX);
    statement->il_offset = get_u32(rows, UINT32_MAX);
    statement->start_line = get_u32(rows, UINT32_MAX);
    statement->start_column = (uint16_t)get_u32(rows, UINT16_MAX);
    statement->end_line = get_u32(rows, UINT32_MAX);
    statement->end_column = (uint16_t)get_u32(rows, UINT16_MAX);
    statement->count = get_u32(rows, UINT32_MAX);
    statement->reason = get_text(rows);
}

static void get_decision(struct rows_in *rows, struct fact_module *module, uint32_t i)
{
    struct fact_decision *decision = &module->decisions[i];
    decision->method = get_u32(rows, UINT32_MAX);
    decision->document = get_u32(rows, UINT32_MAX);
    decision->il_offset = get_u32(rows, UINT32_MAX);
    decision->line = get_u32(rows, UINT32_MAX);
    decision->outcome_count = get_u32(rows, UINT32_MAX);
    decision->is_switch = get_u32(rows, 1) == 1;
    decision->first_count = get_u32(rows, UINT32_MAX);
    decision->reason = get_text(rows);
}

/* Rows come in order of module and id, and as many of each module as make_list was told: SQLite
 * sees one file. */
static bool read_list(struct facts *out, enum store_table_id table, sqlite3 *db,
                      struct digest *digest, struct arena *arena, struct err *err)
{
    static void (*const get_item[STORE_TABLE_COUNT])(struct rows_in *, struct fact_module *,
                                                     uint32_t) = {
        [DOCUMENTS] = get_document,
        [METHODS] = get_method,
        [STATEMENTS] = get_statement,
        [DECISIONS] = get_decision,
    };
    struct rows_in sizes = rows_from(db, table, store_tables[table].count, arena, err);
    struct rows_in items = rows_of(db, table, digest, arena, err);
    while (!items.failed && next_row(&sizes)) {
        uint32_t module = get_u32(&sizes, UINT32_MAX), count = get_u32(&sizes, UINT32_MAX - 1);
        if (module >= out->module_count)
            refuse(&sizes);
        else if (!make_list(&out->modules[module], table, count, arena, err))
            sizes.failed = true;
        for (uint32_t i = 0; i < count && !sizes.failed && next_row(&items); i++) {
            expect_id(&items, module);
            expect_id(&items, i);
            get_item[table](&items, &out->modules[module], i);
        }
    }
    bool sized = rows_close(&sizes), filled = rows_close(&items);
    return sized && filled;
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
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    (void)snprintf(sql, sizeof sql, "SELECT * FROM counts WHERE run = %" PRIu32 " ORDER BY module",
                   run);
    struct rows_in rows = rows_from(
        reader->db, COUNTS, run == NO_INDEX ? store_tables[COUNTS].select : sql, &arena, err);
    while (next_row(&rows)) {
        uint32_t of_run = get_u32(&rows, UINT32_MAX), module = get_u32(&rows, UINT32_MAX);
        struct view packed = get_blob(&rows, SIZE_MAX);
        if (!rows.failed && !check_counts(facts, of_run, module, packed))
            refuse(&rows);
        if (!rows.failed && !take(context, of_run, module, packed, err))
            rows.failed = true;
        arena_reset(&arena);
    }
    bool ok = rows_close(&rows);
    arena_free(&arena);
    return ok;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Nothing but our own tables, to the letter: a view or a trigger would run somebody else's code. */
static bool check_schema(sqlite3 *db, struct arena *arena, struct err *err)
{
    struct rows_in rows =
        rows_from(db, META, "SELECT type, sql FROM sqlite_master ORDER BY rowid", arena, err);
    rows.table = "sqlite_master";
    int table = 0;
    while (next_row(&rows)) {
        struct str type = get_text(&rows), sql = get_text(&rows);
        if (table == STORE_TABLE_COUNT || !str_is(type, "table") ||
            !str_is(sql, store_tables[table].create))
            refuse(&rows);
        else
            table++;
    }
    return rows_close(&rows) && (table == STORE_TABLE_COUNT ||
                                 err_set(err, ERR_FORMAT, "damaged: it has %d tables, not %d",
                                         table, STORE_TABLE_COUNT));
}

/* All zero when it is missing: no digest is. */
static bool read_digest(uint8_t digest[DIGEST_LEN], sqlite3 *db, struct arena *arena,
                        struct err *err)
{
    struct rows_in rows =
        rows_from(db, META, "SELECT value FROM meta WHERE key = 'digest'", arena, err);
    struct view stored = next_row(&rows) ? get_blob(&rows, DIGEST_LEN) : (struct view){NULL, 0};
    memset(digest, 0, DIGEST_LEN);
    if (stored.len == DIGEST_LEN)
        memcpy(digest, stored.data, DIGEST_LEN);
    return rows_close(&rows);
}

static bool open_database(struct store_reader *out, const char *path, struct err *err)
{
    *out = (struct store_reader){.db = NULL};
    if (!store_check_header(path, err) ||
        !store_open(&out->db, path, "?immutable=1", SQLITE_OPEN_READONLY, err))
        return false;
    (void)sqlite3_db_config(out->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(out->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return store_execute(out->db, "PRAGMA mmap_size = 0; PRAGMA cell_size_check = 1; BEGIN", err);
}

/* The rows go into the digest as they are read: what it does not match is not believed then. */
static bool read_rows(struct facts *out, sqlite3 *db, struct digest *digest, struct arena *arena,
                      struct err *err)
{
    bool ok = store_hash_table(digest, db, META, err) && read_runs(out, db, digest, arena, err) &&
              read_processes(out, db, digest, arena, err) &&
              read_modules(out, db, digest, arena, err);
    for (enum store_table_id table = DOCUMENTS; ok && table <= DECISIONS; table++)
        ok = read_list(out, table, db, digest, arena, err);
    return ok && store_hash_table(digest, db, COUNTS, err);
}

static bool read_checked(struct facts *out, uint8_t stored[DIGEST_LEN], sqlite3 *db,
                         struct arena *arena, struct err *err)
{
    uint8_t found[DIGEST_LEN];
    struct digest digest;
    if (!read_digest(stored, db, arena, err) || !digest_open(&digest, err))
        return false;
    bool ok = read_rows(out, db, &digest, arena, err);
    if (ok)
        digest_take(found, &digest);
    digest_close(&digest);
    if (!ok)
        return false;
    if (memcmp(found, stored, DIGEST_LEN) != 0)
        return err_set(err, ERR_FORMAT, "damaged: the digest over its rows does not match");
    if (facts_check(out, err))
        return true;
    err_prefix(err, "damaged");
    return false;
}

bool store_open_facts(struct store_reader *out, struct facts *facts, const char *path,
                      struct arena *arena, struct err *err)
{
    *facts = (struct facts){0};
    if (open_database(out, path, err) && check_schema(out->db, arena, err) &&
        read_checked(facts, out->digest, out->db, arena, err))
        return true;
    store_close(out);
    *facts = (struct facts){0};
    return false;
}

bool store_open_again(struct store_reader *out, const char *path, const uint8_t digest[DIGEST_LEN],
                      struct arena *arena, struct err *err)
{
    if (open_database(out, path, err) && check_schema(out->db, arena, err) &&
        read_digest(out->digest, out->db, arena, err)) {
        if (memcmp(out->digest, digest, DIGEST_LEN) == 0)
            return true;
        (void)err_set(err, ERR_FORMAT, "was changed meanwhile");
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
    uint32_t *row;      /* of each kind of run and module: place in counts, or NO_INDEX */
    struct arena *arena;
};

static bool add_vector(struct gathering *g, uint32_t run, uint32_t module, struct err *err)
{
    struct fact_counts *counts = list_add(&g->counts, sizeof *counts, g->arena, err);
    if (counts == NULL)
        return false;
    *counts = (struct fact_counts){run, module, NULL};
    counts->counts = ARENA_NEW(g->arena, uint64_t, g->facts->modules[module].count_len, err);
    return counts->counts != NULL;
}

static bool gather(void *context, uint32_t run, uint32_t module, struct view packed,
                   struct err *err)
{
    struct gathering *g = context;
    uint32_t len = g->facts->modules[module].count_len;
    uint32_t *row =
        g->row != NULL ? &g->row[g->facts->runs[run].kind * g->facts->module_count + module] : NULL;
    if ((row == NULL || *row == NO_INDEX) && !add_vector(g, run, module, err))
        return false;
    if (row != NULL && *row == NO_INDEX)
        *row = g->counts.count - 1;
    uint32_t index = row != NULL ? *row : g->counts.count - 1;
    return packed_add(((struct fact_counts *)g->counts.items)[index].counts, len, packed);
}

static bool read_file(struct facts *out, const char *path, bool summed, struct arena *arena,
                      struct err *err)
{
    struct store_reader reader;
    struct gathering g = {.facts = out, .arena = arena};
    if (!store_open_facts(&reader, out, path, arena, err))
        return false;
    size_t rows = (size_t)out->module_count * (RUN_FOREIGN + 1);
    bool ok = !summed || (g.row = arena_raw(arena, rows, sizeof *g.row, err)) != NULL;
    if (ok && summed)
        memset(g.row, 0xFF, rows * sizeof *g.row); /* NO_INDEX */
    ok = ok && store_each_counts(&reader, out, NO_INDEX, gather, &g, err);
    out->counts = g.counts.items;
    out->counts_count = g.counts.count;
    store_close(&reader);
    if (!ok)
        *out = (struct facts){0};
    return ok;
}

bool store_read(struct facts *out, const char *path, struct arena *arena, struct err *err)
{
    return read_file(out, path, false, arena, err);
}

bool store_read_summed(struct facts *out, const char *path, struct arena *arena, struct err *err)
{
    return read_file(out, path, true, arena, err);
}

/* The data file, an SQLite database (application_id "IlCo", user_version STORE_VERSION; columns in
 * store.def):
 *
 *   meta                                 writer, digest
 *   runs ----+-- processes               each process that the library saw
 *            +-- counts --+              one blob of non-zero counts for each run and module
 *   modules -+------------+
 *            +-- documents --+
 *            +-- methods ----+-- statements
 *                            +-- decisions
 *
 * An id is an index: rows are numbered from 0 without gaps, in the table or in their module, and
 * other rows refer to them by it. NULL is NO_INDEX. Enums are the numbers of facts.h; plan_hash is
 * 64 bits taken as a signed integer.
 *
 *   counts.counts   { zeros, count }*    two LEB128: how many zero counts to skip, then a count
 *                                        that is not zero
 *   meta 'digest'   SHA-256 over everything else: for each table its name and a NUL, and for each
 *                   row in the order of the primary key a byte 'R' and each value: its type, then
 *                   the 8 bytes of an integer, or 8 bytes of length and that many bytes.
 *                   Integers are little-endian.
 *
 * So anyone can ask questions with any SQLite; but a file that other hands wrote to is refused, as
 * is one that a disk or a network damaged. There are no indexes or views: what is not hashed is not
 * read. */
#include "coverage/store.h"

#include <fcntl.h>
#include <gcrypt.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "coverage/output.h"

#ifndef ILCOV_VERSION
#define ILCOV_VERSION "0"
#endif

enum {
    DIGEST_LEN = 32,
    HASH_LIMIT = 64
};
/* SQLite's "Database File Format", 1.3 */
enum {
    HEADER_LEN = 100,
    HEADER_USER_VERSION = 60,
    HEADER_APPLICATION_ID = 68
};

enum table {
#define TABLE(id, name, columns, parameters, order) id,
#include "coverage/store.def"
#undef TABLE
    TABLE_COUNT
};

static const struct {
    const char *name, *create, *insert, *select, *count;
} tables[TABLE_COUNT] = {
#define TABLE(id, name, columns, parameters, order)                                                \
    [id] = {name, "CREATE TABLE " name columns, "INSERT INTO " name " VALUES(" parameters ")",     \
            "SELECT * FROM " name " ORDER BY " order,                                              \
            "SELECT module, count(*) FROM " name " GROUP BY module"},
#include "coverage/store.def"
#undef TABLE
};

/* --- SQLite's errors in our words ------------------------------------------------------------- */

static bool explain(sqlite3 *db, int rc, struct err *err)
{
    const char *text = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
    switch (rc & 0xFF) {
    case SQLITE_NOMEM:
        return err_set(err, ERR_MEMORY, "out of memory inside SQLite");
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
        return err_set(err, ERR_IO, "%s", text);
    default:
        return err_set(err, ERR_FORMAT, "damaged: %s", text);
    }
}

static bool execute(sqlite3 *db, const char *sql, struct err *err)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK || explain(db, rc, err);
}

/* A URI, so that the file can be told to be nobody else's; hence the escapes. */
static bool open_database(sqlite3 **db, const char *path, const char *query, int flags,
                          struct err *err)
{
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct text uri;
    text_open(&uri, &arena);
    text_add_c(&uri, path[0] == '/' ? "file://" : "file:");
    for (const char *c = path; *c != '\0'; c++)
        if (strchr("%?#", *c) != NULL)
            text_addf(&uri, "%%%02X", (unsigned)(unsigned char)*c);
        else
            text_add(&uri, (struct str){c, 1});
    text_add_c(&uri, query);
    struct str name;
    bool ok = text_take(&name, &uri, err);
    if (ok) {
        int rc =
            sqlite3_open_v2(name.text, db, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
        ok = rc == SQLITE_OK || explain(*db, rc, err);
    }
    arena_free(&arena);
    return ok;
}

/* --- digest ----------------------------------------------------------------------------------- */

static bool open_hash(gcry_md_hd_t *hash, struct err *err)
{
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) {
        (void)gcry_check_version(NULL);
        (void)gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
    gcry_error_t rc = gcry_md_open(hash, GCRY_MD_SHA256, 0);
    return rc == 0 ||
           err_set(err, ERR_UNSUPPORTED, "SHA-256 is not available: %s", gcry_strerror(rc));
}

static void hash_value(gcry_md_hd_t hash, sqlite3_stmt *row, int column)
{
    uint8_t prefix[9] = {(uint8_t)sqlite3_column_type(row, column)};
    const void *bytes = NULL;
    if (prefix[0] == SQLITE_INTEGER) {
        store_u64(prefix + 1, (uint64_t)sqlite3_column_int64(row, column));
    } else {
        bytes = sqlite3_column_blob(row, column);
        store_u64(prefix + 1, (uint64_t)sqlite3_column_bytes(row, column));
    }
    gcry_md_write(hash, prefix, sizeof prefix);
    if (bytes != NULL)
        gcry_md_write(hash, bytes, (size_t)sqlite3_column_bytes(row, column));
}

static bool is_digest(sqlite3_stmt *row)
{
    const unsigned char *key = sqlite3_column_text(row, 0);
    return key != NULL && strcmp((const char *)key, "digest") == 0;
}

static bool hash_table(gcry_md_hd_t hash, sqlite3 *db, enum table table, struct err *err)
{
    gcry_md_write(hash, tables[table].name, strlen(tables[table].name) + 1);
    sqlite3_stmt *row = NULL;
    int rc = sqlite3_prepare_v2(db, tables[table].select, -1, &row, NULL);
    if (rc != SQLITE_OK)
        return explain(db, rc, err);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        if (table == META && is_digest(row))
            continue;
        gcry_md_putc(hash, 'R');
        for (int column = 0; column < sqlite3_column_count(row); column++)
            hash_value(hash, row, column);
    }
    bool ok = rc == SQLITE_DONE || explain(db, rc, err);
    (void)sqlite3_finalize(row);
    return ok;
}

static bool digest_rows(uint8_t digest[DIGEST_LEN], sqlite3 *db, struct err *err)
{
    gcry_md_hd_t hash;
    if (!open_hash(&hash, err))
        return false;
    bool ok = true;
    for (enum table table = 0; ok && table < TABLE_COUNT; table++)
        ok = hash_table(hash, db, table, err);
    if (ok)
        memcpy(digest, gcry_md_read(hash, GCRY_MD_SHA256), DIGEST_LEN);
    gcry_md_close(hash);
    return ok;
}

/* --- writing: values are put from left to right, failure is sticky ---------------------------- */

struct rows_out {
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct err *err;
    int column;
    bool failed;
};

static struct rows_out rows_to(sqlite3 *db, enum table table, struct err *err)
{
    struct rows_out rows = {.db = db, .err = err};
    int rc = sqlite3_prepare_v2(db, tables[table].insert, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !explain(db, rc, err);
    return rows;
}

static void note(struct rows_out *rows, int rc)
{
    if (!rows->failed && rc != SQLITE_OK && rc != SQLITE_DONE)
        rows->failed = !explain(rows->db, rc, rows->err);
}

static void put_int(struct rows_out *rows, int64_t value)
{
    note(rows, sqlite3_bind_int64(rows->statement, ++rows->column, value));
}

static void put_index(struct rows_out *rows, uint32_t index)
{
    rows->column++;
    note(rows, index == NO_INDEX ? sqlite3_bind_null(rows->statement, rows->column)
                                 : sqlite3_bind_int64(rows->statement, rows->column, index));
}

static void put_text(struct rows_out *rows, struct str text)
{
    note(rows, sqlite3_bind_text64(rows->statement, ++rows->column, text.len != 0 ? text.text : "",
                                   text.len, SQLITE_STATIC, SQLITE_UTF8));
}

static void put_blob(struct rows_out *rows, const void *data, size_t len)
{
    note(rows, sqlite3_bind_blob64(rows->statement, ++rows->column, len != 0 ? data : "", len,
                                   SQLITE_STATIC));
}

static void put_row(struct rows_out *rows)
{
    if (!rows->failed)
        note(rows, sqlite3_step(rows->statement));
    (void)sqlite3_reset(rows->statement);
    rows->column = 0;
}

static bool rows_end(struct rows_out *rows)
{
    (void)sqlite3_finalize(rows->statement);
    return !rows->failed;
}

static bool write_runs(sqlite3 *db, const struct facts *facts, struct err *err)
{
    struct rows_out rows = rows_to(db, RUNS, err);
    for (uint32_t i = 0; i < facts->run_count && !rows.failed; i++) {
        const struct fact_run *run = &facts->runs[i];
        put_int(&rows, i);
        put_blob(&rows, run->id, sizeof run->id);
        put_int(&rows, run->started);
        put_text(&rows, run->mode);
        put_text(&rows, run->root);
        put_row(&rows);
    }
    return rows_end(&rows);
}

static bool write_processes(sqlite3 *db, const struct facts *facts, struct err *err)
{
    struct rows_out rows = rows_to(db, PROCESSES, err);
    for (uint32_t i = 0; i < facts->process_count && !rows.failed; i++) {
        const struct fact_process *process = &facts->processes[i];
        put_int(&rows, i);
        put_int(&rows, process->run);
        put_text(&rows, process->program);
        put_text(&rows, process->runtime);
        put_text(&rows, process->verdict);
        put_row(&rows);
    }
    return rows_end(&rows);
}

static bool write_modules(sqlite3 *db, const struct facts *facts, struct err *err)
{
    struct rows_out rows = rows_to(db, MODULES, err);
    for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++) {
        const struct fact_module *module = &facts->modules[i];
        put_int(&rows, i);
        put_text(&rows, module->name);
        put_text(&rows, module->path);
        put_blob(&rows, module->mvid, sizeof module->mvid);
        put_int(&rows, (int64_t)module->plan_hash);
        put_int(&rows, module->state);
        put_text(&rows, module->reason);
        put_int(&rows, module->count_len);
        put_row(&rows);
    }
    return rows_end(&rows);
}

static void put_documents(struct rows_out *rows, const struct fact_module *module,
                          uint32_t module_id)
{
    for (uint32_t i = 0; i < module->document_count && !rows->failed; i++) {
        const struct fact_document *document = &module->documents[i];
        put_int(rows, module_id);
        put_int(rows, i);
        put_text(rows, document->path);
        put_text(rows, document->relative);
        put_text(rows, document->reason);
        put_blob(rows, document->hash_algorithm, sizeof document->hash_algorithm);
        put_blob(rows, document->hash.data, document->hash.len);
        put_row(rows);
    }
}

static void put_methods(struct rows_out *rows, const struct fact_module *module, uint32_t module_id)
{
    for (uint32_t i = 0; i < module->method_count && !rows->failed; i++) {
        const struct fact_method *method = &module->methods[i];
        put_int(rows, module_id);
        put_int(rows, i);
        put_int(rows, method->token);
        put_text(rows, method->type);
        put_text(rows, method->name);
        put_text(rows, method->signature);
        put_int(rows, method->user_method);
        put_int(rows, method->state);
        put_text(rows, method->reason);
        put_index(rows, method->entry_count);
        put_row(rows);
    }
}

static void put_statements(struct rows_out *rows, const struct fact_module *module,
                           uint32_t module_id)
{
    for (uint32_t i = 0; i < module->statement_count && !rows->failed; i++) {
        const struct fact_statement *statement = &module->statements[i];
        put_int(rows, module_id);
        put_int(rows, i);
        put_int(rows, statement->method);
        put_int(rows, statement->document);
        put_int(rows, statement->il_offset);
        put_int(rows, statement->start_line);
        put_int(rows, statement->start_column);
        put_int(rows, statement->end_line);
        put_int(rows, statement->end_column);
        put_int(rows, statement->count);
        put_row(rows);
    }
}

static void put_decisions(struct rows_out *rows, const struct fact_module *module,
                          uint32_t module_id)
{
    for (uint32_t i = 0; i < module->decision_count && !rows->failed; i++) {
        const struct fact_decision *decision = &module->decisions[i];
        put_int(rows, module_id);
        put_int(rows, i);
        put_int(rows, decision->method);
        put_int(rows, decision->document);
        put_int(rows, decision->il_offset);
        put_int(rows, decision->line);
        put_int(rows, decision->outcome_count);
        put_int(rows, decision->is_switch);
        put_int(rows, decision->first_count);
        put_row(rows);
    }
}

static bool write_lists(sqlite3 *db, const struct facts *facts, struct err *err)
{
    static void (*const put_list[TABLE_COUNT])(struct rows_out *, const struct fact_module *,
                                               uint32_t) = {
        [DOCUMENTS] = put_documents,
        [METHODS] = put_methods,
        [STATEMENTS] = put_statements,
        [DECISIONS] = put_decisions,
    };
    for (enum table table = DOCUMENTS; table <= DECISIONS; table++) {
        struct rows_out rows = rows_to(db, table, err);
        for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++)
            put_list[table](&rows, &facts->modules[i], i);
        if (!rows_end(&rows))
            return false;
    }
    return true;
}

static void wr_leb128(struct writer *w, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        wr_u8(w, (uint8_t)(value | 0x80));
    wr_u8(w, (uint8_t)value);
}

static void wr_counts(struct writer *w, const uint64_t *counts, uint32_t len)
{
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < len; i++) {
        if (counts[i] == 0) {
            zeros++;
            continue;
        }
        wr_leb128(w, zeros);
        wr_leb128(w, counts[i]);
        zeros = 0;
    }
}

static bool write_counts(sqlite3 *db, const struct facts *facts, struct arena *arena,
                         struct err *err)
{
    struct rows_out rows = rows_to(db, COUNTS, err);
    for (uint32_t i = 0; i < facts->counts_count && !rows.failed; i++) {
        const struct fact_counts *counts = &facts->counts[i];
        struct writer w;
        arena_reset(arena);
        wr_open(&w, arena);
        wr_counts(&w, counts->counts, facts->modules[counts->module].count_len);
        rows.failed =
            w.failed && !err_set(err, ERR_MEMORY, "out of memory: counts need %zu bytes", w.len);
        put_int(&rows, counts->run);
        put_int(&rows, counts->module);
        put_blob(&rows, w.data, w.len);
        put_row(&rows);
    }
    return rows_end(&rows);
}

static bool write_meta(sqlite3 *db, const char *key, const void *value, size_t len, struct err *err)
{
    struct rows_out rows = rows_to(db, META, err);
    put_text(&rows, str_of(key));
    put_blob(&rows, value, len);
    put_row(&rows);
    return rows_end(&rows);
}

static bool write_schema(sqlite3 *db, struct err *err)
{
    char pragmas[256];
    /* No journal and no waiting for the disk: until it is renamed, the file is nobody's. */
    (void)snprintf(
        pragmas, sizeof pragmas,
        "PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA application_id = %d;"
        "PRAGMA user_version = %d; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN",
        STORE_APPLICATION_ID, STORE_VERSION);
    bool ok = execute(db, pragmas, err);
    for (enum table table = 0; ok && table < TABLE_COUNT; table++)
        ok = execute(db, tables[table].create, err);
    return ok;
}

static bool write_rows(sqlite3 *db, const struct facts *facts, struct err *err)
{
    static const char writer[] = "ilcov " ILCOV_VERSION;
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    uint8_t digest[DIGEST_LEN];
    bool ok = write_schema(db, err) && write_meta(db, "writer", writer, sizeof writer - 1, err) &&
              write_runs(db, facts, err) && write_processes(db, facts, err) &&
              write_modules(db, facts, err) && write_lists(db, facts, err) &&
              write_counts(db, facts, &arena, err) && digest_rows(digest, db, err) &&
              write_meta(db, "digest", digest, sizeof digest, err) && execute(db, "COMMIT", err);
    arena_free(&arena);
    return ok;
}

bool store_write(const char *path, const struct facts *facts, struct err *err)
{
    if (!facts_check(facts, err))
        return false;
    struct output output;
    if (!output_open(&output, path, err))
        return false;
    bool ok = output.temporary[0] != '\0' || err_set(err, ERR_IO, "is not a regular file");
    sqlite3 *db = NULL;
    if (ok)
        ok = open_database(&db, output.temporary, "?nolock=1", SQLITE_OPEN_READWRITE, err) &&
             write_rows(db, facts, err);
    if (sqlite3_close(db) != SQLITE_OK && ok)
        ok = err_set(err, ERR_IO, "the database could not be closed");
    if (ok)
        return output_commit(&output, err);
    output_abandon(&output);
    return false;
}

/* --- reading: columns are taken from left to right, failure is sticky ------------------------- */

struct rows_in {
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct arena *arena;
    struct err *err;
    const char *table;
    uint32_t row;
    int column;
    bool failed;
};

static struct rows_in rows_from(sqlite3 *db, enum table table, const char *sql, struct arena *arena,
                                struct err *err)
{
    struct rows_in rows = {.db = db, .arena = arena, .err = err, .table = tables[table].name};
    int rc = sqlite3_prepare_v2(db, sql, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !explain(db, rc, err);
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
        rows->failed = !explain(rows->db, rc, rows->err);
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

static bool next_is(struct rows_in *rows, int type)
{
    rows->column++;
    return !rows->failed && sqlite3_column_type(rows->statement, rows->column - 1) == type;
}

static int64_t get_int(struct rows_in *rows)
{
    if (next_is(rows, SQLITE_INTEGER))
        return sqlite3_column_int64(rows->statement, rows->column - 1);
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

static void get_id16(uint8_t out[16], struct rows_in *rows)
{
    struct view bytes = get_blob(rows, 16);
    if (bytes.len != 16)
        refuse(rows);
    else
        memcpy(out, bytes.data, 16);
}

static bool count_rows(uint32_t *out, sqlite3 *db, enum table table, struct arena *arena,
                       struct err *err)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[table].name);
    struct rows_in rows = rows_from(db, table, sql, arena, err);
    *out = next_row(&rows) ? get_u32(&rows, UINT32_MAX - 1) : 0;
    return rows_close(&rows);
}

static bool read_runs(struct facts *out, sqlite3 *db, struct arena *arena, struct err *err)
{
    if (!count_rows(&out->run_count, db, RUNS, arena, err) ||
        (out->runs = ARENA_NEW(arena, struct fact_run, out->run_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_from(db, RUNS, tables[RUNS].select, arena, err);
    for (uint32_t i = 0; i < out->run_count && next_row(&rows); i++) {
        struct fact_run *run = &out->runs[i];
        expect_id(&rows, i);
        get_id16(run->id, &rows);
        run->started = get_int(&rows);
        run->mode = get_text(&rows);
        run->root = get_text(&rows);
    }
    return rows_close(&rows);
}

static bool read_processes(struct facts *out, sqlite3 *db, struct arena *arena, struct err *err)
{
    if (!count_rows(&out->process_count, db, PROCESSES, arena, err) ||
        (out->processes = ARENA_NEW(arena, struct fact_process, out->process_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_from(db, PROCESSES, tables[PROCESSES].select, arena, err);
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

static bool read_modules(struct facts *out, sqlite3 *db, struct arena *arena, struct err *err)
{
    if (!count_rows(&out->module_count, db, MODULES, arena, err) ||
        (out->modules = ARENA_NEW(arena, struct fact_module, out->module_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_from(db, MODULES, tables[MODULES].select, arena, err);
    for (uint32_t i = 0; i < out->module_count && next_row(&rows); i++) {
        struct fact_module *module = &out->modules[i];
        expect_id(&rows, i);
        module->name = get_text(&rows);
        module->path = get_text(&rows);
        get_id16(module->mvid, &rows);
        module->plan_hash = (uint64_t)get_int(&rows);
        module->state = (enum module_state)get_u32(&rows, MODULE_SKIPPED);
        module->reason = get_text(&rows);
        module->count_len = get_u32(&rows, FACT_COUNTS_LIMIT);
    }
    return rows_close(&rows);
}

/* Memory for a list of a module; the length was counted in the file, not told by it. */
static bool make_list(struct fact_module *module, enum table table, uint32_t count,
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
    get_id16(document->hash_algorithm, rows);
    document->hash = get_blob(rows, HASH_LIMIT);
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
}

/* Rows come in order of module and id, and as many of each module as make_list was told: SQLite
 * sees one file. */
static bool read_list(struct facts *out, enum table table, sqlite3 *db, struct arena *arena,
                      struct err *err)
{
    static void (*const get_item[TABLE_COUNT])(struct rows_in *, struct fact_module *, uint32_t) = {
        [DOCUMENTS] = get_document,
        [METHODS] = get_method,
        [STATEMENTS] = get_statement,
        [DECISIONS] = get_decision,
    };
    struct rows_in sizes = rows_from(db, table, tables[table].count, arena, err);
    struct rows_in items = rows_from(db, table, tables[table].select, arena, err);
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

static uint64_t rd_leb128(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = rd_u8(r);
        uint64_t bits = (uint64_t)(byte & 0x7F) << shift;
        if (bits >> shift != (byte & 0x7F))
            break;
        value |= bits;
        if (byte < 0x80)
            return value;
    }
    r->failed = true;
    return 0;
}

static bool rd_counts(uint64_t *out, uint32_t len, struct view blob)
{
    struct reader r = rd_view(blob);
    for (uint32_t next = 0; rd_left(&r) != 0; next++) {
        uint64_t zeros = rd_leb128(&r), count = rd_leb128(&r);
        if (r.failed || count == 0 || next >= len || zeros >= len - next)
            return false;
        next += (uint32_t)zeros;
        out[next] = count;
    }
    return true;
}

static bool read_counts(struct facts *out, sqlite3 *db, struct arena *arena, struct err *err)
{
    if (!count_rows(&out->counts_count, db, COUNTS, arena, err) ||
        (out->counts = ARENA_NEW(arena, struct fact_counts, out->counts_count, err)) == NULL)
        return false;
    struct rows_in rows = rows_from(db, COUNTS, tables[COUNTS].select, arena, err);
    for (uint32_t i = 0; i < out->counts_count && next_row(&rows); i++) {
        struct fact_counts *counts = &out->counts[i];
        counts->run = get_u32(&rows, UINT32_MAX);
        counts->module = get_u32(&rows, UINT32_MAX);
        struct view blob = get_blob(&rows, SIZE_MAX);
        if (rows.failed)
            break;
        uint32_t len =
            counts->module < out->module_count ? out->modules[counts->module].count_len : 0;
        counts->counts = ARENA_NEW(arena, uint64_t, len, err);
        if (counts->counts == NULL)
            rows.failed = true;
        else if (!rd_counts(counts->counts, len, blob))
            refuse(&rows);
    }
    return rows_close(&rows);
}

/* Nothing but our own tables, to the letter: a view or a trigger would run somebody else's code. */
static bool check_schema(sqlite3 *db, struct arena *arena, struct err *err)
{
    struct rows_in rows =
        rows_from(db, META, "SELECT type, sql FROM sqlite_master ORDER BY rowid", arena, err);
    rows.table = "sqlite_master";
    int table = 0;
    while (next_row(&rows)) {
        struct str type = get_text(&rows), sql = get_text(&rows);
        if (table == TABLE_COUNT || !str_is(type, "table") || !str_is(sql, tables[table].create))
            refuse(&rows);
        else
            table++;
    }
    return rows_close(&rows) &&
           (table == TABLE_COUNT ||
            err_set(err, ERR_FORMAT, "damaged: it has %d tables, not %d", table, TABLE_COUNT));
}

static bool check_digest(sqlite3 *db, struct arena *arena, struct err *err)
{
    uint8_t digest[DIGEST_LEN];
    struct rows_in rows =
        rows_from(db, META, "SELECT value FROM meta WHERE key = 'digest'", arena, err);
    struct view stored = next_row(&rows) ? get_blob(&rows, DIGEST_LEN) : (struct view){NULL, 0};
    if (!rows_close(&rows) || !digest_rows(digest, db, err))
        return false;
    return (stored.len == DIGEST_LEN && memcmp(stored.data, digest, DIGEST_LEN) == 0) ||
           err_set(err, ERR_FORMAT, "damaged: the digest over its rows does not match");
}

static bool read_rows(struct facts *out, sqlite3 *db, struct arena *arena, struct err *err)
{
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    bool ok = execute(db, "PRAGMA mmap_size = 0; PRAGMA cell_size_check = 1; BEGIN", err) &&
              check_schema(db, arena, err) && check_digest(db, arena, err) &&
              read_runs(out, db, arena, err) && read_processes(out, db, arena, err) &&
              read_modules(out, db, arena, err);
    for (enum table table = DOCUMENTS; ok && table <= DECISIONS; table++)
        ok = read_list(out, table, db, arena, err);
    if (!ok || !read_counts(out, db, arena, err))
        return false;
    if (facts_check(out, err))
        return true;
    err_prefix(err, "damaged");
    return false;
}

static uint32_t load_u32_big_endian(const uint8_t *p)
{
    return __builtin_bswap32(load_u32(p));
}

static bool check_version(const uint8_t header[HEADER_LEN], struct err *err)
{
    if (memcmp(header, "SQLite format 3", 16) != 0 ||
        load_u32_big_endian(header + HEADER_APPLICATION_ID) != STORE_APPLICATION_ID)
        return err_set(err, ERR_FORMAT, "is not a data file of ilcov");
    uint32_t version = load_u32_big_endian(header + HEADER_USER_VERSION);
    if (version > STORE_VERSION)
        return err_set(err, ERR_FORMAT,
                       "is of version %u, written by a newer ilcov; this one reads version %d",
                       version, STORE_VERSION);
    return version == STORE_VERSION ||
           err_set(err, ERR_FORMAT, "is of version %u, this ilcov reads version %d", version,
                   STORE_VERSION);
}

/* SQLite would call a directory "unable to open", and a text "not a database" only upon the first
 * query. */
static bool check_header(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set_errno(err, "cannot be opened");
    struct stat info;
    uint8_t header[HEADER_LEN] = {0};
    bool ok = false;
    if (fstat(fd, &info) != 0)
        (void)err_set_errno(err, "cannot be read");
    else if (!S_ISREG(info.st_mode))
        (void)err_set(err, ERR_IO,
                      S_ISDIR(info.st_mode) ? "is a directory" : "is not a regular file");
    else if (pread(fd, header, sizeof header, 0) < 0)
        (void)err_set_errno(err, "cannot be read");
    else
        ok = check_version(header, err);
    (void)close(fd);
    return ok;
}

bool store_read(struct facts *out, const char *path, struct arena *arena, struct err *err)
{
    *out = (struct facts){0};
    if (!check_header(path, err))
        return false;
    sqlite3 *db = NULL;
    bool ok = open_database(&db, path, "?immutable=1", SQLITE_OPEN_READONLY, err) &&
              read_rows(out, db, arena, err);
    (void)sqlite3_close(db);
    if (!ok)
        *out = (struct facts){0};
    return ok;
}

/* The data file, an SQLite database (application_id "IlCo", user_version STORE_VERSION; columns in
 * store.def):
 *
 *   meta                                 writer, digest, counts_generated
 *   reasons                              each that any row below has, once
 *   runs ----+-- processes               each process that the library saw
 *            +-- tests                each test of a run whose hits are attributed
 *            +-- counts --+              one blob of non-zero counts for each run and module
 *   modules -+------------+
 *            +-- documents
 *            +-- methods              with their statements and decisions
 *            +-- test_hits            what tests hit in one method, all in the same way
 *            +-- declarations         what a method, or a type, declares besides code
 *   inputs                               files that tests may depend on
 *
 * An id is an index: rows are numbered from 0 without gaps, in the table or in their module, and
 * other rows use it to refer to them. NULL is NO_INDEX. Enums are the numbers of facts.h; plan_hash
 * is 64 bits taken as a signed integer.
 *
 *   reason          why something is left out: a row of reasons, or NULL: it is not. Of a method,
 *                   document or module it is for all that is in it. Of a run: how it began in the
 *                   middle
 *   generated       who wrote it, if not the user (facts.h): a row of reasons, or NULL
 *   reasons.code    a number of contract/reason.def
 *   statements.gaps a bit for each line after the first, from the lowest: it has no text of the
 *                   statement (facts.h)
 *   methods.statements, methods.decisions
 *                   JSON: an array with an array for each, whose values are the columns of the view
 *                   of that name from `document` on, blobs as hexadecimal digits. No blanks. A
 *                   million rows of their own would take SQLite four times as long
 *   test_hits.counts, test_hits.tests
 *                   { gap, length }*     sets of count indexes and of tests (index_set.h)
 *   declarations.method
 *                   NULL: it is of the type of that name; without a name, of the module
 *   declarations.declaration
 *                   64 bits taken as a signed integer (declaration.h)
 *   declarations.foreign_count
 *                   of a type: test_methods.h
 *   inputs.hash     the first 16 bytes of the SHA-256 of the file
 *   counts.counts   { zeros, count }*    two LEB128: how many zero counts to skip, then a count
 *                                        that is not zero
 *   meta 'digest'   SHA-256 over everything else: for each table its name and a NUL, and for each
 *                   row in the table's order a byte 'R' and each value: its type, then
 *                   the 8 bytes of an integer, or 8 bytes of length and that many bytes.
 *                   Integers are little-endian.
 *
 * So any SQLite tool can query the file, but a file changed by another program is refused, as is
 * one damaged by a disk or network. There are no indexes, and ilcov reads no view: nothing unhashed
 * is read. */
#include "coverage/facts/store_tables.h"

#include <string.h>

#include "base/bytes.h"
#include "base/path.h"
#include "coverage/facts/data_file.h"
#include "coverage/facts/digest.h"
#include "system/file.h"
#include "system/file_status.h"

/* SQLite's "Database File Format", 1.3 */
enum {
    HEADER_LEN = 100,
    HEADER_USER_VERSION = 60,
    HEADER_APPLICATION_ID = 68
};

#define TABLE(id, name, columns, parameters, order)                                                \
    [id] = {name,                                                                                  \
            "CREATE TABLE " name columns,                                                          \
            "INSERT INTO " name " VALUES(" parameters ")",                                         \
            "SELECT * FROM " name " ORDER BY " order,                                              \
            "SELECT module FROM " name " ORDER BY " order,                                         \
            false},
#define VIEW(id, name, query)                                                                      \
    [id] = {name, "CREATE VIEW " name " AS " query, NULL, NULL, NULL, true},
const struct store_table store_tables[STORE_TABLE_COUNT] = {
#include "coverage/facts/store.def"
};
#undef TABLE
#undef VIEW

/* --- SQLite's errors as struct err ------------------------------------------------------------ */

bool store_explain(sqlite3 *db, int rc, struct err *err)
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
    case SQLITE_INTERRUPT: /* store_open_to_read */
        return err_set(err, ERR_FORMAT, "damaged: it has more rows than fit into its bytes");
    default:
        return err_set(err, ERR_FORMAT, "damaged: %s", text);
    }
}

bool store_execute(sqlite3 *db, const char *sql, struct err *err)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK || store_explain(db, rc, err);
}

/* --- opening ---------------------------------------------------------------------------------- */

static uint32_t load_u32_big_endian(const uint8_t *p)
{
    return __builtin_bswap32(load_u32(p));
}

static bool is_data_file(const uint8_t header[HEADER_LEN])
{
    return data_file_begins(header, HEADER_LEN) &&
           load_u32_big_endian(header + HEADER_APPLICATION_ID) == STORE_APPLICATION_ID;
}

static bool check_version(const uint8_t header[HEADER_LEN], struct err *err)
{
    if (!is_data_file(header))
        return err_set(err, ERR_FORMAT, "is not a data file of ilcov");
    uint32_t version = load_u32_big_endian(header + HEADER_USER_VERSION);
    return version == STORE_VERSION ||
           err_set(err, ERR_FORMAT, "has version %u, and this ilcov reads version %d: %s", version,
                   STORE_VERSION, version > STORE_VERSION ? "update ilcov" : "measure again");
}

/* SQLite would report a directory as "unable to open", and a text file as "not a database" only at
 * the first query. */
bool store_check_header(uint64_t *bytes, const char *path, struct err *err)
{
    int fd = file_open(path, FILE_READ);
    if (fd < 0)
        return err_set_errno(err, "cannot be opened");
    struct file_status status;
    uint8_t header[HEADER_LEN] = {0};
    bool ok = false;
    if (!file_status_open(&status, fd))
        (void)err_set_errno(err, "cannot be read");
    else if (status.kind != FILE_IS_REGULAR)
        (void)err_set(err, ERR_IO,
                      status.kind == FILE_IS_FOLDER ? "is a directory" : "is not a regular file");
    else if (file_read_some(fd, header, sizeof header) < 0)
        (void)err_set_errno(err, "cannot be read");
    else
        ok = check_version(header, err);
    *bytes = status.size;
    (void)file_close(fd);
    return ok;
}

bool store_check_output(const char *path, struct err *err)
{
    struct file_status status;
    uint8_t header[HEADER_LEN] = {0};
    if (!output_check_file(path, err))
        return false;
    if (!file_status_read(&status, path) || status.kind != FILE_IS_REGULAR || status.size == 0)
        return true;
    int fd = file_read_open(path);
    bool may = fd < 0 || file_read_some(fd, header, sizeof header) < 0 || is_data_file(header);
    (void)file_close(fd);
    return may || err_set(err, ERR_FORMAT,
                          "is not a data file of ilcov, and is not replaced: name another file");
}

/* One thread uses SQLite, and nobody asks it how much memory it has: no mutex around each
 * allocation. Only the first call does anything. */
static void configure_sqlite(void)
{
    static bool is_done;
    if (!is_done) {
        (void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
        (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    }
    is_done = true;
}

/* A URI, so that its parameters can say how to open the file; hence the escapes. "./" because
 * SQLite knows names that are no files, such as :memory:. */
bool store_open(sqlite3 **db, const char *path, const char *query, int flags, struct err *err)
{
    configure_sqlite();
    struct arena arena = ARENA_EMPTY;
    struct text uri = text_in(&arena);
    text_add_c(&uri, path_is_absolute(str_of(path)) ? "file://" : "file:./");
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
        ok = rc == SQLITE_OK || store_explain(*db, rc, err);
    }
    arena_free(&arena);
    return ok;
}

/* --- digest ----------------------------------------------------------------------------------- */

void store_hash_bytes(struct digest *digest, int type, const void *data, size_t len)
{
    digest_tagged(digest, (uint8_t)type, len);
    digest_bytes(digest, data, len);
}

/* How many bytes it took, except of an integer. */
static size_t hash_value(struct digest *digest, sqlite3_stmt *row, int column)
{
    int type = sqlite3_column_type(row, column);
    if (type == SQLITE_INTEGER) {
        digest_tagged(digest, SQLITE_INTEGER, (uint64_t)sqlite3_column_int64(row, column));
        return 0;
    }
    const void *bytes = sqlite3_column_blob(row, column);
    size_t len = bytes != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0;
    store_hash_bytes(digest, type, bytes, len);
    return len;
}

void store_hash_row(struct digest *digest)
{
    digest_bytes(digest, "R", 1);
}

static bool is_digest(sqlite3_stmt *row, const struct store_table *table)
{
    const unsigned char *key =
        strcmp(table->name, store_tables[META].name) == 0 ? sqlite3_column_text(row, 0) : NULL;
    return key != NULL && strcmp((const char *)key, "digest") == 0;
}

void store_hash_name(struct digest *digest, const struct store_table *table)
{
    digest_bytes(digest, table->name, strlen(table->name) + 1);
}

bool store_hash_table(struct digest *digest, sqlite3 *db, const struct store_table *table,
                      uint64_t bytes_max, const struct progress_hook *progress, struct err *err)
{
    uint64_t done = 0, bytes = 0;
    store_hash_name(digest, table);
    sqlite3_stmt *row = NULL;
    int rc = sqlite3_prepare_v2(db, table->select, -1, &row, NULL);
    if (rc != SQLITE_OK)
        return store_explain(db, rc, err);
    while (bytes <= bytes_max && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        progress_step(progress, "checking rows of the data file", done++, 0);
        if (is_digest(row, table))
            continue;
        store_hash_row(digest);
        for (int column = 0; column < sqlite3_column_count(row); column++)
            bytes += hash_value(digest, row, column);
    }
    bool ok = bytes <= bytes_max ? rc == SQLITE_DONE || store_explain(db, rc, err)
                                 : err_set(err, ERR_FORMAT,
                                           "damaged: table %s has more than the file", table->name);
    (void)sqlite3_finalize(row);
    return ok;
}

#include "tests/fuzz/store_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coverage/facts/store_tables.h"
#include "tests/fuzz/fuzz.h"

enum {
    MEMORY_PATH_ROOM = 64
};

/* Over all rows except its own. */
static bool hash_file(uint8_t digest[DIGEST_LEN], sqlite3 *db)
{
    struct digest rows;
    if (!digest_open(&rows, NULL))
        return false;
    bool ok = true;
    for (enum store_table_id table = 0; ok && table < STORE_TABLE_COUNT; table++)
        ok = store_tables[table].is_view ||
             store_hash_table(&rows, db, &store_tables[table], UINT64_MAX, NULL, NULL);
    if (ok)
        digest_take(digest, &rows);
    digest_close(&rows);
    return ok;
}

/* A digest that cannot be made leaves the file as it is. */
static void repair_digest(const char *path)
{
    uint8_t digest[DIGEST_LEN];
    sqlite3 *db = NULL;
    sqlite3_stmt *update = NULL;
    if (store_open(&db, path, "?vfs=unix-none", SQLITE_OPEN_READWRITE, NULL) &&
        store_execute(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL) &&
        hash_file(digest, db) &&
        sqlite3_prepare_v2(db, "UPDATE meta SET value = ? WHERE key = 'digest'", -1, &update,
                           NULL) == SQLITE_OK) {
        (void)sqlite3_bind_blob(update, 1, digest, sizeof digest, SQLITE_STATIC);
        (void)sqlite3_step(update);
    }
    (void)sqlite3_finalize(update);
    (void)sqlite3_close(db);
}

/* One of each for all inputs; its path is what SQLite is given. */
const char *store_file(unsigned n, struct view bytes, bool repair)
{
    static int fds[STORE_FILES];
    static char paths[STORE_FILES][MEMORY_PATH_ROOM];
    FUZZ_ASSERT(n < STORE_FILES, "there is no file %u", n);
    if (fds[n] == 0)
        fds[n] = memfd_create("store", MFD_CLOEXEC);
    FUZZ_ASSERT(fds[n] > 0, "no file in memory");
    FUZZ_ASSERT(ftruncate(fds[n], 0) == 0 &&
                    pwrite(fds[n], bytes.data, bytes.len, 0) == (ssize_t)bytes.len,
                "the file cannot be written");
    (void)snprintf(paths[n], MEMORY_PATH_ROOM, "/proc/self/fd/%d", fds[n]);
    if (repair)
        repair_digest(paths[n]);
    return paths[n];
}

void store_file_shrink(const char *path)
{
    sqlite3 *db = NULL;
    FUZZ_ASSERT(store_open(&db, path, "", SQLITE_OPEN_READWRITE, NULL) &&
                    store_execute(db, "PRAGMA page_size = 512; VACUUM", NULL),
                "no small pages");
    (void)sqlite3_close(db);
}

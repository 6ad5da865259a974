/* fuzz_store.c - a data file: bytes as an SQLite database. Behind the first byte stands the file;
 * with REPAIR its digest is made to fit first, or no changed row would ever be read. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coverage/store_tables.h"
#include "coverage/sums.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

enum {
    REPAIR = 0x80,
    PATH_ROOM = 64
};

/* One file in memory for all inputs; its path is what SQLite is given. */
static int file(char path[PATH_ROOM])
{
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("store", MFD_CLOEXEC);
    FUZZ_ASSERT(fd >= 0, "no file in memory");
    (void)snprintf(path, PATH_ROOM, "/proc/self/fd/%d", fd);
    return fd;
}

static void fill(int fd, struct view bytes)
{
    FUZZ_ASSERT(ftruncate(fd, 0) == 0 && pwrite(fd, bytes.data, bytes.len, 0) == (ssize_t)bytes.len,
                "the file cannot be written");
}

/* A digest that cannot be made leaves the file as it is. */
static void repair(const char *path)
{
    uint8_t digest[DIGEST_LEN];
    sqlite3 *db = NULL;
    sqlite3_stmt *update = NULL;
    if (store_open(&db, path, "?vfs=unix-none", SQLITE_OPEN_READWRITE, NULL) &&
        store_execute(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL) &&
        store_digest(digest, db, NULL) &&
        sqlite3_prepare_v2(db, "UPDATE meta SET value = ? WHERE key = 'digest'", -1, &update,
                           NULL) == SQLITE_OK) {
        (void)sqlite3_bind_blob(update, 1, digest, sizeof digest, SQLITE_STATIC);
        (void)sqlite3_step(update);
    }
    (void)sqlite3_finalize(update);
    (void)sqlite3_close(db);
}

/* What facts_check passed can be read without further tests: so it is. */
static void read_facts(const struct facts *facts)
{
    struct err err = {.code = ERR_NONE};
    struct sums sums;
    for (uint32_t m = 0; m < facts->module_count; m++) {
        const struct fact_module *module = &facts->modules[m];
        if (!sums_make(&sums, facts, m, SUMS_WITH_CARRIED, fuzz_arena(), &err)) {
            fuzz_check_err(&err);
            continue;
        }
        for (uint32_t i = 0; i < module->statement_count; i++) {
            const struct fact_statement *s = &module->statements[i];
            FUZZ_ASSERT(s->count < module->count_len && s->method < module->method_count &&
                            s->document < module->document_count,
                        "statement %u refers to nothing", (unsigned)i);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena arena; /* facts outlive what fuzz_arena gives */
    struct facts facts;
    struct err err = {.code = ERR_NONE};
    char path[PATH_ROOM];
    if (size == 0)
        return 0;
    int fd = file(path);
    fill(fd, (struct view){data + 1, size - 1});
    if ((data[0] & REPAIR) != 0)
        repair(path);
    arena_init(&arena, NULL, 0, 64 << 20);
    if (store_read(&facts, path, &arena, &err))
        read_facts(&facts);
    else
        fuzz_check_err(&err);
    arena_free(&arena);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

/* The fixture in pages of 512 bytes: a short file has more of it changed. */
static void shrink(const char *path)
{
    sqlite3 *db = NULL;
    FUZZ_ASSERT(store_open(&db, path, "", SQLITE_OPEN_READWRITE, NULL) &&
                    store_execute(db, "PRAGMA page_size = 512; VACUUM", NULL),
                "no small pages");
    (void)sqlite3_close(db);
}

void fuzz_seeds(fuzz_add *add)
{
    struct temporary t;
    struct facts facts;
    struct err err = {.code = ERR_NONE};
    temporary_open(&t);
    for (unsigned kind = 0; kind < 2; kind++) {
        const char *path = temporary_path(&t, kind == 0 ? "fixture" : "one-module");
        fixture_facts(&facts, &t.arena);
        if (kind != 0)
            fixture_large(&facts, 3, &t.arena);
        FUZZ_ASSERT(store_write(path, &facts, &err), "%s", err.text);
        shrink(path);
        struct str bytes = temporary_read(&t, path);
        uint8_t *input = ARENA_NEW(&t.arena, uint8_t, bytes.len + 1, NULL);
        FUZZ_ASSERT(input != NULL, "no memory");
        memcpy(input + 1, bytes.text, bytes.len);
        add(kind == 0 ? "fixture" : "one-module", (struct view){input, bytes.len + 1});
        input[0] = REPAIR;
        add(kind == 0 ? "fixture-repaired" : "one-module-repaired",
            (struct view){input, bytes.len + 1});
    }
    temporary_close(&t);
}

/* fuzz_store.c - a data file: bytes as an SQLite database. Behind the first byte stands the file;
 * with REPAIR its digest is made to fit first, or no changed row would ever be read. */
#include <string.h>

#include "coverage/facts/store.h"
#include "coverage/facts/sums.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/store_file.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

enum {
    REPAIR = 0x80
};

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
    if (size == 0)
        return 0;
    const char *path = store_file(0, (struct view){data + 1, size - 1}, (data[0] & REPAIR) != 0);
    arena_init(&arena, NULL, 0, 64 << 20);
    if (store_read(&facts, path, &arena, &err))
        read_facts(&facts);
    else
        fuzz_check_err(&err);
    arena_free(&arena);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

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
        FUZZ_ASSERT(store_write(path, &facts, NULL, &err), "%s", err.text);
        store_file_shrink(path);
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

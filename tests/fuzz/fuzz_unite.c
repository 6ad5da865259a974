/* fuzz_unite.c - two data files made one, and compared: whatever they say, the union is sound, and
 * each line has a state. An input is a byte of flags, the
 * length of the first file (4 bytes), and the two files. */
#include <string.h>

#include "base/bytes.h"
#include "coverage/diff/diff_build.h"
#include "coverage/facts/store.h"
#include "coverage/merge/unite.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/store_file.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/random_facts.h"
#include "tests/support/temporary.h"

enum {
    REPAIR = 0x80,
    HEADER_LEN = 5,
    SHARDS = 3
};

/* Each count of a file goes to one place at most, and comes from where one is. */
static void check_sources(const struct facts *all, const struct facts *file,
                          const struct unite_map *map, const struct unite_map *final,
                          struct arena *arena)
{
    struct err err = {.code = ERR_NONE};
    for (uint32_t m = 0; m < file->module_count; m++) {
        const struct fact_module *from = &file->modules[m];
        const struct fact_module *to = &all->modules[final->module[map->module[m]]];
        uint32_t *sources = NULL;
        if (!unite_sources(&sources, to, from, arena, &err)) {
            fuzz_check_err(&err);
            continue;
        }
        for (uint32_t i = 0; i < to->count_len; i++)
            FUZZ_ASSERT(sources[i] == NO_INDEX || sources[i] < from->count_len,
                        "place %u comes from %u of %u", i, sources[i], from->count_len);
    }
    for (uint32_t r = 0; r < file->run_count; r++)
        FUZZ_ASSERT(final->run[map->run[r]] < all->run_count, "run %u is nowhere", r);
}

static void unite_files(const struct facts *files, struct arena *arena)
{
    struct unite unite;
    struct unite_map maps[STORE_FILES], final;
    struct facts all;
    struct err err = {.code = ERR_NONE};
    unite_open(&unite, arena);
    if (!unite_add(&unite, &maps[0], &files[0], &err) ||
        !unite_add(&unite, &maps[1], &files[1], &err) ||
        !unite_finish(&all, &final, &unite, &err)) {
        fuzz_check_err(&err);
        return;
    }
    FUZZ_ASSERT(facts_check(&all, &err), "the union is unsound: %s", err.text);
    for (unsigned i = 0; i < STORE_FILES; i++)
        check_sources(&all, &files[i], &maps[i], &final, arena);
}

static void compare_files(const struct facts *files, struct arena *arena)
{
    struct diff_options options = {.patch = NULL};
    struct diff diff;
    struct err err = {.code = ERR_NONE};
    if (!diff_build(&diff, &files[0], &files[1], false, &options, arena, &err)) {
        fuzz_check_err(&err);
        return;
    }
    uint64_t lines = 0, tallied = 0;
    for (uint32_t i = 0; i < diff.file_count; i++)
        lines += diff.files[i].line_count;
    for (int state = 0; state < DIFF_STATE_COUNT; state++)
        tallied += diff.totals.lines[state];
    FUZZ_ASSERT(lines == tallied, "of %llu lines %llu have a state", (unsigned long long)lines,
                (unsigned long long)tallied);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct facts files[STORE_FILES];
    struct err err = {.code = ERR_NONE};
    if (size < HEADER_LEN)
        return 0;
    struct view rest = {data + HEADER_LEN, size - HEADER_LEN};
    size_t first = load_u32(data + 1) <= rest.len ? load_u32(data + 1) : rest.len;
    struct view parts[STORE_FILES] = {{rest.data, first}, {rest.data + first, rest.len - first}};
    arena_init(&arena, NULL, 0, 64 << 20);
    bool ok = true;
    for (unsigned i = 0; ok && i < STORE_FILES; i++)
        ok = store_read(&files[i], store_file(i, parts[i], (data[0] & REPAIR) != 0), &arena, &err);
    if (ok) {
        unite_files(files, &arena);
        compare_files(files, &arena);
    } else {
        fuzz_check_err(&err);
    }
    arena_free(&arena);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

static struct str file_of(struct temporary *t, const struct facts *facts)
{
    struct err err = {.code = ERR_NONE};
    const char *path = temporary_path(t, "shard");
    FUZZ_ASSERT(store_write(path, facts, NULL, &err), "%s", err.text);
    store_file_shrink(path);
    return temporary_read(t, path);
}

static void add_pair(fuzz_add *add, const char *name, struct str first, struct str second,
                     struct temporary *t)
{
    size_t len = HEADER_LEN + first.len + second.len;
    uint8_t *input = ARENA_NEW(&t->arena, uint8_t, len, NULL);
    FUZZ_ASSERT(input != NULL, "no memory");
    input[0] = REPAIR;
    store_u32(input + 1, (uint32_t)first.len);
    memcpy(input + HEADER_LEN, first.text, first.len);
    memcpy(input + HEADER_LEN + first.len, second.text, second.len);
    add(name, (struct view){input, len});
}

void fuzz_seeds(fuzz_add *add)
{
    static const char *const names[SHARDS] = {"shards-0-1", "shards-1-2", "shards-2-0"};
    struct temporary t;
    struct facts world, facts;
    struct str shards[SHARDS];
    uint64_t seed = 0xD1B54A32D192ED03;
    temporary_open(&t);
    random_world(&world, &seed, &t.arena);
    for (unsigned i = 0; i < SHARDS; i++) {
        random_shard(&facts, &world, 3u << i, &seed, &t.arena);
        shards[i] = file_of(&t, &facts);
    }
    for (unsigned i = 0; i < SHARDS; i++)
        add_pair(add, names[i], shards[i], shards[(i + 1) % SHARDS], &t);
    fixture_large(&facts, 3, &t.arena);
    struct str small = file_of(&t, &facts);
    add_pair(add, "twice", small, small, &t);
    temporary_close(&t);
}

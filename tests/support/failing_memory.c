#include "tests/support/failing_memory.h"

#include <sqlite3.h>

#include "tests/support/check.h"
#include "tests/support/interposed.h"

static unsigned calls, fails_at; /* 0: none fails */
static sqlite3_mem_methods sqlite_memory;

static bool fails(void)
{
    return fails_at != 0 && ++calls == fails_at;
}

static void *tell(struct err *err)
{
    (void)err_set(err, ERR_MEMORY, "out of memory: allocation %u", fails_at);
    return NULL;
}

static void *failing_arena_raw(struct arena *arena, size_t count, size_t size, struct err *err)
{
    return fails() ? tell(err) : original.arena_raw(arena, count, size, err);
}

static void *failing_arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err)
{
    return fails() ? tell(err) : original.arena_alloc(arena, count, size, err);
}

static char *failing_arena_copy_text(struct arena *arena, const char *text, size_t len,
                                     struct err *err)
{
    return fails() ? tell(err) : original.arena_copy_text(arena, text, len, err);
}

static void *failing_arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes,
                                struct err *err)
{
    return fails() ? tell(err) : original.arena_grow(arena, item, old_bytes, bytes, err);
}

static void *failing_malloc(size_t size)
{
    return fails() ? NULL : original.malloc(size);
}

static void *failing_calloc(size_t count, size_t size)
{
    return fails() ? NULL : original.calloc(count, size);
}

/* --- SQLite
 * ------------------------------------------------------------------------------------- */

static void *sqlite_malloc(int size)
{
    return fails() ? NULL : sqlite_memory.xMalloc(size);
}

static void *sqlite_realloc(void *block, int size)
{
    return fails() ? NULL : sqlite_memory.xRealloc(block, size);
}

void failing_memory_open_without_sqlite(void)
{
    interposed.malloc = failing_malloc;
    interposed.calloc = failing_calloc;
    interposed.arena_raw = failing_arena_raw;
    interposed.arena_alloc = failing_arena_alloc;
    interposed.arena_copy_text = failing_arena_copy_text;
    interposed.arena_grow = failing_arena_grow;
}

bool failing_memory_open(void)
{
    failing_memory_open_without_sqlite();
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory) != SQLITE_OK)
        return false;
    sqlite3_mem_methods ours = sqlite_memory;
    ours.xMalloc = sqlite_malloc;
    ours.xRealloc = sqlite_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) == SQLITE_OK;
}

/* --- the check -------------------------------------------------------------------------------- */

static bool run(memory_job *job, void *context, unsigned nth, struct err *err)
{
    struct arena arena;
    *err = (struct err){.code = ERR_NONE};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    calls = 0;
    fails_at = nth;
    bool ok = job(context, &arena, err);
    fails_at = 0;
    arena_free(&arena);
    return ok;
}

unsigned failing_memory_check(const char *name, memory_job *job, void *context)
{
    struct err err;
    for (unsigned nth = 1;; nth += brief_step(nth)) {
        bool ok = run(job, context, nth, &err);
        if (calls < nth) {
            if (!ok)
                fail_msg("%s: fails with all memory: %s", name, err.text);
            return calls;
        }
        if (!ok && err.code != ERR_MEMORY && err.code != ERR_LIMIT)
            fail_msg("%s: allocation %u fails, and the reason is '%s' (%d)", name, nth, err.text,
                     (int)err.code);
    }
}

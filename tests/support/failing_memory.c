#include "tests/support/failing_memory.h"

#include <sqlite3.h>

#include "tests/support/check.h"

/* The linker's: what the program calls, and what it would have called. */
void *__wrap_arena_raw(struct arena *arena, size_t count, size_t size, struct err *err);
void *__wrap_arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err);
char *__wrap_arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err);
void *__wrap_arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes,
                        struct err *err);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_arena_raw(struct arena *arena, size_t count, size_t size, struct err *err)
    __attribute__((weak));
void *__real_arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err)
    __attribute__((weak));
char *__real_arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err)
    __attribute__((weak));
void *__real_arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes,
                        struct err *err) __attribute__((weak));
void *__real_malloc(size_t size) __attribute__((weak));
void *__real_calloc(size_t count, size_t size) __attribute__((weak));

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

void *__wrap_arena_raw(struct arena *arena, size_t count, size_t size, struct err *err)
{
    return fails() ? tell(err) : __real_arena_raw(arena, count, size, err);
}

void *__wrap_arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err)
{
    return fails() ? tell(err) : __real_arena_alloc(arena, count, size, err);
}

char *__wrap_arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err)
{
    return fails() ? tell(err) : __real_arena_copy_text(arena, text, len, err);
}

void *__wrap_arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes,
                        struct err *err)
{
    return fails() ? tell(err) : __real_arena_grow(arena, item, old_bytes, bytes, err);
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
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

bool failing_memory_open_without_sqlite(void)
{
    return __real_malloc != NULL && __real_arena_raw != NULL;
}

bool failing_memory_open(void)
{
    if (!failing_memory_open_without_sqlite())
        return false;
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

/* arena.h - memory that is freed all at once: one arena for each opened module, rewritten method,
 * report.
 * Owner:  everything allocated lives until arena_reset or arena_free; parts are never freed.
 * Errors: ERR_MEMORY when malloc fails, ERR_LIMIT when the arena's own limit is reached.
 * Built with ILCOV_DEBUG_ARENA, each allocation is a separate malloc, so that valgrind and ASan see
 * its bounds. */
#pragma once

#include "base/err.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    uint8_t *next; /* free space of the newest block, or of the caller's first buffer */
    size_t left;
    uint8_t *first; /* the caller's buffer, or NULL */
    size_t first_len;
    size_t used, limit; /* bytes handed out, and the most that may be */
};

#define ARENA_NO_LIMIT SIZE_MAX

/* One that holds nothing yet. */
#define ARENA_EMPTY ((struct arena){.limit = ARENA_NO_LIMIT})

/* `first` (may be NULL) is used before anything is allocated: typically a buffer on the caller's
 * stack. */
void arena_init(struct arena *arena, void *first, size_t first_len, size_t limit);

/* Zeroed memory for `count` items of `size` bytes, aligned for any type; NULL with `err` set if
 * there is not enough. */
NODISCARD void *arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err);

/* Like arena_alloc, but not zeroed: for arrays that the caller fills completely. */
NODISCARD void *arena_raw(struct arena *arena, size_t count, size_t size, struct err *err);

/* A copy of the items, not of what they point to. `items` may be NULL if there are none. */
NODISCARD void *arena_copy(struct arena *arena, const void *items, size_t count, size_t size,
                           struct err *err);

/* The same item with room for `bytes` instead of `old_bytes`, which are fewer. What it held stays,
 * what is new is not zeroed. It moves if there is no room behind it: pointers to it become
 * invalid, and its old place is lost unless it was large. `item` may be NULL, of 0 bytes. */
NODISCARD void *arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes,
                           struct err *err);
/* Gives back the end of the item that was allocated last; of another, nothing. */
void arena_shrink(struct arena *arena, const void *item, size_t old_bytes, size_t bytes);

/* That many times NO_INDEX. */
NODISCARD uint32_t *arena_no_indexes(struct arena *arena, size_t count, struct err *err);

/* A NUL-terminated copy of `text`. */
NODISCARD char *arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err);

/* Forgets all allocations; keeps one block for reuse. */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#define ARENA_NEW(arena, type, count, err)                                                         \
    ((type *)arena_alloc((arena), (count), sizeof(type), (err)))

#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *older;
    size_t len; /* of the bytes after this header */
    max_align_t data[];
};

enum {
    BLOCK_LEN = 64 * 1024 - 64,
    ALIGNMENT = alignof(max_align_t)
};

#ifdef ILCOV_DEBUG_ARENA
static const bool one_block_an_item = true;
#else
static const bool one_block_an_item = false;
#endif

void arena_init(struct arena *arena, void *first, size_t first_len, size_t limit)
{
    *arena = (struct arena){.first = first, .first_len = first_len, .limit = limit};
    arena_reset(arena);
}

static bool add_block(struct arena *arena, size_t len, struct err *err)
{
    struct arena_block *block = malloc(sizeof *block + len);
    if (block == NULL)
        return err_set(err, ERR_MEMORY, "out of memory: %zu more bytes were needed", len);
    block->older = arena->blocks;
    block->len = len;
    arena->blocks = block;
    arena->next = (uint8_t *)block->data;
    arena->left = len;
    return true;
}

void *arena_raw(struct arena *arena, size_t count, size_t size, struct err *err)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > arena->limit - arena->used) {
        (void)err_set(err, ERR_LIMIT, "%zu items of %zu bytes exceed the limit of %zu bytes", count,
                      size, arena->limit);
        return NULL;
    }
    if (bytes == 0)
        bytes = 1; /* a valid pointer, distinct from all others */
    size_t pad = (size_t)(-(uintptr_t)arena->next & (ALIGNMENT - 1));
    if (one_block_an_item || arena->left < pad || bytes > arena->left - pad) {
        bool shared = !one_block_an_item && bytes < BLOCK_LEN / 4;
        if (!add_block(arena, shared ? BLOCK_LEN : bytes, err))
            return NULL;
        pad = 0;
    }
    void *item = arena->next + pad;
    arena->next += pad + bytes;
    arena->left -= pad + bytes;
    arena->used += bytes;
    return item;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err)
{
    void *item = arena_raw(arena, count, size, err);
    if (item != NULL)
        memset(item, 0, count * size);
    return item;
}

char *arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err)
{
    char *copy = arena_raw(arena, len + 1, 1, err);
    if (copy == NULL)
        return NULL;
    if (len != 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static void free_blocks(struct arena_block *block)
{
    while (block != NULL) {
        struct arena_block *older = block->older;
        free(block);
        block = older;
    }
}

void arena_reset(struct arena *arena)
{
    arena->used = 0;
    if (arena->blocks != NULL && !one_block_an_item) {
        free_blocks(arena->blocks->older);
        arena->blocks->older = NULL;
        arena->next = (uint8_t *)arena->blocks->data;
        arena->left = arena->blocks->len;
        return;
    }
    free_blocks(arena->blocks);
    arena->blocks = NULL;
    arena->next = arena->first;
    arena->left = arena->first != NULL ? arena->first_len : 0;
}

void arena_free(struct arena *arena)
{
    free_blocks(arena->blocks);
    arena->blocks = NULL;
    arena_init(arena, arena->first, arena->first_len, arena->limit);
}

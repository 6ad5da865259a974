#include "base/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *older, *newer;
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

static struct arena_block *make_block(size_t len, struct err *err)
{
    struct arena_block *block = malloc(sizeof *block + len);
    if (block == NULL)
        (void)err_set(err, ERR_MEMORY, "out of memory: %zu more bytes were needed", len);
    else
        block->len = len;
    return block;
}

/* Between the two; NULL for none. */
static void link_block(struct arena *arena, struct arena_block *block, struct arena_block *newer,
                       struct arena_block *older)
{
    struct arena_block **from_newer = newer != NULL ? &newer->older : &arena->blocks;
    *from_newer = block;
    block->newer = newer;
    block->older = older;
    if (older != NULL)
        older->newer = block;
}

/* One that items share. */
static bool add_block(struct arena *arena, struct err *err)
{
    struct arena_block *block = make_block(BLOCK_LEN, err);
    if (block == NULL)
        return false;
    link_block(arena, block, NULL, arena->blocks);
    arena->next = (uint8_t *)block->data;
    arena->left = BLOCK_LEN;
    return true;
}

/* A block for one item, behind the newest, which may still have room for others. */
static void *add_alone(struct arena *arena, size_t len, struct err *err)
{
    struct arena_block *block = make_block(len, err), *newest = arena->blocks;
    if (block == NULL)
        return NULL;
    link_block(arena, block, newest, newest != NULL ? newest->older : NULL);
    return block->data;
}

static bool refuse(const struct arena *arena, size_t count, size_t size, struct err *err)
{
    return err_set(err, ERR_LIMIT, "%zu items of %zu bytes exceed the limit of %zu bytes", count,
                   size, arena->limit);
}

static bool allow(const struct arena *arena, size_t bytes, struct err *err)
{
    bool is_sane = bytes <= arena->limit - arena->used && bytes <= PTRDIFF_MAX;
    return is_sane || refuse(arena, 1, bytes, err);
}

/* What is free, without the first `pad` bytes. */
static void *take(struct arena *arena, size_t pad, size_t bytes)
{
    void *item = arena->next + pad;
    arena->next += pad + bytes;
    arena->left -= pad + bytes;
    arena->used += bytes;
    return item;
}

static void *take_from_new_block(struct arena *arena, size_t bytes, struct err *err)
{
    bool shared = !one_block_an_item && bytes < BLOCK_LEN / 4;
    if (shared)
        return add_block(arena, err) ? take(arena, 0, bytes) : NULL;
    void *alone = add_alone(arena, bytes, err);
    arena->used += alone != NULL ? bytes : 0;
    return alone;
}

/* `alignment` is a power of two. */
static inline void *allocate(struct arena *arena, size_t bytes, size_t alignment, struct err *err)
{
    size_t pad = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    bytes += bytes == 0; /* a valid pointer, distinct from all others */
    if (!one_block_an_item && arena->left >= pad && bytes <= arena->left - pad)
        return take(arena, pad, bytes);
    return take_from_new_block(arena, bytes, err);
}

void *arena_raw(struct arena *arena, size_t count, size_t size, struct err *err)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > arena->limit - arena->used) {
        (void)refuse(arena, count, size, err);
        return NULL;
    }
    return allocate(arena, bytes, ALIGNMENT, err);
}

/* The item's own block, or NULL if it may share one: those are no larger than BLOCK_LEN. */
static struct arena_block *block_of(const struct arena *arena, void *item, size_t bytes)
{
    bool is_in_first = arena->first != NULL && (uint8_t *)item >= arena->first &&
                       (uint8_t *)item < arena->first + arena->first_len;
    if (item == NULL || (!one_block_an_item && (bytes <= BLOCK_LEN || is_in_first)))
        return NULL;
    struct arena_block *block =
        (struct arena_block *)(void *)((uint8_t *)item - offsetof(struct arena_block, data));
    /* The newest of another arena cannot be moved: that would have to know of it. */
    return block->newer != NULL || block == arena->blocks ? block : NULL;
}

static void *grow_block(struct arena *arena, struct arena_block *block, size_t bytes,
                        struct err *err)
{
    struct arena_block *moved = realloc(block, sizeof *block + bytes);
    if (moved == NULL) {
        (void)err_set(err, ERR_MEMORY, "out of memory: %zu bytes were needed", bytes);
        return NULL;
    }
    moved->len = bytes;
    link_block(arena, moved, moved->newer, moved->older);
    return moved->data;
}

void *arena_grow(struct arena *arena, void *item, size_t old_bytes, size_t bytes, struct err *err)
{
    size_t more = bytes - old_bytes;
    if (!allow(arena, more, err))
        return NULL;
    if (item != NULL && (uint8_t *)item + old_bytes == arena->next && more <= arena->left) {
        arena->next += more;
        arena->left -= more;
        arena->used += more;
        return item;
    }
    struct arena_block *block = block_of(arena, item, old_bytes);
    if (block != NULL) {
        void *moved = grow_block(arena, block, bytes, err);
        arena->used += moved != NULL ? more : 0;
        return moved;
    }
    if (!allow(arena, bytes, err))
        return NULL;
    void *moved = allocate(arena, bytes, ALIGNMENT, err);
    if (moved != NULL && old_bytes != 0)
        memcpy(moved, item, old_bytes);
    return moved;
}

void arena_shrink(struct arena *arena, const void *item, size_t old_bytes, size_t bytes)
{
    if (item == NULL || (const uint8_t *)item + old_bytes != arena->next || arena->left == 0)
        return;
    arena->next -= old_bytes - bytes;
    arena->left += old_bytes - bytes;
    arena->used -= old_bytes - bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, struct err *err)
{
    void *item = arena_raw(arena, count, size, err);
    if (item != NULL)
        memset(item, 0, count * size);
    return item;
}

void *arena_copy(struct arena *arena, const void *items, size_t count, size_t size, struct err *err)
{
    void *copy = arena_raw(arena, count, size, err);
    if (copy != NULL && count != 0)
        memcpy(copy, items, count * size);
    return copy;
}

uint32_t *arena_no_indexes(struct arena *arena, size_t count, struct err *err)
{
    uint32_t *indexes = arena_raw(arena, count, sizeof *indexes, err);
    if (indexes != NULL)
        memset(indexes, 0xFF, count * sizeof *indexes);
    return indexes;
}

/* Letters may be anywhere: padding would be a fifth of all names. */
char *arena_copy_text(struct arena *arena, const char *text, size_t len, struct err *err)
{
    char *copy = allow(arena, len + 1, err) ? allocate(arena, len + 1, 1, err) : NULL;
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
    struct arena_block *kept = arena->blocks;
    arena->used = 0;
    if (kept != NULL && !one_block_an_item && kept->len == BLOCK_LEN) {
        free_blocks(kept->older);
        link_block(arena, kept, NULL, NULL);
        arena->next = (uint8_t *)kept->data;
        arena->left = kept->len;
        return;
    }
    free_blocks(kept);
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

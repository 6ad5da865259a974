#include "profiler/counter_block.h"

#include <string.h>

#include "base/fnv.h"

void counter_block_init(struct counter_block *place)
{
    *place = (struct counter_block){.arena = ARENA_EMPTY, .bodies = ARENA_EMPTY};
}

void counter_block_free(struct counter_block *place)
{
    arena_free(&place->arena);
    arena_free(&place->bodies);
}

void code_identity_start(struct code_identity *out, const struct module *meta, struct str path,
                         enum count_mode mode, bool may_change)
{
    *out = (struct code_identity){.mvid = meta->mvid,
                                  .name = meta->name,
                                  .path = path,
                                  .mode = mode,
                                  .may_change = may_change,
                                  .method_count = tables_rows(&meta->md.tables, TABLE_MethodDef),
                                  .fingerprint = fnv_words(FNV_START, meta->md.root)};
}

void code_identity_add(struct code_identity *identity, uint32_t rid, struct view body)
{
    identity->fingerprint =
        fnv_words(fnv_word(fnv_word(identity->fingerprint, rid), body.len), body);
}

bool counter_block_is_of(const struct counter_block *place, const struct code_identity *identity)
{
    return place->fingerprint == identity->fingerprint && place->mode == identity->mode &&
           place->may_change == identity->may_change &&
           place->method_count == identity->method_count && str_eq(place->path, identity->path) &&
           memcmp(place->mvid, identity->mvid, sizeof place->mvid) == 0;
}

bool counter_block_start(struct counter_block *place, const struct code_identity *identity)
{
    memcpy(place->mvid, identity->mvid, sizeof place->mvid);
    place->mode = identity->mode;
    place->may_change = identity->may_change;
    place->method_count = identity->method_count;
    place->fingerprint = identity->fingerprint;
    place->methods = ARENA_NEW(&place->arena, struct placed_method, place->method_count, NULL);
    return place->methods != NULL && str_copy(&place->name, identity->name, &place->arena, NULL) &&
           str_copy(&place->path, identity->path, &place->arena, NULL);
}

struct view counter_block_original(const struct counter_block *place, const struct module *meta,
                                   uint32_t rid)
{
    struct method_def def;
    uint32_t len = place->methods[rid - 1].original_len;
    if (len == 0 || !module_method(&def, meta, rid))
        return (struct view){NULL, 0};
    return (struct view){def.body.data, len};
}

#include "base/sort.h"
#include "coverage/collect/collector.h"
#include "coverage/source/symbols.h"
#include "metadata/lookup.h"

/* --- references ------------------------------------------------------------------------------- */

/* What cannot be named is none of the candidates. */
static bool note_references(struct inlined_functions *inlined, const struct metadata *md,
                            struct arena *scratch, struct err *err)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_MemberRef); rid++) {
        struct err why = {.code = ERR_NONE};
        struct str type = STR("");
        if (!name_type(&type, md, type_of_member(md, TOKEN(TABLE_MemberRef, rid)), scratch, &why) &&
            !err_tolerate(err, &why))
            return false;
        uint64_t member = inlined_member_hash(type, row_string(md, COL_MemberRef_Name, rid));
        if (!list_put(&inlined->references, &member, sizeof member, inlined->arena, err))
            return false;
    }
    return true;
}

static bool is_referenced(const struct inlined_functions *all,
                          const struct inlined_candidate *candidate)
{
    return sorted_find(&candidate->member, all->references.items, all->references.count,
                       sizeof candidate->member, inlined_hash_order) != NULL;
}

/* --- which are named -------------------------------------------------------------------------- */

ORDER(order_mentions, struct inlined_mention, BY(name) BY(qualifier) BY(by))

/* A function may be named after its module, or after one around it that opens itself. */
static bool is_part_of_type(uint64_t qualifier, struct str type)
{
    size_t start = 0;
    for (size_t i = 0; i <= type.len; i++) {
        if (i < type.len && type.text[i] != '.' && type.text[i] != '/' && type.text[i] != '`')
            continue;
        struct str part = {type.text + start, i - start};
        if (qualifier == inlined_name_hash(part))
            return true;
        if (str_ends(part, "Module")) {
            part.len -= sizeof "Module" - 1;
            if (qualifier == inlined_name_hash(part))
                return true;
        }
        start = i + 1;
    }
    return false;
}

static bool fits(const struct inlined_candidate *candidate, const struct inlined_mention *mention)
{
    if (candidate->is_of_builder)
        return true;
    if (candidate->is_member)
        return mention->qualifier != MENTION_BARE;
    return mention->qualifier == MENTION_BARE || mention->qualifier == MENTION_OF_VALUE ||
           is_part_of_type(mention->qualifier, candidate->type);
}

/* `inlined`: which candidates are known to be. */
static bool is_named_by(const struct inlined_functions *all,
                        const struct inlined_candidate *candidate, const bool *inlined)
{
    const struct inlined_mention *mentions = all->mentions.items;
    for (uint32_t i = 0; i < candidate->name_count; i++) {
        const struct inlined_mention key = {.name = candidate->names[i]};
        size_t at = sorted_place(&key, mentions, all->mentions.count, sizeof key, order_mentions);
        for (; at < all->mentions.count && mentions[at].name == key.name; at++)
            if (fits(candidate, &mentions[at]) &&
                (mentions[at].by == NO_INDEX || inlined[mentions[at].by]))
                return true;
    }
    return false;
}

static bool mark_inlined(struct inlined_functions *inlined, struct arena *scratch, struct err *err)
{
    struct inlined_candidate *candidates = inlined->candidates.items;
    uint32_t count = inlined->candidates.count;
    bool *is_one = ARENA_NEW(scratch, bool, count, err);
    if (is_one == NULL)
        return false;
    sort_unless_sorted(inlined->references.items, inlined->references.count, sizeof(uint64_t),
                       inlined_hash_order);
    inlined->mentions.count =
        (uint32_t)sort_distinct(inlined->mentions.items, inlined->mentions.count,
                                sizeof(struct inlined_mention), order_mentions);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            if (is_one[i] || is_referenced(inlined, &candidates[i]) ||
                !is_named_by(inlined, &candidates[i], is_one))
                continue;
            is_one[i] = changed = true;
            candidates[i].method->reason = reason_of(REASON_INLINED);
        }
    }
    return true;
}

/* --- the loaded modules ----------------------------------------------------------------------- */

/* What the statements of a module name that was left out. */
static bool note_uncounted(struct collector *c, struct module *module, struct str path,
                           struct arena *scratch, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    struct list untold = {.items = NULL};
    struct fact_module facts;
    uint64_t *counts;
    if (!symbols_find(module, path.text, scratch, &why))
        return err_tolerate(err, &why);
    struct module_facts_request request = collector_request(c, module, path);
    request.is_outline = true;
    request.inlined = &c->inlined;
    request.documents.warnings = request.documents.notes = &untold;
    return module_facts(&facts, &counts, &request, scratch, &why) || err_tolerate(err, &why);
}

/* The runtime and test platforms refer to no code of the user's. */
static bool note_loaded(struct collector *c, const struct fact_module *loaded,
                        struct arena *scratch, struct err *err)
{
    struct module module;
    struct str path;
    bool is_skipped = loaded->state == MODULE_SKIPPED && loaded->reason != NULL;
    if (is_skipped && (loaded->reason->code == REASON_INSTALLATION ||
                       loaded->reason->code == REASON_TEST_PLATFORM))
        return true;
    if (!str_copy(&path, loaded->path, scratch, err))
        return false;
    if (path.len == 0 || !module_open_file(&module, path.text, NULL))
        return true;
    bool is_uncounted = module.md.optimised && compiled_by_fsharp(&module.md) && is_skipped &&
                        loaded->method_count == 0 &&
                        scope_may_have_contexts((enum reason_code)loaded->reason->code);
    bool ok = note_references(&c->inlined, &module.md, scratch, err) &&
              (!is_uncounted || note_uncounted(c, &module, path, scratch, err));
    module_close(&module);
    return ok;
}

bool inlined_find(struct collector *c, struct err *err)
{
    const struct fact_module *modules = c->modules.items;
    bool ok = true;
    for (uint32_t i = 0; i < c->modules.count && c->inlined.candidates.count != 0 && ok; i++) {
        struct arena scratch = ARENA_EMPTY;
        ok = note_loaded(c, &modules[i], &scratch, err);
        arena_free(&scratch);
    }
    struct arena scratch = ARENA_EMPTY;
    ok = ok && mark_inlined(&c->inlined, &scratch, err);
    arena_free(&scratch);
    return ok;
}

#include "coverage/affected/input_changes.h"

#include <string.h>

#include "base/path.h"
#include "coverage/facts/fact_inputs.h"
#include "coverage/source/paths.h"
#include "coverage/tests/test_inputs.h"

/* A folder of the older run's inputs, and where it is now. */
struct folder_pair {
    struct str was, now;
};

struct comparing {
    struct build_changes *changes;
    const struct input_rules *rules;
    struct err *err;
};

/* What became of an input that is not surely the same. */
static const char *change_of(const struct fact_input *was, const struct fact_input *now)
{
    return fact_input_is_unseen(was) || fact_input_is_unseen(now)
               ? "may have changed: it is a link to somewhere else, cannot be read, or is too much"
               : "changed";
}

static bool note(struct comparing *w, const struct fact_input *input, const char *what)
{
    return paths_match_any(w->rules->ignore, w->rules->ignore_count, input->path) ||
           build_changes_add_all(w->changes, w->err, "%.*s %s", STR_ARGS(input->path), what);
}

/* Both are sorted by path. A path that several runs knew with different contents is unchanged if it
 * has one of them. */
static bool compare_lists(struct comparing *w, const struct fact_input *was, uint32_t was_count,
                          const struct fact_input *now, uint32_t now_count)
{
    bool ok = true;
    for (uint32_t i = 0, k = 0; ok && (i < was_count || k < now_count);) {
        int order = i == was_count ? 1 : k == now_count ? -1 : str_cmp(was[i].path, now[k].path);
        if (order > 0) {
            ok = note(w, &now[k++], "is new");
            continue;
        }
        bool same = false;
        uint32_t first = i;
        for (; i < was_count && str_eq(was[i].path, was[first].path); i++)
            same |= order == 0 && memcmp(was[i].hash, now[k].hash, sizeof now[k].hash) == 0 &&
                    !fact_input_is_unseen(&now[k]);
        if (!same)
            ok = note(w, &was[first], order < 0 ? "is gone" : change_of(&was[first], &now[k]));
        k += order == 0;
    }
    return ok;
}

static bool compare_folder(struct comparing *w, struct str was, struct list *now)
{
    const struct facts *base = &w->changes->base;
    uint32_t first = 0, end = 0;
    while (first < base->input_count && str_cmp(base->inputs[first].folder, was) < 0)
        first++;
    for (end = first; end < base->input_count && str_eq(base->inputs[end].folder, was);)
        end++;
    fact_inputs_sort(now->items, &now->count);
    return compare_lists(w, base->inputs + first, end - first, now->items, now->count);
}

static struct str folder_of_build(const struct build_changes *c, struct str name)
{
    for (uint32_t i = 0; i < c->build->facts.module_count; i++)
        if (str_eq(c->build->facts.modules[i].name, name))
            return path_dir(c->build->facts.modules[i].path);
    return STR("");
}

static bool has_inputs(const struct facts *base, struct str folder)
{
    for (uint32_t i = 0; i < base->input_count; i++)
        if (str_eq(base->inputs[i].folder, folder))
            return true;
    return false;
}

/* Where the test assemblies are, or, without them, all others: the outputs that tests run in. */
static bool pair_folders(struct list *pairs, struct comparing *w)
{
    const struct build_changes *c = w->changes;
    for (uint32_t i = 0; i < c->base.module_count; i++) {
        const struct fact_module *module = &c->base.modules[i];
        struct str was = path_dir(module->path), now = folder_of_build(c, module->name);
        const struct folder_pair *known = pairs->items;
        bool is_known = module->method_count == 0 || now.len == 0 || !has_inputs(&c->base, was);
        for (uint32_t k = 0; !is_known && k < pairs->count; k++)
            is_known = str_eq(known[k].was, was);
        if (is_known)
            continue;
        const struct folder_pair added = {was, now};
        if (!list_push(pairs, &added, sizeof added, c->arena, w->err))
            return false;
    }
    return true;
}

bool input_changes_find(struct build_changes *changes, const struct input_rules *rules,
                        struct err *err)
{
    struct comparing w = {changes, rules, err};
    struct list pairs = {0}, sources = {0};
    struct arena *arena = changes->arena;
    if (!pair_folders(&pairs, &w))
        return false;
    const struct folder_pair *items = pairs.items;
    for (uint32_t i = 0; i < pairs.count; i++) {
        struct list now = {0};
        if (!test_inputs_add_output(&now, items[i].now, INT64_MAX, &changes->base, arena, err) ||
            !compare_folder(&w, items[i].was, &now))
            return false;
    }
    return test_inputs_add_sources(&sources, rules->root, &changes->base, arena, err) &&
           compare_folder(&w, STR(""), &sources);
}

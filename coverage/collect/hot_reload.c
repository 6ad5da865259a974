#include "coverage/collect/hot_reload.h"

#include <string.h>

#include "base/sort.h"

/* --- methods that changed --------------------------------------------------------------------- */

struct change {
    const struct session_change *from;
    struct str method; /* as the user knows it; empty: only its number is known */
};

static const struct fact_module *find_module(const struct collector *c, const uint8_t mvid[16])
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (memcmp(modules[i].mvid, mvid, sizeof modules[i].mvid) == 0 &&
            modules[i].method_count != 0)
            return &modules[i];
    return NULL;
}

ORDER(order_method_tokens, struct fact_method, BY(token))

static const struct fact_method *find_method(const struct fact_module *module, uint32_t rid)
{
    const struct fact_method key = {.token = TOKEN(TABLE_MethodDef, rid)};
    return sorted_find(&key, module->methods, module->method_count, sizeof key,
                       order_method_tokens);
}

/* A lambda, local function or state machine is named by the user's method that it belongs to.
 * Without the assembly, which may have been built anew since, by what the library called it. */
static bool name_change(struct str *out, const struct collector *c,
                        const struct session_change *change, struct err *err)
{
    const struct fact_module *module = find_module(c, change->mvid);
    const struct fact_method *method =
        module != NULL ? find_method(module, change->method_rid) : NULL;
    *out = change->method;
    if (change->is_added || method == NULL)
        return true;
    struct fact_display display = fact_method_display(&module->methods[method->user_method]);
    return text_format(out, c->arena, err, "%.*s.%.*s", STR_ARGS(display.type),
                       STR_ARGS(display.name));
}

static int order_modules(const struct change *a, const struct change *b)
{
    int order = str_cmp(a->from->module_name, b->from->module_name);
    return order != 0 ? order : memcmp(a->from->mvid, b->from->mvid, sizeof a->from->mvid);
}

ORDER(order_changes, struct change,
      BY_ORDER(order_modules(a, b)) BY(from->is_added) BY(method) BY(from->method_rid))

static bool list_changes(struct list *out, const struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        for (uint32_t j = 0; j < process->change_count; j++) {
            struct change *change = list_add(out, sizeof *change, c->arena, err);
            if (change == NULL || !name_change(&change->method, c, &process->changes[j], err))
                return false;
            change->from = &process->changes[j];
        }
    }
    sort_unless_sorted(out->items, out->count, sizeof(struct change), order_changes);
    return true;
}

/* `changes` are those of one module, sorted. */
static bool report_module(struct collector *c, const struct change *changes, uint32_t count,
                          struct err *err)
{
    struct text line;
    struct str text, name = changes->from->module_name;
    uint32_t changed = 0, added = 0;
    text_open(&line, c->arena);
    for (uint32_t i = 0; i < count; i++) {
        bool is_first = i == 0 || changes[i].from->is_added != changes[i - 1].from->is_added;
        if (changes[i].from->is_added) {
            added += is_first || changes[i].from->method_rid != changes[i - 1].from->method_rid;
        } else if (is_first || !str_eq(changes[i].method, changes[i - 1].method)) {
            text_addf(&line, "%s%.*s", changed == 0 ? "hot reload changed " : ", ",
                      STR_ARGS(changes[i].method));
            changed++;
        }
    }
    if (changed == 0)
        text_addf(&line, "hot reload added %u %s to %.*s: %s not counted", added,
                  added == 1 ? "method" : "methods", STR_ARGS(name),
                  added == 1 ? "it is" : "they are");
    else
        text_addf(&line, " of %.*s: %s not counted from then on", STR_ARGS(name),
                  changed == 1 ? "it is" : "they are");
    if (changed != 0 && added != 0)
        text_addf(&line, ", nor %s %u %s that it added", added == 1 ? "is the" : "are the", added,
                  added == 1 ? "method" : "methods");
    return text_take(&text, &line, err) && troubles_add(&c->troubles, text, TROUBLE_LOSS, err);
}

static bool report_changes(struct collector *c, struct err *err)
{
    struct list list = {0};
    if (!list_changes(&list, c, err))
        return false;
    const struct change *changes = list.items;
    for (uint32_t i = 0, end = 0; i < list.count; i = end) {
        for (end = i + 1; end < list.count && order_modules(&changes[i], &changes[end]) == 0;)
            end++;
        if (!report_module(c, &changes[i], end - i, err))
            return false;
    }
    return true;
}

/* --- exact counts ----------------------------------------------------------------------------- */

static bool is_inexact(const struct collector *c, const struct session_counters *counters)
{
    return c->options->config.mode == MODE_EXACT && counters->mode != MODE_EXACT;
}

/* Was it named already? A module may have several counter files. */
static bool is_named(const struct collector *c, uint32_t index)
{
    const struct session_counters *files = c->session->counters;
    for (uint32_t i = 0; i < index; i++)
        if (is_inexact(c, &files[i]) && str_eq(files[i].module_name, files[index].module_name))
            return true;
    return false;
}

static bool report_inexact(struct collector *c, struct err *err)
{
    struct text names;
    struct str text;
    bool any = false;
    text_open(&names, c->arena);
    for (uint32_t i = 0; i < c->session->counters_count; i++) {
        if (!is_inexact(c, &c->session->counters[i]) || is_named(c, i))
            continue;
        text_addf(&names, "%s%.*s", any ? ", " : "", STR_ARGS(c->session->counters[i].module_name));
        any = true;
    }
    if (!any)
        return true;
    text_add_c(&names, ": hot reload may change the code, so its counts cannot be exact: they may "
                       "fall short where threads meet");
    return text_take(&text, &names, err) && troubles_add(&c->troubles, text, TROUBLE_WARNING, err);
}

bool hot_reload_collect(struct collector *c, struct err *err)
{
    return report_changes(c, err) && report_inexact(c, err);
}

#include "base/sort.h"
#include "coverage/collect/collector.h"
#include "coverage/source/paths.h"

static bool is_skip_listed(const struct collector *c, const struct session_skip *skip)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (str_eq(modules[i].path, skip->path) && str_eq(modules[i].name, skip->name))
            return true;
    return false;
}

/* A full disk it would have told in the file of troubles. */
static bool check_written(struct collector *c, const struct session_process *process,
                          struct err *err)
{
    return process->program.len != 0 || c->session->loss_count != 0 ||
           messages_addf(&c->messages, MESSAGE_LOSS, err,
                         "nothing is known of process %u: it ended while it started, or its files "
                         "may not grow (ulimit -f)",
                         process->pid);
}

/* An instrumented module has a counter file unless it was removed. A damaged file is reported
 * separately. */
static bool check_instrumented(struct collector *c, const struct session_process *process,
                               struct err *err)
{
    for (uint32_t i = 0; i < process->instrumented_count && c->session->warning_count == 0; i++)
        if (!session_has_counters(c->session, process->instrumented[i].mvid) &&
            !messages_addf(&c->messages, MESSAGE_BAD_INPUT, err,
                           "the counts of %.*s are lost: its counter file is gone",
                           STR_ARGS(process->instrumented[i].name)))
            return false;
    return true;
}

static bool add_processes(struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        struct fact_process *added = list_add(&c->processes, sizeof *added, c->arena, err);
        if (added == NULL)
            return false;
        *added = (struct fact_process){
            .run = 0, .program = process->program, .runtime = process->runtime};
        if (process->declined.code != REASON_NONE) {
            added->declined = &process->declined;
        } else {
            added->module_count = process->instrumented_count;
            added->method_count = session_methods(process);
        }
        if (c->framework_dir.len == 0)
            c->framework_dir = process->runtime_dir;
        for (uint32_t s = 0; s < process->skip_count; s++)
            if (!is_skip_listed(c, &process->skips[s]) &&
                !collector_add_skipped(c, process->skips[s].name, process->skips[s].path, NULL,
                                       &process->skips[s].reason, err))
                return false;
        for (uint32_t t = 0; t < process->warning_count; t++)
            if (!messages_add(&c->messages, process->warnings[t], MESSAGE_LOSS, err))
                return false;
        if (!check_written(c, process, err) || !check_instrumented(c, process, err))
            return false;
    }
    for (uint32_t i = 0; i < c->session->loss_count; i++)
        if (!messages_add(&c->messages, c->session->losses[i], MESSAGE_LOSS, err))
            return false;
    return true;
}

/* --- hot reload: methods that changed --------------------------------------------------------- */

struct change {
    const struct session_change *from;
    struct str method; /* as the user knows it; empty: only its number is known */
};

static const struct fact_module *module_of_change(const struct collector *c, const uint8_t mvid[16])
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (memcmp(modules[i].mvid, mvid, sizeof modules[i].mvid) == 0 &&
            modules[i].method_count != 0)
            return &modules[i];
    return NULL;
}

ORDER(order_method_tokens, struct fact_method, BY(token))

static const struct fact_method *method_of_row(const struct fact_module *module, uint32_t rid)
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
    const struct fact_module *module = module_of_change(c, change->mvid);
    const struct fact_method *method =
        module != NULL ? method_of_row(module, change->method_rid) : NULL;
    *out = change->method;
    if (change->is_added || method == NULL)
        return true;
    struct fact_display display = fact_method_display(&module->methods[method->user_method]);
    return text_format(out, c->arena, err, "%.*s.%.*s", STR_ARGS(display.type),
                       STR_ARGS(display.name));
}

ORDER(order_changed_modules, struct change, BY(from->module_name) BY_BYTES(from->mvid))
ORDER(order_changes, struct change,
      BY_ORDER(order_changed_modules(a, b)) BY(from->is_added) BY(method) BY(from->method_rid))

static bool list_changes(struct list *out, const struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        for (uint32_t j = 0; j < process->change_count; j++) {
            struct change change = {.from = &process->changes[j]};
            if (!name_change(&change.method, c, change.from, err) ||
                !list_put(out, &change, sizeof change, c->arena, err))
                return false;
        }
    }
    sort_unless_sorted(out->items, out->count, sizeof(struct change), order_changes);
    return true;
}

/* `changes` are those of one module, sorted. */
static bool tell_changes_of(struct collector *c, const struct change *changes, uint32_t count,
                            struct err *err)
{
    struct str name = changes->from->module_name;
    uint32_t changed = 0, added = 0;
    struct text line = text_in(c->arena);
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
    return messages_take(&c->messages, &line, MESSAGE_LOSS, err);
}

static bool tell_changes(struct collector *c, struct err *err)
{
    struct list list = {0};
    if (!list_changes(&list, c, err))
        return false;
    const struct change *changes = list.items;
    for (uint32_t i = 0, end = 0; i < list.count; i = end) {
        for (end = i + 1;
             end < list.count && order_changed_modules(&changes[i], &changes[end]) == 0;)
            end++;
        if (!tell_changes_of(c, &changes[i], end - i, err))
            return false;
    }
    return true;
}

/* --- hot reload: exact counts ----------------------------------------------------------------- */

static bool is_inexact(const struct collector *c, const struct session_counters *counters)
{
    return c->options->config.mode == MODE_EXACT && counters->mode != MODE_EXACT;
}

/* Was it named already? A module may have several counter files. */
static bool is_named_before(const struct collector *c, uint32_t index)
{
    const struct session_counters *files = c->session->counters;
    for (uint32_t i = 0; i < index; i++)
        if (is_inexact(c, &files[i]) && str_eq(files[i].module_name, files[index].module_name))
            return true;
    return false;
}

static bool tell_inexact(struct collector *c, struct err *err)
{
    bool any = false;
    struct text names = text_in(c->arena);
    for (uint32_t i = 0; i < c->session->counters_count; i++) {
        if (!is_inexact(c, &c->session->counters[i]) || is_named_before(c, i))
            continue;
        text_addf(&names, "%s%.*s", any ? ", " : "", STR_ARGS(c->session->counters[i].module_name));
        any = true;
    }
    if (!any)
        return true;
    text_add_c(&names, ": hot reload may change the code, so its counts cannot be exact: they may "
                       "be too low where threads ran the same code");
    return messages_take(&c->messages, &names, MESSAGE_WARNING, err);
}

/* --- counters that threads shared ------------------------------------------------------------- */

static int order_reasons(const void *left, const void *right)
{
    return reason_order(*(const struct reason *const *)left, *(const struct reason *const *)right);
}

static bool list_reasons(struct list *out, const struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        for (uint32_t j = 0; j < process->sharing_count; j++) {
            const struct reason *reason = &process->sharings[j];
            if (!list_put(out, &reason, sizeof(struct reason *), c->arena, err))
                return false;
        }
    }
    sort_unless_sorted(out->items, out->count, sizeof(struct reason *), order_reasons);
    return true;
}

/* Says in one line for the session why threads shared counters; nothing if none did. Whether code
 * was hit is exact all the same, so it is a warning and no loss. */
static bool tell_sharing(struct collector *c, struct err *err)
{
    struct list list = {0};
    if (!list_reasons(&list, c, err))
        return false;
    if (list.count == 0)
        return true;
    const struct reason **reasons = list.items;
    struct text line = text_in(c->arena);
    text_add_c(&line, "hits may be too low where threads ran the same code at once, because they "
                      "had to share counters: ");
    for (uint32_t i = 0; i < list.count; i++) {
        if (i != 0 && reason_eq(reasons[i], reasons[i - 1]))
            continue;
        text_add_c(&line, i != 0 ? "; " : "");
        reason_add(&line, reasons[i]);
    }
    text_add_c(&line, " (hit or not hit is exact)");
    return messages_take(&c->messages, &line, MESSAGE_WARNING, err);
}

bool processes_collect(struct collector *c, struct err *err)
{
    return add_processes(c, err) && tell_changes(c, err) && tell_inexact(c, err) &&
           tell_sharing(c, err);
}

/* --- what is told without --verbose ----------------------------------------------------------- */

/* NuGet: <id>/<version>/tools/<framework>/<platform>/... */
static bool is_of_package(struct str path)
{
    return paths_is_of_package(path) || str_glob(STR("*/tools/net*/*/*"), path);
}

/* A project's assembly that cannot be measured; what is of others mostly has no symbols. */
static bool is_loss(struct collector *c, const struct session_skip *skip)
{
    if (reason_is(&skip->reason, REASON_HOT_RELOAD))
        return true;
    return (reason_is(&skip->reason, REASON_NO_PDB_BESIDE) ||
            reason_is(&skip->reason, REASON_COLLECTIBLE) ||
            reason_is(&skip->reason, REASON_ERROR)) &&
           packages_list_project(&c->packages, skip->path) && !is_of_package(skip->path);
}

static bool tell_left_out(struct collector *c, struct str what, const char *words,
                          const struct reason *reason, struct err *err)
{
    struct text line = text_in(c->arena);
    text_addf(&line, "%.*s %s: ", STR_ARGS(what), words);
    reason_add(&line, reason);
    return messages_take(&c->messages, &line,
                         reason_is(reason, REASON_HOT_RELOAD) ? MESSAGE_BAD_INPUT : MESSAGE_LOSS,
                         err);
}

bool processes_tell(struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        if (reason_is(&process->declined, REASON_ERROR) &&
            !tell_left_out(c, process->program, "was not measured", &process->declined, err))
            return false;
        for (uint32_t j = 0; j < process->skip_count; j++)
            if (is_loss(c, &process->skips[j]) &&
                !tell_left_out(c, process->skips[j].name, "ran, but is not in the report",
                               &process->skips[j].reason, err))
                return false;
    }
    return true;
}

#include "coverage/collect/processes.h"

#include <string.h>

static bool is_listed(const struct collector *c, const struct session_skip *skip)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (str_eq(modules[i].path, skip->path) && str_eq(modules[i].name, skip->name))
            return true;
    return false;
}

/* An instrumented module has a counter file unless it was removed. A damaged file is reported
 * separately. */
static bool check_covered(struct collector *c, const struct session_process *process,
                          struct err *err)
{
    for (uint32_t i = 0; i < process->covered_count && c->session->trouble_count == 0; i++)
        if (!session_has_counters(c->session, process->covered[i].mvid) &&
            !troubles_add_bad_input(&c->troubles, err,
                                    "the counts of %.*s are lost: its counter file is gone",
                                    STR_ARGS(process->covered[i].name)))
            return false;
    return true;
}

bool processes_collect(struct collector *c, struct err *err)
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
            added->module_count = process->covered_count;
            added->method_count = session_methods(process);
        }
        if (c->framework_dir.len == 0)
            c->framework_dir = process->runtime_dir;
        for (uint32_t s = 0; s < process->skip_count; s++)
            if (!is_listed(c, &process->skips[s]) &&
                !collector_add_skipped(c, process->skips[s].name, process->skips[s].path, NULL,
                                       &process->skips[s].reason, err))
                return false;
        for (uint32_t t = 0; t < process->trouble_count; t++)
            if (!troubles_add(&c->troubles, process->troubles[t], TROUBLE_LOSS, err))
                return false;
        if (!check_covered(c, process, err))
            return false;
    }
    for (uint32_t i = 0; i < c->session->loss_count; i++)
        if (!troubles_add(&c->troubles, c->session->losses[i], TROUBLE_LOSS, err))
            return false;
    return true;
}

#include "coverage/collect/processes.h"

#include <string.h>

#include "coverage/source/paths.h"

static bool is_listed(const struct collector *c, const struct session_skip *skip)
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
    struct str text;
    if (process->program.len != 0 || c->session->loss_count != 0)
        return true;
    return text_format(&text, c->arena, err,
                       "nothing is known of process %u: it ended as it started, or its files may "
                       "not grow (ulimit -f)",
                       process->pid) &&
           troubles_add(&c->troubles, text, TROUBLE_LOSS, err);
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
        if (!check_written(c, process, err) || !check_covered(c, process, err))
            return false;
    }
    for (uint32_t i = 0; i < c->session->loss_count; i++)
        if (!troubles_add(&c->troubles, c->session->losses[i], TROUBLE_LOSS, err))
            return false;
    return true;
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

static bool tell(struct collector *c, struct str what, const char *words,
                 const struct reason *reason, struct err *err)
{
    struct text line;
    struct str text;
    text_open(&line, c->arena);
    text_addf(&line, "%.*s %s: ", STR_ARGS(what), words);
    reason_add(&line, reason);
    return text_take(&text, &line, err) &&
           troubles_add(&c->troubles, text,
                        reason_is(reason, REASON_HOT_RELOAD) ? TROUBLE_BAD_INPUT : TROUBLE_LOSS,
                        err);
}

bool processes_tell(struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        if (reason_is(&process->declined, REASON_ERROR) &&
            !tell(c, process->program, "was not measured", &process->declined, err))
            return false;
        for (uint32_t j = 0; j < process->skip_count; j++)
            if (is_loss(c, &process->skips[j]) &&
                !tell(c, process->skips[j].name, "ran, but is not in the report",
                      &process->skips[j].reason, err))
                return false;
    }
    return true;
}

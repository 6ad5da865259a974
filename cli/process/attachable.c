#include "cli/process/attachable.h"

#include <stdio.h>

#include "base/list.h"
#include "cli/process/candidate.h"
#include "cli/process/measured.h"
#include "cli/process/stop.h"
#include "contract/reason.h"
#include "scope/host.h"
#include "system/process.h"
#include "system/process_status.h"

enum {
    VERSION_MS = 200, /* for its version: a runtime answers at once, or is busy */
    PIDS_LEN = 100,   /* of those that a message names */
};

struct search {
    struct list found; /* struct attachable */
    const char *library;
    const struct measured *measured;
    uint32_t measured_count;
    struct arena *arena;
    struct err *err;
    bool failed; /* out of memory */
};

/* --- what it is ------------------------------------------------------------------------------- */

static bool is_measured(const struct search *search, int pid)
{
    for (uint32_t i = 0; i < search->measured_count; i++)
        if (search->measured[i].pid == pid)
            return true;
    return false;
}

/* The library declines it. */
static enum reason_code declined(int pid)
{
    struct process_stat stat;
    struct host host, parent;
    if (!process_stat_read(&stat, pid))
        return REASON_NONE;
    host_read(&host, pid);
    host_read(&parent, stat.parent);
    return host_decline_reason(&host, &parent, false);
}

static bool judge(struct attachable *out, const struct process *process,
                  const struct search *search)
{
    struct err why = {0};
    char clause[STOP_TEXT_ROOM];
    const char *rival = candidate_rival(process);
    enum reason_code reason = declined(process->pid);
    if (candidate_test(process, search->library, true, 0, &why) != CANDIDATE_FIT)
        return text_format(&out->state, search->arena, search->err, "%s", why.text);
    if (rival != NULL)
        return text_format(&out->state, search->arena, search->err, "%s %s", rival,
                           process->profiler != NULL ? "is in it" : "is set in its environment");
    if (reason != REASON_NONE)
        return text_format(&out->state, search->arena, search->err, "is not measured: %s",
                           reason_words[reason].text);
    out->is_fit = true;
    bool is_free = stop_read(clause, process) == STOP_NONE;
    return text_format(&out->state, search->arena, search->err, "can be attached to%s%s",
                       is_free ? "" : "; ", clause);
}

static bool add(struct search *search, const struct process *process)
{
    struct attachable *added = list_add(&search->found, sizeof *added, search->arena, search->err);
    if (added == NULL || !str_copy(&added->name, str_of(process->name), search->arena, search->err))
        return false;
    added->pid = process->pid;
    added->user = process->owner;
    added->is_measured = is_measured(search, process->pid);
    added->state = STR("is measured");
    if (!added->is_measured && !judge(added, process, search))
        return false;
    struct err no_answer;
    diagnostics_version_of_path(added->version, process->runtime);
    if (added->version[0] == '\0' && added->is_fit)
        (void)!diagnostics_version(added->version, process, VERSION_MS, &no_answer);
    return true;
}

/* Also one that its runtime is linked into. What a program became by exec has a socket where nobody
 * listens. */
static bool runs_dotnet(const struct process *process)
{
    char version[DIAGNOSTICS_VERSION_ROOM];
    struct err err = {0};
    return process->runtime[0] != '\0' ||
           (diagnostics_listens(process) &&
            (diagnostics_version(version, process, VERSION_MS, &err) ||
             err.code == ERR_IO)); /* it may be stopped, or busy */
}

static bool take(void *context, int pid)
{
    struct search *search = context;
    struct process process;
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    if (process_read(&process, pid, &scratch, NULL) && runs_dotnet(&process))
        search->failed = !add(search, &process);
    arena_free(&scratch);
    return !search->failed;
}

bool attachable_list(struct attachable **out, uint32_t *count, const char *library,
                     struct arena *arena, struct err *err)
{
    struct search search = {.library = library, .arena = arena, .err = err};
    struct measured *measured = NULL;
    if (!measured_list(&measured, &search.measured_count, arena, err))
        return false;
    search.measured = measured;
    if (!process_list_visit(take, &search))
        return err_set_errno(err, "the processes of this machine cannot be listed");
    *out = search.found.items;
    *count = search.found.count;
    return !search.failed;
}

/* --- by name ---------------------------------------------------------------------------------- */

struct choice {
    const char *name;
    const struct attachable *programs;
    uint32_t count;
};

/* Those that can be attached to come before those that cannot: how many, and the last of them. */
static uint32_t choose(int *pid, bool *fit, const struct choice *choice)
{
    uint32_t counts[2] = {0, 0};
    int pids[2] = {0, 0};
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct attachable *program = &choice->programs[i];
        if (!str_is(program->name, choice->name))
            continue;
        bool is_fit = program->is_fit || program->is_measured;
        counts[is_fit]++;
        pids[is_fit] = program->pid;
    }
    *fit = counts[true] != 0;
    *pid = pids[*fit];
    return counts[*fit];
}

static bool refuse(const struct choice *choice, bool fit, struct arena *arena, struct err *err)
{
    struct text text;
    struct str pids;
    uint32_t more = 0;
    text_open(&text, arena);
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct attachable *program = &choice->programs[i];
        if (!str_is(program->name, choice->name) ||
            (program->is_fit || program->is_measured) != fit)
            continue;
        if (text.len < PIDS_LEN)
            text_addf(&text, "%s%d", text.len == 0 ? "" : ", ", program->pid);
        else
            more++;
    }
    if (more != 0)
        text_addf(&text, " and %u more", more);
    return text_take(&pids, &text, err) &&
           err_set(err, ERR_UNSUPPORTED,
                   "several programs are called '%s': give the PID of one (%.*s)", choice->name,
                   STR_ARGS(pids));
}

bool attachable_find(int *pid, const char *name, const char *library, struct arena *arena,
                     struct err *err)
{
    struct attachable *programs = NULL;
    struct choice choice = {.name = name};
    bool fit = false;
    if (!attachable_list(&programs, &choice.count, library, arena, err))
        return false;
    choice.programs = programs;
    uint32_t count = choose(pid, &fit, &choice);
    if (count == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "no .NET program is called '%s': 'ilcov ps --all' lists those that run",
                       name);
    return count == 1 || refuse(&choice, fit, arena, err);
}

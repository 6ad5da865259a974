#include "cli/process/programs.h"

#include <stdio.h>

#include "base/list.h"
#include "cli/process/attach_check.h"
#include "cli/process/other_process.h"
#include "cli/process/stop.h"
#include "contract/reason.h"
#include "scope/host.h"
#include "system/process.h"
#include "system/process_status.h"

enum {
    VERSION_MS = 200, /* for its version: a runtime answers at once, or is busy */
    PIDS_LEN = 100,   /* of those that a message names */
};

struct program_search {
    struct list found; /* struct program */
    const char *library;
    struct arena *arena;
    struct err *err;
    bool failed; /* out of memory */
};

/* --- is it measured? -------------------------------------------------------------------------- */

/* One whose library declined to measure it, or that is detached is not. */
static bool read_measured(struct program *out, char session[PATH_ROOM],
                          const struct process *process, struct arena *scratch)
{
    struct session_process record;
    struct session_config config;
    if (process->library[0] == '\0' || !process_find_session(session, PATH_ROOM, process, NULL) ||
        !process_record(&record, process, session, scratch, NULL) ||
        record.declined.code != REASON_NONE || record.is_detached)
        return false;
    out->since = record.attached != 0 ? record.attached : process->started;
    out->has_mode = session_config_read(&config, session, scratch, NULL);
    out->mode = out->has_mode ? config.mode : MODE_COUNT;
    return true;
}

/* --- can it be attached to? ------------------------------------------------------------------- */

/* Also one that its runtime is linked into. What a program became by exec has a socket where nobody
 * listens. */
static bool answers_as_dotnet(const struct process *process)
{
    char version[DIAGNOSTICS_VERSION_ROOM];
    struct err err = {0};
    return process->runtime[0] != '\0' ||
           (diagnostics_listens(process) &&
            (diagnostics_version(version, process, VERSION_MS, &err) ||
             err.code == ERR_IO)); /* it may be stopped, or busy */
}

/* The library declines it. */
static enum reason_code reason_declined(int pid)
{
    struct process_stat stat;
    struct host host, parent;
    if (!process_stat_read(&stat, pid))
        return REASON_NONE;
    host_read(&host, pid);
    host_read(&parent, stat.parent);
    return host_decline_reason(&host, &parent, false);
}

static bool judge_program(struct program *out, const struct process *process,
                          const struct program_search *search)
{
    struct err why = {0};
    char clause[STOP_TEXT_ROOM];
    const char *other_profiler = attach_check_other_profiler(process);
    enum reason_code reason = reason_declined(process->pid);
    if (attach_check_run(process, search->library, true, 0, &why) != ATTACH_FIT)
        return text_format(&out->state, search->arena, search->err, "%s", why.text);
    if (other_profiler != NULL)
        return text_format(&out->state, search->arena, search->err, "%s %s", other_profiler,
                           process->profiler != NULL ? "is in it" : "is set in its environment");
    if (reason != REASON_NONE)
        return text_format(&out->state, search->arena, search->err, "is not measured: %s",
                           reason_words[reason].text);
    out->is_fit = true;
    bool is_free = stop_read(clause, process) == STOP_NONE;
    return text_format(&out->state, search->arena, search->err, "can be attached to%s%s",
                       is_free ? "" : "; ", clause);
}

static bool describe_program(struct program *out, const struct process *process,
                             const struct program_search *search)
{
    struct err no_answer;
    out->state = STR("is measured");
    if (out->session.len == 0 && !judge_program(out, process, search))
        return false;
    diagnostics_version_of_path(out->version, process->runtime);
    if (out->version[0] == '\0' && out->is_fit)
        (void)!diagnostics_version(out->version, process, VERSION_MS, &no_answer);
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

static bool add_program(struct program_search *search, const struct process *process,
                        struct arena *scratch)
{
    struct program program = {.pid = process->pid, .user = process->owner};
    char session[PATH_ROOM] = "";
    bool is_measured = read_measured(&program, session, process, scratch);
    program.is_listed = search->library != NULL && answers_as_dotnet(process);
    if (!is_measured && !program.is_listed)
        return true;
    struct program *added = list_add(&search->found, sizeof *added, search->arena, search->err);
    if (added == NULL)
        return false;
    *added = program;
    return str_copy(&added->name, str_of(process->name), search->arena, search->err) &&
           (!is_measured ||
            str_copy(&added->session, str_of(session), search->arena, search->err)) &&
           (!program.is_listed || describe_program(added, process, search));
}

/* One that ends meanwhile is none. */
static bool take_process(void *context, int pid)
{
    struct program_search *search = context;
    struct process process;
    struct arena scratch = ARENA_EMPTY;
    if (process_read(&process, pid, &scratch, NULL))
        search->failed = !add_program(search, &process, &scratch);
    arena_free(&scratch);
    return !search->failed;
}

bool programs_list(struct program **out, uint32_t *count, const char *library, struct arena *arena,
                   struct err *err)
{
    struct program_search search = {.library = library, .arena = arena, .err = err};
    if (!process_list_visit(take_process, &search))
        return err_set_errno(err, "the processes of this machine cannot be listed");
    *out = search.found.items;
    *count = search.found.count;
    return !search.failed;
}

/* --- by name ---------------------------------------------------------------------------------- */

static bool is_candidate(const struct program *program, const char *name, bool fit)
{
    return program->is_listed && str_is(program->name, name) &&
           (program->is_fit || program->session.len != 0) == fit;
}

static uint32_t count_candidates(int *pid, const struct program *programs, uint32_t count,
                                 const char *name, bool fit)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_candidate(&programs[i], name, fit)) {
            *pid = programs[i].pid;
            found++;
        }
    return found;
}

static bool refuse_several(const struct program *programs, uint32_t count, const char *name,
                           bool fit, struct arena *arena, struct err *err)
{
    struct str pids;
    uint32_t more = 0;
    struct text text = text_in(arena);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_candidate(&programs[i], name, fit))
            continue;
        if (text.len < PIDS_LEN)
            text_addf(&text, "%s%d", text.len == 0 ? "" : ", ", programs[i].pid);
        else
            more++;
    }
    if (more != 0)
        text_addf(&text, " and %u more", more);
    return text_take(&pids, &text, err) &&
           err_set(err, ERR_UNSUPPORTED,
                   "several programs are called '%s': give the PID of one (%.*s)", name,
                   STR_ARGS(pids));
}

bool programs_find(int *pid, const char *name, const char *library, struct arena *arena,
                   struct err *err)
{
    struct program *programs = NULL;
    uint32_t count = 0;
    if (!programs_list(&programs, &count, library, arena, err))
        return false;
    bool fit = count_candidates(pid, programs, count, name, true) != 0;
    uint32_t found = count_candidates(pid, programs, count, name, fit);
    if (found == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "no .NET program is called '%s': 'ilcov ps --all' lists those that run",
                       name);
    return found == 1 || refuse_several(programs, count, name, fit, arena, err);
}

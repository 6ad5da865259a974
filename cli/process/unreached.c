#include "cli/process/unreached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fnv.h"
#include "base/path.h"
#include "base/sort.h"
#include "cli/options/say.h"
#include "cli/process/attach_check.h"
#include "cli/process/diagnostics.h"
#include "cli/process/setting.h"
#include "contract/session_format.h"
#include "scope/host.h"
#include "scope/scope.h"
#include "system/file_status.h"
#include "system/process.h"
#include "system/process_status.h"

enum {
    LOOK_MS = 1000,
    STARTING_MS = 500,
    LOOKS_MAX = 5, /* at a program that does not run .NET; one starts its runtime at once */
};

struct seen {
    int pid, parent;
    bool is_below; /* a descendant of the command */
    bool is_new, is_judged;
    uint32_t looks;   /* without .NET */
    uint64_t program; /* which is replaced by exec */
};

/* --- what keeps the library out --------------------------------------------------------------- */

static const char *profiling_variable(const struct process *process, const char *prefix,
                                      const char *name)
{
    char whole[64];
    (void)snprintf(whole, sizeof whole, "%s%s", prefix, name);
    return process_variable(process, whole);
}

static bool names_ilcov(const struct process *process, const char *prefix)
{
    const char *clsid = profiling_variable(process, prefix, "PROFILER");
    const char *path = profiling_variable(process, prefix, "PROFILER_PATH");
    return setting_is_on(profiling_variable(process, prefix, "ENABLE_PROFILING")) &&
           clsid != NULL && strcasecmp(clsid, PROFILER_CLSID) == 0 &&
           (path == NULL || file_exists(path));
}

static bool has_session(const struct process *process)
{
    const char *session = process_variable(process, SESSION_ENV);
    return session != NULL && file_is_folder(session);
}

/* Which of the two counts is a matter of its runtime. Any session: it may be another ilcov's. */
static bool has_all_variables(const struct process *process)
{
    return has_session(process) && names_ilcov(process, "CORECLR_") &&
           names_ilcov(process, "DOTNET_") &&
           attach_check_barred_by(process, SETTING_BARS_START) == NULL;
}

/* With some of them, a runtime that has just started may still load the library. */
static bool is_still_starting(const struct process *process)
{
    return has_session(process) && process->age_seconds * 1000 < STARTING_MS;
}

static void add_why(struct text *line, const struct process *process)
{
    const char *off = attach_check_barred_by(process, SETTING_BARS_START),
               *other_profiler = attach_check_other_profiler(process);
    if (off != NULL)
        text_addf(line, "%s=%s in its environment keeps every profiler out", off,
                  process_variable(process, off));
    else if (other_profiler != NULL)
        text_addf(line, "it was started with another profiler (%s), and .NET loads one only",
                  other_profiler);
    else
        text_add_c(line, "it was started with an environment of its own; what starts it must pass "
                         "on CORECLR_*, DOTNET_* and " SESSION_ENV);
}

/* --- whose loss it is ------------------------------------------------------------------------- */

/* Of an application that starts itself again, its driver says so, as of test hosts. */
static bool is_told_elsewhere(const struct host *host, const struct host *parent)
{
    return host_is_test_driver(parent) ||
           (host->asks_coverage && strcmp(host->program, parent->program) == 0);
}

/* Its assembly is beside it. One without symbols, and that of a package, would not be measured. */
static bool is_of_user(const struct host *host)
{
    struct module module;
    struct packages packages;
    const struct scope usual = {.include_tests = true, .packages = &packages};
    char path[PATH_ROOM];
    bool is_assembly = str_ends(str_of(host->program), ".dll");
    (void)snprintf(path, sizeof path, "%s%s", host->program, is_assembly ? "" : ".dll");
    if (!module_open_file(&module, path, NULL))
        return true;
    packages_init(&packages);
    bool is = scope_skip_reason(&usual, &module, str_of(path), STR("")) == REASON_NONE;
    packages_close(&packages);
    module_close(&module);
    return is;
}

static bool matters_to_user(const struct host *host, const struct seen *seen,
                            const struct process *process)
{
    struct host parent;
    host_read(&parent, seen->parent);
    return host_decline_reason(host, &parent, false) == REASON_NONE &&
           !is_told_elsewhere(host, &parent) &&
           !scope_is_installation(str_of(host->program), path_dir(str_of(process->runtime))) &&
           is_of_user(host);
}

static bool is_said(const struct unreached *u, struct str line)
{
    const struct str *lines = u->lines.items;
    for (uint32_t i = 0; i < u->lines.count; i++)
        if (str_eq(lines[i], line))
            return true;
    return false;
}

static void add_unreached_line(struct unreached *u, struct str name, const struct process *process)
{
    struct str text;
    struct text line = text_in(&u->arena);
    text_addf(&line, "%.*s was not measured: ", STR_ARGS(name));
    add_why(&line, process);
    struct str *added = text_take(&text, &line, NULL) && !is_said(u, text)
                            ? list_add(&u->lines, sizeof *added, &u->arena, NULL)
                            : NULL;
    if (added != NULL)
        *added = text;
}

/* --- looking ---------------------------------------------------------------------------------- */

static bool may_run_dotnet(const struct process *process)
{
    return process->runtime[0] != '\0' || diagnostics_listens(process);
}

static void judge_descendant(struct unreached *u, struct seen *seen, struct arena *scratch)
{
    struct process process;
    struct host host;
    if (!process_read(&process, seen->pid, scratch, NULL) || process.is_closed ||
        is_still_starting(&process) || !may_run_dotnet(&process))
        return;
    seen->is_judged = true;
    host_read(&host, seen->pid);
    if (process.library[0] == '\0' && matters_to_user(&host, seen, &process))
        add_unreached_line(u, host_name(&host), &process);
}

/* Cheap first: most have the variables, and the rest mostly does not run .NET. */
static void look_at_process(struct unreached *u, struct seen *seen)
{
    char program[PATH_ROOM];
    struct process process = {.pid = seen->pid};
    struct str text;
    struct arena scratch = ARENA_EMPTY;
    if (process_program_environment(&text, seen->pid, &scratch, NULL) && text.text != NULL &&
        process_program_path(program, sizeof program, seen->pid, NULL)) {
        uint64_t hash = fnv_bytes(FNV_START, program, strlen(program));
        seen->looks = hash == seen->program ? seen->looks + 1 : 0;
        seen->program = hash;
        process.environment = (struct view){(const uint8_t *)text.text, text.len};
        if (seen->looks < LOOKS_MAX && !has_all_variables(&process))
            judge_descendant(u, seen, &scratch);
    }
    arena_free(&scratch);
}

struct process_listing {
    struct list list;
    struct arena *arena;
};

static bool take_seen_process(void *context, int pid)
{
    struct process_listing *listing = context;
    const struct seen added = {.pid = pid, .is_new = true};
    return list_put(&listing->list, &added, sizeof added, listing->arena, NULL);
}

ORDER(order_seen, struct seen, BY_ORDER(number_order_signed(a->pid, b->pid)))

static const struct seen *find_seen_process(const struct list *list, int pid)
{
    const struct seen wanted = {.pid = pid};
    return sorted_find(&wanted, list->items, list->count, sizeof wanted, order_seen);
}

static void list_processes(struct list *out, struct arena *arena)
{
    struct process_listing listing = {.arena = arena};
    (void)!process_list_visit(take_seen_process, &listing);
    *out = listing.list;
    if (out->count != 0)
        qsort(out->items, out->count, sizeof(struct seen), order_seen);
}

static bool has_below(const struct list *list, int pid)
{
    const struct seen *seen = find_seen_process(list, pid);
    return seen != NULL && seen->is_below;
}

/* Whose parent is one now, or was at the last look. */
static void find_descendants(const struct unreached *u, struct list *now, int command)
{
    struct seen *items = now->items;
    struct process_stat stat;
    for (uint32_t i = 0; i < now->count; i++)
        if (items[i].is_new && process_stat_read(&stat, items[i].pid))
            items[i].parent = stat.parent;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < now->count; i++) {
            if (!items[i].is_new || items[i].is_below)
                continue;
            items[i].is_below = items[i].pid == command || has_below(now, items[i].parent) ||
                                has_below(&u->seen, items[i].parent);
            again |= items[i].is_below;
        }
    }
}

static uint32_t look_at_descendants(void *context, int command)
{
    struct unreached *u = context;
    struct list now;
    struct arena arena = ARENA_EMPTY;
    list_processes(&now, &arena);
    struct seen *items = now.items;
    for (uint32_t i = 0; i < now.count; i++) {
        const struct seen *before = find_seen_process(&u->seen, items[i].pid);
        if (before != NULL)
            items[i] = *before;
        items[i].is_new = before == NULL;
    }
    find_descendants(u, &now, command);
    for (uint32_t i = 0; i < now.count; i++)
        if (items[i].is_below && !items[i].is_judged)
            look_at_process(u, &items[i]);
    arena_free(&u->seen_arena);
    u->seen_arena = arena;
    u->seen = now;
    return LOOK_MS;
}

void unreached_open(struct unreached *out)
{
    *out = (struct unreached){.watch = {.look = look_at_descendants, .context = out},
                              .arena = ARENA_EMPTY,
                              .seen_arena = ARENA_EMPTY};
    list_processes(&out->seen, &out->seen_arena);
}

void unreached_close(struct unreached *unreached)
{
    arena_free(&unreached->arena);
    arena_free(&unreached->seen_arena);
}

void unreached_say(const struct unreached *unreached, bool stops_gates)
{
    const struct str *lines = unreached->lines.items;
    for (uint32_t i = 0; i < unreached->lines.count; i++)
        say("%.*s%s", STR_ARGS(lines[i]),
            stops_gates ? "; no gate passes while it is not measured" : "");
}

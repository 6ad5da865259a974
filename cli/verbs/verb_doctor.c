#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/say.h"
#include "cli/process/dotnet.h"
#include "cli/process/environment.h"
#include "cli/process/programs.h"
#include "cli/process/setting.h"
#include "cli/verbs/verbs.h"
#include "coverage/session/session.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_life.h"
#include "reporters/command_name.h"
#include "reporters/legible.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/places.h"
#include "system/user.h"

enum finding_state {
    FINE,
    WARNING,
    PROBLEM
};

/* What a check found, for --json. */
struct finding_entry {
    enum finding_state finding;
    const char *subject;
    struct str text, path, version; /* path and version may be empty */
};

struct checkup {
    bool json;
    uint32_t problems, sessions;
    bool has_library;
    char library[PATH_ROOM];
    const char *path, *version; /* what the next finding is about; or NULL */
    struct list entries;        /* struct finding_entry */
    struct arena *arena;
    struct err *err; /* the first failure to keep an entry */
};

static const char *const states[] = {"ok", "warning", "problem"};

static struct str copy_finding_text(struct checkup *checkup, const char *text)
{
    struct str kept = STR("");
    if (text != NULL && checkup->err->code == ERR_NONE &&
        !str_copy(&kept, str_of(text), checkup->arena, checkup->err))
        kept = STR("");
    return kept;
}

static void keep_finding(struct checkup *checkup, enum finding_state finding, const char *subject,
                         const char *text)
{
    struct err own = {0};
    struct finding_entry *entry = list_add(&checkup->entries, sizeof *entry, checkup->arena, &own);
    if (entry == NULL) {
        *checkup->err = own;
        return;
    }
    entry->finding = finding;
    entry->subject = subject;
    entry->text = copy_finding_text(checkup, text);
    entry->path = copy_finding_text(checkup, checkup->path);
    entry->version = copy_finding_text(checkup, checkup->version);
}

static void tell_finding(struct checkup *checkup, enum finding_state finding, const char *subject,
                         const char *format, ...) PRINTF_LIKE(4, 5);

static void tell_finding(struct checkup *checkup, enum finding_state finding, const char *subject,
                         const char *format, ...)
{
    char line[8192];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    size_t shown = len > 0 ? (size_t)len : 0;
    checkup->problems += finding == PROBLEM;
    if (checkup->json) {
        keep_finding(checkup, finding, subject, line);
    } else {
        printf("%-8s %s: ", states[finding], subject);
        legible_put(stdout, (struct str){line, shown < sizeof line ? shown : sizeof line - 1});
        (void)putchar('\n');
        (void)fflush(stdout); /* before a child process gets a copy of the buffer */
    }
    checkup->path = checkup->version = NULL;
}

static void check_library(struct checkup *checkup)
{
    struct err err = {0};
    checkup->has_library = environment_library(checkup->library, &err);
    checkup->path = checkup->has_library ? checkup->library : NULL;
    if (!checkup->has_library)
        tell_finding(checkup, PROBLEM, "library", "%s%s", err.text,
                     err.code == ERR_IO ? "; build or install ilcov again" : "");
    else if (!environment_loads(checkup->library, &err))
        tell_finding(checkup, PROBLEM, "library", "%s; build ilcov on this machine", err.text);
    else
        tell_finding(checkup, FINE, "library", "%s loads", checkup->library);
}

/* --- runtimes --------------------------------------------------------------------------------- */

static void check_runtime(struct checkup *checkup, const char *root, const char *version)
{
    struct err err = {0};
    if (!checkup->has_library)
        return;
    checkup->path = root;
    checkup->version = version;
    if (dotnet_fits(root, version, checkup->library, &err))
        tell_finding(checkup, FINE, "runtime", ".NET %s in %s", version, root);
    else
        tell_finding(checkup, PROBLEM, "runtime", "%s", err.text);
}

static void check_runtimes(struct checkup *checkup)
{
    static struct dotnet_roots roots;
    uint32_t count = 0;
    dotnet_roots(&roots);
    for (uint32_t i = 0; i < roots.count; i++) {
        struct dotnet_runtimes runtimes;
        dotnet_runtimes(&runtimes, roots.paths[i]);
        for (uint32_t j = 0; j < runtimes.count; j++)
            check_runtime(checkup, roots.paths[i], runtimes.versions[j]);
        count += runtimes.count;
    }
    if (count == 0)
        tell_finding(checkup, WARNING, "runtime",
                     "none found on PATH, in DOTNET_ROOT or in the usual places; only programs "
                     "that bring their own can be measured");
}

/* --- shared memory ---------------------------------------------------------------------------- */

/* A module takes memory for each thread, and all of them three quarters of what is free. Below
 * this, a large test suite may have more threads than shards. */
enum {
    SHARED_MIB_COMFORTABLE = 48,
    SHARED_MIB_LEAST = SESSION_ROOM_LEAST >> 20
};

static void check_shared_memory(struct checkup *checkup)
{
    static const char folder[] = SESSION_PLACE_IN_MEMORY;
    struct file_system_size size;
    checkup->path = folder;
    if (!file_system_size(&size, folder) || !file_folder_is_writable(folder)) {
        tell_finding(checkup, WARNING, "shared memory",
                     "%s cannot be used (%s); counters go to $TMPDIR or /tmp, which is "
                     "slower on a disk; --session-dir names another place",
                     folder, strerror(errno));
        return;
    }
    char total[GROUPED_ROOM], left[GROUPED_ROOM];
    uint64_t mib = 1 << 20, free_mib = size.free / mib;
    (void)grouped(total, size.total / mib);
    (void)grouped(left, free_mib);
    if (free_mib < SHARED_MIB_LEAST)
        tell_finding(checkup, WARNING, "shared memory",
                     "%s has %s MiB free of %s; counters go to $TMPDIR or /tmp, which is "
                     "slower on a disk: free some or enlarge it (docker run --shm-size=256m)",
                     folder, left, total);
    else if (free_mib < SHARED_MIB_COMFORTABLE)
        tell_finding(checkup, WARNING, "shared memory",
                     "%s has %s MiB free of %s; with many modules threads share counters and "
                     "totals lose precision (docker run --shm-size=256m)",
                     folder, left, total);
    else
        tell_finding(checkup, FINE, "shared memory", "%s has %s MiB free of %s", folder, left,
                     total);
}

/* --- environment ------------------------------------------------------------------------------ */

static void check_environment(struct checkup *checkup)
{
    struct conflicts conflicts;
    environment_conflicts(&conflicts);
    for (uint32_t i = 0; i < conflicts.count; i++)
        tell_finding(checkup, PROBLEM, "environment", "%s", conflicts.texts[i]);
    if (conflicts.count == 0)
        tell_finding(checkup, FINE, "environment", "no variable keeps the profiler from loading");
    size_t at = 0;
    for (const char *name;
         (name = setting_bar(&at, SETTING_BARS_VISIT | SETTING_BARS_ATTACH, setting_own, NULL));)
        tell_finding(checkup, WARNING, "environment",
                     "a program that is started with %s=%s cannot be attached to", name,
                     getenv(name));
}

/* --- sessions that were left behind ----------------------------------------------------------- */

enum {
    PROGRAMS_NAMED = 5 /* of one session */
};

static void tell_session(void *context, const char *path, int owner, enum session_state state)
{
    struct checkup *checkup = context;
    checkup->sessions++;
    checkup->path = path;
    if (state == SESSION_IN_USE)
        tell_finding(checkup, FINE, "session", "%s is in use by process %d", path, owner);
    else if (state == SESSION_RUNS_ON)
        tell_finding(checkup, WARNING, "session",
                     "%s was left behind by process %d, which was killed; its command still runs",
                     path, owner);
    else
        tell_finding(checkup, WARNING, "session",
                     "%s was left behind by process %d, which is gone: the next run removes it, "
                     "as does rm -r '%s'",
                     path, owner, path);
}

/* ": /app/Server (process 12, runs), dotnet (process 13)"; empty if it cannot be read. */
static struct str programs_of(const char *path, struct arena *arena)
{
    struct session session;
    struct str programs;
    if (!session_read(&session, path, arena, NULL))
        return STR("");
    struct text text = text_in(arena);
    for (uint32_t i = 0; i < session.process_count && i < PROGRAMS_NAMED; i++) {
        const struct session_process *process = &session.processes[i];
        text_addf(&text, "%s%.*s (process %u%s)", i == 0 ? ": " : ", ", STR_ARGS(process->program),
                  process->pid, session_process_runs(path, process->pid) ? ", runs" : "");
    }
    if (session.process_count > PROGRAMS_NAMED)
        text_addf(&text, " and %u more", session.process_count - PROGRAMS_NAMED);
    if (session.process_count == 0)
        text_add_c(&text, ": no program has reported to it");
    return text_take(&programs, &text, NULL) ? programs : STR("");
}

static void tell_kept(void *context, const char *path, uint32_t user)
{
    struct checkup *checkup = context;
    struct str programs = user == user_self() ? programs_of(path, checkup->arena) : STR("");
    checkup->sessions++;
    checkup->path = path;
    tell_finding(checkup, FINE, "session", "%s of user %u waits for '%s collect --remove'%.*s",
                 path, user, command_name(), STR_ARGS(programs));
}

/* A session elsewhere (--session-dir) is found only by the programs that count in it. */
static void tell_elsewhere(struct checkup *checkup, const char *const *visited)
{
    struct program *programs = NULL;
    uint32_t count = 0;
    if (!programs_list(&programs, &count, NULL, checkup->arena, NULL))
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t j = 0; visited[j] != NULL; j++)
            is_known = is_known || str_is(path_dir(programs[i].session), visited[j]);
        if (is_known)
            continue;
        checkup->sessions++;
        tell_finding(checkup, FINE, "session", "in %.*s counts %.*s (process %d)",
                     STR_ARGS(programs[i].session), STR_ARGS(programs[i].name), programs[i].pid);
    }
}

static void check_sessions(struct checkup *checkup)
{
    const char *places[SESSION_PLACES_MOST + 1] = {NULL};
    size_t count = session_places(places);
    for (size_t i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < i && !is_known; j++)
            is_known = file_is_same(places[j], places[i]);
        if (is_known)
            continue;
        session_visit(places[i], tell_session, checkup);
        session_visit_kept(places[i], tell_kept, checkup);
    }
    tell_elsewhere(checkup, places);
    if (checkup->sessions == 0)
        tell_finding(checkup, FINE, "session", "none was left behind");
}

static int print_findings_json(const struct checkup *checkup, int status)
{
    const struct finding_entry *entries = checkup->entries.items;
    struct err err = *checkup->err;
    struct json_output out;
    if (!json_output_open(&out, "1.0.0", &err))
        return say_error(&err);
    jw_number(&out.json, "problems", checkup->problems);
    jw_begin(&out.json, "checks", '[');
    for (uint32_t i = 0; i < checkup->entries.count; i++) {
        jw_begin_line(&out.json, NULL, '{');
        jw_text_c(&out.json, "state", states[entries[i].finding]);
        jw_text_c(&out.json, "check", entries[i].subject);
        jw_text(&out.json, "text", entries[i].text);
        if (entries[i].path.len != 0)
            jw_text(&out.json, "path", entries[i].path);
        if (entries[i].version.len != 0)
            jw_text(&out.json, "version", entries[i].version);
        jw_end(&out.json, '}');
    }
    jw_end(&out.json, ']');
    return json_output_end(&out, err.code == ERR_NONE, status, &err);
}

struct doctor_options {
    bool json;
};

static int examine_machine(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct doctor_options *options = parsed;
    struct err err = {0};
    struct checkup checkup = {.json = options->json, .arena = arena, .err = &err};
    (void)operands;
    check_library(&checkup);
    check_runtimes(&checkup);
    check_shared_memory(&checkup);
    check_environment(&checkup);
    check_sessions(&checkup);
    int status = checkup.problems == 0 ? EXIT_FINE : EXIT_BAD;
    return options->json ? print_findings_json(&checkup, status) : status;
}

static const struct option_group groups[] = {
    {json_rows, offsetof(struct doctor_options, json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_doctor = {
    .name = "doctor",
    .brief = "check whether this machine can measure .NET programs",
    .operands = "[OPTION...]",
    .summary = "Checks whether .NET programs can be measured on this machine, and says what to do "
               "if not. Each line is ok, a warning (it works, but not as well) or a problem.",
    .exits = "3: there is a problem.",
    .operand_max = 0,
    .groups = groups,
    .options_size = sizeof(struct doctor_options),
    .act = examine_machine,
};

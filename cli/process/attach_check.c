#include "cli/process/attach_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "base/path.h"
#include "cli/process/diagnostics.h"
#include "cli/process/other_profilers.h"
#include "cli/process/stop.h"
#include "contract/session_format.h"
#include "system/file_status.h"
#include "system/memory.h"
#include "system/process_maps.h"
#include "system/temporary_file.h"
#include "system/user.h"

enum {
    MAJOR_LEAST = 3, /* .NET Core 3.0 has ICorProfilerInfo10, and ReJIT for attached profilers */
    /* Attaching takes up to 205: glibc reserves a heap of 64 MiB for each of two more threads, and
     * as much again while it makes one. The rest is for what the program does from then on. */
    ROOM_LEAST_MB = 512,
};

static enum attach_check by_age(const struct process *process, uint32_t young_ms)
{
    return process->age_seconds * 1000 < (double)young_ms ? ATTACH_NOT_YET : ATTACH_UNFIT;
}

/* --- its owner -------------------------------------------------------------------------------- */

/* Even as root: the files that the library writes must belong to the process's user, and its socket
 * answers only that user. */
bool attach_check_is_own(const struct process *process, const char *verb, struct err *err)
{
    if (process->owner != user_self()) {
        char room[USER_NAME_ROOM];
        const char *name = user_name(room, process->owner);
        return err_set(err, ERR_UNSUPPORTED,
                       "it belongs to user %s: run this as that user ('sudo -u %s ilcov %s %d')",
                       name, name, verb, process->pid);
    }
    char maps[PROCESS_PATH_ROOM];
    process_maps_path(maps, process->pid);
    return !process->is_closed ||
           err_set(err, ERR_UNSUPPORTED,
                   "it cannot be inspected (%s): it has privileges that you do not have", maps);
}

/* --- its settings ----------------------------------------------------------------------------- */

static const char *its_variable(const void *context, const char *name)
{
    return process_variable(context, name);
}

const char *attach_check_barred_by(const struct process *process, int bars)
{
    size_t at = 0;
    return setting_bar(&at, SETTING_BARS_ALL | bars, its_variable, process);
}

const char *attach_check_other_profiler(const struct process *process)
{
    const char *clsid = process_variable(process, "CORECLR_PROFILER");
    if (process->profiler != NULL || clsid == NULL || strcasecmp(clsid, PROFILER_CLSID) == 0 ||
        !setting_is_on(process_variable(process, "CORECLR_ENABLE_PROFILING")))
        return process->profiler;
    return other_profilers_name(clsid, process_variable(process, "CORECLR_PROFILER_PATH"));
}

static bool is_old(const struct process *process, struct err *err)
{
    char version[DIAGNOSTICS_VERSION_ROOM];
    diagnostics_version_of_path(version, process->runtime);
    if (version[0] == '\0' || strtol(version, NULL, 10) >= MAJOR_LEAST)
        return false;
    (void)err_set(
        err, ERR_UNSUPPORTED,
        "it runs on .NET Core %s, and attaching requires 3.0 or later: start it under 'ilcov run'",
        version);
    return true;
}

/* --- its limits ------------------------------------------------------------------------------- */

bool attach_check_has_room(const struct process *process, struct err *err)
{
    uint64_t left = map_address_space_left_to(process->pid) / 1000000;
    return left >= ROOM_LEAST_MB ||
           err_set(err, ERR_UNSUPPORTED,
                   "the process does not have enough memory left: its limit of address space "
                   "(ulimit -v) leaves %" PRIu64 " MB, and attaching needs %d MB",
                   left, ROOM_LEAST_MB);
}

/* --- what it sees ----------------------------------------------------------------------------- */

bool attach_check_sees(const struct process *process, const char *path, struct err *err)
{
    char theirs[PATH_ROOM];
    struct file_status here, there;
    if (process->has_our_files)
        return true;
    if (process_path(theirs, sizeof theirs, process, path, NULL) && file_status_read(&here, path) &&
        file_status_read(&there, theirs) && here.file == there.file &&
        (here.device == there.device || here.kind == FILE_IS_REGULAR))
        return true;
    return err_set(
        err, ERR_UNSUPPORTED,
        "it runs in a container, or with its own file system, where %s is not available: "
        "run ilcov in there, or share that path",
        path);
}

/* A tracer stops it for a moment at a time, and what a debugger for .NET has stopped may go on. */
static bool is_stopped_by_signal(const struct process *process, struct err *err)
{
    char clause[STOP_TEXT_ROOM];
    return stop_read(clause, process) == STOP_SIGNAL &&
           !err_set(err, ERR_UNSUPPORTED, "%s", clause);
}

/* The order matters: an earlier reason explains the later ones. */
enum attach_check attach_check_run(const struct process *process, const char *library,
                                   bool measures, uint32_t young_ms, struct err *err)
{
    if (!attach_check_is_own(process, "attach", err))
        return ATTACH_UNFIT;
    bool listens = diagnostics_listens(process);
    if (process->runtime[0] == '\0' && !listens) {
        (void)err_set(err, ERR_UNSUPPORTED, "it does not run .NET");
        return by_age(process, young_ms);
    }
    const char *bar = attach_check_barred_by(
        process, measures ? SETTING_BARS_VISIT | SETTING_BARS_ATTACH : SETTING_BARS_VISIT);
    if (bar != NULL) {
        (void)err_set(err, ERR_UNSUPPORTED,
                      "%s=%s in its environment rules that out: start it without that", bar,
                      process_variable(process, bar));
        return ATTACH_UNFIT;
    }
    if (is_old(process, err) || !attach_check_has_room(process, err))
        return ATTACH_UNFIT;
    if (!listens) {
        (void)err_set(err, ERR_UNSUPPORTED,
                      "its runtime does not listen: no socket dotnet-diagnostic-%d-... in %s, "
                      "because it was removed, or diagnostics are disabled in its "
                      "runtimeconfig.json; start it under 'ilcov run'",
                      process->inner_pid,
                      process_variable(process, "TMPDIR") != NULL
                          ? process_variable(process, "TMPDIR")
                          : TEMPORARY_FOLDER);
        return by_age(process, young_ms);
    }
    if (!attach_check_sees(process, library, err))
        return ATTACH_UNFIT;
    return is_stopped_by_signal(process, err) ? ATTACH_NOT_YET : ATTACH_FIT;
}

/* attach_check.h - a process that is to be attached to: can it be, not yet, or never, and why?
 * Tested in the order that gives the best reason. What only the runtime knows, it answers itself
 * (hresult.h). */
#pragma once

#include "cli/process/other_process.h"
#include "cli/process/setting.h"

enum attach_check {
    ATTACH_FIT,
    ATTACH_NOT_YET, /* it is starting, or stopped */
    ATTACH_UNFIT,
};

/* `library`: its path as ilcov sees it, and whether it is to change code. A process younger than
 * `young_ms` may still become fit. `err` is set unless it is fit. */
enum attach_check attach_check_run(const struct process *process, const char *library,
                                   bool measures, uint32_t young_ms, struct err *err);

/* May ilcov inspect it and attach to it? `detach` and others test this, too. */
NODISCARD bool attach_check_is_own(const struct process *process, const char *verb,
                                   struct err *err);

/* Does a limit leave it the address space for the threads that attaching starts and for code that
 * is compiled again? Where that runs out, the runtime crashes or never ends, then or later. */
NODISCARD bool attach_check_has_room(const struct process *process, struct err *err);

/* The variable of its environment that keeps out every profiler, or one of these (a sum of
 * SETTING_BARS_...); NULL: none. */
const char *attach_check_barred_by(const struct process *process, int bars);

/* The other profiler that it has, by its library or by what it was told to load; NULL: not
 * known. */
const char *attach_check_other_profiler(const struct process *process);

/* Does it see this file or directory, under the same path? */
NODISCARD bool attach_check_sees(const struct process *process, const char *path, struct err *err);

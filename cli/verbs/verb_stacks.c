/* The stack of every thread of a process. A library that measures it is asked, if it listens; else
 * the library is loaded as a guest, which leaves again. */
#include <stdio.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/attach_check.h"
#include "cli/process/diagnostics.h"
#include "cli/process/environment.h"
#include "cli/process/hresult.h"
#include "cli/process/other_process.h"
#include "cli/process/stack_text.h"
#include "cli/verbs/verbs.h"
#include "contract/protocol.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_life.h"
#include "coverage/source/paths.h"
#include "system/clock.h"
#include "system/command.h"
#include "system/file_status.h"
#include "system/folder.h"

enum {
    AGAIN_MS = 20, /* between two looks at what the library does */
};

struct stacks {
    const struct timeout_options *options;
    struct process process;
    char session[PATH_ROOM], root[PATH_ROOM];
    struct arena *arena;
};

static bool ask_for_stacks(struct str *out, const struct stacks *stacks, struct err *err)
{
    struct stack_source source = {
        .process = &stacks->process, .session = stacks->session, .root = str_of(stacks->root)};
    return stack_ask(out, &source, stacks->options->ms, stacks->arena, err);
}

static int fail_to_ask(const struct stacks *stacks, int status, const struct err *err)
{
    say("process %d (%s) cannot be asked for its stacks: %s", stacks->process.pid,
        stacks->process.name, err->text);
    return status;
}

/* --- by a guest (contract/protocol.h) --------------------------------------------------------- */

static bool refuse_guest(uint32_t hr, struct err *err)
{
    char text[HRESULT_TEXT_ROOM];
    return err_set(err, ERR_UNSUPPORTED, "it does not accept the library: %s",
                   hresult_text(text, hr));
}

/* Before anything is made. */
static bool is_fit(const struct stacks *stacks, const char *library, struct err *err)
{
    if (attach_check_run(&stacks->process, library, false, 0, err) == ATTACH_FIT)
        return true;
    err_prefix(err, "process %d (%s) cannot be asked", stacks->process.pid, stacks->process.name);
    return false;
}

static int64_t limit_of(const struct stacks *stacks)
{
    return clock_ms() + stacks->options->ms;
}

/* The guest of an earlier `ilcov stacks` may not have left yet. */
static bool bring_guest(const struct stacks *stacks, const char *library, struct err *err)
{
    uint32_t hr = HR_CORPROF_E_PROFILER_DETACHING;
    int64_t until = limit_of(stacks);
    bool ok = attach_check_sees(&stacks->process, stacks->session, err);
    while (ok && hr == HR_CORPROF_E_PROFILER_DETACHING && clock_ms() < until) {
        ok = diagnostics_attach_guest(&hr, &stacks->process, library, stacks->session,
                                      stacks->options->ms, err);
        if (hr == HR_CORPROF_E_PROFILER_DETACHING)
            clock_rest(AGAIN_MS);
    }
    return ok && (hr == 0 || refuse_guest(hr, err));
}

/* The runtime says that it was loaded before it listens. */
static int ask_guest(const struct stacks *stacks)
{
    int64_t until = limit_of(stacks);
    struct err err = {0};
    struct str text;
    while (!ask_for_stacks(&text, stacks, &err)) {
        if (err.code != ERR_UNSUPPORTED || clock_ms() >= until)
            return fail_to_ask(stacks, EXIT_THRESHOLD, &err);
        clock_rest(AGAIN_MS);
    }
    return say_output(text, &err) ? EXIT_FINE : say_error(&err);
}

/* In a process that had no library, also until it is unloaded; not if it measures since. */
static bool is_library_in(const struct stacks *stacks)
{
    char name[sizeof SESSION_CONTROL + 12], socket[PATH_ROOM], measured[PATH_ROOM];
    struct process now;
    (void)snprintf(name, sizeof name, SESSION_CONTROL "%d", stacks->process.inner_pid);
    return process_read(&now, stacks->process.pid, stacks->arena, NULL) &&
           now.start_ticks == stacks->process.start_ticks &&
           ((path_join_in(socket, str_of(stacks->session), str_of(name)) && file_exists(socket)) ||
            (stacks->process.library[0] == '\0' && now.library[0] != '\0' &&
             !process_find_session(measured, sizeof measured, &now, NULL)));
}

/* It leaves by itself, but not while it waits for the runtime to stop. */
static void await_end(const struct stacks *stacks)
{
    int64_t until = limit_of(stacks);
    while (is_library_in(stacks)) {
        if (clock_ms() >= until) {
            say("the library is still in process %d, with nothing to do; it leaves when the "
                "runtime lets it",
                stacks->process.pid);
            return;
        }
        clock_rest(AGAIN_MS);
    }
}

static int visit_process(struct stacks *stacks, const char *library)
{
    struct err err = {0};
    int status = EXIT_BAD;
    if (bring_guest(stacks, library, &err)) {
        status = ask_guest(stacks);
        await_end(stacks);
    } else {
        (void)fail_to_ask(stacks, status, &err);
    }
    if (!session_remove(stacks->session, &err))
        say("%s", err.text);
    return status;
}

/* Nothing may end ilcov before the guest has a session to answer in, and has left it. */
static int ask_by_guest(struct stacks *stacks)
{
    struct session_config config = {.control = true};
    struct err err = {0};
    char library[PATH_ROOM];
    if (!environment_library(library, &err) || !is_fit(stacks, library, &err) ||
        !session_create(stacks->session, sizeof stacks->session, NULL, &config, &err))
        return say_error(&err);
    (void)session_hold(stacks->session);
    command_hold_signals();
    int status = visit_process(stacks, library);
    command_release_signals();
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The library that measures it, if it listens; else a guest. */
static int stacks_of(struct stacks *stacks, int pid)
{
    struct err err = {0};
    struct str text;
    if (!process_read(&stacks->process, pid, stacks->arena, &err))
        return say_error(&err);
    if (!process_find_session(stacks->session, sizeof stacks->session, &stacks->process, NULL))
        return ask_by_guest(stacks);
    if (ask_for_stacks(&text, stacks, &err))
        return say_output(text, &err) ? EXIT_FINE : say_error(&err);
    if (err.code == ERR_UNSUPPORTED || !is_library_in(stacks)) /* `detach` let it go meanwhile */
        return ask_by_guest(stacks);
    return fail_to_ask(stacks, EXIT_THRESHOLD, &err);
}

static int stacks_of_process(const void *parsed, const struct operands *operands,
                             struct arena *arena)
{
    const struct timeout_options *options = parsed;
    struct stacks stacks = {.options = options, .arena = arena};
    struct err err = {0};
    int pid = 0;
    if (!process_number(&pid, operands->items[0]))
        return options_refuse(&verb_stacks, "'%s' is not a process ID", operands->items[0]);
    if (!paths_root(stacks.root, NULL, &err))
        return say_error(&err);
    /* However many there are: each takes a limited time. */
    int turn = turn_take_process(pid, INT64_MAX);
    int status = stacks_of(&stacks, pid);
    turn_end(turn);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

const struct verb verb_stacks = {
    .name = "stacks",
    .brief = "print the stack of every thread of a .NET process",
    .operands = "[OPTION...] PID",
    .summary = "Prints the managed stack of every thread of a .NET process: method, file and line.",
    .exits = "1: the stacks are not available; 2: wrong usage; 3: no such process, or it accepts "
             "no profiler.",
    .examples = "ilcov stacks $(pidof MyService)",
    .manual =
        "The innermost method comes first. If no library in the process listens ('run --control'), "
        "ilcov loads it beside any other profiler, for this alone, and it leaves afterwards. All "
        "threads are suspended for some milliseconds while their stacks are read. A runtime that "
        "cannot be suspended within 5 seconds is left as it is.",
    .lacks = "no PID to show the stacks of",
    .operand_max = 1,
    .completes = COMPLETE_PROCESS,
    .groups = timeout_groups,
    .options_size = sizeof(struct timeout_options),
    .act = stacks_of_process,
};

/* The stack of every thread of a process. A measured process is asked through its library; into any
 * other, the library is loaded with nothing in scope, so that it can be unloaded again. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/base/exit.h"
#include "cli/base/option_values.h"
#include "cli/base/options.h"
#include "cli/base/say.h"
#include "cli/launch/environment.h"
#include "cli/process/candidate.h"
#include "cli/process/diagnostics.h"
#include "cli/process/hresult.h"
#include "cli/process/process_session.h"
#include "cli/process/stack_text.h"
#include "cli/process/stop.h"
#include "cli/verbs/verbs.h"
#include "contract/protocol.h"
#include "contract/session_format.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_life.h"
#include "coverage/source/paths.h"
#include "system/clock.h"
#include "system/command.h"
#include "system/turn.h"

enum {
    AGAIN_MS = 20, /* between two looks at what the library does */
    TIMEOUT_MS = 10 * 1000,
};

struct stacks_options {
    uint32_t timeout_ms;
};

struct stacks {
    const struct stacks_options *options;
    struct process process;
    char session[PATH_ROOM], root[PATH_ROOM];
    struct arena *arena;
};

static int tell(struct stacks *stacks)
{
    struct stack_source source = {
        .process = &stacks->process, .session = stacks->session, .root = str_of(stacks->root)};
    struct err err = {0};
    struct str text;
    if (!stack_ask(&text, &source, stacks->options->timeout_ms, stacks->arena, &err)) {
        say("%s", err.text);
        return EXIT_THRESHOLD;
    }
    if (fwrite(text.text, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
        return EXIT_FINE;
    (void)err_set_errno(&err, "standard output");
    say("%s", err.text);
    return EXIT_BAD;
}

/* --- a process that is measured --------------------------------------------------------------- */

static int ask_measured(struct stacks *stacks)
{
    struct control_answer answer;
    struct err err = {0};
    if (control_ask(&answer, stacks->session, stacks->process.inner_pid, CONTROL_HELLO,
                    stacks->options->timeout_ms, stacks->arena, &err) ||
        err.code != ERR_UNSUPPORTED)
        return tell(stacks);
    say("process %d (%s) is measured, but its library does not listen: start it with 'ilcov run "
        "--control'",
        stacks->process.pid, stacks->process.name);
    return EXIT_THRESHOLD;
}

/* --- a process that is not -------------------------------------------------------------------- */

static bool refuse(uint32_t hr, struct err *err)
{
    char text[HRESULT_TEXT_ROOM];
    return err_set(err, ERR_UNSUPPORTED, "it does not accept the library: %s",
                   hresult_text(text, hr));
}

/* Before anything is made. */
static bool is_fit(const struct stacks *stacks, const char *library, struct err *err)
{
    if (candidate_test(&stacks->process, library, false, 0, err) == CANDIDATE_FIT)
        return true;
    err_prefix(err, "process %d (%s) cannot be asked", stacks->process.pid, stacks->process.name);
    return false;
}

static void rest(void)
{
    clock_rest(AGAIN_MS);
}

static bool is_there(const struct stacks *stacks)
{
    struct process now;
    return process_read(&now, stacks->process.pid, stacks->arena, NULL) &&
           now.start_ticks == stacks->process.start_ticks && now.library[0] != '\0';
}

/* The library of another `ilcov stacks` at the same moment leaves soon. Attaching before the
 * runtime has unloaded it makes it stay for good, with nothing to do. */
static bool await_turn(const struct stacks *stacks, int64_t until, struct err *err)
{
    while (is_there(stacks)) {
        if (clock_ms() >= until)
            return err_set(err, ERR_UNSUPPORTED,
                           "ilcov is in it already, and its session was removed or is another's");
        rest();
    }
    return true;
}

static bool bring(const struct stacks *stacks, const char *library, struct err *err)
{
    int64_t until = clock_ms() + stacks->options->timeout_ms;
    uint32_t hr = HR_CORPROF_E_PROFILER_ALREADY_ACTIVE;
    bool ok = candidate_sees(&stacks->process, stacks->session, err);
    while (ok && hr == HR_CORPROF_E_PROFILER_ALREADY_ACTIVE) {
        ok = await_turn(stacks, until, err) &&
             diagnostics_attach_ilcov(&hr, &stacks->process, library, stacks->session,
                                      stacks->options->timeout_ms, err);
        if (ok && hr == HR_CORPROF_E_PROFILER_ALREADY_ACTIVE && !is_there(stacks))
            break; /* another's */
    }
    return ok && (hr == 0 || refuse(hr, err));
}

static bool request(struct control_answer *out, const struct stacks *stacks, const char *what,
                    struct err *err)
{
    return control_ask(out, stacks->session, stacks->process.inner_pid, what,
                       stacks->options->timeout_ms, stacks->arena, err);
}

/* The runtime says that the library was loaded before its thread listens. */
static bool await_library(const struct stacks *stacks, struct err *err)
{
    int64_t until = clock_ms() + stacks->options->timeout_ms;
    struct control_answer answer;
    while (!request(&answer, stacks, CONTROL_HELLO, err)) {
        if (err->code != ERR_UNSUPPORTED || clock_ms() >= until) {
            stop_explain(err, &stacks->process);
            return false;
        }
        rest();
    }
    return true;
}

/* It is in this session; a library in another session was loaded by another ilcov since. */
static bool stays(const struct stacks *stacks)
{
    char session[PATH_ROOM];
    return is_there(stacks) &&
           (!process_session(session, sizeof session, stacks->process.pid, NULL) ||
            strcmp(session, stacks->session) == 0);
}

/* It can't be unloaded while it waits for the runtime to stop. */
static bool send_away(const struct stacks *stacks)
{
    int64_t until = clock_ms() + stacks->options->timeout_ms;
    struct control_answer answer;
    bool asked = false;
    while (stays(stacks)) {
        if (clock_ms() >= until)
            return false;
        if (!asked)
            asked = request(&answer, stacks, CONTROL_DETACH, NULL) && answer.hr == 0;
        rest();
    }
    return true;
}

static int visit(struct stacks *stacks, const char *library)
{
    struct err err = {0};
    int status = EXIT_BAD;
    bool brought = bring(stacks, library, &err);
    if (brought && await_library(stacks, &err))
        status = tell(stacks);
    else
        say("process %d (%s) cannot be asked: %s", stacks->process.pid, stacks->process.name,
            err.text);
    if (brought && !send_away(stacks)) {
        say("the library is still in process %d, with nothing to do; 'ilcov detach %d' unloads "
            "it",
            stacks->process.pid, stacks->process.pid);
        return status;
    }
    if (!session_remove(stacks->session, &err))
        say("%s", err.text);
    return status;
}

/* Nothing may end ilcov between loading the library and unloading it. */
static int ask_visited(struct stacks *stacks)
{
    static const struct str everything = {"[*]*", 4};
    struct session_config config = {.exclude = &everything, .exclude_count = 1, .control = true};
    struct err err = {0};
    char library[PATH_ROOM];
    if (!environment_library(library, &err) || !is_fit(stacks, library, &err) ||
        !session_create(stacks->session, sizeof stacks->session, NULL, &config, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    (void)session_hold(stacks->session);
    command_hold_signals();
    int status = visit(stacks, library);
    command_release_signals();
    return status;
}

/* Its library should listen, but does not yet, or no longer because it is being unloaded. */
static bool is_on_the_way(const struct stacks *stacks)
{
    struct session_config config;
    struct control_answer answer;
    struct err err = {0};
    return session_config_read(&config, stacks->session, stacks->arena, NULL) && config.control &&
           is_there(stacks) && !request(&answer, stacks, CONTROL_HELLO, &err) &&
           err.code == ERR_UNSUPPORTED;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Measured, or else visited. */
static int ask(struct stacks *stacks, int pid)
{
    struct err err = {0};
    for (int64_t until = clock_ms() + stacks->options->timeout_ms;; rest()) {
        if (!process_read(&stacks->process, pid, stacks->arena, &err)) {
            say("%s", err.text);
            return EXIT_BAD;
        }
        if (!process_session(stacks->session, sizeof stacks->session, pid, &err))
            break;
        if (clock_ms() >= until || !is_on_the_way(stacks))
            return ask_measured(stacks);
    }
    if (stacks->process.is_closed || err.code != ERR_UNSUPPORTED) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    return ask_visited(stacks);
}

static int stacks_of_process(const void *parsed, const struct operands *operands,
                             struct arena *arena)
{
    const struct stacks_options *options = parsed;
    struct stacks stacks = {.options = options, .arena = arena};
    struct err err = {0};
    int pid = 0;
    if (operands->count == 0)
        return options_refuse(&verb_stacks, "no PID to show the stacks of");
    if (!process_number(&pid, operands->items[0]))
        return options_refuse(&verb_stacks, "'%s' is not a process ID", operands->items[0]);
    if (!paths_root(stacks.root, NULL, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    /* One that brings its library and one that finds it leaving would get in each other's way. */
    int turn = turn_take_process(pid, clock_ms() + options->timeout_ms);
    int status = ask(&stacks, pid);
    turn_end(turn);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
    {.name = "timeout",
     .argument = "TIME",
     .take = option_take_time,
     .field = offsetof(struct stacks_options, timeout_ms),
     .help = "how long to wait for an answer, for example 500ms or 2m (default 10s)",
     .is_number = true},
    {.name = NULL},
};

static const struct option_group groups[] = {{rows, 0, NULL}, {NULL, 0, NULL}};

static bool finish(void *parsed, const struct operands *operands,
                   const struct option_taking *taking, struct err *err)
{
    struct stacks_options *options = parsed;
    (void)operands, (void)taking, (void)err;
    if (options->timeout_ms == 0)
        options->timeout_ms = TIMEOUT_MS;
    return true;
}

static const char *const examples[] = {"ilcov stacks $(pidof MyService)", NULL};

const struct verb verb_stacks = {
    .name = "stacks",
    .brief = "print the stack of every thread of a .NET process",
    .operands = "[OPTION...] PID",
    .summary = "Prints the managed stack of every thread of a .NET process: method, file and line.",
    .exits = "1: the stacks are not available; 2: wrong usage; 3: no such process, or it accepts "
             "no profiler.",
    .examples = examples,
    .manual =
        "The innermost method comes first. A measured process must have been started with 'run "
        "--control'. Into any other process, ilcov loads the library with nothing to measure, and "
        "unloads it afterwards. All threads are suspended for some milliseconds while their stacks "
        "are read. A runtime that cannot be suspended within 5 seconds is left as it is.",
    .operand_max = 1,
    .completes = COMPLETE_PROCESS,
    .groups = groups,
    .options_size = sizeof(struct stacks_options),
    .finish = finish,
    .act = stacks_of_process,
};

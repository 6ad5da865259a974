#include <stdio.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/attach_check.h"
#include "cli/process/control_client.h"
#include "cli/process/hresult.h"
#include "cli/process/other_process.h"
#include "cli/process/stop.h"
#include "cli/verbs/verbs.h"
#include "contract/protocol.h"
#include "coverage/session/session.h"
#include "coverage/session/session_life.h"
#include "system/clock.h"
#include "system/folder.h"

enum {
    STEP_MS = 50, /* between two looks at whether the library is still there */
};

struct detach {
    const struct timeout_options *options;
    struct arena *arena;
    struct process process;
    char session[PATH_ROOM];
};

/* Exit status: it was asked, and stays. */
static int keeps_counting(const struct detach *d, uint64_t methods, uint32_t hr)
{
    char number[GROUPED_ROOM], text[HRESULT_TEXT_ROOM];
    struct session_process record;
    bool from_start =
        process_record(&record, &d->process, d->session, d->arena, NULL) && record.attached == 0;
    say("process %d (%s) keeps counting, %s of its methods instrumented%s: %s", d->process.pid,
        d->process.name, grouped(number, methods),
        from_start ? " at start-up, which cannot be reverted" : "", hresult_text(text, hr));
    return EXIT_THRESHOLD;
}

static int runs_without(const struct detach *d, uint64_t methods, uint32_t hr)
{
    char number[GROUPED_ROOM], text[HRESULT_TEXT_ROOM];
    say("process %d (%s): %s %s without counters again; %s", d->process.pid, d->process.name,
        grouped(number, methods), plural(methods, "method runs", "methods run"),
        hresult_text(text, hr));
    return EXIT_THRESHOLD;
}

static int fail_to_detach(const struct detach *d, const char *why)
{
    say("process %d (%s) cannot be asked to unload ilcov: %s", d->process.pid, d->process.name,
        why);
    return EXIT_BAD;
}

/* --- the library is asked --------------------------------------------------------------------- */

static bool has_library(const struct detach *d)
{
    struct process now;
    struct arena arena = ARENA_EMPTY;
    bool has = process_read(&now, d->process.pid, &arena, NULL) &&
               now.start_ticks == d->process.start_ticks && now.library[0] != '\0';
    arena_free(&arena);
    return has;
}

/* The session of an `attach` that ended: its record still names a living process, which no longer
 * counts there. A session in use belongs to its user. */
static void drop_left_session(const struct detach *d)
{
    char name[PROCESS_RECORD_ROOM], path[PATH_ROOM];
    process_record_name(name, &d->process);
    if (!path_join_in(path, str_of(d->session), str_of(name)) ||
        session_state(d->session) != SESSION_RUNS_ON)
        return;
    (void)file_remove(path);
    (void)session_remove_orphan(d->session);
}

/* The runtime unloads the library when no thread is in it any more, which it checks from time to
 * time. */
static int await_departure(const struct detach *d)
{
    for (uint32_t waited = 0; waited < d->options->ms; waited += STEP_MS) {
        if (!has_library(d)) {
            say("detached from process %d (%s): the library is unloaded, and it may be attached to "
                "again",
                d->process.pid, d->process.name);
            drop_left_session(d);
            return EXIT_FINE;
        }
        clock_rest(STEP_MS);
    }
    say("process %d (%s) has not unloaded the library within %g s: it will when its threads have "
        "left the library",
        d->process.pid, d->process.name, d->options->ms / 1000.0);
    return EXIT_BAD;
}

/* --- it does not listen ----------------------------------------------------------------------- */

/* What it would answer follows from what it did. */
static int answer_for_it(const struct detach *d, bool listens)
{
    struct session_process record;
    struct err err = {0};
    if (!process_record(&record, &d->process, d->session, d->arena, &err))
        return fail_to_detach(d, err.text);
    uint64_t methods = session_methods(&record);
    if (methods != 0)
        return keeps_counting(d, methods, HR_CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT);
    say("process %d (%s) cannot be asked to unload ilcov: %s; none of its methods is "
        "instrumented, so this costs nothing",
        d->process.pid, d->process.name,
        listens ? "it does not listen any more" : "it was started without --control");
    return EXIT_THRESHOLD;
}

/* One that listens does so a moment after it was loaded, and not while it leaves. */
static bool request_detach(struct control_answer *answer, const struct detach *d, bool listens,
                           struct err *err)
{
    int64_t until = clock_ms() + d->options->ms;
    while (!control_ask(answer, d->session, d->process.inner_pid, CONTROL_DETACH, d->options->ms,
                        d->arena, err)) {
        if (!listens || !has_library(d) || clock_ms() >= until)
            return false;
        clock_rest(STEP_MS);
    }
    return true;
}

static int ask_to_detach(const struct detach *d)
{
    struct control_answer answer;
    struct session_config config;
    struct err err = {0};
    bool listens = session_config_read(&config, d->session, d->arena, NULL) && config.control;
    if (!request_detach(&answer, d, listens, &err)) {
        if (listens && !has_library(d))
            return await_departure(d);
        if (err.code == ERR_UNSUPPORTED)
            return answer_for_it(d, listens);
        stop_explain(&err, &d->process); /* one that was stopped does it when it goes on */
        say("process %d (%s) %s asked to unload ilcov: %s", d->process.pid, d->process.name,
            err.code == ERR_IO ? "was" : "cannot be", err.text);
        return EXIT_BAD;
    }
    if (answer.hr == 0 || answer.hr == HR_CORPROF_E_PROFILER_DETACHING)
        return await_departure(d);
    uint64_t methods = 0;
    if (control_number(&methods, &answer, "reverted"))
        return runs_without(d, methods, answer.hr);
    if (!control_number(&methods, &answer, "instrumented"))
        methods = 0;
    return keeps_counting(d, methods, answer.hr);
}

static int detach_from_program(const void *parsed, const struct operands *operands,
                               struct arena *arena)
{
    struct detach d = {.options = parsed, .arena = arena};
    struct err err = {0};
    int pid = 0;
    if (!process_number(&pid, operands->items[0]))
        return options_refuse(&verb_detach, "'%s' is not a process ID", operands->items[0]);
    if (!process_read(&d.process, pid, arena, &err))
        return say_error(&err);
    if (!attach_check_is_own(&d.process, "detach", &err))
        return fail_to_detach(&d, err.text);
    if (d.process.library[0] == '\0')
        return fail_to_detach(&d, "ilcov is not in it");
    if (!process_session(d.session, sizeof d.session, pid, &err))
        return fail_to_detach(&d, "no session was found that it counts in");
    return ask_to_detach(&d);
}

/* --- the table -------------------------------------------------------------------------------- */

const struct verb verb_detach = {
    .name = "detach",
    .brief = "let a program run without counters again",
    .operands = "[OPTION...] PID",
    .summary = "Ends the measurement of a running .NET program. Methods that got counters by "
               "'attach' run without them again; those of a program that was started with them "
               "keep them. The library is unloaded only if no method was instrumented: otherwise "
               ".NET keeps it until the program ends.",
    .exits = "0: the library is unloaded; 1: it stays; 2: wrong usage; 3: it is not there or "
             "cannot be asked.",
    .manual = "Status 0: the library is unloaded. 1: it stays; the message says why, and whether "
              "it keeps counting. 3: it is not there, or cannot be asked.",
    .lacks = "no PID to detach from",
    .operand_max = 1,
    .completes = COMPLETE_PROCESS,
    .groups = timeout_groups,
    .options_size = sizeof(struct timeout_options),
    .act = detach_from_program,
};

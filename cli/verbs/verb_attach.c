#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/say.h"
#include "cli/process/attach_check.h"
#include "cli/process/control_client.h"
#include "cli/process/diagnostics.h"
#include "cli/process/environment.h"
#include "cli/process/hresult.h"
#include "cli/process/other_process.h"
#include "cli/process/programs.h"
#include "cli/process/stop.h"
#include "cli/publish/measurement.h"
#include "cli/verbs/verbs.h"
#include "contract/protocol.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_life.h"
#include "system/clock.h"
#include "system/command.h"
#include "system/file.h"
#include "system/file_status.h"

enum {
    ANSWER_MS = 500, /* the shortest time that a runtime gets to answer */
    STEP_MS = 10,    /* between two looks at a process that starts or is being attached to */
    LOOK_MS = 1000,  /* between two looks at a measured one: does it still have the library? */
};

struct attach_options {
    struct measurement_options measurement;
    uint32_t timeout_ms;
    uint32_t for_ms; /* 0: until a signal */
    bool keeps_counting;
};

struct attach {
    const struct attach_options *options;
    struct measurement measurement;
    struct process process;
    int64_t deadline; /* in ms, of CLOCK_MONOTONIC */
    int share;        /* the session, with all others that are attached, or -1 */
    bool is_made;     /* this ilcov created the session */
    bool is_held;     /* the session: no other ilcov uses it */
    bool has_ended;   /* the process, or what the library had to do in it */
    bool is_gone;     /* the library is in the process no more */
    bool is_reverted; /* another ilcov detached it, if only from its methods */
    bool is_asked;    /* to run without counters, and has not answered */
    bool is_patient;  /* the user was told that this takes a while */
    bool is_through;  /* the library is done with what had loaded: it answers */
};

enum attach_progress {
    PROGRESS_DONE,
    PROGRESS_NOT_YET,
    PROGRESS_FAILED, /* and the reason was reported */
};

static enum attach_progress fail_to_attach(const struct attach *a, const char *why)
{
    say("process %d (%s) cannot be attached to: %s", a->process.pid, a->process.name, why);
    return PROGRESS_FAILED;
}

/* --- the session ------------------------------------------------------------------------------ */

static bool make_attach_session(struct attach *a)
{
    struct measurement *m = &a->measurement;
    struct err err = {0};
    m->config.control = true;
    a->is_made = session_create(m->session, sizeof m->session, m->options->measure.session_dir,
                                &m->config, &err);
    if (!a->is_made) {
        say("%s", err.text);
        return false;
    }
    a->is_held = true; /* by its lock, or where there are none by this process's ID */
    (void)session_hold(m->session);
    if (attach_check_sees(&a->process, m->session, &err))
        return true;
    (void)fail_to_attach(a, err.text);
    return false;
}

static void drop_made_session(struct attach *a)
{
    struct err err = {0};
    if (a->is_made && !session_remove(a->measurement.session, &err))
        say("%s", err.text);
    a->is_made = false;
}

/* The options with which it was loaded stay in force. */
static void say_what_holds(const struct attach *a)
{
    const struct measurement_options *options = a->measurement.options;
    const struct session_config *config = &a->measurement.config;
    if (options->measure.include.count != 0 || options->publish.filter.exclude.count != 0 ||
        (options->measure.include_tests && !config->include_tests) ||
        options->measure.mode != config->mode)
        say("process %d is already measured: its first --include, --exclude, --include-tests and "
            "--mode stay in force",
            a->process.pid);
}

/* The one in which the process counts already. */
static enum attach_progress continue_session(struct attach *a)
{
    struct measurement *m = &a->measurement;
    struct err err = {0};
    char session[PATH_ROOM];
    if (!process_session(session, sizeof session, a->process.pid, &err))
        return PROGRESS_NOT_YET;
    drop_made_session(a);
    (void)snprintf(m->session, sizeof m->session, "%s", session);
    if (!session_config_read(&m->config, m->session, m->arena, &err))
        return fail_to_attach(a, err.text);
    a->is_held = session_hold(m->session);
    say_what_holds(a);
    return PROGRESS_DONE;
}

/* --- the runtime is asked --------------------------------------------------------------------- */

static bool is_hr_of_start(uint32_t hr)
{
    return hr == HR_CORPROF_E_NOT_YET_AVAILABLE || hr == HR_CORPROF_E_RUNTIME_UNINITIALIZED;
}

static enum attach_progress fail_hr(const struct attach *a, uint32_t hr)
{
    char text[HRESULT_TEXT_ROOM];
    return fail_to_attach(a, hresult_text(text, hr));
}

/* It may be libilcov.so, which another ilcov attached at the same moment: then its session shows
 * up. */
static enum attach_progress meet_another(struct attach *a, struct err *why)
{
    struct err err = {0};
    char text[HRESULT_TEXT_ROOM];
    if (!process_read(&a->process, a->process.pid, a->measurement.arena, &err))
        return fail_to_attach(a, err.text);
    const char *other_profiler = attach_check_other_profiler(&a->process);
    if (other_profiler == NULL && a->process.library[0] == '\0')
        return fail_hr(a, HR_CORPROF_E_PROFILER_ALREADY_ACTIVE);
    if (other_profiler == NULL) {
        (void)err_set(
            why, ERR_UNSUPPORTED,
            "ilcov is in it already, and its session was removed or belongs to another user");
        return PROGRESS_NOT_YET;
    }
    (void)snprintf(text, sizeof text,
                   "%s is in it, and .NET allows one profiler at a time "
                   "(CORPROF_E_PROFILER_ALREADY_ACTIVE, 0x%08x): start it without that one",
                   other_profiler, (unsigned)HR_CORPROF_E_PROFILER_ALREADY_ACTIVE);
    return fail_to_attach(a, text);
}

/* The reason is in the record. */
static enum attach_progress meet_refusal(struct attach *a)
{
    struct measurement *m = &a->measurement;
    struct session_process record;
    struct str why;
    struct err err = {0};
    if (!process_record(&record, &a->process, m->session, m->arena, &err) ||
        record.declined.code == REASON_NONE || !reason_text(&why, &record.declined, m->arena, &err))
        return fail_hr(a, HR_CORPROF_E_PROFILER_CANCEL_ACTIVATION);
    return fail_to_attach(a, why.text);
}

/* The last attempt needs time for an answer, too: an answer says more than its absence. */
static uint32_t left_ms(const struct attach *a)
{
    int64_t left = a->deadline - clock_ms();
    return left > ANSWER_MS ? (uint32_t)left : ANSWER_MS;
}

/* It failed, and the runtime knows why. */
static enum attach_progress ask_again(struct attach *a, struct err *why)
{
    const struct measurement *m = &a->measurement;
    char message[NETTRACE_MESSAGE_ROOM], text[HRESULT_TEXT_ROOM + NETTRACE_MESSAGE_ROOM];
    uint32_t hr = 0;
    if (!diagnostics_attach_again(&hr, message, &a->process, m->library, m->session, left_ms(a),
                                  why))
        return fail_to_attach(a, why->text);
    if (hr == 0)
        return PROGRESS_DONE;
    (void)hresult_text(text, hr);
    if (message[0] != '\0')
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "; the runtime says: %s",
                       message);
    return fail_to_attach(a, text);
}

static enum attach_progress ask_to_load(struct attach *a, struct err *why)
{
    uint32_t hr = 0;
    if (!diagnostics_attach_ilcov(&hr, &a->process, a->measurement.library, a->measurement.session,
                                  left_ms(a), why))
        return why->code == ERR_UNSUPPORTED ? PROGRESS_NOT_YET : fail_to_attach(a, why->text);
    if (hr == 0)
        return PROGRESS_DONE;
    char text[HRESULT_TEXT_ROOM];
    (void)err_set(why, ERR_UNSUPPORTED, "%s", hresult_text(text, hr));
    if (is_hr_of_start(hr))
        return PROGRESS_NOT_YET;
    if (hr == HR_CORPROF_E_PROFILER_ALREADY_ACTIVE)
        return meet_another(a, why);
    if (hr == HR_CORPROF_E_PROFILER_CANCEL_ACTIVATION)
        return meet_refusal(a);
    /* without memory, a runtime that begins to collect events may listen no more, and never end */
    bool is_poor = hr == HR_E_OUTOFMEMORY || hr == HR_HRESULT_NOT_ENOUGH_MEMORY;
    return is_poor ? fail_hr(a, hr) : ask_again(a, why);
}

/* --- until it counts -------------------------------------------------------------------------- */

static enum attach_progress try_once(struct attach *a, struct err *why)
{
    struct measurement *m = &a->measurement;
    if (!process_read(&a->process, a->process.pid, m->arena, why)) {
        say("%s", why->text);
        return PROGRESS_FAILED;
    }
    /* that it is loaded does not say that it is active: then no session knows of it */
    if (a->process.library[0] != '\0' && attach_check_is_own(&a->process, "attach", why)) {
        if (!attach_check_has_room(&a->process, why))
            return fail_to_attach(a, why->text);
        enum attach_progress progress = continue_session(a);
        if (progress != PROGRESS_NOT_YET)
            return progress;
    }
    enum attach_check check =
        attach_check_run(&a->process, m->library, true, a->options->timeout_ms, why);
    if (check == ATTACH_UNFIT)
        return fail_to_attach(a, why->text);
    if (check == ATTACH_NOT_YET)
        return PROGRESS_NOT_YET;
    if (!a->is_made && !make_attach_session(a))
        return PROGRESS_FAILED;
    return ask_to_load(a, why);
}

/* Told at once: it may be long until the report is written. */
static void say_declined(const struct session_process *record)
{
    for (uint32_t i = 0; i < record->skip_count; i++)
        if (reason_is(&record->skips[i].reason, REASON_HOT_RELOAD))
            say("%.*s is not measured: %s", STR_ARGS(record->skips[i].name),
                reason_words[REASON_HOT_RELOAD].text);
}

static void say_attached(const struct attach *a, const struct session_process *record)
{
    char methods_text[GROUPED_ROOM];
    uint64_t methods = session_methods(record);
    if (!a->measurement.options->publish.talk.quiet)
        say("attached to %d (%s), %u %s with %s %s, counting; Ctrl-C ends ilcov, not the program",
            a->process.pid, a->process.name, record->instrumented_count,
            plural(record->instrumented_count, "module", "modules"), grouped(methods_text, methods),
            plural(methods, "method", "methods"));
    say_declined(record);
}

static void say_wait(const struct attach *a)
{
    char clause[STOP_TEXT_ROOM];
    bool is_free = stop_read(clause, &a->process) == STOP_NONE;
    say("the library is still preparing the methods of process %d (%s)%s%s", a->process.pid,
        a->process.name, is_free ? "" : ": ", clause);
}

/* While the library works through what is loaded, its socket exists and does not answer. A library
 * that answers, or has no socket, has nothing to add to its record after the next look: its disk
 * may be full. */
static void allow_time(struct attach *a)
{
    struct control_answer answer;
    struct err err = {0};
    if (clock_ms() < a->deadline)
        return;
    struct arena arena = ARENA_EMPTY;
    bool is_busy = !control_ask(&answer, a->measurement.session, a->process.inner_pid,
                                CONTROL_HELLO, ANSWER_MS, &arena, &err) &&
                   err.code == ERR_IO;
    arena_free(&arena);
    if (!is_busy) {
        a->deadline = a->is_through ? a->deadline : clock_ms() + STEP_MS;
        a->is_through = true;
        return;
    }
    if (!a->is_patient && !a->measurement.options->publish.talk.quiet)
        say_wait(a);
    a->is_patient = true;
    a->deadline = clock_ms() + a->options->timeout_ms;
}

/* After another has been attached: its methods get their counters again. In a process that was
 * started with them, none is without. */
static enum attach_progress count_again(struct attach *a, struct err *why)
{
    struct control_answer answer;
    struct measurement *m = &a->measurement;
    if (a->share < 0)
        a->share = session_share(m->session); /* whoever is the last reverts */
    if (!control_ask(&answer, m->session, a->process.inner_pid, CONTROL_COUNT, left_ms(a), m->arena,
                     why))
        return why->code == ERR_IO            ? PROGRESS_NOT_YET
               : why->code == ERR_UNSUPPORTED ? PROGRESS_DONE
                                              : fail_to_attach(a, why->text);
    return answer.hr == 0 ? PROGRESS_DONE : fail_hr(a, answer.hr);
}

/* The handshake: without it, a library that does nothing would not be noticed. */
static enum attach_progress look_for_record(struct attach *a, struct err *why)
{
    struct session_process record;
    struct process now;
    enum attach_progress progress = PROGRESS_NOT_YET;
    struct arena arena = ARENA_EMPTY;
    (void)err_set(why, ERR_IO, "its library was loaded, but does not report");
    if (!process_read(&now, a->process.pid, &arena, why) ||
        now.start_ticks != a->process.start_ticks) {
        progress = fail_to_attach(a, "it has ended");
    } else if (process_record(&record, &a->process, a->measurement.session, &arena, NULL)) {
        if (record.attached != 0 || !a->is_made)
            progress = PROGRESS_DONE;
    }
    if (progress == PROGRESS_DONE)
        progress = count_again(a, why);
    if (progress == PROGRESS_DONE)
        say_attached(a, &record);
    else if (progress == PROGRESS_NOT_YET)
        allow_time(a);
    arena_free(&arena);
    return progress;
}

/* Repeats a step until it is done, or the time is up. */
static enum attach_progress repeat_step(struct attach *a,
                                        enum attach_progress (*step)(struct attach *, struct err *))
{
    for (;;) {
        struct err why = {0};
        enum attach_progress progress = step(a, &why);
        if (progress != PROGRESS_NOT_YET)
            return progress;
        if (command_signal() != 0)
            return fail_to_attach(a, "interrupted");
        if (clock_ms() >= a->deadline) {
            char text[sizeof why.text + 64];
            (void)snprintf(text, sizeof text, "%s (tried for %g s)", why.text,
                           a->options->timeout_ms / 1000.0);
            return fail_to_attach(a, text);
        }
        clock_rest(STEP_MS);
    }
}

/* --- while it counts -------------------------------------------------------------------------- */

/* Has the process ended or started another program in its place, or another ilcov detached it? */
static bool is_over(struct attach *a)
{
    struct session_process record;
    struct process now;
    struct arena arena = ARENA_EMPTY;
    bool lives = process_read(&now, a->process.pid, &arena, NULL) &&
                 now.start_ticks == a->process.start_ticks;
    bool is_known = process_record(&record, &a->process, a->measurement.session, &arena, NULL);
    a->is_gone = lives && !now.is_closed && now.library[0] == '\0';
    a->is_reverted = lives && is_known && record.is_detached;
    arena_free(&arena);
    if (a->is_reverted)
        say("ilcov was detached from process %d, which continues to run", a->process.pid);
    else if (a->is_gone)
        say("ilcov is no longer in process %d%s", a->process.pid,
            is_known ? ", which has started another program in its place" : "");
    a->has_ended = !lives || a->is_gone;
    return a->has_ended || a->is_reverted;
}

static void wait_for_end(struct attach *a)
{
    int64_t end = a->options->for_ms != 0 ? clock_ms() + a->options->for_ms : INT64_MAX, now;
    while (!is_over(a) && (now = clock_ms()) < end)
        if (command_await_signal(a->process.pid,
                                 end - now < LOOK_MS ? (uint32_t)(end - now) : LOOK_MS))
            break;
}

/* By whoever is the last to end. A request that was sent is not taken back: a process that was
 * stopped reads it when it goes on. */
static void revert_counters(struct attach *a)
{
    struct control_answer answer;
    struct measurement *m = &a->measurement;
    struct err err = {0};
    char text[HRESULT_TEXT_ROOM];
    uint64_t methods = 0;
    if (a->has_ended || a->is_reverted || a->is_asked || a->options->keeps_counting ||
        !session_share_is_last(a->share))
        return;
    bool answers = control_ask(&answer, m->session, a->process.inner_pid, CONTROL_REVERT,
                               a->options->timeout_ms, m->arena, &err);
    a->is_reverted = answers && control_number(&methods, &answer, "reverted");
    if (a->is_reverted && !m->options->publish.talk.quiet)
        say("process %d (%s) continues to run without counters; 'ilcov attach %d' continues the "
            "measurement",
            a->process.pid, a->process.name, a->process.pid);
    else if (answers && answer.hr != 0)
        say("process %d keeps its counters: %s", a->process.pid, hresult_text(text, answer.hr));
    else if (!answers && !is_over(a) && err.code != ERR_UNSUPPORTED && file_exists(m->session)) {
        stop_explain(&err, &a->process);
        say("process %d (%s) was asked to run without counters: %s", a->process.pid,
            a->process.name, err.text);
        a->is_asked = true;
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The session of a `run` that is still there, or of another attach, belongs to them; that of one
 * that is gone is removed here. */
static void remove_attached_session(const struct attach *a)
{
    if (a->is_gone && a->is_made) /* though its record names a living process */
        (void)session_remove(a->measurement.session, NULL);
    else if (a->is_held || session_hold(a->measurement.session))
        session_leave(a->measurement.session);
}

static void leave_attached_session(struct attach *a)
{
    struct measurement *m = &a->measurement;
    if (!a->has_ended && !a->is_reverted && !a->is_asked)
        (void)is_over(a); /* while the files were written */
    if (m->owns_session && measurement_keep_session(m))
        return;
    if (m->options->measure.keep_session)
        say("the session is kept in %s", m->session);
    else if (a->has_ended)
        remove_attached_session(a);
    else if (a->is_reverted || a->is_asked) /* said when it was */
        return;
    else if (!file_exists(m->session))
        say("process %d continues to run; its session was removed, so what it counts from now on "
            "is lost",
            a->process.pid);
    else if (!m->options->publish.talk.quiet)
        say("process %d continues to run and counts in %s; 'ilcov attach %d' continues the "
            "measurement",
            a->process.pid, m->session, a->process.pid);
}

/* Does the session belong to nobody else? */
static bool owns_session(struct attach *a)
{
    a->is_held = a->is_held || session_hold(a->measurement.session);
    return a->is_made || a->is_held;
}

static int measure_attached(struct attach *a)
{
    wait_for_end(a);
    revert_counters(
        a); /* before the counts are read: then only what is on a stack counts after them */
    session_share_on(a->share);
    a->measurement.owns_session = a->has_ended && owns_session(a);
    int status = measurement_finish(&a->measurement);
    revert_counters(
        a); /* others that ended meanwhile were not the last: they shared what this one read */
    (void)file_close(a->share);
    leave_attached_session(a);
    return status;
}

static int attach_to_program(const void *parsed, const struct operands *operands,
                             struct arena *arena)
{
    struct attach a = {.options = parsed, .share = -1};
    struct measurement *m = &a.measurement;
    struct err err = {0};
    int pid = 0;
    *m = (struct measurement){
        .options = &a.options->measurement, .verb = &verb_attach, .arena = arena};
    int status = measurement_prepare(m);
    if (status != EXIT_FINE)
        return status;
    if (!process_number(&pid, operands->items[0]) &&
        !programs_find(&pid, operands->items[0], m->library, arena, &err))
        return say_error(&err);
    m->config.keep = m->options->measure.keep_session;
    command_hold_signals();
    a.process.pid = pid;
    a.deadline = clock_ms() + a.options->timeout_ms;
    if (repeat_step(&a, try_once) == PROGRESS_DONE &&
        repeat_step(&a, look_for_record) == PROGRESS_DONE)
        return measure_attached(&a);
    drop_made_session(&a);
    int number = command_signal();
    return number != 0 ? 128 + number : EXIT_BAD;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct attach_options, field)

static const struct option_row own_rows[] = {
    {.name = "timeout",
     .argument = "TIME",
     .take = option_take_time,
     .field = AT(timeout_ms),
     .help = "how long to try, for example 500ms or 2m (default 10s)",
     .more = "This limits how long ilcov tries while the program is starting, and how long it "
             "waits for the library to report. While the library prepares many methods, ilcov "
             "waits longer, and says so.",
     .otherwise = timeout_default,
     .is_number = true},
    {.name = "for",
     .argument = "TIME",
     .take = option_take_time,
     .field = AT(for_ms),
     .help = "end after TIME, as on Ctrl-C, for example 90s or 10m",
     .is_number = true,
     .cli_only = true},
    {.name = "keep-counting",
     .take = option_take_flag,
     .field = AT(keeps_counting),
     .help = "leave the counters in the program when ilcov ends",
     .more = "It then runs as slowly as before, and nothing is lost until the next 'attach'.",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {data_rows, AT(measurement), NULL},
    {format_rows, AT(measurement.publish.formats), NULL},
    {source_rows, AT(measurement.publish.sources), NULL},
    {exclude_rows, AT(measurement.publish.filter), measure_overrides},
    {measure_rows, AT(measurement), NULL},
    {filter_rows, AT(measurement.publish.filter), NULL},
    {exclusion_rows, AT(measurement), NULL},
    {keep_session_rows, AT(measurement), NULL},
    {threshold_rows, AT(measurement.publish.gates), NULL},
    {allow_empty_rows, AT(measurement), NULL},
    {own_rows, 0, NULL},
    {talk_rows, AT(measurement.publish.talk), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_attach = {
    .name = "attach",
    .brief = "measure a running program",
    .operands = "[OPTION...] PID|NAME",
    .summary = "Measures a running .NET program from now on, until it ends or you press Ctrl-C. "
               "Then its methods run without counters again, but the library stays in it until it "
               "ends; a second 'attach' continues the measurement. What ran before is not known: "
               "'ilcov run' misses nothing. .NET does not support profilers in production with "
               "high availability, because it was not tested for that.",
    .exits =
        "1: a gate failed; 2: wrong usage; 3: the program cannot be attached to, or as for 'run'.",
    .examples = "ilcov attach --for 10m MyService",
    .manual =
        "NAME is as in 'ilcov ps --all'; only one program that can be attached to may have it. "
        ".NET cannot unload a library that has instrumented code, so attaching cannot be undone "
        "completely. Its documentation does not support the profiling interface in production with "
        "high availability, because it was not tested for that. The program must belong to the "
        "same user, even for root, and must see the library and the session under the same paths. "
        "A program that is already measured keeps the options with which it was started or first "
        "attached to. Status 3 means that it cannot be attached to; the message says why.",
    .lacks = "no PID or NAME to attach to",
    .operand_max = 1,
    .completes = COMPLETE_PROCESS,
    .groups = groups,
    .options_size = sizeof(struct attach_options),
    .finish = measurement_options_finish,
    .act = attach_to_program,
};

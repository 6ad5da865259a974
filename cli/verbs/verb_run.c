#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/environment.h"
#include "cli/process/hang.h"
#include "cli/process/target.h"
#include "cli/process/unreached.h"
#include "cli/publish/measurement.h"
#include "cli/publish/stale_build.h"
#include "cli/verbs/verbs.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_life.h"
#include "system/command.h"
#include "system/file_status.h"

struct run_options {
    struct measurement_options measurement;
    uint32_t hang_ms; /* 0: no watching */
    bool hang_kill;
};

struct run {
    const struct run_options *options;
    struct operands command;
    struct measurement measurement;
    struct hang hang;
    struct unreached unreached;
};

/* A shell says as its status what a signal did to its command. One that handled the signal may have
 * run to its end, or have lost half of its tests: only its own output knows. */
static void tell_interrupted(int status)
{
    int came = command_interrupted(), ended_by = command_ended_by();
    if (ended_by == 0 && status == EXIT_SIGNAL + came)
        ended_by = came;
    if (came != 0 && ended_by != 0)
        say("signal %d (%s) ended the command: what it had not run by then is missing", ended_by,
            strsignal(ended_by));
    else if (came != 0)
        say("signal %d (%s) came while the command ran, which then ended with status %d", came,
            strsignal(came), status);
}

static int wait_for_command(struct run *run, int command)
{
    struct measurement *m = &run->measurement;
    if (run->options->hang_ms != 0) {
        hang_open(&run->hang, m->session, str_of(m->root), run->options->hang_ms,
                  run->options->hang_kill, m->arena);
        run->unreached.watch.next = &run->hang.watch;
    }
    int status = command_wait(command, &run->unreached.watch);
    tell_interrupted(status);
    m->stops_gates = run->unreached.lines.count != 0 && !m->options->allow_partial &&
                     m->options->publish.gates.list.count != 0;
    unreached_say(&run->unreached, m->stops_gates);
    return status;
}

/* The command's own status wins. One that could not be started has measured nothing. */
static int measure_command(struct run *run)
{
    struct err err = {0};
    int status = EXIT_BAD, command = -1;
    struct measurement *m = &run->measurement;
    char **environment = environment_for_target(m->library, m->session, m->arena, &err);
    unreached_open(&run->unreached);
    bool started = environment != NULL &&
                   target_start(&command, run->command.items, environment, &status, &err);
    if (started)
        status = wait_for_command(run, command);
    unreached_close(&run->unreached);
    if (!started) {
        say("%s", err.text);
        return status;
    }
    int own = measurement_finish(m);
    return status != EXIT_FINE ? status : own;
}

/* Removes what killed runs left in the directory of this run's session. */
static void remove_orphan(void *context, const char *path, int owner, enum session_state state)
{
    const struct measurement *m = context;
    if (state == SESSION_ORPHANED && session_remove_orphan(path) && !m->options->publish.talk.quiet)
        say("removed the session %s, which a killed run left behind (process %d)", path, owner);
}

static void remove_orphans(struct measurement *m)
{
    char parent[PATH_ROOM];
    struct str dir = path_dir(str_of(m->session));
    (void)snprintf(parent, sizeof parent, "%.*s", STR_ARGS(dir));
    session_visit(parent, remove_orphan, m);
}

static void leave_run_session(struct run *run)
{
    struct measurement *m = &run->measurement;
    struct err err = {0};
    if (measurement_keep_session(m))
        return;
    if (m->options->measure.keep_session)
        say("the session is kept in %s", m->session);
    else if (file_exists(m->session) && !session_remove(m->session, &err))
        say("%s", err.text);
}

static int run_command(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct run_options *options = parsed;
    struct run run = {.options = options, .command = *operands};
    struct measurement *m = &run.measurement;
    struct err err = {0};
    *m = (struct measurement){.options = &options->measurement,
                              .verb = &verb_run,
                              .arena = arena,
                              .command = operands->items,
                              .inherits = true};
    int status = measurement_prepare(m);
    if (status != EXIT_FINE)
        return status;
    stale_build_say(m);
    m->config.control = options->measurement.measure.control || options->hang_ms != 0;
    m->config.keep = options->measurement.measure.keep_session;
    m->owns_session = true;
    command_hold_signals();
    if (!session_create(m->session, sizeof m->session, m->options->measure.session_dir, &m->config,
                        &err))
        return options_fail(&verb_run, &err);
    (void)session_hold(m->session);
    remove_orphans(m);
    status = measure_command(&run);
    leave_run_session(&run);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct run_options, field)

static const struct option_row own_rows[] = {
    {.name = "hang-timeout",
     .argument = "TIME",
     .take = option_take_time,
     .field = AT(hang_ms),
     .help = "print all stacks when no new code has run for TIME",
     .more = "TIME is, for example, '500ms', '60s' or '2m'. The stacks are those of the measured "
             "processes that are still alive. They are printed to standard error as by 'stacks', "
             "and not again until new code has run. A loop that repeats code runs no new code. "
             "Before them come the awaits that have not continued and, with --per-test, the tests "
             "that have not ended.",
     .is_number = true},
    {.name = "hang-kill",
     .take = option_take_flag,
     .field = AT(hang_kill),
     .help = "then also end COMMAND; requires --hang-timeout",
     .more = "Hanging processes get SIGTERM and, after 5 seconds, SIGKILL; COMMAND itself is "
             "killed if it is still there 10 seconds later. The counts are written as usual."},
    {.name = NULL},
};

static const struct help_override overrides[] = {
    {"format", "write a report; default cobertura; 'ilcov report --list-formats' lists all",
     "May be repeated. FILE cannot be -: standard output belongs to COMMAND. If it is the file "
     "that $GITHUB_STEP_SUMMARY names, the report is appended to it."},
    {NULL, NULL, NULL},
};

static const struct option_group groups[] = {
    {data_rows, AT(measurement), NULL},
    {format_rows, AT(measurement.publish.formats), overrides},
    {source_rows, AT(measurement.publish.sources), NULL},
    {exclude_rows, AT(measurement.publish.filter), measure_overrides},
    {measure_rows, AT(measurement), NULL},
    {filter_rows, AT(measurement.publish.filter), NULL},
    {exclusion_rows, AT(measurement), NULL},
    {library_rows, AT(measurement), NULL},
    {keep_session_rows, AT(measurement), NULL},
    {whole_rows, AT(measurement), NULL},
    {threshold_rows, AT(measurement.publish.gates), NULL},
    {allow_empty_rows, AT(measurement), NULL},
    {page_rows, AT(measurement.publish), NULL},
    {own_rows, 0, NULL},
    {talk_rows, AT(measurement.publish.talk), NULL},
    {NULL, 0, NULL},
};

/* Standard output is the command's, but for messages to what reads it. */
static bool is_refused(const struct option_format *format)
{
    const char *usual = format->format->default_path;
    return format->path != NULL && strcmp(format->path, DESTINATION_STDOUT) == 0 &&
           (usual == NULL || strcmp(usual, DESTINATION_STDOUT) != 0);
}

static bool finish_run(void *parsed, const struct operands *operands,
                       const struct option_context *context, struct err *err)
{
    struct run_options *options = parsed;
    const struct format_options *formats = &options->measurement.publish.formats;
    for (uint32_t i = 0; i < formats->count; i++) {
        const struct option_format *format = &formats->items[i];
        if (is_refused(format))
            return err_set(err, ERR_USAGE,
                           "--format %s=-: standard output belongs to COMMAND; name a file, or let "
                           "'ilcov report' print it afterwards",
                           format->format->name);
    }
    if (options->hang_kill && options->hang_ms == 0 && option_is_typed(context, "hang-kill"))
        return err_set(err, ERR_USAGE, "--hang-kill requires --hang-timeout");
    return measurement_options_finish(options, operands, context, err);
}

const struct verb verb_run = {
    .name = "run",
    .brief = "run a command and measure the .NET programs in it",
    .operands = "[OPTION...] [--] COMMAND [ARG...]",
    .summary = "Runs COMMAND and measures the code coverage of it and its child processes.",
    .exits = "that of COMMAND if not 0; otherwise 1: a gate failed; 2: wrong usage or another "
             "profiler; 3: nothing measured or an unusable file.",
    .examples = "ilcov run --fail-under 80 -- dotnet test",
    .lacks = "no COMMAND to run",
    .operand_max = INT_MAX,
    .ends_at_operand = true,
    .completes = COMPLETE_COMMAND,
    .groups = groups,
    .options_size = sizeof(struct run_options),
    .finish = finish_run,
    .act = run_command,
};

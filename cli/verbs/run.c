#include <stdio.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/launch/environment.h"
#include "cli/launch/target.h"
#include "cli/outcome/measurement.h"
#include "cli/process/hang.h"
#include "coverage/session/session_life.h"

struct run {
    struct measurement measurement;
    struct target target;
    struct hang hang;
};

static int interrupted(void *context)
{
    const struct run *run = context;
    return target_interrupted(&run->target);
}

/* The command's own status wins. One that could not be started has measured nothing. */
static int measure(struct run *run)
{
    struct err err = {0};
    int status = EXIT_BAD;
    struct measurement *m = &run->measurement;
    char **environment = environment_for_target(m->library, m->session, m->arena, &err);
    if (environment == NULL ||
        !target_start(&run->target, m->options->operands, environment, &status, &err)) {
        say("%s", err.text);
        return status;
    }
    if (m->options->hang_ms != 0) {
        hang_open(&run->hang, m->session, str_of(m->root), m->options->hang_ms,
                  m->options->hang_kill, m->arena);
        run->target.watch = &run->hang.watch;
    }
    status = target_wait(&run->target);
    int own = measurement_finish(m);
    return status != EXIT_FINE ? status : own;
}

/* What runs that were killed left where this one has its session. */
static void remove_orphan(void *context, const char *path, pid_t owner, enum session_state state)
{
    const struct measurement *m = context;
    if (state == SESSION_ORPHANED && session_remove_orphan(path) && !m->options->quiet)
        say("removed the session %s, which a killed run left behind (process %ld)", path,
            (long)owner);
}

static void remove_orphans(struct measurement *m)
{
    char parent[PATH_MAX];
    struct str dir = path_dir(str_of(m->session));
    (void)snprintf(parent, sizeof parent, "%.*s", STR_ARGS(dir));
    session_visit(parent, remove_orphan, m);
}

static void leave_session(const struct measurement *m)
{
    struct err err = {0};
    if (m->options->keep_session)
        say("the session is kept in %s", m->session);
    else if (access(m->session, F_OK) == 0 && !session_remove(m->session, &err))
        say("%s", err.text);
}

static int run_command(const struct options *options, struct arena *arena)
{
    struct run run;
    struct measurement *m = &run.measurement;
    struct err err = {0};
    if (options->operand_count == 0)
        return options_refuse(&verb_run.usage, "no COMMAND to run");
    int status = measurement_prepare(m, options, &verb_run.usage, arena);
    if (status != EXIT_FINE)
        return status;
    m->command = options->operands;
    m->interrupted = interrupted;
    m->context = &run;
    target_hold(&run.target);
    if (!session_create(m->session, sizeof m->session, options->session_dir, &m->config, &err)) {
        say("%s", err.text);
        return err.code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
    }
    (void)session_hold(m->session);
    remove_orphans(m);
    status = measure(&run);
    leave_session(m);
    return status;
}

const struct verb verb_run = {
    .usage =
        {.verb = FOR_RUN,
         .name = "run",
         .operands = "[OPTION...] [--] COMMAND [ARG...]",
         .summary = "Runs COMMAND and measures which code of the .NET programs in it runs.",
         .notes =
             "Exit status: that of COMMAND if not 0; else 1 a gate failed, 2 usage or another\n"
             "profiler, 3 nothing instrumented, bad input or unwritable output.\n"
             "Example: ilcov run --fail-under 80 -- dotnet test",
         .operand_max = INT_MAX},
    .brief = "run a command and measure the .NET programs in it",
    .act = run_command,
};

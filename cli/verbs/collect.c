/* ilcov collect SESSION: what a session holds becomes data file and reports, at any time: while
 * programs count in it, after a crash, again. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/outcome/measurement.h"
#include "coverage/session/session_life.h"

/* Of what somebody still counts in nothing is taken away. */
static int remove_session(const struct measurement *m, int status)
{
    struct err err = {0};
    if (status != EXIT_FINE && status != EXIT_THRESHOLD) {
        say("the session %s is left there, for not all was written", m->session);
        return status;
    }
    switch (session_remove_unused(m->session, &err)) {
    case SESSION_NONE:
        say("%s", err.text);
        return EXIT_BAD;
    case SESSION_IN_USE:
        say("the session %s is left there: the ilcov that uses it still runs", m->session);
        break;
    case SESSION_RUNS_ON:
        say("the session %s is left there: a program still counts in it", m->session);
        break;
    case SESSION_ORPHANED:
        break;
    }
    return status;
}

static int collect_session(const struct options *options, struct arena *arena)
{
    struct measurement m;
    struct err err = {0};
    if (options->operand_count == 0)
        return options_refuse(&verb_collect.usage, "no SESSION to collect");
    int status = measurement_check(&m, options, &verb_collect.usage, arena);
    if (status != EXIT_FINE)
        return status;
    if (realpath(options->operands[0], m.session) == NULL) {
        say("there is no session %s: %s", options->operands[0], strerror(errno));
        return EXIT_BAD;
    }
    if (!session_config_read(&m.config, m.session, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    status = measurement_finish(&m);
    return options->remove ? remove_session(&m, status) : status;
}

const struct verb verb_collect = {
    .usage = {.verb = FOR_COLLECT,
              .name = "collect",
              .operands = "[OPTION...] SESSION",
              .summary =
                  "Makes data file and reports of a session that 'ilcov env', 'ilcov attach' or\n"
                  "'ilcov run --keep-session' left: at any time, also while programs count in it.",
              .notes =
                  "Exit status: 1 a gate failed, 2 usage, 3 nothing instrumented, bad input or\n"
                  "unwritable output.\n"
                  "Example: ilcov collect --remove /dev/shm/ilcov-kept-x1y2z3",
              .operand_max = 1},
    .brief = "make data file and reports of a session, also while it is written",
    .act = collect_session,
};

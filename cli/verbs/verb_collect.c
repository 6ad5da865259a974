/* ilcov collect SESSION: writes the data file and reports of a session at any time: while programs
 * count in it, after a crash, or again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/publish/measurement.h"
#include "cli/verbs/verbs.h"
#include "contract/session_format.h"
#include "coverage/session/session_life.h"
#include "system/folder.h"

struct collect_verb_options {
    struct measurement_options measurement;
    bool remove;
};

/* A session that is still in use, or that has more than was written, is not removed; any other is,
 * whatever the status. */
static int remove_collected_session(const struct measurement *m, int status)
{
    struct err err = {0};
    if (m->is_unwritten) /* measurement_say_kept */
        return status;
    if (m->is_unread) {
        say("the session %s was kept, so that you can collect it again", m->session);
        return status;
    }
    switch (session_remove_unused(m->session, &err)) {
    case SESSION_NONE:
        return say_error(&err);
    case SESSION_IN_USE:
        say("the session %s was kept: the ilcov that uses it still runs", m->session);
        break;
    case SESSION_RUNS_ON:
        say("the session %s was kept: a program still counts in it", m->session);
        break;
    case SESSION_ORPHANED:
        break;
    }
    return status;
}

static int collect_session(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct collect_verb_options *options = parsed;
    struct measurement m = {
        .options = &options->measurement, .verb = &verb_collect, .arena = arena};
    struct err err = {0};
    const char *session = operands->count != 0 ? operands->items[0] : getenv(SESSION_ENV);
    if (session == NULL || *session == '\0')
        return options_refuse(&verb_collect,
                              "no SESSION to collect, and $" SESSION_ENV " names none");
    int status = measurement_check(&m);
    if (status != EXIT_FINE)
        return status;
    if (!file_real_path(m.session, session)) {
        say("there is no session %s: %s", session, strerror(errno));
        return EXIT_BAD;
    }
    if (!session_config_read(&m.config, m.session, arena, &err))
        return say_error(&err);
    status = measurement_finish(&m);
    if (m.is_unwritten)
        measurement_say_kept(&m);
    return options->remove ? remove_collected_session(&m, status) : status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct collect_verb_options, field)

static const struct option_row own_rows[] = {
    {.name = "remove",
     .take = option_take_flag,
     .field = AT(remove),
     .help = "remove the session once everything is written",
     .more = "A session is kept, and ilcov says so, if a program still counts in it, an output "
             "could not be written, or something that ran could not be read. One that has nothing "
             "to write is removed.",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {data_rows, AT(measurement), NULL},
    {format_rows, AT(measurement.publish.formats), NULL},
    {source_rows, AT(measurement.publish.sources), NULL},
    {filter_rows, AT(measurement.publish.filter), NULL},
    {exclusion_rows, AT(measurement), NULL},
    {whole_rows, AT(measurement), NULL},
    {threshold_rows, AT(measurement.publish.gates), NULL},
    {allow_empty_rows, AT(measurement), NULL},
    {page_rows, AT(measurement.publish), NULL},
    {own_rows, 0, NULL},
    {talk_rows, AT(measurement.publish.talk), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_collect = {
    .name = "collect",
    .brief = "write the data file and reports of a session",
    .operands = "[OPTION...] [SESSION]",
    .summary =
        "Writes the data file and reports of a session that 'ilcov env', 'ilcov attach' or "
        "'ilcov run --keep-session' left: at any time, even while programs count in it. Without "
        "SESSION, that of $ILCOV_SESSION.",
    .exits = "1: a gate failed; 2: wrong usage; 3: nothing instrumented, bad input or unwritable "
             "output.",
    .examples = "ilcov collect --remove /dev/shm/ilcov-kept-x1y2z3",
    .operand_max = 1,
    .completes = COMPLETE_SESSION,
    .groups = groups,
    .options_size = sizeof(struct collect_verb_options),
    .finish = measurement_options_finish,
    .act = collect_session,
};

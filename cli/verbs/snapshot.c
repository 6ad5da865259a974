/* ilcov snapshot PID|SESSION: the counts of a running program, which does not notice. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/outcome/measurement.h"
#include "cli/process/process_session.h"
#include "coverage/session/baseline.h"

struct snapshot {
    struct measurement measurement;
    struct baseline now, next; /* where this begins, and where the next will */
    int lock;                  /* of a reset, or -1 */
};

/* --- before ----------------------------------------------------------------------------------- */

/* A number is a process's; a folder of such a name is ./4711. */
static bool find_session(char path[PATH_MAX], const char *operand, struct err *err)
{
    pid_t pid = 0;
    if (process_number(&pid, operand))
        return process_session(path, PATH_MAX, pid, err);
    return realpath(operand, path) != NULL ||
           err_set_errno(err, "there is neither a process nor a session %s", operand);
}

/* What does not come to be collected this time stays as it was. */
static bool begin_next(struct snapshot *s, struct arena *arena, struct err *err)
{
    const struct baseline_group *groups = s->now.groups.items;
    s->next = (struct baseline){.since = (int64_t)time(NULL)};
    s->measurement.taken = &s->next;
    for (uint32_t i = 0; i < s->now.groups.count; i++) {
        struct baseline_group *group = list_add(&s->next.groups, sizeof *group, arena, err);
        if (group == NULL)
            return false;
        *group = groups[i];
    }
    return getrandom(s->next.id, sizeof s->next.id, 0) == (ssize_t)sizeof s->next.id ||
           err_set_errno(err, "no random number for the next snapshot");
}

static bool lock_for_reset(struct snapshot *s, struct err *err)
{
    const struct measurement *m = &s->measurement;
    if (m->config.mode == MODE_HIT)
        return err_set(err, ERR_USAGE,
                       "--reset needs counts, and this session has --mode hit: what was hit once "
                       "cannot be seen to be hit again");
    s->lock = baseline_lock(m->session, err);
    return s->lock >= 0;
}

/* Since a --reset it is another run than before. */
static bool open_session(struct snapshot *s, struct err *err)
{
    struct measurement *m = &s->measurement;
    bool reset = m->options->reset;
    if (!find_session(m->session, m->options->operands[0], err) ||
        !session_config_read(&m->config, m->session, m->arena, err) ||
        (reset && !lock_for_reset(s, err)) || !baseline_read(&s->now, m->session, m->arena, err) ||
        (reset && !begin_next(s, m->arena, err)))
        return false;
    m->baseline = &s->now;
    if (s->now.since == 0)
        return true;
    memcpy(m->config.id, s->now.id, sizeof m->config.id);
    m->config.started = s->now.since;
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Nothing is reset that was not written. */
static int write_snapshot(struct snapshot *s, struct err *err)
{
    struct measurement *m = &s->measurement;
    struct collect_result result;
    int status = EXIT_FINE;
    if (!measurement_collect(&result, m, &status))
        return status;
    bool ok = s->now.since == 0 ||
              facts_label_since(&result.facts.runs[0], LABEL_RESET, s->now.since, m->arena, err);
    int written = ok ? measurement_write(m, &result.facts) : EXIT_BAD;
    if (written == EXIT_FINE && m->options->reset)
        ok = baseline_write(&s->next, m->session, m->arena, err);
    if (!ok) {
        say("%s", err->text);
        return EXIT_BAD;
    }
    return written != EXIT_FINE ? written : status;
}

static int take_snapshot(const struct options *options, struct arena *arena)
{
    struct snapshot s = {.lock = -1};
    struct err err = {0};
    if (options->operand_count == 0)
        return options_refuse(&verb_snapshot.usage, "no PID or SESSION to take a snapshot of");
    int status = measurement_check(&s.measurement, options, &verb_snapshot.usage, arena);
    if (status != EXIT_FINE)
        return status;
    if (open_session(&s, &err)) {
        status = write_snapshot(&s, &err);
    } else {
        say("%s", err.text);
        status = err.code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
    }
    if (s.lock >= 0)
        (void)close(s.lock);
    return status;
}

const struct verb verb_snapshot = {
    .usage =
        {.verb = FOR_SNAPSHOT,
         .name = "snapshot",
         .operands = "[OPTION...] PID|SESSION",
         .summary =
             "Writes what a program that runs under 'ilcov run', 'ilcov env' or 'ilcov attach'\n"
             "counted so far, and all others in its session. It does not stop.",
         .notes = "Exit status: 2 usage, 3 nothing instrumented, bad input or unwritable output.\n"
                  "Example: ilcov snapshot --reset -d login.ilcov 4711",
         .operand_max = 1},
    .brief = "write the counts of a running program as a data file",
    .act = take_snapshot,
};

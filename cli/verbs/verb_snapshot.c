/* ilcov snapshot PID|SESSION: the counts of a running program, which does not notice. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/other_process.h"
#include "cli/publish/measurement.h"
#include "cli/verbs/verbs.h"
#include "coverage/session/baseline.h"
#include "system/file.h"
#include "system/folder.h"
#include "system/interruption.h"

struct snapshot_options {
    struct measurement_options measurement;
    bool reset;
};

struct snapshot {
    const char *operand; /* what it is taken of */
    bool reset;
    struct measurement measurement;
    struct baseline next; /* where the next will begin */
    int lock;             /* of a reset, or -1 */
};

/* --- before ----------------------------------------------------------------------------------- */

/* A number is a process ID; a folder with such a name is given as ./4711. */
static bool find_session(char path[PATH_ROOM], const char *operand, struct err *err)
{
    int pid = 0;
    if (process_number(&pid, operand))
        return process_session(path, PATH_ROOM, pid, err);
    return file_real_path(path, operand) ||
           err_set_errno(err, "there is neither a process nor a session %s", operand);
}

/* What is not collected this time stays as it was. */
static bool begin_next(struct snapshot *s, struct arena *arena, struct err *err)
{
    struct measurement *m = &s->measurement;
    if (!baseline_read(&s->next, m->session, arena, err))
        return false;
    uint32_t part = s->next.since != 0 ? run_id_part(s->next.id) : 0;
    s->next.since = (int64_t)time(NULL);
    memcpy(s->next.id, m->config.id, sizeof s->next.id);
    run_id_set(s->next.id, part + 1);
    m->taken = &s->next;
    return true;
}

static bool lock_for_reset(struct snapshot *s, struct err *err)
{
    const struct measurement *m = &s->measurement;
    if (m->config.mode == MODE_HIT)
        return err_set(err, ERR_USAGE,
                       "--reset requires counts, but this session has --mode hit: whether code was "
                       "hit again cannot be seen");
    s->lock = baseline_lock(m->session, err);
    return s->lock >= 0;
}

static bool open_snapshot_session(struct snapshot *s, struct err *err)
{
    struct measurement *m = &s->measurement;
    return find_session(m->session, s->operand, err) &&
           session_config_read(&m->config, m->session, m->arena, err) &&
           (!s->reset || (lock_for_reset(s, err) && begin_next(s, m->arena, err)));
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Nothing is reset that was not written. */
static int write_snapshot(struct snapshot *s, struct err *err)
{
    struct measurement *m = &s->measurement;
    struct collect_result result;
    int status = EXIT_FINE;
    if (!measurement_collect(&result, m, &status)) {
        interruption_end();
        return status;
    }
    int written = measurement_write(m, &result.facts);
    interruption_end();
    if (m->is_unwritten)
        measurement_say_kept(m);
    if (written == EXIT_FINE && s->reset && !baseline_write(&s->next, m->session, m->arena, err))
        return say_error(err);
    return exit_worse(written, status);
}

static int take_snapshot(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct snapshot_options *options = parsed;
    struct snapshot s = {
        .operand = operands->items[0],
        .reset = options->reset,
        .measurement = {.options = &options->measurement,
                        .verb = &verb_snapshot,
                        .arena = arena,
                        .since_reset = true},
        .lock = -1,
    };
    struct err err = {0};
    int status = measurement_check(&s.measurement);
    if (status != EXIT_FINE)
        return status;
    status = open_snapshot_session(&s, &err) ? write_snapshot(&s, &err)
                                             : options_fail(&verb_snapshot, &err);
    (void)file_close(s.lock);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct snapshot_options, field)

static const struct option_row own_rows[] = {
    {.name = "reset",
     .take = option_take_flag,
     .field = AT(reset),
     .help = "start the counts of the next snapshot from this one",
     .more = "The next snapshot is then a run of its own: merged, the two add up. The counters "
             "themselves do not change, so no count is lost, and 'run' and 'collect' still report "
             "everything: merged with snapshots, each hit counts once. Not possible with '--mode "
             "hit', which does not show whether code was hit again. Nothing "
             "is reset unless the data file was written.",
     .cli_only = true},
    {.name = NULL},
};

static const struct help_override overrides[] = {
    {"format",
     "write a report, too (repeatable); default none; 'ilcov report --list-formats' lists all",
     "If FILE is -, it goes to standard output; if it is the file that $GITHUB_STEP_SUMMARY names, "
     "it is appended to it."},
    {NULL, NULL, NULL},
};

static const struct option_group groups[] = {
    {data_rows, AT(measurement), NULL},
    {format_rows, AT(measurement.publish.formats), overrides},
    {source_rows, AT(measurement.publish.sources), NULL},
    {filter_rows, AT(measurement.publish.filter), NULL},
    {exclusion_rows, AT(measurement), NULL},
    {own_rows, 0, NULL},
    {talk_rows, AT(measurement.publish.talk), NULL},
    {NULL, 0, NULL},
};

static bool finish_snapshot(void *parsed, const struct operands *operands,
                            const struct option_context *context, struct err *err)
{
    struct snapshot_options *options = parsed;
    (void)operands;
    return publish_options_finish(&options->measurement.publish, context, err);
}

const struct verb verb_snapshot = {
    .name = "snapshot",
    .brief = "save the counts of a running program as a data file",
    .operands = "[OPTION...] PID|SESSION",
    .summary = "Writes a data file with the counts so far of a program that runs under 'ilcov "
               "run', 'ilcov env' or 'ilcov attach', and of all others in its session. The "
               "programs are not stopped.",
    .exits = "2: wrong usage; 3: nothing instrumented, bad input or unwritable output.",
    .examples = "ilcov snapshot --reset -d login.ilcov 4711",
    .lacks = "no PID or SESSION to take a snapshot of",
    .operand_max = 1,
    .completes = COMPLETE_PROCESS_OR_SESSION,
    .groups = groups,
    .options_size = sizeof(struct snapshot_options),
    .finish = finish_snapshot,
    .act = take_snapshot,
};

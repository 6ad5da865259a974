#include "cli/publish/measurement.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/fnv.h"
#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/environment.h"
#include "cli/process/other_collectors.h"
#include "cli/process/other_profilers.h"
#include "cli/publish/explain.h"
#include "cli/publish/left_out.h"
#include "cli/publish/publish.h"
#include "cli/publish/source_root.h"
#include "cli/publish/test_hosts.h"
#include "coverage/collect/solution.h"
#include "coverage/facts/store.h"
#include "coverage/session/session_directory.h"
#include "coverage/source/paths.h"
#include "reporters/command_name.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/interruption.h"
#include "system/output_path.h"
#include "system/random.h"

enum {
    TRIES_MAX = 10 /* of reading a session between two resets */
};

/* --- before anything is started --------------------------------------------------------------- */

static bool is_clear_of_conflicts(char *const *command)
{
    struct conflicts conflicts;
    struct err err = {0};
    environment_conflicts(&conflicts);
    for (uint32_t i = 0; i < conflicts.count; i++)
        say("%s", conflicts.texts[i]);
    bool allowed = command == NULL || other_profilers_allow(command, &err);
    if (!allowed)
        say("%s", err.text);
    return allowed && conflicts.count == 0;
}

static int check_outputs(struct measurement *m)
{
    const struct publish_options *options = &m->options->publish;
    struct err err = {0};
    if (!output_names_open(&m->before, options, m->arena, &err))
        return say_error(&err);
    if (!store_check_output(options->data, &err)) {
        err_prefix(&err, "%s", options->data);
        return say_error(&err);
    }
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const struct option_format *wanted = &options->formats.items[i];
        if (!format_check(wanted->format, wanted->path, &err)) {
            err_prefix(&err, "%s", destination_name(wanted->path));
            return say_error(&err);
        }
    }
    return EXIT_FINE;
}

static struct session_config config_of(const struct measurement_options *options)
{
    return (struct session_config){
        .mode = options->measure.mode,
        .include = options->measure.include.items,
        .include_count = options->measure.include.count,
        .exclude = options->publish.filter.exclude.items,
        .exclude_count = options->publish.filter.exclude.count,
        .include_tests = options->measure.include_tests,
        .per_test = options->measure.per_test,
        .started =
            options->publish.deterministic ? options->publish.timestamp : (int64_t)time(NULL),
    };
}

/* --deterministic replaces it by one made of what was measured: identify_by_content. */
static bool make_id(struct session_config *config, struct err *err)
{
    if (!random_bytes(config->id, sizeof config->id))
        return err_set_errno(err, "no random number for the run");
    run_id_set(config->id, 0);
    return true;
}

/* Before anything runs, so that a broken one costs no run. */
static int read_named_solution(struct measurement *m)
{
    struct err err = {0};
    struct str path;
    const char *given = m->options->solution;
    if (given == NULL || (source_root_given(&path, given, m->arena, &err) &&
                          solution_read(&m->solution, path.text, m->arena, &err)))
        return EXIT_FINE;
    if (err.code == ERR_USAGE)
        return options_refuse(m->verb, "--solution %s %s", given, err.text);
    err_prefix(&err, "--solution %s", given);
    return say_error(&err);
}

static int check_usage(struct measurement *m)
{
    struct err err = {0};
    if (!paths_root(m->root, m->options->publish.sources.root, &err))
        return options_refuse(m->verb, "%s", err.text);
    const struct publish_options *options = &m->options->publish;
    if (options->gates.base != NULL && same_file(options->gates.base, options->data))
        return options_refuse(m->verb,
                              "--base %s is the data file that would be replaced: name another "
                              "with --data",
                              options->gates.base);
    int status = publish_check(options, m->verb);
    if (status == EXIT_FINE)
        status = publish_check_patch(options, m->verb, str_of(m->root), m->arena);
    return status != EXIT_FINE ? status : read_named_solution(m);
}

int measurement_check(struct measurement *m)
{
    int status = check_usage(m);
    return status != EXIT_FINE ? status : check_outputs(m);
}

int measurement_configure(struct measurement *m)
{
    struct err err = {0};
    m->config = config_of(m->options);
    if (m->config.per_test && m->config.mode == MODE_EXACT)
        return options_refuse(m->verb, "--per-test works with the modes count and hit, not exact");
    if (m->inherits && !is_clear_of_conflicts(m->command))
        return EXIT_USAGE;
    if (environment_library(m->library, &err) && make_id(&m->config, &err))
        return EXIT_FINE;
    return say_error(&err);
}

int measurement_prepare(struct measurement *m)
{
    int status = check_usage(m);
    if (status == EXIT_FINE)
        status = measurement_configure(m);
    if (status == EXIT_FINE)
        status = check_outputs(m);
    if (status == EXIT_FINE && m->inherits)
        other_collectors_say(m->command);
    return status;
}

/* --- what the session holds ------------------------------------------------------------------- */

static bool say_messages(const struct collect_result *result, bool verbose)
{
    bool bad = false;
    for (uint32_t i = 0; i < result->message_count; i++) {
        const struct collect_message *message = &result->messages[i];
        if (message->kind != MESSAGE_NOTE || verbose)
            say("%.*s", STR_ARGS(message->text));
        bad = bad || message->kind == MESSAGE_BAD_INPUT;
    }
    return bad;
}

/* A run of --deterministic has no random id: its id is made of what it measured. Two runs with
 * equal counts are one when merged. The parts of a session that was reset keep theirs, which
 * merging needs: when somebody resets is chance. */
static void identify_by_content(struct facts *facts)
{
    if (facts->run_count > 1)
        return;
    uint64_t low = FNV_START, high = ~FNV_START;
    for (uint32_t i = 0; i < facts->counts_count; i++) {
        const struct fact_counts *counts = &facts->counts[i];
        const struct fact_module *module = &facts->modules[counts->module];
        low = fnv_bytes(low, module->mvid, sizeof module->mvid);
        low = fnv_word(low, module->plan_hash);
        for (uint32_t j = 0; j < module->count_len; j++) {
            low = fnv_word(low, counts->counts[j]);
            high = fnv_word(high, counts->counts[j] ^ low);
        }
    }
    store_u64(facts->runs[0].id, low);
    store_u64(facts->runs[0].id + sizeof low, high);
}

/* Code that they did not hit is unknown. */
static void mark_runs_partial(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        facts->runs[i].kind = RUN_PARTIAL;
}

static bool should_stop(void *context)
{
    (void)context;
    return interruption_signal() != 0;
}

struct collect_options measurement_collect_options(struct measurement *m)
{
    const struct measurement_options *options = m->options;
    return (struct collect_options){
        .root = m->root,
        .root_is_given = options->publish.sources.root != NULL,
        .config = m->config,
        .maps = &options->publish.sources.maps,
        .exclude_files = options->publish.filter.exclude_files.items,
        .exclude_file_count = options->publish.filter.exclude_files.count,
        .exclusions = {.attributes = options->exclusions.attributes.items,
                       .attribute_count = options->exclusions.attributes.count,
                       .auto_properties = options->exclusions.auto_properties},
        .solution = options->solution != NULL ? &m->solution : NULL,
        .baseline = &m->baseline,
        .keeps_before = m->baseline.since != 0 && !m->since_reset,
        .stop = should_stop,
        .progress = progress_line_hook(&m->line),
        .taken = m->taken,
    };
}

static bool collect_facts(struct collect_result *out, const struct session *session,
                          struct measurement *m, struct err *err)
{
    const struct measurement_options *options = m->options;
    const struct collect_options collect_options = measurement_collect_options(m);
    bool ok = collect(out, session, &collect_options, m->arena, err);
    progress_line_erase(&m->line);
    if (!ok)
        return false;
    if (m->since_reset && m->baseline.since != 0 &&
        !facts_begin(&out->facts.runs[0], REASON_RESET, m->baseline.since, m->arena, err))
        return false;
    out->facts.counts_generated = options->publish.filter.include_generated.yes;
    if (options->partial || out->is_stopped)
        mark_runs_partial(&out->facts);
    if (options->publish.deterministic)
        identify_by_content(&out->facts);
    return true;
}

/* Where the counts begin that are collected, and what their run is called. */
static bool read_baseline(struct measurement *m, struct err *err)
{
    if (!baseline_read(&m->baseline, m->session, m->arena, err))
        return false;
    if (m->since_reset && m->baseline.since != 0) {
        memcpy(m->config.id, m->baseline.id, sizeof m->config.id);
        m->config.started = m->baseline.since;
    }
    return true;
}

static bool read_once(struct collect_result *out, struct session *session, struct measurement *m,
                      struct err *err)
{
    return read_baseline(m, err) && session_read(session, m->session, m->arena, err) &&
           collect_facts(out, session, m, err);
}

/* If somebody resets meanwhile, what is read as one part has counts of the next. */
static bool read_between_resets(struct collect_result *out, struct session *session,
                                struct measurement *m, struct err *err)
{
    struct baseline after;
    for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
        if (!read_once(out, session, m, err) || !baseline_read(&after, m->session, m->arena, err))
            return false;
        if (out->is_stopped || memcmp(after.id, m->baseline.id, sizeof after.id) == 0)
            return true;
    }
    return err_set(err, ERR_IO, "session %s keeps being reset: try again", m->session);
}

/* What is missing was not counted. */
static bool mark_partial(struct collect_result *result, uint32_t missing, struct arena *arena,
                         struct err *err)
{
    struct facts *facts = &result->facts;
    struct str what = STR("an assembly was rewritten before it ran");
    if (facts->runs[0].reason != NULL) /* attached, or reset */
        return true;
    mark_runs_partial(facts);
    if (missing != 0 && !text_format(&what, arena, err, "%u test %s did not report", missing,
                                     plural(missing, "host", "hosts")))
        return false;
    const struct reason *reason = reason_new(REASON_INCOMPLETE, what, STR(""), arena, err);
    for (uint32_t i = 0; i < facts->run_count; i++)
        facts->runs[i].reason = reason;
    return reason != NULL;
}

/* Were counts lost to other tools, or because a test host never started? Prints how. */
static bool look_for_missing(bool *is_partial, struct collect_result *result,
                             const struct measurement *m, const struct session *session,
                             struct err *err)
{
    uint32_t missing;
    if (!test_hosts_report(&missing, session, m->command, m->arena, err))
        return false;
    bool is_rewritten = other_profilers_report_rewritten(session, m->command);
    *is_partial = missing != 0 || is_rewritten;
    return !*is_partial || mark_partial(result, missing, m->arena, err);
}

static void explain_emptiness(const struct measurement *m, const struct session *session,
                              bool is_partial)
{
    if (session->process_count == 0 && session->warning_count == 0 && session->loss_count == 0)
        explain_never_loaded(m->library, m->command);
    else
        explain_nothing_instrumented(session, m->command, m->options->publish.talk.verbose,
                                     !is_partial, m->arena);
}

/* From now on a signal is a request to write what has been read; a second ends ilcov at once, which
 * loses nothing, because the session stays. */
static void watch_signals(const struct measurement *m)
{
    char kept[PATH_ROOM], text[2 * PATH_ROOM + 200];
    bool renames = m->owns_session && session_kept_name(kept, m->session);
    const char *name = renames ? kept : m->session;
    (void)snprintf(text, sizeof text,
                   "ilcov: ended at once; the session is kept in %s: '%s collect --remove %s' "
                   "writes its reports\n",
                   name, command_name(), name);
    const struct last_words last = {
        .text = text, .from = renames ? m->session : NULL, .to = renames ? kept : NULL};
    interruption_watch(&last);
}

/* What a partial data file lacks. */
static void note_unread(struct measurement *m, const struct collect_result *result)
{
    char others[64] = "";
    m->is_unwritten = true;
    if (result->unread_count > 1)
        (void)snprintf(others, sizeof others, " and %u more", result->unread_count - 1);
    if (result->unread_count != 0)
        (void)snprintf(m->unread, sizeof m->unread, "%.*s%s ran, but %s not read",
                       STR_ARGS(result->first_unread), others,
                       plural(result->unread_count, "was", "were"));
    else
        (void)snprintf(m->unread, sizeof m->unread,
                       "assemblies that never loaded were not looked for");
}

/* An empty result replaces neither data file nor reports, unless --allow-empty was given. */
bool measurement_collect(struct collect_result *out, struct measurement *m, int *status)
{
    struct err err = {0};
    struct session session;
    *out = (struct collect_result){.message_count = 0};
    *status = EXIT_BAD;
    watch_signals(m);
    progress_line_open(&m->line, m->options->publish.talk.quiet);
    if (!file_exists(m->session)) {
        say("nothing was measured because the session %s was removed during the run", m->session);
        return false;
    }
    if (!read_between_resets(out, &session, m, &err)) {
        m->is_unwritten = true;
        say("%s", err.text);
        return false;
    }
    if (out->is_stopped)
        note_unread(m, out);
    m->is_unread = say_messages(out, m->options->publish.talk.verbose);
    *status = m->is_unread ? EXIT_BAD : EXIT_FINE;
    unmatched_includes_say(m->config.include, m->config.include_count, &out->facts);
    unmatched_attributes_say(&m->options->exclusions.attributes, &out->facts);
    bool is_partial;
    if (!look_for_missing(&is_partial, out, m, &session, &err)) {
        m->is_unwritten = true;
        *status = say_error(&err);
        return false;
    }
    if ((is_partial && !m->options->allow_partial) || m->stops_gates)
        *status = EXIT_BAD;
    m->is_empty = out->instrumented_methods == 0;
    if (!m->is_empty || out->is_stopped)
        return true;
    explain_emptiness(m, &session, is_partial);
    if (m->options->allow_empty)
        return true;
    say("  no file was written");
    *status = EXIT_BAD;
    return false;
}

/* --- the results ------------------------------------------------------------------------------ */

static int write_outputs(struct measurement *m, const struct publish_options *chosen,
                         const struct facts *facts)
{
    struct err err = {0};
    bool is_written = store_write(chosen->data, facts, progress_line_hook(&m->line), &err);
    progress_line_erase(&m->line);
    m->is_unwritten = m->is_unwritten || !is_written;
    if (!is_written) {
        err_prefix(&err, "%s", chosen->data);
        say("%s", err.text);
    }
    int number = interruption_signal();
    if (number != 0 && is_written) {
        say("interrupted by signal %d (%s): %s is %s%s, and no report was written", number,
            strsignal(number), chosen->data,
            m->unread[0] != '\0' ? "partial, because " : "complete", m->unread);
        return EXIT_SIGNAL + number;
    }
    const struct publication publication = {
        .facts = facts,
        .options = chosen,
        .root = str_of(m->root),
        .data = is_written ? chosen->data : NULL,
        .allows_empty = m->options->allow_empty,
        .may_be_empty = m->is_empty,
        .failed = &m->is_unwritten,
        .line = &m->line,
        .arena = m->arena,
    };
    return publish(&publication, is_written ? EXIT_FINE : EXIT_BAD);
}

int measurement_write(struct measurement *m, const struct facts *facts)
{
    struct err err = {0};
    struct publish_options chosen;
    int status = EXIT_BAD, turn = output_names_take_turn();
    if (output_names_choose(&chosen, &m->before, &m->options->publish, m->arena, &err)) {
        status = write_outputs(m, &chosen, facts);
    } else {
        m->is_unwritten = true;
        say("%s", err.text);
    }
    turn_end(turn);
    return status;
}

int measurement_finish(struct measurement *m)
{
    struct collect_result result;
    int status = EXIT_BAD;
    if (measurement_collect(&result, m, &status))
        status = exit_worse(status, measurement_write(m, &result.facts));
    interruption_end();
    return status;
}

void measurement_say_kept(const struct measurement *m)
{
    say("the session is kept in %s: 'ilcov collect --remove %s' writes the rest", m->session,
        m->session);
}

bool measurement_keep_session(struct measurement *m)
{
    if (!m->is_unwritten)
        return false;
    session_keep(m->session);
    measurement_say_kept(m);
    return true;
}

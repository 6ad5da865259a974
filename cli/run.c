#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/path.h"
#include "cli/environment.h"
#include "cli/explain.h"
#include "cli/results.h"
#include "cli/say.h"
#include "cli/target.h"
#include "cli/verbs.h"
#include "coverage/collect.h"
#include "coverage/orphans.h"
#include "coverage/paths.h"
#include "coverage/store.h"

struct run {
    const struct options *options;
    struct arena *arena;
    struct target target;
    char library[PATH_MAX], session[PATH_MAX], root[PATH_MAX];
    int64_t started;
    uint8_t id[16];
    bool is_empty; /* no method was instrumented, and --allow-empty says that this is fine */
};

/* --- before the command runs ------------------------------------------------------------------ */

static bool is_clear_of_conflicts(void)
{
    struct conflicts conflicts;
    environment_conflicts(&conflicts);
    for (uint32_t i = 0; i < conflicts.count; i++)
        say("%s", conflicts.texts[i]);
    return conflicts.count == 0;
}

static bool can_write_outputs(const struct options *options)
{
    struct err err = {0};
    if (!results_can_write(options->data, &err)) {
        say("%s: %s", options->data, err.text);
        return false;
    }
    for (uint32_t i = 0; i < options->format_count; i++) {
        const char *path = options->formats[i].path;
        if (path != NULL && !results_can_write(path, &err)) {
            say("%s: %s", path, err.text);
            return false;
        }
    }
    return true;
}

static bool make_id(struct run *run, struct err *err)
{
    run->started = run->options->deterministic ? run->options->timestamp : (int64_t)time(NULL);
    if (run->options->deterministic) /* identify_by_content makes one */
        return true;
    return getrandom(run->id, sizeof run->id, 0) == (ssize_t)sizeof run->id ||
           err_set_errno(err, "no random number for the run");
}

static struct session_config config_of(const struct options *options)
{
    return (struct session_config){
        .mode = options->mode,
        .include = options->include.items,
        .include_count = options->include.count,
        .exclude = options->exclude.items,
        .exclude_count = options->exclude.count,
        .include_tests = options->include_tests,
        .keep = options->keep_session,
    };
}

static int prepare(struct run *run)
{
    struct err err = {0};
    if (run->options->operand_count == 0)
        return options_refuse(&verb_run.usage, "no COMMAND to run");
    if (!paths_root(run->root, run->options->root, &err))
        return options_refuse(&verb_run.usage, "%s", err.text);
    int fit = results_check_gates(run->options, &verb_run.usage);
    if (fit != EXIT_FINE)
        return fit;
    if (!is_clear_of_conflicts())
        return EXIT_USAGE;
    if (!can_write_outputs(run->options))
        return EXIT_BAD;
    if (!environment_library(run->library, &err) || !make_id(run, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    return EXIT_FINE;
}

/* --- after it has run ------------------------------------------------------------------------- */

static bool say_troubles(const struct collect_result *result, bool verbose)
{
    bool bad = false;
    for (uint32_t i = 0; i < result->trouble_count; i++) {
        const struct collect_trouble *trouble = &result->troubles[i];
        if (trouble->kind != TROUBLE_NOTE || verbose)
            say("%.*s", STR_ARGS(trouble->text));
        bad = bad || trouble->kind == TROUBLE_BAD_INPUT;
    }
    return bad;
}

/* A run of --deterministic has no random id: it is what it measured. Two runs with equal counts are
 * one when merged. */
static void identify_by_content(struct facts *facts)
{
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
    for (uint32_t i = 0; i < facts->run_count; i++) {
        memcpy(facts->runs[i].id, &low, sizeof low);
        memcpy(facts->runs[i].id + sizeof low, &high, sizeof high);
    }
}

static bool is_interrupted(const struct run *run, int *status)
{
    int number = target_interrupted(&run->target);
    if (number == 0)
        return false;
    say("interrupted by signal %d (%s): nothing more is written", number, strsignal(number));
    *status = 128 + number;
    return true;
}

static void fail(int *status, int with)
{
    if (*status < with)
        *status = with;
}

static int write_results(struct run *run, const struct facts *facts)
{
    const struct options *options = run->options;
    struct err err = {0};
    struct results results;
    int status = EXIT_FINE;
    if (!store_write(options->data, facts, &err)) {
        say("%s: %s", options->data, err.text);
        fail(&status, EXIT_BAD);
    }
    if (!results_build(&results, facts, options, str_of(run->root), run->arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    results.may_be_empty = run->is_empty;
    for (uint32_t i = 0; i < options->format_count; i++) {
        if (is_interrupted(run, &status))
            return status;
        if (!results_write(&results, i))
            fail(&status, EXIT_BAD);
    }
    if (options->verbose)
        explain_omissions(facts, &results.report);
    if (!options->quiet && status == EXIT_FINE)
        results_summarise(&results, options->data);
    results_warn(options);
    if (!results_reach_threshold(&results))
        fail(&status, EXIT_THRESHOLD);
    int gates = EXIT_FINE;
    results_test_gates(&gates, &results);
    fail(&status, gates);
    return status;
}

static bool collect_facts(struct run *run, const struct session *session,
                          struct collect_result *result, struct err *err)
{
    const struct options *options = run->options;
    struct collect_options collect_options = {
        .root = run->root,
        .config = config_of(options),
        .exclude_files = options->exclude_files.items,
        .exclude_file_count = options->exclude_files.count,
        .exclusions = {.attributes = options->exclude_attributes.items,
                       .attribute_count = options->exclude_attributes.count,
                       .auto_properties = options->exclude_auto_properties},
        .started = run->started,
    };
    memcpy(collect_options.run_id, run->id, sizeof run->id);
    if (!collect(result, session, &collect_options, run->arena, err))
        return false;
    if (options->partial)
        result->facts.runs[0].kind = RUN_PARTIAL;
    if (options->deterministic)
        identify_by_content(&result->facts);
    return true;
}

/* An empty result replaces neither data file nor reports, unless it was asked for. */
static int finish(struct run *run)
{
    struct err err = {0};
    struct session session;
    struct collect_result result = {.trouble_count = 0};
    int status = EXIT_FINE;
    if (access(run->session, F_OK) != 0) {
        say("nothing was measured, for the session %s was removed during the run", run->session);
        return EXIT_BAD;
    }
    if (!session_read(&session, run->session, run->arena, &err) ||
        !collect_facts(run, &session, &result, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    if (is_interrupted(run, &status))
        return status;
    bool bad = say_troubles(&result, run->options->verbose);
    if (result.instrumented_methods == 0) {
        if (session.process_count == 0 && session.trouble_count == 0 && session.loss_count == 0)
            explain_never_loaded(run->library, run->options->operands);
        else
            explain_nothing_instrumented(&session, run->options->operands, run->options->verbose);
        if (!run->options->allow_empty) {
            say("  no file was written");
            return EXIT_BAD;
        }
        run->is_empty = true;
    }
    status = write_results(run, &result.facts);
    if (bad)
        fail(&status, EXIT_BAD);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The command's own status wins. One that could not be started has measured nothing. */
static int measure(struct run *run)
{
    struct err err = {0};
    int status = EXIT_BAD;
    char **environment = environment_for_target(run->library, run->session, run->arena, &err);
    if (environment == NULL ||
        !target_start(&run->target, run->options->operands, environment, &status, &err)) {
        say("%s", err.text);
        return status;
    }
    status = target_wait(&run->target);
    int own = finish(run);
    return status != EXIT_FINE ? status : own;
}

/* What runs that were killed left where this one has its session. */
static void remove_orphan(void *context, const char *path, pid_t owner, enum session_state state)
{
    const struct run *run = context;
    if (state == SESSION_ORPHANED && session_remove_orphan(path) && !run->options->quiet)
        say("removed the session %s, which a killed run left behind (process %ld)", path,
            (long)owner);
}

static void remove_orphans(struct run *run)
{
    char parent[PATH_MAX];
    struct str dir = path_dir(str_of(run->session));
    (void)snprintf(parent, sizeof parent, "%.*s", STR_ARGS(dir));
    session_visit(parent, remove_orphan, run);
}

static void leave_session(const struct run *run)
{
    struct err err = {0};
    if (run->options->keep_session)
        say("the session is kept in %s", run->session);
    else if (access(run->session, F_OK) == 0 && !session_remove(run->session, &err))
        say("%s", err.text);
}

static int run_command(const struct options *options, struct arena *arena)
{
    struct run run = {.options = options, .arena = arena};
    struct session_config config = config_of(options);
    struct err err = {0};
    int status = prepare(&run);
    if (status != EXIT_FINE)
        return status;
    target_hold(&run.target);
    if (!session_create(run.session, sizeof run.session, options->session_dir, &config, &err)) {
        say("%s", err.text);
        return err.code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
    }
    (void)session_hold(run.session);
    remove_orphans(&run);
    status = measure(&run);
    leave_session(&run);
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

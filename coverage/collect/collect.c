#include "coverage/collect/collect.h"

#include <string.h>

#include "base/path.h"
#include "coverage/collect/collector.h"
#include "coverage/session/test_inputs.h"
#include "coverage/source/paths.h"

/* --- modules that ran ------------------------------------------------------------------------- */

/* The counter files of one module and plan: neighbours, because files are sorted by name. */
struct group {
    const struct session_counters *files;
    uint32_t count;
};

static bool is_of_group(const struct session_counters *a, const struct session_counters *b)
{
    return memcmp(a->mvid, b->mvid, sizeof a->mvid) == 0 && a->plan_hash == b->plan_hash &&
           a->mode == b->mode && a->counter_count == b->counter_count &&
           a->method_count == b->method_count;
}

/* The sum of all files of the group, and the worst of their verdicts. */
static bool sum_group(uint64_t **sums, uint8_t **verdicts, struct collector *c,
                      const struct group *group, struct arena *scratch, struct err *err)
{
    uint32_t methods = group->files[0].method_count;
    *sums = ARENA_NEW(scratch, uint64_t, group->files[0].counter_count, err);
    *verdicts = ARENA_NEW(scratch, uint8_t, methods, err);
    if (*sums == NULL || *verdicts == NULL)
        return false;
    for (uint32_t i = 0; i < group->count; i++) {
        struct err file_err;
        if (!session_add_counts(*sums, &group->files[i], &file_err) &&
            !messages_addf(&c->messages, MESSAGE_BAD_INPUT, err, "counts of %.*s are lost: %s",
                           STR_ARGS(group->files[i].module_name), file_err.text))
            return false;
        for (uint32_t m = 0; m < methods && m < group->files[i].verdicts.len; m++)
            if (verdict_is_worse(group->files[i].verdicts.data[m], (*verdicts)[m]))
                (*verdicts)[m] = group->files[i].verdicts.data[m];
    }
    return true;
}

/* What was counted since the baseline: all of it, if there is none. */
static bool sum_since(uint64_t **since, uint64_t *sums, const struct collector *c,
                      const struct group *group, struct arena *scratch, struct err *err)
{
    uint32_t count = group->files[0].counter_count;
    *since = sums;
    if (c->options->baseline == NULL)
        return true;
    *since = arena_copy(scratch, sums, count, sizeof *sums, err);
    if (*since == NULL)
        return false;
    baseline_subtract(*since, c->options->baseline, group->files);
    return true;
}

static bool any_count(const uint64_t *sums, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (sums[i] != 0)
            return true;
    return false;
}

static bool remember_directory(struct collector *c, struct str path, struct err *err)
{
    struct str dir = path_dir(path);
    const struct str *known = c->directories.items;
    for (uint32_t i = 0; i < c->directories.count && !collector_stops(c); i++)
        if (str_eq(known[i], dir))
            return true;
    return list_put(&c->directories, &dir, sizeof dir, c->arena, err);
}

static bool leave_unread(struct collector *c, const struct group *group, struct err *err)
{
    const struct session_counters *first = group->files;
    if (c->result.unread_count++ == 0)
        c->result.first_unread = first->module_name;
    return collector_add_skipped(c, first->module_name, first->module_path, first->mvid,
                                 reason_of(REASON_INTERRUPTED), err);
}

/* Of the module that was added last. */
static bool add_module_hits(struct collector *c, const struct list *hits, struct err *err)
{
    for (uint32_t i = 0; i < hits->count; i++) {
        struct fact_hits found = ((const struct fact_hits *)hits->items)[i];
        found.module = c->modules.count - 1;
        if (!list_put(&c->hits, &found, sizeof found, c->arena, err))
            return false;
    }
    return true;
}

static bool add_run_counts(struct collector *c, uint32_t run, uint64_t *counts, struct err *err)
{
    const struct fact_counts added = {.run = run, .module = c->modules.count - 1, .counts = counts};
    return list_put(&c->counts, &added, sizeof added, c->arena, err);
}

/* Of the module that was added last. Counts are sums of counters, so those before the baseline are
 * the difference. */
static bool add_module_counts(struct collector *c, uint64_t *counts,
                              const struct module_facts_request *whole, const uint64_t *since,
                              struct err *err)
{
    struct fact_module again;
    uint64_t *later = NULL;
    struct module_facts_request request = *whole;
    if (!add_run_counts(c, 0, counts, err))
        return false;
    if (!c->options->keeps_before)
        return true;
    request.counters = since;
    request.hits = NULL;
    request.inlined = NULL;
    if (!module_facts(&again, &later, &request, c->arena, err))
        return false;
    for (uint32_t i = 0; i < again.count_len; i++)
        counts[i] -= later[i] < counts[i] ? later[i] : counts[i];
    return add_run_counts(c, 1, later, err);
}

/* Beside which file its symbols lie: where it has none, beside the copy. */
static struct str symbols_path(const struct collector *c, const struct module *module,
                               struct str path)
{
    const struct str *copy =
        path_is_absolute(path) ? NULL : session_module_copy(c->session, module->mvid);
    return copy != NULL ? *copy : path;
}

/* `outline`: why no report has the module, whose tests are told apart; or NULL. */
static bool add_instrumented(struct collector *c, const struct group *group, struct module *module,
                             struct str path, const struct reason *outline, struct arena *scratch,
                             struct err *err)
{
    uint64_t *sums = NULL, *since = NULL, *counts = NULL;
    uint8_t *verdicts = NULL;
    const struct reason *reason = NULL;
    if (!sum_group(&sums, &verdicts, c, group, scratch, err) ||
        !sum_since(&since, sums, c, group, scratch, err) ||
        !collector_find_symbols(c, module, symbols_path(c, module, path), &reason, scratch, err))
        return false;
    struct module_facts_request request = collector_request(c, module, path);
    request.mode = group->files[0].mode;
    request.may_change = group->files[0].may_change;
    request.counters = c->options->keeps_before ? sums : since;
    request.counter_count = group->files[0].counter_count;
    request.plan_hash = group->files[0].plan_hash;
    request.verdicts = verdicts;
    request.verdict_count = group->files[0].method_count;
    struct test_hits test_hits;
    if (!test_hits_gather(&test_hits, &c->tests, c->session, group->files, group->count, scratch,
                          err))
        return false;
    request.hits = c->tests.outside != NO_INDEX ? &test_hits : NULL;
    request.declares = request.hits != NULL;
    request.is_outline = outline != NULL;
    request.inlined = &c->inlined;
    struct fact_module facts;
    struct err module_err = {.code = ERR_NONE};
    if (!module_facts(&facts, &counts, &request, c->arena, &module_err)) {
        if (!err_tolerate(err, &module_err))
            return false;
        if (c->result.is_stopped)
            return leave_unread(c, group, err);
        return collector_reason_of(&reason, &module_err, c, err) &&
               collector_add_skipped(c, group->files[0].module_name, path, group->files[0].mvid,
                                     reason, err) &&
               (!any_count(request.counters, request.counter_count) ||
                messages_addf(&c->messages, MESSAGE_BAD_INPUT, err,
                              "%.*s ran, but is not in the report: %s", STR_ARGS(module->name),
                              module_err.text));
    }
    facts.state = outline != NULL ? MODULE_SKIPPED : MODULE_INSTRUMENTED;
    facts.reason = outline != NULL ? outline : reason;
    if (!list_put(&c->modules, &facts, sizeof facts, c->arena, err) ||
        !add_module_hits(c, &test_hits.found, err))
        return false;
    if (outline != NULL)
        return true;
    if (!add_module_counts(c, counts, &request, since, err) ||
        (c->options->taken != NULL &&
         !baseline_put(c->options->taken, group->files, sums, c->arena, err)))
        return false;
    for (uint32_t m = 0; m < request.verdict_count; m++)
        c->result.instrumented_methods += verdict_is_counted(verdicts[m]);
    return true;
}

/* Why a test assembly is left out that has counters only so that its tests are told apart;
 * REASON_NONE: it is reported. */
static enum reason_code why_for_tests_alone(const struct collector *c, const struct module *module,
                                            struct str path)
{
    if (c->tests.outside == NO_INDEX || !scope_has_tests(module))
        return REASON_NONE;
    enum reason_code reason = scope_skip_reason(&c->scope, module, path, c->framework_dir);
    return scope_may_have_contexts(reason) ? reason : REASON_NONE;
}

static bool tell_values_as_tests(struct collector *c, const struct module *module, struct err *err)
{
    return c->tests.outside == NO_INDEX || !scope_has_values_as_tests(module) ||
           messages_addf(&c->messages, MESSAGE_WARNING, err,
                         "hits of the tests of Expecto in %.*s are not attributed to tests: they "
                         "are values, and ilcov recognises methods",
                         STR_ARGS(module->name));
}

static bool collect_group(struct collector *c, const struct group *group, struct err *err)
{
    struct module module;
    struct str path;
    const struct session_counters *first = group->files;
    for (uint32_t i = 0; i < group->count; i++)
        if (!remember_directory(c, group->files[i].module_path, err))
            return false;
    if (!collector_open_counted(&module, &path, c->session, group->files, group->count))
        return collector_add_skipped(c, first->module_name, first->module_path, first->mvid,
                                     reason_of(REASON_FILE_GONE), err) &&
               messages_addf(
                   &c->messages, MESSAGE_BAD_INPUT, err,
                   "%.*s ran, but is not in the report: %.*s is gone or was replaced since",
                   STR_ARGS(first->module_name), STR_ARGS(first->module_path));
    struct arena scratch = ARENA_EMPTY;
    bool ok = session_tests_name(&c->tests, module.mvid, &module.md, c->arena, err);
    enum reason_code reason = why_for_tests_alone(c, &module, path);
    const struct reason *outline = reason != REASON_NONE ? reason_of(reason) : NULL;
    ok = ok && tell_values_as_tests(c, &module, err) &&
         add_instrumented(c, group, &module, path, outline, &scratch, err);
    module_close(&module);
    arena_free(&scratch);
    return ok;
}

static bool collect_groups(struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->counters_count;) {
        struct group group = {&c->session->counters[i], 1};
        progress_at(c->options->progress, "reading counters", i, c->session->counters_count);
        while (i + group.count < c->session->counters_count &&
               is_of_group(group.files, &group.files[group.count]))
            group.count++;
        if (!(collector_stops(c) ? leave_unread(c, &group, err) : collect_group(c, &group, err)))
            return false;
        i += group.count;
    }
    return true;
}

/* --- a machine without sources ---------------------------------------------------------------- */

static bool is_missing(const struct fact_document *document)
{
    return document->relative.len != 0 && reason_is(document->reason, REASON_NO_SOURCE);
}

/* Is any source below the root? */
static bool has_sources(const struct collector *c)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        for (uint32_t d = 0; d < modules[i].document_count && facts_has_code(&modules[i]); d++)
            if (modules[i].documents[d].relative.len != 0 && !is_missing(&modules[i].documents[d]))
                return true;
    return false;
}

/* Is a source that its build mapped there below the root, unchanged? Then so were the others. */
static bool is_mapped_here(const struct fact_module *module)
{
    for (uint32_t i = 0; i < module->document_count; i++) {
        const struct fact_document *document = &module->documents[i];
        if (document->relative.len != 0 && document->reason == NULL && document->hash.len != 0 &&
            str_starts(document->path, "/_/"))
            return true;
    }
    return false;
}

/* Sources that a build named by their path in the repository are reported by that path if there is
 * no source to compare them with, for example when a machine only tests what another one built, or
 * has no generated ones. If other sources are there, an assembly without any belongs to a different
 * project. */
static bool name_missing_sources(struct collector *c, struct err *err)
{
    const struct collect_options *options = c->options;
    struct fact_module *modules = c->modules.items;
    bool any = false;
    bool any_sources = has_sources(c);
    for (uint32_t i = 0; i < c->modules.count; i++) {
        if (!facts_has_code(&modules[i]) || (any_sources && !is_mapped_here(&modules[i])))
            continue;
        for (uint32_t d = 0; d < modules[i].document_count; d++) {
            struct fact_document *document = &modules[i].documents[d];
            if (!is_missing(document) || paths_is_of_package(document->path))
                continue;
            bool excluded = paths_match_any(options->exclude_files, options->exclude_file_count,
                                            document->relative);
            document->reason = excluded ? reason_of(REASON_EXCLUDED_FILE) : NULL;
            any = true;
        }
    }
    return !any || any_sources ||
           messages_addf(
               &c->messages, MESSAGE_WARNING, err,
               "no sources found below %s: files are named by their path in the repository",
               options->root);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The user named the root, and so left these out. */
static void pardon_outside(struct collector *c)
{
    struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count && c->options->root_is_given; i++)
        for (uint32_t d = 0; d < modules[i].document_count; d++) {
            struct fact_document *document = &modules[i].documents[d];
            if (reason_is(document->reason, REASON_OUTSIDE_ROOT) ||
                reason_is(document->reason, REASON_NO_SOURCE))
                document->reason = reason_of(REASON_OUTSIDE_GIVEN_ROOT);
        }
}

/* The last program that was already running when the library was attached; NULL if it was in all of
 * them from the start. */
static const struct session_process *last_attached(const struct session *session)
{
    const struct session_process *last = NULL;
    for (uint32_t i = 0; i < session->process_count; i++) {
        const struct session_process *process = &session->processes[i];
        if (process->declined.code == REASON_NONE &&
            process->attached > (last != NULL ? last->attached : 0))
            last = process;
    }
    return last;
}

static bool mark_attached(struct collector *c, struct fact_run *run, struct err *err)
{
    const struct session_process *last = last_attached(c->session);
    return last == NULL ||
           facts_begin(run, last->is_again ? REASON_ATTACHED_AGAIN : REASON_ATTACHED,
                       last->attached, c->arena, err);
}

/* The first run is what was before the baseline, the second what was since. */
static void split_run(struct facts *facts, const struct baseline *baseline)
{
    struct fact_run *before = &facts->runs[0], *since = &facts->runs[1];
    *since = *before;
    since->started = baseline->since;
    memcpy(since->id, baseline->id, sizeof since->id);
    run_id_set(before->id, RUN_ID_BEFORE | run_id_part(baseline->id));
    facts->run_count = 2;
}

static bool make_run(struct collector *c, struct facts *facts, struct err *err)
{
    facts->runs = ARENA_NEW(c->arena, struct fact_run, 2, err);
    if (facts->runs == NULL)
        return false;
    facts->run_count = 1;
    facts->runs[0] = (struct fact_run){.started = c->options->config.started,
                                       .mode = str_of(mode_name(c->options->config.mode)),
                                       .root = str_of(c->options->root)};
    memcpy(facts->runs[0].id, c->options->config.id, sizeof facts->runs[0].id);
    if (!mark_attached(c, facts->runs, err))
        return false;
    if (c->options->keeps_before)
        split_run(facts, c->options->baseline);
    return true;
}

static bool add_messages(struct collector *c, const struct list *texts,
                         enum collect_message_kind kind, struct err *err)
{
    for (uint32_t i = 0; i < texts->count; i++)
        if (!messages_add(&c->messages, ((struct str *)texts->items)[i], kind, err))
            return false;
    return true;
}

/* What tests hit before a reset can't be taken away from what they hit since. */
static bool name_tests(struct collector *c, struct err *err)
{
    c->tests.outside = NO_INDEX;
    if (c->session->hits_count == 0 || c->options->keeps_before || c->options->baseline == NULL ||
        c->options->baseline->since == 0)
        return session_tests_make(&c->tests, c->session, c->arena, err);
    return messages_add(&c->messages,
                        STR("which test covers what is not recorded: the counts were reset"),
                        MESSAGE_WARNING, err);
}

/* When the first process that loaded a module of the folder began: what was written there later may
 * be the tests'. */
static int64_t first_use_of(const struct session *session, struct str folder)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < session->counters_count; i++) {
        uint32_t process = 0, number = 0;
        if (str_eq(path_dir(session->counters[i].module_path), folder) &&
            test_hits_find(&process, &number, session, &session->counters[i]) &&
            session->hits[process].began != 0 && session->hits[process].began < first)
            first = session->hits[process].began;
    }
    return first;
}

static bool tell_unseen(struct collector *c, struct err *err)
{
    struct list names = {0};
    const struct fact_input *inputs = c->inputs.items;
    for (uint32_t i = 0; i < c->inputs.count; i++) {
        if (!fact_input_is_unseen(&inputs[i]))
            continue;
        struct str *name = list_add(&names, sizeof *name, c->arena, err);
        if (name == NULL || (inputs[i].folder.len != 0
                                 ? !path_join(name, inputs[i].folder, inputs[i].path, c->arena, err)
                                 : !str_copy(name, inputs[i].path, c->arena, err)))
            return false;
    }
    if (names.count == 0)
        return true;
    struct text text = text_in(c->arena);
    text_add_c(&text, "not checked, so 'ilcov affected' will select all tests (a link to somewhere "
                      "else, not readable, or too large): ");
    messages_name(&text, &names);
    return messages_take(&c->messages, &text, MESSAGE_WARNING, err);
}

/* Once all modules are known. */
static bool find_inputs(struct collector *c, struct err *err)
{
    const struct facts facts = {.modules = c->modules.items, .module_count = c->modules.count};
    const struct str *folders = c->directories.items;
    if (c->tests.outside == NO_INDEX)
        return true;
    for (uint32_t i = 0; i < c->directories.count; i++)
        if (folders[i].len != 0 &&
            !test_inputs_add_output(&c->inputs, folders[i], first_use_of(c->session, folders[i]),
                                    &facts, c->arena, err))
            return false;
    return test_inputs_add_sources(&c->inputs, str_of(c->options->root), &facts, c->arena, err) &&
           tell_unseen(c, err);
}

static bool collect_all(struct collector *c, struct facts *facts, struct err *err)
{
    if (!name_tests(c, err) || !collector_make_scope(c, err) || !make_run(c, facts, err) ||
        !collect_groups(c, err) || !processes_collect(c, err) || !inlined_find(c, err) ||
        (c->result.instrumented_methods != 0 && !processes_tell(c, err)))
        return false;
    for (uint32_t i = 0; i < c->directories.count; i++)
        if (!unloaded_collect(c, ((struct str *)c->directories.items)[i], err))
            return false;
    if (c->options->solution != NULL && !unloaded_collect_projects(c, c->options->solution, err))
        return false;
    for (uint32_t i = 0; i < c->session->warning_count; i++)
        if (!messages_add(&c->messages, c->session->warnings[i], MESSAGE_BAD_INPUT, err))
            return false;
    if (!name_missing_sources(c, err) || !collector_tell_believed(c, err))
        return false;
    pardon_outside(c);
    return find_inputs(c, err) && add_messages(c, &c->warnings, MESSAGE_WARNING, err) &&
           add_messages(c, &c->notes, MESSAGE_NOTE, err);
}

bool collect(struct collect_result *out, const struct session *session,
             const struct collect_options *options, struct arena *arena, struct err *err)
{
    struct collector c = {.session = session,
                          .options = options,
                          .messages = {.arena = arena},
                          .inlined = {.arena = arena},
                          .arena = arena};
    packages_init(&c.packages);
    bool ok = collect_all(&c, &c.result.facts, err);
    struct facts *facts = &c.result.facts;
    packages_close(&c.packages);
    facts->modules = c.modules.items;
    facts->module_count = c.modules.count;
    for (uint32_t i = 0; i < c.modules.count; i++)
        facts->modules[i].seen = options->config.started;
    facts->counts = c.counts.items;
    facts->counts_count = c.counts.count;
    facts->tests = c.tests.tests.items;
    facts->test_count = c.tests.tests.count;
    facts->hits = c.hits.items;
    facts->hits_count = c.hits.count;
    facts->inputs = c.inputs.items;
    facts->input_count = c.inputs.count;
    facts->processes = c.processes.items;
    facts->process_count = c.processes.count;
    c.result.messages = c.messages.list.items;
    c.result.message_count = c.messages.list.count;
    *out = c.result;
    return ok && facts_sort(&out->facts, arena, err);
}

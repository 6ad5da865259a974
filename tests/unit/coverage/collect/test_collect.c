/* test_collect.c - what a run left becomes facts: each count where it belongs, nothing twice, and
 * whatever is missing or does not fit is told and not counted. */
#include "coverage/collect/collect.h"

#include <stdio.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "tests/support/check.h"
#include "tests/support/measured_app.h"

enum {
    MVID_DIGITS = 32,
    LAST_COUNT = 4 /* of App.dll's last counter, that of its last method */
};

static struct measured_app measured;

static int set_up(void **state)
{
    (void)state;
    measured_app_open(&measured);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    measured_app_close(&measured);
    return 0;
}

static struct collect_options plain_options(void)
{
    return (struct collect_options){.root = measured.root,
                                    .config = {.mode = MODE_COUNT, .started = 1}};
}

static struct collect_result collected(const struct collect_options *options)
{
    struct session session;
    struct collect_result result;
    struct err err;
    assert_true(session_read(&session, measured.session.folder, &measured.app.arena, &err));
    assert_true(collect(&result, &session, options, &measured.app.arena, &err));
    return result;
}

static struct collect_result collected_plainly(void)
{
    struct collect_options options = plain_options();
    return collected(&options);
}

static const struct fact_module *module_of(const struct collect_result *result, const char *name)
{
    for (uint32_t i = 0; i < result->facts.module_count; i++)
        if (str_is(result->facts.modules[i].name, name))
            return &result->facts.modules[i];
    fail_msg("%s is not among the modules", name);
    return NULL;
}

/* The only vector is that of App.dll. */
static const uint64_t *counts_of_app(const struct collect_result *result)
{
    assert_int_equal(result->facts.counts_count, 1);
    assert_ptr_equal(&result->facts.modules[result->facts.counts[0].module],
                     module_of(result, "App"));
    return result->facts.counts[0].counts;
}

static uint64_t last_method_count(const struct collect_result *result)
{
    const struct fact_module *app = module_of(result, "App");
    return counts_of_app(result)[app->methods[app->method_count - 1].entry_count];
}

static unsigned messages_like(const struct collect_result *result, enum collect_message_kind kind,
                              const char *part)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < result->message_count; i++) {
        struct str text = result->messages[i].text;
        count += result->messages[i].kind == kind &&
                 memmem(text.text, text.len, part, strlen(part)) != NULL;
    }
    return count;
}

static unsigned bad_inputs(const struct collect_result *result)
{
    return messages_like(result, MESSAGE_BAD_INPUT, "");
}

/* The counter file, to be changed. */
static uint8_t *counter_file(struct str *file)
{
    *file =
        temporary_read(&measured.session, temporary_path(&measured.session, measured.counts_name));
    uint8_t *copy = malloc(file->len);
    assert_non_null(copy);
    memcpy(copy, file->text, file->len);
    return copy;
}

static void remove_from(struct temporary *folder, const char *name)
{
    assert_int_equal(unlink(temporary_path(folder, name)), 0);
}

/* --- what ran --------------------------------------------------------------------------------- */

static void each_count_is_where_it_belongs(void **state)
{
    struct collect_result result = collected_plainly();
    const struct fact_module *app = module_of(&result, "App");
    const uint64_t *counts = counts_of_app(&result);
    (void)state;
    assert_int_equal(app->state, MODULE_INSTRUMENTED);
    assert_int_equal(app->statement_count, 4);
    assert_int_equal(app->decision_count, 1);
    const struct fact_method *method = &app->methods[app->statements[0].method];
    const struct fact_decision *decision = &app->decisions[0];
    assert_int_equal(app->statements[0].start_line, 10);
    assert_int_equal(counts[app->statements[0].count], counts[method->entry_count]);
    assert_int_equal(decision->line, 10);
    assert_int_equal(decision->outcome_count, 2);
    /* it is left one way or the other, as often as it began */
    assert_int_equal(counts[decision->first_count] + counts[decision->first_count + 1],
                     counts[method->entry_count]);
    assert_int_equal(app->statements[3].start_line, 20); /* of the last method */
    assert_int_equal(counts[app->statements[3].count], LAST_COUNT);
    assert_int_equal(bad_inputs(&result), 0);
}

static void counter_files_of_one_module_add_up(void **state)
{
    struct str file;
    uint8_t *bytes = counter_file(&file);
    char name[sizeof measured.counts_name];
    (void)state;
    (void)snprintf(name, sizeof name, "%.*s-1" SESSION_COUNTS,
                   (int)(strlen(measured.counts_name) - strlen("-0" SESSION_COUNTS)),
                   measured.counts_name);
    (void)temporary_file(&measured.session, name, bytes, file.len);
    free(bytes);
    struct collect_result result = collected_plainly();
    assert_int_equal(last_method_count(&result), 2 * LAST_COUNT);
    assert_int_equal(result.instrumented_methods, MEASURED_METHODS - 1);
}

static void what_counted_before_a_snapshot_does_not_count_again(void **state)
{
    struct baseline none = {.since = 0}, taken = {.since = 0}, again = {.since = 0};
    struct collect_options options = plain_options();
    (void)state;
    options.baseline = &none;
    options.taken = &taken;
    struct collect_result first = collected(&options);
    assert_int_equal(last_method_count(&first), LAST_COUNT);
    options.baseline = &taken;
    options.taken = &again;
    struct collect_result second = collected(&options);
    const uint64_t *counts = counts_of_app(&second);
    for (uint32_t i = 0; i < module_of(&second, "App")->count_len; i++)
        assert_int_equal(counts[i], 0);
}

/* As many as ran before as since, and one more. */
static void halve(struct baseline *baseline)
{
    struct baseline_group *groups = baseline->groups.items;
    for (uint32_t i = 0; i < baseline->groups.count; i++) {
        uint64_t *sums = malloc(groups[i].count * sizeof *sums);
        assert_non_null(sums);
        for (uint32_t k = 0; k < groups[i].count; k++)
            sums[k] = groups[i].sums[k] / 2;
        groups[i].sums = sums;
    }
}

static void what_counted_before_a_reset_and_since_are_two_runs(void **state)
{
    struct baseline taken = {.since = 0};
    struct collect_options options = plain_options();
    (void)state;
    options.baseline = &(struct baseline){.since = 0};
    options.taken = &taken;
    struct collect_result whole = collected(&options);
    const uint64_t *all = counts_of_app(&whole);
    halve(&taken);
    taken.since = INT64_MAX / 2;
    memcpy(taken.id, options.config.id, sizeof taken.id);
    run_id_set(taken.id, 3);
    options = plain_options();
    options.baseline = &taken;
    options.keeps_before = true;
    struct collect_result result = collected(&options);
    free((void *)(uintptr_t)((struct baseline_group *)taken.groups.items)->sums);
    const struct fact_run *runs = result.facts.runs;
    const struct fact_counts *counts = result.facts.counts;
    assert_int_equal(result.facts.run_count, 2);
    assert_int_equal(result.facts.counts_count, 2);
    assert_memory_equal(runs[1].id, taken.id, sizeof taken.id);
    assert_true(run_id_contains(runs[0].id, options.config.id));
    assert_false(run_id_contains(runs[0].id, runs[1].id));
    uint64_t before = 0, since = 0;
    for (uint32_t i = 0; i < module_of(&result, "App")->count_len; i++) {
        assert_int_equal(counts[0].counts[i] + counts[1].counts[i], all[i]);
        before += counts[0].counts[i];
        since += counts[1].counts[i];
    }
    assert_true(before != 0 && since != 0);
    assert_int_equal(result.instrumented_methods, whole.instrumented_methods);
}

static void copy_in_the_session_stands_in_for_a_module_that_is_gone(void **state)
{
    char name[MVID_DIGITS + sizeof SESSION_MODULE];
    struct str dll = temporary_read(&measured.app, temporary_path(&measured.app, "App.dll"));
    (void)state;
    (void)snprintf(name, sizeof name, "%.*s" SESSION_MODULE, MVID_DIGITS, measured.counts_name);
    (void)temporary_file(&measured.session, name, dll.text, dll.len);
    remove_from(&measured.app, "App.dll");
    struct collect_result result = collected_plainly();
    assert_int_equal(module_of(&result, "App")->state, MODULE_INSTRUMENTED);
    assert_int_equal(last_method_count(&result), LAST_COUNT);
    assert_int_equal(bad_inputs(&result), 0);
}

/* There may be thousands of copies: to open them all for each module would take minutes. */
static void no_other_copy_is_opened(void **state)
{
    struct str dll = temporary_read(&measured.app, temporary_path(&measured.app, "App.dll"));
    (void)state;
    (void)temporary_file(&measured.session, "0123456789abcdef0123456789abcdef" SESSION_MODULE,
                         dll.text, dll.len);
    remove_from(&measured.app, "App.dll");
    struct collect_result result = collected_plainly();
    assert_int_equal(module_of(&result, "App")->state, MODULE_SKIPPED);
}

/* --- what can't be counted -------------------------------------------------------------------- */

static void module_that_is_gone_is_skipped_and_reported(void **state)
{
    (void)state;
    remove_from(&measured.app, "App.dll");
    struct collect_result result = collected_plainly();
    assert_int_equal(module_of(&result, "App")->state, MODULE_SKIPPED);
    assert_int_equal(result.facts.counts_count, 0);
    assert_int_equal(messages_like(&result, MESSAGE_BAD_INPUT, "App.dll"), 1);
}

/* The counter file is that of another plan. */
static struct collect_result collected_with_other_plan(bool ran)
{
    struct str file;
    uint8_t *bytes = counter_file(&file);
    char name[sizeof measured.counts_name];
    uint64_t hash = load_u64(bytes + COUNTERS_AT_PLAN_HASH) + 1;
    size_t shards = (size_t)load_u64(bytes + COUNTERS_AT_SHARDS);
    store_u64(bytes + COUNTERS_AT_PLAN_HASH, hash);
    if (!ran)
        memset(bytes + shards, 0, file.len - shards);
    (void)snprintf(name, sizeof name, "%.*s-%016llx-0" SESSION_COUNTS, MVID_DIGITS,
                   measured.counts_name, (unsigned long long)hash);
    remove_from(&measured.session, measured.counts_name);
    (void)temporary_file(&measured.session, name, bytes, file.len);
    free(bytes);
    return collected_plainly();
}

static void counts_of_another_plan_are_not_believed(void **state)
{
    (void)state;
    struct collect_result result = collected_with_other_plan(true);
    assert_int_equal(module_of(&result, "App")->state, MODULE_SKIPPED);
    assert_int_equal(result.facts.counts_count, 0);
    assert_int_equal(messages_like(&result, MESSAGE_BAD_INPUT, "App ran"), 1);
}

static void another_plan_that_counted_nothing_is_not_a_loss(void **state)
{
    (void)state;
    struct collect_result result = collected_with_other_plan(false);
    assert_int_equal(module_of(&result, "App")->state, MODULE_SKIPPED);
    assert_int_equal(bad_inputs(&result), 0);
}

static void counter_file_that_is_gone_is_reported(void **state)
{
    (void)state;
    remove_from(&measured.session, measured.counts_name);
    struct collect_result result = collected_plainly();
    assert_int_equal(result.facts.counts_count, 0);
    assert_int_equal(messages_like(&result, MESSAGE_BAD_INPUT, "the counts of App are lost"), 1);
}

/* --- what did not run ------------------------------------------------------------------------- */

static void module_beside_one_that_ran_counts_as_not_hit(void **state)
{
    struct collect_result result = collected_plainly();
    const struct fact_module *other = module_of(&result, "Other");
    (void)state;
    assert_int_equal(other->state, MODULE_NOT_LOADED);
    assert_int_equal(other->statement_count, 4);
    (void)counts_of_app(&result); /* the other has none */
}

static void copy_of_a_measured_module_is_not_listed_again(void **state)
{
    struct str dll = temporary_read(&measured.app, temporary_path(&measured.app, "App.dll"));
    (void)state;
    (void)temporary_file(&measured.app, "Copy.dll", dll.text, dll.len);
    struct collect_result result = collected_plainly();
    unsigned listed = 0;
    for (uint32_t i = 0; i < result.facts.module_count; i++)
        listed += str_is(result.facts.modules[i].name, "App");
    assert_int_equal(listed, 1);
}

static void file_that_only_claims_to_be_a_module_is_reported(void **state)
{
    struct str dll = temporary_read(&measured.app, temporary_path(&measured.app, "Other.dll"));
    (void)state;
    (void)temporary_file(&measured.app, "Cut.dll", dll.text, dll.len / 2);
    struct collect_result result = collected_plainly();
    assert_int_equal(module_of(&result, "Cut.dll")->state, MODULE_SKIPPED);
    assert_int_equal(bad_inputs(&result), 1);
    assert_int_equal(messages_like(&result, MESSAGE_BAD_INPUT, "Cut.dll"), 1);
}

/* --- processes -------------------------------------------------------------------------------- */

static void sentence_of_several_processes_is_printed_once(void **state)
{
    static const char record[] = "ilcov-process\t0\nprogram\t/app/tool\nruntime\t10.0.0\t/net\n"
                                 "trouble\tthe disk is full\n";
    (void)state;
    (void)temporary_file(&measured.session, "process-3-4", record, sizeof record - 1);
    (void)temporary_file(&measured.session, "process-5-6", record, sizeof record - 1);
    struct collect_result result = collected_plainly();
    assert_int_equal(result.facts.process_count, 3);
    assert_int_equal(messages_like(&result, MESSAGE_LOSS, "the disk is full"), 1);
}

static void module_that_several_processes_skipped_is_listed_once(void **state)
{
    static const char record[] = "ilcov-process\t0\nprogram\t/app/tool\nruntime\t10.0.0\t/net\n"
                                 "skipped\tLib\t/app/Lib.dll\t13\t\n";
    (void)state;
    (void)temporary_file(&measured.session, "process-3-4", record, sizeof record - 1);
    struct collect_result result = collected_plainly();
    assert_int_equal(module_of(&result, "Lib")->state, MODULE_SKIPPED);
    assert_int_equal(result.facts.module_count, 3); /* with App and Other */
}

/* Processes share for the same reasons and for others: one line has each once, and is no loss. */
static void threads_that_shared_counters_are_one_line(void **state)
{
    static const char first[] = "ilcov-process\t0\nprogram\t/app/tool\n"
                                "sharing\t46\tBig\nsharing\t45\t\nsharing\t46\tBigger\n",
                      second[] = "ilcov-process\t0\nprogram\t/app/tool\n"
                                 "sharing\t42\t192\nsharing\t46\tBig\n";
    (void)state;
    struct collect_result result = collected_plainly();
    assert_int_equal(messages_like(&result, MESSAGE_WARNING, "share"), 0);
    (void)temporary_file(&measured.session, "process-3-4", first, sizeof first - 1);
    (void)temporary_file(&measured.session, "process-5-6", second, sizeof second - 1);
    result = collected_plainly();
    assert_int_equal(messages_like(&result, MESSAGE_WARNING, "share"), 1);
    assert_int_equal(
        messages_like(
            &result, MESSAGE_WARNING,
            "because they had to share counters: more than 192 threads ran at once; there was no "
            "room for more counters; Big has too many counters for a set per thread; Bigger has "
            "too many counters for a set per thread (hit or not hit is exact)"),
        1);
    assert_int_equal(messages_like(&result, MESSAGE_LOSS, ""), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static unsigned questions; /* until the collection is asked to stop */

static bool stop_after_questions(void *context)
{
    (void)context;
    return questions == 0 || --questions == 0;
}

/* Wherever it stops, what was read is whole and what was not is named. */
static void collection_that_stops_has_what_it_read(void **state)
{
    struct collect_options options = plain_options();
    struct collect_result whole = collected(&options);
    bool reached_end = false, some_unread = false;
    (void)state;
    options.stop = stop_after_questions;
    assert_false(whole.is_stopped);
    for (unsigned i = 1; !reached_end; i++) {
        struct err err = {0};
        questions = i;
        struct collect_result result = collected(&options);
        reached_end = !result.is_stopped;
        assert_true(facts_check(&result.facts, &err));
        const struct fact_module *app = module_of(&result, "App");
        if (app->state == MODULE_SKIPPED) {
            assert_true(reason_is(app->reason, REASON_INTERRUPTED));
            assert_int_not_equal(result.unread_count, 0);
            some_unread = true;
        } else {
            assert_int_equal(app->statement_count, module_of(&whole, "App")->statement_count);
        }
    }
    assert_true(some_unread);
}

static const struct CMUnitTest tests[] = {
    TEST(each_count_is_where_it_belongs),
    TEST(counter_files_of_one_module_add_up),
    TEST(what_counted_before_a_snapshot_does_not_count_again),
    TEST(what_counted_before_a_reset_and_since_are_two_runs),
    TEST(copy_in_the_session_stands_in_for_a_module_that_is_gone),
    TEST(no_other_copy_is_opened),
    TEST(module_that_is_gone_is_skipped_and_reported),
    TEST(counts_of_another_plan_are_not_believed),
    TEST(another_plan_that_counted_nothing_is_not_a_loss),
    TEST(counter_file_that_is_gone_is_reported),
    TEST(module_beside_one_that_ran_counts_as_not_hit),
    TEST(copy_of_a_measured_module_is_not_listed_again),
    TEST(file_that_only_claims_to_be_a_module_is_reported),
    TEST(sentence_of_several_processes_is_printed_once),
    TEST(module_that_several_processes_skipped_is_listed_once),
    TEST(threads_that_shared_counters_are_one_line),
    TEST(collection_that_stops_has_what_it_read),
};
UNIT_TESTS(tests);

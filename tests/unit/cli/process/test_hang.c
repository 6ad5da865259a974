/* test_hang.c - what is new, what is not, and what becomes of a process that shows nothing new. */
#include "cli/process/hang.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "cli/process/other_process.h"
#include "contract/session_format.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* --- what is new ------------------------------------------------------------------------------ */

enum {
    SHARDS = 2,
    COUNTERS = 4
};

/* Hits, a byte each, the shards one behind the other. */
static struct session_counters counters_in(struct temporary *t, const char *name,
                                           const char hits[SHARDS * COUNTERS + 1])
{
    uint8_t data[SHARDS * COUNTERS];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = hits[i] != '0';
    return (struct session_counters){
        .file = str_of(temporary_file(t, name, data, sizeof data)),
        .mode = MODE_HIT,
        .shard_count = SHARDS,
        .counter_count = COUNTERS,
        .shard_stride = COUNTERS,
    };
}

static const struct {
    const char *name, *first, *second; /* of one plan */
    uint64_t counters;
} counts[] = {
    {"nothing ran", "00000000", "00000000", 0},
    {"each counter once", "10000100", "00000000", 2},
    {"another shard is nothing new", "10001000", "00000000", 1},
    {"another process is nothing new", "10000000", "10001000", 1},
    {"what only the other ran is", "10000000", "01001000", 2},
    {"everything", "11110000", "00001111", 4},
};

static void new_is_a_counter_that_was_zero_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        struct temporary t;
        struct hang_progress progress;
        temporary_open(&t);
        struct session_counters files[] = {
            counters_in(&t, "0", counts[i].first), counters_in(&t, "1", counts[i].second),
            counters_in(&t, "2", "01000000"), /* another plan */
        };
        files[2].plan_hash = 1;
        struct session session = {.counters = files, .counters_count = ARRAY_LEN(files)};
        assert_true(hang_measure(&progress, &session, &t.arena, NULL));
        if (progress.counters != counts[i].counters + 1)
            fail_msg("%s: %llu", counts[i].name, (unsigned long long)progress.counters);
        temporary_close(&t);
    }
}

static void records_that_grow_are_new(void **state)
{
    (void)state;
    struct temporary t;
    struct hang_progress progress;
    uint64_t before = 0;
    temporary_open(&t);
    struct session_process processes[2] = {{.pid = 1}, {.pid = 2}};
    struct session session = {.processes = processes};
    for (unsigned step = 0; step < 5; step++) {
        session.process_count = step == 0 ? 1 : 2;
        processes[0].instrumented_count = step >= 2;
        processes[1].skip_count = step >= 3;
        processes[0].warning_count = step >= 4;
        assert_true(hang_measure(&progress, &session, &t.arena, NULL));
        assert_true(progress.lines > before);
        before = progress.lines;
    }
    temporary_close(&t);
}

/* --- who hangs -------------------------------------------------------------------------------- */

struct watched {
    struct temporary session;
    struct hang hang;
    pid_t child;
    char record[PROCESS_RECORD_ROOM];
    int saved; /* standard error */
    const char *said;
};

static void record(struct watched *w, const char *lines)
{
    struct process process;
    assert_true(process_read(&process, w->child, &w->session.arena, NULL));
    process_record_name(w->record, &process);
    (void)temporary_file(&w->session, w->record, lines, strlen(lines));
}

/* A child that waits, and does not mind SIGTERM if it is `deaf`. */
static void begin(struct watched *w, uint32_t limit_ms, bool kills, bool deaf, const char *lines)
{
    int ends[2];
    char ready = 0;
    temporary_open(&w->session);
    assert_int_equal(pipe(ends), 0);
    w->child = fork();
    if (w->child == 0) {
        (void)signal(SIGTERM, deaf ? SIG_IGN : SIG_DFL);
        (void)!write(ends[1], &ready, 1);
        for (;;)
            (void)pause();
    }
    assert_true(w->child > 0);
    assert_int_equal(read(ends[0], &ready, 1), 1);
    (void)close(ends[0]);
    (void)close(ends[1]);
    record(w, lines);
    hang_open(&w->hang, w->session.folder, STR("/"), limit_ms, kills, &w->session.arena);
    w->said = temporary_path(&w->session, "said");
    w->saved = temporary_redirect(STDERR_FILENO, w->said);
}

static void look_for(struct watched *w, uint32_t ms)
{
    for (uint32_t past = 0; past < ms; past += 50) {
        (void)w->hang.watch.look(w->hang.watch.context, w->child);
        (void)usleep(50 * 1000);
    }
}

static unsigned said(struct watched *w, const char *what)
{
    unsigned times = 0;
    struct str text = temporary_read(&w->session, w->said);
    for (const char *at = strstr(text.text, what); at != NULL; at = strstr(at + 1, what))
        times++;
    return times;
}

/* The child's wait status, when it was not ended already. */
static int end(struct watched *w)
{
    int status = 0;
    temporary_restore(STDERR_FILENO, w->saved);
    (void)kill(w->child, SIGKILL);
    assert_int_equal(waitpid(w->child, &status, 0), w->child);
    temporary_close(&w->session);
    return status;
}

#define STARTING                                                                                   \
    "ilcov-process\t0.1.0\nprogram\t/x/App.dll\n"                                                  \
    "skipped\tSystem.Private.CoreLib\t/x/System.Private.CoreLib.dll\t30\t\n"
#define MEASURED STARTING "skipped\tApp\t/x/App.dll\t15\t\n"

/* No test is as slow: what is over before it has passed by the clock has not passed. */
enum {
    LONG_MS = 1000 * 1000
};
#define LONG_TOLD "no new coverage for 1000 s"

static void process_that_runs_nothing_new_is_reported_once(void **state)
{
    (void)state;
    struct watched w;
    begin(&w, LONG_MS, false, false, MEASURED);
    look_for(&w, 150);
    assert_int_equal(said(&w, LONG_TOLD), 0);
    w.hang.since_ms -= LONG_MS;
    look_for(&w, 150);
    assert_int_equal(said(&w, LONG_TOLD), 1);
    w.hang.since_ms -= LONG_MS;
    look_for(&w, 150);
    assert_int_equal(said(&w, LONG_TOLD), 1);
    record(&w, MEASURED "skipped\tA\t/x/A.dll\t15\t\n");
    look_for(&w, 150);
    assert_int_equal(said(&w, LONG_TOLD), 1);
    w.hang.since_ms -= LONG_MS;
    look_for(&w, 150);
    assert_int_equal(said(&w, LONG_TOLD), 2);
    int status = end(&w);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

#define MVID             "0102030405060708090a0b0c0d0e0f10"
#define CONTEXT(n, kind) "owner\t" n "\t" kind "\t" MVID "\t2\tN.Tests" n "\n"

/* Of test 1 one row is over, of test 2 nothing; 3 is a class; 4 is another process's. */
static void tests_that_have_begun_and_not_ended_are_named(void **state)
{
    (void)state;
    struct watched w;
    struct str hits, other = STR("hits-1-1");
    begin(&w, LONG_MS, false, false, MEASURED "skipped\txunit.core\t/x/xunit.core.dll\t29\t\n");
    look_for(&w, 100);
    w.hang.since_ms -= LONG_MS;
    look_for(&w, 100);
    assert_int_equal(said(&w, "with --per-test, tests that have started but not ended"), 1);
    assert_true(text_format(&hits, &w.session.arena, NULL, SESSION_HITS "%s",
                            w.record + strlen(SESSION_PROCESS)));
    static const char lines[] =
        CONTEXT("1", "0") CONTEXT("2", "0") CONTEXT("3", "1") "over\t1\t5\t1\t1\n",
                      others[] =
                          CONTEXT("1", "0") CONTEXT("2", "1") CONTEXT("3", "1") CONTEXT("4", "0");
    (void)temporary_file(&w.session, hits.text, lines, sizeof lines - 1);
    (void)temporary_file(&w.session, other.text, others, sizeof others - 1);
    record(&w, MEASURED "skipped\tA\t/x/A.dll\t15\t\nskipped\tB\t/x/B.dll\t15\t\n");
    look_for(&w, 100);
    w.hang.since_ms -= LONG_MS;
    look_for(&w, 100);
    assert_int_equal(said(&w, "these tests have started but not ended:\n   at N.Tests2.?()\n"), 1);
    assert_int_equal(said(&w, "   at N."), 1);
    assert_int_equal(said(&w, "with --per-test"), 1);
    (void)end(&w);
}

static void who_is_not_measured_does_not_hang(void **state)
{
    (void)state;
    struct watched w;
    begin(&w, 100, true, false, MEASURED "declined\t3\t\n");
    look_for(&w, 500);
    assert_int_equal(said(&w, "no new coverage"), 0);
    (void)end(&w);
}

static void runtime_that_starts_does_not_hang(void **state)
{
    (void)state;
    struct watched w;
    begin(&w, 100, true, false, STARTING);
    look_for(&w, 500);
    assert_int_equal(said(&w, "no new coverage"), 0);
    w.hang.start_ms = 0; /* but for one that never comes to its end */
    look_for(&w, 500);
    assert_int_equal(said(&w, "no new coverage"), 1);
    int status = end(&w);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void record_of_an_earlier_process_is_ignored(void **state)
{
    (void)state;
    struct watched w;
    char earlier[PROCESS_RECORD_ROOM];
    begin(&w, 100, true, false, MEASURED);
    (void)snprintf(earlier, sizeof earlier, SESSION_PROCESS "%ld-1", (long)w.child);
    assert_int_equal(
        rename(temporary_path(&w.session, w.record), temporary_path(&w.session, earlier)), 0);
    look_for(&w, 500);
    assert_int_equal(said(&w, "no new coverage"), 0);
    (void)end(&w);
}

static void who_hangs_is_ended_if_asked(void **state)
{
    (void)state;
    struct watched w;
    begin(&w, 100, true, false, MEASURED);
    look_for(&w, 500);
    assert_int_equal(said(&w, "is terminated because it hangs"), 1);
    assert_int_equal(said(&w, "is killed"), 0);
    int status = end(&w);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void who_stays_is_killed(void **state)
{
    (void)state;
    struct watched w;
    begin(&w, 100, true, true, MEASURED);
    look_for(&w, 500);
    assert_int_equal(said(&w, "is killed"), 0);
    w.hang.since_ms -= HANG_TERM_MS;
    look_for(&w, 100);
    assert_int_equal(said(&w, "is killed"), 1);
    assert_int_equal(waitpid(w.child, NULL, 0), w.child);
    assert_int_equal(w.hang.state, HANG_KILLED);
    w.child = fork(); /* the command stays, too */
    if (w.child == 0)
        for (;;)
            (void)pause();
    look_for(&w, 100);
    assert_int_equal(said(&w, "the command (process"), 0);
    w.hang.since_ms -= HANG_COMMAND_MS;
    look_for(&w, 100);
    assert_int_equal(said(&w, "the command (process"), 1);
    (void)end(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(new_is_a_counter_that_was_zero_everywhere),
    cmocka_unit_test(records_that_grow_are_new),
    cmocka_unit_test(process_that_runs_nothing_new_is_reported_once),
    cmocka_unit_test(tests_that_have_begun_and_not_ended_are_named),
    cmocka_unit_test(who_is_not_measured_does_not_hang),
    cmocka_unit_test(runtime_that_starts_does_not_hang),
    cmocka_unit_test(record_of_an_earlier_process_is_ignored),
    cmocka_unit_test(who_hangs_is_ended_if_asked),
    cmocka_unit_test(who_stays_is_killed),
};
UNIT_TESTS(tests);

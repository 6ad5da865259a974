/* test_command.c - a command is started, waited for, and gets the signals that are meant for it,
 * once. */
#include "system/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "system/clock.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* --- the command ------------------------------------------------------------------------------ */

static int run_watched(const char *const *words, struct command_watch *watches)
{
    char *argv[8] = {NULL};
    int status = -1;
    for (size_t i = 0; words[i] != NULL; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    command_hold_signals();
    int command = command_start(argv, environ);
    if (command > 0)
        status = command_wait(command, watches);
    assert_int_equal(command_signal(), 0);
    assert_int_equal(command_interrupted(), 0);
    command_release_signals();
    return status;
}

static int run_to_end(const char *const *words)
{
    return run_watched(words, NULL);
}

static int run_shell(const char *script)
{
    return run_to_end((const char *const[]){"sh", "-c", script, NULL});
}

static void status_of_the_command_is_kept(void **state)
{
    (void)state;
    assert_int_equal(run_shell("exit 0"), 0);
    assert_int_equal(run_shell("exit 1"), 1);
    assert_int_equal(run_shell("exit 255"), 255);
    assert_int_equal(run_shell("kill -9 $$"), 128 + SIGKILL);
    assert_int_equal(run_shell("kill -15 $$"), 128 + SIGTERM);
    assert_int_equal(command_ended_by(), SIGTERM);
    assert_int_equal(run_shell("exit 143"), 143);
    assert_int_equal(command_ended_by(), 0);
    assert_int_equal(run_shell("sleep 60 & exit 4"),
                     4); /* what it leaves behind is not waited for */
}

struct looks {
    struct temporary t;
    unsigned count;
};

/* At the third look it makes the file that the command waits for. */
static uint32_t count_looks(void *context, pid_t command)
{
    struct looks *looks = context;
    assert_true(command > 0);
    if (++looks->count == 3)
        (void)temporary_file(&looks->t, "seen", "", 0);
    return 100;
}

static void watched_command_is_looked_at_and_keeps_its_status(void **state)
{
    (void)state;
    struct looks looks = {.count = 0};
    temporary_open(&looks.t);
    struct command_watch watch = {.look = count_looks, .context = &looks};
    const char *const words[] = {
        "sh", "-c", "(sleep 0.02; sleep 0.02) & while [ ! -e \"$0\" ]; do sleep 0.02; done; exit 7",
        temporary_path(&looks.t, "seen"), NULL};
    int64_t start = clock_ms();
    assert_int_equal(run_watched(words, &watch), 7);
    int64_t took = clock_ms() - start;
    /* At once, then every 100 ms, whatever signals come. */
    assert_in_range(looks.count, 3, (uint64_t)took / 100 + 1);
    temporary_close(&looks.t);
}

static void command_that_cannot_be_started_has_a_reason(void **state)
{
    (void)state;
    char *nothing[] = {(char *)(uintptr_t) "/nonexistent/x", NULL};
    char *folder[] = {(char *)(uintptr_t) "/", NULL};
    assert_int_equal(command_start(nothing, environ), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(command_start(folder, environ), -1);
    assert_int_equal(errno, EACCES);
}

/* What the program blocks and ignores for itself is not inherited: many programs never look. */
static void command_gets_its_signals_back(void **state)
{
    (void)state;
    char line[256], expected[512] = "";
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0)
            (void)strcat(expected, line);
    }
    (void)fclose(file);
    expected[strlen(expected) - 1] = '\0';
    (void)setenv("EXPECTED", expected, 1);
    assert_int_equal(
        run_shell("test \"$(grep -E '^Sig(Blk|Ign)' /proc/self/status)\" = \"$EXPECTED\""), 0);
}

/* --- signals: a child runs a command that counts what comes ----------------------- */

enum {
    COUNT_BASE = 40
};

static volatile sig_atomic_t signal_count;

static void count_signal(int number)
{
    (void)number;
    signal_count++;
}

static void sleep_ms(long ms)
{
    struct timespec left = {.tv_nsec = ms * 1000000};
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* This very program as the command: its status is COUNT_BASE + n. It ends a while after the first
 * signal, or after it was told to; in between a second one would come. A shell would not do: it
 * takes two for one. */
static int count_signals(char *const *arguments)
{
    const char *ready = arguments[0];
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    char end[512];
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)signal(numbers[i], count_signal);
    (void)snprintf(end, sizeof end, "%s.end", ready);
    (void)close(open(ready, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (unsigned i = 0; i < 1000 && signal_count == 0 && access(end, F_OK) != 0; i++)
        sleep_ms(10);
    sleep_ms(200);
    return COUNT_BASE + (int)signal_count;
}

/* In the child: `terminal`, if not NULL, becomes that of its session. */
static void become_runner(const char *ready, const char *terminal)
{
    char self[PATH_ROOM] = ""; /* by its name: under valgrind /proc/self/exe is valgrind */
    char *argv[] = {self, (char *)(uintptr_t) "--as", (char *)(uintptr_t) "count-signals",
                    (char *)(uintptr_t)ready, NULL};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        _exit(97);
    (void)setsid();
    if (terminal != NULL && open(terminal, O_RDWR) < 0)
        _exit(98);
    command_hold_signals();
    int command = command_start(argv, environ);
    _exit(command > 0 ? command_wait(command, NULL) : 99);
}

static void wait_for_file(const char *path)
{
    for (unsigned i = 0; i < 1000 && access(path, F_OK) != 0; i++)
        sleep_ms(10);
    assert_int_equal(access(path, F_OK), 0);
}

static int end_of(pid_t runner)
{
    int status = 0;
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static pid_t start_counting(struct temporary *t, const char *terminal)
{
    const char *ready = temporary_path(t, "ready");
    (void)unlink(ready);
    pid_t runner = fork();
    assert_true(runner >= 0);
    if (runner == 0)
        become_runner(ready, terminal);
    wait_for_file(ready);
    return runner;
}

static void signal_sent_to_the_program_alone_reaches_the_command(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    struct temporary t;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        pid_t runner = start_counting(&t, NULL);
        assert_int_equal(kill(runner, numbers[i]), 0);
        assert_int_equal(end_of(runner), COUNT_BASE + 1);
    }
    temporary_close(&t);
}

/* The terminal sends it to both: twice would make some commands give up what they were ending in
 * order. */
static void key_at_the_terminal_reaches_the_command_once(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    pid_t runner = start_counting(&t, ptsname(terminal));
    assert_int_equal(write(terminal, "\x03", 1), 1);
    assert_int_equal(end_of(runner), COUNT_BASE + 1);
    (void)close(terminal);
    temporary_close(&t);
}

static void ignored_signal_stays_ignored(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    (void)signal(SIGHUP, SIG_IGN);
    pid_t runner = start_counting(&t, NULL);
    assert_int_equal(kill(runner, SIGHUP), 0);
    (void)temporary_file(&t, "ready.end", "", 0);
    assert_int_equal(end_of(runner), COUNT_BASE);
    (void)signal(SIGHUP, SIG_DFL);
    temporary_close(&t);
}

static void signal_after_the_end_is_reported(void **state)
{
    (void)state;
    pid_t runner = fork();
    assert_true(runner >= 0);
    if (runner == 0) {
        command_hold_signals();
        bool quiet = command_signal() == 0;
        (void)raise(SIGTERM);
        _exit(quiet && command_signal() == SIGTERM ? 0 : 1);
    }
    assert_int_equal(end_of(runner), 0);
}

/* Under nohup, or started by a script with '&', some are ignored, and would stay so. */
static int take_signals_as_usual(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)signal(numbers[i], SIG_DFL);
    (void)state;
    return 0;
}

UNIT_ROLE("count-signals", count_signals);

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(status_of_the_command_is_kept),
    cmocka_unit_test(watched_command_is_looked_at_and_keeps_its_status),
    cmocka_unit_test(command_that_cannot_be_started_has_a_reason),
    cmocka_unit_test(command_gets_its_signals_back),
    cmocka_unit_test(signal_sent_to_the_program_alone_reaches_the_command),
    cmocka_unit_test(key_at_the_terminal_reaches_the_command_once),
    cmocka_unit_test(ignored_signal_stays_ignored),
    cmocka_unit_test(signal_after_the_end_is_reported),
};
UNIT_TESTS_WITH(tests, take_signals_as_usual, NULL);

#include "system/process_status.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/check.h"

static void process_itself_is_there(void **state)
{
    struct process_stat self, same;
    (void)state;
    assert_true(process_stat_read(&self, PROCESS_SELF));
    assert_true(process_stat_read(&same, getpid()));
    assert_true(self.start_ticks == same.start_ticks && self.start_ticks != 0);
    assert_false(process_stat_has_ended(&self));
}

static void age_grows_from_the_start(void **state)
{
    struct process_stat self, later;
    (void)state;
    assert_true(process_stat_read(&self, PROCESS_SELF));
    double before = process_stat_age(&self);
    assert_true(before > -1 && before < 3600);
    (void)usleep(20000);
    assert_true(process_stat_age(&self) >= before + 0.02);
    later = self;
    later.start_ticks += (unsigned long long)sysconf(_SC_CLK_TCK);
    assert_true(process_stat_age(&later) < process_stat_age(&self) - 0.5);
}

static void start_stays_the_same_as_time_goes_by(void **state)
{
    struct process_stat self;
    (void)state;
    assert_true(process_stat_read(&self, PROCESS_SELF));
    int64_t started = process_stat_started(&self), now = (int64_t)time(NULL);
    assert_true(started <= now + 1 && started > now - 3600);
    for (int i = 0; i < 110; i++) { /* over a second, so that each fraction of one comes */
        (void)usleep(10000);
        assert_int_equal(process_stat_started(&self), started);
    }
}

/* A child that waits to be ended, with a name that looks like the fields behind it. */
static pid_t start_child(const char *name)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_NAME, name);
        (void)!write(ready[1], &byte, 1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return child;
}

static void name_may_hold_anything(void **state)
{
    (void)state;
    for (const char *const *name = (const char *const[]){"a) Z 1 1 (b", ") X", "x y z", NULL};
         *name != NULL; name++) {
        struct process_stat self, stat;
        pid_t child = start_child(*name);
        assert_true(process_stat_read(&self, PROCESS_SELF));
        assert_true(process_stat_read(&stat, child));
        assert_false(process_stat_has_ended(&stat));
        assert_true(stat.start_ticks >= self.start_ticks);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
}

static void one_that_ended_is_distinguished_from_none(void **state)
{
    struct process_stat stat;
    siginfo_t info;
    (void)state;
    pid_t child = start_child("child");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_true(process_stat_read(&stat, child));
    assert_true(process_stat_has_ended(&stat));
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_false(process_stat_read(&stat, child));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(process_itself_is_there),
    cmocka_unit_test(age_grows_from_the_start),
    cmocka_unit_test(start_stays_the_same_as_time_goes_by),
    cmocka_unit_test(name_may_hold_anything),
    cmocka_unit_test(one_that_ended_is_distinguished_from_none),
};
UNIT_TESTS(tests);

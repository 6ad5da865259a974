/* test_listener.c - who listens in a folder is reached there, by this user, and not blocked. */
#include "system/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    LIMIT_MS = 10000
};

struct both {
    struct temporary files;
    int folder, listener;
    struct peer peer;
    struct err err;
};

static int set_up(void **state)
{
    static struct both b;
    temporary_open(&b.files);
    (void)temporary_file(&b.files, "socket", "stale", 5);
    b.folder = file_open(b.files.folder, FILE_PLACE | FILE_FOLDER);
    b.listener = listener_open(b.folder, "socket", 2);
    *state = &b;
    return b.listener > STDERR_FILENO ? 0 : -1;
}

static int tear_down(void **state)
{
    struct both *b = *state;
    (void)file_close(b->listener);
    (void)file_close(b->folder);
    temporary_close(&b->files);
    return 0;
}

static int accept_peer(struct both *b)
{
    int connection = -1;
    assert_true(peer_open(&b->peer, b->folder, "socket", "socket", LIMIT_MS, &b->err));
    assert_int_equal(listener_accept(&connection, b->listener), LISTENER_ACCEPTED);
    return connection;
}

static void listener_replaces_a_stale_file_and_is_its_users(void **state)
{
    struct both *b = *state;
    struct stat status;
    assert_int_equal(stat(temporary_path(&b->files, "socket"), &status), 0);
    assert_true(S_ISSOCK(status.st_mode));
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(fcntl(b->listener, F_GETFD), FD_CLOEXEC);
}

static void both_ends_hear_each_other(void **state)
{
    struct both *b = *state;
    char text[8];
    size_t len = 0;
    int connection = accept_peer(b);
    assert_true(connection_is_own(connection));
    assert_int_equal(b->peer.pid, getpid());
    assert_true(connection_limit(connection, LIMIT_MS, LIMIT_MS));
    assert_true(peer_send(&b->peer, (struct view){(const uint8_t *)"ask", 3}));
    assert_int_equal(connection_receive(connection, text, sizeof text), 3);
    assert_memory_equal(text, "ask", 3);
    assert_true(connection_send(connection, "answer", 6));
    assert_true(file_close(connection));
    assert_true(peer_receive(&len, &b->peer, text, sizeof text));
    assert_int_equal(len, 6);
    assert_memory_equal(text, "answer", 6);
    assert_true(peer_receive(&len, &b->peer, text, sizeof text));
    assert_int_equal(len, 0);
    peer_close(&b->peer);
}

static void silent_peer_is_waited_for_no_longer_than_allowed(void **state)
{
    struct both *b = *state;
    static char much[1 << 20];
    char text[8];
    int connection = accept_peer(b);
    assert_true(connection_limit(connection, 20, 20));
    assert_int_equal(connection_receive(connection, text, sizeof text), -1);
    assert_int_equal(errno, EAGAIN);
    assert_false(connection_send(connection, much, sizeof much));
    assert_true(file_close(connection));
    peer_close(&b->peer);
}

static void peer_that_went_away_ends_nothing(void **state)
{
    struct both *b = *state;
    char text[8];
    int connection = accept_peer(b);
    peer_close(&b->peer);
    assert_int_equal(connection_receive(connection, text, sizeof text), 0);
    assert_false(connection_send(connection, "x", 1));
    assert_int_equal(errno, EPIPE);
    assert_true(file_close(connection));
}

static void full_process_is_told_from_a_broken_listener(void **state)
{
    struct both *b = *state;
    struct rlimit before, limit;
    int connection = 0;
    assert_true(peer_open(&b->peer, b->folder, "socket", "socket", LIMIT_MS, &b->err));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    enum listener_accepted full = listener_accept(&connection, b->listener);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(full, LISTENER_FULL);
    assert_int_equal(connection, -1);
    /* Under memcheck the one that was refused is gone, and nobody else would be there to accept. */
    struct peer another;
    assert_true(peer_open(&another, b->folder, "socket", "socket", LIMIT_MS, &b->err));
    assert_int_equal(listener_accept(&connection, b->listener), LISTENER_ACCEPTED);
    assert_true(file_close(connection));
    assert_int_equal(listener_accept(&connection, b->folder), LISTENER_FAILED);
    peer_close(&another);
    peer_close(&b->peer);
}

static void listener_needs_a_place(void **state)
{
    struct both *b = *state;
    assert_int_equal(listener_open(b->folder, "none/socket", 1), -1);
    assert_int_equal(errno, ENOENT);
}

static void full_process_is_why_there_is_no_listener(void **state)
{
    struct both *b = *state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    int listener = listener_open(b->folder, "another", 1);
    int why = errno;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(listener, -1);
    assert_int_equal(why, EMFILE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(listener_replaces_a_stale_file_and_is_its_users, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(both_ends_hear_each_other, set_up, tear_down),
    cmocka_unit_test_setup_teardown(silent_peer_is_waited_for_no_longer_than_allowed, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(peer_that_went_away_ends_nothing, set_up, tear_down),
    cmocka_unit_test_setup_teardown(full_process_is_told_from_a_broken_listener, set_up, tear_down),
    cmocka_unit_test_setup_teardown(listener_needs_a_place, set_up, tear_down),
    cmocka_unit_test_setup_teardown(full_process_is_why_there_is_no_listener, set_up, tear_down),
};
UNIT_TESTS(tests);

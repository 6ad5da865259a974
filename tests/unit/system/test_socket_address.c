/* test_socket_address.c - sockets in folders whose path is longer than an address, and names that
 * do not fit into one. */
#include "system/socket.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    SOCKET_PATH_ROOM = sizeof((struct sockaddr_un *)NULL)->sun_path,
    TIME_MS = 10000,
};

static void socket_in_a_deep_folder_is_reached(void **state)
{
    struct temporary t;
    struct peer peer;
    struct stat status;
    struct err err;
    char name[SOCKET_PATH_ROOM + 1];
    (void)state;
    temporary_open(&t);
    memset(name, 'd', SOCKET_PATH_ROOM);
    name[SOCKET_PATH_ROOM] = '\0';
    const char *path = temporary_path(&t, name);
    assert_int_equal(mkdir(path, 0700), 0);
    int folder = file_open(path, FILE_PLACE | FILE_FOLDER);
    int listener = listener_open(folder, "name", 1);
    assert_true(listener >= 0);
    assert_int_equal(fstatat(folder, "name", &status, AT_SYMLINK_NOFOLLOW), 0);
    assert_true(S_ISSOCK(status.st_mode));
    assert_true(peer_open(&peer, folder, "name", "socket", TIME_MS, &err));
    assert_int_equal(peer.pid, getpid());
    peer_close(&peer);
    (void)file_close(listener);
    assert_int_equal(unlinkat(folder, "name", 0), 0);
    (void)file_close(folder);
    assert_int_equal(rmdir(path), 0);
    temporary_close(&t);
}

static bool fits(int folder, const char *name)
{
    int listener = listener_open(folder, name, 1);
    (void)file_close(listener);
    return listener >= 0 && unlinkat(folder, name, 0) == 0;
}

/* The longest that fits, with its NUL, and one byte more. */
static void name_that_does_not_fit_is_refused(void **state)
{
    struct temporary t;
    char start[SOCKET_PATH_ROOM], name[SOCKET_PATH_ROOM + 1];
    (void)state;
    temporary_open(&t);
    memset(name, 'n', sizeof name);
    name[SOCKET_PATH_ROOM] = '\0';
    memcpy(name, temporary_path(&t, "/"), strlen(temporary_path(&t, "/")));
    assert_false(fits(FILE_HERE, name));
    name[SOCKET_PATH_ROOM - 1] = '\0';
    assert_true(fits(FILE_HERE, name));
    int folder = file_open(t.folder, FILE_PLACE | FILE_FOLDER);
    memset(name, 'n', sizeof name - 1);
    (void)snprintf(start, sizeof start, "/proc/self/fd/%d/", folder);
    name[SOCKET_PATH_ROOM - strlen(start)] = '\0';
    assert_false(fits(folder, name));
    name[SOCKET_PATH_ROOM - strlen(start) - 1] = '\0';
    assert_true(fits(folder, name));
    (void)file_close(folder);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(socket_in_a_deep_folder_is_reached),
    cmocka_unit_test(name_that_does_not_fit_is_refused),
};
UNIT_TESTS(tests);

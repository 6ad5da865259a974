/* test_socket_address.c - sockets in folders whose path is longer than an address. */
#include "system/local/socket_address.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    SOCKET_PATH_ROOM = sizeof((struct sockaddr_un *)NULL)->sun_path
};

static void socket_in_a_deep_folder_is_reached(void **state)
{
    struct temporary t;
    struct sockaddr_un address;
    struct stat status;
    char name[SOCKET_PATH_ROOM + 1];
    (void)state;
    temporary_open(&t);
    memset(name, 'd', SOCKET_PATH_ROOM);
    name[SOCKET_PATH_ROOM] = '\0';
    const char *path = temporary_path(&t, name);
    assert_int_equal(mkdir(path, 0700), 0);
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(socket_address_at(&address, folder, "name"));
    assert_int_equal(bind(server, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(fstatat(folder, "name", &status, AT_SYMLINK_NOFOLLOW), 0);
    assert_true(S_ISSOCK(status.st_mode));
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
    (void)close(client);
    (void)close(server);
    assert_int_equal(unlinkat(folder, "name", 0), 0);
    (void)close(folder);
    assert_int_equal(rmdir(path), 0);
    temporary_close(&t);
}

static void current_folder_needs_no_descriptor(void **state)
{
    struct sockaddr_un address;
    (void)state;
    assert_true(socket_address_at(&address, AT_FDCWD, "/some/name"));
    assert_int_equal(address.sun_family, AF_UNIX);
    assert_string_equal(address.sun_path, "/some/name");
}

/* The longest that fits, with its NUL, and one byte more. */
static void name_that_does_not_fit_is_refused(void **state)
{
    struct sockaddr_un address;
    char name[SOCKET_PATH_ROOM + 1];
    (void)state;
    memset(name, 'n', sizeof name);
    name[SOCKET_PATH_ROOM] = '\0';
    assert_false(socket_address_at(&address, AT_FDCWD, name));
    name[SOCKET_PATH_ROOM - 1] = '\0';
    assert_true(socket_address_at(&address, AT_FDCWD, name));
    assert_false(socket_address_at(&address, 3, name));
    name[SOCKET_PATH_ROOM - sizeof "/proc/self/fd/3/"] = '\0';
    assert_true(socket_address_at(&address, 3, name));
    assert_false(socket_address_at(&address, 33, name));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(socket_in_a_deep_folder_is_reached),
    cmocka_unit_test(current_folder_needs_no_descriptor),
    cmocka_unit_test(name_that_does_not_fit_is_refused),
};
UNIT_TESTS(tests);

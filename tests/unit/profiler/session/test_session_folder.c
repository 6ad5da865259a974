/* test_session_folder.c - a session that is another's, or that others may write, is not used; what
 * lies in it is ours alone, made anew, and no link. */
#include "profiler/session/session_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "profiler/session/config.h"
#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    NOBODY = 65534
};

struct fixture {
    struct temporary session;
    struct folder folder;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    temporary_open(&f->session);
    folder_open(&f->folder, f->session.folder);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    folder_close(&f->folder);
    temporary_close(&f->session);
    free(f);
    return 0;
}

/* Does it give a descriptor? Closes it. */
static bool opens(struct fixture *f, const char *name, unsigned use)
{
    int fd = folder_file(&f->folder, name, use);
    if (fd >= 0)
        (void)close(fd);
    return fd >= 0;
}

static void files_are_made_once_and_for_their_owner(void **state)
{
    struct fixture *f = *state;
    struct stat st;
    assert_false(opens(f, "a", FILE_READ | FILE_WRITE));
    assert_true(opens(f, "a", FILE_READ | FILE_WRITE | FILE_NEW));
    assert_int_equal(stat(temporary_path(&f->session, "a"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_false(opens(f, "a", FILE_READ | FILE_WRITE | FILE_NEW));
    assert_true(opens(f, "a", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_true(opens(f, "a", FILE_READ | FILE_WRITE));
}

static void session_that_others_may_write_is_not_used(void **state)
{
    static const mode_t modes[] = {0720, 0702, 01777};
    struct fixture *f = *state;
    (void)temporary_file(&f->session, "there", "", 0);
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        struct err err = {0};
        assert_int_equal(chmod(f->session.folder, modes[i]), 0);
        assert_failed(folder_check(&f->folder, &err), err, ERR_IO);
        assert_non_null(strstr(err.text, "is writable by other users"));
        assert_false(opens(f, "there", FILE_READ | FILE_WRITE));
        assert_false(opens(f, "new", FILE_READ | FILE_WRITE | FILE_MAKE));
    }
    assert_int_equal(temporary_count(&f->session), 1);
}

static void session_of_another_user_is_not_used(void **state)
{
    struct fixture *f = *state;
    struct err err = {0};
    if (geteuid() != 0)
        skip();
    (void)temporary_file(&f->session, "there", "", 0);
    assert_int_equal(chown(f->session.folder, NOBODY, NOBODY), 0);
    assert_failed(folder_check(&f->folder, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "belongs to user 65534, this process to user 0"));
    assert_false(opens(f, "there", FILE_READ | FILE_WRITE));
    assert_false(opens(f, "new", FILE_READ | FILE_WRITE | FILE_MAKE));
}

static void files_that_are_not_private_are_not_opened(void **state)
{
    struct fixture *f = *state;
    const char *path = temporary_file(&f->session, "a", "", 0);
    assert_true(opens(f, "a", FILE_READ | FILE_WRITE));
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(opens(f, "a", FILE_READ | FILE_WRITE));
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(symlink(path, temporary_path(&f->session, "link")), 0);
    assert_false(opens(f, "link", FILE_READ | FILE_WRITE));
    assert_false(opens(f, "link", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_int_equal(link(path, temporary_path(&f->session, "second")), 0);
    assert_false(opens(f, "a", FILE_READ | FILE_WRITE));
    assert_int_equal(mkfifo(temporary_path(&f->session, "pipe"), 0600), 0);
    assert_false(opens(f, "pipe", FILE_READ | FILE_WRITE));
    assert_false(opens(f, "pipe", FILE_READ));
    if (geteuid() == 0) {
        assert_int_equal(chown(temporary_file(&f->session, "b", "", 0), NOBODY, 0), 0);
        assert_false(opens(f, "b", FILE_READ | FILE_WRITE));
    }
}

/* Another directory lies at the path since, and the descriptor is lost: it is not the session. */
static void another_directory_at_the_path_is_not_the_session(void **state)
{
    struct fixture *f = *state;
    char moved[300];
    (void)snprintf(moved, sizeof moved, "%s.moved", f->session.folder);
    assert_int_equal(close(f->folder.directory.fd), 0);
    assert_true(opens(f, "a", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_int_equal(rename(f->session.folder, moved), 0);
    assert_false(opens(f, "b", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_int_equal(mkdir(f->session.folder, 0700), 0);
    assert_false(opens(f, "b", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_int_equal(rmdir(f->session.folder), 0);
    assert_int_equal(symlink(moved, f->session.folder), 0);
    assert_false(opens(f, "b", FILE_READ | FILE_WRITE | FILE_MAKE));
    assert_int_equal(unlink(f->session.folder), 0);
    assert_int_equal(rename(moved, f->session.folder), 0);
    assert_int_equal(temporary_count(&f->session), 1);
}

static void config_is_read_only_when_nobody_else_may_write_it(void **state)
{
    static const char text[] = "version=1\nmode=hit\n";
    struct fixture *f = *state;
    struct config config;
    struct err err = {0};
    const char *path = temporary_file(&f->session, SESSION_CONFIG, text, strlen(text));
    assert_true(config_read(&config, &f->folder, &f->session.arena, &err));
    assert_int_equal(config.mode, MODE_HIT);
    assert_int_equal(chmod(path, 0602), 0);
    assert_failed(config_read(&config, &f->folder, &f->session.arena, &err), err, ERR_IO);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(chmod(f->session.folder, 0770), 0);
    assert_failed(config_read(&config, &f->folder, &f->session.arena, &err), err, ERR_IO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(files_are_made_once_and_for_their_owner),
    TEST(session_that_others_may_write_is_not_used),
    TEST(session_of_another_user_is_not_used),
    TEST(files_that_are_not_private_are_not_opened),
    TEST(another_directory_at_the_path_is_not_the_session),
    TEST(config_is_read_only_when_nobody_else_may_write_it),
};
UNIT_TESTS(tests);

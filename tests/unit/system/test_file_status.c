/* test_file_status.c - what the system says about files is told as it is; a file is known again. */
#include "system/file_status.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/file.h"
#include "system/user.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static int set_up(void **state)
{
    static struct temporary t;
    temporary_open(&t);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    temporary_close(*state);
    return 0;
}

static void file_has_size_owner_mode_and_names(void **state)
{
    const char *path = temporary_file(*state, "a", "12345", 5);
    struct file_status status;
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(link(path, temporary_path(*state, "b")), 0);
    assert_true(file_status_read(&status, path));
    assert_int_equal(status.kind, FILE_IS_REGULAR);
    assert_int_equal(status.size, 5);
    assert_int_equal(status.owner, user_self());
    assert_int_equal(status.mode, 0640);
    assert_int_equal(status.links, 2);
    assert_true(status.written > 1000000000LL * 1000000000);
}

/* Such times are beyond what 64 bits of nanoseconds hold; file systems may keep nearer ones. */
static void no_time_is_too_far_away_to_be_ordered(void **state)
{
    static const struct timespec far[][2] = {{{.tv_sec = 253370764800}, {.tv_sec = 253370764800}},
                                             {{.tv_sec = -62135596800}, {.tv_sec = -62135596800}}};
    const char *path = temporary_file(*state, "far", "", 0);
    struct file_status now, later, earlier;
    assert_true(file_status_read(&now, path));
    assert_int_equal(utimensat(AT_FDCWD, path, far[0], 0), 0);
    assert_true(file_status_read(&later, path));
    assert_int_equal(utimensat(AT_FDCWD, path, far[1], 0), 0);
    assert_true(file_status_read(&earlier, path));
    assert_true(earlier.written < now.written && now.written < later.written);
}

static void kinds_are_told_apart(void **state)
{
    struct temporary *t = *state;
    const char *link_path = temporary_path(t, "link"), *pipe_path = temporary_path(t, "pipe");
    struct file_status status;
    (void)temporary_file(t, "a", "", 0);
    assert_int_equal(symlink("a", link_path), 0);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_true(file_status_read(&status, t->folder) && status.kind == FILE_IS_FOLDER);
    assert_true(file_status_read(&status, link_path) && status.kind == FILE_IS_REGULAR);
    assert_true(file_status_itself(&status, link_path) && status.kind == FILE_IS_LINK);
    assert_true(file_status_read(&status, pipe_path) && status.kind == FILE_IS_OTHER);
    int folder = file_open(t->folder, FILE_PLACE | FILE_FOLDER);
    assert_true(file_status_in(&status, folder, "link") && status.kind == FILE_IS_LINK);
    assert_true(file_close(folder));
    assert_true(file_is_folder(t->folder) && !file_is_regular(t->folder));
    assert_true(file_is_regular(link_path) && !file_is_folder(link_path));
}

static void missing_file_has_no_status(void **state)
{
    struct file_status status;
    const char *path = temporary_path(*state, "none");
    assert_false(file_status_read(&status, path));
    assert_int_equal(errno, ENOENT);
    assert_false(file_status_itself(&status, path));
    assert_false(file_status_open(&status, -1));
    assert_int_equal(errno, EBADF);
    assert_false(file_is_folder(path) || file_is_regular(path));
}

static void others_write_where_their_bits_say_so(void **state)
{
    static const uint32_t modes[] = {0600, 0755, 0620, 0602};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        const struct file_status status = {.mode = modes[i]};
        assert_int_equal(file_status_others_write(&status), i >= 2);
    }
}

static void open_file_is_known_by_its_identity(void **state)
{
    const char *path = temporary_file(*state, "a", "", 0);
    struct file_identity identity, other;
    int file = file_open(path, FILE_READ);
    assert_true(file_identity_open(&identity, file));
    assert_true(file_identity_is_open(&identity, file));
    assert_false(file_identity_is_open(&identity, -1));
    int another = file_open(temporary_file(*state, "b", "", 0), FILE_READ);
    assert_false(file_identity_is_open(&identity, another));
    assert_true(file_identity_open(&other, another));
    assert_false(file_identity_is(&identity, &other));
    assert_int_equal(file_identity_demand(&identity, file), file);
    assert_int_equal(file_identity_demand(&identity, another), -1);
    assert_int_equal(errno, ESTALE);
    assert_false(file_identity_open(&other, another)); /* it was closed */
    assert_int_equal(other.file, 0);
    errno = ENOENT;
    assert_int_equal(file_identity_demand(&identity, -1), -1);
    assert_int_equal(errno, ENOENT);
    assert_true(file_close(file));
}

static void root_is_a_file_like_others(void **state)
{
    struct file_identity root, again;
    int file = file_open("/", FILE_PLACE);
    (void)state;
    assert_true(file_identity_root(&root) && file_identity_open(&again, file));
    assert_true(file_identity_is(&root, &again));
    assert_true(file_close(file));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(file_has_size_owner_mode_and_names, set_up, tear_down),
    cmocka_unit_test_setup_teardown(no_time_is_too_far_away_to_be_ordered, set_up, tear_down),
    cmocka_unit_test_setup_teardown(kinds_are_told_apart, set_up, tear_down),
    cmocka_unit_test_setup_teardown(missing_file_has_no_status, set_up, tear_down),
    cmocka_unit_test(others_write_where_their_bits_say_so),
    cmocka_unit_test_setup_teardown(open_file_is_known_by_its_identity, set_up, tear_down),
    cmocka_unit_test(root_is_a_file_like_others),
};
UNIT_TESTS(tests);

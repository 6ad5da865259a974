/* test_session_config.c - what a session was told is known to who collects it: the same run,
 * however often. */
#include "coverage/session/session_config.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/session/session.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_text.h"
#include "tests/support/check.h"
#include "tests/support/test_folder.h"

static bool parse(struct session_config *out, struct str text, struct err *err)
{
    struct str copy;
    *err = (struct err){0};
    assert_true(str_copy(&copy, text, &folder.arena, err));
    return session_config_parse(out, copy, &folder.arena, err);
}

#define ID      "id=000102030405060708090a0b0c0d0e0f\n"
#define MINIMUM "version=1\nmode=exact\n" ID "started=1777636800\n"

static void config_is_read_as_it_was_written(void **state)
{
    static const struct str include[] = {{"[A]*", 4}, {"[B.*]*=x", 8}}, exclude[] = {{"[C]*", 4}};
    const struct session_config written = {.mode = MODE_HIT,
                                           .include = include,
                                           .include_count = 2,
                                           .exclude = exclude,
                                           .exclude_count = 1,
                                           .include_tests = true,
                                           .control = true,
                                           .id = {1, 2, 3, [15] = 0xFF},
                                           .started = INT64_MAX};
    struct session_config read;
    struct err err = {0};
    struct str text;
    (void)state;
    assert_true(session_config_write(&text, &written, &folder.arena, &err));
    assert_true(parse(&read, text, &err));
    assert_int_equal(read.mode, MODE_HIT);
    assert_int_equal(read.include_count, 2);
    assert_str(read.include[0], "[A]*");
    assert_str(read.include[1], "[B.*]*=x");
    assert_int_equal(read.exclude_count, 1);
    assert_str(read.exclude[0], "[C]*");
    assert_true(read.include_tests && read.control);
    assert_memory_equal(read.id, written.id, sizeof written.id);
    assert_true(read.started == INT64_MAX);
}

static void what_is_not_said_is_not_so(void **state)
{
    struct session_config read;
    struct err err;
    (void)state;
    assert_true(parse(&read, STR(MINIMUM "of-the-library=x\n"), &err));
    assert_int_equal(read.mode, MODE_EXACT);
    assert_int_equal(read.include_count + read.exclude_count, 0);
    assert_false(read.include_tests || read.control);
}

static void every_truncation_is_refused(void **state)
{
    static const char text[] = "include=[A]*\n" MINIMUM;
    (void)state;
    for (size_t len = 0; len < sizeof text - 1; len++) {
        struct session_config read;
        struct err err;
        struct view copy = exact_copy((struct view){(const uint8_t *)text, len});
        assert_failed(session_config_parse(&read, exact_text(copy), &folder.arena, &err), err,
                      ERR_FORMAT);
        exact_free(copy);
    }
}

static void bad_config_is_refused(void **state)
{
    static const char *const texts[] = {
        "mode=count\n" ID "started=1\n",
        "version=0\nmode=count\n" ID "started=1\n",
        "version=2\nmode=count\n" ID "started=1\n",
        "version=1\nmode=often\n" ID "started=1\n",
        "version=1\nmode=count\nid=00\nstarted=1\n",
        "version=1\nmode=count\nid=g00102030405060708090a0b0c0d0e0f\nstarted=1\n",
        "version=1\nmode=count\n" ID "started=-1\n",
        "version=1\nmode=count\n" ID "started=9223372036854775808\n",
        "version=1\nmode=count\n" ID,
        MINIMUM "\n",
        MINIMUM "word\n",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct session_config read;
        struct err err;
        assert_failed(parse(&read, str_of(texts[i]), &err), err, ERR_FORMAT);
    }
}

static void pattern_cannot_forge_a_line(void **state)
{
    const struct str forged = STR("[A]*\nmode=exact");
    const struct session_config config = {.exclude = &forged, .exclude_count = 1};
    struct err err = {0};
    struct str text;
    (void)state;
    assert_failed(session_config_write(&text, &config, &folder.arena, &err), err, ERR_USAGE);
}

static void config_of_a_session_is_found(void **state)
{
    const struct session_config made = {.mode = MODE_COUNT, .id = {7}, .started = 42};
    struct session_config read;
    struct err err = {0};
    char path[512];
    (void)state;
    assert_true(session_create(path, sizeof path, folder.folder, &made, &err));
    assert_true(session_config_read(&read, path, &folder.arena, &err));
    assert_memory_equal(read.id, made.id, sizeof made.id);
    assert_true(read.started == 42);
    assert_true(session_remove(path, &err));
}

static void what_is_not_a_session_is_refused_by_name(void **state)
{
    const char *paths[] = {temporary_path(&folder, "none"), temporary_file(&folder, "file", "x", 1),
                           folder.folder};
    static const char *const texts[] = {"there is no session", "it is not a directory",
                                        "it has no file 'config'"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct session_config read;
        struct err err = {0};
        assert_false(session_config_read(&read, paths[i], &folder.arena, &err));
        assert_non_null(strstr(err.text, paths[i]));
        assert_non_null(strstr(err.text, texts[i]));
    }
}

static void config_that_is_not_a_plain_file_is_refused(void **state)
{
    struct session_config read;
    struct err err = {0};
    (void)state;
    assert_int_equal(mkfifo(temporary_path(&folder, "config"), 0600), 0);
    assert_failed(session_config_read(&read, folder.folder, &folder.arena, &err), err, ERR_FORMAT);
    assert_int_equal(unlink(temporary_path(&folder, "config")), 0);
    assert_int_equal(symlink("/etc/passwd", temporary_path(&folder, "config")), 0);
    assert_failed(session_config_read(&read, folder.folder, &folder.arena, &err), err, ERR_IO);
}

/* Only root can give a directory away. */
static void session_of_another_user_is_refused(void **state)
{
    struct session_config read;
    struct err err = {0};
    (void)state;
    (void)temporary_file(&folder, "config", MINIMUM, sizeof MINIMUM - 1);
    if (chown(folder.folder, 65534, (gid_t)-1) != 0)
        return;
    assert_failed(session_config_read(&read, folder.folder, &folder.arena, &err), err,
                  ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "another user (65534)"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(config_is_read_as_it_was_written),
    TEST(what_is_not_said_is_not_so),
    TEST(every_truncation_is_refused),
    TEST(bad_config_is_refused),
    TEST(pattern_cannot_forge_a_line),
    TEST(config_of_a_session_is_found),
    TEST(what_is_not_a_session_is_refused_by_name),
    TEST(config_that_is_not_a_plain_file_is_refused),
    TEST(session_of_another_user_is_refused),
};
UNIT_TESTS(tests);

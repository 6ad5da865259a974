#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "reporters/report/reporter.h"
#include "tests/support/temporary.h"

static struct temporary folder;

static int open_folder(void **state)
{
    (void)state;
    temporary_open(&folder);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}

static bool write_nothing(FILE *file, const struct report *report, bool colour, struct err *err)
{
    (void)file, (void)report, (void)colour;
    return err_set(err, ERR_MEMORY, "no memory");
}

static bool write_much(FILE *file, const struct report *report, bool colour, struct err *err)
{
    (void)report, (void)err;
    for (int i = 0; i < 10000; i++)
        (void)fputs(colour ? "colour\n" : "plain\n", file);
    return true;
}

static const struct reporter failing = {"failing", NULL, "", write_nothing};
static const struct reporter much = {"much", NULL, "", write_much};

static void reporters_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(reporter_find(STR("cobertura")), &reporters[0]);
    assert_string_equal(reporter_find(STR("cobertura"))->default_file, "cobertura.xml");
    assert_null(reporter_find(STR("text"))->default_file);
    assert_null(reporter_find(STR("")));
    assert_null(reporter_find(STR("Cobertura")));
    for (const struct reporter *reporter = reporters; reporter->name != NULL; reporter++)
        assert_ptr_equal(reporter_find(str_of(reporter->name)), reporter);
}

static void file_appears_whole(void **state)
{
    struct report report = {0};
    struct err err = {0};
    struct stat info;
    const char *path = temporary_path(&folder, "report");
    mode_t mask = umask(027);
    (void)state;
    assert_true(reporter_write(&much, path, &report, &err));
    (void)umask(mask);
    struct str text = temporary_read(&folder, path);
    assert_int_equal(text.len, 60000);
    assert_true(str_starts(text, "plain\n"));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(temporary_count(&folder), 1);
}

static void failure_leaves_the_old_file_alone(void **state)
{
    struct report report = {0};
    struct err err = {0};
    const char *path = temporary_file(&folder, "report", "old", 3);
    (void)state;
    assert_false(reporter_write(&failing, path, &report, &err));
    assert_string_equal(err.text, "no memory");
    assert_true(str_is(temporary_read(&folder, path), "old"));
    assert_false(reporter_write(&failing, temporary_path(&folder, "new"), &report, &err));
    assert_int_equal(temporary_count(&folder), 1);
}

static void write_fails(const struct reporter *reporter, const char *path, const char *expected)
{
    struct report report = {0};
    struct err err = {0};
    assert_false(reporter_write(reporter, path, &report, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, expected));
}

static void unwritable_paths_are_refused(void **state)
{
    (void)state;
    for (const struct reporter *reporter = reporters; reporter->name != NULL; reporter++) {
        write_fails(reporter, folder.folder, "is a directory");
        write_fails(reporter, temporary_path(&folder, "missing/report"), "No such file");
        write_fails(reporter, "/dev/full", "No space left");
    }
    write_fails(&much, "/dev/full", "No space left");
    assert_int_equal(temporary_count(&folder), 0);
}

static void devices_are_written_to_directly(void **state)
{
    struct report report = {0};
    struct err err = {0};
    struct stat info;
    (void)state;
    assert_true(reporter_write(&much, "/dev/null", &report, &err));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void standard_streams_that_are_no_terminal_have_no_colour(void **state)
{
    static const struct {
        int fd;
        const char *path;
    } streams[] = {{STDERR_FILENO, NULL}, {STDOUT_FILENO, REPORTER_STDOUT}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
        struct report report = {0};
        struct err err = {0};
        const char *path = temporary_file(&folder, "stream", "", 0);
        int saved = temporary_redirect(streams[i].fd, path);
        bool ok = reporter_write(&much, streams[i].path, &report, &err);
        temporary_restore(streams[i].fd, saved);
        assert_true(ok);
        assert_true(str_starts(temporary_read(&folder, path), "plain\n"));
    }
    assert_int_equal(temporary_count(&folder), 1); /* and none called "-" */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reporters_are_found_by_name),
        TEST(file_appears_whole),
        TEST(failure_leaves_the_old_file_alone),
        TEST(unwritable_paths_are_refused),
        TEST(devices_are_written_to_directly),
        TEST(standard_streams_that_are_no_terminal_have_no_colour),
    };
    return cmocka_run_group_tests_name("reporter", tests, NULL, NULL);
}

/* test_format.c - whatever is written goes where it should, whole or not at all, and what went
 * wrong is told with the name of the file. */
#include "reporters/format.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/report/report_build.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/diff_fixture.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/no_text.h"
#include "tests/support/temporary.h"

static struct temporary folder;
static const struct report report;
static struct diff diff; /* some formats write nothing of an empty one */

static int open_folder(void **state)
{
    (void)state;
    temporary_open(&folder);
    fixture_diff(&diff);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}

static struct str no_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context, (void)package, (void)path, (void)number;
    return (struct str){NULL, 0};
}

static const struct sources no_sources = {no_line, NULL, false, no_text};
static const struct format_job input = {
    .report = &report, .diff = &diff, .sources = &no_sources, .screen = {.colour = true}};

static void assert_written(const struct format *format, const char *path)
{
    struct err err = {0};
    if (!format_write(format, path, &input, &err))
        fail_msg("%s", err.text);
}

/* --- formats of one file ---------------------------------------------------------------------- */

static bool fail_halfway(const struct format_job *job, struct err *err)
{
    (void)fputs("half", job->destination->file);
    return err_set(err, ERR_MEMORY, "no memory");
}

static bool write_much(const struct format_job *job, struct err *err)
{
    (void)err;
    for (int i = 0; i < 10000; i++)
        (void)fputs(job->screen.colour ? "colour\n" : "plain\n", job->destination->file);
    return true;
}

static bool tell_sources(const struct format_job *job, struct err *err)
{
    (void)err;
    (void)fputs(job->sources == &no_sources ? "sources" : "none", job->destination->file);
    return true;
}

static bool write_little(const struct format_job *job, struct err *err)
{
    (void)err;
    (void)fputs(job->screen.colour ? "colour" : "plain", job->destination->file);
    return true;
}

static const struct format failing = {.name = "failing", .write = fail_halfway};
static const struct format much = {.name = "much", .has_colour = true, .write = write_much};
static const struct format coloured = {.name = "a", .has_colour = true, .write = write_little};
static const struct format colourless = {.name = "b", .write = write_little};
static const struct format plain = {.name = "plain", .write = tell_sources};
static const struct format curious = {.name = "", .wants_sources = true, .write = tell_sources};

static void check_list(const struct format *formats)
{
    for (const struct format *format = formats; format->name != NULL; format++) {
        assert_ptr_equal(format_find(formats, str_of(format->name)), format);
        assert_true((format->write != NULL) != (format->open != NULL));
    }
    assert_null(format_find(formats, STR("")));
    assert_null(format_find(formats, STR("Json")));
}

static void formats_are_found_by_name(void **state)
{
    (void)state;
    check_list(report_formats);
    check_list(diff_formats);
    assert_ptr_equal(format_find(report_formats, STR("cobertura")), &report_formats[0]);
    assert_string_equal(report_formats[0].default_path, "coverage.cobertura.xml");
    assert_null(format_find(report_formats, STR("text"))->default_path);
}

static void file_appears_whole(void **state)
{
    struct stat info;
    const char *path = temporary_path(&folder, "report");
    mode_t mask = umask(027);
    (void)state;
    assert_written(&much, path);
    (void)umask(mask);
    struct str text = temporary_read(&folder, path);
    assert_int_equal(text.len, 60000);
    assert_true(str_starts(text, "plain\n"));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(temporary_count(&folder), 1);
}

static void assert_refused(const struct format *format, const char *path, enum err_code code,
                           const char *place, const char *why)
{
    struct err err = {0};
    assert_failed(format_write(format, path, &input, &err), err, code);
    if (strncmp(err.text, place, strlen(place)) != 0 || strstr(err.text, why) == NULL)
        fail_msg("'%s' instead of '%s: ... %s'", err.text, place, why);
}

/* --- formats of lines ------------------------------------------------------------------------- */

static struct report fixture_report(struct arena *arena)
{
    static struct facts facts;
    static const struct report_options options;
    struct report made;
    struct err err = {0};
    fixture_facts(&facts, arena);
    if (!report_build(&made, &facts, &options, arena, &err))
        fail_msg("%s", err.text);
    return made;
}

static const char *path_of(const char *folder_name, const struct format *format)
{
    struct str path;
    assert_true(text_format(&path, &folder.arena, NULL, "%s.%s", folder_name, format->name));
    return temporary_path(&folder, path.text);
}

/* All at once, those of one order with the same lines, write what each writes alone. */
static void formats_that_share_lines_write_what_each_writes_alone(void **state)
{
    struct report made = fixture_report(&folder.arena);
    struct format_job job = {.report = &made, .sources = &no_sources};
    struct format_output outputs[32] = {{.format = NULL}};
    uint32_t count = 0;
    (void)state;
    for (const struct format *format = report_formats; format->name != NULL; format++)
        if (format->output == DESTINATION_FILE)
            outputs[count++] =
                (struct format_output){.format = format, .path = path_of("all", format)};
    for (uint32_t i = 0; i < count; i++)
        if (!outputs[i].is_done)
            format_write_batch(&outputs[i], count - i, &job);
    for (uint32_t i = 0; i < count; i++) {
        struct err err = {0};
        const char *alone = path_of("alone", outputs[i].format);
        assert_false(outputs[i].failed);
        assert_true(format_write(outputs[i].format, alone, &job, &err));
        assert_true(
            str_eq(temporary_read(&folder, outputs[i].path), temporary_read(&folder, alone)));
    }
}

static bool refuse_lines(void *writer, const struct report_file *files, uint32_t count,
                         struct err *err)
{
    (void)writer, (void)files, (void)count;
    return err_set(err, ERR_MEMORY, "no memory");
}

static void one_that_fails_leaves_the_others_their_lines(void **state)
{
    struct report made = fixture_report(&folder.arena);
    struct format_job job = {.report = &made};
    struct format broken = *format_find(report_formats, STR("sonar"));
    const struct format *lcov = format_find(report_formats, STR("lcov"));
    struct format_output outputs[] = {{.format = &broken, .path = path_of("of", &broken)},
                                      {.format = lcov, .path = path_of("of", lcov)}};
    (void)state;
    broken.take = refuse_lines;
    format_write_batch(outputs, ARRAY_LEN(outputs), &job);
    assert_true(outputs[0].is_done && outputs[0].failed);
    assert_non_null(strstr(outputs[0].err.text, "of.sonar: no memory"));
    assert_true(outputs[1].is_done && !outputs[1].failed);
    assert_true(str_ends(temporary_read(&folder, outputs[1].path), "end_of_record\n"));
    assert_int_equal(temporary_count(&folder), 1);
}

static void failure_leaves_the_old_file_alone(void **state)
{
    const char *path = temporary_file(&folder, "report", "old", 3);
    (void)state;
    assert_refused(&failing, path, ERR_MEMORY, path, "report: no memory");
    assert_str(temporary_read(&folder, path), "old");
    path = temporary_path(&folder, "new");
    assert_refused(&failing, path, ERR_MEMORY, path, "new: no memory");
    assert_int_equal(temporary_count(&folder), 1);
}

static void unwritable_paths_are_refused_by_every_format(void **state)
{
    const struct format *const lists[] = {report_formats, diff_formats};
    const char *file = temporary_file(&folder, "file", "mine", 4);
    const char *below = temporary_path(&folder, "file/report");
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (const struct format *format = lists[i]; format->name != NULL; format++) {
            bool is_folder = format->output == DESTINATION_DIRECTORY;
            assert_refused(format, below, ERR_IO, below, "ot a directory");
            assert_refused(format, "/dev/full", ERR_IO, "/dev/full",
                           is_folder ? "is not a directory" : "No space left");
            if (is_folder)
                assert_refused(format, file, ERR_IO, file, "is not a directory");
            else
                assert_refused(format, folder.folder, ERR_IO, folder.folder, "is a directory");
        }
    assert_refused(&much, "/dev/full", ERR_IO, "/dev/full", "No space left");
    assert_str(temporary_read(&folder, file), "mine");
    assert_int_equal(temporary_count(&folder), 1);
}

static void what_can_be_written_is_known_before(void **state)
{
    const char *old = temporary_file(&folder, "report", "old", 3);
    struct err err = {0};
    (void)state;
    assert_true(destination_check(old, DESTINATION_FILE, &err));
    assert_true(destination_check(temporary_path(&folder, "new"), DESTINATION_FILE, &err));
    assert_true(destination_check(NULL, DESTINATION_FILE, &err));
    assert_true(destination_check(DESTINATION_STDOUT, DESTINATION_FILE, &err));
    assert_failed(destination_check(folder.folder, DESTINATION_FILE, &err), err, ERR_IO);
    assert_failed(
        destination_check(temporary_path(&folder, "report/below"), DESTINATION_FILE, &err), err,
        ERR_IO);
    assert_true(destination_check(temporary_path(&folder, "no/new"), DESTINATION_FILE, &err));
    assert_true(destination_check(folder.folder, DESTINATION_DIRECTORY, &err));
    assert_true(destination_check(temporary_path(&folder, "new"), DESTINATION_DIRECTORY, &err));
    assert_true(destination_check(temporary_path(&folder, "a/b/c"), DESTINATION_DIRECTORY, &err));
    assert_failed(destination_check(old, DESTINATION_DIRECTORY, &err), err, ERR_IO);
    assert_failed(destination_check(NULL, DESTINATION_DIRECTORY, &err), err, ERR_IO);
    assert_failed(destination_check(DESTINATION_STDOUT, DESTINATION_DIRECTORY, &err), err, ERR_IO);
    assert_str(temporary_read(&folder, old), "old");
    assert_int_equal(temporary_count(&folder), 1);
}

static void devices_are_written_to_directly(void **state)
{
    struct stat info;
    (void)state;
    assert_written(&much, "/dev/null");
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void standard_streams_that_are_not_a_terminal_have_no_colour(void **state)
{
    static const struct {
        int fd;
        const char *path;
    } streams[] = {{STDERR_FILENO, NULL}, {STDOUT_FILENO, DESTINATION_STDOUT}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
        struct err err = {0};
        const char *path = temporary_file(&folder, "stream", "", 0);
        int saved = temporary_redirect(streams[i].fd, path);
        bool ok = format_write(&much, streams[i].path, &input, &err);
        temporary_restore(streams[i].fd, saved);
        assert_true(ok);
        assert_true(str_starts(temporary_read(&folder, path), "plain\n"));
    }
    assert_int_equal(temporary_count(&folder), 1); /* and none called "-" */
}

static void stream_that_cannot_be_written_is_named(void **state)
{
    struct err err = {0};
    (void)state;
    int saved = temporary_redirect(STDOUT_FILENO, "/dev/full");
    bool ok = format_write(&much, DESTINATION_STDOUT, &input, &err);
    temporary_restore(STDOUT_FILENO, saved);
    assert_failed(ok, err, ERR_IO);
    assert_non_null(strstr(err.text, "standard output cannot be written: "));
}

static void terminal_has_colour_unless_told_otherwise(void **state)
{
    static const struct {
        const char *no_color;
        const struct format *format;
        const char *expected;
    } cases[] = {
        {NULL, &coloured, "colour"},
        {"", &coloured, "colour"},
        {"1", &coloured, "plain"},
        {NULL, &colourless, "plain"},
    };
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    (void)state;
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const char *path = ptsname(terminal);
    int kept = open(path, O_RDWR | O_NOCTTY); /* it would hang up between two writers */
    assert_true(kept >= 0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char got[64] = "";
        if (cases[i].no_color != NULL)
            assert_int_equal(setenv("NO_COLOR", cases[i].no_color, 1), 0);
        else
            assert_int_equal(unsetenv("NO_COLOR"), 0);
        assert_written(cases[i].format, path);
        assert_true(read(terminal, got, sizeof got - 1) > 0);
        assert_string_equal(got, cases[i].expected);
    }
    (void)close(kept);
    (void)close(terminal);
}

static void sources_are_for_who_wants_them(void **state)
{
    const char *path = temporary_path(&folder, "report");
    (void)state;
    assert_written(&plain, path);
    assert_str(temporary_read(&folder, path), "none");
    assert_written(&curious, path);
    assert_str(temporary_read(&folder, path), "sources");
}

/* --- formats of many files -------------------------------------------------------------------- */

/* What the next writer does: names its files; the last one fails when it is NULL. */
static const char *const *names;

static bool write_files(const struct format_job *job, struct err *err)
{
    struct destination *d = job->destination;
    for (size_t i = 0; names[i] != NULL; i++)
        if (!destination_put_file(d, names[i], (struct str){&"01234"[i], 1}, err))
            return false;
    return true;
}

static bool fail_in_second(const struct format_job *job, struct err *err)
{
    return write_files(job, err) && err_set(err, ERR_MEMORY, "no memory");
}

static bool fill_disk(const struct format_job *job, struct err *err)
{
    struct rlimit all;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    const struct rlimit nothing = {.rlim_cur = 0, .rlim_max = all.rlim_max};
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &nothing), 0);
    bool ok = destination_put_file(job->destination, "src/full.html", STR("lost"), err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    return ok;
}

static const struct format many = {
    .name = "many", .output = DESTINATION_DIRECTORY, .write = write_files};
static const struct format halting = {
    .name = "halting", .output = DESTINATION_DIRECTORY, .write = fail_in_second};
static const struct format filling = {
    .name = "filling", .output = DESTINATION_DIRECTORY, .write = fill_disk};

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct str content_of(const char *name)
{
    return temporary_read(&folder, temporary_path(&folder, name));
}

static bool is_there(const char *name)
{
    return access(temporary_path(&folder, name), F_OK) == 0;
}

static void missing_directories_are_made(void **state)
{
    (void)state;
    names = NAMES("index.html");
    assert_written(&many, temporary_path(&folder, "a/b/html"));
    assert_str(content_of("a/b/html/index.html"), "0");
}

static void directory_is_made_and_filled(void **state)
{
    (void)state;
    names = NAMES("index.html", "src/Core/Order.html", "src/Core/Item.html", "src/a..b", "..c");
    assert_written(&many, temporary_path(&folder, "html"));
    assert_str(content_of("html/index.html"), "0");
    assert_str(content_of("html/src/Core/Order.html"), "1");
    assert_str(content_of("html/src/Core/Item.html"), "2");
    assert_str(content_of("html/src/a..b"), "3");
    assert_str(content_of("html/..c"), "4");
}

static void directory_keeps_what_else_is_in_it(void **state)
{
    (void)state;
    (void)temporary_file(&folder, "other", "mine", 4);
    (void)temporary_file(&folder, "index.html", "old", 3);
    names = NAMES("index.html");
    assert_written(&many, folder.folder);
    assert_str(content_of("index.html"), "0");
    assert_str(content_of("other"), "mine");
    assert_int_equal(temporary_count(&folder), 2);
}

/* What a killed process left in "src", as in temporary_file.h. */
static bool is_left(void)
{
    return is_there("html/src/.ilcov-1-0.tmp");
}

static void leave(void)
{
    (void)temporary_file(&folder, "html/src/.ilcov-1-0.tmp", "x", 1);
}

static bool write_after_a_kill(const struct format_job *job, struct err *err)
{
    struct destination *d = job->destination;
    bool ok = destination_put_file(d, "src/a", STR("a"), err);
    leave();
    ok = ok && destination_put_file(d, "src/b", STR("b"), err);
    assert_true(is_left()); /* the folder is not looked through for each of its files */
    ok = ok && destination_put_file(d, "c", STR("c"), err) &&
         destination_put_file(d, "src/d", STR("d"), err);
    assert_false(is_left());
    return ok;
}

static void what_killed_processes_left_is_removed_once_a_folder(void **state)
{
    static const struct format format = {
        .name = "many", .output = DESTINATION_DIRECTORY, .write = write_after_a_kill};
    (void)state;
    assert_written(&format, temporary_path(&folder, "html"));
    leave();
    names = NAMES("src/a");
    assert_written(&many, temporary_path(&folder, "html"));
    assert_false(is_left());
}

static void files_before_a_failure_are_whole(void **state)
{
    const char *html = temporary_path(&folder, "html");
    (void)state;
    names = NAMES("index.html");
    assert_refused(&halting, html, ERR_MEMORY, html, "html: no memory");
    assert_str(content_of("html/index.html"), "0");
    assert_int_equal(remove(temporary_path(&folder, "html/index.html")), 0);
    assert_int_equal(rmdir(html), 0); /* nothing else is in it */
}

static void file_of_a_directory_that_cannot_be_written_is_named_and_not_there(void **state)
{
    const char *html = temporary_path(&folder, "html");
    (void)state;
    assert_refused(&filling, html, ERR_IO, html,
                   "html: src/full.html cannot be written: File too large");
    assert_int_equal(rmdir(temporary_path(&folder, "html/src")), 0);
}

static void names_that_lead_out_of_the_directory_are_refused(void **state)
{
    static const char *const outside[] = {"",  "/",   "/abs", "..",   "../a", "a/../b", "a/..",
                                          ".", "./a", "a/.",  "a//b", "a/",   "//a",    "a/./b"};
    const char *html = temporary_path(&folder, "html");
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(outside); i++) {
        names = NAMES(outside[i]);
        assert_refused(&many, html, ERR_IO, html, "is not a name within the directory");
    }
    assert_int_equal(rmdir(html), 0);
    assert_int_equal(temporary_count(&folder), 0);
}

static void links_in_the_directory_are_not_followed(void **state)
{
    static const char *const through[] = {"away/a.html", "file.html", "nowhere.html", "folder"};
    const char *html = temporary_path(&folder, "html");
    const char *kept = temporary_file(&folder, "kept", "kept", 4);
    (void)state;
    assert_int_equal(mkdir(html, 0700), 0);
    assert_int_equal(mkdir(temporary_path(&folder, "html/folder"), 0700), 0);
    assert_int_equal(symlink(folder.folder, temporary_path(&folder, "html/away")), 0);
    assert_int_equal(symlink(kept, temporary_path(&folder, "html/file.html")), 0);
    assert_int_equal(symlink("nothing", temporary_path(&folder, "html/nowhere.html")), 0);
    for (size_t i = 0; i < ARRAY_LEN(through); i++) {
        names = NAMES(through[i]);
        assert_refused(&many, html, ERR_IO, html,
                       i == 0 ? "away is not a directory" : "is not a regular file");
    }
    assert_str(temporary_read(&folder, kept), "kept");
    assert_int_equal(temporary_count(&folder), 2);
}

static void directory_may_itself_be_a_link(void **state)
{
    const char *link = temporary_path(&folder, "link");
    (void)state;
    assert_int_equal(mkdir(temporary_path(&folder, "html"), 0700), 0);
    assert_int_equal(symlink("html", link), 0);
    names = NAMES("index.html");
    assert_written(&many, link);
    assert_str(content_of("html/index.html"), "0");
}

static void many_files_need_a_directory(void **state)
{
    const char *old = temporary_file(&folder, "report", "old", 3);
    const char *below = temporary_path(&folder, "report/html");
    (void)state;
    names = NAMES("index.html");
    assert_refused(&many, NULL, ERR_IO, "standard error: ", "needs a directory");
    assert_refused(&many, DESTINATION_STDOUT, ERR_IO, "standard output: ", "needs a directory");
    assert_refused(&many, old, ERR_IO, old, "is not a directory");
    assert_refused(&many, below, ERR_IO, below, "ot a directory");
    assert_str(temporary_read(&folder, old), "old");
}

static void name_that_is_a_file_and_a_folder_is_refused(void **state)
{
    const char *html = temporary_path(&folder, "html");
    (void)state;
    names = NAMES("a", "a/b");
    assert_refused(&many, html, ERR_IO, html, "html: a/b: a is not a directory");
    names = NAMES("c/d", "c");
    assert_refused(&many, html, ERR_IO, html, "html: c is not a regular file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(formats_are_found_by_name),
    TEST(file_appears_whole),
    TEST(formats_that_share_lines_write_what_each_writes_alone),
    TEST(one_that_fails_leaves_the_others_their_lines),
    TEST(failure_leaves_the_old_file_alone),
    TEST(unwritable_paths_are_refused_by_every_format),
    TEST(what_can_be_written_is_known_before),
    TEST(devices_are_written_to_directly),
    TEST(standard_streams_that_are_not_a_terminal_have_no_colour),
    TEST(stream_that_cannot_be_written_is_named),
    TEST(terminal_has_colour_unless_told_otherwise),
    TEST(sources_are_for_who_wants_them),
    TEST(missing_directories_are_made),
    TEST(directory_is_made_and_filled),
    TEST(directory_keeps_what_else_is_in_it),
    TEST(what_killed_processes_left_is_removed_once_a_folder),
    TEST(files_before_a_failure_are_whole),
    TEST(file_of_a_directory_that_cannot_be_written_is_named_and_not_there),
    TEST(names_that_lead_out_of_the_directory_are_refused),
    TEST(links_in_the_directory_are_not_followed),
    TEST(directory_may_itself_be_a_link),
    TEST(many_files_need_a_directory),
    TEST(name_that_is_a_file_and_a_folder_is_refused),
};
UNIT_TESTS(tests);

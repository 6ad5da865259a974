/* test_memory_cli.c - whichever allocation fails, a command ends as it should have, or with the
 * status of bad input and one line that blames the memory; its files are whole or not there. The
 * modules are real ones with their PDBs, the counts those of a session, so that all from the
 * options to the reports takes part. What fails: what failing_memory.h says, but SQLite's own
 * (test_memory), and what libc takes for a directory or a stream. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/options/settings.h"
#include "cli/process/environment.h"
#include "cli/process/target.h"
#include "cli/verbs/verbs.h"
#include "contract/session_format.h"
#include "coverage/collect/collect.h"
#include "coverage/facts/store.h"
#include "metadata/module.h"
#include "system/command.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/failing_memory.h"
#include "tests/support/il_builder.h"
#include "tests/support/interposed.h"
#include "tests/support/measured_app.h"
#include "tests/support/temporary.h"

enum {
    FILE_ROOM = 1 << 18
};

static struct measured_app measured;
static struct temporary sessions; /* where commands make theirs */

/* --- what is taken from the code that is tested ----------------------------------------------- */

static bool libc_has_memory(void)
{
    void *probe = interposed.malloc(1);
    free(probe);
    if (probe == NULL)
        errno = ENOMEM;
    return probe != NULL;
}

static DIR *failing_opendir(const char *name)
{
    return libc_has_memory() ? original.opendir(name) : NULL;
}

static DIR *failing_fdopendir(int fd)
{
    return libc_has_memory() ? original.fdopendir(fd) : NULL;
}

static FILE *failing_fdopen(int fd, const char *mode)
{
    return libc_has_memory() ? original.fdopen(fd, mode) : NULL;
}

static bool no_library(char path[PATH_ROOM], struct err *err)
{
    (void)err;
    (void)snprintf(path, PATH_ROOM, "/nonexistent/libilcov.so");
    return true;
}

/* The command: it leaves in its session what lies ready in `counted`. */
static char session_path[PATH_ROOM];

static void path_in(char path[PATH_ROOM], const char *folder, const char *name)
{
    int len = snprintf(path, PATH_ROOM, "%s/%s", folder, name);
    assert_true(len > 0 && len < PATH_ROOM);
}

static void link_counted(const char *name)
{
    char from[PATH_ROOM], to[PATH_ROOM];
    path_in(from, measured.session.folder, name);
    path_in(to, session_path, name);
    if (access(from, F_OK) == 0)
        assert_int_equal(link(from, to), 0);
}

static bool leave_counts(int *pid, char *const *argv, char *const *environment, int *status,
                         struct err *err)
{
    static const char variable[] = SESSION_ENV "=";
    (void)argv, (void)status, (void)err;
    *pid = 0;
    while (!str_starts(str_of(*environment), variable))
        environment++;
    (void)snprintf(session_path, sizeof session_path, "%s", *environment + sizeof variable - 1);
    link_counted(measured.counts_name);
    link_counted(MEASURED_PROCESS);
    return true;
}

static int wait_for_nobody(int command, struct command_watch *watches)
{
    (void)command, (void)watches;
    return 0;
}

static int make_world(void **state)
{
    (void)state;
    (void)unsetenv("SOURCE_DATE_EPOCH");
    if (access("/dev/shm", W_OK | X_OK) == 0)
        (void)setenv("TMPDIR", "/dev/shm", 0); /* a thousand data files wait for a disk */
    failing_memory_open_without_sqlite();
    interposed.opendir = failing_opendir;
    interposed.fdopendir = failing_fdopendir;
    interposed.fdopen = failing_fdopen;
    interposed.environment_library = no_library;
    interposed.target_start = leave_counts;
    interposed.command_wait = wait_for_nobody;
    measured_app_open(&measured);
    temporary_open(&sessions);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    temporary_close(&sessions);
    measured_app_close(&measured);
    return 0;
}

static void check(const char *name, memory_job *job, void *context)
{
    unsigned files = temporary_count(&measured.app);
    assert_true(failing_memory_check(name, job, context) != 0);
    assert_int_equal(temporary_count(&measured.app), files);
}

/* --- counters, cover, decide ------------------------------------------------------------------ */

static bool collect_session(struct collect_result *out, struct arena *arena, struct err *err)
{
    struct session session;
    struct collect_options options = {.root = measured.root,
                                      .config = {.mode = MODE_COUNT, .started = 1}};
    return session_read(&session, measured.session.folder, arena, err) &&
           collect(out, &session, &options, arena, err);
}

static bool collect_again(void *context, struct arena *arena, struct err *err)
{
    const struct collect_result *expected = context;
    struct collect_result result;
    if (!collect_session(&result, arena, err)) {
        if (err->code == ERR_IO && strstr(err->text, strerror(ENOMEM)) != NULL)
            err->code = ERR_MEMORY; /* libc's */
        return false;
    }
    for (uint32_t i = 0; i < result.message_count; i++)
        if (result.messages[i].kind != MESSAGE_NOTE)
            return err_set(err, ERR_FORMAT, "trouble instead of failure: %.*s",
                           STR_ARGS(result.messages[i].text));
    assert_int_equal(result.instrumented_methods, expected->instrumented_methods);
    return facts_equal(&result.facts, &expected->facts) || err_set(err, ERR_FORMAT, "other facts");
}

static void session_with_its_modules(void **state)
{
    struct collect_result expected;
    struct err err;
    (void)state;
    assert_true(collect_session(&expected, &measured.app.arena, &err));
    assert_int_equal(expected.message_count, 2); /* a note of each: b.cs has no checksum */
    assert_int_equal(expected.messages[0].kind, MESSAGE_NOTE);
    assert_int_equal(expected.messages[1].kind, MESSAGE_NOTE);
    assert_int_equal(expected.instrumented_methods, 2);
    assert_int_equal(expected.facts.module_count, 3);
    assert_int_equal(expected.facts.modules[0].state, MODULE_INSTRUMENTED);
    assert_int_equal(expected.facts.modules[0].statement_count, 4);
    assert_int_equal(expected.facts.modules[0].decision_count, 1);
    assert_int_equal(expected.facts.modules[1].state, MODULE_SKIPPED);
    assert_int_equal(expected.facts.modules[2].state, MODULE_NOT_LOADED);
    check("collect", collect_again, &expected);
}

/* --- commands --------------------------------------------------------------------------------- */

enum {
    WORDS_MAX = 24,
    OUTPUTS_MAX = 3,
    SAID = OUTPUTS_MAX, /* on standard error */
    PRINTED,
    FILES
};

struct bytes {
    size_t len; /* FILE_ROOM: there is none */
    char data[FILE_ROOM];
};

struct command {
    const struct verb *verb;
    const char *words[WORDS_MAX];     /* behind the verb */
    const char *outputs[OUTPUTS_MAX]; /* files in `app` that it writes */
    const char *settings;             /* the settings file; NULL: none */
    int status;
    bool is_known; /* how it ends when all goes well */
    bool is_whole; /* it prints all or nothing */
};

static char paths[FILES][PATH_ROOM];
static struct bytes expected[FILES], found[FILES];

static void read_bytes(struct bytes *out, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    out->len = FILE_ROOM;
    if (fd < 0)
        return;
    ssize_t len = read(fd, out->data, FILE_ROOM - 1);
    assert_true(len >= 0 && len < FILE_ROOM - 1);
    (void)close(fd);
    out->len = (size_t)len;
    out->data[len] = '\0';
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
    return a->len == b->len && (a->len == FILE_ROOM || memcmp(a->data, b->data, a->len) == 0);
}

static int perform(const struct command *command, struct arena *arena)
{
    char *argv[WORDS_MAX + 2] = {(char *)(uintptr_t)command->verb->name};
    int argc = 1, status = EXIT_FINE;
    struct command_line line = {.verb = command->verb,
                                .verbs = verbs,
                                .argv = argv,
                                .settings = settings_find,
                                .config = command->settings != NULL ? command->settings : ""};
    struct operands operands;
    void *options = NULL;
    for (; command->words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)(uintptr_t)command->words[argc - 1];
    line.argc = argc;
    if (options_parse(&options, &operands, &line, arena, &status))
        status = command->verb->act(options, &operands, arena);
    return status;
}

/* The lock of a session is held to the end of the program, and signals wait: both end here. */
static int perform_in_process(const struct command *command, struct arena *arena)
{
    sigset_t mask;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
    int out = temporary_redirect(STDOUT_FILENO, paths[PRINTED]);
    int err = temporary_redirect(STDERR_FILENO, paths[SAID]);
    int free_fd = dup(out);
    (void)close(free_fd);
    int status = perform(command, arena);
    (void)close(free_fd);
    int still_free = dup(out);
    (void)close(still_free);
    temporary_restore(STDERR_FILENO, err);
    temporary_restore(STDOUT_FILENO, out);
    assert_int_equal(sigprocmask(SIG_SETMASK, &mask, NULL), 0);
    (void)signal(SIGPIPE, SIG_DFL);
    assert_int_equal(still_free, free_fd);
    return status;
}

/* A session that could not be removed is left, and told. */
static bool removes_session(void)
{
    static const char *const names[] = {SESSION_CONFIG, SESSION_WARNINGS, MEASURED_PROCESS,
                                        measured.counts_name};
    bool removed = session_path[0] == '\0' || access(session_path, F_OK) != 0;
    for (size_t i = 0; i < ARRAY_LEN(names) && !removed; i++) {
        char path[PATH_ROOM];
        path_in(path, session_path, names[i]);
        (void)unlink(path);
    }
    if (!removed)
        assert_int_equal(rmdir(session_path), 0);
    session_path[0] = '\0';
    return removed;
}

/* The lines of `said` that are not said when all goes well; the last of them. Another may tell that
 * the session is kept. */
static unsigned new_lines(char last[512], bool *is_kept, const char *said)
{
    unsigned count = 0;
    for (size_t len = 0; *said != '\0'; said += len) {
        char line[8200];
        len = strcspn(said, "\n") + 1;
        (void)snprintf(line, sizeof line, "%.*s", (int)len, said);
        if (strstr(expected[SAID].data, line) != NULL)
            continue;
        assert_true(str_starts(str_of(line), "ilcov: "));
        if (strstr(line, "ilcov collect --remove") != NULL) {
            *is_kept = true;
            continue;
        }
        (void)snprintf(last, 512, "%.*s", (int)len - 1, said);
        count++;
    }
    return count;
}

static bool judge(const struct command *command, int status, struct err *err)
{
    char line[512] = "";
    bool all_written = true, is_kept = false, removed = removes_session();
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        bool same = same_bytes(&found[i], &expected[i]);
        if (!same && found[i].len != FILE_ROOM)
            return err_set(err, ERR_FORMAT, "%s is something else", paths[i]);
        all_written = all_written && same;
    }
    if (command->is_whole && found[PRINTED].len != 0 &&
        !same_bytes(&found[PRINTED], &expected[PRINTED]))
        return err_set(err, ERR_FORMAT, "a part was printed: %.200s", found[PRINTED].data);
    unsigned lines = new_lines(line, &is_kept, found[SAID].data);
    if (is_kept && status != EXIT_BAD)
        return err_set(err, ERR_FORMAT, "status %d: the session is kept though nothing failed",
                       status);
    bool blames_memory = lines == 1 && strcasestr(line, "memory") != NULL;
    if (blames_memory && (status == EXIT_BAD || (status == command->status && all_written)))
        return err_set(err, ERR_MEMORY, "%s", line);
    if (status != command->status || !removed || !all_written ||
        !same_bytes(&found[PRINTED], &expected[PRINTED]) ||
        !same_bytes(&found[SAID], &expected[SAID]))
        return err_set(err, ERR_FORMAT, "status %d, %u new lines, '%s', not '%.200s'", status,
                       lines, line, expected[SAID].data);
    return true;
}

static bool do_command(void *context, struct arena *arena, struct err *err)
{
    struct command *command = context;
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        (void)unlink(paths[i]);
    int status = perform_in_process(command, arena);
    struct bytes *files = command->is_known ? found : expected;
    for (size_t i = 0; i < FILES; i++)
        read_bytes(&files[i], paths[i]);
    if (command->is_known)
        return judge(command, status, err);
    command->status = status;
    command->is_known = true;
    return removes_session();
}

static void check_command(const char *name, struct command *command, int status)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        path_in(paths[i], measured.app.folder,
                command->outputs[i] != NULL ? command->outputs[i] : "none");
    path_in(paths[PRINTED], measured.session.folder, "printed");
    path_in(paths[SAID], measured.session.folder, "said");
    session_path[0] = '\0';
    assert_true(do_command(command, &measured.app.arena, NULL));
    if (command->status != status)
        fail_msg("%s: status %d, '%s'", name, command->status, expected[SAID].data);
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        assert_int_equal(expected[i].len != FILE_ROOM, command->outputs[i] != NULL);
    check(name, do_command, command);
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        (void)unlink(paths[i]);
}

static const char *in_app(const char *name)
{
    return temporary_path(&measured.app, name);
}

static const char *format(const char *reporter, const char *name)
{
    struct str text;
    assert_true(text_format(&text, &measured.app.arena, NULL, "%s=%s", reporter, in_app(name)));
    return text.text;
}

static void run(void **state)
{
    struct command command = {
        .verb = &verb_run,
        .words = {"-v", "--deterministic", "-r", measured.root, "-x", "[App]Nobody",
                  "--exclude-files", "c*.cs", "--session-dir", sessions.folder, "-d",
                  in_app("run.ilcov"), "-f", format("cobertura", "run.xml"), "-f",
                  format("text", "run.txt"), "--fail-under", "50", "tool"},
        .outputs = {"run.ilcov", "run.xml", "run.txt"},
    };
    (void)state;
    check_command("run", &command, EXIT_FINE);
}

static void run_below_its_threshold(void **state)
{
    struct command command = {
        .verb = &verb_run,
        .words = {"-r", measured.root, "-i", "[App]*", "--session-dir", sessions.folder,
                  "--deterministic", "-d", in_app("few.ilcov"), "-f", "none", "--exclude-files",
                  "*.cs", "--allow-empty", "--fail-under", "100", "tool"},
        .outputs = {"few.ilcov"},
    };
    (void)state;
    check_command("run --fail-under", &command, EXIT_THRESHOLD);
}

/* The session is empty but for a process that skipped all it saw. */
static void run_that_measures_nothing(void **state)
{
    static const char record[] = "ilcov-process\t0\nprogram\t/app/tool\nruntime\t10.0.0\t/"
                                 "net\nskipped\tA\t/app/A.dll\t13\t\n"
                                 "skipped\tB\t/app/B.dll\t13\t\nskipped\tC\t/app/C.dll\t11\t\n";
    struct command command = {
        .verb = &verb_run,
        .words = {"-r", measured.root, "--session-dir", sessions.folder, "-d", in_app("no.ilcov"),
                  "-f", "none", "tool"},
    };
    (void)state;
    (void)temporary_file(&measured.session, MEASURED_PROCESS, record, sizeof record - 1);
    assert_int_equal(unlink(temporary_path(&measured.session, measured.counts_name)), 0);
    check_command("run of nothing", &command, EXIT_BAD);
}

static void run_that_nobody_joined(void **state)
{
    struct command command = {
        .verb = &verb_run,
        .words = {"-r", measured.root, "--session-dir", sessions.folder, "-d", in_app("no.ilcov"),
                  "-f", "none", "tool"},
    };
    (void)state;
    assert_int_equal(unlink(temporary_path(&measured.session, MEASURED_PROCESS)), 0);
    check_command("run of nobody", &command, EXIT_BAD);
}

static void report(void **state)
{
    struct facts facts;
    const char *data = in_app("given.ilcov");
    struct command command = {
        .verb = &verb_report,
        .words = {"-f", format("cobertura", "report.xml"), "-f", "text=-", "-r", "/nowhere", "-x",
                  "[Shop.Data]*", "--exclude-files", "**/x.cs", "--deterministic", data},
        .outputs = {"report.xml"},
    };
    (void)state;
    fixture_facts(&facts, &measured.app.arena);
    assert_true(store_write(data, &facts, NULL, NULL));
    check_command("report", &command, EXIT_FINE);
}

static void report_in_parts(void **state)
{
    struct facts facts;
    const char *data = in_app("parts.ilcov");
    struct command parts = {
        .verb = &verb_report,
        .words = {"-f", format("cobertura", "part.xml"), "--split", "4KiB", "-q", "-r", "/nowhere",
                  "--map", "/src/shop=.", "--deterministic", data},
        .outputs = {"part.1.xml", "part.2.xml"},
    };
    struct command lines = {
        .verb = &verb_report,
        .words = {"-f", format("jsonl", "report.jsonl"), "-q", "--deterministic", data},
        .outputs = {"report.jsonl"},
    };
    (void)state;
    fixture_facts(&facts, &measured.app.arena);
    assert_true(store_write(data, &facts, NULL, NULL));
    check_command("report in parts", &parts, EXIT_FINE);
    check_command("report as lines", &lines, EXIT_FINE);
}

static void json(void **state)
{
    struct facts facts;
    const char *data = in_app("said.ilcov");
    struct command commands[] = {
        {.verb = &verb_show, .words = {"-d", data, "--json"}},
        {.verb = &verb_show, .words = {"-d", data, "--json", "Core/order.cs:12,18"}},
        {.verb = &verb_show, .words = {"-d", data, "--json", "--uncovered"}},
        {.verb = &verb_inspect, .words = {data, "Tw*", "--json"}},
        {.verb = &verb_inspect, .words = {in_app("App.dll"), "C.M*", "--json"}},
        {.verb = &verb_merge,
         .words = {"-o", in_app("into.ilcov"), data, "--json"},
         .outputs = {"into.ilcov"}},
    };
    (void)state;
    fixture_facts(&facts, &measured.app.arena);
    assert_true(store_write(data, &facts, NULL, NULL));
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        commands[i].is_whole = true;
        check_command(commands[i].verb->name, &commands[i], EXIT_FINE);
    }
}

static void show(void **state)
{
    struct facts facts;
    const char *data = in_app("shown.ilcov");
    struct command all = {.verb = &verb_show, .words = {"-d", data}};
    struct command file = {.verb = &verb_show, .words = {"-d", data, "Core/order.cs:12,18"}};
    struct command uncovered = {.verb = &verb_show, .words = {"-d", data, "--uncovered"}};
    struct command unknown = {.verb = &verb_show, .words = {"-d", data, "Oder.cs"}};
    struct command tables = {
        .verb = &verb_report,
        .words = {"-f", format("files", "files.txt"), "-f", format("missed", "missed.txt"), data},
        .outputs = {"files.txt", "missed.txt"},
    };
    (void)state;
    fixture_facts(&facts, &measured.app.arena);
    assert_true(store_write(data, &facts, NULL, NULL));
    check_command("show", &all, EXIT_FINE);
    check_command("show FILE:LINE", &file, EXIT_FINE);
    check_command("show --uncovered", &uncovered, EXIT_FINE);
    check_command("show no file", &unknown, EXIT_BAD);
    check_command("report of tables", &tables, EXIT_FINE);
}

static void inspect(void **state)
{
    struct command all = {.verb = &verb_inspect, .words = {in_app("App.dll")}};
    struct command some = {.verb = &verb_inspect, .words = {in_app("App.dll"), "C.M*"}};
    (void)state;
    check_command("inspect", &all, EXIT_FINE);
    check_command("inspect METHOD", &some, EXIT_FINE);
}

static void settings(void **state)
{
    static const char file[] =
        "{ // all\n\"failUnder\": 79.5, \"exclude\": [\"[A]*\", \"[B]*\"], \"quiet\": true,\n"
        "\"report\": {\"format\": \"lcov=out/x.info\"}, \"mode\": \"hit\", \"patch\": \"main\"}";
    static const char wrong[] = "{\"fail-under\": 1}";
    static const char other[] =
        "<RunSettings><DataCollectionRunSettings><DataCollectors><DataCollector "
        "friendlyName='XPlat "
        "Code Coverage'><Configuration><Exclude>[A?]*,x</Exclude><ExcludeByFile>**/a/*.cs"
        "</ExcludeByFile><Format>json,lcov</Format></Configuration></DataCollector>"
        "<DataCollector friendlyName='Code Coverage'><Configuration><CodeCoverage><Functions>"
        "<Exclude><Function>^A\\..*</Function></Exclude></Functions></CodeCoverage>"
        "</Configuration></DataCollector></DataCollectors></DataCollectionRunSettings>"
        "</RunSettings>";
    (void)state;
    const char *path = temporary_file(&measured.app, "ilcov.json", file, sizeof file - 1);
    const char *bad = temporary_file(&measured.app, "wrong.json", wrong, sizeof wrong - 1);
    const char *runsettings = temporary_file(&measured.app, "x.xml", other, sizeof other - 1);
    struct command table = {.verb = &verb_config, .words = {"--config", path}};
    struct command json = {.verb = &verb_config,
                           .words = {"--config", path, "--json", "run", "-v"}};
    struct command mistake = {.verb = &verb_config, .words = {"--config", bad}};
    struct command schema = {.verb = &verb_config, .words = {"--schema"}};
    struct command imported = {.verb = &verb_config, .words = {"--from", runsettings}};
    struct command used = {
        .verb = &verb_report, .words = {"-v", "--quiet=no", "none.ilcov"}, .settings = path};
    assert_int_equal(setenv("ILCOV_EXCLUDE", "[C]*;[D]*", 1), 0);
    assert_int_equal(setenv("ILCOV_FAILUNDER", "80", 1), 0);
    check_command("config", &table, EXIT_FINE);
    check_command("config VERB", &json, EXIT_FINE);
    check_command("wrong settings", &mistake, EXIT_USAGE);
    check_command("config --schema", &schema, EXIT_FINE);
    check_command("config --from", &imported, EXIT_FINE);
    check_command("report with settings", &used, EXIT_BAD);
    assert_int_equal(unsetenv("ILCOV_EXCLUDE") + unsetenv("ILCOV_FAILUNDER"), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(session_with_its_modules),
    cmocka_unit_test(run),
    cmocka_unit_test(run_below_its_threshold),
    cmocka_unit_test(report),
    cmocka_unit_test(report_in_parts),
    cmocka_unit_test(json),
    cmocka_unit_test(show),
    cmocka_unit_test(inspect),
    cmocka_unit_test(settings),
    cmocka_unit_test(run_that_measures_nothing),
    cmocka_unit_test(run_that_nobody_joined),
};
UNIT_TESTS_WITH(tests, make_world, end_world);

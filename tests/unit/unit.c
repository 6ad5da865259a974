/* unit.c - the program of all unit tests.
 *
 *     unit [--list | --together] [ROOM[/FILE[/TEST]]]...
 *
 * Runs all tests, or those that are named; a FILE may be named without its ROOM. The tests of each
 * file have a process of their own, so that one that crashes hides no other, and what they change
 * in it is nobody else's business. What a crash kept from running has failed. Tests of one file
 * alone run in this process, where a debugger sees them; with --together all do: under memcheck,
 * which would have to translate the code for each process again. The working directory is the top
 * of the tree; the last line is `N passed, N failed[, N skipped]`. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct unit_file *files; /* by name */
static struct unit_role *roles;

void unit_add_file(struct unit_file *file)
{
    static const char folder[] = "tests/unit/";
    struct unit_file **at = &files;
    const char *name = file->path + strlen(folder);
    (void)snprintf(file->name, sizeof file->name, "%.*s", (int)(strlen(name) - strlen(".c")), name);
    while (*at != NULL && strcmp((*at)->name, file->name) < 0)
        at = &(*at)->next;
    file->next = *at;
    *at = file;
}

void unit_add_role(struct unit_role *role)
{
    role->next = roles;
    roles = role;
}

static int play(char *const *words)
{
    for (const struct unit_role *role = roles; role != NULL; role = role->next)
        if (strcmp(role->name, words[0]) == 0)
            return role->play(words + 1);
    return 2;
}

/* --- which tests ------------------------------------------------------------------------------ */

static bool begins_with(const char *name, const char *selection)
{
    size_t len = strlen(selection);
    return strncmp(name, selection, len) == 0 && (name[len] == '/' || name[len] == '\0');
}

static bool is_named(const struct unit_file *file, size_t test, const char *selection)
{
    char name[2 * UNIT_NAME_ROOM];
    const char *slash = strrchr(file->name, '/');
    (void)snprintf(name, sizeof name, "%s/%s", file->name, file->tests[test].name);
    return begins_with(name, selection) || begins_with(name + (slash - file->name) + 1, selection);
}

/* Marks the tests that are named; NULL names all. False: there are none. */
static bool want(const char *selection)
{
    bool found = false;
    for (struct unit_file *file = files; file != NULL; file = file->next)
        for (size_t i = 0; i < file->count; i++)
            if (selection == NULL || is_named(file, i, selection))
                found = file->wanted[i] = true;
    return found;
}

static bool want_all(char *const *selections)
{
    if (*selections == NULL)
        return want(NULL);
    for (; *selections != NULL; selections++)
        if (!want(*selections)) {
            (void)fprintf(stderr, "unit: no test is named %s; --list shows all names\n",
                          *selections);
            return false;
        }
    return true;
}

static int list(void)
{
    for (const struct unit_file *file = files; file != NULL; file = file->next)
        for (size_t i = 0; i < file->count; i++)
            if (file->wanted[i])
                (void)printf("%s/%s\n", file->name, file->tests[i].name);
    return 0;
}

/* --- a file ----------------------------------------------------------------------------------- */

/* In memory that the process of the tests has with this one. */
static struct progress {
    unsigned begun, passed, failed;
    bool ended;
} * progress;

/* Those of the file that are wanted. */
static struct CMUnitTest running[UNIT_TESTS_MAX];
static unsigned running_count;

static void choose(const struct unit_file *file)
{
    *progress = (struct progress){0};
    running_count = 0;
    for (size_t i = 0; i < file->count; i++)
        if (file->wanted[i])
            running[running_count++] = file->tests[i];
}

static int begin_test(void **state)
{
    const struct CMUnitTest *test = &running[progress->begun++];
    return test->setup_func != NULL ? test->setup_func(state) : 0;
}

static void perform_test(void **state)
{
    running[progress->begun - 1].test_func(state);
    progress->passed++;
}

static int run_here(const struct unit_file *file)
{
    struct CMUnitTest tests[UNIT_TESTS_MAX];
    for (unsigned i = 0; i < running_count; i++) {
        tests[i] = running[i];
        tests[i].setup_func = begin_test;
        tests[i].test_func = perform_test;
    }
    int failed =
        _cmocka_run_group_tests(file->name, tests, running_count, file->set_up, file->tear_down);
    progress->failed = (unsigned)failed;
    progress->ended = true;
    return failed != 0;
}

/* Gives what waitpid(2) tells. */
static int run_apart(const struct unit_file *file)
{
    int status = -1;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        exit(run_here(file));
    if (child > 0)
        (void)waitpid(child, &status, 0);
    return status;
}

/* --- all files -------------------------------------------------------------------------------- */

struct totals {
    unsigned passed, failed, skipped;
};

/* A process that says that no test failed, and then ends otherwise, has found something, such as a
 * leak. */
static void count_up(struct totals *totals, struct unit_file *file, int status)
{
    bool all_ran = progress->ended && progress->begun == running_count;
    unsigned failed = !all_ran ? running_count - progress->passed : progress->failed;
    if (failed == 0 && status != 0)
        failed = 1;
    unsigned passed = progress->passed;
    if (passed > running_count - failed) /* a test's end failed */
        passed = running_count - failed;
    totals->passed += passed;
    totals->failed += failed;
    totals->skipped += running_count - passed - failed;
    file->failed = failed != 0;
}

static void tell_crash(const struct unit_file *file, int status)
{
    const char *test = progress->begun != 0 ? running[progress->begun - 1].name : "its beginning";
    if (progress->ended)
        return;
    (void)printf("%s: %s %d in %s: %u tests did not run\n", file->name,
                 WIFSIGNALED(status) ? "killed by signal" : "ended with status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), test,
                 running_count - progress->begun);
}

static int sum_up(const struct totals *totals)
{
    for (const struct unit_file *file = files; file != NULL; file = file->next)
        if (file->failed)
            (void)printf("failed: %s\n", file->name);
    (void)printf("%u passed, %u failed", totals->passed, totals->failed);
    if (totals->skipped != 0)
        (void)printf(", %u skipped", totals->skipped);
    (void)printf("\n");
    return totals->failed != 0;
}

static unsigned count_wanted_files(void)
{
    unsigned count = 0;
    for (const struct unit_file *file = files; file != NULL; file = file->next)
        count += memchr(file->wanted, true, file->count) != NULL;
    return count;
}

static int run_all(bool together)
{
    struct totals totals = {0};
    bool here = together || count_wanted_files() == 1;
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    for (struct unit_file *file = files; file != NULL; file = file->next) {
        choose(file);
        if (running_count == 0)
            continue;
        int status = here ? run_here(file) : run_apart(file);
        tell_crash(file, status);
        count_up(&totals, file, status);
    }
    return sum_up(&totals);
}

int main(int argc, char **argv)
{
    bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
    bool together = argc > 1 && strcmp(argv[1], "--together") == 0;
    if (argc > 2 && strcmp(argv[1], "--as") == 0)
        return play(argv + 2);
    if (!want_all(argv + 1 + (lists || together)))
        return 2;
    return lists ? list() : run_all(together);
}

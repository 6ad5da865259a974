/* test_unreached.c - programs below the command that have an environment without the library are
 * told, each once; all others are not. The programs are this one, with a file mapped that is called
 * like the runtime. */
#include "cli/process/unreached.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

#define OURS  "{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}"
#define OTHER "{846F5F1C-F9AE-4B07-969E-05C26BC060D8}"

enum {
    VARIABLES_MAX = 6
};

/* Maps the file, says that it is ready, and waits. */
static int be_program(char *const *arguments)
{
    const char *path = arguments[0], *grandchild = arguments[1];
    int file = file_open(path, FILE_READ);
    if (*grandchild != '\0' && fork() != 0) {
        (void)pause(); /* the other half is what runs .NET */
        return 0;
    }
    if (mmap(NULL, 4, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED)
        return 1;
    (void)!write(STDOUT_FILENO, "", 1);
    (void)pause();
    return 0;
}

static int start(const char *path, const char *const *variables, const char *grandchild)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    int pid = fork();
    if (pid == 0) {
        char *arguments[] = {(char *)(uintptr_t) "program", (char *)(uintptr_t) "--as",
                             (char *)(uintptr_t) "program", (char *)(uintptr_t)path,
                             (char *)(uintptr_t)grandchild, NULL};
        (void)setpgid(0, 0);
        (void)dup2(ready[1], STDOUT_FILENO);
        (void)execve("/proc/self/exe", arguments, (char *const *)(uintptr_t)variables);
        _exit(1);
    }
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    return pid;
}

static void end(int pid)
{
    (void)kill(-pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static struct str said(struct temporary *t, const struct unreached *unreached, bool stops_gates)
{
    const char *path = temporary_path(t, "said");
    int saved = temporary_redirect(2, path);
    unreached_say(unreached, stops_gates);
    temporary_restore(2, saved);
    return temporary_read(t, path);
}

#define OWN                                                                                        \
    "ilcov: unit was not measured: it was started with an environment of its own; what "           \
    "starts it must pass on CORECLR_*, DOTNET_* and ILCOV_SESSION"

static const struct {
    const char *variables[VARIABLES_MAX];
    const char *file, *said;
} programs[] = {
    {{"PATH=/bin"}, "libcoreclr.so", OWN "\n"},
    {{"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" OURS}, "libcoreclr.so", OWN "\n"},
    {{"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" OTHER},
     "libcoreclr.so",
     "ilcov: unit was not measured: it was started with another profiler (Datadog), and "
     ".NET loads one only\n"},
    {{"DOTNET_EnableDiagnostics=0"},
     "libcoreclr.so",
     "ilcov: unit was not measured: DOTNET_EnableDiagnostics=0 in its environment keeps "
     "every profiler out\n"},
    /* of a session that is not there */
    {{"ILCOV_SESSION=/nowhere/at/all", "CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" OURS,
      "DOTNET_ENABLE_PROFILING=1", "DOTNET_PROFILER=" OURS},
     "libcoreclr.so",
     OWN "\n"},
    /* measured, or the library's own business */
    {{"ILCOV_SESSION=/", "CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" OURS,
      "DOTNET_ENABLE_PROFILING=1", "DOTNET_PROFILER=" OURS},
     "libcoreclr.so",
     ""},
    /* no .NET */
    {{"PATH=/bin"}, "libc.so", ""},
};

static void programs_without_the_library_are_told_with_the_cause(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        struct unreached u;
        const char *file = temporary_file(&t, programs[i].file, "text", 4);
        unreached_open(&u);
        int pid = start(file, programs[i].variables, "");
        assert_int_equal(u.watch.look(u.watch.context, pid), 1000);
        assert_str(said(&t, &u, false), programs[i].said);
        end(pid);
        unreached_close(&u);
    }
    temporary_close(&t);
}

static const char *const bare[] = {"PATH=/bin", NULL};

static void program_is_told_once_and_no_gate_passes_over_it(void **state)
{
    (void)state;
    struct temporary t;
    struct unreached u;
    temporary_open(&t);
    const char *file = temporary_file(&t, "libcoreclr.so", "text", 4);
    unreached_open(&u);
    int pid = start(file, bare, "grandchild");
    for (int i = 0; i < 3; i++)
        (void)u.watch.look(u.watch.context, pid);
    assert_str(said(&t, &u, false), OWN "\n");
    assert_str(said(&t, &u, true), OWN "; no gate passes while it is not measured\n");
    end(pid);
    unreached_close(&u);
    temporary_close(&t);
}

static void programs_of_others_are_not_told(void **state)
{
    (void)state;
    struct temporary t;
    struct unreached u;
    temporary_open(&t);
    const char *file = temporary_file(&t, "libcoreclr.so", "text", 4);
    int before = start(file, bare, "");
    unreached_open(&u);
    int beside = start(file, bare, ""), command = start(temporary_file(&t, "x", "x", 1), bare, "");
    (void)u.watch.look(u.watch.context, command);
    assert_str(said(&t, &u, false), "");
    end(before);
    end(beside);
    end(command);
    unreached_close(&u);
    temporary_close(&t);
}

UNIT_ROLE("program", be_program);

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(programs_without_the_library_are_told_with_the_cause),
    cmocka_unit_test(program_is_told_once_and_no_gate_passes_over_it),
    cmocka_unit_test(programs_of_others_are_not_told),
};
UNIT_TESTS(tests);

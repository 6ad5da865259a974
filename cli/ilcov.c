/* ilcov.c - the program: finds the verb. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/say.h"
#include "cli/verbs.h"

#ifndef ILCOV_VERSION
#define ILCOV_VERSION "0"
#endif

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    {"run", verb_run, "run a command and measure the .NET programs in it"},
    {"report", verb_report, "write reports from the data file of a run"},
    {"inspect", verb_inspect, "show what ilcov sees and does in an assembly"},
    {"doctor", verb_doctor, "check whether this machine can measure"},
};

static void print_help(void)
{
    printf("Usage: ilcov VERB [ARGUMENT...]\n"
           "Code coverage of .NET programs.\n\n");
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
    printf("\n'ilcov VERB --help' tells more about one; 'ilcov --version' prints the version.\n"
           "Example: ilcov run -- dotnet test\n");
}

static int refuse_verb(const char *word)
{
    const char *names[ARRAY_LEN(verbs) + 1] = {NULL};
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        names[i] = verbs[i].name;
    const char *meant = options_nearest(word, names);
    if (meant != NULL)
        say("unknown verb '%s'; did you mean '%s'? (see 'ilcov --help')", word, meant);
    else
        say("unknown verb '%s' (see 'ilcov --help')", word);
    return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        say("no verb (see 'ilcov --help')");
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help();
        return EXIT_FINE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("ilcov %s\n", ILCOV_VERSION);
        return EXIT_FINE;
    }
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (strcmp(word, verbs[i].name) == 0)
            return verbs[i].run(argc - 1, argv + 1);
    }
    return refuse_verb(word);
}

/* A file that took the number of a closed standard stream would get what is meant for that. */
static void fill_standard_streams(void)
{
    int fd = 0;
    while (fd <= STDERR_FILENO) {
        fd = open("/dev/null", O_RDWR);
        if (fd < 0)
            return;
    }
    (void)close(fd);
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    int status = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        say("standard output cannot be written: %s", strerror(errno));
        return status != EXIT_FINE ? status : EXIT_BAD;
    }
    return status;
}

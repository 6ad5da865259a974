/* ilcov.c - the program: finds the verb. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/version.h"
#include "cli/options/complete.h"
#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/options/settings.h"
#include "cli/verbs/verbs.h"
#include "reporters/command_name.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/program.h"
#include "system/terminal.h"
#include "system/trace.h"

enum {
    VERBS_MAX = 32
};

static void print_help(void)
{
    printf("Usage: ilcov VERB [ARGUMENT...]\n"
           "Code coverage of .NET programs.\n\n");
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        printf("  %-10s %s\n", (*verb)->name, (*verb)->brief);
    printf("\n'ilcov VERB --help' describes a verb; 'ilcov --version' prints the version.\n"
           "Example: ilcov run -- dotnet test\n");
}

/* "sh -c ...": the arguments, as far as they need no quotes. */
static void print_command(char *out, size_t room, char **argv)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:=,@%";
    size_t len = 0;
    out[0] = '\0';
    for (; *argv != NULL && len < room; argv++) {
        bool typed = **argv != '\0' && (*argv)[strspn(*argv, plain)] == '\0';
        int n = snprintf(out + len, room - len, " %s", typed ? *argv : "...");
        len += n > 0 ? (size_t)n : 0;
        if (!typed)
            return;
    }
}

/* `ilcov dotnet test`, `ilcov -q -- dotnet test`: the verb was forgotten. */
static bool is_command(char **argv)
{
    char path[PATH_ROOM];
    return (argv[0][0] == '-' && argv[1] != NULL) || program_file_find(path, argv[0]);
}

static int refuse_first_word(char **argv)
{
    const char *word = argv[0], *names[VERBS_MAX + 3] = {"--version", "--help"};
    if (is_command(argv)) {
        char command[200];
        print_command(command, sizeof command, argv);
        say("unknown verb '%s'; did you mean 'ilcov run%s%s'? (see 'ilcov --help')", word,
            word[0] == '-' ? "" : " --", command);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < VERBS_MAX && verbs[i] != NULL; i++)
        names[i + 2] = verbs[i]->name;
    const char *meant = nearest_word(str_of(word), names);
    if (meant != NULL)
        say("unknown verb '%s'; did you mean '%s'? (see 'ilcov --help')", word, meant);
    else
        say("unknown verb '%s' (see 'ilcov --help')", word);
    return EXIT_USAGE;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct command_line line = {
        .verb = verb, .verbs = verbs, .argc = argc, .argv = argv, .settings = settings_find};
    struct operands operands;
    void *options = NULL;
    int status = EXIT_FINE;
    struct arena arena = ARENA_EMPTY;
    if (options_parse(&options, &operands, &line, &arena, &status))
        status = verb->act(options, &operands, &arena);
    arena_free(&arena);
    return status;
}

/* argv[0] is the verb; after it come the words of a line. */
static int answer_completion(int argc, char **argv)
{
    struct str answer;
    struct err err = {0};
    struct arena arena = ARENA_EMPTY;
    struct text text = text_in(&arena);
    complete_line(&text, verbs, argc - 1, argv + 1);
    bool fine = text_take(&answer, &text, &err);
    if (fine)
        (void)fwrite(answer.text, 1, answer.len, stdout);
    arena_free(&arena);
    return fine ? EXIT_FINE : EXIT_BAD;
}

/* argv[0] is the verb. */
static int dispatch_word(int argc, char **argv)
{
    static char help[] = "--help";
    const char *word = argv[0];
    if (strcmp(word, "help") == 0 && argc > 1)
        return dispatch_word(2, (char *[]){argv[1], help, NULL});
    if (strcmp(word, help) == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0 ||
        strcmp(word, "--help-all") == 0) {
        print_help();
        return EXIT_FINE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        options_print_version();
        return EXIT_FINE;
    }
    if (strcmp(word, COMPLETE_VERB) == 0 && argc > 1)
        return answer_completion(argc, argv);
    const struct verb *verb = verb_named(verbs, word);
    return verb != NULL ? run_verb(verb, argc, argv) : refuse_first_word(argv);
}

int main(int argc, char **argv)
{
    int64_t start = clock_ns();
    standard_streams_fill();
    freed_memory_keep();
    trace("ilcov %s %s", ilcov_version, argc > 1 ? argv[1] : "");
    if (argc > 0)
        command_name_choose(argv[0]);
    int status = EXIT_USAGE;
    if (argc > 1)
        status = dispatch_word(argc - 1, argv + 1);
    else
        say("no verb (see 'ilcov --help')");
    trace_since(start, "ended with status %d", status);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        say("standard output cannot be written: %s", strerror(errno));
        return status != EXIT_FINE ? status : EXIT_BAD;
    }
    return status;
}

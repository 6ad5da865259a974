/* ilcov completion SHELL: the script that makes a shell complete ilcov's command lines. */
#include "cli/completion/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/base/exit.h"
#include "cli/base/option_values.h"
#include "cli/base/options.h"
#include "cli/base/say.h"
#include "cli/verbs/verbs.h"

static bool word(struct option_word *out, size_t index)
{
    const struct completion_shell *shell = &completion_shells[index];
    *out = (struct option_word){shell->name, shell->summary, NULL};
    return shell->name != NULL;
}

static int print(const struct completion_shell *shell, struct arena *arena)
{
    struct err err = {0};
    struct text text;
    struct str script;
    text_open(&text, arena);
    shell->write(&text, verbs);
    if (!text_take(&script, &text, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    (void)fwrite(script.text, 1, script.len, stdout); /* main reports a failure to write */
    return EXIT_FINE;
}

static int print_script(const void *options, const struct operands *operands, struct arena *arena)
{
    struct option_taking taking = {.name = "SHELL", .arena = arena, .room = 1};
    struct err err = {0};
    (void)options;
    if (operands->count == 0)
        return options_refuse(&verb_completion, "no SHELL: expected bash, zsh or fish");
    for (const struct completion_shell *shell = completion_shells; shell->name != NULL; shell++)
        if (strcmp(shell->name, operands->items[0]) == 0)
            return print(shell, arena);
    (void)option_refuse_word("shell", str_of(operands->items[0]), word, &taking, &err);
    return options_refuse(&verb_completion, "%s", err.text);
}

static const char *const examples[] = {"source <(ilcov completion bash)", NULL};

const struct verb verb_completion = {
    .name = "completion",
    .brief = "print the completion script for a shell",
    .operands = "SHELL",
    .summary = "Prints the script with which SHELL (bash, zsh or fish) completes ilcov's command "
               "lines. 'make install' installs it for all three.",
    .exits = "2: wrong usage.",
    .examples = examples,
    .manual = "The scripts complete verbs, options and their values, files, the IDs of .NET "
              "processes, and after 'ilcov run' the command as the shell would without ilcov. "
              "Where they are not installed: for bash, evaluate the script, for example in "
              "~/.bashrc; for zsh, save it as the file _ilcov in a folder of $fpath; for fish, "
              "save it as ~/.config/fish/completions/ilcov.fish.",
    .operand_max = 1,
    .completes = COMPLETE_WORD,
    .word = word,
    .act = print_script,
};

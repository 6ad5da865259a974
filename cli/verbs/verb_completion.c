/* ilcov completion SHELL: the script that makes a shell complete ilcov's command lines. It asks the
 * program that the line names what may follow (cli/options/complete.h). */
#include <stdio.h>
#include <string.h>

#include "base/asset.h"
#include "cli/options/exit.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/verbs/verbs.h"

ASSET(bash, "cli/verbs/completion.bash");
ASSET(zsh, "cli/verbs/completion.zsh");
ASSET(fish, "cli/verbs/completion.fish");

static const struct option_word shells[] = {
    {"bash", "for share/bash-completion/completions/ilcov", NULL},
    {"zsh", "for share/zsh/site-functions/_ilcov", NULL},
    {"fish", "for share/fish/vendor_completions.d/ilcov.fish", NULL},
};

static bool completion_shell_word(struct option_word *out, size_t index)
{
    if (index < ARRAY_LEN(shells))
        *out = shells[index];
    return index < ARRAY_LEN(shells);
}

static int print_script(const void *options, const struct operands *operands, struct arena *arena)
{
    struct option_context context = {.name = "SHELL", .arena = arena, .room = 1};
    const struct str scripts[] = {ASSET_STR(bash), ASSET_STR(zsh), ASSET_STR(fish)};
    struct err err = {0};
    (void)options;
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(shells[i].name, operands->items[0]) == 0) {
            (void)fwrite(scripts[i].text, 1, scripts[i].len, stdout); /* main reports a failure */
            return EXIT_FINE;
        }
    (void)option_refuse_word("shell", str_of(operands->items[0]), completion_shell_word, &context,
                             &err);
    return options_refuse(&verb_completion, "%s", err.text);
}

const struct verb verb_completion = {
    .name = "completion",
    .brief = "print the completion script for a shell",
    .operands = "SHELL",
    .summary = "Prints the script with which SHELL (bash, zsh or fish) completes ilcov's command "
               "lines. 'make install' installs it for all three.",
    .exits = "2: wrong usage.",
    .examples = "source <(ilcov completion bash)",
    .manual = "The scripts complete verbs, options and their values, files, the IDs of .NET "
              "processes, and after 'ilcov run' the command as the shell would without ilcov. "
              "Where they are not installed: for bash, evaluate the script, for example in "
              "~/.bashrc; for zsh, save it as the file _ilcov in a folder of $fpath; for fish, "
              "save it as ~/.config/fish/completions/ilcov.fish.",
    .lacks = "no SHELL: expected bash, zsh or fish",
    .operand_max = 1,
    .completes = COMPLETE_WORD,
    .word = completion_shell_word,
    .act = print_script,
};

/* ilcov merge -o OUT DATA...: shards, target frameworks, machines into one data file. */
#include <limits.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/outcome/results.h"
#include "coverage/merge/merge.h"
#include "coverage/source/paths.h"

/* "all.ilcov: 12 runs of 3 files, 4 assemblies" */
static void summarise(const struct merge_result *result, const char *output)
{
    say("%s: %u %s of %u %s, %u %s", output, result->run_count,
        plural(result->run_count, "run", "runs"), result->file_count,
        plural(result->file_count, "file", "files"), result->module_count,
        plural(result->module_count, "assembly", "assemblies"));
    for (uint32_t i = 0; i < result->note_count; i++)
        say("%.*s", STR_ARGS(result->notes[i]));
}

static int merge(const struct options *options, struct arena *arena)
{
    struct err err = {0};
    struct merge_result result;
    struct merge_options merge_options = {
        .squash = options->squash, .strict = options->strict, .carry = options->carry};
    char root[PATH_MAX];
    if (options->operand_count == 0)
        return options_refuse(&verb_merge.usage, "no DATA to merge");
    if (options->output == NULL)
        return options_refuse(&verb_merge.usage, "no -o FILE to write");
    for (int i = 0; i < options->operand_count; i++)
        if (access(options->operands[i], F_OK) != 0) {
            say("there is no data file %s: 'ilcov run' writes one", options->operands[i]);
            return EXIT_BAD;
        }
    if (!paths_root(root, options->root, &err))
        return options_refuse(&verb_merge.usage, "%s", err.text);
    merge_options.root = str_of(root);
    if (!results_can_write(options->output, &err)) {
        say("%s: %s", options->output, err.text);
        return EXIT_BAD;
    }
    if (!merge_files(&result, options->output, (const char *const *)options->operands,
                     (uint32_t)options->operand_count, &merge_options, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    for (uint32_t i = 0; i < result.warning_count; i++)
        say("%.*s", STR_ARGS(result.warnings[i]));
    if (!options->quiet)
        summarise(&result, options->output);
    if (options->carry != NULL)
        say("%llu %s carried from %s", (unsigned long long)result.carried_methods,
            plural(result.carried_methods, "method is", "methods are"), options->carry);
    return EXIT_FINE;
}

const struct verb verb_merge = {
    .usage = {.verb = FOR_MERGE,
              .name = "merge",
              .operands = "-o FILE [OPTION...] DATA...",
              .summary =
                  "Makes one data file of several: shards, target frameworks, machines. In any\n"
                  "order and grouping; a run that comes twice counts once.",
              .notes = "Exit status: 2 usage, 3 bad data or unwritable output.\n"
                       "Example: ilcov merge -o all.ilcov shards/*.ilcov && ilcov report all.ilcov",
              .operand_max = INT_MAX},
    .brief = "make one data file of several",
    .act = merge,
};

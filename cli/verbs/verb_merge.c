/* ilcov merge -o OUT DATA...: shards, target frameworks, machines into one data file. */
#include <limits.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/options/progress_line.h"
#include "cli/options/publish_options.h"
#include "cli/options/say.h"
#include "cli/publish/left_out.h"
#include "cli/verbs/verbs.h"
#include "coverage/facts/store.h"
#include "coverage/merge/merge.h"
#include "coverage/source/paths.h"
#include "system/file_status.h"

struct merge_verb_options {
    const char *output;
    bool squash, strict;
    const char *carry; /* a data file, or NULL */
    struct source_options sources;
    struct talk_options talk;
    bool json;
};

/* "all.ilcov: 12 runs of 3 files, 4 assemblies" */
static void summarise_merge(const struct merge_result *result,
                            const struct merge_verb_options *options)
{
    say("%s: %u %s of %u %s, %u %s", options->output, result->run_count,
        plural(result->run_count, "run", "runs"), result->file_count,
        plural(result->file_count, "file", "files"), result->module_count,
        plural(result->module_count, "assembly", "assemblies"));
    for (uint32_t i = 0; i < result->note_count; i++)
        say("%.*s", STR_ARGS(result->notes[i]));
    if (options->carry != NULL)
        say("%llu %s carried from %s", (unsigned long long)result->carried_methods,
            plural(result->carried_methods, "method is", "methods are"), options->carry);
}

static void put_texts(struct json_writer *json, const char *key, const struct str *texts,
                      uint32_t count)
{
    jw_begin(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        jw_text(json, NULL, texts[i]);
    jw_end(json, ']');
}

static int print_merge_json(const struct merge_result *result,
                            const struct merge_verb_options *options)
{
    struct err err = {0};
    struct json_output out;
    if (!json_output_open(&out, "1.0.0", &err))
        return say_error(&err);
    jw_text_c(&out.json, "output", options->output);
    jw_number(&out.json, "runs", result->run_count);
    jw_number(&out.json, "files", result->file_count);
    jw_number(&out.json, "assemblies", result->module_count);
    if (options->carry != NULL)
        jw_number(&out.json, "carried_methods", result->carried_methods);
    put_texts(&out.json, "notes", result->notes, result->note_count);
    put_texts(&out.json, "warnings", result->warnings, result->warning_count);
    return json_output_end(&out, true, EXIT_FINE, &err);
}

static int merge_data(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct merge_verb_options *options = parsed;
    struct err err = {0};
    struct merge_result result;
    struct merge_options merge_options = {
        .squash = options->squash, .strict = options->strict, .carry = options->carry};
    char root[PATH_ROOM];
    if (options->output == NULL)
        return options_refuse(&verb_merge, "no -o FILE to write");
    for (int i = 0; i < operands->count; i++)
        if (!file_exists(operands->items[i])) {
            say("there is no data file %s: 'ilcov run' writes one", operands->items[i]);
            return EXIT_BAD;
        }
    if (!paths_root(root, options->sources.root, &err))
        return options_refuse(&verb_merge, "%s", err.text);
    merge_options.root = str_of(root);
    merge_options.maps = &options->sources.maps;
    if (!store_check_output(options->output, &err)) {
        err_prefix(&err, "%s", options->output);
        return say_error(&err);
    }
    struct progress_line line;
    progress_line_open(&line, options->talk.quiet);
    merge_options.progress = &line.progress;
    bool ok = merge_files(&result, options->output, (const char *const *)operands->items,
                          (uint32_t)operands->count, &merge_options, arena, &err);
    progress_line_erase(&line);
    if (!ok)
        return say_error(&err);
    for (uint32_t i = 0; i < result.warning_count; i++)
        say("%.*s", STR_ARGS(result.warnings[i]));
    unmatched_maps_say(&options->sources.maps);
    if (options->json)
        return print_merge_json(&result, options);
    if (!options->talk.quiet)
        summarise_merge(&result, options);
    return EXIT_FINE;
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
    {.letter = 'o',
     .name = "output",
     .argument = "FILE",
     .take = option_take_text,
     .field = offsetof(struct merge_verb_options, output),
     .help = "the data file to write; may be one of the DATA",
     .completes = COMPLETE_FILE,
     .cli_only = true},
    {.name = "squash",
     .take = option_take_flag,
     .field = offsetof(struct merge_verb_options, squash),
     .help = "fold all runs into one: smaller, but runs can no longer be told apart",
     .more = "One run of each kind remains. A file that has one of the folded runs can no longer "
             "be merged with the result (status 3)."},
    {.name = "strict",
     .take = option_take_flag,
     .field = offsetof(struct merge_verb_options, strict),
     .help = "fail if a DATA is damaged, instead of skipping it",
     .more = "A message names each skipped file."},
    {.name = "carry",
     .argument = "BASE",
     .take = option_take_text,
     .field = offsetof(struct merge_verb_options, carry),
     .help = "take over from the data file BASE the counts of methods that did not run and have "
             "not changed since",
     .more = "A method did not run if its assembly never loaded, or if the run was --partial and "
             "did not hit it. Reports say how many lines that affects; real counts override "
             "carried ones in any merge.",
     .completes = COMPLETE_FILE},
    {.name = NULL},
};

static const struct help_override overrides[] = {
    {"root", "where the sources are (default: as for 'run')", NULL},
    {NULL, NULL, NULL},
};

static const struct option_group groups[] = {
    {rows, 0, NULL},
    {source_rows, offsetof(struct merge_verb_options, sources), overrides},
    {quiet_rows, offsetof(struct merge_verb_options, talk), NULL},
    {json_rows, offsetof(struct merge_verb_options, json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_merge = {
    .name = "merge",
    .brief = "combine several data files into one",
    .operands = "-o FILE [OPTION...] DATA...",
    .summary = "Combines the data files of shards, target frameworks or machines into one, in any "
               "order and grouping. A run that occurs twice counts once. A Cobertura, LCOV or "
               "OpenCover report of another tool can be one of them.",
    .exits = "2: wrong usage; 3: bad data or unwritable output.",
    .examples = "ilcov merge -o all.ilcov shards/*.ilcov && ilcov report all.ilcov",
    .lacks = "no DATA to merge",
    .operand_max = INT_MAX,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct merge_verb_options),
    .act = merge_data,
};

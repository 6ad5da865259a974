/* ilcov diff [BASE] HEAD: what changed in the code and in its coverage, and whether the lines of a
 * patch are covered. */
#include <limits.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/publish/publish.h"
#include "cli/verbs/verbs.h"
#include "coverage/external/external_reader.h"
#include "reporters/diff/diff_formats.h"
#include "system/output_path.h"

struct diff_verb_options {
    struct publish_options publish; /* `data` is HEAD */
    bool json;                      /* as -f json=- */
};

static int diff_files(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct diff_verb_options *verb = parsed;
    const struct publish_options *options = &verb->publish;
    const struct data_input input = {
        .paths = &options->data, .count = 1, .sources = &options->sources};
    if (options->gates.base == NULL && options->gates.patch == NULL)
        return options_refuse(&verb_diff,
                              operands->count == 0
                                  ? "nothing to compare with: name a BASE or a --patch"
                                  : "one data file is HEAD, and there is nothing to compare it "
                                    "with: name BASE before it, or a --patch");
    if (external_is_file(options->data)) {
        say("%s is a report of another tool, which can only be BASE", options->data);
        return EXIT_BAD;
    }
    return publish_data(&input, options, &verb_diff, true, arena);
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct diff_verb_options, field)

static bool diff_format_word(struct option_word *out, size_t index)
{
    const struct format *format = &diff_formats[index];
    *out = (struct option_word){format->name, format->summary, format_default_file(format)};
    return format->name != NULL;
}

static bool take_diff_format(void *field, const char *value, const struct option_context *context,
                             struct err *err)
{
    return format_options_add_of(field, diff_formats, diff_format_word, value, context, err);
}

static const struct option_row own_rows[] = {
    {.letter = 'f',
     .name = "format",
     .argument = "NAME[=FILE]",
     .take = take_diff_format,
     .field = AT(publish.formats),
     .help = "how to write it (repeatable); default text, to standard output",
     .more =
         "If FILE is -, it goes to standard output; if it is the file that $GITHUB_STEP_SUMMARY "
         "names, it is appended to it. The schema of 'json' is share/ilcov/diff.schema.json.",
     .completes = COMPLETE_WORD_FILE,
     .writes = true,
     .word = diff_format_word,
     .repeats = true,
     .default_text = "text"},
    {.name = "no-source",
     .take = option_take_flag,
     .field = AT(publish.no_source),
     .help = "write no source text"},
    {.name = NULL},
};

static const struct help_override overrides[] = {
    {"root", "where the sources are (default: the run's root if it is here, else as for 'run')",
     NULL},
    {"data", "data file that is HEAD if none is named (default " DATA_FILE ")", NULL},
    {"quiet", NULL,
     "Without -f, no difference is written: the exit status tells whether the gates passed."},
    {"verbose", "list the sources of the patch that are not checked, with the reason",
     "For example tests, code that was excluded when it was measured, and interfaces."},
    {"json", NULL, "It is the same as -f json. The schema is share/ilcov/diff.schema.json."},
    {NULL, NULL, NULL},
};

static const struct option_group groups[] = {
    {own_rows, 0, NULL},
    {source_rows, AT(publish.sources), overrides},
    {read_data_rows, AT(publish.data), overrides},
    {exclude_rows, AT(publish.filter), NULL},
    {filter_rows, AT(publish.filter), NULL},
    {gate_rows, AT(publish.gates), NULL},
    {talk_rows, AT(publish.talk), overrides},
    {json_rows, AT(json), overrides},
    {NULL, 0, NULL},
};

static bool end_diff(void *parsed, const struct operands *operands,
                     const struct option_context *context, struct err *err)
{
    struct diff_verb_options *verb = parsed;
    struct publish_options *options = &verb->publish;
    if (operands->count != 0)
        options->data = operands->items[operands->count - 1];
    if (operands->count > 1)
        options->gates.base = operands->items[0];
    for (uint32_t i = 0; verb->json && i < options->formats.count; i++)
        if (format_is_stream(options->formats.items[i].path))
            return err_set(err, ERR_USAGE,
                           "--json prints to standard output, and so would -f %s: name a file, as "
                           "in -f %s=FILE",
                           options->formats.items[i].format->name,
                           options->formats.items[i].format->name);
    if (verb->json && !take_diff_format(&options->formats, "json=-", context, err))
        return false;
    if (options->formats.count == 0 && options->talk.quiet)
        return true;
    if (options->formats.count == 0)
        return take_diff_format(&options->formats, "text", context, err);
    for (uint32_t i = 0; i < options->formats.count; i++)
        for (int j = 0; j < operands->count; j++) {
            const char *path = options->formats.items[i].path;
            if (path != NULL && same_file(path, operands->items[j]))
                return err_set(err, ERR_USAGE, "the difference would replace the data file %s",
                               path);
        }
    return format_options_check(&options->formats, err);
}

const struct verb verb_diff = {
    .name = "diff",
    .brief = "compare two data files, or check the lines that a patch changed",
    .operands = "[OPTION...] [BASE] [HEAD]",
    .summary =
        "Compares two data files: which methods were edited, moved, added or removed, and which "
        "lines and branches were lost or gained. Moved lines do not count as changes. BASE may be "
        "a Cobertura, LCOV or OpenCover report: then lines are compared by number. With --patch, "
        "it checks whether the changed lines are covered, and needs no BASE. HEAD is " DATA_FILE
        " unless named.",
    .exits = "1: a gate failed; 2: wrong usage; 3: bad data or unwritable output.",
    .examples = "ilcov diff --patch main...HEAD --gate 'patch>=80'\n"
                "ilcov diff base.ilcov head.ilcov --gate lost=0",
    .lists = "format",
    .operand_max = 2,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct diff_verb_options),
    .finish = end_diff,
    .act = diff_files,
};

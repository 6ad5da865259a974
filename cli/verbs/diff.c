/* ilcov diff [BASE] HEAD: what changed in the code and in its coverage, and whether the lines of a
 * patch are covered. */
#include <limits.h>
#include <string.h>

#include "cli/base/exit.h"
#include "cli/base/filter_options.h"
#include "cli/base/gate_options.h"
#include "cli/base/json_output.h"
#include "cli/base/option_values.h"
#include "cli/base/options.h"
#include "cli/base/outcome_options.h"
#include "cli/base/say.h"
#include "cli/outcome/compare.h"
#include "cli/outcome/generated_line.h"
#include "cli/outcome/measured_sources.h"
#include "cli/outcome/new_root.h"
#include "cli/outcome/outside_line.h"
#include "cli/outcome/publish.h"
#include "cli/outcome/source_root.h"
#include "cli/outcome/unmatched.h"
#include "cli/verbs/verbs.h"
#include "coverage/store/store.h"
#include "reporters/diff/diff_formats.h"
#include "system/file/file_exists.h"
#include "system/file/same_file.h"

struct diff_verb_options {
    const char *data; /* HEAD, if no operand names it; or NULL */
    struct format_options formats;
    struct source_options sources;
    struct filter_options filter;
    struct gate_options gates;
    struct talk_options talk;
    bool no_source; /* pages without source text */
    bool json;      /* as -f json=- */
};

static int refuse(const struct err *err)
{
    return options_fail(&verb_diff, err);
}

static int write_all(const struct comparison *comparison, const struct facts *facts,
                     const struct diff_verb_options *options, struct progress_line *line)
{
    struct measured_sources sources, was;
    const struct format_job job = {
        .diff = &comparison->diff, .sources = &sources.sources, .was = &was.sources};
    const struct interrupt none = {.signal = NULL};
    if (options->no_source) {
        measured_sources_withhold(&sources);
        measured_sources_withhold(&was);
    } else {
        measured_sources_open(&sources, facts, comparison->diff.root);
        measured_sources_open(&was, &comparison->base, comparison->was_root);
    }
    int status = publish_formats(&options->formats, &job, &none, line);
    measured_sources_close(&sources);
    measured_sources_close(&was);
    return status;
}

/* Does a format tell people what the gates do not? */
static bool shows_note(const struct format_options *formats)
{
    bool shows = false;
    for (uint32_t i = 0; i < formats->count; i++)
        shows = shows || format_is_stream(formats->items[i].path);
    return shows;
}

static int diff_files(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct diff_verb_options *options = parsed;
    struct err err = {0};
    struct facts head;
    struct comparison comparison;
    bool has_base = operands->count > 1;
    const char *head_path = operands->count != 0    ? operands->items[operands->count - 1]
                            : options->data != NULL ? options->data
                                                    : data_file_to_read();
    const char *base_path = has_base ? operands->items[0] : NULL;
    if (!has_base && options->gates.patch == NULL)
        return options_refuse(&verb_diff,
                              operands->count == 0
                                  ? "nothing to compare with: name a BASE or a --patch"
                                  : "one data file is HEAD, and there is nothing to compare it "
                                    "with: name BASE before it, or a --patch");
    if (!compare_gates_fit(&options->gates, has_base ? NULL : "a BASE", &err))
        return refuse(&err);
    for (int i = 0; i < operands->count || i == 0; i++) {
        const char *path = operands->count == 0 ? head_path : operands->items[i];
        if (!file_exists(path)) {
            say("there is no data file %s: 'ilcov run' writes one", path);
            return EXIT_BAD;
        }
    }
    struct progress_line line;
    progress_line_open(&line, options->talk.quiet);
    bool is_read = store_read_summed(&head, head_path, progress_line_hook(&line), arena, &err);
    progress_line_erase(&line);
    if (!is_read) {
        err_prefix(&err, "%s", head_path);
        return say_error(&err);
    }
    struct str root = STR("");
    struct outside_line outside = {.any = false};
    bool has_gates = options->gates.gates.count != 0;
    if (!source_root_given(&root, options->sources.root, arena, &err) ||
        !new_root_apply(&head, root, false, NULL, arena, &err) ||
        !path_maps_apply(&options->sources.maps, &head, root, arena, &err) ||
        (has_gates && !outside_line_say(&outside, &head, &options->filter, options->sources.root,
                                        root, has_gates, arena, &err)))
        return refuse(&err);
    new_root_check(&head, root);
    const struct comparing what = {.head = &head,
                                   .head_name = head_path,
                                   .base = base_path,
                                   .patch = options->gates.patch,
                                   .base_root = options->gates.base_root,
                                   .filter = &options->filter,
                                   .maps = &options->sources.maps,
                                   .root = root,
                                   .wants_sections = format_options_show_changes(&options->formats),
                                   .line = &line};
    if (!compare(&comparison, &what, arena, &err) ||
        !compare_gates_apply(&options->gates, &comparison.diff, &err))
        return refuse(&err);
    unmatched_filter_say(&options->filter, &head, &comparison.base);
    unmatched_maps_say(&options->sources.maps);
    if (options->talk.verbose)
        patch_sources_explain(&comparison.sources, arena);
    compare_note_gates(&comparison.diff, &options->gates, arena);
    int status = write_all(&comparison, &head, options, &line);
    if (!options->talk.quiet)
        generated_line_say(comparison.diff.generated);
    if (outside.stops_gates)
        status = exit_worse(status, EXIT_BAD);
    struct gate_failures failures = {.of_lines = false};
    status =
        exit_worse(status, compare_test_gates(&comparison.diff, &options->gates, &failures, arena));
    if (has_gates && comparison.diff.note.len != 0 && !shows_note(&options->formats))
        say("%.*s", STR_ARGS(comparison.diff.note));
    if (options->formats.count != 0)
        failures.of_patch = failures.of_base = false; /* is what was just written */
    struct gate_options gates = options->gates;
    gates.base = base_path;
    compare_say_where(&failures, &gates, head_path, arena);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct diff_verb_options, field)

static bool word(struct option_word *out, size_t index)
{
    const struct format *format = &diff_formats[index];
    *out = (struct option_word){format->name, format->summary, format_default_file(format)};
    return format->name != NULL;
}

static bool take_format(void *field, const char *value, const struct option_taking *taking,
                        struct err *err)
{
    return format_options_add_of(field, diff_formats, word, value, taking, err);
}

static const struct option_row own_rows[] = {
    {.letter = 'f',
     .name = "format",
     .argument = "NAME[=FILE]",
     .take = take_format,
     .field = AT(formats),
     .help = "how to write it (repeatable); default text, to standard output",
     .more = "If FILE is -, it goes to standard output; if it is the one that $GITHUB_STEP_SUMMARY "
             "names, to its end. The schema of 'json' is share/ilcov/diff.schema.json.",
     .completes = COMPLETE_WORD_FILE,
     .writes = true,
     .word = word,
     .repeats = true,
     .usual = "text"},
    {.name = "no-source",
     .take = option_take_flag,
     .field = AT(no_source),
     .help = "write no source text"},
    {.name = NULL},
};

static const struct option_saying says[] = {
    {"root", "where the sources are (default: the run's root if it is here, else as for 'run')",
     NULL},
    {"data", "data file that is HEAD if none is named (default " DATA_FILE ")", NULL},
    {"quiet", NULL,
     "Without -f, no difference is written: the exit status tells whether the gates passed."},
    {"verbose", "list the sources of the patch that are not looked at, with the reason",
     "Tests, for example, what was left out when it was measured, and interfaces."},
    {"json", NULL, "It is that of -f json. The schema is share/ilcov/diff.schema.json."},
    {NULL, NULL, NULL},
};

static const struct option_group groups[] = {
    {own_rows, 0, NULL},
    {source_rows, AT(sources), says},
    {read_data_rows, AT(data), says},
    {exclude_rows, AT(filter), NULL},
    {filter_rows, AT(filter), NULL},
    {gate_rows, AT(gates), NULL},
    {talk_rows, AT(talk), says},
    {json_rows, AT(json), says},
    {NULL, 0, NULL},
};

static bool finish(void *parsed, const struct operands *operands,
                   const struct option_taking *taking, struct err *err)
{
    struct diff_verb_options *options = parsed;
    for (uint32_t i = 0; options->json && i < options->formats.count; i++)
        if (format_is_stream(options->formats.items[i].path))
            return err_set(err, ERR_USAGE,
                           "--json prints to standard output, and so would -f %s: name a file, as "
                           "in -f %s=FILE",
                           options->formats.items[i].format->name,
                           options->formats.items[i].format->name);
    if (options->json && !take_format(&options->formats, "json=-", taking, err))
        return false;
    if (options->formats.count == 0 && options->talk.quiet)
        return true;
    if (options->formats.count == 0)
        return take_format(&options->formats, "text", taking, err);
    for (uint32_t i = 0; i < options->formats.count; i++)
        for (int j = 0; j < operands->count; j++) {
            const char *path = options->formats.items[i].path;
            if (path != NULL && same_file(path, operands->items[j]))
                return err_set(err, ERR_USAGE, "the difference would replace the data file %s",
                               path);
        }
    return format_options_check(&options->formats, err);
}

static const char *const examples[] = {"ilcov diff --patch main...HEAD --gate 'patch>=80'",
                                       "ilcov diff base.ilcov head.ilcov --gate lost=0", NULL};

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
    .examples = examples,
    .lists = "format",
    .operand_max = 2,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct diff_verb_options),
    .finish = finish,
    .act = diff_files,
};

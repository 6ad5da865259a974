/* ilcov diff [BASE] HEAD: what changed in the code and in what is covered of it, and what a patch owes. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/exit.h"
#include "cli/base/filter_options.h"
#include "cli/base/gate_options.h"
#include "cli/base/options.h"
#include "cli/base/outcome_options.h"
#include "cli/base/say.h"
#include "cli/outcome/compare.h"
#include "cli/outcome/sources.h"
#include "cli/verbs/verbs.h"
#include "coverage/store/store.h"
#include "reporters/diff/diff_writer.h"

struct diff_format {
    const struct diff_writer *writer;
    const char *path; /* as for diff_writer_write */
};

struct diff_verb_options {
    struct diff_format *formats;
    uint32_t format_count;
    const char *root; /* NULL: find it */
    struct filter_options filter;
    struct gate_options gates;
};

static int refuse(const struct err *err)
{
    if (err->code == ERR_USAGE)
        return options_refuse(&verb_diff, "%s", err->text);
    say("%s", err->text);
    return EXIT_BAD;
}

static int write_all(const struct diff *diff, const struct facts *facts,
                     const struct diff_verb_options *options)
{
    struct sources sources;
    struct diff_sources lines = {sources_line, &sources};
    int status = EXIT_FINE;
    sources_open(&sources, facts, diff->root);
    for (uint32_t i = 0; i < options->format_count; i++) {
        struct err err = {0};
        const struct diff_format *format = &options->formats[i];
        if (diff_writer_write(format->writer, format->path, diff, &lines, &err))
            continue;
        say("%s: %s", format->path != NULL ? format->path : "standard output", err.text);
        status = EXIT_BAD;
    }
    sources_close(&sources);
    return status;
}

static int diff_files(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct diff_verb_options *options = parsed;
    struct err err = {0};
    struct facts head;
    struct diff diff;
    bool has_base = operands->count > 1, passed = true;
    const char *head_path = operands->count == 0 ? DATA_FILE : operands->items[operands->count - 1];
    const char *base_path = has_base ? operands->items[0] : NULL;
    if (!has_base && options->gates.patch == NULL)
        return options_refuse(&verb_diff, "nothing to compare with: name a BASE or a --patch");
    if (!compare_gates_fit(&options->gates, has_base ? NULL : "a BASE", &err))
        return refuse(&err);
    for (int i = 0; i < operands->count || i == 0; i++) {
        const char *path = operands->count == 0 ? head_path : operands->items[i];
        if (access(path, F_OK) != 0) {
            say("there is no data file %s: 'ilcov run' writes one", path);
            return EXIT_BAD;
        }
    }
    if (!store_read_summed(&head, head_path, arena, &err)) {
        say("%s: %s", head_path, err.text);
        return EXIT_BAD;
    }
    struct str root = options->root != NULL ? str_of(options->root) : STR("");
    if (!compare(&diff, &head, head_path, base_path, options->gates.patch, &options->filter, root,
                 arena, &err))
        return refuse(&err);
    int status = write_all(&diff, &head, options);
    if (!compare_test_gates(&passed, &diff, &options->gates, arena, &err))
        return refuse(&err);
    return status == EXIT_FINE && !passed ? EXIT_THRESHOLD : status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct diff_verb_options, field)

static bool word(struct option_word *out, size_t index)
{
    const struct diff_writer *writer = &diff_writers[index];
    *out = (struct option_word){writer->name, writer->summary, writer->default_file};
    return writer->name != NULL;
}

static bool add_format(struct diff_verb_options *options, const char *value,
                       const struct option_taking *taking, struct err *err)
{
    const char *equals = strchrnul(value, '=');
    struct str name = {value, (size_t)(equals - value)};
    const char *path = *equals == '=' ? equals + 1 : NULL;
    const struct diff_writer *writer = diff_writer_find(name);
    if (path != NULL && *path == '\0')
        return err_set(err, ERR_USAGE, "format '%s' names no file after '='", value);
    if (writer == NULL)
        return option_refuse_word("format", name, word, taking, err);
    if (options->formats == NULL)
        options->formats = ARENA_NEW(taking->arena, struct diff_format, taking->room, err);
    if (options->formats == NULL)
        return false;
    options->formats[options->format_count++] =
        (struct diff_format){writer, path != NULL ? path : writer->default_file};
    return true;
}

static bool take_format(void *field, const char *value, const struct option_taking *taking,
                        struct err *err)
{
    return add_format(field, value, taking, err);
}

static const struct option_row own_rows[] = {
    {.letter = 'f',
     .name = "format",
     .argument = "NAME[=FILE]",
     .take = take_format,
     .help = "how to write it (repeatable); default text, to standard output",
     .more = "- as FILE is standard output. The schema of 'json' is share/ilcov/diff.schema.json.",
     .completes = COMPLETE_WORD_FILE,
     .word = word},
    {.letter = 'r',
     .name = "root",
     .argument = "DIR",
     .take = option_take_text,
     .field = AT(root),
     .help = "where the sources are (default: the run's root if it is here, else as for 'run')",
     .completes = COMPLETE_FOLDER},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {own_rows, 0, NULL},
    {exclude_rows, AT(filter), NULL},
    {exclude_files_rows, AT(filter), NULL},
    {gate_rows, AT(gates), NULL},
    {NULL, 0, NULL},
};

static bool finish(void *parsed, const struct operands *operands,
                   const struct option_taking *taking, struct err *err)
{
    struct diff_verb_options *options = parsed;
    (void)operands;
    return options->format_count != 0 || add_format(options, "text", taking, err);
}

static const char *const examples[] = {"ilcov diff --patch main...HEAD --gate 'patch>=80'",
                                       "ilcov diff base.ilcov head.ilcov --gate lost=0", NULL};

const struct verb verb_diff = {
    .name = "diff",
    .brief = "compare two data files, or a patch with what is covered",
    .operands = "[OPTION...] [BASE] [HEAD]",
    .summary =
        "Compares two data files: which methods were edited, moved, added or removed, and "
        "which lines and branches were lost or gained. Moved lines do not count as "
        "changes. BASE may be a Cobertura, LCOV or OpenCover report: then lines are compared "
        "by number. With --patch: are the changed lines covered? That needs no BASE. "
        "HEAD is " DATA_FILE " unless named.",
    .exits = "1 a gate failed, 2 usage, 3 bad data or unwritable output.",
    .examples = examples,
    .lists = "format",
    .operand_max = 2,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct diff_verb_options),
    .finish = finish,
    .act = diff_files,
};

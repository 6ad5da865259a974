/* ilcov diff [BASE] HEAD: what changed in the code and in what is covered of it, and what a patch owes. */
#include <limits.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/outcome/compare.h"
#include "cli/outcome/sources.h"
#include "coverage/store/store.h"

static int refuse(const struct err *err)
{
    if (err->code == ERR_USAGE)
        return options_refuse(&verb_diff.usage, "%s", err->text);
    say("%s", err->text);
    return EXIT_BAD;
}

static int write_all(const struct diff *diff, const struct facts *facts,
                     const struct options *options)
{
    struct sources sources;
    struct diff_sources lines = {sources_line, &sources};
    int status = EXIT_FINE;
    sources_open(&sources, facts, diff->root);
    for (uint32_t i = 0; i < options->diff_format_count; i++) {
        struct err err = {0};
        const struct option_diff_format *format = &options->diff_formats[i];
        if (diff_writer_write(format->writer, format->path, diff, &lines, &err))
            continue;
        say("%s: %s", format->path != NULL ? format->path : "standard output", err.text);
        status = EXIT_BAD;
    }
    sources_close(&sources);
    return status;
}

static int diff_files(const struct options *options, struct arena *arena)
{
    struct err err = {0};
    struct facts head;
    struct diff diff;
    bool has_base = options->operand_count > 1, passed = true;
    const char *head_path =
        options->operand_count == 0 ? DATA_FILE : options->operands[options->operand_count - 1];
    const char *base_path = has_base ? options->operands[0] : NULL;
    if (!has_base && options->patch == NULL)
        return options_refuse(&verb_diff.usage, "nothing to compare with: no BASE and no --patch");
    if (!compare_gates_fit(options, has_base, &err))
        return refuse(&err);
    for (int i = 0; i < options->operand_count || i == 0; i++) {
        const char *path = options->operand_count == 0 ? head_path : options->operands[i];
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
    if (!compare(&diff, &head, head_path, base_path, options, root, arena, &err))
        return refuse(&err);
    int status = write_all(&diff, &head, options);
    if (!compare_test_gates(&passed, &diff, options, arena, &err))
        return refuse(&err);
    return status == EXIT_FINE && !passed ? EXIT_THRESHOLD : status;
}

const struct verb verb_diff = {
    .usage =
        {.verb = FOR_DIFF,
         .name = "diff",
         .operands = "[OPTION...] [BASE] [HEAD]",
         .summary =
             "Compares two data files: which methods were edited, moved, added or removed,\n"
             "and which lines and branches were lost or gained. Lines that only moved are no\n"
             "change. BASE may be a Cobertura, LCOV or OpenCover report: lines are compared by\n"
             "number then. With --patch, what the changed lines owe; needs no BASE.\n"
             "HEAD is " DATA_FILE " unless named.",
         .notes = "Exit status: 1 a gate failed, 2 usage, 3 bad data or unwritable output.\n"
                  "Example: ilcov diff --patch main...HEAD --gate 'patch>=80'\n"
                  "         ilcov diff base.ilcov head.ilcov --gate lost=0",
         .operand_max = 2},
    .brief = "compare two data files, or a patch with what is covered",
    .act = diff_files,
};

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/results.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "coverage/store.h"

static const struct usage usage = {
    .verb = FOR_REPORT,
    .name = "report",
    .operands = "[OPTION...] [DATA]",
    .summary = "Writes reports from the data file DATA (default " DATA_FILE ") of a run.\n"
               "Neither the measured assemblies nor their sources are needed.",
    .notes = "Exit status: 1 below --fail-under, 2 usage, 3 bad data or unwritable output.",
    .operand_max = 1,
};

/* The sources may be elsewhere by now: a root that is not here is taken as it stands. */
static bool make_root(struct str *out, const char *root, struct arena *arena, struct err *err)
{
    char path[PATH_MAX], here[PATH_MAX];
    *out = (struct str){"", 0};
    if (root == NULL)
        return true;
    struct text text;
    text_open(&text, arena);
    if (realpath(root, path) != NULL)
        text_add_c(&text, path);
    else if (root[0] == '/' || getcwd(here, sizeof here) == NULL)
        text_add_c(&text, root);
    else
        text_addf(&text, "%s/%s", here, root);
    return text_take(out, &text, err);
}

static int write_reports(const struct options *options, struct arena *arena)
{
    struct err err = {0};
    struct facts facts;
    struct report report;
    struct str root;
    if (!store_read(&facts, options->data, arena, &err)) {
        say("%s: %s", options->data, err.text);
        return EXIT_BAD;
    }
    if (!make_root(&root, options->root, arena, &err) ||
        !results_build(&report, &facts, options, root, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < options->format_count; i++) {
        if (!results_write(&options->formats[i], &report))
            status = EXIT_BAD;
    }
    if (status == EXIT_FINE)
        results_summarise(&report, options, NULL);
    results_warn(options);
    if (!results_reach_threshold(&report, options) && status == EXIT_FINE)
        status = EXIT_THRESHOLD;
    return status;
}

int verb_report(int argc, char **argv)
{
    struct options options;
    struct arena arena;
    int status = EXIT_FINE;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    if (options_parse(&options, &usage, argc, argv, &arena, &status))
        status = write_reports(&options, &arena);
    arena_free(&arena);
    return status;
}

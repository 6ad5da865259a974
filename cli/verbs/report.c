#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/outcome/results.h"
#include "coverage/store/store.h"

/* The sources may be elsewhere by now: a root that is not here is taken as it stands. */
static bool make_root(struct str *out, const char *root, struct arena *arena, struct err *err)
{
    char path[PATH_MAX], here[PATH_MAX];
    *out = (struct str){"", 0};
    if (root == NULL)
        return true;
    if (realpath(root, path) != NULL)
        return str_copy(out, str_of(path), arena, err);
    if (root[0] == '/' || getcwd(here, sizeof here) == NULL)
        return str_copy(out, str_of(root), arena, err);
    return text_format(out, arena, err, "%s/%s", here, root);
}

static int write_reports(const struct options *options, struct arena *arena)
{
    struct err err = {0};
    struct facts facts;
    struct results results;
    struct str root;
    int fit = results_check_gates(options, &verb_report.usage);
    if (fit != EXIT_FINE)
        return fit;
    if (access(options->data, F_OK) != 0) {
        say("there is no data file %s: 'ilcov run' writes one", options->data);
        return EXIT_BAD;
    }
    if (!store_read_summed(&facts, options->data, arena, &err)) {
        say("%s: %s", options->data, err.text);
        return EXIT_BAD;
    }
    if (!make_root(&root, options->root, arena, &err) ||
        !results_build(&results, &facts, options, root, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < options->format_count; i++) {
        if (!results_write(&results, i))
            status = EXIT_BAD;
    }
    if (status == EXIT_FINE)
        results_summarise(&results, NULL);
    results_warn(options);
    if (!results_reach_threshold(&results) && status == EXIT_FINE)
        status = EXIT_THRESHOLD;
    int gates = EXIT_FINE;
    results_test_gates(&gates, &results);
    if (gates > status)
        status = gates;
    return status;
}

const struct verb verb_report = {
    .usage = {.verb = FOR_REPORT,
              .name = "report",
              .operands = "[OPTION...] [DATA]",
              .summary =
                  "Writes reports from the data file DATA (default " DATA_FILE ") of a run.\n"
                  "Neither the measured assemblies nor their sources are needed.",
              .notes = "Exit status: 1 a gate failed, 2 usage, 3 bad data or "
                       "unwritable output.",
              .operand_max = 1},
    .brief = "write reports from the data file of a run",
    .act = write_reports,
};

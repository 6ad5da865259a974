#include <string.h>

#include "cli/base/exit.h"
#include "cli/base/option_values.h"
#include "cli/base/say.h"
#include "cli/outcome/compare.h"
#include "cli/outcome/data_input.h"
#include "cli/outcome/publish.h"
#include "cli/verbs/verbs.h"
#include "system/browser.h"

struct report_verb_options {
    struct outcome_options outcome;
    bool opens;
};

static const char *html_folder(const struct format_options *formats)
{
    for (uint32_t i = 0; i < formats->count; i++)
        if (strcmp(formats->items[i].format->name, "html") == 0)
            return formats->items[i].path;
    return NULL;
}

/* A report that nobody could be shown is there all the same. */
static void open_html(const char *folder, struct arena *arena)
{
    struct err err = {0};
    struct str index;
    if (!text_format(&index, arena, &err, "%s/index.html", folder) ||
        !browser_open(index.text, &err))
        say("%s/index.html cannot be shown: %s", folder, err.text);
}

static int write_reports(const struct outcome_options *options, struct arena *arena)
{
    struct err err = {0};
    struct facts facts;
    struct str root;
    int fit = publish_check(options, &verb_report);
    if (fit != EXIT_FINE)
        return fit;
    fit = data_input_read(&facts, &root, options->data, options->root, arena);
    if (fit != EXIT_FINE)
        return fit;
    struct str sources = root;
    if (options->gates.patch != NULL && !compare_root(&sources, &facts, root, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    fit = publish_check_patch(options, &verb_report, sources, arena);
    if (fit != EXIT_FINE)
        return fit;
    const struct publication publication = {
        .facts = &facts, .options = options, .root = root, .arena = arena};
    return publish(&publication, EXIT_FINE);
}

static int report(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct report_verb_options *options = parsed;
    (void)operands; /* DATA is options->data */
    int status = write_reports(&options->outcome, arena);
    if (options->opens && (status == EXIT_FINE || status == EXIT_THRESHOLD))
        open_html(html_folder(&options->outcome.formats), arena);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct option_saying says[] = {
    {"format",
     "write a report (repeatable); default cobertura=cobertura.xml; FILE - is standard output",
     NULL},
    {"root", "source root of the report (default: the run's)",
     "Sources that were outside the root of the run, and are below this one, are reported, too: "
     "then all paths are relative to it. Otherwise only the root's name changes."},
    {NULL, NULL, NULL},
};

static const struct option_row own_rows[] = {
    {.name = "open",
     .take = option_take_flag,
     .field = offsetof(struct report_verb_options, opens),
     .help = "show the HTML report in a browser; without -f, write only that report",
     .more = "The browser is $BROWSER, else what xdg-open finds."},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {format_rows, offsetof(struct outcome_options, formats), says},
    {root_rows, 0, says},
    {exclude_rows, offsetof(struct outcome_options, filter), NULL},
    {exclude_files_rows, offsetof(struct outcome_options, filter), NULL},
    {fail_under_rows, offsetof(struct outcome_options, gates), NULL},
    {gate_rows, offsetof(struct outcome_options, gates), NULL},
    {gate_base_rows, offsetof(struct outcome_options, gates), NULL},
    {base_root_rows, offsetof(struct outcome_options, gates), NULL},
    {deterministic_rows, 0, NULL},
    {page_rows, 0, NULL},
    {own_rows, 0, NULL},
    {NULL, 0, NULL},
};

static bool finish(void *parsed, const struct operands *operands,
                   const struct option_taking *taking, struct err *err)
{
    struct report_verb_options *options = parsed;
    struct format_options *formats = &options->outcome.formats;
    if (operands->count == 1)
        options->outcome.data = operands->items[0];
    if (formats->count == 0 && !formats->is_none &&
        !format_options_add(formats, options->opens ? "html" : "cobertura", taking, err))
        return false;
    if (options->opens && html_folder(formats) == NULL)
        return err_set(err, ERR_USAGE, "--open shows the HTML report; add -f html");
    return outcome_options_finish(&options->outcome, err);
}

const struct verb verb_report = {
    .name = "report",
    .brief = "write reports from the data file of a run",
    .operands = "[OPTION...] [DATA]",
    .summary = "Writes reports from the data file DATA (default " DATA_FILE ") of a run. Neither "
               "the measured assemblies nor their sources are needed.",
    .exits = "1: a gate failed; 2: wrong usage; 3: bad data or unwritable output.",
    .lists = "format",
    .operand_max = 1,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct report_verb_options),
    .finish = finish,
    .act = report,
};

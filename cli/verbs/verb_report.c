#include <limits.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/publish/publish.h"
#include "cli/verbs/verbs.h"
#include "system/program.h"

struct report_verb_options {
    struct publish_options publish;
    bool opens, lists_formats;
    struct data_input input;
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
    struct str index = {NULL, 0};
    if (!path_join(&index, str_of(folder), STR("index.html"), arena, &err) ||
        !browser_open(index.text, &err))
        say("%s cannot be shown: %s", index.text != NULL ? index.text : folder, err.text);
}

static int write_report(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct report_verb_options *options = parsed;
    (void)operands; /* DATA is options->input */
    if (options->lists_formats) {
        format_options_list(stdout); /* main reports a failure to write */
        return EXIT_FINE;
    }
    int status = publish_data(&options->input, &options->publish, &verb_report, false, arena);
    const char *folder = options->opens ? html_folder(&options->publish.formats) : NULL;
    if (folder != NULL && (status == EXIT_FINE || status == EXIT_THRESHOLD))
        open_html(folder, arena);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct report_verb_options, field)

static const struct help_override overrides[] = {
    {"format", "write a report (repeatable); default cobertura; FILE - is standard output", NULL},
    {"root", "source root of the report (default: the run's)",
     "Sources that were outside the root of the run, and are below this one, are reported, too: "
     "then all paths are relative to it. Otherwise only the root's name changes."},
    {"verbose", NULL, "Also lists each process."},
    {NULL, NULL, NULL},
};

static const struct option_row own_rows[] = {
    {.name = "open",
     .take = option_take_flag,
     .field = AT(opens),
     .help = "show the HTML report in a browser; without -f, write only that report",
     .more = "The browser is $BROWSER, else what xdg-open finds.",
     .cli_only = true},
    {.name = "list-formats",
     .take = option_take_flag,
     .field = AT(lists_formats),
     .help = "print the names of the formats and exit",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {format_rows, AT(publish.formats), overrides}, {source_rows, AT(publish.sources), overrides},
    {exclude_rows, AT(publish.filter), NULL},      {filter_rows, AT(publish.filter), NULL},
    {threshold_rows, AT(publish.gates), NULL},     {page_rows, AT(publish), NULL},
    {read_data_rows, AT(publish.data), NULL},      {own_rows, 0, NULL},
    {talk_rows, AT(publish.talk), overrides},      {NULL, 0, NULL},
};

static bool finish_report(void *parsed, const struct operands *operands,
                          const struct option_context *context, struct err *err)
{
    struct report_verb_options *options = parsed;
    struct format_options *formats = &options->publish.formats;
    if (operands->count != 0)
        options->publish.data = operands->items[0];
    options->input =
        (struct data_input){.paths = operands->count != 0 ? (const char *const *)operands->items
                                                          : &options->publish.data,
                            .count = operands->count != 0 ? (uint32_t)operands->count : 1,
                            .sources = &options->publish.sources};
    if (operands->count > 1) {
        struct str name;
        if (!text_format(&name, context->arena, err, "%s and %d more", operands->items[0],
                         operands->count - 1))
            return false;
        options->publish.data = name.text;
    }
    if (options->opens && !option_is_typed(context, "format")) { /* settings are for other times */
        formats->count = 0;
        formats->is_none = false;
    }
    if (!format_options_default(formats, options->opens ? "html" : "cobertura", context, err))
        return false;
    if (options->opens && html_folder(formats) == NULL)
        return err_set(err, ERR_USAGE, "--open shows the HTML report; add -f html");
    return publish_options_finish(&options->publish, context, err);
}

const struct verb verb_report = {
    .name = "report",
    .brief = "write reports from data files of runs",
    .operands = "[OPTION...] [DATA...]",
    .summary = "Writes reports from the data file DATA (default " DATA_FILE
               ") of a run; from several, as if 'ilcov merge' had combined them. Neither the "
               "measured assemblies nor their sources are needed.",
    .exits = "1: a gate failed; 2: wrong usage; 3: bad data or unwritable output.",
    .operand_max = INT_MAX,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct report_verb_options),
    .finish = finish_report,
    .act = write_report,
};

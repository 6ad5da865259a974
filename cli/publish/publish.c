#include "cli/publish/publish.h"

#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/publish/compare.h"
#include "cli/publish/explain.h"
#include "cli/publish/left_out.h"
#include "cli/publish/measured_sources.h"
#include "cli/publish/results.h"
#include "cli/publish/source_root.h"
#include "coverage/diff/gate.h"
#include "coverage/diff/gate_places.h"
#include "coverage/external/external_reader.h"
#include "reporters/report/report_formats.h"
#include "system/interruption.h"

/* --- before ----------------------------------------------------------------------------------- */

/* Has every gate what it compares with? `base`: how the user names it. */
static bool gates_fit(const struct gate_options *gates, const char *base, struct err *err)
{
    const struct gate *all = gates->list.items;
    for (uint32_t i = 0; i < gates->list.count; i++) {
        struct str text = all[i].text;
        if (gate_needs_base(&all[i]) && gates->base == NULL)
            return err_set(err, ERR_USAGE, "gate '%.*s' requires %s to compare with",
                           STR_ARGS(text), base);
        if (gate_needs_patch(&all[i]) && gates->patch == NULL)
            return err_set(err, ERR_USAGE,
                           "gate '%.*s' requires --patch SPEC, for example --patch main...HEAD",
                           STR_ARGS(text));
        if (all[i].metric == GATE_NEW_UNCOVERED && external_is_file(gates->base))
            return err_set(err, ERR_USAGE,
                           "gate %.*s compares methods, which the report %s does not have",
                           STR_ARGS(text), gates->base);
    }
    return true;
}

int publish_check(const struct publish_options *options, const struct verb *verb)
{
    struct err err = {0};
    struct verb_option option;
    const struct gate_options *gates = &options->gates;
    bool is_option = verb_find_option(&option, verb, "base", 0); /* else it is an operand */
    if (is_option && !gate_options_compare(gates) &&
        (gates->base != NULL || gates->patch != NULL) &&
        !format_options_show_changes(&options->formats))
        return options_refuse(verb,
                              "%s has no effect without a --gate that compares with it, or -f html",
                              gates->base != NULL ? "--base" : "--patch");
    if (!gates_fit(gates, is_option ? "--base BASE" : "a BASE", &err) ||
        (gates->base != NULL && !compare_can_read_base(gates->base, &err)))
        return options_fail(verb, &err);
    return EXIT_FINE;
}

int publish_check_patch(const struct publish_options *options, const struct verb *verb,
                        struct str root, struct arena *arena)
{
    struct err err = {0};
    const char *patch = options->gates.patch;
    if (patch == NULL || compare_can_read_patch(patch, root, arena, &err))
        return EXIT_FINE;
    return options_fail(verb, &err);
}

/* --- reports ---------------------------------------------------------------------------------- */

static void say_remark(void *context, struct str line)
{
    progress_line_erase(context);
    say("%.*s", STR_ARGS(line));
}

/* A signal that came while ilcov watches for them. */
static bool is_publishing_interrupted(int *status)
{
    int number = interruption_signal();
    if (number == 0)
        return false;
    say("interrupted by signal %d (%s): nothing more is written", number, strsignal(number));
    *status = EXIT_SIGNAL + number;
    return true;
}

static int write_outputs_left(struct format_output *outputs, uint32_t count,
                              const struct format_job *job, const struct publication *p)
{
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < count; i++) {
        if (!outputs[i].is_done) {
            if (is_publishing_interrupted(&status))
                return status;
            format_write_batch(&outputs[i], count - i, job);
            progress_line_erase(p->line);
        }
        if (!outputs[i].failed)
            continue;
        status = say_error(&outputs[i].err);
    }
    return status;
}

static int write_formats(const struct publication *p, const struct format_job *input)
{
    struct err err = {0};
    struct format_job job = *input;
    const struct format_options *formats = &p->options->formats;
    const struct remark_hook remarks = {say_remark, p->line};
    job.progress = progress_line_hook(p->line);
    job.remarks = &remarks;
    struct arena arena = ARENA_EMPTY;
    struct format_output *outputs = ARENA_NEW(&arena, struct format_output, formats->count, &err);
    for (uint32_t i = 0; outputs != NULL && i < formats->count; i++)
        outputs[i] = (struct format_output){.format = formats->items[i].format,
                                            .path = formats->items[i].path};
    int status =
        outputs != NULL ? write_outputs_left(outputs, formats->count, &job, p) : say_error(&err);
    arena_free(&arena);
    return status;
}

static bool wants_sources(const struct format_options *formats)
{
    bool wants = false;
    for (uint32_t i = 0; i < formats->count; i++)
        wants = wants || formats->items[i].format->wants_sources;
    return wants;
}

static bool shows_changes(const struct publication *p)
{
    const struct gate_options *gates = &p->options->gates;
    return (gates->base != NULL || gates->patch != NULL) &&
           format_options_show_changes(&p->options->formats);
}

/* What was found out, for reports, the user and the exit status. */
struct publishing {
    const struct publication *p;
    struct results results;       /* not of a difference */
    struct comparison comparison; /* with BASE and the patch */
    bool is_compared;
    const struct diff *tested; /* by the gates */
};

/* The sources are looked for where a comparison looks for them, even for a report that hides its
 * root. */
static int write_reports(const struct publishing *o)
{
    struct err err = {0};
    const struct publication *p = o->p;
    bool shows = p->is_difference || (o->is_compared && shows_changes(p));
    struct str root = p->root;
    struct measured_sources sources, was;
    if (wants_sources(&p->options->formats) &&
        !source_root_find(&root, p->facts, p->root, p->arena, &err))
        return say_error(&err);
    const struct format_job job = {.report = p->is_difference ? NULL : &o->results.report,
                                   .diff = shows ? &o->comparison.diff : NULL,
                                   .no_hotspots = p->options->no_hotspots,
                                   .part_bytes = p->options->formats.split,
                                   .gates = o->tested->gates,
                                   .gate_count = o->tested->gate_count,
                                   .sources = &sources.sources,
                                   .was = &was.sources};
    if (p->options->no_source)
        measured_sources_withhold(&sources);
    else
        measured_sources_open(&sources, p->facts, root);
    if (p->options->no_source || !shows)
        measured_sources_withhold(&was);
    else
        measured_sources_open(&was, &o->comparison.base, o->comparison.was_root);
    int status = write_formats(p, &job);
    measured_sources_close(&sources);
    measured_sources_close(&was);
    return status;
}

/* Does a format of the user's tell people the same? */
static bool is_format_for_people(const struct option_format *wanted)
{
    return wanted->format->has_colour &&
           (wanted->path == NULL || strcmp(wanted->path, DESTINATION_STDOUT) == 0);
}

/* The table of assemblies and files, unless one of them was asked for. */
static void print_totals(const struct publishing *o)
{
    struct err err = {0};
    const struct format_options *formats = &o->p->options->formats;
    const struct format_job job = {.report = &o->results.report};
    for (uint32_t i = 0; i < formats->count; i++)
        if (is_format_for_people(&formats->items[i]))
            return;
    if (o->results.report.totals.lines_valid != 0 &&
        !format_write(format_find(report_formats, STR("text")), NULL, &job, &err))
        say("%s", err.text);
}

/* --- gates ------------------------------------------------------------------------------------ */

/* Compares for gates, for reports that show changes, and for a difference. HEAD's report, if one is
 * wanted, comes from the same lines. */
static int compare_with_base(struct publishing *o)
{
    struct err err = {0};
    const struct publication *p = o->p;
    const struct comparison_request what = {.head = p->facts,
                                            .options = p->options,
                                            .root = p->root,
                                            .wants_sections = shows_changes(p),
                                            .report = p->is_difference ? NULL : &o->results.report,
                                            .report_options = &o->results.report_options,
                                            .line = p->line};
    if (!p->is_difference && !what.wants_sections && !gate_options_compare(&p->options->gates))
        return EXIT_FINE;
    o->is_compared = compare(&o->comparison, &what, p->arena, &err);
    return o->is_compared ? EXIT_FINE : say_error(&err);
}

/* Once, for all who show it. */
static int test_gates(struct publishing *o)
{
    struct err err = {0};
    const struct list *gates = &o->p->options->gates.list;
    struct diff *diff = o->is_compared ? &o->comparison.diff : &o->results.measured;
    o->tested = diff;
    return gates_test(diff, gates->items, gates->count, o->p->may_be_empty, o->p->arena, &err)
               ? EXIT_FINE
               : say_error(&err);
}

/* What gates that failed are about. */
struct failures {
    bool of_lines, of_branches, of_patch, of_base;
};

static void note_failed_gate(struct failures *failures, const struct gate *gate)
{
    if (gate_needs_patch(gate))
        failures->of_patch = true;
    else if (gate_needs_base(gate))
        failures->of_base = true;
    else if (gate->metric == GATE_BRANCH)
        failures->of_branches = true;
    else
        failures->of_lines = true;
}

static int say_places(const struct publishing *o, const struct gate_result *result)
{
    struct err err = {0};
    struct gate_places places;
    const struct gate *gate = result->gate;
    if (!gate_places(&places, gate, result->package, o->tested, o->p->arena, &err))
        return say_error(&err);
    for (uint32_t i = 0; i < places.count; i++)
        say("  %.*s", STR_ARGS(places.places[i]));
    if (places.more != 0)
        say("  and %u more %s", places.more,
            gate->metric == GATE_NEW_UNCOVERED ? plural(places.more, "method", "methods")
                                               : plural(places.more, "file", "files"));
    return EXIT_FINE;
}

/* A line for each gate that failed or had nothing to test; below it, where it failed. */
static int say_gates(const struct publishing *o, struct failures *failures)
{
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < o->tested->gate_count; i++) {
        const struct gate_result *result = &o->tested->gates[i];
        if (result->why.len != 0)
            say("gate %.*s: %.*s", STR_ARGS(result->name), STR_ARGS(result->why));
        if (!result->failed)
            continue;
        status = exit_worse(status, result->is_unknown ? EXIT_BAD : EXIT_THRESHOLD);
        if (!result->was_tested)
            continue;
        if (!result->is_unknown)
            note_failed_gate(failures, result->gate);
        status = exit_worse(status, say_places(o, result));
    }
    return status;
}

static void say_command(const char *verb, const char *option, const char *data, const char *lists)
{
    bool is_usual = strcmp(data, data_file_to_read()) == 0;
    say("'%s%s%s%s' lists %s", verb, is_usual ? "" : option, is_usual ? "" : " ",
        is_usual ? "" : data, lists);
}

/* Which commands show what the failures are about: none of several data files. */
static void say_where(const struct publication *p, const struct failures *failures)
{
    const struct gate_options *gates = &p->options->gates;
    const char *data = p->data != NULL ? p->data : p->options->data;
    bool is_shown = p->is_difference && p->options->formats.count != 0;
    if (p->is_united)
        return;
    if (failures->of_lines)
        say_command("ilcov show --uncovered", " -d", data, "the lines that did not run");
    if (failures->of_branches)
        say_command("ilcov report -f missed", "", data, "the outcomes that never happened");
    if (failures->of_patch && !is_shown)
        say("'ilcov diff --patch %s %s' shows the changed lines that are not covered", gates->patch,
            data);
    if (failures->of_base && !is_shown)
        say("'ilcov diff %s %s' shows what is no longer covered", gates->base, data);
}

/* Does a difference on a terminal tell it? */
static bool shows_note(const struct publication *p)
{
    bool shows = false;
    for (uint32_t i = 0; i < p->options->formats.count && p->is_difference; i++)
        shows = shows || format_is_stream(p->options->formats.items[i].path);
    return shows;
}

static int finish_gates(const struct publishing *o)
{
    struct failures failures = {.of_lines = false};
    int status = say_gates(o, &failures);
    if (o->tested->note.len != 0 && !shows_note(o->p))
        say("%.*s", STR_ARGS(o->tested->note));
    say_where(o->p, &failures);
    return status;
}

/* --- all of it -------------------------------------------------------------------------------- */

static void say_unmatched(const struct publishing *o)
{
    const struct publish_options *options = o->p->options;
    unmatched_filter_say(&options->filter, o->p->facts,
                         o->is_compared ? &o->comparison.base : NULL);
    unmatched_maps_say(&options->sources.maps);
}

static void explain_all(const struct publishing *o)
{
    if (!o->p->is_difference)
        explain_omissions(o->p->facts, &o->results.report, o->p->arena);
    if (o->is_compared)
        patch_sources_explain(&o->comparison.sources, o->p->arena);
}

/* Files that could not be written come without a summary. */
static void summarise_all(const struct publishing *o, int status)
{
    const struct talk_options *talk = &o->p->options->talk;
    if (o->p->is_difference) {
        if (!talk->quiet)
            generated_line_say(o->comparison.diff.generated);
    } else if (!talk->quiet && status == EXIT_FINE) {
        print_totals(o);
        results_summarise(&o->results, o->p->data);
    } else if (status == EXIT_FINE) {
        results_warn_empty(&o->results);
    }
}

/* What remains to be done if all that was measured is excluded or lies outside the root. */
static int refuse_nothing(const struct publishing *o, int status)
{
    if (o->p->options->talk.verbose)
        explain_all(o);
    results_say_nothing_left(&o->results, o->p->data);
    say_unmatched(o);
    return exit_worse(status, EXIT_BAD);
}

int publish(const struct publication *p, int status)
{
    struct err err = {0};
    struct publishing o = {.p = p};
    struct outside_line outside = {.any = false};
    bool has_gates = p->options->gates.list.count != 0;
    if ((!p->is_difference &&
         !results_open(&o.results, p->facts, p->options, p->root, p->line, p->arena, &err)) ||
        ((!p->is_difference || has_gates) &&
         !results_say_outside(&outside, p->facts, p->options, p->root, p->arena, &err)))
        return say_error(&err);
    int gates = compare_with_base(&o);
    if (p->is_difference && !o.is_compared)
        return gates;
    if (!p->is_difference && !results_build(&o.results, o.is_compared, p->line, &err))
        return say_error(&err);
    if (!p->is_difference && o.results.report.totals.lines_valid == 0 && !p->allows_empty &&
        (outside.any || results_all_excluded(&o.results)))
        return refuse_nothing(&o, status);
    if (outside.stops_gates && has_gates)
        status = exit_worse(status, EXIT_BAD);
    gates = exit_worse(gates, test_gates(&o));
    int written = write_reports(&o);
    if (p->failed != NULL && written != EXIT_FINE)
        *p->failed = true;
    status = exit_worse(status, written);
    if (status > EXIT_SIGNAL)
        return status;
    if (p->options->talk.verbose)
        explain_all(&o);
    summarise_all(&o, status);
    results_warn(p->options);
    say_unmatched(&o);
    return exit_worse(status, exit_worse(gates, finish_gates(&o)));
}

int publish_data(const struct data_input *input, const struct publish_options *options,
                 const struct verb *verb, bool is_difference, struct arena *arena)
{
    struct err err = {0};
    struct facts facts;
    struct str root, sources;
    struct progress_line line;
    int status = publish_check(options, verb);
    if (status != EXIT_FINE)
        return status;
    progress_line_open(&line, options->talk.quiet);
    status = data_input_read(&facts, NULL, &root, input, &line, arena);
    if (status != EXIT_FINE)
        return status;
    sources = root;
    if (options->gates.patch != NULL && !source_root_find(&sources, &facts, root, arena, &err))
        return say_error(&err);
    status = publish_check_patch(options, verb, sources, arena);
    if (status != EXIT_FINE)
        return status;
    const struct publication publication = {.facts = &facts,
                                            .options = options,
                                            .root = root,
                                            .is_united = input->count > 1,
                                            .is_difference = is_difference,
                                            .line = &line,
                                            .arena = arena};
    return publish(&publication, EXIT_FINE);
}

#include "cli/outcome/publish.h"

#include <string.h>

#include "base/list.h"
#include "cli/base/exit.h"
#include "cli/base/options.h"
#include "cli/base/say.h"
#include "cli/outcome/compare.h"
#include "cli/outcome/explain.h"
#include "cli/outcome/measured_sources.h"
#include "cli/outcome/outside_line.h"
#include "cli/outcome/results.h"
#include "cli/outcome/source_root.h"
#include "cli/outcome/unmatched.h"
#include "coverage/diff/gate.h"
#include "reporters/report/report_formats.h"

int publish_check(const struct outcome_options *options, const struct verb *verb)
{
    struct err err = {0};
    const struct gate_options *gates = &options->gates;
    const char *base = gates->base;
    if (gates->gates.count == 0 && (base != NULL || gates->patch != NULL) &&
        !format_options_show_changes(&options->formats))
        return options_refuse(verb,
                              "%s has no effect without a --gate that compares with it, or -f html",
                              base != NULL ? "--base" : "--patch");
    if (!compare_gates_fit(gates, base != NULL ? NULL : "--base BASE", &err))
        return options_refuse(verb, "%s", err.text);
    if (base == NULL || compare_can_read_base(base, &err))
        return EXIT_FINE;
    return say_error(&err);
}

static int refuse(const struct err *err, const struct verb *verb)
{
    return options_fail(verb, err);
}

int publish_check_patch(const struct outcome_options *options, const struct verb *verb,
                        struct str root, struct arena *arena)
{
    struct err err = {0};
    const char *patch = options->gates.patch;
    if (patch == NULL || compare_can_read_patch(patch, root, arena, &err))
        return EXIT_FINE;
    return refuse(&err, verb);
}

/* --- reports ---------------------------------------------------------------------------------- */

static void say_remark(void *context, struct str line)
{
    progress_line_erase(context);
    say("%.*s", STR_ARGS(line));
}

int publish_formats(const struct format_options *formats, const struct format_job *input,
                    const struct interrupt *interrupt, struct progress_line *line)
{
    int status = EXIT_FINE;
    struct format_job job = *input;
    const struct remark_hook remarks = {say_remark, line};
    job.progress = progress_line_hook(line);
    job.remarks = &remarks;
    for (uint32_t i = 0; i < formats->count; i++) {
        struct err err = {0};
        const struct option_format *wanted = &formats->items[i];
        if (interrupt_came(interrupt, &status))
            return status;
        bool ok = format_write(wanted->format, wanted->path, &job, &err);
        progress_line_erase(line);
        if (ok)
            continue;
        say("%s", err.text);
        status = EXIT_BAD;
    }
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

static bool add_verdict(struct list *verdicts, struct gate_verdict verdict, struct arena *arena,
                        struct err *err)
{
    struct gate_verdict *added = list_add(verdicts, sizeof *added, arena, err);
    if (added == NULL)
        return false;
    *added = verdict;
    return true;
}

/* What the threshold and the gates came to, for formats that say so. */
static bool list_verdicts(struct list *out, const struct publication *p,
                          const struct results *results, const struct comparison *compared,
                          struct err *err)
{
    struct gate_verdict threshold = {.failed = false};
    if (p->options->gates.fail_under.is_given) {
        threshold.failed = !results_reach_threshold(&threshold.why, results);
        if (!results_threshold(&threshold.gate, results, err) ||
            !add_verdict(out, threshold, p->arena, err))
            return false;
    }
    for (uint32_t i = 0; compared != NULL && i < compared->diff.gate_count; i++) {
        const struct gate_result *result = &compared->diff.gates[i];
        struct gate_verdict verdict = {result->gate, result->failed, result->why};
        if (result->package.len != 0 &&
            !text_format(&verdict.gate, p->arena, err, "%.*s, %.*s", STR_ARGS(result->gate),
                         STR_ARGS(result->package)))
            return false;
        if (!add_verdict(out, verdict, p->arena, err))
            return false;
    }
    return true;
}

/* The sources are looked for where a comparison looks for them, even for a report that hides its
 * root. */
static int write_reports(const struct publication *p, const struct results *results,
                         const struct comparison *compared)
{
    struct err err = {0};
    const struct comparison *changes = shows_changes(p) ? compared : NULL;
    struct str root = p->root;
    struct measured_sources sources, was;
    if (wants_sources(&p->options->formats) &&
        !source_root_find(&root, p->facts, p->root, p->arena, &err))
        return say_error(&err);
    struct list verdicts = {.items = NULL};
    if (!list_verdicts(&verdicts, p, results, compared, &err))
        return say_error(&err);
    const struct format_job job = {.report = &results->report,
                                   .diff = changes != NULL ? &changes->diff : NULL,
                                   .no_hotspots = p->options->no_hotspots,
                                   .part_bytes = p->options->formats.split,
                                   .verdicts = verdicts.items,
                                   .verdict_count = verdicts.count,
                                   .sources = &sources.sources,
                                   .was = &was.sources};
    if (p->options->no_source)
        measured_sources_withhold(&sources);
    else
        measured_sources_open(&sources, p->facts, root);
    if (p->options->no_source || changes == NULL)
        measured_sources_withhold(&was);
    else
        measured_sources_open(&was, &changes->base, changes->was_root);
    int status = publish_formats(&p->options->formats, &job, &p->interrupt, p->line);
    measured_sources_close(&sources);
    measured_sources_close(&was);
    return status;
}

/* Does a format of the user's tell people the same? */
static bool is_for_people(const struct option_format *wanted)
{
    return wanted->format->has_colour &&
           (wanted->path == NULL || strcmp(wanted->path, DESTINATION_STDOUT) == 0);
}

/* The table of assemblies and files, unless one of them was asked for. */
static void print_table(const struct publication *p, const struct results *results)
{
    struct err err = {0};
    const struct format_options *formats = &p->options->formats;
    const struct format_job job = {.report = &results->report};
    for (uint32_t i = 0; i < formats->count; i++)
        if (is_for_people(&formats->items[i]))
            return;
    if (results->report.totals.lines_valid != 0 &&
        !format_write(format_find(report_formats, STR("text")), NULL, &job, &err))
        say("%s", err.text);
}

/* --- gates ------------------------------------------------------------------------------------ */

/* Compares for gates, and for reports that show changes. NULL if neither was asked for, or on
 * failure, which *status then says. */
static const struct comparison *compare_with_base(struct comparison *out,
                                                  const struct publication *p, int *status)
{
    struct err err = {0};
    const struct gate_options *gates = &p->options->gates;
    const struct comparing what = {.head = p->facts,
                                   .head_name = p->options->data,
                                   .base = gates->base,
                                   .patch = gates->patch,
                                   .base_root = gates->base_root,
                                   .filter = &p->options->filter,
                                   .maps = &p->options->sources.maps,
                                   .root = p->root,
                                   .wants_sections = shows_changes(p),
                                   .line = p->line};
    if (gates->gates.count == 0 && !what.wants_sections)
        return NULL;
    if (!compare(out, &what, p->arena, &err)) {
        say("%s", err.text);
        *status = EXIT_BAD;
        return NULL;
    }
    compare_note_gates(&out->diff, gates, p->arena);
    return out;
}

static int test_gates(const struct publication *p, const struct comparison *comparison,
                      struct gate_failures *failures)
{
    if (comparison == NULL)
        return EXIT_FINE;
    int status = compare_test_gates(&comparison->diff, &p->options->gates, failures, p->arena);
    if (comparison->diff.note.len != 0)
        say("%.*s", STR_ARGS(comparison->diff.note));
    return status;
}

static void say_unmatched(const struct publication *p)
{
    unmatched_filter_say(&p->options->filter, p->facts, NULL);
    unmatched_maps_say(&p->options->sources.maps);
}

/* --- all of it -------------------------------------------------------------------------------- */

bool publish_has_gates(const struct gate_options *gates)
{
    return gates->gates.count != 0 || gates->fail_under.is_given;
}

/* What remains to be done if all that was measured is excluded or lies outside the root. */
static int refuse_nothing(const struct publication *p, const struct results *results, int status)
{
    if (p->options->talk.verbose)
        explain_omissions(p->facts, &results->report);
    results_say_nothing_left(results, p->data);
    say_unmatched(p);
    return exit_worse(status, EXIT_BAD);
}

int publish(const struct publication *p, int status)
{
    struct err err = {0};
    struct results results;
    struct outside_line outside;
    if (!results_build(&results, p->facts, p->options, p->root, p->line, p->arena, &err) ||
        !outside_line_say(&outside, p->facts, &p->options->filter, p->options->sources.root,
                          p->root, publish_has_gates(&p->options->gates), p->arena, &err))
        return say_error(&err);
    if (results.report.totals.lines_valid == 0 && !p->allows_empty &&
        (outside.any || results_all_excluded(&results)))
        return refuse_nothing(p, &results, status);
    if (outside.stops_gates && publish_has_gates(&p->options->gates))
        status = exit_worse(status, EXIT_BAD);
    results.may_be_empty = p->may_be_empty;
    int gates = EXIT_FINE;
    struct comparison room;
    const struct comparison *changes = compare_with_base(&room, p, &gates);
    int written = write_reports(p, &results, changes);
    if (p->failed != NULL && written != EXIT_FINE)
        *p->failed = true;
    status = exit_worse(status, written);
    if (status > EXIT_SIGNAL)
        return status;
    if (p->options->talk.verbose)
        explain_omissions(p->facts, &results.report);
    if (p->options->talk.verbose && changes != NULL)
        patch_sources_explain(&changes->sources, p->arena);
    if (!p->options->talk.quiet && status == EXIT_FINE) {
        print_table(p, &results);
        results_summarise(&results, p->data);
    } else if (status == EXIT_FINE) {
        results_warn_generated(&results);
    }
    results_warn(p->options);
    say_unmatched(p);
    struct str why;
    struct gate_failures failures = {.of_lines = !results_reach_threshold(&why, &results)};
    if (failures.of_lines)
        say("%.*s", STR_ARGS(why));
    gates = exit_worse(gates, failures.of_lines ? EXIT_THRESHOLD : EXIT_FINE);
    gates = exit_worse(gates, test_gates(p, changes, &failures));
    if (gates == EXIT_THRESHOLD && results.real.lines_valid != 0 && !p->is_united)
        compare_say_where(&failures, &p->options->gates,
                          p->data != NULL ? p->data : p->options->data, p->arena);
    return exit_worse(status, gates);
}

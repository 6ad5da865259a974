#include "cli/publish/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "cli/options/say.h"
#include "cli/publish/left_out.h"
#include "coverage/diff/diff_build.h"
#include "coverage/report/excluded_lines.h"
#include "coverage/report/outside.h"
#include "coverage/report/report_build.h"
#include "system/file_status.h"

static bool any_tells_tests(const struct format_options *formats)
{
    for (uint32_t i = 0; i < formats->count; i++)
        if (formats->items[i].format->tells_tests)
            return true;
    return false;
}

/* The tests of the facts, if there are any and a format has a use for them. */
static bool open_tests(struct results *results, struct err *err)
{
    if (results->facts->test_count == 0 || !any_tells_tests(&results->options->formats))
        return true;
    results->report_options.tests = &results->tests;
    return test_sets_open(&results->tests, results->facts, results->arena, err);
}

static bool add_up_real(struct results *results, struct err *err)
{
    struct report real;
    struct report_options options = results->report_options;
    options.real_only = true;
    options.tests = NULL;
    struct arena arena = ARENA_EMPTY;
    bool ok = report_build(&real, results->facts, &options, &arena, err);
    ok = ok && diff_of_report(&results->measured, &real, results->arena, err);
    arena_free(&arena);
    return ok;
}

bool results_open(struct results *out, const struct facts *facts,
                  const struct publish_options *options, struct str root,
                  struct progress_line *line, struct arena *arena, struct err *err)
{
    *out = (struct results){.facts = facts, .options = options, .root = root, .arena = arena};
    out->report_options = (struct report_options){
        .root = options->deterministic ? STR(".") : root,
        .timestamp = options->timestamp,
    };
    out->report_options.progress = progress_line_hook(line);
    return report_filter(&out->report_options, &options->filter, facts, arena, err) &&
           open_tests(out, err);
}

bool results_build(struct results *results, bool has_report, struct progress_line *line,
                   struct err *err)
{
    const struct facts *facts = results->facts;
    struct report *report = &results->report;
    bool ok =
        has_report || report_build(report, facts, &results->report_options, results->arena, err);
    ok = ok && (facts_has_carried(facts)
                    ? add_up_real(results, err)
                    : diff_of_report(&results->measured, report, results->arena, err));
    progress_line_erase(line);
    results->report_options.progress = NULL; /* formats tell what they do */
    return ok;
}

/* --- summary ---------------------------------------------------------------------------------- */

/* Why no line is left, in brackets. */
static void add_why_empty(struct text *line, const struct results *results)
{
    const struct report_omission *first = &results->report.first_empty;
    if (first->reason == NULL)
        return;
    text_addf(line, " (%.*s: ", STR_ARGS(first->module));
    reason_add(line, first->reason);
    if (facts_lacks_source(first->reason) && results->facts->run_count != 0)
        text_addf(line, "; 'ilcov run -r DIR' sets a root other than %.*s",
                  STR_ARGS(results->facts->runs[0].root));
    text_add_c(line, ")");
}

/* "no line could be covered", and why. */
static void add_empty(struct text *line, const struct results *results)
{
    text_add_c(line, "no line could be covered");
    add_why_empty(line, results);
}

static void say_line(struct text *line)
{
    struct err err = {0};
    struct str text;
    say("%s", text_take(&text, line, &err) ? text.text : err.text);
}

bool results_all_excluded(const struct results *results)
{
    const struct report *report = &results->report;
    if (report->totals.lines_valid != 0)
        return false;
    for (uint32_t i = 0; i < report->omission_count; i++)
        if (report->omissions[i].method.len != 0 &&
            reason_is(report->omissions[i].reason, REASON_NOT_INCLUDED))
            return true;
    return report->exclusion_count != 0;
}

void results_say_nothing_left(const struct results *results, const char *data)
{
    struct text line = text_in(results->arena);
    text_add_c(&line, "nothing is left to report");
    if (!facts_lacks_source(
            results->report.first_empty.reason)) /* else a line says which and where */
        add_why_empty(&line, results);
    if (data != NULL)
        text_addf(&line, ", so only %s was written", data);
    else
        text_add_c(&line, ", so no report was written");
    say_line(&line);
}

/* So that carried coverage is not mistaken for measured coverage. */
static void say_carried(const struct results *results)
{
    uint64_t lines =
        results->report.totals.lines_covered - results->measured.totals.lines[DIFF_NEW_COVERED];
    const struct facts *facts = results->facts;
    char number[GROUPED_ROOM];
    for (uint32_t i = 0; i < facts->run_count && lines != 0; i++)
        if (facts->runs[i].kind == RUN_CARRIED) {
            say("%s of the covered %s carried, %.*s; no gate counts them", grouped(number, lines),
                plural(lines, "line is", "lines are"), STR_ARGS(facts->runs[i].label));
            return;
        }
}

static void add_share(struct text *line, uint64_t covered, uint64_t valid, const char *one,
                      const char *many)
{
    char rate[PERCENT_ROOM], count[GROUPED_ROOM];
    text_addf(line, "%s %% of %s %s", percent(rate, number_percent_x100(covered, valid)),
              grouped(count, valid), plural(valid, one, many));
}

static void add_result_file(struct text *line, const char *path, bool *first)
{
    text_addf(line, "%s%s", *first ? "; " : ", ", path);
    *first = false;
}

/* The first file and the last of a report that was split, in whose place there is no whole one. */
static bool add_result_parts(struct text *line, const char *path, struct arena *arena, bool *first)
{
    struct str part, last = STR("");
    bool any = false;
    if (file_exists(path))
        return false;
    for (uint32_t number = 1;
         format_part_path(&part, path, number, arena, NULL) && file_exists(part.text); number++) {
        if (any)
            last = part;
        else
            add_result_file(line, part.text, first);
        any = true;
    }
    if (last.len != 0)
        text_addf(line, " to %.*s", STR_ARGS(path_file(last)));
    return any;
}

/* So that a method that was never measured is taken neither for covered nor for uncovered. */
static void say_declined_methods(const struct facts *facts, struct arena *arena)
{
    const struct fact_method *first = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        for (uint32_t m = 0; m < facts->modules[i].method_count; m++) {
            const struct fact_method *method = &facts->modules[i].methods[m];
            if (method->state != METHOD_DECLINED || facts->modules[i].state != MODULE_INSTRUMENTED)
                continue;
            first = first == NULL ? method : first;
            count++;
        }
    if (first == NULL)
        return;
    struct text line = text_in(arena);
    text_addf(&line, "%llu %s left as compiled and not measured: %.*s.%.*s%.*s (",
              (unsigned long long)count, plural(count, "method was", "methods were"),
              STR_ARGS(first->type), STR_ARGS(first->name), STR_ARGS(first->signature));
    reason_add(&line, first->reason);
    text_add_c(&line, count > 1 ? "); -v lists all" : ")");
    say_line(&line);
}

/* Per kind of reason; remarks differ from place to place. */
struct excluded_kind {
    const struct reason *reason;
    uint64_t line_count;
};

/* Most lines first. */
ORDER(order_kinds, struct excluded_kind,
      BY_ORDER(number_order(b->line_count, a->line_count))
          BY_ORDER(reason_order(a->reason, b->reason)))

static uint32_t count_kinds(struct excluded_kind *kinds, const struct report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->exclusion_count; i++) {
        uint32_t k = 0;
        const struct reason *reason = report->exclusions[i].reason;
        if (reason_is(reason, REASON_INLINED)) /* nobody asked for that */
            continue;
        while (k < count && !reason_same_kind(kinds[k].reason, reason))
            k++;
        if (k == count)
            kinds[count++] = (struct excluded_kind){reason, 0};
        kinds[k].line_count += report->exclusions[i].line_count;
    }
    qsort(kinds, count, sizeof *kinds, order_kinds);
    return count;
}

/* So that a missing line is explained, and a large exclusion is noticed. */
static void say_excluded(const struct results *results)
{
    const struct report *report = &results->report;
    struct err err = {0};
    uint64_t total = 0;
    char number[GROUPED_ROOM];
    if (report->exclusion_count == 0)
        return;
    struct excluded_kind *kinds =
        ARENA_NEW(results->arena, struct excluded_kind, report->exclusion_count, &err);
    if (kinds == NULL) {
        say("%s", err.text);
        return;
    }
    uint32_t count = count_kinds(kinds, report);
    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        total += kinds[i].line_count;
    struct text line = text_in(results->arena);
    text_addf(&line, "%s %s excluded", grouped(number, total), plural(total, "line", "lines"));
    for (uint32_t i = 0; i < count; i++) {
        if (count > 1)
            text_addf(&line, "%s %s", i == 0 ? ":" : ",", grouped(number, kinds[i].line_count));
        text_add_c(&line, " ");
        reason_add_brief(&line, kinds[i].reason);
    }
    say_line(&line);
}

/* So that what nobody can see run is taken neither for covered nor for missed. */
static void say_inlined(const struct report *report)
{
    uint64_t functions = 0, lines = 0;
    char of_functions[GROUPED_ROOM], of_lines[GROUPED_ROOM];
    const char *were;
    for (uint32_t i = 0; i < report->omission_count; i++)
        functions += reason_is(report->omissions[i].reason, REASON_INLINED);
    for (uint32_t i = 0; i < report->exclusion_count; i++)
        if (reason_is(report->exclusions[i].reason, REASON_INLINED))
            lines += report->exclusions[i].line_count;
    were = plural(functions, "was", "were");
    if (functions != 0)
        say("%s %s (%s %s) %s inlined by the F# compiler, and %s not counted; -v lists them, "
            "--inlined missed counts them as not covered",
            grouped(of_functions, functions), plural(functions, "function", "functions"),
            grouped(of_lines, lines), plural(lines, "line", "lines"), were,
            plural(functions, "is", "are"));
}

void results_warn_empty(const struct results *results)
{
    const struct reason *why = results->report.first_empty.reason;
    if (results->report.totals.lines_valid != 0 || why == NULL ||
        (results->options->gates.list.count == 0 && !reason_is(why, REASON_ALL_GENERATED)))
        return;
    struct text line = text_in(results->arena);
    add_empty(&line, results);
    say_line(&line);
}

void results_summarise(const struct results *results, const char *data)
{
    const struct report_totals *totals = &results->report.totals;
    const struct publish_options *options = results->options;
    struct text line = text_in(results->arena);
    if (totals->lines_valid == 0) {
        add_empty(&line, results);
    } else {
        add_share(&line, totals->lines_covered, totals->lines_valid, "line", "lines");
        if (totals->branches_valid != 0) {
            text_add_c(&line, ", ");
            add_share(&line, totals->branches_covered, totals->branches_valid, "branch",
                      "branches");
        }
        text_add_c(&line, " covered");
    }
    bool first = true;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const char *path = options->formats.items[i].path;
        bool may_have_parts =
            options->formats.split != 0 && options->formats.items[i].format->write_parts != NULL;
        if (!format_is_stream(path) &&
            (!may_have_parts || !add_result_parts(&line, path, results->arena, &first)))
            add_result_file(&line, path, &first);
    }
    if (data != NULL)
        add_result_file(&line, data, &first);
    say_line(&line);
    for (uint32_t i = 0; i < results->report.note_count; i++)
        say("%.*s", STR_ARGS(results->report.notes[i]));
    say_carried(results);
    say_excluded(results);
    say_inlined(&results->report);
    generated_line_say(
        excluded_lines_count(results->report.generated, results->report.generated_count));
    say_declined_methods(results->facts, results->arena);
}

void results_warn(const struct publish_options *options)
{
    if (!options->deterministic)
        return;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        if (str_is(str_of(options->formats.items[i].format->name), "cobertura")) {
            say("note: the report's time is %s under --deterministic; Codecov rejects reports "
                "older than 12 hours",
                options->timestamp == 0 ? "0" : "SOURCE_DATE_EPOCH");
            return;
        }
    }
}

/* --- sources outside the root ----------------------------------------------------------------- */

static bool is_changed(const struct outside_module *module)
{
    return reason_is(module->reason, REASON_CHANGED);
}

static bool is_pardoned(const struct outside_module *module, const char *given_root)
{
    return reason_is(module->reason, REASON_OUTSIDE_GIVEN_ROOT) ||
           (given_root != NULL && !is_changed(module));
}

/* Which module the line is about: rather one that stops gates, then one that ran, then one that is
 * missing as a whole. */
static int weigh_module(const struct outside_module *module, const char *given_root)
{
    return (is_pardoned(module, given_root) ? 0 : 4) + (module->ran ? 2 : 0) +
           (module->outside_count == module->source_count ? 1 : 0);
}

static const struct outside_module *choose_module(const struct outside *outside,
                                                  const char *given_root)
{
    const struct outside_module *chosen = &outside->modules[0];
    for (uint32_t i = 1; i < outside->count; i++)
        if (weigh_module(&outside->modules[i], given_root) > weigh_module(chosen, given_root))
            chosen = &outside->modules[i];
    return chosen;
}

/* "Lib ran, but its sources are", "App ran, but 1 of its 3 sources is" */
static void add_subject(struct text *line, const struct outside_module *module)
{
    text_addf(line, "%.*s %s, %s ", STR_ARGS(module->name),
              module->ran ? "ran" : "was never loaded", module->ran ? "but" : "and");
    if (module->outside_count < module->source_count)
        text_addf(line, "%u of its %u sources %s", module->outside_count, module->source_count,
                  plural(module->outside_count, "is", "are"));
    else
        text_add_c(line, "its sources are");
}

static void add_others(struct text *line, const struct outside *outside,
                       const struct outside_module *first)
{
    const struct outside_module *other = &outside->modules[first == outside->modules ? 1 : 0];
    if (outside->count == 2)
        text_addf(line, ", and so are sources of %.*s", STR_ARGS(other->name));
    else if (outside->count > 2)
        text_addf(line, ", and so are sources of %.*s and %u more", STR_ARGS(other->name),
                  outside->count - 2);
}

static void add_outside(struct text *line, const struct outside_module *first, struct str root)
{
    if (is_changed(first))
        text_addf(line, " not as compiled (%.*s)", STR_ARGS(first->first));
    else
        text_addf(line, " outside the root %.*s (%.*s)", STR_ARGS(root), STR_ARGS(first->first));
}

/* A source that was compiled on this machine, where it still is. */
static bool is_here(struct str path, struct arena *arena)
{
    struct str copy;
    return str_copy(&copy, path, arena, NULL) && file_exists(copy.text);
}

static void add_advice(struct text *line, const struct outside_module *first, bool has_gates)
{
    if (is_changed(first))
        text_add_c(line, "; build again");
    else
        text_addf(line, "; %s, -x '[%.*s]*' excludes them",
                  is_here(first->first, line->arena) ? "-r DIR sets a root that contains them"
                                                     : "--map FROM=TO says where they are here",
                  STR_ARGS(first->name));
    if (has_gates)
        text_add_c(line, "; without them no gate passes");
}

bool results_say_outside(struct outside_line *out, const struct facts *facts,
                         const struct publish_options *options, struct str root,
                         struct arena *arena, struct err *err)
{
    const char *given_root = options->sources.root;
    struct outside outside;
    struct report_options report = {.exclude_count = 0};
    struct str text;
    *out = (struct outside_line){.any = false};
    if (!report_filter(&report, &options->filter, facts, arena, err) ||
        !outside_find(&outside, facts, &report, arena, err))
        return false;
    if (outside.count == 0)
        return true;
    const struct outside_module *first = choose_module(&outside, given_root);
    out->any = true;
    out->stops_gates = !is_pardoned(first, given_root);
    for (uint32_t i = 0; i < facts->run_count && root.len == 0; i++)
        root = facts->runs[i].root;
    struct text line = text_in(arena);
    add_subject(&line, first);
    add_outside(&line, first, root);
    add_others(&line, &outside, first);
    if (out->stops_gates)
        add_advice(&line, first, options->gates.list.count != 0);
    if (!text_take(&text, &line, err))
        return false;
    say("%s", text.text);
    return true;
}

#include "cli/results.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "coverage/output.h"

/* A pipe without a reader would keep us waiting, so what is no file is only asked for its
 * permissions. */
bool results_can_write(const char *path, struct err *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 || err_set_errno(err, "cannot be written");
    struct output output;
    if (!output_open(&output, path, err))
        return false;
    output_abandon(&output);
    return true;
}

bool results_build(struct results *out, const struct facts *facts, const struct options *options,
                   struct str root, struct arena *arena, struct err *err)
{
    struct pattern *exclude = NULL;
    if (!pattern_parse_all(&exclude, options->exclude.items, options->exclude.count, arena, err))
        return false;
    struct report_options report_options = {
        .exclude = exclude,
        .exclude_count = options->exclude.count,
        .exclude_files = options->exclude_files.items,
        .exclude_file_count = options->exclude_files.count,
        .root = options->deterministic ? STR(".") : root,
        .timestamp = options->timestamp,
    };
    *out = (struct results){.facts = facts, .options = options, .arena = arena};
    return report_build(&out->report, facts, &report_options, arena, err);
}

bool results_write(const struct results *results, uint32_t format)
{
    struct err err = {0};
    const struct option_format *wanted = &results->options->formats[format];
    const char *name = wanted->path;
    if (reporter_write(wanted->reporter, wanted->path, &results->report, &err))
        return true;
    if (name == NULL)
        name = "standard error";
    else if (strcmp(name, REPORTER_STDOUT) == 0)
        name = "standard output";
    say("%s: %s", name, err.text);
    return false;
}

/* --- threshold and summary -------------------------------------------------------------------- */

static bool lies_outside(struct str reason)
{
    return str_is(reason, REASON_OUTSIDE_ROOT) || str_is(reason, REASON_NO_SOURCE) ||
           str_is(reason, REASON_CHANGED);
}

/* "no line could be covered", and why not. */
static void add_empty(struct text *line, const struct results *results)
{
    const struct report_omission *first = &results->report.first_empty;
    text_add_c(line, "no line could be covered");
    if (first->reason.len == 0)
        return;
    text_addf(line, " (%.*s: %.*s", STR_ARGS(first->module), STR_ARGS(first->reason));
    if (lies_outside(first->reason) && results->facts->run_count != 0)
        text_addf(line, "; 'ilcov run -r DIR' names another than %.*s",
                  STR_ARGS(results->facts->runs[0].root));
    text_add_c(line, ")");
}

static void say_line(struct text *line)
{
    struct err err = {0};
    struct str text;
    say("%s", text_take(&text, line, &err) ? text.text : err.text);
}

bool results_reach_threshold(const struct results *results)
{
    const struct report_totals *totals = &results->report.totals;
    const struct options *options = results->options;
    bool empty = totals->lines_valid == 0;
    uint32_t covered = empty ? 0 : percent_x100(totals->lines_covered, totals->lines_valid);
    if (!options->has_fail_under || covered >= options->fail_under_x100 ||
        (empty && results->may_be_empty))
        return true;
    char is[PERCENT_ROOM], wanted[PERCENT_ROOM];
    struct text line;
    text_open(&line, results->arena);
    (void)percent(wanted, options->fail_under_x100);
    if (empty) {
        add_empty(&line, results);
        text_addf(&line, ", so --fail-under %s is not reached", wanted);
    } else {
        text_addf(&line, "%s %% of lines are covered, fewer than --fail-under %s",
                  percent(is, covered), wanted);
    }
    say_line(&line);
    return false;
}

static void add_share(struct text *line, uint64_t covered, uint64_t valid, const char *one,
                      const char *many)
{
    char rate[PERCENT_ROOM], count[GROUPED_ROOM];
    text_addf(line, "%s %% of %s %s", percent(rate, percent_x100(covered, valid)),
              grouped(count, valid), plural(valid, one, many));
}

static void add_file(struct text *line, const char *path, bool *first)
{
    text_addf(line, "%s%s", *first ? "; " : ", ", path);
    *first = false;
}

/* Nobody should take a method for uncovered that was never measured, nor for covered. */
static void say_refused(const struct facts *facts)
{
    const struct fact_method *first = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        for (uint32_t m = 0; m < facts->modules[i].method_count; m++) {
            const struct fact_method *method = &facts->modules[i].methods[m];
            if (method->state != METHOD_REFUSED || facts->modules[i].state != MODULE_COVERED)
                continue;
            first = first == NULL ? method : first;
            count++;
        }
    if (first != NULL)
        say("%llu %s left as compiled and not measured: %.*s.%.*s%.*s (%.*s)%s",
            (unsigned long long)count, plural(count, "method was", "methods were"),
            STR_ARGS(first->type), STR_ARGS(first->name), STR_ARGS(first->signature),
            STR_ARGS(first->reason), count > 1 ? "; -v lists all" : "");
}

void results_summarise(const struct results *results, const char *data)
{
    const struct report_totals *totals = &results->report.totals;
    const struct options *options = results->options;
    struct text line;
    text_open(&line, results->arena);
    if (totals->lines_valid == 0 && options->has_fail_under) {
        text_add_c(&line, "no line could be covered"); /* the threshold tells why */
    } else if (totals->lines_valid == 0) {
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
    for (uint32_t i = 0; i < options->format_count; i++) {
        const char *path = options->formats[i].path;
        if (path != NULL && strcmp(path, REPORTER_STDOUT) != 0)
            add_file(&line, path, &first);
    }
    if (data != NULL)
        add_file(&line, data, &first);
    say_line(&line);
    say_refused(results->facts);
}

void results_warn(const struct options *options)
{
    if (!options->deterministic)
        return;
    for (uint32_t i = 0; i < options->format_count; i++) {
        if (str_is(str_of(options->formats[i].reporter->name), "cobertura")) {
            say("note: the report's time is %s under --deterministic; Codecov rejects reports "
                "older than 12 hours",
                options->timestamp == 0 ? "0" : "SOURCE_DATE_EPOCH");
            return;
        }
    }
}

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

bool results_build(struct report *out, const struct facts *facts, const struct options *options,
                   struct str root, struct arena *arena, struct err *err)
{
    struct pattern *exclude = ARENA_NEW(arena, struct pattern, options->exclude.count, err);
    if (exclude == NULL)
        return false;
    for (uint32_t i = 0; i < options->exclude.count; i++) {
        if (!pattern_parse(&exclude[i], options->exclude.items[i], err))
            return false;
    }
    struct report_options report_options = {
        .exclude = exclude,
        .exclude_count = options->exclude.count,
        .exclude_files = options->exclude_files.items,
        .exclude_file_count = options->exclude_files.count,
        .root = options->deterministic ? STR(".") : root,
        .timestamp = options->timestamp,
    };
    return report_build(out, facts, &report_options, arena, err);
}

bool results_write(const struct option_format *format, const struct report *report)
{
    struct err err = {0};
    if (reporter_write(format->reporter, format->path, report, &err))
        return true;
    say("%s: %s", format->path != NULL ? format->path : "standard error", err.text);
    return false;
}

bool results_reach_threshold(const struct report *report, const struct options *options)
{
    uint32_t covered = percent_x100(report->totals.lines_covered, report->totals.lines_valid);
    if (!options->has_fail_under || covered >= options->fail_under_x100)
        return true;
    char is[PERCENT_ROOM], wanted[PERCENT_ROOM];
    say("%s %% of lines are covered, fewer than --fail-under %s", percent(is, covered),
        percent(wanted, options->fail_under_x100));
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

void results_summarise(const struct report *report, const struct options *options, const char *data)
{
    const struct report_totals *totals = &report->totals;
    struct arena arena;
    struct text line;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    text_open(&line, &arena);
    if (totals->lines_valid == 0) {
        text_add_c(&line, "no line could be covered");
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
        if (options->formats[i].path != NULL)
            add_file(&line, options->formats[i].path, &first);
    }
    if (data != NULL)
        add_file(&line, data, &first);
    struct str text;
    if (text_take(&text, &line, NULL))
        say("%s", text.text);
    arena_free(&arena);
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

#include "reporters/report/source_json.h"

#include "coverage/report/source_lines.h"
#include "reporters/condition_words.h"
#include "reporters/report/json_parts.h"

struct putting {
    struct json_writer *json;
    const struct report_file *file;
    struct source_place place;
    const struct line_range *ranges;
    uint32_t range_count;
    struct source_lines lines;
    struct arena *words; /* of one line */
    struct err *err;
};

static bool is_asked_for(const struct putting *p, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < p->range_count; i++)
        if (p->ranges[i].first <= last && p->ranges[i].last >= first)
            return true;
    return p->range_count == 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool put_json_words(struct putting *p, const struct report_line *line)
{
    struct lacking_words words;
    for (uint32_t i = 0; i < line->condition_count; i++) {
        if (!report_condition_lacks(line, &line->conditions[i]))
            continue;
        if (!condition_words(&words, &line->conditions[i], &p->place, &code_in_backquotes, p->words,
                             p->err))
            return false;
        jw_text(p->json, NULL, words.whole);
    }
    for (uint32_t i = 0; i < line->missed_count; i++) {
        if (!missed_text_words(&words, &line->missed[i], line->number, &p->place,
                               &code_in_backquotes, p->words, p->err))
            return false;
        jw_text(p->json, NULL, words.whole);
    }
    return true;
}

static bool put_json_line(struct putting *p, const struct report_line *line)
{
    struct json_writer *json = p->json;
    struct str text = source_text_line(&p->place, line->number);
    bool misses = report_line_misses(line);
    arena_reset(p->words);
    jw_begin_line(json, NULL, '{');
    jw_number(json, "number", line->number);
    jw_number(json, "hits", line->hits);
    jw_text_c(json, "state", line->hits == 0 ? "missed" : misses ? "partial" : "covered");
    if (line->outcome_count != 0)
        jw_share(json, "branches", line->covered_count, line->outcome_count);
    if (text.text != NULL)
        jw_text(json, "text", text);
    bool ok = true;
    if (misses) {
        jw_begin(json, "missing", '[');
        ok = put_json_words(p, line);
        jw_end(json, ']');
    }
    jw_end(json, '}');
    return ok;
}

static bool put_json_lines(struct putting *p)
{
    bool ok = true;
    jw_begin(p->json, "lines", '[');
    for (uint32_t i = 0; ok && i < p->lines.count; i++)
        if (is_asked_for(p, p->lines.lines[i]->number, p->lines.lines[i]->number))
            ok = put_json_line(p, p->lines.lines[i]);
    jw_end(p->json, ']');
    return ok;
}

/* --- runs of lines ---------------------------------------------------------------------------- */

static void begin_run(struct putting *p, uint32_t first, uint32_t last)
{
    arena_reset(p->words);
    jw_begin_line(p->json, NULL, '{');
    jw_number(p->json, "first_line", first);
    jw_number(p->json, "last_line", last);
}

static bool put_json_whys(struct putting *p)
{
    bool ok = true;
    jw_begin(p->json, "reasons", '[');
    for (uint32_t i = 0; ok && i < p->lines.why_count; i++) {
        const struct why_run *run = &p->lines.whys[i];
        struct str why = STR("");
        if (!is_asked_for(p, run->first, run->last))
            continue;
        begin_run(p, run->first, run->last);
        ok = condition_why(&why, run->why, run->first, &p->place, &code_in_backquotes, p->words,
                           p->err);
        jw_text(p->json, "text", why);
        jw_end(p->json, '}');
    }
    jw_end(p->json, ']');
    return ok;
}

static bool put_excluded(struct putting *p)
{
    bool ok = true;
    jw_begin(p->json, "excluded", '[');
    for (uint32_t i = 0; ok && i < p->lines.run_count; i++) {
        const struct line_run *run = &p->lines.runs[i];
        struct str reason = STR("");
        if (run->state != LINES_EXCLUDED || !is_asked_for(p, run->first, run->last))
            continue;
        begin_run(p, run->first, run->last);
        ok = reason_text(&reason, run->reason, p->words, p->err);
        jw_text(p->json, "reason", reason);
        if (run->reason != NULL)
            jw_number(p->json, "code", run->reason->code);
        jw_end(p->json, '}');
    }
    jw_end(p->json, ']');
    return ok;
}

/* --- a file ----------------------------------------------------------------------------------- */

static bool put_json_file(struct putting *p)
{
    jw_begin(p->json, NULL, '{');
    jw_text(p->json, "path", p->file->path);
    jw_text(p->json, "package", p->file->package->name);
    jw_bool(p->json, "not_loaded", p->file->package->not_loaded);
    jw_bool(p->json, "has_text", source_text_line(&p->place, 1).text != NULL);
    json_put_totals(p->json, &p->file->totals);
    bool ok = put_json_lines(p) && put_json_whys(p) && put_excluded(p);
    jw_end(p->json, '}');
    return ok;
}

bool source_json_put(struct json_writer *json, const struct report *report,
                     const struct sources *sources, const struct report_file *file,
                     const struct line_range *ranges, uint32_t range_count, struct err *err)
{
    struct arena arena, words;
    struct putting p = {.json = json,
                        .file = file,
                        .place = {sources, file->package->name, file->path},
                        .ranges = ranges,
                        .range_count = range_count,
                        .words = &words,
                        .err = err};
    arena = ARENA_EMPTY;
    words = ARENA_EMPTY;
    bool ok = source_lines_make(&p.lines, report, file, &arena, err) && put_json_file(&p);
    arena_free(&words);
    arena_free(&arena);
    return ok;
}

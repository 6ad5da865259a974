#include "reporters/report/source_view.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf16.h"
#include "coverage/report/sentence.h"
#include "reporters/condition_words.h"
#include "reporters/legible.h"

enum {
    TAB_WIDTH = 4,
    NUMBER_LEAST = 4,
    HITS_LEAST = 5,
    ROWS_MOST = 8, /* of one line on a terminal */
    CODE_LEAST = 20,
    UNDERLINE_MOST = 500, /* columns, where there is no terminal */
    GUTTER_BLANKS = 5     /* and signs, around the numbers */
};

struct viewing {
    const struct source_view *view;
    const struct screen *screen;
    const struct report_file *file;
    struct source_place place;
    struct source_lines lines;
    uint32_t line, run, why; /* the next of each */
    int number_width, hits_width;
    size_t indent, room; /* columns before the text, and of the text; room 0: any */
    struct arena *arena; /* of the words of one line */
    struct err *err;
};

static struct source_place place_of_file(const struct source_view *view,
                                         const struct report_file *file)
{
    return (struct source_place){view->sources, file->package->name, file->path};
}

uint32_t source_view_last_line(const struct source_view *view, const struct report_file *file)
{
    const struct source_place place = place_of_file(view, file);
    uint32_t last = 0;
    while (last < UINT32_MAX - 1 && source_text_line(&place, last + 1).text != NULL)
        last++;
    for (uint32_t c = 0; c < file->class_count; c++) {
        const struct report_lines *lines = &file->classes[c]->lines;
        if (lines->count != 0 && lines->lines[lines->count - 1].number > last)
            last = lines->lines[lines->count - 1].number;
    }
    return last;
}

/* --- the text of a line ----------------------------------------------------------------------- */

static size_t char_width(uint32_t c, size_t column)
{
    return c == '\t' ? TAB_WIDTH - column % TAB_WIDTH : legible_char_width(c);
}

static size_t width_of(struct str s)
{
    size_t column = 0;
    for (size_t pos = 0; pos < s.len;)
        column += char_width(utf8_next(s.text, s.len, &pos), column);
    return column;
}

/* Writes characters up to a width; `*column` counts on over the whole line. */
static void put_code_rows(const struct viewing *v, struct str s)
{
    size_t column = 0, row = 0, rows = 1;
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        size_t width = char_width(c, column);
        if (v->room != 0 && row + width > v->room) {
            screen_put_c(v->screen, "\n");
            screen_spaces(v->screen, v->indent);
            if (rows++ == ROWS_MOST) {
                screen_put_c(v->screen, "...");
                return;
            }
            row = 0;
        }
        if (c == '\t')
            screen_spaces(v->screen, width);
        else
            screen_put(v->screen, (struct str){s.text + start, pos - start});
        column += width;
        row += width;
    }
}

/* --- words below a line ----------------------------------------------------------------------- */

static void begin_words(const struct viewing *v, size_t column)
{
    screen_spaces(v->screen, v->indent + column);
    screen_style(v->screen, STYLE_YELLOW);
}

static void end_words(const struct viewing *v)
{
    screen_style(v->screen, STYLE_PLAIN);
    screen_put_c(v->screen, "\n");
}

/* "^^^^ 1 of 2 outcomes never happened" below a part of the line; false if it does not fit. */
static bool put_underline(const struct viewing *v, struct str text, struct str part,
                          struct str words)
{
    if (part.len == 0)
        return false;
    size_t column = width_of((struct str){text.text, (size_t)(part.text - text.text)});
    size_t width = width_of(part);
    size_t room = v->room != 0 ? v->room : UNDERLINE_MOST;
    if (width == 0 || column + width + 1 + legible_width(words) > room)
        return false;
    begin_words(v, column);
    for (; width != 0; width--)
        screen_put_c(v->screen, "^");
    screen_put_c(v->screen, " ");
    screen_put(v->screen, words);
    end_words(v);
    return true;
}

static void put_below(const struct viewing *v, struct str text, struct str words)
{
    size_t blanks = text.len - str_trim_start(text, " \t").len;
    size_t column = width_of((struct str){text.text, blanks});
    if (v->room != 0 && column + legible_width(words) > v->room)
        column = 0;
    begin_words(v, column);
    (void)screen_put_text(v->screen, words, v->room != 0 ? v->room - column : SIZE_MAX);
    end_words(v);
}

/* Under the part of the line that they are about, if they fit there. */
static void put_words_below(const struct viewing *v, struct str text, struct str part,
                            const struct lacking_words *words)
{
    if (!put_underline(v, text, part, words->brief))
        put_below(v, text, words->whole);
}

static bool put_condition_below(const struct viewing *v, struct str text, uint32_t number,
                                const struct report_condition *condition)
{
    const struct fact_span *span = &condition->span;
    struct lacking_words words;
    arena_reset(v->arena);
    if (!condition_words(&words, condition, &v->place, &code_in_backquotes, v->arena, v->err))
        return false;
    put_words_below(v, text,
                    condition_is_on(condition, number)
                        ? source_text_cut(text, span->start_column, span->end_column)
                        : STR(""),
                    &words);
    return true;
}

static bool put_missed_text_below(const struct viewing *v, struct str text, uint32_t number,
                                  const struct column_range *range)
{
    struct lacking_words words;
    arena_reset(v->arena);
    if (!missed_text_words(&words, range, number, &v->place, &code_in_backquotes, v->arena, v->err))
        return false;
    put_words_below(v, text, source_text_shown(text, range->start, range->end), &words);
    return true;
}

static bool put_own_words(const struct viewing *v, struct str text, const struct report_line *line)
{
    for (uint32_t i = 0; i < line->condition_count; i++) {
        const struct report_condition *condition = &line->conditions[i];
        if (report_condition_lacks(line, condition) &&
            !put_condition_below(v, text, line->number, condition))
            return false;
    }
    for (uint32_t i = 0; i < line->missed_count; i++)
        if (!put_missed_text_below(v, text, line->number, &line->missed[i]))
            return false;
    return true;
}

static bool put_exclusion_reason(const struct viewing *v, struct str text,
                                 const struct line_run *run)
{
    struct str reason, words;
    arena_reset(v->arena);
    if (!reason_text(&reason, run->reason, v->arena, v->err) ||
        !text_format(&words, v->arena, v->err, "excluded: %.*s", STR_ARGS(reason)))
        return false;
    put_below(v, text, words);
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Below the first of the lines that did not run, or the first that is shown. */
static bool put_why_below(struct viewing *v, struct str text, uint32_t number)
{
    struct str words, why;
    while (v->why < v->lines.why_count && v->lines.whys[v->why].last < number)
        v->why++;
    if (v->why == v->lines.why_count || v->lines.whys[v->why].first > number)
        return true;
    arena_reset(v->arena);
    if (!condition_why(&why, v->lines.whys[v->why++].why, number, &v->place, &code_in_backquotes,
                       v->arena, v->err) ||
        !text_format(&words, v->arena, v->err, "did not run: %.*s", STR_ARGS(why)))
        return false;
    put_below(v, text, words);
    return true;
}

static void put_gutter(const struct viewing *v, uint32_t number, const struct report_line *line,
                       const struct line_run *run, bool has_more)
{
    const struct screen *screen = v->screen;
    enum screen_style style = line == NULL || run == NULL   ? STYLE_DIM
                              : run->state == LINES_MISSED  ? STYLE_RED
                              : run->state == LINES_PARTIAL ? STYLE_YELLOW
                                                            : STYLE_DIM;
    char sign = run == NULL                                    ? ' '
                : run->state == LINES_EXCLUDED                 ? 'x'
                : run->state == LINES_PARTIAL                  ? '~'
                : line != NULL && v->file->package->not_loaded ? '-'
                                                               : ' ';
    screen_style(screen, style);
    (void)fprintf(screen->file, "%*" PRIu32, v->number_width, number);
    if (line != NULL)
        (void)fprintf(screen->file, " %*" PRIu64, v->hits_width, line->hits);
    else if (has_more || sign != ' ')
        screen_spaces(screen, (size_t)v->hits_width + 1);
    if (has_more || sign != ' ')
        (void)fprintf(screen->file, " %c", sign);
    screen_style(screen, STYLE_PLAIN);
}

static const struct report_line *code_at(struct viewing *v, uint32_t number)
{
    while (v->line < v->lines.count && v->lines.lines[v->line]->number < number)
        v->line++;
    return v->line < v->lines.count && v->lines.lines[v->line]->number == number
               ? v->lines.lines[v->line]
               : NULL;
}

static const struct line_run *run_at(struct viewing *v, uint32_t number)
{
    while (v->run < v->lines.run_count && v->lines.runs[v->run].last < number)
        v->run++;
    return v->run < v->lines.run_count && v->lines.runs[v->run].first <= number
               ? &v->lines.runs[v->run]
               : NULL;
}

static bool put_viewed_line(struct viewing *v, uint32_t number, struct str text)
{
    const struct report_line *line = code_at(v, number);
    const struct line_run *run = run_at(v, number);
    struct str code = source_text_without_end(text);
    put_gutter(v, number, line, run, code.len != 0);
    if (code.len != 0) {
        bool is_missed = line != NULL && run != NULL && run->state == LINES_MISSED;
        screen_put_c(v->screen, "  ");
        screen_style(v->screen, is_missed ? STYLE_RED : STYLE_PLAIN);
        put_code_rows(v, code);
        screen_style(v->screen, STYLE_PLAIN);
    }
    screen_put_c(v->screen, "\n");
    if (run != NULL && run->state == LINES_EXCLUDED)
        return run->first != number || put_exclusion_reason(v, text, run);
    return line == NULL || (put_why_below(v, text, number) && put_own_words(v, text, line));
}

/* Without its text, a line is shown if it has code or is excluded. */
static bool put_viewed_lines(struct viewing *v, uint32_t first, uint32_t last, uint32_t *put)
{
    for (uint32_t number = first; number <= last; number++) {
        struct str text = source_text_line(&v->place, number);
        if (text.text == NULL && code_at(v, number) == NULL && run_at(v, number) == NULL)
            continue;
        if (!put_viewed_line(v, number, text))
            return false;
        if (put != NULL)
            ++*put;
    }
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static void put_view_heading(const struct viewing *v)
{
    const struct report_totals *totals = &v->file->totals;
    screen_put_styled(v->screen, STYLE_BOLD, v->file->path);
    if (v->view->report->package_count > 1) {
        screen_put_c(v->screen, " (");
        screen_put(v->screen, v->file->package->name);
        screen_put_c(v->screen, ")");
    }
    (void)fprintf(v->screen->file, ": %" PRIu64 " of %" PRIu64 " lines", totals->lines_covered,
                  totals->lines_valid);
    if (totals->branches_valid != 0)
        (void)fprintf(v->screen->file, ", %" PRIu64 " of %" PRIu64 " branches",
                      totals->branches_covered, totals->branches_valid);
    screen_put_c(v->screen, " covered\n");
    if (v->file->package->not_loaded)
        screen_put_c(v->screen, "The assembly was never loaded, so none of its code could run.\n");
    if (source_text_line(&v->place, 1).text == NULL)
        (void)fprintf(v->screen->file, "The source is not shown: %s.\n", sources_lack(&v->place));
    screen_put_c(v->screen, "\n");
}

static void measure_gutter(struct viewing *v, uint32_t last)
{
    uint64_t hits = 0;
    for (uint32_t i = 0; i < v->lines.count; i++)
        if (v->lines.lines[i]->hits > hits)
            hits = v->lines.lines[i]->hits;
    v->number_width = legible_digits(last) > NUMBER_LEAST ? legible_digits(last) : NUMBER_LEAST;
    v->hits_width = legible_digits(hits) > HITS_LEAST ? legible_digits(hits) : HITS_LEAST;
    v->indent = (size_t)(v->number_width + v->hits_width) + GUTTER_BLANKS;
    if (v->screen->columns == 0)
        return;
    v->room =
        v->screen->columns > v->indent + CODE_LEAST ? v->screen->columns - v->indent : CODE_LEAST;
}

/* Ranges with their context, those that touch together. */
static bool put_viewed_ranges(struct viewing *v, const struct line_range *ranges, uint32_t count,
                              uint32_t context, uint32_t last, uint32_t *put)
{
    for (uint32_t i = 0, next; i < count; i = next) {
        uint32_t first = ranges[i].first > context ? ranges[i].first - context : 1;
        uint32_t end = ranges[i].last;
        for (next = i + 1; next < count && ranges[next].first <= end + 2 * context + 1; next++)
            end = ranges[next].last > end ? ranges[next].last : end;
        end = end < last && last - end > context ? end + context : last;
        if (i != 0) {
            screen_style(v->screen, STYLE_DIM);
            (void)fprintf(v->screen->file, "%*s\n", v->number_width, "...");
            screen_style(v->screen, STYLE_PLAIN);
        }
        if (!put_viewed_lines(v, first, end, put))
            return false;
    }
    return true;
}

bool source_view_put(const struct source_view *view, const struct report_file *file,
                     const struct line_range *ranges, uint32_t range_count, uint32_t context,
                     uint32_t *put, struct err *err)
{
    struct arena arena, words;
    struct viewing v = {.view = view,
                        .screen = view->screen,
                        .file = file,
                        .place = place_of_file(view, file),
                        .arena = &words,
                        .err = err};
    arena = ARENA_EMPTY;
    words = ARENA_EMPTY;
    uint32_t last = source_view_last_line(view, file);
    bool ok = source_lines_make(&v.lines, view->report, file, &arena, err);
    if (ok) {
        measure_gutter(&v, last);
        put_view_heading(&v);
        ok = range_count == 0 ? put_viewed_lines(&v, 1, last, put)
                              : put_viewed_ranges(&v, ranges, range_count, context, last, put);
    }
    arena_free(&words);
    arena_free(&arena);
    return ok;
}

/* What was missed, file by file:
 *
 *   src/Shop.Core/Order.cs: 6 of 40 lines, 3 of 12 branches missed
 *     12-14   Order.Total
 *     20      `rush && vip`: 1 of 2 outcomes never happened
 *     40-43   Order.Cancel
 *
 * It is as wide as the terminal; elsewhere nothing is cut. Files that miss nothing are left out. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/report/source_lines.h"
#include "coverage/report/why.h"
#include "reporters/condition_words.h"
#include "reporters/report/report_formats.h"

enum {
    INDENT = 2,
    RANGE_WIDTH = 8,
    NUMBER_ROOM = 32
};

struct missed_listing {
    struct screen screen;
    size_t width;
    const struct format_job *job;
    const struct report_file *file;
    struct source_place place;
    bool any;            /* file that misses something */
    struct arena *arena; /* of one file */
    struct err *err;
};

/* Which method a line is in. */
struct owned {
    uint32_t line, order;
    const struct report_file_method *method;
};

struct owned_lines {
    struct owned *items;
    size_t count;
};

ORDER(order_owned_lines, struct owned, BY(line) BY(order))

static bool list_owned(struct owned_lines *out, const struct missed_listing *l)
{
    uint32_t count = 0;
    size_t room = 0;
    struct report_file_method *methods = report_file_methods(&count, l->file, l->arena, l->err);
    for (uint32_t i = 0; methods != NULL && i < count; i++)
        room += methods[i].method->lines.count;
    *out = (struct owned_lines){.items = ARENA_NEW(l->arena, struct owned, room, l->err)};
    if (methods == NULL || out->items == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = 0; n < methods[i].method->lines.count; n++)
            out->items[out->count++] =
                (struct owned){methods[i].method->lines.lines[n].number, i, &methods[i]};
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, order_owned_lines);
    return true;
}

/* The first that has it. */
static const struct report_file_method *find_line_owner(const struct owned_lines *lines,
                                                        uint32_t line)
{
    const struct owned key = {.line = line};
    size_t place = sorted_place(&key, lines->items, lines->count, sizeof key, order_owned_lines);
    return place < lines->count && lines->items[place].line == line ? lines->items[place].method
                                                                    : NULL;
}

/* The length of "N.Sub." in the metadata's name, where only namespaces have dots. */
static size_t namespace_len(struct str name)
{
    size_t len = name.len;
    while (len != 0 && name.text[len - 1] != '.')
        len--;
    return len;
}

/* "Order.Total(bool)": the type begins without its namespace, in "N.Map<N.Key, int>.Entry" at
 * "Map". */
static bool name_missed_method(struct str *out, const struct report_file_method *method,
                               struct arena *arena, struct err *err)
{
    const struct fact_display *display = &method->method->display;
    struct str type = method->class->display_name;
    size_t begin = namespace_len(method->class->name);
    if (begin < type.len)
        type = str_from(type, begin);
    return text_format(out, arena, err, "%.*s.%.*s%.*s", STR_ARGS(type), STR_ARGS(display->name),
                       STR_ARGS(display->signature));
}

/* --- rows ------------------------------------------------------------------------------------- */

static void put_missed_row(const struct missed_listing *l, uint32_t first, uint32_t last,
                           struct str words)
{
    char range[NUMBER_ROOM];
    if (first == last)
        (void)snprintf(range, sizeof range, "%" PRIu32, first);
    else
        (void)snprintf(range, sizeof range, "%" PRIu32 "-%" PRIu32, first, last);
    int width = fprintf(l->screen.file, "%*s%-*s ", INDENT, "", RANGE_WIDTH, range);
    size_t used = width > 0 ? (size_t)width : 0;
    (void)screen_put_text(&l->screen, words, l->width > used ? l->width - used : 1);
    screen_put_c(&l->screen, "\n");
}

/* "Order.Total(int): line 9 never completed: it threw or did not return" */
static bool make_row_words(struct str *out, const struct missed_listing *l,
                           const struct report_file_method *owner, const struct report_line *first)
{
    struct str name = STR(""), why = STR("");
    if (owner != NULL && !name_missed_method(&name, owner, l->arena, l->err))
        return false;
    if (first->why != NULL && !condition_why(&why, first->why, first->number, &l->place,
                                             &code_in_backquotes, l->arena, l->err))
        return false;
    return text_format(out, l->arena, l->err, "%.*s%s%.*s", STR_ARGS(name),
                       name.len != 0 && why.len != 0 ? ": " : "", STR_ARGS(why));
}

static void put_yellow_row(const struct missed_listing *l, uint32_t line, struct str words)
{
    screen_style(&l->screen, STYLE_YELLOW);
    put_missed_row(l, line, line, words);
    screen_style(&l->screen, STYLE_PLAIN);
}

static bool put_conditions(const struct missed_listing *l, const struct report_line *line)
{
    for (uint32_t i = 0; i < line->condition_count; i++) {
        struct lacking_words words;
        if (!report_condition_lacks(line, &line->conditions[i]))
            continue;
        if (!condition_words(&words, &line->conditions[i], &l->place, &code_in_backquotes, l->arena,
                             l->err))
            return false;
        put_yellow_row(l, line->number, words.whole);
    }
    return true;
}

/* A run of missed lines, method by method, and why by why; and the switch that has no line of its
 * own and is reported on one of them. */
static bool put_missed_run(const struct missed_listing *l, const struct source_lines *lines,
                           const struct owned_lines *owned, uint32_t *next,
                           const struct line_run *run)
{
    while (*next < lines->count && lines->lines[*next]->number < run->first)
        (*next)++;
    while (*next < lines->count && lines->lines[*next]->number <= run->last) {
        struct str words = STR("");
        const struct report_line *start = lines->lines[*next];
        uint32_t last = start->number, first = *next;
        const struct report_file_method *owner = find_line_owner(owned, last);
        for (; *next < lines->count && lines->lines[*next]->number <= run->last &&
               why_equal(lines->lines[*next]->why, start->why) &&
               find_line_owner(owned, lines->lines[*next]->number) == owner;
             (*next)++)
            last = lines->lines[*next]->number;
        if (!make_row_words(&words, l, owner, start))
            return false;
        put_missed_row(l, start->number, last, words);
        for (; first < *next; first++)
            if (!put_conditions(l, lines->lines[first]))
                return false;
    }
    return true;
}

static const struct report_line *line_at(const struct source_lines *lines, uint32_t *next,
                                         uint32_t number)
{
    while (lines->lines[*next]->number < number)
        (*next)++;
    return lines->lines[*next];
}

static bool put_text_rows(const struct missed_listing *l, const struct report_line *line)
{
    for (uint32_t i = 0; i < line->missed_count; i++) {
        struct lacking_words words;
        if (!missed_text_words(&words, &line->missed[i], line->number, &l->place,
                               &code_in_backquotes, l->arena, l->err))
            return false;
        put_yellow_row(l, line->number, words.whole);
    }
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static void put_missed_share(const struct missed_listing *l, uint64_t covered, uint64_t valid,
                             const char *noun)
{
    (void)fprintf(l->screen.file, "%" PRIu64 " of %" PRIu64 " %s", valid - covered, valid, noun);
}

static void put_missed_heading(const struct missed_listing *l)
{
    const struct report_totals *totals = &l->file->totals;
    screen_put_styled(&l->screen, STYLE_BOLD, l->file->path);
    if (l->job->report->package_count > 1) {
        screen_put_c(&l->screen, " (");
        screen_put(&l->screen, l->file->package->name);
        screen_put_c(&l->screen, l->file->package->not_loaded ? ", never loaded)" : ")");
    }
    screen_put_c(&l->screen, ": ");
    put_missed_share(l, totals->lines_covered, totals->lines_valid, "lines");
    if (totals->branches_valid != 0) {
        screen_put_c(&l->screen, ", ");
        put_missed_share(l, totals->branches_covered, totals->branches_valid, "branches");
    }
    screen_put_c(&l->screen, " missed\n");
}

static bool put_missed_of_file(const struct missed_listing *l)
{
    struct source_lines lines;
    struct owned_lines owned;
    uint32_t next = 0;
    if (!source_lines_make(&lines, l->job->report, l->file, l->arena, l->err) ||
        !list_owned(&owned, l))
        return false;
    put_missed_heading(l);
    for (uint32_t i = 0; i < lines.run_count; i++) {
        const struct line_run *run = &lines.runs[i];
        if (run->state == LINES_MISSED && !put_missed_run(l, &lines, &owned, &next, run))
            return false;
        if (run->state != LINES_PARTIAL)
            continue;
        const struct report_line *line = line_at(&lines, &next, run->first);
        if (!put_conditions(l, line) || !put_text_rows(l, line))
            return false;
    }
    return true;
}

void *missed_open(const struct format_job *job, struct err *err)
{
    struct missed_listing *l = ARENA_NEW(job->arena, struct missed_listing, 1, err);
    if (l == NULL)
        return NULL;
    *l = (struct missed_listing){.screen = job->screen, .job = job, .arena = job->scratch};
    l->width = screen_width(&l->screen, SIZE_MAX);
    return l;
}

bool missed_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct missed_listing *l = writer;
    l->err = err;
    for (uint32_t i = 0; i < count; i++) {
        l->file = &files[i];
        l->place = (struct source_place){l->job->sources, l->file->package->name, l->file->path};
        arena_reset(l->arena);
        if (l->file->first_miss == 0)
            continue;
        l->any = true;
        if (!put_missed_of_file(l))
            return false;
    }
    return true;
}

bool missed_close(void *writer, struct err *err)
{
    const struct missed_listing *l = writer;
    (void)err;
    if (!l->any)
        screen_put_c(&l->screen, l->job->report->totals.lines_valid != 0
                                     ? "Nothing was missed.\n"
                                     : "No line could be covered.\n");
    return true;
}

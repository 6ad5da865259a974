#include <inttypes.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/sort.h"
#include "reporters/report/uncovered.h"

/* A line with code of one assembly. */
struct code_line {
    uint32_t number;
    bool missed;
};

/* A miss comes first. */
ORDER(order_code_lines, struct code_line, BY(number) BY_ORDER((int)b->missed - (int)a->missed))

static bool add_code_lines(struct list *lines, const struct report_file *file, struct arena *arena,
                           struct err *err)
{
    for (uint32_t c = 0; c < file->class_count; c++) {
        const struct report_lines *of = &file->classes[c]->lines;
        for (uint32_t i = 0; i < of->count; i++) {
            if (!list_put(lines, &(struct code_line){of->lines[i].number, of->lines[i].hits == 0},
                          sizeof(struct code_line), arena, err))
                return false;
        }
    }
    return true;
}

static bool list_ranges(struct list *ranges, const struct list *list, struct arena *arena,
                        struct err *err)
{
    const struct code_line *lines = list->items;
    struct line_range *range = NULL; /* that may go on */
    for (uint32_t i = 0; i < list->count; i++) {
        if (i != 0 && lines[i].number == lines[i - 1].number) /* the same of another assembly */
            continue;
        if (!lines[i].missed) {
            range = NULL;
            continue;
        }
        if (range == NULL) {
            range = list_add(ranges, sizeof *range, arena, err);
            if (range == NULL)
                return false;
            range->first = lines[i].number;
        }
        range->last = lines[i].number;
    }
    return true;
}

static void put_path(const struct screen *screen, struct str path, const struct list *list)
{
    const struct line_range *ranges = list->items;
    screen_put(screen, path);
    for (uint32_t i = 0; i < list->count; i++) {
        (void)fprintf(screen->file, "%c%" PRIu32, i == 0 ? ':' : ',', ranges[i].first);
        if (ranges[i].last != ranges[i].first)
            (void)fprintf(screen->file, "-%" PRIu32, ranges[i].last);
    }
    screen_put_c(screen, "\n");
}

static void put_object(struct json_writer *json, struct str path, const struct list *list)
{
    const struct line_range *ranges = list->items;
    jw_begin_line(json, NULL, '{');
    jw_text(json, "path", path);
    jw_begin(json, "ranges", '[');
    for (uint32_t i = 0; i < list->count; i++) {
        jw_begin(json, NULL, '{');
        jw_number(json, "first_line", ranges[i].first);
        jw_number(json, "last_line", ranges[i].last);
        jw_end(json, '}');
    }
    jw_end(json, ']');
    jw_end(json, '}');
}

static bool put_uncovered(const struct uncovered *out, const struct report_file *files,
                          uint32_t count, struct arena *arena)
{
    struct list lines = {.items = NULL}, ranges = {.items = NULL};
    for (uint32_t i = 0; i < count; i++)
        if (!add_code_lines(&lines, &files[i], arena, out->err))
            return false;
    if (lines.count != 0)
        qsort(lines.items, lines.count, sizeof(struct code_line), order_code_lines);
    if (!list_ranges(&ranges, &lines, arena, out->err))
        return false;
    if (ranges.count != 0 && out->json != NULL)
        put_object(out->json, files->path, &ranges);
    else if (ranges.count != 0)
        put_path(out->screen, files->path, &ranges);
    return true;
}

bool uncovered_put(void *out, const struct report_file *files, uint32_t count)
{
    struct arena arena = ARENA_EMPTY;
    bool ok = put_uncovered(out, files, count, &arena);
    arena_free(&arena);
    return ok;
}

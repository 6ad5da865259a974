#include <inttypes.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"
#include "reporters/report/uncovered.h"

/* A line with code of one assembly. */
struct code_line {
    uint32_t number;
    bool missed;
};

static int order_lines(const void *left, const void *right)
{
    const struct code_line *a = left, *b = right;
    int order = number_order(a->number, b->number);
    return order != 0 ? order : (int)b->missed - (int)a->missed; /* a miss comes first */
}

static bool add_lines(struct list *lines, const struct report_file *file, struct arena *arena,
                      struct err *err)
{
    for (uint32_t c = 0; c < file->class_count; c++) {
        const struct report_lines *of = &file->classes[c]->lines;
        for (uint32_t i = 0; i < of->count; i++) {
            struct code_line *line = list_add(lines, sizeof *line, arena, err);
            if (line == NULL)
                return false;
            *line = (struct code_line){of->lines[i].number, of->lines[i].hits == 0};
        }
    }
    return true;
}

static void put_range(const struct screen *screen, uint32_t first, uint32_t last, char separator)
{
    (void)fprintf(screen->file, "%c%" PRIu32, separator, first);
    if (last != first)
        (void)fprintf(screen->file, "-%" PRIu32, last);
}

static void put_path(const struct screen *screen, struct str path, const struct list *list)
{
    const struct code_line *lines = list->items;
    uint32_t first = 0, last = 0, number = 0;
    char separator = ':';
    for (uint32_t i = 0; i < list->count; i++) {
        if (lines[i].number == number) /* the same of another assembly */
            continue;
        number = lines[i].number;
        if (lines[i].missed) {
            if (first == 0 && separator == ':')
                screen_put(screen, path);
            first = first == 0 ? number : first;
            last = number;
        } else if (first != 0) {
            put_range(screen, first, last, separator);
            separator = ',';
            first = 0;
        }
    }
    if (first != 0)
        put_range(screen, first, last, separator);
    if (last != 0)
        screen_put_c(screen, "\n");
}

static bool is_wanted(const struct str *path, struct str name)
{
    return path == NULL || str_eq(*path, name) ||
           (str_ends(*path, "/") && name.len > path->len &&
            str_eq(*path, (struct str){name.text, path->len}));
}

bool uncovered_put(const struct screen *screen, const struct report_files *files,
                   const struct str *path, struct err *err)
{
    struct arena arena;
    bool ok = true;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (uint32_t i = 0, end; ok && i < files->count; i = end) {
        struct list lines = {.items = NULL};
        struct str name = files->files[i].path;
        bool wanted = is_wanted(path, name);
        arena_reset(&arena);
        for (end = i; end < files->count && str_eq(files->files[end].path, name); end++)
            if (wanted && ok)
                ok = add_lines(&lines, &files->files[end], &arena, err);
        if (ok && lines.count != 0) {
            qsort(lines.items, lines.count, sizeof(struct code_line), order_lines);
            put_path(screen, name, &lines);
        }
    }
    arena_free(&arena);
    return ok;
}

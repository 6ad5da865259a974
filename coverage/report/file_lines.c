#include "coverage/report/file_lines.h"

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/report/line_sums.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* Of several assemblies: by number, then in the order of the assemblies. */
struct placed_line {
    const struct report_line *line;
    uint32_t order;
};

ORDER(order_placed_lines, struct placed_line, BY(line->number) BY(order))

static bool list_line_places(struct list *places, const struct report_file *group,
                             uint32_t group_count, struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < group_count; i++)
        for (uint32_t c = 0; c < group[i].class_count; c++)
            for (uint32_t n = 0; n < group[i].classes[c]->lines.count; n++) {
                const struct placed_line place = {&group[i].classes[c]->lines.lines[n],
                                                  places->count};
                if (!list_put(places, &place, sizeof place, arena, err))
                    return false;
            }
    sort_unless_sorted(places->items, places->count, sizeof(struct placed_line),
                       order_placed_lines);
    return true;
}

/* The report keeps its own conditions. */
static bool copy_line(struct report_line *out, const struct report_line *line, struct arena *arena,
                      struct err *err)
{
    *out = *line;
    out->why = NULL;
    out->missed = NULL;
    out->missed_count = 0;
    out->conditions =
        arena_copy(arena, line->conditions, line->condition_count, sizeof *out->conditions, err);
    return out->conditions != NULL;
}

static bool add_to_line(struct report_line *into, const struct report_line *line,
                        struct arena *arena, struct err *err)
{
    into->hits = number_add(into->hits, line->hits);
    if (!line_sums_add(into, line->conditions, line->condition_count, arena, err))
        return false;
    line_sums_count(into);
    return true;
}

bool file_lines_make(struct file_lines *out, const struct report_file *group, uint32_t group_count,
                     struct arena *arena, struct err *err)
{
    struct list list = {.items = NULL};
    *out = (struct file_lines){.lines = NULL};
    if (!list_line_places(&list, group, group_count, arena, err))
        return false;
    const struct placed_line *places = list.items;
    out->lines = ARENA_NEW(arena, struct report_line, list.count, err);
    if (out->lines == NULL)
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct report_line *line = places[i].line;
        bool again = i > 0 && places[i - 1].line->number == line->number;
        struct report_line *into = &out->lines[again ? out->count - 1 : out->count++];
        if (!(again ? add_to_line(into, line, arena, err) : copy_line(into, line, arena, err)))
            return false;
    }
    report_count_lines(&out->totals, out->lines, out->count);
    return true;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Of the first line; if that did not run and others did, the most of any. */
static uint64_t hits_of(const struct report_lines *lines)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        most = lines->lines[i].hits > most ? lines->lines[i].hits : most;
    return lines->lines[0].hits != 0 ? lines->lines[0].hits : most;
}

static bool make_function(struct file_function *out, const struct report_file_method *of,
                          struct arena *arena, struct err *err)
{
    const struct report_method *method = of->method;
    *out = (struct file_function){.first_line = method->lines.lines->number,
                                  .hits = hits_of(&method->lines)};
    return text_format(&out->name, arena, err, "%.*s.%.*s%.*s", STR_ARGS(of->class->display_name),
                       STR_ARGS(method->display.name), STR_ARGS(method->display.signature));
}

ORDER(order_file_functions, struct file_function, BY(first_line) BY(name))

static void unite_functions(struct file_functions *functions)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < functions->count; i++) {
        struct file_function *last = &functions->items[count - (count != 0)];
        const struct file_function *next = &functions->items[i];
        if (count == 0 || order_file_functions(last, next) != 0) {
            functions->items[count++] = *next;
            continue;
        }
        last->hits = number_add(last->hits, next->hits);
    }
    functions->count = count;
    for (uint32_t i = 0; i < count; i++)
        functions->hit_count += functions->items[i].hits != 0;
}

bool file_functions_make(struct file_functions *out, const struct report_file *group,
                         uint32_t group_count, struct arena *arena, struct err *err)
{
    struct list list = {.items = NULL};
    for (uint32_t i = 0; i < group_count; i++) {
        uint32_t count;
        const struct report_file_method *methods =
            report_file_methods(&count, &group[i], arena, err);
        if (methods == NULL)
            return false;
        for (uint32_t m = 0; m < count; m++) {
            struct file_function *function = list_add(&list, sizeof *function, arena, err);
            if (function == NULL || !make_function(function, &methods[m], arena, err))
                return false;
        }
    }
    *out = (struct file_functions){.items = list.items, .count = list.count};
    sort_unless_sorted(out->items, out->count, sizeof *out->items, order_file_functions);
    unite_functions(out);
    return true;
}

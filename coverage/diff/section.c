#include "coverage/diff/section.h"

#include "base/sort.h"
#include "coverage/report/why.h"

struct wanted {
    struct method_key key;
    uint32_t section;
};

static bool is_shown(const struct diff_method *method, const struct report_lines *lines,
                     const struct diff_file *file)
{
    /* A line that two accessors share may be as before, and that of one of them not. */
    if (diff_method_is_shown(method))
        return true;
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct diff_line *line = diff_file_line(file, lines->lines[i].number);
        if (line != NULL && diff_line_is_shown(line))
            return true;
    }
    return false;
}

struct noting {
    struct list notes;            /* struct diff_note */
    const struct report_why *why; /* of the last line, and its copy */
    const struct report_why *copy;
};

/* Lines that did not run for one reason share it. */
static const struct report_why *shared_copy(struct noting *n, const struct report_why *why,
                                            struct arena *arena, struct err *err)
{
    if (n->why == NULL || !why_equal(n->why, why))
        n->copy = why_copy(why, arena, err);
    n->why = why;
    return n->copy;
}

static bool note_line(struct noting *n, const struct report_line *line, struct arena *arena,
                      struct err *err)
{
    struct diff_note note = {.line = line->number, .missed_count = line->missed_count};
    if (line->why == NULL && line->missed_count == 0)
        return true;
    if (line->why != NULL && (note.why = shared_copy(n, line->why, arena, err)) == NULL)
        return false;
    note.missed = arena_copy(arena, line->missed, line->missed_count, sizeof *note.missed, err);
    return note.missed != NULL && list_put(&n->notes, &note, sizeof note, arena, err);
}

/* What the class says of the lines of a method. Both lists ascend. */
static bool note_lines(struct diff_section *section, const struct report_lines *lines,
                       const struct report_lines *of_class, struct arena *arena, struct err *err)
{
    struct noting noting = {.why = NULL};
    for (uint32_t i = 0, c = 0; i < lines->count; i++) {
        while (c < of_class->count && of_class->lines[c].number < lines->lines[i].number)
            c++;
        if (c < of_class->count && of_class->lines[c].number == lines->lines[i].number &&
            !note_line(&noting, &of_class->lines[c], arena, err))
            return false;
    }
    section->notes = noting.notes.items;
    section->note_count = noting.notes.count;
    return true;
}

bool sections_add(struct sections *sections, const struct diff_method *method,
                  const struct report_lines *lines, const struct report_lines *of_class,
                  const struct diff_file *file, const struct method_key *was, struct arena *arena,
                  struct err *err)
{
    if (!is_shown(method, lines, file))
        return true;
    uint32_t *numbers = ARENA_NEW(arena, uint32_t, lines->count, err);
    struct diff_section *section = list_add(&sections->items, sizeof *section, arena, err);
    if (numbers == NULL || section == NULL)
        return false;
    for (uint32_t i = 0; i < lines->count; i++)
        numbers[i] = lines->lines[i].number;
    *section =
        (struct diff_section){.method = *method, .lines = numbers, .line_count = lines->count};
    if (!note_lines(section, lines, of_class, arena, err))
        return false;
    if (was == NULL)
        return true;
    return list_put(&sections->keys, &(struct wanted){*was, sections->items.count - 1},
                    sizeof(struct wanted), arena, err);
}

/* --- what they were --------------------------------------------------------------------------- */

ORDER(order_wanted_keys, struct wanted, BY_ORDER(method_key_order(&a->key, &b->key)))
ORDER(order_wanted, struct wanted, BY_ORDER(order_wanted_keys(a, b)) BY(section))

/* The index of the first one with this key, or of where it would be. */
static size_t find_waiting(struct sections *sections, const struct wanted *key)
{
    struct list *keys = &sections->keys;
    if (!sections->is_sorted)
        sort_unless_sorted(keys->items, keys->count, sizeof *key, order_wanted);
    sections->is_sorted = true;
    return sorted_place(key, keys->items, keys->count, sizeof *key, order_wanted_keys);
}

static bool is_partly_run(const struct report_line *line)
{
    return line->hits != 0 && line->covered_count < line->outcome_count;
}

/* Without `left`, none of the lines is. */
static struct diff_was *make_was(struct str package, struct str file,
                                 const struct report_lines *lines, const struct report_lines *left,
                                 struct arena *arena, struct err *err)
{
    struct diff_was *was = ARENA_NEW(arena, struct diff_was, 1, err);
    struct diff_old_line *old = ARENA_NEW(arena, struct diff_old_line, lines->count, err);
    if (was == NULL || old == NULL)
        return NULL;
    for (uint32_t i = 0; i < lines->count; i++)
        old[i] = (struct diff_old_line){.number = lines->lines[i].number,
                                        .is_left = left != NULL && left->lines[i].hits != 0,
                                        .is_partial = is_partly_run(&lines->lines[i]),
                                        .hits = lines->lines[i].hits};
    *was = (struct diff_was){package, file, old, lines->count};
    return was;
}

bool sections_take_was(struct sections *sections, const struct method_key *key, struct str file,
                       const struct report_lines *lines, const struct report_lines *left,
                       struct arena *arena, struct err *err)
{
    const struct wanted wanted = {.key = *key}, *items = sections->keys.items;
    struct diff_section *all = sections->items.items;
    const struct diff_was *was = NULL;
    for (size_t at = find_waiting(sections, &wanted);
         at < sections->keys.count && order_wanted_keys(&items[at], &wanted) == 0; at++) {
        struct diff_section *section = &all[items[at].section];
        if (section->was != NULL)
            continue; /* a method in two files: the first one */
        if (was == NULL)
            was = make_was(key->package, file, lines, left, arena, err);
        if (was == NULL)
            return false;
        section->was = was;
    }
    return true;
}

bool sections_add_removed(struct sections *sections, const struct diff_method *method,
                          const struct report_lines *lines, struct arena *arena, struct err *err)
{
    const struct diff_was *was = make_was(method->package, method->file, lines, NULL, arena, err);
    const struct diff_section section = {.method = *method, .was = was};
    return was != NULL && list_put(&sections->items, &section, sizeof section, arena, err);
}

/* --- order ------------------------------------------------------------------------------------ */

ORDER(order_sections, struct diff_section,
      BY(method.package) BY(method.file)
          BY_ORDER((a->method.kind == DIFF_REMOVED) - (b->method.kind == DIFF_REMOVED))
              BY(method.first_line) BY(method.type) BY(method.name) BY(method.signature))

void sections_finish(struct sections *sections, struct diff *out)
{
    out->sections = sections->items.items;
    out->section_count = sections->items.count;
    sort_unless_sorted(out->sections, out->section_count, sizeof *out->sections, order_sections);
}

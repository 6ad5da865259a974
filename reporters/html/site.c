#include "reporters/html/site.h"

#include <stdlib.h>

#include "reporters/html/page_name.h"

bool site_line_misses(const struct report_line *line)
{
    return line->hits == 0 || line->covered_count < line->outcome_count;
}

uint32_t site_first_miss(const struct report_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (site_line_misses(&lines->lines[i]))
            return lines->lines[i].number;
    return 0;
}

/* --- classes by file -------------------------------------------------------------------------- */

struct part {
    const struct report_package *package;
    const struct report_class *class;
};

static int order_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = str_cmp(a->class->file, b->class->file);
    if (order == 0)
        order = str_cmp(a->package->name, b->package->name);
    return order != 0 ? order : (a->class > b->class) - (a->class < b->class);
}

static struct part *list_parts(uint32_t *count, const struct report *report, struct arena *arena,
                               struct err *err)
{
    size_t room = 0;
    for (uint32_t i = 0; i < report->package_count; i++)
        room += report->packages[i].class_count;
    struct part *parts = ARENA_NEW(arena, struct part, room, err);
    *count = 0;
    for (uint32_t i = 0; parts != NULL && i < report->package_count; i++)
        for (uint32_t c = 0; c < report->packages[i].class_count; c++)
            parts[(*count)++] =
                (struct part){&report->packages[i], &report->packages[i].classes[c]};
    if (parts != NULL && *count != 0)
        qsort(parts, *count, sizeof *parts, order_parts);
    return parts;
}

static void add_class(struct site_file *file, const struct report_class *class)
{
    uint32_t miss = site_first_miss(&class->lines);
    file->classes[file->class_count++] = class;
    report_add_totals(&file->totals, &class->totals);
    if (miss != 0 && (file->first_miss == 0 || miss < file->first_miss))
        file->first_miss = miss;
}

static bool same_file(const struct site_file *file, const struct part *part)
{
    return file->package == part->package && str_eq(file->path, part->class->file);
}

/* --- names of pages --------------------------------------------------------------------------- */

static int order_by_page(const void *left, const void *right)
{
    const struct site_file *const *a = left, *const *b = right;
    int order = str_cmp((*a)->page, (*b)->page);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

/* Two names with one hash are next to each other. Hashes again until there are none: in practice
 * never. */
static bool separate(struct site_file **by_page, uint32_t count, bool *again, struct site *site,
                     uint32_t copy, struct err *err)
{
    *again = false;
    for (uint32_t i = 1; i < count; i++) {
        if (!str_eq(by_page[i - 1]->page, by_page[i]->page))
            continue;
        *again = true;
        if (!page_name(&by_page[i]->page, "files", by_page[i]->path, by_page[i]->package->name,
                       copy, site->arena, err))
            return false;
    }
    return true;
}

static bool name_pages(struct site *site, struct err *err)
{
    struct site_file **by_page = ARENA_NEW(site->arena, struct site_file *, site->file_count, err);
    if (by_page == NULL)
        return false;
    for (uint32_t i = 0; i < site->file_count; i++) {
        struct site_file *file = &site->files[i];
        by_page[i] = file;
        if (!page_name(&file->page, "files", file->path, file->package->name, 0, site->arena, err))
            return false;
    }
    bool again = site->file_count != 0;
    for (uint32_t copy = 1; again; copy++) {
        qsort(by_page, site->file_count, sizeof(struct site_file *), order_by_page);
        if (!separate(by_page, site->file_count, &again, site, copy, err))
            return false;
    }
    return true;
}

bool site_list_files(struct site *site, struct err *err)
{
    uint32_t count = 0;
    struct part *parts = list_parts(&count, site->report, site->scratch, err);
    const struct report_class **classes =
        ARENA_NEW(site->arena, const struct report_class *, count, err);
    site->files = ARENA_NEW(site->arena, struct site_file, count, err);
    if (parts == NULL || classes == NULL || site->files == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct site_file *file = site->files + site->file_count;
        if (site->file_count == 0 || !same_file(file - 1, &parts[i])) {
            *file = (struct site_file){
                .path = parts[i].class->file, .package = parts[i].package, .classes = classes + i};
            site->file_count++;
        }
        add_class(&site->files[site->file_count - 1], parts[i].class);
    }
    arena_reset(site->scratch);
    return name_pages(site, err);
}

const struct site_file *site_find(const struct site *site, struct str assembly, struct str path)
{
    uint32_t low = 0, high = site->file_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct site_file *file = &site->files[middle];
        int order = str_cmp(file->path, path);
        if (order == 0)
            order = str_cmp(file->package->name, assembly);
        if (order == 0)
            return file;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

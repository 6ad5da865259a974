#include "reporters/html/site.h"

#include <stdlib.h>

#include "reporters/html/page_name.h"

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
        if (!page_name(&by_page[i]->page, "files", by_page[i]->source.path,
                       by_page[i]->source.package->name, copy, site->arena, err))
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
        if (!page_name(&file->page, "files", file->source.path, file->source.package->name, 0,
                       site->arena, err))
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
    struct report_files files;
    if (!report_files_list(&files, site->report, site->arena, err))
        return false;
    site->files = ARENA_NEW(site->arena, struct site_file, files.count, err);
    if (site->files == NULL)
        return false;
    for (; site->file_count < files.count; site->file_count++)
        site->files[site->file_count].source = files.files[site->file_count];
    return name_pages(site, err);
}

const struct site_file *site_find(const struct site *site, struct str assembly, struct str path)
{
    uint32_t low = 0, high = site->file_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct site_file *file = &site->files[middle];
        int order = str_cmp(file->source.path, path);
        if (order == 0)
            order = str_cmp(file->source.package->name, assembly);
        if (order == 0)
            return file;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

#include "reporters/html/site.h"

#include "base/sort.h"
#include "reporters/html/page_name.h"

bool site_list_files(struct site *site, struct err *err)
{
    struct report_files files;
    if (!report_files_list(&files, site->report, site->arena, err))
        return false;
    struct page_named *pages = ARENA_NEW(site->arena, struct page_named, files.count, err);
    site->files = ARENA_NEW(site->arena, struct site_file, files.count, err);
    if (pages == NULL || site->files == NULL)
        return false;
    site->file_count = files.count;
    for (uint32_t i = 0; i < files.count; i++) {
        const struct report_file *file = &files.files[i];
        site->files[i].source = *file;
        pages[i] = (struct page_named){file->path, file->package->name, &site->files[i].page};
    }
    return page_names(pages, files.count, "files", site->arena, err);
}

ORDER(order_site, struct site_file, BY(source.path) BY(source.package->name))

const struct site_file *site_find(const struct site *site, struct str assembly, struct str path)
{
    const struct report_package package = {.name = assembly};
    const struct site_file key = {.source = {.path = path, .package = &package}};
    return sorted_find(&key, site->files, site->file_count, sizeof key, order_site);
}

#include "reporters/html/html.h"

#include "reporters/html/report_page.h"
#include "reporters/html/site_folder.h"
#include "reporters/html/site_tree.h"
#include "reporters/html/source_page.h"
#include "reporters/html/test_files.h"

void *html_open(const struct format_job *job, struct err *err)
{
    struct site *site = ARENA_NEW(job->arena, struct site, 1, err);
    if (site == NULL)
        return NULL;
    *site = (struct site){.pages = {.job = job},
                          .report = job->report,
                          .sources = job->sources,
                          .arena = job->arena,
                          .scratch = job->scratch};
    return site_list_files(site, err) && site_tree_grow(site, err) &&
                   site_folder_add_assets(job->destination, err)
               ? site
               : NULL;
}

/* `file` has its lines; the one in the site has none. */
static bool write_source(struct site *site, const struct report_file *file, struct err *err)
{
    const struct site_file *known = site_find(site, file->package->name, file->path);
    const struct site_file *end = site->files + site->file_count;
    struct site_file with_lines = *known;
    with_lines.source = *file;
    return source_page_write(site, &with_lines, known != site->files ? known - 1 : NULL,
                             known + 1 != end ? known + 1 : NULL, err);
}

bool html_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    for (uint32_t i = 0; i < count; i++)
        if (!write_source(writer, &files[i], err))
            return false;
    return true;
}

/* The indexes last: what they link to is there. */
bool html_close(void *writer, struct err *err)
{
    struct site *site = writer;
    return test_names_write(site, err) && left_out_page_write(site, err) &&
           (site->pages.job->no_hotspots || hotspots_page_write(site, err)) &&
           tree_page_write_all(site, err);
}

#include "reporters/html/html.h"

#include "reporters/html/asset.h"
#include "reporters/html/frame.h"
#include "reporters/html/hotspots_page.h"
#include "reporters/html/left_out_page.h"
#include "reporters/html/site_tree.h"
#include "reporters/html/source_page.h"
#include "reporters/html/stale_pages.h"
#include "reporters/html/test_files.h"
#include "reporters/html/tree_page.h"

void *html_open(const struct format_job *job, struct err *err)
{
    struct site *site = ARENA_NEW(job->arena, struct site, 1, err);
    struct list *test_files = ARENA_NEW(job->arena, struct list, 1, err);
    if (site == NULL || test_files == NULL)
        return NULL;
    *site = (struct site){.job = job,
                          .report = job->report,
                          .sources = job->sources,
                          .parts = frame_parts_of(job),
                          .destination = job->destination,
                          .test_files = test_files,
                          .arena = job->arena,
                          .scratch = job->scratch};
    return site_list_files(site, err) && site_tree_grow(site, err) &&
                   asset_write_all(site->destination, err)
               ? site
               : NULL;
}

/* `file` has its lines; the one in the site has none. */
static bool write_source(const struct site *site, const struct report_file *file, struct err *err)
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
           (!(site->parts & FRAME_HAS_HOTSPOTS) || hotspots_page_write(site, err)) &&
           tree_page_write_all(site, err) && stale_pages_remove(site, err);
}

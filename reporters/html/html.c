#include "reporters/html/html.h"

#include "coverage/report/report_visit.h"
#include "reporters/html/asset.h"
#include "reporters/html/frame.h"
#include "reporters/html/hotspots_page.h"
#include "reporters/html/left_out_page.h"
#include "reporters/html/site_tree.h"
#include "reporters/html/source_page.h"
#include "reporters/html/stale_pages.h"
#include "reporters/html/test_files.h"
#include "reporters/html/tree_page.h"

struct sources_writing {
    struct site *site;
    const struct progress_hook *progress;
    uint32_t done;
    struct err *err;
};

/* `file` has its lines; the one in the site may be an outline. */
static bool write_source(void *context, const struct report_file *file)
{
    struct sources_writing *w = context;
    const struct site *site = w->site;
    const struct site_file *known = site_find(site, file->package->name, file->path);
    const struct site_file *end = site->files + site->file_count;
    struct site_file with_lines = *known;
    with_lines.source = *file;
    progress_at(w->progress, "writing pages", w->done++, site->file_count);
    return source_page_write(site, &with_lines, known != site->files ? known - 1 : NULL,
                             known + 1 != end ? known + 1 : NULL, w->err);
}

static bool write_sources(struct site *site, const struct progress_hook *progress, struct err *err)
{
    struct sources_writing w = {.site = site, .progress = progress, .err = err};
    const struct report_walk walk = {.file = write_source, .context = &w};
    return report_each_file(site->report, &walk, err);
}

/* The indexes last: what they link to is there. */
static bool write_site(struct site *site, const struct progress_hook *progress, struct err *err)
{
    return site_list_files(site, err) && site_tree_grow(site, err) &&
           asset_write_all(site->destination, err) && write_sources(site, progress, err) &&
           test_names_write(site, err) && left_out_page_write(site, err) &&
           (!(site->parts & FRAME_HAS_HOTSPOTS) || hotspots_page_write(site, err)) &&
           tree_page_write_all(site, err) && stale_pages_remove(site, err);
}

bool html_write(const struct format_job *job, struct err *err)
{
    struct arena arena, scratch;
    struct list test_files = {.items = NULL};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    struct site site = {.report = job->report,
                        .sources = job->sources,
                        .parts = frame_parts_of(job),
                        .destination = job->destination,
                        .test_files = &test_files,
                        .arena = &arena,
                        .scratch = &scratch};
    bool ok = write_site(&site, job->progress, err);
    arena_free(&scratch);
    arena_free(&arena);
    return ok;
}

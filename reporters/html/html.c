#include "reporters/html/html.h"

#include "reporters/html/asset.h"
#include "reporters/html/left_out_page.h"
#include "reporters/html/site_tree.h"
#include "reporters/html/source_page.h"
#include "reporters/html/tree_page.h"

static bool write_sources(const struct site *site, const struct progress_hook *progress,
                          struct err *err)
{
    for (uint32_t i = 0; i < site->file_count; i++) {
        const struct site_file *file = &site->files[i];
        progress_at(progress, "writing pages", i, site->file_count);
        if (!source_page_write(site, file, i != 0 ? file - 1 : NULL,
                               i + 1 < site->file_count ? file + 1 : NULL, err))
            return false;
    }
    return true;
}

/* The indexes last: what they link to is there. */
static bool write_site(struct site *site, const struct progress_hook *progress, struct err *err)
{
    return site_list_files(site, err) && site_tree_grow(site, err) &&
           asset_write_all(site->destination, err) && write_sources(site, progress, err) &&
           left_out_page_write(site, err) && tree_page_write_all(site, err);
}

bool html_write(const struct format_job *job, struct err *err)
{
    struct arena arena, scratch;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    struct site site = {.report = job->report,
                        .sources = job->sources,
                        .has_changes = job->diff != NULL,
                        .destination = job->destination,
                        .arena = &arena,
                        .scratch = &scratch};
    bool ok = write_site(&site, job->progress, err);
    arena_free(&scratch);
    arena_free(&arena);
    return ok;
}

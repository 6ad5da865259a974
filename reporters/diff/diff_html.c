#include "reporters/diff/diff_html.h"

#include "reporters/diff/change_frame.h"
#include "reporters/diff/change_index.h"
#include "reporters/diff/change_page.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/html/asset.h"
#include "reporters/html/stale_pages.h"

/* Pages of an earlier comparison and, where no report is beside these, of an earlier report. */
static bool remove_stale(struct changes *c, struct err *err)
{
    struct list pages = {.items = NULL};
    arena_reset(c->scratch);
    for (uint32_t i = 0; i < c->file_count; i++)
        for (uint32_t k = 0; k < c->files[i].page_count; k++)
            if (!stale_pages_keep(&pages, c->files[i].pages[k], c->scratch, err))
                return false;
    for (size_t i = 0; change_index_page(c, i) != NULL; i++)
        if (!stale_pages_keep(&pages, str_of(change_index_page(c, i)), c->scratch, err))
            return false;
    stale_pages_sweep(c->job->destination, &pages,
                      c->is_beside ? STALE_CHANGES : STALE_CHANGES | STALE_REPORT);
    return true;
}

/* The indexes last: what they link to is there. */
static bool write_pages(struct changes *c, struct err *err)
{
    if (!changes_list_files(c, err) || !change_pages_name(c, err))
        return false;
    for (uint32_t i = 0; i < c->file_count; i++) {
        progress_at(c->job->progress, "writing pages of changes", i, c->file_count);
        if (!change_page_write(c, &c->files[i], err))
            return false;
    }
    return change_index_write(c, err) && remove_stale(c, err);
}

bool diff_pages_write(const struct format_job *job, bool is_beside, bool tells_times,
                      struct err *err)
{
    struct changes changes = {.job = job,
                              .diff = job->diff,
                              .is_beside = is_beside,
                              .tells_times = tells_times,
                              .arena = job->arena,
                              .scratch = job->scratch};
    return write_pages(&changes, err);
}

bool diff_html_write(const struct format_job *job, struct err *err)
{
    return asset_write_all(job->destination, err) && diff_pages_write(job, false, true, err);
}

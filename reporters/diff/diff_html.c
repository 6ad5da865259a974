#include "reporters/diff/diff_html.h"

#include "reporters/diff/change_index.h"
#include "reporters/diff/change_page.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/html/site_folder.h"

/* The indexes last: what they link to is there. */
bool diff_pages_write(struct pages *pages, struct err *err)
{
    const struct format_job *job = pages->job;
    struct changes c = {.pages = pages,
                        .job = job,
                        .diff = job->diff,
                        .is_beside = job->report != NULL,
                        .arena = job->arena,
                        .scratch = job->scratch};
    if (!changes_list_files(&c, err) || !change_pages_name(&c, err))
        return false;
    for (uint32_t i = 0; i < c.file_count; i++) {
        progress_at(job->progress, "writing pages of changes", i, c.file_count);
        if (!change_page_write(&c, &c.files[i], err))
            return false;
    }
    return change_index_write(&c, err);
}

bool diff_html_write(const struct format_job *job, struct err *err)
{
    struct pages pages = {.job = job};
    if (!site_folder_add_assets(job->destination, err) || !diff_pages_write(&pages, err))
        return false;
    site_folder_sweep(&pages);
    return true;
}

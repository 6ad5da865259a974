#include "reporters/html/html_text.h"
#include "reporters/html/report_page.h"

/* So many are legible; the JSON report has all. */
enum {
    ROWS_MAX = 2000
};

static bool put_reason_cell(struct page *page, const struct reason *reason, struct err *err)
{
    struct str text;
    if (!reason_text(&text, reason, page->in->job->scratch, err))
        return false;
    page_put(page, "<td>%.*s\n", STR_ARGS(text));
    return true;
}

static bool put_exclusion(struct page *page, const struct site *site,
                          const struct report_exclusion *exclusion, struct err *err)
{
    const struct site_file *file = site_find(site, exclusion->module, exclusion->file);
    page_put(page, "<tr><th scope=row>");
    if (file != NULL)
        page_open_link(page, file->page, "L", exclusion->first_line);
    page_put(page, "%.*s%s<td>", STR_ARGS(exclusion->file), file != NULL ? "</a>" : "");
    html_range(&page->text, exclusion->first_line, exclusion->last_line);
    page_put(page, "<td>%u", exclusion->line_count);
    return put_reason_cell(page, exclusion->reason, err);
}

/* False if there is none. */
static bool open_left_out(struct page *page, const char *heading, uint32_t count, const char *none,
                          const char *head)
{
    page_put(page, "<h2>%s</h2>\n", heading);
    if (count == 0) {
        page_put(page, "<p>%s</p>\n", none);
        return false;
    }
    page_open_table(page, heading, "");
    page_put(page, "%s<th scope=col>Reason\n<tbody>\n", head);
    return true;
}

static void close_left_out(struct page *page, uint32_t count)
{
    page_put(page, "</table></div>\n");
    if (count > ROWS_MAX)
        page_put(page, "<p>%u more are in the JSON report.</p>\n", count - ROWS_MAX);
}

static bool put_exclusions(struct page *page, const struct site *site, const char *heading,
                           const struct report_exclusion *exclusions, uint32_t count,
                           struct err *err)
{
    if (!open_left_out(page, heading, count, "None.",
                       "<th scope=col>File<th scope=col>Lines<th scope=col>with code"))
        return true;
    for (uint32_t i = 0; i < count && i < ROWS_MAX; i++)
        if (!put_exclusion(page, site, &exclusions[i], err))
            return false;
    close_left_out(page, count);
    return true;
}

/* Once for each file and reason: a generator's lines are many. */
static bool put_generated_code(struct page *page, const struct site *site, struct err *err)
{
    const struct report *report = site->report;
    const struct report_exclusion *all = report->generated;
    uint32_t count = 0;
    struct report_exclusion *files =
        ARENA_NEW(site->scratch, struct report_exclusion, report->generated_count, err);
    if (files == NULL)
        return false;
    for (uint32_t i = 0; i < report->generated_count; i++) {
        struct report_exclusion *last = count != 0 ? &files[count - 1] : NULL;
        if (last != NULL && str_eq(last->module, all[i].module) &&
            str_eq(last->file, all[i].file) && reason_eq(last->reason, all[i].reason)) {
            last->last_line = all[i].last_line;
            last->line_count += all[i].line_count;
        } else {
            files[count++] = all[i];
        }
    }
    return put_exclusions(page, site, "Generated code", files, count, err);
}

static bool put_omissions(struct page *page, const struct report *report, struct err *err)
{
    if (!open_left_out(page, "Not measured", report->omission_count, "Everything was.",
                       "<th scope=col>Assembly<th scope=col>Method"))
        return true;
    for (uint32_t i = 0; i < report->omission_count && i < ROWS_MAX; i++) {
        const struct report_omission *omission = &report->omissions[i];
        page_put(page, "<tr><th scope=row>%.*s<td>%.*s", STR_ARGS(omission->module),
                 STR_ARGS(omission->display_method));
        if (!put_reason_cell(page, omission->reason, err))
            return false;
    }
    close_left_out(page, report->omission_count);
    return true;
}

bool left_out_page_write(struct site *site, struct err *err)
{
    struct page page;
    const struct report *report = site->report;
    arena_reset(site->scratch);
    report_page_begin(&page, site, STR("left-out.html"), "index", &site->folders, NULL, NULL);
    return put_exclusions(&page, site, "Excluded code", report->exclusions, report->exclusion_count,
                          err) &&
           put_generated_code(&page, site, err) && put_omissions(&page, report, err) &&
           page_end(&page, report, err);
}

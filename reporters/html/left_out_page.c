#include "reporters/html/left_out_page.h"

#include "reporters/html/html_text.h"
#include "reporters/html/page.h"

/* So many are legible; the JSON report has all. */
enum {
    ROWS_MAX = 2000
};

static bool put_reason(struct page *page, const struct reason *reason, struct err *err)
{
    struct arena arena;
    char buffer[512];
    struct str text;
    arena_init(&arena, buffer, sizeof buffer, ARENA_NO_LIMIT);
    bool ok = reason_text(&text, reason, &arena, err);
    if (ok)
        html_text(&page->text, text);
    arena_free(&arena);
    return ok;
}

static void put_more(struct page *page, uint32_t count)
{
    if (count <= ROWS_MAX)
        return;
    page_put(page, "<p>");
    html_number(&page->text, count - ROWS_MAX);
    page_put(page, " more are in the JSON report.</p>\n");
}

static bool put_exclusion(struct page *page, const struct report_exclusion *exclusion,
                          struct err *err)
{
    const struct site_file *file = site_find(page->site, exclusion->module, exclusion->file);
    page_put(page, "<tr><th scope=row>");
    if (file != NULL) {
        page_put(page, "<a");
        page_put_link(page, file->page, "L", exclusion->first_line);
        page_put(page, ">");
    }
    html_text(&page->text, exclusion->file);
    if (file != NULL)
        page_put(page, "</a>");
    page_put(page, "<td>");
    html_number(&page->text, exclusion->first_line);
    if (exclusion->last_line != exclusion->first_line) {
        page_put(page, "\xE2\x80\x93");
        html_number(&page->text, exclusion->last_line);
    }
    page_put(page, "<td>");
    html_number(&page->text, exclusion->line_count);
    page_put(page, "<td>");
    bool ok = put_reason(page, exclusion->reason, err);
    page_put(page, "\n");
    return ok;
}

static bool put_exclusions(struct page *page, const char *heading,
                           const struct report_exclusion *exclusions, uint32_t count,
                           struct err *err)
{
    page_put(page, "<h2>");
    page_put(page, heading);
    page_put(page, "</h2>\n");
    if (count == 0) {
        page_put(page, "<p>None.</p>\n");
        return true;
    }
    page_put(page, "<div class=scroll tabindex=0 role=region aria-label=\"");
    page_put(page, heading);
    page_put(page, "\"><table>\n"
                   "<thead><tr><th scope=col>File<th scope=col>Lines<th scope=col>with code"
                   "<th scope=col>Reason\n<tbody>\n");
    for (uint32_t i = 0; i < count && i < ROWS_MAX; i++)
        if (!put_exclusion(page, &exclusions[i], err))
            return false;
    page_put(page, "</table></div>\n");
    put_more(page, count);
    return true;
}

/* Once for each file and reason: a generator's lines are many. */
static bool put_generated(struct page *page, struct err *err)
{
    const struct report *report = page->site->report;
    const struct report_exclusion *all = report->generated;
    struct arena *arena = page->site->scratch;
    uint32_t count = 0;
    struct report_exclusion *files =
        ARENA_NEW(arena, struct report_exclusion, report->generated_count, err);
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
    return put_exclusions(page, "Generated code", files, count, err);
}

static bool put_omissions(struct page *page, struct err *err)
{
    const struct report *report = page->site->report;
    page_put(page, "<h2>Not measured</h2>\n");
    if (report->omission_count == 0) {
        page_put(page, "<p>Everything was.</p>\n");
        return true;
    }
    page_put(page, "<div class=scroll tabindex=0 role=region aria-label=\"Not measured\"><table>\n"
                   "<thead><tr><th scope=col>Assembly<th scope=col>Method<th scope=col>Reason\n"
                   "<tbody>\n");
    for (uint32_t i = 0; i < report->omission_count && i < ROWS_MAX; i++) {
        const struct report_omission *omission = &report->omissions[i];
        page_put(page, "<tr><th scope=row>");
        html_text(&page->text, omission->module);
        page_put(page, "<td>");
        html_text(&page->text, omission->display_method);
        page_put(page, "<td>");
        if (!put_reason(page, omission->reason, err))
            return false;
        page_put(page, "\n");
    }
    page_put(page, "</table></div>\n");
    put_more(page, report->omission_count);
    return true;
}

bool left_out_page_write(struct site *site, struct err *err)
{
    struct page page;
    arena_reset(site->scratch);
    page_begin(&page, site, STR("left-out.html"), "index", &site->folders);
    page_put_heading(&page, &site->folders, NULL, NULL);
    const struct report *report = site->report;
    return put_exclusions(&page, "Excluded code", report->exclusions, report->exclusion_count,
                          err) &&
           put_generated(&page, err) && put_omissions(&page, err) && page_end(&page, true, err);
}

#include "reporters/html/hotspots_page.h"

#include <stdlib.h>

#include "base/number.h"
#include "reporters/html/frame.h"
#include "reporters/html/html_text.h"
#include "reporters/html/page.h"

enum {
    HOTSPOTS_MAX = 200
};

struct hotspot {
    const struct report_package *package;
    const struct report_class *class;
    const struct report_method *method;
    uint64_t score;
};

/* The highest score first; then in the order of the report. */
static int order_hotspots(const void *left, const void *right)
{
    const struct hotspot *a = left, *b = right;
    int order = number_order(b->score, a->score);
    if (order == 0)
        order = str_cmp(a->package->name, b->package->name);
    if (order == 0)
        order = str_cmp(a->class->name, b->class->name);
    if (order == 0)
        order = str_cmp(a->class->file, b->class->file);
    return order != 0 ? order : (a->method > b->method) - (a->method < b->method);
}

static uint32_t count_methods(const struct report *report)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++)
            count += report->packages[p].classes[c].method_count;
    return count;
}

/* Only of methods that missed a line: what a test cannot improve is no hotspot. */
static struct hotspot *list_hotspots(uint32_t *count, const struct site *site, struct err *err)
{
    const struct report *report = site->report;
    struct hotspot *spots = ARENA_NEW(site->scratch, struct hotspot, count_methods(report), err);
    *count = 0;
    for (uint32_t p = 0; spots != NULL && p < report->package_count; p++) {
        const struct report_package *package = &report->packages[p];
        for (uint32_t c = 0; c < package->class_count; c++) {
            const struct report_class *class = &package->classes[c];
            for (uint32_t m = 0; m < class->method_count; m++) {
                const struct report_totals *totals = &class->methods[m].totals;
                if (totals->lines_covered < totals->lines_valid)
                    spots[(*count)++] = (struct hotspot){package, class, &class->methods[m],
                                                         crap_x100(totals) / 100};
            }
        }
    }
    if (spots != NULL && *count != 0)
        qsort(spots, *count, sizeof *spots, order_hotspots);
    return spots;
}

static void put_share(struct page *page, uint64_t covered, uint64_t valid)
{
    page_put(page, "<td>");
    html_percent(&page->text, covered, valid);
    page_put(page, "<td>");
    if (covered < valid)
        html_number(&page->text, valid - covered);
}

/* The columns are those of an index, so that script.js sorts and filters them. */
static void put_spot(struct page *page, const struct hotspot *spot)
{
    const struct report_totals *totals = &spot->method->totals;
    const struct site_file *file = site_find(page->site, spot->package->name, spot->class->file);
    page_put(page, "<tr class=\"method d0\"><th scope=row>");
    if (file != NULL) {
        page_put(page, "<a");
        page_put_link(page, file->page, "L", spot->method->first_line);
        page_put(page, ">");
    }
    html_text(&page->text, spot->class->display_name);
    page_put(page, ".");
    html_text(&page->text, spot->method->display.name);
    html_text(&page->text, spot->method->display.signature);
    if (file != NULL)
        page_put(page, "</a>");
    page_put(page, "<td>");
    page_put_bar(page, totals->lines_covered, totals->lines_valid);
    put_share(page, totals->lines_covered, totals->lines_valid);
    put_share(page, totals->branches_covered, totals->branches_valid);
    page_put(page, "<td><small>");
    html_text(&page->text, spot->class->file);
    page_put(page, "</small><td>");
    html_number(&page->text, spot->score);
    page_put(page, "<td>");
    html_number(&page->text, totals->complexity);
    page_put(page, "\n");
}

static void put_spots(struct page *page, const struct hotspot *spots, uint32_t count)
{
    page_put(page, "<h2>Hotspots</h2>\n");
    if (count == 0) {
        page_put(page, "<p>None: every line of every method ran.</p>\n");
        return;
    }
    page_put(page, "<p>Complex methods that few tests run: change them with care, or test them "
                   "first.</p>\n"
                   "<div class=scroll tabindex=0 role=region aria-label=Hotspots><table class=tree>"
                   "\n<thead><tr><th scope=col>Method<td><th scope=col>Lines<th scope=col>missed"
                   "<th scope=col>Branches<th scope=col>missed<th scope=col>File<th scope=col>"
                   "<abbr title=\"Complexity squared, times the missed share of lines cubed, plus "
                   "complexity\">CRAP</abbr><th scope=col><abbr title=\"Cyclomatic complexity\">"
                   "Complexity</abbr>\n<tbody>\n");
    for (uint32_t i = 0; i < count && i < HOTSPOTS_MAX; i++)
        put_spot(page, &spots[i]);
    page_put(page, "</table></div>\n");
    if (count > HOTSPOTS_MAX) {
        page_put(page, "<p>");
        html_number(&page->text, count - HOTSPOTS_MAX);
        page_put(page, " more methods missed lines.</p>\n");
    }
}

bool hotspots_page_write(struct site *site, struct err *err)
{
    struct page page;
    uint32_t count;
    arena_reset(site->scratch);
    struct hotspot *spots = list_hotspots(&count, site, err);
    if (spots == NULL)
        return false;
    page_begin(&page, site, STR(FRAME_HOTSPOTS), "index", &site->folders);
    page_put_heading(&page, &site->folders, NULL, NULL);
    put_spots(&page, spots, count);
    return page_end(&page, true, err);
}

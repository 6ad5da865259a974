#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/sort.h"
#include "reporters/html/page.h"
#include "reporters/html/report_page.h"

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
ORDER(order_hotspots, struct hotspot,
      BY_ORDER(number_order(b->score, a->score)) BY(package->name) BY(class->name) BY(class->file)
          BY_ORDER((a->method > b->method) - (a->method < b->method)))

/* Only methods that missed a line: what a test cannot improve is no hotspot. */
static bool add_class_spots(struct list *spots, const struct report_package *package,
                            const struct report_class *class, struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < class->method_count; i++) {
        const struct report_method *method = &class->methods[i];
        if (method->totals.lines_covered == method->totals.lines_valid)
            continue;
        const struct hotspot added = {package, class, method, crap_x100(&method->totals) / 100};
        if (!list_put(spots, &added, sizeof added, arena, err))
            return false;
    }
    return true;
}

static bool list_spots(struct list *spots, const struct site *site, struct err *err)
{
    for (uint32_t p = 0; p < site->report->package_count; p++) {
        const struct report_package *package = &site->report->packages[p];
        for (uint32_t c = 0; c < package->class_count; c++)
            if (!add_class_spots(spots, package, &package->classes[c], site->scratch, err))
                return false;
    }
    if (spots->count != 0)
        qsort(spots->items, spots->count, sizeof(struct hotspot), order_hotspots);
    return true;
}

/* The columns are those of an index, so that script.js sorts and filters them. */
static void put_spot(struct page *page, const struct site *site, const struct hotspot *spot)
{
    const struct report_totals *totals = &spot->method->totals;
    const struct fact_display *display = &spot->method->display;
    const struct site_file *file = site_find(site, spot->package->name, spot->class->file);
    page_put(page, "<tr class=\"method d0\"><th scope=row>");
    if (file != NULL)
        page_open_link(page, file->page, "L", spot->method->first_line);
    page_put(page, "%.*s.%.*s%.*s%s<td>", STR_ARGS(spot->class->display_name),
             STR_ARGS(display->name), STR_ARGS(display->signature), file != NULL ? "</a>" : "");
    page_put_bar(page, totals->lines_covered, totals->lines_valid);
    report_page_put_cells(page, NULL, totals->lines_covered, totals->lines_valid);
    report_page_put_cells(page, NULL, totals->branches_covered, totals->branches_valid);
    page_put(page, "<td><small>%.*s</small><td>%" PRIu64 "<td>%" PRIu64 "\n",
             STR_ARGS(spot->class->file), spot->score, totals->complexity);
}

static void put_spots(struct page *page, const struct site *site, const struct list *spots)
{
    const struct hotspot *items = spots->items;
    page_put(page, "<h2>Hotspots</h2>\n");
    if (spots->count == 0) {
        page_put(page, "<p>None: every line of every method ran.</p>\n");
        return;
    }
    page_put(page, "<p>Complex methods that few tests run: change them with care, or test them "
                   "first.</p>\n");
    page_open_table(page, "Hotspots", " class=tree");
    page_put(page, "<th scope=col>Method<td><th scope=col>Lines<th scope=col>missed"
                   "<th scope=col>Branches<th scope=col>missed<th scope=col>File<th scope=col>"
                   "<abbr title=\"Complexity squared, times the missed share of lines cubed, plus "
                   "complexity\">CRAP</abbr><th scope=col><abbr title=\"Cyclomatic complexity\">"
                   "Complexity</abbr>\n<tbody>\n");
    for (uint32_t i = 0; i < spots->count && i < HOTSPOTS_MAX; i++)
        put_spot(page, site, &items[i]);
    page_put(page, "</table></div>\n");
    if (spots->count > HOTSPOTS_MAX)
        page_put(page, "<p>%u more methods missed lines.</p>\n", spots->count - HOTSPOTS_MAX);
}

bool hotspots_page_write(struct site *site, struct err *err)
{
    struct page page;
    struct list spots = {.items = NULL};
    arena_reset(site->scratch);
    if (!list_spots(&spots, site, err))
        return false;
    report_page_begin(&page, site, STR(PAGE_HOTSPOTS), "index", &site->folders, NULL, NULL);
    put_spots(&page, site, &spots);
    return page_end(&page, site->report, err);
}

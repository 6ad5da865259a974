#include "reporters/html/page.h"

#include "base/number.h"
#include "base/text.h"
#include "base/version.h"
#include "reporters/html/html_text.h"
#include <string.h>

const struct code_style code_in_html = {html_code, " \xE2\x80\xA6" /* … */, 80};

void page_put(struct page *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    html_put_args(&page->text, format, args);
    va_end(args);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* From its folder to the one of all pages. */
static const char *way_up(const struct page *page)
{
    return memchr(page->name.text, '/', page->name.len) != NULL ? "../" : "";
}

/* ` href="…"` */
static void put_href(struct page *page, struct str name, const char *prefix, uint32_t number)
{
    bool is_here = str_eq(page->name, name);
    page_put(page, " href=\"");
    if (!is_here)
        page_put(page, "%s%.*s", way_up(page), STR_ARGS(name));
    if (number != 0)
        page_put(page, "#%s%u", prefix, number);
    else if (is_here)
        page_put(page, "#main");
    page_put(page, "\"");
}

void page_open_link(struct page *page, struct str name, const char *prefix, uint32_t number)
{
    page_put(page, "<a");
    put_href(page, name, prefix, number);
    page_put(page, ">");
}

void page_put_neighbour(struct page *page, struct str name, struct str path, const char *rel,
                        const char *label)
{
    page_put(page, "<a rel=%s", rel);
    put_href(page, name, "", 0);
    page_put(page, " title=\"%.*s\">%s</a> ", STR_ARGS(path), label);
}

void page_open_table(struct page *page, const char *label, const char *attributes)
{
    const char *quote = strchr(label, ' ') != NULL ? "\"" : "";
    page_put(page,
             "<div class=scroll tabindex=0 role=region aria-label=%s%s%s><table%s>\n<thead><tr>",
             quote, label, quote, attributes);
}

/* An SVG needs no style to be as long as it should. */
void page_put_bar(struct page *page, uint64_t covered, uint64_t valid)
{
    uint32_t tenths = number_percent_x100(covered, valid) / 10;
    if (valid != 0)
        page_put(page,
                 "<svg class=bar aria-hidden=true><rect width=\"%u.%u%%\" height=\"100%%\"/></svg>",
                 tenths / 10, tenths % 10);
}

void page_column_use(struct page_column *column, const char *element)
{
    if (column->element == element)
        return;
    if (column->element != NULL)
        html_put(&column->text, "</%s>", column->element);
    if (element != NULL)
        html_put(&column->text, "<%s>", element);
    column->element = element;
}

bool page_put_column(struct text *out, const char *attributes, struct page_column *column,
                     struct err *err)
{
    struct str bytes;
    if (!text_take(&bytes, &column->text, err))
        return false;
    html_put(out, "<pre class=%s>\n", attributes);
    text_add(out, bytes);
    text_add(out, STR("</pre>"));
    return true;
}

/* --- the document ----------------------------------------------------------------------------- */

void page_begin(struct page *out, struct page_set *pages, struct str name)
{
    *out = (struct page){.in = pages, .name = name};
    out->text = text_in(pages->job->scratch);
    page_put(out, "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
                  "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=color-scheme content=\"light dark\">\n<title>");
}

void page_put_tabs(struct page *page, const char *label, const struct page_tab *tabs)
{
    page_put(page, "<nav aria-label=%s><ul class=tabs>", label);
    for (; tabs->name != NULL; tabs++) {
        page_put(page, "<li><a");
        put_href(page, str_of(tabs->name), "", 0);
        page_put(page, "%s>%s</a>", str_is(page->name, tabs->name) ? " aria-current=page" : "",
                 tabs->label);
    }
    page_put(page, "</ul></nav>\n");
}

void page_put_head(struct page *page, const char *kind, const struct page_tab *tabs)
{
    const struct format_job *job = page->in->job;
    struct page_tab own[6] = {{"index.html", "Files"}, {"types.html", "Types"}};
    size_t count = 2;
    if (!job->no_hotspots)
        own[count++] = (struct page_tab){PAGE_HOTSPOTS, "Hotspots"};
    own[count++] = (struct page_tab){"left-out.html", "Left out"};
    if (job->diff != NULL)
        own[count] = (struct page_tab){PAGE_CHANGES, "Changes"};
    page_put(page,
             "</title>\n<link rel=stylesheet href=\"%sstyle.css\">\n"
             "<script src=\"%sscript.js\" defer></script>\n"
             "<body class=%s>\n<a class=skip href=\"#main\">Skip to the content</a>\n<header>\n",
             way_up(page), way_up(page), kind);
    page_put_tabs(page, "Indexes", tabs != NULL ? tabs : own);
}

bool pages_put_file(struct page_set *pages, struct str name, struct text *bytes, struct err *err)
{
    struct str taken;
    if (!text_take(&taken, bytes, err) ||
        !destination_put_file(pages->job->destination, name.text, taken, err))
        return false;
    return list_put(&pages->written, &name, sizeof name, pages->job->arena, err);
}

bool page_end(struct page *page, const struct report *report, struct err *err)
{
    char when[UTC_ROOM];
    page_put(page, "</main>\n" PAGE_FOOT "%s", ilcov_version);
    if (report != NULL && report->timestamp != 0)
        page_put(page, " at %s", utc_text(when, report->timestamp));
    if (report != NULL && !str_is(report->root, "."))
        page_put(page, " for %.*s", STR_ARGS(report->root));
    page_put(page, "</footer>\n");
    return pages_put_file(page->in, page->name, &page->text, err);
}

#include "reporters/html/frame.h"

#include <string.h>

#include "base/number.h"
#include "base/version.h"
#include "reporters/html/html_text.h"

static bool is_below(struct str name)
{
    return memchr(name.text, '/', name.len) != NULL;
}

void frame_link(struct text *out, struct str from, struct str to, const char *prefix,
                uint32_t number)
{
    bool is_here = str_eq(from, to);
    text_add(out, STR(" href=\""));
    if (!is_here && is_below(from))
        text_add(out, STR("../"));
    if (!is_here)
        text_add(out, to);
    if (number != 0) {
        text_add(out, STR("#"));
        text_add_c(out, prefix);
        html_number(out, number);
    } else if (is_here) {
        text_add(out, STR("#main"));
    }
    text_add(out, STR("\""));
}

/* An SVG needs no style to be as long as it should. */
void frame_bar(struct text *out, uint64_t covered, uint64_t valid)
{
    if (valid == 0)
        return;
    uint32_t tenths = number_percent_x100(covered, valid) / 10;
    text_addf(out,
              "<svg class=bar aria-hidden=true><rect width=\"%u.%u%%\" height=\"100%%\"/></svg>",
              tenths / 10, tenths % 10);
}

static void put_tab(struct text *out, struct str name, const struct frame_tab *tab)
{
    bool is_here = str_is(name, tab->name);
    text_add(out, STR("<li><a"));
    frame_link(out, name, str_of(tab->name), "", 0);
    text_add_c(out, is_here ? " aria-current=page>" : ">");
    text_add_c(out, tab->label);
    text_add(out, STR("</a>"));
}

void frame_begin(struct text *out)
{
    text_add(out, STR("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
                      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=color-scheme content=\"light dark\">\n<title>"));
}

void frame_tabs(struct text *out, struct str name, const char *kind, const struct frame_tab *tabs)
{
    const char *up = is_below(name) ? "../" : "";
    text_addf(out,
              "</title>\n<link rel=stylesheet href=\"%sstyle.css\">\n"
              "<script src=\"%sscript.js\" defer></script>\n"
              "<body class=%s>\n<a class=skip href=\"#main\">Skip to the content</a>\n"
              "<header>\n<nav aria-label=Indexes><ul class=tabs>",
              up, up, kind);
    for (; tabs->name != NULL; tabs++)
        put_tab(out, name, tabs);
    text_add(out, STR("</ul></nav>\n"));
}

unsigned frame_parts_of(const struct format_job *job)
{
    return (job->no_hotspots ? 0 : FRAME_HAS_HOTSPOTS) |
           (job->diff != NULL ? FRAME_HAS_CHANGES : 0);
}

void frame_report_tabs(struct text *out, struct str name, const char *kind, unsigned parts)
{
    struct frame_tab tabs[6] = {{"index.html", "Files"}, {"types.html", "Types"}};
    size_t count = 2;
    if (parts & FRAME_HAS_HOTSPOTS)
        tabs[count++] = (struct frame_tab){FRAME_HOTSPOTS, "Hotspots"};
    tabs[count++] = (struct frame_tab){"left-out.html", "Left out"};
    if (parts & FRAME_HAS_CHANGES)
        tabs[count] = (struct frame_tab){FRAME_CHANGES, "Changes"};
    frame_tabs(out, name, kind, tabs);
}

void frame_foot(struct text *out)
{
    text_add(out, STR("</main>\n" FRAME_FOOT));
    text_add_c(out, ilcov_version);
}

void frame_end(struct text *out)
{
    text_add(out, STR("</footer>\n"));
}

#include "reporters/html/frame.h"

#include <string.h>

#include "base/number.h"
#include "reporters/html/html_text.h"

const struct frame_tab frame_report_tabs[] = {{"index.html", "Files"},
                                              {"types.html", "Types"},
                                              {"hotspots.html", "Hotspots"},
                                              {"left-out.html", "Left out"},
                                              {NULL, NULL}};

const struct frame_tab frame_tabs_with_changes[] = {
    {"index.html", "Files"},       {"types.html", "Types"},    {"hotspots.html", "Hotspots"},
    {"left-out.html", "Left out"}, {FRAME_CHANGES, "Changes"}, {NULL, NULL}};

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

void frame_foot(struct text *out)
{
    text_add(out, STR("</main>\n" FRAME_FOOT ILCOV_VERSION));
}

void frame_end(struct text *out)
{
    text_add(out, STR("</footer>\n"));
}

/* page.h - what all pages for people share, whatever they show: the head of the document, the tabs,
 * links to other pages, bars. All style is in style.css and all script in script.js: a page needs
 * neither, and has none of its own, because servers that show reports forbid it.
 * Errors: those of struct text, reported by page_end. */
#pragma once

#include "base/list.h"
#include "coverage/report/report.h"
#include "reporters/condition_words.h"
#include "reporters/format.h"

/* Those of a folder: of a report, of a comparison (`job->diff`), or of both. */
struct page_set {
    const struct format_job *job; /* its arenas: as long as pages are written, and of one page */
    struct list written;          /* struct str: names of files */
};

struct page {
    struct text text;
    struct page_set *in;
    struct str name; /* of its file: "files/0f6a3c2b91d4-A.cs.html" */
};

struct page_tab {
    const char *name, *label; /* of its page's file: "types.html"; what is shown */
};

#define PAGE_HOTSPOTS "hotspots.html"
/* Where the pages of a comparison begin, in the folder of a report. */
#define PAGE_CHANGES "changes.html"

/* Each page has it in its last lines. */
#define PAGE_FOOT "<footer>Written by ilcov "

/* Up to the title, which follows. `name` lives as long as the pages. */
void page_begin(struct page *out, struct page_set *pages, struct str name);
/* From there to the tabs: those of a report if `tabs`, which end with a NULL name, are NULL. `kind`
 * is "source" or "index", for the style sheet. */
void page_put_head(struct page *page, const char *kind, const struct page_tab *tabs);
/* Further ones. `label` says what they are. */
void page_put_tabs(struct page *page, const char *label, const struct page_tab *tabs);
/* From the end of <main> on; then writes it, unless its file has these bytes already. `report`: the
 * foot says when and from where it is, so the page changes with each run; or NULL. */
NODISCARD bool page_end(struct page *page, const struct report *report, struct err *err);

/* A file beside the pages. */
NODISCARD bool pages_put_file(struct page_set *pages, struct str name, struct text *bytes,
                              struct err *err);

/* html_put. */
void page_put(struct page *page, const char *format, ...) PRINTF_LIKE(2, 3);

/* The start of a link to another page, and to a line or row of it unless `number` is 0. */
void page_open_link(struct page *page, struct str name, const char *prefix, uint32_t number);
/* To the page of a file before or after this one: `rel` is "prev" or "next". */
void page_put_neighbour(struct page *page, struct str name, struct str path, const char *rel,
                        const char *label);

/* Begins a table, up to its first row. */
void page_open_table(struct page *page, const char *label, const char *attributes);
/* A share as a bar. */
void page_put_bar(struct page *page, uint64_t covered, uint64_t valid);

extern const struct code_style code_in_html;

/* A column of a source: lines that are alike share an element. */
struct page_column {
    struct text text;
    const char *element; /* that is open: "b"; or NULL */
};

/* The next lines are in the element, of which there is one literal; or in none. */
void page_column_use(struct page_column *column, const char *element);
/* Its text ends. */
NODISCARD bool page_put_column(struct text *out, const char *attributes, struct page_column *column,
                               struct err *err);

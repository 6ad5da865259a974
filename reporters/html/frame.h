/* frame.h - what all pages for people share, whatever they show: the head of the document, the
 * tabs, links to other pages, bars. All style is in style.css and all script in script.js: a page
 * needs neither, and has none of its own, because servers that show reports forbid it. */
#ifndef ILCOV_REPORTERS_HTML_FRAME_H
#define ILCOV_REPORTERS_HTML_FRAME_H

#include "reporters/format.h"

struct frame_tab {
    const char *name, *label; /* of its page's file: "types.html"; what is shown */
};

/* What a report may have or not, as bits. */
enum frame_parts {
    FRAME_HAS_HOTSPOTS = 1,
    FRAME_HAS_CHANGES = 2 /* the pages of a comparison are beside it */
};
unsigned frame_parts_of(const struct format_job *job);

#define FRAME_HOTSPOTS "hotspots.html"
/* Where the pages of a comparison begin, in the folder of a report. */
#define FRAME_CHANGES "changes.html"

/* Each page has it in its last lines. */
#define FRAME_FOOT "<footer>Written by ilcov "

/* Up to the title, which follows as HTML. */
void frame_begin(struct text *out);
/* From there to the tabs. `name` is that of the page's file: "files/0f6a3c2b91d4-A.cs.html"; `kind`
 * is "source" or "index", for the style sheet. */
void frame_tabs(struct text *out, struct str name, const char *kind, const struct frame_tab *tabs);
/* The same with the tabs of a report. */
void frame_report_tabs(struct text *out, struct str name, const char *kind, unsigned parts);
/* The end of <main> and the foot, which the caller closes with frame_end. */
void frame_foot(struct text *out);
void frame_end(struct text *out);

/* ` href="..."` from the page `from` to another page, and to a line or row of it unless `number` is
 * 0. */
void frame_link(struct text *out, struct str from, struct str to, const char *prefix,
                uint32_t number);

/* A share as a bar. */
void frame_bar(struct text *out, uint64_t covered, uint64_t valid);

#endif

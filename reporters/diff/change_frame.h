/* change_frame.h - what all pages of a comparison share: the head with its tabs, and links. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_FRAME_H
#define ILCOV_REPORTERS_DIFF_CHANGE_FRAME_H

#include "reporters/diff/changes.h"

/* The overview's file: "index.html", or PAGE_CHANGES in the folder of a report. */
const char *change_overview(const struct changes *changes);
const char *change_list_page(enum change_list list);
#define CHANGE_METHODS "changes-methods.html"

/* Up to the tabs. `title` is text, not HTML. */
void change_frame_begin(struct page *page, const struct changes *changes, struct str name,
                        struct str title, const char *kind);

/* Opens a link to a section or line of a file; to the page alone where it shows no such thing. */
void change_open_section(struct page *page, const struct change_file *file, uint32_t section);
void change_open_line(struct page *page, const struct change_file *file,
                      const struct diff_line *line);

#endif

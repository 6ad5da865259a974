/* change_frame.h - a comparison as a folder of pages, or as further pages in that of a report, and
 * what its pages share: the head with its tabs, and links.
 * Errors: ERR_IO, ERR_MEMORY. */
#pragma once

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

/* The pages of a source file: its methods, each as it was beside as it is. A page takes at most 2.5
 * times the source text that it shows and CHANGE_PAGE_FIXED bytes, and not much more than
 * CHANGE_PAGE_MAX: what does not fit is on further pages. */
enum {
    CHANGE_PAGE_FIXED = 4096,
    CHANGE_PAGE_MAX = 512 * 1024
};

/* Names the first page of each file. */
NODISCARD bool change_pages_name(struct changes *changes, struct err *err);
/* Fills in the parts of the file. */
NODISCARD bool change_page_write(struct changes *changes, struct change_file *file,
                                 struct err *err);

/* All pages of the job's diff: beside those of its report, if it has one, with style and script.
 * site_folder_sweep must follow. */
NODISCARD bool diff_pages_write(struct page_set *pages, struct err *err);

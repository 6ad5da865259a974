/* change_frame.h - what all pages of a comparison share: the head with its tabs, and links.
 * Errors: ERR_IO, ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_FRAME_H
#define ILCOV_REPORTERS_DIFF_CHANGE_FRAME_H

#include "reporters/diff/changes.h"

/* The overview's file: "index.html", or FRAME_CHANGES in the folder of a report. */
const char *change_overview(const struct changes *changes);
const char *change_list_page(enum change_list list);
#define CHANGE_METHODS "changes-methods.html"

/* The pages that are about all files, from 0; NULL after the last one. */
const char *change_index_page(const struct changes *changes, size_t i);

/* Up to the tabs. `title` is text, not HTML. */
void change_frame_begin(struct text *out, const struct changes *changes, struct str name,
                        struct str title, const char *kind);
/* Closes and writes the page, unless the file has these bytes already. */
NODISCARD bool change_frame_end(struct text *out, const struct changes *changes, struct str name,
                                struct err *err);

/* ` href="..."` to a section or line of a file; to the page alone where it shows no such thing. */
void change_link_section(struct text *out, struct str from, const struct change_file *file,
                         uint32_t section);
void change_link_line(struct text *out, struct str from, const struct change_file *file,
                      const struct diff_line *line);

#endif

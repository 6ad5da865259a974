/* markdown.h - GitHub's Markdown, which GitLab, Azure DevOps and Gitea read too, as text. Names are
 * in <code>, with a character reference for each character that is special in Markdown, so no name
 * can end a cell, open an element or mention a user.
 * Units: bytes, where a limit is GitHub's of 65,536 characters, which are never more. */
#pragma once

#include "base/text.h"

enum {
    MARKDOWN_NAME_MOST = 160, /* characters of a name, path or method */
    MARKDOWN_OPEN_MOST = 20   /* rows of a table that is shown expanded */
};

/* A text that is too long loses its middle: its ends distinguish it from others. */
void markdown_put_cut(struct text *text, struct str s, size_t most);
void markdown_put_code(struct text *text, struct str name);

/* " 79.06% (34/43) |"; " - |" if nothing is valid */
void markdown_put_share(struct text *text, uint64_t covered, uint64_t valid);

/* Lines as ranges, of which only some are shown. */
struct markdown_ranges {
    struct text *text;
    uint32_t count;
};

/* ", 12–15" */
void markdown_put_range(struct markdown_ranges *ranges, uint32_t first, uint32_t last);
/* " … and 3 more" */
void markdown_end_ranges(const struct markdown_ranges *ranges);

/* A table that people can fold. `head` are its first two rows, or part of them. */
void markdown_open_table(struct text *text, uint32_t row_count, const char *title,
                         const char *head);
/* Removes a row that began at `start` if the text is longer than `end` with it. */
bool markdown_keep_row(struct text *text, size_t start, size_t end);
/* "… and 3 more files" */
void markdown_close_table(struct text *text, uint32_t left_out, const char *what);

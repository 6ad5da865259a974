/* line_text.h - on which lines of a source a statement has text of its own. Blank lines, comments,
 * directives and what an inactive #if leaves out are not text. The body of a lambda or anonymous
 * method in C#, with its braces, is not text of the statement around it.
 * Units:  lines from 1; offsets are bytes of the text.
 * Owner:  the arrays live in the arena. */
#pragma once

#include "coverage/source/language.h"
#include "coverage/source/line_index.h"

struct line_text {
    struct source_line_piece *pieces; /* ascending offset (line_text.c) */
    uint32_t count;
};

/* `defined`: the symbols that the compiler was given, as in struct preprocessor. Where a condition
 * of #if is not known, all of its branches are active. */
NODISCARD bool line_text_make(struct line_text *out, const struct line_index *index,
                              enum language language, struct str defined, struct arena *arena,
                              struct err *err);

/* Does the statement that begins at this offset have text on a line that it spans? */
bool line_text_is_on(const struct line_text *text, uint32_t offset, uint32_t line);

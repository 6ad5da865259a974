/* comments.h - the comments of a source that are addressed to ilcov:
 *
 *   // ilcov:ignore REASON          the statements on this line
 *   // ilcov:ignore-start REASON    all from here
 *   // ilcov:ignore-end             to here
 *
 * in comments of C# (also multi-line ones), F# (also nested ones) and Visual Basic ('). Text in
 * strings, including verbatim, raw and interpolated ones, is not a comment; comments between the
 * braces of an interpolation are. Lines are those of the file, so nothing is found after `#line`
 * with a number. The lexer knows as much of each language as this needs; bytes that are not source
 * code yield less, never an error.
 * Owner:  texts are views into the source; the array lives in the arena. */
#pragma once

#include "coverage/source/language.h"

enum comment_kind {
    COMMENT_IGNORE,
    COMMENT_START,
    COMMENT_END,
    COMMENT_UNKNOWN, /* "ilcov:" followed by an unknown word; `reason` is the whole text */
};

struct comment {
    enum comment_kind kind;
    uint32_t line;
    struct str reason; /* trimmed, without a leading colon; may be empty */
};

struct comments {
    struct comment *items; /* ascending line */
    uint32_t count;
};

NODISCARD bool comments_find(struct comments *out, struct view source, enum language language,
                             struct arena *arena, struct err *err);

/* Does nothing stand there that runs, but white space, comments and opening braces? */
bool comments_leave_nothing(struct str text, enum language language);

/* Length of the comment, or of the string, character or date, at the start of the text; 0 if there
 * is none. */
size_t comments_skip(struct str text, enum language language);

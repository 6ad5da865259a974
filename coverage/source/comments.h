/* comments.h - the comments of a source that speak to ilcov:
 *
 *   // ilcov:ignore REASON          what stands on this line
 *   // ilcov:ignore-start REASON    all from here
 *   // ilcov:ignore-end             to here
 *
 * in comments of C# (also of several lines), F# (likewise, nested) and Visual Basic ('). What looks
 * like a comment in a string, be it verbatim, raw or interpolated, is none; comments between the
 * braces of an interpolation are. Lines are those of the file, so behind `#line` with a number
 * nothing is found. The lexer knows of each language what it needs for this; bytes that are no
 * source give less, never an error.
 * Owner:  texts are views into the source; the array lives in the arena. */
#ifndef ILCOV_COVERAGE_SOURCE_COMMENTS_H
#define ILCOV_COVERAGE_SOURCE_COMMENTS_H

#include "coverage/source/language.h"

enum comment_kind {
    COMMENT_IGNORE,
    COMMENT_START,
    COMMENT_END,
    COMMENT_UNKNOWN, /* "ilcov:" and no word that is known; `reason` is all of it */
};

struct comment {
    enum comment_kind kind;
    uint32_t line;
    struct str reason; /* without white space at its ends, and a colon before it; may be empty */
};

struct comments {
    struct comment *items; /* ascending line */
    uint32_t count;
};

NODISCARD bool comments_find(struct comments *out, struct view source, enum language language,
                             struct arena *arena, struct err *err);

/* Bytes of the comment, string or character that begins with the text; 0: none does. */
size_t comments_skip(struct str text, enum language language);

#endif

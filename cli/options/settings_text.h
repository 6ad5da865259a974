/* settings_text.h - the text of a settings file: JSON (RFC 8259) with comments, "//" to the end of
 * the line and those between slash-star and star-slash. JSON libraries that accept comments accept
 * other things as well; so comments become spaces here, and the library reads strict JSON. */
#pragma once

#include "base/text.h"

/* A copy of the text in which each character of a comment is a space, so that lines and columns
 * stay. A byte order mark is left out. ERR_USAGE with "LINE:COLUMN: ": a comment that does not end,
 * invalid UTF-8 in one, a NUL. */
NODISCARD bool settings_text_strip(struct str *out, struct str text, struct arena *arena,
                                   struct err *err);

/* Goes through the names of members, in the order of the text, at any depth. */
struct settings_keys {
    struct str text; /* valid JSON */
    size_t at;
    uint32_t line; /* of `at`, from 1 */
};

/* The line of the next one; 0 after the last. */
uint32_t settings_next_key(struct settings_keys *keys);

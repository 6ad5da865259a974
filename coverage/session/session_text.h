/* session_text.h - text that the library writes: lines of a process record or of an answer on the
 * control socket, and the numbers and names in them.
 * Errors: ERR_FORMAT. */
#pragma once

#include "base/text.h"

enum {
    SESSION_FIELDS_MAX = 6 /* fields of a line, with its keyword */
};

/* A line of a record, without its end. */
struct session_line {
    struct str fields[SESSION_FIELDS_MAX]; /* unescaped; the first is the keyword */
    uint32_t field_count;
};
NODISCARD bool session_parse_line(struct session_line *out, struct str line, struct arena *arena,
                                  struct err *err);

/* Parse fields: bytes of the metadata as two hexadecimal digits each; numbers in base 10 or 16. */
NODISCARD bool session_parse_mvid(uint8_t mvid[16], struct str hex);
NODISCARD bool session_parse_number(uint64_t *out, struct str digits, unsigned base);
NODISCARD bool session_parse_u32(uint32_t *out, struct str digits);

/* UTF-8 without NUL? */
bool session_is_text(struct str s);

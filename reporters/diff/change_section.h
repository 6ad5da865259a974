/* change_section.h - a section as HTML: a heading, what happened in words, and its lines in columns
 * (change_columns.h).
 * Errors: ERR_MEMORY. */
#pragma once

#include "reporters/diff/change_columns.h"

/* `source_len`: the bytes of source text in it. */
NODISCARD bool change_section_put(struct text *out, size_t *source_len,
                                  const struct change_section *section, struct arena *arena,
                                  struct err *err);

/* "N.Type.Name(int)" as HTML. */
void change_put_name(struct text *out, const struct diff_method *method);

/* change_section.h - a section as HTML: a heading, what happened in words, and its lines in columns
 * of plain text (number, hits, source), as they were beside as they are.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_SECTION_H
#define ILCOV_REPORTERS_DIFF_CHANGE_SECTION_H

#include "reporters/diff/change_rows.h"

struct change_section {
    const struct diff_section *of; /* no method: lines that are in none */
    const struct change_input *input;
    uint32_t number; /* for its id: "s12" */
    uint32_t *parts; /* per line of the file: the part of its pages that has its id; 0: none yet */
    uint32_t part;   /* of this section */
};

/* `source_len`: the bytes of source text in it. */
NODISCARD bool change_section_put(struct text *out, size_t *source_len,
                                  const struct change_section *section, struct arena *arena,
                                  struct err *err);

/* "N.Type.Name(int)" as HTML. */
void change_put_name(struct text *out, const struct diff_method *method);

#endif

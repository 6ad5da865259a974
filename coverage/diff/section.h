/* section.h - collects the sections of a comparison (struct diff_section) while HEAD and then BASE
 * are visited.
 * Owner:  everything lives in the arena; names are views into the facts.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/diff/method_change.h"

struct sections {
    struct list items; /* struct diff_section */
    struct list keys;  /* struct wanted: what sections wait for a method of BASE */
    bool is_sorted;
};

/* A method of HEAD, if it is to be told of. `of_class`: its class's lines; `file`: those of its
 * file. `was` may be NULL. */
NODISCARD bool sections_add(struct sections *sections, const struct diff_method *method,
                            const struct report_lines *lines, const struct report_lines *of_class,
                            const struct diff_file *file, const struct method_key *was,
                            struct arena *arena, struct err *err);

/* A method of BASE, after all of HEAD: what those that were added wait for. `left`: the same lines,
 * with hits if HEAD has them. */
NODISCARD bool sections_take_was(struct sections *sections, const struct method_key *key,
                                 struct str file, const struct report_lines *lines,
                                 const struct report_lines *left, struct arena *arena,
                                 struct err *err);

/* A method of BASE that HEAD does not have. */
NODISCARD bool sections_add_removed(struct sections *sections, const struct diff_method *method,
                                    const struct report_lines *lines, struct arena *arena,
                                    struct err *err);

/* Hands them out in their order. */
void sections_finish(struct sections *sections, struct diff *out);

/* foreign_build.h - what the readers of foreign reports share: where their bytes come from, and where what they
 * find goes to be united. For coverage/foreign*.c alone.
 * Owner:  strings that are handed over must live in the build's arena. */
#ifndef ILCOV_COVERAGE_FOREIGN_FOREIGN_BUILD_H
#define ILCOV_COVERAGE_FOREIGN_FOREIGN_BUILD_H

#include "base/list.h"
#include "coverage/foreign/foreign.h"

/* --- bytes ------------------------------------------------------------------------------------ */

struct foreign_input {
    struct view head; /* all of it, or what was read from `fd` to tell the format */
    size_t taken;     /* of `head` */
    int fd;           /* the rest; -1: there is none */
    int error;        /* errno of what ended it early */
};

/* Up to `room` bytes; 0 at the end, and after a failure. */
size_t foreign_input_read(struct foreign_input *input, void *out, size_t room);

/* --- what is found ---------------------------------------------------------------------------- */

struct foreign_build {
    struct list files, members, lines, outcomes, conditions;
    uint32_t conditions_taken; /* by lines */
    bool adds;                 /* repeated counts add up (LCOV); else the most counts */
    uint32_t file;             /* index of the current one, by foreign_build_file */
    uint32_t member;           /* likewise; 0: none */
    uint32_t record; /* the reader's own: at one place in one record are different outcomes */
    struct arena *arena;
    struct err *err;
};

NODISCARD bool foreign_build_open(struct foreign_build *b, struct arena *arena, struct err *err);

/* Makes it the current file, and the current member none. */
NODISCARD bool foreign_build_file(struct foreign_build *b, struct str package, struct str path);

/* Makes it the current member. */
NODISCARD bool foreign_build_member(struct foreign_build *b, struct str class_name,
                                    struct str method_name, struct str method_signature);

/* One of the current file and member, with the conditions since the last. A number that is no line of a source is
 * passed over. The fraction is 0, 0 when there is none, or outcomes tell it. */
NODISCARD bool foreign_build_line(struct foreign_build *b, uint64_t number, uint64_t hits,
                                  uint32_t covered_count, uint32_t outcome_count);

/* Adds one to the next line. */
NODISCARD bool foreign_build_condition(struct foreign_build *b, struct foreign_condition condition);

/* Also makes the line. Outcomes of equal group and place are the same, and are in this order. */
NODISCARD bool foreign_build_outcome(struct foreign_build *b, uint64_t number, uint64_t group,
                                     uint64_t place, uint64_t hits);

/* Gives the lines from index `first` on the members that `member` tells. */
void foreign_build_assign(struct foreign_build *b, uint32_t first,
                          uint32_t (*member)(void *context, uint32_t number), void *context);

NODISCARD bool foreign_build_finish(struct foreign *out, struct foreign_build *b);

/* --- what is written in reports --------------------------------------------------------------- */

/* Decimal digits and nothing else; saturates. */
bool foreign_number(uint64_t *out, struct str s);

/* "System.Double N.C::M(System.Char)", as Mono.Cecil writes methods; another text is a name alone. Views. */
void foreign_split_method(struct str *class_name, struct str *method_name,
                          struct str *method_signature, struct str text);

/* `name` with '/' between its parts, none of them empty or "."; ".." takes one away. A relative one goes below the
 * source where there is such a file; else below the only source, or stays as it is. */
NODISCARD bool foreign_path(struct str *out, struct str name, const struct str *sources,
                            uint32_t source_count, struct arena *arena, struct err *err);

/* --- the reader that needs no XML ------------------------------------------------------------- */

NODISCARD bool foreign_read_lcov(struct foreign *out, struct foreign_build *b,
                                 struct foreign_input *input);

#endif

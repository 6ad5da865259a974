/* external_build.h - where the readers of external reports put their findings, which are then
 * united. Only for this folder.
 * Owner:  strings passed in must live in the build's arena. */
#pragma once

#include "base/list.h"
#include "coverage/external/external.h"

struct external_build {
    struct list files, members, lines, outcomes;
    bool adds;             /* repeated counts add up (LCOV); else the largest counts */
    uint32_t file;         /* index of the current one, by external_build_file */
    uint32_t member;       /* index of the current one; 0: none */
    uint32_t record;       /* the reader's own: at one place in one record are different outcomes */
    uint64_t beyond_count; /* see external.h */
    struct arena *arena;
    struct err *err;
};

NODISCARD bool external_build_open(struct external_build *b, struct arena *arena, struct err *err);

/* Makes it the current file, and the current member none. */
NODISCARD bool external_build_file(struct external_build *b, struct str package, struct str path);

/* Makes it the current member. */
NODISCARD bool external_build_member(struct external_build *b, struct str class_name,
                                     struct str method_name, struct str method_signature);

/* Adds a line of the current file and member. A number that is not a source line is skipped. The
 * fraction is 0, 0 if there is none, or if outcomes give it. */
NODISCARD bool external_build_line(struct external_build *b, uint64_t number, uint64_t hits,
                                   uint32_t covered_count, uint32_t outcome_count);

/* Also adds the line. Outcomes of equal group and place are the same outcome; they are sorted by
 * both. */
NODISCARD bool external_build_outcome(struct external_build *b, uint64_t number, uint64_t group,
                                      uint64_t place, uint64_t hits);

/* Sets the members of the lines from index `first` on, as `member` says. */
void external_build_assign(struct external_build *b, uint32_t first,
                           uint32_t (*member)(void *context, uint32_t number), void *context);

/* Adds a method of the current file to a line, if that is added otherwise; the hits are its own. */
NODISCARD bool external_build_share(struct external_build *b, uint64_t number, uint32_t member,
                                    uint64_t hits);

NODISCARD bool external_build_finish(struct external *out, struct external_build *b);

/* brief_lines.h - the lines of a class or method in a few bytes each, which is what an outline
 * keeps of them (report.h): their numbers and hits, and the outcomes of their conditions with their
 * hits. Not where a condition is written, why a line did not run, and which tests ran it.
 * Owner:  what is kept lives in `arena`. */
#ifndef ILCOV_COVERAGE_REPORT_BRIEF_LINES_H
#define ILCOV_COVERAGE_REPORT_BRIEF_LINES_H

#include "base/bytes.h"
#include "coverage/report/report.h"

/* Makes them brief; `buffer` is emptied first. */
NODISCARD bool brief_lines_make(struct report_lines *lines, struct writer *buffer,
                                struct arena *arena, struct err *err);

/* Whole lines again, without what brief ones do not have. Whole ones stay as they are. */
NODISCARD bool brief_lines_unpack(struct report_lines *out, const struct report_lines *lines,
                                  struct arena *arena, struct err *err);

struct brief_line {
    uint32_t number, condition_count;
    uint64_t hits;
    uint32_t outcome_count, covered_count; /* summed over the conditions */
};

struct brief_condition {
    uint32_t outcome_count, covered_count;
};

/* Goes through lines, brief or whole. */
struct line_walk {
    const struct report_lines *lines;
    uint32_t next; /* of the whole ones */
    const struct report_condition *conditions;
    struct reader brief;
    uint32_t number, conditions_left; /* of the last brief line */
};

struct line_walk line_walk_open(const struct report_lines *lines);
/* False: there are no more. */
bool line_walk_next(struct brief_line *out, struct line_walk *walk);
/* The next condition of the last line. */
struct brief_condition line_walk_condition(struct line_walk *walk);

#endif

/* gate.h - what coverage must be for a build to pass: "--gate 'patch>=80'".
 *
 *   GATE    [ "[" ASSEMBLY "]" ] METRIC OP VALUE
 *   METRIC  line, branch, method   percent covered; with a sign (+0, -0.1) of VALUE the change from
 *                                  BASE
 *           patch                  percent of the lines that the patch owes
 *           lost                   how many lines were covered in BASE and are not any more
 *           new-uncovered          how many lines of added or edited methods are not covered
 *   OP      >= <= =
 *
 * ASSEMBLY is a glob; the gate is then for each that it names. Carried counts cover nothing, and a
 * line that was covered in BASE and is only carried now is lost. What owes nothing passes.
 * Owner:  texts point into what was parsed, or live in the arena. */
#ifndef ILCOV_COVERAGE_DIFF_GATE_H
#define ILCOV_COVERAGE_DIFF_GATE_H

#include "coverage/diff/diff.h"

enum gate_metric {
    GATE_LINE,
    GATE_BRANCH,
    GATE_METHOD,
    GATE_PATCH,
    GATE_LOST,
    GATE_NEW_UNCOVERED,
    GATE_METRIC_COUNT
};

enum gate_operator {
    GATE_AT_LEAST,
    GATE_AT_MOST,
    GATE_EXACTLY
};

struct gate {
    struct str text;     /* as it was written */
    struct str assembly; /* glob; empty: all together */
    enum gate_metric metric;
    enum gate_operator op;
    bool is_relative;
    int64_t value; /* 100 * percent, or a count */
};

/* ERR_USAGE: `text` is not a gate, and tells why. */
NODISCARD bool gate_parse(struct gate *out, struct str text, struct err *err);

bool gate_needs_base(const struct gate *gate);
bool gate_needs_patch(const struct gate *gate);

struct gate_result {
    bool failed;
    struct str text; /* a line; of one that passes empty, unless there was nothing to test */
};

/* One result for each assembly that is meant; one for a gate of all. */
NODISCARD bool gate_test(struct gate_result **out, uint32_t *count, const struct gate *gate,
                         const struct diff *diff, struct arena *arena, struct err *err);

#endif

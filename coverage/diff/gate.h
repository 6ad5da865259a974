/* gate.h - the coverage that a build needs to pass: "--gate 'patch>=80'".
 *
 *   GATE    [ "[" ASSEMBLY "]" ] METRIC OP VALUE
 *   METRIC  line, branch, method   percent covered; if VALUE has a sign (+0, -0.1), the change
 *                                  from BASE
 *           patch                  percent of the lines that the patch owes
 *           patch-branch           percent of the outcomes of the conditions on these lines
 *           lost                   how many lines were covered in BASE and no longer are
 *           new-uncovered          how many lines of added or edited methods are not covered
 *   OP      >= <= =
 *
 * ASSEMBLY is a glob; the gate then applies to each assembly that it matches. Carried counts cover
 * nothing: a line that was covered in BASE and is only carried now is lost. A gate with nothing to
 * test passes, unless it is about all code; one about lines that are not all known does not.
 * Owner:  texts point into what was parsed, or live in the arena. */
#pragma once

#include "coverage/diff/diff.h"

enum gate_metric {
    GATE_LINE,
    GATE_BRANCH,
    GATE_METHOD,
    GATE_PATCH,
    GATE_PATCH_BRANCH,
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
    struct str text;     /* as the user wrote it */
    struct str assembly; /* glob; empty: all assemblies together */
    enum gate_metric metric;
    enum gate_operator op;
    bool is_relative;
    int64_t value; /* 100 * percent, or a count */
};

/* ERR_USAGE: `text` is not a gate; the error says why. */
NODISCARD bool gate_parse(struct gate *out, struct str text, struct err *err);

bool gate_needs_base(const struct gate *gate);
bool gate_needs_patch(const struct gate *gate);

struct gate_result {
    const struct gate *gate;
    bool failed;
    bool was_tested;    /* false: there is no such assembly, or nothing to test */
    bool is_unknown;    /* failed because not all that it is about is known */
    struct str package; /* that it was tested for; empty: all together */
    struct str name;    /* "[Shop.*]line>=80, Shop.Core" */
    struct str why;     /* empty for a gate that passes, unless there was nothing to test */
};

/* Sets `gates` of the diff: a result for each assembly that a gate matches, one for a gate without
 * ASSEMBLY. `may_be_empty`: it is fine if there is no code at all. */
NODISCARD bool gates_test(struct diff *diff, const struct gate *gates, uint32_t count,
                          bool may_be_empty, struct arena *arena, struct err *err);

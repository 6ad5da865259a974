/* rules.h - the functions that the rows of rules.def name: rule_ID(), which tests one branch, and
 * find_ID(), which looks at the whole method. Each is in a file named after its construct: in this
 * folder if the compiler generated the branch, in coverage/branches if the user wrote it. judge.c
 * asks them. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_RULES_H
#define ILCOV_COVERAGE_BRANCHES_RULES_RULES_H

#include "coverage/branches/rules/board.h"

#define RULE(id, name, languages, judgement, description)                                          \
    bool rule_##id(const struct board *board, const struct branch *branch);
#define FIND(id, name, languages, judgement, description)                                          \
    bool find_##id(struct board *board, const struct rule *rule, struct arena *arena,              \
                   struct err *err);
#define LEFT(id, name, languages, judgement, description)
#include "coverage/branches/rules/rules.def"
#undef RULE
#undef FIND
#undef LEFT

#endif

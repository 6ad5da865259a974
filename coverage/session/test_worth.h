/* test_worth.h - what each test hits, how much of that nothing else does, and which tests add
 * nothing to the others. Statements and outcomes count that reports have: neither excluded or
 * generated code, nor tests themselves and the rest of the assemblies that contain them.
 * The tests of the facts are joined (facts_join_tests).
 * Owner:  the arena. Errors: ERR_MEMORY. */
#pragma once

#include "coverage/facts/facts.h"

/* How many counts each test hits, and how many of them nothing else hits. */
struct test_weight {
    uint32_t hit, alone;
};
NODISCARD bool test_worth_weigh(struct test_weight **weights, const struct facts *facts,
                                struct arena *arena, struct err *err);

/* By index of test: without all of these, everything is still hit that was. None more could be left
 * out: of tests that hit the same, the first stays. What runs around the tests of a class is there
 * as long as one of them is. A test that threw is none of them, and takes nobody's place: it may
 * hit something else next time. */
NODISCARD bool test_worth_redundant(bool **redundant, const struct facts *facts,
                                    struct arena *arena, struct err *err);

/* test_sets.h - the tests of facts as reports show them, each once whatever runs it was in, and the
 * sets of tests that hit code in the same way. What ran a line is the union of some sets: all lines
 * together need little more memory than the facts.
 * Owner:  the arena. Errors: ERR_MEMORY. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"
#include "coverage/facts/index_set.h"

struct test_sets {
    const struct fact_test *tests; /* ascending kind, name; `run` is not used */
    uint32_t test_count;
    uint32_t method_count; /* of them TEST_METHOD: the first */
    struct view *sets;     /* index_set.h: indexes of tests; each once */
    uint32_t set_count;
    const struct fact_hits *hits; /* those of the facts, and the set of each */
    uint32_t *set_of;
    uint32_t *first_hits; /* of each module, and one more: its hits */
};

NODISCARD bool test_sets_open(struct test_sets *out, const struct facts *facts, struct arena *arena,
                              struct err *err);

/* A set of each of some hits: the counts, or the tests. */
struct set_source {
    const struct fact_hits *hits;
    size_t offset; /* of the member */
    uint32_t count;
};

/* Which of some sets have each number n: sets[first[n]], up to sets[first[n + 1]]. */
struct set_lists {
    uint32_t *first, *sets;
};

/* Of the numbers below `limit` that are `wanted` (NULL: all); the others have none. */
NODISCARD bool set_lists_make(struct set_lists *out, struct set_source source, uint32_t limit,
                              const bool *wanted, struct arena *arena, struct err *err);
/* Which sets of tests hit each count of a module. */
NODISCARD bool test_sets_of_counts(struct set_lists *out, const struct test_sets *all,
                                   uint32_t module, uint32_t count_len, const bool *wanted,
                                   struct arena *arena, struct err *err);

/* What ran a line. */
struct line_tests {
    uint32_t test_count; /* TEST_METHOD, each once */
    struct view sets;    /* index_set.h: numbers of the sets whose union it is */
};

/* Puts together the lines of files; those that are alike and follow each other are one. */
struct line_tests_maker {
    const struct test_sets *all;
    uint32_t *seen; /* by test: the last line that counted it */
    uint32_t line;
    const struct line_tests *last;
    struct writer buffer;
    struct arena *arena;
    struct err *err;
};

NODISCARD bool line_tests_open(struct line_tests_maker *out, const struct test_sets *all,
                               struct arena *arena, struct arena *scratch, struct err *err);
/* From numbers of sets in any order, also several times; it sorts them. NULL in *out: none. */
NODISCARD bool line_tests_make(const struct line_tests **out, struct line_tests_maker *maker,
                               uint32_t *sets, size_t count);

/* The sets of some lines, such as those of a class, numbered anew in the same order. */
struct some_sets {
    struct list numbers; /* uint32_t; ascending, each once, after some_sets_end */
    const struct line_tests *last;
};

NODISCARD bool some_sets_add(struct some_sets *some, const struct line_tests *tests,
                             struct arena *arena, struct err *err);
void some_sets_end(struct some_sets *some);
/* The new number of a set that was added. */
uint32_t some_sets_place(const struct some_sets *some, uint32_t set);

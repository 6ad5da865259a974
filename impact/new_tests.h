/* new_tests.h - the tests that a new build has, by its metadata.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "impact/new_build.h"

struct new_test {
    struct str name;   /* as in fact_test */
    struct str class;  /* of which it runs; as the name of a TEST_CLASS */
    uint32_t module;   /* of the build, that declares it */
    uint32_t declared; /* MethodDef row */
    bool is_unknown;   /* TEST_PART_UNKNOWN: it may be none */
};

/* A class of tests, and another one whose code runs around its tests: one that it derives from, in
 * any assembly of the build, or a fixture. */
struct test_base {
    struct str class, base;
};

struct new_tests {
    struct new_test *items; /* ascending name, each once */
    uint32_t count;
    struct list bases; /* struct test_base */
    struct list wide;  /* struct str: fixtures and classes that run around tests of others */
};

NODISCARD bool new_tests_find(struct new_tests *out, const struct new_build *build,
                              struct arena *arena, struct err *err);

/* NULL: the build has none of that name. */
const struct new_test *new_tests_named(const struct new_tests *tests, struct str name);

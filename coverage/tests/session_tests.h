/* session_tests.h - the tests of a session: the owners of its processes. Those that have one name,
 * because a test ran in several processes or a class has several methods that run around its tests,
 * become one when facts are sorted.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_TESTS_SESSION_TESTS_H
#define ILCOV_COVERAGE_TESTS_SESSION_TESTS_H

#include "base/list.h"
#include "coverage/facts/facts.h"
#include "coverage/session/session.h"
#include "metadata/heaps.h"

/* The tests of a session, and how its processes call them. */
struct session_tests {
    struct list tests;   /* struct fact_test */
    struct list members; /* struct test_member: what each is */
    /* by process (session.hits) and owner: index in tests */
    uint32_t **of_owner;
    uint32_t outside; /* index of the one that is TEST_OUTSIDE */
};

struct test_member {
    const uint8_t *mvid;
    uint32_t rid;
    struct str type;
};

/* One test for each owner. Names are not known yet. */
NODISCARD bool session_tests_make(struct session_tests *out, const struct session *session,
                                  struct arena *arena, struct err *err);

/* Names the tests whose methods are in this module. */
NODISCARD bool session_tests_name(struct session_tests *tests, const uint8_t mvid[16],
                                  const struct metadata *md, struct arena *arena, struct err *err);

#endif

/* test_hits.h - the tests of a session, and which counters of a module they hit, from the logs of
 * its processes and from the shards that tests still have; put together method by method, as
 * module_facts.c learns which counters are whose.
 * Errors: ERR_MEMORY, ERR_FORMAT a log contradicts the module. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"
#include "coverage/session/session.h"
#include "metadata/heaps.h"

/* The tests of a session, and how its processes, whose contexts they are, call them. Those that
 * have one name, because a test ran in several processes or a class has several methods that run
 * around its tests, become one when facts are sorted. */
struct session_tests {
    struct list tests;   /* struct fact_test */
    struct list members; /* struct test_member: what each is */
    /* by process (session.hits) and context: index in tests */
    uint32_t **of_context;
    uint32_t outside; /* index of the one that is TEST_OUTSIDE */
};

struct test_member {
    const uint8_t *mvid;
    uint32_t rid;
    struct str type;
};

/* One test for each context. Names are not known yet. */
NODISCARD bool session_tests_make(struct session_tests *out, const struct session *session,
                                  struct arena *arena, struct err *err);

/* Names the tests whose methods are in this module. */
NODISCARD bool session_tests_name(struct session_tests *tests, const uint8_t mvid[16],
                                  const struct metadata *md, struct arena *arena, struct err *err);

/* --- hits --- */

struct logged_hit {
    uint32_t rid, test;
    struct str runs;
};

/* All counters of the module that a test hit, as the shards have them. */
struct module_marks {
    uint32_t test;
    uint8_t *hit;
};

struct test_hits {
    struct list logged; /* struct logged_hit, ascending rid, test */
    struct list marks;  /* struct module_marks */
    uint32_t next;      /* in logged */
    struct list found;  /* struct fact_hits, without the index of their module */
};

/* The process that has the counter file (session.hits), and the number that it gives it; false: no
 * process that attributes hits. */
bool test_hits_find(uint32_t *process, uint32_t *number, const struct session *session,
                    const struct session_counters *file);

/* Of the counter files of one module. */
NODISCARD bool test_hits_gather(struct test_hits *out, const struct session_tests *tests,
                                const struct session *session, const struct session_counters *files,
                                uint32_t file_count, struct arena *arena, struct err *err);

/* A method, and a way to hit it. */
struct method_vector {
    uint64_t *counters; /* 0 or 1 each */
    struct view tests;  /* index_set.h */
};

/* The vectors of a method, in the order of rows; `first` is its first counter. */
NODISCARD bool test_hits_of_method(struct list *out, struct test_hits *hits, uint32_t rid,
                                   uint32_t first, uint32_t count, struct arena *arena,
                                   struct err *err);

/* scenario.h - part of a test in a process of its own: there is one profiler a process, and
 * cmocka's assertions would go on with the next test there. */
#pragma once

#include <stdio.h>
#include <unistd.h>

#include "tests/support/temporary.h"

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* What a test's scenarios share; each test has its own. */
struct world;

/* Forks. False when an EXPECT failed, the process died, or it did not come to an end. `after`
 * (may be NULL) follows the scenario. */
bool scenario_survives(struct world *w, void (*scenario)(struct world *w), void (*after)(void));

/* The config of a session that the library is to read. */
void scenario_configure(struct temporary *session, const char *text);
/* The record of this very process in it: others may have left theirs. */
struct str scenario_record(struct temporary *session);

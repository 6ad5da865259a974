/* facts_fixture.h - facts made by hand, with every feature that a report has to get right; the C#
 * that they could come from is drawn in the .c. */
#pragma once

#include "coverage/facts/facts.h"
#include "tests/support/reasons.h"

/* Indexes into `modules`. */
enum {
    FIXTURE_CORE,   /* Shop.Core, instrumented in two runs */
    FIXTURE_CORE_9, /* Shop.Core once more, for another framework */
    FIXTURE_DATA,   /* never loaded */
    FIXTURE_LEGACY, /* skipped */
    FIXTURE_WEB,    /* nothing below the root */
    FIXTURE_ODD,    /* names outside ASCII, and outside XML */
    FIXTURE_COUNT
};

/* Everything that is meant to be changed by a test is a copy in the arena. Aborts without memory.
 */
void fixture_facts(struct facts *out, struct arena *arena);

/* A module of `method_count` methods with ten lines and a condition each, hit in one run. */
void fixture_large(struct facts *out, uint32_t method_count, struct arena *arena);

bool facts_equal(const struct facts *a, const struct facts *b);

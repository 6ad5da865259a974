/* carry_tests.h - the tests of an older build that a partial run of a newer one did not run, with
 * what they hit in methods whose code is the same: so the next change finds them
 * (impact).
 * Not carried is a test that ran in HEAD, whose hits are its own; one that is gone; and one whose
 * method has changed. What runs around tests is carried beside what HEAD has of it, but not if it
 * hit code that has changed, and ran again.
 * A test that hit code that has changed, and did not run again, is stale: how often it ran is 0. If
 * that is true of what may concern any test, such as a static constructor, all are stale.
 * Owner:  the arena. Errors: ERR_MEMORY, ERR_LIMIT. */
#pragma once

#include "coverage/facts/facts.h"

/* Sets tests and hits of `out`, which has the modules of `head` and one run. None if either does
 * not tell tests apart, or `head` is of a run that was not partial. */
NODISCARD bool carry_tests(struct facts *out, const struct facts *head, const struct facts *base,
                           struct arena *arena, struct err *err);

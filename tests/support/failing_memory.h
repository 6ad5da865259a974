/* failing_memory.h - takes memory away at each allocation in turn: an arena's item, a malloc of
 * ours (interposed.h), one of SQLite (not of libxml2, which leaks when memory ends).
 * Threads: none. */
#pragma once

#include "base/arena.h"

/* Makes SQLite allocate through these functions, too: call before anything uses SQLite, or it is
 * false. */
NODISCARD bool failing_memory_open(void);

/* The same, but SQLite keeps its own allocator: for tests that use it only through code that was
 * tested with failing_memory_open. */
void failing_memory_open_without_sqlite(void);

/* Does the whole of what is tested, in an arena of its own, and gives everything back. When it
 * succeeds, its result is right: the job has looked at it. */
typedef bool memory_job(void *context, struct arena *arena, struct err *err);

/* Runs the job with the first, the second, ... allocation failing, until there is none left to
 * fail. A job that fails has to say why, in one line, and to blame the memory; a program that goes
 * on without what it did not get has to come to the same result. Without a failing allocation the
 * job must succeed. Gives the number of allocations. With ILCOV_TEST_BRIEF, after the 17th
 * only every 17th fails. */
unsigned failing_memory_check(const char *name, memory_job *job, void *context);

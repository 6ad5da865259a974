/* unfinished.h - what has begun in processes and not ended, for people who look for what hangs:
 * tests (with --per-test), and awaits that have not gone on (coverage/collect/pending_awaits.h).
 *
 *   these tests have begun and not ended:
 *      at N.Tests.Waits() in tests/Tests.cs:line 12
 *   these awaits have not gone on:
 *      at N.Worker.Loop() in src/Worker.cs:line 30 (at least 1 of 5)
 */
#ifndef ILCOV_CLI_PROCESS_UNFINISHED_H
#define ILCOV_CLI_PROCESS_UNFINISHED_H

#include "cli/process/process.h"

struct unfinished {
    const char *path; /* of the session */
    const struct session *session;
    struct process *const *processes;
    uint32_t process_count;
    struct str root; /* sources below it are shown relative to it */
};

/* Says it on standard error; nothing where nothing is known. */
void unfinished_say(const struct unfinished *u, struct arena *arena);

#endif

/* session_life.h - sessions whose program was killed before it could remove them.
 * The program holds the flock of its session's config as long as it lives, and processes of its
 * command those of their counter files: the kernel frees both however they die, and across
 * namespaces, where process numbers say nothing. A process that has counted nothing yet is known by
 * the name of its record.
 * An orphan is removed by the next run, not collected: what the killed run was asked for, and the
 * status of its command, died with it. While its command still counts it is left alone. */
#ifndef ILCOV_COVERAGE_SESSION_SESSION_LIFE_H
#define ILCOV_COVERAGE_SESSION_SESSION_LIFE_H

#include <sys/types.h>

#include "base/err.h"

enum session_state {
    SESSION_NONE,     /* no session, or one of another user that nothing is known of */
    SESSION_IN_USE,   /* its program lives */
    SESSION_RUNS_ON,  /* its program is gone, its command still counts there */
    SESSION_ORPHANED, /* nobody uses it */
};

/* Marks the session as in use, as long as this process lives. False where locks are not to be had:
 * then the process number alone protects it. */
bool session_hold(const char *path);

/* For who reads a session that another may remove: session_remove waits until it is closed. -1:
 * locks are not to be had. */
int session_share(const char *path);

/* Removes a session that this process holds, unless its name tells no owner (--keep-session), or
 * some process counts in it. */
void session_leave(const char *path);

enum session_state session_state(const char *path);

/* Calls `visit` with the path, owner and state of each session in `parent` that there is. */
void session_visit(const char *parent,
                   void (*visit)(void *context, const char *path, pid_t owner,
                                 enum session_state state),
                   void *context);

/* Removes a session of ours, by whatever name, that nobody uses: SESSION_ORPHANED. SESSION_NONE:
 * that failed, and `err` tells why. */
enum session_state session_remove_unused(const char *path, struct err *err);

/* Removes it when it is an orphan; of several that try one does. True when this did. */
bool session_remove_orphan(const char *path);

#endif

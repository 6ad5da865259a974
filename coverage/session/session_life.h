/* session_life.h - sessions whose program was killed before it could remove them. The program holds
 * a flock on its session's config while it lives, and processes of its command hold one on their
 * counter files: the kernel releases both however they die, also across PID namespaces, where
 * process IDs mean nothing. A process that has not counted anything yet is recognised by the name
 * of its record. The next run removes an orphan and does not collect it: the options of the killed
 * run and the status of its command are lost. While its command still counts, the session is left
 * alone. */
#pragma once

#include "base/err.h"

enum session_state {
    SESSION_NONE,     /* not a session, or one of another user that cannot be examined */
    SESSION_IN_USE,   /* its program lives */
    SESSION_RUNS_ON,  /* its program is gone, but its command still counts there */
    SESSION_ORPHANED, /* no process uses it */
};

/* Marks the session as in use while this process lives. False if locks are not available: then only
 * the process ID protects it. */
bool session_hold(const char *path);

/* For readers of a session that another process may remove: session_remove waits until the
 * descriptor is closed. Waits while one of them is the last. -1 if locks are not available. */
int session_share(const char *path);

/* Does nobody else share it? Then `share` keeps others waiting until session_share_on; else it has
 * no lock until then, so of several that ask one is the last. True without a lock. */
bool session_share_is_last(int share);
void session_share_on(int share);

/* Removes a session that this process holds, unless its name has no owner (--keep-session) or a
 * process still counts in it. */
void session_leave(const char *path);

enum session_state session_state(const char *path);

/* Calls `visit` with the path, owner and state of each session in `parent`. */
void session_visit(const char *parent,
                   void (*visit)(void *context, const char *path, int owner,
                                 enum session_state state),
                   void *context);

/* The same for sessions that are to be kept, which no ilcov owns; `user` is the owner of the
 * directory. */
void session_visit_kept(const char *parent,
                        void (*visit)(void *context, const char *path, uint32_t user),
                        void *context);

/* Does the process that reported to the session under this ID still run? */
bool session_process_runs(const char *path, uint32_t pid);

/* Removes a session of this user, whatever its name, that no process uses: SESSION_ORPHANED.
 * SESSION_NONE: this failed, and `err` says why. */
enum session_state session_remove_unused(const char *path, struct err *err);

/* Removes the session if it is an orphan. If several processes try, one succeeds; true in that
 * one. */
bool session_remove_orphan(const char *path);

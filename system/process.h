/* process.h - this process and others: their names, programs, files and lives. A process ID is an
 * int; another process may have it at any time after one ended: who must be sure compares the start
 * of process_status.h.
 * Source: proc(5). A process may change or end at any time; what it says of itself is not to be
 *         trusted.
 * Owner:  the caller's buffers; nothing is allocated but in the arena. */
#pragma once

#include "base/text.h"

/* In place of a pid. 0 would not do: getppid gives it for a parent in another namespace. */
enum {
    PROCESS_SELF = -1,   /* this process, whatever its pid in the namespace of /proc */
    PROCESS_PARENT = -2, /* the parent of this process */
};

enum {
    PROCESS_PATH_ROOM = 64, /* bytes of "/proc/<pid>/<name>" with its NUL */
};

/* `name` is relative to the folder of the process, such as "status". */
void process_file_path(char out[PROCESS_PATH_ROOM], int pid, const char *name);

/* The first room - 1 bytes of the file, followed by a NUL that `len` does not count. False, with an
 * empty `out`, if there is nothing to read, or no right to. */
bool process_file_read(char *out, size_t *len, size_t room, int pid, const char *name);

/* The first room - 1 bytes of the link's target, followed by a NUL. False, with an empty `out` and
 * errno set, if it cannot be read. */
bool process_file_link(char *out, size_t room, int pid, const char *name);

/* This process. */

/* Its ID, and that of its parent: 0 for one in another namespace. */
int process_self(void);
int process_self_parent(void);

/* The file name of its program, as it was started. */
const char *process_self_name(void);

/* Is there a process of this ID, whoever it belongs to? One that has ended is there until its
 * parent has waited for it. */
bool process_lives(int pid);

/* Asks it to end in order (SIGTERM). */
void process_ask_to_end(int pid);

/* Ends it at once (SIGKILL). */
void process_kill(int pid);

/* Calls `take` for each process until it returns false. Some may have ended meanwhile, others
 * started. False, with errno set, if /proc cannot be listed. */
NODISCARD bool process_list_visit(bool (*take)(void *context, int pid), void *context);

/* The name that the kernel has for a process or one of its threads. Both choose their name
 * themselves, out of any bytes. Source: /proc/<pid>/comm, /proc/<pid>/task/<tid>/comm. */

enum {
    PROCESS_NAME_ROOM = 32 /* bytes; the kernel's own limit, TASK_COMM_LEN, is 16 */
};

/* False, with an empty name, if there is no such process or thread. */
bool process_name_read(char out[PROCESS_NAME_ROOM], int pid);
bool process_name_of_thread(char out[PROCESS_NAME_ROOM], int pid, uint32_t thread);

/* Which program it runs, and with which arguments and environment variables it started. Source:
 * /proc/<pid>/exe, cmdline and environ. */

/* The program's file: a real path, as the process sees it; " (deleted)" may follow it. Cut at
 * room - 1 bytes. ERR_IO, with an empty `out`: only its owner may know. */
bool process_program_path(char *out, size_t room, int pid, struct err *err);

/* The first room - 1 bytes of the command line, in `len`: each argument with a NUL after it, and
 * one more NUL at the end. False if it has none or has ended. */
bool process_program_arguments(char *out, size_t *len, size_t room, int pid);

/* NAME=value, each with a NUL after it, in the arena. `out->text` is NULL if ilcov may not read it,
 * which is not an error. ERR_IO, ERR_MEMORY. */
NODISCARD bool process_program_environment(struct str *out, int pid, struct arena *arena,
                                           struct err *err);

/* Calls `take` with what each open descriptor leads to, mostly a path, until it returns false. The
 * target is valid during the call, without a NUL after it. Nothing if they cannot be read. */
void process_descriptors_visit(int pid, bool (*take)(void *context, struct str target),
                               void *context);

/* Which files it sees, in a container or after chroot, and how to reach them. Source:
 * /proc/<pid>/root, cwd and ns/mnt. */

/* Does the process have the caller's mount namespace and root, so that paths mean the same? */
bool process_root_is_same(int pid);

/* Where its root is, as this process sees it. False, with an empty `out`, if that is not known. */
bool process_root_read(char *out, size_t room, int pid);

/* A path that leads to what the process sees under `path`, from its root; or from its current
 * folder. Valid as long as it lives. False if it is longer than `room`. */
NODISCARD bool process_root_path(char *out, size_t room, int pid, const char *path);
NODISCARD bool process_root_path_from_cwd(char *out, size_t room, int pid, const char *path);

/* The system call that a thread of this process waits in. Source: /proc/PID/task/TID/syscall;
 * syscalls(2). */

enum {
    PROCESS_NO_CALL = -1
};

/* Its number; PROCESS_NO_CALL: the thread runs, or waits for a lock (futex), as it also does when
 * it is stopped for a walk. */
int process_call_of_thread(uint32_t thread);

/* "poll"; NULL: none that usually waits. */
const char *process_call_name(int number);

/* "NAME=value" each, with NULL after them; NULL if there are none at all. Theirs is the memory of
 * the process: setenv may change it. */
char **variables_all(void);

/* process_root.h - which files a process sees, in a container or after chroot, and how to reach
 * them.
 * Source: proc(5), /proc/<pid>/root, cwd and ns/mnt. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_ROOT_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_ROOT_H

#include "system/process/process_file.h"

/* Does the process have the caller's mount namespace and root, so that paths mean the same? */
bool process_root_is_same(int pid);

/* Where its root is, as this process sees it. False, with an empty `out`, if that is not known. */
bool process_root_read(char *out, size_t room, int pid);

/* A path that leads to what the process sees under `path`, from its root; or from its current
 * folder. Valid as long as it lives. False if it is longer than `room`. */
NODISCARD bool process_root_path(char *out, size_t room, int pid, const char *path);
NODISCARD bool process_root_path_from_cwd(char *out, size_t room, int pid, const char *path);

#endif

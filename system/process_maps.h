/* process_maps.h - which files a process has mapped: its program, its libraries, its counters.
 * Source: proc(5), /proc/<pid>/maps. Only its owner may read it. */
#pragma once

#include "base/text.h"
#include "system/process.h"

/* Calls `take` with the path of each mapping of a file, in the order of addresses, until it returns
 * false. The path is valid during the call, without a NUL after it. False if the mappings may
 * not be read. */
bool process_maps_visit(int pid, bool (*take)(void *context, struct str path), void *context);

/* The same for what looks like the stack of a thread: the main one's, and memory right above a few
 * inaccessible pages, which is how the C library makes stacks. Other memory may look like that,
 * too. `high` is the address after its last byte. */
bool process_maps_visit_stacks(int pid, bool (*take)(void *context, uintptr_t low, uintptr_t high),
                               void *context);

/* For messages. */
void process_maps_path(char out[PROCESS_PATH_ROOM], int pid);

/* memory_room.h - how much more memory this process may use.
 * Source: cgroups(7), memory.max of version 2 and memory.limit_in_bytes of version 1.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_MEMORY_ROOM_H
#define ILCOV_SYSTEM_MEMORY_ROOM_H

#include <stdint.h>

/* Bytes that its container leaves, shared memory included; UINT64_MAX if nothing limits them. */
uint64_t memory_room(void);

#endif

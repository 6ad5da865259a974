/* map.h - address space from the operating system: reserved, filled with memory or with a file that
 * is shared with other processes, and given back. A file that is only read is copied instead
 * (system/file_bytes.h): a mapping of it ends in SIGBUS when somebody cuts the file.
 * Units:  `len` in bytes. Places, offsets in a file, and what is put at a given place, are
 *         multiples of map_granularity().
 * Owner:  whoever mapped it gives it back with map_release; nothing else keeps track of it.
 * Errors: NULL or false with the system's reason in errno, for err_set_errno: only the caller knows
 *         what the memory was for.
 * Target: safe to call there on any thread: no lock, no allocation, libc only. */
#ifndef ILCOV_SYSTEM_MAP_H
#define ILCOV_SYSTEM_MAP_H

#include "base/base.h"

/* The page of the machine that this runs on: 4, 16 or 64 KiB. */
size_t map_granularity(void);
/* The least multiple of it that holds `len` bytes. */
size_t map_whole(size_t len);

/* Addresses that nobody else gets, and that may not be touched until something is put there. `at`
 * 0: anywhere; else there or not at all. NULL when there are none. */
NODISCARD uint8_t *map_reserve(uintptr_t at, size_t len);

/* Lets go of what was put at a reserved place, and reserves it again. False when the place is lost:
 * another thread of the process may have it by now. */
NODISCARD bool map_reserve_again(void *at, size_t len);

/* Zeroed memory of this process, anywhere. NULL when there is none. */
NODISCARD uint8_t *map_memory(size_t len);

/* `len` bytes of an open file, to be read and written, shared with all who map them. The file must
 * be that long already: nothing here changes its size. The mapping does not need `fd` any longer,
 * and holds the file's lock. NULL when it cannot be mapped. */
NODISCARD uint8_t *map_shared(int fd, size_t len);

/* The same two over a reserved place. After a failure the place may have nothing in it any more:
 * map_reserve_again. */
NODISCARD bool map_memory_at(void *at, size_t len);
NODISCARD bool map_shared_at(void *at, size_t len, int fd, size_t offset);

/* Gives back a whole mapping, or a reserved place with all that was put there. */
void map_release(void *at, size_t len);

/* Does the system allow the process so many mappings more? Tried, and given back at once. */
bool map_allows_more(unsigned mappings);

/* Bytes of address space that RLIMIT_AS leaves the process; UINT64_MAX without such a limit. */
uint64_t map_address_space_left(void);

#endif

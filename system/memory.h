/* memory.h - address space from the operating system: reserved, filled with memory or with a file
 * that is shared with other processes, and released; and how much memory there is. A file that is
 * only read is copied instead (file_bytes_read): a mapping would end in SIGBUS if it is truncated.
 * Units:  `len` in bytes. Addresses, offsets in a file, and the length of a mapping at a given
 *         address are multiples of map_granularity().
 * Owner:  the caller, who releases it with map_release; nothing else keeps track of it.
 * Errors: NULL or false with the system's reason in errno, for err_set_errno: only the caller knows
 *         what the memory was for.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#pragma once

#include "base/base.h"

/* The page size of this machine: 4, 16 or 64 KiB. */
size_t map_granularity(void);
/* `len` rounded up to a multiple of it. */
size_t map_whole(size_t len);

/* Addresses that no other mapping gets, and that must not be accessed until something is mapped
 * there. `at` 0: anywhere; otherwise there or not at all. NULL if there are none. */
NODISCARD uint8_t *map_reserve(uintptr_t at, size_t len);

/* Unmaps what is at a reserved place, and reserves it again. False if the place is lost: another
 * thread of the process may have it by now. */
NODISCARD bool map_reserve_again(void *at, size_t len);

/* Zeroed private memory, anywhere. NULL if there is none. */
NODISCARD uint8_t *map_memory(size_t len);

/* Zeroes that may only be read, and that take no memory until map_writable; `at` as in map_reserve.
 * NULL if there are no addresses. */
NODISCARD uint8_t *map_zeroes(uintptr_t at, size_t len);
/* Makes part of them writable. */
NODISCARD bool map_writable(void *at, size_t len);

/* `len` bytes of an open file, readable and writable, shared with all processes that map them. The
 * file must have that length already: it is not resized here. The mapping no longer needs `fd`, and
 * holds the file's lock. NULL if it cannot be mapped. */
NODISCARD uint8_t *map_shared(int fd, size_t len);

/* The same two at a reserved place. After a failure the place may no longer be reserved:
 * map_reserve_again. */
NODISCARD bool map_memory_at(void *at, size_t len);
NODISCARD bool map_shared_at(void *at, size_t len, int fd, size_t offset);

/* Releases a whole mapping, or a reserved place with everything that was mapped there. */
void map_release(void *at, size_t len);

/* Does the system allow the process this many more mappings? Tries it, and releases them at once.
 */
bool map_allows_more(unsigned mappings);

/* Bytes of address space that RLIMIT_AS leaves this process, or another of the same user;
 * UINT64_MAX without such a limit. */
uint64_t map_address_space_left(void);
uint64_t map_address_space_left_to(int process);

/* Bytes that its container leaves, shared memory included; UINT64_MAX if nothing limits them. */
uint64_t memory_room(void);

/* From now on most of it stays with the process, for its next allocations. For a program that often
 * frees some megabytes and needs them again: the kernel would have to clear every page anew. */
void freed_memory_keep(void);

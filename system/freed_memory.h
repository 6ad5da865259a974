/* freed_memory.h - what becomes of memory that this program has freed. */
#ifndef ILCOV_SYSTEM_FREED_MEMORY_H
#define ILCOV_SYSTEM_FREED_MEMORY_H

/* From now on most of it stays with the process, for its next allocations. For a program that often
 * frees some megabytes and needs them again: the kernel would have to clear every page anew. */
void freed_memory_keep(void);

#endif

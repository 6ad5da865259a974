/* shard_table.h - which shard the code on a stack counts in: a table over the whole address space
 * with an entry of 8 bytes for each 16 KiB of it. The entry sequence of a method
 * (rewriter/rewrite.c) reads the entry of the address of a local; it holds the distance from
 * shard 0 to the shard of the thread whose stack that is, so 0 wherever no thread is known. What
 * would be the entry before the first is always 0.
 *
 * 64 GiB of addresses (128 on arm64) that are only read cost nothing. What is written for a thread
 * is 8 bytes for each 16 KiB of its stack. If address space is limited, the table has 8 MiB, and
 * addresses 16 GiB apart share an entry.
 * Threads: an entry is written by the thread whose stack it is, before its code runs, or before any
 *          code reads entries; only that thread reads it. Callers hold the layout lock. */
#pragma once

#include "system/thread.h"

struct shard_table {
    uint64_t *entries; /* NULL: none, and every method counts at absolute addresses */
    size_t len;        /* bytes */
    uint64_t chunks;   /* mask for the number of an entry; 0: none is needed */
};

/* False if there is no address space; then there is no table. */
NODISCARD bool shard_table_open(struct shard_table *out, bool limited_space);
void shard_table_close(struct shard_table *table);

/* False if the system does not allow it, and nothing is changed. */
NODISCARD bool shard_table_set(const struct shard_table *table, struct thread_stack stack,
                               uint64_t base);
/* The same for a stack whose entries are set, as fast as it can be. */
void shard_table_change(const struct shard_table *table, uintptr_t low, uintptr_t high,
                        uint64_t base);
uint64_t shard_table_get(const struct shard_table *table, uintptr_t address);

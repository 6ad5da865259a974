/* mapped_places.h - which instructions of a new body get a row in the map of IL offsets, by which
 * the runtime finds the lines of stack traces.
 * For each place that the JIT reports, the runtime walks through the rows from the first on
 * (ComposeMapping in its vm/debuginfostore.cpp), so without a bound the time to compile a method
 * would grow with the square of its length. */
#pragma once

#include "rewriter/flow.h"

enum {
    MAP_ROWS_MAX = 4096,
    MAP_ROWS_FEW = 2048 /* at most, of a method with more statements than MAP_ROWS_MAX */
};

/* Marks them in `kept`, which has a place for each instruction; returns how many they are. */
uint32_t mapped_places(bool *kept, const struct flow *flow);

/* Of every how many statements one has a row. 1: every line is exact. Otherwise a line in a stack
 * trace of the method may be that of one of as many statements, less one, further up. */
uint32_t mapped_places_step(const struct flow *flow);

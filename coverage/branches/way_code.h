/* way_code.h - what the code on the way to a dispatch does: does it look at the same value as
 * another dispatch?
 * Units:  a way goes from the start of block `first` to the branch at the end of `last`, both
 *         included; the blocks between have one way out.
 * Pure:   branches in. */
#pragma once

#include "coverage/branches/branches.h"

/* What begins on the way, by its hidden points. */
enum way_kind {
    WAY_BEGINS,    /* behind a condition on a constant, which Debug code has before each switch
                      expression: another one */
    WAY_CONTINUES, /* nowhere: the same switch goes on */
    WAY_EVALUATES, /* behind code that gets a value: a property that a pattern asks for */
    WAY_OPENS, /* before all code: an arm that is a switch itself, or a switch that follows, or a
                  pattern that binds a variable */
};
enum way_kind way_code_kind(const struct point_map *map, uint32_t first, uint32_t last);

/* Does the way, which is of that kind, load a variable that the dispatch at the end of block
 * `member` loads or stores? Where it evaluates, also the address of one, and one that the code
 * before that dispatch uses. */
bool way_code_shares_value(const struct branches *branches, uint32_t first, uint32_t last,
                           uint32_t member, enum way_kind kind);

/* Several tests of a switch may lead to one guard. Then the compiler notes in a variable of its own
 * which one did, and goes on there if the guard says no. Does block `n` test such a note? */
bool way_code_tests_note(const struct point_map *map, uint32_t n);
/* The same where it is known that a guard begins in block `guard`. */
bool way_code_tests_note_of(const struct point_map *map, uint32_t n, uint32_t guard);

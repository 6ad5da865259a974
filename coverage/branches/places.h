/* places.h - where the ways of a decision lead: the sequence point at which each comes out. What
 * stands before that place in the source is what an outcome is called (collect/arm_names.h).
 * Pure:   used by decide.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_PLACES_H
#define ILCOV_COVERAGE_BRANCHES_PLACES_H

#include "coverage/branches/decisions.h"

/* Fills in the `place` of all parts. */
void places_find(struct decisions *decisions, const struct board *board);

#endif

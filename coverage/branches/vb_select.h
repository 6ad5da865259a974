/* vb_select.h - Select Case of strings in Visual Basic: comparisons one behind another, or a search for a hash
 * before them, under the visible point of `Select Case`. They are one switch.
 * Pure: used by judge.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_VB_SELECT_H
#define ILCOV_COVERAGE_BRANCHES_VB_SELECT_H

#include "coverage/branches/judge.h"

/* Makes dispatches of the conditions that are part of one. */
void select_find(struct judge *j);

#endif

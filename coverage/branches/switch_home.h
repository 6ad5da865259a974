/* switch_home.h - which switch of C# a point or test belongs to, by the source: that whose braces
 * are the innermost around it. Code alone does not tell a switch from one that is an arm of it, or
 * that follows it, where both look at one value.
 * Units:  a home is the token of the opening brace; NO_INDEX: there is none, or it is not known.
 * Pure:   branches in. */
#pragma once

#include "coverage/branches/branches.h"

/* Once all dispatches are found: the homes of all points and of the tests of switches. Without the
 * source they stay unknown. */
NODISCARD bool switch_homes_find(struct branches *branches, struct arena *arena, struct err *err);

/* May the group of tests that block `n` is part of ask a guard, or lead to an arm, at the point? */
bool switch_home_of_point(struct branches *branches, uint32_t n, uint32_t point);

/* May two points be of one switch? */
bool switch_home_is_one(const struct branches *branches, uint32_t a, uint32_t b);

/* Are two tests known to be of one switch? */
bool switch_home_is_same(struct branches *branches, uint32_t a, uint32_t b);

/* Joins the groups of two tests unless they are of different switches; false if nothing changed. */
bool switch_home_unite(struct branches *branches, uint32_t a, uint32_t b);

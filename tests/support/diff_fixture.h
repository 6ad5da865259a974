/* diff_fixture.h - diffs made by hand: every state of a line and an outcome, every kind of a
 * method, names that mean something to a format.
 * Owner: static, but for the huge one, which lives in the arena. */
#pragma once

#include "coverage/diff/diff.h"
#include "reporters/sources.h"

void fixture_diff(struct diff *out);
/* Two data files that are the same. */
void fixture_diff_empty(struct diff *out);
/* No BASE; every line is new then, but only those of the patch owe anything. */
void fixture_diff_patch(struct diff *out);
/* Every line lost or new, names long and full of what must be escaped. A file has ten lines and a
 * method. Aborts without memory. */
void fixture_diff_huge(struct diff *out, uint32_t file_count, struct arena *arena);

/* The text tells the line; none of "src/unknown.cs". */
extern const struct sources fixture_sources;

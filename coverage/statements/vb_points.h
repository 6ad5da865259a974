/* vb_points.h - what the sequence points of Visual Basic stand for. */
#pragma once

#include "coverage/statements/statements_source.h"

/* A constructor of a structure first sets it to zero, under a point around all of its text, from
 * `Sub New` to `End Sub`, which nobody wrote as a statement: it is hidden. */
void vb_points_hide_whole(struct seq_points *points, const struct il *il);

/* Does the text of the point begin with the word, in whatever case? `word`: in lower case. False
 * without the source, too. */
bool vb_points_begins_with(const struct line_index *text, const struct seq_points *points,
                           uint32_t point, const char *word);

/* Does the text say that the point only ends a block: `End If`, `Next i`, `Loop`? False without the
 * source. */
bool vb_points_ends_block(const struct statements_source *source, uint32_t point);

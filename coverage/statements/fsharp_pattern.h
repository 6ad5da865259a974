/* fsharp_pattern.h - what only patterns of F# test: a tag, a type, null, an active pattern; and the
 * rules of a `with`.
 * Pure:   flow graph, metadata and sequence points in. */
#pragma once

#include "metadata/pdb.h"
#include "rewriter/flow.h"

/* Does the branch at the end of block `n` test what only patterns test? */
bool fsharp_tests_pattern(const struct flow *flow, uint32_t n);

/* The rules of a `with` are tried in an exception filter. The point of a rule there spans all of
 * the rule, also its body, whose statements are in the handler: it then ends where the body begins,
 * so that lines of the body have the hits of the body. */
void fsharp_filter_cut_rules(struct seq_points *points, const struct il_body *body);

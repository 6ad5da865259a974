/* fsharp_filter.h - the rules of a `with` of F# that are tried in an exception filter. The point of
 * a rule there spans all of the rule, also its body, whose statements are in the handler.
 * Pure:   method body and sequence points in. */
#ifndef ILCOV_COVERAGE_STATEMENTS_FSHARP_FILTER_H
#define ILCOV_COVERAGE_STATEMENTS_FSHARP_FILTER_H

#include "metadata/pdb.h"
#include "rewriter/body.h"

/* The point of a rule then ends where its body begins: lines of the body have the hits of the
 * body. */
void fsharp_filter_cut_rules(struct seq_points *points, const struct il_body *body);

#endif

/* dispatch.h - a switch that another one leads to: is it part of it, or the next?
 * A compiler makes one switch of many branches. Where one of them leads to another, that may be more
 * of the same tree, or the dispatch of a switch that begins there. The latter has a hidden point of
 * its own (so may the former, where a pattern has bound variables), and looks at other values.
 * Pure: used by judge.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_DISPATCH_H
#define ILCOV_COVERAGE_BRANCHES_DISPATCH_H

#include "coverage/branches/point_map.h"

/* On the way from the start of block `first` to the branch at the end of `last`, both included, with
 * blocks of one way out between: does a hidden point begin? */
bool dispatch_begins(const struct cover *cover, uint32_t first, uint32_t last);

/* Does that way load a variable that the dispatch at the end of block `member` loads or stores? */
bool dispatch_shares(const struct cover *cover, uint32_t first, uint32_t last, uint32_t member);

#endif

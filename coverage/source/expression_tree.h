/* expression_tree.h - a C# statement as a tree of its conditions: && || ! ?: ?? ?. switch and
 * patterns. Everything else is opaque text around them.
 * Owner:  nodes live in the arena. */
#ifndef ILCOV_COVERAGE_SOURCE_EXPRESSION_TREE_H
#define ILCOV_COVERAGE_SOURCE_EXPRESSION_TREE_H

#include "coverage/source/expression_node.h"

struct expression_tree {
    struct node *root; /* NULL: it can't be read with certainty */
    bool awaits;
    bool is_bare; /* no keyword, assignment or semicolon: it may be the condition of a loop */
};

/* False only if out of memory. */
NODISCARD bool expression_tree_make(struct expression_tree *out, struct str text,
                                    struct arena *arena, struct err *err);

#endif

/* tree_node.h - what an index shows: folders and files, or assemblies, namespaces, types and
 * methods, each with its totals.
 * Owner:  nodes live in an arena; texts are views. */
#pragma once

#include "coverage/report/report.h"

enum tree_kind {
    TREE_ROOT, /* its page and label are given */
    TREE_FOLDER,
    TREE_RANGE, /* some of the many children of a node: "A.cs – M.cs" */
    TREE_FILE,
    TREE_ASSEMBLY,
    TREE_NAMESPACE,
    TREE_TYPE,
    TREE_METHOD,
};

struct tree_node {
    enum tree_kind kind;
    struct str label, remark; /* the name beside its siblings; what else tells it apart, or empty */
    struct str path;          /* its whole name: for filters, and where the tree is not shown */
    struct str page;          /* its source page, or its own index page; empty: it has none */
    uint32_t line;            /* in a source page; 0: its top */
    struct str missed_page;   /* where its first miss is; empty: there is none */
    uint32_t missed_line;
    struct report_totals totals;
    bool not_loaded;
    uint32_t row_count; /* of it and all below */
    uint32_t number;    /* for the row's id */
    struct tree_node *parent, *first, *last, *next;
};

/* A new last child. */
NODISCARD struct tree_node *tree_add(struct tree_node *parent, enum tree_kind kind,
                                     struct str label, struct arena *arena, struct err *err);

/* Adds up totals, rows and first misses from the leaves to the root, and numbers the rows. A node
 * whose totals are given keeps them. */
void tree_finish(struct tree_node *root);

/* Puts ranges of at most `row_max` rows between a node of more children than that and its children,
 * in the whole tree. Before tree_finish. */
NODISCARD bool tree_divide(struct tree_node *root, uint32_t row_max, struct arena *arena,
                           struct err *err);

/* The node after `node` in the order of the rows, within `root`; NULL after the last one. */
struct tree_node *tree_next(const struct tree_node *root, const struct tree_node *node);
/* Likewise, but none below `node`. */
struct tree_node *tree_after(const struct tree_node *root, const struct tree_node *node);

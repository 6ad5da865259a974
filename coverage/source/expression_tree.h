/* expression_tree.h - a C# statement as a tree of its conditions: && || ! ?: ?? ?. switch and
 * patterns. Everything else is opaque text around them.
 * Owner:  nodes live in the arena. */
#ifndef ILCOV_COVERAGE_SOURCE_EXPRESSION_TREE_H
#define ILCOV_COVERAGE_SOURCE_EXPRESSION_TREE_H

#include "coverage/source/tokens.h"

/* The kind of condition, if a node is one. */
enum condition_kind {
    CONDITION_TEST,      /* an operand, or a whole condition */
    CONDITION_TYPE_TEST, /* the same, but `is` or `as` in it may test a type */
    CONDITION_COMPARE,   /* `> 3` or a literal in a pattern: the code compares */
    CONDITION_NULL,      /* of ?? and ?.: is it null? */
    CONDITION_SWITCH     /* what a switch chooses by */
};

enum node_kind {
    NODE_VALUE,    /* opaque text; conditions in it are in `parts` */
    NODE_ASK,      /* a: the condition of an `if` */
    NODE_AND,      /* a, b */
    NODE_OR,       /* a, b */
    NODE_NOT,      /* a */
    NODE_TERNARY,  /* a ? b : c */
    NODE_COALESCE, /* a ?? b */
    NODE_ACCESS,   /* the expression before ?. */
    NODE_SWITCH    /* what a switch chooses by */
};

enum {
    NODE_NO_CONDITION = -1
};

struct node {
    enum node_kind kind;
    enum condition_kind asks;
    uint32_t start, end; /* bytes */
    struct node *a, *b, *c;
    struct node *parts, *last_part; /* of a value, in order of evaluation */
    struct node *next;              /* part */
    uint32_t chain;                 /* parts of `x?.F(p)?.G(q)` have the same; first token of it */
    int32_t condition;              /* for the user of the tree; initially none */
};

struct expression_tree {
    struct node *root; /* NULL: it can't be read with certainty */
    bool awaits;
    bool is_bare; /* no keyword, assignment or semicolon: it may be the condition of a loop */
};

/* False only if out of memory. */
NODISCARD bool expression_tree_make(struct expression_tree *out, struct str text,
                                    struct arena *arena, struct err *err);

#endif

/* expression_tree.h - a statement of C# or Visual Basic as a tree of its conditions: && || ! ?: ??
 * ?. switch and patterns. Everything else is opaque text around them.
 * Units:  `first` and `end` are indexes of tokens; `end` is the one after the last.
 * Owner:  tokens and nodes live in the arena. */
#pragma once

#include "coverage/source/tokens.h"

/* The kind of condition, if a node is one. */
enum condition_kind {
    CONDITION_TEST,      /* an operand, or a whole condition */
    CONDITION_CAST,      /* the same with `as` in it, which may test a type */
    CONDITION_TYPE_TEST, /* `is` with a name: of a type, or of a constant */
    CONDITION_COMPARE,   /* `is` with `> 3`, a number or a character: the code compares */
    CONDITION_EQUAL,     /* `is` with another literal, or 0: the code may only test for it */
    CONDITION_NULL,      /* of ?? and ?.: is it null? */
    CONDITION_OBJECT,    /* of `{ A: p }`: is there an object? */
    CONDITION_SEVERAL,   /* the code asks it in steps that the text does not show: `is [1, 2]` */
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
    bool names_null;  /* the text has the word `null` or `HasValue` */
    bool is_equality; /* the text has == or != */
    bool is_pattern;  /* the text is a pattern, without what it is compared with, or `A: p` */
    struct str name;  /* CONDITION_TYPE_TEST: last word of the type or constant */
    uint32_t first, end;
    struct node *a, *b, *c;
    struct node *parts, *last_part; /* of a value, in order of evaluation */
    struct node *next;              /* part */
    uint32_t chain;                 /* parts of `x?.F(p)?.G(q)` have the same; first token of it */
    int32_t condition;              /* for the user of the tree; initially none */
};

struct expression_tree {
    struct tokens tokens;
    struct node *root; /* NULL: it can't be read with certainty */
    bool awaits;
};

enum text_reading {
    READ_STATEMENT,  /* of C# */
    READ_LOOP,       /* the condition of a `for`, which the text does not show */
    READ_BASIC,      /* of Visual Basic */
    READ_BASIC_VALUE /* an expression, which is the body of a lambda */
};

/* False only if out of memory. */
NODISCARD bool expression_tree_make(struct expression_tree *out, struct str text,
                                    enum text_reading reading, struct arena *arena,
                                    struct err *err);

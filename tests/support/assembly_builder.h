/* assembly_builder.h - builds the assembly "Handmade", with tests of xunit's and what runs around
 * them. */
#pragma once

#include "tests/support/il_builder.h"

/* Rows of its methods, all of one class; the first has no body. */
enum {
    ASSEMBLY_TEST = 2,           /* [Fact] this:void(), with a local */
    ASSEMBLY_STATIC_CONSTRUCTOR, /* .cctor */
    ASSEMBLY_PLAIN,              /* void(), one counter */
    ASSEMBLY_GIVES_CLASS,        /* [Fact] static class(), a tail call */
    ASSEMBLY_CONSTRUCTOR,        /* .ctor, called around tests */
    ASSEMBLY_TAIL_CALL,          /* void() */
    ASSEMBLY_CONDITION,          /* void(bool), two counters */
    ASSEMBLY_METHODS = ASSEMBLY_CONDITION,
};

/* Begins `b`. With a reference to `framework` two methods are tests; NULL: none is. */
struct view assembly_build(struct il_builder *b, const char *framework);

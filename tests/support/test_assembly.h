/* test_assembly.h - the assembly "Handmade" with tests of xunit's, method by method, for what tells
 * their hits apart. */
#ifndef ILCOV_TESTS_SUPPORT_TEST_ASSEMBLY_H
#define ILCOV_TESTS_SUPPORT_TEST_ASSEMBLY_H

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

/* `framework`: a reference to it makes it an assembly of tests; else it has none. Begins `b`. */
struct view test_assembly(struct il_builder *b, const char *framework);

#endif

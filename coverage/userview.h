/* userview.h - under which method of the user's each method is shown: the compiler moves code of
 * async methods, iterators, lambdas and local functions into methods and types of its own.
 * A state machine's MoveNext is linked by the PDB. A lambda or local function is found by its name,
 * <M>b__0_1 or <M>g__Name|0_1: a method M of the type around it; of several, the one whose lines
 * enclose it.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_USERVIEW_H
#define ILCOV_COVERAGE_USERVIEW_H

#include "metadata/module.h"

struct userview_method {
    uint32_t first_line, last_line; /* of its statements and of those folded into it; 0: none */
    uint32_t document;
    uint32_t user_rid; /* out: its own rid for what the user wrote */
};

/* `methods` by row, 1 first; lines and document are the caller's, user_rid is filled in. */
void userview_fold(struct userview_method *methods, uint32_t count, const struct module *module);

/* The user's type that a compiler-made one belongs to: the innermost enclosing type whose name
 * could be written. */
uint32_t userview_type(const struct metadata *md, uint32_t type_rid);

/* Is the method a member that the compiler makes of a record, union or anonymous type: Equals,
 * PrintMembers, Deconstruct, the copy constructor? Its points, if it has any, are no statements. */
bool userview_is_made(const struct metadata *md, uint32_t method_rid);

#endif

/* userview.h - the user's method under which each method is shown: the compiler moves code of
 * async methods, iterators, closures and local functions into methods and types of its own.
 *
 *   C#            <M>d__1.MoveNext, <>c.<M>b__0_1, <M>g__Name|0_1
 *   Visual Basic  VB$StateMachine_1_M.MoveNext, _Closure$__._Lambda$__1-0
 *   F#            M@12.Invoke, Name@14-1.GenerateNext, inner@20 (a method)
 *
 * A state machine's MoveNext is linked by the PDB, and with it the other methods of its type. C#'s
 * lambdas and local functions have the name of their method M; if several have that name, it is the
 * one whose lines enclose theirs. Everything else belongs to the method whose code creates the
 * type, or takes the method's address or calls it. */
#ifndef ILCOV_COVERAGE_NAMES_USERVIEW_H
#define ILCOV_COVERAGE_NAMES_USERVIEW_H

#include "base/list.h"
#include "metadata/module.h"
#include "rewriter/il.h"

struct userview_method {
    uint32_t first_line, last_line; /* of its statements and of those folded into it; 0: none */
    uint32_t document;
    uint32_t user_rid;     /* out: its own rid if the user wrote it */
    uint32_t mentioned_in; /* of one that the compiler made: the method that uses it, or 0 */
};

struct userview {
    const struct module *module;
    struct userview_method *methods; /* by row, from 1; the caller fills lines and document */
    uint32_t count;
    uint32_t *made_in;    /* per compiler-generated TypeDef: the method that uses it, or 0 */
    struct list mentions; /* of compiler-generated code, in the order of the code */
    struct arena *arena;
};

NODISCARD bool userview_open(struct userview *out, const struct module *module, struct arena *arena,
                             struct err *err);

/* Notes what the code of a method makes and calls. All methods must have been noted before
 * userview_fold. */
NODISCARD bool userview_note(struct userview *view, uint32_t method_rid, const struct il *il,
                             struct err *err);

/* Fills in every user_rid. */
void userview_fold(struct userview *view);

/* The user's type that a compiler-generated type belongs to: the innermost enclosing type with a
 * name that can be written in source. */
uint32_t userview_type(const struct metadata *md, uint32_t type_rid);

/* Is the method a member that the compiler generates for a record, union or anonymous type, such as
 * Equals, PrintMembers, Deconstruct or the copy constructor? Its points, if it has any, are not
 * statements. */
bool userview_is_made(const struct metadata *md, uint32_t method_rid);

#endif

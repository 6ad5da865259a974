/* user_method_map.h - the user's method under which each method is shown: the compiler moves code
 * of async methods, iterators, closures and local functions into methods and types of its own.
 *
 *   C#            <M>d__1.MoveNext, <>c.<M>b__0_1, <M>g__Name|0_1
 *   Visual Basic  VB$StateMachine_1_M.MoveNext, _Closure$__._Lambda$__1-0
 *   F#            M@12.Invoke, Name@14-1.GenerateNext, inner@20 (a method)
 *
 * A state machine's MoveNext is linked by the PDB, and with it the other methods of its type.
 * Everything else belongs to the method whose code creates the type, takes the method's address or
 * calls it. What nothing leads to is found by its name. */
#pragma once

#include "base/list.h"
#include "metadata/module.h"
#include "metadata/pdb.h"
#include "rewriter/il.h"

struct user_method {
    uint32_t first_line, last_line; /* of its statements and of those folded into it; 0: none */
    uint32_t document;
    uint32_t own_offset;   /* of a constructor: code before this initialises fields */
    uint32_t user_rid;     /* out: its own rid if the user wrote it */
    uint32_t mentioned_in; /* of one that the compiler made: the user's that leads to it, or 0 */
};

struct user_method_map {
    const struct module *module;
    struct user_method *methods; /* by row, from 1 */
    uint32_t count;
    uint32_t *of_reference; /* per MemberRef: the compiler-generated method that it names, or 0 */
    struct named_method *by_name; /* by where their names are in the heap, once they are needed */
    /* per compiler-generated TypeDef: the user's method that leads to it, or 0 */
    uint32_t *made_in;
    uint32_t *started_by;   /* per TypeDef: the user's method whose state machine it is, or 0 */
    struct list references; /* of compiler-generated code, in the order of the code */
    struct arena *arena;
};

NODISCARD bool user_method_map_open(struct user_method_map *out, const struct module *module,
                                    struct arena *arena, struct err *err);

/* Notes what the code of a method makes and calls. All methods must have been noted before
 * user_method_map_fold. */
NODISCARD bool user_method_map_note(struct user_method_map *view, uint32_t method_rid,
                                    const struct il *il, struct err *err);

/* Notes the lines of a method's points; of a constructor without the initialisers of fields. */
void user_method_map_note_lines(struct user_method_map *view, uint32_t method_rid,
                                const struct seq_points *points);

/* Fills in every user_rid. */
NODISCARD bool user_method_map_fold(struct user_method_map *view, struct err *err);

/* Is the method a member that the compiler generates for a record, union or anonymous type, such as
 * Equals, PrintMembers, Deconstruct or the copy constructor? Its points, if it has any, are not
 * statements. */
bool synthesized_method_is(const struct metadata *md, uint32_t method_rid);

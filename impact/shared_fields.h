/* shared_fields.h - fields in which tests meet: static ones, and those of objects that tests share,
 * because a static field or a fixture holds them.
 *   - Those of one thread, and of types that compilers make, are not among them.
 *   - What holds an object is known by its declaration: a field of this class, or a Lazy of it.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "coverage/names/method_hash.h"
#include "impact/new_build.h"

struct shared_field {
    struct str holds;      /* the name of its class, of an instantiation its definition's; "[]": an
                            * array; "": anything else */
    uint32_t module, type; /* of the build, row of TypeDef */
    uint32_t rid;          /* of Field */
    bool is_static, is_fixed;
    bool may_change; /* what it holds: a collection of .NET, an array, a Lazy, a ref of F# */
    bool is_number;  /* it has no part that a change of code might change */
    bool is_lazy;    /* what it holds makes a value when that is asked for */
};

struct shared_fields {
    const struct new_build *build;
    struct list list;     /* struct shared_field */
    bool **has_shared;    /* per module of the build and row of TypeDef: its objects are shared */
    uint32_t **of_field;  /* likewise of Field: 1 + its index, or 0 */
    uint32_t **of_member; /* likewise of MemberRef; NO_INDEX: nobody asked */
    struct arena *arena;
    struct err *err;
};

NODISCARD bool shared_fields_open(struct shared_fields *out, const struct new_build *build,
                                  struct arena *arena, struct err *err);

/* The field that an instruction names, itself or by an accessor that the compiler made: of an
 * event, or of a property that is read. NO_INDEX: none. */
uint32_t shared_fields_find(const struct shared_fields *fields, uint32_t module, uint32_t token);

/* Does the code after an instruction that loads the field change what it holds, or ask it for its
 * value? */
bool shared_field_is_changed(const struct shared_field *field, const struct metadata *md,
                             const struct il *il, uint32_t load);

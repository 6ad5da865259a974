/* no_return.h - which calls never come back: of methods with DoesNotReturnAttribute, be they of
 * this module, of an assembly that lies beside it, or of the framework (those that a program has
 * reason to call are listed here).
 * Of overloads with as many parameters all must have the attribute.
 * Owner:  lives in the arena; close it for the files that it opened. */
#ifndef ILCOV_COVERAGE_STATEMENTS_NO_RETURN_H
#define ILCOV_COVERAGE_STATEMENTS_NO_RETURN_H

#include "metadata/module.h"

struct no_return {
    const struct module *module;
    struct str folder; /* of the module's file; empty: what lies beside it is not known */
    uint8_t *of_method, *of_member; /* of each MethodDef and MemberRef: enum answer */
    struct module **beside;         /* of each AssemblyRef; NULL when it was not looked for */
    struct arena *arena;
};

/* `path` of the module's file, for its folder. */
NODISCARD bool no_return_open(struct no_return *out, const struct module *module, struct str path,
                              struct arena *arena, struct err *err);
void no_return_close(struct no_return *calls);

/* A MethodDef, MemberRef or MethodSpec token, as a call has it. */
bool no_return_is(struct no_return *calls, uint32_t token);

#endif

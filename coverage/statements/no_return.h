/* no_return.h - which calls never return: those of methods with DoesNotReturnAttribute, whether
 * they are in this module, in an assembly in the same folder, or in the framework (the ones that a
 * program has reason to call are listed here). If several overloads have the same number of
 * parameters, all must have the attribute.
 * Owner:  lives in the arena; close it to release the files that it opened. */
#pragma once

#include "metadata/module.h"

/* A type by its row in the metadata that defines it; rid 0: not found. */
struct defined_type {
    const struct metadata *md; /* NULL: it was not looked for */
    uint32_t rid;
};

struct no_return {
    const struct module *module;
    struct str folder;  /* of the module's file; empty: assemblies beside it are not known */
    bool has_attribute; /* the module names DoesNotReturnAttribute */
    uint8_t *of_method, *of_member; /* per MethodDef and MemberRef: enum answer */
    struct defined_type *of_type;   /* per TypeRef */
    struct module **beside;         /* per AssemblyRef; NULL if it was not looked for */
    struct arena *arena;
};

/* `path` of the module's file gives the folder. */
NODISCARD bool no_return_open(struct no_return *out, const struct module *module, struct str path,
                              struct arena *arena, struct err *err);
void no_return_close(struct no_return *calls);

/* `token`: the MethodDef, MemberRef or MethodSpec of the call. */
bool no_return_is(struct no_return *calls, uint32_t token);

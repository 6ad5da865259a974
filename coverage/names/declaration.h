/* declaration.h - what types, methods and a module declare besides code, as numbers that tell
 * whether another build declares the same: names, signatures, flags, bases, interfaces, fields,
 * constants, layouts, constraints, attributes, resources. Code elsewhere was compiled against it,
 * and reflection and serialisers see it at run time.
 * Same:   the order of types and methods and what compilers, analysers and version numbers add do
 *         not count. That of fields, properties and interfaces does: layouts, serialisers and casts
 *         depend on it. Where a test stands, which attributes of frameworks have, does not.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/names/method_hash.h"

struct declarations {
    const struct module *module;
    struct method_hasher *hasher;    /* names tokens */
    uint64_t *attached[TABLE_COUNT]; /* per row: a sum over what other tables say about it */
    uint64_t *nullable[TABLE_COUNT]; /* per row: what an attribute says of null; 0: none does */
    uint64_t metadata;               /* a sum over what only metadata shows */
    struct err *err;                 /* the first error, which is sticky */
};

NODISCARD bool declarations_open(struct declarations *out, const struct module *module,
                                 struct method_hasher *hasher, struct err *err);

/* Of a MethodDef row; never 0. */
uint64_t declaration_of_method(struct declarations *d, uint32_t rid);

/* Of a method that the compiler made of a part of another one, such as a lambda: its attributes and
 * those of its parameters and of what it returns; 0: there are none. Names of parameters, by which
 * web frameworks bind, are what only metadata shows. */
uint64_t declaration_of_made(struct declarations *d, uint32_t rid);

/* Stand for what only metadata shows (constants, which their users have copies of; what may be
 * null; what parameters of lambdas are called; AssemblyMetadataAttribute), and for the resources of
 * an assembly. */
#define DECLARATION_METADATA  ":metadata"
#define DECLARATION_RESOURCES ":resources"

/* The user's types and these two, ascending by name, then the module itself, which has no name:
 * its attributes. The methods must have been asked for before. False if any of this, or of what was
 * asked before, failed. */
NODISCARD bool declarations_list(struct fact_type **types, uint32_t *count, struct declarations *d,
                                 struct arena *arena);

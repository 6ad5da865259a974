/* references.h - does the code of a method name one of some types: a member of it, the type itself,
 * or an instantiation over it, in its instructions, handlers, variables or signature?
 * Names:  as method_hash_token has them: N.C/D. A reference to a nested type is one of those around
 *         it.
 * Errors: ERR_MEMORY. Code that can't be decoded names none. */
#pragma once

#include "coverage/names/method_hash.h"
#include "coverage/names/type_text.h"

struct references {
    const struct module *module;
    struct method_hasher hasher;
    struct type_names names;
    uint32_t name_count;
    uint32_t *of_token[TABLE_COUNT]; /* per row: 1 + the name, 1 + name_count: none; 0: not known */
    struct arena *arena;
};

NODISCARD bool references_open(struct references *out, const struct module *module,
                               const struct str *names, uint32_t name_count, struct arena *arena,
                               struct err *err);
void references_close(struct references *references);

/* *name: which one the method names, the first that is found; NO_INDEX: none. */
NODISCARD bool references_of_method(uint32_t *name, struct references *references, uint32_t rid,
                                    struct arena *scratch, struct err *err);

/* Likewise for a token: of a base type, for example. */
NODISCARD bool references_of_token(uint32_t *name, struct references *references, uint32_t token,
                                   struct err *err);

/* Likewise for one type of a signature. */
NODISCARD bool references_of_type(uint32_t *name, struct references *references, struct reader *r,
                                  struct err *err);

/* Likewise for a method that hands a type itself to others: as `typeof`, or as an argument of a
 * generic type or method that may look at its members. */
NODISCARD bool references_as_argument(uint32_t *name, struct references *references, uint32_t rid,
                                      struct arena *scratch, struct err *err);

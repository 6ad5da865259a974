/* mentions.h - does the code of a method name one of some types: a member of it, the type itself,
 * or an instantiation over it, in its instructions, handlers, variables or signature?
 * Names:  as identity_token has them: N.C/D. A mention of a nested type is one of those around it.
 * Errors: ERR_MEMORY. Code that can't be decoded names none. */
#ifndef ILCOV_COVERAGE_NAMES_MENTIONS_H
#define ILCOV_COVERAGE_NAMES_MENTIONS_H

#include "coverage/names/identity.h"
#include "coverage/names/type_text.h"

struct mentions {
    const struct module *module;
    struct identity identity;
    struct type_names names;
    uint32_t name_count;
    uint32_t *of_token[TABLE_COUNT]; /* per row: 1 + the name, 1 + name_count: none; 0: not known */
    struct arena *arena;
};

NODISCARD bool mentions_open(struct mentions *out, const struct module *module,
                             const struct str *names, uint32_t name_count, struct arena *arena,
                             struct err *err);
void mentions_close(struct mentions *mentions);

/* *name: which one the method names, the first that is found; NO_INDEX: none. */
NODISCARD bool mentions_of_method(uint32_t *name, struct mentions *mentions, uint32_t rid,
                                  struct arena *scratch, struct err *err);

/* Likewise for a token: of a base type, for example. */
NODISCARD bool mentions_of_token(uint32_t *name, struct mentions *mentions, uint32_t token,
                                 struct err *err);

/* Likewise for one type of a signature. */
NODISCARD bool mentions_of_type(uint32_t *name, struct mentions *mentions, struct reader *r,
                                struct err *err);

/* Likewise for a method that hands a type itself to others: as `typeof`, or as an argument of a
 * generic type or method that may look at its members. */
NODISCARD bool mentions_as_argument(uint32_t *name, struct mentions *mentions, uint32_t rid,
                                    struct arena *scratch, struct err *err);

#endif

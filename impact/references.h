/* references.h - what the code of a method names: which of some types (a member, the type itself,
 * an instantiation over it, in its instructions, handlers or variables), and what it looks at
 * (lookers.h).
 * Names:  as method_hash_token has them: N.C/D. A reference to a nested type is one of those around
 *         it.
 * Errors: ERR_MEMORY. Code that can't be decoded names none. */
#pragma once

#include "coverage/names/type_text.h"
#include "impact/lookers.h"

struct references {
    struct method_hasher *hasher; /* of the module */
    const struct lookers *lookers;
    struct type_names names;
    struct token_uses *of_token[TABLE_COUNT]; /* per row */
    struct list found; /* what was asked last: uint32_t, places in the list of names, each once */
    uint8_t looks;     /* likewise: enum look */
    struct arena *arena;
};

NODISCARD bool references_open(struct references *out, struct method_hasher *hasher,
                               const struct lookers *lookers, const struct str *names,
                               uint32_t name_count, struct arena *arena, struct err *err);

/* Of a method, with the type that it is in. */
NODISCARD bool references_of_method(struct references *references, uint32_t rid,
                                    struct arena *scratch, struct err *err);

/* Of a token: of a base type, for example. */
NODISCARD bool references_of_token(struct references *references, uint32_t token, struct err *err);

/* Of one type of a signature. */
NODISCARD bool references_of_type(struct references *references, struct reader *r, struct err *err);

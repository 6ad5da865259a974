/* identity.h - which method is which in another build, and whether its code is the same.
 * Units:  a place in `instructions` is an instruction, in the order of the code.
 * Owner:  what identity_body gives lives in the arena it was given.
 *
 * Body:   the first 16 bytes of a SHA-256 over the code as the compiler meant it: opcodes without
 *         short forms, operands in words. A token is the full name of what it stands for, a string
 *         its characters, a target the number of an instruction; locals are their types; nop is
 *         nothing. So it is the same in every build of the same source: neither tokens nor offsets,
 *         lines, paths or what else is in the module play a part. Not in it either: what a name is
 *         resolved to (its assembly, its version), attributes, max stack.
 * Names:  what compilers number within a type or a module is without its numbers, since a method
 *         that is written above another one shifts them: <M>b__3_1, <>c__DisplayClass3_0, <M>d__5,
 *         M@12-1. The type that the code is written in is called `this type`, with or without its
 *         parameters, the method itself `this method`: who moves or renames a method leaves its
 *         body as it is.
 * Lambdas, local functions and state machines have bodies of their own: what the user calls a
 * method is all of them. */
#ifndef ILCOV_COVERAGE_NAMES_IDENTITY_H
#define ILCOV_COVERAGE_NAMES_IDENTITY_H

#include "coverage/facts/digest.h"
#include "coverage/facts/facts.h"
#include "metadata/module.h"
#include "rewriter/il.h"

struct identity {
    const struct metadata *md;
    struct digest digest;
    struct str *
        names[TABLE_COUNT]; /* of each row of the tables that tokens lead to; made when asked for */
    struct arena *arena;
};

struct body_identity {
    uint8_t hash[FACT_BODY_LEN];
    /* Of each instruction { length in bytes as LEB128, 4 bytes of hash }: what fact_method keeps,
     * to find in an edited body what is left of it. Neither targets nor numbers of locals are in
     * the hash. */
    struct view instructions;
};

NODISCARD bool identity_open(struct identity *out, const struct metadata *md, struct arena *arena,
                             struct err *err);
void identity_close(struct identity *identity);

/* Of a method whose code was decoded; `user_type`: TypeDef row of the type that it is written
 * in. */
NODISCARD bool identity_body(struct body_identity *out, struct identity *identity,
                             uint32_t method_rid, uint32_t user_type, const struct il_body *body,
                             const struct il *il, struct arena *arena, struct err *err);

/* SHA-256 over a module's name, its MVID, and the name and body of each method. */
NODISCARD bool identity_module(uint8_t out[DIGEST_LEN], const struct fact_module *module,
                               struct err *err);

/* Name, MVID and identity of a module, and of its methods what identity_module asks for: for who
 * wants no more of it. */
NODISCARD bool identity_read(struct fact_module *out, const struct module *module,
                             struct arena *arena, struct err *err);

/* A type's or method's name without what compilers number: "N.C/<M>d__5" is "N.C/<>d__". */
NODISCARD bool identity_plain(struct str *out, struct str name, struct arena *arena,
                              struct err *err);

#endif

/* method_hash.h - identifies a method in another build, and tells whether its code is the same.
 * Units:  a place in `instructions` is an instruction, in the order of the code.
 * Owner:  the result of method_hash_body lives in the arena passed to it.
 *
 * Body:   the first 16 bytes of a SHA-256 over the code in a normal form: opcodes without short
 *         forms, operands as text. A token is replaced by the full name of its target, a string by
 *         its characters, a branch target by the number of an instruction, a local by its type;
 *         nops are left out. So the hash is the same in every build of the same source: it does not
 *         depend on tokens, offsets, lines, paths or other code in the module. Nor does it include
 *         what a name is resolved to (assembly, version), attributes and max stack.
 * Names:  numbers that compilers assign within a type or module are left out, because a method
 *         added above shifts them: <M>b__3_1, <>c__DisplayClass3_0, <M>d__5, M@12-1. The type that
 *         contains the code is called `this type`, with its parameters, the method
 *         itself `this method`: moving or renaming a method does not change its hash.
 *         Variables that compilers keep in fields, because a lambda captures them or an `await` is
 *         between their uses, are numbered: renaming one does not change the hash either.
 *         In Debug, F# makes a method of each inline function that code uses, <f>__debug@5, which
 *         has no lines: its text is its code, so that it belongs to the code that calls it.
 *         Where a test stands is left out of what TUnit's generator makes (test_place.h).
 * Lambdas, local functions and state machines have bodies of their own; a user's method consists of
 * all of them. */
#pragma once

#include "coverage/facts/digest.h"
#include "coverage/facts/facts.h"
#include "coverage/names/anonymous_names.h"
#include "coverage/names/compiler_name.h"
#include "metadata/module.h"
#include "rewriter/il.h"

struct method_hasher {
    const struct module *module;
    const struct metadata *md; /* of the module */
    unsigned depth;            /* of copies in copies, while they become text */
    struct digest digest;
    struct anonymous_names anonymous;
    struct str *names[TABLE_COUNT]; /* per row of the tables that tokens refer to; made on demand */
    struct arena *arena;
};

struct body_hash {
    uint8_t hash[FACT_BODY_LEN];
    /* Per instruction { length in bytes as LEB128, 4 bytes of hash }: kept in fact_method to find
     * unchanged parts of an edited body. The hash includes neither targets nor numbers of
     * locals. */
    struct view instructions;
};

NODISCARD bool method_hash_open(struct method_hasher *out, const struct module *module,
                                struct arena *arena, struct err *err);
void method_hash_close(struct method_hasher *hasher);

/* For a method whose code was decoded; `user_type`: TypeDef row of the type that it is written
 * in. */
NODISCARD bool method_hash_body(struct body_hash *out, struct method_hasher *hasher,
                                uint32_t method_rid, uint32_t user_type, const struct il_body *body,
                                const struct il *il, struct arena *arena, struct err *err);

/* The code of a method, if it has some that can be decoded. */
NODISCARD bool method_hash_decode(bool *has_code, struct il_body *body, struct il *il,
                                  const struct module *module, uint32_t rid, struct arena *arena,
                                  struct err *err);

/* The text that stands for a token in the hash, without the numbers that compilers assign; it lives
 * in the arena of `hasher`. If the token leads nowhere, its number, which need not agree with
 * other modules. */
NODISCARD bool method_hash_token(struct str *out, struct method_hasher *hasher, uint32_t token,
                                 struct err *err);

/* The hash in `instructions` of an instruction with this opcode (ECMA-335 III) and such a token, in
 * code of the type with this name. */
NODISCARD bool method_hash_instruction(uint32_t *out, struct method_hasher *hasher, uint8_t opcode,
                                       uint32_t token, struct str type, struct arena *arena,
                                       struct err *err);

/* A text without the numbers that compilers assign, which need not agree with other builds: those
 * of anonymous types by what they are made of (anonymous_names.h), others as compiler_name_strip
 * has them. */
NODISCARD bool method_hash_strip(struct str *out, const struct method_hasher *hasher,
                                 struct str text, struct arena *arena, struct err *err);

/* SHA-256 over a module's name, its MVID, and the name and body of each method. */
NODISCARD bool method_hash_module(uint8_t out[DIGEST_LEN], const struct fact_module *module,
                                  struct err *err);

/* Name, MVID and identity of a module, with only those facts about its methods that
 * method_hash_module needs. */
NODISCARD bool method_hash_read_module(struct fact_module *out, const struct module *module,
                                       struct arena *arena, struct err *err);

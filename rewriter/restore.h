/* restore.h - what the core library's GetMethodBody gets after its code, so that the MethodBody
 * that it returns shows what the compiler wrote, and no probe.
 *
 * The runtime has filled the MethodBody from the body that it compiles. The code added here asks
 * the profiler, value by value, what the method's own body says, and stores that instead: numbers
 * into the private fields, by their offsets, and new arrays of bytes and of locals. It is managed
 * code all through: the profiler never sees an object. */
#pragma once

#include "rewriter/body.h"

/* FIELD(name, class, name in the core library, element type): the fields of RuntimeMethodBody and
 * of RuntimeExceptionHandlingClause that the runtime fills from a body. */
#define RESTORE_FIELDS(FIELD)                                                                      \
    FIELD(CODE, BODY, "_IL", SZARRAY)                                                              \
    FIELD(LOCALS, BODY, "_localVariables", SZARRAY)                                                \
    FIELD(CLAUSES, BODY, "_exceptionHandlingClauses", SZARRAY)                                     \
    FIELD(MAX_STACK, BODY, "_maxStackSize", I4)                                                    \
    FIELD(LOCAL_SIG, BODY, "_localSignatureMetadataToken", I4)                                     \
    FIELD(INIT_LOCALS, BODY, "_initLocals", BOOLEAN)                                               \
    FIELD(TRY_OFFSET, CLAUSE, "_tryOffset", I4)                                                    \
    FIELD(TRY_LENGTH, CLAUSE, "_tryLength", I4)                                                    \
    FIELD(HANDLER_OFFSET, CLAUSE, "_handlerOffset", I4)                                            \
    FIELD(HANDLER_LENGTH, CLAUSE, "_handlerLength", I4)                                            \
    FIELD(FILTER_OFFSET, CLAUSE, "_filterOffset", I4)

enum restore_field {
#define FIELD(name, owner, text, element) RESTORE_##name,
    RESTORE_FIELDS(FIELD)
#undef FIELD
    RESTORE_FIELD_COUNT,
    /* Not a field; the answer 0 changes nothing. When it is first asked, the clause is the length
     * of the code that the runtime has; later it is 0. */
    RESTORE_CODE_SIZE = RESTORE_FIELD_COUNT,
};

struct restore_form {
    /* tokens of methods of the type in the core library whose GetMethodBody it is */
    uint32_t get_module, get_token;
    uint32_t module_id;  /* native int RuntimeModule::() */
    uint32_t object_ref; /* uint8& (object): where its first field is */
    uint32_t copy_array; /* void (Array, Array, int32) */
    uint32_t byte_type, local_type, clause_type;
    uint32_t offset[RESTORE_FIELD_COUNT]; /* of each field from the first field on */
    uint32_t local_sig;                   /* token; of locals of which the first is an object */
    /* int64 (native int module, int32 token, int32 enum restore_field, int32 clause), unmanaged */
    uint32_t ask_sig;
    uint64_t ask;
};

/* The signature of `ask`. */
extern const uint8_t restore_ask_sig[];
extern const size_t restore_ask_sig_len;

/* Changes `body`'s numbers, too. False if it returns an object elsewhere than at its end, or has
 * clauses, or memory ran out. */
NODISCARD bool restore_write(struct writer *out, struct il_body *body,
                             const struct restore_form *form, struct arena *arena);

/* The answer, from the body as the compiler wrote it. */
int64_t restore_answer(const struct il_body *body, uint32_t local_count, uint32_t question,
                       uint32_t clause);

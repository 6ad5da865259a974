/* sig.h - signature blobs: what a call takes from the evaluation stack and gives back.
 * Source: ECMA-335 II.23.2.
 * Errors: ERR_FORMAT. Type signatures nest at most SIG_DEPTH_MAX deep (ERR_LIMIT). */
#pragma once

#include "metadata/heaps.h"

enum {
    SIG_DEPTH_MAX = 64
};

/* II.23.1.16, as far as code outside sig.c and names.c needs it. */
enum element_type {
    ELEMENT_END = 0x00,
    ELEMENT_VOID = 0x01,
    ELEMENT_BOOLEAN = 0x02,
    ELEMENT_CHAR = 0x03,
    ELEMENT_I1 = 0x04,
    ELEMENT_U1 = 0x05,
    ELEMENT_I2 = 0x06,
    ELEMENT_U2 = 0x07,
    ELEMENT_I4 = 0x08,
    ELEMENT_U4 = 0x09,
    ELEMENT_I8 = 0x0A,
    ELEMENT_U8 = 0x0B,
    ELEMENT_R4 = 0x0C,
    ELEMENT_R8 = 0x0D,
    ELEMENT_STRING = 0x0E,
    ELEMENT_PTR = 0x0F,
    ELEMENT_BYREF = 0x10,
    ELEMENT_VALUETYPE = 0x11,
    ELEMENT_CLASS = 0x12,
    ELEMENT_VAR = 0x13,
    ELEMENT_ARRAY = 0x14,
    ELEMENT_GENERICINST = 0x15,
    ELEMENT_TYPEDBYREF = 0x16,
    ELEMENT_I = 0x18,
    ELEMENT_U = 0x19,
    ELEMENT_FNPTR = 0x1B,
    ELEMENT_OBJECT = 0x1C,
    ELEMENT_SZARRAY = 0x1D,
    ELEMENT_MVAR = 0x1E,
    ELEMENT_CMOD_REQD = 0x1F,
    ELEMENT_CMOD_OPT = 0x20,
    ELEMENT_SENTINEL = 0x41,
    ELEMENT_PINNED = 0x45,
};

enum {
    SIG_HAS_THIS = 0x20,
    SIG_EXPLICIT_THIS = 0x40,
    SIG_GENERIC = 0x10,
    SIG_KIND_MASK = 0x0F,
    SIG_VARARG = 0x5,
    SIG_FIELD = 0x6,
    SIG_LOCALS = 0x7
};

struct method_sig {
    uint8_t flags;          /* SIG_* of the first byte */
    uint32_t generic_count; /* of a generic method definition */
    uint32_t param_count;   /* without `this`; of a vararg call site with its extra arguments */
    /* from the first byte of the type, custom modifiers skipped, to the end of the blob */
    struct view return_type;
    struct view params; /* from the first parameter to the end of the blob */
};

NODISCARD bool sig_method(struct method_sig *out, struct view blob, struct err *err);

/* Moves past one type (with its custom modifiers, and ELEMENT_SENTINEL before it); false at
 * malformed bytes. */
bool sig_skip_type(struct reader *r);

/* As sig_skip_type, and tells which element types the type is made of: `elements` gets the bit
 * 1 << ELEMENT_* of each but SENTINEL and PINNED. */
bool sig_elements(uint64_t *elements, struct reader *r);

/* Is the type of a local PINNED? */
bool sig_is_pinned(struct view type);

/* Reads an array's shape (II.23.2.13: rank, then counts and values of sizes and of lower bounds);
 * gives the rank. */
uint32_t sig_array_shape(struct reader *r);

/* The element type that a type signature starts with, after custom modifiers and PINNED;
 * ELEMENT_END when empty. */
enum element_type sig_first_element(struct view type);

/* The signature blob that a call instruction's token leads to: MethodDef, MemberRef, MethodSpec
 * (its method's) or StandAloneSig (calli). Empty when the token leads nowhere. */
struct view sig_of_call(const struct metadata *md, uint32_t token);

/* The type of the field that a token (Field or MemberRef) refers to; empty if there is none. */
struct view sig_of_field(const struct metadata *md, uint32_t token);

/* The number of locals that a StandAloneSig of locals declares, and the bytes of the first one's
 * type. Token 0 means no locals at all. */
NODISCARD bool sig_locals(uint32_t *count, struct view *types, const struct metadata *md,
                          uint32_t token, struct err *err);

/* il_context.h - the metadata that bodies of the fuzz targets il and rewrite are read in: made
 * once, never changed. Tokens of every kind of call, field and local signature that the rewriter
 * treats apart lie side by side. */
#pragma once

#include "metadata/heaps.h"

enum {
    CONTEXT_METHODS =
        4, /* rows of MethodDef: void(), this:bool(int32), int32(bool,string), this:void() */
    CONTEXT_TOKENS_MAX = 32
};

struct il_context {
    struct metadata md; /* of a Debug build; a target sets `optimised` as it likes */
    uint32_t calls[CONTEXT_TOKENS_MAX], fields[CONTEXT_TOKENS_MAX], locals[CONTEXT_TOKENS_MAX];
    uint32_t signatures[CONTEXT_TOKENS_MAX]; /* of calli */
    uint32_t call_count, field_count, local_count, signature_count;
};

struct il_context *il_context(void);

/* body.h - a method body: header, code, exception clauses; read and written.
 * Source: ECMA-335 II.25.4.
 * Units:  offsets and lengths in bytes of code, from the first instruction.
 * Owner:  `code` points into the image; the clauses live in the arena. */
#pragma once

#include "base/bytes.h"
#include "contract/verdict.h"

enum eh_flags {
    EH_CATCH = 0,
    EH_FILTER = 1,
    EH_FINALLY = 2,
    EH_FAULT = 4
}; /* II.25.4.6 */

struct eh_clause {
    uint32_t flags;
    uint32_t try_offset, try_length;
    uint32_t handler_offset, handler_length;
    uint32_t class_token;   /* of a catch */
    uint32_t filter_offset; /* of a filter; the filter ends where its handler begins */
};

struct il_body {
    const uint8_t *code;
    uint32_t code_size;
    uint16_t max_stack;
    bool tiny;
    bool init_locals;
    uint32_t local_sig;        /* StandAloneSig token, or 0 */
    struct eh_clause *clauses; /* inner before outer, as stored */
    uint32_t clause_count;
    struct view whole; /* header to the end of the last section */
};

enum {
    BODY_CODE_MAX = 1 << 24,
    BODY_CLAUSES_MAX = 0xFFFFFF / 24
};

/* `bytes` may be longer than the body. VERDICT_OK, DECLINED_HEADER, DECLINED_ODD_EH,
 * DECLINED_TOO_LARGE or _MEMORY. */
enum verdict body_parse(struct il_body *out, struct view bytes, struct arena *arena);

/* A number for the innermost handler or filter around an offset; 0 outside all of them. */
uint32_t body_handler_around(const struct il_body *body, uint32_t offset);
bool body_is_in_filter(const struct il_body *body, uint32_t offset);
/* That number of the handler that a filter with this number chooses. */
uint32_t body_handler_of_filter(uint32_t filter);
/* Is the innermost handler around the code the one that a filter chose? */
bool body_is_in_handler_of_filter(const struct il_body *body, uint32_t offset);

/* Writes header and clauses around new code, always fat, with the clauses in one fat section. The
 * caller provides room in `w`; `code` is copied. */
void body_write(struct writer *w, const struct il_body *body, const uint8_t *code,
                uint32_t code_size);

/* Exact length of what body_write writes. */
size_t body_written_len(const struct il_body *body, uint32_t code_size);

/* statement_order.h - which statement of a source comes after another one: through `else`, out of
 * blocks, and where `break` leads.
 *
 *   if (a) F(); else G(); return;     after F(); comes return;
 *
 * Only C# is understood. Where it cannot be read with certainty, nothing is said: #if, `goto`, ends
 * of loops and of try.
 * Units:  offsets are bytes of the text.
 * Owner:  the arrays live in the arena, the text elsewhere.
 * Errors: only ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_SOURCE_STATEMENT_ORDER_H
#define ILCOV_COVERAGE_SOURCE_STATEMENT_ORDER_H

#include "coverage/source/tokens.h"

struct statement_order {
    struct str text;
    struct tokens tokens;
    uint32_t *partner; /* per token: of a bracket the other one, else NO_TOKEN */
    uint32_t *around;  /* per token: the brace that it is in, or NO_TOKEN */
};

#define NO_TOKEN UINT32_MAX

NODISCARD bool statement_order_make(struct statement_order *out, struct str text,
                                    struct arena *arena, struct err *err);

/* Where the statement begins that comes after the one from `start` to `end`, if that completes or
 * is a `break`. False: it is not known. */
bool statement_order_next(uint32_t *next, const struct statement_order *order, uint32_t start,
                          uint32_t end);

/* Is the statement at the offset a `break`? */
bool statement_order_is_break(const struct statement_order *order, uint32_t start);

#endif

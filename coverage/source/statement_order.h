/* statement_order.h - which statement of a source comes after another one: through `else`, out of
 * blocks, and where `break` leads.
 *
 *   if (a) F(); else G(); return;     after F(); comes return;
 *
 * Only C# is understood. Where it cannot be read with certainty, nothing is said: #if, `goto`, ends
 * of loops and of try.
 * Units:  offsets are bytes of the text. */
#pragma once

#include "coverage/source/tokens.h"

/* Where the statement begins that comes after the one from `start` to `end`, if that completes or
 * is a `break`. False: it is not known. */
bool statement_order_next(uint32_t *next, const struct tokens *tokens, uint32_t start,
                          uint32_t end);

/* Is the statement at the offset a `break`? */
bool statement_order_is_break(const struct tokens *tokens, uint32_t start);

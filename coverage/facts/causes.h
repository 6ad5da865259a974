/* causes.h - what must happen for a statement to run, or for a condition to be asked: the last
 * places on all ways to it. If each of them is known not to have been passed, that is why it did
 * not run (coverage/report/why.h).
 * Form:   { index << 3 | kind, of CAUSE_OUTCOME the outcome }*, all LEB128.
 * Units:  an index is the number of a statement or decision within its method, from 0 in the order
 *         of IL offsets; so it stays when methods are joined or sorted. */
#pragma once

#include "base/bytes.h"

enum {
    FACT_CAUSES_LEN = 11
};

/* Those of one statement or decision. Empty: not known, or they do not fit. */
struct fact_causes {
    uint8_t len;
    uint8_t bytes[FACT_CAUSES_LEN];
};

/* The numbers are those of the data file. */
enum cause_kind {
    CAUSE_ENTRY,      /* the method begins; index 0 */
    CAUSE_COMPLETED,  /* the statement comes to its end */
    CAUSE_CLEANED_UP, /* it does, and `finally` blocks after it as well */
    CAUSE_RESUMED,    /* the caller of an iterator asks for more after the statement */
    CAUSE_CAUGHT,     /* what began with the statement throws, and this is its handler */
    CAUSE_LEFT,       /* the `try` that began with the statement is left, in whatever way */
    CAUSE_OUTCOME,    /* of a decision */
    CAUSE_LAST = CAUSE_OUTCOME
};

struct fact_cause {
    enum cause_kind kind;
    uint32_t index;
    uint32_t outcome; /* CAUSE_OUTCOME; else 0 */
};

/* Without effect but for `false` if there is no room. */
bool causes_add(struct fact_causes *causes, struct fact_cause cause);

/* Opens the causes for causes_next. */
struct reader causes_open(const struct fact_causes *causes);
/* The next one; false at the end, and after anything that is no cause (then r->failed). */
bool causes_next(struct reader *r, struct fact_cause *out);

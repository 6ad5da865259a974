/* reason.h - why something is left out, declined or only known in part: a value, of which a text is
 * made where it is printed, and nowhere else. The library writes the number into its record
 * (counters.h), the program into data files; what they mean: reason.def.
 * A number that is not known came from a newer ilcov. It is kept as it is, and has a text that says
 * so: a merge must not lose what it can't read.
 * Owner:  reasons are constant; NULL where there is none. Those of reason_of live for ever, others
 *         in the arena that they were made in. */
#ifndef ILCOV_CONTRACT_REASON_H
#define ILCOV_CONTRACT_REASON_H

#include "base/text.h"
#include "contract/verdict.h"

enum reason_code {
    REASON_NONE,
#define REASON(number, name, text, brief) REASON_##name = (number),
#include "contract/reason.def"
#undef REASON
    REASON_VERDICT = 100, /* and the verdict */
    REASON_CODE_END = REASON_VERDICT + VERDICT_COUNT,
    REASON_CODE_MAX = UINT16_MAX /* of all that may ever be */
};

struct reason {
    uint32_t code;      /* enum reason_code, or one that is not known yet */
    struct str subject; /* which attribute, pattern, time; an error's text; or empty */
    struct str remark;  /* what the programmer wrote about it; or empty */
};

/* The reason that needs no more than its code, of those that are known. */
const struct reason *reason_of(enum reason_code code);
const struct reason *reason_of_verdict(enum verdict verdict);
NODISCARD const struct reason *reason_new(uint32_t code, struct str subject, struct str remark,
                                          struct arena *arena, struct err *err);
/* Its texts, too. NULL stays NULL. */
NODISCARD bool reason_copy(const struct reason **reason, struct arena *arena, struct err *err);

/* NULL is none of them. */
bool reason_is(const struct reason *reason, enum reason_code code);
bool reason_eq(const struct reason *a, const struct reason *b);
/* By number, subject, remark: what is listed stands in this order. NULL first. */
int reason_order(const struct reason *a, const struct reason *b);

/* --- for humans, in the program alone --- */

/* Of each known code; NULL where there is none. */
struct reason_words {
    const char *text, *brief;
};
extern const struct reason_words reason_words[REASON_CODE_END];

/* "[Obsolete]: made by a tool"; nothing for NULL. */
void reason_add(struct text *out, const struct reason *reason);
NODISCARD bool reason_text(struct str *out, const struct reason *reason, struct arena *arena,
                           struct err *err);
/* What lines are excluded by, whatever was remarked: "[Obsolete]", "-x". */
void reason_add_brief(struct text *out, const struct reason *reason);
bool reason_same_kind(const struct reason *a, const struct reason *b);

#endif

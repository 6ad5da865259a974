/* condition_code.h - what the code of a decision asks, and whether a condition of the text can be
 * compiled to that.
 * Pure:   used by decision_text.c.
 * Owner:  names are in the arena.
 * Errors: only ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_WORDING_CONDITION_CODE_H
#define ILCOV_COVERAGE_WORDING_CONDITION_CODE_H

#include "coverage/branches/decisions.h"
#include "coverage/source/conditions.h"

struct condition_code {
    bool is_switch;
    bool compares;          /* two values, or one with null or 0 */
    struct str type;        /* of isinst, without namespace and generic arguments; or empty */
    bool tests_has_value;   /* Nullable<T>.HasValue */
    bool compares_elements; /* of two tuples */
};

/* `statement`: the IL offset at which the statement of the decision starts. */
NODISCARD bool condition_code_of(struct condition_code *out, const struct flow *flow,
                                 const struct decision *decision, uint32_t statement,
                                 struct arena *arena, struct err *err);

/* May condition `n` of the text be this code? In doubt, no. */
bool condition_code_fits(const struct condition_code *code, const struct text_conditions *text,
                         uint32_t n);

#endif

/* condition_code.h - what the code of a decision asks, as far as that tells which condition of the
 * text it may be.
 * Pure:   flow graph and metadata in. Used by decision_text.c and text_alignment.c.
 * Errors: only ERR_MEMORY. */
#pragma once

#include "coverage/condition_text/tested_value.h"

struct condition_code {
    bool is_switch;
    bool of_constant;       /* of a pattern, which may test the type first */
    bool compares;          /* two values, or one with null or 0 */
    struct str type;        /* of isinst, without namespace and generic arguments; or empty */
    bool tests_has_value;   /* Nullable<T>.HasValue */
    bool is_has_value;      /* ... and nothing else */
    bool compares_elements; /* of two tuples */
    bool combines;          /* two values by & | ^, which may be && of the text */
    enum relation relation; /* of the tested value, as in tested_value.h */
    enum value_kind value;  /* of the one that is tested; VALUE_UNKNOWN if two are compared */
    struct str name;        /* of a field, property, method or parameter in it; or empty */
};

/* `statement`: the IL offset at which the statement of the decision starts. */
NODISCARD bool condition_code_read(struct condition_code *out, const struct decisions *decisions,
                                   const struct decision *decision, uint32_t statement,
                                   struct arena *arena, struct err *err);

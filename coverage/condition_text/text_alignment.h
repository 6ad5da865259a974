/* text_alignment.h - which conditions of a statement's text its decisions are, where there are not
 * as many of them: the compiler leaves out what is constant, and asks for some patterns in several
 * steps. Decisions have the order of the text. Each is assigned in all ways in which its code may
 * be that of the text, and has the text that all these ways agree on.
 * Pure:   used by decision_text.c. */
#pragma once

#include "coverage/condition_text/condition_code.h"
#include "coverage/source/conditions.h"

struct aligned_decision {
    uint32_t first, last; /* the conditions of the text that it may be part of */
    bool is_alone;        /* it is the one condition, and the whole of it */
};

struct text_alignment {
    struct aligned_decision decisions[CONDITIONS_MAX];
    bool is_left_out[CONDITIONS_MAX]; /* per condition of the text: no decision is part of it */
};

/* False: there is no way. */
bool text_alignment_find(struct text_alignment *out, const struct text_conditions *text,
                         const struct condition_code *codes, uint32_t count);

/* Does the test of a type, or for null where the value has that type, belong to `is` with this
 * name? */
bool text_alignment_tests_for(const struct condition_code *code, struct str name);

/* arms.h - what the outcomes of a decision are called in the source: the arms of a switch or match,
 * as `case 1`, `> 2 when q`, `Some x`. An outcome that is not listed has no certain name. Several
 * arms may be one outcome, and several outcomes one arm.
 * Form:   { outcome << 2 | kind, then but for ARM_NO_MATCH: first line, first column, further
 *         lines, end column, and of ARM_SHARED the statement }*, all LEB128.
 * Units:  those of struct fact_span; a statement is the number of one within its method, from 0. */
#pragma once

#include "base/bytes.h"

/* A piece of a document: lines, and UTF-16 code units in them; the end is the place after the last
 * one. Columns are 0 where only lines are known. */
struct fact_span {
    uint32_t start_line, end_line;
    uint16_t start_column, end_column;
};

/* The numbers are those of the data file. */
enum arm_kind {
    ARM_SUBJECT,  /* `switch (n)`, `n switch`, `match n with`: no outcome, but who has them */
    ARM_LABEL,    /* the text that stands before the arm's code */
    ARM_NO_MATCH, /* that no arm matches */
    ARM_SHARED,   /* a label to whose arm other decisions lead, too: it was taken if its first
                     statement ran */
    ARM_KIND_LAST = ARM_SHARED
};

struct fact_arm {
    enum arm_kind kind;
    uint32_t outcome;      /* index within the decision; 0 of ARM_SUBJECT */
    struct fact_span span; /* all 0 of ARM_NO_MATCH */
    uint32_t statement;    /* of ARM_SHARED; else 0 */
};

void arms_add(struct writer *w, const struct fact_arm *arm);

/* Opens a list for arms_next. */
struct reader arms_open(const uint8_t *bytes, uint32_t len);
/* The next one; false at the end, and after anything that is no arm (then r->failed). */
bool arms_next(struct reader *r, struct fact_arm *out);

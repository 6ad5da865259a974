/* vb_constants.h - constant expressions of Visual Basic's #If and #Const, as far as conditions need
 * them: whole numbers, text, comparisons and logic.
 * Source: Visual Basic 3.1.1. True is -1 there. */
#ifndef ILCOV_COVERAGE_SOURCE_VB_CONSTANTS_H
#define ILCOV_COVERAGE_SOURCE_VB_CONSTANTS_H

#include "base/text.h"

struct vb_value {
    enum {
        VB_UNKNOWN,
        VB_NUMBER,
        VB_TEXT
    } kind;
    int64_t number;
    struct str text; /* between its quotes */
};

typedef struct vb_value vb_lookup(const void *context, struct str name);

/* Takes an expression from the start of `s`; what cannot be read is unknown. */
struct vb_value vb_evaluate(struct str *s, vb_lookup *lookup, const void *context);

/* The value of a name among those given to the compiler: A=-1,B="text". False, if it is not
 * there. */
struct vb_value vb_given(struct str given, struct str name);

#endif

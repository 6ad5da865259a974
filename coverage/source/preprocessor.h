/* preprocessor.h - directives, and the conditions of #if. Symbols of C# and F# are defined or not;
 * constants of Visual Basic have values. A condition that cannot be worked out is UNKNOWN, never
 * guessed.
 * Source: C# 6.5, F# 3.3, Visual Basic 3.1.
 * Owner:  what is noted lives in the arena, and has views of the text. */
#pragma once

#include "base/list.h"
#include "base/text.h"
#include "coverage/source/language.h"

enum {
    PREPROCESSOR_DEPTH = 256 /* of #if; deeper ones leave nothing out */
};

enum truth {
    TRUTH_NO,
    TRUTH_YES,
    TRUTH_UNKNOWN
};

struct preprocessor {
    enum language language;
    struct str given; /* to the compiler: names, in Visual Basic with values, separated by commas;
                         `text` NULL: they are not known */
    struct list own;  /* what the source itself defines (preprocessor.c) */
    uint32_t open;    /* how many #if are */
    bool is_unknown[PREPROCESSOR_DEPTH]; /* of each: all of its branches are active */
};

/* Moves past the directive on the line that begins at the offset, and past all that it leaves out.
 */
NODISCARD bool preprocessor_pass(uint32_t *at, struct preprocessor *p, struct str text,
                                 struct arena *arena, struct err *err);

/* Of what follows #if. */
enum truth preprocessor_holds(const struct preprocessor *p, struct str condition);

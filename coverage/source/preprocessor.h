/* preprocessor.h - directives, and the conditions of #if. Symbols of C# and F# are defined or not;
 * constants of Visual Basic have values. A condition that cannot be worked out is UNKNOWN, never
 * guessed.
 * Source: C# 6.5, F# 3.3, Visual Basic 3.1.
 * Owner:  what is noted lives in the arena, and has views of the text. */
#ifndef ILCOV_COVERAGE_SOURCE_PREPROCESSOR_H
#define ILCOV_COVERAGE_SOURCE_PREPROCESSOR_H

#include "base/list.h"
#include "base/text.h"
#include "coverage/source/language.h"

enum directive_kind {
    DIRECTIVE_NONE, /* the line is no directive */
    DIRECTIVE_IF,
    DIRECTIVE_ELSE_IF,
    DIRECTIVE_ELSE,
    DIRECTIVE_END_IF,
    DIRECTIVE_DEFINE, /* #Const, too */
    DIRECTIVE_UNDEFINE,
    DIRECTIVE_OTHER
};

struct directive {
    enum directive_kind kind;
    struct str rest; /* what follows its name */
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
};

struct directive directive_read(struct str line, enum language language);

/* For DIRECTIVE_DEFINE and DIRECTIVE_UNDEFINE. */
NODISCARD bool preprocessor_note(struct preprocessor *p, const struct directive *directive,
                                 struct arena *arena, struct err *err);

/* For the rest of DIRECTIVE_IF and DIRECTIVE_ELSE_IF. */
enum truth preprocessor_holds(const struct preprocessor *p, struct str condition);

#endif

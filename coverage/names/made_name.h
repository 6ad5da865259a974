/* made_name.h - what the C# compiler writes into the names of lambdas and local functions, and of
 * the types around them: the name of the method that contains them, and its ordinal, its place
 * among the members of its type.
 *
 *   <M>b__3_0, <M>g__Name|3_0         the 1st lambda, or local function, of member 3, M
 *   <M>b__0,   <M>g__Name|0           the same in a type of member 3:
 *   <>c__DisplayClass3_1, <>c__3`1, <M>d__3
 *
 * M may itself be such a name. After hot reload a number may be followed by #2.
 * Source: dotnet/roslyn, src/Compilers/CSharp/Portable, GeneratedNames.cs. */
#ifndef ILCOV_COVERAGE_NAMES_MADE_NAME_H
#define ILCOV_COVERAGE_NAMES_MADE_NAME_H

#include "base/text.h"

struct made_name {
    struct str containing; /* M */
    uint32_t ordinal;      /* or NO_INDEX */
};

/* False for the name of any other method. */
bool made_name_read(struct made_name *out, struct str method);

/* The ordinal in the name of a compiler-generated type, or NO_INDEX. */
uint32_t made_name_ordinal_of_type(struct str type);

#endif

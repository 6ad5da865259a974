/* compiler_name.h - names that compilers make, for what they make of lambdas, local functions,
 * `await` and `yield`, and the types of closures and state machines, which are always nested in a
 * type of the user. C# writes the name of the method that contains them, and its ordinal, its place
 * among the members of its type:
 *
 *   <M>b__3_0, <M>g__Name|3_0         the 1st lambda, or local function, of member 3, M
 *   <M>b__0,   <M>g__Name|0           the same in a type of member 3:
 *   <>c__DisplayClass3_1, <>c__3`1, <M>d__3
 *
 * M may itself be such a name. After hot reload a number may be followed by #2.
 * Source: dotnet/roslyn, src/Compilers/CSharp/Portable, GeneratedNames.cs. */
#pragma once

#include "metadata/heaps.h"

struct compiler_name {
    struct str containing; /* M */
    uint32_t ordinal;      /* or NO_INDEX */
};

/* False for the name of any other method. */
bool compiler_name_read(struct compiler_name *out, struct str method);

/* The ordinal in the name of a compiler-generated type, or NO_INDEX. */
uint32_t compiler_name_ordinal_of_type(struct str type);

/* Where the user's name of a `file` type begins, "<File>F{64 hex digits}__T"; 0 in any other. */
size_t compiler_name_file_prefix(struct str type);

/* A type's or method's name without the numbers that compilers assign: "N.C/<M>d__5" is
 * "N.C/<>d__". */
NODISCARD bool compiler_name_strip(struct str *out, struct str name, struct arena *arena,
                                   struct err *err);

bool compiler_type_is(const struct metadata *md, uint32_t type_rid);

/* The user's type that a compiler-generated type belongs to: the innermost enclosing type with a
 * name that can be written in source. */
uint32_t compiler_type_user(const struct metadata *md, uint32_t type_rid);

/* fsharp_name.h - how the source of F# calls a method: by the name of a function, property or
 * operator, or of a case of an active pattern.
 *
 *   add, get_Size, Int32.get_Half      add, Size, Half
 *   op_GreaterGreaterEquals            >>=
 *   |Even|Odd|                         Even, Odd
 *   Bind, Return of a builder          maybe, if that is one
 *
 * Source: F# specification, 3.8.1 (names of operators), 8.13.6 (CompilationSourceName). */
#pragma once

#include "coverage/names/display_name.h"

enum {
    FSHARP_NAMES_MAX = 8
};

struct fsharp_names {
    struct str items[FSHARP_NAMES_MAX];
    bool is_extension;                   /* of another type */
    bool has_builders;                   /* among them are values that are the builder */
    uint32_t count;                      /* 0: the source does not say it by a name of its own */
    char operator_[FSHARP_OPERATOR_MAX]; /* holds the text of an operator */
};

/* `out` must stay where it is. A constructor and an operator of a single sign, which may be that of
 * numbers, have no name. */
void fsharp_names_find(struct fsharp_names *out, const struct metadata *md, uint32_t method_rid);

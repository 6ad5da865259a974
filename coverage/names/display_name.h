/* display_name.h - methods as people write them, in the words of C#; types: display_type.h.
 *
 *   Map`2 (!0,System.Func`2<!0,!!0>,!!1&)      Map<U, V> (T, Func<T, U>, out V)
 *   .ctor, .cctor, Finalize                    Vec, static Vec, ~Vec
 *   op_Increment, op_Explicit                  operator ++, explicit operator int
 *   get_P, set_Item (System.Int32,!0), add_E   P.get, this[int].set, E.add
 *   N.I<N.C>.F                                 I<C>.F
 *   op_BangPlus of F#                          (!+)
 *
 * Everything that is compared uses the names of username.h. */
#pragma once

#include "metadata/heaps.h"

/* `signature` is in parentheses; empty for accessors. */
NODISCARD bool display_method(struct str *name, struct str *signature, const struct metadata *md,
                              uint32_t method_rid, struct arena *arena, struct err *err);

enum {
    FSHARP_OPERATOR_MAX = 32
};

/* The signs of an operator of F#, in `out`, by its name without `op_`: >>= of GreaterGreaterEquals;
 * empty: it is not made of them, or of more. */
struct str display_fsharp_operator(char out[FSHARP_OPERATOR_MAX], struct str name);

/* display_type.h - types as people write them, in the words of C#:
 *
 *   N.Outer`1/Inner`1                                  N.Outer<T>.Inner<U>
 *   System.Collections.Generic.List`1<System.Int32>    List<int>
 *   System.Nullable`1<System.Int32>[]                  int?[]
 *   System.ValueTuple`2<System.Int32,!!0>              (int, T)
 *
 * Files, reports for programs and everything that is compared use the names of metadata/names.h.
 * Errors: ERR_MEMORY. A type that cannot be read, or is too deep or too long, ends in "...". */
#pragma once

#include "metadata/sig.h"

/* With its namespace. */
NODISCARD bool display_type(struct str *out, const struct metadata *md, uint32_t type_rid,
                            struct arena *arena, struct err *err);

/* A type alone, without namespace, types around it and parameters: "Inner". */
struct str display_simple_type(const struct metadata *md, uint32_t type_rid);

/* The type in a signature of this method, without namespaces. `r` moves past it; false if it could
 * not be read. */
bool display_signature_type(struct text *out, const struct metadata *md, uint32_t method_rid,
                            struct reader *r);

/* A TypeDef, TypeRef or TypeSpec, likewise. */
void display_token(struct text *out, const struct metadata *md, uint32_t method_rid,
                   uint32_t token);

/* "<U, V>"; nothing if the method is not generic. */
void display_method_parameters(struct text *out, const struct metadata *md, uint32_t method_rid);

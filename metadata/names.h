/* names.h - tokens as a reader of C# or of IL would name them.
 * Source: ECMA-335 II.23.2, I.10.7.2 (generic arity after a backtick).
 * Types:  namespace-qualified metadata name, nested types after '/', arity after a backtick:
 *         N.Outer`1/Inner.
 * Limits: a name of more than 64 KiB, of types nested more than SIG_DEPTH_MAX deep, or of an array
 *         of absurd rank is cut off with "...".
 * Text is allocated in the arena, with a NUL. Lone surrogates and other bad UTF-8 are kept as they
 * are. */
#pragma once

#include "metadata/sig.h"

/* The name of a TypeDef, TypeRef or TypeSpec (the latter spelled like in a signature). */
NODISCARD bool name_type(struct str *out, const struct metadata *md, uint32_t token,
                         struct arena *arena, struct err *err);

/* The name of a TypeDef as Type.FullName has it: nested types after '+'. */
NODISCARD bool name_full(struct str *out, const struct metadata *md, uint32_t type_rid,
                         struct arena *arena, struct err *err);
/* Is that the full name of the type whose name_type is `name`? */
bool name_is_full(struct str full_name, struct str name);

/* A type signature in words: System.Int32&, System.Collections.Generic.List`1<!0>, T[,], !!0,
 * method pointers as method R *(A,B), or method unmanaged cdecl R *(A,B). Consumes one type. */
NODISCARD bool name_signature_type(struct text *out, const struct metadata *md, struct reader *r,
                                   struct err *err);

/* "(System.Int32,System.String&)" of a method signature; generic parameters of `method_rid` and of
 * its type by their names where they are definitions of this module (method_rid != 0), else !0 and
 * !!0. Conversion operators (op_Implicit, op_Explicit) end in ":Ret", because they may differ in
 * their return type alone. */
NODISCARD bool name_method_signature(struct str *out, const struct metadata *md,
                                     uint32_t method_rid, struct arena *arena, struct err *err);

/* The metadata name of a MethodDef: ".ctor", "get_X", "I.M"; followed by "`2" if it has two generic
 * parameters. */
NODISCARD bool name_method(struct str *out, const struct metadata *md, uint32_t method_rid,
                           struct arena *arena, struct err *err);

/* The bare name of a field or method, by the token of its definition, of a reference to it, or of
 * an instantiation of it; empty for any other token. */
struct str name_of_member(const struct metadata *md, uint32_t token);

/* username.h - types and methods as the user wrote them, if compilers spell them differently.
 *
 *   N.<File>F{64 hex digits}__T   a `file` type T                        N.T
 *   <StartupCode$App>.$N.M        the initial values of F#'s module N.M  N.M
 *   <Main>$, main@                a program without a Main of its own    Main, main
 *   Sum$W`1                       F#'s inline function, for reflection   Sum`1 */
#pragma once

#include "metadata/names.h"

/* Namespace and name of a type that is not nested, changed as above. */
void username_parts(struct str *space, struct str *name);

NODISCARD bool username_type(struct str *out, const struct metadata *md, uint32_t type_rid,
                             struct arena *arena, struct err *err);
/* A signature that cannot be read, for example because its types are nested too deep, leaves the
 * name without arity, and "(...)" for the signature. */
NODISCARD bool username_method(struct str *out, const struct metadata *md, uint32_t method_rid,
                               struct arena *arena, struct err *err);
NODISCARD bool username_signature(struct str *out, const struct metadata *md, uint32_t method_rid,
                                  struct arena *arena, struct err *err);

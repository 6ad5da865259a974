/* username.h - types and methods as the user wrote them, if compilers spell them differently.
 *
 *   N.<File>F{64 hex digits}__T   a `file` type T                        N.T
 *   <StartupCode$App>.$N.M        the initial values of F#'s module N.M  N.M
 *   <Main>$, main@                a program without a Main of its own    Main, main
 *   Sum$W`1                       F#'s inline function, for reflection   Sum`1 */
#ifndef ILCOV_COVERAGE_NAMES_USERNAME_H
#define ILCOV_COVERAGE_NAMES_USERNAME_H

#include "metadata/names.h"

NODISCARD bool username_type(struct str *out, const struct metadata *md, uint32_t type_rid,
                             struct arena *arena, struct err *err);
NODISCARD bool username_method(struct str *out, const struct metadata *md, uint32_t method_rid,
                               struct arena *arena, struct err *err);

#endif

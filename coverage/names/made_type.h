/* made_type.h - types that compilers make for closures and state machines: always nested in a type
 * of the user. */
#ifndef ILCOV_COVERAGE_NAMES_MADE_TYPE_H
#define ILCOV_COVERAGE_NAMES_MADE_TYPE_H

#include "metadata/heaps.h"

bool made_type_is(const struct metadata *md, uint32_t type_rid);

/* The user's type that a compiler-generated type belongs to: the innermost enclosing type with a
 * name that can be written in source. */
uint32_t made_type_user(const struct metadata *md, uint32_t type_rid);

#endif

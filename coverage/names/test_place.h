/* test_place.h - where tests stand: the paths, lines and columns of sources that compilers and
 * generators write into test assemblies. They change with each line above, and no test depends on
 * them. */
#pragma once

#include "metadata/heaps.h"
#include "rewriter/il.h"

/* Absolute, and of a source. */
bool test_place_is_path(struct str path);

/* *operands: of each instruction of a method of `type`, is its operand part of a place? NULL: of
 * none. TUnit's generator writes, in what registers a test or a set-up:
 *   Create(..., path, line, ..., column, end line, end column, ...)
 *   new Hook { ..., FilePath = path, LineNumber = line } */
NODISCARD bool test_place_find(bool **operands, struct str type, const struct il *il,
                               const struct metadata *md, struct arena *arena, struct err *err);

/* method_changes.h - what a new build changes, and which counts of the older run depend on it.
 *
 *   code          a method whose code is not the same, or that is gone: who ran it
 *   declaration   of a type: who ran code that names it, or a type that derives from it. Of a
 *                 method: as of its type; in a test assembly who ran it, which is the test
 *   new           an override, or another virtual method: as the declaration of its type. Other new
 *                 code runs only if code that calls it has changed
 *   all           what nobody can follow: static constructors, methods that were not measured, new
 *                 types that a package may look for, resources, files (input_changes.h)
 *
 * A method is the same if its code is (coverage/names/method_hash.h): lines, names of variables and
 * the order of members do not matter.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

NODISCARD bool changes_find(struct build_changes *out, const struct facts *base,
                            const struct new_build *build, struct arena *arena, struct err *err);

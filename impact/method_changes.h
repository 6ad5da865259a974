/* method_changes.h - what a new build changes, and which counts of the older run depend on it.
 *
 *   code          a method whose code is not the same, or that is gone: who ran it
 *   declaration   of a type: who ran code that names it, a type that derives from it, or one that
 *                 contains it as a value. Of a method, also as of its type; in a test assembly who
 *                 ran it, which is the test. A new constructor or virtual method: as of its type
 *   name          a type that is new or gone: who ran code that names it, which may be another one
 *   metadata      anything that is new, gone or declared differently, constants, nullability,
 *                 AssemblyMetadata: also who ran code that looks (lookers.h). One such change is
 *                 the reason for all of them
 *   files         and resources: who ran code that reads files (input_changes.h)
 *   set-up        that a test framework finds by itself: the tests of its class, or all
 *   all           what nobody can follow: static constructors, methods that were not measured, new
 *                 types that a test framework looks for, data and attributes of an assembly
 *
 * What ran in a static constructor or outside of tests selects all, whatever the change. Other new
 * code runs only if code that calls it has changed. What compilers make by themselves is part of
 * the code that it was made of.
 *
 * A method is the same if its code is (coverage/names/method_hash.h): lines, names of variables and
 * the order of members do not matter. Code that uses an anonymous type names what that is made of.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

NODISCARD bool changes_find(struct build_changes *out, const struct facts *base,
                            const struct new_build *build, struct arena *arena, struct err *err);

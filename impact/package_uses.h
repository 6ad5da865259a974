/* package_uses.h - what packages find on their own: types and methods of the user's that have a
 * base, an interface or an attribute of theirs. Nothing calls these by name: a test framework looks
 * for [SetUp], a web framework for actions.
 * Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

/* Is the type, any token, of a package: neither .NET's nor compared here? */
bool packages_own(const struct build_changes *changes, const struct metadata *md, uint32_t type);

/* Who looks for a method. */
enum seeker {
    SEEKER_NONE,
    SEEKER_CLASS, /* a test framework, around the tests of the class and of those that derive */
    SEEKER_ANY,
};

/* *seekers: enum seeker of each method of a module of the new build, row 1 first. Tests have none:
 * they are known. */
NODISCARD bool packages_find_seekers(uint8_t **seekers, const struct build_changes *changes,
                                     uint32_t head_module);

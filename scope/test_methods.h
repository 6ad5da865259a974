/* test_methods.h - which methods of a test assembly are tests, and which the test framework calls
 * around them, judged by metadata alone: attributes, interfaces, names.
 *
 * A test has an attribute of a known framework, one that derives from such an attribute in the same
 * assembly, or one from elsewhere whose name ends as theirs do (SkippableFactAttribute); or it
 * overrides such a method of the same assembly. A class of tests declares tests, is a base of such
 * a class or derives from one, is a fixture that one names, or has [SetUpFixture]. Of such a class,
 * constructors, clean-up, and what else has an attribute of a framework are called around tests. */
#ifndef ILCOV_SCOPE_TEST_METHODS_H
#define ILCOV_SCOPE_TEST_METHODS_H

#include "metadata/module.h"

enum test_part {
    TEST_PART_NONE,
    TEST_PART_TEST,
    TEST_PART_AROUND,
};

/* *parts: enum test_part of each method by row, 1 first; NULL if the module has no test. False
 * without memory. */
NODISCARD bool test_methods_find(uint8_t **parts, const struct metadata *md, struct arena *arena);

#endif

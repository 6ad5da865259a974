/* test_methods.h - which methods of a test assembly are tests, and which the test framework calls
 * around them, judged by metadata alone: attributes, interfaces, names.
 *
 * A test has an attribute of a known framework, one that derives from such an attribute in the same
 * assembly, or one from elsewhere whose name ends as theirs do (SkippableFactAttribute); or it
 * overrides such a method of the same assembly. A class of tests declares tests, is a base of such
 * a class or derives from one, is a fixture that one names, or has [SetUpFixture]. Of such a class,
 * constructors, clean-up, and what else has an attribute of a framework are called around tests:
 * unless it is known to be set-up or clean-up, it may also be a test of an unknown kind, such as
 * FsCheck's [Property]. */
#pragma once

#include "metadata/module.h"

enum test_part {
    TEST_PART_NONE,
    TEST_PART_TEST,
    TEST_PART_AROUND,
    TEST_PART_UNKNOWN, /* called around tests, or a test itself */
};

/* *parts: enum test_part of each method by row, 1 first; NULL if the module has no test. False
 * without memory. */
NODISCARD bool test_methods_find(uint8_t **parts, const struct metadata *md, struct arena *arena);

/* Has a method of the type, by TypeDef row, such a part? */
bool test_methods_declare(const uint8_t *parts, const struct metadata *md, uint32_t type);

/* Of each type by TypeDef row: how many attributes, interfaces and bases of other assemblies it and
 * its bases in this one have, the runtime's apart; 0 if it declares tests. A framework may look for
 * such a type and run none of its code. False without memory. */
NODISCARD bool test_methods_count_foreign(uint32_t **counts, const struct metadata *md,
                                          struct arena *arena);

/* Is the type, any token, an attribute of a framework for tests or what runs around them, by its
 * name or that of a base? */
bool test_methods_is_attribute(const struct metadata *md, uint32_t type);

/* The fixture that an interface of a class of tests names, by the token of the interface: its
 * TypeDef row, or 0. *is_of_class: it is made for the tests of that class alone. */
uint32_t test_methods_fixture(bool *is_of_class, const struct metadata *md, uint32_t interface);

/* Does a method with this attribute, by its row, run for more tests than those of its class: for an
 * assembly, a session, every test? Or, of a type, its methods? */
bool test_methods_is_global(const struct metadata *md, uint32_t attribute_rid);

/* test_filter.h - a selection of tests in the words of those who run them.
 *
 *   vstest    an expression for `dotnet test --filter`, also of NUnit and MSTest under
 *             Microsoft.Testing.Platform: FullyQualifiedName=N.C.M|...
 *   nunit     an expression for the setting NUnit.Where: (class == "N.C" and method == "M") or ...
 *             It knows generic fixtures, fixtures with arguments and names with blanks, at which
 *             the other one fails
 *   mtp       options of xunit.v3 under Microsoft.Testing.Platform: --filter-method N.C.M
 *   console   options of a program of xunit.v3 without that platform: -method N.C.M
 *   treenode  a path for TUnit's --treenode-filter: all combinations of the namespaces, classes and
 *             methods
 *
 * A filter may select more than it should, never less: one that is too long for a command line
 * names classes in place of tests, or namespaces, and then nothing (then all tests run).
 * Owner:  everything lives in the arena.
 * Errors: ERR_MEMORY; ERR_UNSUPPORTED a test's name would be taken for an option. */
#ifndef ILCOV_IMPACT_TEST_FILTER_H
#define ILCOV_IMPACT_TEST_FILTER_H

#include "coverage/facts/facts.h"

enum filter_kind {
    FILTER_NONE,
    FILTER_VSTEST,
    FILTER_NUNIT,
    FILTER_MTP,
    FILTER_TREENODE,
    FILTER_CONSOLE,
    FILTER_LOOSE, /* an expression of VSTest that NUnit's names fit, too: it selects more */
};

/* By the test frameworks that were loaded in the run. FILTER_NONE: they have no filter in common.
 * `is_platform`: the tests run under Microsoft.Testing.Platform, or as programs of their own. */
enum filter_kind test_filter_kind(const struct facts *run, bool is_platform);

/* Words that stand before the expression: the last word is the expression, but for xunit.v3, whose
 * filter is all of its words. */
struct test_filter {
    char **words; /* arguments of the command, ends with NULL; none: all tests */
    uint32_t count;
    bool is_wider; /* it selects more than the tests */
};

/* `names`: of tests (fact_test), ascending, at least one. */
NODISCARD bool test_filter_make(struct test_filter *out, enum filter_kind kind,
                                const struct str *names, uint32_t count, struct arena *arena,
                                struct err *err);

#endif

/* impact.h - which tests a change needs, and how to run just these: all that other rooms include of
 * this one.
 * Owner:  everything lives in the arena. */
#pragma once

#include "base/progress.h"
#include "coverage/diff/patch.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"

struct impact_request {
    const struct facts *base;  /* the older run; its modules with methods are looked for */
    const struct str *outputs; /* of the new build; absolute: assemblies, and folders of them */
    uint32_t output_count;
    bool needs_fresh; /* nobody named them: they may be those of the run, from before the change */
    struct str root;  /* of the sources now; absolute */
    const struct path_maps *maps;
    const struct patch *patch; /* what changed besides code, or NULL */
    const struct str *ignore;  /* globs of paths (paths_match) that do not count */
    uint32_t ignore_count;
    const struct progress_hook *progress; /* or NULL */
};

struct selected_test {
    struct str name;
    struct str *why; /* the changes, and that it is new or failed; without selection.all */
    uint32_t why_count;
};

/* Why tests are needed: a change, one of selection.all, or that they are new or failed. */
struct cause {
    struct str text;
    uint32_t tests; /* how many it selects */
    uint32_t only;  /* of how many of these it is the only one */
};

/* The tests that the changes need:
 *
 *   a test             that hit what changed
 *   the tests of a class, and of what derives from it, if what runs around them did
 *   all tests          if it ran outside of tests, in a static constructor, in a fixture of no
 *                      class that is known; or for what method_changes.h finds
 *   new tests          and those that failed in the older run, or did not run in it although what
 *                      they had run before was changed */
struct selection {
    struct selected_test *tests; /* ascending name, each once */
    uint32_t count;
    struct str *names; /* of all tests, ascending */
    uint32_t of;       /* how many there are */
    uint32_t resting;  /* tests of the build that the older run did not run: left out */
    struct str *all;   /* why all tests are needed; none: only what changed needs tests */
    uint32_t all_count;
    struct cause *causes; /* that select tests: most first */
    uint32_t cause_count;
    struct str *changes; /* phrases, such as "N.C.M() changed" */
    uint32_t change_count;
};

/* ERR_MEMORY, ERR_LIMIT; ERR_FORMAT a source is not what a build that has to be fresh was made
 * from. What can't be read of the build is a cause. */
NODISCARD bool impact_select(struct selection *out, const struct impact_request *request,
                             struct arena *arena, struct err *err);

/* A selection of tests in the words of those who run them. */
enum filter_kind {
    FILTER_NONE,
    /* An expression for `dotnet test --filter`, also of NUnit and MSTest under
     * Microsoft.Testing.Platform: FullyQualifiedName=N.C.M|... */
    FILTER_VSTEST,
    /* An expression for the setting NUnit.Where: (class == "N.C" and method == "M") or ... It knows
     * generic fixtures, fixtures with arguments and names with blanks, at which the other fails. */
    FILTER_NUNIT,
    /* Options of xunit.v3 under Microsoft.Testing.Platform: --filter-method N.C.M */
    FILTER_MTP,
    /* A path for TUnit's --treenode-filter: all combinations of the namespaces, classes and
     * methods. */
    FILTER_TREENODE,
    /* Options of a program of xunit.v3 without that platform: -method N.C.M */
    FILTER_CONSOLE,
    /* An expression of VSTest that NUnit's names fit, too: it selects more. */
    FILTER_LOOSE,
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

/* `names`: of tests (fact_test), ascending, at least one. A filter may select more than it should,
 * never less: one that is too long for a command line names classes in place of tests, or
 * namespaces, and then nothing (then all tests run). ERR_MEMORY; ERR_UNSUPPORTED a test's name
 * would be taken for an option. */
NODISCARD bool test_filter_make(struct test_filter *out, enum filter_kind kind,
                                const struct str *names, uint32_t count, struct arena *arena,
                                struct err *err);

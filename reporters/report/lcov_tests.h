/* lcov_tests.h - which tests ran which lines of a source file, test by test, as LCOV has them.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_REPORT_LCOV_TESTS_H
#define ILCOV_REPORTERS_REPORT_LCOV_TESTS_H

#include "coverage/report/file_lines.h"

/* Of each test its name as LCOV takes it: letters, digits and '_' of ASCII, each once. Empty for
 * what ran outside of tests, which has none. */
NODISCARD bool lcov_test_names(struct str **out, const struct test_sets *tests, struct arena *arena,
                               struct err *err);

/* Which sets ran a line of the file, and which tests are in them. */
struct lcov_tests {
    struct list lines; /* struct set_line, ascending */
    struct list tests; /* struct test_set, ascending */
    uint32_t line_count;
    bool *ran; /* by line of the file: what lcov_tests_next found */
    uint32_t next;
};

NODISCARD bool lcov_tests_make(struct lcov_tests *out, const struct test_sets *tests,
                               const struct file_lines *lines, const struct report_file *group,
                               uint32_t group_count, struct arena *arena, struct err *err);

/* The next test that ran a line of the file: its index, and in out->ran which; false: there is
 * none, and the next call begins again. */
bool lcov_tests_next(uint32_t *test, struct lcov_tests *of);

#endif

/* method_cursor.h - walks the lists of a module method by method. A method's statements and
 * decisions are neighbours, and methods are in the order of their tokens (facts_sort). */
#ifndef ILCOV_COVERAGE_MERGE_METHOD_CURSOR_H
#define ILCOV_COVERAGE_MERGE_METHOD_CURSOR_H

#include "coverage/facts/facts.h"

/* Indices of the method and of its first statement and decision. */
struct method_cursor {
    const struct fact_module *module;
    uint32_t method, statement, decision;
};

struct method_cursor method_cursor_start(const struct fact_module *module);

/* UINT32_MAX after the last method. */
uint32_t method_cursor_token(const struct method_cursor *c);

/* The token of the method that it is reported as. */
uint32_t method_cursor_user_token(const struct method_cursor *c);

/* The number of the method's statements or decisions. */
uint32_t method_cursor_statements(const struct method_cursor *c);
uint32_t method_cursor_decisions(const struct method_cursor *c);

void method_cursor_next(struct method_cursor *c);

#endif

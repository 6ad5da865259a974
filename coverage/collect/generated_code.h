/* generated_code.h - says of each method of a module whether a generator wrote it, once its
 * documents, methods and statements are known.
 *
 * A type of several parts is often a user's and a generator's. If a file of it is marked as
 * generated, attributes on the type and its members came with that file, and say nothing of methods
 * in others: generators also put [GeneratedCode] on partial methods of which the user writes the
 * body.
 * What #line leads to, such as a .razor file, is the user's: a method with a statement there is
 * never marked. Code that the compiler moved has the mark of its user's method. */
#ifndef ILCOV_COVERAGE_COLLECT_GENERATED_CODE_H
#define ILCOV_COVERAGE_COLLECT_GENERATED_CODE_H

#include "coverage/facts/facts.h"
#include "metadata/heaps.h"

struct generated_code {
    const struct metadata *md;
    const struct fact_document *documents;
    const struct fact_statement *statements;
    uint32_t statement_count;
    struct fact_method *methods; /* `generated` gets filled in */
    uint32_t method_count;
};

NODISCARD bool generated_code_mark(const struct generated_code *code, struct arena *arena,
                                   struct err *err);

#endif

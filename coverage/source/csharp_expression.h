/* csharp_expression.h - a C# expression as a tree of its conditions: operands, which hold opaque
 * text, and the operators between them. expression_tree.c has the grammar. */
#ifndef ILCOV_COVERAGE_SOURCE_CSHARP_EXPRESSION_H
#define ILCOV_COVERAGE_SOURCE_CSHARP_EXPRESSION_H

#include "coverage/source/csharp_parser.h"

/* From the current token on; the next one is then the current one. */
struct node *csharp_expression_parse(struct parser *p);

#endif

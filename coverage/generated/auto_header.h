/* auto_header.h - does a source begin with the comment that generators write? Comments before the
 * first token count, also after directives, as in Roslyn's GeneratedCodeUtilities.
 * Bytes that are not source code give no header, never an error. */
#ifndef ILCOV_COVERAGE_GENERATED_AUTO_HEADER_H
#define ILCOV_COVERAGE_GENERATED_AUTO_HEADER_H

#include "coverage/source/language.h"

bool auto_header_is(struct view source, enum language language);

#endif

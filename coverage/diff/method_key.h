/* method_key.h - the names by which a report tells methods apart; views into the facts. */
#ifndef ILCOV_COVERAGE_DIFF_METHOD_KEY_H
#define ILCOV_COVERAGE_DIFF_METHOD_KEY_H

#include "base/text.h"

struct method_key {
    struct str package, type, name, signature;
};

/* In this order, ordinal. */
int method_key_compare(const struct method_key *a, const struct method_key *b);

#endif

/* accord.h - does the condition of a text hold where the relation in its code does, or where that
 * does not? */
#ifndef ILCOV_COVERAGE_WORDING_ACCORD_H
#define ILCOV_COVERAGE_WORDING_ACCORD_H

enum accord {
    ACCORD_UNKNOWN,
    ACCORD_SAME,
    ACCORD_OPPOSITE
};

static inline enum accord accord_opposite(enum accord accord)
{
    return accord == ACCORD_SAME       ? ACCORD_OPPOSITE
           : accord == ACCORD_OPPOSITE ? ACCORD_SAME
                                       : ACCORD_UNKNOWN;
}

#endif

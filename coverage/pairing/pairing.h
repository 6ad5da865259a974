/* pairing.h - the methods of one set of facts found again in another: which of BASE each of HEAD
 * was.
 *   1. the same assembly, type, name and signature
 *   2. of what is left: the same code, under another name, in another type or assembly; short
 *     bodies, of
 *      which there are many alike, only where name and signature are the same
 *   3. the same type and name with another signature
 *   4. the same name and signature in the type that the others of its type moved to
 * Where an assembly has several builds (target frameworks), each of HEAD is compared with the one
 * of BASE that it has most in common with.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_PAIRING_PAIRING_H
#define ILCOV_COVERAGE_PAIRING_PAIRING_H

#include "coverage/pairing/same_code.h"

struct pair {
    uint32_t module, method; /* of BASE: index in `base`, in its methods; NO_INDEX: added */
    bool same;               /* the same code */
    /* all its files have the same checksums: nobody edited it, whatever its code is */
    bool same_source;
    bool renamed; /* another type, name or signature */
};

struct pairing {
    struct code *head, *base; /* of each module */
    uint32_t *base_of;        /* of each module of HEAD: the one compared with, or NO_INDEX */
    struct pair **pairs;      /* of each module of HEAD, of each of its methods */
    bool **taken;             /* of each module of BASE, of each of its methods: is it a pair's? */
};

NODISCARD bool pairing_make(struct pairing *out, const struct facts *head, const struct facts *base,
                            struct arena *arena, struct err *err);

#endif

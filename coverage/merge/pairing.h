/* pairing.h - pairs the methods of two sets of facts: which method of BASE each one of HEAD was.
 *   1. the same assembly, type, name and signature
 *   2. of the rest: the same code under another name, in another type or assembly; short bodies,
 *      which are often equal by chance, only if name and signature are the same
 *   3. the same type and name with another signature
 *   4. the same name and signature in the type that the others of its type moved to
 * If an assembly has several builds (target frameworks), each build of HEAD is compared with the
 * one of BASE that it has most in common with.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/merge/same_code.h"

struct pair {
    uint32_t module, method; /* of BASE: indices in `base` and in its methods; NO_INDEX: added */
    bool same;               /* the same code */
    bool same_source;        /* all its files have the same checksums: it was not edited */
    bool renamed;            /* another type, name or signature */
};

struct pairing {
    struct code *head, *base; /* of each module */
    uint32_t *base_of;        /* per module of HEAD: the one it is compared with, or NO_INDEX */
    struct pair **pairs;      /* per module of HEAD, per method */
    bool **taken;             /* per module of BASE, per method: is it in a pair? */
};

/* Is any of the modules of HEAD, of which there are so many, compared with this one of BASE? */
bool pairing_has_base(const struct pairing *pairing, uint32_t head_count, uint32_t module);

NODISCARD bool pairing_make(struct pairing *out, const struct facts *head, const struct facts *base,
                            struct arena *arena, struct err *err);

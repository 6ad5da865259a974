/* gate_places.h - where a gate failed: the lines and methods that it is about, as people read them.
 * Owner:  the arena. */
#pragma once

#include "coverage/diff/gate.h"

enum {
    GATE_PLACES_MOST = 5, /* files or methods */
    GATE_RANGES_MOST = 8  /* of one file */
};

struct gate_places {
    struct str *places; /* "src/Order.cs:12,20-22", "src/Order.cs:12 Shop.Order.Total" or
                           "src/New.cs: not measured" */
    uint32_t count, more;
};

/* None for a gate that is about the whole code, such as 'line>=80': what it misses is too much to
 * list. `package` is the assembly that it was tested for; empty: all. */
NODISCARD bool gate_places(struct gate_places *out, const struct gate *gate, struct str package,
                           const struct diff *diff, struct arena *arena, struct err *err);

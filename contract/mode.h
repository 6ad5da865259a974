/* mode.h - how a probe counts: part of the plan, because two modes may need probes in different
 * places. */
#pragma once

#include "base/text.h"

enum count_mode {
    /* a plain 64-bit add: a hit never reads zero, totals may lose increments under contention */
    MODE_COUNT,
    MODE_HIT,   /* a plain byte store: 0 or 1 */
    MODE_EXACT, /* a lock-prefixed 64-bit add */
};

static inline size_t mode_counter_size(enum count_mode mode)
{
    return mode == MODE_HIT ? 1 : 8;
}

static inline const char *mode_name(enum count_mode mode)
{
    return mode == MODE_HIT ? "hit" : mode == MODE_EXACT ? "exact" : "count";
}

static inline bool mode_parse(enum count_mode *out, struct str name)
{
    for (enum count_mode mode = MODE_COUNT; mode <= MODE_EXACT; mode++) {
        if (str_is(name, mode_name(mode))) {
            *out = mode;
            return true;
        }
    }
    return false;
}

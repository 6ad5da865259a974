/* progress.h - how far long work has come, for whoever wants to know. Work calls progress_at
 * between its steps; it neither knows nor asks what becomes of it. */
#pragma once

#include "base/base.h"

struct progress_hook {
    /* `what` is a phrase that lives for ever, such as "reading counters"; `total` may be 0: not
     * known. */
    void (*at)(void *context, const char *what, uint64_t done, uint64_t total);
    void *context;
};

/* `progress` may be NULL. */
static inline void progress_at(const struct progress_hook *progress, const char *what,
                               uint64_t done, uint64_t total)
{
    if (progress != NULL)
        progress->at(progress->context, what, done, total);
}

/* The same between small steps, a million of which are work of a second: tells of few of them. */
static inline void progress_step(const struct progress_hook *progress, const char *what,
                                 uint64_t done, uint64_t total)
{
    if (done % 256 == 0)
        progress_at(progress, what, done, total);
}

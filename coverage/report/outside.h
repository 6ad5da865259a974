/* outside.h - measured code that no report shows, because its sources are outside the source root
 * or are not those that were compiled. What the user left out on purpose, and sources that came
 * with a package, do not count.
 * Owner:  the list lives in the arena; names are views into the facts. */
#pragma once

#include "coverage/report/report.h"

struct outside_module {
    struct str name;
    bool ran;                    /* else it was never loaded */
    const struct reason *reason; /* of `first` */
    struct str first;            /* a source, as the compiler wrote its path */
    uint32_t source_count;       /* with statements */
    uint32_t outside_count;      /* of these */
};

struct outside {
    struct outside_module *modules; /* in the order of the facts, each assembly once */
    uint32_t count;
};

NODISCARD bool outside_find(struct outside *out, const struct facts *facts,
                            const struct report_options *options, struct arena *arena,
                            struct err *err);

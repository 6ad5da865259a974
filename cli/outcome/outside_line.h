/* outside_line.h - the line about measured code whose sources are outside the source root: no
 * report shows it, so no gate can pass over it. */
#ifndef ILCOV_CLI_OUTCOME_OUTSIDE_LINE_H
#define ILCOV_CLI_OUTCOME_OUTSIDE_LINE_H

#include "cli/base/outcome_options.h"
#include "coverage/facts/facts.h"

struct outside_line {
    bool any;         /* something was left out, and the line says what */
    bool stops_gates; /* and not because -r names a root without it */
};

/* `root`: as for results_open. */
NODISCARD bool outside_line_say(struct outside_line *out, const struct facts *facts,
                                const struct outcome_options *options, struct str root,
                                struct arena *arena, struct err *err);

#endif

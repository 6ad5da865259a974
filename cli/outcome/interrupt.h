/* interrupt.h - did ilcov receive a signal? Only the verb that started something knows. */
#ifndef ILCOV_CLI_OUTCOME_INTERRUPT_H
#define ILCOV_CLI_OUTCOME_INTERRUPT_H

#include "base/base.h"

struct interrupt {
    int (*signal)(void *context); /* the signal that came, or 0; NULL: not watched */
    void *context;
};

/* Says that nothing more is written; *status is then 128 + the signal's number. */
bool interrupt_came(const struct interrupt *interrupt, int *status);

#endif

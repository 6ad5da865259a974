/* interrupt.h - did a signal come for us, of which only the verb knows that started something? */
#ifndef ILCOV_CLI_OUTCOME_INTERRUPT_H
#define ILCOV_CLI_OUTCOME_INTERRUPT_H

#include "base/base.h"

struct interrupt {
    int (*signal)(void *context); /* the one that came, or 0; NULL: nobody asks */
    void *context;
};

/* Says that nothing more is written; *status is then 128 + the signal's number. */
bool interrupt_came(const struct interrupt *interrupt, int *status);

#endif

#include "cli/outcome/interrupt.h"

#include <string.h>

#include "cli/base/say.h"

bool interrupt_came(const struct interrupt *interrupt, int *status)
{
    int number = interrupt->signal != NULL ? interrupt->signal(interrupt->context) : 0;
    if (number == 0)
        return false;
    say("interrupted by signal %d (%s): nothing more is written", number, strsignal(number));
    *status = 128 + number;
    return true;
}

#include "system/variables.h"

#include <unistd.h>

char **variables_all(void)
{
    return environ;
}

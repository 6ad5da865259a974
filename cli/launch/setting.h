/* setting.h - .NET's settings in environment variables. Source: dotnet/runtime
 * src/coreclr/utilcode/clrconfig.cpp: numbers are hexadecimal, and a value that is not a number
 * counts as not set. */
#ifndef ILCOV_CLI_LAUNCH_SETTING_H
#define ILCOV_CLI_LAUNCH_SETTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* False when it is not set; `text` may be NULL. */
static inline bool setting_read(uint64_t *value, const char *text)
{
    char *end = NULL;
    if (text == NULL)
        return false;
    *value = strtoull(text, &end, 16);
    return end != text;
}

#endif

/* setting.h - .NET's settings in environment variables. Source: dotnet/runtime
 * src/coreclr/utilcode/clrconfig.cpp: DOTNET_ beats the older COMPlus_ unless it is empty, numbers
 * are hexadecimal, and a value that is not a number counts as not set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Is it 0, or is it another number? Neither when it is not set; `text` may be NULL. */
bool setting_is_off(const char *text);
bool setting_is_on(const char *text);

/* What a setting keeps out. */
enum setting_bar {
    SETTING_BARS_ALL = 1,    /* every profiler */
    SETTING_BARS_START = 2,  /* one that is loaded when the runtime starts */
    SETTING_BARS_VISIT = 4,  /* one that is loaded later */
    SETTING_BARS_ATTACH = 8, /* one that is loaded later and changes code */
};

/* A variable of some environment; NULL: not set. */
typedef const char *setting_lookup(const void *context, const char *name);

/* The next variable that keeps out one of `bars`, a sum; NULL: none. `*at` is 0 at first. */
const char *setting_bar(size_t *at, int bars, setting_lookup *lookup, const void *context);

/* Those of this process; the context does not matter. */
setting_lookup setting_own;

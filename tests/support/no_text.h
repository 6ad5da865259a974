/* no_text.h - what sources of a test say of a file whose text they do not have. */
#pragma once

#include "base/text.h"

static inline const char *no_text(void *context, struct str package, struct str path)
{
    (void)context, (void)package, (void)path;
    return "the file has changed";
}

#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    err->code = code;
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool err_set_errno(struct err *err, const char *format, ...)
{
    int saved = errno;
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    err->code = ERR_IO;
    int len = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (len >= 0 && (size_t)len < sizeof err->text)
        (void)snprintf(err->text + len, sizeof err->text - (size_t)len, ": %s", strerror(saved));
    return false;
}

void err_prefix(struct err *err, const char *format, ...)
{
    char old[sizeof err->text];
    if (err == NULL)
        return;
    memcpy(old, err->text, sizeof old);
    va_list args;
    va_start(args, format);
    int len = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (len >= 0 && (size_t)len < sizeof err->text)
        (void)snprintf(err->text + len, sizeof err->text - (size_t)len, ": %s", old);
}

#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Texts quote files, which may contain line ends and terminal control characters. */
static void tame_text(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = '?';
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    err->code = code;
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    tame_text(err->text);
    return false;
}

bool err_tolerate(struct err *err, const struct err *why)
{
    return why->code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", why->text);
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
    tame_text(err->text);
    return false;
}

/* Does the text say something of what is put before it? */
static bool is_predicate(const char *text)
{
    static const char *const verbs[] = {"cannot ", "is ", "has ", "ends "};
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        if (strncmp(text, verbs[i], strlen(verbs[i])) == 0)
            return true;
    return false;
}

void err_prefix(struct err *err, const char *format, ...)
{
    char prefix[sizeof err->text];
    if (err == NULL)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    tame_text(prefix);
    const char *link = is_predicate(err->text) ? " " : ": ";
    size_t gap = strlen(link), len = strnlen(prefix, sizeof err->text - 1 - gap);
    size_t old = strnlen(err->text, sizeof err->text - 1);
    if (old > sizeof err->text - 1 - len - gap)
        old = sizeof err->text - 1 - len - gap; /* the prefix is kept, the end is cut off */
    memmove(err->text + len + gap, err->text, old);
    memcpy(err->text, prefix, len);
    memcpy(err->text + len, link, gap);
    err->text[len + gap + old] = '\0';
}

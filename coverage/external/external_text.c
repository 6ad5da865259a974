#include "coverage/external/external_text.h"

#include <string.h>

bool external_number(uint64_t *out, struct str s)
{
    *out = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)s.text[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        *out = *out > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *out * 10 + digit;
    }
    return s.len != 0;
}

static const char *find_in_method(struct str s, const char *wanted)
{
    return s.len != 0 ? memmem(s.text, s.len, wanted, strlen(wanted)) : NULL;
}

void external_split_method(struct str *class_name, struct str *method_name,
                           struct str *method_signature, struct str text)
{
    const char *end = text.text + text.len, *colons = find_in_method(text, "::");
    *class_name = *method_signature = (struct str){"", 0};
    *method_name = text;
    if (colons == NULL)
        return;
    /* The return type may contain spaces (modreq), the class does not. */
    const char *class_start = colons;
    while (class_start > text.text && class_start[-1] != ' ')
        class_start--;
    const char *name = colons + 2;
    const char *open = memchr(name, '(', (size_t)(end - name));
    if (open == NULL)
        open = end;
    *class_name = (struct str){class_start, (size_t)(colons - class_start)};
    *method_name = (struct str){name, (size_t)(open - name)};
    *method_signature = (struct str){open, (size_t)(end - open)};
}

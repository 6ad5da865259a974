#include "coverage/names/type_text.h"

#include "base/ascii.h"

static bool is_name_character(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c == '.' || c == '`' ||
           (unsigned char)c >= 0x80;
}

const char *type_text_find(struct str text, struct str type)
{
    const char *end = text.text + text.len, *at = text.text;
    while (type.len != 0 && (at = memmem(at, (size_t)(end - at), type.text, type.len)) != NULL) {
        bool starts = at == text.text || (!is_name_character(at[-1]) && at[-1] != '/');
        bool ends = at + type.len == end || !is_name_character(at[type.len]);
        if (starts && ends)
            return at;
        at++;
    }
    return NULL;
}

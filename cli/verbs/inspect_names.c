#include "cli/verbs/inspect_names.h"

#include <stdio.h>

#include "base/hex.h"

bool inspect_is_meant(bool *meant, struct str wanted, struct str type, struct str name,
                      struct arena *arena, struct err *err)
{
    struct str full;
    *meant = wanted.len == 0 || str_glob(wanted, name) || str_glob(wanted, type);
    if (*meant)
        return true;
    if (!text_format(&full, arena, err, "%.*s.%.*s", STR_ARGS(type), STR_ARGS(name)))
        return false;
    *meant = str_glob(wanted, full);
    return true;
}

void inspect_print_hex(const uint8_t *bytes, size_t len)
{
    char digits[HEX_ROOM(1)];
    for (size_t i = 0; i < len; i++)
        (void)fputs(hex_of(digits, bytes + i, 1), stdout);
}

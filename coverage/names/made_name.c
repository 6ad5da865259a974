#include "coverage/names/made_name.h"

#include <string.h>

/* The place after the `>` that closes the `<` at the start; 0 if there is none. */
static size_t closing(struct str name)
{
    size_t depth = 0;
    for (size_t i = 0; i < name.len && name.text[0] == '<'; i++) {
        depth += name.text[i] == '<';
        depth -= name.text[i] == '>';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* The number at the start, and what follows it; NO_INDEX if there is none. */
static uint32_t number_at(struct str *s)
{
    uint32_t number = 0;
    size_t i = 0;
    for (; i < s->len && s->text[i] >= '0' && s->text[i] <= '9'; i++) {
        if (number > (NO_INDEX - 9) / 10)
            return NO_INDEX;
        number = number * 10 + (uint32_t)(s->text[i] - '0');
    }
    *s = str_from(*s, i);
    return i != 0 ? number : NO_INDEX;
}

/* "3_0", or "3#2_0#1": the first of two numbers. */
static uint32_t first_of_two(struct str s)
{
    uint32_t first = number_at(&s);
    if (str_starts(s, "#")) {
        s = str_from(s, 1);
        (void)number_at(&s);
    }
    return str_starts(s, "_") ? first : NO_INDEX;
}

bool made_name_read(struct made_name *out, struct str method)
{
    size_t close = closing(method);
    if (close <= 2)
        return false;
    struct str rest = str_from(method, close);
    bool is_local = str_starts(rest, "g__");
    if (!is_local && !str_starts(rest, "b__"))
        return false;
    const char *bar = is_local ? memchr(rest.text, '|', rest.len) : NULL;
    size_t skipped = bar != NULL ? (size_t)(bar - rest.text) + 1 : strlen("b__");
    *out = (struct made_name){{method.text + 1, close - 2}, first_of_two(str_from(rest, skipped))};
    return true;
}

uint32_t made_name_ordinal_of_type(struct str type)
{
    static const char *const kinds[] = {"c__DisplayClass", "c__", "d__"};
    struct str rest = str_from(type, closing(type));
    for (size_t i = 0; i < ARRAY_LEN(kinds) && rest.len != type.len; i++) {
        if (!str_starts(rest, kinds[i]))
            continue;
        rest = str_from(rest, strlen(kinds[i]));
        return number_at(&rest);
    }
    return NO_INDEX;
}

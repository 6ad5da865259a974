#include "coverage/names/type_text.h"

#include "base/ascii.h"
#include "base/sort.h"

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

static bool is_path_character(char c)
{
    return is_name_character(c) || c == '/';
}

static bool is_plain_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_path_character(name.text[i]))
            return false;
    return true;
}

ORDER(order_type_names, struct type_name, BY(text) BY(index))

bool type_names_open(struct type_names *out, const struct str *list, uint32_t count,
                     struct arena *arena, struct err *err)
{
    *out = (struct type_names){.items = arena_raw(arena, count, sizeof *out->items, err),
                               .odd = arena_raw(arena, count, sizeof *out->odd, err)};
    if (out->items == NULL || out->odd == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct type_name name = {list[i], i};
        if (is_plain_name(list[i]))
            out->items[out->count++] = name;
        else
            out->odd[out->odd_count++] = name;
    }
    sort_unless_sorted(out->items, out->count, sizeof *out->items, order_type_names);
    return true;
}

static uint32_t index_of_name(const struct type_names *names, struct str text)
{
    const struct type_name first = {text, 0};
    size_t at = sorted_place(&first, names->items, names->count, sizeof first, order_type_names);
    return at < names->count && str_eq(names->items[at].text, text) ? names->items[at].index
                                                                    : NO_INDEX;
}

uint32_t type_names_find(const struct type_names *names, struct str text)
{
    uint32_t first = NO_INDEX;
    for (size_t start = 0, end; start < text.len; start = end + 1) {
        for (end = start; end < text.len && is_path_character(text.text[end]); end++)
            ;
        for (size_t i = start + 1; i <= end && names->count != 0; i++) {
            if (i != end && text.text[i] != '/') /* the type, or one around it */
                continue;
            uint32_t found = index_of_name(names, (struct str){text.text + start, i - start});
            first = found < first ? found : first;
        }
    }
    for (uint32_t i = 0; i < names->odd_count && names->odd[i].index < first; i++)
        if (type_text_find(text, names->odd[i].text) != NULL)
            first = names->odd[i].index;
    return first;
}

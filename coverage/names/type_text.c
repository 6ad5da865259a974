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

bool type_names_add(struct list *found, uint32_t name, struct arena *arena, struct err *err)
{
    const uint32_t *known = found->items;
    for (uint32_t i = 0; i < found->count; i++)
        if (known[i] == name)
            return true;
    return list_put(found, &name, sizeof name, arena, err);
}

static bool add_names(struct list *found, const struct type_names *names, struct str text,
                      struct arena *arena, struct err *err)
{
    const struct type_name first = {text, 0};
    size_t at = sorted_place(&first, names->items, names->count, sizeof first, order_type_names);
    for (; at < names->count && str_eq(names->items[at].text, text); at++)
        if (!type_names_add(found, names->items[at].index, arena, err))
            return false;
    return true;
}

bool type_names_find(struct list *found, const struct type_names *names, struct str text,
                     struct arena *arena, struct err *err)
{
    for (size_t start = 0, end; start < text.len; start = end + 1) {
        for (end = start; end < text.len && is_path_character(text.text[end]); end++)
            ;
        for (size_t i = start + 1; i <= end && names->count != 0; i++)
            if ((i == end || text.text[i] == '/') && /* the type, or one around it */
                !add_names(found, names, (struct str){text.text + start, i - start}, arena, err))
                return false;
    }
    for (uint32_t i = 0; i < names->odd_count; i++)
        if (type_text_find(text, names->odd[i].text) != NULL &&
            !type_names_add(found, names->odd[i].index, arena, err))
            return false;
    return true;
}

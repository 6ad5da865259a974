#include "reporters/html/page_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/fnv.h"
#include "base/sort.h"

enum {
    HASH_DIGITS = 12,
    SHOWN_MAX = 60 /* characters of the name */
};

static bool is_safe_in_name(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '.' || c == '_' || c == '-';
}

/* The end of the path: what people know a file by. */
static void add_shown(struct text *name, struct str path)
{
    size_t begin = path.len;
    while (begin > 0 && path.text[begin - 1] != '/' && path.len - begin < SHOWN_MAX)
        begin--;
    for (size_t i = begin; i < path.len; i++)
        text_add(name, is_safe_in_name(path.text[i]) ? (struct str){path.text + i, 1} : STR("_"));
}

bool page_name(struct str *out, const char *folder, struct str path, struct str owner,
               uint32_t copy, struct arena *arena, struct err *err)
{
    uint64_t hash = fnv_bytes(FNV_START, path.text, path.len);
    hash = fnv_bytes(hash, "", 1);
    hash = fnv_bytes(hash, owner.text, owner.len);
    hash = fnv_bytes(hash, &(uint8_t){(uint8_t)copy}, copy != 0);
    struct text name = text_in(arena);
    text_addf(&name, "%s/%0*" PRIx64 "-", folder, HASH_DIGITS, hash >> (64 - 4 * HASH_DIGITS));
    add_shown(&name, path);
    text_add(&name, STR(".html"));
    return text_take(out, &name, err);
}

ORDER(order_page_names, struct page_named,
      BY_ORDER(str_cmp(*a->name, *b->name)) BY_ORDER((a->name > b->name) - (a->name < b->name)))

/* Two names with one hash are next to each other. Hashes again until there are none: in practice
 * never. */
bool page_names(struct page_named *pages, uint32_t count, const char *folder, struct arena *arena,
                struct err *err)
{
    for (uint32_t i = 0; i < count; i++)
        if (!page_name(pages[i].name, folder, pages[i].path, pages[i].owner, 0, arena, err))
            return false;
    bool again = count != 0;
    for (uint32_t copy = 1; again; copy++) {
        again = false;
        qsort(pages, count, sizeof *pages, order_page_names);
        for (uint32_t i = 1; i < count; i++) {
            if (!str_eq(*pages[i - 1].name, *pages[i].name))
                continue;
            again = true;
            if (!page_name(pages[i].name, folder, pages[i].path, pages[i].owner, copy, arena, err))
                return false;
        }
    }
    return true;
}

bool page_name_is_one(struct str file, const char *end)
{
    if (file.len < HASH_DIGITS + 1 + strlen(end) || file.text[HASH_DIGITS] != '-' ||
        !str_ends(file, end))
        return false;
    for (size_t i = 0; i < file.len; i++)
        if (i < HASH_DIGITS ? strchr("0123456789abcdef", file.text[i]) == NULL
                            : !is_safe_in_name(file.text[i]))
            return false;
    return true;
}

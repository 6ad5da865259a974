#include "coverage/names/anonymous_names.h"

#include <string.h>

#include "base/ascii.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

struct anonymous_name {
    struct str numbered; /* up to its number, or its arity */
    struct str shape;    /* {Id,Name} */
};

static const char *const anonymous_prefixes[] = {"<>f__AnonymousType", "<>f__AnonymousDelegate",
                                                 "VB$AnonymousType_"};

/* The length of such a name with its number at the start of the text; *kept: without it. 0: there
 * is none. */
static size_t find_numbered(size_t *kept, struct str text)
{
    for (size_t i = 0; i < ARRAY_LEN(anonymous_prefixes); i++) {
        size_t len = *kept = strlen(anonymous_prefixes[i]);
        if (!str_starts(text, anonymous_prefixes[i]))
            continue;
        while (len < text.len && ascii_is_digit(text.text[len]))
            len++;
        return len;
    }
    return 0;
}

bool anonymous_name_is(struct str type)
{
    size_t kept;
    return find_numbered(&kept, type) != 0;
}

static uint32_t find_member(const struct metadata *md, uint32_t type, const char *prefix,
                            struct str name)
{
    const struct tables *t = &md->tables;
    struct row_range rows = tables_list(t, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        struct str method = row_string(md, COL_MethodDef_Name, rid);
        if (str_starts(method, prefix) && str_eq(str_from(method, strlen(prefix)), name))
            return rid;
    }
    return 0;
}

/* In their order; in Visual Basic those that can be set are no keys. */
static void add_properties(struct text *out, const struct metadata *md, uint32_t type)
{
    const struct tables *t = &md->tables;
    uint32_t map = tables_find(t, COL_PropertyMap_Parent, type);
    struct row_range rows = map != 0
                                ? tables_list(t, COL_PropertyMap_PropertyList, map, TABLE_Property)
                                : (struct row_range){0, 0};
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        struct str name = row_string(md, COL_Property_Name, rid);
        text_add_c(out, rid != rows.first ? "," : "");
        text_add(out, name);
        text_add_c(out, find_member(md, type, "set_", name) != 0 ? "=" : "");
    }
}

/* What a delegate is called with: types, and which parameters have a default, or are `params`. */
static bool add_called_with(struct text *out, const struct metadata *md, uint32_t method,
                            struct arena *arena, struct err *err)
{
    const struct tables *t = &md->tables;
    struct str signature;
    struct row_range rows = tables_list(t, COL_MethodDef_ParamList, method, TABLE_Param);
    if (method == 0)
        return true;
    if (!name_method_signature(&signature, md, method, arena, err))
        return false;
    text_add(out, signature);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint32_t parent = coded_from_token(CODED_HAS_CONSTANT, TOKEN(TABLE_Param, rid));
        uint32_t constant = tables_find(t, COL_Constant_Parent, parent);
        struct view value = row_blob(md, COL_Constant_Value, constant);
        text_addf(out, " %x", (unsigned)tables_get(t, COL_Param_Flags, rid));
        for (size_t i = 0; constant != 0 && i < value.len; i++)
            text_addf(out, "%02x", value.data[i]);
    }
    return true;
}

bool anonymous_names_open(struct anonymous_names *out, const struct metadata *md,
                          struct arena *arena, struct err *err)
{
    *out = (struct anonymous_names){.items = {0}};
    for (uint32_t type = 1; type <= tables_rows(&md->tables, TABLE_TypeDef); type++) {
        size_t kept;
        struct str name = row_string(md, COL_TypeDef_TypeName, type);
        struct text shape = text_in(arena);
        struct err ignored = {0};
        size_t len = find_numbered(&kept, name);
        if (len == 0)
            continue;
        struct anonymous_name *added = list_add(&out->items, sizeof *added, arena, err);
        if (added == NULL)
            return false;
        *added = (struct anonymous_name){.numbered = {name.text, len}};
        text_add_c(&shape, "{");
        add_properties(&shape, md, type);
        if (!add_called_with(&shape, md, find_member(md, type, "Invoke", STR("")), arena,
                             &ignored) &&
            ignored.code == ERR_MEMORY)
            return err_set(err, ERR_MEMORY, "%s", ignored.text);
        text_add_c(&shape, "}");
        if (!text_take(&added->shape, &shape, err))
            return false;
    }
    return true;
}

static struct str shape_of(const struct anonymous_names *names, struct str numbered)
{
    const struct anonymous_name *items = names->items.items;
    for (uint32_t i = 0; i < names->items.count; i++)
        if (str_eq(items[i].numbered, numbered))
            return items[i].shape;
    return STR("");
}

bool anonymous_names_replace(struct str *out, const struct anonymous_names *names, struct str text,
                             struct arena *arena, struct err *err)
{
    struct text replaced = text_in(arena);
    size_t start = 0, at = 0;
    *out = text;
    while (names->items.count != 0 && at < text.len) {
        size_t kept, len = find_numbered(&kept, str_from(text, at));
        if (len == 0) {
            at++;
            continue;
        }
        text_add(&replaced, (struct str){text.text + start, at + kept - start});
        text_add(&replaced, shape_of(names, (struct str){text.text + at, len}));
        start = at += len;
    }
    if (start == 0)
        return true;
    text_add(&replaced, str_from(text, start));
    return text_take(out, &replaced, err);
}

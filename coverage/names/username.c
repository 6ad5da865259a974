#include "coverage/names/username.h"

#include <string.h>

#include "coverage/names/compiler_name.h"
#include "metadata/lookup.h"

enum {
    NESTING_MAX = 64
};

/* Where the user's namespace begins in "<StartupCode$App>.$N"; the end if there is none, 0 in any
 * other. */
static size_t startup_prefix_len(struct str space)
{
    const char *close = space.len == 0 ? NULL : memchr(space.text, '>', space.len);
    if (!str_starts(space, "<StartupCode$") || close == NULL)
        return 0;
    size_t end = (size_t)(close - space.text) + 1;
    return str_starts(str_from(space, end), ".$") ? end + 2 : end == space.len ? end : 0;
}

void username_parts(struct str *space, struct str *name)
{
    size_t startup = startup_prefix_len(*space);
    bool is_outermost = startup == space->len; /* the `$` is then before the name */
    if (startup != 0 && is_outermost && !str_starts(*name, "$"))
        return;
    *name = str_from(*name, startup != 0 && is_outermost ? 1 : compiler_name_file_prefix(*name));
    *space = str_from(*space, startup);
}

/* `name` without the `len` characters at `at`. */
static bool cut_user_name(struct str *name, size_t at, size_t len, struct arena *arena,
                          struct err *err)
{
    return text_format(name, arena, err, "%.*s%.*s", (int)at, name->text,
                       (int)(name->len - at - len), name->text + at + len);
}

bool username_type(struct str *out, const struct metadata *md, uint32_t type_rid,
                   struct arena *arena, struct err *err)
{
    if (!name_type(out, md, TOKEN(TABLE_TypeDef, type_rid), arena, err))
        return false;
    uint32_t outermost = type_rid, outer = 0;
    for (unsigned depth = 0; depth < NESTING_MAX && (outer = enclosing_type(md, outermost)) != 0;
         depth++)
        outermost = outer;
    struct str space = row_string(md, COL_TypeDef_TypeNamespace, outermost);
    struct str name = row_string(md, COL_TypeDef_TypeName, outermost);
    size_t name_at = space.len == 0 ? 0 : space.len + 1;
    struct str user_space = space, user_name = name;
    username_parts(&user_space, &user_name);
    if (user_space.len != 0 && user_space.len != space.len)
        return cut_user_name(out, 0, space.len - user_space.len, arena, err);
    size_t kept = user_space.len == 0 ? 0 : name_at;
    size_t end = name_at + name.len - user_name.len;
    return end == kept || cut_user_name(out, kept, end - kept, arena, err);
}

bool username_method(struct str *out, const struct metadata *md, uint32_t method_rid,
                     struct arena *arena, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    if (!name_method(out, md, method_rid, arena, &why)) {
        if (why.code == ERR_MEMORY)
            return err_set(err, ERR_MEMORY, "%s", why.text);
        *out = name_of_member(md, TOKEN(TABLE_MethodDef, method_rid));
    }
    for (size_t i = 0; i + 1 < out->len; i++)
        if (out->text[i] == '$' && out->text[i + 1] == 'W' &&
            (i + 2 == out->len || out->text[i + 2] == '`'))
            return cut_user_name(out, i, 2, arena, err);
    if (str_is(*out, "<Main>$"))
        *out = STR("Main");
    else if (str_is(*out, "main@"))
        *out = STR("main");
    return true;
}

bool username_signature(struct str *out, const struct metadata *md, uint32_t method_rid,
                        struct arena *arena, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    if (name_method_signature(out, md, method_rid, arena, &why))
        return true;
    *out = STR("(...)");
    return why.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", why.text);
}

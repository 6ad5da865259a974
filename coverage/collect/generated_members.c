#include "coverage/collect/generated_members.h"

#include "metadata/lookup.h"
#include "metadata/tables.h"

static const char by_tool[] = "System.CodeDom.Compiler.GeneratedCodeAttribute";
static const char by_compiler[] = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

/* --- which attribute -------------------------------------------------------------------------- */

/* II.23.3: the first argument, a string: "by System.Text.Json.SourceGeneration"; empty if it is
 * not there. */
static bool add_tool(struct str *out, struct view value, struct arena *arena, struct err *err)
{
    struct reader r = rd_view(value);
    uint16_t prolog = rd_u16(&r);
    *out = STR("");
    struct str tool = attribute_string(&r);
    return r.failed || prolog != 1 || tool.len == 0 ||
           text_format(out, arena, err, "by %.*s", STR_ARGS(tool));
}

/* Can the name be written in C# or Visual Basic? */
static bool is_writable(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.text[i] == '<' || name.text[i] == '$' || name.text[i] == '@')
            return false;
    return true;
}

/* The compiler marks it, but the user wrote the statements. */
static bool has_top_level_statements(const struct metadata *md, uint32_t type)
{
    const struct tables *t = &md->tables;
    struct row_range range = tables_list(t, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = range.first; rid < range.end; rid++)
        if (str_is(row_string(md, COL_MethodDef_Name, rid), "<Main>$"))
            return true;
    return false;
}

static bool says_so(const struct metadata *md, uint32_t token, struct str attribute)
{
    if (str_is(attribute, by_tool))
        return true;
    uint32_t type = TOKEN_RID(token);
    return TOKEN_TABLE(token) == TABLE_TypeDef && str_is(attribute, by_compiler) &&
           is_writable(row_string(md, COL_TypeDef_TypeName, type)) &&
           !has_top_level_statements(md, type);
}

/* Only the tool of [GeneratedCode] tells more than what an attribute before told. */
static bool judge(const struct reason **out, const struct attribute_use *use, const void *context,
                  struct arena *arena, struct err *err)
{
    struct str tool;
    const struct metadata *md = context;
    if (!says_so(md, use->token, use->name))
        return true;
    if (!str_is(use->name, by_tool)) {
        if (*out == NULL)
            *out = reason_of(REASON_GENERATED_TYPE);
        return true;
    }
    if (!add_tool(&tool, use->value, arena, err))
        return false;
    *out = reason_new(REASON_GENERATED_ATTRIBUTE, tool, STR(""), arena, err);
    return *out != NULL;
}

bool generated_members_open(struct marked_members *out, const struct metadata *md,
                            struct arena *arena, struct err *err)
{
    if (!marked_members_open(out, md, judge, md, arena, err))
        return false;
    for (uint32_t row = 1; row <= tables_rows(&md->tables, TABLE_MethodSemantics); row++) {
        struct accessor accessor;
        if (marked_members_accessor(&accessor, out, row) && out->of_method[accessor.method] == NULL)
            out->of_method[accessor.method] = accessor.reason;
    }
    return true;
}

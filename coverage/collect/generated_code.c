#include "coverage/collect/generated_code.h"

#include "coverage/source/generated_file.h"
#include "metadata/lookup.h"

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
static bool judge_generator(const struct reason **out, const struct attribute_use *use,
                            const void *context, struct arena *arena, struct err *err)
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
    if (!marked_members_open(out, md, judge_generator, md, arena, err))
        return false;
    for (uint32_t row = 1; row <= tables_rows(&md->tables, TABLE_MethodSemantics); row++) {
        struct accessor accessor;
        if (marked_members_accessor(&accessor, out, row) && out->of_method[accessor.method] == NULL)
            out->of_method[accessor.method] = accessor.reason;
    }
    return true;
}

/* --- which methods ---------------------------------------------------------------------------- */

/* What the statements of a user's method say, together with those of its lambdas. */
enum {
    IN_TEMPLATE = 1, /* one is where only #line leads */
    IN_FSHARP = 2    /* the compiler itself marks types there that the user could name */
};

struct marking {
    const struct fact_module *code;
    const struct metadata *md;
    struct marked_members members;
    uint8_t *about;           /* per user's method */
    bool *has_generated_file; /* per row of TypeDef: or a type nested in it has */
};

static void note_file(struct marking *m, uint32_t method_rid)
{
    uint32_t type = owner_of_method(m->md, method_rid);
    for (unsigned depth = 0; type != 0 && depth < NESTED_TYPES_MAX; depth++) {
        m->has_generated_file[type] = true;
        type = enclosing_type(m->md, type);
    }
}

static void note_statements(struct marking *m)
{
    const struct fact_module *code = m->code;
    for (uint32_t i = 0; i < code->statement_count; i++) {
        const struct fact_statement *statement = &code->statements[i];
        const struct fact_document *document = &code->documents[statement->document];
        uint32_t user = code->methods[statement->method].user_method;
        if (!generated_file_is_source(document->path))
            m->about[user] |= IN_TEMPLATE;
        else if (str_ends(document->path, ".fs"))
            m->about[user] |= IN_FSHARP;
        if (document->generated != NULL)
            note_file(m, TOKEN_RID(code->methods[user].token));
    }
}

static const struct reason *mark_of(const struct marking *m, uint32_t method)
{
    uint32_t type = 0;
    const struct reason *reason =
        marked_members_reason(&type, &m->members, TOKEN_RID(m->code->methods[method].token));
    if (type == 0)
        type = owner_of_method(m->md, TOKEN_RID(m->code->methods[method].token));
    if ((m->about[method] & IN_TEMPLATE) != 0 || m->has_generated_file[type])
        return NULL;
    if ((m->about[method] & IN_FSHARP) != 0 && reason_is(reason, REASON_GENERATED_TYPE))
        return NULL;
    return reason;
}

bool generated_code_mark(const struct fact_module *code, const struct metadata *md,
                         struct arena *arena, struct err *err)
{
    struct marking m = {.code = code, .md = md};
    struct fact_method *methods = code->methods;
    struct arena scratch = ARENA_EMPTY;
    m.about = ARENA_NEW(&scratch, uint8_t, code->method_count, err);
    m.has_generated_file =
        ARENA_NEW(&scratch, bool, tables_rows(&md->tables, TABLE_TypeDef) + 1, err);
    bool ok = m.about != NULL && m.has_generated_file != NULL &&
              generated_members_open(&m.members, md, arena, err);
    if (ok)
        note_statements(&m);
    for (uint32_t i = 0; ok && i < code->method_count; i++)
        if (methods[i].user_method == i)
            methods[i].generated = mark_of(&m, i);
    for (uint32_t i = 0; ok && i < code->method_count; i++)
        methods[i].generated = methods[methods[i].user_method].generated;
    arena_free(&scratch);
    return ok;
}

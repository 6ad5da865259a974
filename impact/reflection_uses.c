#include "impact/reflection_uses.h"

#include <string.h>

#include "coverage/names/declaration.h"

/* Members of System.Reflection and System.Type as method_hash_token names them. */
struct query {
    const char *of, *whom;   /* "a constant of " N.C changed, and code that asks ... may notice */
    const char *members[13]; /* ends with NULL */
};

static const struct query type_query = {
    .of = "",
    .whom = "which types there are",
    .members = {
        "System.Reflection.Assembly::GetTypes", "System.Reflection.Assembly::GetExportedTypes",
        "System.Reflection.Assembly::get_DefinedTypes", "System.Reflection.Assembly::GetType",
        "System.Reflection.Assembly::get_ExportedTypes", "System.Reflection.Module::GetTypes",
        "System.Type::GetNestedTypes"}};
static const struct query method_query = {
    .of = "",
    .whom = "a type for its methods",
    .members = {"System.Type::GetMethods", "System.Type::GetMethod", "System.Type::GetMembers",
                "System.Type::GetMember", "System.Type::GetConstructors",
                "System.Type::GetConstructor", "System.Type::InvokeMember",
                "System.Reflection.TypeInfo::get_DeclaredMethods",
                "System.Reflection.TypeInfo::get_DeclaredMembers",
                "System.Reflection.TypeInfo::get_DeclaredConstructors",
                "System.Reflection.RuntimeReflectionExtensions::GetRuntimeMethods",
                "System.Reflection.RuntimeReflectionExtensions::GetRuntimeMethod"}};
static const struct query field_query = {
    .of = "a constant of ",
    .whom = "a type for its fields",
    .members = {"System.Type::GetFields", "System.Type::GetField", "System.Type::GetMembers",
                "System.Type::GetMember", "System.Type::InvokeMember",
                "System.Reflection.TypeInfo::get_DeclaredFields",
                "System.Reflection.TypeInfo::get_DeclaredMembers",
                "System.Reflection.RuntimeReflectionExtensions::GetRuntimeFields",
                "System.Reflection.RuntimeReflectionExtensions::GetRuntimeField"}};

/* --- what the build asks for ------------------------------------------------------------------ */

static bool binds_late(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_TypeRef); rid++) {
        struct str space = row_string(md, COL_TypeRef_TypeNamespace, rid);
        struct str name = row_string(md, COL_TypeRef_TypeName, rid);
        if (str_is(space, "Microsoft.CSharp.RuntimeBinder") || str_is(name, "NewLateBinding"))
            return true;
    }
    return false;
}

void reflection_open(struct build_changes *c)
{
    c->binds_late = false;
    for (uint32_t i = 0; !c->binds_late && i < c->build->facts.module_count; i++)
        c->binds_late = binds_late(&c->build->modules[i].md);
}

/* --- what is new ------------------------------------------------------------------------------ */

/* The first change is the reason for all who ask; a second one needs nobody else. */
static bool note_query(struct build_changes *c, bool *asked, const struct query *query,
                       struct str name, const char *what)
{
    if (*asked)
        return true;
    *asked = true;
    uint32_t change = build_changes_add(c, "%s%.*s %s, and code that asks %s may notice", query->of,
                                        STR_ARGS(name), what, query->whom);
    for (const char *const *member = query->members; *member != NULL; member++)
        if (!build_changes_add_type(c, str_of(*member), change))
            return false;
    return true;
}

bool reflection_note_type(struct build_changes *c, struct str type, const char *what)
{
    return note_query(c, &c->asks_types, &type_query, type, what);
}

bool reflection_note_constants(struct build_changes *c, struct str entry)
{
    entry.len -= strlen(DECLARATION_CONSTANTS);
    return note_query(c, &c->asks_fields, &field_query, entry, "changed");
}

static bool had_type(const struct build_changes *c, uint32_t module, struct str name)
{
    const struct fact_module *base = &c->base.modules[module];
    for (uint32_t i = 0; i < base->type_count; i++)
        if (str_eq(base->types[i].name, name))
            return true;
    return false;
}

bool reflection_note_method(struct build_changes *c, struct str name, const char *what)
{
    return note_query(c, &c->asks_methods, &method_query, name, what);
}

/* Containers and serialisers choose among constructors, binders among methods. */
bool reflection_note_new(struct build_changes *c, uint32_t head_module,
                         const struct fact_method *method, struct str name)
{
    uint32_t module = c->pairing.base_of[head_module];
    if (module == NO_INDEX || !had_type(c, module, method->type))
        return true;
    if ((str_is(method->name, ".ctor") || c->binds_late) &&
        !build_changes_add_seen_type(
            c, method->type,
            build_changes_add(c, "%.*s is new, and may be chosen at run time", STR_ARGS(name))))
        return false;
    return c->is_test_code[module] || reflection_note_method(c, name, "is new");
}

#include "coverage/affected/reflection.h"

#include <string.h>

#include "coverage/names/declaration.h"
#include "metadata/lookup.h"

enum {
    METHOD_ACCESS = 0x7, /* II.23.1.10 */
    METHOD_PRIVATE = 0x1,
};

/* Members of System.Reflection and System.Type as identity_token names them. */
static const char *const type_queries[] = {"System.Reflection.Assembly::GetTypes",
                                           "System.Reflection.Assembly::GetExportedTypes",
                                           "System.Reflection.Assembly::get_DefinedTypes",
                                           "System.Reflection.Assembly::GetType",
                                           "System.Reflection.Assembly::get_ExportedTypes",
                                           "System.Reflection.Module::GetTypes",
                                           "System.Type::GetNestedTypes"};
static const char *const method_queries[] = {
    "System.Type::GetMethods",
    "System.Type::GetMethod",
    "System.Type::GetMembers",
    "System.Type::GetMember",
    "System.Type::GetConstructors",
    "System.Type::GetConstructor",
    "System.Type::InvokeMember",
    "System.Reflection.TypeInfo::get_DeclaredMethods",
    "System.Reflection.TypeInfo::get_DeclaredMembers",
    "System.Reflection.TypeInfo::get_DeclaredConstructors",
    "System.Reflection.RuntimeReflectionExtensions::GetRuntimeMethods",
    "System.Reflection.RuntimeReflectionExtensions::GetRuntimeMethod"};
static const char *const field_queries[] = {
    "System.Type::GetFields",
    "System.Type::GetField",
    "System.Type::GetMembers",
    "System.Type::GetMember",
    "System.Type::InvokeMember",
    "System.Reflection.TypeInfo::get_DeclaredFields",
    "System.Reflection.TypeInfo::get_DeclaredMembers",
    "System.Reflection.RuntimeReflectionExtensions::GetRuntimeFields",
    "System.Reflection.RuntimeReflectionExtensions::GetRuntimeField"};

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
static bool add_queries(struct build_changes *c, const char *const *queries, size_t count,
                        uint32_t change, struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (!build_changes_add_type(c, str_of(queries[i]), change, err))
            return false;
    return true;
}

bool reflection_note_type(struct build_changes *c, struct str type, const char *what,
                          struct err *err)
{
    if (c->asks_types)
        return true;
    c->asks_types = true;
    uint32_t change =
        build_changes_add(c, err, "%.*s %s, and code that asks which types there are may notice",
                          STR_ARGS(type), what);
    return change != NO_INDEX && add_queries(c, type_queries, ARRAY_LEN(type_queries), change, err);
}

bool reflection_note_constants(struct build_changes *c, struct str entry, struct err *err)
{
    struct str type = {entry.text, entry.len - strlen(DECLARATION_CONSTANTS)};
    if (c->asks_fields)
        return true;
    c->asks_fields = true;
    uint32_t change = build_changes_add(
        c, err, "a constant of %.*s changed, and code that asks a type for its fields may notice",
        STR_ARGS(type));
    return change != NO_INDEX &&
           add_queries(c, field_queries, ARRAY_LEN(field_queries), change, err);
}

static bool is_private(const struct build_changes *c, uint32_t head_module,
                       const struct fact_method *method)
{
    return (tables_get(&c->build->modules[head_module].md.tables, COL_MethodDef_Flags,
                       TOKEN_RID(method->token)) &
            METHOD_ACCESS) <= METHOD_PRIVATE;
}

static bool had_type(const struct build_changes *c, uint32_t module, struct str name)
{
    const struct fact_module *base = &c->base.modules[module];
    for (uint32_t i = 0; i < base->type_count; i++)
        if (str_eq(base->types[i].name, name))
            return true;
    return false;
}

/* Containers and serialisers choose among constructors, binders among methods. */
bool reflection_note_method(struct build_changes *c, uint32_t head_module,
                            const struct fact_method *method, struct str name, struct err *err)
{
    uint32_t module = c->pairing.base_of[head_module];
    if (module == NO_INDEX || is_private(c, head_module, method) ||
        !had_type(c, module, method->type))
        return true;
    if (str_is(method->name, ".ctor") || c->binds_late) {
        uint32_t change =
            build_changes_add(c, err, "%.*s is new, and may be chosen at run time", STR_ARGS(name));
        if (change == NO_INDEX || !build_changes_add_seen_type(c, method->type, change, err))
            return false;
    }
    if (c->asks_methods || c->is_test_code[module])
        return true;
    c->asks_methods = true;
    uint32_t change = build_changes_add(
        c, err, "%.*s is new, and code that asks a type for its methods may notice",
        STR_ARGS(name));
    return change != NO_INDEX &&
           add_queries(c, method_queries, ARRAY_LEN(method_queries), change, err);
}

#include "coverage/statements/no_return.h"

#include "metadata/lookup.h"

enum return_answer {
    ANSWER_NOT_ASKED,
    ANSWER_RETURNS,
    ANSWER_NEVER
};

enum {
    NESTING_MAX = 16
};

static const char attribute[] = "System.Diagnostics.CodeAnalysis.DoesNotReturnAttribute";

/* Methods of the runtime's assemblies, which are not in the program's folder. */
static const struct {
    const char *space, *type, *method;
} of_framework[] = {
    {"System", "Environment", "Exit"},
    {"System", "Environment", "FailFast"},
    {"System.Diagnostics", "Debug", "Fail"},
    {"System.Runtime.ExceptionServices", "ExceptionDispatchInfo", "Throw"},
};

static bool names_attribute(const struct metadata *md)
{
    static const struct {
        enum table_id table;
        enum column name;
    } types[] = {{TABLE_TypeRef, COL_TypeRef_TypeName}, {TABLE_TypeDef, COL_TypeDef_TypeName}};
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        for (uint32_t rid = 1; rid <= tables_rows(&md->tables, types[i].table); rid++)
            if (str_is(row_string(md, types[i].name, rid), "DoesNotReturnAttribute"))
                return true;
    return false;
}

bool no_return_open(struct no_return *out, const struct module *module, struct str path,
                    struct arena *arena, struct err *err)
{
    const struct tables *t = &module->md.tables;
    size_t end = path.len;
    while (end != 0 && path.text[end - 1] != '/')
        end--;
    *out = (struct no_return){
        .module = module,
        .has_attribute = names_attribute(&module->md),
        .folder = {path.text, end},
        .of_method = ARENA_NEW(arena, uint8_t, tables_rows(t, TABLE_MethodDef) + 1, err),
        .of_member = ARENA_NEW(arena, uint8_t, tables_rows(t, TABLE_MemberRef) + 1, err),
        .of_type = ARENA_NEW(arena, struct defined_type, tables_rows(t, TABLE_TypeRef) + 1, err),
        .beside = ARENA_NEW(arena, struct module *, tables_rows(t, TABLE_AssemblyRef) + 1, err),
        .arena = arena,
    };
    return out->of_method != NULL && out->of_member != NULL && out->of_type != NULL &&
           out->beside != NULL;
}

void no_return_close(struct no_return *calls)
{
    if (calls->beside == NULL)
        return;
    uint32_t count = tables_rows(&calls->module->md.tables, TABLE_AssemblyRef);
    for (uint32_t i = 1; i <= count; i++)
        if (calls->beside[i] != NULL)
            module_close(calls->beside[i]);
}

/* --- types ------------------------------------------------------------------------------------ */

/* Opens an assembly in the module's folder; gives one without metadata if it is missing, can't be
 * read, or marks no method. */
static const struct module *open_beside(struct no_return *calls, uint32_t assembly_ref)
{
    const struct metadata *md = &calls->module->md;
    if (calls->beside[assembly_ref] != NULL)
        return calls->beside[assembly_ref];
    struct str path;
    struct str name = row_string(md, COL_AssemblyRef_Name, assembly_ref);
    struct module *module = ARENA_NEW(calls->arena, struct module, 1, NULL);
    if (module == NULL || calls->folder.len == 0 ||
        !text_format(&path, calls->arena, NULL, "%.*s%.*s.dll", STR_ARGS(calls->folder),
                     STR_ARGS(name)) ||
        !module_open_file(module, path.text, NULL))
        return calls->beside[assembly_ref] = module;
    if (!names_attribute(&module->md)) {
        module_close(module);
        *module = (struct module){0};
    }
    return calls->beside[assembly_ref] = module;
}

static uint32_t find_definition(const struct metadata *md, struct str space, struct str name,
                                uint32_t outer)
{
    uint32_t count = tables_rows(&md->tables, TABLE_TypeDef);
    for (uint32_t rid = 1; rid <= count; rid++)
        if (str_eq(row_string(md, COL_TypeDef_TypeName, rid), name) &&
            str_eq(row_string(md, COL_TypeDef_TypeNamespace, rid), space) &&
            enclosing_type(md, rid) == outer)
            return rid;
    return 0;
}

/* Of a TypeRef: where it is defined, if that can be found. */
static struct defined_type resolve_reference(struct no_return *calls, uint32_t rid, unsigned depth)
{
    const struct metadata *md = &calls->module->md;
    const struct tables *t = &md->tables;
    if (rid == 0 || rid > tables_rows(t, TABLE_TypeRef))
        return (struct defined_type){NULL, 0};
    struct defined_type *known = &calls->of_type[rid];
    if (known->md != NULL)
        return *known;
    *known = (struct defined_type){md, 0};
    uint32_t scope = row_token(md, CODED_RESOLUTION_SCOPE, COL_TypeRef_ResolutionScope, rid);
    struct defined_type outer = *known;
    if (TOKEN_TABLE(scope) == TABLE_TypeRef && depth < NESTING_MAX) {
        outer = resolve_reference(calls, TOKEN_RID(scope), depth + 1);
        if (outer.rid == 0)
            return *known;
    } else if (TOKEN_TABLE(scope) == TABLE_AssemblyRef && TOKEN_RID(scope) != 0 &&
               TOKEN_RID(scope) <= tables_rows(t, TABLE_AssemblyRef)) {
        const struct module *module = open_beside(calls, TOKEN_RID(scope));
        if (module == NULL)
            return *known;
        outer.md = &module->md;
    } else {
        return *known;
    }
    struct str space = row_string(md, COL_TypeRef_TypeNamespace, rid);
    struct str name = row_string(md, COL_TypeRef_TypeName, rid);
    *known = (struct defined_type){outer.md, find_definition(outer.md, space, name, outer.rid)};
    return *known;
}

static struct defined_type resolve_type(struct no_return *calls, uint32_t token)
{
    token = type_definition(&calls->module->md, token);
    if (TOKEN_TABLE(token) == TABLE_TypeDef)
        return (struct defined_type){&calls->module->md, TOKEN_RID(token)};
    if (TOKEN_TABLE(token) == TABLE_TypeRef)
        return resolve_reference(calls, TOKEN_RID(token), 0);
    return (struct defined_type){NULL, 0};
}

/* --- methods ---------------------------------------------------------------------------------- */

static uint32_t parameter_count(struct view signature)
{
    struct method_sig sig;
    return sig_method(&sig, signature, NULL) ? sig.param_count : UINT32_MAX;
}

static bool all_have_attribute(struct defined_type type, struct str name, uint32_t parameters)
{
    const struct tables *t = &type.md->tables;
    struct row_range range = tables_list(t, COL_TypeDef_MethodList, type.rid, TABLE_MethodDef);
    bool any = false;
    for (uint32_t rid = range.first; rid < range.end; rid++) {
        if (!str_eq(row_string(type.md, COL_MethodDef_Name, rid), name) ||
            parameter_count(row_blob(type.md, COL_MethodDef_Signature, rid)) != parameters)
            continue;
        if (!has_attribute(type.md, TOKEN(TABLE_MethodDef, rid), attribute, NULL))
            return false;
        any = true;
    }
    return any;
}

static bool is_framework_exit(const struct metadata *md, uint32_t type, struct str method)
{
    if (TOKEN_TABLE(type) != TABLE_TypeRef)
        return false;
    struct str space = row_string(md, COL_TypeRef_TypeNamespace, TOKEN_RID(type));
    struct str name = row_string(md, COL_TypeRef_TypeName, TOKEN_RID(type));
    for (size_t i = 0; i < ARRAY_LEN(of_framework); i++)
        if (str_is(method, of_framework[i].method) && str_is(name, of_framework[i].type) &&
            str_is(space, of_framework[i].space))
            return true;
    return false;
}

static bool member_never_returns(struct no_return *calls, uint32_t rid)
{
    const struct metadata *md = &calls->module->md;
    struct str name = row_string(md, COL_MemberRef_Name, rid);
    struct view signature = row_blob(md, COL_MemberRef_Signature, rid);
    uint32_t parent = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, rid);
    if (is_framework_exit(md, parent, name))
        return true;
    struct defined_type type = resolve_type(calls, parent);
    return type.rid != 0 && (type.md != md || calls->has_attribute) &&
           all_have_attribute(type, name, parameter_count(signature));
}

bool no_return_is(struct no_return *calls, uint32_t token)
{
    const struct metadata *md = &calls->module->md;
    token = method_of_instance(md, token);
    uint32_t rid = TOKEN_RID(token);
    bool is_member = TOKEN_TABLE(token) == TABLE_MemberRef;
    if ((!is_member && TOKEN_TABLE(token) != TABLE_MethodDef) || rid == 0 ||
        rid > tables_rows(&md->tables, is_member ? TABLE_MemberRef : TABLE_MethodDef))
        return false;
    uint8_t *known = is_member ? &calls->of_member[rid] : &calls->of_method[rid];
    if (*known == ANSWER_NOT_ASKED) {
        bool never = is_member ? member_never_returns(calls, rid)
                               : calls->has_attribute && has_attribute(md, token, attribute, NULL);
        *known = never ? ANSWER_NEVER : ANSWER_RETURNS;
    }
    return *known == ANSWER_NEVER;
}

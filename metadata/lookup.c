#include "metadata/lookup.h"

#include "base/sort.h"
#include "metadata/sig.h"

uint32_t type_named(const struct metadata *md, const char *type_namespace, const char *name)
{
    const struct tables *t = &md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_TypeDef); rid++)
        if (str_is(row_string(md, COL_TypeDef_TypeName, rid), name) &&
            str_is(row_string(md, COL_TypeDef_TypeNamespace, rid), type_namespace))
            return rid;
    return 0;
}

uint32_t enclosing_type(const struct metadata *md, uint32_t type_rid)
{
    if (type_rid == 0)
        return 0;
    uint32_t row = tables_find(&md->tables, COL_NestedClass_NestedClass, type_rid);
    return tables_get(&md->tables, COL_NestedClass_EnclosingClass, row);
}

bool type_parts(struct str *space, struct str *name, uint32_t *encloser, const struct metadata *md,
                uint32_t token)
{
    const struct tables *t = &md->tables;
    uint32_t rid = TOKEN_RID(token);
    enum table_id table = (enum table_id)TOKEN_TABLE(token);
    *encloser = 0;
    if ((table != TABLE_TypeDef && table != TABLE_TypeRef) || rid == 0 ||
        rid > tables_rows(t, table))
        return false;
    if (table == TABLE_TypeDef) {
        uint32_t around = enclosing_type(md, rid);
        *space = row_string(md, COL_TypeDef_TypeNamespace, rid);
        *name = row_string(md, COL_TypeDef_TypeName, rid);
        *encloser = around != 0 ? TOKEN(TABLE_TypeDef, around) : 0;
        return true;
    }
    uint32_t scope = row_token(md, CODED_RESOLUTION_SCOPE, COL_TypeRef_ResolutionScope, rid);
    *space = row_string(md, COL_TypeRef_TypeNamespace, rid);
    *name = row_string(md, COL_TypeRef_TypeName, rid);
    if (TOKEN_TABLE(scope) == TABLE_TypeRef && TOKEN_RID(scope) != 0)
        *encloser = scope;
    return true;
}

struct child {
    const struct tables *tables;
    enum column list_column;
    uint32_t rid;
};

/* Does the list of this TypeDef row begin at the child or before it? */
static bool begins_by(const void *context, size_t place)
{
    const struct child *child = context;
    return tables_get(child->tables, child->list_column, (uint32_t)place + 1) <= child->rid;
}

/* The last TypeDef row whose list begins at or before `child_rid`: II.22.37. */
static uint32_t find_list_owner(const struct metadata *md, enum column list_column,
                                enum table_id child_table, uint32_t child_rid)
{
    const struct tables *t = &md->tables;
    if (child_rid == 0 || child_rid > tables_rows(t, child_table))
        return 0;
    const struct child child = {t, list_column, child_rid};
    return (uint32_t)sorted_first(tables_rows(t, TABLE_TypeDef), begins_by, &child);
}

uint32_t owner_of_method(const struct metadata *md, uint32_t method_rid)
{
    return find_list_owner(md, COL_TypeDef_MethodList, TABLE_MethodDef, method_rid);
}

uint32_t owner_of_field(const struct metadata *md, uint32_t field_rid)
{
    return find_list_owner(md, COL_TypeDef_FieldList, TABLE_Field, field_rid);
}

bool compiled_by_fsharp(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++)
        if (str_is(row_string(md, COL_AssemblyRef_Name, rid), "FSharp.Core"))
            return true;
    return false;
}

/* Removes `suffix` from the end of `s`; false if `s` does not end with it. */
static bool drop_suffix(struct str *s, struct str suffix)
{
    if (suffix.len > s->len ||
        !str_eq((struct str){s->text + (s->len - suffix.len), suffix.len}, suffix))
        return false;
    s->len -= suffix.len;
    return true;
}

/* Compares from the end, without building the name: name, namespace, then the enclosing type. */
bool type_is(const struct metadata *md, uint32_t token, const char *name_in_full)
{
    struct str full_name = str_of(name_in_full);
    for (unsigned depth = 0; depth < SIG_DEPTH_MAX; depth++) {
        struct str space, name;
        uint32_t encloser = 0;
        if (!type_parts(&space, &name, &encloser, md, token) || !drop_suffix(&full_name, name) ||
            (space.len != 0 &&
             (!drop_suffix(&full_name, STR(".")) || !drop_suffix(&full_name, space))))
            return false;
        if (encloser == 0)
            return full_name.len == 0;
        if (!drop_suffix(&full_name, STR("/")))
            return false;
        token = encloser;
    }
    return false;
}

uint32_t type_definition(const struct metadata *md, uint32_t token)
{
    if (TOKEN_TABLE(token) != TABLE_TypeSpec)
        return token;
    struct reader r = rd_view(row_blob(md, COL_TypeSpec_Signature, TOKEN_RID(token)));
    bool is_instance = rd_u8(&r) == ELEMENT_GENERICINST;
    (void)rd_u8(&r); /* CLASS */
    uint32_t coded = rd_compressed(&r);
    return is_instance && !r.failed ? coded_to_token(CODED_TYPE_DEF_OR_REF, coded) : 0;
}

uint32_t base_of_type(const struct metadata *md, uint32_t type_rid)
{
    return type_definition(md, row_token(md, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type_rid));
}

bool type_is_structure(const struct metadata *md, uint32_t type_rid)
{
    return type_is(md, base_of_type(md, type_rid), "System.ValueType");
}

uint32_t type_of_member(const struct metadata *md, uint32_t token)
{
    if (TOKEN_TABLE(token) == TABLE_MethodDef)
        return TOKEN(TABLE_TypeDef, owner_of_method(md, TOKEN_RID(token)));
    if (TOKEN_TABLE(token) == TABLE_Field)
        return TOKEN(TABLE_TypeDef, owner_of_field(md, TOKEN_RID(token)));
    if (TOKEN_TABLE(token) != TABLE_MemberRef)
        return 0;
    uint32_t parent = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, TOKEN_RID(token));
    return type_definition(md, parent);
}

uint32_t type_of_attribute(const struct metadata *md, uint32_t attribute_rid)
{
    return type_of_member(
        md, row_token(md, CODED_CUSTOM_ATTRIBUTE_TYPE, COL_CustomAttribute_Type, attribute_rid));
}

bool has_attribute(const struct metadata *md, uint32_t token, const char *full_name,
                   struct view *value)
{
    const struct tables *t = &md->tables;
    bool sorted = (t->sorted >> TABLE_CustomAttribute & 1) != 0;
    uint32_t parent = coded_from_token(CODED_HAS_CUSTOM_ATTRIBUTE, token);
    uint32_t rid = tables_find(t, COL_CustomAttribute_Parent, parent);
    if (parent == NO_INDEX || rid == 0)
        return false;
    for (; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        if (tables_get(t, COL_CustomAttribute_Parent, rid) != parent) {
            if (sorted)
                return false;
            continue;
        }
        if (type_is(md, type_of_attribute(md, rid), full_name)) {
            if (value != NULL)
                *value = row_blob(md, COL_CustomAttribute_Value, rid);
            return true;
        }
    }
    return false;
}

#include "impact/type_paths.h"

#include <string.h>

#include "base/path.h"
#include "coverage/names/compiler_name.h"
#include "metadata/lookup.h"
#include "metadata/sig.h"

enum {
    MEMBER_ACCESS = 0x7, /* II.23.1.5, II.23.1.10 */
    MEMBER_PRIVATE = 0x1,
    MEMBER_PUBLIC = 0x6,
    MEMBER_STATIC = 0x10,
};

struct reaching {
    struct build_changes *changes;
    struct list *types; /* struct changed_type, which grows */
    bool by_field, by_property;
};

bool type_paths_open_references(struct references *out, const struct build_changes *c,
                                const struct list *types, uint32_t head_module)
{
    const struct changed_type *items = types->items;
    struct str *names = ARENA_NEW(c->arena, struct str, types->count, c->err);
    for (uint32_t i = 0; names != NULL && i < types->count; i++)
        names[i] = items[i].name;
    return names != NULL && references_open(out, &c->build->modules[head_module], names,
                                            types->count, c->arena, c->err);
}

/* --- from one type to the next ---------------------------------------------------------------- */

static bool add_reached(struct reaching *r, struct str name, uint32_t change)
{
    return changed_types_add(r->types, name, change, r->changes->arena, r->changes->err) != NULL;
}

/* Type `type` leads to a changed one, `found`. */
static bool add_leading(struct reaching *r, struct references *references, uint32_t type,
                        uint32_t found)
{
    struct str name;
    if (found == NO_INDEX)
        return true;
    uint32_t change = ((const struct changed_type *)r->types->items)[found].change;
    return method_hash_token(&name, &references->hasher, TOKEN(TABLE_TypeDef, type),
                             r->changes->err) &&
           add_reached(r, name, change);
}

static bool add_if(struct reaching *r, struct references *references, uint32_t type, uint32_t base)
{
    uint32_t found;
    return references_of_token(&found, references, base, r->changes->err) &&
           add_leading(r, references, type, found);
}

static bool add_derived(struct reaching *r, struct references *references)
{
    const struct tables *t = &references->module->md.tables;
    bool ok = true;
    for (uint32_t type = 1; ok && type <= tables_rows(t, TABLE_TypeDef); type++)
        ok = add_if(r, references, type,
                    tables_token(t, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type));
    for (uint32_t rid = 1; ok && rid <= tables_rows(t, TABLE_InterfaceImpl); rid++)
        ok = add_if(r, references, tables_get(t, COL_InterfaceImpl_Class, rid),
                    tables_token(t, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid));
    return ok;
}

static bool add_if_typed(struct reaching *r, struct references *references, uint32_t type,
                         struct view signature)
{
    uint32_t found = NO_INDEX;
    struct reader one = rd_view(signature);
    return references_of_type(&found, references, &one, r->changes->err) &&
           add_leading(r, references, type, found);
}

static bool add_by_fields(struct reaching *r, struct references *references, uint32_t type)
{
    const struct metadata *md = &references->module->md;
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_FieldList, type, TABLE_Field);
    bool has_layout = type_is_structure(md, type);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint32_t flags = tables_get(&md->tables, COL_Field_Flags, rid);
        struct view signature = sig_of_field(md, TOKEN(TABLE_Field, rid));
        if ((flags & MEMBER_STATIC) == 0 &&
            ((flags & MEMBER_ACCESS) == MEMBER_PUBLIC ||
             (has_layout && sig_first_element(signature) == ELEMENT_VALUETYPE)) &&
            !add_if_typed(r, references, type, signature))
            return false;
    }
    return true;
}

static bool add_by_properties(struct reaching *r, struct references *references, uint32_t type)
{
    const struct metadata *md = &references->module->md;
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint32_t flags = tables_get(&md->tables, COL_MethodDef_Flags, rid);
        struct method_sig sig;
        struct err ignored = {0};
        if ((flags & MEMBER_STATIC) == 0 && (flags & MEMBER_ACCESS) > MEMBER_PRIVATE &&
            str_starts(row_string(md, COL_MethodDef_Name, rid), "get_") &&
            sig_method(&sig, row_blob(md, COL_MethodDef_Signature, rid), &ignored) &&
            !add_if_typed(r, references, type, sig.return_type))
            return false;
    }
    return true;
}

/* The first changed type whose name, or its last part, is among the values of an attribute. */
static uint32_t find_in_values(const struct reaching *r, struct view values)
{
    const struct changed_type *types = r->types->items;
    for (uint32_t i = 0; i < r->types->count; i++) {
        struct str name = path_file(types[i].name);
        if (name.len != 0 && values.len != 0 &&
            memmem(values.data, values.len, name.text, name.len) != NULL)
            return i;
    }
    return NO_INDEX;
}

/* As [JsonDerivedType(typeof(N.C))] on its base. */
static bool add_by_attributes(struct reaching *r, struct references *references)
{
    const struct metadata *md = &references->module->md;
    const struct tables *t = &md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = tables_token(t, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        if (TOKEN_TABLE(on) == TABLE_TypeDef &&
            !add_leading(r, references, TOKEN_RID(on),
                         find_in_values(r, row_blob(md, COL_CustomAttribute_Value, rid))))
            return false;
    }
    return true;
}

static bool add_holders(struct reaching *r, struct references *references)
{
    const struct metadata *md = &references->module->md;
    for (uint32_t type = 1; type <= tables_rows(&md->tables, TABLE_TypeDef); type++)
        if (!compiler_type_is(md, type) &&
            ((r->by_field && !add_by_fields(r, references, type)) ||
             (r->by_property && !add_by_properties(r, references, type))))
            return false;
    return true;
}

static bool grow_reached(struct reaching *r)
{
    uint32_t before;
    do {
        before = r->types->count;
        for (uint32_t i = 0; before != 0 && i < r->changes->build->facts.module_count; i++) {
            struct references references;
            if (!type_paths_open_references(&references, r->changes, r->types, i))
                return false;
            bool ok = add_derived(r, &references) && add_holders(r, &references) &&
                      (!r->by_field || add_by_attributes(r, &references));
            references_close(&references);
            if (!ok)
                return false;
        }
    } while (r->types->count != before);
    return true;
}

/* --- who hands them over ---------------------------------------------------------------------- */

static bool mark_handing(struct reaching *r, uint32_t head_module, struct arena *scratch)
{
    struct build_changes *c = r->changes;
    const struct code *code = &c->pairing.head[head_module];
    struct references references;
    bool ok = type_paths_open_references(&references, c, r->types, head_module);
    if (!ok)
        return false;
    const struct changed_type *types = r->types->items;
    for (uint32_t i = 0; ok && i < code->count; i++)
        for (uint32_t k = 0; ok && k < code->methods[i].member_count; k++) {
            uint32_t found;
            const struct fact_method *member =
                &code->module->methods[code->methods[i].members[k].method];
            arena_reset(scratch);
            ok = references_as_argument(&found, &references, TOKEN_RID(member->token), scratch,
                                        r->changes->err);
            if (ok && found != NO_INDEX)
                build_changes_mark_pair(c, head_module, i, types[found].change);
        }
    references_close(&references);
    return ok;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool add_shapes(struct reaching *r)
{
    const struct changed_type *types = r->changes->types.items;
    for (uint32_t i = 0; i < r->changes->types.count; i++)
        if (types[i].shape != 0 && !add_reached(r, types[i].name, types[i].shape - 1))
            return false;
    return true;
}

static bool add_to_changed(struct reaching *r)
{
    const struct changed_type *types = r->types->items;
    for (uint32_t i = 0; i < r->types->count; i++)
        if (!build_changes_add_type(r->changes, types[i].name, types[i].change))
            return false;
    return true;
}

bool type_paths_find(struct build_changes *c)
{
    struct list shapes = {0};
    struct reaching derived = {.changes = c, .types = &c->types};
    struct reaching r = {.changes = c, .types = &shapes, .by_field = true};
    bool ok = grow_reached(&derived) && add_shapes(&r) && grow_reached(&r) && add_to_changed(&r);
    r.by_property = true;
    ok = ok && grow_reached(&r);
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && shapes.count != 0 && i < c->build->facts.module_count; i++)
        ok = mark_handing(&r, i, &scratch);
    arena_free(&scratch);
    return ok;
}

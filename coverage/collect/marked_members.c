#include "coverage/collect/marked_members.h"

#include "metadata/lookup.h"
#include "metadata/tables.h"

struct str attribute_string(struct reader *value)
{
    if (rd_left(value) != 0 && value->data[value->pos] == 0xFF) { /* null */
        (void)rd_u8(value);
        return (struct str){NULL, 0};
    }
    uint32_t len = rd_compressed(value);
    const uint8_t *text = rd_take(value, len);
    return (struct str){(const char *)text, value->failed ? 0 : len};
}

static const struct reason **place_for_token(struct marked_members *m, uint32_t token)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    if (table >= TABLE_COUNT || rid == 0 || rid > tables_rows(&m->md->tables, table))
        return NULL;
    switch (table) {
    case TABLE_Assembly:
    case TABLE_Module:
        return &m->of_all;
    case TABLE_TypeDef:
        return &m->of_type[rid];
    case TABLE_MethodDef:
        return &m->of_method[rid];
    case TABLE_Property:
        return &m->of_property[rid];
    case TABLE_Event:
        return &m->of_event[rid];
    default:
        return NULL;
    }
}

static bool read_attributes(struct marked_members *m, attribute_judge *judge, const void *context,
                            struct arena *scratch, struct err *err)
{
    const struct tables *t = &m->md->tables;
    uint32_t count = tables_rows(t, TABLE_CustomAttribute), known_type = 0;
    struct attribute_use use = {.token = 0};
    for (uint32_t rid = 1; rid <= count; rid++) {
        use.token = row_token(m->md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        const struct reason **place = place_for_token(m, use.token);
        uint32_t type = place != NULL ? type_of_attribute(m->md, rid) : 0;
        if (type == 0)
            continue;
        if (type != known_type) { /* neighbours often have the same type */
            arena_reset(scratch);
            if (!name_type(&use.name, m->md, type, scratch, err))
                return false;
            known_type = type;
        }
        use.value = row_blob(m->md, COL_CustomAttribute_Value, rid);
        if (!judge(place, &use, context, m->arena, err))
            return false;
    }
    return true;
}

static const struct reason **row_of_each(const struct metadata *md, uint32_t table,
                                         struct arena *arena, struct err *err)
{
    return ARENA_NEW(arena, const struct reason *, tables_rows(&md->tables, table) + 1, err);
}

bool marked_members_open(struct marked_members *out, const struct metadata *md,
                         attribute_judge *judge, const void *context, struct arena *arena,
                         struct err *err)
{
    *out = (struct marked_members){
        .md = md,
        .of_type = row_of_each(md, TABLE_TypeDef, arena, err),
        .of_method = row_of_each(md, TABLE_MethodDef, arena, err),
        .of_property = row_of_each(md, TABLE_Property, arena, err),
        .of_event = row_of_each(md, TABLE_Event, arena, err),
        .arena = arena,
    };
    if (out->of_type == NULL || out->of_method == NULL || out->of_property == NULL ||
        out->of_event == NULL)
        return false;
    struct arena scratch = ARENA_EMPTY;
    bool ok = read_attributes(out, judge, context, &scratch, err);
    arena_free(&scratch);
    return ok;
}

bool marked_members_accessor(struct accessor *out, const struct marked_members *members,
                             uint32_t row)
{
    const struct tables *t = &members->md->tables;
    uint32_t method = tables_get(t, COL_MethodSemantics_Method, row);
    uint32_t of = row_token(members->md, CODED_HAS_SEMANTICS, COL_MethodSemantics_Association, row);
    uint32_t table = TOKEN_TABLE(of), rid = TOKEN_RID(of);
    bool is_property = table == TABLE_Property;
    if (method == 0 || method > tables_rows(t, TABLE_MethodDef) || rid == 0 ||
        (!is_property && table != TABLE_Event) || rid > tables_rows(t, table))
        return false;
    *out = (struct accessor){
        .method = method,
        .property = is_property ? rid : 0,
        .reason = is_property ? members->of_property[rid] : members->of_event[rid],
    };
    return true;
}

const struct reason *marked_members_reason(uint32_t *type, const struct marked_members *members,
                                           uint32_t method)
{
    *type = 0;
    if (members->of_method[method] != NULL)
        return members->of_method[method];
    *type = owner_of_method(members->md, method);
    for (unsigned depth = 0; *type != 0 && depth < NESTED_TYPES_MAX; depth++) {
        if (members->of_type[*type] != NULL)
            return members->of_type[*type];
        *type = enclosing_type(members->md, *type);
    }
    *type = 0;
    return members->of_all;
}

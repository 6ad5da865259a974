#include "coverage/collect/excluded_by_attribute.h"

#include <string.h>

#include "metadata/lookup.h"
enum {
    NESTING_MAX = 64,
    NAMED_PROPERTY = 0x54 /* II.23.3 */
};

static const char attribute[] = "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute";
static const char made_by_compiler[] = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

/* --- which attributes ------------------------------------------------------------------------- */

static struct str without_suffix(struct str name)
{
    static const char suffix[] = "Attribute";
    if (name.len > sizeof suffix - 1 && str_ends(name, suffix))
        name.len -= sizeof suffix - 1;
    return name;
}

/* The name after namespace and enclosing types. */
static struct str short_name(struct str name)
{
    for (size_t i = name.len; i != 0; i--)
        if (name.text[i - 1] == '.' || name.text[i - 1] == '/')
            return (struct str){name.text + i, name.len - i};
    return name;
}

static bool is_named(struct str full_name, struct str wanted)
{
    struct str last = short_name(wanted);
    struct str name = last.len == wanted.len ? short_name(full_name) : full_name;
    return str_eq(name, wanted) || str_eq(without_suffix(name), without_suffix(wanted));
}

static bool is_wanted(struct str full_name, const struct exclusion_options *options)
{
    if (str_is(full_name, attribute))
        return true;
    for (uint32_t i = 0; i < options->attribute_count; i++)
        if (is_named(full_name, options->attributes[i]))
            return true;
    return false;
}

/* --- the value of an attribute ---------------------------------------------------------------- */

static struct str rd_ser_string(struct reader *r)
{
    if (rd_left(r) != 0 && r->data[r->pos] == 0xFF) { /* null */
        (void)rd_u8(r);
        return (struct str){NULL, 0};
    }
    uint32_t len = rd_compressed(r);
    const uint8_t *text = rd_take(r, len);
    return (struct str){(const char *)text, r->failed ? 0 : len};
}

/* The first named argument, if it is the text of Justification. Positional arguments are not
 * skipped. */
static struct str justification(struct view value)
{
    struct reader r = rd_view(value);
    uint16_t prolog = rd_u16(&r), count = rd_u16(&r);
    uint8_t kind = rd_u8(&r), type = rd_u8(&r);
    if (r.failed || prolog != 1 || count == 0 || kind != NAMED_PROPERTY || type != ELEMENT_STRING)
        return (struct str){NULL, 0};
    struct str name = rd_ser_string(&r), text = rd_ser_string(&r);
    return !r.failed && str_is(name, "Justification") ? text : (struct str){NULL, 0};
}

static bool make_reason(const struct reason **out, struct str full_name, struct view value,
                        struct arena *arena, struct err *err)
{
    *out = reason_new(REASON_ATTRIBUTE, without_suffix(short_name(full_name)), justification(value),
                      arena, err);
    return *out != NULL;
}

/* --- where attributes are --------------------------------------------------------------------- */

/* Excluded properties and events, until their methods are known. */
struct members {
    const struct reason **of_property, **of_event;
};

static const struct reason **place_of(struct exclusions *x, const struct members *members,
                                      uint32_t token)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    if (table >= TABLE_COUNT || rid == 0 || rid > x->md->tables.table[table].row_count)
        return NULL;
    switch (table) {
    case TABLE_Assembly:
    case TABLE_Module:
        return &x->of_all;
    case TABLE_TypeDef:
        return &x->of_type[rid];
    case TABLE_MethodDef:
        return &x->of_method[rid];
    case TABLE_Property:
        return &members->of_property[rid];
    case TABLE_Event:
        return &members->of_event[rid];
    default:
        return NULL;
    }
}

static bool read_attributes(struct exclusions *x, const struct members *members,
                            const struct exclusion_options *options, struct arena *scratch,
                            struct err *err)
{
    const struct tables *t = &x->md->tables;
    uint32_t count = tables_rows(t, TABLE_CustomAttribute), known_type = 0;
    struct str name = {NULL, 0};
    for (uint32_t rid = 1; rid <= count; rid++) {
        uint32_t token = coded_to_token(CODED_HAS_CUSTOM_ATTRIBUTE,
                                        tables_get(t, COL_CustomAttribute_Parent, rid));
        const struct reason **place = place_of(x, members, token);
        uint32_t type = place != NULL ? type_of_attribute(x->md, rid) : 0;
        if (type == 0)
            continue;
        if (type != known_type) { /* neighbours often have the same type */
            arena_reset(scratch);
            if (!name_type(&name, x->md, type, scratch, err))
                return false;
            known_type = type;
        }
        if (*place == NULL && is_wanted(name, options) &&
            !make_reason(place, name,
                         heap_blob(x->md, tables_get(t, COL_CustomAttribute_Value, rid)), x->arena,
                         err))
            return false;
    }
    return true;
}

/* --- properties and events -------------------------------------------------------------------- */

/* As C#, Visual Basic and F# call the field of property P: <P>k__BackingField, _P, P@. */
static bool is_backing_field(struct str field, struct str property)
{
    static const char *const around[][2] = {{"<", ">k__BackingField"}, {"_", ""}, {"", "@"}};
    for (size_t i = 0; i < ARRAY_LEN(around); i++) {
        size_t before = strlen(around[i][0]);
        if (field.len == before + property.len + strlen(around[i][1]) &&
            str_starts(field, around[i][0]) && str_ends(field, around[i][1]) &&
            str_eq((struct str){field.text + before, property.len}, property))
            return true;
    }
    return false;
}

/* The compiler-generated field of a property, or 0. */
static uint32_t backing_field(const struct metadata *md, uint32_t type_rid, struct str property)
{
    struct row_range range = tables_list(&md->tables, COL_TypeDef_FieldList, type_rid, TABLE_Field);
    for (uint32_t rid = range.first; rid < range.end; rid++) {
        struct str name = heap_string(md, tables_get(&md->tables, COL_Field_Name, rid));
        if (is_backing_field(name, property) &&
            (str_ends(name, "@") || /* F# does not mark it as generated */
             has_attribute(md, TOKEN(TABLE_Field, rid), made_by_compiler, NULL)))
            return rid;
    }
    return 0;
}

/* An accessor is excluded with its property. If the property has a compiler-generated field, it is
 * an auto-property. */
static void follow(struct exclusions *x, uint32_t method, struct str name,
                   const struct reason *reason, bool auto_properties)
{
    uint32_t field = 0, owner = owner_of_method(x->md, method);
    if (name.len != 0 && owner != 0 && (reason != NULL || auto_properties))
        field = backing_field(x->md, owner, name);
    if (reason == NULL && field != 0 &&
        has_attribute(x->md, TOKEN(TABLE_MethodDef, method), made_by_compiler, NULL))
        reason = reason_of(REASON_AUTO_PROPERTY);
    if (x->of_method[method] == NULL)
        x->of_method[method] = reason;
    if (field != 0 && x->of_field[field] == NULL)
        x->of_field[field] = reason;
}

/* Properties of a C# extension block are in a type of its own, "<G>$...". Their code is in the
 * enclosing type: in the method with the accessor's name, if there is exactly one. */
static uint32_t code_of_extension(const struct metadata *md, uint32_t accessor)
{
    const struct tables *t = &md->tables;
    uint32_t block = owner_of_method(md, accessor), around = enclosing_type(md, block), found = 0;
    if (around == 0 ||
        !str_starts(heap_string(md, tables_get(t, COL_TypeDef_TypeName, block)), "<G>$"))
        return 0;
    struct str name = heap_string(md, tables_get(t, COL_MethodDef_Name, accessor));
    struct row_range range = tables_list(t, COL_TypeDef_MethodList, around, TABLE_MethodDef);
    for (uint32_t rid = range.first; rid < range.end; rid++) {
        if (!str_eq(heap_string(md, tables_get(t, COL_MethodDef_Name, rid)), name))
            continue;
        if (found != 0)
            return 0;
        found = rid;
    }
    return found;
}

static void follow_all(struct exclusions *x, const struct members *members, bool auto_properties)
{
    const struct tables *t = &x->md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_MethodSemantics); rid++) {
        uint32_t method = tables_get(t, COL_MethodSemantics_Method, rid);
        uint32_t of = coded_to_token(CODED_HAS_SEMANTICS,
                                     tables_get(t, COL_MethodSemantics_Association, rid));
        const struct reason *const *reason = place_of(x, members, of);
        if (reason == NULL || method == 0 || method > tables_rows(t, TABLE_MethodDef))
            continue;
        struct str name = {NULL, 0}; /* events have no code of this kind */
        if (TOKEN_TABLE(of) == TABLE_Property)
            name = heap_string(x->md, tables_get(t, COL_Property_Name, TOKEN_RID(of)));
        follow(x, method, name, *reason, auto_properties);
        uint32_t code = *reason != NULL ? code_of_extension(x->md, method) : 0;
        if (code != 0 && x->of_method[code] == NULL)
            x->of_method[code] = *reason;
    }
}

bool exclusions_open(struct exclusions *out, const struct metadata *md,
                     const struct exclusion_options *options, struct arena *arena, struct err *err)
{
    const struct tables *t = &md->tables;
    *out = (struct exclusions){
        .md = md,
        .of_type = ARENA_NEW(arena, const struct reason *, tables_rows(t, TABLE_TypeDef) + 1, err),
        .of_method =
            ARENA_NEW(arena, const struct reason *, tables_rows(t, TABLE_MethodDef) + 1, err),
        .of_field = ARENA_NEW(arena, const struct reason *, tables_rows(t, TABLE_Field) + 1, err),
        .arena = arena,
    };
    struct members members = {
        .of_property =
            ARENA_NEW(arena, const struct reason *, tables_rows(t, TABLE_Property) + 1, err),
        .of_event = ARENA_NEW(arena, const struct reason *, tables_rows(t, TABLE_Event) + 1, err),
    };
    if (out->of_type == NULL || out->of_method == NULL || out->of_field == NULL ||
        members.of_property == NULL || members.of_event == NULL)
        return false;
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = read_attributes(out, &members, options, &scratch, err);
    arena_free(&scratch);
    if (ok)
        follow_all(out, &members, options->auto_properties);
    return ok;
}

/* --- answers ---------------------------------------------------------------------------------- */

const struct reason *exclusions_reason(const struct exclusions *exclusions, uint32_t method_rid)
{
    if (exclusions->of_method[method_rid] != NULL)
        return exclusions->of_method[method_rid];
    uint32_t type = owner_of_method(exclusions->md, method_rid);
    for (unsigned depth = 0; type != 0 && depth < NESTING_MAX; depth++) {
        if (exclusions->of_type[type] != NULL)
            return exclusions->of_type[type];
        type = enclosing_type(exclusions->md, type);
    }
    return exclusions->of_all;
}

/* The field of an excluded property in this type that an instruction stores to. */
static const struct reason *stored_reason(const struct exclusions *x, uint32_t type_rid,
                                          const struct instr *instr)
{
    const struct tables *t = &x->md->tables;
    if (instr->op != OP_STFLD && instr->op != OP_STSFLD)
        return NULL;
    struct str name = name_of_member(x->md, instr->operand);
    struct row_range range = tables_list(t, COL_TypeDef_FieldList, type_rid, TABLE_Field);
    for (uint32_t rid = range.first; rid < range.end; rid++)
        if (x->of_field[rid] != NULL &&
            str_eq(heap_string(x->md, tables_get(t, COL_Field_Name, rid)), name))
            return x->of_field[rid];
    return NULL;
}

static bool calls_constructor(const struct metadata *md, const struct instr *instr)
{
    return instr->op == OP_CALL && str_is(name_of_member(md, instr->operand), ".ctor");
}

/* Initialisers come before the call of the base constructor and end with the store. In a static
 * constructor with nothing else, `ret` follows the last one. */
const struct reason *exclusions_initialiser(const struct exclusions *exclusions,
                                            uint32_t method_rid, const struct il *il,
                                            uint32_t first, uint32_t end)
{
    const struct metadata *md = exclusions->md;
    struct str name = heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, method_rid));
    if (first >= end || end > il->count || (!str_is(name, ".ctor") && !str_is(name, ".cctor")))
        return NULL;
    for (uint32_t i = 0; i < end; i++)
        if (calls_constructor(md, &il->instrs[i]))
            return NULL;
    if (il->instrs[end - 1].op == OP_RET && end - 1 > first)
        end--;
    return stored_reason(exclusions, owner_of_method(md, method_rid), &il->instrs[end - 1]);
}

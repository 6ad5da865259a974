#include "coverage/collect/excluded_by_attribute.h"

#include <string.h>

#include "metadata/lookup.h"

enum {
    NAMED_PROPERTY = 0x54 /* II.23.3 */
};

static const char attribute[] = "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute";
static const char made_async[] = "System.Runtime.CompilerServices.AsyncStateMachineAttribute";
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

struct str exclusions_attribute(struct str name)
{
    return without_suffix(short_name(name));
}

static bool is_attribute_named(struct str full_name, struct str wanted)
{
    struct str last = short_name(wanted);
    struct str name = last.len == wanted.len ? short_name(full_name) : full_name;
    return str_eq(name, wanted) || str_eq(without_suffix(name), without_suffix(wanted));
}

static bool is_wanted_attribute(struct str full_name, const struct exclusion_options *options)
{
    if (str_is(full_name, attribute))
        return true;
    for (uint32_t i = 0; i < options->attribute_count; i++)
        if (is_attribute_named(full_name, options->attributes[i]))
            return true;
    return false;
}

/* --- the value of an attribute ---------------------------------------------------------------- */

/* The first named argument, if it is the text of Justification. Positional arguments are not
 * skipped. */
static struct str read_justification(struct view value)
{
    struct reader r = rd_view(value);
    uint16_t prolog = rd_u16(&r), count = rd_u16(&r);
    uint8_t kind = rd_u8(&r), type = rd_u8(&r);
    if (r.failed || prolog != 1 || count == 0 || kind != NAMED_PROPERTY || type != ELEMENT_STRING)
        return (struct str){NULL, 0};
    struct str name = attribute_string(&r), text = attribute_string(&r);
    return !r.failed && str_is(name, "Justification") ? text : (struct str){NULL, 0};
}

/* --- what compilers add ----------------------------------------------------------------------- */

struct judging {
    const struct exclusion_options *options;
    const struct metadata *md;
    uint32_t *stepped; /* the method whose [DebuggerStepThrough] was the compiler's */
};

/* On ref structs, and on constructors of types with required members: so that older compilers
 * refuse to use them. */
static bool is_made_obsolete(const struct attribute_use *use)
{
    struct reader r = rd_view(use->value);
    uint16_t prolog = rd_u16(&r);
    struct str text = attribute_string(&r);
    if (r.failed || prolog != 1 || !str_is(use->name, "System.ObsoleteAttribute"))
        return false;
    return str_is(text, "Constructors of types with required members are not supported in this "
                        "version of your compiler.") ||
           str_is(text, "Types with embedded references are not supported in this version of your "
                        "compiler.");
}

/* On every async method that is not optimised. The user's own is a second one. */
static bool is_made_step_through(const struct attribute_use *use, const struct judging *judging)
{
    if (judging->md->optimised ||
        !str_is(use->name, "System.Diagnostics.DebuggerStepThroughAttribute") ||
        !has_attribute(judging->md, use->token, made_async, NULL) ||
        *judging->stepped == use->token)
        return false;
    *judging->stepped = use->token;
    return true;
}

/* The first attribute counts. */
static bool judge_exclusion(const struct reason **out, const struct attribute_use *use,
                            const void *context, struct arena *arena, struct err *err)
{
    const struct judging *judging = context;
    if (*out != NULL || !is_wanted_attribute(use->name, judging->options) ||
        is_made_obsolete(use) || is_made_step_through(use, judging))
        return true;
    *out = reason_new(REASON_ATTRIBUTE, exclusions_attribute(use->name),
                      read_justification(use->value), arena, err);
    return *out != NULL;
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
        struct str name = row_string(md, COL_Field_Name, rid);
        if (is_backing_field(name, property) &&
            (str_ends(name, "@") || /* F# does not mark it as generated */
             has_attribute(md, TOKEN(TABLE_Field, rid), made_by_compiler, NULL)))
            return rid;
    }
    return 0;
}

/* An accessor is excluded with its property. If the property has a compiler-generated field, it is
 * an auto-property. */
static void exclude_accessor(struct exclusions *x, uint32_t method, struct str name,
                             const struct reason *reason, bool auto_properties)
{
    uint32_t field = 0, owner = owner_of_method(x->members.md, method);
    if (name.len != 0 && owner != 0 && (reason != NULL || auto_properties))
        field = backing_field(x->members.md, owner, name);
    if (reason == NULL && field != 0 &&
        has_attribute(x->members.md, TOKEN(TABLE_MethodDef, method), made_by_compiler, NULL))
        reason = reason_of(REASON_AUTO_PROPERTY);
    if (x->members.of_method[method] == NULL)
        x->members.of_method[method] = reason;
    if (field != 0 && x->of_field[field] == NULL)
        x->of_field[field] = reason;
}

/* Properties of a C# extension block are in a type of its own, "<G>$...". Their code is in the
 * enclosing type: in the method with the accessor's name, if there is exactly one. */
static uint32_t code_of_extension(const struct metadata *md, uint32_t accessor)
{
    const struct tables *t = &md->tables;
    uint32_t block = owner_of_method(md, accessor), around = enclosing_type(md, block), found = 0;
    if (around == 0 || !str_starts(row_string(md, COL_TypeDef_TypeName, block), "<G>$"))
        return 0;
    struct str name = row_string(md, COL_MethodDef_Name, accessor);
    struct row_range range = tables_list(t, COL_TypeDef_MethodList, around, TABLE_MethodDef);
    for (uint32_t rid = range.first; rid < range.end; rid++) {
        if (!str_eq(row_string(md, COL_MethodDef_Name, rid), name))
            continue;
        if (found != 0)
            return 0;
        found = rid;
    }
    return found;
}

static void exclude_accessors(struct exclusions *x, bool auto_properties)
{
    const struct tables *t = &x->members.md->tables;
    for (uint32_t row = 1; row <= tables_rows(t, TABLE_MethodSemantics); row++) {
        struct accessor accessor;
        struct str name = {NULL, 0}; /* events have no code of this kind */
        if (!marked_members_accessor(&accessor, &x->members, row))
            continue;
        if (accessor.property != 0)
            name = row_string(x->members.md, COL_Property_Name, accessor.property);
        exclude_accessor(x, accessor.method, name, accessor.reason, auto_properties);
        uint32_t code =
            accessor.reason != NULL ? code_of_extension(x->members.md, accessor.method) : 0;
        if (code != 0 && x->members.of_method[code] == NULL)
            x->members.of_method[code] = accessor.reason;
    }
}

bool exclusions_open(struct exclusions *out, const struct metadata *md,
                     const struct exclusion_options *options, struct arena *arena, struct err *err)
{
    uint32_t fields = tables_rows(&md->tables, TABLE_Field);
    uint32_t stepped = 0;
    const struct judging judging = {options, md, &stepped};
    out->of_field = ARENA_NEW(arena, const struct reason *, fields + 1, err);
    if (out->of_field == NULL ||
        !marked_members_open(&out->members, md, judge_exclusion, &judging, arena, err))
        return false;
    exclude_accessors(out, options->auto_properties);
    return true;
}

/* --- answers ---------------------------------------------------------------------------------- */

const struct reason *exclusions_reason(const struct exclusions *exclusions, uint32_t method_rid)
{
    uint32_t type;
    return marked_members_reason(&type, &exclusions->members, method_rid);
}

/* The field of an excluded property in this type that an instruction stores to. */
static const struct reason *stored_reason(const struct exclusions *x, uint32_t type_rid,
                                          const struct instr *instr)
{
    const struct tables *t = &x->members.md->tables;
    if (instr->op != OP_STFLD && instr->op != OP_STSFLD)
        return NULL;
    struct str name = name_of_member(x->members.md, instr->operand);
    struct row_range range = tables_list(t, COL_TypeDef_FieldList, type_rid, TABLE_Field);
    for (uint32_t rid = range.first; rid < range.end; rid++)
        if (x->of_field[rid] != NULL &&
            str_eq(row_string(x->members.md, COL_Field_Name, rid), name))
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
    const struct metadata *md = exclusions->members.md;
    struct str name = row_string(md, COL_MethodDef_Name, method_rid);
    if (first >= end || end > il->count || (!str_is(name, ".ctor") && !str_is(name, ".cctor")))
        return NULL;
    for (uint32_t i = 0; i < end; i++)
        if (calls_constructor(md, &il->instrs[i]))
            return NULL;
    if (il->instrs[end - 1].op == OP_RET && end - 1 > first)
        end--;
    return stored_reason(exclusions, owner_of_method(md, method_rid), &il->instrs[end - 1]);
}

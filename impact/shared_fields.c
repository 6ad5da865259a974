#include "impact/shared_fields.h"

#include <string.h>

#include "metadata/lookup.h"
#include "metadata/names.h"
#include "metadata/sig.h"
#include "scope/test_methods.h"

enum {
    FIELD_STATIC = 0x10,
    FIELD_INIT_ONLY = 0x20,
    FIELD_LITERAL = 0x40,
};

static const struct metadata *metadata_of(const struct shared_fields *f, uint32_t module)
{
    return &f->build->modules[module].md;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Sets what the type says. Returns the class whose objects it holds, of a Lazy what that makes;
 * 0: none. */
static uint32_t read_field_type(struct shared_field *field, const struct metadata *md, uint32_t rid)
{
    struct reader r = rd_view(sig_of_field(md, TOKEN(TABLE_Field, rid)));
    struct str space;
    uint32_t around = 0;
    uint8_t element = rd_u8(&r);
    while (element == ELEMENT_CMOD_REQD || element == ELEMENT_CMOD_OPT) {
        (void)rd_compressed(&r);
        element = rd_u8(&r);
    }
    field->is_number = element >= ELEMENT_BOOLEAN && element <= ELEMENT_R8;
    if (element == ELEMENT_SZARRAY) {
        field->holds = STR("[]");
        field->may_change = true;
    }
    if (element == ELEMENT_GENERICINST)
        element = rd_u8(&r);
    if (element != ELEMENT_CLASS)
        return 0;
    uint32_t class = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    if (!type_parts(&space, &field->holds, &around, md, class))
        return 0;
    field->is_lazy = str_is_one_of(field->holds, "Lazy`1 ThreadLocal`1");
    field->may_change =
        field->is_lazy ||
        str_is_one_of(field->holds, "ConditionalWeakTable`2 FSharpRef`1 StringBuilder") ||
        ((str_is(space, "System.Collections") || str_is(space, "System.Collections.Concurrent") ||
          str_is(space, "System.Collections.Generic")) &&
         !str_starts(field->holds, "IReadOnly"));
    if (!field->is_lazy)
        return class;
    (void)rd_compressed(&r); /* 1 */
    return rd_u8(&r) == ELEMENT_CLASS ? coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r))
                                      : 0;
}

static bool open_rows(struct shared_fields *f, uint32_t module)
{
    const struct tables *t = &metadata_of(f, module)->tables;
    size_t members = (size_t)tables_rows(t, TABLE_MemberRef) + 1;
    f->has_shared[module] =
        ARENA_NEW(f->arena, bool, (size_t)tables_rows(t, TABLE_TypeDef) + 1, f->err);
    f->of_field[module] =
        ARENA_NEW(f->arena, uint32_t, (size_t)tables_rows(t, TABLE_Field) + 1, f->err);
    f->of_member[module] = ARENA_NEW(f->arena, uint32_t, members, f->err);
    if (f->has_shared[module] == NULL || f->of_field[module] == NULL ||
        f->of_member[module] == NULL)
        return false;
    memset(f->of_member[module], 0xFF, members * sizeof(uint32_t));
    return true;
}

static void mark_shared(struct shared_fields *f, uint32_t module, uint32_t type)
{
    uint32_t row = new_build_type(f->build, &module, type);
    f->has_shared[module][row] = true;
}

static bool is_static_field(uint64_t flags)
{
    return (flags & (FIELD_STATIC | FIELD_LITERAL)) == FIELD_STATIC;
}

static void mark_types(struct shared_fields *f, uint32_t module)
{
    const struct metadata *md = metadata_of(f, module);
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_Field); rid++) {
        struct shared_field ignored;
        if (is_static_field(tables_get(&md->tables, COL_Field_Flags, rid)))
            mark_shared(f, module, read_field_type(&ignored, md, rid));
    }
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_InterfaceImpl); rid++) {
        bool is_of_class;
        uint32_t interface = row_token(md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid);
        mark_shared(f, module,
                    TOKEN(TABLE_TypeDef, test_methods_fixture(&is_of_class, md, interface)));
    }
}

static bool list_fields(struct shared_fields *f, uint32_t module)
{
    const struct metadata *md = metadata_of(f, module);
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_Field); rid++) {
        uint32_t type = owner_of_field(md, rid);
        uint64_t flags = tables_get(&md->tables, COL_Field_Flags, rid);
        bool is_static = is_static_field(flags);
        if (str_starts(row_string(md, COL_TypeDef_TypeName, type), "<") ||
            (!is_static && ((flags & FIELD_STATIC) != 0 || !f->has_shared[module][type])) ||
            has_attribute(md, TOKEN(TABLE_Field, rid), "System.ThreadStaticAttribute", NULL))
            continue;
        struct shared_field *field = list_add(&f->list, sizeof *field, f->arena, f->err);
        if (field == NULL)
            return false;
        *field = (struct shared_field){.module = module,
                                       .type = type,
                                       .rid = rid,
                                       .is_static = is_static,
                                       .is_fixed = (flags & FIELD_INIT_ONLY) != 0};
        (void)read_field_type(field, md, rid);
        f->of_field[module][rid] = f->list.count;
    }
    return true;
}

bool shared_fields_open(struct shared_fields *out, const struct new_build *build,
                        struct arena *arena, struct err *err)
{
    uint32_t modules = build->facts.module_count;
    *out = (struct shared_fields){.build = build,
                                  .has_shared = ARENA_NEW(arena, bool *, modules, err),
                                  .of_field = ARENA_NEW(arena, uint32_t *, modules, err),
                                  .of_member = ARENA_NEW(arena, uint32_t *, modules, err),
                                  .arena = arena,
                                  .err = err};
    bool ok = out->has_shared != NULL && out->of_field != NULL && out->of_member != NULL;
    for (uint32_t i = 0; ok && i < modules; i++)
        ok = open_rows(out, i);
    for (uint32_t i = 0; ok && i < modules; i++)
        mark_types(out, i);
    for (uint32_t i = 0; ok && i < modules; i++)
        ok = list_fields(out, i);
    return ok;
}

/* --- uses ------------------------------------------------------------------------------------- */

/* The token of the field that a method loads and returns, if it does nothing else, or 0. */
static uint32_t field_of_getter(const struct module *module, uint32_t rid)
{
    struct method_def def;
    if (!module_method(&def, module, rid))
        return 0;
    struct reader r = rd_view(def.body);
    bool is_tiny = (rd_u8(&r) & 0x3) == 0x2; /* II.25.4.2 */
    uint8_t op = rd_u8(&r);
    if (op == opcode_info[OP_LDARG_0].code)
        op = rd_u8(&r);
    uint32_t field = rd_u32(&r);
    return is_tiny && (op == opcode_info[OP_LDSFLD].code || op == opcode_info[OP_LDFLD].code) &&
                   rd_u8(&r) == opcode_info[OP_RET].code
               ? field
               : 0;
}

/* 1 + the index of the field of this name in a type, or 0. Visual Basic calls that of an event
 * XEvent. */
static uint32_t field_named(const struct shared_fields *f, uint32_t module, uint32_t type,
                            struct str name, bool is_event)
{
    const struct metadata *md = metadata_of(f, module);
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_FieldList, type, TABLE_Field);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        struct str field = row_string(md, COL_Field_Name, rid);
        if (f->of_field[module][rid] != 0 && field.len >= name.len &&
            str_eq((struct str){field.text, name.len}, name) &&
            (field.len == name.len || (is_event && str_is(str_from(field, name.len), "Event"))))
            return f->of_field[module][rid];
    }
    return 0;
}

/* The row of a method that has one body whatever its parameters are, such as a getter, or 0. */
static uint32_t method_named(const struct metadata *md, uint32_t type, struct str name)
{
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++)
        if (str_eq(row_string(md, COL_MethodDef_Name, rid), name))
            return rid;
    return 0;
}

static uint32_t search_member(const struct shared_fields *f, uint32_t module, uint32_t token)
{
    struct str member = name_of_member(metadata_of(f, module), token);
    bool is_adder = str_starts(member, "add_"), is_getter = str_starts(member, "get_");
    bool is_event = is_adder || str_starts(member, "remove_");
    if (!is_event && !is_getter && sig_of_field(metadata_of(f, module), token).len == 0)
        return 0;
    uint32_t type = type_of_member(metadata_of(f, module), token);
    if (type == 0 || (type = new_build_type(f->build, &module, type)) == 0)
        return 0;
    if (is_event)
        member = str_from(member, strlen(is_adder ? "add_" : "remove_"));
    if (is_getter) {
        uint32_t field = field_of_getter(&f->build->modules[module],
                                         method_named(metadata_of(f, module), type, member));
        member = name_of_member(metadata_of(f, module), field);
        type = new_build_type(f->build, &module, type_of_member(metadata_of(f, module), field));
    }
    return type != 0 ? field_named(f, module, type, member, is_event) : 0;
}

uint32_t shared_fields_find(const struct shared_fields *f, uint32_t module, uint32_t token)
{
    uint32_t none = NO_INDEX, rid = TOKEN_RID(token);
    bool is_reference = TOKEN_TABLE(token) == TABLE_MemberRef &&
                        rid <= tables_rows(&metadata_of(f, module)->tables, TABLE_MemberRef);
    uint32_t *found = is_reference ? &f->of_member[module][rid] : &none;
    if (*found == NO_INDEX)
        *found = search_member(f, module, token);
    return *found - 1;
}

/* Members of .NET's collections, and of a ref of F#, that change one. */
static const char changing_members[] =
    "Add AddFirst AddLast AddOrUpdate AddRange Append AppendLine Clear Dequeue Enqueue GetOrAdd "
    "GetOrCreateValue GetValue Insert Pop Push Remove RemoveAll RemoveAt RemoveWhere TryAdd "
    "TryDequeue TryPop TryRemove TryTake TryUpdate set_Item set_Value set_contents";

static bool is_change(const struct shared_field *field, const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    token = method_of_instance(md, token);
    return TOKEN_TABLE(token) == TABLE_MemberRef &&
           type_parts(&space, &name, &around, md, type_of_member(md, token)) &&
           (str_starts(space, "System") || str_starts(space, "Microsoft.FSharp.")) &&
           (str_eq(name, field->holds) || str_is_one_of(name, "ICollection`1 LazyExtensions")) &&
           str_is_one_of(name_of_member(md, token),
                         field->is_lazy ? "get_Value Force" : changing_members);
}

bool shared_field_is_changed(const struct shared_field *field, const struct metadata *md,
                             const struct il *il, uint32_t load)
{
    bool is_array = str_is(field->holds, "[]");
    uint8_t loads = il->instrs[load].op;
    if (field->holds.len == 0 || (is_array && loads != OP_LDSFLD && loads != OP_LDFLD))
        return false;
    for (uint32_t i = load + 1; i < il->count; i++) {
        uint8_t op = il->instrs[i].op;
        if (is_array && op >= OP_LDLEN && op <= OP_STELEM) /* the first use of an array */
            return op == OP_LDELEMA || op == OP_STELEM ||
                   (op >= OP_STELEM_I && op <= OP_STELEM_REF);
        if (!is_array && (op == OP_CALL || op == OP_CALLVIRT) &&
            is_change(field, md, il->instrs[i].operand))
            return true;
    }
    return false;
}

#include "coverage/names/declaration.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/sort.h"
#include "coverage/names/test_place.h"
#include "metadata/lookup.h"
#include "metadata/sig.h"
#include "scope/test_methods.h"

enum {
    CLI_RESOURCES = 24, /* II.25.3.3: where the CLI header has the RVA of the resources */
    NESTING_MAX = 16,
};

/* Namespaces of attributes that compilers and analysers read or write, and nothing else. */
static const char ignored_namespaces[] =
    "System.Runtime.CompilerServices System.Diagnostics "
    "System.Diagnostics.CodeAnalysis System.CodeDom.Compiler Microsoft.CodeAnalysis";

/* But these the runtime or a serialiser reads. */
static const char read_names[] =
    "InlineArrayAttribute UnsafeAccessorAttribute UnsafeAccessorTypeAttribute "
    "RequiredMemberAttribute SetsRequiredMembersAttribute AllowNullAttribute "
    "DisallowNullAttribute MaybeNullAttribute NotNullAttribute "
    "DecimalConstantAttribute DateTimeConstantAttribute InternalsVisibleToAttribute "
    "StackTraceHiddenAttribute DisableRuntimeMarshallingAttribute FixedBufferAttribute "
    "TupleElementNamesAttribute DebuggerDisplayAttribute";

/* Of an assembly, and different in every build of some. */
static const char version_names[] =
    "AssemblyVersionAttribute AssemblyFileVersionAttribute "
    "AssemblyInformationalVersionAttribute AssemblyConfigurationAttribute";

/* --- pieces of a hash ------------------------------------------------------------------------- */

static uint64_t mix_number(uint64_t hash, uint64_t value)
{
    return fnv_word(hash, value);
}

static uint64_t mix_text(uint64_t hash, struct str text)
{
    return fnv_bytes(fnv_word(hash, text.len), text.text, text.len);
}

static uint64_t mix_blob(uint64_t hash, struct view blob)
{
    return fnv_bytes(fnv_word(hash, blob.len), blob.data, blob.len);
}

static struct str text_of_row(struct declarations *d, uint32_t token)
{
    struct str text = STR("");
    if (d->err->code == ERR_NONE && !method_hash_token(&text, d->hasher, token, d->err))
        text = STR("");
    return text;
}

static uint64_t mix_token(uint64_t hash, struct declarations *d, uint32_t token)
{
    return TOKEN_RID(token) != 0 ? mix_text(hash, text_of_row(d, token)) : mix_number(hash, 0);
}

static uint64_t get_cell(const struct declarations *d, enum column column, uint32_t rid)
{
    return tables_get(&d->module->md.tables, column, rid);
}

static struct str string_at(const struct declarations *d, enum column column, uint32_t rid)
{
    return row_string(&d->module->md, column, rid);
}

static struct view blob_at(const struct declarations *d, enum column column, uint32_t rid)
{
    return row_blob(&d->module->md, column, rid);
}

static uint32_t token_in(const struct declarations *d, enum coded_index kind, enum column column,
                         uint32_t rid)
{
    return row_token(&d->module->md, kind, column, rid);
}

static uint32_t count_rows(const struct declarations *d, enum table_id table)
{
    return tables_rows(&d->module->md.tables, table);
}

/* --- what other tables say about a row -------------------------------------------------------- */

static uint64_t find_in(const struct declarations *d, uint64_t *const *by_table, uint32_t token)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    return table < TABLE_COUNT && by_table[table] != NULL &&
                   rid <= count_rows(d, (enum table_id)table)
               ? by_table[table][rid]
               : 0;
}

static uint64_t attached_to(const struct declarations *d, uint32_t token)
{
    return find_in(d, d->attached, token);
}

/* A sum, because rows come in any order. */
static void attach_to(struct declarations *d, uint64_t **by_table, uint32_t token, uint64_t hash)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    if (table >= TABLE_COUNT || rid == 0 || rid > count_rows(d, (enum table_id)table))
        return;
    if (by_table[table] == NULL)
        by_table[table] = ARENA_NEW(d->hasher->arena, uint64_t,
                                    (size_t)count_rows(d, (enum table_id)table) + 1, d->err);
    if (by_table[table] != NULL)
        by_table[table][rid] += hash;
}

static void attach_hash(struct declarations *d, uint32_t token, uint64_t hash)
{
    attach_to(d, d->attached, token, hash);
}

static bool is_ignored_attribute(struct str space, struct str name, uint32_t on)
{
    if (str_is_one_of(name, read_names))
        return false;
    if (str_is_one_of(space, ignored_namespaces))
        return true;
    return TOKEN_TABLE(on) == TABLE_Assembly &&
           (str_is(space, "System.Runtime.Versioning") || str_is_one_of(name, version_names));
}

/* Is it a test's, and are the last two parameters of its constructor a string and an int? */
static bool may_say_place(const struct declarations *d, uint32_t rid)
{
    uint32_t constructor = token_in(d, CODED_CUSTOM_ATTRIBUTE_TYPE, COL_CustomAttribute_Type, rid);
    struct view sig = sig_of_call(&d->module->md, constructor);
    return sig.len >= 2 && sig.data[sig.len - 2] == ELEMENT_STRING &&
           sig.data[sig.len - 1] == ELEMENT_I4 &&
           test_methods_is_attribute(&d->module->md, type_of_attribute(&d->module->md, rid));
}

/* II.23.3: the values of an attribute. Those of tests have where they stand, [CallerFilePath] and
 * [CallerLineNumber], which changes with each line above. */
static uint64_t add_without_place(uint64_t hash, const struct declarations *d, uint32_t rid)
{
    struct view blob = blob_at(d, COL_CustomAttribute_Value, rid);
    for (size_t at = 2; may_say_place(d, rid) && at < blob.len; at++) {
        struct reader r = rd_view((struct view){blob.data + at, blob.len - at});
        uint32_t len = rd_compressed(&r);
        const uint8_t *text = rd_take(&r, len);
        (void)rd_u32(&r); /* the line */
        if (r.failed || !test_place_is_path((struct str){(const char *)text, len}))
            continue;
        hash = mix_blob(hash, (struct view){blob.data, at});
        return mix_blob(hash, (struct view){blob.data + at + r.pos, blob.len - at - r.pos});
    }
    return mix_blob(hash, blob);
}

static void attach_attributes(struct declarations *d)
{
    const struct metadata *md = &d->module->md;
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_CustomAttribute); rid++) {
        uint32_t on = token_in(d, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        struct str space = STR(""), name = STR("");
        uint32_t around = 0;
        (void)type_parts(&space, &name, &around, md, type_of_attribute(md, rid));
        if (str_is(name, "NullableAttribute") || str_is(name, "NullableContextAttribute"))
            attach_to(d, d->nullable, on,
                      mix_blob(FNV_START, blob_at(d, COL_CustomAttribute_Value, rid)));
        if (is_ignored_attribute(space, name, on))
            continue;
        uint64_t hash = mix_number(FNV_START, TABLE_CustomAttribute);
        hash = mix_token(hash, d,
                         token_in(d, CODED_CUSTOM_ATTRIBUTE_TYPE, COL_CustomAttribute_Type, rid));
        hash = add_without_place(hash, d, rid);
        if (TOKEN_TABLE(on) == TABLE_Assembly && str_is(name, "AssemblyMetadataAttribute"))
            d->metadata += hash;
        else
            attach_hash(d, on, hash);
    }
}

/* --- what only metadata shows ----------------------------------------------------------------- */

/* What an attribute says of null. Code does not depend on it, and how compilers divide it up among
 * a member, its method and the types around it depends on the other members. */
static void add_nullability(struct declarations *d, uint32_t type, uint64_t hash, uint32_t token)
{
    uint64_t value = find_in(d, d->nullable, token);
    struct str name = string_at(d, COL_TypeDef_TypeName, type);
    if (value != 0 && !str_starts(name, "<") && !str_starts(name, "VB$Anonymous"))
        d->metadata += mix_number(mix_number(hash, TOKEN_TABLE(token)), value);
}

static bool is_enum(struct declarations *d, uint32_t type)
{
    struct str base = text_of_row(d, token_in(d, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type));
    return str_is(base, "System.Enum");
}

/* A constant is in the code that uses it; that of an enum is also what its text is found by. */
static bool is_in_users(struct declarations *d, uint32_t on)
{
    return TOKEN_TABLE(on) == TABLE_Field &&
           !is_enum(d, owner_of_field(&d->module->md, TOKEN_RID(on)));
}

static void attach_values(struct declarations *d)
{
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_Constant); rid++) {
        uint32_t on = token_in(d, CODED_HAS_CONSTANT, COL_Constant_Parent, rid);
        uint64_t hash = mix_number(FNV_START, TABLE_Constant);
        hash = mix_number(hash, get_cell(d, COL_Constant_Type, rid) & 0xFF);
        hash = mix_blob(hash, blob_at(d, COL_Constant_Value, rid));
        if (is_in_users(d, on))
            d->metadata += mix_token(hash, d, on);
        else
            attach_hash(d, on, hash);
    }
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_FieldMarshal); rid++)
        attach_hash(d, token_in(d, CODED_HAS_FIELD_MARSHAL, COL_FieldMarshal_Parent, rid),
                    mix_blob(mix_number(FNV_START, TABLE_FieldMarshal),
                             blob_at(d, COL_FieldMarshal_NativeType, rid)));
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_FieldLayout); rid++)
        attach_hash(d, TOKEN(TABLE_Field, (uint32_t)get_cell(d, COL_FieldLayout_Field, rid)),
                    mix_number(mix_number(FNV_START, TABLE_FieldLayout),
                               get_cell(d, COL_FieldLayout_Offset, rid)));
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_ClassLayout); rid++)
        attach_hash(d, TOKEN(TABLE_TypeDef, (uint32_t)get_cell(d, COL_ClassLayout_Parent, rid)),
                    mix_number(mix_number(mix_number(FNV_START, TABLE_ClassLayout),
                                          get_cell(d, COL_ClassLayout_PackingSize, rid)),
                               get_cell(d, COL_ClassLayout_ClassSize, rid)));
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_ImplMap); rid++) {
        uint64_t hash = mix_number(mix_number(FNV_START, TABLE_ImplMap),
                                   get_cell(d, COL_ImplMap_MappingFlags, rid));
        hash = mix_text(hash, string_at(d, COL_ImplMap_ImportName, rid));
        hash = mix_text(hash, string_at(d, COL_ModuleRef_Name,
                                        (uint32_t)get_cell(d, COL_ImplMap_ImportScope, rid)));
        attach_hash(d, token_in(d, CODED_MEMBER_FORWARDED, COL_ImplMap_MemberForwarded, rid), hash);
    }
}

/* Bases and constraints. What is attached to a generic parameter must be there before it is. */
static void attach_types(struct declarations *d)
{
    uint32_t last = 0, place = 0;
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_InterfaceImpl); rid++) {
        uint32_t type = (uint32_t)get_cell(d, COL_InterfaceImpl_Class, rid);
        place = type == last ? place + 1 : 0;
        last = type;
        attach_hash(
            d, TOKEN(TABLE_TypeDef, type),
            mix_token(mix_number(mix_number(FNV_START, TABLE_InterfaceImpl), place), d,
                      token_in(d, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid)));
    }
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_MethodImpl); rid++)
        attach_hash(
            d, TOKEN(TABLE_TypeDef, (uint32_t)get_cell(d, COL_MethodImpl_Class, rid)),
            mix_token(
                mix_token(FNV_START, d,
                          token_in(d, CODED_METHOD_DEF_OR_REF, COL_MethodImpl_MethodBody, rid)),
                d, token_in(d, CODED_METHOD_DEF_OR_REF, COL_MethodImpl_MethodDeclaration, rid)));
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_GenericParamConstraint); rid++)
        attach_hash(
            d,
            TOKEN(TABLE_GenericParam, (uint32_t)get_cell(d, COL_GenericParamConstraint_Owner, rid)),
            mix_token(
                FNV_START, d,
                token_in(d, CODED_TYPE_DEF_OR_REF, COL_GenericParamConstraint_Constraint, rid)));
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_GenericParam); rid++) {
        uint64_t hash = mix_number(mix_number(FNV_START, TABLE_GenericParam),
                                   get_cell(d, COL_GenericParam_Number, rid));
        hash = mix_number(hash, get_cell(d, COL_GenericParam_Flags, rid));
        hash = mix_text(hash, string_at(d, COL_GenericParam_Name, rid));
        hash = mix_number(hash, attached_to(d, TOKEN(TABLE_GenericParam, rid)));
        attach_hash(d, token_in(d, CODED_TYPE_OR_METHOD_DEF, COL_GenericParam_Owner, rid), hash);
    }
}

/* --- members ---------------------------------------------------------------------------------- */

static uint64_t hash_method(struct declarations *d, uint32_t rid)
{
    uint32_t token = TOKEN(TABLE_MethodDef, rid);
    uint64_t hash = mix_token(FNV_START, d, token);
    hash = mix_number(hash, get_cell(d, COL_MethodDef_Flags, rid));
    hash = mix_number(hash, get_cell(d, COL_MethodDef_ImplFlags, rid));
    hash = mix_number(hash, attached_to(d, token));
    struct row_range rows =
        tables_list(&d->module->md.tables, COL_MethodDef_ParamList, rid, TABLE_Param);
    uint32_t type = owner_of_method(&d->module->md, rid);
    add_nullability(d, type, hash, token);
    for (uint32_t param = rows.first; param < rows.end; param++) {
        hash = mix_number(hash, get_cell(d, COL_Param_Sequence, param));
        add_nullability(d, type, hash, TOKEN(TABLE_Param, param));
        hash = mix_number(hash, get_cell(d, COL_Param_Flags, param));
        hash = mix_text(hash, string_at(d, COL_Param_Name, param));
        hash = mix_number(hash, attached_to(d, TOKEN(TABLE_Param, param)));
    }
    return hash;
}

uint64_t declaration_of_method(struct declarations *d, uint32_t rid)
{
    uint64_t hash = hash_method(d, rid);
    return hash != 0 ? hash : 1;
}

static uint64_t sum_if_any(uint64_t sum, uint64_t place, uint64_t value)
{
    return value != 0 ? sum + mix_number(mix_number(FNV_START, place), value) : sum;
}

uint64_t declaration_of_made(struct declarations *d, uint32_t rid)
{
    struct row_range rows =
        tables_list(&d->module->md.tables, COL_MethodDef_ParamList, rid, TABLE_Param);
    uint64_t sum = sum_if_any(0, TABLE_ImplMap, get_cell(d, COL_MethodDef_ImplFlags, rid));
    sum = sum_if_any(sum, TABLE_MethodDef, attached_to(d, TOKEN(TABLE_MethodDef, rid)));
    for (uint32_t param = rows.first; param < rows.end; param++) {
        uint64_t place = TABLE_COUNT + get_cell(d, COL_Param_Sequence, param);
        sum = sum_if_any(sum, place, attached_to(d, TOKEN(TABLE_Param, param)));
        d->metadata += mix_text(mix_number(FNV_START, place), string_at(d, COL_Param_Name, param));
    }
    return sum;
}

/* The first row of a map from types to lists of members. */
static struct row_range list_of(const struct declarations *d, enum column parent, enum column list,
                                uint32_t type, enum table_id members)
{
    uint32_t row = tables_find(&d->module->md.tables, parent, type);
    return row != 0 ? tables_list(&d->module->md.tables, list, row, members)
                    : (struct row_range){0, 0};
}

static uint64_t hash_properties(struct declarations *d, uint32_t type)
{
    uint64_t all = 0;
    struct row_range rows =
        list_of(d, COL_PropertyMap_Parent, COL_PropertyMap_PropertyList, type, TABLE_Property);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint64_t hash = mix_number(FNV_START, TABLE_Property);
        hash = mix_number(hash, get_cell(d, COL_Property_Flags, rid));
        hash = mix_text(hash, string_at(d, COL_Property_Name, rid));
        add_nullability(d, type, mix_token(hash, d, TOKEN(TABLE_TypeDef, type)),
                        TOKEN(TABLE_Property, rid));
        all = mix_number(all, mix_number(hash, attached_to(d, TOKEN(TABLE_Property, rid))));
    }
    rows = list_of(d, COL_EventMap_Parent, COL_EventMap_EventList, type, TABLE_Event);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint64_t hash = mix_number(FNV_START, TABLE_Event);
        hash = mix_text(hash, string_at(d, COL_Event_Name, rid));
        hash = mix_token(hash, d, token_in(d, CODED_TYPE_DEF_OR_REF, COL_Event_EventType, rid));
        all = mix_number(all, mix_number(hash, attached_to(d, TOKEN(TABLE_Event, rid))));
    }
    return all;
}

/* Bytes of a field that has some in the image belong to the code that reads them, which names them
 * by their hash. */
static uint64_t hash_fields(struct declarations *d, uint32_t type)
{
    uint64_t all = 0;
    struct row_range rows =
        tables_list(&d->module->md.tables, COL_TypeDef_FieldList, type, TABLE_Field);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        uint32_t token = TOKEN(TABLE_Field, rid);
        uint64_t hash = mix_token(FNV_START, d, token);
        hash = mix_number(hash, get_cell(d, COL_Field_Flags, rid));
        add_nullability(d, type, hash, token);
        all = mix_number(all, mix_number(hash, attached_to(d, token)));
    }
    return all;
}

/* Methods without code: those that have some are told one by one. */
static uint64_t sum_abstract_methods(struct declarations *d, uint32_t type)
{
    uint64_t sum = 0;
    struct method_def def;
    struct row_range rows =
        tables_list(&d->module->md.tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++)
        if (!module_method(&def, d->module, rid))
            sum += hash_method(d, rid);
    return sum;
}

static uint64_t hash_type(struct declarations *d, uint32_t type)
{
    uint32_t token = TOKEN(TABLE_TypeDef, type);
    uint64_t hash = mix_token(FNV_START, d, token);
    add_nullability(d, type, hash, token);
    hash = mix_number(hash, get_cell(d, COL_TypeDef_Flags, type));
    hash = mix_token(hash, d, token_in(d, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type));
    hash = mix_number(hash, attached_to(d, token));
    hash = mix_number(hash, hash_fields(d, type));
    hash = mix_number(hash, hash_properties(d, type));
    return mix_number(hash, sum_abstract_methods(d, type));
}

/* --- the module ------------------------------------------------------------------------------- */

/* II.24.2.4: a resource in the file is its length and its bytes. */
static uint64_t hash_resource(const struct declarations *d, uint32_t rid)
{
    struct reader header = rd_view(pe_at(&d->module->pe, d->module->pe.cli_rva));
    (void)rd_take(&header, CLI_RESOURCES);
    struct reader r = rd_view(pe_at(&d->module->pe, rd_u32(&header)));
    (void)rd_take(&r, (size_t)get_cell(d, COL_ManifestResource_Offset, rid));
    uint32_t len = rd_u32(&r);
    const uint8_t *bytes = rd_take(&r, len);
    return header.failed || bytes == NULL ? 0 : mix_blob(FNV_START, (struct view){bytes, len});
}

/* What F# writes for itself about the code. */
static bool is_fsharps_own(struct str resource)
{
    return str_starts(resource, "FSharpSignature") || str_starts(resource, "FSharpOptimization");
}

/* How many bytes a field of that type has in the image; 0: not known. */
static uint32_t size_of_field(const struct declarations *d, uint32_t field)
{
    static const uint8_t sizes[] = {
        [ELEMENT_BOOLEAN] = 1, [ELEMENT_CHAR] = 2, [ELEMENT_I1] = 1, [ELEMENT_U1] = 1,
        [ELEMENT_I2] = 2,      [ELEMENT_U2] = 2,   [ELEMENT_I4] = 4, [ELEMENT_U4] = 4,
        [ELEMENT_I8] = 8,      [ELEMENT_U8] = 8,   [ELEMENT_R4] = 4, [ELEMENT_R8] = 8};
    struct reader r = rd_view(blob_at(d, COL_Field_Signature, field));
    (void)rd_u8(&r); /* FIELD */
    uint8_t element = rd_u8(&r);
    if (element < ARRAY_LEN(sizes))
        return sizes[element];
    uint32_t type = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    uint32_t layout =
        TOKEN_TABLE(type) == TABLE_TypeDef && !r.failed
            ? tables_find(&d->module->md.tables, COL_ClassLayout_Parent, TOKEN_RID(type))
            : 0;
    return (uint32_t)get_cell(d, COL_ClassLayout_ClassSize, layout);
}

/* C# calls the data of arrays by their hash, which is then in the code that uses them; F# numbers
 * them. */
static uint64_t hash_data(const struct declarations *d)
{
    uint64_t sum = 0;
    for (uint32_t rid = 1;
         compiled_by_fsharp(&d->module->md) && rid <= count_rows(d, TABLE_FieldRVA); rid++) {
        struct view data = pe_at(&d->module->pe, (uint32_t)get_cell(d, COL_FieldRVA_RVA, rid));
        uint32_t size = size_of_field(d, (uint32_t)get_cell(d, COL_FieldRVA_Field, rid));
        if (data.data != NULL && size <= data.len)
            sum += mix_blob(FNV_START, (struct view){data.data, size});
    }
    return sum;
}

static uint64_t sum_resources(const struct declarations *d)
{
    uint64_t sum = 0;
    for (uint32_t rid = 1; rid <= count_rows(d, TABLE_ManifestResource); rid++) {
        struct str name = string_at(d, COL_ManifestResource_Name, rid);
        if (!is_fsharps_own(name))
            sum += mix_number(mix_text(FNV_START, name), hash_resource(d, rid));
    }
    return sum;
}

static uint64_t hash_module(struct declarations *d)
{
    uint64_t hash = mix_number(FNV_START, attached_to(d, TOKEN(TABLE_Assembly, 1)));
    hash = mix_number(hash, attached_to(d, TOKEN(TABLE_Module, 1)));
    return mix_number(hash, hash_data(d));
}

bool declarations_open(struct declarations *out, const struct module *module,
                       struct method_hasher *hasher, struct err *err)
{
    *out = (struct declarations){.module = module, .hasher = hasher, .err = err};
    attach_attributes(out);
    attach_values(out);
    attach_types(out);
    return err->code == ERR_NONE;
}

/* A closure, a state machine, the type of a lambda, or what a compiler keeps data in: no user
 * declared it. */
static bool is_made(const struct declarations *d, uint32_t type)
{
    return compiler_type_is(&d->module->md, type) ||
           str_starts(string_at(d, COL_TypeDef_TypeName, type), "VB$AnonymousDelegate_") ||
           str_starts(string_at(d, COL_TypeDef_TypeName, type), "<PrivateImplementationDetails>") ||
           str_is(string_at(d, COL_TypeDef_TypeName, type), "<Module>");
}

ORDER(order_types, struct fact_type, BY(name))

/* Sorted types, of which several may have one name: anonymous ones, and those of files. */
static uint32_t unite_types(struct fact_type *types, uint32_t count)
{
    uint32_t united = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (united != 0 && str_eq(types[united - 1].name, types[i].name)) {
            types[united - 1].declaration += types[i].declaration;
            types[united - 1].foreign_count += types[i].foreign_count;
        } else {
            types[united++] = types[i];
        }
    }
    return united;
}

bool declarations_list(struct fact_type **types, uint32_t *count, struct declarations *d,
                       struct arena *arena)
{
    uint32_t rows = count_rows(d, TABLE_TypeDef), *foreign;
    *count = 0;
    *types = d->err->code == ERR_NONE ? ARENA_NEW(arena, struct fact_type, (size_t)rows + 3, d->err)
                                      : NULL;
    if (*types == NULL)
        return false;
    if (!test_methods_count_foreign(&foreign, &d->module->md, arena))
        return err_set(d->err, ERR_MEMORY, "out of memory");
    for (uint32_t type = 1; type <= rows; type++) {
        if (is_made(d, type) || compiler_type_user(&d->module->md, type) != type)
            continue;
        struct fact_type *added = &(*types)[(*count)++];
        added->declaration = hash_type(d, type);
        added->foreign_count = foreign[type];
        if (d->err->code != ERR_NONE ||
            !str_copy(&added->name, text_of_row(d, TOKEN(TABLE_TypeDef, type)), arena, d->err))
            return false;
    }
    (*types)[(*count)++] = (struct fact_type){STR(DECLARATION_METADATA), d->metadata, 0};
    (*types)[(*count)++] = (struct fact_type){STR(DECLARATION_RESOURCES), sum_resources(d), 0};
    if (*count > 1)
        qsort(*types, *count, sizeof **types, order_types);
    *count = unite_types(*types, *count);
    (*types)[(*count)++] = (struct fact_type){STR(""), hash_module(d), 0};
    return d->err->code == ERR_NONE;
}

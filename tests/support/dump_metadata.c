/* Writes what our readers make of DLLs and their PDBs, line by line in the format of
 * tests/conformance/oracle/Program.cs, which says the same with System.Reflection.Metadata.
 *
 *     dump_metadata FILE...          the dump of each file
 *     dump_metadata --hash FILE...   "<hash> <path>": FNV-1a of each file's dump instead
 *
 * Numbers are hexadecimal, heap references offsets, coded indexes tokens (0 for a null reference).
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "base/utf16.h"
#include "coverage/source/embedded.h"
#include "coverage/source/symbols.h"
#include "metadata/lookup.h"

enum {
    LINE_LEN_MAX = 1 << 20,
    BODY_HASH_LEN_MAX = 64
};

static char line[LINE_LEN_MAX];
static size_t line_len;
static bool hash_only;
static uint64_t dump_hash;

static void put(const char *format, ...) PRINTF_LIKE(1, 2);
static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line + line_len, sizeof line - line_len, format, args);
    va_end(args);
    size_t left = sizeof line - line_len;
    if (len > 0) /* only broken input has longer lines: they are cut */
        line_len += (size_t)len < left ? (size_t)len : left - 1;
}

static void end_line(void)
{
    line[line_len++] = '\n'; /* vsnprintf left room for its NUL */
    if (hash_only)
        dump_hash = fnv_bytes(dump_hash, line, line_len);
    else
        (void)fwrite(line, 1, line_len, stdout);
    line_len = 0;
}

static void put_str(struct str s)
{
    put(" %.*s", STR_ARGS(s));
}

static void put_hex(struct view bytes)
{
    put(" ");
    for (size_t i = 0; i < bytes.len; i++)
        put("%02x", bytes.data[i]);
}

static void put_bytes_hash(struct view bytes)
{
    put(" %zx:%016llx", bytes.len, (unsigned long long)fnv_bytes(FNV_START, bytes.data, bytes.len));
}

/* What a dump of one module carries along. */
struct dump {
    const struct module *module;
    const struct metadata *md;
    const struct tables *t;
    struct arena arena;
};

#define GET(d, column, rid) tables_get((d)->t, COL_##column, (rid))
#define ROWS(d, table)      tables_rows((d)->t, TABLE_##table)

static void put_u32(uint32_t value)
{
    put(" %x", (unsigned)value);
}

/* A token; every null reference is 0, whatever its table. */
static void put_token(uint32_t token)
{
    put_u32(TOKEN_RID(token) != 0 ? token : 0);
}

static void put_coded(enum coded_index kind, uint32_t coded)
{
    put_token(coded_to_token(kind, coded));
}

/* "first+count"; the start of an empty list is nobody's business. */
static void put_list(const struct dump *d, enum column list_column, uint32_t rid,
                     enum table_id child)
{
    struct row_range range = tables_list(d->t, list_column, rid, child);
    uint32_t count = range.end - range.first;
    put(" %x+%x", (unsigned)(count != 0 ? range.first : 0), (unsigned)count);
}

static void put_named(bool named, struct str name, const struct err *err)
{
    if (named)
        put_str(name);
    else
        put(" !%s", err->text);
}

static void put_type_name(struct dump *d, uint32_t token)
{
    struct err err;
    struct str name = {NULL, 0};
    bool named = name_type(&name, d->md, token, &d->arena, &err);
    put_named(named, name, &err);
    arena_reset(&d->arena);
}

/* `count` types one after another, ';' between. */
static void put_types(struct dump *d, struct view types, uint32_t count)
{
    struct err err;
    struct str name = {NULL, 0};
    struct reader r = rd_view(types);
    struct text text = text_in(&d->arena);
    bool named = true;
    for (uint32_t i = 0; named && i < count; i++) {
        if (i != 0)
            text_add_c(&text, ";");
        named = name_signature_type(&text, d->md, &r, &err);
    }
    named = named && text_take(&name, &text, &err);
    put_named(named, name, &err);
    arena_reset(&d->arena);
    /* What skips types must end where what names them does. */
    struct reader skipping = rd_view(types);
    for (uint32_t i = 0; i < count && sig_skip_type(&skipping); i++)
        continue;
    if (named && skipping.pos != r.pos)
        put(" !skipped %zu, named %zu", skipping.pos, r.pos);
}

static void put_method_types(struct dump *d, struct view blob)
{
    struct err err;
    struct method_sig sig;
    if (!sig_method(&sig, blob, &err)) {
        put(" !%s", err.text);
        return;
    }
    put(" method %x %x %x", (unsigned)sig.flags, (unsigned)sig.generic_count,
        (unsigned)sig.param_count);
    put_types(d, sig.return_type, 1);
    put_types(d, sig.params, sig.param_count);
}

static void put_field_type(struct dump *d, uint32_t token)
{
    put(" field");
    put_types(d, sig_of_field(d->md, token), 1);
}

static void put_attribute_flag(const struct dump *d, uint32_t token)
{
    struct view value = {NULL, 0};
    bool made = has_attribute(d->md, token,
                              "System.Runtime.CompilerServices.CompilerGeneratedAttribute", &value);
    put(made ? " generated" : " -");
    if (made)
        put_hex(value);
}

static void dump_image(const struct dump *d)
{
    const struct pe *pe = &d->module->pe;
    const struct pe_debug *debug = &d->module->debug;
    put("pe %x %x %x %x %x %x %zx r2r=%d composite=%d", (unsigned)pe->machine,
        (unsigned)pe->pe32_plus, (unsigned)pe->timestamp, (unsigned)pe->size_of_image,
        (unsigned)pe->section_count, (unsigned)pe->cli_flags, pe->metadata.len, pe->ready_to_run,
        pe->composite_component);
    end_line();
    put("debug entries=%d reproducible=%d", debug->has_entries, debug->reproducible);
    if (debug->has_codeview) {
        put(" codeview portable=%d", debug->portable);
        put_hex((struct view){debug->pdb_guid, sizeof debug->pdb_guid});
        put_u32(debug->pdb_stamp);
        put_str((struct str){(const char *)debug->pdb_path.data, debug->pdb_path.len});
    }
    put(" embedded=%zx", debug->embedded.len);
    if (debug->checksum_name.data != NULL) {
        put_str((struct str){(const char *)debug->checksum_name.data, debug->checksum_name.len});
        put_hex(debug->checksum);
    }
    end_line();
}

static void dump_heaps(const struct metadata *md, uint32_t first_table)
{
    put("heaps");
    put_str(md->version);
    put(" %zx %zx %zx", md->user_strings.len, md->guids.len, md->blobs.len);
    end_line();
    for (uint32_t id = first_table; id < 0x38; id++) {
        const struct table *table = &md->tables.table[id];
        if (table->rows == NULL || table->row_count == 0)
            continue;
        put("table %x %x %x", (unsigned)id, (unsigned)table->row_count, (unsigned)table->row_size);
        end_line();
    }
    for (uint32_t i = 1; heap_guid(md, i) != NULL; i++) {
        put("guid");
        put_hex((struct view){heap_guid(md, i), 16});
        end_line();
    }
}

static void dump_user_strings(const struct dump *d)
{
    static char utf8[LINE_LEN_MAX / 2];
    static uint16_t units[LINE_LEN_MAX / 8];
    struct reader r = rd_view(d->md->user_strings);
    (void)rd_u8(&r);
    while (rd_left(&r) != 0 && !r.failed) {
        uint32_t offset = (uint32_t)r.pos;
        (void)rd_take(&r, rd_compressed(&r));
        struct view item = heap_user_string(d->md, offset);
        size_t count = item.len / 2;
        put("user_string %x", (unsigned)offset);
        if (count <= ARRAY_LEN(units)) {
            for (size_t i = 0; i < count; i++)
                units[i] = load_u16(item.data + 2 * i);
            size_t len = utf16_to_utf8(utf8, sizeof utf8, units, count);
            put_bytes_hash((struct view){(const uint8_t *)utf8, len});
        } else {
            put(" long %zx", count);
        }
        end_line();
    }
}

static void dump_assembly(struct dump *d)
{
    put("module %x %x %x %x %x", (unsigned)GET(d, Module_Generation, 1),
        (unsigned)GET(d, Module_Name, 1), (unsigned)GET(d, Module_Mvid, 1),
        (unsigned)GET(d, Module_EncId, 1), (unsigned)GET(d, Module_EncBaseId, 1));
    put_hex((struct view){d->module->mvid, 16});
    put_str(d->module->name);
    end_line();
    if (ROWS(d, Assembly) != 0) {
        put("assembly %x %u.%u.%u.%u %x %x %x %x", (unsigned)GET(d, Assembly_HashAlgId, 1),
            (unsigned)GET(d, Assembly_MajorVersion, 1), (unsigned)GET(d, Assembly_MinorVersion, 1),
            (unsigned)GET(d, Assembly_BuildNumber, 1), (unsigned)GET(d, Assembly_RevisionNumber, 1),
            (unsigned)GET(d, Assembly_Flags, 1), (unsigned)GET(d, Assembly_PublicKey, 1),
            (unsigned)GET(d, Assembly_Name, 1), (unsigned)GET(d, Assembly_Culture, 1));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, AssemblyRef); i++) {
        put("assembly_ref %x %u.%u.%u.%u %x %x %x %x %x", (unsigned)i,
            (unsigned)GET(d, AssemblyRef_MajorVersion, i),
            (unsigned)GET(d, AssemblyRef_MinorVersion, i),
            (unsigned)GET(d, AssemblyRef_BuildNumber, i),
            (unsigned)GET(d, AssemblyRef_RevisionNumber, i), (unsigned)GET(d, AssemblyRef_Flags, i),
            (unsigned)GET(d, AssemblyRef_PublicKeyOrToken, i),
            (unsigned)GET(d, AssemblyRef_Name, i), (unsigned)GET(d, AssemblyRef_Culture, i),
            (unsigned)GET(d, AssemblyRef_HashValue, i));
        put_str(heap_string(d->md, GET(d, AssemblyRef_Name, i)));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, File); i++) {
        put("file %x %x %x %x", (unsigned)i, (unsigned)GET(d, File_Flags, i),
            (unsigned)GET(d, File_Name, i), (unsigned)GET(d, File_HashValue, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, ModuleRef); i++) {
        put("module_ref %x %x", (unsigned)i, (unsigned)GET(d, ModuleRef_Name, i));
        put_str(heap_string(d->md, GET(d, ModuleRef_Name, i)));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, ExportedType); i++) {
        put("exported_type %x %x %x %x", (unsigned)i, (unsigned)GET(d, ExportedType_Flags, i),
            (unsigned)GET(d, ExportedType_TypeName, i),
            (unsigned)GET(d, ExportedType_TypeNamespace, i));
        put_coded(CODED_IMPLEMENTATION, GET(d, ExportedType_Implementation, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, ManifestResource); i++) {
        put("resource %x %x %x %x", (unsigned)i, (unsigned)GET(d, ManifestResource_Offset, i),
            (unsigned)GET(d, ManifestResource_Flags, i),
            (unsigned)GET(d, ManifestResource_Name, i));
        put_coded(CODED_IMPLEMENTATION, GET(d, ManifestResource_Implementation, i));
        end_line();
    }
}

static void dump_type_refs(struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, TypeRef); i++) {
        put("type_ref %x", (unsigned)i);
        put_coded(CODED_RESOLUTION_SCOPE, GET(d, TypeRef_ResolutionScope, i));
        put_u32(GET(d, TypeRef_TypeName, i));
        put_u32(GET(d, TypeRef_TypeNamespace, i));
        put_type_name(d, TOKEN(TABLE_TypeRef, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, TypeSpec); i++) {
        put("type_spec %x %x", (unsigned)i, (unsigned)GET(d, TypeSpec_Signature, i));
        put_type_name(d, TOKEN(TABLE_TypeSpec, i));
        end_line();
    }
}

static void dump_type_defs(struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, TypeDef); i++) {
        uint32_t layout = tables_find(d->t, COL_ClassLayout_Parent, i);
        uint32_t events = tables_find(d->t, COL_EventMap_Parent, i);
        uint32_t properties = tables_find(d->t, COL_PropertyMap_Parent, i);
        put("type %x", (unsigned)i);
        put_u32(GET(d, TypeDef_Flags, i));
        put_u32(GET(d, TypeDef_TypeName, i));
        put_u32(GET(d, TypeDef_TypeNamespace, i));
        put_coded(CODED_TYPE_DEF_OR_REF, GET(d, TypeDef_Extends, i));
        put_list(d, COL_TypeDef_FieldList, i, TABLE_Field);
        put_list(d, COL_TypeDef_MethodList, i, TABLE_MethodDef);
        put_list(d, COL_EventMap_EventList, events, TABLE_Event);
        put_list(d, COL_PropertyMap_PropertyList, properties, TABLE_Property);
        put_u32(enclosing_type(d->md, i));
        put_u32(GET(d, ClassLayout_PackingSize, layout));
        put_u32(GET(d, ClassLayout_ClassSize, layout));
        put_attribute_flag(d, TOKEN(TABLE_TypeDef, i));
        put_type_name(d, TOKEN(TABLE_TypeDef, i));
        for (uint32_t row = tables_find(d->t, COL_InterfaceImpl_Class, i);
             row != 0 && GET(d, InterfaceImpl_Class, row) == i; row++)
            put_coded(CODED_TYPE_DEF_OR_REF, GET(d, InterfaceImpl_Interface, row));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, MethodImpl); i++) {
        put("method_impl %x %x", (unsigned)i, (unsigned)GET(d, MethodImpl_Class, i));
        put_coded(CODED_METHOD_DEF_OR_REF, GET(d, MethodImpl_MethodBody, i));
        put_coded(CODED_METHOD_DEF_OR_REF, GET(d, MethodImpl_MethodDeclaration, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, GenericParam); i++) {
        put("generic_param %x %x %x %x", (unsigned)i, (unsigned)GET(d, GenericParam_Number, i),
            (unsigned)GET(d, GenericParam_Flags, i), (unsigned)GET(d, GenericParam_Name, i));
        put_coded(CODED_TYPE_OR_METHOD_DEF, GET(d, GenericParam_Owner, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, GenericParamConstraint); i++) {
        put("constraint %x %x", (unsigned)i, (unsigned)GET(d, GenericParamConstraint_Owner, i));
        put_coded(CODED_TYPE_DEF_OR_REF, GET(d, GenericParamConstraint_Constraint, i));
        end_line();
    }
}

/* Constant and FieldMarshal rows of an item, or 0. */
static void put_default_and_marshal(const struct dump *d, uint32_t token)
{
    uint32_t constant =
        tables_find(d->t, COL_Constant_Parent, coded_from_token(CODED_HAS_CONSTANT, token));
    uint32_t marshal = tables_find(d->t, COL_FieldMarshal_Parent,
                                   coded_from_token(CODED_HAS_FIELD_MARSHAL, token));
    put_u32(constant);
    put_u32(GET(d, FieldMarshal_NativeType, marshal));
}

static void dump_fields(struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, Field); i++) {
        uint32_t layout = tables_find(d->t, COL_FieldLayout_Field, i);
        uint32_t rva = tables_find(d->t, COL_FieldRVA_Field, i);
        put("field %x %x %x %x", (unsigned)i, (unsigned)GET(d, Field_Flags, i),
            (unsigned)GET(d, Field_Name, i), (unsigned)GET(d, Field_Signature, i));
        put_u32(owner_of_field(d->md, i));
        put_u32(layout != 0 ? GET(d, FieldLayout_Offset, layout) : UINT32_MAX);
        put_u32(GET(d, FieldRVA_RVA, rva));
        put_default_and_marshal(d, TOKEN(TABLE_Field, i));
        put_str(heap_string(d->md, GET(d, Field_Name, i)));
        put_field_type(d, TOKEN(TABLE_Field, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, Param); i++) {
        put("param %x %x %x %x", (unsigned)i, (unsigned)GET(d, Param_Flags, i),
            (unsigned)GET(d, Param_Sequence, i), (unsigned)GET(d, Param_Name, i));
        put_default_and_marshal(d, TOKEN(TABLE_Param, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, Constant); i++) {
        put("constant %x %x %x", (unsigned)i, (unsigned)GET(d, Constant_Type, i),
            (unsigned)GET(d, Constant_Value, i));
        put_coded(CODED_HAS_CONSTANT, GET(d, Constant_Parent, i));
        end_line();
    }
}

static void put_body(struct dump *d, uint32_t rid)
{
    struct method_def method;
    if (!module_method(&method, d->module, rid)) {
        put(" -");
        return;
    }
    struct view start = method.body;
    put(" %zx", method.body.len);
    if (start.len > BODY_HASH_LEN_MAX)
        start.len = BODY_HASH_LEN_MAX;
    put_bytes_hash(start);
}

static void dump_methods(struct dump *d)
{
    struct err err;
    struct str name = {NULL, 0};
    for (uint32_t i = 1; i <= ROWS(d, MethodDef); i++) {
        uint32_t token = TOKEN(TABLE_MethodDef, i);
        uint32_t import = tables_find(d->t, COL_ImplMap_MemberForwarded,
                                      coded_from_token(CODED_MEMBER_FORWARDED, token));
        put("method %x %x %x %x %x %x", (unsigned)i, (unsigned)GET(d, MethodDef_RVA, i),
            (unsigned)GET(d, MethodDef_ImplFlags, i), (unsigned)GET(d, MethodDef_Flags, i),
            (unsigned)GET(d, MethodDef_Name, i), (unsigned)GET(d, MethodDef_Signature, i));
        put_list(d, COL_MethodDef_ParamList, i, TABLE_Param);
        put_u32(owner_of_method(d->md, i));
        put(" import %x %x %x", (unsigned)GET(d, ImplMap_MappingFlags, import),
            (unsigned)GET(d, ImplMap_ImportName, import),
            (unsigned)GET(d, ImplMap_ImportScope, import));
        put_attribute_flag(d, token);
        bool named = name_method(&name, d->md, i, &d->arena, &err);
        put_named(named, name, &err);
        named = name_method_signature(&name, d->md, i, &d->arena, &err);
        put_named(named, name, &err);
        put_method_types(d, sig_of_call(d->md, token));
        put_body(d, i);
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, MemberRef); i++) {
        uint32_t token = TOKEN(TABLE_MemberRef, i);
        struct view blob = heap_blob(d->md, GET(d, MemberRef_Signature, i));
        put("member_ref %x", (unsigned)i);
        put_coded(CODED_MEMBER_REF_PARENT, GET(d, MemberRef_Class, i));
        put_u32(GET(d, MemberRef_Name, i));
        put_u32(GET(d, MemberRef_Signature, i));
        put_str(heap_string(d->md, GET(d, MemberRef_Name, i)));
        if (blob.len != 0 && (blob.data[0] & SIG_KIND_MASK) == SIG_FIELD)
            put_field_type(d, token);
        else
            put_method_types(d, sig_of_call(d->md, token));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, MethodSpec); i++) {
        struct view blob = heap_blob(d->md, GET(d, MethodSpec_Instantiation, i));
        struct reader r = rd_view(blob);
        (void)rd_u8(&r); /* II.23.2.15: GENRICINST */
        uint32_t count = rd_compressed(&r);
        put("method_spec %x", (unsigned)i);
        put_coded(CODED_METHOD_DEF_OR_REF, GET(d, MethodSpec_Method, i));
        put_u32(GET(d, MethodSpec_Instantiation, i));
        put_types(d, (struct view){blob.data + r.pos, rd_left(&r)}, count);
        end_line();
    }
}

static void dump_stand_alone_signatures(struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, StandAloneSig); i++) {
        struct err err;
        uint32_t token = TOKEN(TABLE_StandAloneSig, i), count = 0;
        struct view blob = sig_of_call(d->md, token), types;
        put("signature %x %x", (unsigned)i, (unsigned)GET(d, StandAloneSig_Signature, i));
        if (blob.len != 0 && blob.data[0] == SIG_LOCALS) {
            if (sig_locals(&count, &types, d->md, token, &err)) {
                put(" locals %x", (unsigned)count);
                put_types(d, types, count);
            } else {
                put(" !%s", err.text);
            }
        } else if (blob.len != 0 && (blob.data[0] & SIG_KIND_MASK) == SIG_FIELD) {
            put(" field");
        } else {
            put_method_types(d, blob);
        }
        end_line();
    }
}

/* The method with these semantics (II.23.1.12) of a property or event, or 0. */
static uint32_t accessor(const struct dump *d, uint32_t token, uint32_t semantics)
{
    uint32_t association = coded_from_token(CODED_HAS_SEMANTICS, token);
    for (uint32_t row = tables_find(d->t, COL_MethodSemantics_Association, association);
         row != 0 && GET(d, MethodSemantics_Association, row) == association; row++)
        if (GET(d, MethodSemantics_Semantics, row) == semantics)
            return GET(d, MethodSemantics_Method, row);
    return 0;
}

static void dump_properties_and_events(const struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, Property); i++) {
        uint32_t token = TOKEN(TABLE_Property, i);
        uint32_t constant =
            tables_find(d->t, COL_Constant_Parent, coded_from_token(CODED_HAS_CONSTANT, token));
        put("property %x %x %x %x", (unsigned)i, (unsigned)GET(d, Property_Flags, i),
            (unsigned)GET(d, Property_Name, i), (unsigned)GET(d, Property_Type, i));
        put(" %x %x %x", (unsigned)constant, (unsigned)accessor(d, token, 2),
            (unsigned)accessor(d, token, 1));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, Event); i++) {
        uint32_t token = TOKEN(TABLE_Event, i);
        put("event %x %x %x", (unsigned)i, (unsigned)GET(d, Event_EventFlags, i),
            (unsigned)GET(d, Event_Name, i));
        put_coded(CODED_TYPE_DEF_OR_REF, GET(d, Event_EventType, i));
        put(" %x %x %x", (unsigned)accessor(d, token, 8), (unsigned)accessor(d, token, 0x10),
            (unsigned)accessor(d, token, 0x20));
        end_line();
    }
}

static void dump_attributes(const struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, CustomAttribute); i++) {
        put("attribute %x", (unsigned)i);
        put_coded(CODED_HAS_CUSTOM_ATTRIBUTE, GET(d, CustomAttribute_Parent, i));
        put_coded(CODED_CUSTOM_ATTRIBUTE_TYPE, GET(d, CustomAttribute_Type, i));
        put_u32(GET(d, CustomAttribute_Value, i));
        put_bytes_hash(heap_blob(d->md, GET(d, CustomAttribute_Value, i)));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, DeclSecurity); i++) {
        put("security %x %x", (unsigned)i, (unsigned)GET(d, DeclSecurity_Action, i));
        put_coded(CODED_HAS_DECL_SECURITY, GET(d, DeclSecurity_Parent, i));
        put_u32(GET(d, DeclSecurity_PermissionSet, i));
        end_line();
    }
}

static void dump_documents(struct dump *d, const struct pdb *pdb)
{
    for (uint32_t i = 1; i <= ROWS(d, Document); i++) {
        struct err err;
        struct pdb_document document;
        struct view source = {NULL, 0};
        static const uint8_t no_guid[16];
        put("document %x", (unsigned)i);
        if (!pdb_read_document(&document, pdb, i, &d->arena, &err)) {
            put(" !%s", err.text);
            end_line();
            continue;
        }
        put_str(document.name);
        put_hex((struct view){document.language != NULL ? document.language : no_guid, 16});
        put_hex(
            (struct view){document.hash_algorithm != NULL ? document.hash_algorithm : no_guid, 16});
        put_hex(document.hash);
        if (document.embedded_source.len != 0) {
            if (embedded_source(&source, document.embedded_source, &d->arena, &err))
                put_bytes_hash(source);
            else
                put(" !%s", err.text);
        }
        end_line();
        arena_reset(&d->arena);
    }
}

static void dump_sequence_points(struct dump *d, const struct pdb *pdb)
{
    for (uint32_t i = 1; i <= ROWS(d, MethodDebugInformation); i++) {
        struct err err;
        struct seq_points seq;
        put("points %x %x %x kickoff=%x", (unsigned)i,
            (unsigned)GET(d, MethodDebugInformation_Document, i),
            (unsigned)GET(d, MethodDebugInformation_SequencePoints, i),
            (unsigned)pdb_kickoff_method(pdb, i));
        if (!pdb_sequence_points(&seq, pdb, i, &d->arena, &err)) {
            put(" !%s", err.text);
            seq.count = 0;
        }
        for (uint32_t k = 0; k < seq.count; k++) {
            const struct seq_point *p = &seq.points[k];
            put(" %x@%x", (unsigned)p->il_offset, (unsigned)p->document);
            if (p->hidden)
                put(":hidden");
            else
                put(":%x.%x-%x.%x", (unsigned)p->start_line, (unsigned)p->start_column,
                    (unsigned)p->end_line, (unsigned)p->end_column);
        }
        end_line();
        arena_reset(&d->arena);
    }
}

static void dump_scopes(const struct dump *d)
{
    for (uint32_t i = 1; i <= ROWS(d, LocalScope); i++) {
        put("scope %x %x %x %x %x", (unsigned)i, (unsigned)GET(d, LocalScope_Method, i),
            (unsigned)GET(d, LocalScope_ImportScope, i),
            (unsigned)GET(d, LocalScope_StartOffset, i), (unsigned)GET(d, LocalScope_Length, i));
        put_list(d, COL_LocalScope_VariableList, i, TABLE_LocalVariable);
        put_list(d, COL_LocalScope_ConstantList, i, TABLE_LocalConstant);
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, LocalVariable); i++) {
        put("variable %x %x %x %x", (unsigned)i, (unsigned)GET(d, LocalVariable_Attributes, i),
            (unsigned)GET(d, LocalVariable_Index, i), (unsigned)GET(d, LocalVariable_Name, i));
        put_str(heap_string(d->md, GET(d, LocalVariable_Name, i)));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, LocalConstant); i++) {
        put("local_constant %x %x %x", (unsigned)i, (unsigned)GET(d, LocalConstant_Name, i),
            (unsigned)GET(d, LocalConstant_Signature, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, ImportScope); i++) {
        put("import_scope %x %x %x", (unsigned)i, (unsigned)GET(d, ImportScope_Parent, i),
            (unsigned)GET(d, ImportScope_Imports, i));
        end_line();
    }
    for (uint32_t i = 1; i <= ROWS(d, CustomDebugInformation); i++) {
        put("custom %x %x %x", (unsigned)i, (unsigned)GET(d, CustomDebugInformation_Kind, i),
            (unsigned)GET(d, CustomDebugInformation_Value, i));
        put_coded(CODED_HAS_CUSTOM_DEBUG_INFORMATION, GET(d, CustomDebugInformation_Parent, i));
        put_bytes_hash(heap_blob(d->md, GET(d, CustomDebugInformation_Value, i)));
        end_line();
    }
}

static void dump_pdb(const struct module *module)
{
    const struct pdb *pdb = &module->pdb;
    struct dump d = {.module = module, .md = &pdb->md, .t = &pdb->md.tables};
    arena_init(&d.arena, NULL, 0, ARENA_NO_LIMIT);
    put("pdb");
    put_hex((struct view){pdb->id, sizeof pdb->id});
    put_u32(pdb->entry_point);
    put_bytes_hash(pdb->image);
    put_bytes_hash(pdb_source_link(pdb));
    end_line();
    dump_heaps(&pdb->md, TABLE_Document);
    dump_documents(&d, pdb);
    dump_sequence_points(&d, pdb);
    dump_scopes(&d);
    arena_free(&d.arena);
}

static void dump_module(const struct module *module)
{
    struct dump d = {.module = module, .md = &module->md, .t = &module->md.tables};
    arena_init(&d.arena, NULL, 0, ARENA_NO_LIMIT);
    dump_image(&d);
    dump_heaps(d.md, 0);
    dump_user_strings(&d);
    dump_assembly(&d);
    dump_type_refs(&d);
    dump_type_defs(&d);
    dump_fields(&d);
    dump_methods(&d);
    dump_stand_alone_signatures(&d);
    dump_properties_and_events(&d);
    dump_attributes(&d);
    arena_free(&d.arena);
    if (module->has_pdb)
        dump_pdb(module);
}

static void dump_file(const char *path)
{
    struct err err;
    struct module module;
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    if (!module_open_file(&module, path, &err)) {
        put("not managed");
        if (!hash_only)
            fprintf(stderr, "%s: %s\n", path, err.text);
        end_line();
    } else {
        if (!symbols_find(&module, path, &arena, &err)) {
            put("symbols !%s", err.text);
            end_line();
        }
        dump_module(&module);
        module_close(&module);
    }
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--hash") == 0) {
        hash_only = true;
        first = 2;
    }
    if (first >= argc) {
        fprintf(stderr, "usage: dump_metadata [--hash] FILE...\n");
        return 2;
    }
    for (int i = first; i < argc; i++) {
        dump_hash = FNV_START;
        dump_file(argv[i]);
        if (hash_only)
            printf("%016llx %s\n", (unsigned long long)dump_hash, argv[i]);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}

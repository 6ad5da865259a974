#include "profiler/signatures.h"

enum {
    CALLCONV_UNMANAGED = 0x9
};

static struct metadata_emit *emit_of(const struct covered_module *module)
{
    return (struct metadata_emit *)(void *)module->emit;
}

static uint32_t token_of(const struct covered_module *module, const uint8_t *signature, size_t len)
{
    struct metadata_emit *emit = emit_of(module);
    mdSignature token = 0;
    HRESULT hr = emit->vtbl->GetTokenFromSig(emit, signature, (uint32_t)len, &token);
    return SUCCEEDED(hr) ? token : 0;
}

/* II.23.2.8 TypeDefOrRefOrSpecEncoded, compressed. */
static void write_type_token(struct writer *w, uint32_t token)
{
    uint32_t value = TOKEN_RID(token) << 2 | (TOKEN_TABLE(token) == TABLE_TypeRef ? 1 : 0);
    if (value < 0x80) {
        wr_u8(w, (uint8_t)value);
    } else if (value < 0x4000) {
        wr_u8(w, (uint8_t)(0x80 | value >> 8));
        wr_u8(w, (uint8_t)value);
    } else {
        wr_u8(w, (uint8_t)(0xC0 | value >> 24));
        wr_u8(w, (uint8_t)(value >> 16));
        wr_u8(w, (uint8_t)(value >> 8));
        wr_u8(w, (uint8_t)value);
    }
}

static uint32_t find_type(const struct metadata *md, const char *name)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_TypeDef); rid++)
        if (str_is(heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, rid)), name))
            return TOKEN(TABLE_TypeDef, rid);
    return 0;
}

/* A reference to an assembly that has the type, or 0. Facades of old names, such as netstandard,
 * don't pass it on. */
static mdToken find_core_library(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++) {
        struct str name = heap_string(md, tables_get(&md->tables, COL_AssemblyRef_Name, rid));
        if (str_is(name, "System.Private.CoreLib") || str_is(name, "System.Runtime"))
            return TOKEN(TABLE_AssemblyRef, rid);
    }
    return 0;
}

static mdToken define_core_library(struct metadata_emit *emit)
{
    static const char16_t name[] = u"System.Private.CoreLib";
    static const uint8_t key_token[] = {0x7c, 0xec, 0x85, 0xd7, 0xbe, 0xa7, 0x79, 0x8e};
    const struct assembly_metadata version = {.usMajorVersion = 4};
    void *found = NULL;
    mdToken token = 0;
    if (FAILED(emit->vtbl->QueryInterface(emit, &IID_IMetaDataAssemblyEmit, &found)) ||
        found == NULL)
        return 0;
    struct metadata_assembly_emit *assemblies = found;
    HRESULT hr = assemblies->vtbl->DefineAssemblyRef(assemblies, key_token, sizeof key_token, name,
                                                     &version, NULL, 0, 0, &token);
    (void)assemblies->vtbl->Release(assemblies);
    return SUCCEEDED(hr) ? token : 0;
}

/* Looked for where it is defined when a method with the signature is compiled. */
static mdToken no_transition_modifier(const struct covered_module *module)
{
    static const char16_t name[] = u"System.Runtime.CompilerServices.CallConvSuppressGCTransition";
    struct metadata_emit *emit = emit_of(module);
    const struct metadata *md = &module->meta.md;
    mdTypeRef modifier = 0;
    if (str_is(module->meta.name, "System.Private.CoreLib"))
        return find_type(md, "CallConvSuppressGCTransition");
    mdToken core = find_core_library(md);
    if (core == 0)
        core = define_core_library(emit);
    HRESULT hr = core != 0 ? emit->vtbl->DefineTypeRefByName(emit, core, name, &modifier) : E_FAIL;
    return SUCCEEDED(hr) ? modifier : 0;
}

/* unmanaged void modopt(CallConvSuppressGCTransition) (native int) */
static uint32_t probe_function_sig(const struct covered_module *module)
{
    mdToken modifier = no_transition_modifier(module);
    uint8_t bytes[16];
    struct writer w;
    wr_open_fixed(&w, bytes, sizeof bytes);
    wr_u8(&w, CALLCONV_UNMANAGED);
    wr_u8(&w, 1);
    wr_u8(&w, ELEMENT_CMOD_OPT);
    write_type_token(&w, modifier);
    wr_u8(&w, ELEMENT_VOID);
    wr_u8(&w, ELEMENT_I);
    return modifier != 0 ? token_of(module, bytes, w.len) : 0;
}

void signatures_open(struct covered_module *module, struct profiler_info *info, ModuleID id)
{
    static const uint8_t two_ints[] = {SIG_LOCALS, 2, ELEMENT_I, ELEMENT_I};
    module->two_ints_sig = module->exact_sig = 0;
    HRESULT hr = info->vtbl->GetModuleMetaData(info, id, ofRead | ofWrite, &IID_IMetaDataEmit,
                                               &module->emit);
    if (FAILED(hr) || module->emit == NULL) {
        module->emit = NULL;
        return;
    }
    if (module->mode == MODE_EXACT)
        module->exact_sig = probe_function_sig(module);
    else
        module->two_ints_sig = token_of(module, two_ints, sizeof two_ints);
}

uint32_t signatures_extend_locals(struct covered_module *module, uint32_t local_sig,
                                  uint32_t local_count, struct arena *scratch)
{
    if (local_count == 0)
        return module->two_ints_sig;
    uint32_t count = 0;
    struct view types;
    if (module->emit == NULL || !sig_locals(&count, &types, &module->meta.md, local_sig, NULL))
        return 0;
    struct writer w;
    wr_open(&w, scratch);
    wr_u8(&w, SIG_LOCALS);
    if (count + 2 < 0x80) {
        wr_u8(&w, (uint8_t)(count + 2));
    } else if (count + 2 < 0x4000) {
        wr_u8(&w, (uint8_t)(0x80 | (count + 2) >> 8));
        wr_u8(&w, (uint8_t)(count + 2));
    } else {
        wr_u8(&w, 0xC0);
        wr_u8(&w, 0);
        wr_u8(&w, (uint8_t)((count + 2) >> 8));
        wr_u8(&w, (uint8_t)(count + 2));
    }
    wr_bytes(&w, types.data, types.len);
    wr_u8(&w, ELEMENT_I);
    wr_u8(&w, ELEMENT_I);
    return w.failed ? 0 : token_of(module, w.data, w.len);
}

void signatures_close(struct covered_module *module)
{
    if (module->emit != NULL)
        (void)module->emit->vtbl->Release(module->emit);
    module->emit = NULL;
}

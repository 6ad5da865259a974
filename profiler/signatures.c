#include "profiler/signatures.h"

#include "metadata/lookup.h"
#include "metadata/sig.h"

enum {
    CALLCONV_UNMANAGED = 0x9
};

uint32_t signatures_token(struct metadata_emit *emit, const uint8_t *signature, size_t len)
{
    mdSignature token = 0;
    HRESULT hr = emit->vtbl->GetTokenFromSig(emit, signature, (uint32_t)len, &token);
    return SUCCEEDED(hr) ? token : 0;
}

/* II.23.2.8 TypeDefOrRefOrSpecEncoded, compressed. */
void signatures_write_type(struct writer *w, uint32_t token)
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

/* From that version on, System.Runtime forwards all types that are needed. */
enum {
    WHOLE_MAJOR = 8
};

/* A reference to an assembly in which the type is found, or 0. Facades with old names, such as
 * netstandard, don't forward it. */
static mdToken find_core_library(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++) {
        struct str name = row_string(md, COL_AssemblyRef_Name, rid);
        if (str_is(name, "System.Private.CoreLib") || str_is(name, "System.Runtime"))
            return TOKEN(TABLE_AssemblyRef, rid);
    }
    return 0;
}

static mdToken add_core_library(struct instrumented_module *module)
{
    struct metadata_emit *emit = module->emit;
    static const char16_t name[] = u"System.Private.CoreLib";
    static const uint8_t key_token[] = {0x7c, 0xec, 0x85, 0xd7, 0xbe, 0xa7, 0x79, 0x8e};
    const struct assembly_metadata version = {.usMajorVersion = 4};
    void *found = NULL;
    if (module->core_ref != 0 ||
        FAILED(emit->vtbl->QueryInterface(emit, &IID_IMetaDataAssemblyEmit, &found)) ||
        found == NULL)
        return module->core_ref;
    struct metadata_assembly_emit *assemblies = found;
    HRESULT hr = assemblies->vtbl->DefineAssemblyRef(assemblies, key_token, sizeof key_token, name,
                                                     &version, NULL, 0, 0, &module->core_ref);
    (void)assemblies->vtbl->Release(assemblies);
    return SUCCEEDED(hr) ? module->core_ref : 0;
}

/* Reflection shows a reference that is added. */
mdToken signatures_core_library(struct instrumented_module *module, unsigned runtime_major)
{
    mdToken found = runtime_major >= WHOLE_MAJOR ? find_core_library(&module->meta.md) : 0;
    return found != 0 ? found : add_core_library(module);
}

/* The runtime resolves the reference when it compiles a method with the signature. */
static mdToken no_transition_modifier(struct instrumented_module *module)
{
    static const char16_t name[] = u"System.Runtime.CompilerServices.CallConvSuppressGCTransition";
    struct metadata_emit *emit = module->emit;
    const struct metadata *md = &module->meta.md;
    mdTypeRef modifier = 0;
    if (str_is(module->meta.name, "System.Private.CoreLib"))
        return TOKEN(TABLE_TypeDef, type_named(md, "System.Runtime.CompilerServices",
                                               "CallConvSuppressGCTransition"));
    mdToken core = find_core_library(md);
    if (core == 0)
        core = add_core_library(module);
    HRESULT hr = core != 0 ? emit->vtbl->DefineTypeRefByName(emit, core, name, &modifier) : E_FAIL;
    return SUCCEEDED(hr) ? modifier : 0;
}

/* unmanaged void modopt(CallConvSuppressGCTransition) (native int) */
static uint32_t probe_function_sig(struct instrumented_module *module)
{
    mdToken modifier = no_transition_modifier(module);
    uint8_t bytes[16];
    struct writer w = wr_over(bytes, sizeof bytes);
    wr_u8(&w, CALLCONV_UNMANAGED);
    wr_u8(&w, 1);
    wr_u8(&w, ELEMENT_CMOD_OPT);
    signatures_write_type(&w, modifier);
    wr_u8(&w, ELEMENT_VOID);
    wr_u8(&w, ELEMENT_I);
    return TOKEN_RID(modifier) != 0 ? signatures_token(module->emit, bytes, w.len) : 0;
}

struct metadata_emit *signatures_emit(struct profiler_info *info, ModuleID id)
{
    struct unknown *emit = NULL;
    HRESULT hr =
        info->vtbl->GetModuleMetaData(info, id, ofRead | ofWrite, &IID_IMetaDataEmit, &emit);
    return SUCCEEDED(hr) ? (struct metadata_emit *)(void *)emit : NULL;
}

void signatures_open(const struct profiler *p, struct instrumented_module *module, ModuleID id)
{
    module->function_sig = 0;
    module->emit = signatures_emit(p->info, id);
    if (module->emit != NULL)
        module->function_sig = probe_function_sig(module);
}

void signatures_close(struct instrumented_module *module)
{
    if (module->emit != NULL)
        (void)module->emit->vtbl->Release(module->emit);
    module->emit = NULL;
}

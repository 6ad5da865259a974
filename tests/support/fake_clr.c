#include "tests/support/fake_clr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/utf16.h"
#include "contract/protocol.h"
#include "profiler/callback.h"
#include "rewriter/body.h"

/* Not cmocka's: a forked child of a test ends here. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum {
    FUNCTION_ROW_BITS = 24,
    FAKE_THREADS = 3,
    FIRST_SIGNATURE = 0x11700000,
    FIRST_TYPE_REF = 0x01700000,
    FIRST_MEMBER_REF = 0x0A700000,
    FIRST_TYPE_SPEC = 0x1B700000,
    FIRST_STRING = 0x70700000,
    FIRST_ASSEMBLY_REF = 0x23700000
};

/* The runtime that the vtables stand for: an instance begins with its interface. */
static struct fake_clr *clr_of_info(struct profiler_info *self)
{
    return (struct fake_clr *)(void *)self;
}

static struct fake_clr *clr_of_emit(struct metadata_emit *self)
{
    return (struct fake_clr *)(void *)((char *)(void *)self - offsetof(struct fake_clr, emit));
}

static struct fake_module *find_module(struct fake_clr *clr, ModuleID id)
{
    for (uint32_t i = 0; id != 0 && i < clr->module_count; i++)
        if (clr->modules[i].id == id)
            return &clr->modules[i];
    return NULL;
}

static struct fake_method *find_method(struct fake_clr *clr, ModuleID id, mdToken token)
{
    struct fake_module *module = find_module(clr, id);
    uint32_t rid = TOKEN_RID(token);
    if (module == NULL || TOKEN_TABLE(token) != TABLE_MethodDef || rid == 0 ||
        rid > module->method_count)
        return NULL;
    return &module->methods[rid - 1];
}

static uint32_t EmitAddRef(struct metadata_emit *self);

/* --- ICorProfilerInfo5 ------------------------------------------------------------------------ */

static HRESULT InfoQueryInterface(struct profiler_info *self, const GUID *riid, void **ppvObject)
{
    struct fake_clr *clr = clr_of_info(self);
    *ppvObject = NULL;
    bool served = (guid_eq(riid, &IID_ICorProfilerInfo5) && !clr->no_info5) ||
                  (guid_eq(riid, &IID_ICorProfilerInfo10) && clr->has_info10);
    if (!served)
        return E_NOINTERFACE;
    *ppvObject = self;
    clr->info_references++;
    return S_OK;
}

static uint32_t InfoAddRef(struct profiler_info *self)
{
    return (uint32_t)++clr_of_info(self)->info_references;
}

static uint32_t InfoRelease(struct profiler_info *self)
{
    return (uint32_t)--clr_of_info(self)->info_references;
}

/* Method 3 is generic, with an argument that is not known, in a type with one that is: <Module>,
 * the first row of TypeDef. */
enum {
    GENERIC_ROW = 3,
    CLASS_OF_GENERIC = 1,
    CLASS_OF_ARGUMENT = 2
};

static HRESULT GetFunctionInfo2(struct profiler_info *self, FunctionID funcId,
                                COR_PRF_FRAME_INFO frameInfo, ClassID *pClassId,
                                ModuleID *pModuleId, mdToken *pToken, uint32_t cTypeArgs,
                                uint32_t *pcTypeArgs, ClassID *typeArgs)
{
    (void)self;
    REQUIRE(frameInfo == 0 && cTypeArgs >= 1);
    uint32_t row = (uint32_t)funcId & ((1u << FUNCTION_ROW_BITS) - 1);
    *pClassId = row == GENERIC_ROW ? CLASS_OF_GENERIC : 0;
    *pModuleId = funcId >> FUNCTION_ROW_BITS;
    *pToken = TOKEN(TABLE_MethodDef, row);
    *pcTypeArgs = row == GENERIC_ROW;
    typeArgs[0] = 0;
    return S_OK;
}

static HRESULT GetClassIDInfo2(struct profiler_info *self, ClassID classId, ModuleID *pModuleId,
                               mdTypeDef *pTypeDefToken, ClassID *pParentClassId,
                               uint32_t cNumTypeArgs, uint32_t *pcNumTypeArgs, ClassID *typeArgs)
{
    struct fake_clr *clr = clr_of_info(self);
    REQUIRE((classId == CLASS_OF_GENERIC || classId == CLASS_OF_ARGUMENT) && cNumTypeArgs >= 1);
    *pModuleId = clr->modules[0].id;
    *pTypeDefToken = TOKEN(TABLE_TypeDef, 1);
    *pParentClassId = 0;
    *pcNumTypeArgs = classId == CLASS_OF_GENERIC;
    typeArgs[0] = CLASS_OF_ARGUMENT;
    return S_OK;
}

static HRESULT GetFunctionInfo(struct profiler_info *self, FunctionID functionId, ClassID *pClassId,
                               ModuleID *pModuleId, mdToken *pToken)
{
    (void)self;
    *pClassId = 0;
    *pModuleId = functionId >> FUNCTION_ROW_BITS;
    *pToken = TOKEN(TABLE_MethodDef, (uint32_t)functionId & ((1u << FUNCTION_ROW_BITS) - 1));
    return S_OK;
}

static HRESULT GetModuleInfo2(struct profiler_info *self, ModuleID moduleId,
                              const uint8_t **ppBaseLoadAddress, uint32_t cchName,
                              uint32_t *pcchName, WCHAR *szName, AssemblyID *pAssemblyId,
                              uint32_t *pdwModuleFlags)
{
    const struct fake_module *module = find_module(clr_of_info(self), moduleId);
    if (module == NULL)
        return E_FAIL;
    size_t units = utf8_to_utf16((uint16_t *)szName, cchName, module->path, strlen(module->path));
    *ppBaseLoadAddress = module->image.data;
    *pcchName = (uint32_t)units + 1;
    *pAssemblyId = moduleId;
    *pdwModuleFlags = module->flags | (module->mapped ? 0 : COR_PRF_MODULE_FLAT_LAYOUT);
    return S_OK;
}

static HRESULT GetInMemorySymbolsLength(struct profiler_info *self, ModuleID moduleId,
                                        uint32_t *pCountSymbolBytes)
{
    const struct fake_module *module = find_module(clr_of_info(self), moduleId);
    REQUIRE(module != NULL);
    *pCountSymbolBytes = (uint32_t)module->symbols.len;
    return S_OK;
}

static HRESULT ReadInMemorySymbols(struct profiler_info *self, ModuleID moduleId,
                                   uint32_t symbolsReadOffset, uint8_t *pSymbolBytes,
                                   uint32_t countSymbolBytes, uint32_t *pCountSymbolBytesRead)
{
    const struct fake_module *module = find_module(clr_of_info(self), moduleId);
    REQUIRE(module != NULL && symbolsReadOffset <= module->symbols.len);
    size_t left = module->symbols.len - symbolsReadOffset;
    *pCountSymbolBytesRead = countSymbolBytes < left ? countSymbolBytes : (uint32_t)left;
    memcpy(pSymbolBytes, module->symbols.data + symbolsReadOffset, *pCountSymbolBytesRead);
    return S_OK;
}

static HRESULT GetModuleMetaData(struct profiler_info *self, ModuleID moduleId,
                                 uint32_t dwOpenFlags, const GUID *riid, struct unknown **ppOut)
{
    struct fake_clr *clr = clr_of_info(self);
    *ppOut = NULL;
    REQUIRE(find_module(clr, moduleId) != NULL);
    if (guid_eq(riid, &IID_IMetaDataImport)) {
        REQUIRE(dwOpenFlags == ofRead);
        clr->import_module = moduleId;
        clr->import_references++;
        *ppOut = (struct unknown *)(void *)&clr->import;
        return S_OK;
    }
    REQUIRE(guid_eq(riid, &IID_IMetaDataEmit));
    if (clr->no_emit || dwOpenFlags != (ofRead | ofWrite))
        return E_FAIL;
    (void)EmitAddRef(&clr->emit);
    __atomic_store_n(&clr->emit_module, moduleId, __ATOMIC_RELAXED);
    *ppOut = (struct unknown *)(void *)&clr->emit;
    return S_OK;
}

static HRESULT GetILFunctionBody(struct profiler_info *self, ModuleID moduleId,
                                 mdMethodDef methodId, const uint8_t **ppMethodHeader,
                                 uint32_t *pcbMethodSize)
{
    struct fake_clr *clr = clr_of_info(self);
    const struct fake_method *method = find_method(clr, moduleId, methodId);
    if (clr->no_bodies || method == NULL || method->original.len == 0)
        return CORPROF_E_FUNCTION_NOT_IL;
    *ppMethodHeader = method->body != NULL ? method->body : method->original.data;
    *pcbMethodSize = (uint32_t)method->original.len; /* of a body that was set nobody asks it */
    return S_OK;
}

/* What the runtime would read when it compiles the method must be a body. */
static void require_body(bool has_code, const uint8_t *body)
{
    static _Thread_local uint8_t memory[4096]; /* the stack is measured */
    struct arena arena;
    struct il_body parsed;
    arena_init(&arena, memory, sizeof memory, ARENA_NO_LIMIT);
    bool is_tiny = (body[0] & 3) == 2; /* II.25.4.2; II.25.4.3: a fat one is aligned */
    REQUIRE(has_code && (is_tiny || (uintptr_t)body % 4 == 0));
    enum verdict verdict = body_parse(&parsed, (struct view){body, 1 << 20}, &arena);
    REQUIRE(verdict == VERDICT_OK || verdict == VERDICT_DECLINED_MEMORY);
    arena_free(&arena);
}

static HRESULT SetILFunctionBody(struct profiler_info *self, ModuleID moduleId,
                                 mdMethodDef methodid, const uint8_t *pbNewILMethodHeader)
{
    struct fake_clr *clr = clr_of_info(self);
    (void)pthread_mutex_lock(&clr->lock);
    struct fake_method *method = find_method(clr, moduleId, methodid);
    REQUIRE(method != NULL);
    const struct fake_module *module = find_module(clr, moduleId);
    bool is_defined = module != NULL && method >= module->methods + module->method_count;
    require_body(is_defined || method->original.len != 0, pbNewILMethodHeader);
    bool refuses = methodid == clr->no_body_of;
    if (!refuses) {
        method->body = pbNewILMethodHeader;
        method->bodies_given++;
    }
    (void)pthread_mutex_unlock(&clr->lock);
    return refuses ? E_FAIL : S_OK;
}

static HRESULT SetILInstrumentedCodeMap(struct profiler_info *self, FunctionID functionId,
                                        BOOL fStartJit, uint32_t cILMapEntries,
                                        COR_IL_MAP *rgILMapEntries)
{
    struct fake_clr *clr = clr_of_info(self);
    (void)fStartJit;
    (void)pthread_mutex_lock(&clr->lock);
    struct fake_method *method =
        find_method(clr, functionId >> FUNCTION_ROW_BITS,
                    TOKEN(TABLE_MethodDef, (uint32_t)functionId & ((1u << FUNCTION_ROW_BITS) - 1)));
    REQUIRE(method != NULL);
    free(method->map);
    method->map = calloc(cILMapEntries + 1, sizeof *method->map);
    REQUIRE(method->map != NULL);
    memcpy(method->map, rgILMapEntries, cILMapEntries * sizeof *method->map);
    method->map_rows = cILMapEntries;
    method->maps_given++;
    (void)pthread_mutex_unlock(&clr->lock);
    return S_OK;
}

static HRESULT GetRuntimeInformation(struct profiler_info *self, uint16_t *pClrInstanceId,
                                     COR_PRF_RUNTIME_TYPE *pRuntimeType, uint16_t *pMajorVersion,
                                     uint16_t *pMinorVersion, uint16_t *pBuildNumber,
                                     uint16_t *pQFEVersion, uint32_t cchVersionString,
                                     uint32_t *pcchVersionString, WCHAR *szVersionString)
{
    (void)cchVersionString;
    (void)szVersionString;
    *pClrInstanceId = 9;
    *pRuntimeType = COR_PRF_CORE_CLR;
    *pMajorVersion = clr_of_info(self)->runtime_major;
    *pMinorVersion = 0;
    *pBuildNumber = 12;
    *pQFEVersion = 0;
    if (pcchVersionString != NULL)
        *pcchVersionString = 0;
    return S_OK;
}

static HRESULT GetFunctionFromToken(struct profiler_info *self, ModuleID moduleId, mdToken token,
                                    FunctionID *pFunctionId)
{
    REQUIRE(find_method(clr_of_info(self), moduleId, token) != NULL);
    *pFunctionId = moduleId << FUNCTION_ROW_BITS | TOKEN_RID(token);
    return S_OK;
}

static HRESULT GetCodeInfo(struct profiler_info *self, FunctionID functionId,
                           const uint8_t **pStart, uint32_t *pcSize)
{
    static const uint8_t code[1];
    uint32_t rid = (uint32_t)functionId & ((1u << FUNCTION_ROW_BITS) - 1);
    if (clr_of_info(self)->no_code_info)
        return E_OUTOFMEMORY;
    if (TOKEN(TABLE_MethodDef, rid) != clr_of_info(self)->has_code)
        return CORPROF_E_FUNCTION_NOT_COMPILED;
    *pStart = code;
    *pcSize = sizeof code;
    return S_OK;
}

/* A class is named as a function is. */
static HRESULT GetClassFromToken(struct profiler_info *self, ModuleID moduleId, mdTypeDef typeDef,
                                 ClassID *pClassId)
{
    REQUIRE(find_module(clr_of_info(self), moduleId) != NULL);
    *pClassId = moduleId << FUNCTION_ROW_BITS | TOKEN_RID(typeDef);
    return S_OK;
}

static HRESULT GetClassLayout(struct profiler_info *self, ClassID classID,
                              COR_FIELD_OFFSET *rFieldOffset, uint32_t cFieldOffset,
                              uint32_t *pcFieldOffset, uint32_t *pulClassSize)
{
    struct fake_clr *clr = clr_of_info(self);
    const struct fake_module *module = find_module(clr, classID >> FUNCTION_ROW_BITS);
    uint32_t rid = (uint32_t)classID & ((1u << FUNCTION_ROW_BITS) - 1);
    REQUIRE(module != NULL);
    if (TOKEN(TABLE_TypeDef, rid) == clr->no_layout_of)
        return CORPROF_E_DATAINCOMPLETE;
    struct row_range rows =
        tables_list(&module->meta.md.tables, COL_TypeDef_FieldList, rid, TABLE_Field);
    *pcFieldOffset = rows.end - rows.first;
    *pulClassSize = 8 * (*pcFieldOffset + 1);
    for (uint32_t i = 0; i < *pcFieldOffset && i < cFieldOffset; i++)
        rFieldOffset[i] = (COR_FIELD_OFFSET){TOKEN(TABLE_Field, rows.first + i), 8 * (i + 1)};
    return S_OK;
}

static HRESULT SetEventMask2(struct profiler_info *self, uint32_t dwEventsLow,
                             uint32_t dwEventsHigh)
{
    struct fake_clr *clr = clr_of_info(self);
    clr->mask_calls++;
    if (clr->no_mask || dwEventsHigh != COR_PRF_HIGH_IN_MEMORY_SYMBOLS_UPDATED)
        return E_FAIL;
    (void)usleep(1000); /* who asks for events that another thread is still setting has to wait */
    clr->event_mask = dwEventsLow;
    return S_OK;
}

/* --- attaching, walking ----------------------------------------------------------------------- */

static struct fake_clr *clr_of_modules(struct module_enum *self)
{
    return (struct fake_clr *)(void *)((char *)(void *)self -
                                       offsetof(struct fake_clr, module_enum));
}

static uint32_t ModuleEnumRelease(struct module_enum *self)
{
    (void)self;
    return 0;
}

static HRESULT ModuleEnumNext(struct module_enum *self, uint32_t celt, ModuleID *ids,
                              uint32_t *pceltFetched)
{
    struct fake_clr *clr = clr_of_modules(self);
    *pceltFetched = 0;
    while (*pceltFetched < celt && clr->listed < clr->module_count)
        ids[(*pceltFetched)++] = clr->modules[clr->listed++].id;
    return *pceltFetched == celt ? S_OK : S_FALSE;
}

static const struct module_enum_vtbl module_enum_vtbl = {.Release = ModuleEnumRelease,
                                                         .Next = ModuleEnumNext};

static HRESULT EnumModules(struct profiler_info *self, struct module_enum **ppEnum)
{
    struct fake_clr *clr = clr_of_info(self);
    clr->module_enum.vtbl = &module_enum_vtbl;
    clr->listed = 0;
    *ppEnum = &clr->module_enum;
    return S_OK;
}

FunctionID fake_clr_function(const struct fake_module *module, uint32_t rid)
{
    return module->id << FUNCTION_ROW_BITS | rid;
}

static HRESULT RequestReJITWithInliners(struct profiler_info *self, uint32_t dwRejitFlags,
                                        uint32_t cFunctions, ModuleID *moduleIds,
                                        mdMethodDef *methodIds)
{
    struct fake_clr *clr = clr_of_info(self);
    if (clr->no_rejit)
        return CORPROF_E_MODULE_IS_ENC;
    void (*before)(struct fake_clr * clr) = atomic_exchange(&clr->before_rejit, NULL);
    if (before != NULL)
        before(clr);
    REQUIRE((clr->event_mask & COR_PRF_ENABLE_REJIT) != 0 &&
            dwRejitFlags == (COR_PRF_REJIT_BLOCK_INLINING | COR_PRF_REJIT_INLINING_CALLBACKS));
    for (uint32_t i = 0; i < cFunctions; i++) {
        struct fake_method *method = find_method(clr, moduleIds[i], methodIds[i]);
        if (method == NULL) {
            HRESULT hr = clr->is_changeable ? CORPROF_E_MODULE_IS_ENC : E_INVALIDARG;
            REQUIRE(g_callback.vtbl->ReJITError(&g_callback, moduleIds[i], methodIds[i], 0, hr) ==
                    S_OK);
            continue;
        }
        (void)pthread_mutex_lock(&clr->lock);
        method->rejits++;
        method->is_recompiled = true;
        (void)pthread_mutex_unlock(&clr->lock);
    }
    return S_OK;
}

static HRESULT RequestRevert(struct profiler_info *self, uint32_t cFunctions, ModuleID *moduleIds,
                             mdMethodDef *methodIds, HRESULT *status)
{
    struct fake_clr *clr = clr_of_info(self);
    REQUIRE((clr->event_mask & COR_PRF_ENABLE_REJIT) != 0);
    for (uint32_t i = 0; i < cFunctions; i++) {
        struct fake_method *method = find_method(clr, moduleIds[i], methodIds[i]);
        REQUIRE(method != NULL && status[i] == S_OK);
        (void)pthread_mutex_lock(&clr->lock);
        method->reverts++;
        method->is_recompiled = false;
        (void)pthread_mutex_unlock(&clr->lock);
        if (clr->no_revert_of == methodIds[i])
            status[i] = E_FAIL;
    }
    return S_OK;
}

static HRESULT RequestProfilerDetach(struct profiler_info *self,
                                     uint32_t dwExpectedCompletionMilliseconds)
{
    (void)dwExpectedCompletionMilliseconds;
    clr_of_info(self)->detaches++;
    return clr_of_info(self)->is_detachable ? S_OK : CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT;
}

static HRESULT SuspendRuntime(struct profiler_info *self)
{
    REQUIRE(!clr_of_info(self)->is_stopped);
    clr_of_info(self)->is_stopped = true;
    clr_of_info(self)->stops++;
    return S_OK;
}

static HRESULT ResumeRuntime(struct profiler_info *self)
{
    REQUIRE(clr_of_info(self)->is_stopped);
    clr_of_info(self)->is_stopped = false;
    return S_OK;
}

static uint32_t ThreadEnumRelease(struct thread_enum *self)
{
    (void)self;
    return 0;
}

static struct fake_clr *clr_of_threads(struct thread_enum *self)
{
    return (struct fake_clr *)(void *)((char *)(void *)self -
                                       offsetof(struct fake_clr, thread_enum));
}

static HRESULT ThreadEnumNext(struct thread_enum *self, uint32_t celt, ThreadID *ids,
                              uint32_t *pceltFetched)
{
    struct fake_clr *clr = clr_of_threads(self);
    *pceltFetched = 0;
    while (!clr->no_threads && *pceltFetched < celt && clr->threads_given < FAKE_THREADS)
        ids[(*pceltFetched)++] = ++clr->threads_given;
    return *pceltFetched == celt ? S_OK : S_FALSE;
}

static const struct thread_enum_vtbl thread_enum_vtbl = {.Release = ThreadEnumRelease,
                                                         .Next = ThreadEnumNext};

static HRESULT EnumThreads(struct profiler_info *self, struct thread_enum **ppEnum)
{
    struct fake_clr *clr = clr_of_info(self);
    clr->thread_enum.vtbl = &thread_enum_vtbl;
    clr->threads_given = 0;
    *ppEnum = &clr->thread_enum;
    return S_OK;
}

static HRESULT GetThreadInfo(struct profiler_info *self, ThreadID threadId,
                             uint32_t *pdwWin32ThreadId)
{
    (void)self;
    *pdwWin32ThreadId = 1000 + (uint32_t)threadId;
    return S_OK;
}

/* The code of every method: a call of a register ends at 4. */
static const uint8_t fake_code[16] = {0x90, 0x90, 0xFF, 0xD0, 0x90, 0x90, 0x90, 0x90};

static uintptr_t code_at(uint32_t offset)
{
    return (uintptr_t)fake_code + offset;
}

static HRESULT show_deep(FunctionID first, StackSnapshotCallback *callback, void *clientData)
{
    for (int i = 0; i < 5000; i++)
        REQUIRE(callback(first | 2, code_at(8), 0, 0, NULL, clientData) == S_OK);
    for (int i = 0; i < 6000; i++)
        REQUIRE(callback(first | (i % 2 == 0 ? 3 : 2), code_at(8), 0, 0, NULL, clientData) == S_OK);
    return callback(first | 1, code_at(8), 0, 0, NULL, clientData);
}

/* Thread 1 runs method 2 of the first module, called by native code, called by method 3, each at 8;
 * thread 2 is in a call of method 2 that is not managed; the third runs nothing that is. */
static HRESULT DoStackSnapshot(struct profiler_info *self, ThreadID thread,
                               StackSnapshotCallback *callback, uint32_t infoFlags,
                               void *clientData, uint8_t *context, uint32_t contextSize)
{
    struct fake_clr *clr = clr_of_info(self);
    REQUIRE((clr->is_stopped || thread == 0) && infoFlags == COR_PRF_SNAPSHOT_DEFAULT &&
            context == NULL && contextSize == 0);
    if ((clr->event_mask & COR_PRF_ENABLE_STACK_SNAPSHOT) == 0 || clr->leaves_guests_out)
        return CORPROF_E_INCONSISTENT_WITH_FLAGS;
    FunctionID first = clr->modules[0].id << FUNCTION_ROW_BITS;
    if (thread == 1 && clr->is_deep)
        return show_deep(first, callback, clientData);
    if (thread == 2)
        return callback(first | 2, code_at(4), 0, 0, NULL, clientData);
    if (thread != 1)
        return E_FAIL;
    (void)callback(first | 2, code_at(8), 0, 0, NULL, clientData);
    (void)callback(0, 0, 0, 0, NULL, clientData);
    (void)callback(0, 0, 0, 0, NULL, clientData);
    (void)callback(first | 3, code_at(8), 0, 0, NULL, clientData);
    return S_OK;
}

static HRESULT GetFunctionFromIP2(struct profiler_info *self, const uint8_t *ip,
                                  FunctionID *pFunctionId, ReJITID *pReJitId)
{
    (void)self;
    (void)ip;
    *pFunctionId = 0;
    *pReJitId = 0;
    return S_OK;
}

static HRESULT GetNativeCodeStartAddresses(struct profiler_info *self, FunctionID functionID,
                                           ReJITID reJitId, uint32_t cCodeStartAddresses,
                                           uint32_t *pcCodeStartAddresses,
                                           uintptr_t *codeStartAddresses)
{
    (void)self;
    (void)functionID;
    (void)reJitId;
    REQUIRE(cCodeStartAddresses >= 2);
    *pcCodeStartAddresses = 2;
    codeStartAddresses[0] = code_at(0x1000); /* of another tier */
    codeStartAddresses[1] = code_at(0);
    return S_OK;
}

static HRESULT GetCodeInfo4(struct profiler_info *self, uintptr_t pNativeCodeStartAddress,
                            uint32_t cCodeInfos, uint32_t *pcCodeInfos,
                            COR_PRF_CODE_INFO *codeInfos)
{
    (void)self;
    REQUIRE(cCodeInfos >= 1);
    *pcCodeInfos = 1;
    codeInfos[0] = (COR_PRF_CODE_INFO){pNativeCodeStartAddress, 0x10};
    return S_OK;
}

static HRESULT GetILToNativeMapping3(struct profiler_info *self, uintptr_t pNativeCodeStartAddress,
                                     uint32_t cMap, uint32_t *pcMap,
                                     COR_DEBUG_IL_TO_NATIVE_MAP *map)
{
    static const COR_DEBUG_IL_TO_NATIVE_MAP rows[] = {
        {(uint32_t)-2, 0, 2}, {0, 2, 4}, {7, 4, 8}, {9, 8, 12}, {(uint32_t)-3, 12, 16}};
    (void)self;
    REQUIRE(pNativeCodeStartAddress == code_at(0) && cMap >= ARRAY_LEN(rows));
    *pcMap = ARRAY_LEN(rows);
    memcpy(map, rows, sizeof rows);
    return S_OK;
}

static HRESULT IsFunctionDynamic(struct profiler_info *self, FunctionID functionId, BOOL *isDynamic)
{
    (void)self;
    (void)functionId;
    *isDynamic = 0;
    return S_OK;
}

static const struct profiler_info_vtbl info_vtbl = {
    .QueryInterface = InfoQueryInterface,
    .AddRef = InfoAddRef,
    .Release = InfoRelease,
    .GetClassFromToken = GetClassFromToken,
    .GetCodeInfo = GetCodeInfo,
    .GetFunctionFromToken = GetFunctionFromToken,
    .GetFunctionInfo = GetFunctionInfo,
    .GetFunctionInfo2 = GetFunctionInfo2,
    .GetClassIDInfo2 = GetClassIDInfo2,
    .GetClassLayout = GetClassLayout,
    .GetModuleInfo2 = GetModuleInfo2,
    .GetInMemorySymbolsLength = GetInMemorySymbolsLength,
    .ReadInMemorySymbols = ReadInMemorySymbols,
    .GetModuleMetaData = GetModuleMetaData,
    .GetILFunctionBody = GetILFunctionBody,
    .SetILFunctionBody = SetILFunctionBody,
    .SetILInstrumentedCodeMap = SetILInstrumentedCodeMap,
    .GetRuntimeInformation = GetRuntimeInformation,
    .SetEventMask2 = SetEventMask2,
    .EnumModules = EnumModules,
    .RequestReJITWithInliners = RequestReJITWithInliners,
    .RequestRevert = RequestRevert,
    .RequestProfilerDetach = RequestProfilerDetach,
    .SuspendRuntime = SuspendRuntime,
    .ResumeRuntime = ResumeRuntime,
    .EnumThreads = EnumThreads,
    .GetThreadInfo = GetThreadInfo,
    .DoStackSnapshot = DoStackSnapshot,
    .GetFunctionFromIP2 = GetFunctionFromIP2,
    .GetNativeCodeStartAddresses = GetNativeCodeStartAddresses,
    .GetCodeInfo4 = GetCodeInfo4,
    .GetILToNativeMapping3 = GetILToNativeMapping3,
    .IsFunctionDynamic = IsFunctionDynamic,
};

/* --- IMetaDataEmit ---------------------------------------------------------------------------- */

static HRESULT EmitQueryInterface(struct metadata_emit *self, const GUID *riid, void **ppvObject)
{
    struct fake_clr *clr = clr_of_emit(self);
    *ppvObject = NULL;
    if (!guid_eq(riid, &IID_IMetaDataAssemblyEmit) || clr->no_assembly_emit)
        return E_NOINTERFACE;
    (void)EmitAddRef(self);
    *ppvObject = &clr->assembly_emit;
    return S_OK;
}

static uint32_t EmitAddRef(struct metadata_emit *self)
{
    struct fake_clr *clr = clr_of_emit(self);
    (void)pthread_mutex_lock(&clr->lock);
    int references = ++clr->emit_references;
    (void)pthread_mutex_unlock(&clr->lock);
    return (uint32_t)references;
}

static uint32_t EmitRelease(struct metadata_emit *self)
{
    struct fake_clr *clr = clr_of_emit(self);
    (void)pthread_mutex_lock(&clr->lock);
    int references = --clr->emit_references;
    (void)pthread_mutex_unlock(&clr->lock);
    return (uint32_t)references;
}

static struct fake_definition *add_definition(struct fake_clr *clr, mdToken token, mdToken parent,
                                              const WCHAR *name, struct view signature)
{
    REQUIRE(clr->definition_count < FAKE_DEFINITIONS_MAX &&
            signature.len <= sizeof clr->memory - clr->memory_used);
    struct fake_definition *added = &clr->definitions[clr->definition_count++];
    uint8_t *copy = clr->memory + clr->memory_used;
    size_t units = 0;
    while (name[units] != 0)
        units++;
    *added = (struct fake_definition){.token = token, .parent = parent};
    size_t len = utf16_to_utf8(added->name, sizeof added->name, (const uint16_t *)name, units);
    REQUIRE(len < sizeof added->name);
    added->name[len] = '\0';
    if (signature.len != 0)
        memcpy(copy, signature.data, signature.len);
    clr->memory_used += signature.len;
    added->signature = (struct view){copy, signature.len};
    return added;
}

static bool is_same(const struct fake_definition *a, const struct fake_definition *b)
{
    return TOKEN_TABLE(a->token) == TOKEN_TABLE(b->token) && a->parent == b->parent &&
           strcmp(a->name, b->name) == 0 && a->signature.len == b->signature.len &&
           (a->signature.len == 0 ||
            memcmp(a->signature.data, b->signature.data, a->signature.len) == 0);
}

/* Its token: the same one as before, if it was defined before. */
static mdToken define_locked(struct fake_clr *clr, mdToken first, mdToken parent, const WCHAR *name,
                             struct view signature)
{
    size_t used = clr->memory_used;
    uint32_t rows = 0;
    struct fake_definition *added = add_definition(clr, first, parent, name, signature);
    for (const struct fake_definition *d = clr->definitions; d != added; d++) {
        if (is_same(d, added)) {
            clr->definition_count--;
            clr->memory_used = used;
            return d->token;
        }
        rows += TOKEN_TABLE(d->token) == TOKEN_TABLE(first);
    }
    added->token = first + rows;
    return added->token;
}

static mdToken define(struct fake_clr *clr, mdToken first, mdToken parent, const WCHAR *name,
                      struct view signature)
{
    (void)pthread_mutex_lock(&clr->lock);
    mdToken token = define_locked(clr, first, parent, name, signature);
    (void)pthread_mutex_unlock(&clr->lock);
    return token;
}

static HRESULT DefineTypeRefByName(struct metadata_emit *self, mdToken tkResolutionScope,
                                   const WCHAR *szName, mdTypeRef *ptr)
{
    struct fake_clr *clr = clr_of_emit(self);
    if (tkResolutionScope == 0) /* after another definition was refused */
        return E_INVALIDARG;
    REQUIRE(TOKEN_TABLE(tkResolutionScope) == TABLE_AssemblyRef && szName[0] == u'S');
    clr->type_scope = tkResolutionScope;
    *ptr = define(clr, FIRST_TYPE_REF, tkResolutionScope, szName, (struct view){NULL, 0});
    return S_OK;
}

static HRESULT DefineMemberRef(struct metadata_emit *self, mdToken tkImport, const WCHAR *szName,
                               const uint8_t *pvSigBlob, uint32_t cbSigBlob, mdMemberRef *pmr)
{
    struct fake_clr *clr = clr_of_emit(self);
    if (clr->no_members || tkImport == 0)
        return E_FAIL;
    REQUIRE(fake_clr_definition(clr, tkImport) != NULL);
    *pmr = define(clr, FIRST_MEMBER_REF, tkImport, szName, (struct view){pvSigBlob, cbSigBlob});
    return S_OK;
}

static HRESULT GetTokenFromTypeSpec(struct metadata_emit *self, const uint8_t *pvSig,
                                    uint32_t cbSig, mdTypeSpec *ptypespec)
{
    struct fake_clr *clr = clr_of_emit(self);
    if (clr->no_type_specs)
        return E_FAIL;
    *ptypespec = define(clr, FIRST_TYPE_SPEC, 0, u"", (struct view){pvSig, cbSig});
    return S_OK;
}

static HRESULT DefineUserString(struct metadata_emit *self, const WCHAR *szString,
                                uint32_t cchString, mdString *pstk)
{
    struct fake_clr *clr = clr_of_emit(self);
    if (clr->no_strings)
        return E_FAIL;
    WCHAR text[FAKE_NAME_MAX] = {0};
    REQUIRE(cchString < FAKE_NAME_MAX);
    memcpy(text, szString, cchString * sizeof *text);
    *pstk = define(clr, FIRST_STRING, 0, text, (struct view){NULL, 0});
    return S_OK;
}

static HRESULT GetTokenFromSig(struct metadata_emit *self, const uint8_t *pvSig, uint32_t cbSig,
                               mdSignature *pmsig)
{
    struct fake_clr *clr = clr_of_emit(self);
    HRESULT result = E_FAIL;
    (void)pthread_mutex_lock(&clr->lock);
    for (uint32_t i = 0; !clr->no_signatures && i <= clr->signature_count; i++) {
        if (i == clr->signature_count) {
            uint8_t *copy = clr->memory + clr->memory_used;
            REQUIRE(cbSig <= sizeof clr->memory - clr->memory_used &&
                    clr->signature_count < FAKE_SIGNATURES_MAX);
            memcpy(copy, pvSig, cbSig);
            clr->memory_used += cbSig;
            clr->signatures[clr->signature_count++] = (struct view){copy, cbSig};
        }
        if (clr->signatures[i].len == cbSig && memcmp(clr->signatures[i].data, pvSig, cbSig) == 0) {
            *pmsig = FIRST_SIGNATURE + i;
            result = S_OK;
            break;
        }
    }
    (void)pthread_mutex_unlock(&clr->lock);
    return result;
}

static const struct metadata_emit_vtbl emit_vtbl = {
    .QueryInterface = EmitQueryInterface,
    .AddRef = EmitAddRef,
    .Release = EmitRelease,
    .DefineTypeRefByName = DefineTypeRefByName,
    .DefineMemberRef = DefineMemberRef,
    .GetTokenFromSig = GetTokenFromSig,
    .GetTokenFromTypeSpec = GetTokenFromTypeSpec,
    .DefineUserString = DefineUserString,
};

static struct fake_clr *clr_of_assembly_emit(struct metadata_assembly_emit *self)
{
    return (struct fake_clr *)(void *)((char *)(void *)self -
                                       offsetof(struct fake_clr, assembly_emit));
}

static uint32_t AssemblyEmitRelease(struct metadata_assembly_emit *self)
{
    return EmitRelease(&clr_of_assembly_emit(self)->emit);
}

static HRESULT DefineAssemblyRef(struct metadata_assembly_emit *self,
                                 const void *pbPublicKeyOrToken, uint32_t cbPublicKeyOrToken,
                                 const WCHAR *szName, const struct assembly_metadata *pMetaData,
                                 const void *pbHashValue, uint32_t cbHashValue,
                                 uint32_t dwAssemblyRefFlags, mdToken *pmdar)
{
    REQUIRE(pbPublicKeyOrToken != NULL && cbPublicKeyOrToken == 8 && szName[0] == u'S');
    REQUIRE(pMetaData != NULL && pbHashValue == NULL && cbHashValue == 0);
    REQUIRE(dwAssemblyRefFlags == 0); /* a token and no whole key */
    clr_of_assembly_emit(self)->assemblies_defined++;
    *pmdar = FIRST_ASSEMBLY_REF;
    return S_OK;
}

static const struct metadata_assembly_emit_vtbl assembly_emit_vtbl = {
    .Release = AssemblyEmitRelease,
    .DefineAssemblyRef = DefineAssemblyRef,
};

/* --- IMetaDataImport -------------------------------------------------------------------------- */

static struct fake_clr *clr_of_import(struct metadata_import *self)
{
    return (struct fake_clr *)(void *)((char *)(void *)self - offsetof(struct fake_clr, import));
}

static uint32_t ImportRelease(struct metadata_import *self)
{
    return (uint32_t)--clr_of_import(self)->import_references;
}

static HRESULT GetMethodProps(struct metadata_import *self, mdMethodDef mb, mdTypeDef *pClass,
                              WCHAR *szMethod, uint32_t cchMethod, uint32_t *pchMethod,
                              uint32_t *pdwAttr, const uint8_t **ppvSigBlob, uint32_t *pcbSigBlob,
                              uint32_t *pulCodeRVA, uint32_t *pdwImplFlags)
{
    struct fake_clr *clr = clr_of_import(self);
    const struct fake_module *module = find_module(clr, clr->import_module);
    const struct tables *tables = &module->meta.md.tables;
    uint32_t rid = TOKEN_RID(mb);
    REQUIRE(pClass == NULL && szMethod == NULL && cchMethod == 0 && pchMethod == NULL &&
            pdwAttr == NULL && ppvSigBlob == NULL && pcbSigBlob == NULL);
    if (rid > module->method_count + module->added_rows)
        return E_FAIL;
    if (pulCodeRVA != NULL)
        *pulCodeRVA =
            tables_get(tables, COL_MethodDef_RVA, rid) + (rid == module->moved_row ? 1 : 0);
    if (pdwImplFlags != NULL)
        *pdwImplFlags = tables_get(tables, COL_MethodDef_ImplFlags, rid);
    return S_OK;
}

static const struct metadata_import_vtbl import_vtbl = {
    .Release = ImportRelease,
    .GetMethodProps = GetMethodProps,
};

/* --- the runtime ------------------------------------------------------------------------------ */

void fake_clr_open(struct fake_clr *clr)
{
    memset(clr, 0, sizeof *clr);
    clr->runtime_major = 10;
    clr->info.vtbl = &info_vtbl;
    clr->emit.vtbl = &emit_vtbl;
    clr->assembly_emit.vtbl = &assembly_emit_vtbl;
    clr->import.vtbl = &import_vtbl;
    (void)pthread_mutex_init(&clr->lock, NULL);
    arena_init(&clr->arena, NULL, 0, ARENA_NO_LIMIT);
}

void fake_clr_close(struct fake_clr *clr)
{
    for (uint32_t i = 0; i < clr->module_count; i++)
        for (uint32_t n = 0; n < clr->modules[i].method_count; n++)
            free(clr->modules[i].methods[n].map);
    arena_free(&clr->arena);
    (void)pthread_mutex_destroy(&clr->lock);
}

/* As the runtime: the body ends where its header says, or at the section's end when that is odd. */
static void read_original(struct fake_module *module, uint32_t rid, struct arena *arena)
{
    struct method_def def;
    struct il_body body;
    if (!module_method(&def, &module->meta, rid) || def.body.len == 0)
        return;
    struct view *original = &module->methods[rid - 1].original;
    *original = def.body;
    if (body_parse(&body, def.body, arena) == VERDICT_OK)
        *original = body.whole;
}

/* Like addresses: never odd, and no two modules have the same. */
static ModuleID next_id(struct fake_clr *clr)
{
    (void)pthread_mutex_lock(&clr->lock);
    ModuleID id = 0x1000 + 16 * ++clr->loads;
    (void)pthread_mutex_unlock(&clr->lock);
    return id;
}

struct fake_module *fake_clr_add(struct fake_clr *clr, const char *path, struct view image,
                                 bool mapped)
{
    struct err err;
    REQUIRE(clr->module_count < FAKE_MODULES_MAX);
    struct fake_module *module = &clr->modules[clr->module_count++];
    *module = (struct fake_module){.id = next_id(clr), .mapped = mapped};
    (void)snprintf(module->path, sizeof module->path, "%s", path);
    uint8_t *copy = arena_raw(&clr->arena, image.len, 1, NULL);
    REQUIRE(copy != NULL);
    memcpy(copy, image.data, image.len);
    module->image = (struct view){copy, image.len};
    if (!module_open_image(&module->meta, module->image, mapped, &err)) {
        fprintf(stderr, "%s: %s\n", path, err.text);
        abort();
    }
    module->method_count = tables_rows(&module->meta.md.tables, TABLE_MethodDef);
    module->methods = ARENA_NEW(&clr->arena, struct fake_method, module->method_count, NULL);
    REQUIRE(module->methods != NULL);
    for (uint32_t rid = 1; rid <= module->method_count; rid++)
        read_original(module, rid, &clr->arena);
    return module;
}

HRESULT fake_clr_start(struct fake_clr *clr)
{
    struct unknown *unknown = (struct unknown *)(void *)&clr->info;
    return g_callback.vtbl->Initialize(&g_callback, unknown);
}

uint32_t fake_clr_client_data(uint8_t *out, const char *session)
{
    uint32_t path_len = (uint32_t)strlen(session), len = CLIENT_DATA_HEADER_LEN + path_len;
    memcpy(out, CLIENT_DATA_MAGIC, CLIENT_DATA_AT_VERSION);
    store_u32(out + CLIENT_DATA_AT_VERSION, PROTOCOL_VERSION);
    store_u32(out + CLIENT_DATA_AT_LEN, len);
    store_u32(out + CLIENT_DATA_AT_PATH_LEN, path_len);
    memcpy(out + CLIENT_DATA_HEADER_LEN, session, path_len);
    return len;
}

HRESULT fake_clr_attach(struct fake_clr *clr, void *data, uint32_t len)
{
    struct unknown *unknown = (struct unknown *)(void *)&clr->info;
    return g_callback.vtbl->InitializeForAttach(&g_callback, unknown, data, len);
}

void fake_clr_complete_attach(void)
{
    REQUIRE(g_callback.vtbl->ProfilerAttachComplete(&g_callback) == S_OK);
}

struct fake_control {
    struct function_control control;
    struct fake_method *method;
};

static HRESULT ControlSetBody(struct function_control *self, uint32_t cbNewILMethodHeader,
                              const uint8_t *pbNewILMethodHeader)
{
    struct fake_method *method = ((struct fake_control *)(void *)self)->method;
    REQUIRE(cbNewILMethodHeader != 0);
    require_body(method->original.len != 0, pbNewILMethodHeader);
    method->bodies_given++;
    return S_OK;
}

static HRESULT ControlSetMap(struct function_control *self, uint32_t cILMapEntries,
                             COR_IL_MAP *rgILMapEntries)
{
    struct fake_method *method = ((struct fake_control *)(void *)self)->method;
    REQUIRE(cILMapEntries != 0 && rgILMapEntries[0].oldOffset == 0);
    method->maps_given++;
    return S_OK;
}

void fake_clr_rejit(struct fake_module *module, uint32_t rid)
{
    static const struct function_control_vtbl control_vtbl = {
        .SetILFunctionBody = ControlSetBody, .SetILInstrumentedCodeMap = ControlSetMap};
    struct fake_control control = {{&control_vtbl}, &module->methods[rid - 1]};
    REQUIRE(g_callback.vtbl->GetReJITParameters(
                &g_callback, module->id, TOKEN(TABLE_MethodDef, rid), &control.control) == S_OK);
}

void fake_clr_load(struct fake_module *module)
{
    REQUIRE(g_callback.vtbl->ModuleLoadFinished(&g_callback, module->id, S_OK) == S_OK);
}

void fake_clr_give_symbols(struct fake_module *module, struct view symbols)
{
    module->symbols = symbols;
    REQUIRE(g_callback.vtbl->ModuleInMemorySymbolsUpdated(&g_callback, module->id) == S_OK);
}

ModuleID fake_clr_begin_unload(struct fake_module *module)
{
    ModuleID id = module->id;
    REQUIRE(g_callback.vtbl->ModuleUnloadStarted(&g_callback, id) == S_OK);
    module->id = 0;
    memset((void *)(uintptr_t)module->image.data, 0xDD, module->image.len);
    return id;
}

void fake_clr_unload(struct fake_module *module)
{
    ModuleID id = fake_clr_begin_unload(module);
    REQUIRE(g_callback.vtbl->ModuleUnloadFinished(&g_callback, id, S_OK) == S_OK);
}

void fake_clr_reload(struct fake_clr *clr, struct fake_module *module, struct view image)
{
    REQUIRE(module->id == 0 && image.len == module->image.len);
    memcpy((void *)(uintptr_t)module->image.data, image.data, image.len);
    for (uint32_t n = 0; n < module->method_count; n++) {
        struct fake_method *method = &module->methods[n];
        free(method->map);
        *method = (struct fake_method){.original = method->original};
    }
    module->id = next_id(clr);
    fake_clr_load(module);
}

static FunctionID function_of(const struct fake_module *module, uint32_t rid)
{
    return module->id << FUNCTION_ROW_BITS | rid;
}

void fake_clr_compile(struct fake_module *module, uint32_t rid)
{
    REQUIRE(g_callback.vtbl->JITCompilationStarted(&g_callback, function_of(module, rid), 1) ==
            S_OK);
}

bool fake_clr_may_use_precompiled(struct fake_module *module, uint32_t rid)
{
    BOOL use = 1;
    REQUIRE(g_callback.vtbl->JITCachedFunctionSearchStarted(&g_callback, function_of(module, rid),
                                                            &use) == S_OK);
    return use != 0;
}

static bool may_inline(FunctionID caller, FunctionID function)
{
    BOOL may = 2;
    REQUIRE(g_callback.vtbl->JITInlining(&g_callback, caller, function, &may) == S_OK);
    REQUIRE(may == 0 || may == 1);
    return may != 0;
}

bool fake_clr_may_inline(struct fake_module *module, uint32_t rid)
{
    return may_inline(0, function_of(module, rid));
}

bool fake_clr_may_inline_into(struct fake_module *caller_module, uint32_t caller,
                              struct fake_module *module, uint32_t rid)
{
    return may_inline(function_of(caller_module, caller), function_of(module, rid));
}

struct view fake_clr_signature(const struct fake_clr *clr, uint32_t token)
{
    uint32_t i = token - FIRST_SIGNATURE;
    return i < clr->signature_count ? clr->signatures[i] : (struct view){NULL, 0};
}

const struct fake_definition *fake_clr_definition(const struct fake_clr *clr, mdToken token)
{
    for (uint32_t i = 0; i < clr->definition_count; i++)
        if (clr->definitions[i].token == token)
            return &clr->definitions[i];
    return NULL;
}

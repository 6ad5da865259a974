/* cor.h - the part of the CLR's profiling and metadata COM ABI that libilcov.so uses, in C.
 * Source: dotnet/runtime, src/coreclr: inc/corprof.idl (interfaces, flags), inc/cor.h (IMetaData*),
 *         inc/corerror.xml (HRESULTs), pal/inc/rt/unknwn.h (IUnknown, IClassFactory).
 *         Interfaces up to ICorProfilerCallback11 and ICorProfilerInfo15 exist in .NET 10.
 * ABI:    64-bit Unix: no stdcall, WCHAR is UTF-16; BOOL, HRESULT, ULONG and DWORD have 32 bits.
 * Names:  COM's for types, methods and parameters, ilcov's for struct tags; `self` is the object.
 * Slots:  one that the library calls has its type, and an assert of its position; others are
 *         pointers, those beside each other an array. */
#pragma once

#include <uchar.h>

#include "base/base.h"

typedef int32_t HRESULT;
typedef int32_t BOOL;
typedef char16_t WCHAR;

typedef struct GUID {
    uint32_t Data1;
    uint16_t Data2, Data3;
    uint8_t Data4[8];
} GUID;
_Static_assert(sizeof(GUID) == 16, "a GUID has no padding");

/* Handles of the runtime: opaque, valid until the matching unload callback returns. */
typedef uintptr_t AppDomainID, AssemblyID, ModuleID, ClassID, FunctionID, ThreadID;
typedef uintptr_t ReJITID, COR_PRF_FRAME_INFO;

/* Metadata tokens: the table in the top byte, the row in the lower three (ECMA-335 II.22). */
typedef uint32_t mdToken, mdTypeDef, mdTypeRef, mdMethodDef, mdFieldDef, mdSignature, mdMemberRef,
    mdTypeSpec, mdString;

typedef int32_t COR_PRF_RUNTIME_TYPE;

/* --- HRESULT ---------------------------------------------------------------------------------- */

#define SUCCEEDED(hr) ((hr) >= 0)
#define FAILED(hr)    ((hr) < 0)

#define S_OK                      ((HRESULT)0)
#define S_FALSE                   ((HRESULT)1)
#define E_NOTIMPL                 ((HRESULT)0x80004001u)
#define E_NOINTERFACE             ((HRESULT)0x80004002u)
#define E_FAIL                    ((HRESULT)0x80004005u)
#define E_OUTOFMEMORY             ((HRESULT)0x8007000eu)
#define E_INVALIDARG              ((HRESULT)0x80070057u)
#define CLASS_E_NOAGGREGATION     ((HRESULT)0x80040110u)
#define CLASS_E_CLASSNOTAVAILABLE ((HRESULT)0x80040111u)

#define CORPROF_E_FUNCTION_NOT_COMPILED                ((HRESULT)0x80131350u)
#define CORPROF_E_DATAINCOMPLETE                       ((HRESULT)0x80131351u)
#define CORPROF_E_FUNCTION_NOT_IL                      ((HRESULT)0x80131354u)
#define CORPROF_E_NOT_YET_AVAILABLE                    ((HRESULT)0x8013135bu)
#define CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD     ((HRESULT)0x8013135eu)
#define CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX          ((HRESULT)0x8013135fu)
#define CORPROF_E_STACKSNAPSHOT_UNSAFE                 ((HRESULT)0x80131360u)
#define CORPROF_E_STACKSNAPSHOT_ABORTED                ((HRESULT)0x80131361u)
#define CORPROF_E_UNSUPPORTED_CALL_SEQUENCE            ((HRESULT)0x80131363u)
#define CORPROF_E_ASYNCHRONOUS_UNSAFE                  ((HRESULT)0x80131364u)
#define CORPROF_E_PROFILER_DETACHING                   ((HRESULT)0x80131367u)
#define CORPROF_E_PROFILER_NOT_ATTACHABLE              ((HRESULT)0x80131368u)
#define CORPROF_E_PROFILER_ALREADY_ACTIVE              ((HRESULT)0x8013136au)
#define CORPROF_E_PROFILEE_INCOMPATIBLE_WITH_TRIGGER   ((HRESULT)0x8013136bu)
#define CORPROF_E_CALLBACK3_REQUIRED                   ((HRESULT)0x8013136eu)
#define CORPROF_E_UNSUPPORTED_FOR_ATTACHING_PROFILER   ((HRESULT)0x8013136fu)
#define CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT ((HRESULT)0x80131370u)
#define CORPROF_E_RUNTIME_UNINITIALIZED                ((HRESULT)0x80131371u)
#define CORPROF_E_IMMUTABLE_FLAGS_SET                  ((HRESULT)0x80131372u)
#define CORPROF_E_PROFILER_NOT_YET_INITIALIZED         ((HRESULT)0x80131373u)
#define CORPROF_E_INCONSISTENT_WITH_FLAGS              ((HRESULT)0x80131374u)
#define CORPROF_E_PROFILER_CANCEL_ACTIVATION           ((HRESULT)0x80131375u)
#define CORPROF_E_CONCURRENT_GC_NOT_PROFILABLE         ((HRESULT)0x80131376u)
#define CORPROF_E_TIMEOUT_WAITING_FOR_CONCURRENT_GC    ((HRESULT)0x80131379u)
#define CORPROF_E_MODULE_IS_DYNAMIC                    ((HRESULT)0x8013137au)
#define CORPROF_E_REJIT_NOT_ENABLED                    ((HRESULT)0x8013137cu)
#define CORPROF_E_FUNCTION_IS_COLLECTIBLE              ((HRESULT)0x8013137eu)
#define CORPROF_E_SUSPENSION_IN_PROGRESS               ((HRESULT)0x80131388u)
#define CORPROF_E_MODULE_IS_ENC                        ((HRESULT)0x8013138au)

/* --- flags ------------------------------------------------------------------------------------ */

/* SetEventMask, low word (COR_PRF_MONITOR) */
#define COR_PRF_MONITOR_FUNCTION_UNLOADS 0x00000001u
#define COR_PRF_MONITOR_CLASS_LOADS      0x00000002u
#define COR_PRF_MONITOR_MODULE_LOADS     0x00000004u
#define COR_PRF_MONITOR_ASSEMBLY_LOADS   0x00000008u
#define COR_PRF_MONITOR_APPDOMAIN_LOADS  0x00000010u
#define COR_PRF_MONITOR_JIT_COMPILATION  0x00000020u
#define COR_PRF_MONITOR_EXCEPTIONS       0x00000040u
#define COR_PRF_MONITOR_GC               0x00000080u
#define COR_PRF_MONITOR_OBJECT_ALLOCATED 0x00000100u
#define COR_PRF_MONITOR_THREADS          0x00000200u
#define COR_PRF_MONITOR_CODE_TRANSITIONS 0x00000800u
#define COR_PRF_MONITOR_ENTERLEAVE       0x00001000u
#define COR_PRF_MONITOR_SUSPENDS         0x00010000u
#define COR_PRF_MONITOR_CACHE_SEARCHES   0x00020000u
#define COR_PRF_ENABLE_REJIT             0x00040000u
#define COR_PRF_DISABLE_INLINING         0x00200000u
#define COR_PRF_DISABLE_OPTIMIZATIONS    0x00400000u
#define COR_PRF_ENABLE_OBJECT_ALLOCATED  0x00800000u
#define COR_PRF_MONITOR_CLR_EXCEPTIONS   0x01000000u
#define COR_PRF_ENABLE_FUNCTION_ARGS     0x02000000u
#define COR_PRF_ENABLE_FUNCTION_RETVAL   0x04000000u
#define COR_PRF_ENABLE_FRAME_INFO        0x08000000u
#define COR_PRF_ENABLE_STACK_SNAPSHOT    0x10000000u
#define COR_PRF_USE_PROFILE_IMAGES       0x20000000u
#define COR_PRF_DISABLE_ALL_NGEN_IMAGES  0x80000000u

/* SetEventMask2, high word (COR_PRF_HIGH_MONITOR) */
#define COR_PRF_HIGH_ADD_ASSEMBLY_REFERENCES          0x00000001u
#define COR_PRF_HIGH_IN_MEMORY_SYMBOLS_UPDATED        0x00000002u
#define COR_PRF_HIGH_MONITOR_DYNAMIC_FUNCTION_UNLOADS 0x00000004u
#define COR_PRF_HIGH_DISABLE_TIERED_COMPILATION       0x00000008u
#define COR_PRF_HIGH_BASIC_GC                         0x00000010u
#define COR_PRF_HIGH_MONITOR_GC_MOVED_OBJECTS         0x00000020u
#define COR_PRF_HIGH_MONITOR_LARGEOBJECT_ALLOCATED    0x00000040u
#define COR_PRF_HIGH_MONITOR_EVENT_PIPE               0x00000080u
#define COR_PRF_HIGH_MONITOR_PINNEDOBJECT_ALLOCATED   0x00000100u

/* GetModuleInfo2, pdwModuleFlags (COR_PRF_MODULE_FLAGS) */
#define COR_PRF_MODULE_DYNAMIC     0x00000004u
#define COR_PRF_MODULE_COLLECTIBLE 0x00000008u
#define COR_PRF_MODULE_RESOURCE    0x00000010u
#define COR_PRF_MODULE_FLAT_LAYOUT 0x00000020u

/* GetModuleMetaData, dwOpenFlags (CorOpenFlags); a scope opened for writing is a copy */
#define ofRead  0x0u
#define ofWrite 0x1u

/* RequestReJITWithInliners (COR_PRF_REJIT_FLAGS): the first is mandatory */
#define COR_PRF_REJIT_BLOCK_INLINING     0x1u
#define COR_PRF_REJIT_INLINING_CALLBACKS 0x2u

/* DoStackSnapshot (COR_PRF_SNAPSHOT_INFO) */
#define COR_PRF_SNAPSHOT_DEFAULT 0x0u

/* GetRuntimeInformation (COR_PRF_RUNTIME_TYPE) */
#define COR_PRF_CORE_CLR 2

/* One row of SetILInstrumentedCodeMap: the instruction that was at oldOffset is now at newOffset.
 * Rows are sorted; an offset in between belongs to the last row at or before it. */
typedef struct COR_IL_MAP {
    uint32_t oldOffset, newOffset;
    BOOL fAccurate;
} COR_IL_MAP;
_Static_assert(sizeof(COR_IL_MAP) == 12, "COR_IL_MAP has no padding");

/* One row of GetILToNativeMapping3: the code from nativeStartOffset to nativeEndOffset, counted
 * from the method's first byte, implements the IL at ilOffset; a negative ilOffset marks a prolog
 * or epilog. */
typedef struct COR_DEBUG_IL_TO_NATIVE_MAP {
    uint32_t ilOffset, nativeStartOffset, nativeEndOffset;
} COR_DEBUG_IL_TO_NATIVE_MAP;
_Static_assert(sizeof(COR_DEBUG_IL_TO_NATIVE_MAP) == 12,
               "COR_DEBUG_IL_TO_NATIVE_MAP has no padding");

/* A contiguous range of a method's code. */
typedef struct COR_PRF_CODE_INFO {
    uintptr_t startAddress;
    size_t size;
} COR_PRF_CODE_INFO;

/* Called by DoStackSnapshot for each frame, innermost first; funcId is 0 for a run of
 * native frames. Any failure ends the walk. */
typedef HRESULT StackSnapshotCallback(FunctionID funcId, uintptr_t ip, COR_PRF_FRAME_INFO frameInfo,
                                      uint32_t contextSize, uint8_t *context, void *clientData);

/* The offset of a field in an object of the class, from the object's first word. */
typedef struct COR_FIELD_OFFSET {
    mdFieldDef ridOfField;
    uint32_t ulOffset;
} COR_FIELD_OFFSET;
_Static_assert(sizeof(COR_FIELD_OFFSET) == 8, "COR_FIELD_OFFSET has no padding");

/* --- interface identifiers -------------------------------------------------------------------- */

/* clang-format off */
static const GUID IID_IUnknown               = {0x00000000, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const GUID IID_IClassFactory          = {0x00000001, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const GUID IID_ICorProfilerInfo5      = {0x07602928, 0xce38, 0x4b83, {0x81, 0xe7, 0x74, 0xad, 0xaf, 0x78, 0x12, 0x14}};
static const GUID IID_ICorProfilerInfo10     = {0x2f1b5152, 0xc869, 0x40c9, {0xaa, 0x5f, 0x3a, 0xbe, 0x02, 0x6b, 0xd7, 0x20}};
static const GUID IID_IMetaDataImport        = {0x7dac8207, 0xd3ae, 0x4c75, {0x9b, 0x67, 0x92, 0x80, 0x1a, 0x49, 0x7d, 0x44}};
static const GUID IID_IMetaDataEmit          = {0xba3fee4c, 0xecb9, 0x4e41, {0x83, 0xb7, 0x18, 0x3f, 0xa4, 0x1c, 0xd8, 0x59}};
static const GUID IID_IMetaDataAssemblyEmit  = {0x211ef15b, 0x5317, 0x4438, {0xb1, 0x96, 0xde, 0xc8, 0x7b, 0x88, 0x76, 0x93}};
/* ICorProfilerCallback to ICorProfilerCallback11 */
static const GUID callback_ids[] = {
    {0x176fbed1, 0xa55c, 0x4796, {0x98, 0xca, 0xa9, 0xda, 0x0e, 0xf8, 0x83, 0xe7}},
    {0x8a8cc829, 0xccf2, 0x49fe, {0xbb, 0xae, 0x0f, 0x02, 0x22, 0x28, 0x07, 0x1a}},
    {0x4fd2ed52, 0x7731, 0x4b8d, {0x94, 0x69, 0x03, 0xd2, 0xcc, 0x30, 0x86, 0xc5}},
    {0x7b63b2e3, 0x107d, 0x4d48, {0xb2, 0xf6, 0xf6, 0x1e, 0x22, 0x94, 0x70, 0xd2}},
    {0x8dfba405, 0x8c9f, 0x45f8, {0xbf, 0xfa, 0x83, 0xb1, 0x4c, 0xef, 0x78, 0xb5}},
    {0xfc13df4b, 0x4448, 0x4f4f, {0x95, 0x0c, 0xba, 0x8d, 0x19, 0xd0, 0x0c, 0x36}},
    {0xf76a2dba, 0x1d52, 0x4539, {0x86, 0x6c, 0x2a, 0xa5, 0x18, 0xf9, 0xef, 0xc3}},
    {0x5bed9b15, 0xc079, 0x4d47, {0xbf, 0xe2, 0x21, 0x5a, 0x14, 0x0c, 0x07, 0xe0}},
    {0x27583ec3, 0xc8f5, 0x482f, {0x80, 0x52, 0x19, 0x4b, 0x8c, 0xe4, 0x70, 0x5a}},
    {0xcec5b60e, 0xc69c, 0x495f, {0x87, 0xf6, 0x84, 0xd2, 0x8e, 0xe1, 0x6f, 0xfb}},
    {0x42350846, 0xaaed, 0x47f7, {0xb1, 0x28, 0xfd, 0x0c, 0x98, 0x88, 0x1c, 0xde}},
};
/* clang-format on */

static inline bool guid_eq(const GUID *a, const GUID *b)
{
    return __builtin_memcmp(a, b, sizeof *a) == 0;
}

/* --- interfaces that the library calls or implements ------------------------------------------ */

struct function_control;
struct thread_enum;

#define SLOT(vtbl, number, name)                                                                   \
    _Static_assert(offsetof(struct vtbl, name) == (number) * sizeof(void *), "slot of " #name)

/* clang-format off */

/* IUnknown */
struct unknown {
    const struct unknown_vtbl *vtbl;
};

struct unknown_vtbl {
    HRESULT (*QueryInterface)(struct unknown *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct unknown *self);
    uint32_t (*Release)(struct unknown *self);
};

/* IClassFactory: implemented by entry.c */
struct class_factory {
    const struct class_factory_vtbl *vtbl;
};

struct class_factory_vtbl {
    HRESULT (*QueryInterface)(struct class_factory *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct class_factory *self);
    uint32_t (*Release)(struct class_factory *self);
    HRESULT (*CreateInstance)(struct class_factory *self, struct unknown *pUnkOuter,
        const GUID *riid, void **ppvObject);
    HRESULT (*LockServer)(struct class_factory *self, BOOL fLock);
};
SLOT(class_factory_vtbl, 3, CreateInstance);
SLOT(class_factory_vtbl, 4, LockServer);

/* ICorProfilerCallback to ICorProfilerCallback11: implemented by callback.c */
struct callback {
    const struct callback_vtbl *vtbl;
};

struct callback_vtbl {
    HRESULT (*QueryInterface)(struct callback *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct callback *self);
    uint32_t (*Release)(struct callback *self);
#define CALLBACK(slot, name, parameters) HRESULT(*name) parameters;
#include "profiler/cor_callback.def"
};
#define CALLBACK(slot, name, parameters) SLOT(callback_vtbl, slot, name);
#include "profiler/cor_callback.def"
_Static_assert(sizeof(struct callback_vtbl) == 98 * sizeof(void *), "slots of ICorProfilerCallback11");

/* ICorProfilerModuleEnum, ICorProfilerThreadEnum */
#define ENUMERATOR(name, item)                                                                     \
    struct name {                                                                                  \
        const struct name##_vtbl *vtbl;                                                            \
    };                                                                                             \
    struct name##_vtbl {                                                                           \
        HRESULT (*QueryInterface)(struct name *self, const GUID *riid, void **ppvObject);          \
        uint32_t (*AddRef)(struct name *self);                                                     \
        uint32_t (*Release)(struct name *self);                                                    \
        void *slots_3_to_5[3];                                                                     \
        HRESULT (*GetCount)(struct name *self, uint32_t *pcelt);                                   \
        HRESULT (*Next)(struct name *self, uint32_t celt, item *ids, uint32_t *pceltFetched);      \
    };                                                                                             \
    SLOT(name##_vtbl, 6, GetCount);                                                                \
    SLOT(name##_vtbl, 7, Next)

ENUMERATOR(module_enum, ModuleID);
ENUMERATOR(thread_enum, ThreadID);

/* ICorProfilerFunctionControl: what GetReJITParameters may set for a method */
struct function_control {
    const struct function_control_vtbl *vtbl;
};

struct function_control_vtbl {
    HRESULT (*QueryInterface)(struct function_control *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct function_control *self);
    uint32_t (*Release)(struct function_control *self);
    HRESULT (*SetCodegenFlags)(struct function_control *self, uint32_t flags);
    HRESULT (*SetILFunctionBody)(struct function_control *self, uint32_t cbNewILMethodHeader,
        const uint8_t *pbNewILMethodHeader); /* copied */
    HRESULT (*SetILInstrumentedCodeMap)(struct function_control *self, uint32_t cILMapEntries,
        COR_IL_MAP *rgILMapEntries); /* copied */
};
SLOT(function_control_vtbl, 4, SetILFunctionBody);
SLOT(function_control_vtbl, 5, SetILInstrumentedCodeMap);

/* IMethodMalloc: memory that lives as long as the module; the library never frees it */
struct method_malloc {
    const struct method_malloc_vtbl *vtbl;
};

struct method_malloc_vtbl {
    HRESULT (*QueryInterface)(struct method_malloc *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct method_malloc *self);
    uint32_t (*Release)(struct method_malloc *self);
    void *(*Alloc)(struct method_malloc *self, uint32_t cb);
};
SLOT(method_malloc_vtbl, 3, Alloc);

/* ICorProfilerInfo to ICorProfilerInfo12. The table of a lower version is shorter: request one that
 * has the slot. */
struct profiler_info {
    const struct profiler_info_vtbl *vtbl;
};

struct profiler_info_vtbl {
    HRESULT (*QueryInterface)(struct profiler_info *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct profiler_info *self);
    uint32_t (*Release)(struct profiler_info *self);
#define METHOD(slot, name, parameters) HRESULT(*name) parameters;
#define UNUSED(slot, count)            void *slots_from_##slot[count];
#include "profiler/cor_info.def"
};
#define METHOD(slot, name, parameters) SLOT(profiler_info_vtbl, slot, name);
#define UNUSED(slot, count)            SLOT(profiler_info_vtbl, slot, slots_from_##slot);
#include "profiler/cor_info.def"
_Static_assert(sizeof(struct profiler_info_vtbl) == 108 * sizeof(void *), "slots of ICorProfilerInfo12");

/* IMetaDataEmit */
struct metadata_emit {
    const struct metadata_emit_vtbl *vtbl;
};

struct metadata_emit_vtbl {
    HRESULT (*QueryInterface)(struct metadata_emit *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct metadata_emit *self);
    uint32_t (*Release)(struct metadata_emit *self);
    void *slots_3_to_11[9];
    HRESULT (*DefineTypeRefByName)(struct metadata_emit *self, mdToken tkResolutionScope,
        const WCHAR *szName, mdTypeRef *ptr);
    void *slot_13_DefineImportType;
    HRESULT (*DefineMemberRef)(struct metadata_emit *self, mdToken tkImport, const WCHAR *szName,
        const uint8_t *pvSigBlob, uint32_t cbSigBlob, mdMemberRef *pmr);
    void *slots_15_to_22[8];
    HRESULT (*GetTokenFromSig)(struct metadata_emit *self, const uint8_t *pvSig, uint32_t cbSig,
        mdSignature *pmsig);
    void *slots_24_to_25[2];
    HRESULT (*GetTokenFromTypeSpec)(struct metadata_emit *self, const uint8_t *pvSig,
        uint32_t cbSig, mdTypeSpec *ptypespec);
    void *slot_27_SaveToMemory;
    HRESULT (*DefineUserString)(struct metadata_emit *self, const WCHAR *szString,
        uint32_t cchString, mdString *pstk);
    void *slots_29_to_51[23];
};
SLOT(metadata_emit_vtbl, 12, DefineTypeRefByName);
SLOT(metadata_emit_vtbl, 14, DefineMemberRef);
SLOT(metadata_emit_vtbl, 23, GetTokenFromSig);
SLOT(metadata_emit_vtbl, 26, GetTokenFromTypeSpec);
SLOT(metadata_emit_vtbl, 28, DefineUserString);
_Static_assert(sizeof(struct metadata_emit_vtbl) == 52 * sizeof(void *), "slots of IMetaDataEmit");

/* IMetaDataAssemblyEmit */
struct assembly_metadata {
    uint16_t usMajorVersion, usMinorVersion, usBuildNumber, usRevisionNumber;
    WCHAR *szLocale;
    uint32_t cbLocale;
    uint32_t *rProcessor;
    uint32_t ulProcessor;
    void *rOS;
    uint32_t ulOS;
};

struct metadata_assembly_emit {
    const struct metadata_assembly_emit_vtbl *vtbl;
};

struct metadata_assembly_emit_vtbl {
    HRESULT (*QueryInterface)(struct metadata_assembly_emit *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct metadata_assembly_emit *self);
    uint32_t (*Release)(struct metadata_assembly_emit *self);
    void *slot_3_DefineAssembly;
    HRESULT (*DefineAssemblyRef)(struct metadata_assembly_emit *self, const void *pbPublicKeyOrToken,
        uint32_t cbPublicKeyOrToken, const WCHAR *szName, const struct assembly_metadata *pMetaData,
        const void *pbHashValue, uint32_t cbHashValue, uint32_t dwAssemblyRefFlags, mdToken *pmdar);
    void *slots_5_to_12[8];
};
SLOT(metadata_assembly_emit_vtbl, 4, DefineAssemblyRef);
_Static_assert(sizeof(struct metadata_assembly_emit_vtbl) == 13 * sizeof(void *),
               "slots of IMetaDataAssemblyEmit");

/* IMetaDataImport: of what has no probes, or has changed; other metadata the library reads. */
struct metadata_import {
    const struct metadata_import_vtbl *vtbl;
};

struct metadata_import_vtbl {
    HRESULT (*QueryInterface)(struct metadata_import *self, const GUID *riid, void **ppvObject);
    uint32_t (*AddRef)(struct metadata_import *self);
    uint32_t (*Release)(struct metadata_import *self);
    void *slots_3_to_29[27];
    HRESULT (*GetMethodProps)(struct metadata_import *self, mdMethodDef mb, mdTypeDef *pClass, WCHAR *szMethod, uint32_t cchMethod,
                              uint32_t *pchMethod, uint32_t *pdwAttr, const uint8_t **ppvSigBlob, uint32_t *pcbSigBlob,
                              uint32_t *pulCodeRVA, uint32_t *pdwImplFlags);
    void *slots_31_to_64[34];
};
SLOT(metadata_import_vtbl, 30, GetMethodProps);
_Static_assert(sizeof(struct metadata_import_vtbl) == 65 * sizeof(void *), "slots of IMetaDataImport");
/* clang-format on */

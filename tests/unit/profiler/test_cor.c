/* test_cor.c - the COM ABI in C has the bytes and the slots of corprof.idl.
 * The expected bytes and slot numbers were taken from the IDL apart from cor.h, by machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "profiler/cor.h"
#include "tests/unit/unit.h"

/* clang-format off */
static const struct {
    const char *name;
    const GUID *iid;
    const char *bytes; /* as they lie in memory */
} iids[] = {
    {"IUnknown", &IID_IUnknown, "0000000000000000c000000000000046"},
    {"IClassFactory", &IID_IClassFactory, "0100000000000000c000000000000046"},
    {"ICorProfilerCallback", &callback_ids[0], "d1be6f175ca5964798caa9da0ef883e7"},
    {"ICorProfilerCallback2", &callback_ids[1], "29c88c8af2ccfe49bbae0f022228071a"},
    {"ICorProfilerCallback3", &callback_ids[2], "52edd24f31778d4b946903d2cc3086c5"},
    {"ICorProfilerCallback4", &callback_ids[3], "e3b2637b7d10484db2f6f61e229470d2"},
    {"ICorProfilerCallback5", &callback_ids[4], "05a4fb8d9f8cf845bffa83b14cef78b5"},
    {"ICorProfilerCallback6", &callback_ids[5], "4bdf13fc48444f4f950cba8d19d00c36"},
    {"ICorProfilerCallback7", &callback_ids[6], "ba2d6af7521d3945866c2aa518f9efc3"},
    {"ICorProfilerCallback8", &callback_ids[7], "159bed5b79c0474dbfe2215a140c07e0"},
    {"ICorProfilerCallback9", &callback_ids[8], "c33e5827f5c82f488052194b8ce4705a"},
    {"ICorProfilerCallback10", &callback_ids[9], "0eb6c5ce9cc65f4987f684d28ee16ffb"},
    {"ICorProfilerCallback11", &callback_ids[ARRAY_LEN(callback_ids) - 1], "46083542edaaf747b128fd0c98881cde"},
    {"ICorProfilerInfo5", &IID_ICorProfilerInfo5, "2829600738ce834b81e774adaf781214"},
    {"ICorProfilerInfo10", &IID_ICorProfilerInfo10, "52511b2f69c8c940aa5f3abe026bd720"},
    {"IMetaDataImport", &IID_IMetaDataImport, "0782ac7daed3754c9b6792801a497d44"},
    {"IMetaDataEmit", &IID_IMetaDataEmit, "4cee3fbab9ec414e83b7183fa41cd859"},
    {"IMetaDataAssemblyEmit", &IID_IMetaDataAssemblyEmit, "5bf11e2117533844b196dec87b887693"},
};

#define CALLBACK_SLOT(name) {#name, offsetof(struct callback_vtbl, name)}
#define INFO_SLOT(name)     {#name, offsetof(struct profiler_info_vtbl, name)}
#define EMIT_SLOT(name)     {#name, offsetof(struct metadata_emit_vtbl, name)}

static const struct {
    struct {
        const char *name;
        size_t offset;
    } slot;
    size_t number;
} slots[] = {
    {CALLBACK_SLOT(QueryInterface), 0},
    {CALLBACK_SLOT(AddRef), 1},
    {CALLBACK_SLOT(Release), 2},
    {CALLBACK_SLOT(Initialize), 3},
    {CALLBACK_SLOT(Shutdown), 4},
    {CALLBACK_SLOT(ModuleLoadFinished), 14},
    {CALLBACK_SLOT(ModuleUnloadStarted), 15},
    {CALLBACK_SLOT(JITCompilationStarted), 23},
    {CALLBACK_SLOT(JITCachedFunctionSearchStarted), 25},
    {CALLBACK_SLOT(JITInlining), 28},
    {CALLBACK_SLOT(COMClassicVTableDestroyed), 69},
    {CALLBACK_SLOT(ExceptionCLRCatcherExecute), 71},
    {CALLBACK_SLOT(HandleDestroyed), 79},
    {CALLBACK_SLOT(ThreadDestroyed), 30},
    {CALLBACK_SLOT(InitializeForAttach), 80},
    {CALLBACK_SLOT(ProfilerAttachComplete), 81},
    {CALLBACK_SLOT(ProfilerDetachSucceeded), 82},
    {CALLBACK_SLOT(GetReJITParameters), 84},
    {CALLBACK_SLOT(ReJITError), 86},
    {CALLBACK_SLOT(ConditionalWeakTableElementReferences), 89},
    {CALLBACK_SLOT(GetAssemblyReferences), 90},
    {CALLBACK_SLOT(ModuleInMemorySymbolsUpdated), 91},
    {CALLBACK_SLOT(DynamicMethodUnloaded), 94},
    {CALLBACK_SLOT(EventPipeProviderCreated), 96},
    {CALLBACK_SLOT(LoadAsNotificationOnly), 97},
    {INFO_SLOT(GetCodeInfo), 5},
    {INFO_SLOT(GetThreadInfo), 12},
    {INFO_SLOT(DoStackSnapshot), 36},
    {INFO_SLOT(EnumThreads), 71},
    {INFO_SLOT(RequestRevert), 74},
    {INFO_SLOT(GetFunctionFromIP2), 76},
    {INFO_SLOT(IsFunctionDynamic), 87},
    {INFO_SLOT(GetDynamicFunctionInfo), 89},
    {INFO_SLOT(GetNativeCodeStartAddresses), 90},
    {INFO_SLOT(GetILToNativeMapping3), 91},
    {INFO_SLOT(GetCodeInfo4), 92},
    {INFO_SLOT(RequestReJITWithInliners), 96},
    {INFO_SLOT(SuspendRuntime), 97},
    {INFO_SLOT(ResumeRuntime), 98},
    {INFO_SLOT(GetEventMask), 6},
    {INFO_SLOT(GetFunctionInfo), 15},
    {INFO_SLOT(SetEventMask), 16},
    {INFO_SLOT(GetTokenAndMetaDataFromFunction), 19},
    {INFO_SLOT(GetModuleInfo), 20},
    {INFO_SLOT(GetModuleMetaData), 21},
    {INFO_SLOT(GetILFunctionBody), 22},
    {INFO_SLOT(GetILFunctionBodyAllocator), 23},
    {INFO_SLOT(SetILFunctionBody), 24},
    {INFO_SLOT(GetAssemblyInfo), 26},
    {INFO_SLOT(SetILInstrumentedCodeMap), 29},
    {INFO_SLOT(GetFunctionInfo2), 38},
    {INFO_SLOT(RequestProfilerDetach), 58},
    {INFO_SLOT(EnumModules), 66},
    {INFO_SLOT(GetRuntimeInformation), 67},
    {INFO_SLOT(GetModuleInfo2), 70},
    {INFO_SLOT(InitializeCurrentThread), 72},
    {INFO_SLOT(SetEventMask2), 82},
    {INFO_SLOT(GetInMemorySymbolsLength), 85},
    {INFO_SLOT(ReadInMemorySymbols), 86},
    {EMIT_SLOT(DefineTypeRefByName), 12},
    {EMIT_SLOT(DefineMemberRef), 14},
    {EMIT_SLOT(GetTokenFromSig), 23},
    {EMIT_SLOT(GetTokenFromTypeSpec), 26},
    {EMIT_SLOT(DefineUserString), 28},
};
/* clang-format on */

static void iids_have_the_bytes_of_the_idl(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(iids); i++) {
        const uint8_t *memory = (const uint8_t *)iids[i].iid;
        char text[2 * sizeof(GUID) + 1];
        for (size_t k = 0; k < sizeof(GUID); k++)
            snprintf(text + 2 * k, 3, "%02x", memory[k]);
        if (strcmp(text, iids[i].bytes) != 0)
            fail_msg("%s is %s, should be %s", iids[i].name, text, iids[i].bytes);
    }
}

static void iids_are_equal_only_to_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(iids); i++) {
        for (size_t k = 0; k < ARRAY_LEN(iids); k++)
            assert_int_equal(guid_eq(iids[i].iid, iids[k].iid), i == k);
    }
}

static void slots_are_those_of_the_idl(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(slots); i++) {
        if (slots[i].slot.offset != slots[i].number * sizeof(void *)) {
            fail_msg("%s is in slot %zu, should be in %zu", slots[i].slot.name,
                     slots[i].slot.offset / sizeof(void *), slots[i].number);
        }
    }
}

/* Every callback is declared once and no slot is left out. */
static void callback_slots_have_no_gap(void **state)
{
    (void)state;
    static const int numbers[] = {
#define CALLBACK(slot, name, parameters) slot,
#include "profiler/cor_callback.def"
    };
    assert_int_equal(ARRAY_LEN(numbers), 98 - 3);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        assert_int_equal(numbers[i], i + 3);
}

static void failures_are_negative(void **state)
{
    (void)state;
    assert_true(SUCCEEDED(S_OK));
    assert_true(SUCCEEDED(S_FALSE));
    assert_true(FAILED(E_FAIL));
    assert_true(FAILED(CLASS_E_CLASSNOTAVAILABLE));
    assert_true(FAILED(CORPROF_E_PROFILER_CANCEL_ACTIVATION));
    assert_int_equal((uint32_t)CORPROF_E_PROFILER_CANCEL_ACTIVATION, 0x80131375);
    assert_int_equal((uint32_t)E_OUTOFMEMORY, 0x8007000e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(iids_have_the_bytes_of_the_idl),
    cmocka_unit_test(iids_are_equal_only_to_themselves),
    cmocka_unit_test(slots_are_those_of_the_idl),
    cmocka_unit_test(callback_slots_have_no_gap),
    cmocka_unit_test(failures_are_negative),
};
UNIT_TESTS(tests);

/* profiler.c - a profiler that gives methods one more local variable, which nothing uses.
 *
 * It does so to each method with local variables of a module called Debugged.dll when that is
 * loaded: the module gets a signature that the file does not have, and the body's header names it;
 * the code stays as it is.
 * With UNUSED in the environment the module gets the signature, and no body names it.
 *
 *   cc -shared -fPIC -o libprofiler.so profiler.c
 *
 * Source: dotnet/runtime src/coreclr/inc: corprof.idl, cor.h; ECMA-335 II.23.2.6, II.25.4. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t HRESULT;

enum {
    S_OK = 0,
    E_NOINTERFACE = (HRESULT)0x80004002,
    COR_PRF_MONITOR_MODULE_LOADS = 4,
    OF_READ_WRITE = 1,
    FIRST_METHOD = 0x06000001,
    FORMAT_MASK = 3, /* of the first byte of a body */
    FAT_FORMAT = 3,
    LOCAL_SIG = 8, /* where a fat header has the token */
    MANY = 0x7f,   /* a count or a type of more takes more than a byte */
    ELEMENT_TYPE_I4 = 8,
    ROOM = 4096,
};

struct guid {
    uint32_t a;
    uint16_t b, c;
    uint8_t d[8];
};

/* clang-format off */
static const struct guid IID_IUnknown              = {0x00000000, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const struct guid IID_IClassFactory         = {0x00000001, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const struct guid IID_ICorProfilerCallback  = {0x176fbed1, 0xa55c, 0x4796, {0x98, 0xca, 0xa9, 0xda, 0x0e, 0xf8, 0x83, 0xe7}};
static const struct guid IID_ICorProfilerCallback2 = {0x8a8cc829, 0xccf2, 0x49fe, {0xbb, 0xae, 0x0f, 0x02, 0x22, 0x28, 0x07, 0x1a}};
static const struct guid IID_ICorProfilerInfo      = {0x28b5557d, 0x3f3f, 0x48b4, {0x90, 0xb2, 0x5f, 0x9e, 0xea, 0x2f, 0x6c, 0x48}};
static const struct guid IID_IMetaDataImport       = {0x7dac8207, 0xd3ae, 0x4c75, {0x9b, 0x67, 0x92, 0x80, 0x1a, 0x49, 0x7d, 0x44}};
static const struct guid IID_IMetaDataEmit         = {0xba3fee4c, 0xecb9, 0x4e41, {0x83, 0xb7, 0x18, 0x3f, 0xa4, 0x1c, 0xd8, 0x59}};
/* clang-format on */

/* The interfaces that we use, as far as we do. */
struct unknown {
    const struct {
        HRESULT (*QueryInterface)(struct unknown *self, const struct guid *iid, void *out);
        uint32_t (*AddRef)(struct unknown *self);
        uint32_t (*Release)(struct unknown *self);
    } * vtbl;
};

struct allocator { /* IMethodMalloc */
    const struct {
        void *slots_0_to_2[3];
        void *(*Alloc)(struct allocator *self, uint32_t size);
    } * vtbl;
};

struct import { /* IMetaDataImport */
    const struct {
        void *slots_0_to_40[41];
        HRESULT(*GetSigFromToken)
        (struct import *self, uint32_t token, const uint8_t **bytes, uint32_t *len);
    } * vtbl;
};

struct emit { /* IMetaDataEmit */
    const struct {
        void *slots_0_to_22[23];
        HRESULT(*GetTokenFromSig)
        (struct emit *self, const uint8_t *bytes, uint32_t len, uint32_t *token);
    } * vtbl;
};

struct info { /* ICorProfilerInfo */
    const struct {
        void *slots_0_to_15[16];
        HRESULT (*SetEventMask)(struct info *self, uint32_t mask);
        void *slots_17_to_19[3];
        HRESULT(*GetModuleInfo)
        (struct info *self, uintptr_t module, const void **base, uint32_t room, uint32_t *len,
         uint16_t *name, uintptr_t *assembly);
        HRESULT(*GetModuleMetaData)
        (struct info *self, uintptr_t module, uint32_t flags, const struct guid *iid, void *out);
        HRESULT(*GetILFunctionBody)
        (struct info *self, uintptr_t module, uint32_t method, const uint8_t **body,
         uint32_t *size);
        HRESULT (*GetILFunctionBodyAllocator)(struct info *self, uintptr_t module, void *out);
        HRESULT(*SetILFunctionBody)
        (struct info *self, uintptr_t module, uint32_t method, const uint8_t *body);
    } * vtbl;
};

static struct info *info;

static void let_go(void *object)
{
    struct unknown *unknown = object;
    if (unknown != NULL)
        unknown->vtbl->Release(unknown);
}

/* --- one more local --------------------------------------------------------------------------- */

/* The signature `old` with an int more, as a row that the file does not have; 0 if it can't be. */
static uint32_t grown_signature(uintptr_t module, uint32_t old)
{
    struct import *import = NULL;
    struct emit *emit = NULL;
    const uint8_t *bytes = NULL;
    uint8_t grown[ROOM];
    uint32_t len = 0, token = 0;
    (void)info->vtbl->GetModuleMetaData(info, module, OF_READ_WRITE, &IID_IMetaDataImport, &import);
    (void)info->vtbl->GetModuleMetaData(info, module, OF_READ_WRITE, &IID_IMetaDataEmit, &emit);
    if (import != NULL && emit != NULL &&
        import->vtbl->GetSigFromToken(import, old, &bytes, &len) == S_OK && len >= 2 &&
        len < ROOM && bytes[1] < MANY) {
        memcpy(grown, bytes, len);
        grown[1]++; /* the count of locals */
        grown[len++] = ELEMENT_TYPE_I4;
        if (emit->vtbl->GetTokenFromSig(emit, grown, len, &token) != S_OK)
            token = 0;
    }
    let_go(emit);
    let_go(import);
    return token;
}

static void set_body(uintptr_t module, uint32_t method, const uint8_t *body, uint32_t size,
                     uint32_t local_sig)
{
    struct allocator *allocator = NULL;
    if (info->vtbl->GetILFunctionBodyAllocator(info, module, &allocator) != S_OK)
        return;
    uint8_t *copy = allocator->vtbl->Alloc(allocator, size);
    if (copy != NULL) {
        memcpy(copy, body, size);
        memcpy(copy + LOCAL_SIG, &local_sig, sizeof local_sig);
        (void)info->vtbl->SetILFunctionBody(info, module, method, copy);
    }
    let_go(allocator);
}

/* 0 if there is no such method. */
static int grow(uintptr_t module, uint32_t method)
{
    const uint8_t *body = NULL;
    uint32_t size = 0, old = 0;
    if (info->vtbl->GetILFunctionBody(info, module, method, &body, &size) != S_OK)
        return 0;
    if ((body[0] & FORMAT_MASK) == FAT_FORMAT)
        memcpy(&old, body + LOCAL_SIG, sizeof old);
    uint32_t grown = old != 0 ? grown_signature(module, old) : 0;
    if (grown != 0 && getenv("UNUSED") == NULL)
        set_body(module, method, body, size, grown);
    return 1;
}

static int is_ours(uintptr_t module)
{
    static const char ours[] = "/Debugged.dll";
    uint16_t name[ROOM];
    uint32_t len = 0; /* with the NUL at the end */
    if (info->vtbl->GetModuleInfo(info, module, NULL, ROOM, &len, name, NULL) != S_OK ||
        len < sizeof ours || len > ROOM)
        return 0;
    for (size_t i = 0; i < sizeof ours; i++) {
        if (name[len - sizeof ours + i] != (uint16_t)ours[i])
            return 0;
    }
    return 1;
}

/* --- callbacks -------------------------------------------------------------------------------- */

static HRESULT nothing(void)
{
    return S_OK;
}

static uint32_t one(void)
{
    return 1;
}

static HRESULT initialize(void *self, struct unknown *unknown)
{
    (void)self;
    HRESULT hr = unknown->vtbl->QueryInterface(unknown, &IID_ICorProfilerInfo, &info);
    return hr == S_OK ? info->vtbl->SetEventMask(info, COR_PRF_MONITOR_MODULE_LOADS) : hr;
}

static HRESULT module_load_finished(void *self, uintptr_t module, HRESULT status)
{
    (void)self;
    uint32_t method = FIRST_METHOD;
    if (status == S_OK && is_ours(module)) {
        while (grow(module, method))
            method++;
    }
    return S_OK;
}

static HRESULT query(void *self, const struct guid *iid, void **out);
static HRESULT create(void *self, void *outer, const struct guid *iid, void **out);

#define SLOT(function) ((void (*)(void))(function))

/* What we are asked for: an object has its functions in a row. */
typedef void (*slot)(void);
static slot factory_slots[] = {SLOT(query), SLOT(one), SLOT(one), SLOT(create), SLOT(nothing)};
static slot callback_slots[80] = {SLOT(query), SLOT(one), SLOT(one),
                                  SLOT(initialize), [14] = SLOT(module_load_finished)};
static slot *factory = factory_slots, *callback = callback_slots;

static HRESULT create(void *self, void *outer, const struct guid *iid, void **out)
{
    (void)self, (void)outer;
    return query(&callback, iid, out);
}

static int is(const struct guid *a, const struct guid *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static HRESULT query(void *self, const struct guid *iid, void **out)
{
    int known = is(iid, &IID_IUnknown) ||
                (self == &factory
                     ? is(iid, &IID_IClassFactory)
                     : is(iid, &IID_ICorProfilerCallback) || is(iid, &IID_ICorProfilerCallback2));
    *out = known ? self : NULL;
    return known ? S_OK : E_NOINTERFACE;
}

HRESULT DllGetClassObject(const struct guid *clsid, const struct guid *iid, void **out)
{
    (void)clsid;
    for (size_t i = 0; i < sizeof callback_slots / sizeof *callback_slots; i++) {
        if (callback_slots[i] == NULL)
            callback_slots[i] = SLOT(nothing);
    }
    return query(&factory, iid, out);
}

/* debugger.c - a debugger without a screen: shows what one sees of a program while it runs.
 *
 *   debugger breakpoints PID GO DLL LINE...   stops at the lines, goes on each time
 *   debugger steps PID GO DLL LINE            stops at the line, then goes from statement to
 *                                             statement, into calls
 *   debugger entries PID GO DLL METHOD...     stops where methods of these names begin
 *
 * Attaches to the process, sets breakpoints by line in DLL, writes a line into the file GO, which
 * the process waits for, and prints a line for each stop until the process has ended:
 *
 *   LINE TYPE.METHOD IL_OFFSET called from LINE,... locals VALUE,...
 *
 * and, once for each method, the size and hash of its IL as a debugger sees it. Lines with `-` are
 * not in DLL; a local that is no int or has no place is `-`. Locals that the file does not have are
 * read, and not shown.
 *
 * Source: dotnet/runtime, src/coreclr: inc/cordebug.idl (interfaces), debug/di/cordb.cpp (the
 *         exports of libmscordbi.so; its DllMain sets up the library's own platform layer).
 * Exit status: 0 the process ended, 2 trouble. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/path.h"
#include "base/utf16.h"
#include "coverage/source/symbols.h"
#include "metadata/sig.h"
#include "profiler/cor.h"
#include "rewriter/body.h"

enum {
    TROUBLE = 2,
    VERSION_4_0 = 4, /* CorDebugVersion_4_0 */
    DLL_PROCESS_ATTACH = 1,
    ELEMENT_TYPE_I4 = 8,
    CALLERS_MAX = 8,
    IL_MAX = 1 << 16,
};

/* --- what we call, and what is called --------------------------------------------------------- */

/* clang-format off */
static const GUID IID_ICorDebug                 = {0x3d6f5f61, 0x7538, 0x11d3, {0x8d, 0x5b, 0x00, 0x10, 0x4b, 0x35, 0xe7, 0xef}};
static const GUID IID_ICorDebugManagedCallback  = {0x3d6f5f60, 0x7538, 0x11d3, {0x8d, 0x5b, 0x00, 0x10, 0x4b, 0x35, 0xe7, 0xef}};
static const GUID IID_ICorDebugManagedCallback2 = {0x250e5eea, 0xdb5c, 0x4c76, {0xb6, 0xf3, 0x8c, 0x46, 0xf1, 0x2e, 0x32, 0x03}};
static const GUID IID_ICorDebugILFrame          = {0x03e26311, 0x4f76, 0x11d3, {0x88, 0xc6, 0x00, 0x60, 0x97, 0x94, 0x54, 0x18}};
static const GUID IID_ICorDebugGenericValue     = {0xcc7bcaf8, 0x8a68, 0x11d2, {0x98, 0x3c, 0x00, 0x00, 0xf8, 0x08, 0x34, 0x2d}};

/* An object of any interface; each has its functions in a row, IUnknown's three first. */
struct object {
    const struct slots *slots;
};

typedef HRESULT (*slot_none)(struct object *self);
typedef HRESULT (*slot_u32)(struct object *self, uint32_t value);
typedef HRESULT (*slot_out_u32)(struct object *self, uint32_t *out);
typedef HRESULT (*slot_out)(struct object *self, struct object **out);
typedef HRESULT (*slot_u32_out)(struct object *self, uint32_t value, struct object **out);
typedef HRESULT (*slot_query)(struct object *self, const GUID *riid, struct object **out);
typedef HRESULT (*slot_object)(struct object *self, const void *object);
typedef HRESULT (*slot_attach)(struct object *self, uint32_t pid, BOOL win32, struct object **out);
typedef HRESULT (*slot_name)(struct object *self, uint32_t len, uint32_t *needed, WCHAR *name);
typedef HRESULT (*slot_code)(struct object *self, uint32_t start, uint32_t end, uint32_t len,
                             uint8_t *out, uint32_t *out_len);
typedef HRESULT (*slot_ip)(struct object *self, uint32_t *offset, int *mapping);
typedef HRESULT (*slot_bytes)(struct object *self, void *out);
typedef HRESULT (*slot_step)(struct object *self, BOOL into, const uint32_t ranges[2], uint32_t count);

struct slots {
    void (*at[40])(void);
};

#define CALL(type, object, slot, ...) ((type)(object)->slots->at[slot])((object), __VA_ARGS__)
#define CALL_0(object, slot)          ((slot_none)(object)->slots->at[slot])(object)

/* The places of what we call, by interface. */
enum {
    UNKNOWN_QUERY_INTERFACE = 0,
    DEBUG_INITIALIZE = 3, DEBUG_SET_MANAGED_HANDLER = 5, DEBUG_ACTIVE_PROCESS = 8,
    CONTROLLER_CONTINUE = 4, APP_DOMAIN_ATTACH = 21,
    MODULE_GET_NAME = 6, MODULE_GET_FUNCTION_FROM_TOKEN = 9,
    FUNCTION_GET_MODULE = 3, FUNCTION_GET_TOKEN = 5, FUNCTION_GET_IL_CODE = 6,
    CODE_GET_SIZE = 6, CODE_CREATE_BREAKPOINT = 7, CODE_GET_CODE = 8,
    BREAKPOINT_ACTIVATE = 3,
    THREAD_GET_PROCESS = 3, THREAD_CREATE_STEPPER = 12, THREAD_GET_ACTIVE_FRAME = 15,
    FRAME_GET_FUNCTION = 5, FRAME_GET_CALLER = 8, FRAME_CREATE_STEPPER = 10,
    IL_FRAME_GET_IP = 11, IL_FRAME_ENUMERATE_LOCALS = 13, IL_FRAME_GET_LOCAL = 14, ENUM_GET_COUNT = 6,
    STEPPER_STEP_RANGE = 8, STEPPER_STEP_OUT = 9,
    VALUE_GET_TYPE = 3, GENERIC_VALUE_GET_VALUE = 7,
};
/* clang-format on */

/* --- the program at hand ---------------------------------------------------------------------- */

static struct {
    const char *dll;
    struct module module;
    struct arena arena;
    uint32_t lines[64];
    char **names; /* of methods, and a NULL; NULL: there are lines */
    uint32_t line_count;
    bool steps;
    bool stepping;
    uint8_t *shown; /* of each method, by row: its IL was shown */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_set, has_ended; /* under lock */
} debuggee = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void die(const char *what, HRESULT hr)
{
    (void)fprintf(stderr, "debugger: %s: 0x%08x\n", what, (unsigned)hr);
    exit(TROUBLE);
}

static void tell(bool *what)
{
    (void)pthread_mutex_lock(&debuggee.lock);
    *what = true;
    (void)pthread_cond_signal(&debuggee.changed);
    (void)pthread_mutex_unlock(&debuggee.lock);
}

static void wait_for(const bool *what)
{
    (void)pthread_mutex_lock(&debuggee.lock);
    while (!*what)
        (void)pthread_cond_wait(&debuggee.changed, &debuggee.lock);
    (void)pthread_mutex_unlock(&debuggee.lock);
}

/* The statement that an offset is in; false where there is none. `end` is where the next begins. */
static bool statement_at(struct seq_point *out, uint32_t *end, uint32_t method_rid, uint32_t offset)
{
    struct seq_points points;
    struct err err;
    bool found = false;
    *end = UINT32_MAX;
    if (!debuggee.module.has_pdb ||
        !pdb_sequence_points(&points, &debuggee.module.pdb, method_rid, &debuggee.arena, &err))
        return false;
    for (uint32_t i = 0; i < points.count; i++) {
        if (points.points[i].il_offset > offset) {
            *end = points.points[i].il_offset;
            break;
        }
        if (!points.points[i].hidden) {
            *out = points.points[i];
            found = true;
        }
    }
    return found;
}

/* --- what a stop shows ------------------------------------------------------------------------ */

/* The method of a frame or function, by row; 0 when it is not in the DLL. */
static uint32_t method_of(struct object *function)
{
    struct object *module = NULL;
    WCHAR wide[PATH_ROOM];
    char name[PATH_ROOM];
    uint32_t token = 0, len = 0;
    if (FAILED(CALL(slot_out, function, FUNCTION_GET_MODULE, &module)) ||
        FAILED(CALL(slot_name, module, MODULE_GET_NAME, PATH_ROOM, &len, wide)) ||
        FAILED(CALL(slot_out_u32, function, FUNCTION_GET_TOKEN, &token)))
        return 0;
    for (uint32_t i = 0; i < len; i++)
        name[i] = (char)wide[i]; /* ends with a NUL */
    return strcmp(name, debuggee.dll) == 0 ? TOKEN_RID(token) : 0;
}

/* Row and IL offset of a frame; false when it is not in the DLL. */
static bool place_of(uint32_t *method_rid, uint32_t *offset, struct object **il_frame,
                     struct object *frame)
{
    struct object *function = NULL;
    int mapping = 0;
    return SUCCEEDED(CALL(slot_out, frame, FRAME_GET_FUNCTION, &function)) &&
           (*method_rid = method_of(function)) != 0 &&
           SUCCEEDED(
               CALL(slot_query, frame, UNKNOWN_QUERY_INTERFACE, &IID_ICorDebugILFrame, il_frame)) &&
           SUCCEEDED(CALL(slot_ip, *il_frame, IL_FRAME_GET_IP, offset, &mapping));
}

static void show_callers(struct object *frame)
{
    struct object *caller = NULL, *il_frame = NULL;
    struct seq_point point;
    uint32_t method_rid = 0, offset = 0, end = 0;
    for (int i = 0; i < CALLERS_MAX; i++) {
        if (CALL(slot_out, frame, FRAME_GET_CALLER, &caller) != S_OK || caller == NULL)
            break;
        frame = caller;
        if (place_of(&method_rid, &offset, &il_frame, frame) &&
            statement_at(&point, &end, method_rid, offset))
            printf("%s%u", i == 0 ? " called from " : ",", (unsigned)point.start_line);
        else
            printf("%s-", i == 0 ? " called from " : ",");
    }
}

static bool read_int(int32_t *out, struct object *il_frame, uint32_t local)
{
    struct object *value = NULL, *generic = NULL;
    uint32_t type = 0;
    return SUCCEEDED(CALL(slot_u32_out, il_frame, IL_FRAME_GET_LOCAL, local, &value)) &&
           SUCCEEDED(CALL(slot_out_u32, value, VALUE_GET_TYPE, &type)) && type == ELEMENT_TYPE_I4 &&
           SUCCEEDED(CALL(slot_query, value, UNKNOWN_QUERY_INTERFACE, &IID_ICorDebugGenericValue,
                          &generic)) &&
           SUCCEEDED(CALL(slot_bytes, generic, GENERIC_VALUE_GET_VALUE, out));
}

/* In the file: no symbols name others. */
static uint32_t own_locals(uint32_t method_rid)
{
    struct method_def def;
    struct il_body body;
    struct view types;
    uint32_t count = 0;
    if (!module_method(&def, &debuggee.module, method_rid) ||
        body_parse(&body, def.body, &debuggee.arena) != VERDICT_OK ||
        !sig_locals(&count, &types, &debuggee.module.md, body.local_sig, NULL))
        return 0;
    return count;
}

/* Reads all that there are, as debuggers do, and shows the method's own. */
static void show_locals(struct object *il_frame, uint32_t method_rid)
{
    struct object *locals = NULL;
    uint32_t count = 0, own = own_locals(method_rid);
    int32_t number = 0;
    if (FAILED(CALL(slot_out, il_frame, IL_FRAME_ENUMERATE_LOCALS, &locals)) ||
        FAILED(CALL(slot_out_u32, locals, ENUM_GET_COUNT, &count)))
        printf(" no locals");
    for (uint32_t i = 0; i < count; i++) {
        bool is_int = read_int(&number, il_frame, i);
        if (i >= own)
            continue;
        printf(i == 0 ? " locals " : ",");
        if (is_int)
            printf("%d", number);
        else
            printf("-");
    }
}

static void show_code(struct object *function, uint32_t method_rid, struct str name)
{
    static uint8_t il[IL_MAX];
    struct object *code = NULL;
    uint32_t size = 0, len = 0;
    if (debuggee.shown[method_rid])
        return;
    debuggee.shown[method_rid] = 1;
    if (FAILED(CALL(slot_out, function, FUNCTION_GET_IL_CODE, &code)) ||
        FAILED(CALL(slot_out_u32, code, CODE_GET_SIZE, &size)) ||
        FAILED(CALL(slot_code, code, CODE_GET_CODE, 0, size, IL_MAX, il, &len)))
        printf("%.*s has no IL\n", STR_ARGS(name));
    else
        printf("%.*s has %u bytes of IL, %016llx\n", STR_ARGS(name), (unsigned)size,
               (unsigned long long)fnv_bytes(FNV_START, il, len));
}

/* False when the thread is not in the DLL. */
static bool show_stop(struct object *thread, uint32_t range[2])
{
    struct object *frame = NULL, *il_frame = NULL, *function = NULL;
    struct seq_point point = {.start_line = 0};
    struct str name = {NULL, 0};
    struct err err;
    uint32_t method_rid = 0, offset = 0;
    if (CALL(slot_out, thread, THREAD_GET_ACTIVE_FRAME, &frame) != S_OK || frame == NULL ||
        !place_of(&method_rid, &offset, &il_frame, frame))
        return false;
    bool has_line = statement_at(&point, &range[1], method_rid, offset);
    range[0] = has_line ? point.il_offset : 0;
    if (!name_method(&name, &debuggee.module.md, method_rid, &debuggee.arena, &err))
        die(err.text, E_FAIL);
    printf("%u %.*s %x", (unsigned)point.start_line, STR_ARGS(name), (unsigned)offset);
    show_callers(frame);
    show_locals(il_frame, method_rid);
    printf("\n");
    if (SUCCEEDED(CALL(slot_out, frame, FRAME_GET_FUNCTION, &function)))
        show_code(function, method_rid, name);
    (void)fflush(stdout);
    return true;
}

/* Over the rest of the statement, into what it calls; out of what is not ours. */
static void step(struct object *thread)
{
    uint32_t range[2] = {0, 0};
    struct object *stepper = NULL;
    bool ours = show_stop(thread, range);
    HRESULT hr = CALL(slot_out, thread, THREAD_CREATE_STEPPER, &stepper);
    if (FAILED(hr))
        die("no stepper", hr);
    hr = ours ? CALL(slot_step, stepper, STEPPER_STEP_RANGE, true, range, 1)
              : CALL_0(stepper, STEPPER_STEP_OUT);
    if (FAILED(hr))
        (void)fprintf(stderr, "debugger: a step fails: 0x%08x\n", (unsigned)hr);
}

/* --- breakpoints ------------------------------------------------------------------------------ */

static void set_breakpoint(struct object *module, uint32_t method_rid, uint32_t offset)
{
    struct object *function = NULL, *code = NULL, *breakpoint = NULL;
    HRESULT hr = CALL(slot_u32_out, module, MODULE_GET_FUNCTION_FROM_TOKEN,
                      TOKEN(TABLE_MethodDef, method_rid), &function);
    if (SUCCEEDED(hr))
        hr = CALL(slot_out, function, FUNCTION_GET_IL_CODE, &code);
    if (SUCCEEDED(hr))
        hr = CALL(slot_u32_out, code, CODE_CREATE_BREAKPOINT, offset, &breakpoint);
    if (SUCCEEDED(hr))
        hr = CALL(slot_u32, breakpoint, BREAKPOINT_ACTIVATE, 1);
    if (FAILED(hr))
        die("a breakpoint can't be set", hr);
}

static bool is_named(uint32_t method_rid)
{
    struct str name;
    struct err err;
    if (!name_method(&name, &debuggee.module.md, method_rid, &debuggee.arena, &err))
        return false;
    for (char **wanted = debuggee.names; *wanted != NULL; wanted++)
        if (str_is(name, *wanted))
            return true;
    return false;
}

static void set_breakpoints_at_entries(struct object *module)
{
    struct method_def method;
    for (uint32_t rid = 1; rid <= tables_rows(&debuggee.module.md.tables, TABLE_MethodDef); rid++)
        if (module_method(&method, &debuggee.module, rid) && method.body.len != 0 && is_named(rid))
            set_breakpoint(module, rid, 0);
}

static bool is_wanted(const struct seq_point *point)
{
    for (uint32_t i = 0; i < debuggee.line_count; i++) {
        if (!point->hidden && point->start_line == debuggee.lines[i])
            return true;
    }
    return false;
}

/* The lines are those of one file, which says "stop" in them. */
static void set_breakpoints(struct object *module)
{
    const struct module *m = &debuggee.module;
    struct method_def method;
    struct seq_points points;
    struct pdb_document document;
    struct err err;
    for (uint32_t rid = 1; rid <= tables_rows(&m->md.tables, TABLE_MethodDef); rid++) {
        if (!module_method(&method, m, rid) ||
            !pdb_sequence_points(&points, &m->pdb, rid, &debuggee.arena, &err))
            continue;
        for (uint32_t i = 0; i < points.count; i++) {
            if (is_wanted(&points.points[i]) &&
                pdb_read_document(&document, &m->pdb, points.points[i].document, &debuggee.arena,
                                  &err) &&
                (str_ends(document.name, "/Debugged.cs") || str_ends(document.name, "/Suite.cs")))
                set_breakpoint(module, rid, points.points[i].il_offset);
        }
    }
}

/* --- callbacks -------------------------------------------------------------------------------- */

/* Each must let the process go on; each has what to let go on first. */
static HRESULT go_on(struct object *controller)
{
    (void)CALL(slot_u32, controller, CONTROLLER_CONTINUE, 0);
    return S_OK;
}

static HRESULT any(struct object *self, struct object *controller)
{
    (void)self;
    return go_on(controller);
}

static HRESULT on_breakpoint(struct object *self, struct object *domain, struct object *thread,
                             struct object *breakpoint)
{
    uint32_t range[2];
    (void)self, (void)breakpoint;
    if (!debuggee.steps)
        (void)show_stop(thread, range);
    else if (!debuggee.stepping)
        step(thread);
    debuggee.stepping = true;
    return go_on(domain);
}

static HRESULT on_step(struct object *self, struct object *domain, struct object *thread,
                       struct object *stepper, int reason)
{
    (void)self, (void)stepper, (void)reason;
    step(thread);
    return go_on(domain);
}

/* Of a domain or, .NET 8 says, of a thread, and then there is no domain. */
static HRESULT on_name(struct object *self, struct object *domain, struct object *thread)
{
    (void)self;
    if (domain == NULL)
        (void)CALL(slot_out, thread, THREAD_GET_PROCESS, &domain);
    return go_on(domain);
}

static HRESULT on_domain(struct object *self, struct object *process, struct object *domain)
{
    (void)self;
    (void)CALL_0(domain, APP_DOMAIN_ATTACH);
    return go_on(process);
}

static HRESULT on_module(struct object *self, struct object *domain, struct object *module)
{
    WCHAR wide[PATH_ROOM];
    uint32_t len = 0;
    (void)self;
    bool ours = SUCCEEDED(CALL(slot_name, module, MODULE_GET_NAME, PATH_ROOM, &len, wide)) &&
                len == strlen(debuggee.dll) + 1;
    for (uint32_t i = 0; ours && i < len; i++)
        ours = wide[i] == (unsigned char)debuggee.dll[i];
    if (ours)
        (debuggee.names != NULL ? set_breakpoints_at_entries : set_breakpoints)(module);
    HRESULT hr = go_on(domain);
    if (ours)
        tell(&debuggee.is_set);
    return hr;
}

static HRESULT on_end(struct object *self, struct object *process)
{
    (void)self, (void)process;
    tell(&debuggee.has_ended);
    return S_OK;
}

static HRESULT no_reference(struct object *self)
{
    (void)self;
    return 1;
}

static HRESULT query_callback(struct object *self, const GUID *riid, struct object **out);

#define SLOT_OF(function) ((void (*)(void))(function))

/* ICorDebugManagedCallback, its 26 functions behind IUnknown's. */
static const struct slots callback_slots = {{
    SLOT_OF(query_callback),      SLOT_OF(no_reference),     SLOT_OF(no_reference),
    [3] = SLOT_OF(on_breakpoint), [4] = SLOT_OF(on_step),    [5] = SLOT_OF(any),
    [6] = SLOT_OF(any),           [7] = SLOT_OF(any),        [8] = SLOT_OF(any),
    [9] = SLOT_OF(any),           [10] = SLOT_OF(on_end),    [11] = SLOT_OF(any),
    [12] = SLOT_OF(any),          [13] = SLOT_OF(on_module), [14] = SLOT_OF(any),
    [15] = SLOT_OF(any),          [16] = SLOT_OF(any),       [17] = SLOT_OF(any),
    [18] = SLOT_OF(any),          [19] = SLOT_OF(any),       [20] = SLOT_OF(on_domain),
    [21] = SLOT_OF(any),          [22] = SLOT_OF(any),       [23] = SLOT_OF(any),
    [24] = SLOT_OF(any),          [25] = SLOT_OF(on_name),   [26] = SLOT_OF(any),
    [27] = SLOT_OF(any),          [28] = SLOT_OF(any),
}};

/* ICorDebugManagedCallback2 */
static const struct slots callback2_slots = {{
    SLOT_OF(query_callback),
    SLOT_OF(no_reference),
    SLOT_OF(no_reference),
    [3] = SLOT_OF(any),
    [4] = SLOT_OF(any),
    [5] = SLOT_OF(any),
    [6] = SLOT_OF(any),
    [7] = SLOT_OF(any),
    [8] = SLOT_OF(any),
    [9] = SLOT_OF(any),
    [10] = SLOT_OF(any),
}};

static struct object callback = {&callback_slots}, callback2 = {&callback2_slots};

static HRESULT query_callback(struct object *self, const GUID *riid, struct object **out)
{
    (void)self;
    *out = guid_eq(riid, &IID_ICorDebugManagedCallback2) ? &callback2
           : guid_eq(riid, &IID_ICorDebugManagedCallback) || guid_eq(riid, &IID_IUnknown)
               ? &callback
               : NULL;
    return *out != NULL ? S_OK : E_NOINTERFACE;
}

/* --- attaching -------------------------------------------------------------------------------- */

/* Path and address of the runtime in the process. */
static bool find_runtime(char path[PATH_ROOM], uintptr_t *base, const char *pid)
{
    char maps[64], line[PATH_ROOM + 128];
    (void)snprintf(maps, sizeof maps, "/proc/%s/maps", pid);
    FILE *file = fopen(maps, "re");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *name = strchr(line, '/');
        found = name != NULL && str_ends(str_of(name), "/libcoreclr.so\n");
        if (found) {
            *strrchr(name, '/') = '\0';
            (void)snprintf(path, PATH_ROOM, "%s/libmscordbi.so", name);
            *base = (uintptr_t)strtoull(line, NULL, 16);
        }
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

static struct object *attach(const char *pid)
{
    char path[PATH_ROOM];
    uintptr_t base = 0;
    struct object *unknown = NULL, *debug = NULL, *process = NULL;
    if (!find_runtime(path, &base, pid))
        die("no runtime in the process", E_FAIL);
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        die(dlerror(), E_FAIL);
    BOOL (*dll_main)(void *, uint32_t, void *) = NULL;
    HRESULT(*create)
    (int, uint32_t, const WCHAR *, const WCHAR *, uintptr_t, struct object **) = NULL;
    *(void **)&dll_main = dlsym(library, "DllMain");
    *(void **)&create = dlsym(library, "CoreCLRCreateCordbObject3");
    if (dll_main == NULL || create == NULL || !dll_main(library, DLL_PROCESS_ATTACH, NULL))
        die("libmscordbi.so does not start", E_FAIL);
    uint32_t number = (uint32_t)strtoul(pid, NULL, 10);
    HRESULT hr = create(VERSION_4_0, number, NULL, NULL, base, &unknown);
    if (SUCCEEDED(hr))
        hr = CALL(slot_query, unknown, UNKNOWN_QUERY_INTERFACE, &IID_ICorDebug, &debug);
    if (SUCCEEDED(hr))
        hr = CALL_0(debug, DEBUG_INITIALIZE);
    if (SUCCEEDED(hr))
        hr = CALL(slot_object, debug, DEBUG_SET_MANAGED_HANDLER, &callback);
    if (SUCCEEDED(hr))
        hr = CALL(slot_attach, debug, DEBUG_ACTIVE_PROCESS, number, 0, &process);
    if (FAILED(hr))
        die("the process can't be debugged", hr);
    return debug;
}

int main(int argc, char **argv)
{
    struct err err;
    if (argc < 6)
        return TROUBLE;
    const char *pid = argv[2], *go = argv[3];
    debuggee.steps = strcmp(argv[1], "steps") == 0;
    debuggee.dll = argv[4];
    if (strcmp(argv[1], "entries") == 0)
        debuggee.names = argv + 5;
    for (int i = 5; i < argc && debuggee.line_count < ARRAY_LEN(debuggee.lines); i++)
        debuggee.lines[debuggee.line_count++] = (uint32_t)strtoul(argv[i], NULL, 10);
    arena_init(&debuggee.arena, NULL, 0, ARENA_NO_LIMIT);
    if (!module_open_file(&debuggee.module, debuggee.dll, &err) ||
        (debuggee.names == NULL &&
         (!symbols_find(&debuggee.module, debuggee.dll, &debuggee.arena, &err) ||
          !debuggee.module.has_pdb)))
        die("no symbols", E_FAIL);
    debuggee.shown = ARENA_NEW(&debuggee.arena, uint8_t,
                               tables_rows(&debuggee.module.md.tables, TABLE_MethodDef) + 1, &err);
    (void)attach(pid);
    wait_for(&debuggee.is_set);
    FILE *file = fopen(go, "we");
    if (file == NULL || fputs("go\n", file) < 0 || fclose(file) != 0)
        die("the process can't be told to go on", E_FAIL);
    wait_for(&debuggee.has_ended);
    (void)fflush(stdout);
    _Exit(0); /* the library's threads still run */
}

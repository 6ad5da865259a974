#include "profiler/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/list.h"
#include "base/utf16.h"
#include "contract/protocol.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "system/clock.h"
#include "system/process.h"
#include "system/thread.h"

enum {
    FRAMES_INNER = 2048,  /* of a thread that are kept, without repetitions: the innermost ... */
    FRAMES_OUTER = 2048,  /* ... and the outermost */
    FRAMES_MAX = 1 << 20, /* that are looked at */
    THREADS_AT_ONCE = 64,
    WAITS_MAX = 100000, /* of 0.1 ms each: then the waiting thread continues in any case */
    AGAIN_US = 500,
    NAME_UNITS = 512,
    STRETCHES_MAX = 4, /* ranges of one code: hot, cold */
    CODES_MAX = 64,    /* of a method: its tiers and recompilations */
    ARGUMENTS_MAX = 8, /* of a generic type or method */
    NESTED_MAX = 4,    /* types in arguments of types */
    ROWS_MAX = 4096,   /* of a method's map; code after them counts as the last row's */
};

struct walked_frame {
    FunctionID function; /* 0: not managed */
    uintptr_t ip;
    uint32_t again; /* so many equal ones follow it on the stack */
};

/* Frame `i` of all that were seen is at place_of_frame(i); after FRAMES_INNER, `omitted` frames are
 * missing. */
struct walked {
    uint32_t os_thread;
    HRESULT hr;
    int call; /* process.h */
    uint32_t first, kept, omitted;
    uint32_t seen; /* frames without repetitions; the last FRAMES_OUTER replace one another */
};

enum walk_progress {
    ASKED,
    STOPPED,  /* the runtime has stopped */
    FINISHED, /* it runs again */
};

/* What the two threads share; the control thread frees it when the walker has ended. */
struct walk_run {
    struct profiler *p;
    struct thread thread;
    struct mutex lock; /* guards what follows up to `hr` */
    struct condition moved;
    enum walk_progress progress;
    bool is_abandoned; /* the control thread no longer waits for it */
    HRESULT hr;
    struct arena arena;
    struct list threads, frames;
    struct walked current;
    uint32_t looked_at; /* of its frames */
};

/* --- while the runtime is stopped ------------------------------------------------------------- */

static uint32_t place_of_frame(uint32_t number)
{
    return number < FRAMES_INNER ? number : FRAMES_INNER + (number - FRAMES_INNER) % FRAMES_OUTER;
}

/* Where the next frame goes, which is not equal to the one before; NULL: no memory. */
static struct walked_frame *next_frame(struct walk_run *walk)
{
    struct walked *thread = &walk->current;
    uint32_t slot = place_of_frame(thread->seen);
    struct walked_frame *frame =
        slot == thread->kept ? list_add(&walk->frames, sizeof *frame, &walk->arena, NULL)
                             : (struct walked_frame *)walk->frames.items + thread->first + slot;
    if (frame == NULL)
        return NULL;
    if (slot == thread->kept)
        thread->kept++;
    else
        thread->omitted += 1 + frame->again;
    thread->seen++;
    return frame;
}

static struct walked_frame *last_frame(struct walk_run *walk)
{
    struct walked *thread = &walk->current;
    return thread->seen == 0 ? NULL
                             : (struct walked_frame *)walk->frames.items + thread->first +
                                   place_of_frame(thread->seen - 1);
}

static HRESULT add_frame(FunctionID funcId, uintptr_t ip, COR_PRF_FRAME_INFO frameInfo,
                         uint32_t contextSize, uint8_t *context, void *clientData)
{
    struct walk_run *walk = clientData;
    (void)frameInfo, (void)contextSize, (void)context; /* they tell no more than funcId */
    if (walk->looked_at++ == FRAMES_MAX)
        return E_FAIL;
    struct walked_frame *frame = last_frame(walk);
    if (frame != NULL && frame->function == funcId && (frame->ip == ip || funcId == 0)) {
        frame->again++;
        return S_OK;
    }
    frame = next_frame(walk);
    if (frame == NULL)
        return E_OUTOFMEMORY;
    *frame = (struct walked_frame){funcId, ip, 0};
    return S_OK;
}

static void walk_thread(struct walk_run *walk, ThreadID id)
{
    struct profiler_info *info = walk->p->info;
    struct walked *thread = &walk->current;
    uint32_t os_thread = 0;
    if (info->vtbl->GetThreadInfo(info, id, &os_thread) != S_OK || os_thread == 0)
        return; /* not started yet, or gone */
    *thread = (struct walked){.os_thread = os_thread, .first = walk->frames.count};
    thread->call = process_call_of_thread(os_thread);
    walk->looked_at = 0;
    thread->hr =
        info->vtbl->DoStackSnapshot(info, id, add_frame, COR_PRF_SNAPSHOT_DEFAULT, walk, NULL, 0);
    struct walked *walked = list_add(&walk->threads, sizeof *walked, &walk->arena, NULL);
    if (walked != NULL)
        *walked = *thread;
}

static HRESULT walk_threads(struct walk_run *walk)
{
    struct profiler_info *info = walk->p->info;
    struct thread_enum *threads = NULL;
    ThreadID ids[THREADS_AT_ONCE];
    uint32_t count = 0;
    HRESULT hr = info->vtbl->EnumThreads(info, &threads);
    if (FAILED(hr))
        return hr;
    do {
        if (FAILED(threads->vtbl->Next(threads, THREADS_AT_ONCE, ids, &count)))
            count = 0;
        for (uint32_t i = 0; i < count; i++)
            walk_thread(walk, ids[i]);
    } while (count != 0);
    (void)threads->vtbl->Release(threads);
    return S_OK;
}

/* --- the walker's thread ---------------------------------------------------------------------- */

/* False if the control thread no longer waits. */
static bool move_on(struct walk_run *walk, enum walk_progress progress, HRESULT hr)
{
    mutex_lock(&walk->lock);
    bool is_abandoned = walk->is_abandoned;
    walk->progress = progress;
    walk->hr = hr;
    condition_signal(&walk->moved);
    mutex_unlock(&walk->lock);
    return !is_abandoned;
}

static bool is_abandoned(struct walk_run *walk)
{
    mutex_lock(&walk->lock);
    bool is_abandoned = walk->is_abandoned;
    mutex_unlock(&walk->lock);
    return is_abandoned;
}

/* Suspensions do not nest: while the runtime has stopped itself for a collection, this retries. */
static HRESULT stop_runtime(struct walk_run *walk)
{
    struct profiler_info *info = walk->p->info;
    HRESULT hr = info->vtbl->SuspendRuntime(info);
    while (hr == CORPROF_E_SUSPENSION_IN_PROGRESS && !is_abandoned(walk)) {
        clock_rest_us(AGAIN_US);
        hr = info->vtbl->SuspendRuntime(info);
    }
    return hr;
}

static void *walk_all(void *argument)
{
    struct walk_run *walk = argument;
    struct profiler *p = walk->p;
    struct control *control = &p->control;
    HRESULT hr = stop_runtime(walk);
    bool stopped = SUCCEEDED(hr);
    if (move_on(walk, stopped ? STOPPED : ASKED, hr) && stopped) {
        atomic_store_explicit(&control->holds_modules, true, memory_order_seq_cst);
        atomic_store_explicit(&control->holds_threads, true, memory_order_seq_cst);
        hr = walk_threads(walk);
        atomic_store_explicit(&control->holds_threads, false, memory_order_release);
    }
    if (stopped)
        (void)p->info->vtbl->ResumeRuntime(p->info);
    (void)move_on(walk, FINISHED, hr);
    return NULL;
}

/* False if the runtime does not stop in time. */
static bool await_stop(struct walk_run *walk)
{
    int64_t until = clock_ms() + SUSPEND_SECONDS * 1000;
    bool in_time = true;
    mutex_lock(&walk->lock);
    while (walk->progress == ASKED && in_time)
        in_time = condition_wait_until(&walk->moved, &walk->lock, until);
    bool is_abandoned = walk->is_abandoned = walk->progress == ASKED;
    while (!is_abandoned && walk->progress != FINISHED)
        condition_wait(&walk->moved, &walk->lock);
    mutex_unlock(&walk->lock);
    return !is_abandoned;
}

static void close_walk(struct walk_run *walk)
{
    arena_free(&walk->arena);
    condition_end(&walk->moved);
    free(walk);
}

static struct walk_run *open_walk(struct profiler *p)
{
    struct walk_run *walk = calloc(1, sizeof *walk);
    if (walk == NULL)
        return NULL;
    walk->p = p;
    walk->arena = ARENA_EMPTY;
    condition_init(&walk->moved);
    return walk;
}

/* --- afterwards ------------------------------------------------------------------------------- */

struct named_module {
    ModuleID id;
    struct str path;
    struct module meta;
    bool is_open;
};

struct frame_naming {
    struct profiler_info *info;
    struct list modules;
    COR_DEBUG_IL_TO_NATIVE_MAP *map; /* ROWS_MAX rows, reused for each method */
    struct arena *arena;
    struct text *out;
};

static struct named_module *open_named_module(struct frame_naming *n, ModuleID id)
{
    struct named_module *known = n->modules.items;
    for (uint32_t i = 0; i < n->modules.count; i++)
        if (known[i].id == id)
            return &known[i];
    struct named_module *module = list_add(&n->modules, sizeof *module, n->arena, NULL);
    WCHAR *name = ARENA_NEW(n->arena, WCHAR, NAME_UNITS, NULL);
    char *path = ARENA_NEW(n->arena, char, NAME_UNITS * 3, NULL);
    const uint8_t *base = NULL;
    uint32_t units = 0, flags = 0;
    AssemblyID assembly = 0;
    struct err err;
    if (module == NULL || name == NULL || path == NULL)
        return NULL;
    module->id = id;
    HRESULT hr = n->info->vtbl->GetModuleInfo2(n->info, id, &base, NAME_UNITS, &units, name,
                                               &assembly, &flags);
    if (FAILED(hr) || (flags & COR_PRF_MODULE_DYNAMIC) != 0)
        return module;
    if (units != 0 && units <= NAME_UNITS)
        (void)utf16_to_utf8(path, NAME_UNITS * 3, (const uint16_t *)name, units - 1);
    module->path = str_of(path);
    module->is_open = instance_open_image(&module->meta, base, flags, &err);
    return module;
}

static void add_dynamic(struct frame_naming *n, FunctionID function)
{
    WCHAR name[NAME_UNITS];
    char text[NAME_UNITS * 3] = "";
    const uint8_t *sig = NULL;
    uint32_t sig_len = 0, units = 0;
    ModuleID module = 0;
    HRESULT hr = n->info->vtbl->GetDynamicFunctionInfo(n->info, function, &module, &sig, &sig_len,
                                                       NAME_UNITS, &units, name);
    if (SUCCEEDED(hr) && units != 0 && units <= NAME_UNITS)
        (void)utf16_to_utf8(text, sizeof text, (const uint16_t *)name, units - 1);
    text_add_c(n->out, "dynamic\t");
    text_add_escaped(n->out, str_of(text));
    text_add_c(n->out, "\n");
}

/* The offset of `at` in the code, counted over all its ranges in order; false if it is in none of
 * them. */
static bool code_offset(uintptr_t *out, const COR_PRF_CODE_INFO *code, uint32_t stretches,
                        uintptr_t at)
{
    *out = 0;
    for (uint32_t i = 0; i < stretches && i < STRETCHES_MAX; i++) {
        if (at - code[i].startAddress < code[i].size) {
            *out += at - code[i].startAddress;
            return true;
        }
        *out += code[i].size;
    }
    return false;
}

/* A method has code for each tier and each recompilation: finds the one that contains `at`. `start`
 * is where it begins. */
static bool find_code(uintptr_t *start, uintptr_t *offset, const struct frame_naming *n,
                      FunctionID function, uintptr_t at)
{
    uintptr_t starts[CODES_MAX];
    COR_PRF_CODE_INFO code[STRETCHES_MAX];
    uint32_t count = 0, stretches = 0;
    ReJITID rejit = 0;
    FunctionID same = 0;
    HRESULT hr = n->info->vtbl->GetFunctionFromIP2(n->info, (const uint8_t *)at, &same, &rejit);
    if (SUCCEEDED(hr))
        hr = n->info->vtbl->GetNativeCodeStartAddresses(n->info, function, rejit, CODES_MAX, &count,
                                                        starts);
    for (uint32_t i = 0; SUCCEEDED(hr) && i < count && i < CODES_MAX; i++) {
        *start = starts[i];
        if (SUCCEEDED(
                n->info->vtbl->GetCodeInfo4(n->info, starts[i], STRETCHES_MAX, &stretches, code)) &&
            code_offset(offset, code, stretches, at))
            return true;
    }
    return false;
}

/* Is the instruction before `ip` a call? The code has `len` bytes before `ip`. */
static bool follows_call(const uint8_t *ip, uintptr_t len)
{
#if defined(__x86_64__)
    static const struct {
        uint8_t len, bytes[2], mask; /* `mask`: the bits that matter in the second byte */
    } calls[] = {
        {5, {0xE8, 0x00}, 0x00}, /* call rel32 */
        {2, {0xFF, 0xD0}, 0xF8}, /* FF /2: call of a register, ... */
        {6, {0xFF, 0x15}, 0xFF}, /* [rip + disp32] */
        {2, {0xFF, 0x10}, 0xF8}, /* [register] */
        {3, {0xFF, 0x50}, 0xF8}, /* [register + disp8] */
        {6, {0xFF, 0x90}, 0xF8}, /* [register + disp32] */
        {3, {0xFF, 0x14}, 0xFF}, /* with an index */
        {4, {0xFF, 0x54}, 0xFF}, {7, {0xFF, 0x94}, 0xFF},
    };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        const uint8_t *start = ip - calls[i].len;
        if (len >= calls[i].len && start[0] == calls[i].bytes[0] &&
            (start[1] & calls[i].mask) == calls[i].bytes[1])
            return true;
    }
    return false;
#else /* AArch64: bl, blr */
    uint32_t before = len >= 4 ? load_u32(ip - 4) : 0;
    return (before & 0xFC000000) == 0x94000000 || (before & 0xFFFFFC1F) == 0xD63F0000;
#endif
}

/* The offset of the IL that the code at `ip` came from; -1 if it is unknown. A return address
 * follows its call, so the byte before it is looked up. The innermost frame may have been stopped
 * anywhere: unless it is right after a call, the byte at `ip` itself is looked up. */
static int64_t il_offset(const struct frame_naming *n, FunctionID function, uintptr_t ip,
                         bool innermost)
{
    uintptr_t start = 0, offset = 0;
    uint32_t rows = 0, nearest = 0;
    int64_t found = -1;
    if (n->map == NULL || !find_code(&start, &offset, n, function, ip - 1) ||
        FAILED(n->info->vtbl->GetILToNativeMapping3(n->info, start, ROWS_MAX, &rows, n->map)))
        return -1;
    if (innermost && !follows_call((const uint8_t *)ip, offset + 1))
        offset++;
    for (uint32_t i = 0; i < rows && i < ROWS_MAX; i++) {
        const COR_DEBUG_IL_TO_NATIVE_MAP *row = &n->map[i];
        if ((int32_t)row->ilOffset >= 0 && row->nativeStartOffset <= offset &&
            row->nativeStartOffset >= nearest) {
            nearest = row->nativeStartOffset;
            found = row->ilOffset;
        }
    }
    return found;
}

static void add_method_name(struct frame_naming *n, const struct metadata *md, uint32_t rid)
{
    struct str type = {"", 0}, name = {"", 0}, params = {"", 0};
    uint32_t owner = owner_of_method(md, rid);
    if (owner != 0 && name_type(&type, md, TOKEN(TABLE_TypeDef, owner), n->arena, NULL) &&
        name_method(&name, md, rid, n->arena, NULL) &&
        name_method_signature(&params, md, rid, n->arena, NULL)) {
        text_add_escaped(n->out, type);
        text_add_c(n->out, ".");
        text_add_escaped(n->out, name);
        text_add_escaped(n->out, params);
    }
}

static bool add_class_name(struct frame_naming *n, struct text *out, ClassID id, unsigned depth);

static bool add_types(struct frame_naming *n, struct text *out, const ClassID *ids, uint32_t count,
                      unsigned depth)
{
    for (uint32_t i = 0; i < count; i++) {
        text_add_c(out, i == 0 ? "[" : ",");
        if (!add_class_name(n, out, ids[i], depth + 1))
            return false;
    }
    text_add_c(out, count != 0 ? "]" : "");
    return true;
}

/* "Nullable`1[Int32]"; false if it is not known: all reference types share code, which has __Canon
 * in their place. */
static bool add_class_name(struct frame_naming *n, struct text *out, ClassID id, unsigned depth)
{
    ClassID parent = 0, arguments[ARGUMENTS_MAX];
    uint32_t count = 0;
    ModuleID module_id = 0;
    mdToken token = 0;
    if (id == 0 || depth > NESTED_MAX)
        return false;
    if (FAILED(n->info->vtbl->GetClassIDInfo2(n->info, id, &module_id, &token, &parent,
                                              ARGUMENTS_MAX, &count, arguments)) ||
        count > ARGUMENTS_MAX || TOKEN_TABLE(token) != TABLE_TypeDef)
        return false;
    const struct named_module *module = open_named_module(n, module_id);
    if (module == NULL || !module->is_open ||
        TOKEN_RID(token) > tables_rows(&module->meta.md.tables, TABLE_TypeDef))
        return false;
    struct str name = row_string(&module->meta.md, COL_TypeDef_TypeName, TOKEN_RID(token));
    text_add(out, name);
    return !str_is(name, "__Canon") && add_types(n, out, arguments, count, depth);
}

/* Those of its type, then those of the method. */
struct walk_arguments {
    ClassID ids[2 * ARGUMENTS_MAX];
    uint32_t count;
};

static void find_arguments(struct walk_arguments *out, const struct frame_naming *n,
                           ClassID class_id, const ClassID *of_method, uint32_t method_count)
{
    ClassID parent = 0;
    ModuleID module = 0;
    mdToken token = 0;
    out->count = 0;
    if (class_id != 0 &&
        FAILED(n->info->vtbl->GetClassIDInfo2(n->info, class_id, &module, &token, &parent,
                                              ARGUMENTS_MAX, &out->count, out->ids)))
        out->count = 0;
    if (out->count > ARGUMENTS_MAX || method_count > ARGUMENTS_MAX) {
        out->count = 0;
        return;
    }
    memcpy(out->ids + out->count, of_method, method_count * sizeof *of_method);
    out->count += method_count;
}

/* One that is not known is empty. */
static void add_type_arguments(struct frame_naming *n, const struct walk_arguments *arguments)
{
    for (uint32_t i = 0; i < arguments->count; i++) {
        struct text type = text_in(n->arena);
        text_add_c(n->out, "argument\t");
        if (add_class_name(n, &type, arguments->ids[i], 0))
            text_add_escaped(n->out, (struct str){type.data, type.len});
        text_add_c(n->out, "\n");
    }
}

static void add_managed(struct frame_naming *n, const struct walked_frame *frame, bool innermost)
{
    char mvid[HEX_ROOM(16)];
    BOOL is_dynamic = 0;
    struct walk_arguments arguments;
    ClassID class_id = 0, of_method[ARGUMENTS_MAX];
    uint32_t count = 0;
    ModuleID id = 0;
    mdToken token = 0;
    HRESULT hr = n->info->vtbl->IsFunctionDynamic(n->info, frame->function, &is_dynamic);
    if (SUCCEEDED(hr) && is_dynamic != 0) {
        add_dynamic(n, frame->function);
        return;
    }
    hr = n->info->vtbl->GetFunctionInfo2(n->info, frame->function, 0, &class_id, &id, &token,
                                         ARGUMENTS_MAX, &count, of_method);
    struct named_module *module = SUCCEEDED(hr) ? open_named_module(n, id) : NULL;
    if (module == NULL || !module->is_open) {
        text_add_c(n->out, "dynamic\t\n"); /* in a module without an image: Reflection.Emit */
        return;
    }
    find_arguments(&arguments, n, class_id, of_method, count);
    add_type_arguments(n, &arguments);
    module = open_named_module(n, id); /* the list of modules may have moved */
    if (module == NULL)
        return;
    text_add_c(n->out, "frame\t");
    text_add_escaped(n->out, module->path);
    text_addf(n->out, "\t%s\t0x%08x\t%lld\t",
              hex_of(mvid, module->meta.mvid, sizeof module->meta.mvid), token,
              (long long)il_offset(n, frame->function, frame->ip, innermost));
    add_method_name(n, &module->meta.md, TOKEN_RID(token));
    text_add_c(n->out, "\n");
}

/* The system call is the innermost native code, which the runtime does not report. */
static void add_call(struct frame_naming *n, const struct walked *thread)
{
    const char *name = process_call_name(thread->call);
    if (name != NULL)
        text_addf(n->out, "call\t%s\n", name);
    else if (thread->call != PROCESS_NO_CALL)
        text_addf(n->out, "call\tsystem call %d\n", thread->call);
}

static void add_thread(struct frame_naming *n, const struct walk_run *walk,
                       const struct walked *thread)
{
    const struct walked_frame *frames =
        (const struct walked_frame *)walk->frames.items + thread->first;
    text_addf(n->out, "thread\t%u\t0x%08x\n", thread->os_thread, (unsigned)thread->hr);
    add_call(n, thread);
    for (uint32_t i = 0; i < thread->kept; i++) {
        uint32_t number = i < FRAMES_INNER ? i : i + thread->seen - thread->kept;
        const struct walked_frame *frame = &frames[place_of_frame(number)];
        if (i == FRAMES_INNER && thread->omitted != 0)
            text_addf(n->out, "omitted\t%u\n", thread->omitted);
        if (frame->function == 0) {
            if (i != 0 || thread->call == PROCESS_NO_CALL)
                text_add_c(n->out, "native\n");
            continue;
        }
        add_managed(n, frame, i == 0);
        if (frame->again != 0)
            text_addf(n->out, "again\t%u\n", frame->again);
    }
}

static void add_threads(struct text *out, const struct walk_run *walk)
{
    struct arena arena = ARENA_EMPTY;
    struct frame_naming naming = {.info = walk->p->info, .arena = &arena, .out = out};
    naming.map = ARENA_NEW(&arena, COR_DEBUG_IL_TO_NATIVE_MAP, ROWS_MAX, NULL);
    const struct walked *threads = walk->threads.items;
    for (uint32_t i = 0; i < walk->threads.count; i++)
        add_thread(&naming, walk, &threads[i]);
    arena_free(&arena);
}

/* --- the request ------------------------------------------------------------------------------ */

bool walk_is_over(struct profiler *p)
{
    struct walk_run *walk = p->control.walk;
    if (walk == NULL)
        return true;
    mutex_lock(&walk->lock);
    bool is_over = walk->progress == FINISHED;
    mutex_unlock(&walk->lock);
    if (!is_over)
        return false;
    thread_join(&walk->thread);
    close_walk(walk);
    p->control.walk = NULL;
    return true;
}

HRESULT walk_stacks(struct profiler *p, struct text *out)
{
    struct control *control = &p->control;
    if (!p->has_info10)
        return E_NOINTERFACE;
    if (!walk_is_over(p))
        return CORPROF_E_SUSPENSION_IN_PROGRESS;
    HRESULT hr = instance_add_events(p, COR_PRF_ENABLE_STACK_SNAPSHOT | COR_PRF_MONITOR_THREADS);
    if (FAILED(hr))
        return hr;
    struct walk_run *walk = open_walk(p);
    if (walk == NULL)
        return E_OUTOFMEMORY;
    if (!thread_start(&walk->thread, "ilcov-walk", walk_all, walk)) {
        close_walk(walk);
        return E_OUTOFMEMORY;
    }
    control->walk = walk;
    if (!await_stop(walk))
        return (HRESULT)CONTROL_E_TIMEOUT;
    hr = walk->hr;
    if (SUCCEEDED(hr))
        add_threads(out, walk);
    atomic_store_explicit(&control->holds_modules, false, memory_order_release);
    (void)walk_is_over(p);
    return hr;
}

static void wait_while(const _Atomic bool *held)
{
    for (unsigned i = 0; atomic_load_explicit(held, memory_order_seq_cst) && i < WAITS_MAX; i++)
        clock_rest_us(100);
}

void walk_let_thread_go(const struct profiler *p)
{
    wait_while(&p->control.holds_threads);
}

void walk_let_module_go(const struct profiler *p)
{
    wait_while(&p->control.holds_modules);
}

#include "profiler/enclosures.h"

#include <string.h>

#include "metadata/lookup.h"
#include "profiler/signatures.h"
#include "rewriter/owner_code.h"
#include "rewriter/stack.h"
#include "scope/test_methods.h"

enum {
    METHOD_STATIC = 0x10,
    OUR_METHODS = 0x96,       /* public, static, hide by signature */
    MODULE_TYPE = 0x02000001, /* <Module> */
    CALLCONV_UNMANAGED = 0x9,
    SIGNATURE_ROOM = 64,
};

/* --- which methods ---------------------------------------------------------------------------- */

static bool is_object(const struct metadata *md, uint32_t rid)
{
    return (tables_get(&md->tables, COL_MethodDef_Flags, rid) & METHOD_STATIC) == 0 &&
           !type_is_structure(md, owner_of_method(md, rid));
}

static bool is_static_constructor(const struct metadata *md, uint32_t rid)
{
    return str_is(heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid)), ".cctor") &&
           tables_get(&md->tables, COL_MethodDef_RVA, rid) != 0;
}

/* Is the method enclosed, as what? */
static bool kind_of(enum owner_kind *kind, const struct metadata *md, const uint8_t *parts,
                    uint32_t rid)
{
    enum test_part part = parts != NULL ? (enum test_part)parts[rid - 1] : TEST_PART_NONE;
    *kind = part == TEST_PART_TEST     ? OWNER_TEST
            : part == TEST_PART_AROUND ? OWNER_CLASS
                                       : OWNER_STATIC;
    return part != TEST_PART_NONE || is_static_constructor(md, rid);
}

static bool add_sites(struct profiler *p, struct counted_place *place,
                      struct enclosed_method *enclosed, const struct metadata *md,
                      const uint8_t *parts)
{
    enum owner_kind kind;
    for (uint32_t rid = 1; rid <= place->method_count; rid++) {
        if (!kind_of(&kind, md, parts, rid))
            continue;
        uint32_t impl_flags = tables_get(&md->tables, COL_MethodDef_ImplFlags, rid);
        const struct owner_site site = {.kind = kind,
                                        .leaves_early = (impl_flags & IMPL_ASYNC) != 0,
                                        .mvid = place->mvid,
                                        .rid = rid};
        uint32_t number = owners_add_site(p, &site);
        if (number == 0)
            return false;
        enclosed[place->enclosed_count++] = (struct enclosed_method){
            rid, number, kind != OWNER_STATIC && is_object(md, rid), kind == OWNER_STATIC};
    }
    return true;
}

bool enclosures_find(struct profiler *p, struct counted_place *place, const struct metadata *md,
                     bool has_tests)
{
    uint8_t *parts = NULL;
    enum owner_kind kind;
    uint32_t count = 0;
    if (has_tests && !test_methods_find(&parts, md, &place->arena))
        return false;
    for (uint32_t rid = 1; rid <= place->method_count; rid++)
        count += kind_of(&kind, md, parts, rid);
    struct enclosed_method *enclosed =
        ARENA_NEW(&place->arena, struct enclosed_method, count, NULL);
    if (enclosed == NULL)
        return false;
    place->enclosed = enclosed;
    mutex_lock(&p->layout_lock);
    bool ok = add_sites(p, place, enclosed, md, parts);
    mutex_unlock(&p->layout_lock);
    return ok;
}

const struct enclosed_method *enclosures_of(const struct counted_place *place, uint32_t rid)
{
    uint32_t low = 0, high = place->enclosed_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (place->enclosed[middle].rid < rid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < place->enclosed_count && place->enclosed[low].rid == rid ? &place->enclosed[low]
                                                                          : NULL;
}

/* --- flows that are not kept ------------------------------------------------------------------ */

void enclosures_keep_flow(struct profiler *p, ModuleID id, const struct module *module)
{
    static const uint8_t returns_true[] = {2 << 2 | 2, 0x17, 0x2A}; /* ldc.i4.1; ret */
    const struct metadata *md = &module->md;
    if (!str_is(module->name, "Microsoft.AspNetCore.TestHost"))
        return;
    uint32_t type = type_named(md, "Microsoft.AspNetCore.TestHost", "TestServer");
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; type != 0 && rid < rows.end; rid++) {
        if (!str_is(heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid)),
                    "get_PreserveExecutionContext"))
            continue;
        instance_pin_library();
        if (SUCCEEDED(p->info->vtbl->SetILFunctionBody(p->info, id, TOKEN(TABLE_MethodDef, rid),
                                                       returns_true)))
            return;
    }
    record_trouble(
        &p->record,
        "what ASP.NET's TestServer runs is not told apart by test: it is not as expected");
}

/* --- what the methods need of the core library ------------------------------------------------ */

static const struct {
    const char *space, *type, *method;
} needed[] = {
    {"System", "Object", "GetType"},
    {"System", "Type", "get_FullName"},
    {"System", "String", "get_Length"},
    {"System.Runtime.CompilerServices", "RuntimeHelpers", "get_OffsetToStringData"},
    {"System.Runtime.InteropServices", "GCHandle", "Alloc"},
    {"System.Runtime.InteropServices", "GCHandle", "ToIntPtr"},
    {"System.Threading", "AsyncLocal`1", "get_Value"},
    {"System.Threading", "AsyncLocal`1", "set_Value"},
    {"System.Threading", "AsyncLocalValueChangedArgs`1", "get_CurrentValue"},
    {"System", "Action`1", ".ctor"},
    {"System", "Action`2", ".ctor"},
    {"System.Threading.Tasks", "Task", "get_IsCompleted"},
    {"System.Threading.Tasks", "Task", "get_IsCompletedSuccessfully"},
    {"System.Threading.Tasks", "Task", "ContinueWith"},
    {"System.Threading.Tasks", "TaskScheduler", "get_Default"},
    {"System.Threading", "CancellationToken", "get_None"},
};

static bool has_method(const struct metadata *md, uint32_t type, const char *name)
{
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; type != 0 && rid < rows.end; rid++)
        if (str_is(heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid)), name))
            return true;
    return false;
}

/* A program that was trimmed may lack some: its tests would fail. */
static bool core_has_all(struct profiler *p)
{
    struct module core;
    if (p->reflection.core == 0) /* it is not known; usual ones have all */
        return true;
    if (!instance_open_core(&core, p, NULL))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        if (!has_method(&core.md, type_named(&core.md, needed[i].space, needed[i].type),
                        needed[i].method))
            return false;
    return true;
}

/* --- the methods that they call --------------------------------------------------------------- */

struct definer {
    struct metadata_emit *emit;
    mdToken core;
    bool failed;
};

static mdToken type(struct definer *d, const char16_t *name)
{
    mdTypeRef token = 0;
    d->failed |= FAILED(d->emit->vtbl->DefineTypeRefByName(d->emit, d->core, name, &token));
    return token;
}

static mdToken member(struct definer *d, mdToken parent, const char16_t *name,
                      const struct writer *signature)
{
    mdMemberRef token = 0;
    d->failed |= signature->failed ||
                 FAILED(d->emit->vtbl->DefineMemberRef(d->emit, parent, name, signature->data,
                                                       (uint32_t)signature->len, &token));
    return token;
}

static mdToken spec(struct definer *d, const struct writer *signature)
{
    mdTypeSpec token = 0;
    d->failed |= signature->failed ||
                 FAILED(d->emit->vtbl->GetTokenFromTypeSpec(d->emit, signature->data,
                                                            (uint32_t)signature->len, &token));
    return token;
}

static uint32_t method(struct definer *d, const char16_t *name, const struct writer *signature)
{
    mdMethodDef token = 0;
    d->failed |=
        signature->failed ||
        FAILED(d->emit->vtbl->DefineMethod(d->emit, MODULE_TYPE, name, OUR_METHODS, signature->data,
                                           (uint32_t)signature->len, 0, 0, &token));
    return token;
}

static uint32_t signature_of(struct definer *d, const uint8_t *bytes, size_t len)
{
    uint32_t token = signatures_token(d->emit, bytes, len);
    d->failed |= token == 0;
    return token;
}

/* A signature that is being written. `kind` CLASS or VALUETYPE. */
struct signature {
    struct writer w;
    uint8_t room[SIGNATURE_ROOM];
};

static struct writer *begin(struct signature *s, const uint8_t *bytes, size_t len)
{
    wr_open_fixed(&s->w, s->room, sizeof s->room);
    if (len != 0)
        wr_bytes(&s->w, bytes, len);
    return &s->w;
}

#define BEGIN(s, ...)                                                                              \
    begin((s), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_type(struct writer *w, uint8_t kind, mdToken token)
{
    wr_u8(w, kind);
    signatures_write_type(w, token);
}

/* A generic type with one argument; its first byte or bytes follow. */
static void put_instance(struct writer *w, uint8_t kind, mdToken generic)
{
    wr_u8(w, ELEMENT_GENERICINST);
    put_type(w, kind, generic);
    wr_u8(w, 1);
}

static void define_text(struct owner_form *form, struct definer *d)
{
    struct signature s;
    mdToken type_type = type(d, u"System.Type"), string = type(d, u"System.String");
    put_type(BEGIN(&s, SIG_HAS_THIS, 0), ELEMENT_CLASS, type_type);
    form->get_type = member(d, type(d, u"System.Object"), u"GetType", &s.w);
    form->full_name =
        member(d, type_type, u"get_FullName", BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_STRING));
    form->string_length = member(d, string, u"get_Length", BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_I4));
    form->string_data = member(d, type(d, u"System.Runtime.CompilerServices.RuntimeHelpers"),
                               u"get_OffsetToStringData", BEGIN(&s, 0, 0, ELEMENT_I4));
    form->int64 = type(d, u"System.Int64");
}

static void define_handle(struct owner_form *form, struct definer *d)
{
    struct signature s;
    mdToken handle = type(d, u"System.Runtime.InteropServices.GCHandle");
    put_type(BEGIN(&s, 0, 1), ELEMENT_VALUETYPE, handle);
    wr_u8(&s.w, ELEMENT_OBJECT);
    form->alloc = member(d, handle, u"Alloc", &s.w);
    put_type(BEGIN(&s, 0, 1, ELEMENT_I), ELEMENT_VALUETYPE, handle);
    form->to_pointer = member(d, handle, u"ToIntPtr", &s.w);
}

static void define_local(struct owner_form *form, struct definer *d, mdToken args)
{
    struct signature s;
    mdToken local = type(d, u"System.Threading.AsyncLocal`1"), action = type(d, u"System.Action`1");
    put_instance(begin(&s, NULL, 0), ELEMENT_CLASS, local);
    wr_u8(&s.w, ELEMENT_OBJECT);
    mdToken of_object = spec(d, &s.w);
    put_instance(BEGIN(&s, SIG_HAS_THIS, 1, ELEMENT_VOID), ELEMENT_CLASS, action);
    put_instance(&s.w, ELEMENT_VALUETYPE, args);
    wr_bytes(&s.w, (const uint8_t[]){ELEMENT_VAR, 0}, 2);
    form->new_local = member(d, of_object, u".ctor", &s.w);
    form->get_value =
        member(d, of_object, u"get_Value", BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_VAR, 0));
    form->set_value = member(d, of_object, u"set_Value",
                             BEGIN(&s, SIG_HAS_THIS, 1, ELEMENT_VOID, ELEMENT_VAR, 0));
    put_instance(begin(&s, NULL, 0), ELEMENT_CLASS, action);
    put_instance(&s.w, ELEMENT_VALUETYPE, args);
    wr_u8(&s.w, ELEMENT_OBJECT);
    mdToken action_of_args = spec(d, &s.w);
    form->new_action = member(d, action_of_args, u".ctor",
                              BEGIN(&s, SIG_HAS_THIS, 2, ELEMENT_VOID, ELEMENT_OBJECT, ELEMENT_I));
}

static void define_args(struct owner_form *form, struct definer *d, mdToken args)
{
    struct signature s;
    put_instance(begin(&s, NULL, 0), ELEMENT_VALUETYPE, args);
    wr_u8(&s.w, ELEMENT_OBJECT);
    mdToken of_object = spec(d, &s.w);
    form->current_value =
        member(d, of_object, u"get_CurrentValue", BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_VAR, 0));
    put_instance(BEGIN(&s, 0, 1, ELEMENT_VOID), ELEMENT_VALUETYPE, args);
    wr_u8(&s.w, ELEMENT_OBJECT);
    form->switched = method(d, u"ilcov_switched", &s.w);
}

/* Action<Task, object>; all but the first bytes. */
static void put_task_action(struct writer *w, mdToken action, mdToken task)
{
    wr_u8(w, ELEMENT_GENERICINST);
    put_type(w, ELEMENT_CLASS, action);
    wr_u8(w, 2);
    put_type(w, ELEMENT_CLASS, task);
    wr_u8(w, ELEMENT_OBJECT);
}

static void define_task(struct owner_form *form, struct definer *d)
{
    struct signature s;
    mdToken task = type(d, u"System.Threading.Tasks.Task"), action = type(d, u"System.Action`2");
    mdToken scheduler = type(d, u"System.Threading.Tasks.TaskScheduler");
    mdToken options = type(d, u"System.Threading.Tasks.TaskContinuationOptions");
    mdToken cancellation = type(d, u"System.Threading.CancellationToken");
    form->task = task;
    form->is_completed =
        member(d, task, u"get_IsCompleted", BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_BOOLEAN));
    form->is_successful = member(d, task, u"get_IsCompletedSuccessfully",
                                 BEGIN(&s, SIG_HAS_THIS, 0, ELEMENT_BOOLEAN));
    put_type(BEGIN(&s, SIG_HAS_THIS, 5), ELEMENT_CLASS, task);
    put_task_action(&s.w, action, task);
    wr_u8(&s.w, ELEMENT_OBJECT);
    put_type(&s.w, ELEMENT_VALUETYPE, cancellation);
    put_type(&s.w, ELEMENT_VALUETYPE, options);
    put_type(&s.w, ELEMENT_CLASS, scheduler);
    form->continue_with = member(d, task, u"ContinueWith", &s.w);
    put_task_action(begin(&s, NULL, 0), action, task);
    mdToken of_task = spec(d, &s.w);
    form->new_task_action = member(
        d, of_task, u".ctor", BEGIN(&s, SIG_HAS_THIS, 2, ELEMENT_VOID, ELEMENT_OBJECT, ELEMENT_I));
    put_type(BEGIN(&s, 0, 0), ELEMENT_VALUETYPE, cancellation);
    form->no_cancellation = member(d, cancellation, u"get_None", &s.w);
    put_type(BEGIN(&s, 0, 0), ELEMENT_CLASS, scheduler);
    form->default_scheduler = member(d, scheduler, u"get_Default", &s.w);
    put_type(BEGIN(&s, 0, 2, ELEMENT_VOID), ELEMENT_CLASS, task);
    wr_u8(&s.w, ELEMENT_OBJECT);
    form->finished = method(d, u"ilcov_finished", &s.w);
}

static void define_library(struct owner_form *form, struct definer *d, struct profiler *p)
{
    static const uint8_t entered[] = {CALLCONV_UNMANAGED, 3,         ELEMENT_I8,
                                      ELEMENT_I4,         ELEMENT_I, ELEMENT_I4};
    static const uint8_t left[] = {CALLCONV_UNMANAGED, 0, ELEMENT_I8};
    static const uint8_t ended[] = {CALLCONV_UNMANAGED, 2, ELEMENT_VOID, ELEMENT_I8, ELEMENT_I4};
    static const uint8_t switch_to[] = {CALLCONV_UNMANAGED, 1, ELEMENT_VOID, ELEMENT_I8};
    static const uint8_t offer[] = {CALLCONV_UNMANAGED, 1, ELEMENT_VOID, ELEMENT_I};
    form->entered_sig = signature_of(d, entered, sizeof entered);
    form->left_sig = signature_of(d, left, sizeof left);
    form->ended_sig = signature_of(d, ended, sizeof ended);
    form->switch_to_sig = signature_of(d, switch_to, sizeof switch_to);
    form->offer_sig = signature_of(d, offer, sizeof offer);
    form->enter_locals = signature_of(d, owner_enter_locals, owner_enter_locals_len);
    form->leave_locals = signature_of(d, owner_leave_locals, owner_leave_locals_len);
    form->switched_locals = signature_of(d, owner_switched_locals, owner_switched_locals_len);
    form->entered = (uint64_t)(uintptr_t)owners_entered;
    form->left = (uint64_t)(uintptr_t)owners_left;
    form->ended = (uint64_t)(uintptr_t)owners_ended;
    form->switch_to = (uint64_t)(uintptr_t)owners_switch_to;
    form->offer = (uint64_t)(uintptr_t)owners_offer;
    form->cell = (uint64_t)(uintptr_t)&p->owners->handle;
}

/* The runtime keeps a pointer to the body. */
static bool give(struct profiler *p, struct covered_module *module, ModuleID id, uint32_t token,
                 const struct writer *body)
{
    mutex_lock(&module->bodies_lock);
    uint8_t *kept = body->failed ? NULL : arena_raw(&module->bodies, body->len, 4, NULL);
    mutex_unlock(&module->bodies_lock);
    if (kept == NULL)
        return false;
    memcpy(kept, body->data, body->len);
    return SUCCEEDED(p->info->vtbl->SetILFunctionBody(p->info, id, token, kept));
}

static bool define_all(struct owner_form *form, uint32_t *enter, uint32_t *leave,
                       struct metadata_emit *emit, struct profiler *p)
{
    struct signature s;
    struct definer d = {.emit = emit, .core = signatures_core_library(emit)};
    d.failed = d.core == 0;
    mdToken args = type(&d, u"System.Threading.AsyncLocalValueChangedArgs`1");
    define_text(form, &d);
    define_handle(form, &d);
    define_args(form, &d, args);
    define_local(form, &d, args);
    define_task(form, &d);
    define_library(form, &d, p);
    *enter = method(&d, u"ilcov_enter", BEGIN(&s, 0, 2, ELEMENT_I8, ELEMENT_OBJECT, ELEMENT_I4));
    *leave = method(&d, u"ilcov_leave",
                    BEGIN(&s, 0, 3, ELEMENT_VOID, ELEMENT_I8, ELEMENT_I4, ELEMENT_OBJECT));
    return !d.failed;
}

static bool write_all(struct profiler *p, struct covered_module *module, ModuleID id,
                      const struct owner_form *form, uint32_t enter, uint32_t leave,
                      struct arena *arena)
{
    struct writer bodies[4];
    for (unsigned i = 0; i < ARRAY_LEN(bodies); i++)
        wr_open(&bodies[i], arena);
    owner_write_enter(&bodies[0], form, arena);
    owner_write_leave(&bodies[1], form, arena);
    owner_write_switched(&bodies[2], form, arena);
    owner_write_finished(&bodies[3], form, arena);
    return give(p, module, id, enter, &bodies[0]) && give(p, module, id, leave, &bodies[1]) &&
           give(p, module, id, form->switched, &bodies[2]) &&
           give(p, module, id, form->finished, &bodies[3]);
}

static void define_static(struct covered_module *module, struct metadata_emit *emit)
{
    static const uint8_t enter[] = {CALLCONV_UNMANAGED, 1, ELEMENT_I8, ELEMENT_I4};
    static const uint8_t leave[] = {CALLCONV_UNMANAGED, 1, ELEMENT_VOID, ELEMENT_I8};
    module->enter_static = signatures_token(emit, enter, sizeof enter);
    module->leave_static = signatures_token(emit, leave, sizeof leave);
}

/* Why the tests of the module are not told apart, or NULL. */
static const char *define_methods(struct profiler *p, struct covered_module *module, ModuleID id,
                                  struct metadata_emit *emit)
{
    struct owner_form form;
    struct arena arena;
    uint32_t enter = 0, leave = 0;
    if (!core_has_all(p))
        return "the core library lacks what that needs: it may be trimmed";
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    bool is_done = define_all(&form, &enter, &leave, emit, p) &&
                   write_all(p, module, id, &form, enter, leave, &arena);
    arena_free(&arena);
    if (!is_done)
        return "the runtime accepts no new methods";
    module->enter = enter;
    module->leave = leave;
    return NULL;
}

void enclosures_define(struct profiler *p, struct covered_module *module, ModuleID id,
                       bool has_tests)
{
    struct metadata_emit *emit = (struct metadata_emit *)(void *)module->emit;
    const char *why = NULL;
    if (module->may_change) /* owners_meet_place tells */
        return;
    if (emit != NULL)
        define_static(module, emit);
    if (has_tests)
        why = emit != NULL ? define_methods(p, module, id, emit)
                           : "the runtime gives no access to its metadata";
    if (why != NULL)
        record_trouble(&p->record, "the tests of %.*s are not told apart: %s",
                       STR_ARGS(module->meta.name), why);
}

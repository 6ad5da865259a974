#include "profiler/reflection.h"

#include <string.h>

#include "metadata/lookup.h"
#include "profiler/hot_reload.h"
#include "profiler/signatures.h"
#include "rewriter/restore.h"

enum {
    OLDEST_MAJOR = 8, /* of the runtimes that this was tested with */
    NEWEST_MAJOR = 11,
    CLASS_FIELDS_MAX = 32,
    SCRATCH_LEN = 8192,
};

static const char asked_for[] = "GetMethodBody";

/* --- which modules may call it ---------------------------------------------------------------- */

static bool has_member_ref(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_MemberRef); rid++)
        if (str_is(row_string(md, COL_MemberRef_Name, rid), asked_for))
            return true;
    return false;
}

bool reflection_is_named(const struct metadata *md)
{
    uint8_t wide[2 * (sizeof asked_for - 1)];
    for (size_t i = 0; i < sizeof asked_for - 1; i++)
        store_u16(wide + 2 * i, (uint8_t)asked_for[i]);
    struct view narrow = md->strings, text = md->user_strings;
    return (narrow.len != 0 &&
            memmem(narrow.data, narrow.len, asked_for, sizeof asked_for) != NULL &&
            has_member_ref(md)) ||
           (text.len != 0 && memmem(text.data, text.len, wide, sizeof wide) != NULL);
}

/* --- answers to the added code ---------------------------------------------------------------- */

/* The method's original body and its metadata; empty if the runtime still has that body.
 * `code_size`: of the body that the runtime has, or 0 if that is not known. */
static struct view find_original(const struct metadata **md, ModuleID id, mdToken token,
                                 uint32_t code_size)
{
    const struct reflection *r = &g_profiler.reflection;
    const struct instrumented_module *module = instance_find_module(&g_profiler, id);
    uint32_t rid = TOKEN_RID(token);
    if (module != NULL) {
        *md = &module->meta.md;
        if (rid - 1 >= module->method_count ||
            atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) ==
                INSTRUMENTED_UNTOUCHED ||
            hot_reload_has_other_code(module, rid, code_size))
            return (struct view){NULL, 0};
        return counter_block_original(module->place, &module->meta, rid);
    }
    *md = &r->meta.md;
    for (unsigned i = 0; id == r->core && i < ARRAY_LEN(r->methods); i++)
        if (token == r->methods[i])
            return r->originals[i];
    return (struct view){NULL, 0};
}

/* Called by managed code that refers to the method, so its module can't be unloaded. */
static int64_t answer_restorer(ModuleID id, mdToken token, uint32_t question, uint32_t clause)
{
    uint8_t memory[SCRATCH_LEN];
    struct arena scratch;
    struct il_body body;
    struct view types;
    const struct metadata *md = NULL;
    uint32_t locals = 0;
    int64_t result = 0;
    struct view original =
        find_original(&md, id, token, question == RESTORE_CODE_SIZE ? clause : 0);
    arena_init(&scratch, memory, sizeof memory, ARENA_NO_LIMIT);
    if (original.len != 0 && body_parse(&body, original, &scratch) == VERDICT_OK &&
        sig_locals(&locals, &types, md, body.local_sig, NULL))
        result = restore_answer(&body, locals, question, clause);
    arena_free(&scratch);
    return result;
}

/* --- what the added code needs from the core library ------------------------------------------ */

struct wanted_method {
    const char *type_namespace, *type, *name, *params;
    uint8_t flags, result; /* SIG_HAS_THIS or 0; the returned element type */
};

static const struct wanted_method wanted_module_id = {
    "System.Reflection", "RuntimeModule", "GetUnderlyingNativeHandle", "()",
    SIG_HAS_THIS,        ELEMENT_I};
static const struct wanted_method wanted_object_ref = {"System.Runtime.CompilerServices",
                                                       "RuntimeHelpers",
                                                       "GetRawData",
                                                       "(System.Object)",
                                                       0,
                                                       ELEMENT_BYREF};
static const struct wanted_method wanted_copy_array = {
    "System", "Array", "Copy", "(System.Array,System.Array,System.Int32)", 0, ELEMENT_VOID};

/* The classes with their own GetMethodBody. */
static const char *const owners[2] = {"RuntimeMethodInfo", "RuntimeConstructorInfo"};

static bool is_wanted_method(const struct metadata *md, uint32_t rid,
                             const struct wanted_method *wanted, struct arena *scratch)
{
    struct method_sig sig;
    struct str params;
    struct view blob = row_blob(md, COL_MethodDef_Signature, rid);
    return str_is(row_string(md, COL_MethodDef_Name, rid), wanted->name) &&
           sig_method(&sig, blob, NULL) && sig.flags == wanted->flags &&
           sig_first_element(sig.return_type) == wanted->result &&
           name_method_signature(&params, md, rid, scratch, NULL) && str_is(params, wanted->params);
}

static bool find_core_method(mdToken *out, const struct metadata *md,
                             const struct wanted_method *wanted, struct arena *scratch,
                             struct err *err)
{
    uint32_t type = type_named(md, wanted->type_namespace, wanted->type);
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; type != 0 && rid < rows.end; rid++) {
        if (is_wanted_method(md, rid, wanted, scratch)) {
            *out = TOKEN(TABLE_MethodDef, rid);
            return true;
        }
    }
    return err_set(err, ERR_UNSUPPORTED, "the runtime has no %s.%s%s", wanted->type, wanted->name,
                   wanted->params);
}

static bool find_own_method(mdToken *out, const struct metadata *md, unsigned owner,
                            const char *name, enum element_type result, struct arena *scratch,
                            struct err *err)
{
    const struct wanted_method wanted = {"System.Reflection", owners[owner],  name, "()",
                                         SIG_HAS_THIS,        (uint8_t)result};
    return find_core_method(out, md, &wanted, scratch, err);
}

static bool find_class(uint32_t *out, const struct metadata *md, const char *type_namespace,
                       const char *name, struct err *err)
{
    uint32_t rid = type_named(md, type_namespace, name);
    *out = TOKEN(TABLE_TypeDef, rid);
    return rid != 0 ||
           err_set(err, ERR_UNSUPPORTED, "the runtime has no %s.%s", type_namespace, name);
}

/* The field offsets of a class of the core library. */
struct class_layout {
    const char *name;
    COR_FIELD_OFFSET fields[CLASS_FIELDS_MAX];
    uint32_t count;
};

static bool read_layout(struct class_layout *out, struct profiler *p, const char *name,
                        struct err *err)
{
    const struct reflection *r = &p->reflection;
    const struct profiler_info_vtbl *info = p->info->vtbl;
    ClassID class_id = 0;
    uint32_t token = 0, size = 0;
    out->name = name;
    if (!find_class(&token, &r->meta.md, "System.Reflection", name, err))
        return false;
    HRESULT hr = info->GetClassFromToken(p->info, r->core, token, &class_id);
    if (SUCCEEDED(hr))
        hr = info->GetClassLayout(p->info, class_id, out->fields, CLASS_FIELDS_MAX, &out->count,
                                  &size);
    if (FAILED(hr) || out->count > CLASS_FIELDS_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "the runtime does not report the layout of %s (0x%08x)", name, (unsigned)hr);
    return true;
}

static bool find_class_field(uint32_t *offset, const struct metadata *md,
                             const struct class_layout *layout, const char *name,
                             enum element_type element, struct err *err)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        const COR_FIELD_OFFSET *field = &layout->fields[i];
        uint32_t rid = TOKEN_RID(field->ridOfField);
        if (str_is(row_string(md, COL_Field_Name, rid), name) &&
            sig_first_element(sig_of_field(md, field->ridOfField)) == element &&
            field->ulOffset >= sizeof(void *)) {
            *offset = field->ulOffset - (uint32_t)sizeof(void *); /* from after the class pointer */
            return true;
        }
    }
    return err_set(err, ERR_UNSUPPORTED, "the runtime's %s has no field %s of the expected type",
                   layout->name, name);
}

static bool find_fields(struct restore_form *form, struct profiler *p, struct err *err)
{
    enum {
        BODY,
        CLAUSE
    };
    static const struct {
        const char *name;
        uint8_t owner, element;
    } wanted[] = {
#define FIELD(name, owner, text, element) {text, owner, ELEMENT_##element},
        RESTORE_FIELDS(FIELD)
#undef FIELD
    };
    struct class_layout layouts[2];
    if (!read_layout(&layouts[BODY], p, "RuntimeMethodBody", err) ||
        !read_layout(&layouts[CLAUSE], p, "RuntimeExceptionHandlingClause", err))
        return false;
    for (unsigned i = 0; i < ARRAY_LEN(wanted); i++)
        if (!find_class_field(&form->offset[i], &p->reflection.meta.md, &layouts[wanted[i].owner],
                              wanted[i].name, (enum element_type)wanted[i].element, err))
            return false;
    return true;
}

/* The parts that both methods share. */
static bool find_parts(struct restore_form *form, struct profiler *p, struct arena *scratch,
                       struct err *err)
{
    const struct metadata *md = &p->reflection.meta.md;
    form->ask = (uint64_t)(uintptr_t)answer_restorer;
    return find_core_method(&form->module_id, md, &wanted_module_id, scratch, err) &&
           find_core_method(&form->object_ref, md, &wanted_object_ref, scratch, err) &&
           find_core_method(&form->copy_array, md, &wanted_copy_array, scratch, err) &&
           find_class(&form->byte_type, md, "System", "Byte", err) &&
           find_class(&form->local_type, md, "System.Reflection", "RuntimeLocalVariableInfo",
                      err) &&
           find_class(&form->clause_type, md, "System.Reflection", "RuntimeExceptionHandlingClause",
                      err) &&
           find_fields(form, p, err);
}

/* --- the change ------------------------------------------------------------------------------- */

/* False if the method is already compiled, because that code would keep the old body. If the core
 * library is in scope, the method's current body has probes; marking it done keeps method_compile
 * from replacing the body again. */
static bool claim_method(struct profiler *p, mdToken token)
{
    FunctionID function = 0;
    const uint8_t *code = NULL;
    uint32_t len = 0;
    struct instrumented_module *core = instance_find_module(p, p->reflection.core);
    if (SUCCEEDED(
            p->info->vtbl->GetFunctionFromToken(p->info, p->reflection.core, token, &function)) &&
        SUCCEEDED(p->info->vtbl->GetCodeInfo(p->info, function, &code, &len)))
        return false;
    if (core == NULL || TOKEN_RID(token) - 1 >= core->method_count)
        return core == NULL;
    _Atomic uint8_t *state = &core->states[TOKEN_RID(token) - 1];
    uint8_t was = atomic_load_explicit(state, memory_order_acquire);
    return was == INSTRUMENTED_UNTOUCHED ||
           ((was == INSTRUMENTED_HAS_OPEN_BODY || was == INSTRUMENTED_HAS_LAST_BODY) &&
            atomic_compare_exchange_strong_explicit(state, &was, INSTRUMENTED_DONE,
                                                    memory_order_acq_rel, memory_order_relaxed));
}

/* One of the two methods, and the methods of its own class that it calls. */
static bool find_restorer_owner(struct restore_form *form, struct profiler *p, unsigned owner,
                                struct arena *scratch, struct err *err)
{
    struct reflection *r = &p->reflection;
    const struct metadata *md = &r->meta.md;
    mdToken *method = &r->methods[owner];
    struct method_def def;
    if (!find_own_method(method, md, owner, asked_for, ELEMENT_CLASS, scratch, err) ||
        !find_own_method(&form->get_module, md, owner, "GetRuntimeModule", ELEMENT_CLASS, scratch,
                         err) ||
        !find_own_method(&form->get_token, md, owner, "get_MetadataToken", ELEMENT_I4, scratch,
                         err))
        return false;
    if (!module_method(&def, &r->meta, TOKEN_RID(*method)))
        return err_set(err, ERR_UNSUPPORTED, "the runtime's %s has no IL", asked_for);
    r->originals[owner] = def.body;
    return claim_method(p, *method) ||
           err_set(err, ERR_UNSUPPORTED, "%s had already been called", asked_for);
}

/* Locals of which the first may keep the result when the method's own code is over: the method's
 * own, or, if it has none, those of another signature of the file (rewriter/anchor.h). 0: none is
 * known. */
static uint32_t find_locals(const struct metadata *md, uint32_t own)
{
    static const uint8_t object[] = {SIG_LOCALS, 1, ELEMENT_OBJECT};
    uint32_t count = 0;
    struct view types;
    if (!sig_locals(&count, &types, md, own, NULL))
        return 0;
    if (count != 0)
        return sig_first_element(types) == ELEMENT_CLASS ? own : 0;
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_StandAloneSig); rid++) {
        struct view blob = row_blob(md, COL_StandAloneSig_Signature, rid);
        if (blob.len == sizeof object && memcmp(blob.data, object, sizeof object) == 0)
            return TOKEN(TABLE_StandAloneSig, rid);
    }
    return 0;
}

static bool make_body(struct writer *out, struct profiler *p, mdToken method,
                      struct restore_form *form, struct metadata_emit *emit, struct arena *scratch,
                      struct err *err)
{
    struct il_body body;
    struct view bytes;
    uint32_t len = 0;
    HRESULT hr =
        p->info->vtbl->GetILFunctionBody(p->info, p->reflection.core, method, &bytes.data, &len);
    bytes.len = len;
    if (FAILED(hr) || body_parse(&body, bytes, scratch) != VERDICT_OK)
        return err_set(err, ERR_UNSUPPORTED, "the runtime's %s cannot be read", asked_for);
    form->local_sig = find_locals(&p->reflection.meta.md, body.local_sig);
    form->ask_sig = signatures_token(emit, restore_ask_sig, restore_ask_sig_len);
    if (form->ask_sig == 0)
        return err_set(err, ERR_UNSUPPORTED, "the runtime accepts no new signatures");
    return (form->local_sig != 0 && restore_write(out, &body, form, scratch)) ||
           err_set(err, ERR_UNSUPPORTED, "the runtime's %s is not one that ilcov knows", asked_for);
}

static bool make_bodies(struct writer bodies[2], struct profiler *p, struct arena *scratch,
                        struct err *err)
{
    struct restore_form forms[2] = {{.ask = 0}};
    if (!find_parts(&forms[0], p, scratch, err))
        return false;
    forms[1] = forms[0];
    if (!find_restorer_owner(&forms[0], p, 0, scratch, err) ||
        !find_restorer_owner(&forms[1], p, 1, scratch, err))
        return false;
    struct metadata_emit *emit = signatures_emit(p->info, p->reflection.core);
    if (emit == NULL)
        return err_set(err, ERR_UNSUPPORTED, "the runtime accepts no new signatures");
    bool made = true;
    for (unsigned i = 0; made && i < 2; i++)
        made = make_body(&bodies[i], p, p->reflection.methods[i], &forms[i], emit, scratch, err);
    (void)emit->vtbl->Release(emit);
    return made;
}

static bool open_core(struct profiler *p, struct err *err)
{
    struct reflection *r = &p->reflection;
    if (r->core == 0 || r->runtime_major < OLDEST_MAJOR || r->runtime_major > NEWEST_MAJOR)
        return err_set(err, ERR_UNSUPPORTED, "hiding them is supported for .NET %d to %d, not %u",
                       OLDEST_MAJOR, NEWEST_MAJOR, r->runtime_major);
    return instance_open_core(&r->meta, p, err);
}

/* The bodies' memory is never freed. */
static bool keep_restorer(struct view *out, struct profiler *p, const struct writer *body,
                          struct err *err)
{
    mutex_lock(&p->layout_lock);
    bool kept = view_copy(out, (struct view){body->data, body->len}, &p->arena, err);
    mutex_unlock(&p->layout_lock);
    return kept;
}

static bool give_restorers(struct profiler *p, const struct writer bodies[2], struct err *err)
{
    struct reflection *r = &p->reflection;
    struct view kept[2];
    if (!keep_restorer(&kept[0], p, &bodies[0], err) ||
        !keep_restorer(&kept[1], p, &bodies[1], err))
        return false;
    instance_pin_library();
    atomic_store_explicit(&r->is_armed, true, memory_order_release);
    HRESULT hr = instance_add_events(p, COR_PRF_MONITOR_CACHE_SEARCHES);
    for (unsigned i = 0; SUCCEEDED(hr) && i < 2; i++)
        hr = p->info->vtbl->SetILFunctionBody(p->info, r->core, r->methods[i], kept[i].data);
    return SUCCEEDED(hr) ||
           err_set(err, ERR_UNSUPPORTED, "the runtime answers 0x%08x", (unsigned)hr);
}

void reflection_watch(struct profiler *p, ModuleID id, const struct module *module)
{
    struct writer bodies[2];
    struct err err;
    if (id == p->reflection.core || !reflection_is_named(&module->md) ||
        atomic_exchange_explicit(&p->reflection.is_asked, true, memory_order_relaxed))
        return;
    struct arena scratch = ARENA_EMPTY;
    bodies[0] = wr_in(&scratch);
    bodies[1] = wr_in(&scratch);
    if (!open_core(p, &err) || !make_bodies(bodies, p, &scratch, &err) ||
        !give_restorers(p, bodies, &err))
        record_warning(&p->record,
                       "GetMethodBody, which %.*s may call, shows methods with ilcov's probes: %s",
                       STR_ARGS(module->name), err.text);
    arena_free(&scratch);
}

bool reflection_has_changed(const struct profiler *p, ModuleID id, mdToken method)
{
    const struct reflection *r = &p->reflection;
    return atomic_load_explicit(&r->is_armed, memory_order_acquire) && id == r->core &&
           (method == r->methods[0] || method == r->methods[1]);
}

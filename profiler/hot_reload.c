#include "profiler/hot_reload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "system/process.h"

enum {
    SILENT_MAJOR = 11 /* from it on, nobody is told that changed code is compiled */
};

/* --- which modules ---------------------------------------------------------------------------- */

/* The value as the runtime takes it: any case, with blanks around it. */
static bool says_debug(struct str value)
{
    return str_eq_nocase(str_trim(value, " \t\r\n\v\f"), STR("debug"));
}

static bool is_number_set(struct str value)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%.*s", STR_ARGS(value));
    return strtoul(digits, NULL, 16) != 0;
}

static const struct {
    const char *name;
    bool (*allows)(struct str value);
} settings[] = {
    {"DOTNET_MODIFIABLE_ASSEMBLIES", says_debug},
    {"COMPlus_MODIFIABLE_ASSEMBLIES", says_debug},
    {"DOTNET_ForceEnc", is_number_set},
    {"COMPlus_ForceEnc", is_number_set},
};

bool hot_reload_is_set_by(struct str variable)
{
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        size_t len = strlen(settings[i].name);
        if (str_starts(variable, settings[i].name) && variable.len > len &&
            variable.text[len] == '=' &&
            settings[i].allows((struct str){variable.text + len + 1, variable.len - len - 1}))
            return true;
    }
    return false;
}

static bool is_set_now(void)
{
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        const char *value = getenv(settings[i].name);
        if (value != NULL && settings[i].allows(str_of(value)))
            return true;
    }
    return false;
}

/* Variables with a NUL after each. */
static bool is_set_in(struct str variables)
{
    while (variables.len != 0) {
        struct str variable = {variables.text, strnlen(variables.text, variables.len)};
        if (hot_reload_is_set_by(variable))
            return true;
        size_t len = variable.len < variables.len ? variable.len + 1 : variable.len;
        variables = (struct str){variables.text + len, variables.len - len};
    }
    return false;
}

/* The runtime reads its settings when it starts. A program that runs already may have changed its
 * variables since, and other threads of it may be changing them right now. */
void hot_reload_learn(struct profiler *p)
{
    struct str at_start;
    struct err err;
    if (!p->attached) {
        p->is_hot_reload_set = is_set_now();
        return;
    }
    struct arena arena = ARENA_EMPTY;
    p->is_hot_reload_set =
        process_program_environment(&at_start, PROCESS_SELF, &arena, &err) && is_set_in(at_start);
    arena_free(&arena);
}

/* A debugger may have made the module changeable, too. A request for a method that there is not
 * changes nothing, and is refused with a reason of its own if the module is changeable. */
static bool ask_if_changeable(struct profiler *p, ModuleID id)
{
    ModuleID modules[] = {id};
    mdMethodDef no_method[] = {TOKEN(TABLE_MethodDef, 0xFFFFFF)};
    HRESULT hr = instance_add_events(p, COR_PRF_ENABLE_REJIT);
    if (FAILED(hr))
        return false;
    hr = p->info->vtbl->RequestReJITWithInliners(
        p->info, COR_PRF_REJIT_BLOCK_INLINING | COR_PRF_REJIT_INLINING_CALLBACKS, 1, modules,
        no_method);
    return hr == CORPROF_E_MODULE_IS_ENC || catch_up_is_changeable(&p->catch_up, id);
}

/* Whatever allows it, only code that was compiled without optimisation can be changed, and never
 * the core library. */
bool hot_reload_may_change(struct profiler *p, ModuleID id, const struct module *meta)
{
    if (meta->md.optimised || str_is(meta->name, "System.Private.CoreLib"))
        return false;
    return p->is_hot_reload_set || (p->attached && ask_if_changeable(p, id));
}

/* --- which methods ---------------------------------------------------------------------------- */

/* The body that the runtime has as long as the program changes none. */
static const uint8_t *given_body(const struct instrumented_module *module, uint32_t rid)
{
    const uint8_t *new = module->place->methods[rid - 1].body;
    return new != NULL ? new : counter_block_original(module->place, &module->meta, rid).data;
}

/* The runtime can't be asked: the caller is managed code. A body of ours has a fat header, with the
 * size of its code at byte 4 (II.25.4.3). */
bool hot_reload_has_other_code(const struct instrumented_module *module, uint32_t method_rid,
                               uint32_t code_size)
{
    if (!module->may_change)
        return false;
    uint8_t state = atomic_load_explicit(&module->states[method_rid - 1], memory_order_acquire);
    return state == INSTRUMENTED_CHANGED ||
           (code_size != 0 && load_u32(given_body(module, method_rid) + 4) != code_size);
}

/* "N.Outer/Inner.Method"; empty without memory, and for a method that was added. */
static struct str name_changed_method(const struct instrumented_module *module, uint32_t rid,
                                      struct arena *arena)
{
    const struct metadata *md = &module->meta.md;
    struct str type, method, whole;
    if (rid > module->method_count ||
        !name_type(&type, md, TOKEN(TABLE_TypeDef, owner_of_method(md, rid)), arena, NULL) ||
        !name_method(&method, md, rid, arena, NULL) ||
        !text_format(&whole, arena, NULL, "%.*s.%.*s", STR_ARGS(type), STR_ARGS(method)))
        return STR("");
    return whole;
}

static void record_changed(struct profiler *p, const struct instrumented_module *module,
                           uint32_t rid)
{
    char mvid[HEX_ROOM(sizeof module->meta.mvid)], row[16];
    struct arena arena = ARENA_EMPTY;
    (void)snprintf(row, sizeof row, "%u", rid);
    const struct str fields[] = {module->meta.name,
                                 str_of(hex_of(mvid, module->meta.mvid, sizeof module->meta.mvid)),
                                 str_of(row), name_changed_method(module, rid, &arena)};
    record_line(&p->record, rid > module->method_count ? "added" : "changed", fields,
                ARRAY_LEN(fields));
    arena_free(&arena);
}

/* Ours has the offsets of the body that it was made for. */
static void drop_map(struct profiler *p, FunctionID function)
{
    COR_IL_MAP none = {0, 0, 1};
    (void)p->info->vtbl->SetILInstrumentedCodeMap(p->info, function, 1, 0, &none);
}

bool hot_reload_has_changed(struct profiler *p, struct instrumented_module *module,
                            mdMethodDef token, FunctionID function)
{
    uint32_t rid = TOKEN_RID(token), len = 0;
    const uint8_t *body = NULL;
    if (rid - 1 >= module->method_count) {
        record_changed(p, module, rid);
        return true;
    }
    ModuleID id = atomic_load_explicit(&module->id, memory_order_relaxed);
    HRESULT hr = p->info->vtbl->GetILFunctionBody(p->info, id, token, &body, &len);
    if (FAILED(hr) || body == given_body(module, rid))
        return false;
    uint8_t state = atomic_exchange_explicit(&module->states[rid - 1], INSTRUMENTED_CHANGED,
                                             memory_order_acq_rel);
    if (state != INSTRUMENTED_CHANGED && state != INSTRUMENTED_UNTOUCHED) {
        drop_map(p, function);
        record_changed(p, module, rid);
    }
    return true;
}

/* A changed method has its code elsewhere than in the file. */
static void record_new(struct profiler *p, struct instrumented_module *module,
                       struct metadata_import *import)
{
    const struct tables *tables = &module->meta.md.tables;
    uint32_t rva = 0;
    for (uint32_t rid = 1;
         SUCCEEDED(import->vtbl->GetMethodProps(import, TOKEN(TABLE_MethodDef, rid), NULL, NULL, 0,
                                                NULL, NULL, NULL, NULL, &rva, NULL));
         rid++)
        if (rid > module->method_count ||
            (rva != tables_get(tables, COL_MethodDef_RVA, rid) &&
             atomic_load_explicit(&module->states[rid - 1], memory_order_relaxed) !=
                 INSTRUMENTED_UNTOUCHED))
            record_changed(p, module, rid);
}

void hot_reload_finish(struct profiler *p)
{
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    for (; module != NULL && p->reflection.runtime_major >= SILENT_MAJOR; module = module->next) {
        ModuleID id = atomic_load_explicit(&module->id, memory_order_relaxed);
        struct metadata_import *import =
            module->may_change && id != 0 ? instance_import(p, id) : NULL;
        if (import == NULL)
            continue;
        record_new(p, module, import);
        (void)import->vtbl->Release(import);
    }
}

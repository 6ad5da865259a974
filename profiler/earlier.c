#include "profiler/earlier.h"

#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/text.h"
#include "metadata/lookup.h"
#include "profiler/walk.h"
#include "rewriter/stack.h"

enum {
    IMPL_NO_INLINING = 0x8,     /* II.23.1.11 */
    METHOD_ATTR_VIRTUAL = 0x40, /* II.23.1.10 */
};

/* --- what the runtime has compiled ------------------------------------------------------------ */

static bool is_generic(const struct metadata *md, uint32_t token)
{
    uint32_t owner = coded_from_token(CODED_TYPE_OR_METHOD_DEF, token);
    return tables_find(&md->tables, COL_GenericParam_Owner, owner) != 0;
}

/* Has the method one function for all its code, which a token names? */
static bool is_one_function(const struct metadata *md, uint32_t rid)
{
    uint32_t owner = owner_of_method(md, rid);
    uint32_t flags = (uint32_t)tables_get(&md->tables, COL_MethodDef_Flags, rid);
    return (tables_get(&md->tables, COL_MethodDef_ImplFlags, rid) & IMPL_ASYNC) == 0 &&
           owner != 0 && !is_generic(md, TOKEN(TABLE_MethodDef, rid)) &&
           !is_generic(md, TOKEN(TABLE_TypeDef, owner)) &&
           ((flags & METHOD_ATTR_VIRTUAL) == 0 || !type_is_structure(md, owner));
}

static bool is_never_inlined(const struct instrumented_module *module, uint32_t rid)
{
    const struct metadata *md = &module->meta.md;
    return !md->optimised ||
           (tables_get(&md->tables, COL_MethodDef_ImplFlags, rid) & IMPL_NO_INLINING) != 0;
}

/* What was compiled for ReJIT alone ran with probes. */
static bool is_compiled(struct profiler *p, FunctionID function)
{
    const uint8_t *code = NULL;
    uint32_t len = 0;
    return p->info->vtbl->GetCodeInfo(p->info, function, &code, &len) !=
           CORPROF_E_FUNCTION_NOT_COMPILED;
}

static bool may_have_run(struct profiler *p, const struct instrumented_module *module, ModuleID id,
                         uint32_t rid)
{
    FunctionID function = 0;
    if (module->precompiled || !is_never_inlined(module, rid) ||
        !is_one_function(&module->meta.md, rid))
        return true;
    return SUCCEEDED(p->info->vtbl->GetFunctionFromToken(p->info, id, TOKEN(TABLE_MethodDef, rid),
                                                         &function)) &&
           is_compiled(p, function);
}

static bool is_touched(const struct instrumented_module *module, uint32_t rid)
{
    return rid != 0 && rid <= module->method_count &&
           atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) !=
               INSTRUMENTED_UNTOUCHED;
}

static void note_compiled(struct profiler *p, const struct instrumented_module *module, ModuleID id)
{
    for (uint32_t rid = 1; rid <= module->method_count; rid++)
        if (is_touched(module, rid) && may_have_run(p, module, id, rid))
            counter_file_add_verdict(&module->place->file, VERDICT_MAY_HAVE_RUN, rid);
}

/* --- what is on a stack ----------------------------------------------------------------------- */

/* Without the stacks, what runs only may have run. */
static struct str read_stacks(struct profiler *p, struct arena *arena)
{
    struct text text = text_in(arena);
    if (FAILED(walk_stacks(p, &text)) || text.failed)
        return (struct str){NULL, 0};
    return (struct str){text.data, text.len};
}

/* frame <path> <mvid> <token> ... (contract/protocol.h) */
static void note_running(const struct instrumented_module *module, struct str stacks)
{
    char mvid[HEX_ROOM(sizeof module->meta.mvid)];
    (void)hex_of(mvid, module->meta.mvid, sizeof module->meta.mvid);
    while (stacks.len != 0) {
        struct str line = str_take_until(&stacks, '\n');
        if (!str_take(&line, "frame\t"))
            continue;
        (void)str_take_until(&line, '\t');
        struct str of = str_take_until(&line, '\t'), token = str_take_until(&line, '\t');
        uint32_t rid = token.len == 10 ? TOKEN_RID((uint32_t)strtoul(token.text, NULL, 16)) : 0;
        if (is_touched(module, rid) && str_is(of, mvid))
            counter_file_add_verdict(&module->place->file, VERDICT_WAS_RUNNING, rid);
    }
}

void earlier_note(struct profiler *p)
{
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    if (module == NULL)
        return;
    struct arena arena = ARENA_EMPTY;
    struct str stacks = read_stacks(p, &arena);
    for (; module != NULL; module = module->next) {
        ModuleID id = atomic_load_explicit(&module->id, memory_order_acquire);
        if (id == 0 || !catch_up_holds(&p->catch_up, id))
            continue;
        note_compiled(p, module, id);
        note_running(module, stacks);
        catch_up_has_taken(&p->catch_up);
    }
    arena_free(&arena);
}

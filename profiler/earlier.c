#include "profiler/earlier.h"

#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "metadata/lookup.h"
#include "profiler/walk.h"
#include "rewriter/stack.h"

enum {
    FUNCTIONS_AT_ONCE = 128,
    IMPL_NO_INLINING = 0x8,     /* II.23.1.11 */
    METHOD_ATTR_VIRTUAL = 0x40, /* II.23.1.10 */
};

/* --- what the runtime has compiled ------------------------------------------------------------ */

static int by_id(const void *left, const void *right)
{
    const FunctionID *a = left, *b = right;
    return number_order(*a, *b);
}

/* Without what was compiled for ReJIT. */
static bool list_compiled(struct list *out, struct profiler *p, struct arena *arena)
{
    struct function_enum *functions = NULL;
    COR_PRF_FUNCTION some[FUNCTIONS_AT_ONCE];
    uint32_t count = 0;
    bool ok = SUCCEEDED(p->info->vtbl->EnumJITedFunctions2(p->info, &functions));
    if (!ok)
        return false;
    do {
        ok = SUCCEEDED(functions->vtbl->Next(functions, FUNCTIONS_AT_ONCE, some, &count));
        for (uint32_t i = 0; ok && i < count; i++) {
            FunctionID *id =
                some[i].reJitId == 0 ? list_add(out, sizeof *id, arena, NULL) : &some[i].functionId;
            ok = id != NULL;
            if (ok)
                *id = some[i].functionId;
        }
    } while (ok && count != 0);
    (void)functions->vtbl->Release(functions);
    if (out->count != 0)
        qsort(out->items, out->count, sizeof(FunctionID), by_id);
    return ok;
}

static bool is_generic(const struct metadata *md, uint32_t token)
{
    uint32_t owner = coded_from_token(CODED_TYPE_OR_METHOD_DEF, token);
    uint32_t first = tables_find(&md->tables, COL_GenericParam_Owner, owner);
    return first != 0 && tables_get(&md->tables, COL_GenericParam_Owner, first) == owner;
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

static bool is_never_inlined(const struct covered_module *module, uint32_t rid)
{
    const struct metadata *md = &module->meta.md;
    return !md->optimised ||
           (tables_get(&md->tables, COL_MethodDef_ImplFlags, rid) & IMPL_NO_INLINING) != 0;
}

static bool may_have_run(struct profiler *p, const struct covered_module *module, ModuleID id,
                         uint32_t rid, const struct list *compiled)
{
    FunctionID function = 0;
    if (module->precompiled || !is_never_inlined(module, rid) ||
        !is_one_function(&module->meta.md, rid))
        return true;
    return SUCCEEDED(p->info->vtbl->GetFunctionFromToken(p->info, id, TOKEN(TABLE_MethodDef, rid),
                                                         &function)) &&
           compiled->count != 0 &&
           bsearch(&function, compiled->items, compiled->count, sizeof function, by_id) != NULL;
}

/* What is in scope of an attached library does not unload. */
static void note_module(struct profiler *p, const struct covered_module *module,
                        const struct list *compiled)
{
    ModuleID id = atomic_load_explicit(&module->id, memory_order_acquire);
    for (uint32_t rid = 1; id != 0 && rid <= module->method_count; rid++)
        if (atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) !=
                COVERED_UNTOUCHED &&
            (compiled == NULL || may_have_run(p, module, id, rid, compiled)))
            counter_file_add_verdict(&module->place->file, VERDICT_MAY_HAVE_RUN, rid);
}

/* --- what is on a stack ----------------------------------------------------------------------- */

/* frame <path> <mvid> <token> ... (contract/protocol.h) */
static void note_frame(struct profiler *p, struct str line)
{
    char mvid[HEX_ROOM(16)];
    if (!str_take(&line, "frame\t"))
        return;
    (void)str_take_until(&line, '\t');
    struct str of = str_take_until(&line, '\t'), token = str_take_until(&line, '\t');
    uint32_t rid = token.len == 10 ? TOKEN_RID((uint32_t)strtoul(token.text, NULL, 16)) : 0;
    for (struct covered_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
         module != NULL; module = module->next)
        if (atomic_load_explicit(&module->id, memory_order_acquire) != 0 && rid != 0 &&
            rid <= module->method_count &&
            atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) !=
                COVERED_UNTOUCHED &&
            str_is(of, hex_of(mvid, module->meta.mvid, sizeof module->meta.mvid)))
            counter_file_add_verdict(&module->place->file, VERDICT_WAS_RUNNING, rid);
}

/* Without the stacks, what runs only may have run. */
static void note_stacks(struct profiler *p, struct arena *arena)
{
    struct text text;
    text_open(&text, arena);
    if (FAILED(walk_stacks(p, &text)) || text.failed)
        return;
    for (struct str lines = {text.data, text.len}; lines.len != 0;)
        note_frame(p, str_take_until(&lines, '\n'));
}

void earlier_note(struct profiler *p)
{
    struct arena arena;
    struct list compiled = {NULL, 0, 0};
    struct covered_module *first = atomic_load_explicit(&p->modules, memory_order_acquire);
    if (first == NULL)
        return;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    bool is_known = list_compiled(&compiled, p, &arena);
    for (struct covered_module *module = first; module != NULL; module = module->next)
        note_module(p, module, is_known ? &compiled : NULL);
    note_stacks(p, &arena);
    arena_free(&arena);
}

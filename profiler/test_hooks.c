#include "profiler/test_hooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/utf16.h"
#include "metadata/lookup.h"
#include "profiler/signatures.h"
#include "rewriter/stack.h"
#include "scope/test_methods.h"

enum {
    METHOD_STATIC = 0x10,
    CALLCONV_UNMANAGED = 0x9,
    SIGNATURE_ROOM = 64,
};

/* --- which methods ---------------------------------------------------------------------------- */

static bool is_object(const struct metadata *md, uint32_t rid)
{
    return (tables_get(&md->tables, COL_MethodDef_Flags, rid) & METHOD_STATIC) == 0 &&
           !type_is_structure(md, owner_of_method(md, rid));
}

static bool is_class_constructor(const struct metadata *md, uint32_t rid)
{
    return str_is(row_string(md, COL_MethodDef_Name, rid), ".cctor") &&
           tables_get(&md->tables, COL_MethodDef_RVA, rid) != 0;
}

/* Is the method enclosed, as what? */
static bool find_context_kind(enum context_kind *kind, const struct metadata *md,
                              const uint8_t *parts, uint32_t rid)
{
    enum test_part part = parts != NULL ? (enum test_part)parts[rid - 1] : TEST_PART_NONE;
    *kind = part == TEST_PART_TEST   ? CONTEXT_TEST
            : part != TEST_PART_NONE ? CONTEXT_CLASS
                                     : CONTEXT_STATIC;
    return part != TEST_PART_NONE || is_class_constructor(md, rid);
}

static bool add_sites(struct profiler *p, struct counter_block *place,
                      struct enclosed_method *enclosed, const struct metadata *md,
                      const uint8_t *parts)
{
    enum context_kind kind;
    for (uint32_t rid = 1; rid <= place->method_count; rid++) {
        if (!find_context_kind(&kind, md, parts, rid))
            continue;
        uint32_t impl_flags = tables_get(&md->tables, COL_MethodDef_ImplFlags, rid);
        const struct context_site site = {.kind = kind,
                                          .leaves_early = (impl_flags & IMPL_ASYNC) != 0,
                                          .mvid = place->mvid,
                                          .rid = rid};
        uint32_t number = contexts_add_site(p, &site);
        if (number == 0)
            return false;
        enclosed[place->enclosed_count++] = (struct enclosed_method){
            rid, number, kind != CONTEXT_STATIC && is_object(md, rid), kind == CONTEXT_STATIC};
    }
    return true;
}

bool test_hooks_find(struct profiler *p, struct counter_block *place, const struct metadata *md,
                     bool has_tests)
{
    uint8_t *parts = NULL;
    enum context_kind kind;
    uint32_t count = 0;
    if (has_tests && !test_methods_find(&parts, md, &place->arena))
        return false;
    for (uint32_t rid = 1; rid <= place->method_count; rid++)
        count += find_context_kind(&kind, md, parts, rid);
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

ORDER(order_enclosed, struct enclosed_method, BY(rid))

const struct enclosed_method *test_hooks_of(const struct counter_block *place, uint32_t rid)
{
    const struct enclosed_method wanted = {.rid = rid};
    return sorted_find(&wanted, place->enclosed, place->enclosed_count, sizeof wanted,
                       order_enclosed);
}

/* --- flows that are not kept ------------------------------------------------------------------ */

void test_hooks_keep_flow(struct profiler *p, ModuleID id, const struct module *module)
{
    static const uint8_t returns_true[] = {2 << 2 | 2, 0x17, 0x2A}; /* ldc.i4.1; ret */
    const struct metadata *md = &module->md;
    if (!str_is(module->name, "Microsoft.AspNetCore.TestHost"))
        return;
    uint32_t type = type_named(md, "Microsoft.AspNetCore.TestHost", "TestServer");
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; type != 0 && rid < rows.end; rid++) {
        if (!str_is(row_string(md, COL_MethodDef_Name, rid), "get_PreserveExecutionContext"))
            continue;
        instance_pin_library();
        if (SUCCEEDED(p->info->vtbl->SetILFunctionBody(p->info, id, TOKEN(TABLE_MethodDef, rid),
                                                       returns_true)))
            return;
    }
    record_warning(
        &p->record,
        "hits under ASP.NET's TestServer are not attributed to tests: it is not as expected");
}

static bool has_method(const struct metadata *md, uint32_t type, const char *name)
{
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; type != 0 && rid < rows.end; rid++)
        if (str_is(row_string(md, COL_MethodDef_Name, rid), name))
            return true;
    return false;
}

/* --- what the bodies name --------------------------------------------------------------------- */

struct definer {
    struct metadata_emit *emit;
    mdToken core;
    bool failed;
};

static mdToken define_type(struct definer *d, const char16_t *name)
{
    mdTypeRef token = 0;
    d->failed |= FAILED(d->emit->vtbl->DefineTypeRefByName(d->emit, d->core, name, &token));
    return token;
}

static mdToken define_member(struct definer *d, mdToken parent, const char16_t *name,
                             const struct writer *signature)
{
    mdMemberRef token = 0;
    d->failed |= signature->failed ||
                 FAILED(d->emit->vtbl->DefineMemberRef(d->emit, parent, name, signature->data,
                                                       (uint32_t)signature->len, &token));
    return token;
}

static mdString define_text(struct definer *d, const char *ascii)
{
    WCHAR units[FOLDER_PATH_MAX + 64];
    mdString token = 0;
    size_t len = utf8_to_utf16((uint16_t *)units, ARRAY_LEN(units), ascii, strlen(ascii));
    d->failed |=
        len == 0 || FAILED(d->emit->vtbl->DefineUserString(d->emit, units, (uint32_t)len, &token));
    return token;
}

/* A signature that is being written. */
struct signature {
    struct writer w;
    uint8_t room[SIGNATURE_ROOM];
};

static struct writer *begin_signature(struct signature *s, const uint8_t *bytes, size_t len)
{
    s->w = wr_over(s->room, sizeof s->room);
    wr_bytes(&s->w, bytes, len);
    return &s->w;
}

#define BEGIN(s, ...)                                                                              \
    begin_signature((s), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_type(struct writer *w, uint8_t kind, mdToken token)
{
    wr_u8(w, kind);
    signatures_write_type(w, token);
}

static void define_handle(struct test_hook_tokens *tokens, struct definer *d)
{
    struct signature s;
    mdToken handle = define_type(d, u"System.Runtime.InteropServices.GCHandle");
    put_type(BEGIN(&s, 0, 1), ELEMENT_VALUETYPE, handle);
    wr_u8(&s.w, ELEMENT_OBJECT);
    tokens->alloc = define_member(d, handle, u"Alloc", &s.w);
    put_type(BEGIN(&s, 0, 1, ELEMENT_I), ELEMENT_VALUETYPE, handle);
    tokens->to_pointer = define_member(d, handle, u"ToIntPtr", &s.w);
}

static void define_domain(struct test_hook_tokens *tokens, struct definer *d)
{
    struct signature s;
    mdToken domain = define_type(d, u"System.AppDomain");
    put_type(BEGIN(&s, 0, 0), ELEMENT_CLASS, domain);
    tokens->current_domain = define_member(d, domain, u"get_CurrentDomain", &s.w);
    tokens->run_assembly = define_member(
        d, domain, u"ExecuteAssembly",
        BEGIN(&s, SIG_HAS_THIS, 2, ELEMENT_I4, ELEMENT_STRING, ELEMENT_SZARRAY, ELEMENT_STRING));
    tokens->object = define_type(d, u"System.Object");
    tokens->string = define_type(d, u"System.String");
}

static void define_program(struct test_hook_tokens *tokens, struct definer *d,
                           const struct profiler *p)
{
    char path[PATH_ROOM], argument[HEX_ROOM(sizeof(uint64_t))];
    d->failed |= !path_join_in(path, str_of(p->folder.path), str_of(p->contexts->program));
    (void)snprintf(argument, sizeof argument, "%" PRIxPTR, (uintptr_t)&p->contexts->calls);
    tokens->path = define_text(d, path);
    tokens->argument = define_text(d, argument);
}

/* A program that was trimmed may lack some: its tests would fail. */
static bool core_has_all(struct profiler *p)
{
    static const struct {
        const char *space, *type, *method;
    } needed[] = {
        {"System", "AppDomain", "get_CurrentDomain"},
        {"System", "AppDomain", "ExecuteAssembly"},
        {"System.Runtime.InteropServices", "GCHandle", "Alloc"},
        {"System.Runtime.InteropServices", "GCHandle", "ToIntPtr"},
    };
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

/* Why the tests of the module are not told apart, or NULL. */
static const char *define_for_tests(struct profiler *p, struct instrumented_module *module,
                                    struct metadata_emit *emit)
{
    struct definer d = {.emit = emit,
                        .core = signatures_core_library(module, p->reflection.runtime_major)};
    if (!core_has_all(p))
        return "the core library lacks what that needs: it may be trimmed";
    const char *why = contexts_make_program(p);
    if (why != NULL)
        return why;
    define_handle(&module->enclosing, &d);
    define_domain(&module->enclosing, &d);
    define_program(&module->enclosing, &d, p);
    return d.failed || d.core == 0 ? "the runtime accepts no new references" : NULL;
}

static bool define_signatures(struct test_hook_tokens *tokens, struct metadata_emit *emit)
{
    static const uint8_t enter[] = {CALLCONV_UNMANAGED, 2, ELEMENT_VOID, ELEMENT_I, ELEMENT_I4},
                         leave[] = {CALLCONV_UNMANAGED, 2, ELEMENT_VOID, ELEMENT_I4, ELEMENT_I4},
                         result[] = {CALLCONV_UNMANAGED, 0, ELEMENT_I},
                         plain[] = {CALLCONV_UNMANAGED, 0, ELEMENT_VOID};
    tokens->enter_sig = signatures_token(emit, enter, sizeof enter);
    tokens->leave_sig = signatures_token(emit, leave, sizeof leave);
    tokens->result_sig = signatures_token(emit, result, sizeof result);
    tokens->plain_sig = signatures_token(emit, plain, sizeof plain);
    return tokens->enter_sig != 0 && tokens->leave_sig != 0 && tokens->result_sig != 0 &&
           tokens->plain_sig != 0;
}

void test_hooks_define(struct profiler *p, struct instrumented_module *module, bool has_tests)
{
    struct metadata_emit *emit = module->emit;
    const char *why = NULL;
    if (module->may_change) /* contexts_meet_place tells */
        return;
    module->enclosing.returned_sig = module->function_sig;
    module->encloses =
        emit != NULL && module->function_sig != 0 && define_signatures(&module->enclosing, emit);
    if (!module->encloses)
        why = "the runtime accepts no new signatures";
    else if (has_tests)
        why = define_for_tests(p, module, emit);
    module->encloses_tests = has_tests && why == NULL;
    if (has_tests && why != NULL)
        record_warning(&p->record, "hits are not attributed to the tests of %.*s: %s",
                       STR_ARGS(module->meta.name), why);
}

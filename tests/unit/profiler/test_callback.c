/* test_callback.c - the profiler as the runtime drives it, from DllGetClassObject to the unloading
 * of a module, against a runtime that is made of C vtables. Each test runs in a process of its own,
 * as there is one profiler a process.
 * It also takes away memory at each call of malloc in turn, and sees what is not given back.
 * ILCOV_TEST_DLL names a managed assembly to instrument besides the handmade one. */
#include "profiler/callback.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "profiler/instance.h"
#include "profiler/method.h"
#include "profiler/signatures.h"
#include "rewriter/mapped_places.h"
#include "rewriter/nothrow.h"
#include "rewriter/rewrite.h"
#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/check_rewrite.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/interposed.h"
#include "tests/support/scenario.h"
#include "tests/support/temporary.h"
#include "tests/support/version.h"

HRESULT DllGetClassObject(const GUID *rclsid, const GUID *riid, void **ppv);

enum {
    THREADS = 8,
    RELOADS = 300,
    METHODS = 8,         /* of the handmade module */
    STATEMENT_LEN = 5,   /* of `ldc.i4.1; ldc.i4.1; add; pop; nop` */
    NEVER_CAME_TO_IT = 2 /* exit status: fewer calls of malloc */
};

/* Rows of its MethodDef table. */
enum {
    NO_BODY = 1,
    NO_LOCALS = 2,
    WITH_LOCALS = 3,
    TAIL_CALL = 4,
    MALFORMED = 5,
    WITH_CLAUSES = 6,
    CONDITION = 7,
    EMPTY_STACK = 8
};

static unsigned long malloc_calls, malloc_fails_at;
static _Atomic long blocks_in_use;

static void *counted_malloc(size_t size)
{
    if (malloc_fails_at != 0 && ++malloc_calls == malloc_fails_at)
        return NULL;
    void *block = original.malloc(size);
    blocks_in_use += block != NULL;
    return block;
}

static void *counted_calloc(size_t count, size_t size)
{
    void *block = original.calloc(count, size);
    blocks_in_use += block != NULL;
    return block;
}

static void counted_free(void *block)
{
    blocks_in_use -= block != NULL;
    original.free(block);
}

static int count_blocks(void **state)
{
    (void)state;
    interposed.malloc = counted_malloc;
    interposed.calloc = counted_calloc;
    interposed.free = counted_free;
    return 0;
}

static int leave(void **state)
{
    (void)state;
    interposed = original;
    return 0;
}

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct view image;
    struct arena arena;
};

static void build_module(struct il_builder *b, bool precompiled)
{
    static const uint8_t native[] = {'R', 'T', 'R', 0, 9, 0, 0, 0, 0, 0, 0, 0};
    il_begin(b, "void()");
    IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(&b->image, "Handmade"),
              0);
    (void)il_add_method(b, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)il_add_method(b, "int32(bool)",
                        ".locals int32 string; .init; ldarg.0; brtrue.s E; call int32(); stloc.0;"
                        "E: ldloc.0; ret");
    (void)il_add_method(b, "void()", ".locals int32; call self; ret");
    (void)il_add_method(b, "void()", "pop; ret");
    (void)il_add_method(b, "void()",
                        ".locals object; .try A C catch C E; A: call void(); leave.s E;"
                        "C: stloc.0; leave.s E; E: ret");
    (void)il_add_method(b, "void(int32)", "ldarg.0; switch A B; ret; A: nop; B: ret");
    (void)il_add_method(b, "void()", "call int32(); call void(int32); ret");
    if (precompiled)
        b->image.native_rva = image_body(&b->image, native, sizeof native);
}

static const char plain_config[] = "version=1\nmode=count\ninclude=[Handmade]*\n";

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    build_module(&w->builder, false);
    w->image = image_pe(&w->builder.image, false);
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    scenario_configure(&w->session, plain_config);
    (void)setenv(SESSION_ENV, w->session.folder, 1);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    (void)unsetenv(SESSION_ENV);
    arena_free(&w->arena);
    il_free(&w->builder);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

/* The profiler frees nothing of a module that is loaded: code counts there as long as the process
 * lives. Here none does, and memcheck is to see what else is lost. */
static void free_modules(void)
{
    struct instrumented_module *next = NULL;
    for (struct instrumented_module *module = atomic_load(&g_profiler.modules); module != NULL;
         module = next) {
        next = module->next;
        arena_free(&module->bodies);
        free(module->states);
    }
    if (g_profiler.info != NULL)
        arena_free(&g_profiler.arena);
}

/* The scenario in a child; true when it came to its end. */
/* Whatever was given, it is a whole body of the method. */
static void require_bodies(const struct fake_module *module)
{
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (uint32_t rid = 1; rid <= METHODS; rid++) {
        struct il_body body;
        struct il il;
        const uint8_t *given = module->methods[rid - 1].body;
        EXPECT(given == NULL ||
               (body_parse(&body, (struct view){given, 1 << 20}, &arena) == VERDICT_OK &&
                il_decode(&il, &body, &arena) == VERDICT_OK));
    }
    arena_free(&arena);
}

static struct fake_module *start_and_load(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    fake_clr_load(module);
    return module;
}

/* --- what the session's files say ------------------------------------------------------------- */

static bool record_has(struct world *w, const char *line)
{
    return strstr(scenario_record(&w->session).text, line) != NULL;
}

/* --- start ------------------------------------------------------------------------------------ */

static void expect_cancelled(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == CORPROF_E_PROFILER_CANCEL_ACTIVATION);
    EXPECT(w->clr.info_references == 0);
}

static void start_without_session(struct world *w)
{
    (void)unsetenv(SESSION_ENV);
    expect_cancelled(w);
}

static void start_with_long_session(struct world *w)
{
    char name[2000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    (void)setenv(SESSION_ENV, name, 1);
    expect_cancelled(w);
}

static void start_in_old_runtime(struct world *w)
{
    w->clr.no_info5 = true;
    expect_cancelled(w);
}

static void start_refused_by_runtime(struct world *w)
{
    w->clr.no_mask = true;
    expect_cancelled(w);
}

static void start_with_missing_session(struct world *w)
{
    (void)setenv(SESSION_ENV, "/nowhere/at/all", 1);
    expect_cancelled(w);
}

static void start_with_config(struct world *w, const char *text)
{
    scenario_configure(&w->session, text);
    expect_cancelled(w);
    EXPECT(record_has(w, "\ndeclined\t"));
}

static void start_with_other_version(struct world *w)
{
    start_with_config(w, "version=999\nmode=count\n");
}

static void start_with_unknown_mode(struct world *w)
{
    start_with_config(w, "version=1\nmode=guess\n");
}

static void start_with_empty_config(struct world *w)
{
    start_with_config(w, "");
}

static void start_with_bad_pattern(struct world *w)
{
    start_with_config(w, "version=1\nmode=count\ninclude=[App\n");
}

/* The last ones are the program's. */
static void start_with_few_descriptors(struct world *w)
{
    struct rlimit before, few;
    EXPECT(getrlimit(RLIMIT_NOFILE, &before) == 0);
    few = before;
    few.rlim_cur = 31;
    EXPECT(setrlimit(RLIMIT_NOFILE, &few) == 0);
    expect_cancelled(w);
    EXPECT(setrlimit(RLIMIT_NOFILE, &before) == 0);
    EXPECT(record_has(w, "\ndeclined\t37\tit may open 31 files at once"));
}

static void start_declines_what_it_cannot_serve(void **state)
{
    struct world *w = *state;
    assert_true(scenario_survives(w, start_with_few_descriptors, free_modules));
    assert_true(scenario_survives(w, start_without_session, free_modules));
    assert_true(scenario_survives(w, start_with_long_session, free_modules));
    assert_true(scenario_survives(w, start_in_old_runtime, free_modules));
    assert_true(scenario_survives(w, start_refused_by_runtime, free_modules));
    assert_true(scenario_survives(w, start_with_missing_session, free_modules));
    assert_true(scenario_survives(w, start_with_other_version, free_modules));
    assert_true(scenario_survives(w, start_with_unknown_mode, free_modules));
    assert_true(scenario_survives(w, start_with_empty_config, free_modules));
    assert_true(scenario_survives(w, start_with_bad_pattern, free_modules));
}

static void start_as_runtime_does(struct world *w)
{
    static const GUID clsid = {
        0x1c0fc0de, 0x5eed, 0x4c0f, {0xa1, 0x1c, 0xc0, 0xde, 0xc0, 0xde, 0x11, 0xc0}};
    static const GUID *const callbacks[] = {
        &callback_ids[1], &callback_ids[2],
        &callback_ids[3], &callback_ids[4],
        &callback_ids[5], &callback_ids[6],
        &callback_ids[7], &callback_ids[8],
        &callback_ids[9], &callback_ids[ARRAY_LEN(callback_ids) - 1]};
    void *made = NULL, *callback = NULL;
    EXPECT(DllGetClassObject(&IID_IUnknown, &IID_IClassFactory, &made) ==
           CLASS_E_CLASSNOTAVAILABLE);
    EXPECT(DllGetClassObject(&clsid, &IID_IClassFactory, &made) == S_OK);
    struct class_factory *factory = made;
    EXPECT(factory->vtbl->CreateInstance(factory, (struct unknown *)made, &callback_ids[1],
                                         &callback) == CLASS_E_NOAGGREGATION);
    EXPECT(factory->vtbl->CreateInstance(factory, NULL, &callback_ids[1], &callback) == S_OK);
    EXPECT(callback == &g_callback);
    for (size_t i = 0; i < ARRAY_LEN(callbacks); i++)
        EXPECT(g_callback.vtbl->QueryInterface(&g_callback, callbacks[i], &callback) == S_OK);
    EXPECT(g_callback.vtbl->QueryInterface(&g_callback, &IID_IMetaDataEmit, &callback) ==
               E_NOINTERFACE &&
           callback == NULL);
    BOOL notification_only = 1, inlines = 0;
    EXPECT(g_callback.vtbl->LoadAsNotificationOnly(&g_callback, &notification_only) == S_OK);
    EXPECT(notification_only == 0);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    EXPECT(w->clr.event_mask == 0x224); /* MODULE_LOADS | JIT_COMPILATION | THREADS */
    EXPECT(g_callback.vtbl->JITInlining(&g_callback, 1, 2, &inlines) == S_OK && inlines == 1);
    EXPECT(g_callback.vtbl->Shutdown(&g_callback) == S_OK);
    EXPECT(record_has(w, "ilcov-process\t" TEST_VERSION "\n"));
    EXPECT(record_has(w, "\nprogram\t/"));
}

static void start_serves_with_two_kinds_of_events(void **state)
{
    assert_true(scenario_survives(*state, start_as_runtime_does, free_modules));
}

static void start_with_framework_pattern(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[*]*\n");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    EXPECT(w->clr.event_mask == 0x20224); /* and CACHE_SEARCHES */
}

static void patterns_that_may_mean_the_framework_watch_precompiled_code(void **state)
{
    assert_true(scenario_survives(*state, start_with_framework_pattern, free_modules));
}

/* --- bodies ----------------------------------------------------------------------------------- */

struct expected {
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
};

static struct view original_of(const void *module, uint32_t rid)
{
    const struct fake_module *of = module;
    return of->methods[rid - 1].original;
}

/* As the collector finds them. NULL where the code may change. */
static const struct nothrow *nothrow_of(struct world *w, const struct fake_module *module)
{
    struct nothrow *found = ARENA_NEW(&w->arena, struct nothrow, 1, NULL);
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    EXPECT(found != NULL &&
           find_nothrow(found, &module->meta.md, original_of, module, &w->arena, &scratch));
    arena_free(&scratch);
    return instance_find_module(&g_profiler, module->id)->place->may_change ? NULL : found;
}

static void expect_body(struct world *w, struct fake_module *module, uint32_t rid, bool sharded)
{
    struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    struct fake_method *method = &module->methods[rid - 1];
    struct expected e;
    struct il_body given;
    struct err err;
    EXPECT(covered != NULL && method->body != NULL);
    EXPECT(body_parse(&given, (struct view){method->body, 1 << 20}, &w->arena) == VERDICT_OK);
    EXPECT(flow_build(&e.flow, method->original, &module->meta.md, nothrow_of(w, module), rid,
                      &w->arena) == VERDICT_OK);
    EXPECT(plan_make(&e.plan, &e.flow, &w->arena));
    bool calls = !sharded && covered->place->mode == MODE_COUNT && covered->function_sig != 0;
    struct probe_form form = {
        .mode = covered->place->mode,
        .calls = calls,
        .counters = covered->place->counters + covered->place->methods[rid - 1].first_counter *
                                                   mode_counter_size(covered->place->mode),
        .anchor = covered->place->methods[rid - 1].anchor,
        .shard_table = (uint64_t)(uintptr_t)g_profiler.shards.table.entries,
        .function_sig = covered->function_sig,
    };
    EXPECT(probe_form_shards(&form) == sharded);
    form.looks_first =
        form.mode == MODE_HIT && !sharded && rewrite_should_look_first(&e.flow, &e.plan);
    if (covered->place->mode == MODE_EXACT || calls) { /* method.c alone knows the function */
        const uint8_t *code = given.code;              /* ldc.i4 address; conv.u; ldc.i8 function */
        EXPECT(code[0] == 0x20 && code[5] == 0xE0 && code[6] == 0x21);
        form.function = load_u64(code + 7);
    }
    EXPECT(rewrite(&e.rewritten, &e.flow, &e.plan, &form, &w->arena, &w->arena) == VERDICT_OK);
    EXPECT(e.rewritten.body.len == given.whole.len);
    EXPECT(memcmp(e.rewritten.body.data, given.whole.data, given.whole.len) == 0);
    EXPECT(check_rewrite(&e.rewritten, &e.flow, &e.plan, &form, &w->arena, &err));
    EXPECT(fake_clr_signature(&w->clr, given.local_sig).len == 0); /* the file has it */
}

static void expect_map(struct fake_module *module, uint32_t rid)
{
    const struct fake_method *method = &module->methods[rid - 1];
    EXPECT(method->maps_given == 1 && method->map_rows != 0);
    EXPECT(method->map[0].oldOffset == 0 && method->map[0].newOffset == 0);
    for (uint32_t i = 1; i < method->map_rows; i++) {
        EXPECT(method->map[i].oldOffset > method->map[i - 1].oldOffset);
        EXPECT(method->map[i].newOffset > method->map[i - 1].newOffset);
    }
}

static void load_module(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    EXPECT(module->method_count == METHODS);
    for (uint32_t rid = 1; rid <= METHODS; rid++) {
        bool whole = rid != NO_BODY && rid != MALFORMED;
        EXPECT(module->methods[rid - 1].bodies_given == whole);
        EXPECT(module->methods[rid - 1].maps_given == 0);
    }
    expect_body(w, module, NO_LOCALS, true);
    expect_body(w, module, WITH_LOCALS, true);
    expect_body(w, module, TAIL_CALL, false);
    expect_body(w, module, WITH_CLAUSES, true);
    expect_body(w, module, CONDITION, true);
    EXPECT(w->clr.emit_references == 1 && w->clr.signature_count == 1); /* of the tail call */
    EXPECT(record_has(w, "\ninstrumented\tHandmade\t/app/Handmade.dll\t01000000"));
    EXPECT(record_has(w, "\t6\t1\n")); /* instrumented, declined */
}

static void methods_get_a_body_when_their_module_loads(void **state)
{
    assert_true(scenario_survives(*state, load_module, free_modules));
}

static void compile_methods(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    for (unsigned time = 0; time < 3; time++)
        for (uint32_t rid = 1; rid <= METHODS; rid++)
            fake_clr_compile(module, rid);
    expect_body(w, module, NO_LOCALS, true);
    expect_body(w, module, WITH_LOCALS, true);
    expect_body(w, module, TAIL_CALL, false);
    expect_body(w, module, WITH_CLAUSES, true);
    EXPECT(module->methods[NO_LOCALS - 1].bodies_given == 1);
    EXPECT(module->methods[WITH_LOCALS - 1].bodies_given == 1);
    EXPECT(module->methods[TAIL_CALL - 1].bodies_given == 1);
    for (uint32_t rid = 1; rid <= METHODS; rid++) {
        if (rid == NO_BODY || rid == MALFORMED)
            EXPECT(module->methods[rid - 1].maps_given == 0);
        else
            expect_map(module, rid);
    }
}

static void first_compilation_gives_the_map_once(void **state)
{
    assert_true(scenario_survives(*state, compile_methods, free_modules));
}

/* The compiler's Debug builds: else places inside a statement get no row. */
static void mark_as_debug(struct il_builder *b)
{
    static const uint8_t disable_optimizations[] = {1, 0, 0, 1, 0, 0, 0, 0};
    uint32_t type = IMAGE_ROW(&b->image, TypeRef, 0, image_string(&b->image, "DebuggableAttribute"),
                              image_string(&b->image, "System.Diagnostics"));
    uint32_t constructor =
        IMAGE_ROW(&b->image, MemberRef, type << 3 | 1, image_string(&b->image, ".ctor"), 0);
    IMAGE_ROW(&b->image, CustomAttribute, 1 << 5 | 14, constructor << 3 | 3,
              image_blob(&b->image, disable_optimizations, sizeof disable_optimizations));
}

static void add_statements(struct world *w, uint32_t count)
{
    static const char statement[] = "ldc.i4.1; ldc.i4.1; add; pop; nop;";
    char *text = arena_raw(&w->arena, count * strlen(statement) + sizeof "ret", 1, NULL);
    EXPECT(text != NULL);
    for (uint32_t i = 0; i < count; i++)
        memcpy(text + i * strlen(statement), statement, strlen(statement));
    memcpy(text + count * strlen(statement), "ret", sizeof "ret");
    (void)il_add_method(&w->builder, "void()", text);
}

static void compile_huge_methods(struct world *w)
{
    static const uint32_t counts[] = {MAP_ROWS_MAX / 2, MAP_ROWS_MAX - 1, MAP_ROWS_MAX,
                                      MAP_ROWS_MAX * 5 / 2};
    mark_as_debug(&w->builder);
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        add_statements(w, counts[i]);
    w->image = image_pe(&w->builder.image, false);
    struct fake_module *module = start_and_load(w);
    for (uint32_t i = 0; i < ARRAY_LEN(counts); i++) {
        uint32_t rid = METHODS + 1 + i;
        const struct fake_method *method = &module->methods[rid - 1];
        fake_clr_compile(module, rid);
        expect_map(module, rid);
        bool few = counts[i] >= MAP_ROWS_MAX; /* with `ret` */
        uint32_t every = few ? counts[i] / MAP_ROWS_FEW + 1 : 1;
        EXPECT(method->map_rows <= (few ? MAP_ROWS_FEW : MAP_ROWS_MAX));
        for (uint32_t row = 0; row < method->map_rows; row++)
            EXPECT(method->map[row].oldOffset == row * every * STATEMENT_LEN);
        EXPECT(method->map_rows == counts[i] / every + 1);
    }
}

/* The runtime walks through all rows for every place of the code that the JIT makes. */
static void huge_methods_have_a_bounded_number_of_rows(void **state)
{
    assert_true(scenario_survives(*state, compile_huge_methods, free_modules));
}

static void *compile_all(void *argument)
{
    struct fake_module *module = argument;
    for (uint32_t rid = 1; rid <= METHODS; rid++)
        fake_clr_compile(module, rid);
    return NULL;
}

static void compile_on_many_threads(struct world *w)
{
    pthread_t threads[THREADS];
    struct fake_module *module = start_and_load(w);
    for (unsigned i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&threads[i], NULL, compile_all, module) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        EXPECT(pthread_join(threads[i], NULL) == 0);
    EXPECT(module->methods[WITH_LOCALS - 1].bodies_given == 1);
    EXPECT(module->methods[WITH_LOCALS - 1].maps_given == 1);
    EXPECT(module->methods[NO_LOCALS - 1].maps_given == 1);
    expect_body(w, module, WITH_LOCALS, true);
}

static void threads_that_compile_at_once_give_it_once(void **state)
{
    assert_true(scenario_survives(*state, compile_on_many_threads, free_modules));
}

static void compile_uncovered(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    struct fake_module *stranger = fake_clr_add(&w->clr, "/app/Other.dll", w->image, false);
    fake_clr_compile(module, METHODS + 1);
    fake_clr_compile(module, 0);
    fake_clr_compile(module, 0xFFFFFF);
    fake_clr_compile(stranger, NO_LOCALS);
    EXPECT(stranger->methods[NO_LOCALS - 1].maps_given == 0);
}

static void strange_functions_are_left_alone(void **state)
{
    assert_true(scenario_survives(*state, compile_uncovered, free_modules));
}

/* --- modes ------------------------------------------------------------------------------------ */

static void load_in_hit_mode(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=hit\ninclude=[Handmade]*\n");
    struct fake_module *module = start_and_load(w);
    fake_clr_compile(module, WITH_LOCALS);
    expect_body(w, module, WITH_LOCALS, true);
}

static void load_in_exact_mode(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    struct fake_module *module = start_and_load(w);
    fake_clr_compile(module, WITH_LOCALS);
    expect_body(w, module, EMPTY_STACK, false); /* one counter is enough: no need of shards */
    expect_body(w, module, TAIL_CALL, false);
    struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(!covered->place->sharded);
    struct view signature = fake_clr_signature(&w->clr, covered->function_sig);
    EXPECT(signature.len != 0 && signature.data[0] == 0x9 && signature.data[1] == 1);
}

static void load_in_exact_mode_without_signatures(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    w->clr.no_signatures = true;
    struct fake_module *module = start_and_load(w);
    EXPECT(module->methods[NO_LOCALS - 1].bodies_given == 0);
    EXPECT(record_has(w, "\nskipped\tHandmade\t"));
}

/* Rows are cells of 4 bytes until the image is made. */
static void rename_row(struct image *image, enum table_id table, uint32_t rid, uint32_t columns,
                       uint32_t name_column, const char *name)
{
    uint32_t text = image_string(image, name);
    memcpy(image->rows[table].data + ((rid - 1) * columns + name_column) * sizeof text, &text,
           sizeof text);
}

static bool calls_from_probes(struct world *w, const struct fake_module *module, uint32_t rid)
{
    struct il_body body;
    struct il il;
    EXPECT(body_parse(&body, (struct view){module->methods[rid - 1].body, 1 << 20}, &w->arena) ==
           VERDICT_OK);
    EXPECT(il_decode(&il, &body, &w->arena) == VERDICT_OK);
    for (uint32_t i = 0; i < il.count; i++)
        if (il.instrs[i].op == OP_CALLI)
            return true;
    return false;
}

static void load_the_poll_in_exact_mode(struct world *w)
{
    struct image *image = &w->builder.image;
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[*]*\n");
    rename_row(image, TABLE_Assembly, 1, 9, 7, "System.Private.CoreLib");
    IMAGE_ROW(image, TypeDef, 0, image_string(image, "CallConvSuppressGCTransition"),
              image_string(image, "System.Runtime.CompilerServices"), 0, 1, METHODS + 1);
    rename_row(image, TABLE_MethodDef, NO_LOCALS, 6, 3, "PollGC");
    rename_row(image, TABLE_MethodDef, WITH_LOCALS, 6, 3, "<PollGC>g__PollGCWorker|67_0");
    w->image = image_pe(image, false);
    struct fake_module *module = start_and_load(w);
    for (unsigned compiled = 0; compiled < 2; compiled++) {
        EXPECT(!calls_from_probes(w, module, NO_LOCALS));
        EXPECT(!calls_from_probes(w, module, WITH_LOCALS));
        EXPECT(calls_from_probes(w, module, CONDITION));
        for (uint32_t rid = 1; rid <= METHODS; rid++)
            fake_clr_compile(module, rid);
    }
    struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered->place->methods[NO_LOCALS - 1].first_counter <
           covered->place->methods[WITH_LOCALS - 1].first_counter);
}

/* Handmade refers to an assembly "other", which need not know the type. */
static void load_what_does_not_name_the_core_library(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    (void)start_and_load(w);
    EXPECT(w->clr.assemblies_defined == 1);
    EXPECT(TOKEN_TABLE(w->clr.type_scope) == TABLE_AssemblyRef && TOKEN_RID(w->clr.type_scope) > 1);
    EXPECT(w->clr.emit_references == 1);
}

static void load_what_names_the_core_library(struct world *w)
{
    struct image *image = &w->builder.image;
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    uint32_t rid = IMAGE_ROW(image, AssemblyRef, 10, 0, 0, 0, 0, 0,
                             image_string(image, "System.Runtime"), 0, 0);
    w->image = image_pe(image, false);
    (void)start_and_load(w);
    EXPECT(w->clr.assemblies_defined == 0);
    EXPECT(w->clr.type_scope == TOKEN(TABLE_AssemblyRef, rid));
}

static void load_what_can_not_name_the_core_library(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    w->clr.no_assembly_emit = true;
    struct fake_module *module = start_and_load(w);
    EXPECT(module->methods[NO_LOCALS - 1].bodies_given == 0);
    EXPECT(record_has(w, "\nskipped\tHandmade\t"));
}

static void exact_probes_name_what_the_core_library_has(void **state)
{
    assert_true(scenario_survives(*state, load_what_does_not_name_the_core_library, free_modules));
    assert_true(scenario_survives(*state, load_what_names_the_core_library, free_modules));
    assert_true(scenario_survives(*state, load_what_can_not_name_the_core_library, free_modules));
}

/* A call without a transition polls for a collection, and the poll would then call itself. */
static void poll_for_collections_makes_no_calls(void **state)
{
    assert_true(scenario_survives(*state, load_the_poll_in_exact_mode, free_modules));
}

static void modes_have_bodies_of_their_own(void **state)
{
    assert_true(scenario_survives(*state, load_in_hit_mode, free_modules));
    assert_true(scenario_survives(*state, load_in_exact_mode, free_modules));
    assert_true(scenario_survives(*state, load_in_exact_mode_without_signatures, free_modules));
}

/* --- refusals --------------------------------------------------------------------------------- */

static void load_without_emit(struct world *w)
{
    w->clr.no_emit = true;
    struct fake_module *module = start_and_load(w);
    for (uint32_t rid = 1; rid <= METHODS; rid++)
        fake_clr_compile(module, rid);
    expect_body(w, module, NO_LOCALS, true);
    expect_body(w, module, WITH_LOCALS, true);
    expect_map(module, NO_LOCALS);
    expect_map(module, WITH_LOCALS);
}

static void load_without_signatures(struct world *w)
{
    w->clr.no_signatures = true;
    struct fake_module *module = start_and_load(w);
    for (uint32_t rid = 1; rid <= METHODS; rid++)
        fake_clr_compile(module, rid);
    expect_body(w, module, NO_LOCALS, true);
    expect_body(w, module, WITH_LOCALS, true);
    expect_map(module, WITH_LOCALS);
}

static void counting_needs_no_metadata_of_ours(void **state)
{
    assert_true(scenario_survives(*state, load_without_emit, free_modules));
    assert_true(scenario_survives(*state, load_without_signatures, free_modules));
}

static const uint8_t *verdicts_of(void)
{
    struct instrumented_module *covered = atomic_load(&g_profiler.modules);
    EXPECT(covered != NULL && covered->place->file.head != NULL);
    const uint8_t *b = covered->place->file.head;
    EXPECT(load_u32(b + COUNTERS_AT_METHOD_COUNT) == METHODS);
    return b + load_u32(b + COUNTERS_AT_VERDICTS);
}

static void load_with_a_refused_body(struct world *w)
{
    w->clr.no_body_of = TOKEN(TABLE_MethodDef, WITH_LOCALS);
    struct fake_module *module = start_and_load(w);
    fake_clr_compile(module, WITH_LOCALS);
    EXPECT(module->methods[WITH_LOCALS - 1].bodies_given == 0);
    EXPECT(module->methods[WITH_LOCALS - 1].maps_given == 0);
    const uint8_t *verdicts = verdicts_of();
    EXPECT(verdicts[NO_BODY - 1] == VERDICT_NO_IL);
    EXPECT(verdicts[NO_LOCALS - 1] == VERDICT_OK);
    EXPECT(verdicts[WITH_LOCALS - 1] == VERDICT_DECLINED_BY_RUNTIME);
    EXPECT(verdicts[MALFORMED - 1] == VERDICT_DECLINED_STACK);
    EXPECT(record_has(w, "\t5\t2\n"));
}

static void load_without_bodies(struct world *w)
{
    w->clr.no_bodies = true;
    (void)start_and_load(w);
    const uint8_t *verdicts = verdicts_of();
    for (uint32_t rid = 1; rid <= METHODS; rid++)
        EXPECT(verdicts[rid - 1] == VERDICT_NO_IL);
}

/* `ldarg.0; brtrue.s 0`, very often: as large as a body may be, once it has its probes. */
static void add_large_method(struct il_builder *b)
{
    enum {
        TIMES = 345000,
        STEP = 3
    };
    static const uint8_t signature[] = {0, 1, ELEMENT_VOID, ELEMENT_BOOLEAN};
    static const uint8_t step[STEP] = {0x02, 0x2D, 0};
    struct writer w = wr_in(&b->image.arena);
    wr_u16(&w, 0x3003);
    wr_u16(&w, 8);
    wr_u32(&w, TIMES * STEP + 1);
    wr_u32(&w, 0);
    for (unsigned i = 0; i < TIMES; i++)
        wr_bytes(&w, step, STEP);
    wr_u8(&w, 0x2A);
    IMAGE_ROW(&b->image, MethodDef, image_body(&b->image, w.data, w.len), 0, 0x96,
              image_string(&b->image, "Large"), image_blob(&b->image, signature, sizeof signature),
              1);
}

/* The counter file has the numbers and the hash that the collector finds in the DLL. */
static void expect_collectors_plan(struct world *w, const struct fake_module *module)
{
    uint64_t hash = plan_hash_start(g_profiler.mode);
    uint32_t counters = 0;
    uint8_t header[COUNTERS_HEADER_LEN];
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    const struct nothrow *nothrow = nothrow_of(w, module);
    for (uint32_t rid = 1; rid <= module->method_count; rid++) {
        struct view body = module->methods[rid - 1].original;
        struct flow flow;
        struct plan plan;
        if (body.len == 0 ||
            flow_build(&flow, body, &module->meta.md, nothrow, rid, &w->arena) != VERDICT_OK)
            continue;
        EXPECT(plan_make(&plan, &flow, &w->arena));
        hash = plan_hash_method(hash, rid, flow.body.whole, &plan, &flow);
        counters += plan.counter_count;
    }
    memcpy(header, covered->place->file.head, sizeof header);
    EXPECT(load_u64(header + COUNTERS_AT_PLAN_HASH) == hash);
    EXPECT(load_u32(header + COUNTERS_AT_COUNTER_COUNT) == counters);
}

static void load_with_a_large_method(struct world *w)
{
    struct il_builder b;
    struct il_body given;
    il_begin(&b, "void()");
    IMAGE_ROW(&b.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(&b.image, "Handmade"), 0);
    add_large_method(&b);
    (void)il_add_method(&b, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module =
        fake_clr_add(&w->clr, "/app/Handmade.dll", image_pe(&b.image, false), false);
    fake_clr_load(module);
    EXPECT(module->methods[1].body == NULL);
    EXPECT(body_parse(&given, (struct view){module->methods[2].body, 1 << 20}, &w->arena) ==
           VERDICT_OK);
    expect_collectors_plan(w, module);
    il_free(&b);
}

/* Under memcheck that method alone takes ten seconds. */
static void refused_bodies_do_not_change_the_plan(void **state)
{
    if (repeated(10) < 10)
        skip();
    assert_true(scenario_survives(*state, load_with_a_large_method, free_modules));
}

static void verdicts_say_what_became_of_each_method(void **state)
{
    assert_true(scenario_survives(*state, load_with_a_refused_body, free_modules));
    assert_true(scenario_survives(*state, load_without_bodies, free_modules));
}

/* No descriptor is left for a counter file. */
static void load_without_counter_file(struct world *w)
{
    struct rlimit none = {0, 0};
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    struct rlimit before;
    EXPECT(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none.rlim_max = before.rlim_max;
    EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0);
    fake_clr_load(module);
    EXPECT(setrlimit(RLIMIT_NOFILE, &before) == 0);
    struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL && covered->place->file.head == NULL);
    expect_body(w, module, NO_LOCALS, true);
    *(volatile uint64_t *)(uintptr_t)covered->place->counters = 1; /* is there */
    EXPECT(record_has(w, "\ntrouble\tthe counts of Handmade are lost: "));
}

static void counts_without_a_file_are_lost_by_name(void **state)
{
    assert_true(scenario_survives(*state, load_without_counter_file, free_modules));
}

/* --- which modules ---------------------------------------------------------------------------- */

static void load_out_of_scope(struct world *w)
{
    static const struct {
        const char *path;
        uint32_t flags;
        const char *line;
    } others[] = {
        {"/app/Dynamic.dll", COR_PRF_MODULE_DYNAMIC,
         "\nskipped\tDynamic\t/app/Dynamic.dll\t24\t\n"},
        {"/app/Resource.dll", COR_PRF_MODULE_RESOURCE, "\nskipped\tResource\t/app/"},
        {"/app/Excluded.dll", 0, "\nskipped\tHandmade\t/app/Excluded.dll\t11\t\n"},
    };
    scenario_configure(&w->session, "version=1\nmode=count\nexclude=[Hand*]*\n");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct fake_module *module = fake_clr_add(&w->clr, others[i].path, w->image, false);
        module->flags = others[i].flags;
        fake_clr_load(module);
        fake_clr_compile(module, NO_LOCALS);
        EXPECT(module->methods[NO_LOCALS - 1].bodies_given == 0);
        EXPECT(module->methods[NO_LOCALS - 1].maps_given == 0);
        EXPECT(record_has(w, others[i].line));
    }
    EXPECT(w->clr.emit_references == 0);
}

static void load_broken_image(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Broken.dll", w->image, false);
    memset((void *)(uintptr_t)module->image.data, 0, module->image.len);
    fake_clr_load(module);
    EXPECT(record_has(w, "\nskipped\tBroken\t/app/Broken.dll\t"));
    struct fake_module *none = fake_clr_add(&w->clr, "/app/None.dll", w->image, false);
    none->image.data = NULL;
    fake_clr_load(none);
    EXPECT(record_has(w, "\nskipped\tNone\t"));
    EXPECT(g_callback.vtbl->ModuleLoadFinished(&g_callback, 0x77, S_OK) == S_OK);
    EXPECT(g_callback.vtbl->ModuleLoadFinished(&g_callback, module->id, E_FAIL) == S_OK);
}

/* As long as there is room for, and one more. */
static void load_from_long_paths(struct world *w)
{
    enum {
        UNITS_MAX = 2047
    };
    static const char file[] = "/Handmade.dll";
    char path[UNITS_MAX + 2] = "/";
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    for (size_t len = UNITS_MAX; len <= UNITS_MAX + 1; len++) {
        memset(path + 1, 'd', len - 1);
        memcpy(path + len - strlen(file), file, sizeof file);
        struct fake_module *module = fake_clr_add(&w->clr, path, w->image, false);
        fake_clr_load(module);
        EXPECT((module->methods[NO_LOCALS - 1].bodies_given == 1) == (len == UNITS_MAX));
    }
    EXPECT(record_has(w, "\ninstrumented\tHandmade\t/ddd"));
    EXPECT(record_has(w, "\nskipped\tHandmade\t/ddd"));
    EXPECT(record_has(w, "/Handmade.dl\t21\t\n"));
}

static void module_with_too_long_a_path_is_left_alone_and_named(void **state)
{
    assert_true(scenario_survives(*state, load_from_long_paths, free_modules));
}

static void modules_out_of_scope_are_left_alone_and_named(void **state)
{
    assert_true(scenario_survives(*state, load_out_of_scope, free_modules));
    assert_true(scenario_survives(*state, load_broken_image, free_modules));
}

static void load_mapped_image(struct world *w)
{
    struct view mapped = image_pe(&w->builder.image, true);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", mapped, true);
    fake_clr_load(module);
    expect_body(w, module, NO_LOCALS, true);
}

static void loaded_images_are_read_where_their_sections_lie(void **state)
{
    assert_true(scenario_survives(*state, load_mapped_image, free_modules));
}

/* --- one module, often
 * ------------------------------------------------------------------------- */

static unsigned rows(void)
{
    unsigned count = 0;
    for (struct instrumented_module *row = atomic_load(&g_profiler.modules); row != NULL;
         row = row->next)
        count++;
    return count;
}

static uint64_t counters_of(const struct fake_module *module)
{
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL);
    return covered->place->counters;
}

/* Rows of what add_core adds. */
enum {
    ASYNC = 2,
    NOT_ASYNC
};

static struct fake_module *add_core(struct world *w, struct il_builder *b)
{
    struct view body;
    il_begin(b, "void()");
    IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&b->image, "System.Private.CoreLib"), 0);
    EXPECT(il_add_method_as(&body, b, 0x96, IMPL_ASYNC, "class()", "ldnull; ret") == ASYNC);
    EXPECT(il_add_method(b, "class()", "ldnull; ret") == NOT_ASYNC);
    struct fake_module *module = fake_clr_add(&w->clr, "/dotnet/System.Private.CoreLib.dll",
                                              image_pe(&b->image, false), false);
    fake_clr_load(module);
    return module;
}

/* The JIT would look up the shard before a loop that awaits. */
static void inline_into_async(struct world *w)
{
    struct il_builder b;
    w->clr.runtime_major = 11;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *other = add_core(w, &b);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    fake_clr_load(module);
    EXPECT(!fake_clr_may_inline_into(other, ASYNC, module, NO_LOCALS));
    EXPECT(fake_clr_may_inline_into(other, NOT_ASYNC, module, NO_LOCALS));
    EXPECT(fake_clr_may_inline_into(module, WITH_LOCALS, module, NO_LOCALS));
    EXPECT(fake_clr_may_inline_into(other, ASYNC, module, NO_BODY)); /* has no probes */
    EXPECT(fake_clr_may_inline_into(other, ASYNC, other, NOT_ASYNC));
    EXPECT(w->clr.import_references == 0);
    il_free(&b);
}

static void probes_stay_out_of_code_that_changes_its_thread(void **state)
{
    assert_true(scenario_survives(*state, inline_into_async, NULL));
}

/* The same file in two load contexts. */
static void load_twice(struct world *w)
{
    struct fake_module *first = start_and_load(w);
    unsigned files = temporary_count(&w->session);
    struct fake_module *second = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    fake_clr_load(second);
    EXPECT(second->methods[NO_LOCALS - 1].body == NULL); /* not before it is compiled */
    EXPECT(fake_clr_may_inline(first, NO_LOCALS) && !fake_clr_may_inline(second, NO_LOCALS));
    fake_clr_compile(second, NO_LOCALS);
    EXPECT(fake_clr_may_inline(second, NO_LOCALS) && fake_clr_may_inline(second, NO_BODY));
    expect_body(w, first, NO_LOCALS, true);
    expect_body(w, second, NO_LOCALS, true);
    expect_map(second, NO_LOCALS);
    EXPECT(first->methods[NO_LOCALS - 1].body == second->methods[NO_LOCALS - 1].body);
    EXPECT(counters_of(first) == counters_of(second));
    fake_clr_unload(first);
    fake_clr_compile(second, WITH_LOCALS);
    expect_body(w, second, WITH_LOCALS, true);
    EXPECT(temporary_count(&w->session) == files);
}

static void module_in_two_contexts_counts_in_one_place(void **state)
{
    assert_true(scenario_survives(*state, load_twice, free_modules));
}

/* From another file it is another: that one may be gone when the counts are collected. */
static void load_copy(struct world *w)
{
    struct fake_module *first = start_and_load(w);
    struct fake_module *copy = fake_clr_add(&w->clr, "/other/Handmade.dll", w->image, false);
    fake_clr_load(copy);
    EXPECT(counters_of(first) != counters_of(copy));
    EXPECT(record_has(w, "\ninstrumented\tHandmade\t/other/Handmade.dll\t"));
}

static void copy_of_a_module_has_its_own_place(void **state)
{
    assert_true(scenario_survives(*state, load_copy, free_modules));
}

static void unload_module(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    ModuleID id = module->id;
    uint64_t counters = counters_of(module);
    fake_clr_unload(module);
    EXPECT(instance_find_module(&g_profiler, id) == NULL);
    *(volatile uint64_t *)(uintptr_t)counters = 1; /* code that still runs may count */
    fake_clr_compile(module, WITH_LOCALS);         /* of no module */
    module->id = id;                               /* a late callback, when the image is gone */
    fake_clr_compile(module, WITH_LOCALS);
    EXPECT(module->methods[WITH_LOCALS - 1].maps_given == 0);
    EXPECT(fake_clr_may_use_precompiled(module, NO_LOCALS));
    module->id = 0;
    struct fake_module *again = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    again->id = id;
    fake_clr_load(again);
    fake_clr_compile(again, WITH_LOCALS);
    expect_body(w, again, WITH_LOCALS, true);
    expect_map(again, WITH_LOCALS);
}

static void unloaded_module_is_forgotten_and_may_come_again(void **state)
{
    assert_true(scenario_survives(*state, unload_module, free_modules));
}

static void reload_often(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    volatile uint64_t *counter = (volatile uint64_t *)(uintptr_t)counters_of(module);
    unsigned files = temporary_count(&w->session);
    long blocks = 0;
    for (unsigned i = 0; i < repeated(RELOADS); i++) {
        EXPECT(counters_of(module) == (uintptr_t)counter);
        (void)compile_all(module);
        ++*counter;
        fake_clr_unload(module);
        if (i == 0)
            blocks = blocks_in_use;
        EXPECT(blocks_in_use == blocks);
        fake_clr_reload(&w->clr, module, w->image);
    }
    EXPECT(*counter == repeated(RELOADS));
    EXPECT(rows() == 1);
    EXPECT(temporary_count(&w->session) == files);
    EXPECT(w->clr.emit_references == 1);
    (void)compile_all(module);
    expect_body(w, module, NO_LOCALS, true);
    expect_body(w, module, WITH_LOCALS, true);
    expect_map(module, WITH_LOCALS);
    expect_collectors_plan(w, module);
}

static void module_that_comes_and_goes_takes_no_more_memory(void **state)
{
    assert_true(scenario_survives(*state, reload_often, free_modules));
}

/* Until it is gone, the runtime may read its bodies. */
static void load_while_unloading(struct world *w)
{
    struct fake_module *first = start_and_load(w);
    ModuleID id = fake_clr_begin_unload(first);
    struct fake_module *second = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    fake_clr_load(second);
    EXPECT(rows() == 2);
    require_bodies(first);
    EXPECT(g_callback.vtbl->ModuleUnloadFinished(&g_callback, id, S_OK) == S_OK);
    EXPECT(g_callback.vtbl->ModuleUnloadFinished(&g_callback, id, S_OK) == S_OK);
    fake_clr_reload(&w->clr, first, w->image);
    EXPECT(rows() == 2);
    fake_clr_compile(first, NO_LOCALS);
    fake_clr_compile(second, NO_LOCALS);
    expect_body(w, first, NO_LOCALS, true);
    expect_body(w, second, NO_LOCALS, true);
}

static void bodies_stay_until_the_module_is_gone(void **state)
{
    assert_true(scenario_survives(*state, load_while_unloading, free_modules));
}

/* Of the same MVID, but not the same: rewritten by a tool that keeps it. */
static void reload_changed(struct world *w)
{
    struct fake_module *module = start_and_load(w);
    uint64_t counters = counters_of(module);
    unsigned files = temporary_count(&w->session);
    size_t at = (size_t)(module->methods[NO_LOCALS - 1].original.data - module->image.data) + 2;
    uint8_t *changed = arena_raw(&w->arena, w->image.len, 1, NULL);
    EXPECT(changed != NULL && w->image.data[at] == 0x2D); /* brtrue.s */
    memcpy(changed, w->image.data, w->image.len);
    changed[at] = 0x2C;
    fake_clr_unload(module);
    fake_clr_reload(&w->clr, module, (struct view){changed, w->image.len});
    EXPECT(counters_of(module) != counters);
    EXPECT(temporary_count(&w->session) == files + 1);
    expect_collectors_plan(w, module);
    fake_clr_unload(module);
    fake_clr_reload(&w->clr, module, w->image);
    EXPECT(counters_of(module) == counters);
    EXPECT(temporary_count(&w->session) == files + 1);
}

static void other_bodies_of_the_same_mvid_count_elsewhere(void **state)
{
    assert_true(scenario_survives(*state, reload_changed, free_modules));
}

struct traffic {
    struct world *world;
    struct fake_module *module;
};

static void *come_and_go(void *argument)
{
    struct traffic *t = argument;
    for (unsigned i = 0; i < RELOADS / 10; i++) {
        fake_clr_reload(&t->world->clr, t->module, t->world->image);
        (void)compile_all(t->module);
        fake_clr_unload(t->module);
    }
    return NULL;
}

static void reload_on_many_threads(struct world *w)
{
    pthread_t threads[FAKE_MODULES_MAX];
    struct traffic traffic[FAKE_MODULES_MAX];
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    for (unsigned i = 0; i < FAKE_MODULES_MAX; i++) {
        traffic[i].world = w;
        traffic[i].module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
        traffic[i].module->id = 0;
    }
    for (unsigned i = 0; i < FAKE_MODULES_MAX; i++)
        EXPECT(pthread_create(&threads[i], NULL, come_and_go, &traffic[i]) == 0);
    for (unsigned i = 0; i < FAKE_MODULES_MAX; i++)
        EXPECT(pthread_join(threads[i], NULL) == 0);
    EXPECT(rows() <= FAKE_MODULES_MAX);
    EXPECT(g_profiler.places != NULL && g_profiler.places->next == NULL);
    EXPECT(w->clr.emit_references == 0);
}

static void threads_that_load_at_once_count_in_one_place(void **state)
{
    assert_true(scenario_survives(*state, reload_on_many_threads, free_modules));
}

/* The next in line, in the same row, has what it needs. */
static void load_what_can_not_be_covered(struct world *w)
{
    struct fake_module *modules[3];
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    for (size_t i = 0; i < ARRAY_LEN(modules); i++)
        modules[i] = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    w->clr.no_signatures = true;
    fake_clr_load(modules[0]);
    long blocks = blocks_in_use;
    fake_clr_load(modules[1]);
    EXPECT(blocks_in_use == blocks);
    EXPECT(w->clr.emit_references == 0);
    w->clr.no_signatures = false;
    fake_clr_load(modules[2]);
    EXPECT(rows() == 1);
    expect_body(w, modules[2], EMPTY_STACK, false);
}

static void module_that_can_not_be_covered_leaves_nothing(void **state)
{
    assert_true(scenario_survives(*state, load_what_can_not_be_covered, free_modules));
}

/* --- precompiled code
 * --------------------------------------------------------------------------- */

static void load_precompiled(struct world *w)
{
    struct il_builder precompiled;
    build_module(&precompiled, true);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    EXPECT(w->clr.event_mask == 0x224);
    struct fake_module *module =
        fake_clr_add(&w->clr, "/app/Handmade.dll", image_pe(&precompiled.image, false), false);
    EXPECT(module->meta.pe.ready_to_run);
    fake_clr_load(module);
    EXPECT(w->clr.event_mask == 0x20224); /* CACHE_SEARCHES */
    EXPECT(!fake_clr_may_use_precompiled(module, NO_LOCALS));
    struct fake_module *other = fake_clr_add(&w->clr, "/app/Other.dll", w->image, false);
    EXPECT(fake_clr_may_use_precompiled(other, NO_LOCALS));
    il_free(&precompiled);
}

static void precompiled_code_of_covered_modules_is_not_used(void **state)
{
    assert_true(scenario_survives(*state, load_precompiled, free_modules));
}

/* --- memory ----------------------------------------------------------------------------------- */

static bool all_of_it(struct world *w)
{
    struct fake_module *module = NULL;
    HRESULT hr = fake_clr_start(&w->clr);
    if (hr != S_OK)
        return hr == CORPROF_E_PROFILER_CANCEL_ACTIVATION;
    unsigned long fails_at = malloc_fails_at; /* not our own */
    malloc_fails_at = 0;
    module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    malloc_fails_at = fails_at;
    fake_clr_load(module);
    compile_all(module);
    malloc_fails_at = 0;
    require_bodies(module);
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL || w->clr.emit_references == 0);
    if (covered != NULL && covered->place->file.head != NULL)
        expect_collectors_plan(w, module);
    fake_clr_unload(module);
    return w->clr.emit_references == 0;
}

static unsigned long fail_at;

static void run_with_failing_malloc(struct world *w)
{
    malloc_calls = 0;
    malloc_fails_at = fail_at;
    EXPECT(all_of_it(w));
    if (malloc_calls < fail_at) {
        free_modules();
        _exit(NEVER_CAME_TO_IT);
    }
}

static void memory_that_ends_anywhere_costs_counts_only(void **state)
{
    struct world *w = *state;
    for (fail_at = 1;; fail_at += brief_step((unsigned)fail_at)) {
        int status = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            run_with_failing_malloc(w);
            free_modules();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NEVER_CAME_TO_IT)
            break;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("malloc %lu: status 0x%x", fail_at, (unsigned)status);
        assert_true(fail_at < 100000);
    }
    assert_true(fail_at > 5);
}

/* --- a real assembly -------------------------------------------------------------------------- */

static void load_given(struct world *w)
{
    const char *path = getenv("ILCOV_TEST_DLL");
    struct view image;
    struct err err;
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[*]*\n");
    EXPECT(file_bytes_read(&image, path, &err));
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, path, image, false);
    fake_clr_load(module);
    unsigned given = 0;
    for (uint32_t rid = 1; rid <= module->method_count; rid++) {
        if (module->methods[rid - 1].body == NULL)
            continue;
        given++;
        if (w->clr.signature_count < FAKE_SIGNATURES_MAX - 1)
            fake_clr_compile(module, rid);
        struct il_body body;
        EXPECT(body_parse(&body, (struct view){module->methods[rid - 1].body, 1 << 24},
                          &w->arena) == VERDICT_OK);
        const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
        expect_body(w, module, rid, covered->place->methods[rid - 1].anchor.kind != ANCHOR_NONE);
    }
    EXPECT(given != 0);
}

static void given_assembly_is_instrumented(void **state)
{
    const char *path = getenv("ILCOV_TEST_DLL");
    if (path == NULL || path[0] == '\0')
        skip();
    assert_true(scenario_survives(*state, load_given, free_modules));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(start_declines_what_it_cannot_serve),
    TEST(start_serves_with_two_kinds_of_events),
    TEST(patterns_that_may_mean_the_framework_watch_precompiled_code),
    TEST(methods_get_a_body_when_their_module_loads),
    TEST(first_compilation_gives_the_map_once),
    TEST(huge_methods_have_a_bounded_number_of_rows),
    TEST(threads_that_compile_at_once_give_it_once),
    TEST(strange_functions_are_left_alone),
    TEST(poll_for_collections_makes_no_calls),
    TEST(exact_probes_name_what_the_core_library_has),
    TEST(modes_have_bodies_of_their_own),
    TEST(counting_needs_no_metadata_of_ours),
    TEST(refused_bodies_do_not_change_the_plan),
    TEST(verdicts_say_what_became_of_each_method),
    TEST(counts_without_a_file_are_lost_by_name),
    TEST(modules_out_of_scope_are_left_alone_and_named),
    TEST(module_with_too_long_a_path_is_left_alone_and_named),
    TEST(loaded_images_are_read_where_their_sections_lie),
    TEST(probes_stay_out_of_code_that_changes_its_thread),
    TEST(module_in_two_contexts_counts_in_one_place),
    TEST(copy_of_a_module_has_its_own_place),
    TEST(unloaded_module_is_forgotten_and_may_come_again),
    TEST(module_that_comes_and_goes_takes_no_more_memory),
    TEST(bodies_stay_until_the_module_is_gone),
    TEST(other_bodies_of_the_same_mvid_count_elsewhere),
    TEST(threads_that_load_at_once_count_in_one_place),
    TEST(module_that_can_not_be_covered_leaves_nothing),
    TEST(precompiled_code_of_covered_modules_is_not_used),
    TEST(memory_that_ends_anywhere_costs_counts_only),
    TEST(given_assembly_is_instrumented),
};
UNIT_TESTS_WITH(tests, count_blocks, leave);

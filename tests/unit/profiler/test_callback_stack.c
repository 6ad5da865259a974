/* test_callback_stack.c - how much of a thread's stack a callback takes: at most 16 KiB, as the
 * threads are the target's, which may have made them small. Each callback runs on a stack that was
 * painted; what it changed is told. Of a real assembly, too, when ILCOV_TEST_DLL names one, and of
 * its core library beside it. And how much the library's own threads take of theirs. */
#include "profiler/callback.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "contract/protocol.h"
#include "contract/session_format.h"
#include "profiler/instance.h"
#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/interposed.h"
#include "tests/support/scenario.h"
#include "tests/support/temporary.h"

enum {
    STACK_LEN = 1 << 20,
    PAINT = 0xA5,
    PAGE = 4096,
    LIMIT = 16 << 10, /* docs/safety.md */
    OWN_MAX = 4,      /* threads of the library's own in a test */
    TRIES = 24000     /* of 5 ms, until such a thread has done something */
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct arena arena;
    uint8_t *stack;
    size_t deepest;
    uint8_t client_data[CLIENT_DATA_HEADER_LEN + 256];
    uint32_t client_data_len;
};

/* The library's own threads get painted stacks, too, of the size that it asks for. */
static struct own_stack {
    uint8_t *stack;
    size_t len;
} own_stacks[OWN_MAX];
static _Atomic uint32_t own_count;

static int create_painted(pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    pthread_attr_t painted;
    uint32_t number = atomic_fetch_add(&own_count, 1);
    struct own_stack *own = &own_stacks[number];
    if (number >= OWN_MAX || pthread_attr_getstacksize(attributes, &own->len) != 0 ||
        pthread_attr_init(&painted) != 0)
        return EAGAIN;
    own->stack = mmap(NULL, own->len, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (own->stack == MAP_FAILED)
        return EAGAIN;
    memset(own->stack, PAINT, own->len);
    (void)pthread_attr_setstack(&painted, own->stack, own->len);
    int result = original.pthread_create(out, &painted, run, argument);
    (void)pthread_attr_destroy(&painted);
    return result;
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    w->stack = mmap(NULL, STACK_LEN, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    (void)setenv(SESSION_ENV, w->session.folder, 1);
    w->client_data_len = fake_clr_client_data(w->client_data, w->session.folder);
    w->clr.has_info10 = true;
    interposed.pthread_create = create_painted;
    *state = w;
    return w->stack == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    (void)unsetenv(SESSION_ENV);
    (void)munmap(w->stack, STACK_LEN);
    arena_free(&w->arena);
    il_free(&w->builder);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* The lowest byte of a painted stack that was changed. */
static const uint8_t *lowest_used(const uint8_t *stack, const uint8_t *top)
{
    /* Equal to itself one byte further on: all of it is as its first byte. */
    while (top - stack > PAGE && stack[0] == PAINT && memcmp(stack, stack + 1, PAGE) == 0)
        stack += PAGE;
    while (stack < top && *stack == PAINT)
        stack++;
    return stack;
}

/* A quarter at most, with the static data of all threads: the C library puts it there, and a target
 * may have much of it. */
static bool own_threads_fit(void)
{
    bool fit = true;
    for (uint32_t i = 0; i < own_count; i++) {
        const uint8_t *top = own_stacks[i].stack + own_stacks[i].len;
        size_t used = (size_t)(top - lowest_used(own_stacks[i].stack, top));
        print_message("%6zu bytes of %zu: thread %u of the library's own\n", used,
                      own_stacks[i].len, i + 1);
        fit = fit && used < own_stacks[i].len / 4;
    }
    return fit;
}

struct step {
    void (*act)(struct world *w, struct fake_module *module, uint32_t rid);
    struct world *world;
    struct fake_module *module;
    uint32_t rid;
    uint8_t *base; /* where the stack was before */
};

static void *take_step(void *argument)
{
    struct step *step = argument;
    step->base = __builtin_frame_address(0);
    step->act(step->world, step->module, step->rid);
    return NULL;
}

/* Bytes of stack that it took: the deepest that was changed. */
static void measure(struct world *w, const char *what,
                    void (*act)(struct world *w, struct fake_module *module, uint32_t rid),
                    struct fake_module *module)
{
    struct step step = {act, w, module, 0, NULL};
    pthread_attr_t attributes;
    pthread_t thread;
    memset(w->stack, PAINT, STACK_LEN);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, w->stack, STACK_LEN), 0);
    assert_int_equal(original.pthread_create(&thread, &attributes, take_step, &step), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)pthread_attr_destroy(&attributes);
    size_t used = (size_t)(step.base - lowest_used(w->stack, step.base));
    print_message("%6zu bytes of stack: %s\n", used, what);
    if (used > w->deepest)
        w->deepest = used;
}

static bool fits(const struct world *w)
{
    bool fit = own_threads_fit() && w->deepest <= LIMIT;
#ifdef ILCOV_DEBUG_ARENA /* sanitizers have frames of their own size */
    fit = true;
#endif
    return fit && w->deepest > 0;
}

/* --- callbacks -------------------------------------------------------------------------------- */

static void start(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)module, (void)rid;
    assert_int_equal(fake_clr_start(&w->clr), S_OK);
}

static void start_in_vain(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)module, (void)rid;
    assert_int_equal(fake_clr_start(&w->clr), CORPROF_E_PROFILER_CANCEL_ACTIVATION);
}

static void load(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w, (void)rid;
    fake_clr_load(module);
}

static void unload(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w, (void)rid;
    fake_clr_unload(module);
}

static void compile_all(struct world *w, struct fake_module *module, uint32_t rid)
{
    for (rid = 1; rid <= module->method_count; rid += brief_step(rid)) {
        w->clr.signature_count = 0; /* there is room for few */
        w->clr.memory_used = 0;
        fake_clr_compile(module, rid);
    }
}

static void search_all(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w;
    for (rid = 1; rid <= module->method_count; rid += brief_step(rid))
        (void)fake_clr_may_use_precompiled(module, rid);
}

static void attach(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)module, (void)rid;
    assert_int_equal(fake_clr_attach(&w->clr, w->client_data, w->client_data_len), S_OK);
}

static void complete_attach(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w, (void)module, (void)rid;
    fake_clr_complete_attach();
}

static void recompile_all(struct world *w, struct fake_module *module, uint32_t rid)
{
    for (rid = 1; rid <= module->method_count; rid += brief_step(rid)) {
        w->clr.signature_count = 0;
        w->clr.memory_used = 0;
        fake_clr_rejit(module, rid);
    }
}

static void err_on_all(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w;
    for (rid = 1; rid <= module->method_count; rid++)
        assert_int_equal(g_callback.vtbl->ReJITError(&g_callback, module->id,
                                                     TOKEN(TABLE_MethodDef, rid), 0, E_FAIL),
                         S_OK);
}

static void end_thread(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w, (void)module, (void)rid;
    assert_int_equal(g_callback.vtbl->ThreadDestroyed(&g_callback, 1), S_OK);
}

static void begin_unload(struct world *w, struct fake_module *module, uint32_t rid)
{
    (void)w, (void)rid;
    (void)fake_clr_begin_unload(module);
}

/* Each test has the one profiler of a process to itself. */
static void run_alone(void **state, void (*scenario)(struct world *w))
{
    int status = 0;
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        scenario(*state);
        (void)fflush(NULL);
        _exit(!fits(*state));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static struct fake_module *add_file(struct world *w, const char *path)
{
    struct view image;
    struct err err = {0};
    if (!file_bytes_read(&image, path, &err))
        fail_msg("%s", err.text);
    return fake_clr_add(&w->clr, path, image, false);
}

/* --- tests ------------------------------------------------------------------------------------ */

static struct view handmade(struct world *w)
{
    struct il_builder *b = &w->builder;
    il_begin(b, "void()");
    IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(&b->image, "Handmade"),
              0);
    (void)il_add_method(b, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)il_add_method(b, "int32(bool)",
                        ".locals int32 string; .init; ldarg.0; brtrue.s E; call int32(); stloc.0;"
                        "E: ldloc.0; ret");
    (void)il_add_method(b, "void()",
                        ".locals object; .try A C catch C E; A: call void(); leave.s E;"
                        "C: stloc.0; leave.s E; E: ret");
    return image_pe(&b->image, false);
}

/* Kept as a copy, as it has no file; then lost, as its file may not grow. */
/* The limit is for the library: what is printed here goes on. */
static void load_without_room(struct world *w, struct fake_module *module, uint32_t rid)
{
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){8192, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    load(w, module, rid);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
}

static void serve_handmade(struct world *w)
{
    struct view image = handmade(w);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    measure(w, "Initialize", start, NULL);
    struct fake_module *module = fake_clr_add(&w->clr, "Handmade.dll", image, false);
    measure(w, "ModuleLoadFinished, handmade", load, module);
    measure(w, "JITCompilationStarted, handmade", compile_all, module);
    measure(w, "JITCachedFunctionSearchStarted, handmade", search_all, module);
    measure(w, "ModuleUnload*, handmade", unload, module);
    module = fake_clr_add(&w->clr, "/another/path/Handmade.dll", image, false);
    measure(w, "ModuleLoadFinished, no room for counters", load_without_room, module);
}

static void start_without_config(struct world *w)
{
    measure(w, "Initialize, without a config", start_in_vain, NULL);
}

static void start_elsewhere(struct world *w)
{
    assert_int_equal(chmod(w->session.folder, 0777), 0);
    measure(w, "Initialize, in a session that others may write", start_in_vain, NULL);
}

static const char *wanted_modes[] = {"count", "exact"};
static const char *wanted_mode;

/* Everything is in scope; the core library beside the given assembly, which is not loaded yet. */
static struct fake_module *configure_given(struct world *w)
{
    const char *path = getenv("ILCOV_TEST_DLL");
    struct str core, config;
    assert_true(
        text_format(&config, &w->arena, NULL, "version=1\nmode=%s\ninclude=[*]*\n", wanted_mode));
    assert_true(text_format(&core, &w->arena, NULL, "%.*s/System.Private.CoreLib.dll",
                            STR_ARGS(path_dir(str_of(path)))));
    scenario_configure(&w->session, config.text);
    return add_file(w, core.text);
}

static void serve_given(struct world *w)
{
    struct fake_module *module = configure_given(w);
    measure(w, "Initialize, everything in scope", start, NULL);
    measure(w, "ModuleLoadFinished, System.Private.CoreLib", load, module);
    measure(w, "JITCompilationStarted, System.Private.CoreLib", compile_all, module);
    module = add_file(w, getenv("ILCOV_TEST_DLL"));
    measure(w, "ModuleLoadFinished, the assembly", load, module);
    measure(w, "JITCompilationStarted, the assembly", compile_all, module);
    measure(w, "JITCachedFunctionSearchStarted, the assembly", search_all, module);
    measure(w, "ModuleUnload*, the assembly", unload, module);
}

/* --- attached --------------------------------------------------------------------------------- */

static void wait_until_caught_up(void)
{
    struct catch_up *c = &g_profiler.catch_up;
    bool is_done = false;
    for (unsigned i = 0; !is_done && i < TRIES; i++) {
        (void)usleep(5000);
        mutex_lock(&c->lock);
        is_done = c->is_done;
        mutex_unlock(&c->lock);
    }
    assert_true(is_done);
}

/* The control socket's answer ends well. */
static void ask(const struct world *w, const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char answer[4096] = "";
    size_t len = 0;
    ssize_t n = 0;
    int path_len = snprintf(address.sun_path, sizeof address.sun_path, "%s/" SESSION_CONTROL "%ld",
                            w->session.folder, (long)getpid());
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(path_len < (int)sizeof address.sun_path &&
                connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    assert_int_equal(dprintf(fd, "ilcov %d %s\n", PROTOCOL_VERSION, request),
                     sizeof "ilcov 1 " + strlen(request));
    while ((n = recv(fd, answer + len, sizeof answer - 1 - len, 0)) > 0)
        len += (size_t)n;
    assert_non_null(strstr(answer, "end\t0x00000000\n"));
    (void)close(fd);
}

/* What is loaded is instrumented by the library's own thread, what comes later on the target's. */
static void serve_attached(struct world *w, struct fake_module *loaded, struct view later)
{
    measure(w, "InitializeForAttach", attach, NULL);
    measure(w, "ProfilerAttachComplete", complete_attach, NULL);
    wait_until_caught_up();
    measure(w, "GetReJITParameters, loaded before", recompile_all, loaded);
    struct fake_module *module = fake_clr_add(&w->clr, "/later/Later.dll", later, false);
    measure(w, "ModuleLoadFinished, attached", load, module);
    measure(w, "GetReJITParameters, loaded later", recompile_all, module);
    ask(w, CONTROL_STACKS);
    measure(w, "ThreadDestroyed", end_thread, NULL);
    measure(w, "ReJITError", err_on_all, module);
    measure(w, "ModuleUnloadStarted, attached", begin_unload, module);
    assert_int_equal(own_count, 3); /* control, and a walk for the attach and for `stacks` */
}

static void serve_handmade_attached(struct world *w)
{
    struct view image = handmade(w);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    serve_attached(w, fake_clr_add(&w->clr, "/app/Handmade.dll", image, false), image);
    ask(w, CONTROL_HELLO);
}

static void serve_given_attached(struct world *w)
{
    struct fake_module *core = configure_given(w);
    struct view image;
    struct err err = {0};
    if (!file_bytes_read(&image, getenv("ILCOV_TEST_DLL"), &err))
        fail_msg("%s", err.text);
    serve_attached(w, core, image);
}

/* --- all -------------------------------------------------------------------------------------- */

static void callbacks_of_a_handmade_module_fit(void **state)
{
    run_alone(state, serve_handmade);
    run_alone(state, serve_handmade_attached);
}

static void refusals_fit(void **state)
{
    run_alone(state, start_without_config);
    run_alone(state, start_elsewhere);
}

static void callbacks_of_a_real_assembly_fit(void **state)
{
    const char *path = getenv("ILCOV_TEST_DLL");
    if (path == NULL || path[0] == '\0')
        skip();
    for (size_t i = 0; i < ARRAY_LEN(wanted_modes); i++) {
        wanted_mode = wanted_modes[i];
        run_alone(state, serve_given);
        run_alone(state, serve_given_attached);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(callbacks_of_a_handmade_module_fit),
    TEST(refusals_fit),
    TEST(callbacks_of_a_real_assembly_fit),
};
UNIT_TESTS(tests);

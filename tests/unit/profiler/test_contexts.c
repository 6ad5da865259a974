/* test_contexts.c - what runs for a context, on whichever thread, counts in the context's window,
 * and is written down before another one gets it. Managed code is played by calls of what it calls;
 * each scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/contexts.h"

#include <semaphore.h>

#include "base/bytes.h"
#include "profiler/callback.h"
#include "profiler/shards.h"
#include "profiler/test_hooks.h"
#include "rewriter/il.h"
#include "rewriter/test_hook.h"
#include "tests/support/assembly_builder.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/scenario.h"

enum {
    STACK_LEN = 512 << 10,
    MANY = SHARDS_OF_CONTEXTS_MAX + 20,
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct view image;
    struct fake_module *module;
    struct counter_block *place;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    w->image = assembly_build(&w->builder, "xunit.core");
    assert_int_equal(setenv(SESSION_ENV, w->session.folder, 1), 0);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    il_free(&w->builder);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

/* --- the managed half ------------------------------------------------------------------------- */

static int64_t entered; /* by the last call of `enter` */
static bool awaits;     /* what returns is not done */

static void go_to(int64_t number)
{
    g_profiler.contexts->calls.switch_to(number);
}

/* `type` is the name of the type, as the test wrote it. */
static void managed_enter(const void *type, int32_t site)
{
    uint16_t units[64];
    int32_t len = 0;
    for (const char *text = type; text[len] != '\0'; len++)
        units[len] = (uint8_t)text[len];
    entered = g_profiler.contexts->calls.entered(site, units, len);
    if (entered != 0)
        go_to(entered);
}

static void managed_leave(int64_t number, int32_t how, const void *result, int64_t previous)
{
    EXPECT(result == NULL);
    if (!awaits)
        g_profiler.contexts->calls.ended(number, how);
    go_to(previous);
}

static void managed_free(const void *handle)
{
    EXPECT(handle == NULL);
}

static void start_in(struct world *w, const char *mode)
{
    char config[128];
    (void)snprintf(config, sizeof config, "version=1\nmode=%s\ninclude=[Handmade]*\nper-test=1\n",
                   mode);
    scenario_configure(&w->session, config);
    EXPECT(fake_clr_start(&w->clr) == S_OK && g_profiler.contexts != NULL);
    g_profiler.contexts->calls.leave = managed_leave;
    g_profiler.contexts->calls.free = managed_free;
    atomic_store(&g_profiler.contexts->calls.enter, managed_enter);
    w->module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    fake_clr_load(w->module);
    w->place = instance_find_module(&g_profiler, w->module->id)->place;
    EXPECT(w->place->sharded && w->place->log_number == 1);
    EXPECT(w->place->methods[ASSEMBLY_PLAIN - 1].counter_count == 1);
    EXPECT(w->place->methods[ASSEMBLY_CONDITION - 1].counter_count == 2);
}

static void start(struct world *w)
{
    start_in(w, "count");
}

/* --- what bodies do --------------------------------------------------------------------------- */

static int32_t site_of(const struct world *w, uint32_t rid)
{
    const struct enclosed_method *method = test_hooks_of(w->place, rid);
    EXPECT(method != NULL);
    return (int32_t)method->number;
}

/* The context whose flow it now is; 0: it is what it was. */
static int64_t enter_as(const struct world *w, uint32_t rid, const char *type)
{
    entered = 0;
    contexts_enter(type, site_of(w, rid));
    return entered;
}

static int64_t enter(const struct world *w, uint32_t rid)
{
    return enter_as(w, rid, "N.C");
}

/* In a flow of its own, which the thread leaves at once. */
static int64_t begin_as(const struct world *w, uint32_t rid, const char *type)
{
    int64_t number = enter_as(w, rid, type);
    go_to(0);
    return number;
}

/* The method ends; the thread is then in the flow that it was in before. */
static void leave(const struct world *w, uint32_t rid, int32_t how)
{
    if (how != HITS_THREW)
        contexts_returned((const void *)TEST_HOOK_NOTHING);
    contexts_leave(site_of(w, rid), how);
}

static uint32_t window_here(void)
{
    char local;
    uint64_t base = shard_table_get(&g_profiler.shards.table, (uintptr_t)&local);
    EXPECT(base % WINDOW_LEN == 0);
    return (uint32_t)(base / WINDOW_LEN);
}

static uint8_t *counter_in(const struct world *w, uint32_t window, uint32_t rid, uint32_t n)
{
    EXPECT(n < w->place->methods[rid - 1].counter_count && window < w->place->file.window_count);
    size_t index = w->place->methods[rid - 1].first_counter + n;
    return (uint8_t *)(uintptr_t)w->place->counters + ((size_t)window << WINDOW_BITS) +
           index * mode_counter_size(w->place->mode);
}

static uint64_t count_in(const struct world *w, uint32_t window, uint32_t rid, uint32_t n)
{
    const uint8_t *counter = counter_in(w, window, rid, n);
    return w->place->mode == MODE_HIT ? *counter : load_u64(counter);
}

/* As a probe does. */
static void hit(const struct world *w, uint32_t rid, uint32_t n)
{
    uint8_t *counter = counter_in(w, window_here(), rid, n);
    if (w->place->mode == MODE_HIT)
        *counter = 1;
    else
        store_u64(counter, load_u64(counter) + 1);
}

static uint64_t sum_of(const struct world *w, uint32_t rid, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t window = 0; window < w->place->file.window_count; window++)
        sum += count_in(w, window, rid, n);
    return sum;
}

/* A call lies deeper on the stack than its caller. */
__attribute__((noinline)) static void deeper(void (*call)(void *), void *argument)
{
    volatile char room[256];
    room[0] = 0;
    call(argument);
    room[1] = room[0];
}

/* --- what is written -------------------------------------------------------------------------- */

/* Without lines `began` and `counts`, and with N for the time of each `over`. */
static const char *log_of(struct world *w)
{
    static char text[1 << 16];
    const char *path = temporary_path(&w->session, g_profiler.contexts->log_name);
    struct str all = temporary_read(&w->session, path);
    size_t len = 0;
    for (const char *line = all.text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        unsigned context = 0, rows = 0, how = 0;
        long long ns = -1;
        int read = 0;
        EXPECT(end != NULL && len + (size_t)(end - line) + 2 < sizeof text);
        if (sscanf(line, "over\t%u\t%lld\t%u\t%u%n", &context, &ns, &rows, &how, &read) == 4) {
            EXPECT(ns >= 0 && line + read == end);
            len += (size_t)snprintf(text + len, 64, "over\t%u\tN\t%u\t%u\n", context, rows, how);
        } else if (strncmp(line, "counts\t", 7) != 0 && strncmp(line, "began\t", 6) != 0) {
            memcpy(text + len, line, (size_t)(end - line) + 1);
            len += (size_t)(end - line) + 1;
        }
        line = end + 1;
    }
    text[len] = '\0';
    return text;
}

static void expect_log(struct world *w, const char *expected)
{
    const char *log = log_of(w);
    if (strcmp(log, expected) != 0)
        fprintf(stderr, "the log is\n%s", log);
    EXPECT(strcmp(log, expected) == 0);
}

#define MVID            "01000000000000000000000000000000"
#define TEST_1          "owner\t1\t0\t" MVID "\t2\tN.C\n" /* ASSEMBLY_TEST */
#define OTHER_2         "owner\t2\t0\t" MVID "\t5\tN.C\n" /* ASSEMBLY_GIVES_CLASS */
#define PLAIN_VECTOR_1  "vector\t1\t1\t4\t01\n"           /* its only counter */
#define SECOND_VECTOR_1 "vector\t1\t1\t8\t11\n"           /* past one counter, one more */

/* What the file says now: whose the window is. */
static uint32_t context_in_file(struct world *w, uint32_t window)
{
    char name[80];
    EXPECT(strncmp(g_profiler.contexts->log_name, SESSION_HITS, strlen(SESSION_HITS)) == 0);
    (void)snprintf(name, sizeof name, SESSION_CONTEXTS "%s",
                   g_profiler.contexts->log_name + strlen(SESSION_HITS));
    struct str file = temporary_read(&w->session, temporary_path(&w->session, name));
    EXPECT(file.len >= SHARDS_MAX * sizeof(uint32_t) && window < SHARDS_MAX);
    return load_u32((const uint8_t *)file.text + 4 * (size_t)window);
}

/* SHARDS_MAX: it has none. */
static uint32_t window_of(struct world *w, int64_t number)
{
    uint32_t found = SHARDS_MAX;
    for (uint32_t window = 0; window < SHARDS_MAX; window++)
        if (context_in_file(w, window) == number) {
            EXPECT(found == SHARDS_MAX);
            found = window;
        }
    return found;
}

/* On how many stacks, how often? */
static uint32_t holders(int64_t number)
{
    struct test_context *context = context_get(&g_profiler.contexts->table, number);
    EXPECT(context != NULL);
    return (uint32_t)atomic_load(&context->held);
}

static bool is_logged(struct world *w, const char *text)
{
    return strstr(scenario_record(&w->session).text, text) != NULL;
}

/* --- a test ----------------------------------------------------------------------------------- */

static void names_of_files(struct world *w)
{
    char expected[128];
    start(w);
    const char *path = temporary_path(&w->session, g_profiler.contexts->log_name);
    long long began = 0;
    int len = 0;
    struct str log = temporary_read(&w->session, path);
    (void)snprintf(expected, sizeof expected, "counts\t1\t%s\n", w->place->file.name);
    EXPECT(sscanf(log.text, "began\t%lld\n%n", &began, &len) == 1);
    EXPECT(began > 0 && strcmp(log.text + len, expected) == 0);
    int pid = 0;
    unsigned long long ticks = 0;
    EXPECT(sscanf(g_profiler.contexts->log_name, "hits-%d-%llu", &pid, &ticks) == 2);
    EXPECT(pid == (int)getpid() && ticks != 0);
    EXPECT(context_in_file(w, 0) == 0); /* of the thread that started the runtime */
    EXPECT(window_of(w, CONTEXT_OF_KEPT) == g_profiler.contexts->kept);
    EXPECT(g_profiler.contexts->kept != 0);
}

static void counter_file_has_a_number_in_the_log(void **state)
{
    assert_true(scenario_survives(*state, names_of_files, NULL));
}

static void one_test(struct world *w)
{
    start(w);
    hit(w, ASSEMBLY_CONDITION, 0); /* for nobody */
    EXPECT(window_here() == 0);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    uint32_t window = window_here();
    EXPECT(window != 0 && window != g_profiler.contexts->kept && window_of(w, 1) == window);
    hit(w, ASSEMBLY_CONDITION, 1);
    hit(w, ASSEMBLY_CONDITION, 1);
    EXPECT(count_in(w, window, ASSEMBLY_CONDITION, 1) == 2);
    expect_log(w, TEST_1);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() == 0 && window_of(w, 1) == SHARDS_MAX);
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n" SECOND_VECTOR_1 "hits\t1\t1\n");
    EXPECT(count_in(w, window, ASSEMBLY_CONDITION, 1) == 0);
    EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_CONDITION, 1) == 2);
    EXPECT(sum_of(w, ASSEMBLY_CONDITION, 1) == 2 && sum_of(w, ASSEMBLY_CONDITION, 0) == 1);
    EXPECT(count_in(w, 0, ASSEMBLY_CONDITION, 0) == 1);
    EXPECT(!is_logged(w, "\ntrouble\t"));
}

static void hits_of_a_test_are_in_the_log_when_it_loses_its_window(void **state)
{
    assert_true(scenario_survives(*state, one_test, NULL));
}

static void add_to_what_is_kept(struct world *w)
{
    start(w);
    for (unsigned i = 1; i <= 3; i++) {
        EXPECT(enter(w, ASSEMBLY_TEST) == 1);
        for (unsigned k = 0; k < i; k++)
            hit(w, ASSEMBLY_PLAIN, 0);
        leave(w, ASSEMBLY_TEST, HITS_RETURNED);
        EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == i * (i + 1) / 2);
        EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_PLAIN, 0) == i * (i + 1) / 2);
    }
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n" PLAIN_VECTOR_1 "hits\t1\t1\n"
                         "over\t1\tN\t1\t1\nhits\t1\t1\nover\t1\tN\t1\t1\nhits\t1\t1\n");
}

static void sums_stay_the_same(void **state)
{
    assert_true(scenario_survives(*state, add_to_what_is_kept, NULL));
}

static void in_hit_mode(struct world *w)
{
    start_in(w, "hit");
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(enter(w, ASSEMBLY_TEST) == 1);
        uint32_t window = window_here();
        hit(w, ASSEMBLY_PLAIN, 0);
        hit(w, ASSEMBLY_CONDITION, 1);
        leave(w, ASSEMBLY_TEST, HITS_RETURNED);
        EXPECT(count_in(w, window, ASSEMBLY_PLAIN, 0) == 0);
        EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_PLAIN, 0) == 1);
        EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_CONDITION, 1) == 1);
        EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_CONDITION, 0) == 0);
    }
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n" PLAIN_VECTOR_1 "vector\t2\t1\t8\t11\nhits\t1\t12\n"
                         "over\t1\tN\t1\t1\nhits\t1\t12\n");
}

static void hits_are_kept_as_hits(void **state)
{
    assert_true(scenario_survives(*state, in_hit_mode, NULL));
}

static void ways_to_end(struct world *w)
{
    start(w);
    for (int32_t how = HITS_THREW; how <= HITS_UNKNOWN; how++) {
        EXPECT(enter(w, ASSEMBLY_TEST) == 1);
        leave(w, ASSEMBLY_TEST, how);
    }
    /* two rows at the same time: one flow each */
    EXPECT(begin_as(w, ASSEMBLY_TEST, "N.C") == 1 && begin_as(w, ASSEMBLY_TEST, "N.C") == 1);
    const struct context_calls *calls = &g_profiler.contexts->calls;
    calls->ended(1, HITS_UNKNOWN);
    calls->ended(1, HITS_THREW);
    calls->ended(1, HITS_RETURNED); /* of none that began */
    calls->ended(99, HITS_RETURNED);
    calls->ended(0, HITS_RETURNED);
    calls->ended(-1, HITS_RETURNED);
    EXPECT(g_callback.vtbl->Shutdown(&g_callback) == S_OK);
    expect_log(w,
               TEST_1 "over\t1\tN\t1\t0\nover\t1\tN\t1\t1\nover\t1\tN\t1\t2\nover\t1\tN\t2\t0\n");
}

static void how_a_test_ended_is_in_the_log(void **state)
{
    assert_true(scenario_survives(*state, ways_to_end, NULL));
}

static void of_two_types(struct world *w)
{
    start(w);
    EXPECT(begin_as(w, ASSEMBLY_TEST, "N.C") == 1);
    EXPECT(begin_as(w, ASSEMBLY_TEST, "N.Derived") == 2);
    EXPECT(begin_as(w, ASSEMBLY_GIVES_CLASS, "") == 3);
    EXPECT(begin_as(w, ASSEMBLY_TEST, "N.C") == 1);
    EXPECT(g_profiler.contexts->calls.entered(site_of(w, ASSEMBLY_TEST), u"\u00E9\t", 2) == 4);
    expect_log(w, TEST_1 "owner\t2\t0\t" MVID "\t2\tN.Derived\n"
                         "owner\t3\t0\t" MVID "\t5\t\n"
                         "owner\t4\t0\t" MVID "\t2\t\xC3\xA9\\t\n");
}

static void context_is_a_method_in_a_type(void **state)
{
    assert_true(scenario_survives(*state, of_two_types, NULL));
}

/* Of no method that is enclosed. */
static void unknown_sites(struct world *w)
{
    start(w);
    const int32_t sites[] = {0, -1, (int32_t)g_profiler.contexts->site_count + 1};
    for (size_t i = 0; i < ARRAY_LEN(sites); i++) {
        EXPECT(g_profiler.contexts->calls.entered(sites[i], NULL, 0) == 0);
        contexts_enter("N.C", sites[i]);
        contexts_leave(sites[i], HITS_RETURNED);
    }
    EXPECT(entered == 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED); /* which nobody entered */
    go_to(77);
    EXPECT(window_here() == 0);
    expect_log(w, "");
}

static void unknown_numbers_change_nothing(void **state)
{
    assert_true(scenario_survives(*state, unknown_sites, NULL));
}

/* --- within each other ------------------------------------------------------------------------ */

static void test_in_test(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    uint32_t window = window_here();
    EXPECT(enter(w, ASSEMBLY_GIVES_CLASS) == 0);
    EXPECT(enter(w, ASSEMBLY_CONSTRUCTOR) == 0);
    EXPECT(enter(w, ASSEMBLY_TEST) == 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    leave(w, ASSEMBLY_CONSTRUCTOR, HITS_THREW);
    leave(w, ASSEMBLY_GIVES_CLASS, HITS_RETURNED);
    EXPECT(window_here() == window);
    hit(w, ASSEMBLY_PLAIN, 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() == 0);
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n" PLAIN_VECTOR_1 "hits\t1\t1\n");
}

static void test_in_class(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_CONSTRUCTOR) == 1);
    uint32_t of_class = window_here();
    hit(w, ASSEMBLY_CONDITION, 0);
    EXPECT(enter(w, ASSEMBLY_CONSTRUCTOR) == 0); /* a base's constructor */
    EXPECT(enter(w, ASSEMBLY_TEST) == 2);
    EXPECT(window_here() != of_class);
    hit(w, ASSEMBLY_PLAIN, 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() == of_class && window_of(w, 1) == of_class);
    EXPECT(count_in(w, of_class, ASSEMBLY_CONDITION, 0) == 1);
    EXPECT(count_in(w, of_class, ASSEMBLY_PLAIN, 0) == 0);
    expect_log(w, "owner\t1\t1\t" MVID "\t6\tN.C\nowner\t2\t0\t" MVID "\t2\tN.C\n"
                  "over\t2\tN\t1\t1\n" PLAIN_VECTOR_1 "hits\t2\t1\n");
}

static void outermost_test_owns_what_it_runs(void **state)
{
    assert_true(scenario_survives(*state, test_in_test, NULL));
    assert_true(scenario_survives(*state, test_in_class, NULL));
}

/* It runs again, for the next test: its hits stay where they are. */
static void class_ends(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_CONSTRUCTOR) == 1);
    uint32_t window = window_here();
    hit(w, ASSEMBLY_PLAIN, 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() == 0 && window_of(w, 1) == window);
    EXPECT(count_in(w, window, ASSEMBLY_PLAIN, 0) == 1);
    EXPECT(enter(w, ASSEMBLY_CONSTRUCTOR) == 1);
    EXPECT(window_here() == window);
}

static void class_keeps_its_window(void **state)
{
    assert_true(scenario_survives(*state, class_ends, NULL));
}

static void leave_static(void *w)
{
    leave(w, ASSEMBLY_STATIC_CONSTRUCTOR, HITS_RETURNED);
}

static void static_in_test(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    uint32_t of_test = window_here();
    (void)enter(w, ASSEMBLY_STATIC_CONSTRUCTOR);
    uint32_t of_static = window_here();
    EXPECT(of_static != of_test && window_of(w, 2) == of_static);
    hit(w, ASSEMBLY_PLAIN, 0);
    EXPECT(holders(2) == 1);
    deeper(leave_static, w); /* how deep the two calls are does not matter */
    EXPECT(window_here() == of_test && holders(2) == 0);
    EXPECT(count_in(w, of_static, ASSEMBLY_PLAIN, 0) == 1);
    EXPECT(count_in(w, of_test, ASSEMBLY_PLAIN, 0) == 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    expect_log(w, TEST_1 "owner\t2\t2\t" MVID "\t3\t\nover\t1\tN\t1\t1\n");
}

/* It needs no managed half. */
static void static_outside(struct world *w)
{
    start(w);
    atomic_store(&g_profiler.contexts->calls.enter, NULL);
    contexts_enter(NULL, site_of(w, ASSEMBLY_STATIC_CONSTRUCTOR));
    EXPECT(window_here() == window_of(w, 1));
    leave(w, ASSEMBLY_STATIC_CONSTRUCTOR, HITS_RETURNED);
    EXPECT(window_here() == 0);
    leave(w, ASSEMBLY_STATIC_CONSTRUCTOR, HITS_RETURNED);
    EXPECT(window_here() == 0);
}

static void static_constructors_count_for_no_test(void **state)
{
    assert_true(scenario_survives(*state, static_in_test, NULL));
    assert_true(scenario_survives(*state, static_outside, NULL));
}

/* --- windows are scarce ----------------------------------------------------------------------- */

static int64_t enter_nth(const struct world *w, unsigned n)
{
    char type[16];
    (void)snprintf(type, sizeof type, "N.C%u", n);
    return enter_as(w, ASSEMBLY_TEST, type);
}

/* Each returns a task that is not done. */
static void leave_many_unfinished(void *argument)
{
    const struct world *w = argument;
    for (unsigned n = 2; n <= MANY; n++) {
        go_to(0);
        EXPECT(enter_nth(w, n) == n);
        hit(w, ASSEMBLY_PLAIN, 0);
        awaits = true;
        leave(w, ASSEMBLY_TEST, HITS_RETURNED);
        awaits = false;
        EXPECT(window_here() == 0);
    }
}

static void many_with_one_on_the_stack(struct world *w)
{
    start(w);
    EXPECT(enter_nth(w, 1) == 1);
    uint32_t window = window_here();
    hit(w, ASSEMBLY_CONDITION, 1);
    deeper(leave_many_unfinished, w);
    EXPECT(window_of(w, 1) == window);
    EXPECT(count_in(w, window, ASSEMBLY_CONDITION, 1) == 1);
    EXPECT(window_of(w, 2) == SHARDS_MAX); /* the oldest of the others */
    EXPECT(window_of(w, MANY) != SHARDS_MAX);
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == MANY - 1);
    EXPECT(strstr(log_of(w), "\nhits\t2\t1\n") != NULL);
    EXPECT(strstr(log_of(w), "\nhits\t1\t") == NULL);
    go_to(1); /* goes on after an await */
    EXPECT(window_here() == window);
    EXPECT(!is_logged(w, "\ntrouble\t"));
}

static void context_on_a_stack_keeps_its_window(void **state)
{
    assert_true(scenario_survives(*state, many_with_one_on_the_stack, NULL));
}

static void enter_first(void *w)
{
    EXPECT(enter_nth(w, 1) == 1);
}

/* ExecutionContext.Run in a test: its chain of calls is shorter than that of `enter`. */
static void runs_in_another_flow(struct world *w)
{
    start(w);
    deeper(enter_first, w);
    uint32_t window = window_here(); /* which the test's method keeps in a local */
    go_to(0);
    deeper(leave_many_unfinished, w);
    go_to(1);
    EXPECT(window_here() == window);
}

static void context_whose_method_waits_for_another_flow_keeps_its_window(void **state)
{
    assert_true(scenario_survives(*state, runs_in_another_flow, NULL));
}

static void many_after_each_other(struct world *w)
{
    start(w);
    for (unsigned n = 1; n <= MANY; n++) {
        EXPECT(enter_nth(w, n) == n);
        hit(w, ASSEMBLY_PLAIN, 0);
        leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    }
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == MANY);
    EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_PLAIN, 0) == MANY);
    EXPECT(g_profiler.shards.count == 3); /* a thread's, what is kept, a context's */
}

static void tests_after_each_other_need_one_window(void **state)
{
    assert_true(scenario_survives(*state, many_after_each_other, NULL));
}

/* Classes keep their windows, until there are 16. */
static void many_classes(struct world *w)
{
    enum {
        ENOUGH = 16,
        CLASSES = 40
    };
    char type[16];
    start(w);
    for (unsigned n = 1; n <= CLASSES; n++) {
        (void)snprintf(type, sizeof type, "N.C%u", n);
        EXPECT(enter_as(w, ASSEMBLY_CONSTRUCTOR, type) == n);
        hit(w, ASSEMBLY_PLAIN, 0);
        leave(w, ASSEMBLY_TEST, HITS_RETURNED);
        EXPECT(g_profiler.shards.count == 2 + (n < ENOUGH ? n : ENOUGH));
        EXPECT(window_of(w, n) != SHARDS_MAX);
        EXPECT(n <= ENOUGH || window_of(w, n - ENOUGH) == SHARDS_MAX);
    }
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == CLASSES);
    EXPECT(count_in(w, g_profiler.contexts->kept, ASSEMBLY_PLAIN, 0) == CLASSES - ENOUGH);
    EXPECT(strstr(log_of(w), "\nhits\t24\t1\n") != NULL);
    EXPECT(strstr(log_of(w), "\nhits\t25\t") == NULL);
}

static void what_has_ended_makes_room_before_more_is_taken(void **state)
{
    assert_true(scenario_survives(*state, many_classes, NULL));
}

struct nested {
    const struct world *w;
    unsigned n;
};

static void nest(void *argument)
{
    struct nested *nested = argument, inner = {nested->w, nested->n + 1};
    go_to(0);
    EXPECT(enter_nth(nested->w, nested->n) == nested->n);
    go_to(nested->n);
    EXPECT((window_here() != 0) == (nested->n <= SHARDS_OF_CONTEXTS_MAX));
    hit(nested->w, ASSEMBLY_PLAIN, 0);
    if (nested->n < MANY)
        deeper(nest, &inner);
}

static void too_many_on_the_stack(struct world *w)
{
    struct nested outermost = {w, 1};
    start(w);
    nest(&outermost);
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == MANY);
    EXPECT(count_in(w, 0, ASSEMBLY_PLAIN, 0) == MANY - SHARDS_OF_CONTEXTS_MAX);
    EXPECT(is_logged(w,
                     "\ntrouble\thits of some tests are not attributed to them: too many had code "
                     "on the stacks of threads at once"));
}

static void hits_without_a_window_are_nobodys_and_it_is_told(void **state)
{
    assert_true(scenario_survives(*state, too_many_on_the_stack, NULL));
}

/* What is not in the log stays where it is. */
static void no_room_for_the_log(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    uint32_t window = window_here();
    hit(w, ASSEMBLY_PLAIN, 0);
    g_profiler.contexts->is_log_broken = true;
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_of(w, 1) == window && count_in(w, window, ASSEMBLY_PLAIN, 0) == 1);
    expect_log(w, TEST_1);
    EXPECT(is_logged(w, "\ntrouble\thits of some tests are not attributed to them: there is no "
                        "memory, or no room in the session, to record them\n"));
    EXPECT(enter_as(w, ASSEMBLY_TEST, "N.Other") == 0); /* nobody would know its name */
}

static void hits_that_cannot_be_written_stay_in_the_window(void **state)
{
    assert_true(scenario_survives(*state, no_room_for_the_log, NULL));
}

/* --- threads ---------------------------------------------------------------------------------- */

struct runner {
    pthread_t thread;
    ThreadID id;
    const struct world *w;
    sem_t met, may_go_on;
    bool is_reused;       /* it has run code of the context before, as threads of a pool have */
    bool is_idle;         /* it hits nothing */
    uint32_t own, window; /* its window before, and for the context */
};

/* Continues context 1. */
static void *run(void *argument)
{
    struct runner *r = argument;
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, r->id, 1) == S_OK);
    r->own = window_here();
    go_to(r->is_reused ? 1 : 0);
    go_to(0);
    go_to(1);
    r->window = window_here();
    if (!r->is_idle)
        hit(r->w, ASSEMBLY_PLAIN, 0);
    EXPECT(sem_post(&r->met) == 0 && sem_wait(&r->may_go_on) == 0);
    if (!r->is_idle)
        hit(r->w, ASSEMBLY_CONDITION, 1);
    go_to(0);
    EXPECT(window_here() == r->own);
    EXPECT(g_callback.vtbl->ThreadDestroyed(&g_callback, r->id) == S_OK);
    return NULL;
}

static void begin_runner(struct runner *r)
{
    pthread_attr_t attributes;
    EXPECT(sem_init(&r->met, 0, 0) == 0 && sem_init(&r->may_go_on, 0, 0) == 0);
    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, STACK_LEN) == 0);
    EXPECT(pthread_create(&r->thread, &attributes, run, r) == 0);
    EXPECT(sem_wait(&r->met) == 0);
    (void)pthread_attr_destroy(&attributes);
}

static void begin(struct runner *r, const struct world *w, ThreadID id)
{
    *r = (struct runner){.id = id, .w = w};
    begin_runner(r);
}

static void end(struct runner *r)
{
    EXPECT(sem_post(&r->may_go_on) == 0 && pthread_join(r->thread, NULL) == 0);
}

static void on_two_threads(struct world *w)
{
    struct runner r;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    uint32_t window = window_here();
    begin(&r, w, 7);
    EXPECT(r.window == window && r.own != window && r.own != 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED); /* the other thread still runs something of it */
    EXPECT(window_here() == 0 && window_of(w, 1) == window);
    expect_log(w, TEST_1);
    end(&r);
    EXPECT(window_of(w, 1) == SHARDS_MAX && count_in(w, window, ASSEMBLY_CONDITION, 1) == 0);
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) == 1 && sum_of(w, ASSEMBLY_CONDITION, 1) == 1);
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n" PLAIN_VECTOR_1 "vector\t2\t1\t8\t11\nhits\t1\t12\n");
}

static void context_keeps_its_window_while_any_thread_runs_its_code(void **state)
{
    assert_true(scenario_survives(*state, on_two_threads, NULL));
}

/* --- flows that outlive their test ------------------------------------------------------------ */

static void run_other_test(struct world *w)
{
    EXPECT(enter_as(w, ASSEMBLY_TEST, "N.D") == 2);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
}

static bool log_has(struct world *w, const char *line)
{
    return strstr(log_of(w), line) != NULL;
}

static void thread_stays(struct world *w)
{
    struct runner r;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    begin(&r, w, 7);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    EXPECT(!log_has(w, "outlives"));
    end(&r);
    EXPECT(log_has(w, "outlives\t1\n"));
}

static void thread_stays_to_the_end(struct world *w)
{
    struct runner r;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    begin(&r, w, 7);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    contexts_finish(&g_profiler);
    EXPECT(log_has(w, "outlives\t1\n") && !log_has(w, "outlives\t2"));
    end(&r);
}

/* Its row is that of a thread that has ended. */
static void other_thread_stays(struct world *w)
{
    struct runner first, r;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    begin(&first, w, 7);
    end(&first);
    begin(&r, w, 8);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    end(&r);
    EXPECT(log_has(w, "outlives\t1\n"));
}

static void thread_leaves_before_another_test(struct world *w)
{
    struct runner r;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    begin(&r, w, 7);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    end(&r);
    run_other_test(w);
    contexts_finish(&g_profiler);
    EXPECT(!log_has(w, "outlives"));
}

static void flow_that_outlives_its_test_is_told(void **state)
{
    assert_true(scenario_survives(*state, thread_stays, NULL));
    assert_true(scenario_survives(*state, other_thread_stays, NULL));
    assert_true(scenario_survives(*state, thread_stays_to_the_end, NULL));
    assert_true(scenario_survives(*state, thread_leaves_before_another_test, NULL));
}

static void flow_goes_on(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    hit(w, ASSEMBLY_PLAIN, 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    go_to(1);
    go_to(0); /* it hit nothing */
    EXPECT(!log_has(w, "outlives"));
    go_to(1);
    hit(w, ASSEMBLY_PLAIN, 0);
    go_to(0);
    EXPECT(log_has(w, "outlives\t1\n"));
}

static void flow_goes_on_before_another_test(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    go_to(1);
    hit(w, ASSEMBLY_PLAIN, 0);
    go_to(0);
    run_other_test(w);
    contexts_finish(&g_profiler);
    EXPECT(!log_has(w, "outlives"));
}

/* What was hit before the end tells nothing, whether a thread still holds the window or not. */
static void go_on_while_held(struct world *w, const char *mode, bool hits)
{
    struct runner r = {.id = 7, .w = w, .is_reused = true, .is_idle = true};
    start_in(w, mode);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    hit(w, ASSEMBLY_PLAIN, 0);
    begin_runner(&r);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    go_to(1);
    if (hits)
        hit(w, ASSEMBLY_PLAIN, 0); /* once more */
    go_to(0);
    end(&r);
    contexts_finish(&g_profiler);
    EXPECT(log_has(w, "outlives\t1\n") == hits);
    EXPECT(sum_of(w, ASSEMBLY_PLAIN, 0) != 0);
}

static void flow_goes_on_while_held(struct world *w)
{
    go_on_while_held(w, "count", false);
}

static void flow_goes_on_while_held_in_hit_mode(struct world *w)
{
    go_on_while_held(w, "hit", false);
}

static void flow_hits_while_held(struct world *w)
{
    go_on_while_held(w, "count", true);
}

static void flow_hits_while_held_in_hit_mode(struct world *w)
{
    go_on_while_held(w, "hit", true);
}

static void flow_goes_on_on_thread_that_ends(struct world *w)
{
    struct runner r = {.id = 7, .w = w, .is_idle = true};
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    run_other_test(w);
    begin_runner(&r);
    end(&r);
    EXPECT(!log_has(w, "outlives"));
}

static void flow_that_hits_something_after_its_test_outlives_it(void **state)
{
    assert_true(scenario_survives(*state, flow_goes_on, NULL));
    assert_true(scenario_survives(*state, flow_goes_on_before_another_test, NULL));
    assert_true(scenario_survives(*state, flow_hits_while_held, NULL));
    assert_true(scenario_survives(*state, flow_hits_while_held_in_hit_mode, NULL));
}

static void flow_that_hits_nothing_after_its_test_does_not_outlive_it(void **state)
{
    assert_true(scenario_survives(*state, flow_goes_on_while_held, NULL));
    assert_true(scenario_survives(*state, flow_goes_on_while_held_in_hit_mode, NULL));
    assert_true(scenario_survives(*state, flow_goes_on_on_thread_that_ends, NULL));
}

static void *run_to_the_end(void *argument)
{
    const struct world *w = argument;
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, 7, 1) == S_OK);
    go_to(1);
    hit(w, ASSEMBLY_PLAIN, 0);
    EXPECT(holders(1) == 2); /* it began on another thread */
    EXPECT(g_callback.vtbl->ThreadDestroyed(&g_callback, 7) == S_OK);
    EXPECT(holders(1) == 1);
    return NULL;
}

static void on_thread_that_ends(struct world *w)
{
    pthread_t thread;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    EXPECT(pthread_create(&thread, NULL, run_to_the_end, w) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(count_in(w, window_of(w, 1), ASSEMBLY_PLAIN, 0) == 1);
}

static void thread_that_ends_holds_no_context(void **state)
{
    assert_true(scenario_survives(*state, on_thread_that_ends, NULL));
}

static void *run_unknown(void *argument)
{
    const struct world *w = argument;
    go_to(1);
    EXPECT(enter(w, ASSEMBLY_TEST) == 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    (void)enter(w, ASSEMBLY_STATIC_CONSTRUCTOR);
    leave(w, ASSEMBLY_STATIC_CONSTRUCTOR, HITS_RETURNED);
    contexts_returned(w);
    EXPECT(contexts_result() == w); /* nothing that a method returns may be lost */
    return NULL;
}

static void on_unknown_thread(struct world *w)
{
    pthread_t thread;
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    EXPECT(pthread_create(&thread, NULL, run_unknown, w) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(holders(1) == 1);
    expect_log(w, TEST_1);
}

static void thread_that_the_library_does_not_know_is_left_alone(void **state)
{
    assert_true(scenario_survives(*state, on_unknown_thread, NULL));
}

/* --- probes that call ------------------------------------------------------------------------- */

typedef void probe_function(void *counter);

/* The first probe of a body that is not sharded, with the address of its counter in shard 0. */
static probe_function *probe_of(const struct world *w, uint32_t rid)
{
    struct arena arena;
    struct il_body body;
    struct il il;
    uint64_t function = 0;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    fake_clr_compile(w->module, rid);
    EXPECT(body_parse(&body, (struct view){w->module->methods[rid - 1].body, 1 << 20}, &arena) ==
           VERDICT_OK);
    EXPECT(il_decode(&il, &body, &arena) == VERDICT_OK);
    for (uint32_t i = 1; i < il.count && function == 0; i++)
        if (il.instrs[i].op == OP_CALLI && il.instrs[i - 1].op == OP_LDC_I8)
            function = load_u64(il.code + il.instrs[i - 1].offset + 1);
    arena_free(&arena);
    EXPECT(function != 0);
    return (probe_function *)(uintptr_t)function;
}

static void tail_call(struct world *w, const char *mode)
{
    start_in(w, mode);
    probe_function *probe = probe_of(w, ASSEMBLY_TAIL_CALL);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    probe(counter_in(w, 0, ASSEMBLY_TAIL_CALL, 0));
    EXPECT(count_in(w, window_here(), ASSEMBLY_TAIL_CALL, 0) == 1);
    EXPECT(sum_of(w, ASSEMBLY_TAIL_CALL, 0) == 1);
    probe(counter_in(w, 0, ASSEMBLY_TAIL_CALL, 0));
    EXPECT(sum_of(w, ASSEMBLY_TAIL_CALL, 0) == (w->place->mode == MODE_HIT ? 1 : 2));
}

static void count_tail_call(struct world *w)
{
    tail_call(w, "count");
}

static void hit_tail_call(struct world *w)
{
    tail_call(w, "hit");
}

static void method_without_a_shard_counts_for_the_context(void **state)
{
    assert_true(scenario_survives(*state, count_tail_call, NULL));
    assert_true(scenario_survives(*state, hit_tail_call, NULL));
}

/* --- the start -------------------------------------------------------------------------------- */

static void *start_too(void *argument)
{
    (void)argument;
    EXPECT(contexts_must_start() == NULL && contexts_have_managed(&g_profiler));
    return NULL;
}

static void start_on_two_threads(struct world *w)
{
    pthread_t thread;
    start(w);
    atomic_store(&g_profiler.contexts->calls.enter, NULL);
    EXPECT(contexts_must_start() != NULL);
    EXPECT(contexts_must_start() == NULL); /* a test that runs meanwhile on the same thread */
    EXPECT(
        is_logged(w, "\ntrouble\thits of some tests are not attributed to them: they ran before"));
    EXPECT(pthread_create(&thread, NULL, start_too, NULL) == 0);
    usleep(50 * 1000);
    atomic_store(&g_profiler.contexts->calls.enter, managed_enter);
    EXPECT(pthread_join(thread, NULL) == 0);
}

static void one_thread_starts_the_managed_half_and_others_wait(void **state)
{
    assert_true(scenario_survives(*state, start_on_two_threads, NULL));
}

/* --- results ---------------------------------------------------------------------------------- */

static const void *freed, *left_with;

static void note_free(const void *handle)
{
    freed = handle;
}

static void note_leave(int64_t number, int32_t how, const void *result, int64_t previous)
{
    left_with = result;
    g_profiler.contexts->calls.ended(number, how);
    go_to(previous);
}

static void results(struct world *w)
{
    start(w);
    g_profiler.contexts->calls.leave = note_leave;
    g_profiler.contexts->calls.free = note_free;
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    contexts_returned(w);
    contexts_leave(site_of(w, ASSEMBLY_TEST), HITS_RETURNED);
    EXPECT(left_with == w && contexts_result() == w && freed == NULL);
    contexts_took_result();
    EXPECT(freed == w && contexts_result() == NULL);
}

/* The runtime does not run the managed half: tests run in the flow that there is. */
static void results_without(struct world *w)
{
    start(w);
    atomic_store(&g_profiler.contexts->calls.enter, NULL);
    EXPECT(enter(w, ASSEMBLY_TEST) == 0 && window_here() == 0);
    contexts_returned(w);
    contexts_leave(site_of(w, ASSEMBLY_TEST), HITS_RETURNED);
    EXPECT(contexts_result() == w);
    contexts_took_result();
    EXPECT(contexts_result() == NULL);
    expect_log(w, "");
}

static void result_reaches_the_caller_with_and_without_the_managed_half(void **state)
{
    assert_true(scenario_survives(*state, results, NULL));
    assert_true(scenario_survives(*state, results_without, NULL));
}

/* There was no memory for the flow of the test. */
static void enter_in_vain(const void *type, int32_t site)
{
    (void)type;
    EXPECT(g_profiler.contexts->calls.entered(site, u"N.C", 3) == 1);
}

static void no_flow(struct world *w)
{
    start(w);
    atomic_store(&g_profiler.contexts->calls.enter, enter_in_vain);
    (void)enter(w, ASSEMBLY_TEST);
    EXPECT(window_here() == 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    atomic_store(&g_profiler.contexts->calls.enter, managed_enter);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1 && window_here() != 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(g_callback.vtbl->Shutdown(&g_callback) == S_OK);
    expect_log(w, TEST_1 "over\t1\tN\t1\t2\nover\t1\tN\t1\t1\n");
}

static void test_without_a_flow_ends_in_an_unknown_way(void **state)
{
    assert_true(scenario_survives(*state, no_flow, NULL));
}

/* A runtime-async test returns to whoever awaits it, and ends on another thread. */
static void leaves_early(struct world *w)
{
    start(w);
    g_profiler.contexts->sites[site_of(w, ASSEMBLY_TEST) - 1].leaves_early = true;
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    EXPECT(enter(w, ASSEMBLY_TEST) == 0); /* it calls itself */
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() != 0);
    go_to(0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED); /* of a flow that is not its own */
    expect_log(w, TEST_1);
    go_to(1);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    EXPECT(window_here() == 0);
    EXPECT(g_callback.vtbl->Shutdown(&g_callback) == S_OK);
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\n");
}

static void test_that_returns_early_ends_in_its_own_flow(void **state)
{
    assert_true(scenario_survives(*state, leaves_early, NULL));
}

/* --- modules ---------------------------------------------------------------------------------- */

/* A module that loads later counts for contexts that are there. */
static void loads_later(struct world *w)
{
    start(w);
    EXPECT(enter(w, ASSEMBLY_TEST) == 1);
    w->module = fake_clr_add(&w->clr, "/app/late/Handmade.dll", w->image, false);
    fake_clr_load(w->module);
    w->place = instance_find_module(&g_profiler, w->module->id)->place;
    EXPECT(w->place->log_number == 2);
    hit(w, ASSEMBLY_PLAIN, 0);
    leave(w, ASSEMBLY_TEST, HITS_RETURNED);
    expect_log(w, TEST_1 "over\t1\tN\t1\t1\nvector\t1\t2\t4\t01\nhits\t1\t1\n");
}

static void module_that_loads_later_is_told_apart_too(void **state)
{
    assert_true(scenario_survives(*state, loads_later, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(counter_file_has_a_number_in_the_log),
    TEST(hits_of_a_test_are_in_the_log_when_it_loses_its_window),
    TEST(sums_stay_the_same),
    TEST(hits_are_kept_as_hits),
    TEST(how_a_test_ended_is_in_the_log),
    TEST(context_is_a_method_in_a_type),
    TEST(unknown_numbers_change_nothing),
    TEST(outermost_test_owns_what_it_runs),
    TEST(class_keeps_its_window),
    TEST(static_constructors_count_for_no_test),
    TEST(context_on_a_stack_keeps_its_window),
    TEST(context_whose_method_waits_for_another_flow_keeps_its_window),
    TEST(tests_after_each_other_need_one_window),
    TEST(what_has_ended_makes_room_before_more_is_taken),
    TEST(hits_without_a_window_are_nobodys_and_it_is_told),
    TEST(hits_that_cannot_be_written_stay_in_the_window),
    TEST(context_keeps_its_window_while_any_thread_runs_its_code),
    TEST(flow_that_outlives_its_test_is_told),
    TEST(flow_that_hits_something_after_its_test_outlives_it),
    TEST(flow_that_hits_nothing_after_its_test_does_not_outlive_it),
    TEST(thread_that_ends_holds_no_context),
    TEST(thread_that_the_library_does_not_know_is_left_alone),
    TEST(method_without_a_shard_counts_for_the_context),
    TEST(one_thread_starts_the_managed_half_and_others_wait),
    TEST(result_reaches_the_caller_with_and_without_the_managed_half),
    TEST(test_without_a_flow_ends_in_an_unknown_way),
    TEST(test_that_returns_early_ends_in_its_own_flow),
    TEST(module_that_loads_later_is_told_apart_too),
};
UNIT_TESTS(tests);

/* test_attach.c - the library in a program that runs already, against a runtime of C vtables: what
 * is handed over, modules that come twice, bodies when they are asked for, the control socket,
 * leaving. Each test that attaches runs in a process of its own, as there is one profiler a
 * process. */
#include "profiler/attach.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/protocol.h"
#include "contract/session_format.h"
#include "profiler/callback.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"
#include "tests/support/temporary.h"

enum {
    METHODS = 3,
    STATIC = 0x96, /* and public, hidden by signature: II.23.1.10 */
    NO_INLINING = 8,
    THREADS = 4,
    LOADS = 12,   /* of a module, one after another */
    TRIES = 24000 /* of 5 ms, until a thread has done something */
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct view image;
    uint8_t data[CLIENT_DATA_HEADER_LEN + 256];
    uint32_t data_len;
};

/* A module that comes and goes. */
struct traffic {
    struct world *world;
    struct fake_module *module;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct view body;
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    w->clr.has_info10 = true;
    il_begin(&w->builder, "void()");
    IMAGE_ROW(&w->builder.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&w->builder.image, "Handmade"), 0);
    (void)il_add_method(&w->builder, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)il_add_method_as(&body, &w->builder, STATIC, NO_INLINING, "int32(bool)",
                           ".locals int32; .init; ldarg.0; brtrue.s E; call int32(); stloc.0;"
                           "E: ldloc.0; ret");
    w->image = image_pe(&w->builder.image, false);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    w->data_len = fake_clr_client_data(w->data, w->session.folder);
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

static struct fake_module *add(struct world *w)
{
    return fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
}

static bool is_done(void)
{
    mutex_lock(&g_profiler.catch_up.lock);
    bool done = g_profiler.catch_up.is_done;
    mutex_unlock(&g_profiler.catch_up.lock);
    return done;
}

static void attach(struct world *w)
{
    EXPECT(fake_clr_attach(&w->clr, w->data, w->data_len) == S_OK);
    fake_clr_complete_attach();
    for (unsigned i = 0; !is_done(); i++) {
        EXPECT(i < TRIES);
        (void)usleep(5000);
    }
}

/* What the library answers to `request`; a line without its end is sent as it is. */
static void ask(char *answer, size_t room, const struct world *w, const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = 0;
    ssize_t n = 0;
    int path_len = snprintf(address.sun_path, sizeof address.sun_path, "%s/" SESSION_CONTROL "%ld",
                            w->session.folder, (long)getpid());
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(fd >= 0 && path_len < (int)sizeof address.sun_path &&
           connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    EXPECT(send(fd, request, strlen(request), 0) == (ssize_t)strlen(request));
    (void)shutdown(fd, SHUT_WR);
    while ((n = recv(fd, answer + len, room - 1 - len, 0)) > 0)
        len += (size_t)n;
    answer[len] = '\0';
    (void)close(fd);
}

/* --- client data ------------------------------------------------------------------------------ */

static void client_data_names_the_session(void **state)
{
    struct world *w = *state;
    char path[512];
    struct err err;
    assert_true(attach_read_client_data(path, sizeof path, w->data, w->data_len, &err));
    assert_string_equal(path, w->session.folder);
}

static void cut_client_data_is_refused(void **state)
{
    struct world *w = *state;
    char path[512];
    for (uint32_t len = 0; len < w->data_len; len++) {
        struct err err = {0};
        struct view copy = exact_copy((struct view){w->data, len});
        assert_false(attach_read_client_data(path, sizeof path, copy.data, len, &err));
        assert_int_equal(err.code, ERR_FORMAT);
        exact_free(copy);
    }
}

static void client_data_that_says_otherwise_is_refused(void **state)
{
    struct world *w = *state;
    static const struct {
        size_t at;
        uint8_t byte;
    } changes[] = {
        {0, 'X'},                         /* another's */
        {CLIENT_DATA_AT_VERSION, 3},      /* a later version */
        {CLIENT_DATA_AT_LEN, 0xFF},       /* more than there is */
        {CLIENT_DATA_AT_PATH_LEN + 2, 1}, /* likewise */
        {CLIENT_DATA_AT_PATH_LEN, 1},     /* less than there is */
        {CLIENT_DATA_HEADER_LEN, 'x'},    /* not absolute */
        {CLIENT_DATA_HEADER_LEN + 3, 0},  /* ends early */
    };
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        char path[512];
        struct err err = {0};
        uint8_t old = w->data[changes[i].at];
        w->data[changes[i].at] = changes[i].byte;
        struct view copy = exact_copy((struct view){w->data, w->data_len});
        assert_false(attach_read_client_data(path, sizeof path, copy.data, copy.len, &err));
        exact_free(copy);
        w->data[changes[i].at] = old;
    }
    char small[8];
    struct err err = {0};
    assert_false(attach_read_client_data(small, sizeof small, w->data, w->data_len, &err));
}

static void refuses_what_it_does_not_know(struct world *w)
{
    w->data[0] = 'X';
    EXPECT(fake_clr_attach(&w->clr, w->data, w->data_len) == E_INVALIDARG);
    EXPECT(w->clr.mask_calls == 0);
}

static void unknown_client_data_leaves_the_program_as_it_was(void **state)
{
    assert_true(scenario_survives(*state, refuses_what_it_does_not_know, NULL));
}

/* --- modules ---------------------------------------------------------------------------------- */

static void finds_loaded(struct world *w)
{
    struct fake_module *module = add(w);
    attach(w);
    EXPECT(module->methods[1].rejits == 1 && module->methods[2].rejits == 1);
    EXPECT(module->methods[1].bodies_given == 0); /* not before it is asked for */
    fake_clr_rejit(module, 2);
    EXPECT(module->methods[1].bodies_given == 1 && module->methods[1].maps_given == 1);
    fake_clr_load(module); /* its event comes after all */
    EXPECT(module->methods[1].rejits == 1);
    EXPECT(module->methods[1].body == NULL); /* SetILFunctionBody is not called */
}

static void a_module_that_comes_twice_is_instrumented_once(void **state)
{
    assert_true(scenario_survives(*state, finds_loaded, NULL));
}

static void meets_loading(struct world *w)
{
    EXPECT(fake_clr_attach(&w->clr, w->data, w->data_len) == S_OK);
    struct fake_module *module = add(w);
    fake_clr_load(module); /* its event comes before the list is asked for */
    fake_clr_complete_attach();
    for (unsigned i = 0; !is_done() && i < TRIES; i++)
        (void)usleep(5000);
    EXPECT(module->methods[1].rejits == 1);
    struct fake_module *later = fake_clr_add(&w->clr, "/app/Later.dll", w->image, false);
    fake_clr_load(later);
    EXPECT(later->methods[1].rejits == 1);
    fake_clr_rejit(later, 3);
    EXPECT(later->methods[2].bodies_given == 1);
}

static void modules_that_load_later_are_instrumented(void **state)
{
    assert_true(scenario_survives(*state, meets_loading, NULL));
}

static void loses_module(struct world *w)
{
    struct fake_module *module = add(w);
    attach(w);
    fake_clr_unload(module);
    EXPECT(g_profiler.catch_up.seen->id == 0);
    fake_clr_reload(&w->clr, module, w->image);
    EXPECT(module->methods[1].rejits == 1);
}

static void a_module_that_unloads_may_come_again(void **state)
{
    assert_true(scenario_survives(*state, loses_module, NULL));
}

static void skips_collectible(struct world *w)
{
    struct fake_module *module = add(w);
    module->flags = COR_PRF_MODULE_COLLECTIBLE;
    attach(w);
    EXPECT(module->methods[1].rejits == 0);
    EXPECT((w->clr.event_mask & COR_PRF_ENABLE_REJIT) == 0);
}

static void collectible_code_is_left_alone(void **state)
{
    assert_true(scenario_survives(*state, skips_collectible, NULL));
}

static void is_refused_rejit(struct world *w)
{
    struct fake_module *module = add(w);
    w->clr.no_rejit = true;
    attach(w);
    const struct instrumented_module *covered = atomic_load(&g_profiler.modules);
    EXPECT(covered != NULL && covered->place->file.head != NULL);
    EXPECT(covered->place->file.head[covered->place->file.verdicts_at + 1] ==
           VERDICT_DECLINED_BY_RUNTIME);
    EXPECT(module->methods[1].bodies_given == 0);
}

static void a_module_that_the_runtime_refuses_is_not_missed_code(void **state)
{
    assert_true(scenario_survives(*state, is_refused_rejit, NULL));
}

/* --- what ran before -------------------------------------------------------------------------- */

static uint8_t verdict_of(uint32_t rid)
{
    const struct counter_file *file = &atomic_load(&g_profiler.modules)->place->file;
    return file->head[file->verdicts_at + rid - 1];
}

static void was_compiled(struct world *w)
{
    (void)add(w);
    w->clr.no_threads = true;
    w->clr.has_code = TOKEN(TABLE_MethodDef, 3);
    attach(w);
    EXPECT(verdict_of(3) == VERDICT_MAY_HAVE_RUN);
}

static void what_was_compiled_before_may_have_run(void **state)
{
    assert_true(scenario_survives(*state, was_compiled, NULL));
}

/* The assembly is optimised: the code of 2 may be in that of its callers, but not that of 3. */
static void was_not_compiled(struct world *w)
{
    (void)add(w);
    w->clr.no_threads = true;
    attach(w);
    EXPECT(verdict_of(2) == VERDICT_MAY_HAVE_RUN);
    EXPECT(verdict_of(3) == VERDICT_OK);
}

static void what_was_neither_compiled_nor_inlined_never_ran(void **state)
{
    assert_true(scenario_survives(*state, was_not_compiled, NULL));
}

static void tells_nothing(struct world *w)
{
    (void)add(w);
    w->clr.no_threads = true;
    w->clr.no_code_info = true;
    attach(w);
    EXPECT(verdict_of(2) == VERDICT_MAY_HAVE_RUN && verdict_of(3) == VERDICT_MAY_HAVE_RUN);
}

static void without_an_answer_all_may_have_run(void **state)
{
    assert_true(scenario_survives(*state, tells_nothing, NULL));
}

static void is_on_a_stack(struct world *w)
{
    (void)add(w);
    attach(w);
    EXPECT(verdict_of(2) == VERDICT_WAS_RUNNING);
    EXPECT(w->clr.stops == 1 && !w->clr.is_stopped);
}

static void what_is_on_a_stack_was_running(void **state)
{
    assert_true(scenario_survives(*state, is_on_a_stack, NULL));
}

static void covers_nothing(struct world *w)
{
    add(w)->flags = COR_PRF_MODULE_COLLECTIBLE;
    attach(w);
    EXPECT(w->clr.stops == 0);
}

static void nothing_is_stopped_for_nothing(void **state)
{
    assert_true(scenario_survives(*state, covers_nothing, NULL));
}

static void errs_on_method(struct world *w)
{
    struct fake_module *module = add(w);
    w->clr.no_threads = true;
    attach(w);
    EXPECT(g_callback.vtbl->ReJITError(&g_callback, module->id, TOKEN(TABLE_MethodDef, 2), 0,
                                       CORPROF_E_FUNCTION_IS_COLLECTIBLE) == S_OK);
    EXPECT(g_callback.vtbl->ReJITError(&g_callback, module->id, TOKEN(TABLE_MethodDef, 99), 0,
                                       E_FAIL) == S_OK);
    const struct instrumented_module *covered = atomic_load(&g_profiler.modules);
    const uint8_t *verdicts = covered->place->file.head + covered->place->file.verdicts_at;
    EXPECT(verdicts[1] == VERDICT_DECLINED_BY_RUNTIME && verdicts[2] == VERDICT_OK);
}

static void a_method_that_cannot_be_recompiled_is_declined(void **state)
{
    assert_true(scenario_survives(*state, errs_on_method, NULL));
}

/* --- events ----------------------------------------------------------------------------------- */

static void asks_for_little(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Nothing]*\n");
    (void)add(w);
    attach(w);
    EXPECT(w->clr.event_mask == (COR_PRF_MONITOR_MODULE_LOADS | COR_PRF_MONITOR_THREADS));
}

static void rejit_is_asked_for_with_the_first_module_in_scope(void **state)
{
    assert_true(scenario_survives(*state, asks_for_little, NULL));
}

/* --- the socket ------------------------------------------------------------------------------- */

static void answers(struct world *w)
{
    char answer[4096];
    (void)add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 hello\n");
    EXPECT(strcmp(answer, "end\t0x00000000\n") == 0);
    ask(answer, sizeof answer, w, "ilcov 1 nonsense\n");
    EXPECT(strcmp(answer, "end\t0x80070057\n") == 0);
    ask(answer, sizeof answer, w, "ilcov 2 hello\n");
    EXPECT(answer[0] == '\0');
    ask(answer, sizeof answer, w, "GET / HTTP/1.1\r\n\r\n");
    EXPECT(answer[0] == '\0');
    ask(answer, sizeof answer, w, "ilcov 1 hel"); /* and no more */
    EXPECT(answer[0] == '\0');
    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    ask(answer, sizeof answer, w, longest);
    EXPECT(answer[0] == '\0');
    ask(answer, sizeof answer, w, "ilcov 1 detach\n");
    EXPECT(strcmp(answer, "instrumented\t2\nreverted\t2\nend\t0x80131370\n") == 0);
    ask(answer, sizeof answer, w, "ilcov 1 hello\n"); /* it stays */
    EXPECT(strcmp(answer, "end\t0x00000000\n") == 0);
}

static void every_request_has_its_answer(void **state)
{
    assert_true(scenario_survives(*state, answers, NULL));
}

/* The record's lines of a kind. */
static unsigned recorded(const struct world *w, const char *start)
{
    char path[512], line[512];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", w->session.folder, g_profiler.record.name);
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    while (fgets(line, sizeof line, file) != NULL)
        count += strncmp(line, start, strlen(start)) == 0;
    (void)fclose(file);
    return count;
}

static void is_without_counters_and_with(struct world *w)
{
    char answer[4096];
    struct fake_module *module = add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 count\n"); /* as they have them, nothing is done */
    EXPECT(strcmp(answer, "end\t0x00000000\n") == 0 && module->methods[1].rejits == 1);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(strcmp(answer, "reverted\t2\nend\t0x00000000\n") == 0);
    EXPECT(module->methods[1].reverts == 1 && module->methods[2].reverts == 1);
    EXPECT(module->methods[0].reverts == 0 && w->clr.detaches == 0);
    EXPECT(recorded(w, "attached\t") == 1 && recorded(w, "detached\t") == 1);
    ask(answer, sizeof answer, w, "ilcov 1 count\n");
    EXPECT(strcmp(answer, "end\t0x00000000\n") == 0);
    EXPECT(module->methods[1].rejits == 2 && module->methods[2].rejits == 2);
    EXPECT(recorded(w, "attached\t") == 2);
    fake_clr_rejit(module, 2);
    EXPECT(module->methods[1].bodies_given == 1);
}

/* Nothing of the program had been compiled before the first attach. */
static void runs_without_counters(struct world *w)
{
    char answer[4096];
    (void)add(w);
    w->clr.no_threads = true;
    attach(w);
    EXPECT(verdict_of(3) == VERDICT_OK);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    w->clr.has_code = TOKEN(TABLE_MethodDef, 3);
    ask(answer, sizeof answer, w, "ilcov 1 count\n");
    EXPECT(verdict_of(3) == VERDICT_MAY_HAVE_RUN);
}

static void what_was_compiled_without_counters_may_have_run(void **state)
{
    assert_true(scenario_survives(*state, runs_without_counters, NULL));
}

static void methods_lose_their_counters_and_get_them_again(void **state)
{
    assert_true(scenario_survives(*state, is_without_counters_and_with, NULL));
}

static void loads_while_nobody_measures(struct world *w)
{
    char answer[4096];
    (void)add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    struct fake_module *later = fake_clr_add(&w->clr, "/app/Later.dll", w->image, false);
    fake_clr_load(later);
    EXPECT(later->methods[1].rejits == 0 && later->methods[1].reverts == 0);
    ask(answer, sizeof answer, w, "ilcov 1 count\n");
    EXPECT(later->methods[1].rejits == 1);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(strcmp(answer, "reverted\t4\nend\t0x00000000\n") == 0);
}

static void a_module_that_loads_meanwhile_gets_counters_when_the_others_do(void **state)
{
    assert_true(scenario_survives(*state, loads_while_nobody_measures, NULL));
}

static void loses_module_while_nobody_measures(struct world *w)
{
    char answer[4096];
    struct fake_module *module = add(w);
    attach(w);
    fake_clr_unload(module);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(strcmp(answer, "reverted\t0\nend\t0x00000000\n") == 0);
    EXPECT(module->methods[1].reverts == 0);
}

static void a_module_that_is_gone_is_not_reverted(void **state)
{
    assert_true(scenario_survives(*state, loses_module_while_nobody_measures, NULL));
}

static void revert_now(struct fake_clr *clr)
{
    char answer[4096];
    struct world *w = (struct world *)(void *)((uint8_t *)clr - offsetof(struct world, clr));
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
}

static void stops_while_it_loads(struct world *w)
{
    attach(w);
    struct fake_module *module = add(w);
    w->clr.before_rejit = revert_now;
    fake_clr_load(module);
    EXPECT(module->methods[1].rejits == 1 && !module->methods[1].is_recompiled);
}

static void a_module_that_loads_at_that_moment_is_reverted(void **state)
{
    assert_true(scenario_survives(*state, stops_while_it_loads, NULL));
}

static void *load_again_and_again(void *argument)
{
    struct traffic *traffic = argument;
    for (unsigned i = 0; i < LOADS; i++) {
        if (i != 0)
            fake_clr_unload(traffic->module);
        fake_clr_reload(&traffic->world->clr, traffic->module, traffic->world->image);
        fake_clr_load(traffic->module);
    }
    return NULL;
}

static void loads_while_it_changes(struct world *w, bool ends_stopped)
{
    char answer[4096];
    pthread_t threads[THREADS];
    struct traffic traffic[THREADS];
    attach(w);
    for (unsigned i = 0; i < THREADS; i++) {
        traffic[i] = (struct traffic){w, add(w)};
        traffic[i].module->id = 0;
    }
    for (unsigned i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&threads[i], NULL, load_again_and_again, &traffic[i]) == 0);
    for (unsigned i = 0; i < 2 * LOADS; i++)
        ask(answer, sizeof answer, w,
            (i % 2 == 0) == ends_stopped ? "ilcov 1 count\n" : "ilcov 1 revert\n");
    for (unsigned i = 0; i < THREADS; i++) {
        EXPECT(pthread_join(threads[i], NULL) == 0);
        EXPECT(traffic[i].module->methods[1].is_recompiled == !ends_stopped);
    }
}

static void loads_while_it_stops(struct world *w)
{
    loads_while_it_changes(w, true);
}

static void loads_while_it_continues(struct world *w)
{
    loads_while_it_changes(w, false);
}

static void what_loads_at_the_same_time_is_as_the_others(void **state)
{
    assert_true(scenario_survives(*state, loads_while_it_stops, NULL));
    assert_true(scenario_survives(*state, loads_while_it_continues, NULL));
}

/* The runtime has recompiled a method without probes, because it had inlined one of those. */
static void has_inliners(struct world *w)
{
    char answer[4096];
    (void)add(w);
    struct fake_module *other = fake_clr_add(&w->clr, "/usr/Other.dll", w->image, false);
    scenario_configure(&w->session, "version=1\nmode=count\nexclude=[Handmade]*\n");
    attach(w);
    w->clr.event_mask |= COR_PRF_ENABLE_REJIT; /* it was asked for when the other was recompiled */
    fake_clr_rejit(other, 3);
    EXPECT(other->methods[2].bodies_given == 0);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(strcmp(answer, "reverted\t0\nend\t0x00000000\n") == 0);
    EXPECT(other->methods[2].reverts == 1 && other->methods[1].reverts == 0);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n"); /* once is enough */
    EXPECT(other->methods[2].reverts == 1);
    fake_clr_rejit(other, 3);
    fake_clr_unload(other);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(other->methods[2].reverts == 1);
}

static void what_inlined_a_method_is_reverted_too(void **state)
{
    assert_true(scenario_survives(*state, has_inliners, NULL));
}

static void keeps_body(struct world *w)
{
    char answer[4096];
    (void)add(w);
    attach(w);
    w->clr.no_revert_of = TOKEN(TABLE_MethodDef, 2);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    EXPECT(strcmp(answer, "reverted\t1\nend\t0x00000000\n") == 0);
}

static void a_method_that_cannot_be_reverted_is_not_among_them(void **state)
{
    assert_true(scenario_survives(*state, keeps_body, NULL));
}

static void gets_no_counters_again(struct world *w)
{
    char answer[4096];
    struct fake_module *module = add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 revert\n");
    w->clr.no_rejit = true;
    ask(answer, sizeof answer, w, "ilcov 1 count\n");
    EXPECT(strcmp(answer, "end\t0x8013138a\n") == 0);
    EXPECT(recorded(w, "detached\t") == 2);
    w->clr.no_rejit = false;
    ask(answer, sizeof answer, w, "ilcov 1 count\n");
    EXPECT(strcmp(answer, "end\t0x00000000\n") == 0 && module->methods[1].rejits == 2);
}

static void what_gets_no_counters_again_is_asked_for_the_next_time(void **state)
{
    assert_true(scenario_survives(*state, gets_no_counters_again, NULL));
}

static void walks(struct world *w)
{
    char answer[4096];
    (void)add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 stacks\n");
    EXPECT((w->clr.event_mask & COR_PRF_ENABLE_STACK_SNAPSHOT) != 0 && !w->clr.is_stopped);
    EXPECT(strstr(answer, "thread\t1001\t0x00000000\nframe\t/app/Handmade.dll\t") == answer);
    EXPECT(strstr(answer, "\t0x06000002\t9\t") != NULL);          /* the byte itself */
    const char *generic = strstr(answer, "\nnative\nargument\t"); /* two in a row are one */
    EXPECT(generic != NULL);
    EXPECT(strncmp(generic, "\nnative\nargument\t<Module>\nargument\t\nframe\t", 42) == 0);
    EXPECT(strstr(answer, "\t0x06000003\t7\t") != NULL); /* the byte before */
    const char *second = strstr(answer, "thread\t1002\t0x00000000\n");
    EXPECT(second != NULL && strstr(second, "\t0x06000002\t0\t") != NULL); /* the call */
    EXPECT(strstr(answer, "thread\t1003\t0x80004005\nend\t0x00000000\n") != NULL);
    ask(answer, sizeof answer, w, "ilcov 1 stacks\n");
    EXPECT(w->clr.stops == 3 && strstr(answer, "end\t0x00000000\n") != NULL);
}

static void stacks_are_walked_while_the_runtime_is_stopped(void **state)
{
    assert_true(scenario_survives(*state, walks, NULL));
}

/* 5,000 calls of method 2 by itself, above 3,000 of 2 and 3 by each other, above method 1. */
static void walks_deep(struct world *w)
{
    enum {
        LINE_LEN = 200,
        LINES = 5000
    };
    static char answer[LINES * LINE_LEN];
    (void)add(w);
    attach(w);
    w->clr.is_deep = true;
    ask(answer, sizeof answer, w, "ilcov 1 stacks\n");
    EXPECT(strstr(answer, "thread\t1001\t0x00000000\nframe\t") == answer);
    const char *again = strstr(answer, "\nagain\t4999\nargument\t"),
               *omitted = strstr(answer, "\nomitted\t1906\nframe\t"),
               *outermost = strstr(answer, "\t0x06000001\t"), *next = NULL;
    uint32_t before = 0, after = 0;
    EXPECT(again != NULL && omitted != NULL && outermost != NULL);
    for (const char *at = answer; (at = strstr(at, "\nframe\t")) != NULL && at < omitted; at++)
        before++;
    for (const char *at = omitted; (at = strstr(at, "\nframe\t")) != NULL && at < outermost; at++)
        after++;
    EXPECT(before == 2048 && after == 2048);
    next = strchr(outermost, '\n');
    EXPECT(strncmp(next, "\nthread\t1002", 12) == 0);
}

static void deep_stacks_keep_both_ends(void **state)
{
    assert_true(scenario_survives(*state, walks_deep, NULL));
}

static void leaves(struct world *w)
{
    char answer[4096], path[512];
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Nothing]*\n");
    w->clr.is_detachable = true;
    (void)add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 detach\n");
    EXPECT(strcmp(answer, "instrumented\t0\nend\t0x00000000\n") == 0);
    EXPECT(g_callback.vtbl->ProfilerDetachSucceeded(&g_callback) == S_OK);
    EXPECT(w->clr.info_references == 0 && !g_profiler.control.is_running);
    (void)snprintf(path, sizeof path, "%s/" SESSION_CONTROL "%ld", w->session.folder,
                   (long)getpid());
    EXPECT(access(path, F_OK) != 0);
}

static void what_instrumented_nothing_leaves_nothing(void **state)
{
    assert_true(scenario_survives(*state, leaves, NULL));
}

static void is_too_old(struct world *w)
{
    w->clr.has_info10 = false;
    EXPECT(fake_clr_attach(&w->clr, w->data, w->data_len) == S_OK);
    fake_clr_complete_attach();
    EXPECT(!g_profiler.control.is_running);
}

static void an_old_runtime_is_reported(void **state)
{
    assert_true(scenario_survives(*state, is_too_old, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Who attaches while the library is unloaded has it loaded on, as it is. */
static void is_brought_again_before_it_is_unloaded(struct world *w)
{
    char answer[256];
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Nothing]*\n");
    w->clr.is_detachable = true;
    (void)add(w);
    attach(w);
    ask(answer, sizeof answer, w, "ilcov 1 detach\n");
    EXPECT(g_callback.vtbl->ProfilerDetachSucceeded(&g_callback) == S_OK);
    w->clr.event_mask = 0;
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    attach(w);
    EXPECT((w->clr.event_mask & COR_PRF_MONITOR_MODULE_LOADS) != 0);
    const struct instrumented_module *covered = atomic_load(&g_profiler.modules);
    EXPECT(covered != NULL && covered->place->file.head != NULL);
}

static void a_library_that_is_attached_again_starts_afresh(void **state)
{
    assert_true(scenario_survives(*state, is_brought_again_before_it_is_unloaded, NULL));
}

/* --- a guest ---------------------------------------------------------------------------------- */

HRESULT DllGetClassObject(const GUID *rclsid, const GUID *riid, void **ppv);

/* As the runtime asks for GUEST_CLSID, or LONE_GUEST_CLSID. */
static HRESULT create(bool alone)
{
    const GUID clsid = {0x1c0fc0de,
                        0x5eed,
                        0x4c0f,
                        {0xa1, 0x1c, 0xc0, 0xde, 0xc0, 0xde, 0x5e, alone ? 0xee : 0xed}};
    void *made = NULL, *callback = NULL;
    BOOL notification_only = 2;
    EXPECT(DllGetClassObject(&clsid, &IID_IClassFactory, &made) == S_OK);
    struct class_factory *factory = made;
    HRESULT hr = factory->vtbl->CreateInstance(
        factory, NULL, &callback_ids[ARRAY_LEN(callback_ids) - 1], &callback);
    EXPECT(callback == (hr == S_OK ? &g_guest : NULL));
    EXPECT(g_guest.vtbl->LoadAsNotificationOnly(&g_guest, &notification_only) == S_OK);
    EXPECT(hr != S_OK || notification_only == !alone);
    return hr;
}

static HRESULT create_guest(void)
{
    return create(false);
}

static void bring_guest(struct world *w)
{
    w->clr.is_detachable = true;
    EXPECT(create_guest() == S_OK);
    EXPECT(g_guest.vtbl->InitializeForAttach(&g_guest, (struct unknown *)(void *)&w->clr.info,
                                             w->data, w->data_len) == S_OK);
    /* the runtime may leave out ProfilerAttachComplete */
}

/* It asks to be detached, is not there twice, and takes its socket along. */
static void see_guest_off(struct world *w)
{
    char path[512];
    for (unsigned i = 0; atomic_load(&w->clr.detaches) == 0; i++) {
        EXPECT(i < TRIES);
        (void)usleep(5000);
    }
    EXPECT(create_guest() == CORPROF_E_PROFILER_DETACHING);
    (void)snprintf(path, sizeof path, "%s/" SESSION_CONTROL "%ld", w->session.folder,
                   (long)getpid());
    EXPECT(access(path, F_OK) == 0);
    EXPECT(g_guest.vtbl->ProfilerDetachSucceeded(&g_guest) == S_OK);
    EXPECT(access(path, F_OK) != 0 && create_guest() == S_OK);
}

static void is_visited(struct world *w)
{
    char answer[4096];
    static struct profiler before;
    (void)setenv(SESSION_ENV, w->session.folder, 1);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    fake_clr_load(add(w));
    int references = w->clr.info_references;
    memcpy(&before, &g_profiler, sizeof before);
    bring_guest(w);
    ask(answer, sizeof answer, w, "ilcov 1 stacks\n");
    EXPECT(strstr(answer, "thread\t1001\t0x00000000\nframe\t/app/Handmade.dll\t") == answer);
    EXPECT(strstr(answer, "\nend\t0x00000000\n") != NULL);
    EXPECT(g_guest.vtbl->ThreadDestroyed(&g_guest, 1) == S_OK);
    EXPECT(g_guest.vtbl->ModuleUnloadStarted(&g_guest, w->clr.modules[0].id) == S_OK);
    see_guest_off(w);
    EXPECT(w->clr.info_references == references);
    EXPECT(memcmp(&before, &g_profiler, sizeof before) == 0);
}

static void a_guest_shows_stacks_beside_what_measures_and_leaves_it_as_it_was(void **state)
{
    assert_true(scenario_survives(*state, is_visited, NULL));
}

static void is_visited_for_nothing(struct world *w)
{
    char answer[256];
    for (int i = 0; i < 2; i++) {
        w->clr.detaches = 0;
        bring_guest(w);
        ask(answer, sizeof answer, w, "ilcov 1 hel");
        see_guest_off(w);
    }
    EXPECT(w->clr.info_references == 0);
}

static void a_guest_that_is_asked_nothing_leaves_and_may_come_again(void **state)
{
    assert_true(scenario_survives(*state, is_visited_for_nothing, NULL));
}

static void is_visited_by_others(struct world *w)
{
    struct unknown *info = (struct unknown *)(void *)&w->clr.info;
    w->data[0] = 'X';
    EXPECT(g_guest.vtbl->InitializeForAttach(&g_guest, info, w->data, w->data_len) == E_INVALIDARG);
    w->data[0] = 'I';
    w->clr.leaves_guests_out = true;
    EXPECT(g_guest.vtbl->InitializeForAttach(&g_guest, info, w->data, w->data_len) ==
           CORPROF_E_INCONSISTENT_WITH_FLAGS);
    EXPECT(w->clr.info_references == 0 && create(true) == S_OK);
    w->clr.has_info10 = false;
    EXPECT(g_guest.vtbl->InitializeForAttach(&g_guest, info, w->data, w->data_len) ==
           E_NOINTERFACE);
    EXPECT(w->clr.info_references == 0 && create_guest() == S_OK);
}

static void a_guest_that_cannot_serve_is_not_there(void **state)
{
    assert_true(scenario_survives(*state, is_visited_by_others, NULL));
}

static const struct CMUnitTest tests[] = {
    TEST(client_data_names_the_session),
    TEST(cut_client_data_is_refused),
    TEST(client_data_that_says_otherwise_is_refused),
    TEST(unknown_client_data_leaves_the_program_as_it_was),
    TEST(a_module_that_comes_twice_is_instrumented_once),
    TEST(modules_that_load_later_are_instrumented),
    TEST(a_module_that_unloads_may_come_again),
    TEST(collectible_code_is_left_alone),
    TEST(a_module_that_the_runtime_refuses_is_not_missed_code),
    TEST(a_method_that_cannot_be_recompiled_is_declined),
    TEST(rejit_is_asked_for_with_the_first_module_in_scope),
    TEST(every_request_has_its_answer),
    TEST(methods_lose_their_counters_and_get_them_again),
    TEST(what_was_compiled_without_counters_may_have_run),
    TEST(a_module_that_loads_meanwhile_gets_counters_when_the_others_do),
    TEST(a_module_that_is_gone_is_not_reverted),
    TEST(a_module_that_loads_at_that_moment_is_reverted),
    TEST(what_loads_at_the_same_time_is_as_the_others),
    TEST(what_inlined_a_method_is_reverted_too),
    TEST(a_method_that_cannot_be_reverted_is_not_among_them),
    TEST(what_gets_no_counters_again_is_asked_for_the_next_time),
    TEST(stacks_are_walked_while_the_runtime_is_stopped),
    TEST(deep_stacks_keep_both_ends),
    TEST(what_instrumented_nothing_leaves_nothing),
    TEST(an_old_runtime_is_reported),
    TEST(what_was_compiled_before_may_have_run),
    TEST(what_was_neither_compiled_nor_inlined_never_ran),
    TEST(without_an_answer_all_may_have_run),
    TEST(what_is_on_a_stack_was_running),
    TEST(nothing_is_stopped_for_nothing),
    TEST(a_library_that_is_attached_again_starts_afresh),
    TEST(a_guest_shows_stacks_beside_what_measures_and_leaves_it_as_it_was),
    TEST(a_guest_that_is_asked_nothing_leaves_and_may_come_again),
    TEST(a_guest_that_cannot_serve_is_not_there),
};
UNIT_TESTS(tests);

/* test_instrument.c - what becomes of a module from its load to its end: which place it counts in,
 * which row serves it, and whose precompiled code may be used. How bodies look: test_callback.c.
 * Each scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/instrument.h"

#include "contract/session_format.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"

enum {
    METHODS = 3 /* of a module; the first has no body */
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder, precompiled;
    struct view image, precompiled_image;
};

static struct view build(struct il_builder *b, bool precompiled)
{
    static const uint8_t native[] = {'R', 'T', 'R', 0, 9, 0, 0, 0, 0, 0, 0, 0};
    il_begin(b, "void()");
    IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(&b->image, "Handmade"),
              0);
    (void)il_add_method(b, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)il_add_method(b, "void()", "ret");
    if (precompiled)
        b->image.native_rva = image_body(&b->image, native, sizeof native);
    return image_pe(&b->image, false);
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    w->image = build(&w->builder, false);
    w->precompiled_image = build(&w->precompiled, true);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    assert_int_equal(setenv(SESSION_ENV, w->session.folder, 1), 0);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    il_free(&w->builder);
    il_free(&w->precompiled);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

static struct fake_module *loaded(struct world *w, const char *path)
{
    struct fake_module *module = fake_clr_add(&w->clr, path, w->image, false);
    instrument_module(&g_profiler, module->id);
    return module;
}

static struct instrumented_module *row_of(const struct fake_module *module)
{
    struct instrumented_module *row = instance_find_module(&g_profiler, module->id);
    EXPECT(row != NULL);
    return row;
}

static unsigned places(void)
{
    unsigned count = 0;
    for (const struct counter_block *place = g_profiler.places; place != NULL; place = place->next)
        count++;
    return count;
}

/* --- rows and places -------------------------------------------------------------------------- */

static void loads_equal_modules(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *first = loaded(w, "/app/Handmade.dll");
    struct fake_module *second = loaded(w, "/app/Handmade.dll");
    EXPECT(row_of(first) != row_of(second));
    EXPECT(row_of(first)->place->counters == row_of(second)->place->counters);
    EXPECT(places() == 1);
}

static void equal_modules_count_in_one_place(void **state)
{
    assert_true(scenario_survives(*state, loads_equal_modules, NULL));
}

static void loads_from_elsewhere(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *first = loaded(w, "/app/Handmade.dll");
    struct fake_module *second = loaded(w, "/app/copy/Handmade.dll");
    EXPECT(row_of(first)->place->counters != row_of(second)->place->counters);
    EXPECT(places() == 2);
}

static void module_of_another_path_counts_elsewhere(void **state)
{
    assert_true(scenario_survives(*state, loads_from_elsewhere, NULL));
}

static void unloads(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *first = loaded(w, "/app/Handmade.dll");
    struct instrumented_module *row = row_of(first);
    ModuleID id = first->id;
    instrument_forget_module(&g_profiler, id);
    EXPECT(instance_find_module(&g_profiler, id) == NULL);
    EXPECT(!row->is_free); /* its bodies may still be read */
    instrument_free_module(&g_profiler, id);
    EXPECT(row->is_free);
    EXPECT(row_of(loaded(w, "/app/Handmade.dll")) == row);
    EXPECT(places() == 1);
}

static void row_of_a_module_that_is_gone_serves_the_next(void **state)
{
    assert_true(scenario_survives(*state, unloads, NULL));
}

static void forgets_an_unknown_module(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    const struct instrumented_module *row = row_of(module);
    instrument_forget_module(&g_profiler, module->id + 1);
    instrument_free_module(&g_profiler, module->id);
    EXPECT(row_of(module) == row);
    EXPECT(!row->is_free);
}

static void module_stays_while_others_end(void **state)
{
    assert_true(scenario_survives(*state, forgets_an_unknown_module, NULL));
}

/* --- refusals --------------------------------------------------------------------------------- */

static const uint8_t *verdicts_of(const struct fake_module *module)
{
    const uint8_t *head = row_of(module)->place->file.head;
    EXPECT(head != NULL && load_u32(head + COUNTERS_AT_METHOD_COUNT) == METHODS);
    return head + load_u32(head + COUNTERS_AT_VERDICTS);
}

static void refuses_methods(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    const uint8_t *verdicts = verdicts_of(module);
    EXPECT(verdicts[1] == VERDICT_OK && verdicts[2] == VERDICT_OK);
    instrument_decline_method(&g_profiler, module->id, TOKEN(TABLE_MethodDef, 2));
    EXPECT(verdicts[1] == VERDICT_DECLINED_BY_RUNTIME && verdicts[2] == VERDICT_OK);
}

static void method_that_the_runtime_refuses_is_recorded(void **state)
{
    assert_true(scenario_survives(*state, refuses_methods, NULL));
}

static void refuses_what_is_not_a_method(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    uint8_t before[METHODS];
    memcpy(before, verdicts_of(module), METHODS);
    instrument_decline_method(&g_profiler, module->id, TOKEN(TABLE_MethodDef, METHODS + 1));
    instrument_decline_method(&g_profiler, module->id, TOKEN(TABLE_MethodDef, 0));
    instrument_decline_method(&g_profiler, module->id, TOKEN(TABLE_TypeDef, 2));
    instrument_decline_method(&g_profiler, module->id + 1, TOKEN(TABLE_MethodDef, 2));
    EXPECT(memcmp(verdicts_of(module), before, METHODS) == 0);
}

static void token_that_is_not_a_method_of_the_module_changes_nothing(void **state)
{
    assert_true(scenario_survives(*state, refuses_what_is_not_a_method, NULL));
}

/* --- precompiled code ------------------------------------------------------------------------- */

static void asks_for_searches(struct world *w)
{
    enum {
        CACHE_SEARCHES = 0x20000
    };
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/app/Handmade.dll");
    EXPECT((w->clr.event_mask & CACHE_SEARCHES) == 0);
    struct fake_module *module =
        fake_clr_add(&w->clr, "/app/other/Handmade.dll", w->precompiled_image, false);
    instrument_module(&g_profiler, module->id);
    EXPECT((w->clr.event_mask & CACHE_SEARCHES) != 0);
    EXPECT(!atomic_load(&g_profiler.veto_everything)); /* it is not of a composite image */
}

static void precompiled_code_is_watched_from_the_first_module_that_has_it(void **state)
{
    assert_true(scenario_survives(*state, asks_for_searches, NULL));
}

/* --- the runtime ------------------------------------------------------------------------------ */

static void learns_the_runtime(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/net/shared/N/10.0.0/System.Private.CoreLib.dll");
    EXPECT(strcmp(g_profiler.framework_dir, "/net/shared/N/10.0.0") == 0);
    (void)loaded(w, "/else/System.Private.CoreLib.dll");
    EXPECT(strcmp(g_profiler.framework_dir, "/net/shared/N/10.0.0") == 0);
}

static void first_core_library_shows_where_the_runtime_is(void **state)
{
    assert_true(scenario_survives(*state, learns_the_runtime, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    TEST(equal_modules_count_in_one_place),
    TEST(module_of_another_path_counts_elsewhere),
    TEST(row_of_a_module_that_is_gone_serves_the_next),
    TEST(module_stays_while_others_end),
    TEST(method_that_the_runtime_refuses_is_recorded),
    TEST(token_that_is_not_a_method_of_the_module_changes_nothing),
    TEST(precompiled_code_is_watched_from_the_first_module_that_has_it),
    TEST(first_core_library_shows_where_the_runtime_is),
};
UNIT_TESTS(tests);

/* test_hot_reload.c - a module that the program may change gets no metadata of ours, in any mode;
 * methods that change are noticed when they are compiled; under attach such a module is left alone.
 * Each scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/hot_reload.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "contract/protocol.h"
#include "contract/session_format.h"
#include "profiler/callback.h"
#include "rewriter/body.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"
#include "tests/support/temporary.h"

enum {
    PLAIN = 2, /* rows of the MethodDef table; the first has no body */
    WITH_LOCALS = 3,
    METHODS = 3,
    TRIES = 24000 /* of 5 ms, until a thread has done something */
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder debug, release;
    struct view debug_image, release_image;
    const char *mode;
};

static struct view build(struct il_builder *b, bool is_debug)
{
    static const uint8_t no_optimisation[] = {1, 0, 0x07, 0x01, 0, 0, 0, 0}; /* DebuggingModes */
    enum {
        OF_ASSEMBLY = 14, /* II.24.2.6 HasCustomAttribute */
        BY_MEMBER_REF = 3
    };
    il_begin(b, "void()");
    IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(&b->image, "Handmade"),
              0);
    (void)il_add_method(b, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)il_add_method(b, "int32(bool)",
                        ".locals int32; .init; ldarg.0; brtrue.s E; call int32(); stloc.0;"
                        "E: ldloc.0; ret");
    if (is_debug) {
        uint32_t type = IMAGE_ROW(&b->image, TypeRef, 1 << 2 | 2,
                                  image_string(&b->image, "DebuggableAttribute"),
                                  image_string(&b->image, "System.Diagnostics"));
        uint32_t constructor =
            IMAGE_ROW(&b->image, MemberRef, type << 3 | 1, image_string(&b->image, ".ctor"), 0);
        IMAGE_ROW(&b->image, CustomAttribute, 1 << 5 | OF_ASSEMBLY,
                  constructor << 3 | BY_MEMBER_REF,
                  image_blob(&b->image, no_optimisation, sizeof no_optimisation));
    }
    return image_pe(&b->image, false);
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    w->clr.has_info10 = true;
    w->debug_image = build(&w->debug, true);
    w->release_image = build(&w->release, false);
    assert_int_equal(setenv(SESSION_ENV, w->session.folder, 1), 0);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    il_free(&w->debug);
    il_free(&w->release);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

static void configure(struct world *w, const char *mode)
{
    char text[128];
    (void)snprintf(text, sizeof text, "version=1\nmode=%s\ninclude=[Handmade]*\n", mode);
    scenario_configure(&w->session, text);
}

static struct fake_module *load(struct world *w, struct view image)
{
    EXPECT(setenv("DOTNET_MODIFIABLE_ASSEMBLIES", "debug", 1) == 0);
    configure(w, w->mode != NULL ? w->mode : "count");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", image, false);
    fake_clr_load(module);
    return module;
}

/* How many lines of this process's record have the text? */
static unsigned recorded(struct world *w, const char *text)
{
    unsigned count = 0;
    char own[64];
    int len = snprintf(own, sizeof own, SESSION_PROCESS "%ld-", (long)getpid());
    DIR *folder = opendir(w->session.folder);
    EXPECT(folder != NULL);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strncmp(entry->d_name, own, (size_t)len) != 0)
            continue;
        const char *path = temporary_path(&w->session, entry->d_name);
        for (const char *at = temporary_read(&w->session, path).text;
             (at = strstr(at, text)) != NULL; at++)
            count++;
    }
    (void)closedir(folder);
    return count;
}

/* --- which modules ---------------------------------------------------------------------------- */

static void settings_are_read_as_the_runtime_reads_them(void **state)
{
    /* each was tried with .NET 10 */
    static const struct {
        const char *variable;
        bool is_set;
    } cases[] = {
        {"DOTNET_MODIFIABLE_ASSEMBLIES=debug", true},
        {"DOTNET_MODIFIABLE_ASSEMBLIES=DeBug", true},
        {"DOTNET_MODIFIABLE_ASSEMBLIES=debug ", true},
        {"COMPlus_MODIFIABLE_ASSEMBLIES=debug", true},
        {"DOTNET_ForceEnc=1", true},
        {"DOTNET_ForceEnc=0x1", true},
        {"COMPlus_ForceEnc=1", true},
        {"DOTNET_MODIFIABLE_ASSEMBLIES=none", false},
        {"DOTNET_MODIFIABLE_ASSEMBLIES=", false},
        {"DOTNET_MODIFIABLE_ASSEMBLIES", false},
        {"dotnet_modifiable_assemblies=debug", false},
        {"COMPLUS_MODIFIABLE_ASSEMBLIES=debug", false},
        {"DOTNET_FORCEENC=1", false},
        {"DOTNET_ForceEnc=0", false},
        {"DOTNET_ForceEnc=zz", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (hot_reload_is_set_by(str_of(cases[i].variable)) != cases[i].is_set)
            fail_msg("%s", cases[i].variable);
}

/* No local of ours, and nothing that needs a token. */
static void require_own_signature(const struct fake_module *module, uint32_t rid)
{
    const struct fake_method *method = &module->methods[rid - 1];
    struct arena arena;
    struct il_body old, new;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    EXPECT(method->bodies_given == 1 && method->body != NULL);
    EXPECT(body_parse(&old, method->original, &arena) == VERDICT_OK &&
           body_parse(&new, (struct view){method->body, 1 << 20}, &arena) == VERDICT_OK);
    EXPECT(new.local_sig == old.local_sig &&new.code_size > old.code_size);
    arena_free(&arena);
}

static void loads_changeable(struct world *w)
{
    struct fake_module *module = load(w, w->debug_image);
    for (uint32_t rid = PLAIN; rid <= METHODS; rid++) {
        fake_clr_compile(module, rid);
        require_own_signature(module, rid);
        EXPECT(module->methods[rid - 1].maps_given == 1);
    }
    EXPECT(w->clr.signature_count == 0 && w->clr.emit_references == 0 && w->clr.type_scope == 0);
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL && covered->place->sharded == (g_profiler.shards.limit > 1));
    EXPECT(covered->place->mode == (strcmp(w->mode, "hit") == 0 ? MODE_HIT : MODE_COUNT));
    EXPECT(recorded(w, "\nchanged\t") == 0 && recorded(w, "\ntrouble\t") == 0);
}

static void changeable_module_gets_no_metadata_in_any_mode(void **state)
{
    struct world *w = *state;
    static const char *const modes[] = {"count", "hit", "exact"};
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        w->mode = modes[i];
        assert_true(scenario_survives(w, loads_changeable, NULL));
    }
}

static void loads_optimised(struct world *w)
{
    struct fake_module *module = load(w, w->release_image);
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL && !covered->may_change);
}

static void loads_without_the_setting(struct world *w)
{
    EXPECT(unsetenv("DOTNET_MODIFIABLE_ASSEMBLIES") == 0);
    configure(w, "count");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->debug_image, false);
    fake_clr_load(module);
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    EXPECT(covered != NULL && !covered->may_change);
}

static void other_modules_count_as_ever(void **state)
{
    assert_true(scenario_survives(*state, loads_optimised, NULL));
    assert_true(scenario_survives(*state, loads_without_the_setting, NULL));
}

/* --- which methods ---------------------------------------------------------------------------- */

/* What an update gives the method; ours is replaced. */
static void change(struct fake_module *module, uint32_t rid)
{
    static const _Alignas(4) uint8_t body[] = {2 << 2 | 2, 0x02, 0x2A};
    module->methods[rid - 1].body = body;
}

static void changes_methods(struct world *w)
{
    struct fake_module *module = load(w, w->debug_image);
    fake_clr_compile(module, PLAIN);
    EXPECT(module->methods[PLAIN - 1].map_rows != 0);
    change(module, PLAIN); /* after its first compilation, and before that */
    change(module, WITH_LOCALS);
    EXPECT(recorded(w, "\nchanged\t") == 0);
    for (uint32_t rid = PLAIN; rid <= METHODS; rid++) {
        fake_clr_compile(module, rid);
        fake_clr_compile(module, rid);                  /* another instantiation */
        EXPECT(module->methods[rid - 1].map_rows == 0); /* ours has other offsets */
        EXPECT(module->methods[rid - 1].bodies_given == 1);
    }
    EXPECT(recorded(w, "\nchanged\tHandmade\t") == 2);
    EXPECT(recorded(w, "\t2\tC.") == 1 && recorded(w, "\t3\tC.") == 1); /* row, name */
    EXPECT(recorded(w, "\nadded\t") == 0);
    fake_clr_compile(module, METHODS + 1);
    EXPECT(recorded(w, "\nadded\tHandmade\t") == 1);
}

static void changed_method_keeps_its_new_body_and_is_named_once(void **state)
{
    assert_true(scenario_survives(*state, changes_methods, NULL));
}

/* .NET 11 does not say when it compiles changed code. */
static void changes_silently(struct world *w)
{
    struct fake_module *module = load(w, w->debug_image);
    module->moved_row = WITH_LOCALS;
    module->added_rows = 2;
    g_profiler.reflection.runtime_major = 10;
    hot_reload_finish(&g_profiler);
    EXPECT(recorded(w, "\nchanged\t") == 0 && recorded(w, "\nadded\t") == 0);
    g_profiler.reflection.runtime_major = 11;
    hot_reload_finish(&g_profiler);
    EXPECT(recorded(w, "\nchanged\tHandmade\t") == 1 && recorded(w, "\t3\tC.") == 1);
    EXPECT(recorded(w, "\nadded\tHandmade\t") == 2);
    EXPECT(w->clr.import_references == 0);
}

static void what_nobody_told_is_named_at_the_end(void **state)
{
    assert_true(scenario_survives(*state, changes_silently, NULL));
}

static void asks_for_code(struct world *w)
{
    struct fake_module *module = load(w, w->debug_image);
    const struct instrumented_module *covered = instance_find_module(&g_profiler, module->id);
    struct arena arena;
    struct il_body given;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    EXPECT(body_parse(&given, (struct view){module->methods[PLAIN - 1].body, 1 << 20}, &arena) ==
           VERDICT_OK);
    EXPECT(!hot_reload_has_other_code(covered, PLAIN, given.code_size));
    EXPECT(!hot_reload_has_other_code(covered, PLAIN, 0));
    EXPECT(hot_reload_has_other_code(covered, PLAIN, given.code_size + 1));
    change(module, PLAIN);
    fake_clr_compile(module, PLAIN);
    EXPECT(hot_reload_has_other_code(covered, PLAIN, 0));
    arena_free(&arena);
}

static void reflection_is_told_of_other_code(void **state)
{
    assert_true(scenario_survives(*state, asks_for_code, NULL));
}

/* --- attached --------------------------------------------------------------------------------- */

static bool is_done(void)
{
    mutex_lock(&g_profiler.catch_up.lock);
    bool done = g_profiler.catch_up.is_done;
    mutex_unlock(&g_profiler.catch_up.lock);
    return done;
}

static struct fake_module *attach(struct world *w, bool is_set)
{
    uint8_t data[CLIENT_DATA_HEADER_LEN + 256];
    configure(w, "count");
    EXPECT(fake_clr_attach(&w->clr, data, fake_clr_client_data(data, w->session.folder)) == S_OK);
    g_profiler.is_hot_reload_set = is_set; /* this process started without */
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->debug_image, false);
    fake_clr_complete_attach();
    for (unsigned i = 0; !is_done(); i++) {
        EXPECT(i < TRIES);
        (void)usleep(5000);
    }
    return module;
}

static void is_left_alone(struct world *w, const struct fake_module *module)
{
    EXPECT(module->methods[PLAIN - 1].rejits == 0 && module->methods[PLAIN - 1].bodies_given == 0);
    EXPECT(w->clr.signature_count == 0 && w->clr.emit_references == 0);
    char line[64];
    (void)snprintf(line, sizeof line, "\nskipped\tHandmade\t/app/Handmade.dll\t%d\t",
                   REASON_HOT_RELOAD);
    EXPECT(recorded(w, line) == 1);
}

static void attaches_when_set(struct world *w)
{
    is_left_alone(w, attach(w, true));
    EXPECT((w->clr.event_mask & COR_PRF_ENABLE_REJIT) == 0); /* so it can be detached */
}

static void attaches_when_a_debugger_made_it_changeable(struct world *w)
{
    w->clr.is_changeable = true;
    is_left_alone(w, attach(w, false));
}

static void attaches_to_others(struct world *w)
{
    const struct fake_module *module = attach(w, false);
    EXPECT(module->methods[PLAIN - 1].rejits == 1);
    EXPECT(recorded(w, "\nskipped\t") == 0);
}

static void attached_library_leaves_changeable_modules_alone(void **state)
{
    assert_true(scenario_survives(*state, attaches_when_set, NULL));
    assert_true(scenario_survives(*state, attaches_when_a_debugger_made_it_changeable, NULL));
    assert_true(scenario_survives(*state, attaches_to_others, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_are_read_as_the_runtime_reads_them),
    TEST(changeable_module_gets_no_metadata_in_any_mode),
    TEST(other_modules_count_as_ever),
    TEST(changed_method_keeps_its_new_body_and_is_named_once),
    TEST(what_nobody_told_is_named_at_the_end),
    TEST(reflection_is_told_of_other_code),
    TEST(attached_library_leaves_changeable_modules_alone),
};
UNIT_TESTS(tests);

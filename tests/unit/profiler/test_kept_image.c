/* test_kept_image.c - the copy of a module that has no file: it reads like the module, takes no
 * more room than what is read, and there is a bound for all of them.
 * Each scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/kept_image.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.h"
#include "contract/session_format.h"
#include "profiler/instrument.h"
#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"

enum {
    UNREAD_LEN = 1 << 20 /* of something in the module that no collector reads */
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    uint32_t last_method;
    struct view flat, mapped;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    uint8_t *unread = malloc(UNREAD_LEN);
    if (w == NULL || unread == NULL)
        return -1;
    memset(unread, 0x5A, UNREAD_LEN);
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    il_begin(&w->builder, "void()");
    IMAGE_ROW(&w->builder.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&w->builder.image, "Handmade"), 0);
    (void)il_add_method(&w->builder, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    (void)image_body(&w->builder.image, unread, UNREAD_LEN);
    w->last_method = il_add_method(&w->builder, "void()", "nop; ret");
    free(unread);
    w->flat = image_pe(&w->builder.image, false);
    w->mapped = image_pe(&w->builder.image, true);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
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

static const char *path_of_copy(struct world *w, const struct fake_module *module)
{
    char digits[HEX_ROOM(16)], name[64];
    (void)snprintf(name, sizeof name, "%s" SESSION_MODULE,
                   hex_of(digits, module->meta.mvid, sizeof module->meta.mvid));
    return temporary_path(&w->session, name);
}

static bool same_bytes(struct view a, struct view b)
{
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

static void load(struct world *w, struct view image, bool mapped)
{
    struct module copy;
    struct method_def def;
    struct stat st;
    struct err err;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "", image, mapped);
    instrument_module(&g_profiler, module->id);
    const char *path = path_of_copy(w, module);
    EXPECT(module_open_file(&copy, path, &err));
    EXPECT(same_bytes(copy.md.root, module->meta.md.root));
    for (uint32_t rid = 1; rid <= w->last_method; rid++) {
        struct view body = module->methods[rid - 1].original;
        EXPECT(module_method(&def, &copy, rid) == (body.len != 0));
        EXPECT(body.len == 0 || same_bytes((struct view){def.body.data, body.len}, body));
    }
    EXPECT(stat(path, &st) == 0 && st.st_size > UNREAD_LEN);
    EXPECT(st.st_blocks * 512 < UNREAD_LEN / 8);
    module_close(&copy);
}

static void load_flat(struct world *w)
{
    load(w, w->flat, false);
}

static void load_mapped(struct world *w)
{
    load(w, w->mapped, true);
}

static void copy_reads_like_the_module_and_has_holes_elsewhere(void **state)
{
    assert_true(scenario_survives(*state, load_flat, NULL));
}

static void copy_of_a_mapped_module_is_laid_out_like_its_file(void **state)
{
    assert_true(scenario_survives(*state, load_mapped, NULL));
}

static unsigned warnings(struct world *w)
{
    unsigned count = 0;
    const char *text = scenario_record(&w->session).text;
    while ((text = strstr(text, "no room to keep copies")) != NULL) {
        text++;
        count++;
    }
    return count;
}

static void load_beyond_the_bound(struct world *w)
{
    struct stat st;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    g_profiler.kept_len = KEPT_IMAGES_MOST - 1;
    struct fake_module *module = fake_clr_add(&w->clr, "", w->flat, false);
    instrument_module(&g_profiler, module->id);
    EXPECT(stat(path_of_copy(w, module), &st) != 0);
    EXPECT(warnings(w) == 1);
    fake_clr_unload(module);
    fake_clr_reload(&w->clr, module, w->flat);
    EXPECT(warnings(w) == 1);
}

static void copies_that_would_take_too_much_room_are_reported_once(void **state)
{
    assert_true(scenario_survives(*state, load_beyond_the_bound, NULL));
}

/* --- symbols in memory ------------------------------------------------------------------------ */

/* Scope is what is the user's by default, to which symbols belong. */
static struct fake_module *start_and_load(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=count\n");
    w->clr.has_info10 = true;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "Handmade.dll", w->flat, false);
    fake_clr_load(module);
    EXPECT(instance_find_module(&g_profiler, module->id) == NULL);
    return module;
}

static const char *path_of_symbols(struct world *w, const struct fake_module *module)
{
    char digits[HEX_ROOM(16)], name[64];
    (void)snprintf(name, sizeof name, "%s" SESSION_PDB,
                   hex_of(digits, module->meta.mvid, sizeof module->meta.mvid));
    return temporary_path(&w->session, name);
}

static void begin_pdb(struct image *image)
{
    image_begin(image);
    image->is_pdb = true;
}

static void load_with_symbols(struct world *w)
{
    struct image image;
    struct view kept;
    struct err err;
    begin_pdb(&image);
    struct view symbols = image_metadata(&image);
    struct fake_module *module = start_and_load(w);
    fake_clr_give_symbols(module, symbols);
    EXPECT(instance_find_module(&g_profiler, module->id) != NULL);
    EXPECT(module->methods[w->last_method - 1].body != NULL);
    EXPECT(file_bytes_read(&kept, path_of_symbols(w, module), &err) && same_bytes(kept, symbols));
    /* an equal module needs none: they are there */
    struct fake_module *equal = fake_clr_add(&w->clr, "Handmade.dll", w->flat, false);
    fake_clr_load(equal);
    EXPECT(instance_find_module(&g_profiler, equal->id) != NULL);
    file_bytes_release(&kept);
    image_free(&image);
}

static void load_with_garbage(struct world *w)
{
    static const uint8_t garbage[200] = {1};
    struct fake_module *module = start_and_load(w);
    fake_clr_give_symbols(module, VIEW(garbage));
    EXPECT(instance_find_module(&g_profiler, module->id) == NULL);
    EXPECT(access(path_of_symbols(w, module), F_OK) != 0);
    EXPECT(strstr(scenario_record(&w->session).text,
                  "\nskipped\tHandmade\tHandmade.dll\t37\tits symbols from memory: ") != NULL);
}

static void module_is_measured_when_its_symbols_follow(void **state)
{
    assert_true(scenario_survives(*state, load_with_symbols, NULL));
}

static void module_whose_symbols_are_none_is_named(void **state)
{
    assert_true(scenario_survives(*state, load_with_garbage, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    TEST(copy_reads_like_the_module_and_has_holes_elsewhere),
    TEST(copy_of_a_mapped_module_is_laid_out_like_its_file),
    TEST(copies_that_would_take_too_much_room_are_reported_once),
    TEST(module_is_measured_when_its_symbols_follow),
    TEST(module_whose_symbols_are_none_is_named),
};
UNIT_TESTS(tests);

/* test_reflection.c - the core library is changed only when a module names GetMethodBody, only when
 * all is as known, and what it then asks is answered with the bodies of covered methods. Each
 * scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/reflection.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "rewriter/il.h"
#include "rewriter/restore.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"
#include "tests/support/temporary.h"

/* Rows of the core library's MethodDef table. */
enum {
    OF_METHOD = 1,
    OF_CONSTRUCTOR = 4,
    ANOTHER = 7,
    CORE_METHODS = 10
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder asker;
    struct image core;
    struct arena arena;
    const char *other_name; /* what the core library calls something else */
    bool lends_no_local;    /* no signature of the core library has one object */
};

/* --- modules
 * ------------------------------------------------------------------------------------ */

static uint32_t name(struct world *w, const char *text)
{
    bool other = w->other_name != NULL && strcmp(w->other_name, text) == 0;
    return image_string(&w->core, other ? "Other" : text);
}

/* What is added next belongs to it. */
static void add_type(struct world *w, const char *type_namespace, const char *type)
{
    struct image *image = &w->core;
    (void)IMAGE_ROW(image, TypeDef, 1, name(w, type), image_string(image, type_namespace), 0,
                    image->row_count[TABLE_Field] + 1, image->row_count[TABLE_MethodDef] + 1);
}

static void add_method(struct world *w, const char *method, struct view signature)
{
    static const uint8_t body[] = {2 << 2 | 2, 0x02, 0x2A}; /* ldarg.0; ret */
    uint32_t rva = image_body(&w->core, body, sizeof body);
    (void)IMAGE_ROW(&w->core, MethodDef, rva, 0, 0x96, name(w, method),
                    image_blob(&w->core, signature.data, signature.len), 1);
}

static void add_field(struct world *w, const char *field, enum element_type type)
{
    const uint8_t array[] = {SIG_FIELD, (uint8_t)type, ELEMENT_OBJECT};
    (void)IMAGE_ROW(&w->core, Field, 1, name(w, field),
                    image_blob(&w->core, array, type == ELEMENT_SZARRAY ? 3 : 2));
}

static void add_context(struct world *w, const char *type)
{
    const struct view gives_class = BYTES_VIEW(SIG_HAS_THIS, 0, ELEMENT_CLASS, 1 << 2);
    add_type(w, "System.Reflection", type);
    add_method(w, "GetMethodBody", gives_class);
    add_method(w, "GetRuntimeModule", gives_class);
    add_method(w, "get_MetadataToken", BYTES_VIEW(SIG_HAS_THIS, 0, ELEMENT_I4));
}

static void build_core(struct world *w)
{
    enum {
        ARRAY = 9 << 2 /* TypeDefOrRef */
    };
    uint8_t mvid[16] = {7};
    const uint8_t locals[] = {SIG_LOCALS, 1, w->lends_no_local ? ELEMENT_STRING : ELEMENT_OBJECT};
    struct image *image = &w->core;
    image_begin(image);
    (void)IMAGE_ROW(image, StandAloneSig, image_blob(image, locals, sizeof locals));
    (void)IMAGE_ROW(image, Module, 0, image_string(image, "core.dll"), image_guid(image, mvid), 0,
                    0);
    (void)IMAGE_ROW(image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
                    image_string(image, "System.Private.CoreLib"), 0);
    add_type(w, "", "<Module>");
    add_context(w, "RuntimeMethodInfo");
    add_context(w, "RuntimeConstructorInfo");
    add_type(w, "System.Reflection", "RuntimeModule");
    add_method(w, "GetUnderlyingNativeHandle", BYTES_VIEW(SIG_HAS_THIS, 0, ELEMENT_I));
    add_type(w, "System.Reflection", "RuntimeMethodBody");
#define FIELD_OF_BODY(text, element)    add_field(w, text, ELEMENT_##element)
#define FIELD_OF_CLAUSE(text, element)  (void)0
#define FIELD(id, owner, text, element) FIELD_OF_##owner(text, element);
    RESTORE_FIELDS(FIELD)
#undef FIELD_OF_BODY
#undef FIELD_OF_CLAUSE
#define FIELD_OF_BODY(text, element)   (void)0
#define FIELD_OF_CLAUSE(text, element) add_field(w, text, ELEMENT_##element)
    add_type(w, "System.Reflection", "RuntimeExceptionHandlingClause");
    RESTORE_FIELDS(FIELD)
#undef FIELD
    add_type(w, "System.Reflection", "RuntimeLocalVariableInfo");
    add_type(w, "System.Runtime.CompilerServices", "RuntimeHelpers");
    add_method(w, "GetRawData", BYTES_VIEW(0, 1, ELEMENT_BYREF, ELEMENT_U1, ELEMENT_OBJECT));
    add_type(w, "System", "Array");
    add_method(
        w, "Copy",
        BYTES_VIEW(0, 3, ELEMENT_VOID, ELEMENT_CLASS, ARRAY, ELEMENT_CLASS, ARRAY, ELEMENT_I8));
    add_method(
        w, "Copy",
        BYTES_VIEW(0, 3, ELEMENT_VOID, ELEMENT_CLASS, ARRAY, ELEMENT_CLASS, ARRAY, ELEMENT_I4));
    add_type(w, "System", "Object");
    add_type(w, "System", "Byte");
}

static void add_member_ref(struct il_builder *b, const char *member)
{
    (void)IMAGE_ROW(&b->image, MemberRef, 1 << 3 | 1, image_string(&b->image, member), 0);
}

static void begin_asker(struct il_builder *b)
{
    il_begin(b, "void()");
    (void)IMAGE_ROW(&b->image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
                    image_string(&b->image, "Handmade"), 0);
}

static int set_up(void **state)
{
    static const char config[] = "version=1\nmode=count\ninclude=[Handmade]*\n";
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    begin_asker(&w->asker);
    (void)il_add_method(&w->asker, "int32(bool)",
                        ".locals int32 object; .init; .stack 5; .try A C catch C E; A: ldarg.0;"
                        "stloc.0; leave.s E; C: stloc.1; leave.s E; E: ldloc.0; ret");
    add_member_ref(&w->asker, "GetMethodBody");
    (void)temporary_file(&w->session, SESSION_CONFIG, config, sizeof config - 1);
    (void)setenv(SESSION_ENV, w->session.folder, 1);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    (void)unsetenv(SESSION_ENV);
    il_free(&w->asker);
    arena_free(&w->arena);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

static struct fake_module *start(struct world *w)
{
    build_core(w);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *core =
        fake_clr_add(&w->clr, "/dotnet/System.Private.CoreLib.dll", image_pe(&w->core, true), true);
    EXPECT(core->method_count == CORE_METHODS);
    fake_clr_load(core);
    return core;
}

static struct fake_module *load_asker(struct world *w)
{
    struct fake_module *asker =
        fake_clr_add(&w->clr, "/app/Handmade.dll", image_pe(&w->asker.image, false), false);
    fake_clr_load(asker);
    return asker;
}

static unsigned bodies_given(const struct fake_module *module)
{
    unsigned given = 0;
    for (uint32_t i = 0; i < module->method_count; i++)
        given += module->methods[i].bodies_given;
    return given;
}

/* --- when it is changed
 * ------------------------------------------------------------------------- */

static void load_without_name(struct world *w)
{
    struct il_builder other;
    struct fake_module *core = start(w);
    begin_asker(&other);
    add_member_ref(&other, "GetMethodBodyBlock");
    (void)il_add_method(&other, "void()", "ret");
    fake_clr_load(fake_clr_add(&w->clr, "/app/Handmade.dll", image_pe(&other.image, false), false));
    EXPECT(bodies_given(core) == 0);
    EXPECT((w->clr.event_mask & COR_PRF_MONITOR_CACHE_SEARCHES) == 0);
    il_free(&other);
}

/* Of the body that was given: it must be in the file (rewriter/anchor.h). */
static uint32_t local_sig_of(struct world *w, const struct fake_module *core, uint32_t rid)
{
    struct il_body body;
    struct view given = {core->methods[rid - 1].body, 1 << 20};
    EXPECT(body_parse(&body, given, &w->arena) == VERDICT_OK);
    return body.local_sig;
}

static void load_with_name(struct world *w)
{
    struct fake_module *core = start(w);
    EXPECT(bodies_given(core) == 0);
    struct fake_module *asker = load_asker(w);
    EXPECT((w->clr.event_mask & COR_PRF_MONITOR_CACHE_SEARCHES) != 0);
    EXPECT(bodies_given(core) == 2 && core->methods[OF_METHOD - 1].bodies_given == 1 &&
           core->methods[OF_CONSTRUCTOR - 1].bodies_given == 1);
    EXPECT(local_sig_of(w, core, OF_METHOD) == TOKEN(TABLE_StandAloneSig, 1));
    EXPECT(local_sig_of(w, core, OF_CONSTRUCTOR) == TOKEN(TABLE_StandAloneSig, 1));
    EXPECT(!fake_clr_may_use_precompiled(core, OF_METHOD));
    EXPECT(!fake_clr_may_use_precompiled(core, OF_CONSTRUCTOR));
    EXPECT(fake_clr_may_use_precompiled(core, ANOTHER));
    (void)fake_clr_begin_unload(asker);
    (void)load_asker(w);
    EXPECT(bodies_given(core) == 2);
    EXPECT(w->clr.emit_references <= 2); /* the loaded modules' own */
}

static void core_library_is_changed_when_a_module_names_the_method(void **state)
{
    assert_true(scenario_survives(*state, load_without_name, NULL));
    assert_true(scenario_survives(*state, load_with_name, NULL));
}

static bool names_it(const char *member, const char *text)
{
    struct il_builder b;
    begin_asker(&b);
    if (member != NULL)
        add_member_ref(&b, member);
    if (text != NULL)
        (void)image_user_string(&b.image, text);
    (void)il_assemble(&b, "ret");
    bool named = reflection_is_named(&b.md);
    il_free(&b);
    return named;
}

static void names_are_references_and_texts(void **state)
{
    (void)state;
    assert_true(names_it("GetMethodBody", NULL));
    assert_true(names_it(NULL, "GetMethodBody"));
    assert_true(names_it(NULL, "call GetMethodBody of it"));
    assert_false(names_it(NULL, NULL));
    assert_false(names_it("GetMethodBodyBlock", "GetMethod"));
    assert_false(names_it("TryGetMethodBody", NULL));
}

/* --- what is answered
 * ---------------------------------------------------------------------------- */

typedef int64_t answer_function(uintptr_t module, uint32_t token, uint32_t question,
                                uint32_t clause);

/* The address is in the code that was given. */
static answer_function *answer_of(struct world *w, const struct fake_module *core)
{
    struct il_body body;
    struct il il;
    const uint8_t *given = core->methods[OF_METHOD - 1].body;
    uint64_t address = 0;
    EXPECT(body_parse(&body, (struct view){given, 1 << 20}, &w->arena) == VERDICT_OK &&
           il_decode(&il, &body, &w->arena) == VERDICT_OK);
    for (uint32_t i = 0; i < il.count && address == 0; i++)
        if (il.instrs[i].op == OP_LDC_I8)
            address = load_u64(il.code + il.instrs[i].offset + 1);
    return (answer_function *)(uintptr_t)address;
}

static void ask(struct world *w)
{
    struct fake_module *core = start(w);
    struct fake_module *asker = load_asker(w);
    answer_function *answer = answer_of(w, core);
    struct il_body body;
    uint32_t token = TOKEN(TABLE_MethodDef, asker->method_count);
    struct view original = asker->methods[asker->method_count - 1].original;
    EXPECT(asker->methods[asker->method_count - 1].bodies_given == 1);
    EXPECT(body_parse(&body, original, &w->arena) == VERDICT_OK);
    EXPECT(answer(asker->id, token, RESTORE_CODE_SIZE, 0) == body.code_size);
    EXPECT(answer(asker->id, token, RESTORE_CODE, 0) == (int64_t)(uintptr_t)body.code);
    EXPECT(answer(asker->id, token, RESTORE_LOCALS, 0) == 2);
    EXPECT(answer(asker->id, token, RESTORE_HANDLER_OFFSET, 0) == body.clauses[0].handler_offset);
    EXPECT(answer(asker->id, token + 1, RESTORE_CODE_SIZE, 0) == 0);
    EXPECT(answer(asker->id, TOKEN(TABLE_MethodDef, 0), RESTORE_CODE_SIZE, 0) == 0);
    EXPECT(answer(core->id, TOKEN(TABLE_MethodDef, ANOTHER), RESTORE_CODE_SIZE, 0) == 0);
    EXPECT(answer(core->id, TOKEN(TABLE_MethodDef, OF_METHOD), RESTORE_CODE_SIZE, 0) == 2);
    EXPECT(answer(core->id + 1, token, RESTORE_CODE_SIZE, 0) == 0);
}

static void covered_methods_are_shown_as_compiled(void **state)
{
    assert_true(scenario_survives(*state, ask, NULL));
}

/* --- when it is not
 * ------------------------------------------------------------------------------ */

static bool is_reported(struct world *w, const char *reason)
{
    bool reported = false;
    char own[64];
    int len = snprintf(own, sizeof own, SESSION_PROCESS "%ld-", (long)getpid());
    DIR *folder = opendir(w->session.folder);
    EXPECT(folder != NULL);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strncmp(entry->d_name, own, (size_t)len) != 0)
            continue;
        const char *path = temporary_path(&w->session, entry->d_name);
        const char *line =
            strstr(temporary_read(&w->session, path).text, "\ntrouble\tGetMethodBody");
        reported |= line != NULL && strstr(line, reason) != NULL;
    }
    (void)closedir(folder);
    return reported;
}

static void declines(struct world *w, const char *reason)
{
    struct fake_module *core = start(w);
    struct fake_module *asker = load_asker(w);
    EXPECT(bodies_given(core) == 0);
    EXPECT(asker->methods[asker->method_count - 1].bodies_given == 1); /* covered all the same */
    if (!is_reported(w, reason)) {
        fprintf(stderr, "not told: %s\n", reason);
        _exit(1);
    }
}

static void decline_by_name(struct world *w)
{
    declines(w, w->other_name);
}

static void parts_with_other_names_are_declined(void **state)
{
    static const char *const names[] = {"RuntimeMethodInfo",
                                        "RuntimeConstructorInfo",
                                        "RuntimeModule",
                                        "RuntimeMethodBody",
                                        "RuntimeExceptionHandlingClause",
                                        "RuntimeLocalVariableInfo",
                                        "RuntimeHelpers",
                                        "Array",
                                        "Byte",
                                        "GetMethodBody",
                                        "GetRuntimeModule",
                                        "get_MetadataToken",
                                        "GetUnderlyingNativeHandle",
                                        "GetRawData",
                                        "Copy",
#define FIELD(id, owner, text, element) text,
                                        RESTORE_FIELDS(FIELD)
#undef FIELD
    };
    struct world *w = *state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        w->other_name = names[i];
        assert_true(scenario_survives(w, decline_by_name, NULL));
    }
}

static void decline_older(struct world *w)
{
    w->clr.runtime_major = 7;
    declines(w, "not 7");
}

static void decline_newer(struct world *w)
{
    w->clr.runtime_major = 12;
    declines(w, "not 12");
}

static void decline_compiled(struct world *w)
{
    w->clr.has_code = TOKEN(TABLE_MethodDef, OF_CONSTRUCTOR);
    declines(w, "had already been called");
}

static void decline_without_local(struct world *w)
{
    w->lends_no_local = true;
    declines(w, "not one that ilcov knows");
}

static void decline_without_layout(struct world *w)
{
    w->clr.no_layout_of = TOKEN(TABLE_TypeDef, 6);
    declines(w, "layout of RuntimeExceptionHandlingClause");
}

static void decline_without_signatures(struct world *w)
{
    w->clr.no_signatures = true;
    declines(w, "accepts no new signatures");
}

static void decline_without_metadata(struct world *w)
{
    w->clr.no_emit = true;
    declines(w, "accepts no new signatures");
}

static void decline_without_searches(struct world *w)
{
    struct fake_module *core = start(w);
    w->clr.no_mask = true;
    (void)load_asker(w);
    EXPECT(bodies_given(core) == 0 && is_reported(w, "0x80004005"));
}

static void decline_refused_body(struct world *w)
{
    struct fake_module *core = start(w);
    w->clr.no_body_of = TOKEN(TABLE_MethodDef, OF_CONSTRUCTOR);
    (void)load_asker(w);
    EXPECT(bodies_given(core) == 1 && is_reported(w, "0x80004005"));
}

static void what_is_not_as_known_is_declined_by_name(void **state)
{
    assert_true(scenario_survives(*state, decline_older, NULL));
    assert_true(scenario_survives(*state, decline_newer, NULL));
    assert_true(scenario_survives(*state, decline_compiled, NULL));
    assert_true(scenario_survives(*state, decline_without_local, NULL));
    assert_true(scenario_survives(*state, decline_without_layout, NULL));
    assert_true(scenario_survives(*state, decline_without_signatures, NULL));
    assert_true(scenario_survives(*state, decline_without_metadata, NULL));
    assert_true(scenario_survives(*state, decline_without_searches, NULL));
    assert_true(scenario_survives(*state, decline_refused_body, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(core_library_is_changed_when_a_module_names_the_method),
    TEST(names_are_references_and_texts),
    TEST(covered_methods_are_shown_as_compiled),
    TEST(parts_with_other_names_are_declined),
    TEST(what_is_not_as_known_is_declined_by_name),
};
UNIT_TESTS(tests);

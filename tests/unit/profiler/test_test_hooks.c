/* test_test_hooks.c - the bodies of tests call the library, and a module with tests gets what they
 * name, and nothing that reflection shows. Each scenario runs in a process of its own, as there is
 * one profiler a process. */
#include "profiler/test_hooks.h"

#include "metadata/sig.h"
#include "profiler/callback.h"
#include "rewriter/il.h"
#include "tests/support/assembly_builder.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/scenario.h"

enum {
    TEXT_MAX = 8192,
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct view image;
    struct arena arena;
    char text[TEXT_MAX];
};

static const char config[] = "version=1\nmode=count\ninclude=[Handmade]*\nper-test=1\n";

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    w->image = assembly_build(&w->builder, "xunit.core");
    scenario_configure(&w->session, config);
    assert_int_equal(setenv(SESSION_ENV, w->session.folder, 1), 0);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    arena_free(&w->arena);
    il_free(&w->builder);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

static struct fake_module *loaded(struct world *w)
{
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Handmade.dll", w->image, false);
    EXPECT(module->method_count == ASSEMBLY_METHODS);
    fake_clr_load(module);
    return module;
}

static struct fake_module *started(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    return loaded(w);
}

static struct il code_of(struct world *w, struct il_body *body, const struct fake_module *module,
                         uint32_t rid)
{
    struct il il;
    const uint8_t *given = module->methods[rid - 1].body;
    EXPECT(given != NULL);
    EXPECT(body_parse(body, (struct view){given, 1 << 20}, &w->arena) == VERDICT_OK);
    EXPECT(il_decode(&il, body, &w->arena) == VERDICT_OK);
    return il;
}

static bool is_logged(struct world *w, const char *text)
{
    return strstr(scenario_record(&w->session).text, text) != NULL;
}

/* --- what is defined, in words ---------------------------------------------------------------- */

static void put(struct world *w, const char *text)
{
    size_t len = strlen(w->text);
    EXPECT(len + strlen(text) < sizeof w->text);
    memcpy(w->text + len, text, strlen(text) + 1);
}

static const struct fake_definition *defined(const struct world *w, uint32_t token)
{
    const struct fake_definition *found = fake_clr_definition(&w->clr, token);
    EXPECT(found != NULL);
    return found;
}

static void put_type(struct world *w, struct reader *r);

static void put_token(struct world *w, uint32_t token)
{
    const struct fake_definition *type = defined(w, token);
    struct reader r = rd_view(type->signature);
    if (TOKEN_TABLE(token) == TABLE_TypeSpec)
        put_type(w, &r);
    else
        put(w, type->name);
    EXPECT(!r.failed && r.pos == type->signature.len);
}

static void put_type(struct world *w, struct reader *r)
{
    static const struct {
        enum element_type element;
        const char *name;
    } simple[] = {
        {ELEMENT_VOID, "void"}, {ELEMENT_BOOLEAN, "bool"},  {ELEMENT_I4, "int32"},
        {ELEMENT_I8, "int64"},  {ELEMENT_STRING, "string"}, {ELEMENT_OBJECT, "object"},
        {ELEMENT_I, "nint"},
    };
    uint8_t element = rd_u8(r);
    for (size_t i = 0; i < ARRAY_LEN(simple); i++)
        if (simple[i].element == element) {
            put(w, simple[i].name);
            return;
        }
    if (element == ELEMENT_CMOD_OPT) {
        put(w, "modopt ");
        put_token(w, coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(r)));
        put(w, " ");
        put_type(w, r);
    } else if (element == ELEMENT_CLASS || element == ELEMENT_VALUETYPE) {
        put(w, element == ELEMENT_CLASS ? "class " : "value ");
        put_token(w, coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(r)));
    } else {
        EXPECT(element == ELEMENT_SZARRAY);
        put_type(w, r);
        put(w, "[]");
    }
}

static void put_signature(struct world *w, struct view signature)
{
    struct reader r = rd_view(signature);
    uint8_t kind = rd_u8(&r);
    uint32_t count = rd_compressed(&r);
    EXPECT(kind == 0 || kind == 9 || kind == SIG_HAS_THIS);
    put(w, kind == SIG_HAS_THIS ? "instance " : kind == 9 ? "unmanaged " : "");
    put_type(w, &r);
    for (uint32_t i = 0; i < count; i++) {
        put(w, i == 0 ? " (" : ", ");
        put_type(w, &r);
    }
    put(w, count == 0 ? " ()" : ")");
    EXPECT(!r.failed && r.pos == signature.len);
}

/* False if it is a probe's. */
static bool put_function(struct world *w, uint64_t function)
{
    const struct {
        uint64_t function;
        const char *name;
    } functions[] = {
        {(uint64_t)(uintptr_t)contexts_enter, "owners_enter: "},
        {(uint64_t)(uintptr_t)contexts_returned, "owners_returned: "},
        {(uint64_t)(uintptr_t)contexts_leave, "owners_leave: "},
        {(uint64_t)(uintptr_t)contexts_result, "owners_result: "},
        {(uint64_t)(uintptr_t)contexts_took_result, "owners_took_result: "},
        {(uint64_t)(uintptr_t)contexts_must_start, "owners_must_start: "},
        {(uint64_t)(uintptr_t)contexts_refused, "owners_refused: "},
    };
    for (size_t i = 0; i < ARRAY_LEN(functions); i++)
        if (functions[i].function == function) {
            put(w, "calli ");
            put(w, functions[i].name);
            return true;
        }
    return false;
}

static void put_instruction(struct world *w, const struct il *il, uint32_t i)
{
    const struct instr *instr = &il->instrs[i];
    if (il_info(instr)->operand != OPERAND_TOKEN)
        return;
    if (instr->op == OP_CALLI) {
        EXPECT(i != 0 && il->instrs[i - 1].op == OP_LDC_I8);
        if (put_function(w, load_u64(il->code + il->instrs[i - 1].offset + 1))) {
            put_signature(w, fake_clr_signature(&w->clr, instr->operand));
            put(w, "\n");
        }
        return;
    }
    const struct fake_definition *named = fake_clr_definition(&w->clr, instr->operand);
    if (named == NULL) /* the method's own */
        return;
    put(w, il_info(instr)->mnemonic);
    put(w, " ");
    if (TOKEN_TABLE(named->token) == TABLE_MemberRef) {
        put_token(w, named->parent);
        put(w, "::");
        put(w, named->name);
        put(w, " ");
        put_signature(w, named->signature);
    } else if (instr->op == OP_LDSTR) {
        put(w, named->name);
    } else {
        put_token(w, named->token);
    }
    put(w, "\n");
}

/* What the body of a method names. */
static const char *used_by(struct world *w, struct fake_module *module, uint32_t rid)
{
    struct il_body body;
    fake_clr_compile(module, rid);
    struct il il = code_of(w, &body, module, rid);
    w->text[0] = '\0';
    for (uint32_t i = 0; i < il.count; i++)
        put_instruction(w, &il, i);
    return w->text;
}

static void expect_uses(struct world *w, struct fake_module *module, uint32_t rid,
                        const char *expected)
{
    if (strcmp(used_by(w, module, rid), expected) != 0)
        fprintf(stderr, "method %u uses\n%s", rid, w->text);
    EXPECT(strcmp(w->text, expected) == 0);
}

#define HANDLE "System.Runtime.InteropServices.GCHandle"
#define START                                                                                      \
    "calli owners_must_start: unmanaged nint ()\n"                                                 \
    "call System.AppDomain::get_CurrentDomain class System.AppDomain ()\n"                         \
    "ldstr %s/%s\n"                                                                                \
    "newarr System.String\n"                                                                       \
    "ldstr %lx\n"                                                                                  \
    "callvirt System.AppDomain::ExecuteAssembly instance int32 (string, string[])\n"               \
    "calli owners_refused: unmanaged void ()\n"
#define NO_TRANSITION "System.Runtime.CompilerServices.CallConvSuppressGCTransition"
#define ENTER         "calli owners_enter: unmanaged void (nint, int32)\n"
#define RETURNED      "calli owners_returned: unmanaged modopt " NO_TRANSITION " void (nint)\n"
#define LEAVE         "calli owners_leave: unmanaged void (int32, int32)\n"

static const char *with_start(const struct world *w, const char *rest)
{
    static char text[TEXT_MAX];
    (void)snprintf(text, sizeof text, START "%s", w->session.folder, g_profiler.contexts->program,
                   (unsigned long)(uintptr_t)&g_profiler.contexts->calls, rest);
    return text;
}

#define OF_TEST ENTER RETURNED LEAVE
#define OF_CLASS                                                                                   \
    ENTER "call " HANDLE "::Alloc value " HANDLE " (object)\n"                                     \
          "call " HANDLE "::ToIntPtr nint (value " HANDLE ")\n" RETURNED LEAVE                     \
          "calli owners_result: unmanaged nint ()\n"                                               \
          "calli owners_took_result: unmanaged void ()\n"

/* As the managed half does when it runs. */
static void fill_in(const void *self, int32_t site)
{
    (void)self;
    (void)site;
}

static void before_and_after_the_start(struct world *w)
{
    struct fake_module *first = started(w), *second = loaded(w);
    expect_uses(w, first, ASSEMBLY_TEST, with_start(w, OF_TEST));
    expect_uses(w, first, ASSEMBLY_GIVES_CLASS, with_start(w, OF_CLASS));
    EXPECT(contexts_must_start() != NULL);
    atomic_store(&g_profiler.contexts->calls.enter, fill_in);
    EXPECT(contexts_must_start() == NULL);
    expect_uses(w, second, ASSEMBLY_TEST, OF_TEST);
    expect_uses(w, second, ASSEMBLY_GIVES_CLASS, OF_CLASS);
    expect_uses(w, second, ASSEMBLY_CONSTRUCTOR, OF_TEST);
}

static void body_starts_the_managed_half_until_it_runs(void **state)
{
    assert_true(scenario_survives(*state, before_and_after_the_start, NULL));
}

static void after_a_refusal(struct world *w)
{
    struct fake_module *module = started(w);
    contexts_refused();
    contexts_refused();
    EXPECT(contexts_must_start() == NULL);
    const char *record = scenario_record(&w->session).text;
    const char *reported = strstr(
        record, "\ntrouble\thits are not attributed to tests: the runtime does not run ilcov-");
    EXPECT(reported != NULL && strstr(reported + 1, "\ntrouble\t") == NULL);
    expect_uses(w, module, ASSEMBLY_TEST, OF_TEST);
}

static void refusal_is_told_once_and_no_body_tries_again(void **state)
{
    assert_true(scenario_survives(*state, after_a_refusal, NULL));
}

static void file_in_the_session(struct world *w)
{
    (void)started(w);
    struct str program = temporary_read(&w->session, "profiler/contexts/contexts.dll");
    const char *name = g_profiler.contexts->program;
    struct str file = temporary_read(&w->session, temporary_path(&w->session, name));
    EXPECT(file.len == program.len && memcmp(file.text, program.text, program.len) == 0);
    EXPECT(strncmp(name, "ilcov-", 6) == 0 && strcmp(name + strlen(name) - 4, ".dll") == 0);
    EXPECT(contexts_are_program(&g_profiler, str_of(temporary_path(&w->session, name))));
    EXPECT(!contexts_are_program(&g_profiler, STR("/app/Handmade.dll")));
}

static void managed_half_is_a_file_in_the_session(void **state)
{
    assert_true(scenario_survives(*state, file_in_the_session, NULL));
}

/* --- what is added, and to which modules ------------------------------------------------------ */

/* No method, and no reference to another assembly but where the file has none. */
static void load_tests(struct world *w)
{
    struct fake_module *module = started(w);
    EXPECT(w->clr.assemblies_defined == 1 && w->clr.definition_count != 0);
    for (uint32_t i = 0; i < w->clr.definition_count; i++)
        EXPECT(TOKEN_TABLE(w->clr.definitions[i].token) != TABLE_MethodDef);
    for (uint32_t rid = 1; rid <= ASSEMBLY_METHODS; rid++)
        EXPECT(module->methods[rid - 1].bodies_given <= 1);
    EXPECT(!is_logged(w, "\ntrouble\t"));
}

static void load_without_option(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    (void)started(w);
    EXPECT(w->clr.definition_count == 1 && g_profiler.contexts == NULL); /* for a tail call */
}

/* Only the static constructor. */
static void load_without_tests(struct world *w)
{
    struct il_builder other;
    w->image = assembly_build(&other, NULL);
    struct fake_module *module = started(w);
    EXPECT(g_profiler.contexts->program[0] == '\0' && w->clr.signature_count != 0);
    const struct counter_block *place = instance_find_module(&g_profiler, module->id)->place;
    EXPECT(place->enclosed_count == 1);
    EXPECT(place->enclosed[0].rid == ASSEMBLY_STATIC_CONSTRUCTOR);
    il_free(&other);
}

static void modules_get_no_methods(void **state)
{
    assert_true(scenario_survives(*state, load_tests, NULL));
    assert_true(scenario_survives(*state, load_without_tests, NULL));
    assert_true(scenario_survives(*state, load_without_option, NULL));
}

static void find(struct world *w)
{
    static const struct {
        uint32_t rid, number;
        enum context_kind kind;
        bool has_object;
    } expected[] = {
        {ASSEMBLY_TEST, 1, CONTEXT_TEST, true},
        {ASSEMBLY_STATIC_CONSTRUCTOR, 2, CONTEXT_STATIC, false},
        {ASSEMBLY_GIVES_CLASS, 3, CONTEXT_TEST, false},
        {ASSEMBLY_CONSTRUCTOR, 4, CONTEXT_CLASS, true},
    };
    const struct counter_block *place = instance_find_module(&g_profiler, started(w)->id)->place;
    EXPECT(place->enclosed_count == ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const struct enclosed_method *method = test_hooks_of(place, expected[i].rid);
        EXPECT(method != NULL && method->rid == expected[i].rid);
        EXPECT(method->number == expected[i].number);
        EXPECT(method->has_object == expected[i].has_object);
        EXPECT(method->is_static == (expected[i].kind == CONTEXT_STATIC));
        const struct context_site *site = &g_profiler.contexts->sites[method->number - 1];
        EXPECT(site->kind == expected[i].kind && site->rid == expected[i].rid);
    }
    EXPECT(test_hooks_of(place, 1) == NULL && test_hooks_of(place, ASSEMBLY_PLAIN) == NULL);
    EXPECT(test_hooks_of(place, ASSEMBLY_METHODS) == NULL);
    EXPECT(test_hooks_of(place, ASSEMBLY_METHODS + 1) == NULL);
}

static void tests_and_what_runs_around_them_are_enclosed(void **state)
{
    assert_true(scenario_survives(*state, find, NULL));
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Not at load: the first compilation has it enclosed. */
static void compile_test(struct world *w)
{
    struct il_body body;
    struct fake_module *module = started(w);
    struct il il = code_of(w, &body, module, ASSEMBLY_TEST);
    uint32_t own_locals = body.local_sig;
    EXPECT(body.clause_count == 0 && !fake_clr_may_inline(module, ASSEMBLY_TEST));
    fake_clr_compile(module, ASSEMBLY_TEST);
    EXPECT(module->methods[ASSEMBLY_TEST - 1].bodies_given == 2);
    EXPECT(fake_clr_may_inline(module, ASSEMBLY_TEST));
    il = code_of(w, &body, module, ASSEMBLY_TEST);
    EXPECT(body.clause_count == 2 && body.clauses[0].flags == EH_CATCH);
    EXPECT(body.clauses[1].flags == EH_FINALLY);
    EXPECT(body.clauses[0].handler_offset + body.clauses[0].handler_length <
           body.clauses[1].try_offset);
    EXPECT(il.instrs[il.count - 1].op == OP_RET);
    EXPECT(body.local_sig == own_locals);
    EXPECT(module->methods[ASSEMBLY_TEST - 1].maps_given == 1);
}

static void tests_are_enclosed_when_they_are_first_compiled(void **state)
{
    assert_true(scenario_survives(*state, compile_test, NULL));
}

static void expect_static(struct world *w, struct fake_module *module)
{
    struct il_body body;
    expect_uses(w, module, ASSEMBLY_STATIC_CONSTRUCTOR, OF_TEST);
    (void)code_of(w, &body, module, ASSEMBLY_STATIC_CONSTRUCTOR);
    EXPECT(body.clause_count == 1 && body.clauses[0].flags == EH_FINALLY);
}

static void compile_static_constructor(struct world *w)
{
    expect_static(w, started(w));
}

static void compile_without_tests(struct world *w)
{
    struct il_builder other;
    w->image = assembly_build(&other, NULL);
    struct il_body body;
    struct fake_module *module = started(w);
    expect_static(w, module);
    fake_clr_compile(module, ASSEMBLY_TEST);
    (void)code_of(w, &body, module, ASSEMBLY_TEST);
    EXPECT(body.clause_count == 0);
    il_free(&other);
}

static void static_constructors_call_functions_with_or_without_tests(void **state)
{
    assert_true(scenario_survives(*state, compile_static_constructor, NULL));
    assert_true(scenario_survives(*state, compile_without_tests, NULL));
}

static void compile_others(struct world *w)
{
    static const uint32_t rids[] = {ASSEMBLY_PLAIN, ASSEMBLY_TAIL_CALL, ASSEMBLY_CONDITION};
    struct il_body body;
    struct fake_module *module = started(w);
    for (size_t i = 0; i < ARRAY_LEN(rids); i++) {
        fake_clr_compile(module, rids[i]);
        struct il il = code_of(w, &body, module, rids[i]);
        EXPECT(body.clause_count == 0);
        for (uint32_t k = 0; k < il.count; k++)
            EXPECT(il.instrs[k].op != OP_LEAVE);
    }
}

static void other_methods_are_not_enclosed(void **state)
{
    assert_true(scenario_survives(*state, compile_others, NULL));
}

/* --- what the runtime refuses ----------------------------------------------------------------- */

/* They count as they would without us. */
static void expect_unchanged(struct world *w, struct fake_module *module, const char *why)
{
    static const uint32_t rids[] = {ASSEMBLY_TEST, ASSEMBLY_GIVES_CLASS, ASSEMBLY_CONSTRUCTOR};
    struct il_body body;
    char line[128];
    (void)snprintf(line, sizeof line,
                   "\ntrouble\thits are not attributed to the tests of Handmade: %s\n", why);
    EXPECT(is_logged(w, line));
    for (size_t i = 0; i < ARRAY_LEN(rids); i++) {
        fake_clr_compile(module, rids[i]);
        (void)code_of(w, &body, module, rids[i]);
        EXPECT(body.clause_count == 0);
        EXPECT(module->methods[rids[i] - 1].maps_given == 1);
    }
}

#define NO_REFERENCES "the runtime accepts no new references"
#define NO_SIGNATURES "the runtime accepts no new signatures"

static void refuse_members(struct world *w)
{
    w->clr.no_members = true;
    expect_unchanged(w, started(w), NO_REFERENCES);
}

static void refuse_strings(struct world *w)
{
    w->clr.no_strings = true;
    expect_unchanged(w, started(w), NO_REFERENCES);
}

static void refuse_assembly_reference(struct world *w)
{
    w->clr.no_assembly_emit = true; /* nor has the call of a probe one */
    expect_unchanged(w, started(w), NO_SIGNATURES);
}

static void refuse_signatures(struct world *w)
{
    w->clr.no_signatures = true;
    expect_unchanged(w, started(w), NO_SIGNATURES);
}

static void refuse_metadata(struct world *w)
{
    w->clr.no_emit = true;
    expect_unchanged(w, started(w), NO_SIGNATURES);
}

static void what_the_runtime_refuses_is_told_and_tests_run_unchanged(void **state)
{
    static void (*const scenarios[])(struct world *) = {refuse_members, refuse_strings,
                                                        refuse_assembly_reference,
                                                        refuse_signatures, refuse_metadata};
    for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
        assert_true(scenario_survives(*state, scenarios[i], NULL));
}

/* A static constructor needs no reference. */
static void refuse_members_only(struct world *w)
{
    w->clr.no_members = true;
    expect_static(w, started(w));
}

static void static_constructors_need_no_references(void **state)
{
    assert_true(scenario_survives(*state, refuse_members_only, NULL));
}

/* --- ASP.NET's server for tests --------------------------------------------------------------- */

static struct fake_module *load_server(struct world *w, struct il_builder *b, const char *method)
{
    struct image *image = &b->image;
    il_begin(b, "void()");
    (void)IMAGE_ROW(image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
                    image_string(image, "Microsoft.AspNetCore.TestHost"), 0);
    (void)il_add_method(b, "bool()", "ldc.i4.0; ret");
    (void)IMAGE_ROW(image, TypeDef, 1, image_string(image, "TestServer"),
                    image_string(image, "Microsoft.AspNetCore.TestHost"), 0, 1, 3);
    (void)il_add_method(b, "bool()", "ldc.i4.0; ret");
    store_u32(image->rows[TABLE_MethodDef].data + 4 * (2 * 6 + 3), image_string(image, method));
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = fake_clr_add(&w->clr, "/app/Microsoft.AspNetCore.TestHost.dll",
                                              image_pe(image, false), false);
    EXPECT(module->method_count == 3);
    fake_clr_load(module);
    return module;
}

static void load_server_as_known(struct world *w)
{
    static const uint8_t returns_true[] = {2 << 2 | 2, 0x17, 0x2A}; /* ldc.i4.1; ret */
    struct il_builder b;
    const struct fake_module *module = load_server(w, &b, "get_PreserveExecutionContext");
    EXPECT(module->methods[1].body == NULL && module->methods[2].bodies_given == 1);
    EXPECT(memcmp(module->methods[2].body, returns_true, sizeof returns_true) == 0);
    EXPECT(!is_logged(w, "\ntrouble\t"));
    il_free(&b);
}

static void load_other_server(struct world *w)
{
    struct il_builder b;
    const struct fake_module *module = load_server(w, &b, "get_KeepsFlow");
    EXPECT(module->methods[1].body == NULL && module->methods[2].body == NULL);
    EXPECT(is_logged(w, "\ntrouble\thits under ASP.NET's TestServer are not attributed to tests"));
    il_free(&b);
}

static void load_server_without_option(struct world *w)
{
    struct il_builder b;
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    const struct fake_module *module = load_server(w, &b, "get_PreserveExecutionContext");
    EXPECT(module->methods[2].body == NULL);
    il_free(&b);
}

static void server_for_tests_keeps_the_flow_of_its_client(void **state)
{
    assert_true(scenario_survives(*state, load_server_as_known, NULL));
    assert_true(scenario_survives(*state, load_other_server, NULL));
    assert_true(scenario_survives(*state, load_server_without_option, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(modules_get_no_methods),
    TEST(body_starts_the_managed_half_until_it_runs),
    TEST(refusal_is_told_once_and_no_body_tries_again),
    TEST(managed_half_is_a_file_in_the_session),
    TEST(tests_and_what_runs_around_them_are_enclosed),
    TEST(tests_are_enclosed_when_they_are_first_compiled),
    TEST(static_constructors_call_functions_with_or_without_tests),
    TEST(other_methods_are_not_enclosed),
    TEST(what_the_runtime_refuses_is_told_and_tests_run_unchanged),
    TEST(static_constructors_need_no_references),
    TEST(server_for_tests_keeps_the_flow_of_its_client),
};
UNIT_TESTS(tests);

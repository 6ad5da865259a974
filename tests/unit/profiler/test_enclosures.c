/* test_enclosures.c - a module with tests gets methods of ours, and the bodies of its tests call
 * them. Each scenario runs in a process of its own, as there is one profiler a process. */
#include "profiler/enclosures.h"

#include "metadata/sig.h"
#include "profiler/callback.h"
#include "rewriter/il.h"
#include "rewriter/owner_code.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/scenario.h"
#include "tests/support/test_assembly.h"

enum {
    MODULE_TYPE = 0x02000001, /* <Module> */
    OURS = 4,
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

static const char config[] = "version=3\nmode=count\ninclude=[Handmade]*\nper-test=1\n";

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    w->image = test_assembly(&w->builder, "xunit.core");
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

/* The row of a method of ours; 0: there is none. */
static uint32_t rid_named(const struct world *w, const char *name)
{
    for (uint32_t i = 0; i < w->clr.definition_count; i++)
        if (TOKEN_TABLE(w->clr.definitions[i].token) == TABLE_MethodDef &&
            strcmp(w->clr.definitions[i].name, name) == 0)
            return TOKEN_RID(w->clr.definitions[i].token);
    return 0;
}

static uint32_t token_named(const struct world *w, const char *name)
{
    return TOKEN(TABLE_MethodDef, rid_named(w, name));
}

static bool is_told(struct world *w, const char *text)
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
    char text[16];
    for (size_t i = 0; i < ARRAY_LEN(simple); i++)
        if (simple[i].element == element) {
            put(w, simple[i].name);
            return;
        }
    if (element == ELEMENT_CLASS || element == ELEMENT_VALUETYPE) {
        put(w, element == ELEMENT_CLASS ? "class " : "value ");
        put_token(w, coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(r)));
    } else if (element == ELEMENT_VAR) {
        (void)snprintf(text, sizeof text, "!%u", (unsigned)rd_compressed(r));
        put(w, text);
    } else {
        EXPECT(element == ELEMENT_GENERICINST);
        put_type(w, r);
        uint32_t count = rd_compressed(r);
        for (uint32_t i = 0; i < count; i++) {
            put(w, i == 0 ? "<" : ", ");
            put_type(w, r);
        }
        put(w, ">");
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

static void put_function(struct world *w, uint64_t function)
{
    const struct {
        uint64_t function;
        const char *name;
    } functions[] = {
        {(uint64_t)(uintptr_t)owners_entered, "owners_entered: "},
        {(uint64_t)(uintptr_t)owners_left, "owners_left: "},
        {(uint64_t)(uintptr_t)owners_ended, "owners_ended: "},
        {(uint64_t)(uintptr_t)owners_switch_to, "owners_switch_to: "},
        {(uint64_t)(uintptr_t)owners_offer, "owners_offer: "},
    };
    for (size_t i = 0; i < ARRAY_LEN(functions); i++)
        if (functions[i].function == function) {
            put(w, functions[i].name);
            return;
        }
    EXPECT(function == 0); /* never */
}

static void put_instruction(struct world *w, const struct il *il, uint32_t i)
{
    const struct instr *instr = &il->instrs[i];
    if (instr->op == OP_LDC_I8 && il->instrs[i + 1].op != OP_CALLI) /* never the last */
        EXPECT(load_u64(il->code + instr->offset + 1) ==
               (uint64_t)(uintptr_t)&g_profiler.owners->handle);
    if (il_info(instr)->operand != OPERAND_TOKEN)
        return;
    put(w, il_info(instr)->mnemonic);
    put(w, " ");
    if (instr->op == OP_CALLI) {
        EXPECT(i != 0 && il->instrs[i - 1].op == OP_LDC_I8);
        put_function(w, load_u64(il->code + il->instrs[i - 1].offset + 1));
        put_signature(w, fake_clr_signature(&w->clr, instr->operand));
    } else if (TOKEN_TABLE(instr->operand) == TABLE_MemberRef) {
        const struct fake_definition *member = defined(w, instr->operand);
        put_token(w, member->parent);
        put(w, "::");
        put(w, member->name);
        put(w, " ");
        put_signature(w, member->signature);
    } else if (TOKEN_TABLE(instr->operand) == TABLE_MethodDef) {
        put(w, defined(w, instr->operand)->name);
    } else {
        put_token(w, instr->operand);
    }
    put(w, "\n");
}

static void expect_uses(struct world *w, const struct fake_module *module, const char *name,
                        const char *signature, const char *expected)
{
    struct il_body body;
    struct il il = code_of(w, &body, module, rid_named(w, name));
    w->text[0] = '\0';
    put_signature(w, defined(w, token_named(w, name))->signature);
    if (strcmp(w->text, signature) != 0)
        fprintf(stderr, "%s is %s\n", name, w->text);
    EXPECT(strcmp(w->text, signature) == 0);
    w->text[0] = '\0';
    for (uint32_t i = 0; i < il.count; i++)
        put_instruction(w, &il, i);
    if (strcmp(w->text, expected) != 0)
        fprintf(stderr, "%s uses\n%s", name, w->text);
    EXPECT(strcmp(w->text, expected) == 0);
}

#define ARGS   "System.Threading.AsyncLocalValueChangedArgs`1"
#define LOCAL  "class System.Threading.AsyncLocal`1<object>"
#define HANDLE "System.Runtime.InteropServices.GCHandle"
#define TASK   "System.Threading.Tasks.Task"

/* As in the documentation of .NET, in the order of owner_code.h. */
static void use_the_library_of_dotnet(struct world *w)
{
    const struct fake_module *module = started(w);
    expect_uses(
        w, module, "ilcov_enter", "int64 (object, int32)",
        "callvirt System.Object::GetType instance class System.Type ()\n"
        "callvirt System.Type::get_FullName instance string ()\n"
        "call System.Runtime.CompilerServices.RuntimeHelpers::get_OffsetToStringData int32 ()\n"
        "callvirt System.String::get_Length instance int32 ()\n"
        "calli owners_entered: unmanaged int64 (int32, nint, int32)\n"
        "ldftn ilcov_switched\n"
        "newobj class System.Action`1<value " ARGS "<object>>::.ctor"
        " instance void (object, nint)\n"
        "newobj " LOCAL "::.ctor instance void (class System.Action`1<value " ARGS "<!0>>)\n"
        "call " HANDLE "::Alloc value " HANDLE " (object)\n"
        "call " HANDLE "::ToIntPtr nint (value " HANDLE ")\n"
        "calli owners_offer: unmanaged void (nint)\n"
        "callvirt " LOCAL "::get_Value instance !0 ()\n"
        "box System.Int64\n"
        "callvirt " LOCAL "::set_Value instance void (!0)\n"
        "unbox System.Int64\n");
    expect_uses(w, module, "ilcov_leave", "void (int64, int32, object)",
                "calli owners_left: unmanaged int64 ()\n"
                "isinst " TASK "\n"
                "calli owners_ended: unmanaged void (int64, int32)\n"
                "callvirt " TASK "::get_IsCompleted instance bool ()\n"
                "ldftn ilcov_finished\n"
                "newobj class System.Action`2<class " TASK ", object>::.ctor"
                " instance void (object, nint)\n"
                "box System.Int64\n"
                "call System.Threading.CancellationToken::get_None"
                " value System.Threading.CancellationToken ()\n"
                "call System.Threading.Tasks.TaskScheduler::get_Default"
                " class System.Threading.Tasks.TaskScheduler ()\n"
                "callvirt " TASK "::ContinueWith instance class " TASK
                " (class System.Action`2<class " TASK ", object>, object,"
                " value System.Threading.CancellationToken,"
                " value System.Threading.Tasks.TaskContinuationOptions,"
                " class System.Threading.Tasks.TaskScheduler)\n"
                "callvirt " TASK "::get_IsCompletedSuccessfully instance bool ()\n"
                "calli owners_ended: unmanaged void (int64, int32)\n"
                "box System.Int64\n"
                "callvirt " LOCAL "::set_Value instance void (!0)\n");
    expect_uses(w, module, "ilcov_switched", "void (value " ARGS "<object>)",
                "call value " ARGS "<object>::get_CurrentValue instance !0 ()\n"
                "unbox System.Int64\n"
                "calli owners_switch_to: unmanaged void (int64)\n");
    expect_uses(w, module, "ilcov_finished", "void (class " TASK ", object)",
                "unbox System.Int64\n"
                "callvirt " TASK "::get_IsCompletedSuccessfully instance bool ()\n"
                "calli owners_ended: unmanaged void (int64, int32)\n");
}

static void added_methods_use_what_dotnet_has(void **state)
{
    assert_true(scenario_survives(*state, use_the_library_of_dotnet, NULL));
}

/* --- which methods are added, and when -------------------------------------------------------- */

static void load_tests(struct world *w)
{
    static const char *const names[OURS] = {"ilcov_enter", "ilcov_leave", "ilcov_switched",
                                            "ilcov_finished"};
    struct fake_module *module = started(w);
    EXPECT(module->defined_count == OURS);
    for (unsigned i = 0; i < OURS; i++) {
        uint32_t rid = rid_named(w, names[i]);
        EXPECT(rid > ASSEMBLY_METHODS && module->methods[rid - 1].bodies_given == 1);
        const struct fake_definition *method = defined(w, token_named(w, names[i]));
        EXPECT(method->parent == MODULE_TYPE && method->flags == 0x96);
        fake_clr_compile(module, rid); /* it is none of those that count */
        EXPECT(module->methods[rid - 1].bodies_given == 1);
        EXPECT(module->methods[rid - 1].maps_given == 0);
    }
    EXPECT(!is_told(w, "\ntrouble\t"));
}

static void load_tests_twice(struct world *w)
{
    struct fake_module *first = started(w), *second = loaded(w);
    EXPECT(first->defined_count == OURS && second->defined_count == OURS);
    for (uint32_t rid = ASSEMBLY_METHODS + 1; rid <= ASSEMBLY_METHODS + OURS; rid++)
        EXPECT(second->methods[rid - 1].bodies_given == 1);
}

static void load_without_option(struct world *w)
{
    scenario_configure(&w->session, "version=3\nmode=count\ninclude=[Handmade]*\n");
    EXPECT(started(w)->defined_count == 0 && g_profiler.owners == NULL);
}

/* Only the static constructor. */
static void load_without_tests(struct world *w)
{
    struct il_builder other;
    w->image = test_assembly(&other, NULL);
    struct fake_module *module = started(w);
    EXPECT(module->defined_count == 0 && w->clr.signature_count != 0);
    const struct counted_place *place = instance_find_module(&g_profiler, module->id)->place;
    EXPECT(place->enclosed_count == 1);
    EXPECT(place->enclosed[0].rid == ASSEMBLY_STATIC_CONSTRUCTOR);
    il_free(&other);
}

static void modules_with_tests_get_four_methods(void **state)
{
    assert_true(scenario_survives(*state, load_tests, NULL));
    assert_true(scenario_survives(*state, load_tests_twice, NULL));
    assert_true(scenario_survives(*state, load_without_tests, NULL));
    assert_true(scenario_survives(*state, load_without_option, NULL));
}

static void find(struct world *w)
{
    static const struct {
        uint32_t rid, number;
        enum owner_kind kind;
        bool has_object;
    } expected[] = {
        {ASSEMBLY_TEST, 1, OWNER_TEST, true},
        {ASSEMBLY_STATIC_CONSTRUCTOR, 2, OWNER_STATIC, false},
        {ASSEMBLY_GIVES_CLASS, 3, OWNER_TEST, false},
        {ASSEMBLY_CONSTRUCTOR, 4, OWNER_CLASS, true},
    };
    const struct counted_place *place = instance_find_module(&g_profiler, started(w)->id)->place;
    EXPECT(place->enclosed_count == ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const struct enclosed_method *method = enclosures_of(place, expected[i].rid);
        EXPECT(method != NULL && method->rid == expected[i].rid);
        EXPECT(method->number == expected[i].number);
        EXPECT(method->has_object == expected[i].has_object);
        EXPECT(method->is_static == (expected[i].kind == OWNER_STATIC));
        const struct owner_site *site = &g_profiler.owners->sites[method->number - 1];
        EXPECT(site->kind == expected[i].kind && site->rid == expected[i].rid);
    }
    EXPECT(enclosures_of(place, 1) == NULL && enclosures_of(place, ASSEMBLY_PLAIN) == NULL);
    EXPECT(enclosures_of(place, ASSEMBLY_METHODS) == NULL);
    EXPECT(enclosures_of(place, ASSEMBLY_METHODS + 1) == NULL);
}

static void tests_and_what_runs_around_them_are_enclosed(void **state)
{
    assert_true(scenario_survives(*state, find, NULL));
}

/* --- bodies ----------------------------------------------------------------------------------- */

static unsigned calls_of(const struct il *il, enum opcode op, uint32_t token)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < il->count; i++)
        count += il->instrs[i].op == op && il->instrs[i].operand == token;
    return count;
}

static bool has_signature(const struct world *w, uint32_t token, struct view expected)
{
    struct view signature = fake_clr_signature(&w->clr, token);
    return signature.len == expected.len &&
           memcmp(signature.data, expected.data, expected.len) == 0;
}

/* Not at load: the first compilation has it enclosed, with a local for its shard. */
static void compile_test(struct world *w)
{
    struct il_body body;
    struct fake_module *module = started(w);
    uint32_t enter = token_named(w, "ilcov_enter"), leave = token_named(w, "ilcov_leave");
    struct il il = code_of(w, &body, module, ASSEMBLY_TEST);
    EXPECT(calls_of(&il, OP_CALL, enter) == 0 && body.clause_count == 0);
    EXPECT(!fake_clr_may_inline(module, ASSEMBLY_TEST));
    fake_clr_compile(module, ASSEMBLY_TEST);
    EXPECT(module->methods[ASSEMBLY_TEST - 1].bodies_given == 2);
    EXPECT(fake_clr_may_inline(module, ASSEMBLY_TEST));
    il = code_of(w, &body, module, ASSEMBLY_TEST);
    EXPECT(il.instrs[0].op == OP_LDARG_0);
    EXPECT(il.instrs[1].op == OP_LDC_I4 && load_u32(il.code + il.instrs[1].offset + 1) == 1);
    EXPECT(il.instrs[2].op == OP_CALL && il.instrs[2].operand == enter);
    EXPECT(calls_of(&il, OP_CALL, enter) == 1 && calls_of(&il, OP_CALL, leave) == 1);
    EXPECT(body.clause_count == 1 && body.clauses[0].flags == EH_FINALLY);
    EXPECT(il.instrs[il.count - 1].op == OP_RET);
    EXPECT(has_signature(w, body.local_sig, /* its own, then of the enclosure */
                         BYTES_VIEW(SIG_LOCALS, 3, ELEMENT_I4, ELEMENT_I8, ELEMENT_I4)));
    EXPECT(module->methods[ASSEMBLY_TEST - 1].maps_given == 1);
}

/* Its result goes to the second call, behind the flow and how it ended. */
static void compile_test_with_result(struct world *w)
{
    struct il_body body;
    struct fake_module *module = started(w);
    fake_clr_compile(module, ASSEMBLY_GIVES_CLASS);
    struct il il = code_of(w, &body, module, ASSEMBLY_GIVES_CLASS);
    EXPECT(il.instrs[0].op == OP_LDNULL); /* no object */
    EXPECT(load_u32(il.code + il.instrs[1].offset + 1) == 3);
    EXPECT(il.instrs[2].operand == token_named(w, "ilcov_enter"));
    uint32_t last = il.count - 1; /* ldloc; endfinally; ldloc; ret */
    EXPECT(il.instrs[last - 3].op == OP_CALL &&
           il.instrs[last - 3].operand == token_named(w, "ilcov_leave"));
    EXPECT(il_loaded_local(&il.instrs[last - 4]) == 2);
    EXPECT(il_loaded_local(&il.instrs[last - 5]) == 1);
    EXPECT(il_loaded_local(&il.instrs[last - 6]) == 0);
    EXPECT(il_loaded_local(&il.instrs[last - 1]) == 2);
    EXPECT(has_signature(
        w, body.local_sig,
        BYTES_VIEW(SIG_LOCALS, 3, ELEMENT_I8, ELEMENT_I4, ELEMENT_CLASS, 1 << 2 | 1)));
}

static void tests_are_enclosed_when_they_are_first_compiled(void **state)
{
    assert_true(scenario_survives(*state, compile_test, NULL));
    assert_true(scenario_survives(*state, compile_test_with_result, NULL));
}

static uint64_t function_before(const struct il *il, uint32_t i)
{
    EXPECT(i != 0 && il->instrs[i - 1].op == OP_LDC_I8);
    return load_u64(il->code + il->instrs[i - 1].offset + 1);
}

static void expect_static(struct world *w, struct fake_module *module)
{
    struct il_body body;
    fake_clr_compile(module, ASSEMBLY_STATIC_CONSTRUCTOR);
    struct il il = code_of(w, &body, module, ASSEMBLY_STATIC_CONSTRUCTOR);
    uint32_t end = il.count - 1; /* calli; endfinally; ret */
    EXPECT(il.instrs[0].op == OP_LDC_I4);
    EXPECT(il.instrs[2].op == OP_CALLI && il.instrs[end - 2].op == OP_CALLI);
    EXPECT(function_before(&il, 2) == (uint64_t)(uintptr_t)owners_entered_static);
    EXPECT(function_before(&il, end - 2) == (uint64_t)(uintptr_t)owners_left_static);
    EXPECT(has_signature(w, il.instrs[2].operand, BYTES_VIEW(9, 1, ELEMENT_I8, ELEMENT_I4)));
    EXPECT(
        has_signature(w, il.instrs[end - 2].operand, BYTES_VIEW(9, 1, ELEMENT_VOID, ELEMENT_I8)));
    EXPECT(body.clause_count == 1 && body.clauses[0].flags == EH_FINALLY);
}

static void compile_static_constructor(struct world *w)
{
    expect_static(w, started(w));
}

static void compile_without_tests(struct world *w)
{
    struct il_builder other;
    w->image = test_assembly(&other, NULL);
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
        EXPECT(calls_of(&il, OP_CALL, token_named(w, "ilcov_enter")) == 0);
    }
}

static void other_methods_are_not_enclosed(void **state)
{
    assert_true(scenario_survives(*state, compile_others, NULL));
}

/* --- what the runtime refuses ----------------------------------------------------------------- */

/* They count as they would without us. */
static void expect_unchanged(struct world *w, struct fake_module *module)
{
    static const uint32_t rids[] = {ASSEMBLY_TEST, ASSEMBLY_GIVES_CLASS, ASSEMBLY_CONSTRUCTOR};
    struct il_body body;
    EXPECT(is_told(w, "\ntrouble\tthe tests of Handmade are not told apart: the runtime accepts no "
                      "new methods\n"));
    for (size_t i = 0; i < ARRAY_LEN(rids); i++) {
        fake_clr_compile(module, rids[i]);
        struct il il = code_of(w, &body, module, rids[i]);
        EXPECT(body.clause_count == 0);
        for (uint32_t k = 0; k < il.count; k++)
            EXPECT(il.instrs[k].op != OP_LEAVE);
        EXPECT(module->methods[rids[i] - 1].maps_given == 1);
    }
}

static void refuse_methods(struct world *w)
{
    w->clr.no_methods = true;
    expect_unchanged(w, started(w));
}

static void refuse_members(struct world *w)
{
    w->clr.no_members = true;
    expect_unchanged(w, started(w));
}

static void refuse_type_specs(struct world *w)
{
    w->clr.no_type_specs = true;
    expect_unchanged(w, started(w));
}

static void refuse_signatures(struct world *w)
{
    w->clr.no_signatures = true;
    expect_unchanged(w, started(w));
}

static void refuse_assembly_reference(struct world *w)
{
    w->clr.no_assembly_emit = true;
    expect_unchanged(w, started(w));
}

static void refuse_first_body(struct world *w)
{
    w->clr.no_body_of = TOKEN(TABLE_MethodDef, ASSEMBLY_METHODS + 1);
    expect_unchanged(w, started(w));
}

static void refuse_last_body(struct world *w)
{
    w->clr.no_body_of = TOKEN(TABLE_MethodDef, ASSEMBLY_METHODS + OURS);
    expect_unchanged(w, started(w));
}

static void refuse_metadata(struct world *w)
{
    struct il_body body;
    w->clr.no_emit = true;
    struct fake_module *module = started(w);
    fake_clr_compile(module, ASSEMBLY_TEST);
    (void)code_of(w, &body, module, ASSEMBLY_TEST);
    EXPECT(body.clause_count == 0 && module->defined_count == 0);
    EXPECT(is_told(w, "\ntrouble\tthe tests of Handmade are not told apart: the runtime gives no "
                      "access to its metadata\n"));
}

static void what_the_runtime_refuses_is_told_and_tests_run_unchanged(void **state)
{
    static void (*const scenarios[])(struct world *) = {
        refuse_methods,    refuse_members,   refuse_type_specs, refuse_signatures,
        refuse_first_body, refuse_last_body, refuse_metadata,   refuse_assembly_reference};
    for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
        assert_true(scenario_survives(*state, scenarios[i], NULL));
}

/* A static constructor needs no method of ours. */
static void refuse_methods_only(struct world *w)
{
    w->clr.no_methods = true;
    expect_static(w, started(w));
}

static void static_constructors_need_no_new_methods(void **state)
{
    assert_true(scenario_survives(*state, refuse_methods_only, NULL));
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
    EXPECT(!is_told(w, "\ntrouble\t"));
    il_free(&b);
}

static void load_other_server(struct world *w)
{
    struct il_builder b;
    const struct fake_module *module = load_server(w, &b, "get_KeepsFlow");
    EXPECT(module->methods[1].body == NULL && module->methods[2].body == NULL);
    EXPECT(is_told(w, "\ntrouble\twhat ASP.NET's TestServer runs is not told apart by test"));
    il_free(&b);
}

static void load_server_without_option(struct world *w)
{
    struct il_builder b;
    scenario_configure(&w->session, "version=3\nmode=count\ninclude=[Handmade]*\n");
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(modules_with_tests_get_four_methods),
        TEST(added_methods_use_what_dotnet_has),
        TEST(tests_and_what_runs_around_them_are_enclosed),
        TEST(tests_are_enclosed_when_they_are_first_compiled),
        TEST(static_constructors_call_functions_with_or_without_tests),
        TEST(other_methods_are_not_enclosed),
        TEST(what_the_runtime_refuses_is_told_and_tests_run_unchanged),
        TEST(static_constructors_need_no_new_methods),
        TEST(server_for_tests_keeps_the_flow_of_its_client),
    };
    return cmocka_run_group_tests_name("enclosures", tests, NULL, NULL);
}

/* test_module_facts.c - one module and its counters: numbered as the library numbers them,
 * refused when they are of another plan, and the same without symbols. */
#include "coverage/collect/module_facts.h"

#include <unistd.h>

#include "coverage/source/symbols.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"
#include "tests/support/measured_app.h"
#include "tests/support/test_arena.h"

enum {
    METHODS = 3 /* that have a body, and one counter each; before them is one without */
};

static const uint64_t counters[METHODS + 1] = {5, 7, 9, 11}; /* and one too many */

static struct il_builder builder;
static struct module module;
static struct scope scope;
static struct list warnings, notes;
static struct module_facts_request request;

static struct module_facts_request request_for(const struct module *of, struct str root)
{
    warnings = notes = (struct list){.count = 0};
    scope = (struct scope){.include_count = 0};
    return (struct module_facts_request){
        .module = of,
        .path = STR("/app/il.dll"),
        .mode = MODE_COUNT,
        .scope = &scope,
        .documents = {.root = root, .warnings = &warnings, .notes = &notes}};
}

static uint64_t plan_hash_of(const struct module_facts_request *of)
{
    struct fact_module facts;
    struct module_facts_request never_loaded = *of;
    uint64_t *counts = NULL;
    never_loaded.counters = NULL;
    assert_true(module_facts(&facts, &counts, &never_loaded, &arena, NULL));
    assert_null(counts);
    return facts.plan_hash;
}

static int set_up(void **state)
{
    (void)open_arena(state);
    il_begin(&builder, "void()");
    for (int i = 0; i < METHODS; i++)
        (void)il_add_method(&builder, "void()", "ret");
    assert_true(module_open_image(&module, image_pe(&builder.image, false), false, NULL));
    request = request_for(&module, STR("/app"));
    request.counters = counters;
    request.counter_count = METHODS;
    request.plan_hash = plan_hash_of(&request);
    return 0;
}

static void tear_down_module(void)
{
    module_close(&module);
    il_free(&builder);
}

static int tear_down(void **state)
{
    tear_down_module();
    return close_arena(state);
}

static struct fact_module facts_of(uint64_t **counts)
{
    struct fact_module facts;
    struct err err;
    assert_true(module_facts(&facts, counts, &request, &arena, &err));
    assert_int_equal(facts.method_count, METHODS);
    return facts;
}

/* --- counters --------------------------------------------------------------------------------- */

static void counters_are_numbered_in_the_order_of_rows(void **state)
{
    uint64_t *counts = NULL;
    struct fact_module facts = facts_of(&counts);
    (void)state;
    for (uint32_t i = 0; i < METHODS; i++) {
        assert_int_equal(facts.methods[i].token, TOKEN(TABLE_MethodDef, i + 2));
        assert_int_equal(facts.methods[i].state, METHOD_INSTRUMENTED);
        assert_int_equal(counts[facts.methods[i].entry_count], counters[i]);
    }
}

static void declined_method_has_no_count_and_leaves_the_others_theirs(void **state)
{
    const uint8_t verdicts[METHODS + 1] = {VERDICT_NO_IL, VERDICT_OK, VERDICT_DECLINED_BY_RUNTIME,
                                           VERDICT_OK};
    uint64_t *counts = NULL;
    (void)state;
    request.verdicts = verdicts;
    request.verdict_count = ARRAY_LEN(verdicts);
    struct fact_module facts = facts_of(&counts);
    assert_int_equal(counts[facts.methods[0].entry_count], counters[0]);
    assert_int_equal(facts.methods[1].state, METHOD_DECLINED);
    assert_int_equal(facts.methods[1].entry_count, NO_INDEX);
    assert_int_equal(counts[facts.methods[2].entry_count], counters[2]);
}

static void without_symbols_methods_have_counts_and_no_lines(void **state)
{
    uint64_t *counts = NULL;
    struct fact_module facts = facts_of(&counts);
    (void)state;
    assert_int_equal(facts.count_len, METHODS);
    assert_int_equal(facts.document_count, 0);
    assert_int_equal(facts.statement_count, 0);
    assert_int_equal(facts.decision_count, 0);
}

/* --- methods that are too long for exact lines ------------------------------------------------ */

/* What the run says of methods of `lengths` statements, the last of which is `ret`, one after
 * another; `ran`: how often each one began. Empty: nothing. */
static struct str said_of(const uint32_t *lengths, const uint64_t *ran, uint32_t count)
{
    static const char statement[] = "ldc.i4.1; pop;";
    struct fact_module facts;
    uint64_t *counts = NULL;
    tear_down_module();
    il_begin(&builder, "void()");
    for (uint32_t i = 0; i < count; i++) {
        size_t len = (lengths[i] - 1) * strlen(statement);
        char *text = arena_raw(&arena, len + sizeof "ret", 1, NULL);
        assert_non_null(text);
        for (size_t at = 0; at < len; at += strlen(statement))
            memcpy(text + at, statement, strlen(statement));
        memcpy(text + len, "ret", sizeof "ret");
        (void)il_add_method(&builder, "void()", text);
    }
    assert_true(module_open_image(&module, image_pe(&builder.image, false), false, NULL));
    request = request_for(&module, STR("/app"));
    request.plan_hash = plan_hash_of(&request);
    request.counters = ran;
    request.counter_count = count;
    warnings.count = 0;
    assert_true(module_facts(&facts, &counts, &request, &arena, NULL));
    assert_in_range(warnings.count, 0, 1);
    return warnings.count == 0 ? STR("") : *(struct str *)warnings.items;
}

static void methods_that_ran_and_lack_exact_lines_are_named_in_one_sentence(void **state)
{
    static const struct {
        uint32_t lengths[3];
        uint64_t ran[3];
        const char *said;
    } cases[] = {
        {{1, 100, 4096}, {1, 1, 1}, ""},
        {{1, 4097, 3}, {1, 0, 1}, ""},
        {{1, 4097, 3},
         {1, 1, 1},
         "C.M of il has more than 4096 statements: lines in its stack traces may be up to 2 "
         "statements too early"},
        {{20000, 4097, 4097},
         {0, 7, 1},
         "C.M and 1 other method of il have more than 4096 statements: lines in their stack "
         "traces may be up to 2 statements too early"},
        {{20000, 4097, 4098},
         {1, 1, 1},
         "C.M and 2 other methods of il have more than 4096 statements: lines in their stack "
         "traces may be up to 9 statements too early"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str(said_of(cases[i].lengths, cases[i].ran, 3), cases[i].said);
}

static void refused_as_mismatch(void)
{
    struct fact_module facts;
    uint64_t *counts = NULL;
    struct err err = {.code = ERR_NONE};
    bool made = module_facts(&facts, &counts, &request, &arena, &err);
    assert_failed(made, err, ERR_MISMATCH);
}

static void counters_of_another_plan_are_refused(void **state)
{
    (void)state;
    request.plan_hash++;
    refused_as_mismatch();
}

static void counters_of_another_mode_are_refused(void **state)
{
    (void)state;
    request.mode = MODE_HIT;
    refused_as_mismatch();
}

static void too_few_and_too_many_counters_are_refused(void **state)
{
    (void)state;
    request.counter_count = METHODS - 1;
    refused_as_mismatch();
    request.counter_count = METHODS + 1;
    refused_as_mismatch();
}

/* --- what is excluded ------------------------------------------------------------------------- */

static void types_that_no_pattern_includes_are_excluded(void **state)
{
    const struct str text = STR("[*]No.Such.Type");
    struct pattern *patterns = NULL;
    uint64_t *counts = NULL;
    (void)state;
    assert_true(pattern_parse_all(&patterns, &text, 1, &arena, NULL));
    scope.include = patterns;
    scope.include_count = 1;
    struct fact_module facts = facts_of(&counts);
    for (uint32_t i = 0; i < METHODS; i++)
        assert_int_equal(facts.methods[i].state, METHOD_EXCLUDED);
}

/* --- with symbols ----------------------------------------------------------------------------- */

static struct measured_app measured;

static int set_up_app(void **state)
{
    (void)open_arena(state);
    measured_app_open(&measured);
    const char *path = temporary_path(&measured.app, "App.dll");
    assert_true(module_open_file(&module, path, NULL));
    assert_true(symbols_find(&module, path, &arena, NULL));
    return 0;
}

static int tear_down_app(void **state)
{
    module_close(&module);
    measured_app_close(&measured);
    return close_arena(state);
}

static struct fact_module app_facts(struct str root)
{
    struct fact_module facts;
    uint64_t *counts = NULL;
    request = request_for(&module, root);
    assert_true(module_facts(&facts, &counts, &request, &arena, NULL));
    return facts;
}

static void document_below_the_root_is_named_from_there(void **state)
{
    struct fact_module facts = app_facts(str_of(measured.root));
    (void)state;
    assert_int_equal(facts.document_count, 2);
    assert_str(facts.documents[0].relative, "a.cs");
    assert_int_equal(facts.statement_count, 4);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(facts.statements[i].document, 0);
    assert_int_equal(facts.statements[3].document, 1);
}

static void path_that_the_compiler_mapped_is_looked_for_below_the_root(void **state)
{
    struct fact_module facts = app_facts(str_of(measured.root));
    (void)state;
    assert_str(facts.documents[1].path, "/_/b.cs");
    assert_str(facts.documents[1].relative, "b.cs");
}

static void document_without_a_file_keeps_its_place(void **state)
{
    (void)state;
    assert_int_equal(unlink(temporary_path(&measured.app, "b.cs")), 0);
    struct fact_module facts = app_facts(str_of(measured.root));
    assert_str(facts.documents[1].relative, "b.cs");
}

static void document_outside_the_root_has_no_place_there(void **state)
{
    struct fact_module facts = app_facts(STR("/elsewhere"));
    (void)state;
    assert_int_equal(facts.documents[0].relative.len, 0);
    assert_int_equal(facts.statement_count, 4);
}

static void sources_that_can_not_be_read_are_noted_in_one_sentence(void **state)
{
    struct fact_module facts = app_facts(str_of(measured.root));
    (void)state;
    assert_int_equal(facts.document_count, 2);
    assert_int_equal(warnings.count, 0);
    assert_int_equal(notes.count, 1);
}

#define TEST(name)     cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_APP(name) cmocka_unit_test_setup_teardown(name, set_up_app, tear_down_app)

static const struct CMUnitTest tests[] = {
    TEST(counters_are_numbered_in_the_order_of_rows),
    TEST(declined_method_has_no_count_and_leaves_the_others_theirs),
    TEST(without_symbols_methods_have_counts_and_no_lines),
    TEST(methods_that_ran_and_lack_exact_lines_are_named_in_one_sentence),
    TEST(counters_of_another_plan_are_refused),
    TEST(counters_of_another_mode_are_refused),
    TEST(too_few_and_too_many_counters_are_refused),
    TEST(types_that_no_pattern_includes_are_excluded),
    TEST_APP(document_below_the_root_is_named_from_there),
    TEST_APP(path_that_the_compiler_mapped_is_looked_for_below_the_root),
    TEST_APP(document_without_a_file_keeps_its_place),
    TEST_APP(document_outside_the_root_has_no_place_there),
    TEST_APP(sources_that_can_not_be_read_are_noted_in_one_sentence),
};
UNIT_TESTS(tests);

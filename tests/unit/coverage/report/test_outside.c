/* test_outside.c - code whose sources are outside the root is found, unless somebody left it
 * out. */
#include "coverage/report/outside.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* One method and one statement a document. */
enum {
    DOCUMENTS_MAX = 3
};

struct tree {
    struct fact_run run;
    struct fact_document documents[DOCUMENTS_MAX];
    struct fact_method methods[DOCUMENTS_MAX];
    struct fact_statement statements[DOCUMENTS_MAX];
    struct fact_module module;
    struct facts facts;
};

struct source {
    const char *path, *relative;
    enum reason_code reason;
};

static void plant(struct tree *t, const struct source *sources)
{
    *t = (struct tree){.run = {.root = STR("/src/app")}};
    t->module = (struct fact_module){.name = STR("Lib"),
                                     .documents = t->documents,
                                     .methods = t->methods,
                                     .statements = t->statements};
    uint32_t count = 0;
    for (; count < DOCUMENTS_MAX && sources[count].path != NULL; count++) {
        const struct source *source = &sources[count];
        t->documents[count] = (struct fact_document){
            .path = str_of(source->path),
            .relative = str_of(source->relative),
            .reason = source->reason != REASON_NONE ? reason_of(source->reason) : NULL};
        t->methods[count] =
            (struct fact_method){.type = STR("N.C"), .name = STR("M"), .user_method = count};
        t->statements[count] = (struct fact_statement){.method = count, .document = count};
    }
    t->module.document_count = t->module.method_count = t->module.statement_count = count;
    t->facts =
        (struct facts){.modules = &t->module, .module_count = 1, .runs = &t->run, .run_count = 1};
}

static const struct source one_outside[DOCUMENTS_MAX] = {
    {"/src/app/A.cs", "A.cs", REASON_NONE}, {"/src/shared/B.cs", "", REASON_OUTSIDE_ROOT}};

static struct outside find(const struct tree *t, const char *exclude)
{
    struct outside outside;
    struct pattern *patterns = NULL;
    struct str text = str_of(exclude != NULL ? exclude : "");
    struct err err = {0};
    assert_true(pattern_parse_all(&patterns, &text, exclude != NULL ? 1 : 0, &arena, &err));
    const struct report_options options = {.exclude = patterns, .exclude_count = exclude != NULL};
    assert_true(outside_find(&outside, &t->facts, &options, &arena, &err));
    return outside;
}

static void sources_outside_are_counted(void **state)
{
    struct tree t;
    (void)state;
    plant(&t, one_outside);
    struct outside found = find(&t, NULL);
    assert_int_equal(found.count, 1);
    assert_str(found.modules[0].name, "Lib");
    assert_true(found.modules[0].ran);
    assert_int_equal(found.modules[0].source_count, 2);
    assert_int_equal(found.modules[0].outside_count, 1);
    assert_str(found.modules[0].first, "/src/shared/B.cs");
    t.module.state = MODULE_NOT_LOADED;
    assert_false(find(&t, NULL).modules[0].ran);
}

static void each_cause_counts(void **state)
{
    static const enum reason_code causes[] = {REASON_OUTSIDE_ROOT, REASON_OUTSIDE_GIVEN_ROOT,
                                              REASON_NO_SOURCE, REASON_CHANGED};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(causes); i++) {
        const struct source sources[DOCUMENTS_MAX] = {{"/_/B.cs", "", causes[i]}};
        struct tree t;
        plant(&t, sources);
        assert_int_equal(find(&t, NULL).count, 1);
    }
}

static void what_was_left_out_on_purpose_is_not_told(void **state)
{
    struct tree t;
    (void)state;
    plant(&t, one_outside);
    assert_int_equal(find(&t, "[Lib]*").count, 0);
    assert_int_equal(find(&t, "[*]N.*").count, 0);
    assert_int_equal(find(&t, "[Lib]Other").count, 1);
    t.statements[1].reason = reason_of(REASON_COMMENT);
    assert_int_equal(find(&t, NULL).count, 0);
    plant(&t, one_outside);
    t.methods[1].state = METHOD_EXCLUDED;
    assert_int_equal(find(&t, NULL).count, 0);
    plant(&t, one_outside);
    t.methods[0].state = METHOD_EXCLUDED; /* and a lambda of it, in the other document */
    t.methods[1].user_method = 0;
    assert_int_equal(find(&t, NULL).count, 0);
    plant(&t, one_outside);
    t.documents[1].reason = reason_of(REASON_EXCLUDED_FILE);
    assert_int_equal(find(&t, NULL).count, 0);
    plant(&t, one_outside);
    t.module.state = MODULE_SKIPPED;
    assert_int_equal(find(&t, NULL).count, 0);
}

static void sources_of_packages_are_not_the_users(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {
        {"/home/me/.nuget/packages/xunit.v3.core/2.0.1/build/Entry.cs", "", REASON_OUTSIDE_ROOT},
        {"Generated/By.Tool/A.g.cs", "", REASON_NO_SOURCE}};
    struct tree t;
    (void)state;
    plant(&t, sources);
    assert_int_equal(find(&t, NULL).count, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sources_outside_are_counted),
    cmocka_unit_test(each_cause_counts),
    cmocka_unit_test(what_was_left_out_on_purpose_is_not_told),
    cmocka_unit_test(sources_of_packages_are_not_the_users),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

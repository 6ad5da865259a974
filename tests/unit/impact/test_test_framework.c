/* test_test_framework.c - the filter is one that all test frameworks of a run take. */
#include "impact/impact.h"

#include "tests/support/check.h"

static enum filter_kind filter_of(const char *a, const char *b, bool is_platform)
{
    struct fact_module modules[3] = {{.name = STR("Shop")}};
    struct facts run = {.modules = modules, .module_count = 1};
    const char *const names[] = {a, b};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i] != NULL)
            modules[run.module_count++].name = str_of(names[i]);
    return test_filter_kind(&run, is_platform);
}

static void each_framework_has_its_filter(void **state)
{
    (void)state;
    assert_int_equal(filter_of("xunit.core", NULL, false), FILTER_VSTEST);
    assert_int_equal(filter_of("MSTest.TestFramework", NULL, true), FILTER_VSTEST);
    assert_int_equal(filter_of("xunit.v3.core", NULL, false), FILTER_VSTEST);
    assert_int_equal(filter_of("xunit.v3.core", "Microsoft.Testing.Extensions.Telemetry", true),
                     FILTER_MTP);
    assert_int_equal(filter_of("xunit.v3.core", "Microsoft.Testing.Platform", true),
                     FILTER_CONSOLE);
    assert_int_equal(filter_of("nunit.framework", NULL, false), FILTER_NUNIT);
    assert_int_equal(filter_of("nunit.framework", NULL, true), FILTER_LOOSE);
    assert_int_equal(filter_of("TUnit.Core", NULL, true), FILTER_TREENODE);
}

static void several_have_one_that_all_of_them_take(void **state)
{
    (void)state;
    assert_int_equal(filter_of("xunit.core", "MSTest.TestFramework", false), FILTER_VSTEST);
    assert_int_equal(filter_of("nunit.framework", "xunit.core", false), FILTER_LOOSE);
    assert_int_equal(filter_of("TUnit.Core", "xunit.core", true), FILTER_NONE);
    assert_int_equal(filter_of("xunit.v3.core", "xunit.core", true), FILTER_NONE);
    assert_int_equal(filter_of("nunit.framework", "xunit.v3.core", true), FILTER_NONE);
}

static void run_without_a_framework_has_none(void **state)
{
    (void)state;
    assert_int_equal(filter_of(NULL, NULL, false), FILTER_NONE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_framework_has_its_filter),
    cmocka_unit_test(several_have_one_that_all_of_them_take),
    cmocka_unit_test(run_without_a_framework_has_none),
};
UNIT_TESTS(tests);

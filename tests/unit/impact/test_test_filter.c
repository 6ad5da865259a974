/* test_test_filter.c - filters select the tests that they are made for, as each tool reads them. */
#include "impact/impact.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static const struct str some[] = {{"N.C.A", 5}, {"N.C.B", 5}, {"N.D+E.A", 7}};

/* The words in one line. */
static const char *filter_of(enum filter_kind kind, const struct str *names, uint32_t count,
                             bool *is_wider)
{
    struct test_filter filter;
    struct str line;
    struct err err = {0};
    if (!test_filter_make(&filter, kind, names, count, &arena, &err))
        fail_msg("%s", err.text);
    assert_null(filter.words[filter.count]);
    struct text text = text_in(&arena);
    for (uint32_t i = 0; i < filter.count; i++)
        text_addf(&text, "%s%s", i != 0 ? " " : "", filter.words[i]);
    assert_true(text_take(&line, &text, &err));
    *is_wider = filter.is_wider;
    return line.text;
}

static void each_tool_gets_its_own_syntax(void **state)
{
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_VSTEST, some, 3, &wider),
                        "--filter FullyQualifiedName=N.C.A|FullyQualifiedName=N.C.B|"
                        "FullyQualifiedName=N.D+E.A");
    assert_string_equal(filter_of(FILTER_NUNIT, some, 3, &wider),
                        "-- NUnit.Where=(class == \"N.C\" and method == \"A\") or "
                        "(class == \"N.C\" and method == \"B\") or "
                        "(class == \"N.D+E\" and method == \"A\")");
    assert_string_equal(filter_of(FILTER_MTP, some, 3, &wider),
                        "--filter-method N.C.A --filter-method N.C.B --filter-method N.D+E.A");
    assert_string_equal(filter_of(FILTER_CONSOLE, some, 3, &wider),
                        "-method N.C.A -method N.C.B -method N.D+E.A");
    assert_string_equal(filter_of(FILTER_TREENODE, some, 3, &wider),
                        "--treenode-filter /*/(N)/(C)|(D+E)/(A)|(B)");
    assert_false(wider);
}

static void characters_that_vstest_reads_are_escaped(void **state)
{
    static const struct str odd[] = {{"N.C.a(b)&c|d=e!f~g\\h", 20}};
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_VSTEST, odd, 1, &wider),
                        "--filter FullyQualifiedName=N.C.a\\(b\\)\\&c\\|d\\=e\\!f\\~g\\\\h");
}

static void nunit_gets_quotes_that_the_name_does_not_have_or_the_class(void **state)
{
    static const struct str odd[] = {
        {"N.C.a\\b", 7}, {"N.C.it's", 8}, {"N.C.say \"a\"", 11}, {"N.C.\"it's\"", 10}};
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_NUNIT, odd, 4, &wider),
                        "-- NUnit.Where=(class == \"N.C\") or "
                        "(class == \"N.C\" and method == \"it's\") or "
                        "(class == \"N.C\" and method == 'say \"a\"') or (class == \"N.C\")");
}

static void names_that_a_tool_cannot_take_are_cut(void **state)
{
    static const struct str odd[] = {{"N.G`1.a*b", 9}};
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_MTP, odd, 1, &wider), "--filter-method N.G`1.a*");
    assert_string_equal(filter_of(FILTER_TREENODE, odd, 1, &wider),
                        "--treenode-filter /*/(N)/(G*)/(a*b)");
}

static void nunit_is_asked_for_more_where_it_has_names_of_its_own(void **state)
{
    static const struct str odd[] = {
        {"N.G`1.M", 7}, {"N.C.adds two", 12}, {"N.C D.M", 7}, {"C.M", 3}};
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_LOOSE, odd, 4, &wider),
                        "--filter (FullyQualifiedName~N.G&FullyQualifiedName~.M)|"
                        "(FullyQualifiedName~N.C&FullyQualifiedName~.adds)|"
                        "(FullyQualifiedName~N.C&FullyQualifiedName~.M)|"
                        "(FullyQualifiedName~C&FullyQualifiedName~.M)");
}

static void tests_without_a_namespace_are_in_any(void **state)
{
    static const struct str plain[] = {{"C.M", 3}, {"N.C.M", 5}};
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_TREENODE, plain, 2, &wider),
                        "--treenode-filter /*/*/(C)/(M)");
}

static void no_kind_is_no_filter(void **state)
{
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_NONE, some, 3, &wider), "");
}

/* `count` tests, `each` in a class, all in one namespace. */
static struct str *many(uint32_t count, uint32_t each)
{
    struct str *names = ARENA_NEW(&arena, struct str, count, NULL);
    for (uint32_t i = 0; i < count; i++)
        assert_true(text_format(&names[i], &arena, NULL, "Names.C%05u.Test%05u", i / each, i));
    return names;
}

static void too_many_tests_are_filtered_by_class(void **state)
{
    bool wider;
    (void)state;
    assert_string_equal(
        filter_of(FILTER_VSTEST, many(10000, 5000), 10000, &wider),
        "--filter FullyQualifiedName~Names.C00000.|FullyQualifiedName~Names.C00001.");
    assert_true(wider);
    assert_string_equal(filter_of(FILTER_MTP, many(10000, 5000), 10000, &wider),
                        "--filter-class Names.C00000 --filter-class Names.C00001");
    assert_true(wider);
}

static void too_many_classes_are_filtered_by_namespace(void **state)
{
    bool wider;
    (void)state;
    assert_string_equal(filter_of(FILTER_VSTEST, many(10000, 1), 10000, &wider),
                        "--filter FullyQualifiedName~Names.");
    assert_true(wider);
    assert_string_equal(filter_of(FILTER_TREENODE, many(20000, 1), 20000, &wider),
                        "--treenode-filter /*/(Names)/*/*");
    assert_true(wider);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

/* A data file may be a stranger's, and the command is not its. */
static void a_name_never_becomes_an_option(void **state)
{
    static const struct str odd[] = {{"--settings", 10}, {"@options", 8}};
    static const enum filter_kind kinds[] = {FILTER_VSTEST,   FILTER_NUNIT,   FILTER_MTP,
                                             FILTER_TREENODE, FILTER_CONSOLE, FILTER_LOOSE};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(odd) * ARRAY_LEN(kinds); i++) {
        struct test_filter filter;
        struct err err = {0};
        const struct str *name = &odd[i % ARRAY_LEN(odd)];
        if (!test_filter_make(&filter, kinds[i / ARRAY_LEN(odd)], name, 1, &arena, &err)) {
            assert_int_equal(err.code, ERR_UNSUPPORTED);
            continue;
        }
        for (uint32_t k = 0; k < filter.count; k++)
            assert_string_not_equal(filter.words[k], name->text);
        assert_true(strpbrk(filter.words[filter.count - 1], "-@") !=
                    filter.words[filter.count - 1]);
    }
}

static const struct CMUnitTest tests[] = {
    TEST(a_name_never_becomes_an_option),
    TEST(each_tool_gets_its_own_syntax),
    TEST(characters_that_vstest_reads_are_escaped),
    TEST(nunit_gets_quotes_that_the_name_does_not_have_or_the_class),
    TEST(names_that_a_tool_cannot_take_are_cut),
    TEST(nunit_is_asked_for_more_where_it_has_names_of_its_own),
    TEST(tests_without_a_namespace_are_in_any),
    TEST(no_kind_is_no_filter),
    TEST(too_many_tests_are_filtered_by_class),
    TEST(too_many_classes_are_filtered_by_namespace),
};
UNIT_TESTS(tests);

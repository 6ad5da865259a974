#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scope/pattern.h"
#include "tests/unit/unit.h"

static void pattern_splits_at_the_bracket(void **state)
{
    static const struct {
        const char *text, *assembly, *type;
    } cases[] = {
        {"[MyApp.*]*", "MyApp.*", "*"}, {"[*]*.Migrations.*", "*", "*.Migrations.*"},
        {"[MyApp]", "MyApp", "*"},      {"MyApp", "MyApp", "*"},
        {"[]N.T", "", "N.T"},           {"[A]N.T[]", "A", "N.T[]"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct pattern pattern;
        struct err err = {0};
        assert_true(pattern_parse(&pattern, str_of(cases[i].text), &err));
        assert_true(str_is(pattern.assembly, cases[i].assembly));
        assert_true(str_is(pattern.type, cases[i].type));
    }
}

static void pattern_without_a_bracket_is_refused(void **state)
{
    static const char *const cases[] = {"", "[", "[MyApp", "[MyApp.*"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct pattern pattern;
        struct err err = {0};
        assert_false(pattern_parse(&pattern, str_of(cases[i]), &err));
        assert_int_equal(err.code, ERR_USAGE);
    }
}

static void patterns_are_parsed_all_or_none(void **state)
{
    const struct str texts[] = {STR("[A]*"), STR("B"), STR("[C")};
    struct pattern *patterns = NULL;
    struct arena arena;
    struct err err = {0};
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(pattern_parse_all(&patterns, texts, 2, &arena, &err));
    assert_true(str_is(patterns[1].assembly, "B"));
    assert_false(pattern_parse_all(&patterns, texts, 3, &arena, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_true(pattern_parse_all(&patterns, NULL, 0, &arena, &err));
    arena_free(&arena);
}

static void pattern_matches_as_users_expect(void **state)
{
    static const struct {
        const char *pattern, *assembly, *type;
        bool assembly_matches, type_matches;
    } cases[] = {
        {"[MyApp.*]*", "MyApp.Core", "N.T", true, true},
        {"[MyApp.*]*", "MyApp", "N.T", false, false},
        {"[myapp.core]*", "MyApp.Core", "N.T", true, true},
        {"[MyApp.Core]n.t", "MyApp.Core", "N.T", true, false},
        {"[*]*.Migrations.*", "Any", "N.Migrations.M1", true, true},
        {"[*]*.Migrations.*", "Any", "N.Migrationsx.M1", true, false},
        {"[A]N.T", "A", "N.T/Inner", true, true},
        {"[A]*T", "A", "N.T/Inner/Innermost", true, true},
        {"[A]*/Inner", "A", "N.T/Inner/Innermost", true, true},
        {"[A]N.T/Inner", "A", "N.T", true, false},
        {"[A]N.T", "A", "N.T1/Inner", true, false},
        {"[A]Inner", "A", "N.T/Inner", true, false},
        {"[A]N.T", "B", "N.T/Inner", false, false},
        {"[A]N.T*", "A", "N.T/Inner", true, true},
        {"[A]N.T?", "A", "N.T1", true, true},
        {"[A]N.T?", "A", "N.T", true, false},
        {"[A]*a*b*c", "A", "xxaxxbxxbxxc", true, true},
        {"[A]*a*b*c", "A", "xxaxxbxxbxx", true, false},
        {"[]*", "", "T", true, true},
        {"[]*", "A", "T", false, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct pattern pattern;
        struct err err = {0};
        struct str assembly = str_of(cases[i].assembly), type = str_of(cases[i].type);
        assert_true(pattern_parse(&pattern, str_of(cases[i].pattern), &err));
        assert_int_equal(pattern_matches_assembly(&pattern, assembly), cases[i].assembly_matches);
        assert_int_equal(pattern_matches_type(&pattern, assembly, type), cases[i].type_matches);
    }
}

static void pattern_knows_a_whole_assembly(void **state)
{
    struct pattern pattern;
    (void)state;
    assert_true(pattern_parse(&pattern, STR("[A]*"), NULL));
    assert_true(pattern_is_whole_assembly(&pattern));
    assert_true(pattern_parse(&pattern, STR("A"), NULL));
    assert_true(pattern_is_whole_assembly(&pattern));
    assert_true(pattern_parse(&pattern, STR("[A]N.*"), NULL));
    assert_false(pattern_is_whole_assembly(&pattern));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pattern_splits_at_the_bracket),
    cmocka_unit_test(pattern_without_a_bracket_is_refused),
    cmocka_unit_test(patterns_are_parsed_all_or_none),
    cmocka_unit_test(pattern_matches_as_users_expect),
    cmocka_unit_test(pattern_knows_a_whole_assembly),
};
UNIT_TESTS(tests);

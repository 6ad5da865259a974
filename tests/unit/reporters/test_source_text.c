/* test_source_text.c - lines of sources, and places in them. */
#include "reporters/source_text.h"

#include "tests/support/check.h"
#include "tests/support/no_text.h"

static struct str line_of(void *context, struct str package, struct str path, uint32_t number)
{
    const char *const *lines = context;
    (void)package, (void)path;
    return number <= 2 ? str_of(lines[number - 1]) : (struct str){NULL, 0};
}

static void byte_order_mark_is_not_text(void **state)
{
    const char *lines[] = {"\xEF\xBB\xBFusing A;", "\xEF\xBB\xBF"};
    const struct sources sources = {line_of, lines, false, no_text};
    const struct source_place place = {&sources, STR("A"), STR("a.cs")};
    (void)state;
    assert_str(source_text_line(&place, 1), "using A;");
    assert_str(source_text_line(&place, 2), lines[1]);
    assert_null(source_text_line(&place, 3).text);
}

static void columns_count_utf16_units(void **state)
{
    static const struct {
        const char *line;
        uint16_t start, end;
        const char *cut;
    } cases[] = {
        {"if (a > b)", 5, 10, "a > b"},
        {"if (a > b)", 5, 0, "a > b)"},
        {"if (a > b)", 0, 0, ""},
        {"if (a > b)", 10, 5, ""},
        {"if (a > b)", 11, 99, ""},
        {"\"\xF0\x9F\x98\x80\" == s", 6, 7, "="}, /* a smile takes two units */
        {"\xE6\x97\xA5\xE6\x9C\xAC", 2, 3, "\xE6\x9C\xAC"},
        {"e\xCC\x81 = 1", 2, 3, "\xCC\x81"},
        {"\xFF\xFE"
         "a",
         3, 4, "a"},
        {"", 1, 2, ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str(source_text_cut(str_of(cases[i].line), cases[i].start, cases[i].end),
                   cases[i].cut);
    assert_int_equal(source_text_cut((struct str){NULL, 0}, 1, 2).len, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(byte_order_mark_is_not_text),
    cmocka_unit_test(columns_count_utf16_units),
};
UNIT_TESTS(tests);

/* test_line_index.c - lines and columns are places in bytes, as compilers count them, and back. */
#include "coverage/source/line_index.h"

#include "tests/support/check.h"

/* a, tab, an umlaut (2 bytes), a face outside the BMP (4 bytes, 2 units), z */
#define MIXED "a\t\xC3\xA4\xF0\x9F\x98\x80z"

static const struct {
    const char *name, *text;
    uint32_t line, column, offset;
} places[] = {
    {"the start", "abc", 1, 1, 0},
    {"in a line", "abc", 1, 3, 2},
    {"behind the last character", "abc", 1, 4, 3},
    {"LF", "a\nbc", 2, 2, 3},
    {"CR", "a\rbc", 2, 1, 2},
    {"CR LF", "a\r\nbc", 2, 1, 3},
    {"U+0085",
     "a\xC2\x85"
     "bc",
     2, 1, 3},
    {"U+2028",
     "a\xE2\x80\xA8"
     "bc",
     2, 1, 4},
    {"U+2029",
     "a\xE2\x80\xA9"
     "bc",
     2, 1, 4},
    {"empty lines", "\n\n\nd", 4, 1, 3},
    {"a tab is one column", MIXED, 1, 3, 2},
    {"two bytes are one column", MIXED, 1, 4, 4},
    {"four bytes are two", MIXED, 1, 6, 8},
    {"a byte order mark is none",
     "\xEF\xBB\xBF"
     "ab\nc",
     1, 2, 4},
    {"the line behind a byte order mark",
     "\xEF\xBB\xBF"
     "ab\nc",
     2, 1, 6},
};

static const struct {
    const char *name, *text;
    uint32_t line, column;
} nowhere[] = {
    {"line 0", "a\nb", 0, 1},
    {"column 0", "a\nb", 1, 0},
    {"behind the last line", "a\nb", 3, 1},
    {"behind the end of a line", "a\nb", 1, 4},
    {"between two surrogates", MIXED, 1, 5},
    {"behind what is no UTF-8", "a\xE4z", 1, 3},
    {"in an empty text", "", 1, 2},
};

static const struct {
    const char *text;
    bool is_mapped;
} directives[] = {
    {"a\n#line 7\n", true},
    {"#line 7 \"b.cs\"\n", true},
    {"\xEF\xBB\xBF# line (1, 2) - (3, 4) \"b.cs\"", true},
    {"a\n  #\tline\t12", true},
    {"#line hidden\n#line default\n", false},
    {"// #line 7\n#pragma warning\n", false},
    {"", false},
};

static struct line_index make(const char *text, struct arena *arena)
{
    struct line_index index;
    assert_true(line_index_make(&index, str_of(text), arena, NULL));
    return index;
}

static void places_are_found_and_found_again(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct line_index index = make(places[i].text, &arena);
        uint32_t offset = 0, line = 0, column = 0;
        if (!line_index_offset(&offset, &index, places[i].line, places[i].column) ||
            offset != places[i].offset)
            fail_msg("%s: %u instead of %u", places[i].name, offset, places[i].offset);
        line_index_place(&line, &column, &index, offset);
        if (line != places[i].line || column != places[i].column)
            fail_msg("%s: %u:%u", places[i].name, line, column);
    }
    arena_free(&arena);
}

static void what_is_nowhere_is_not_found(void **state)
{
    struct arena arena;
    uint32_t offset;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(nowhere); i++) {
        struct line_index index = make(nowhere[i].text, &arena);
        if (line_index_offset(&offset, &index, nowhere[i].line, nowhere[i].column))
            fail_msg("%s: %u", nowhere[i].name, offset);
    }
    arena_free(&arena);
}

static void a_line_directive_with_a_number_is_seen(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(directives); i++)
        if (make(directives[i].text, &arena).is_mapped != directives[i].is_mapped)
            fail_msg("%s", directives[i].text);
    arena_free(&arena);
}

/* A column that facts have no number for is not one. */
static void a_span_has_columns_that_fit_or_none(void **state)
{
    static char text[0x10010];
    struct arena arena;
    (void)state;
    memset(text, ' ', sizeof text - 1);
    text[4] = '\n';
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct line_index index = make(text, &arena);
    struct fact_span near = line_index_span(&index, 1, 5 + 0xFFFC);
    struct fact_span far = line_index_span(&index, 1, 5 + 0xFFFD);
    struct fact_span reversed = line_index_span(&index, 6, 1);
    struct fact_span wrapped = line_index_span(&index, 5 + 0xFFFF, 5 + 0x10001);
    assert_true(near.start_line == 1 && near.start_column == 2 && near.end_line == 2);
    assert_int_equal(near.end_column, 0xFFFD);
    assert_true(far.end_line == 2 && far.start_column == 0 && far.end_column == 0);
    assert_true(reversed.start_line == 2 && reversed.end_line == 2);
    assert_true(reversed.start_column == 0 && reversed.end_column == 0);
    assert_true(wrapped.start_line == 2 && wrapped.start_column == 0 && wrapped.end_column == 0);
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(places_are_found_and_found_again),
    cmocka_unit_test(what_is_nowhere_is_not_found),
    cmocka_unit_test(a_line_directive_with_a_number_is_seen),
    cmocka_unit_test(a_span_has_columns_that_fit_or_none),
};
UNIT_TESTS(tests);

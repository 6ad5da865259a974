/* test_text.c - views of strings compare by length and bytes; growing text tells at the end whether
 * it could. */
#include "base/text.h"
#include "tests/support/check.h"

static void strings_are_equal_by_length_and_bytes(void **state)
{
    (void)state;
    assert_true(str_eq(STR("abc"), (struct str){"abcd", 3}));
    assert_false(str_eq(STR("abc"), STR("abcd")));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_true(str_eq((struct str){NULL, 0}, STR("")));
    assert_true(str_is(STR("x"), "x"));
    assert_false(str_is((struct str){"a\0b", 3}, "a"));
    assert_int_equal(str_of("hello").len, 5);
}

static void starts_and_ends_look_no_further_than_the_string(void **state)
{
    (void)state;
    struct str s = {"abc", 2};
    assert_true(str_starts(s, "ab") && str_starts(s, "") && str_ends(s, "b") && str_ends(s, ""));
    assert_false(str_starts(s, "abc"));
    assert_false(str_ends(s, "c"));
    assert_false(str_ends(STR(""), "x"));
}

static void order_is_ordinal(void **state)
{
    (void)state;
    static const char *const ordered[] = {"", "A", "Aa", "a", "a\x7F", "a\xC3\xA4", "\xC3\xA4"};
    for (size_t i = 0; i < ARRAY_LEN(ordered); i++)
        for (size_t k = 0; k < ARRAY_LEN(ordered); k++) {
            int order = str_cmp(str_of(ordered[i]), str_of(ordered[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

static const struct {
    const char *pattern, *text;
    bool matches;
} globs[] = {
    {"", "", true},
    {"", "a", false},
    {"*", "", true},
    {"*", "anything", true},
    {"?", "", false},
    {"?", "a", true},
    {"a*c", "abbbc", true},
    {"a*c", "ac", true},
    {"a*c", "abcd", false},
    {"a*c", "abcbc", true},
    {"*.Tests", "My.Tests", true},
    {"*.Tests", "My.Tests.More", false},
    {"My.*.Tests?", "My.Big.Tests2", true},
    {"**", "ab", true},
    {"[a]", "a", false},
    {"[a]", "[a]", true},
    {"a?b*", "axb", true},
    {"*a", "b", false},
};

static void globs_know_star_and_question_mark(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(globs); i++) {
        struct view text =
            exact_copy((struct view){(const uint8_t *)globs[i].text, strlen(globs[i].text)});
        assert_int_equal(
            str_glob(str_of(globs[i].pattern), (struct str){(const char *)text.data, text.len}),
            globs[i].matches);
        exact_free(text);
    }
}

static void glob_of_many_stars_takes_no_exponential_time(void **state)
{
    (void)state;
    char pattern[101], text[5001];
    for (size_t i = 0; i < 100; i += 2) {
        pattern[i] = '*';
        pattern[i + 1] = 'a';
    }
    pattern[99] = 'b';
    pattern[100] = '\0';
    memset(text, 'a', 5000);
    text[5000] = '\0';
    assert_false(str_glob(str_of(pattern), str_of(text)));
}

static void text_grows_and_ends_with_a_nul(void **state)
{
    (void)state;
    struct arena arena;
    struct str taken;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct text t = text_in(&arena);
    for (unsigned i = 0; i < 1000; i++) {
        text_add(&t, STR("ab"));
        text_add_c(&t, "c");
        text_addf(&t, "%u", i % 10);
    }
    assert_true(text_take(&taken, &t, &err));
    assert_int_equal(taken.len, 4000);
    assert_int_equal(taken.text[4000], '\0');
    for (unsigned i = 0; i < 1000; i++)
        assert_memory_equal(taken.text + (size_t)i * 4, "abc", 3);
    assert_int_equal(taken.text[3999], '9');
    arena_free(&arena);
}

static void numbers_are_those_that_printf_writes(void **state)
{
    static const uint32_t numbers[] = {0, 1, 9, 10, 4095, 999999999, UINT32_MAX};
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        struct str written, expected;
        struct err err = {0};
        struct text t = text_in(&arena);
        text_add_number(&t, numbers[i]);
        assert_true(text_take(&written, &t, &err));
        assert_true(text_format(&expected, &arena, &err, "%u", numbers[i]));
        assert_true(str_eq(written, expected));
    }
    arena_free(&arena);
}

static void empty_text_is_empty_and_not_null(void **state)
{
    (void)state;
    struct arena arena;
    struct str taken;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct text t = text_in(&arena);
    text_add(&t, (struct str){NULL, 0});
    text_add_c(&t, "");
    assert_true(text_take(&taken, &t, &err));
    assert_string_equal(taken.text, "");
    arena_free(&arena);
}

static void trimming_takes_what_is_named_and_no_more(void **state)
{
    (void)state;
    assert_str(str_trim(STR(" \ta b\t "), " \t"), "a b");
    assert_str(str_trim(STR("\n a \n"), " \t"), "\n a \n");
    assert_str(str_trim_start(STR("  a  "), " "), "a  ");
    assert_int_equal(str_trim(STR(" \t \t"), " \t").len, 0);
    assert_int_equal(str_trim((struct str){NULL, 0}, " ").len, 0);
    assert_int_equal(str_trim(STR("\0a\0"), " ").len, 3); /* a NUL is a character like others */
}

static void failure_to_grow_is_reported_when_the_text_is_taken(void **state)
{
    (void)state;
    struct arena arena;
    struct str taken;
    struct err err;
    arena_init(&arena, NULL, 0, 64);
    struct text t = text_in(&arena);
    for (unsigned i = 0; i < 100; i++)
        text_addf(&t, "%s", "more");
    assert_failed(text_take(&taken, &t, &err), err, ERR_MEMORY);
    assert_null(taken.text);
    assert_int_equal(taken.len, 0);
    arena_free(&arena);
}

static void copies_and_formats_end_with_a_nul(void **state)
{
    (void)state;
    struct arena arena;
    struct str s;
    struct err err;
    arena_init(&arena, NULL, 0, 4096);
    assert_true(str_copy(&s, (struct str){"abcdef", 3}, &arena, &err));
    assert_string_equal(s.text, "abc");
    assert_true(text_format(&s, &arena, &err, "%s-%d", "x", 42));
    assert_str(s, "x-42");
    assert_int_equal(s.text[s.len], '\0');
    arena.limit = arena.used;
    assert_failed(str_copy(&s, STR("abc"), &arena, &err), err, ERR_LIMIT);
    assert_int_equal(s.len, 0);
    assert_failed(text_format(&s, &arena, &err, "%d", 1), err, ERR_MEMORY);
    arena_free(&arena);
}

static void taking_until_a_character_takes_that_too(void **state)
{
    struct str rest = STR("a,,b");
    (void)state;
    assert_str(str_take_until(&rest, ','), "a");
    assert_str(str_take_until(&rest, ','), "");
    assert_str(str_take_until(&rest, ','), "b");
    assert_int_equal(rest.len, 0);
    assert_str(str_take_until(&rest, ','), "");
}

static void a_word_of_a_list_is_a_whole_word_of_it(void **state)
{
    (void)state;
    assert_true(str_is_one_of(STR("a"), "a") && str_is_one_of(STR("cd"), "a b cd"));
    assert_true(str_is_one_of(STR("b"), "a b cd"));
    assert_false(str_is_one_of(STR("c"), "a b cd"));
    assert_false(str_is_one_of(STR("a b"), "a b cd"));
    assert_false(str_is_one_of(STR("cde"), "a b cd"));
    assert_false(str_is_one_of(STR(""), "a b") || str_is_one_of(STR("a"), ""));
    assert_false(str_is_one_of(STR("a\0b"), "a b"));
}

static void the_word_at_the_start_ends_where_no_word_goes_on(void **state)
{
    (void)state;
    assert_str(str_word(STR("_a1\xC3\xA4 b")), "_a1\xC3\xA4");
    assert_int_equal(str_word(STR(" a")).len, 0);
    assert_int_equal(str_word(STR("")).len, 0);
    assert_int_equal(str_word((struct str){"abc", 2}).len, 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(strings_are_equal_by_length_and_bytes),
    cmocka_unit_test(starts_and_ends_look_no_further_than_the_string),
    cmocka_unit_test(order_is_ordinal),
    cmocka_unit_test(globs_know_star_and_question_mark),
    cmocka_unit_test(glob_of_many_stars_takes_no_exponential_time),
    cmocka_unit_test(text_grows_and_ends_with_a_nul),
    cmocka_unit_test(numbers_are_those_that_printf_writes),
    cmocka_unit_test(empty_text_is_empty_and_not_null),
    cmocka_unit_test(trimming_takes_what_is_named_and_no_more),
    cmocka_unit_test(taking_until_a_character_takes_that_too),
    cmocka_unit_test(failure_to_grow_is_reported_when_the_text_is_taken),
    cmocka_unit_test(copies_and_formats_end_with_a_nul),
    cmocka_unit_test(a_word_of_a_list_is_a_whole_word_of_it),
    cmocka_unit_test(the_word_at_the_start_ends_where_no_word_goes_on),
};
UNIT_TESTS(tests);

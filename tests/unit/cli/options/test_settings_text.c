/* test_settings_text.c - comments become spaces, and everything stays where it was. */
#include "cli/options/settings_text.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static struct str strip(const char *text)
{
    struct err err = {0};
    struct str out;
    assert_true(settings_text_strip(&out, str_of(text), &arena, &err));
    return out;
}

static void comments_become_spaces(void **state)
{
    (void)state;
    assert_str(strip("{ // all\n \"a\": 1 }"), "{       \n \"a\": 1 }");
    assert_str(strip("{/* x\ny */}"), "{    \n    }");
    assert_str(strip("{/**/}"), "{    }");
    assert_str(strip("// the last line"), "                ");
    assert_str(strip("{} /* a // b */ // /* c"), "{}                     ");
}

static void strings_are_no_comments(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\": \"http://x/*y*/\"}", "{\"a\\\"//\": \"\\\\\"}", "[\"\\\\\", \"//\"]", "/", "a/b",
        "\"no end // here",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_str(strip(texts[i]), texts[i]);
}

/* The library counts characters. */
static void characters_of_comments_are_one_space_each(void **state)
{
    (void)state;
    assert_str(strip("/* \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 */x"), "         x");
    assert_str(strip("/* \xef\xbf\xbd */x"), "       x");
}

static void a_byte_order_mark_is_left_out(void **state)
{
    (void)state;
    assert_str(strip("\xef\xbb\xbf{}"), "{}");
}

static void what_does_not_end_or_is_no_utf8_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *overrides;
    } all[] = {
        {"{\n  /* x", "2:3: this comment has no end"},
        {"/*/", "1:1: this comment has no end"},
        {"\"\xc3\xa9\" /* \n", "1:5: this comment has no end"},
        {"// a\xff", "1:5: invalid UTF-8 in a comment"},
        {"{}\n/* \xc3", "2:4: invalid UTF-8 in a comment"},
        {"\xff\xfe{", "1:1: this is UTF-16; save the file as UTF-8"},
        {"\xfe\xff", "1:1: this is UTF-16; save the file as UTF-8"},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct err err = {0};
        struct str out;
        assert_failed(settings_text_strip(&out, str_of(all[i].text), &arena, &err), err, ERR_USAGE);
        assert_string_equal(err.text, all[i].overrides);
    }
}

static void a_nul_is_refused_wherever_it_is(void **state)
{
    (void)state;
    static const struct str texts[] = {
        {"{\0}", 3}, {"// \0\n{}", 7}, {"{}\0", 3}, {"{} /*\0*/", 8}};
    static const char *const overrides[] = {"1:2: ", "1:4: ", "1:3: ", "1:6: "};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct err err = {0};
        struct str out;
        assert_failed(settings_text_strip(&out, texts[i], &arena, &err), err, ERR_USAGE);
        assert_int_equal(strncmp(err.text, overrides[i], strlen(overrides[i])), 0);
    }
}

static void names_of_members_are_found_with_their_lines(void **state)
{
    (void)state;
    struct settings_keys keys = {
        STR("{\n\"a\": \"x:y\",\n\n\"b\": [\"c\", {\"d\"\n: 1}], \"\\\"\": {\n\"e\" : 2}}"), 0, 1};
    static const uint32_t lines[] = {2, 4, 4, 5, 6, 0, 0};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(settings_next_key(&keys), lines[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(comments_become_spaces),
    TEST(strings_are_no_comments),
    TEST(characters_of_comments_are_one_space_each),
    TEST(a_byte_order_mark_is_left_out),
    TEST(what_does_not_end_or_is_no_utf8_is_refused_with_its_place),
    TEST(a_nul_is_refused_wherever_it_is),
    TEST(names_of_members_are_found_with_their_lines),
};
UNIT_TESTS(tests);

/* test_screen.c - text in columns of a terminal: what is cut, and how wide it then is. */
#include <stdio.h>

#include "base/utf16.h"
#include "reporters/legible.h"
#include "reporters/screen.h"
#include "tests/support/check.h"

enum {
    ROOMS = 24
};

#define JAPAN "\xE6\x97\xA5\xE6\x9C\xAC" /* two characters, four columns */
#define DOTS  "\xE2\x80\xA6"

typedef size_t put_function(const struct screen *, struct str, size_t);

/* What is written, and how many columns are said to be. */
static size_t written(char *out, size_t out_room, put_function *put, bool ascii, struct str s,
                      size_t room)
{
    FILE *file = fmemopen(out, out_room, "w");
    assert_non_null(file);
    const struct screen screen = {.file = file, .ascii = ascii};
    size_t width = put(&screen, s, room);
    assert_int_equal(fclose(file), 0);
    return width;
}

static void cut_text_keeps_what_matters(void **state)
{
    static const struct {
        put_function *put;
        const char *text;
        size_t room;
        bool ascii;
        const char *expected;
    } cases[] = {
        {screen_put_text, "never happened", 14, false, "never happened"},
        {screen_put_text, "never happened", 8, false, "never h" DOTS},
        {screen_put_text, "never happened", 8, true, "never..."},
        {screen_put_text, "never happened", 1, false, DOTS},
        {screen_put_text, "never happened", 2, true, "n."},
        {screen_put_text, "never happened", 0, false, ""},
        {screen_put_text, JAPAN JAPAN, 6, false, JAPAN DOTS},
        {screen_put_text, JAPAN JAPAN, 4, false, "\xE6\x97\xA5" DOTS},
        {screen_put_text, "e\xCC\x81t\xC3\xA9", 3, false, "e\xCC\x81t\xC3\xA9"},
        {screen_put_text, "e\xCC\x81t\xC3\xA9s", 3, false, "e\xCC\x81t" DOTS},
        {screen_put_name, "Company.Product.Core", 10, false, DOTS "duct.Core"},
        {screen_put_name, "Company.Product.Core", 10, true, "...ct.Core"},
        {screen_put_name, "ae\xCC\x81t", 1, false, DOTS},
        {screen_put_name, "e\xCC\x81t", 2, false, "e\xCC\x81t"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 24, false, "src/Shop/Orders/Order.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 23, false, DOTS "/Shop/Orders/Order.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 21, false, DOTS "/Orders/Order.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 10, false, DOTS "/Order.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 9, false, DOTS "Order.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 6, false, DOTS "er.cs"},
        {screen_put_path, "src/Shop/Orders/Order.cs", 20, true, ".../Orders/Order.cs"},
        {screen_put_path, "src/" JAPAN "/Order.cs", 14, true, ".../Order.cs"},
        {screen_put_path, "src/" JAPAN "/Order.cs", 17, true,
         "src/?"
         "?"
         "?"
         "?"
         "/Order.cs"},
        {screen_put_path, "", 5, false, ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[128] = "";
        struct str text = str_of(cases[i].text);
        size_t width = written(out, sizeof out, cases[i].put, cases[i].ascii, text, cases[i].room);
        assert_string_equal(out, cases[i].expected);
        assert_int_equal(width, legible_width(str_of(out)));
    }
}

/* Whatever the text and the room: it fits, its width is what is said, it is legible UTF-8, and what
 * fits as a whole is not cut. */
static void anything_fits_any_room(void **state)
{
    static const char *const texts[] = {
        "src/Shop/Order.cs",
        JAPAN "/" JAPAN JAPAN "/" JAPAN ".cs",
        "\xEF\xBC\xA1\xEF\xBC\xA2", /* full width letters */
        "e\xCC\x81\xCC\x82/a\xCC\x88o\xCC\x88/u\xCC\x88.cs",
        "\xCC\x81\xCC\x81",
        "\xFF\xFE\x80/\xC3/\xE6\x97",
        "a\033[2Jb\x7F\xC2\x9B/c\n\t\r",
        ("\xE2\x80\xAE"
         "cod\xE2\x81\xA6.cs\xE2\x80\x8F"),
        "\xF0\x9F\x98\x80/\xF0\x9F\x9A\x80.cs",
        "\xED\x95\x9C\xEA\xB8\x80/\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB.cs", /* syllables, jamo */
        "///////",
        "no-folder-in-a-rather-long-name.cs",
    };
    static put_function *const puts[] = {screen_put_text, screen_put_name, screen_put_path};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t p = 0; p < ARRAY_LEN(puts) * 2; p++)
            for (size_t room = 0; room < ROOMS; room++) {
                char out[256] = "";
                struct str text = str_of(texts[i]);
                size_t width = written(out, sizeof out, puts[p / 2], p % 2 == 1, text, room);
                assert_true(width <= room);
                assert_int_equal(width, legible_width(str_of(out)));
                for (size_t pos = 0, len = strlen(out); pos < len;) {
                    uint32_t c = utf8_next(out, len, &pos);
                    assert_true(c == 0xFFFD || legible_char(c));
                    assert_true(p % 2 == 0 || c < 0x80);
                }
                if (legible_width(text) <= room)
                    assert_int_equal(width, legible_width(text));
            }
}

static void characters_take_the_columns_that_a_terminal_gives_them(void **state)
{
    static const struct {
        uint32_t c;
        size_t width;
    } cases[] = {
        {'a', 1},     {0xE9, 1},    {0x301, 0},   {0x5D0, 1},   {0x5BF, 0},   {0xE31, 0},
        {0x1100, 2},  {0x1161, 0},  {0x200D, 0},  {0x200E, 1},  {0x202E, 1},  {0x2028, 1},
        {0x2026, 1},  {0x2500, 1},  {0x2705, 2},  {0x3000, 2},  {0x303F, 1},  {0x3042, 2},
        {0x3099, 0},  {0x4E00, 2},  {0x4DC0, 1},  {0xAC00, 2},  {0xD7A4, 1},  {0xFE0F, 0},
        {0xFF01, 2},  {0xFF61, 1},  {0xFFE5, 2},  {0xFFFD, 1},  {0x1F600, 2}, {0x1F680, 2},
        {0x1F321, 1}, {0x20000, 2}, {0x2A6DF, 2}, {0xE0100, 0}, {0x1B, 1},    {0x7F, 1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(legible_char_width(cases[i].c), cases[i].width);
}

static void width_is_that_of_the_terminal_within_limits(void **state)
{
    static const struct {
        size_t columns, most, width;
    } cases[] = {
        {0, 80, 80},  {200, 80, 80},           {60, 80, 60},         {1, 80, SCREEN_WIDTH_LEAST},
        {80, 80, 80}, {0, SIZE_MAX, SIZE_MAX}, {200, SIZE_MAX, 200},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct screen screen = {.columns = cases[i].columns};
        assert_int_equal(screen_width(&screen, cases[i].most), cases[i].width);
    }
}

static void locale_is_the_first_that_is_set(void **state)
{
    static const struct {
        const char *all, *ctype, *lang;
        bool utf8;
    } cases[] = {
        {"", "", "", false},
        {"", "", "C.UTF-8", true},
        {"", "", "de_DE.utf8@euro", true},
        {"C", "en_US.UTF-8", "en_US.UTF-8", false},
        {"", "C", "en_US.UTF-8", false},
        {"en_US.UTF-8", "C", "C", true},
        {"", "", "en_US.ISO-8859-1", false},
        {"", "", "UTF-8", false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(setenv("LC_ALL", cases[i].all, 1), 0);
        assert_int_equal(setenv("LC_CTYPE", cases[i].ctype, 1), 0);
        assert_int_equal(setenv("LANG", cases[i].lang, 1), 0);
        assert_int_equal(screen_is_utf8(), cases[i].utf8);
    }
    assert_int_equal(unsetenv("LC_ALL"), 0);
    assert_int_equal(unsetenv("LC_CTYPE"), 0);
    assert_int_equal(unsetenv("LANG"), 0);
    assert_false(screen_is_utf8());
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cut_text_keeps_what_matters),
    cmocka_unit_test(anything_fits_any_room),
    cmocka_unit_test(characters_take_the_columns_that_a_terminal_gives_them),
    cmocka_unit_test(width_is_that_of_the_terminal_within_limits),
    cmocka_unit_test(locale_is_the_first_that_is_set),
};
UNIT_TESTS(tests);

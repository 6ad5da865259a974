/* test_utf16.c - both ways for every character, U+FFFD for what is none, and never half a
 * character. */
#include "base/utf16.h"
#include "tests/support/check.h"

static void every_character_goes_there_and_back(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        uint16_t units[3], again[3];
        char utf8[8];
        size_t count = 1;
        units[0] = (uint16_t)c;
        if (c >= 0x10000) {
            units[0] = (uint16_t)(0xD800 + ((c - 0x10000) >> 10));
            units[1] = (uint16_t)(0xDC00 + ((c - 0x10000) & 0x3FF));
            count = 2;
        }
        size_t len = utf16_to_utf8(utf8, sizeof utf8, units, count), pos = 0;
        assert_int_equal(utf8[len], '\0');
        assert_int_equal(utf8_next(utf8, len, &pos), c);
        assert_int_equal(pos, len);
        assert_int_equal(utf8_to_utf16(again, 3, utf8, len), count);
        assert_int_equal(again[0], units[0]);
        assert_int_equal(again[count], 0);
        if (count == 2)
            assert_int_equal(again[1], units[1]);
    }
}

static const struct {
    const char *name;
    uint16_t units[4];
    size_t count;
    const char *utf8;
} from_utf16[] = {
    {"nothing", {0}, 0, ""},
    {"plain", {'a', 'b'}, 2, "ab"},
    {"two bytes", {0xE4}, 1, "\xC3\xA4"},
    {"three bytes", {0x20AC}, 1, "\xE2\x82\xAC"},
    {"surrogate pair", {0xD83D, 0xDE00}, 2, "\xF0\x9F\x98\x80"},
    {"high surrogate at the end", {'a', 0xD800}, 2, "a\xEF\xBF\xBD"},
    {"high surrogate before a letter",
     {0xD800, 'a'},
     2,
     "\xEF\xBF\xBD"
     "a"},
    {"low surrogate alone",
     {0xDC00, 'a'},
     2,
     "\xEF\xBF\xBD"
     "a"},
    {"pair the wrong way", {0xDC00, 0xD800}, 2, "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"two high, one low", {0xD800, 0xD83D, 0xDE00}, 3, "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
};

static void unpaired_surrogates_become_the_replacement(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(from_utf16); i++) {
        char out[32];
        size_t len = utf16_to_utf8(out, sizeof out, from_utf16[i].units, from_utf16[i].count);
        assert_string_equal(out, from_utf16[i].utf8);
        assert_int_equal(len, strlen(from_utf16[i].utf8));
    }
}

static const struct {
    const char *name, *utf8;
    uint16_t units[4];
    size_t count;
} from_utf8[] = {
    {"continuation alone",
     "\x80"
     "a",
     {0xFFFD, 'a'},
     2},
    {"overlong slash", "\xC0\xAF", {0xFFFD, 0xFFFD}, 2},
    {"overlong in three bytes", "\xE0\x80\x80", {0xFFFD}, 1},
    {"surrogate in UTF-8", "\xED\xA0\x80", {0xFFFD}, 1},
    {"beyond the last plane", "\xF4\x90\x80\x80", {0xFFFD}, 1},
    {"no lead byte",
     "\xFF"
     "a",
     {0xFFFD, 'a'},
     2},
    {"cut by a letter",
     "\xE2\x82"
     "a",
     {0xFFFD, 'a'},
     2},
    {"cut by the end", "a\xF0\x9F\x98", {'a', 0xFFFD}, 2},
};

static void malformed_utf8_becomes_the_replacement(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(from_utf8); i++) {
        uint16_t out[8];
        struct view text = exact_copy(
            (struct view){(const uint8_t *)from_utf8[i].utf8, strlen(from_utf8[i].utf8)});
        assert_int_equal(utf8_to_utf16(out, ARRAY_LEN(out), (const char *)text.data, text.len),
                         from_utf8[i].count);
        assert_memory_equal(out, from_utf8[i].units, from_utf8[i].count * sizeof *out);
        exact_free(text);
    }
}

static void short_room_cuts_between_characters(void **state)
{
    (void)state;
    static const uint16_t units[] = {'a', 0x20AC, 0xD83D, 0xDE00, 'b'};
    static const char whole[] = "a\xE2\x82\xAC\xF0\x9F\x98\x80"
                                "b";
    for (size_t room = 1; room <= sizeof whole; room++) {
        struct view out = exact_copy((struct view){(const uint8_t *)whole, room});
        char *text = (char *)(uintptr_t)out.data;
        assert_int_equal(utf16_to_utf8(text, room, units, ARRAY_LEN(units)), sizeof whole - 1);
        size_t kept = strlen(text);
        assert_memory_equal(text, whole, kept);
        assert_true(kept == 0 || kept == 1 || kept == 4 || kept == 8 || kept == 9);
        assert_true(room < sizeof whole || kept == 9);
        exact_free(out);
    }
    for (size_t room = 1; room <= 6; room++) {
        uint16_t out[6] = {0xAAAA, 0xAAAA, 0xAAAA, 0xAAAA, 0xAAAA, 0xAAAA};
        assert_int_equal(utf8_to_utf16(out, room, whole, sizeof whole - 1), 5);
        size_t kept = 0;
        while (out[kept] != 0)
            kept++;
        assert_true(kept < room && kept != 3); /* 3 would be half a pair */
        assert_memory_equal(out, units, kept * sizeof *out);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_character_goes_there_and_back),
    cmocka_unit_test(unpaired_surrogates_become_the_replacement),
    cmocka_unit_test(malformed_utf8_becomes_the_replacement),
    cmocka_unit_test(short_room_cuts_between_characters),
};
UNIT_TESTS(tests);

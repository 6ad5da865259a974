/* test_ascii.c - digits and letters are those of ASCII alone; words have those of others,
 * too. */
#include "base/ascii.h"

#include "tests/support/check.h"

/* Each of the 256 is what the C locale says of it, which says nothing of those beyond ASCII; all of
 * those are of words. */
static void characters_are_what_a_list_of_them_says(void **state)
{
    static const char digits[] = "0123456789", small[] = "abcdefghijklmnopqrstuvwxyz",
                      large[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    (void)state;
    for (int i = 0; i < 256; i++) {
        char c = (char)i;
        const char *at = i != 0 ? strchr(large, c) : NULL;
        bool is_small = i != 0 && strchr(small, c) != NULL;
        assert_int_equal(ascii_is_digit(c), i != 0 && strchr(digits, c) != NULL);
        assert_int_equal(ascii_is_letter(c), is_small || at != NULL);
        assert_int_equal(ascii_is_space(c), i != 0 && strchr(" \t\n\v\f\r", c) != NULL);
        assert_int_equal(ascii_is_word(c), is_small || at != NULL || c == '_' || i >= 0x80 ||
                                               (i != 0 && strchr(digits, c) != NULL));
        assert_int_equal(ascii_lower(c), at != NULL ? small[at - large] : c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(characters_are_what_a_list_of_them_says),
};
UNIT_TESTS(tests);

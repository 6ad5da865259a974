/* test_hex.c - bytes become two digits each, and digits their values. */
#include "base/hex.h"

#include "tests/support/check.h"

static void digits_are_two_a_byte(void **state)
{
    char text[HEX_ROOM(4)];
    (void)state;
    assert_string_equal(hex_of(text, BYTES(0x00, 0x0F, 0xA0, 0xFF), 4), "000fa0ff");
    assert_string_equal(hex_of(text, NULL, 0), "");
}

static void value_of_a_digit_is_that_in_either_case(void **state)
{
    static const char small[] = "0123456789abcdef", large[] = "0123456789ABCDEF";
    (void)state;
    for (int i = 0; i < 16; i++) {
        assert_int_equal(hex_value(small[i]), i);
        assert_int_equal(hex_value(large[i]), i);
    }
}

static void what_is_not_a_digit_has_no_value(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++)
        if (i == 0 || strchr("0123456789abcdefABCDEF", i) == NULL)
            assert_int_equal(hex_value((char)i), -1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(digits_are_two_a_byte),
    cmocka_unit_test(value_of_a_digit_is_that_in_either_case),
    cmocka_unit_test(what_is_not_a_digit_has_no_value),
};
UNIT_TESTS(tests);

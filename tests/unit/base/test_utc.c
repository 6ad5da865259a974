#include "base/text.h"

#include <stdlib.h>
#include <time.h>

#include "tests/support/check.h"

static void time_is_that_of_greenwich(void **state)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {951782400, "2000-02-29T00:00:00Z"},
        {1700000000, "2023-11-14T22:13:20Z"},
        {INT64_MAX, ""},
    };
    char text[UTC_ROOM];
    (void)state;
    assert_int_equal(setenv("TZ", "Asia/Tokyo", 1), 0);
    tzset();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(utc_text(text, cases[i].seconds), cases[i].text);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(time_is_that_of_greenwich)};
UNIT_TESTS(tests);

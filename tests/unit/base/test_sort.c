#include "base/number.h"
#include "base/sort.h"
#include "tests/support/check.h"

static int order_bytes(const void *left, const void *right)
{
    return number_order(*(const uint8_t *)left, *(const uint8_t *)right);
}

static void lists_are_in_order_afterwards(void **state)
{
    char reversed[] = "edcba", last[] = "abdc", sorted[] = "aabc";
    (void)state;
    sort_unless_sorted(reversed, 5, 1, order_bytes);
    sort_unless_sorted(last, 4, 1, order_bytes);
    sort_unless_sorted(sorted, 4, 1, order_bytes);
    sort_unless_sorted(NULL, 0, 1, order_bytes);
    assert_string_equal(reversed, "abcde");
    assert_string_equal(last, "abcd");
    assert_string_equal(sorted, "aabc");
}

static void place_of_a_key_is_before_its_equals(void **state)
{
    static const char *const lists[] = {"", "b", "bd", "bbddd", "bdfhj"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (char key = 'a'; key <= 'k'; key++) {
            size_t count = strlen(lists[i]), smaller = 0;
            while (smaller < count && lists[i][smaller] < key)
                smaller++;
            assert_int_equal(sorted_place(&key, lists[i], count, 1, order_bytes), smaller);
        }
    assert_int_equal(sorted_place("a", NULL, 0, 1, order_bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_in_order_afterwards),
        cmocka_unit_test(place_of_a_key_is_before_its_equals),
    };
    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}

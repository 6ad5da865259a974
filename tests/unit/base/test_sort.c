/* test_sort.c - lists are put in order, by one field or several, and keys are found in them. */
#include "base/sort.h"
#include "tests/support/check.h"

ORDER(order_bytes, uint8_t, BY_ORDER(number_order(*a, *b)))

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

static void only_what_equals_the_key_is_found(void **state)
{
    (void)state;
    for (char key = 'a'; key <= 'f'; key++) {
        const char *list = "bbdd", *found = sorted_find(&key, list, 4, 1, order_bytes);
        assert_ptr_equal(found, key == 'b' ? list : key == 'd' ? list + 2 : NULL);
    }
    assert_null(sorted_find("a", NULL, 0, 1, order_bytes));
}

static bool is_before(const void *context, size_t place)
{
    return place * place < *(const size_t *)context;
}

static void first_place_of_any_condition(void **state)
{
    (void)state;
    for (size_t square = 0, root = 0; square <= 120; square++) {
        while (root * root < square)
            root++;
        assert_int_equal(sorted_first(10, is_before, &square), root < 10 ? root : 10);
    }
}

static void equal_items_are_left_once(void **state)
{
    static const struct {
        const char *list, *expected;
    } cases[] = {{"", ""}, {"a", "a"}, {"aa", "a"}, {"cabbac", "abc"}, {"abc", "abc"}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char list[8] = "";
        memcpy(list, cases[i].list, strlen(cases[i].list));
        size_t left = sort_distinct(list, strlen(list), 1, order_bytes);
        assert_int_equal(left, strlen(cases[i].expected));
        assert_memory_equal(list, cases[i].expected, left);
    }
    assert_int_equal(sort_distinct(NULL, 0, 1, order_bytes), 0);
}

struct item {
    struct str name;
    int64_t time;
    uint64_t size;
    uint8_t id[2];
};

ORDER(order_items, struct item, BY(name) BY(time) BY(size) BY_BYTES(id))

/* A larger field before counts more than all after it. */
static void fields_count_in_their_order(void **state)
{
    static const struct item items[] = {
        {{"a", 1}, -1, 9, {9, 9}},      {{"a", 1}, 0, 1, {1, 9}}, {{"a", 1}, 0, 1, {2, 0}},
        {{"a", 1}, 0, UINT64_MAX, {0}}, {{"a", 1}, 1, 0, {0}},    {{"ab", 2}, -9, 0, {0}},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        for (size_t k = 0; k < ARRAY_LEN(items); k++) {
            int order = order_items(&items[i], &items[k]);
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lists_are_in_order_afterwards),
    cmocka_unit_test(place_of_a_key_is_before_its_equals),
    cmocka_unit_test(only_what_equals_the_key_is_found),
    cmocka_unit_test(first_place_of_any_condition),
    cmocka_unit_test(equal_items_are_left_once),
    cmocka_unit_test(fields_count_in_their_order),
};
UNIT_TESTS(tests);

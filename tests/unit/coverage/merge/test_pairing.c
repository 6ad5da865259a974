/* Which method of BASE each of HEAD was. */
#include "coverage/merge/pairing.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_hands.h"

/* Twelve letters: enough to be known again by the code alone. */
#define LONG_CODE "abcd efgh Ijkl"

static struct pairing pairing;

static void pair_up(void)
{
    struct err err = {0};
    hand_lay_out(&head);
    hand_lay_out(&base);
    assert_true(facts_check(&head.facts, &err) && facts_check(&base.facts, &err));
    if (!pairing_make(&pairing, &head.facts, &base.facts, &arena, &err))
        fail_msg("%s", err.text);
}

static const struct code_method *method_of(const struct code *code, const char *name, uint32_t *at)
{
    for (*at = 0; *at < code->count; ++*at)
        if (str_is(code->methods[*at].name, name))
            return &code->methods[*at];
    fail_msg("no %s", name);
    return NULL;
}

/* "Lib N.C.M(): same, renamed", or "added": of the method of the n-th module of HEAD. */
static const char *was_in(uint32_t module, const char *name)
{
    uint32_t at = 0;
    struct str drawn;
    (void)method_of(&pairing.head[module], name, &at);
    struct pair pair = pairing.pairs[module][at];
    if (pair.module == NO_INDEX)
        return "added";
    const struct code_method *method = &pairing.base[pair.module].methods[pair.method];
    assert_true(pairing.taken[pair.module][pair.method]);
    assert_true(text_format(&drawn, &arena, NULL, "%.*s %.*s.%.*s%.*s%s%s",
                            STR_ARGS(pairing.base[pair.module].module->name),
                            STR_ARGS(method->type), STR_ARGS(method->name),
                            STR_ARGS(method->signature), pair.same ? ", same" : "",
                            pair.renamed ? ", renamed" : ""));
    return drawn.text;
}

static const char *was(const char *name)
{
    return was_in(0, name);
}

static void the_same_name_is_the_same_method_whatever_its_code(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "M", "()", "ab");
    (void)hand_method(&base, "N.C", "L", "()", "cd");
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "L", "()", "cx");
    (void)hand_method(&head, "N.C", "M", "()", "ab");
    (void)hand_method(&head, "N.C", "New", "()", "ab");
    pair_up();
    assert_string_equal(was("M"), "Lib N.C.M(), same");
    assert_string_equal(was("L"), "Lib N.C.L()");
    assert_string_equal(was("New"), "added");
}

static void moved_and_renamed_methods_are_known_by_their_code(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "Old", "()", LONG_CODE);
    (void)hand_method(&base, "N.C", "Moved", "()", "xy");
    hand_module(&base, "Other", 2);
    (void)hand_method(&base, "N.C", "Far", "()", LONG_CODE "z");
    hand_module(&head, "Lib", 3);
    (void)hand_method(&head, "N.C", "New", "()", LONG_CODE);
    (void)hand_method(&head, "N.D", "Moved", "()", "xy");
    (void)hand_method(&head, "N.D", "Near", "()", LONG_CODE "z");
    pair_up();
    assert_string_equal(was("New"), "Lib N.C.Old(), same, renamed");
    assert_string_equal(was("Moved"), "Lib N.C.Moved(), same, renamed");
    assert_string_equal(was("Near"), "Other N.C.Far(), same, renamed");
}

static void short_code_under_another_name_is_not_matched(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "get_A", "()", "ab");
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "get_B", "()", "ab");
    pair_up();
    assert_string_equal(was("get_B"), "added");
    assert_false(pairing.taken[0][0]);
}

static void changed_signature_is_known_by_type_and_name(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "M", "(System.Int32)", "abc");
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "M", "(System.Int64)", "abd");
    pair_up();
    assert_string_equal(was("M"), "Lib N.C.M(System.Int32), renamed");
}

/* The methods that moved unchanged say where the edited one went. */
static void edited_method_follows_the_others_of_a_split_class(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "Stays", "()", LONG_CODE "s");
    (void)hand_method(&base, "N.C", "Moves", "()", LONG_CODE "m");
    (void)hand_method(&base, "N.C", "Edited", "()", LONG_CODE "e");
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "Stays", "()", LONG_CODE "s");
    (void)hand_method(&head, "N.Part", "Moves", "()", LONG_CODE "m");
    (void)hand_method(&head, "N.Part", "Edited", "()", LONG_CODE "f");
    pair_up();
    assert_string_equal(was("Stays"), "Lib N.C.Stays(), same");
    assert_string_equal(was("Moves"), "Lib N.C.Moves(), same, renamed");
    assert_string_equal(was("Edited"), "Lib N.C.Edited(), renamed");
}

static void edited_method_is_found_in_each_type_whose_methods_moved_there(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.A", "First", "()", LONG_CODE "a");
    (void)hand_method(&base, "N.A", "Both", "()", LONG_CODE "b");
    (void)hand_method(&base, "N.B", "Second", "()", LONG_CODE "c");
    (void)hand_method(&base, "N.B", "Edited", "(System.Int32)", LONG_CODE "d");
    (void)hand_method(&base, "N.B", "Edited", "()", LONG_CODE "e");
    (void)hand_method(&base, "N.B", "Both", "()", LONG_CODE "f");
    (void)hand_method(&base, "N.Other", "Alone", "()", LONG_CODE "g");
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.Joined", "First", "()", LONG_CODE "a");
    (void)hand_method(&head, "N.Joined", "Second", "()", LONG_CODE "c");
    (void)hand_method(&head, "N.Joined", "Edited", "()", LONG_CODE "x");
    (void)hand_method(&head, "N.Joined", "Both", "()", LONG_CODE "y");
    (void)hand_method(&head, "N.Joined", "Alone", "()", LONG_CODE "z");
    pair_up();
    assert_string_equal(was("Edited"), "Lib N.B.Edited(), renamed");
    assert_string_equal(was("Both"), "Lib N.A.Both(), renamed");
    assert_string_equal(was("Alone"), "added");
}

static void of_equal_code_the_same_name_comes_first_and_then_the_order_of_names(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "A", "()", LONG_CODE);
    (void)hand_method(&base, "N.C", "B", "()", LONG_CODE);
    (void)hand_method(&base, "N.C", "C", "()", LONG_CODE);
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.D", "B", "()", LONG_CODE);
    (void)hand_method(&head, "N.D", "X", "()", LONG_CODE);
    (void)hand_method(&head, "N.D", "Y", "()", LONG_CODE);
    (void)hand_method(&head, "N.D", "Z", "()", LONG_CODE);
    pair_up();
    assert_string_equal(was("B"), "Lib N.C.B(), same, renamed");
    assert_string_equal(was("X"), "Lib N.C.A(), same, renamed");
    assert_string_equal(was("Y"), "Lib N.C.C(), same, renamed");
    assert_string_equal(was("Z"), "added");
}

static void each_build_is_compared_with_the_one_it_has_most_in_common_with(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < 2; i++) {
        hand_module(&base, "Lib", i);
        (void)hand_method(&base, "N.C", "M", "()", i == 0 ? "ab" : "cd");
        (void)hand_method(&base, "N.C", "L", "()", "ef");
    }
    for (uint8_t i = 0; i < 2; i++) {
        hand_module(&head, "Lib", (uint8_t)(8 + i));
        (void)hand_method(&head, "N.C", "M", "()", i == 0 ? "cd" : "ab");
        (void)hand_method(&head, "N.C", "L", "()", "ef");
    }
    pair_up();
    assert_int_equal(pairing.base_of[0], 1);
    assert_int_equal(pairing.base_of[1], 0);
    assert_string_equal(was_in(0, "M"), "Lib N.C.M(), same");
    assert_string_equal(was_in(1, "L"), "Lib N.C.L(), same");
}

static void no_method_of_base_is_two_of_a_build_of_head(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    (void)hand_method(&base, "N.C", "M", "()", LONG_CODE);
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "A", "()", LONG_CODE);
    (void)hand_method(&head, "N.C", "B", "()", LONG_CODE);
    pair_up();
    assert_string_equal(was("A"), "Lib N.C.M(), same, renamed");
    assert_string_equal(was("B"), "added");
}

static void skipped_modules_have_no_methods_to_find(void **state)
{
    (void)state;
    hand_module(&base, "Lib", 1);
    base.facts.modules[0].state = MODULE_SKIPPED;
    hand_module(&head, "Lib", 2);
    (void)hand_method(&head, "N.C", "A", "()", LONG_CODE);
    pair_up();
    assert_int_equal(pairing.base_of[0], NO_INDEX);
    assert_string_equal(was("A"), "added");
}

static void give_checksum(struct hand *hand, const char *checksum)
{
    hand->facts.modules[0].documents[0].hash =
        (struct view){(const uint8_t *)checksum, strlen(checksum)};
}

static void same_checksums_are_the_same_source_whatever_the_code(void **state)
{
    const struct {
        const char *base, *head;
        bool same;
    } cases[] = {
        {"abc", "abc", true}, {"abc", "abd", false}, {"abc", "ab", false}, {"", "", false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        hand_open(&head, &arena);
        hand_open(&base, &arena);
        hand_module(&base, "Lib", 1);
        (void)hand_method(&base, "N.C", "M", "()", "ab cd");
        hand_module(&head, "Lib", 2);
        (void)hand_method(&head, "N.C", "M", "()", "ax cd");
        give_checksum(&base, cases[i].base);
        give_checksum(&head, cases[i].head);
        pair_up();
        assert_false(pairing.pairs[0][0].same);
        assert_int_equal(pairing.pairs[0][0].same_source, cases[i].same);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_hands, close_hands)

static const struct CMUnitTest tests[] = {
    TEST(the_same_name_is_the_same_method_whatever_its_code),
    TEST(moved_and_renamed_methods_are_known_by_their_code),
    TEST(short_code_under_another_name_is_not_matched),
    TEST(changed_signature_is_known_by_type_and_name),
    TEST(edited_method_follows_the_others_of_a_split_class),
    TEST(edited_method_is_found_in_each_type_whose_methods_moved_there),
    TEST(of_equal_code_the_same_name_comes_first_and_then_the_order_of_names),
    TEST(each_build_is_compared_with_the_one_it_has_most_in_common_with),
    TEST(no_method_of_base_is_two_of_a_build_of_head),
    TEST(same_checksums_are_the_same_source_whatever_the_code),
    TEST(skipped_modules_have_no_methods_to_find),
};
UNIT_TESTS(tests);

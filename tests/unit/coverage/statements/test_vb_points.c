/* test_vb_points.c - which points of Visual Basic only end a block, as the text says; and the one
 * around a whole constructor. */
#include "coverage/statements/vb_points.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

static const struct {
    const char *text;
    bool ends;
} words[] = {
    {"End If", true},
    {"end using", true},
    {"End Sub", true},
    {"Next", true},
    {"Next j, i", true},
    {"Loop", true},
    {"End", false}, /* of the program */
    {"Loop While n > 0", false},
    {"EndOf(1)", false},
    {"NextNumber()", false},
    {"Return", false},
};

static void words_that_end_a_block_are_told_from_statements(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        struct arena arena;
        struct line_index index;
        struct err err;
        struct seq_point point = {.document = 1,
                                  .start_line = 1,
                                  .end_line = 1,
                                  .start_column = 1,
                                  .end_column = (uint16_t)(strlen(words[i].text) + 1)};
        const struct seq_points points = {.points = &point, .count = 1};
        struct statements_source source = {.points = &points, .text = &index};
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(line_index_make(&index, str_of(words[i].text), &arena, &err));
        if (vb_points_ends_block(&source, 0) != words[i].ends)
            fail_msg("%s", words[i].text);
        assert_int_equal(vb_points_begins_with(&index, &points, 0, "next"),
                         strncmp(words[i].text, "Next", 4) == 0 && strlen(words[i].text) < 10);
        source.text = NULL;
        assert_false(vb_points_ends_block(&source, 0));
        arena_free(&arena);
    }
}

static void only_what_sets_a_structure_to_zero_is_hidden(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "this:void()",
                   ".point 1; nop; .point 1; ldarg.0; initobj; .point 2; ldarg.0; pop;"
                   ".point 3; ret");
    struct seq_points points = il_points(&m.builder);
    points.points[1].end_line = 3;
    vb_points_hide_whole(&points, &m.flow.il);
    assert_false(points.points[0].hidden);
    assert_true(points.points[1].hidden);
    assert_false(points.points[2].hidden);
    points.points[1].hidden = false;
    points.points[1].end_line = 1;
    vb_points_hide_whole(&points, &m.flow.il);
    assert_false(points.points[1].hidden);
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_that_end_a_block_are_told_from_statements),
    cmocka_unit_test(only_what_sets_a_structure_to_zero_is_hidden),
};
UNIT_TESTS(tests);

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coverage/facts/line_rank.h"
#include "tests/support/test_arena.h"
#include "tests/unit/unit.h"

/* return x switch           // line 1
 *        {
 *            1 => F(        // line 3
 *                a && b),
 *            _ => c,        // line 5: in one statement with line 1, to be the last before it
 *        }
 *        && d;              // line 7 */
static struct fact_statement statements[] = {
    {.method = 0, .il_offset = 0, .start_line = 1, .end_line = 8, .start_column = 5},
    {.method = 0, .il_offset = 10, .start_line = 3, .end_line = 5, .start_column = 9},
    {.method = 0, .il_offset = 20, .start_line = 1, .end_line = 2, .start_column = 20},
    {.method = 1, .il_offset = 0, .start_line = 1, .end_line = 8, .start_column = 5},
};

static struct fact_decision decisions[] = {
    {.method = 0, .il_offset = 12, .line = 3, .span.start_line = 4},
    {.method = 0, .il_offset = 25, .line = 1, .span.start_line = 1},
    {.method = 0, .il_offset = 30, .line = 1, .span.start_line = 7},
    {.method = 1, .il_offset = 5, .line = 2, .span.start_line = 3},
};

static const struct fact_module module = {
    .statements = statements, .statement_count = 4, .decisions = decisions, .decision_count = 4};

static void line_is_that_of_statements_that_start_end_or_ask_there(void **state)
{
    /* per statement: the lines of rank 0 */
    static const char *const edges[] = {"1.....78", "..345", "12", "1......8"};
    struct condition_lines conditions;
    (void)state;
    assert_true(condition_lines_find(&conditions, &module, &arena, NULL));
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t line = statements[i].start_line; line <= statements[i].end_line; line++)
            assert_int_equal(line_rank(&conditions, &statements[i], line) == 0,
                             edges[i][line - 1] != '.');
}

static void line_in_between_is_that_of_the_innermost(void **state)
{
    static const struct condition_lines none;
    (void)state;
    assert_true(line_rank(&none, &statements[1], 4) < line_rank(&none, &statements[0], 4));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(line_is_that_of_statements_that_start_end_or_ask_there),
    cmocka_unit_test(line_in_between_is_that_of_the_innermost),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

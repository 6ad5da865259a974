/* test_progress_line.c - what a terminal gets while work goes on. */
#include <stdio.h>

#include "cli/options/progress_line.h"
#include "tests/support/check.h"

static int64_t clock_now;

static int64_t now(void)
{
    return clock_now;
}

struct terminal {
    FILE *file;
    char *text;
    size_t len;
    struct progress_line line;
};

static void open_terminal(struct terminal *out, size_t columns)
{
    out->text = NULL;
    out->file = open_memstream(&out->text, &out->len);
    assert_non_null(out->file);
    clock_now = 5000;
    progress_line_open_on(&out->line, out->file, columns, now);
}

static void close_terminal(struct terminal *terminal, const char *expected)
{
    assert_int_equal(fclose(terminal->file), 0);
    assert_string_equal(terminal->text, expected);
    free(terminal->text);
}

static void step(struct terminal *terminal, int64_t after_ms, uint64_t done, uint64_t total)
{
    clock_now += after_ms;
    progress_at(&terminal->line.progress, "reading", done, total);
}

static void short_work_shows_nothing(void **state)
{
    struct terminal terminal;
    (void)state;
    open_terminal(&terminal, 80);
    for (uint64_t i = 0; i < 100; i++)
        step(&terminal, 9, i, 100);
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "");
}

static void what_is_no_terminal_gets_nothing(void **state)
{
    struct terminal terminal;
    (void)state;
    open_terminal(&terminal, 0);
    for (uint64_t i = 0; i < 100; i++)
        step(&terminal, 1000, i, 100);
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "");
}

static void long_work_rewrites_a_line_and_erases_it(void **state)
{
    struct terminal terminal;
    (void)state;
    open_terminal(&terminal, 80);
    step(&terminal, 999, 1, 1200);
    step(&terminal, 1, 1000, 1200);
    step(&terminal, 249, 1001, 1200); /* too soon */
    step(&terminal, 1, 3, 9);         /* shorter: the rest is blanked */
    step(&terminal, 250, 0, 0);
    progress_line_erase(&terminal.line);
    progress_line_erase(&terminal.line); /* once is enough */
    step(&terminal, 250, 4, 9);          /* it comes back */
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "ilcov: reading: 1,000 of 1,200\r"
                              "ilcov: reading: 3 of 9        \r"
                              "ilcov: reading        \r"
                              "              \r"
                              "ilcov: reading: 4 of 9\r"
                              "                      \r");
}

static void narrow_terminal_is_not_wrapped(void **state)
{
    struct terminal terminal;
    (void)state;
    open_terminal(&terminal, 10);
    step(&terminal, 2000, 1, 2);
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "ilcov: re\r         \r");
    open_terminal(&terminal, 1);
    step(&terminal, 2000, 1, 2);
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "\r");
}

static void work_needs_nobody_who_watches(void **state)
{
    (void)state;
    progress_at(NULL, "reading", 1, 2);
    progress_step(NULL, "reading", 1024, 2048);
    assert_null(progress_line_hook(NULL));
    progress_line_erase(NULL);
}

/* A million of them must not ask the clock a million times. */
static void small_steps_are_told_of_now_and_then(void **state)
{
    struct terminal terminal;
    (void)state;
    open_terminal(&terminal, 80);
    for (uint64_t i = 0; i < 750; i++) {
        clock_now += 1000;
        progress_step(&terminal.line.progress, "reading", i, 750);
    }
    progress_line_erase(&terminal.line);
    close_terminal(&terminal, "ilcov: reading: 0 of 750\r"
                              "ilcov: reading: 256 of 750\r"
                              "ilcov: reading: 512 of 750\r"
                              "                          \r");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(short_work_shows_nothing),
    cmocka_unit_test(what_is_no_terminal_gets_nothing),
    cmocka_unit_test(long_work_rewrites_a_line_and_erases_it),
    cmocka_unit_test(narrow_terminal_is_not_wrapped),
    cmocka_unit_test(work_needs_nobody_who_watches),
    cmocka_unit_test(small_steps_are_told_of_now_and_then),
};
UNIT_TESTS(tests);

#include "reporters/report/lcov_tests.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"

/* --- names ------------------------------------------------------------------------------------ */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A static constructor has the name of its type, and so may a class of tests. */
static bool name_test(struct str *out, const struct fact_test *test, struct arena *arena,
                      struct err *err)
{
    const char *end = test->kind == TEST_STATIC ? "__cctor" : "";
    if (test->kind == TEST_OUTSIDE) {
        *out = STR("");
        return true;
    }
    char *text = arena_copy_text(arena, test->name.text, test->name.len, err);
    for (size_t i = 0; text != NULL && i < test->name.len; i++)
        if (!is_plain(text[i]))
            text[i] = '_';
    return text != NULL && text_format(out, arena, err, "%.*s%s", (int)test->name.len, text, end);
}

static int order_named(const void *left, const void *right)
{
    const struct str *const *a = left, *const *b = right;
    int order = str_cmp(**a, **b);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

/* Of those that are alike, all but the first get their numbers. */
static bool separate(struct str *names, uint32_t count, struct arena *arena, struct err *err)
{
    struct str **sorted = ARENA_NEW(arena, struct str *, count, err), *first = NULL;
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &names[i];
    if (count != 0)
        qsort(sorted, count, sizeof(struct str *), order_named);
    for (uint32_t i = 0; i < count; i++) {
        struct str name = *sorted[i];
        if (first == NULL || !str_eq(*first, name))
            first = sorted[i];
        else if (name.len != 0 && !text_format(sorted[i], arena, err, "%.*s_%u", STR_ARGS(name),
                                               (unsigned)(sorted[i] - names)))
            return false;
    }
    return true;
}

bool lcov_test_names(struct str **out, const struct test_sets *tests, struct arena *arena,
                     struct err *err)
{
    *out = ARENA_NEW(arena, struct str, tests->test_count, err);
    for (uint32_t i = 0; *out != NULL && i < tests->test_count; i++)
        if (!name_test(&(*out)[i], &tests->tests[i], arena, err))
            return false;
    return *out != NULL && separate(*out, tests->test_count, arena, err);
}

/* --- lines ------------------------------------------------------------------------------------ */

struct set_line {
    uint32_t set, line; /* the index of the line */
};

/* A test is in a set, whose lines begin there. */
struct test_set {
    uint32_t test, first_line;
};

static int order_lines(const void *left, const void *right)
{
    const struct set_line *a = left, *b = right;
    int order = number_order(a->set, b->set);
    return order != 0 ? order : number_order(a->line, b->line);
}

static int order_tests(const void *left, const void *right)
{
    const struct test_set *a = left, *b = right;
    int order = number_order(a->test, b->test);
    return order != 0 ? order : number_order(a->first_line, b->first_line);
}

static int order_number(const void *number, const void *line)
{
    return number_order(*(const uint32_t *)number, ((const struct report_line *)line)->number);
}

static bool add_line(struct lcov_tests *out, const struct report_line *line, uint32_t index,
                     struct arena *arena, struct err *err)
{
    uint32_t first, end;
    if (line->tests == NULL)
        return true;
    struct index_runs runs = index_set_runs(line->tests->sets);
    while (index_set_next(&runs, &first, &end))
        for (uint32_t set = first; set < end; set++) {
            struct set_line *added = list_add(&out->lines, sizeof *added, arena, err);
            if (added == NULL)
                return false;
            *added = (struct set_line){set, index};
        }
    return true;
}

static bool add_tests(struct lcov_tests *out, struct view set, uint32_t first_line,
                      const struct test_sets *tests, struct arena *arena, struct err *err)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t test = first; test < end; test++) {
            if (tests->tests[test].kind == TEST_OUTSIDE)
                continue;
            struct test_set *added = list_add(&out->tests, sizeof *added, arena, err);
            if (added == NULL)
                return false;
            *added = (struct test_set){test, first_line};
        }
    return true;
}

static bool list_tests(struct lcov_tests *out, const struct test_sets *tests, struct arena *arena,
                       struct err *err)
{
    const struct set_line *lines = out->lines.items;
    for (uint32_t i = 0; i < out->lines.count; i++)
        if ((i == 0 || lines[i].set != lines[i - 1].set) &&
            !add_tests(out, tests->sets[lines[i].set], i, tests, arena, err))
            return false;
    if (out->tests.count > 1)
        qsort(out->tests.items, out->tests.count, sizeof(struct test_set), order_tests);
    return true;
}

bool lcov_tests_make(struct lcov_tests *out, const struct test_sets *tests,
                     const struct file_lines *lines, const struct report_file *group,
                     uint32_t group_count, struct arena *arena, struct err *err)
{
    *out = (struct lcov_tests){.line_count = lines->count,
                               .ran = ARENA_NEW(arena, bool, lines->count, err)};
    if (out->ran == NULL)
        return false;
    for (uint32_t i = 0; i < group_count; i++)
        for (uint32_t c = 0; c < group[i].class_count; c++)
            for (uint32_t n = 0; n < group[i].classes[c]->lines.count; n++) {
                const struct report_line *line = &group[i].classes[c]->lines.lines[n];
                const struct report_line *place =
                    bsearch(&line->number, lines->lines, lines->count, sizeof *place, order_number);
                if (place != NULL &&
                    !add_line(out, line, (uint32_t)(place - lines->lines), arena, err))
                    return false;
            }
    if (out->lines.count > 1)
        qsort(out->lines.items, out->lines.count, sizeof(struct set_line), order_lines);
    return list_tests(out, tests, arena, err);
}

bool lcov_tests_next(uint32_t *test, struct lcov_tests *of)
{
    const struct test_set *tests = of->tests.items;
    const struct set_line *lines = of->lines.items;
    if (of->next == of->tests.count) {
        of->next = 0;
        return false;
    }
    *test = tests[of->next].test;
    memset(of->ran, 0, of->line_count);
    for (; of->next < of->tests.count && tests[of->next].test == *test; of->next++)
        for (uint32_t i = tests[of->next].first_line, set = lines[i].set;
             i < of->lines.count && lines[i].set == set; i++)
            of->ran[lines[i].line] = true;
    return true;
}

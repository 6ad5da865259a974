/* test_spans.c - the spans of random points, nested as those of statements are: which points have
 * one, what lies around each, and where each is, as their definitions say. */
#include "coverage/statements/spans.h"

#include "tests/support/check.h"
#include "tests/support/random_facts.h"

enum {
    ROUNDS = 2000,
    POINTS_MAX = 24,
    LINES = 40
};

static uint64_t seed = 11;

/* A span within `lines` [first, end), and further ones within it. */
static void add_points(struct seq_point *points, uint32_t *count, uint32_t first, uint32_t end,
                       uint32_t document)
{
    while (first < end && *count < POINTS_MAX && random_below(&seed, 5) != 0) {
        uint32_t start = first + random_below(&seed, end - first);
        uint32_t last = start + random_below(&seed, end - start);
        struct seq_point point = {.il_offset = *count,
                                  .document = document,
                                  .start_line = start + 1,
                                  .end_line = last + 1,
                                  .start_column = 5,
                                  .end_column = 9};
        points[(*count)++] = point;
        if (random_below(&seed, 3) == 0 && *count < POINTS_MAX) /* a twin */
            points[(*count)++] = point;
        if (random_below(&seed, 4) == 0 && *count < POINTS_MAX)
            points[(*count)++] = (struct seq_point){.il_offset = *count, .hidden = true};
        add_points(points, count, start, last + 1, document);
        first = last + 1;
    }
}

static bool ends_before(const struct seq_point *a, const struct seq_point *b)
{
    return a->end_line < b->start_line ||
           (a->end_line == b->start_line && a->end_column <= b->start_column);
}

/* What the header says, point by point. */
static void check_span(const struct spans *spans, const struct seq_points *points, uint32_t p)
{
    const struct seq_point *point = &points->points[p];
    const struct span *span = &spans->items[spans->of[p]];
    uint32_t twins = 0, others = 0, before = 0, after = 0, place = 0;
    bool is_within = false;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *other = &points->points[i];
        if (other->hidden)
            continue;
        if (seq_point_order(point, other) == 0) {
            assert_int_equal(spans->points[span->first + twins++], i);
            continue;
        }
        others++;
        before += ends_before(point, other);
        after += ends_before(other, point);
        is_within |= seq_point_is_within(point, other);
    }
    assert_int_equal(span->count, twins);
    place = others != 0 && before == others  ? SPAN_BEFORE
            : others != 0 && after == others ? SPAN_AFTER
                                             : SPAN_AMONG;
    assert_int_equal(span->place, place);
    assert_int_equal(span->outermost != spans->of[p], is_within);
    const struct span *around = &spans->items[span->outermost];
    const struct seq_point *outer = &points->points[spans->points[around->first]];
    assert_true(!is_within || seq_point_is_within(point, outer));
    assert_int_equal(around->outermost, span->outermost);
}

static void spans_are_what_their_definitions_say(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct seq_point items[POINTS_MAX + 1];
        struct seq_points points = {items, 0};
        struct spans spans;
        struct arena arena;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        add_points(items, &points.count, 0, LINES, 1);
        add_points(items, &points.count, 0, LINES, 2);
        for (uint32_t i = points.count; i > 1; i--) { /* code may stand in any order */
            uint32_t with = random_below(&seed, i);
            struct seq_point moved = items[i - 1];
            items[i - 1] = items[with];
            items[with] = moved;
        }
        assert_true(spans_find(&spans, &points, &arena, NULL));
        for (uint32_t p = 0; p < points.count; p++) {
            if (items[p].hidden)
                assert_int_equal(spans.of[p], NO_INDEX);
            else
                check_span(&spans, &points, p);
        }
        arena_free(&arena);
    }
}

static void span_that_starts_there_or_behind_it_is_found(void **state)
{
    struct seq_point items[] = {
        {.document = 1, .start_line = 7, .start_column = 1, .end_line = 7, .end_column = 9},
        {.document = 1, .start_line = 3, .start_column = 1, .end_line = 4, .end_column = 9},
        {.document = 1, .start_line = 3, .start_column = 1, .end_line = 9, .end_column = 9},
        {.document = 2, .start_line = 1, .start_column = 1, .end_line = 1, .end_column = 9},
    };
    static const struct {
        uint32_t document, line, column, span;
    } cases[] = {
        {1, 1, 1, 0}, {1, 3, 1, 0}, {1, 3, 2, 2}, {1, 7, 1, 2},
        {1, 7, 2, 3}, {2, 1, 1, 3}, {2, 2, 1, 4},
    };
    const struct seq_points points = {items, ARRAY_LEN(items)};
    struct spans spans;
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(spans_find(&spans, &points, &arena, NULL));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(spans_from(&spans, cases[i].document, cases[i].line, cases[i].column),
                         cases[i].span);
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(spans_are_what_their_definitions_say),
    cmocka_unit_test(span_that_starts_there_or_behind_it_is_found),
};
UNIT_TESTS(tests);

/* test_missed_text.c - which text on a line that ran belongs to statements that did not. */
#include "coverage/report/missed_text.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* "[return 1;]": the ranges of a line. */
static struct str missed_of(struct line_piece *pieces, size_t count, const char *line)
{
    struct report_line out = {.number = 7, .hits = 1};
    struct str taken;
    assert_true(missed_text_make(&out, pieces, count, &arena, NULL));
    struct text text = text_in(&arena);
    for (uint32_t i = 0; i < out.missed_count; i++) {
        size_t end = out.missed[i].end == 0 ? strlen(line) : out.missed[i].end - 1u;
        text_addf(&text, "[%.*s]", (int)(end - (out.missed[i].start - 1u)),
                  line + out.missed[i].start - 1);
    }
    assert_true(text_take(&taken, &text, NULL));
    return taken;
}

/* '+': it ran; '-': it did not; 'x': it is left out. */
static struct line_piece piece(const char *line, const char *text, char state)
{
    const char *at = strstr(line, text);
    assert_non_null(at);
    uint32_t start = (uint32_t)(at - line) + 1;
    return (struct line_piece){.start = start,
                               .end = start + (uint32_t)strlen(text),
                               .ran = state == '+',
                               .is_left_out = state == 'x'};
}

static void statements_of_a_line_that_did_not_run_are_found(void **state)
{
    static const struct {
        const char *line;
        struct {
            const char *text;
            char state;
        } pieces[6];
        const char *missed;
    } cases[] = {
        {"if (a) return 1; F();",
         {{"if (a)", '+'}, {"return 1;", '-'}, {"F();", '+'}},
         "[return 1;]"},
        {"if (a) F(); else G();", {{"if (a)", '+'}, {"F();", '+'}, {"G();", '-'}}, "[G();]"},
        /* a lambda that nobody called; one that was, of a call that was not seen */
        {"a.Do(x => x + 1);", {{"a.Do(x => x + 1);", '+'}, {"x + 1", '-'}}, "[x + 1]"},
        {"a.Do(x => x + 1);", {{"a.Do(x => x + 1);", '-'}, {"x + 1", '+'}}, "[a.Do(x => ][);]"},
        {"a.Do(x => b(y => 1));",
         {{"a.Do(x => b(y => 1));", '+'}, {"b(y => 1)", '-'}, {"1", '+'}},
         "[b(y => ][)]"},
        {"F(() => 1, () => 2);", {{"F(() => 1, () => 2);", '+'}, {"1", '-'}, {"2", '-'}}, "[1][2]"},
        /* neighbours are one, but not across what ran */
        {"if (a) { F(); G(); } H();",
         {{"if (a)", '+'}, {"F();", '-'}, {"G();", '-'}, {"H();", '+'}},
         "[F(); G();]"},
        {"a(() => { F(); G(); });",
         {{"a(() => { F(); G(); });", '+'}, {"F();", '-'}, {"G();", '-'}},
         "[F(); G();]"},
        {"F();G();H();", {{"F();", '-'}, {"G();", '+'}, {"H();", '-'}}, "[F();][H();]"},
        {"for (; i < n; i++) F();", {{"i < n", '+'}, {"i++", '-'}, {"F();", '-'}}, "[i++][F();]"},
        {"int A { get; set; }", {{"get;", '+'}, {"set;", '-'}}, "[set;]"},
        /* the same text twice: of two methods, or two builds */
        {"record R(int A);", {{"R(int A)", '+'}, {"int A", '-'}, {"int A", '+'}}, ""},
        {"record R(int A);", {{"R(int A)", '+'}, {"int A", '-'}, {"int A", '-'}}, "[int A]"},
        /* what is excluded is no miss, and hides one */
        {"a.Do(x => x + 1);", {{"a.Do(x => x + 1);", '+'}, {"x + 1", 'x'}}, ""},
        {"a(x => 1); b();", {{"a(x => 1);", '-'}, {"1", 'x'}, {"b();", '+'}}, "[a(x => ][);]"},
        /* nothing ran, as far as these know */
        {"F(); G();", {{"F();", '-'}, {"G();", '-'}}, ""},
        {"F(); G();", {{"F();", '-'}, {"G();", 'x'}}, ""},
        {"F(); G();", {{"F();", '+'}, {"G();", '+'}}, ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct line_piece pieces[6];
        size_t count = 0;
        for (; count < 6 && cases[i].pieces[count].text != NULL; count++)
            pieces[count] =
                piece(cases[i].line, cases[i].pieces[count].text, cases[i].pieces[count].state);
        assert_str(missed_of(pieces, count, cases[i].line), cases[i].missed);
    }
}

static void a_loop_that_never_had_an_item_says_all(void **state)
{
    static const char text[] = "foreach (var x in xs) F(x); G();";
    static const uint64_t never[] = {0, 1}, some[] = {1, 1}, unasked[] = {0, 0};
    const struct {
        const uint64_t *hits;
        enum outcome_words words;
        uint32_t missed;
    } cases[] = {
        {never, WORDS_BODY_END, 1},   /* F(x); */
        {never, WORDS_END_BODY, 2},   /* it had items, but did not come to its end */
        {some, WORDS_BODY_END, 2},    /* as if `var x` were another one's */
        {unasked, WORDS_BODY_END, 2}, /* `xs` threw */
        {never, WORDS_UNKNOWN, 2},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct line_piece pieces[] = {piece(text, "xs", '+'), piece(text, "var x", '-'),
                                      piece(text, "F(x);", '-'), piece(text, "G();", '+')};
        struct report_condition condition = {
            .outcome_count = 2,
            .outcome_hits = cases[i].hits,
            .words = cases[i].words,
            .is_exact = true,
            .span = {.start_line = 7, .end_line = 7, .start_column = 16, .end_column = 18}};
        struct report_line line = {
            .number = 7, .hits = 1, .conditions = &condition, .condition_count = 1};
        assert_true(missed_text_make(&line, pieces, ARRAY_LEN(pieces), &arena, NULL));
        assert_int_equal(line.missed_count, cases[i].missed);
    }
}

/* "if (a) F(x," / "  y => 1); G();" */
static void statements_over_several_lines_end_with_them(void **state)
{
    static const char first[] = "if (a) F(x,", last[] = "  y => 1); G();";
    struct line_piece begins[] = {piece(first, "if (a)", '+'), piece(first, "F(x,", '-')};
    struct line_piece ends[] = {piece(last, "  y => 1);", '-'), piece(last, "G();", '+')};
    struct line_piece lambda[] = {ends[0], ends[1], piece(last, "1", '+')};
    (void)state;
    begins[1].end = PIECE_OPEN;
    ends[0].is_from_above = lambda[0].is_from_above = true;
    assert_str(missed_of(begins, ARRAY_LEN(begins), first), "[F(x,]");
    assert_str(missed_of(ends, ARRAY_LEN(ends), last), "[  y => 1);]");
    assert_str(missed_of(lambda, ARRAY_LEN(lambda), last), "[);]");
}

static void lines_that_did_not_run_are_missed_as_a_whole(void **state)
{
    static const char line[] = "F(); G();";
    struct line_piece pieces[] = {piece(line, "F();", '+'), piece(line, "G();", '-')};
    struct report_line out = {.number = 7};
    (void)state;
    assert_true(missed_text_make(&out, pieces, ARRAY_LEN(pieces), &arena, NULL));
    assert_int_equal(out.missed_count, 0);
}

static void columns_that_symbols_cannot_hold_are_not_known(void **state)
{
    static const struct {
        uint32_t line;
        uint16_t start, end;
        bool known;
        uint32_t from, to;
    } cases[] = {
        {3, 5, 9, true, 5, PIECE_OPEN},
        {5, 5, 9, true, 1, 9},
        {3, 0, 9, false, 0, 0},
        {5, 0, 9, true, 1, 9},
        {3, 0xFFFE, 9, false, 0, 0},
        {5, 0xFFFE, 9, true, 1, 9},
        {3, 5, 0xFFFE, true, 5, PIECE_OPEN},
        {5, 5, 0xFFFE, false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct fact_statement statement = {.start_line = 3,
                                                 .end_line = 5,
                                                 .start_column = cases[i].start,
                                                 .end_column = cases[i].end};
        struct line_piece out = {0};
        assert_int_equal(line_piece_make(&out, &statement, cases[i].line), cases[i].known);
        assert_int_equal(out.start, cases[i].from);
        assert_int_equal(out.end, cases[i].to);
    }
}

/* --- against a slow way to say the same ------------------------------------------------------- */

enum {
    WIDTH = 40,
    PIECES = 12
};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Pieces that lie in each other or apart, as statements do. */
static size_t random_pieces(struct line_piece *pieces, uint64_t *seed)
{
    size_t count = 0;
    for (int tries = 0; tries < PIECES; tries++) {
        uint32_t start = 1 + next_random(seed) % WIDTH;
        struct line_piece made = {.start = start,
                                  .end = start + 1 + next_random(seed) % (WIDTH + 1 - start),
                                  .ran = next_random(seed) % 2 != 0};
        bool fits = true;
        for (size_t i = 0; i < count; i++) {
            const struct line_piece *other = &pieces[i];
            bool apart = other->end <= made.start || made.end <= other->start;
            bool inside = (other->start <= made.start && made.end <= other->end) ||
                          (made.start <= other->start && other->end <= made.end);
            fits = fits && (apart || inside);
        }
        if (fits)
            pieces[count++] = made;
    }
    return count;
}

/* 'm' where the shortest piece around a column did not run, '.' where it did, ' ' where none is;
 * and where that piece starts. */
static void paint_slowly(char *out, uint32_t *starts, const struct line_piece *pieces, size_t count)
{
    for (uint32_t column = 1; column <= WIDTH; column++) {
        const struct line_piece *inner = NULL;
        bool ran = false;
        for (size_t i = 0; i < count; i++) {
            const struct line_piece *p = &pieces[i];
            if (column < p->start || column >= p->end)
                continue;
            if (inner == NULL || p->end - p->start < inner->end - inner->start) {
                inner = p;
                ran = p->ran;
            } else if (p->start == inner->start && p->end == inner->end) {
                ran |= p->ran;
            }
        }
        starts[column - 1] = inner == NULL ? 0 : inner->start;
        out[column - 1] = inner == NULL ? ' ' : ran ? '.' : 'm';
    }
}

static void text_belongs_to_the_innermost_statement(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (unsigned i = 0; i < repeated(2000); i++) {
        struct line_piece pieces[PIECES];
        struct report_line line = {.number = 1, .hits = 1};
        char slow[WIDTH], fast[WIDTH];
        uint32_t starts[WIDTH], first = 0; /* where the range that we are in starts */
        bool any_ran = false;
        size_t count = random_pieces(pieces, &seed);
        for (size_t k = 0; k < count; k++)
            any_ran |= pieces[k].ran;
        paint_slowly(slow, starts, pieces, count);
        assert_true(missed_text_make(&line, pieces, count, &arena, NULL));
        memset(fast, '?', sizeof fast);
        for (uint32_t k = 0; k < line.missed_count; k++) {
            assert_true(line.missed[k].start < line.missed[k].end);
            assert_true(k == 0 || line.missed[k - 1].end <= line.missed[k].start);
            for (uint32_t c = line.missed[k].start; c < line.missed[k].end; c++)
                fast[c - 1] = 'm';
        }
        for (uint32_t c = 0; c < WIDTH; c++) {
            bool is_blank = c > 0 && c + 1 < WIDTH && slow[c] != 'm' && slow[c - 1] == 'm' &&
                            slow[c + 1] == 'm' && starts[c] < first; /* between neighbours */
            if (slow[c] == 'm' && (c == 0 || fast[c - 1] != 'm'))
                first = c + 1;
            assert_true((fast[c] == 'm') == (any_ran && (slow[c] == 'm' || is_blank)));
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(statements_of_a_line_that_did_not_run_are_found),
    TEST(a_loop_that_never_had_an_item_says_all),
    TEST(statements_over_several_lines_end_with_them),
    TEST(lines_that_did_not_run_are_missed_as_a_whole),
    TEST(columns_that_symbols_cannot_hold_are_not_known),
    TEST(text_belongs_to_the_innermost_statement),
};
UNIT_TESTS(tests);

/* test_session_hits.c - what the library writes of contexts and their hits is read as
 * contract/session_format.h documents it; of what it can't have written, the line is named. */
#include "coverage/session/session_hits.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

#define MVID    "000102030405060708090a0B0C0D0E0F"
#define CONTEXT "owner\t1\t0\t" MVID "\t5\tN.C\n"
#define COUNTS  "counts\t1\tapp-0.counts\n"
#define VECTOR  "vector\t1\t1\t7\t01\n"

static const uint8_t mvid[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static const char whole[] = COUNTS CONTEXT "owner\t2\t1\t" MVID "\t6\t\n"
                                           "vector\t1\t1\t7\t1211\n"
                                           "hits\t1\t1\n"
                                           "vector\t2\t1\t8\t01\n"
                                           "hits\t2\t21\n"
                                           "over\t2\t1500\t3\t1\n"
                                           "counts\t2\tlib-1.counts\n"
                                           "unsure\t2\n"
                                           "owner\t3\t2\t" MVID "\t16777215\tN.D`1[[N.E]]\n"
                                           "vector\t3\t2\t7\t01\n"
                                           "hits\t3\t3\n";

static struct session_hits parsed(const char *text)
{
    struct session_hits hits;
    struct err err = {0};
    if (!session_parse_hits(&hits, STR("hits-12-345"),
                            (struct view){(const uint8_t *)text, strlen(text)}, &arena, &err))
        fail_msg("%s", err.text);
    return hits;
}

static bool parse(struct session_hits *out, const char *text, size_t len, struct err *err)
{
    struct view copy = exact_copy((struct view){(const uint8_t *)text, len});
    *err = (struct err){0};
    bool ok = session_parse_hits(out, STR("hits-12-345"), copy, &arena, err);
    exact_free(copy);
    return ok;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void contexts_are_read_with_their_methods_and_types(void **state)
{
    (void)state;
    struct session_hits hits = parsed(whole);
    assert_str(hits.process, "12-345");
    assert_int_equal(hits.context_count, 3);
    assert_int_equal(hits.contexts[0].kind, CONTEXT_TEST);
    assert_int_equal(hits.contexts[1].kind, CONTEXT_CLASS);
    assert_int_equal(hits.contexts[2].kind, CONTEXT_STATIC);
    assert_str(hits.contexts[0].type, "N.C");
    assert_str(hits.contexts[1].type, "");
    assert_str(hits.contexts[2].type, "N.D`1[[N.E]]");
    assert_int_equal(hits.contexts[0].rid, 5);
    assert_int_equal(hits.contexts[2].rid, 16777215);
    for (uint32_t i = 0; i < 3; i++)
        assert_memory_equal(hits.contexts[i].mvid, mvid, sizeof mvid);
}

static void counter_files_are_read_with_their_doubts(void **state)
{
    (void)state;
    struct session_hits hits = parsed(whole);
    assert_int_equal(hits.counts_count, 2);
    assert_str(hits.counts[0].name, "app-0.counts");
    assert_str(hits.counts[1].name, "lib-1.counts");
    assert_false(hits.counts[0].is_unsure);
    assert_true(hits.counts[1].is_unsure);
}

static void hits_are_read_as_indexes(void **state)
{
    static const struct session_hit expected[] = {{0, 0}, {1, 1}, {1, 0}, {2, 2}};
    (void)state;
    struct session_hits hits = parsed(whole);
    assert_int_equal(hits.vector_count, 3);
    assert_true(hits.vectors[0].counts == 0 && hits.vectors[0].rid == 7);
    assert_true(hits.vectors[1].counts == 0 && hits.vectors[1].rid == 8);
    assert_true(hits.vectors[2].counts == 1 && hits.vectors[2].rid == 7);
    assert_str(hits.vectors[0].runs, "1211");
    assert_str(hits.vectors[1].runs, "01");
    assert_int_equal(hits.hit_count, ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_int_equal(hits.hits[i].context, expected[i].context);
        assert_int_equal(hits.hits[i].vector, expected[i].vector);
    }
}

static void context_has_run_until_its_end_is_told(void **state)
{
    (void)state;
    struct session_hits hits = parsed(whole);
    assert_int_equal(hits.contexts[0].end, CONTEXT_RUNS);
    assert_true(hits.contexts[0].ns == 0 && hits.contexts[0].rows == 0);
    assert_int_equal(hits.contexts[1].end, CONTEXT_RETURNED);
    assert_true(hits.contexts[1].ns == 1500 && hits.contexts[1].rows == 3);
}

static const struct {
    const char *lines;
    enum context_end end;
    uint64_t ns, rows;
} ends[] = {
    {CONTEXT, CONTEXT_RUNS, 0, 0},
    {CONTEXT "over\t1\t100\t1\t1\n", CONTEXT_RETURNED, 100, 1},
    {CONTEXT "over\t1\t100\t2\t1\nover\t1\t20\t1\t1\n", CONTEXT_RETURNED, 120, 3},
    {CONTEXT "over\t1\t100\t2\t0\nover\t1\t20\t1\t1\n", CONTEXT_THREW, 120, 3},
    {CONTEXT "over\t1\t100\t2\t1\nover\t1\t20\t1\t0\n", CONTEXT_THREW, 120, 3},
    {CONTEXT "over\t1\t18446744073709551615\t1\t1\n", CONTEXT_RETURNED, UINT64_MAX, 1},
};

static void context_that_threw_once_threw(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        struct session_hits hits = parsed(ends[i].lines);
        assert_int_equal(hits.contexts[0].end, ends[i].end);
        assert_true(hits.contexts[0].ns == ends[i].ns);
        assert_true(hits.contexts[0].rows == ends[i].rows);
    }
}

static void time_of_the_beginning_is_read(void **state)
{
    (void)state;
    struct session_hits hits = parsed("began\t1764158400\n");
    assert_true(hits.began == 1764158400);
    assert_true(parsed(CONTEXT).began == 0);
}

static void fields_are_unescaped(void **state)
{
    (void)state;
    struct session_hits hits = parsed("owner\t1\t0\t" MVID "\t5\ta\\tb\\nc\\\\d\n"
                                      "counts\t1\tx\\ty\n");
    assert_str(hits.contexts[0].type, "a\tb\nc\\d");
    assert_str(hits.counts[0].name, "x\ty");
}

/* '\' is a digit: 44 - 32 = 12, and others follow. */
static void backslashes_of_compact_numbers_are_digits(void **state)
{
    (void)state;
    uint8_t hit[45] = {0};
    struct err err = {0};
    struct session_hits hits = parsed(COUNTS "vector\t1\t1\t7\t\\11\n");
    assert_str(hits.vectors[0].runs, "\\11");
    assert_true(session_hits_runs(hit, sizeof hit, hits.vectors[0].runs, &err));
    for (uint32_t i = 0; i < sizeof hit; i++)
        assert_int_equal(hit[i], i == 44);
}

/* 1 to 9 are "1" to "9"; 40 is 8 + 1 * 32, and '0' + 32 + 8 is 'X'. */
static void vectors_are_named_by_compact_numbers(void **state)
{
    char text[4096] = CONTEXT COUNTS;
    size_t len = strlen(text);
    (void)state;
    for (unsigned i = 1; i <= 40; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "vector\t%u\t1\t%u\t01\n", i, i);
    (void)snprintf(text + len, sizeof text - len, "hits\t1\t9X11\n");
    struct session_hits hits = parsed(text);
    assert_int_equal(hits.hit_count, 3);
    assert_int_equal(hits.hits[0].vector, 8);
    assert_int_equal(hits.hits[1].vector, 39);
    assert_int_equal(hits.hits[2].vector, 0);
}

static void empty_file_has_no_contexts(void **state)
{
    (void)state;
    struct session_hits hits = parsed("");
    assert_true(hits.context_count == 0 && hits.vector_count == 0 && hits.hit_count == 0 &&
                hits.counts_count == 0);
}

static uint32_t lines_with(const char *keyword, size_t len)
{
    uint32_t count = 0;
    for (size_t start = 0; start < len;) {
        const char *end = memchr(whole + start, '\n', len - start);
        if (end == NULL)
            break;
        count += strncmp(whole + start, keyword, strlen(keyword)) == 0;
        start = (size_t)(end - whole) + 1;
    }
    return count;
}

static void line_that_is_cut_is_ignored(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof whole; len++) {
        struct session_hits hits;
        struct err err;
        if (!parse(&hits, whole, len, &err))
            fail_msg("%zu: %s", len, err.text);
        assert_int_equal(hits.context_count, lines_with("owner\t", len));
        assert_int_equal(hits.vector_count, lines_with("vector\t", len));
        assert_int_equal(hits.counts_count, lines_with("counts\t", len));
    }
}

/* --- damage ----------------------------------------------------------------------------------- */

static const struct {
    const char *what, *line;
} bad_lines[] = {
    {"an empty line", ""},
    {"an unknown keyword", "other\t1"},
    {"a keyword in capitals", "OWNER\t2\t0\t" MVID "\t5\tN.C"},
    {"a beginning without a time", "began"},
    {"a beginning at no time", "began\tsoon"},
    {"a beginning after all time", "began\t9223372036854775808"},
    {"an owner alone", "owner"},
    {"an owner without a type", "owner\t2\t0\t" MVID "\t5"},
    {"an owner with more", "owner\t2\t0\t" MVID "\t5\tN.C\t"},
    {"an owner of a number that was given", "owner\t1\t0\t" MVID "\t5\tN.C"},
    {"an owner of a later number", "owner\t3\t0\t" MVID "\t5\tN.C"},
    {"an owner 0", "owner\t0\t0\t" MVID "\t5\tN.C"},
    {"an owner without a number", "owner\t\t0\t" MVID "\t5\tN.C"},
    {"an owner of a kind that there is not", "owner\t2\t3\t" MVID "\t5\tN.C"},
    {"an owner of a negative kind", "owner\t2\t-1\t" MVID "\t5\tN.C"},
    {"a short mvid", "owner\t2\t0\t00\t5\tN.C"},
    {"a mvid of other letters", "owner\t2\t0\t00010203040506070809g00000000000\t5\tN.C"},
    {"an owner's row that is none", "owner\t2\t0\t" MVID "\tx\tN.C"},
    {"an owner's row of 33 bits", "owner\t2\t0\t" MVID "\t4294967296\tN.C"},
    {"an escape that there is not", "owner\t2\t0\t" MVID "\t5\tN\\xC"},
    {"an escape that is cut", "owner\t2\t0\t" MVID "\t5\tN.C\\"},
    {"what is not UTF-8", "owner\t2\t0\t" MVID "\t5\t\xFF"},
    {"the end of owner 0", "over\t0\t1\t1\t1"},
    {"the end of nobody", "over\t2\t1\t1\t1"},
    {"an end at no time", "over\t1\tx\t1\t1"},
    {"an end at a time of 65 bits", "over\t1\t18446744073709551616\t1\t1"},
    {"an end before the start", "over\t1\t-1\t1\t1"},
    {"an end of no rows", "over\t1\t1\t\t1"},
    {"an end that says nothing", "over\t1\t1\t1\t"},
    {"an end with too little", "over\t1\t1\t1"},
    {"counts of a number that was given", "counts\t1\tx"},
    {"counts of a later number", "counts\t3\tx"},
    {"counts without a name", "counts\t2"},
    {"counts with more", "counts\t2\tx\ty"},
    {"doubts about counts 0", "unsure\t0"},
    {"doubts about no counts", "unsure\t2"},
    {"doubts about nothing", "unsure"},
    {"an unknown context that outlives", "outlives\t2"},
    {"what outlives nothing", "outlives"},
    {"a vector of a number that was given", "vector\t1\t1\t7\t01"},
    {"a vector of a later number", "vector\t3\t1\t7\t01"},
    {"a vector of counts 0", "vector\t2\t0\t7\t01"},
    {"a vector of no counts", "vector\t2\t2\t7\t01"},
    {"a vector of row 0", "vector\t2\t1\t0\t01"},
    {"a vector of a row of 33 bits", "vector\t2\t1\t4294967296\t01"},
    {"a vector of no row", "vector\t2\t1\t\t01"},
    {"a vector with too little", "vector\t2\t1\t7"},
    {"a vector with more", "vector\t2\t1\t7\t01\t1"},
    {"a vector with much more", "vector\t2\t1\t7\t01\t1\t2\t3\t4\t5"},
    {"hits of owner 0", "hits\t0\t1"},
    {"hits of nobody", "hits\t2\t1"},
    {"hits of a negative owner", "hits\t-1\t1"},
    {"hits with more", "hits\t1\t1\t1"},
    {"hits of vector 0", "hits\t1\t0"},
    {"hits of no vector", "hits\t1\t2"},
    {"hits of vectors of which one is none", "hits\t1\t112"},
    {"a digit below the first", "hits\t1\t/"},
    {"a digit above the last", "hits\t1\tp"},
    {"a digit above ASCII", "hits\t1\t\xB1"},
    {"a number that is cut", "hits\t1\tQ"},
    {"a number of 33 bits", "hits\t1\tQPPPPP4"},
    {"a number of 36 bits", "hits\t1\tQPPPPPP1"},
    {"a number of 1000 bits", "hits\t1\tQPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP1"},
};

/* Each in the middle of sound ones. */
static void line_that_nobody_writes_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_lines); i++) {
        char text[1024];
        struct session_hits hits;
        struct err err;
        int len =
            snprintf(text, sizeof text, COUNTS CONTEXT VECTOR "%s\nunsure\t1\n", bad_lines[i].line);
        assert_true(len > 0 && (size_t)len < sizeof text);
        if (parse(&hits, text, (size_t)len, &err))
            fail_msg("%s is accepted", bad_lines[i].what);
        assert_failed(false, err, ERR_FORMAT);
        if (strstr(err.text, "line 4") == NULL)
            fail_msg("%s: %s", bad_lines[i].what, err.text);
    }
}

static void lines_beside_the_bad_ones_are_sound(void **state)
{
    (void)state;
    struct session_hits hits = parsed(COUNTS CONTEXT VECTOR "hits\t1\t1\nunsure\t1\n");
    assert_int_equal(hits.hit_count, 1);
    assert_true(hits.counts[0].is_unsure);
}

static void without_memory_it_is_said(void **state)
{
    struct arena small;
    bool ok = false;
    (void)state;
    for (size_t limit = 0; !ok; limit += 16) {
        struct session_hits hits;
        struct err err = {0};
        arena_init(&small, NULL, 0, limit);
        ok = session_parse_hits(&hits, STR("hits-12-345"),
                                (struct view){(const uint8_t *)whole, sizeof whole - 1}, &small,
                                &err);
        if (!ok)
            assert_failed(ok, err, ERR_LIMIT);
        arena_free(&small);
        assert_true(limit < 1 << 20);
    }
}

/* --- runs ------------------------------------------------------------------------------------- */

static bool runs(uint8_t *hit, uint32_t count, const char *text, struct err *err)
{
    struct view copy = exact_copy((struct view){(const uint8_t *)text, strlen(text)});
    uint8_t *counters = malloc(count != 0 ? count : 1);
    assert_non_null(counters);
    memcpy(counters, hit, count);
    *err = (struct err){0};
    bool ok =
        session_hits_runs(counters, count, (struct str){(const char *)copy.data, copy.len}, err);
    memcpy(hit, counters, count);
    free(counters);
    exact_free(copy);
    return ok;
}

static const struct {
    const char *text;
    uint32_t count;
    uint8_t hit[80];
} sound_runs[] = {
    {"", 0, {0}},
    {"", 3, {0}},
    {"01", 1, {1}},
    {"1211", 5, {0, 1, 1, 0, 1}},
    {"1211", 7, {0, 1, 1, 0, 1}},
    {"11", 2, {0, 1}},
    {"X11", 41, {[40] = 1}}, /* 8 + 1 * 32 */
    {"P12", 34, {[32] = 1, [33] = 1}},
};

static void runs_are_distances_and_lengths(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sound_runs); i++) {
        uint8_t hit[80] = {0};
        struct err err;
        if (!runs(hit, sound_runs[i].count, sound_runs[i].text, &err))
            fail_msg("%s: %s", sound_runs[i].text, err.text);
        assert_memory_equal(hit, sound_runs[i].hit, sizeof hit);
    }
}

static void runs_add_to_what_is_hit(void **state)
{
    uint8_t hit[4] = {1, 0, 0, 1};
    struct err err;
    (void)state;
    assert_true(runs(hit, sizeof hit, "21", &err));
    assert_true(hit[0] == 1 && hit[1] == 0 && hit[2] == 1 && hit[3] == 1);
}

/* 32^4 counters lie before it. */
static void gap_may_be_large(void **state)
{
    enum {
        GAP = 32 * 32 * 32 * 32
    };
    uint8_t *hit = calloc(GAP + 1, 1);
    struct err err;
    (void)state;
    assert_non_null(hit);
    assert_true(runs(hit, GAP + 1, "PPPP11", &err));
    assert_int_equal(hit[GAP], 1);
    assert_null(memchr(hit, 1, GAP));
    assert_failed(runs(hit, GAP, "PPPP11", &err), err, ERR_FORMAT);
    free(hit);
}

static const struct {
    const char *what, *text;
    uint32_t count;
} bad_runs[] = {
    {"a hit of a method without counters", "01", 0},
    {"a gap of a method without counters", "10", 0},
    {"a run that is too long", "02", 1},
    {"a run that begins too late", "11", 1},
    {"a second run that is too long", "1211", 4},
    {"a second run that begins too late", "0151", 5},
    {"a gap alone", "1", 9},
    {"a gap alone after a run", "011", 9},
    {"a gap that is cut", "P", 64},
    {"a length that is cut", "0P", 64},
    {"a gap of 32 bits", "oooooo31", 9},
    {"a length of 32 bits", "0oooooo3", 9},
    {"a gap that leads back", "02oooooo31", 9}, /* 2 + 0xFFFFFFFF is 1 */
    {"a length that leads back", "020oooooo3", 9},
    {"a sum that leads back", "1oooooo3", 9}, /* 1 + 0xFFFFFFFF is 0 */
    {"a number of 33 bits", "PPPPPP41", 9},
    {"a number of 35 bits", "PPPPPPO1", 9},
    {"a number of 36 bits", "PPPPPPP11", 9},
    {"a digit below the first", "/1", 64},
    {"a digit above the last", "p11", 64},
    {"a blank", "0 1", 9},
    {"a digit above ASCII", "0\xB1", 9},
};

static void runs_beyond_the_counters_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_runs); i++) {
        uint8_t hit[80] = {0};
        struct err err;
        if (runs(hit, bad_runs[i].count, bad_runs[i].text, &err))
            fail_msg("%s is accepted", bad_runs[i].what);
        assert_failed(false, err, ERR_FORMAT);
    }
}

/* --- contexts of shards ----------------------------------------------------------------------- */

static void contexts_of_shards_are_read(void **state)
{
    uint8_t file[4 * SHARDS_MAX + 4] = {0};
    struct session_hits hits = {.context_count = 3};
    struct err err = {0};
    (void)state;
    store_u32(file, 3);
    store_u32(file + 4, CONTEXT_OF_KEPT);
    store_u32(file + 4 * (SHARDS_MAX - 1), 1);
    assert_true(session_parse_contexts(&hits, (struct view){file, 4 * SHARDS_MAX}, &err));
    assert_int_equal(hits.of_shard[0], 3);
    assert_int_equal(hits.of_shard[1], CONTEXT_OF_KEPT);
    assert_int_equal(hits.of_shard[2], 0);
    assert_int_equal(hits.of_shard[SHARDS_MAX - 1], 1);
    assert_true(session_parse_contexts(&hits, VIEW(file), &err)); /* whole pages */
}

static void shard_of_an_context_that_is_newer_is_nobodys(void **state)
{
    static const uint32_t newer[] = {4, 1000, CONTEXT_OF_KEPT - 1};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(newer); i++) {
        uint8_t file[4 * SHARDS_MAX] = {0};
        struct session_hits hits = {.context_count = 3};
        struct err err = {0};
        store_u32(file, 3);
        store_u32(file + 4 * (SHARDS_MAX - 1), newer[i]);
        assert_true(session_parse_contexts(&hits, VIEW(file), &err));
        assert_int_equal(hits.of_shard[0], 3);
        assert_int_equal(hits.of_shard[SHARDS_MAX - 1], 0);
    }
}

static void contexts_of_too_few_shards_are_refused(void **state)
{
    static const uint8_t file[4 * SHARDS_MAX] = {0};
    (void)state;
    for (size_t len = 1; len < sizeof file; len++) {
        struct view copy = exact_copy((struct view){file, len});
        struct session_hits hits = {.context_count = 3};
        struct err err = {0};
        assert_failed(session_parse_contexts(&hits, copy, &err), err, ERR_FORMAT);
        exact_free(copy);
    }
}

/* As a process leaves it whose files may not grow, which it reports itself. */
static void file_of_contexts_that_is_empty_names_none(void **state)
{
    struct session_hits hits = {.context_count = 3};
    struct err err = {0};
    (void)state;
    assert_true(session_parse_contexts(&hits, (struct view){NULL, 0}, &err));
    for (size_t i = 0; i < SHARDS_MAX; i++)
        assert_int_equal(hits.of_shard[i], 0);
}

static bool parses(struct session_hits *out, const char *text)
{
    struct err err = {0};
    return session_parse_hits(out, STR("hits-1-2"),
                              (struct view){(const uint8_t *)text, strlen(text)}, &arena, &err);
}

static void times_do_not_wrap_around(void **state)
{
    struct session_hits hits;
    (void)state;
    assert_true(parses(&hits, "owner\t1\t0\t00112233445566778899aabbccddeeff\t5\tN.C\n"
                              "over\t1\t18446744073709551615\t1\t1\nover\t1\t2\t1\t1\n"));
    assert_true(hits.contexts[0].ns == UINT64_MAX);
    assert_int_equal(hits.contexts[0].rows, 2);
}

static void empty_field_at_the_end_is_one_too_many(void **state)
{
    struct session_hits hits;
    (void)state;
    assert_true(parses(&hits, "counts\t1\ta\nvector\t1\t1\t7\t01\n"));
    assert_false(parses(&hits, "counts\t1\ta\nvector\t1\t1\t7\t01\t\n"));
}

static void end_that_is_not_known_stays_so_until_one_throws(void **state)
{
    static const char start[] = "owner\t1\t0\t00112233445566778899aabbccddeeff\t5\tN.C\n";
    char text[256];
    struct session_hits hits;
    (void)state;
    (void)snprintf(text, sizeof text, "%sover\t1\t3\t1\t2\n", start);
    assert_true(parses(&hits, text));
    assert_int_equal(hits.contexts[0].end, CONTEXT_RUNS);
    (void)snprintf(text, sizeof text, "%sover\t1\t3\t1\t1\nover\t1\t3\t1\t0\n", start);
    assert_true(parses(&hits, text));
    assert_int_equal(hits.contexts[0].end, CONTEXT_THREW);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(contexts_are_read_with_their_methods_and_types),
    TEST(counter_files_are_read_with_their_doubts),
    TEST(hits_are_read_as_indexes),
    TEST(context_has_run_until_its_end_is_told),
    TEST(context_that_threw_once_threw),
    TEST(time_of_the_beginning_is_read),
    TEST(fields_are_unescaped),
    TEST(backslashes_of_compact_numbers_are_digits),
    TEST(vectors_are_named_by_compact_numbers),
    TEST(empty_file_has_no_contexts),
    TEST(line_that_is_cut_is_ignored),
    TEST(line_that_nobody_writes_is_named),
    TEST(lines_beside_the_bad_ones_are_sound),
    TEST(without_memory_it_is_said),
    TEST(runs_are_distances_and_lengths),
    TEST(runs_add_to_what_is_hit),
    TEST(gap_may_be_large),
    TEST(runs_beyond_the_counters_are_refused),
    TEST(contexts_of_shards_are_read),
    TEST(shard_of_an_context_that_is_newer_is_nobodys),
    TEST(contexts_of_too_few_shards_are_refused),
    TEST(file_of_contexts_that_is_empty_names_none),
    TEST(times_do_not_wrap_around),
    TEST(empty_field_at_the_end_is_one_too_many),
    TEST(end_that_is_not_known_stays_so_until_one_throws),
};
UNIT_TESTS(tests);

/* Which instruction of an old body each of a new one is. */
#include "coverage/merge/align.h"

#include "base/bytes.h"
#include "tests/support/check.h"
#include "tests/support/random_facts.h"
#include "tests/support/test_arena.h"

enum {
    TRIALS = 4000,
    LEN_MAX = 14
};

static struct aligned_body body_of(uint32_t *hashes, uint32_t count)
{
    return (struct aligned_body){.hashes = hashes, .count = count};
}

static uint32_t *aligned(const struct aligned_body *head, const struct aligned_body *base)
{
    struct err err = {0};
    uint32_t *base_of = arena_raw(&arena, head->count, sizeof *base_of, &err);
    assert_non_null(base_of);
    memset(base_of, 0xFF, head->count * sizeof *base_of); /* NO_INDEX */
    if (!align_rows(base_of, head->hashes, head->count, base->hashes, base->count, &arena, &err))
        fail_msg("%s", err.text);
    return base_of;
}

/* How many are found; each is the same instruction, and all are in order. */
static uint32_t check_common(const uint32_t *base_of, const struct aligned_body *head,
                             const struct aligned_body *base)
{
    uint32_t found = 0, next = 0;
    for (uint32_t i = 0; i < head->count; i++) {
        if (base_of[i] == NO_INDEX)
            continue;
        assert_true(base_of[i] >= next && base_of[i] < base->count);
        assert_int_equal(head->hashes[i], base->hashes[base_of[i]]);
        next = base_of[i] + 1;
        found++;
    }
    return found;
}

/* The length of the longest common subsequence, the plain way. */
static uint32_t longest_common(const struct aligned_body *a, const struct aligned_body *b)
{
    uint32_t length[LEN_MAX + 1][LEN_MAX + 1] = {{0}};
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            uint32_t without =
                length[i][k + 1] > length[i + 1][k] ? length[i][k + 1] : length[i + 1][k];
            uint32_t with = length[i][k] + 1;
            length[i + 1][k + 1] = a->hashes[i] == b->hashes[k] ? with : without;
        }
    return length[a->count][b->count];
}

static void longest_common_run_is_found(void **state)
{
    uint64_t seed = 88172645463325252;
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        uint32_t left[LEN_MAX], right[LEN_MAX], letters = 1 + random_below(&seed, 5);
        struct aligned_body head = body_of(left, random_below(&seed, LEN_MAX + 1));
        struct aligned_body base = body_of(right, random_below(&seed, LEN_MAX + 1));
        for (uint32_t i = 0; i < LEN_MAX; i++) {
            left[i] = random_below(&seed, letters);
            right[i] = random_below(&seed, letters);
        }
        const uint32_t *base_of = aligned(&head, &base);
        assert_int_equal(check_common(base_of, &head, &base), longest_common(&head, &base));
        arena_reset(&arena);
    }
}

static void beginning_and_end_are_kept_around_what_was_put_in(void **state)
{
    uint32_t left[] = {1, 2, 9, 9, 3, 4}, right[] = {1, 2, 3, 4};
    struct aligned_body head = body_of(left, 6), base = body_of(right, 4);
    const uint32_t expected[] = {0, 1, NO_INDEX, NO_INDEX, 2, 3};
    (void)state;
    assert_memory_equal(aligned(&head, &base), expected, sizeof expected);
    const uint32_t turned[] = {0, 1, 4, 5};
    assert_memory_equal(aligned(&base, &head), turned, sizeof turned);
}

static void bodies_with_too_little_in_common_keep_their_ends(void **state)
{
    enum {
        LONG = 6000,
        ENDS = 10
    };
    uint32_t *left = ARENA_NEW(&arena, uint32_t, LONG, NULL);
    uint32_t *right = ARENA_NEW(&arena, uint32_t, LONG, NULL);
    (void)state;
    assert_true(left != NULL && right != NULL);
    for (uint32_t i = 0; i < LONG; i++) {
        left[i] = i;
        right[i] = i < ENDS || i >= LONG - ENDS ? i : LONG + i;
    }
    struct aligned_body head = body_of(left, LONG), base = body_of(right, LONG);
    assert_int_equal(check_common(aligned(&head, &base), &head, &base), 2 * ENDS);
}

static void few_edits_in_a_long_body_are_found(void **state)
{
    enum {
        LONG = 20000,
        STEP = 100
    };
    uint32_t *left = ARENA_NEW(&arena, uint32_t, LONG, NULL);
    uint32_t *right = ARENA_NEW(&arena, uint32_t, LONG, NULL);
    (void)state;
    assert_true(left != NULL && right != NULL);
    for (uint32_t i = 0; i < LONG; i++) {
        left[i] = i;
        right[i] = i % STEP == STEP / 2 ? LONG + i : i;
    }
    struct aligned_body head = body_of(left, LONG), base = body_of(right, LONG);
    assert_int_equal(check_common(aligned(&head, &base), &head, &base), LONG - LONG / STEP);
}

static void instructions_are_read(void **state)
{
    struct aligned_body body;
    struct err err = {0};
    struct view bytes = BYTES_VIEW(2, 1, 0, 0, 0, 0x81, 1, 2, 0, 0, 0, 1, 3, 0, 0, 0);
    (void)state;
    assert_true(align_read(&body, bytes, &arena, &err));
    assert_int_equal(body.count, 3);
    assert_int_equal(body.hashes[2], 3);
    assert_int_equal(body.offsets[1], 2);
    assert_int_equal(body.offsets[2], 2 + 129);
    assert_int_equal(body.offsets[3], 2 + 129 + 1);
    assert_int_equal(align_at(&body, 131), 2);
    assert_int_equal(align_at(&body, 130), 2);
    assert_int_equal(align_at(&body, 132), 3);
    assert_true(align_read(&body, (struct view){NULL, 0}, &arena, &err));
    assert_int_equal(body.count, 0);
}

/* FNV-1a over { 0x00, 0x00 } and { 0x38, 0x00 }, as identity_body writes nop and br. */
static void nops_are_nothing(void **state)
{
    struct aligned_body body;
    struct err err = {0};
    uint8_t bytes[] = {1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 0, 2, 2, 0, 0, 0};
    uint32_t nop = 2166136261u * 16777619u * 16777619u;
    uint32_t br = (2166136261u ^ 0x38) * 16777619u * 16777619u;
    (void)state;
    store_u32(bytes + 1, nop);
    store_u32(bytes + 11, nop);
    assert_true(align_read(&body, (struct view){bytes, sizeof bytes}, &arena, &err));
    assert_int_equal(body.count, 2);
    assert_int_equal(align_at(&body, 0), 0);
    assert_int_equal(align_at(&body, 6), 1);
    assert_int_equal(body.offsets[2], 9);
    assert_true(align_is(nop, ALIGN_NOP) && align_is(br, ALIGN_BR));
    assert_false(align_is(br, ALIGN_NOP) || align_is(br, ALIGN_RET));
}

static void what_is_known_stays_and_gaps_are_compared(void **state)
{
    uint32_t head[] = {7, 1, 7, 2, 9}, base[] = {7, 2, 9, 5, 7, 2};
    uint32_t base_of[] = {NO_INDEX, NO_INDEX, 4, NO_INDEX, NO_INDEX};
    const uint32_t expected[] = {0, NO_INDEX, 4, 5, NO_INDEX};
    struct err err = {0};
    (void)state;
    assert_true(align_rows(base_of, head, 5, base, 6, &arena, &err));
    assert_memory_equal(base_of, expected, sizeof expected);
}

static void truncated_instructions_are_refused(void **state)
{
    struct view bytes = BYTES_VIEW(2, 1, 0, 0, 0, 0x81, 1, 2, 0, 0, 0);
    (void)state;
    for (size_t len = 1; len < bytes.len; len++) {
        struct aligned_body body;
        struct err err = {0};
        struct view copy = exact_copy((struct view){bytes.data, len});
        bool ok = align_read(&body, copy, &arena, &err);
        if (len == 5)
            assert_true(ok);
        else
            assert_failed(ok, err, ERR_FORMAT);
        exact_free(copy);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(longest_common_run_is_found),
    TEST(beginning_and_end_are_kept_around_what_was_put_in),
    TEST(bodies_with_too_little_in_common_keep_their_ends),
    TEST(few_edits_in_a_long_body_are_found),
    TEST(instructions_are_read),
    TEST(nops_are_nothing),
    TEST(what_is_known_stays_and_gaps_are_compared),
    TEST(truncated_instructions_are_refused),
};
UNIT_TESTS(tests);

/* test_bytes.c - the reader remembers failure and never reads past its end; the writer mirrors it.
 */
#include "base/bytes.h"
#include "tests/support/check.h"

static void reader_reads_little_endian(void **state)
{
    (void)state;
    struct view bytes = exact_copy(BYTES_VIEW(0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                              0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0xFF));
    struct reader r = rd_view(bytes);
    assert_int_equal(rd_u16(&r), 0x0201);
    assert_int_equal(rd_u32(&r), 0x06050403);
    assert_true(rd_u64(&r) == UINT64_C(0x0E0D0C0B0A090807));
    assert_int_equal(rd_left(&r), 1);
    assert_int_equal(rd_u8(&r), 0xFF);
    assert_false(r.failed);
    exact_free(bytes);
}

static void reader_stays_failed_after_overrun(void **state)
{
    (void)state;
    struct view bytes = exact_copy(BYTES_VIEW(1, 2, 3));
    struct reader r = rd_view(bytes);
    assert_int_equal(rd_u8(&r), 1);
    assert_int_equal(rd_u32(&r), 0);
    assert_true(r.failed);
    assert_int_equal(r.pos, 1);
    assert_int_equal(rd_u8(&r), 0); /* though a byte is left */
    assert_null(rd_take(&r, 0));
    rd_seek(&r, 0);
    assert_int_equal(r.pos, 1);
    rd_align(&r, 4);
    assert_int_equal(rd_compressed(&r), 0);
    assert_int_equal(rd_compressed_signed(&r), 0);
    assert_int_equal(r.pos, 1);
    assert_true(r.failed);
    exact_free(bytes);
}

static void every_read_fails_cleanly_one_byte_short(void **state)
{
    (void)state;
    struct view bytes = exact_copy(BYTES_VIEW(0xC1, 2, 3, 4, 5, 6, 7));
    const size_t sizes[] = {1, 2, 4, 8};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct reader r = rd_open(bytes.data, sizes[i] - 1);
        uint64_t value = sizes[i] == 1   ? rd_u8(&r)
                         : sizes[i] == 2 ? rd_u16(&r)
                         : sizes[i] == 4 ? rd_u32(&r)
                                         : rd_u64(&r);
        assert_true(r.failed);
        assert_true(value == 0);
        assert_int_equal(r.pos, 0);
    }
    exact_free(bytes);
}

static void take_gives_the_bytes_or_nothing(void **state)
{
    (void)state;
    struct view bytes = exact_copy(BYTES_VIEW(1, 2, 3));
    struct reader r = rd_view(bytes);
    assert_ptr_equal(rd_take(&r, 2), bytes.data);
    assert_non_null(rd_take(&r, 0));
    assert_ptr_equal(rd_take(&r, 1), bytes.data + 2);
    assert_non_null(rd_take(&r, 0));
    assert_false(r.failed);
    assert_null(rd_take(&r, SIZE_MAX));
    assert_true(r.failed);
    exact_free(bytes);
}

static void seek_reaches_the_end_and_no_further(void **state)
{
    (void)state;
    struct reader r = rd_open("abc", 3);
    rd_seek(&r, 3);
    assert_false(r.failed);
    assert_int_equal(rd_left(&r), 0);
    rd_seek(&r, 1);
    assert_int_equal(rd_u8(&r), 'b');
    rd_seek(&r, 4);
    assert_true(r.failed);
    assert_int_equal(r.pos, 2);
}

static void align_skips_to_the_next_multiple(void **state)
{
    (void)state;
    struct reader r = rd_open("abcdefg", 7);
    rd_align(&r, 4);
    assert_int_equal(r.pos, 0);
    (void)rd_u8(&r);
    rd_align(&r, 4);
    assert_int_equal(r.pos, 4);
    (void)rd_u8(&r);
    rd_align(&r, 4); /* 8 lies past the end */
    assert_true(r.failed);
}

/* The examples of ECMA-335 II.23.2 and the ends of each range. */
static const struct {
    const char *name;
    uint32_t value;
    uint8_t bytes[4];
    size_t len;
} unsigned_examples[] = {
    {"0", 0, {0x00}, 1},
    {"0x03", 0x03, {0x03}, 1},
    {"0x7F", 0x7F, {0x7F}, 1},
    {"0x80", 0x80, {0x80, 0x80}, 2},
    {"0x2E57", 0x2E57, {0xAE, 0x57}, 2},
    {"0x3FFF", 0x3FFF, {0xBF, 0xFF}, 2},
    {"0x4000", 0x4000, {0xC0, 0x00, 0x40, 0x00}, 4},
    {"0x1FFFFFFF", 0x1FFFFFFF, {0xDF, 0xFF, 0xFF, 0xFF}, 4},
};

static const struct {
    const char *name;
    int32_t value;
    uint8_t bytes[4];
    size_t len;
} signed_examples[] = {
    {"3", 3, {0x06}, 1},
    {"-3", -3, {0x7B}, 1},
    {"63", 63, {0x7E}, 1},
    {"-64", -64, {0x01}, 1},
    {"64", 64, {0x80, 0x80}, 2},
    {"-65", -65, {0xBF, 0x7F}, 2},
    {"8191", 8191, {0xBF, 0xFE}, 2},
    {"-8192", -8192, {0x80, 0x01}, 2},
    {"8192", 8192, {0xC0, 0x00, 0x40, 0x00}, 4},
    {"-8193", -8193, {0xDF, 0xFF, 0xBF, 0xFF}, 4},
    {"268435455", 268435455, {0xDF, 0xFF, 0xFF, 0xFE}, 4},
    {"-268435456", -268435456, {0xC0, 0x00, 0x00, 0x01}, 4},
};

static void compressed_integers_are_those_of_the_specification(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(unsigned_examples); i++) {
        struct view bytes =
            exact_copy((struct view){unsigned_examples[i].bytes, unsigned_examples[i].len});
        struct reader r = rd_view(bytes);
        assert_int_equal(rd_compressed(&r), unsigned_examples[i].value);
        assert_false(r.failed);
        assert_int_equal(rd_left(&r), 0);
        exact_free(bytes);
    }
    for (size_t i = 0; i < ARRAY_LEN(signed_examples); i++) {
        struct view bytes =
            exact_copy((struct view){signed_examples[i].bytes, signed_examples[i].len});
        struct reader r = rd_view(bytes);
        assert_int_equal(rd_compressed_signed(&r), signed_examples[i].value);
        assert_false(r.failed);
        assert_int_equal(rd_left(&r), 0);
        exact_free(bytes);
    }
}

static void compressed_integers_fail_at_every_truncation(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(unsigned_examples); i++)
        for (size_t len = 0; len < unsigned_examples[i].len; len++) {
            struct view bytes = exact_copy((struct view){unsigned_examples[i].bytes, len});
            struct reader r = rd_view(bytes), s = rd_view(bytes);
            assert_int_equal(rd_compressed(&r), 0);
            assert_int_equal(rd_compressed_signed(&s), 0);
            assert_true(r.failed && s.failed);
            assert_int_equal(r.pos, 0);
            assert_int_equal(s.pos, 0);
            exact_free(bytes);
        }
}

static void compressed_integers_reject_undefined_first_bytes(void **state)
{
    (void)state;
    for (unsigned first = 0xE0; first <= 0xFF; first++) {
        uint8_t bytes[8] = {(uint8_t)first};
        struct reader r = rd_open(bytes, sizeof bytes);
        assert_int_equal(rd_compressed(&r), 0);
        assert_true(r.failed);
        assert_int_equal(r.pos, 0);
    }
}

static void what_the_writer_writes_the_reader_reads(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct writer w = wr_in(&arena);
    for (uint32_t i = 0; i < 1000; i++) {
        wr_u8(&w, (uint8_t)i);
        wr_u16(&w, (uint16_t)(i * 3));
        wr_u32(&w, i * 70001);
        wr_u64(&w, (uint64_t)i << 40);
    }
    wr_bytes(&w, "end", 3);
    wr_align(&w, 8);
    assert_false(w.failed);
    assert_int_equal(w.len % 8, 0);
    struct reader r = rd_open(w.data, w.len);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(rd_u8(&r), (uint8_t)i);
        assert_int_equal(rd_u16(&r), (uint16_t)(i * 3));
        assert_int_equal(rd_u32(&r), i * 70001);
        assert_true(rd_u64(&r) == (uint64_t)i << 40);
    }
    assert_memory_equal(rd_take(&r, 3), "end", 3);
    rd_align(&r, 8);
    assert_int_equal(rd_left(&r), 0);
    arena_free(&arena);
}

static void fixed_writer_stays_failed_when_full(void **state)
{
    (void)state;
    uint8_t buffer[5] = {0};
    struct writer w = wr_over(buffer, sizeof buffer);
    wr_u32(&w, 0x04030201);
    assert_false(w.failed);
    wr_u16(&w, 0x0605);
    assert_true(w.failed);
    wr_u8(&w, 0xFF); /* would fit */
    wr_align(&w, 8);
    assert_true(w.failed);
    assert_int_equal(w.len, 4);
    assert_memory_equal(buffer, BYTES(1, 2, 3, 4, 0), 5);
    assert_null(wr_space(&w, 0));
}

static void growing_writer_fails_at_the_limit_of_its_arena(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, NULL, 0, 1000);
    struct writer w = wr_in(&arena);
    for (unsigned i = 0; i < 2000; i++)
        wr_u8(&w, 1);
    assert_true(w.failed);
    assert_true(w.len <= 1000);
    assert_null(wr_space(&w, SIZE_MAX));
    arena_free(&arena);
}

static void loads_undo_stores(void **state)
{
    (void)state;
    uint8_t bytes[8];
    store_u16(bytes, 0xFEDC);
    assert_int_equal(load_u16(bytes), 0xFEDC);
    store_u32(bytes, 0xFEDCBA98);
    assert_int_equal(load_u32(bytes), 0xFEDCBA98);
    store_u64(bytes, UINT64_C(0xFEDCBA9876543210));
    assert_true(load_u64(bytes) == UINT64_C(0xFEDCBA9876543210));
    assert_int_equal(bytes[0], 0x10);
}

static void leb128_of_any_size_is_read_back(void **state)
{
    static const uint64_t values[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
    uint8_t room[80];
    (void)state;
    struct writer w = wr_over(room, sizeof room);
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        wr_leb128(&w, values[i]);
    assert_false(w.failed);
    struct reader r = rd_open(room, w.len);
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        assert_true(rd_leb128(&r) == values[i]);
    assert_false(r.failed);
    assert_int_equal(rd_left(&r), 0);
}

static void leb128_that_is_cut_or_too_large_fails(void **state)
{
    static const uint8_t cut[] = {0x80, 0x80};
    static const uint8_t large[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02};
    (void)state;
    struct reader r = rd_open(cut, sizeof cut);
    assert_true(rd_leb128(&r) == 0 && r.failed);
    r = rd_open(large, sizeof large);
    assert_true(rd_leb128(&r) == 0 && r.failed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reader_reads_little_endian),
    cmocka_unit_test(reader_stays_failed_after_overrun),
    cmocka_unit_test(every_read_fails_cleanly_one_byte_short),
    cmocka_unit_test(take_gives_the_bytes_or_nothing),
    cmocka_unit_test(seek_reaches_the_end_and_no_further),
    cmocka_unit_test(align_skips_to_the_next_multiple),
    cmocka_unit_test(compressed_integers_are_those_of_the_specification),
    cmocka_unit_test(compressed_integers_fail_at_every_truncation),
    cmocka_unit_test(compressed_integers_reject_undefined_first_bytes),
    cmocka_unit_test(what_the_writer_writes_the_reader_reads),
    cmocka_unit_test(fixed_writer_stays_failed_when_full),
    cmocka_unit_test(growing_writer_fails_at_the_limit_of_its_arena),
    cmocka_unit_test(loads_undo_stores),
    cmocka_unit_test(leb128_of_any_size_is_read_back),
    cmocka_unit_test(leb128_that_is_cut_or_too_large_fails),
};
UNIT_TESTS(tests);

/* test_embedded.c - inflates exactly what is there; neither bombs nor lies about the length get
 * memory. */
#include "coverage/source/embedded.h"

#include <zlib.h>

#include "base/bytes.h"
#include "tests/support/check.h"

/* Header, then `len` bytes of `data` deflated raw. */
static struct view deflated(const char *magic, uint32_t claimed_len, const uint8_t *data,
                            size_t len)
{
    size_t magic_len = strlen(magic), room = compressBound(len) + 64;
    uint8_t *out = malloc(magic_len + 4 + room);
    assert_non_null(out);
    memcpy(out, magic, magic_len);
    store_u32(out + magic_len, claimed_len);
    uint8_t *input = malloc(len + 1); /* zlib's next_in is not const */
    assert_non_null(input);
    memcpy(input, data, len);
    z_stream z = {.next_in = input,
                  .avail_in = (uInt)len,
                  .next_out = out + magic_len + 4,
                  .avail_out = (uInt)room};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    struct view copy = exact_copy((struct view){out, magic_len + 4 + z.total_out});
    (void)deflateEnd(&z);
    free(input);
    free(out);
    return copy;
}

static void content(uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t)(i * i >> 5);
}

static void what_was_deflated_comes_back(void **state)
{
    (void)state;
    static uint8_t data[100000];
    static const size_t lens[] = {1, 2, 1000, sizeof data};
    content(data, sizeof data);
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        struct arena arena;
        struct view out, blob = deflated("MPDB", (uint32_t)lens[i], data, lens[i]);
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(embedded_pdb(&out, blob, &arena, NULL));
        assert_int_equal(out.len, lens[i]);
        assert_memory_equal(out.data, data, lens[i]);
        exact_free(blob);
        blob = deflated("", (uint32_t)lens[i], data, lens[i]);
        assert_true(embedded_source(&out, blob, &arena, NULL));
        assert_int_equal(out.len, lens[i]);
        assert_memory_equal(out.data, data, lens[i]);
        exact_free(blob);
        arena_free(&arena);
    }
}

static void source_of_length_zero_is_stored_as_it_is(void **state)
{
    (void)state;
    struct arena arena;
    struct view out, blob = exact_copy(BYTES_VIEW(0, 0, 0, 0, 't', 'e', 'x', 't'));
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(embedded_source(&out, blob, &arena, NULL));
    assert_int_equal(out.len, 4);
    assert_ptr_equal(out.data, blob.data + 4);
    exact_free(blob);
    arena_free(&arena);
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    uint8_t data[300];
    content(data, sizeof data);
    struct view whole = deflated("MPDB", sizeof data, data, sizeof data);
    for (size_t len = 0; len < whole.len; len++) {
        struct arena arena;
        struct err err = {.code = ERR_NONE};
        struct view out, cut = exact_copy((struct view){whole.data, len});
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_failed(embedded_pdb(&out, cut, &arena, &err), err, ERR_FORMAT);
        assert_null(out.data);
        exact_free(cut);
        arena_free(&arena);
    }
    exact_free(whole);
}

static void length_must_be_the_true_one(void **state)
{
    (void)state;
    uint8_t data[300];
    content(data, sizeof data);
    static const uint32_t lies[] = {1, 299, 301, 5000};
    for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
        struct arena arena;
        struct err err = {.code = ERR_NONE};
        struct view out, blob = deflated("MPDB", lies[i], data, sizeof data);
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_failed(embedded_pdb(&out, blob, &arena, &err), err, ERR_FORMAT);
        exact_free(blob);
        arena_free(&arena);
    }
}

static void absurd_lengths_get_no_memory(void **state)
{
    (void)state;
    static const struct {
        uint32_t len;
        enum err_code code;
    } cases[] = {
        {0, ERR_UNSUPPORTED}, /* reserved, as is the highest bit */
        {0x80000000, ERR_UNSUPPORTED}, {UINT32_MAX, ERR_UNSUPPORTED}, {INT32_MAX, ERR_LIMIT},
        {EMBEDDED_LEN_MAX, ERR_LIMIT}, /* some bytes cannot inflate to a GiB */
        {1000000, ERR_LIMIT},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arena arena;
        struct err err = {.code = ERR_NONE};
        struct view out, blob = deflated("MPDB", cases[i].len, BYTES(1, 2, 3), 3);
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_failed(embedded_pdb(&out, blob, &arena, &err), err, cases[i].code);
        assert_int_equal(arena.used, 0);
        exact_free(blob);
        blob = deflated("", cases[i].len != 0 ? cases[i].len : UINT32_MAX, BYTES(1, 2, 3), 3);
        assert_failed(embedded_source(&out, blob, &arena, &err), err, cases[i].code);
        assert_int_equal(arena.used, 0);
        exact_free(blob);
        arena_free(&arena);
    }
}

static void bytes_that_are_not_deflate_data_are_refused(void **state)
{
    (void)state;
    struct arena arena;
    struct err err = {.code = ERR_NONE};
    struct view out;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct view blob =
        exact_copy(BYTES_VIEW('M', 'P', 'D', 'B', 9, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF));
    assert_failed(embedded_pdb(&out, blob, &arena, &err), err, ERR_FORMAT);
    exact_free(blob);
    blob = exact_copy(BYTES_VIEW('M', 'P', 'D', 'C', 9, 0, 0, 0, 0x4B, 0x04, 0));
    err.code = ERR_NONE;
    assert_failed(embedded_pdb(&out, blob, &arena, &err), err, ERR_FORMAT);
    exact_free(blob);
    arena_free(&arena);
}

static void limit_of_the_arena_is_kept(void **state)
{
    (void)state;
    uint8_t data[1000];
    content(data, sizeof data);
    struct arena arena;
    struct err err = {.code = ERR_NONE};
    struct view out, blob = deflated("MPDB", sizeof data, data, sizeof data);
    arena_init(&arena, NULL, 0, 999);
    assert_failed(embedded_pdb(&out, blob, &arena, &err), err, ERR_LIMIT);
    exact_free(blob);
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_deflated_comes_back),
    cmocka_unit_test(source_of_length_zero_is_stored_as_it_is),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(length_must_be_the_true_one),
    cmocka_unit_test(absurd_lengths_get_no_memory),
    cmocka_unit_test(bytes_that_are_not_deflate_data_are_refused),
    cmocka_unit_test(limit_of_the_arena_is_kept),
};
UNIT_TESTS(tests);

/* test_heaps.c - the metadata root finds its streams; heap items never reach beyond their heap. */
#include "metadata/heaps.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

static void root_gives_version_heaps_and_tables(void **state)
{
    (void)state;
    for (unsigned wide = 0; wide < 2; wide++) {
        struct image image;
        struct metadata md;
        struct err err;
        image_begin(&image);
        image_sample(&image);
        image.wide = wide != 0;
        uint32_t text = image_user_string(&image, "hello");
        struct view root = exact_copy(image_metadata(&image));
        assert_true(metadata_open(&md, root, &err));
        assert_str(md.version, "v4.0.30319");
        assert_int_equal(tables_rows(&md.tables, TABLE_MethodDef), 5);
        assert_str(heap_string(&md, tables_get(&md.tables, COL_Assembly_Name, 1)), "Sample");
        assert_int_equal(heap_guid(&md, tables_get(&md.tables, COL_Module_Mvid, 1))[15], 16);
        struct view blob = heap_blob(&md, tables_get(&md.tables, COL_Field_Signature, 1));
        assert_int_equal(blob.len, 2);
        assert_memory_equal(blob.data, BYTES(0x06, 0x08), 2);
        struct view user = heap_user_string(&md, text);
        assert_int_equal(user.len, 10);
        assert_memory_equal(user.data, "h\0e\0l\0l\0o\0", 10);
        assert_null(md.pdb_stream.data);
        exact_free(root);
        image_free(&image);
    }
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    struct image image;
    image_begin(&image);
    image_sample(&image);
    struct view root = image_metadata(&image);
    for (size_t len = 0; len < root.len; len++) {
        struct err err = {.code = ERR_NONE};
        struct metadata md;
        struct view cut = exact_copy((struct view){root.data, len});
        assert_failed(metadata_open(&md, cut, &err), err, ERR_FORMAT);
        exact_free(cut);
    }
    image_free(&image);
}

static void items_outside_their_heap_are_empty(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x00, 0x03, 'a', 'b', 'c', 0x80, 0x04, 'd', 'e', 0xE0, 0x05};
    struct view heap = exact_copy(VIEW(bytes));
    struct metadata md = {.strings = heap, .blobs = heap, .user_strings = heap, .guids = heap};
    const struct {
        uint32_t offset;
        size_t blob_len;
        bool blob;
    } cases[] = {
        {0, 0, true},                 /* the empty item */
        {1, 3, true},   {5, 4, true}, /* 0x80 0x04: length 4, and 4 are left */
        {6, 4, true},                 /* the middle of an item: bytes are bytes */
        {7, 0, false},                /* 'd' = 100 bytes, 3 left */
        {9, 0, false},                /* no length begins with 0xE0 */
        {10, 0, false},               /* 5 bytes, none left */
        {11, 0, false}, {UINT32_MAX, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct view blob = heap_blob(&md, cases[i].offset);
        assert_int_equal(blob.len, cases[i].blob_len);
        assert_int_equal(blob.data != NULL, cases[i].blob);
    }
    assert_int_equal(heap_user_string(&md, 1).len, 2); /* the flag byte is left out */
    assert_int_equal(heap_user_string(&md, 11).len, 0);
    assert_int_equal(heap_string(&md, 11).len, 0);
    assert_int_equal(heap_string(&md, UINT32_MAX).len, 0);
    assert_int_equal(heap_string(&md, 0).len, 0);
    assert_int_equal(heap_string(&md, 1).len, 10); /* no NUL: to the end and not beyond */
    assert_null(heap_guid(&md, 0));
    assert_null(heap_guid(&md, 1)); /* 11 bytes hold no GUID */
    exact_free(heap);
}

static void guids_count_from_one(void **state)
{
    (void)state;
    uint8_t bytes[40] = {[0] = 1, [16] = 2, [32] = 3};
    struct metadata md = {.guids = VIEW(bytes)};
    assert_ptr_equal(heap_guid(&md, 1), bytes);
    assert_ptr_equal(heap_guid(&md, 2), bytes + 16);
    assert_null(heap_guid(&md, 3)); /* only half there */
    assert_null(heap_guid(&md, UINT32_MAX));
}

static void missing_heaps_are_empty(void **state)
{
    (void)state;
    struct metadata md = {0};
    assert_int_equal(heap_string(&md, 0).len, 0);
    assert_int_equal(heap_blob(&md, 0).len, 0);
    assert_int_equal(heap_user_string(&md, 0).len, 0);
    assert_null(heap_guid(&md, 1));
}

static void uncompressed_and_delta_metadata_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"#-", "#JTD"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct image image;
        struct metadata md;
        struct err err;
        image_begin(&image);
        image_sample(&image);
        image.tables_name = names[i];
        assert_failed(metadata_open(&md, image_metadata(&image), &err), err, ERR_UNSUPPORTED);
        assert_non_null(strstr(err.text, names[i]));
        image_free(&image);
    }
}

/* The root as far as its stream headers: signature, versions, version text, flags, count. */
#define ROOT_HEAD(count)                                                                           \
    'B', 'S', 'J', 'B', 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 'v', '4', 0, 0, 0, 0, (count), 0

/* clang-format off */
static const struct {
    const char *name;
    uint8_t bytes[96];
    size_t len;
} bad_roots[] = {
    {"nothing", {0}, 0},
    {"wrong signature", {'B', 'S', 'J', 'C', 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 'v', '4', 0, 0, 0, 0, 0, 0}, 24},
    {"version of 257 bytes", {'B', 'S', 'J', 'B', 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0}, 96},
    {"version of 4 GiB", {'B', 'S', 'J', 'B', 1, 0, 1, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}, 96},
    {"no streams", {ROOT_HEAD(0)}, 24},
    {"a stream fewer than counted", {ROOT_HEAD(1)}, 24},
    {"stream without a name", {ROOT_HEAD(1), 0, 0, 0, 0, 0, 0, 0, 0}, 32},
    {"stream name without end", {ROOT_HEAD(1), 0, 0, 0, 0, 0, 0, 0, 0, '#', '~', 'a', 'b'}, 36},
    {"stream name of 32 bytes", {ROOT_HEAD(1), 0, 0, 0, 0, 0, 0, 0, 0, '#', 'a', 'a', 'a', 'a', 'a', 'a',
        'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a',
        'a', 'a', 'a', 'a', 0}, 96},
    {"stream beyond the end", {ROOT_HEAD(1), 37, 0, 0, 0, 0, 0, 0, 0, '#', '~', 0, 0}, 36},
    {"stream longer than the rest", {ROOT_HEAD(1), 36, 0, 0, 0, 1, 0, 0, 0, '#', '~', 0, 0}, 36},
    {"stream whose end overflows", {ROOT_HEAD(1), 8, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, '#', '~', 0, 0}, 36},
    {"tables of no bytes", {ROOT_HEAD(1), 36, 0, 0, 0, 0, 0, 0, 0, '#', '~', 0, 0}, 36},
    {"the same stream twice", {ROOT_HEAD(2), 48, 0, 0, 0, 24, 0, 0, 0, '#', '~', 0, 0,
        48, 0, 0, 0, 24, 0, 0, 0, '#', '~', 0, 0}, 72},
    {"unknown stream alone", {ROOT_HEAD(1), 0, 0, 0, 0, 0, 0, 0, 0, '#', '!', 0, 0}, 36},
    {"#Pdb too short", {ROOT_HEAD(2), 24, 0, 0, 0, 24, 0, 0, 0, '#', 'P', 'd', 'b', 0, 0, 0, 0,
        24, 0, 0, 0, 24, 0, 0, 0, '#', '~', 0, 0}, 52},
};
/* clang-format on */

static void bad_roots_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_roots); i++) {
        struct err err = {.code = ERR_NONE};
        struct metadata md;
        struct view root = exact_copy((struct view){bad_roots[i].bytes, bad_roots[i].len});
        bool opened = metadata_open(&md, root, &err);
        if (opened)
            print_error("%s: opened\n", bad_roots[i].name);
        assert_failed(opened, err, ERR_FORMAT);
        exact_free(root);
    }
}

static void version_is_at_most_256_bytes(void **state)
{
    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        uint8_t bytes[16 + 260 + 4 + 12 + 24] = {'B', 'S', 'J', 'B', 1, 0, 1, 0};
        uint32_t version_len = 256 + 4 * extra;
        uint8_t *p = bytes + 16 + version_len; /* flags, count, "#~" */
        store_u32(bytes + 12, version_len);
        memset(bytes + 16, 'v', version_len);
        store_u16(p + 2, 1);
        store_u32(p + 4, (uint32_t)(sizeof bytes - 24));
        store_u32(p + 8, 24);
        memcpy(p + 12, "#~", 3);
        struct metadata md;
        struct err err = {.code = ERR_NONE};
        bool opened = metadata_open(&md, VIEW(bytes), &err);
        if (extra == 0)
            assert_true(opened && md.version.len == 256);
        else
            assert_failed(opened, err, ERR_FORMAT);
    }
}

static void stream_that_we_do_not_know_is_skipped(void **state)
{
    (void)state;
    /* "#!" of 0 bytes, then "#~" without a table */
    static const uint8_t bytes[72] = {ROOT_HEAD(2), 48, 0, 0, 0,  0, 0, 0, 0,   '#', '!', 0, 0,
                                      48,           0,  0, 0, 24, 0, 0, 0, '#', '~', 0,   0};
    struct metadata md;
    struct err err;
    struct view root = exact_copy(VIEW(bytes));
    assert_true(metadata_open(&md, root, &err));
    assert_int_equal(md.tables.present, 0);
    exact_free(root);
}

static void pdb_stream_gives_the_row_counts_of_the_module(void **state)
{
    (void)state;
    struct image image;
    struct metadata md;
    struct err err;
    image_begin(&image);
    image.is_pdb = true;
    image.foreign_rows[TABLE_TypeDef] = 7;
    image.foreign_rows[TABLE_MethodDef] = 70000;
    struct view root = exact_copy(image_metadata(&image));
    assert_true(metadata_open(&md, root, &err));
    assert_int_equal(md.pdb_stream.len, 32 + 2 * 4);
    assert_int_equal(tables_rows(&md.tables, TABLE_TypeDef), 7);
    assert_int_equal(tables_rows(&md.tables, TABLE_MethodDef), 70000);
    assert_int_equal(tables_get(&md.tables, COL_TypeDef_Flags, 1), 0);
    assert_int_equal(tables_find(&md.tables, COL_TypeDef_Flags, 0), 0);
    exact_free(root);
    image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(root_gives_version_heaps_and_tables),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(items_outside_their_heap_are_empty),
    cmocka_unit_test(guids_count_from_one),
    cmocka_unit_test(missing_heaps_are_empty),
    cmocka_unit_test(uncompressed_and_delta_metadata_are_named),
    cmocka_unit_test(bad_roots_are_refused),
    cmocka_unit_test(version_is_at_most_256_bytes),
    cmocka_unit_test(stream_that_we_do_not_know_is_skipped),
    cmocka_unit_test(pdb_stream_gives_the_row_counts_of_the_module),
};
UNIT_TESTS(tests);

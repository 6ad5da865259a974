/* test_pe.c - flat and mapped images give the same views; broken headers, RVAs and debug entries
 * are refused. */
#include "metadata/pe.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

enum {
    AT_PE_OFFSET = 0x3C,
    AT_SIGNATURE = 0x80,
    AT_FILE_HEADER = 0x84,
    AT_OPTIONAL = 0x98
};
enum {
    AT_SECTION_HEADER = AT_OPTIONAL + 96 + 16 * 8
};

/* An image with a CodeView entry, built in `image`. */
static struct view sample(struct image *image, bool mapped, bool pe32_plus)
{
    image_begin(image);
    image_sample(image);
    image->pe32_plus = pe32_plus;
    return image_pe(image, mapped);
}

static struct view patched(struct view image, size_t at, uint32_t value)
{
    struct view copy = exact_copy(image);
    store_u32((uint8_t *)(uintptr_t)copy.data + at, value);
    return copy;
}

static void both_layouts_and_widths_lead_to_the_same_metadata(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct image image;
        struct err err;
        struct pe pe;
        bool mapped = (i & 1) != 0, plus = (i & 2) != 0;
        struct view bytes = exact_copy(sample(&image, mapped, plus));
        assert_true(pe_open(&pe, bytes, mapped, &err));
        assert_int_equal(pe.machine, 0x14C);
        assert_int_equal(pe.timestamp, 0x12345678);
        assert_int_equal(pe.pe32_plus, plus);
        assert_int_equal(pe.section_count, 1);
        assert_int_equal(pe.cli_flags, 1);
        assert_int_equal(load_u32(pe.metadata.data), 0x424A5342);
        assert_false(pe.ready_to_run);
        assert_memory_equal(pe_at(&pe, IMAGE_SECTION_RVA + 72).data, BYTES(0x06, 0x2A), 2);
        exact_free(bytes);
        image_free(&image);
    }
}

static void rva_outside_every_section_leads_nowhere(void **state)
{
    (void)state;
    struct image image;
    struct err err;
    struct pe pe;
    struct view bytes = exact_copy(sample(&image, false, false));
    uint32_t end = IMAGE_SECTION_RVA + (uint32_t)(bytes.len - IMAGE_SECTION_OFFSET);
    const uint32_t rvas[] = {0, 1, IMAGE_SECTION_RVA - 1, end, end + 1, UINT32_MAX};
    assert_true(pe_open(&pe, bytes, false, &err));
    for (size_t i = 0; i < ARRAY_LEN(rvas); i++) {
        assert_null(pe_at(&pe, rvas[i]).data);
        assert_int_equal(pe_at(&pe, rvas[i]).len, 0);
    }
    assert_int_equal(pe_at(&pe, end - 1).len, 1);
    assert_int_equal(pe_at(&pe, IMAGE_SECTION_RVA).len, end - IMAGE_SECTION_RVA);
    exact_free(bytes);
    image_free(&image);
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        struct image image;
        struct view bytes = sample(&image, mapped != 0, false);
        for (size_t len = 0; len < bytes.len; len++) {
            struct err err = {.code = ERR_NONE};
            struct pe pe;
            struct view cut = exact_copy((struct view){bytes.data, len});
            /* The metadata ends the section, and its own end is padding that nobody misses. */
            assert_failed(pe_open(&pe, cut, mapped != 0, &err), err, ERR_FORMAT);
            exact_free(cut);
        }
        image_free(&image);
    }
}

static const struct {
    const char *name;
    size_t at;
    uint32_t value;
    enum err_code code;
} broken[] = {
    {"no MZ", 0, 0x00004D5A, ERR_FORMAT},
    {"PE header beyond the end", AT_PE_OFFSET, 0xFFFFFFFF, ERR_FORMAT},
    {"PE header at the end", AT_PE_OFFSET, 0x10000, ERR_FORMAT},
    {"no PE signature", AT_SIGNATURE, 0x00004551, ERR_FORMAT},
    {"97 sections", AT_FILE_HEADER, 97 << 16, ERR_FORMAT},
    {"65535 sections", AT_FILE_HEADER, 0xFFFF014C, ERR_FORMAT},
    {"optional header of no bytes", AT_FILE_HEADER + 16, 0, ERR_FORMAT},
    {"optional header of a ROM", AT_OPTIONAL, 0x107, ERR_FORMAT},
    {"no CLI header", AT_OPTIONAL + 96 + 14 * 8, 0, ERR_UNSUPPORTED},
    {"no directories", AT_OPTIONAL + 92, 0, ERR_UNSUPPORTED},
    {"14 directories", AT_OPTIONAL + 92, 14, ERR_UNSUPPORTED},
    {"CLI header in no section", AT_OPTIONAL + 96 + 14 * 8, 0xFFFFFFF0, ERR_FORMAT},
    {"section beyond the end", AT_SECTION_HEADER + 20, 0xFFFFFFFF, ERR_FORMAT},
    {"section of no bytes", AT_SECTION_HEADER + 16, 0, ERR_FORMAT},
    {"metadata in no section", IMAGE_SECTION_OFFSET + 8, 1, ERR_FORMAT},
    {"metadata longer than its section", IMAGE_SECTION_OFFSET + 12, 0xFFFFFFFF, ERR_FORMAT},
};

static void broken_headers_are_refused_by_name(void **state)
{
    (void)state;
    struct image image;
    struct view bytes = sample(&image, false, false);
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        struct err err = {.code = ERR_NONE};
        struct pe pe;
        struct view copy = patched(bytes, broken[i].at, broken[i].value);
        bool opened = pe_open(&pe, copy, false, &err);
        if (opened || err.code != broken[i].code)
            print_error("%s: %s\n", broken[i].name, opened ? "opened" : err.text);
        assert_failed(opened, err, broken[i].code);
        exact_free(copy);
    }
    image_free(&image);
}

static void more_directories_than_the_header_has_are_not_read(void **state)
{
    (void)state;
    struct image image;
    struct err err;
    struct pe pe;
    struct view copy = patched(sample(&image, false, false), AT_OPTIONAL + 92, 0xFFFFFFFF);
    assert_true(pe_open(&pe, copy, false, &err));
    exact_free(copy);
    image_free(&image);
}

static void expect_inside(void *context, struct view part)
{
    const struct view *image = context;
    if (part.len == 0)
        return;
    assert_true(part.data >= image->data);
    assert_true((size_t)(part.data - image->data) <= image->len);
    assert_true(part.len <= image->len - (size_t)(part.data - image->data));
}

/* Every byte of the headers set to every one of a few values: whatever comes of it, no overrun. */
static void no_byte_of_the_headers_leads_outside(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    struct image image;
    struct view bytes = sample(&image, false, false);
    struct view copy = exact_copy(bytes);
    uint8_t *data = (uint8_t *)(uintptr_t)copy.data;
    for (size_t at = 0; at < IMAGE_SECTION_OFFSET + 72; at++) {
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            struct pe pe;
            struct pe_debug debug;
            size_t len = 0;
            data[at] = values[i];
            for (unsigned mapped = 0; mapped < 2; mapped++) {
                if (pe_open(&pe, copy, mapped != 0, NULL)) {
                    pe_read_debug(&debug, &pe);
                    pe_visit_parts(&pe, expect_inside, &copy);
                    expect_inside(&copy, pe.metadata);
                    expect_inside(&copy, debug.pdb_path);
                    expect_inside(&copy, debug.embedded);
                    expect_inside(&copy, debug.checksum);
                }
                (void)!pe_image_len(&len, copy.data, copy.len, mapped != 0, NULL);
            }
        }
        data[at] = bytes.data[at];
    }
    exact_free(copy);
    image_free(&image);
}

static void image_length_comes_from_the_headers_alone(void **state)
{
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        struct image image;
        struct err err;
        size_t len = 0;
        struct view bytes = sample(&image, mapped != 0, false);
        struct view headers = exact_copy((struct view){bytes.data, AT_SECTION_HEADER + 40});
        assert_true(pe_image_len(&len, headers.data, headers.len, mapped != 0, &err));
        assert_int_equal(len, bytes.len);
        assert_failed(pe_image_len(&len, headers.data, headers.len - 1, mapped != 0, &err), err,
                      ERR_FORMAT);
        exact_free(headers);
        image_free(&image);
    }
}

static void ready_to_run_header_is_seen(void **state)
{
    (void)state;
    static const uint8_t plain[] = {'R', 'T', 'R', 0, 9, 0, 1, 0, 0x03, 0, 0, 0};
    static const uint8_t component[] = {'R', 'T', 'R', 0, 9, 0, 1, 0, 0x23, 0, 0, 0};
    static const uint8_t other[] = {'N', 'G', 'E', 'N', 9, 0, 1, 0, 0x20, 0, 0, 0};
    const struct {
        const uint8_t *header;
        bool ready_to_run, composite;
    } cases[] = {{plain, true, false}, {component, true, true}, {other, false, false}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct image image;
        struct pe pe;
        struct err err;
        image_begin(&image);
        image_sample(&image);
        image.native_rva = image_body(&image, cases[i].header, sizeof plain);
        struct view bytes = exact_copy(image_pe(&image, false));
        assert_true(pe_open(&pe, bytes, false, &err));
        assert_int_equal(pe.ready_to_run, cases[i].ready_to_run);
        assert_int_equal(pe.composite_component, cases[i].composite);
        exact_free(bytes);
        image_free(&image);
    }
}

/* "RSDS", GUID of sixteen 0x11, age, path. */
#define RSDS(fill, ...)                                                                            \
    BYTES_VIEW('R', 'S', 'D', 'S', fill, fill, fill, fill, fill, fill, fill, fill, fill, fill,     \
               fill, fill, fill, fill, fill, fill, 1, 0, 0, 0, __VA_ARGS__)

static struct pe_debug read_debug(struct image *image, bool mapped, struct view *copy)
{
    struct pe pe;
    struct pe_debug debug;
    *copy = exact_copy(image_pe(image, mapped));
    assert_true(pe_open(&pe, *copy, mapped, NULL));
    pe_read_debug(&debug, &pe);
    return debug;
}

static void debug_entries_are_read_in_both_layouts(void **state)
{
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        struct image image;
        struct view copy;
        image_begin(&image);
        image_sample(&image);
        image_add_debug(&image, 2, 0xCAFE, 0x504D, RSDS(0x11, 'a', '.', 'p', 'd', 'b', 0, 'x'));
        image_add_debug(&image, 16, 0, 0, (struct view){NULL, 0});
        image_add_debug(&image, 17, 0, 0x100, BYTES_VIEW('M', 'P', 'D', 'B', 9, 0, 0, 0, 1, 2));
        image_add_debug(&image, 19, 0, 0, BYTES_VIEW('S', 'H', 'A', '2', '5', '6', 0, 7, 8, 9));
        struct pe_debug debug = read_debug(&image, mapped != 0, &copy);
        assert_true(debug.has_entries && debug.has_codeview && debug.portable &&
                    debug.reproducible);
        assert_int_equal(debug.pdb_stamp, 0xCAFE);
        assert_int_equal(debug.pdb_guid[0], 0x11);
        assert_int_equal(debug.pdb_guid[15], 0x11);
        assert_str(((struct str){(const char *)debug.pdb_path.data, debug.pdb_path.len}), "a.pdb");
        assert_int_equal(debug.embedded.len, 10);
        assert_int_equal(debug.checksum_name.len, 6);
        assert_int_equal(debug.checksum.len, 3);
        assert_int_equal(debug.checksum.data[0], 7);
        exact_free(copy);
        image_free(&image);
    }
}

static void image_without_debug_directory_has_no_entries(void **state)
{
    (void)state;
    struct image image;
    struct view copy;
    image_begin(&image);
    image_sample(&image);
    struct pe_debug debug = read_debug(&image, false, &copy);
    assert_false(debug.has_entries || debug.has_codeview || debug.portable || debug.reproducible);
    assert_null(debug.embedded.data);
    assert_null(debug.checksum_name.data);
    exact_free(copy);
    image_free(&image);
}

static void portable_codeview_entry_wins_over_that_of_native_code(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        struct image image;
        struct view copy;
        image_begin(&image);
        image_sample(&image);
        for (unsigned i = 0; i < 2; i++) {
            bool portable = i == first;
            image_add_debug(&image, 2, portable ? 1 : 2, portable ? 0x504D : 0,
                            portable ? RSDS(0x11, 'p', 0) : RSDS(0x22, 'n', 0));
        }
        struct pe_debug debug = read_debug(&image, false, &copy);
        assert_true(debug.portable);
        assert_int_equal(debug.pdb_stamp, 1);
        assert_int_equal(debug.pdb_guid[0], 0x11);
        exact_free(copy);
        image_free(&image);
    }
}

static const struct {
    const char *name;
    uint32_t type;
    struct {
        uint8_t data[24];
        size_t len;
    } entry;
} bad_entries[] = {
    {"CodeView of another kind", 2, {{'N', 'B', '1', '0', 0}, 24}},
    {"CodeView cut in its age", 2, {{'R', 'S', 'D', 'S', 0}, 23}},
    {"CodeView of no bytes", 2, {{0}, 0}},
    {"embedded PDB without MPDB", 17, {{'M', 'P', 'D', 'C', 1, 0, 0, 0}, 8}},
    {"embedded PDB of 3 bytes", 17, {{'M', 'P', 'D'}, 3}},
    {"checksum without end of its name", 19, {{'S', 'H', 'A'}, 3}},
    {"checksum of no bytes", 19, {{0}, 0}},
};

static void entry_that_does_not_parse_is_as_if_absent(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_entries); i++) {
        struct image image;
        struct view copy;
        image_begin(&image);
        image_sample(&image);
        image_add_debug(&image, bad_entries[i].type, 1, 0x504D,
                        (struct view){bad_entries[i].entry.data, bad_entries[i].entry.len});
        struct pe_debug debug = read_debug(&image, false, &copy);
        assert_true(debug.has_entries);
        assert_false(debug.has_codeview);
        assert_null(debug.embedded.data);
        assert_null(debug.checksum_name.data);
        exact_free(copy);
        image_free(&image);
    }
}

/* The debug directory's entry 0 claims other data than the builder wrote: length, RVA, file
 * offset. */
static struct pe_debug read_debug_patched(struct image *image, bool mapped, unsigned field,
                                          uint32_t value)
{
    struct pe pe;
    struct pe_debug debug;
    struct view copy = exact_copy(image_pe(image, mapped));
    assert_true(pe_open(&pe, copy, mapped, NULL));
    store_u32((uint8_t *)(uintptr_t)pe_at(&pe, pe.debug_rva).data + field, value);
    pe_read_debug(&debug, &pe);
    exact_free(copy);
    return debug;
}

static void entry_whose_data_lies_outside_is_as_if_absent(void **state)
{
    (void)state;
    enum {
        LEN = 16,
        RVA = 20,
        FILE_OFFSET = 24
    };
    static const struct {
        bool mapped;
        unsigned field;
        uint32_t value;
    } cases[] = {
        {false, LEN, 0x10000},
        {false, LEN, UINT32_MAX},
        {true, LEN, 0x10000},
        {true, LEN, UINT32_MAX},
        {false, FILE_OFFSET, UINT32_MAX},
        {false, FILE_OFFSET, 0x10000},
        {true, RVA, UINT32_MAX},
        {true, RVA, 0},
        {false, LEN, 3},
        {true, LEN, 3}, /* "MPD" is no MPDB, even where a B follows */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct image image;
        image_begin(&image);
        image_sample(&image);
        image_add_debug(&image, 17, 0, 0x100, BYTES_VIEW('M', 'P', 'D', 'B', 1, 0, 0, 0));
        struct pe_debug debug =
            read_debug_patched(&image, cases[i].mapped, cases[i].field, cases[i].value);
        assert_true(debug.has_entries);
        assert_null(debug.embedded.data);
        image_free(&image);
    }
}

static void codeview_path_may_lack_its_nul(void **state)
{
    (void)state;
    struct image image;
    struct view copy;
    image_begin(&image);
    image_sample(&image);
    image_add_debug(&image, 2, 1, 0x504D, RSDS(0x11, 'a', 'b'));
    struct pe_debug debug = read_debug(&image, false, &copy);
    assert_int_equal(debug.pdb_path.len, 2);
    exact_free(copy);
    image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_layouts_and_widths_lead_to_the_same_metadata),
    cmocka_unit_test(rva_outside_every_section_leads_nowhere),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(broken_headers_are_refused_by_name),
    cmocka_unit_test(more_directories_than_the_header_has_are_not_read),
    cmocka_unit_test(no_byte_of_the_headers_leads_outside),
    cmocka_unit_test(image_length_comes_from_the_headers_alone),
    cmocka_unit_test(ready_to_run_header_is_seen),
    cmocka_unit_test(debug_entries_are_read_in_both_layouts),
    cmocka_unit_test(image_without_debug_directory_has_no_entries),
    cmocka_unit_test(portable_codeview_entry_wins_over_that_of_native_code),
    cmocka_unit_test(entry_that_does_not_parse_is_as_if_absent),
    cmocka_unit_test(entry_whose_data_lies_outside_is_as_if_absent),
    cmocka_unit_test(codeview_path_may_lack_its_nul),
};
UNIT_TESTS(tests);

/* test_sig.c - signatures of II.23.2 end where they should, and malformed ones are refused at every
 * byte. */
#include "metadata/sig.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

/* clang-format off */
static const struct {
    const char *name;
    uint8_t bytes[16];
    size_t len;
} types[] = {
    {"int32", {0x08}, 1},
    {"string", {0x0E}, 1},
    {"typedbyref", {0x16}, 1},
    {"int32*", {0x0F, 0x08}, 2},
    {"void*", {0x0F, 0x01}, 2},
    {"int32&", {0x10, 0x08}, 2},
    {"class, token of 1 byte", {0x12, 0x49}, 2},
    {"valuetype, token of 2 bytes", {0x11, 0x80, 0x81}, 3},
    {"class, token of 4 bytes", {0x12, 0xC0, 0x00, 0x40, 0x05}, 5},
    {"!0", {0x13, 0x00}, 2},
    {"!!200", {0x1E, 0x80, 0xC8}, 3},
    {"int32[]", {0x1D, 0x08}, 2},
    {"int32[,]", {0x14, 0x08, 2, 0, 0}, 5},
    {"int32[7] of II.23.2.13", {0x14, 0x08, 1, 1, 7, 1, 0}, 7},
    {"int32[0...3, -2...6,,,,] likewise", {0x14, 0x08, 6, 2, 4, 9, 2, 0, 0x7D}, 9},
    {"int32[7,]: a size, no bounds", {0x14, 0x08, 2, 1, 7, 0}, 6},
    {"int32[-2...,]: no size, a bound", {0x14, 0x08, 2, 0, 1, 0x7D}, 6},
    {"List<int32>", {0x15, 0x12, 0x09, 1, 0x08}, 5},
    {"Dictionary<string, List<!0>>", {0x15, 0x12, 0x0D, 2, 0x0E, 0x15, 0x12, 0x09, 1, 0x13, 0}, 11},
    {"modreq int32", {0x1F, 0x09, 0x08}, 3},
    {"modopt modreq int32&", {0x20, 0x09, 0x1F, 0x0D, 0x10, 0x08}, 6},
    {"int32 modreq &", {0x10, 0x1F, 0x09, 0x08}, 4},
    {"pinned string", {0x45, 0x0E}, 2},
    {"sentinel int32", {0x41, 0x08}, 2},
    {"method void *(int32, string)", {0x1B, 0x00, 2, 0x01, 0x08, 0x0E}, 6},
    {"method !!0 *() of a generic one", {0x1B, 0x10, 1, 0, 0x1E, 0}, 6},
};

static const struct {
    const char *name;
    uint8_t bytes[8];
    size_t len;
} bad_types[] = {
    {"END", {0x00}, 1},
    {"0x17, which nothing is", {0x17, 0x08}, 2},
    {"INTERNAL, which no file holds", {0x21, 0, 0, 0, 0}, 5},
    {"0x55", {0x55}, 1},
    {"token that begins with 0xFF", {0x12, 0xFF}, 2},
    {"generic with 2^29 - 1 arguments", {0x15, 0x12, 0x09, 0xDF, 0xFF, 0xFF, 0xFF, 0x08}, 8},
    {"array with 2^29 - 1 sizes", {0x14, 0x08, 0x02, 0xDF, 0xFF, 0xFF, 0xFF, 0x00}, 8},
    {"method with 2^29 - 1 parameters", {0x1B, 0x00, 0xDF, 0xFF, 0xFF, 0xFF, 0x01, 0x08}, 8},
};
/* clang-format on */

static void types_are_skipped_to_their_last_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct view bytes = exact_copy((struct view){types[i].bytes, types[i].len});
        struct reader r = rd_view(bytes);
        bool skipped = sig_skip_type(&r);
        if (!skipped || rd_left(&r) != 0)
            print_error("%s\n", types[i].name);
        assert_true(skipped);
        assert_int_equal(rd_left(&r), 0);
        exact_free(bytes);
    }
}

static void elements_are_those_of_the_type_and_no_other_bytes(void **state)
{
    (void)state;
    /* Dictionary<valuetype 0x1C, string[0x12...]> with a modifier 0x1D; and after it int32 */
    struct view bytes = exact_copy(
        BYTES_VIEW(0x20, 0x1D, 0x15, 0x12, 0x13, 2, 0x11, 0x1C, 0x14, 0x0E, 1, 0, 1, 0x24, 0x08));
    struct reader r = rd_view(bytes);
    uint64_t elements;
    assert_true(sig_elements(&elements, &r));
    assert_int_equal(elements, 1u << ELEMENT_GENERICINST | 1u << ELEMENT_CLASS |
                                   1u << ELEMENT_VALUETYPE | 1u << ELEMENT_ARRAY |
                                   1u << ELEMENT_STRING);
    assert_true(sig_elements(&elements, &r));
    assert_int_equal(elements, 1u << ELEMENT_I4);
    assert_int_equal(rd_left(&r), 0);
    exact_free(bytes);
}

static void types_fail_at_every_truncation(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        for (size_t len = 0; len < types[i].len; len++) {
            struct view bytes = exact_copy((struct view){types[i].bytes, len});
            struct reader r = rd_view(bytes);
            assert_false(sig_skip_type(&r));
            assert_true(r.failed);
            exact_free(bytes);
        }
}

static void malformed_types_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_types); i++) {
        struct view bytes = exact_copy((struct view){bad_types[i].bytes, bad_types[i].len});
        struct reader r = rd_view(bytes);
        assert_false(sig_skip_type(&r));
        exact_free(bytes);
    }
}

static void nesting_ends_at_the_limit(void **state)
{
    (void)state;
    uint8_t bytes[100000];
    memset(bytes, ELEMENT_SZARRAY, sizeof bytes);
    struct reader deep = rd_open(bytes, sizeof bytes);
    assert_false(sig_skip_type(&deep));
    bytes[SIG_DEPTH_MAX - 1] = ELEMENT_I4;
    struct reader deepest = rd_open(bytes, SIG_DEPTH_MAX);
    assert_true(sig_skip_type(&deepest));
    bytes[SIG_DEPTH_MAX - 1] = ELEMENT_SZARRAY;
    bytes[SIG_DEPTH_MAX] = ELEMENT_I4;
    struct reader too_deep = rd_open(bytes, SIG_DEPTH_MAX + 1);
    assert_false(sig_skip_type(&too_deep));
}

static void method_signature_gives_its_parts(void **state)
{
    (void)state;
    /* instance !!0 modopt(9) F<1>(int32, string&) */
    struct view blob = exact_copy(BYTES_VIEW(0x30, 1, 2, 0x20, 0x09, 0x1E, 0, 0x08, 0x10, 0x0E));
    struct method_sig sig;
    struct err err;
    assert_true(sig_method(&sig, blob, &err));
    assert_int_equal(sig.flags, SIG_HAS_THIS | SIG_GENERIC);
    assert_int_equal(sig.generic_count, 1);
    assert_int_equal(sig.param_count, 2);
    assert_ptr_equal(sig.return_type.data, blob.data + 5);
    assert_int_equal(sig.return_type.len, 5);
    assert_ptr_equal(sig.params.data, blob.data + 7);
    assert_int_equal(sig.params.len, 3);
    exact_free(blob);
}

static void method_signature_fails_at_every_truncation_of_what_it_reads(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x10, 1, 3, 0x1F, 0x09, 0x1D, 0x0E, 0x08, 0x08, 0x08};
    for (size_t len = 0; len < sizeof bytes; len++) {
        struct err err = {.code = ERR_NONE};
        struct method_sig sig;
        struct view blob = exact_copy((struct view){bytes, len});
        bool read = sig_method(&sig, blob, &err);
        /* Parameters are not walked, only counted: two bytes behind the count are the return type.
         */
        if (len >= 8)
            assert_true(read);
        else
            assert_failed(read, err, ERR_FORMAT);
        exact_free(blob);
    }
}

static void only_methods_are_methods(void **state)
{
    (void)state;
    for (uint8_t kind = 0; kind < 16; kind++) {
        struct method_sig sig;
        bool method = sig_method(&sig, BYTES_VIEW(kind, 0, 1), NULL);
        assert_int_equal(method, kind <= 5 || kind == 9);
    }
    struct method_sig sig;
    struct err err;
    assert_failed(sig_method(&sig, (struct view){NULL, 0}, &err), err, ERR_FORMAT);
}

static void first_element_follows_modifiers_and_pinned(void **state)
{
    (void)state;
    assert_int_equal(sig_first_element(BYTES_VIEW(0x08)), ELEMENT_I4);
    assert_int_equal(sig_first_element(BYTES_VIEW(0x1F, 0x09, 0x45, 0x20, 0x0D, 0x10, 0x08)),
                     ELEMENT_BYREF);
    assert_int_equal(sig_first_element(BYTES_VIEW(0x1F, 0x09)), ELEMENT_END);
    assert_int_equal(sig_first_element(BYTES_VIEW(0x1F)), ELEMENT_END);
    assert_int_equal(sig_first_element((struct view){NULL, 0}), ELEMENT_END);
}

/* Opens the sample's metadata; the image is to be freed behind. */
static struct view open_sample(struct image *image, struct metadata *md)
{
    image_begin(image);
    image_sample(image);
    struct view root = exact_copy(image_metadata(image));
    assert_true(metadata_open(md, root, NULL));
    return root;
}

static void calls_lead_to_the_signature_of_their_method(void **state)
{
    (void)state;
    struct image image;
    struct metadata md;
    struct view root = open_sample(&image, &md);
    struct view generic = sig_of_call(&md, TOKEN(TABLE_MethodDef, SAMPLE_GENERIC));
    assert_int_equal(generic.data[0], 0x30);
    assert_ptr_equal(sig_of_call(&md, TOKEN(TABLE_MethodSpec, 1)).data, generic.data);
    assert_int_equal(sig_of_call(&md, TOKEN(TABLE_MemberRef, 1)).data[0], 0x20);
    assert_int_equal(sig_of_call(&md, TOKEN(TABLE_StandAloneSig, 1)).data[0], SIG_LOCALS);
    static const uint32_t nowhere[] = {0,          0x06000000, 0x06000006, 0x2B000002, 0x2B000000,
                                       0x0A0000FF, 0x04000001, 0xFFFFFFFF, 0x06FFFFFF};
    for (size_t i = 0; i < ARRAY_LEN(nowhere); i++)
        assert_int_equal(sig_of_call(&md, nowhere[i]).len, 0);
    exact_free(root);
    image_free(&image);
}

static void fields_lead_to_their_type(void **state)
{
    (void)state;
    struct image image;
    struct metadata md;
    struct view root = open_sample(&image, &md);
    assert_int_equal(sig_first_element(sig_of_field(&md, TOKEN(TABLE_Field, SAMPLE_FIELD_OUTER))),
                     ELEMENT_I4);
    assert_int_equal(sig_first_element(sig_of_field(&md, TOKEN(TABLE_Field, SAMPLE_FIELD_INNER))),
                     ELEMENT_STRING);
    static const uint32_t nowhere[] = {0, 0x04000000, 0x04000003, 0x0A000001, 0x06000001};
    for (size_t i = 0; i < ARRAY_LEN(nowhere); i++)
        assert_int_equal(sig_of_field(&md, nowhere[i]).len, 0);
    exact_free(root);
    image_free(&image);
}

static void locals_are_counted(void **state)
{
    (void)state;
    struct image image;
    struct metadata md;
    struct err err;
    struct view root = open_sample(&image, &md), locals;
    uint32_t count = 99;
    assert_true(sig_locals(&count, &locals, &md, TOKEN(TABLE_StandAloneSig, 1), &err));
    assert_int_equal(count, 2);
    assert_int_equal(sig_first_element(locals), ELEMENT_I4);
    assert_true(sig_locals(&count, &locals, &md, 0, &err));
    assert_int_equal(count, 0);
    static const uint32_t none[] = {0x11000000, 0x11000002, 0x06000001, 0x0A000001, 0x04000001};
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        assert_failed(sig_locals(&count, &locals, &md, none[i], &err), err, ERR_FORMAT);
    exact_free(root);
    image_free(&image);
}

static void more_locals_than_bytes_are_refused(void **state)
{
    (void)state;
    static const uint8_t many[] = {0x07, 0xDF, 0xFF, 0xFF, 0xFF, 0x08};
    struct image image;
    struct metadata md;
    struct err err;
    struct view locals;
    uint32_t count = 0;
    image_begin(&image);
    IMAGE_ROW(&image, StandAloneSig, image_blob(&image, many, sizeof many));
    struct view root = exact_copy(image_metadata(&image));
    assert_true(metadata_open(&md, root, NULL));
    assert_failed(sig_locals(&count, &locals, &md, 0x11000001, &err), err, ERR_FORMAT);
    exact_free(root);
    image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(types_are_skipped_to_their_last_byte),
    cmocka_unit_test(elements_are_those_of_the_type_and_no_other_bytes),
    cmocka_unit_test(types_fail_at_every_truncation),
    cmocka_unit_test(malformed_types_are_refused),
    cmocka_unit_test(nesting_ends_at_the_limit),
    cmocka_unit_test(method_signature_gives_its_parts),
    cmocka_unit_test(method_signature_fails_at_every_truncation_of_what_it_reads),
    cmocka_unit_test(only_methods_are_methods),
    cmocka_unit_test(first_element_follows_modifiers_and_pinned),
    cmocka_unit_test(calls_lead_to_the_signature_of_their_method),
    cmocka_unit_test(fields_lead_to_their_type),
    cmocka_unit_test(locals_are_counted),
    cmocka_unit_test(more_locals_than_bytes_are_refused),
};
UNIT_TESTS(tests);

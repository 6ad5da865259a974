/* test_names.c - tokens are spelled as a reader of IL would; cycles and bombs end at a limit. */
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

static void types_have_namespace_and_encloser(void **state)
{
    (void)state;
    static const struct {
        uint32_t token;
        const char *name;
    } cases[] = {
        {TOKEN(TABLE_TypeDef, SAMPLE_MODULE_TYPE), "<Module>"},
        {TOKEN(TABLE_TypeDef, SAMPLE_OUTER), "N.Outer`2"},
        {TOKEN(TABLE_TypeDef, SAMPLE_INNER), "N.Outer`2/Inner"},
        {TOKEN(TABLE_TypeRef, 1), "System.Object"},
        {TOKEN(TABLE_TypeRef, 3), "System.Collections.Generic.List`1/Enumerator"},
        {TOKEN(TABLE_TypeSpec, 1), "System.Collections.Generic.List`1<System.Int32>"},
    };
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str name = {NULL, 0};
        struct err err;
        assert_true(name_type(&name, &f->md, cases[i].token, &f->arena, &err));
        assert_str(name, cases[i].name);
        assert_int_equal(name.text[name.len], '\0');
    }
    metadata_fixture_end(f);
}

static void token_that_names_no_type_is_refused(void **state)
{
    (void)state;
    static const uint32_t tokens[] = {0,          0x02000000, 0x02000005, 0x01000000, 0x01000004,
                                      0x1B000000, 0x1B000002, 0x06000001, 0xFFFFFFFF};
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
        struct str name = {NULL, 0};
        struct err err = {.code = ERR_NONE};
        assert_failed(name_type(&name, &f->md, tokens[i], &f->arena, &err), err, ERR_FORMAT);
    }
    metadata_fixture_end(f);
}

static void methods_have_arity_and_signature(void **state)
{
    (void)state;
    static const struct {
        uint32_t rid;
        const char *name, *signature;
    } cases[] = {
        {SAMPLE_CONSTRUCTOR, ".ctor", "()"},
        {SAMPLE_GENERIC, "Generic`1", "(TKey,TMethod,System.Collections.Generic.List`1<TValue>)"},
        {SAMPLE_CONVERT, "op_Implicit", "(System.Int32):System.String"},
        {SAMPLE_ABSTRACT, "Abstract", "()"},
    };
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str name = {NULL, 0}, signature = {NULL, 0};
        struct err err;
        assert_true(name_method(&name, &f->md, cases[i].rid, &f->arena, &err));
        assert_true(name_method_signature(&signature, &f->md, cases[i].rid, &f->arena, &err));
        assert_str(name, cases[i].name);
        assert_str(signature, cases[i].signature);
    }
    metadata_fixture_end(f);
}

static void method_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    static const uint32_t rids[] = {0, 6, UINT32_MAX};
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(rids); i++) {
        struct str name = {NULL, 0};
        struct err err = {.code = ERR_NONE};
        assert_failed(name_method(&name, &f->md, rids[i], &f->arena, &err), err, ERR_FORMAT);
        err.code = ERR_NONE;
        assert_failed(name_method_signature(&name, &f->md, rids[i], &f->arena, &err), err,
                      ERR_FORMAT);
    }
    metadata_fixture_end(f);
}

/* clang-format off */
static const struct {
    const char *name;
    uint8_t bytes[16];
    size_t len;
} spelled[] = {
    {"System.Void", {0x01}, 1},
    {"System.Boolean", {0x02}, 1},
    {"System.Char", {0x03}, 1},
    {"System.SByte", {0x04}, 1},
    {"System.Byte", {0x05}, 1},
    {"System.UInt64", {0x0B}, 1},
    {"System.Single", {0x0C}, 1},
    {"System.Double", {0x0D}, 1},
    {"System.TypedReference", {0x16}, 1},
    {"System.IntPtr", {0x18}, 1},
    {"System.UIntPtr", {0x19}, 1},
    {"System.Object", {0x1C}, 1},
    {"System.Int32&", {0x10, 0x08}, 2},
    {"System.Void**", {0x0F, 0x0F, 0x01}, 3},
    {"System.Int32[][]", {0x1D, 0x1D, 0x08}, 3},
    {"System.Int32[,]", {0x14, 0x08, 2, 0, 0}, 5},
    {"System.Int32[*]", {0x14, 0x08, 1, 1, 7, 1, 0}, 7},
    {"System.Int32[,,,,,]", {0x14, 0x08, 6, 2, 4, 9, 2, 0, 0x7D}, 9},
    {"!3", {0x13, 3}, 2},
    {"!!0", {0x1E, 0}, 2},
    {"System.Object", {0x12, 1 << 2 | 1}, 2},
    {"N.Outer`2<System.String,!!1[]>", {0x15, 0x12, 2 << 2, 2, 0x0E, 0x1D, 0x1E, 1}, 8},
    {"System.Int32", {0x1F, 1 << 2 | 1, 0x20, 1 << 2 | 1, 0x08}, 5},
    {"System.String", {0x45, 0x0E}, 2},
    {"...,System.Int32", {0x41, 0x08}, 2},
    {"method System.Void *()", {0x1B, 0x00, 0, 0x01}, 4},
    {"method unmanaged System.Int32 *(System.String,!0)", {0x1B, 0x09, 2, 0x08, 0x0E, 0x13, 0}, 7},
    {"method unmanaged stdcall System.Void *()", {0x1B, 0x02, 0, 0x01}, 4},
};
/* clang-format on */

static void signatures_are_spelled_out(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(spelled); i++) {
        struct view bytes = exact_copy((struct view){spelled[i].bytes, spelled[i].len});
        struct reader r = rd_view(bytes);
        struct str name;
        struct err err;
        struct text text = text_in(&f->arena);
        assert_true(name_signature_type(&text, &f->md, &r, &err));
        assert_int_equal(rd_left(&r), 0);
        assert_true(text_take(&name, &text, &err));
        assert_str(name, spelled[i].name);
        exact_free(bytes);
    }
    metadata_fixture_end(f);
}

static void signatures_fail_at_every_truncation(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(spelled); i++)
        for (size_t len = 0; len < spelled[i].len; len++) {
            struct view bytes = exact_copy((struct view){spelled[i].bytes, len});
            struct reader r = rd_view(bytes);
            struct err err = {.code = ERR_NONE};
            struct text text = text_in(&f->arena);
            assert_failed(name_signature_type(&text, &f->md, &r, &err), err, ERR_FORMAT);
            exact_free(bytes);
        }
    metadata_fixture_end(f);
}

static void type_nested_in_itself_is_cut_at_the_limit(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_begin();
    uint32_t name = image_string(&f->image, "T");
    IMAGE_ROW(&f->image, TypeDef, 0, name, 0, 0, 1, 1);
    IMAGE_ROW(&f->image, TypeDef, 0, name, 0, 0, 1, 1);
    IMAGE_ROW(&f->image, NestedClass, 1, 2);
    IMAGE_ROW(&f->image, NestedClass, 2, 1);
    IMAGE_ROW(&f->image, TypeRef, 1 << 2 | 3, name, 0); /* its own scope */
    metadata_fixture_open(f);
    const uint32_t tokens[] = {TOKEN(TABLE_TypeDef, 1), TOKEN(TABLE_TypeRef, 1)};
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
        struct str taken;
        struct err err = {.code = ERR_NONE};
        assert_true(name_type(&taken, &f->md, tokens[i], &f->arena, &err));
        assert_true(str_starts(taken, "..."));
        assert_true(str_ends(taken, "/T/T/T"));
        assert_true(taken.len < 200);
    }
    metadata_fixture_end(f);
}

/* TypeSpec n is T<TypeSpec n + 1, TypeSpec n + 1>: 2^20 types, if nobody counted. */
static void signature_bomb_is_cut_at_the_limit(void **state)
{
    (void)state;
    enum {
        LEVELS = 20
    };
    struct metadata_fixture *f = metadata_fixture_begin();
    IMAGE_ROW(&f->image, TypeRef, 0, 0, 0); /* without even a name */
    for (uint8_t level = 1; level <= LEVELS; level++) {
        uint8_t next = (uint8_t)((level + 1) << 2 | 2);
        const uint8_t bomb[] = {0x15, 0x12, 0x05, 2, 0x12, next, 0x12, next};
        IMAGE_ROW(&f->image, TypeSpec, image_blob(&f->image, bomb, sizeof bomb));
    }
    IMAGE_ROW(&f->image, TypeSpec, image_blob(&f->image, BYTES(0x08), 1));
    metadata_fixture_open(f);
    struct str taken;
    struct err err = {.code = ERR_NONE};
    assert_true(name_type(&taken, &f->md, TOKEN(TABLE_TypeSpec, 1), &f->arena, &err));
    assert_true(str_ends(taken, "..."));
    assert_true(f->arena.used < 1 << 20);
    metadata_fixture_end(f);
}

static void conversions_of_both_kinds_show_what_they_return(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_begin();
    uint32_t blob = image_blob(&f->image, BYTES(0x00, 1, 0x0E, 0x08), 4);
    static const char *const names[] = {"op_Implicit", "op_Explicit", "op_Addition"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        IMAGE_ROW(&f->image, MethodDef, 0, 0, 0, image_string(&f->image, names[i]), blob, 1);
    metadata_fixture_open(f);
    for (uint32_t rid = 1; rid <= 3; rid++) {
        struct str signature = {NULL, 0};
        assert_true(name_method_signature(&signature, &f->md, rid, &f->arena, NULL));
        assert_str(signature, rid <= 2 ? "(System.Int32):System.String" : "(System.Int32)");
    }
    metadata_fixture_end(f);
}

/* The next type is read from where this one ends. */
static void array_of_absurd_rank_is_cut(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    struct reader r = rd_view(BYTES_VIEW(0x14, 0x08, 0xDF, 0xFF, 0xFF, 0xFF, 0, 0, 0x0E));
    struct str taken;
    struct text text = text_in(&f->arena);
    assert_true(name_signature_type(&text, &f->md, &r, NULL));
    assert_true(name_signature_type(&text, &f->md, &r, NULL));
    assert_true(text_take(&taken, &text, NULL));
    assert_str(taken, "System.Int32...System.String");
    metadata_fixture_end(f);
}

/* 100 pointers to int: deeper than a signature is followed. */
static void signature_nested_too_deep_is_cut(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_begin();
    uint8_t blob[3 + 100 + 1] = {0x00, 1, 0x01};
    memset(blob + 3, 0x0F, 100);
    blob[103] = 0x08;
    IMAGE_ROW(&f->image, MethodDef, 0, 0, 0, image_string(&f->image, "M"),
              image_blob(&f->image, blob, sizeof blob), 1);
    metadata_fixture_open(f);
    struct str taken;
    assert_true(name_method_signature(&taken, &f->md, 1, &f->arena, NULL));
    assert_str(taken, "(...");
    metadata_fixture_end(f);
}

static void owners_are_found_by_their_lists(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    static const uint32_t of_methods[] = {
        0, SAMPLE_OUTER, SAMPLE_OUTER, SAMPLE_INNER, SAMPLE_INNER, SAMPLE_ATTRIBUTE, 0};
    for (uint32_t rid = 0; rid < ARRAY_LEN(of_methods); rid++)
        assert_int_equal(owner_of_method(&f->md, rid), of_methods[rid]);
    static const uint32_t of_fields[] = {0, SAMPLE_OUTER, SAMPLE_INNER, 0};
    for (uint32_t rid = 0; rid < ARRAY_LEN(of_fields); rid++)
        assert_int_equal(owner_of_field(&f->md, rid), of_fields[rid]);
    assert_int_equal(type_of_member(&f->md, TOKEN(TABLE_MethodDef, 3)),
                     TOKEN(TABLE_TypeDef, SAMPLE_INNER));
    assert_int_equal(type_of_member(&f->md, TOKEN(TABLE_Field, 2)),
                     TOKEN(TABLE_TypeDef, SAMPLE_INNER));
    assert_int_equal(type_of_member(&f->md, TOKEN(TABLE_TypeDef, SAMPLE_INNER)), 0);
    assert_int_equal(enclosing_type(&f->md, SAMPLE_INNER), SAMPLE_OUTER);
    assert_int_equal(enclosing_type(&f->md, SAMPLE_OUTER), 0);
    assert_int_equal(type_named(&f->md, "N", "Outer`2"), SAMPLE_OUTER);
    assert_int_equal(type_named(&f->md, "M", "Outer`2"), 0);
    assert_int_equal(type_named(&f->md, "N", "Outer"), 0);
    assert_int_equal(enclosing_type(&f->md, 0), 0);
    metadata_fixture_end(f);
}

static void attributes_are_found_by_the_name_of_their_type(void **state)
{
    (void)state;
    for (unsigned sorted = 0; sorted < 2; sorted++) {
        struct metadata_fixture *f = metadata_fixture_begin();
        image_sample(&f->image);
        if (sorted == 0) {
            const uint32_t mark = SAMPLE_MARK << 3 | 2, other = 1 << 3 | 3;
            f->image.sorted = 0;
            IMAGE_ROW(&f->image, CustomAttribute, SAMPLE_ABSTRACT << 5, other, 0);
            IMAGE_ROW(&f->image, CustomAttribute, SAMPLE_CONVERT << 5, mark, 0);
            IMAGE_ROW(&f->image, CustomAttribute, SAMPLE_ABSTRACT << 5, mark, 0);
        }
        metadata_fixture_open(f);
        assert_int_equal(
            has_attribute(&f->md, TOKEN(TABLE_MethodDef, SAMPLE_ABSTRACT), "N.MarkAttribute", NULL),
            sorted == 0);
        uint32_t generic = TOKEN(TABLE_MethodDef, SAMPLE_GENERIC);
        struct view value = {NULL, 0};
        assert_true(has_attribute(&f->md, generic, "N.MarkAttribute", &value));
        assert_memory_equal(value.data, BYTES(1, 0, 0, 0), 4);
        assert_true(
            has_attribute(&f->md, TOKEN(TABLE_TypeDef, SAMPLE_INNER), "N.MarkAttribute", NULL));
        assert_false(
            has_attribute(&f->md, TOKEN(TABLE_TypeDef, SAMPLE_OUTER), "N.MarkAttribute", NULL));
        static const char *const others[] = {"MarkAttribute",   ".MarkAttribute",
                                             "NMarkAttribute",  "M.N.MarkAttribute",
                                             "N/MarkAttribute", "",
                                             "N.Mark"};
        for (size_t i = 0; i < ARRAY_LEN(others); i++)
            assert_false(has_attribute(&f->md, generic, others[i], NULL));
        assert_false(has_attribute(&f->md, 0, "N.MarkAttribute", NULL));
        assert_false(has_attribute(&f->md, 0x2B000000, "N.MarkAttribute", NULL));
        assert_false(has_attribute(&f->md, 0xFF000001, "N.MarkAttribute", NULL));
        metadata_fixture_end(f);
    }
}

static void attribute_of_a_nested_or_generic_type_is_found(void **state)
{
    (void)state;
    static const uint8_t instance[] = {0x15, 0x12, 2 << 2, 1, 0x08};
    struct metadata_fixture *f = metadata_fixture_begin();
    image_sample(&f->image);
    uint32_t blob = image_blob(&f->image, instance, sizeof instance);
    uint32_t spec = IMAGE_ROW(&f->image, TypeSpec, blob);
    uint32_t of_spec = IMAGE_ROW(&f->image, MemberRef, spec << 3 | 4, 0, 0);
    IMAGE_ROW(&f->image, CustomAttribute, 60 << 5 | 3, SAMPLE_ABSTRACT << 3 | 2, 0);
    IMAGE_ROW(&f->image, CustomAttribute, 61 << 5 | 3, of_spec << 3 | 3, 0);
    metadata_fixture_open(f);
    assert_true(has_attribute(&f->md, TOKEN(TABLE_TypeDef, 60), "N.Outer`2/Inner", NULL));
    assert_false(has_attribute(&f->md, TOKEN(TABLE_TypeDef, 60), "Inner", NULL));
    assert_true(has_attribute(&f->md, TOKEN(TABLE_TypeDef, 61), "N.Outer`2", NULL));
    metadata_fixture_end(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(types_have_namespace_and_encloser),
    cmocka_unit_test(token_that_names_no_type_is_refused),
    cmocka_unit_test(methods_have_arity_and_signature),
    cmocka_unit_test(method_that_does_not_exist_is_refused),
    cmocka_unit_test(signatures_are_spelled_out),
    cmocka_unit_test(signatures_fail_at_every_truncation),
    cmocka_unit_test(type_nested_in_itself_is_cut_at_the_limit),
    cmocka_unit_test(signature_bomb_is_cut_at_the_limit),
    cmocka_unit_test(conversions_of_both_kinds_show_what_they_return),
    cmocka_unit_test(array_of_absurd_rank_is_cut),
    cmocka_unit_test(signature_nested_too_deep_is_cut),
    cmocka_unit_test(owners_are_found_by_their_lists),
    cmocka_unit_test(attributes_are_found_by_the_name_of_their_type),
    cmocka_unit_test(attribute_of_a_nested_or_generic_type_is_found),
};
UNIT_TESTS(tests);

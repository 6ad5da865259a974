/* test_display_name.c - signatures in the words of C#; what is damaged, too deep or too long is cut
 * off. tests/e2e/test_display_names.sh compares the names of whole assemblies with Roslyn's. */
#include "coverage/names/display_name.h"
#include "coverage/names/display_type.h"
#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

/* A type in a signature of the generic method of the sample; false if it was cut off. */
static bool shown(struct str *out, struct metadata_fixture *f, struct view bytes)
{
    struct reader r = rd_view(bytes);
    struct err err;
    struct text text = text_in(&f->arena);
    bool is_whole = display_signature_type(&text, &f->md, SAMPLE_GENERIC, &r);
    assert_true(!is_whole || rd_left(&r) == 0);
    assert_true(text_take(out, &text, &err));
    return is_whole;
}

/* clang-format off */
static const struct {
    const char *name;
    uint8_t bytes[16];
    size_t len;
} signatures[] = {
    {"void", {0x01}, 1},
    {"nint", {0x18}, 1},
    {"ref int", {0x10, 0x08}, 2},
    {"void**", {0x0F, 0x0F, 0x01}, 3},
    {"int[][]", {0x1D, 0x1D, 0x08}, 3},
    {"int[,]", {0x14, 0x08, 2, 0, 0}, 5},
    {"int[*]", {0x14, 0x08, 1, 1, 7, 1, 0}, 7},
    {"int[][,]", {0x1D, 0x14, 0x08, 2, 0, 0}, 6},
    {"int[,][]", {0x14, 0x1D, 0x08, 2, 0, 0}, 6},
    {"TKey", {0x13, 0}, 2},
    {"TMethod", {0x1E, 0}, 2},
    {"!7", {0x13, 7}, 2},
    {"Object", {0x12, 1 << 2 | 1}, 2},
    {"Outer<string, TMethod[]>", {0x15, 0x12, 2 << 2, 2, 0x0E, 0x1D, 0x1E, 0}, 8},
    {"Outer<string, int>.Inner", {0x15, 0x12, 3 << 2, 2, 0x0E, 0x08}, 6},
    {"int", {0x1F, 1 << 2 | 1, 0x20, 1 << 2 | 1, 0x08}, 5},
    {"delegate*<void>", {0x1B, 0x00, 0, 0x01}, 4},
    {"delegate* unmanaged<string, TKey, int>", {0x1B, 0x09, 2, 0x08, 0x0E, 0x13, 0}, 7},
};
/* clang-format on */

static void signatures_are_in_the_words_of_csharp(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(signatures); i++) {
        struct view bytes = exact_copy((struct view){signatures[i].bytes, signatures[i].len});
        struct str name;
        assert_true(shown(&name, f, bytes));
        assert_str(name, signatures[i].name);
        exact_free(bytes);
    }
    metadata_fixture_end(f);
}

static void signatures_are_cut_off_where_they_end_too_early(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(signatures); i++)
        for (size_t len = 0; len < signatures[i].len; len++) {
            struct view bytes = exact_copy((struct view){signatures[i].bytes, len});
            struct str name;
            assert_false(shown(&name, f, bytes));
            assert_true(str_ends(name, "..."));
            exact_free(bytes);
        }
    metadata_fixture_end(f);
}

static void type_nested_in_itself_is_cut_off(void **state)
{
    (void)state;
    struct metadata_fixture *f = metadata_fixture_begin();
    struct str name;
    struct err err;
    uint32_t t = image_string(&f->image, "T");
    IMAGE_ROW(&f->image, TypeDef, 0, t, 0, 0, 1, 1);
    IMAGE_ROW(&f->image, TypeDef, 0, t, 0, 0, 1, 1);
    IMAGE_ROW(&f->image, NestedClass, 1, 2);
    IMAGE_ROW(&f->image, NestedClass, 2, 1);
    metadata_fixture_open(f);
    assert_true(display_type(&name, &f->md, 1, &f->arena, &err));
    assert_str(name, "...");
    metadata_fixture_end(f);
}

/* TypeSpec n is T<TypeSpec n + 1, TypeSpec n + 1>: 2^20 types, if nobody counted. */
static void signature_bomb_is_cut_off(void **state)
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
    struct str name;
    struct text text = text_in(&f->arena);
    display_token(&text, &f->md, 0, TOKEN(TABLE_TypeSpec, 1));
    assert_true(text_take(&name, &text, NULL));
    assert_true(str_ends(name, "..."));
    assert_true(f->arena.used < 1 << 20);
    metadata_fixture_end(f);
}

/* Arrays of arrays are read once for each level: no more than the limit of levels. */
static void array_of_arrays_is_cut_off_at_the_limit(void **state)
{
    (void)state;
    static uint8_t levels[100000];
    struct metadata_fixture *f = metadata_fixture_sample();
    struct str name;
    memset(levels, ELEMENT_SZARRAY, sizeof levels);
    levels[sizeof levels - 1] = ELEMENT_I4;
    assert_false(shown(&name, f, (struct view){levels, sizeof levels}));
    assert_str(name, "...");
    metadata_fixture_end(f);
}

static void methods_are_called_what_people_call_them(void **state)
{
    (void)state;
    static const struct {
        uint32_t rid;
        const char *name, *signature;
    } cases[] = {
        {SAMPLE_CONSTRUCTOR, "Outer", "()"},
        {SAMPLE_GENERIC, "Generic<TMethod>", "(TKey, TMethod, List<TValue>)"},
        {SAMPLE_ABSTRACT, "Abstract", "()"},
    };
    struct metadata_fixture *f = metadata_fixture_sample();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str name, signature;
        struct err err;
        assert_true(display_method(&name, &signature, &f->md, cases[i].rid, &f->arena, &err));
        assert_str(name, cases[i].name);
        assert_str(signature, cases[i].signature);
    }
    metadata_fixture_end(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(signatures_are_in_the_words_of_csharp),
    cmocka_unit_test(signatures_are_cut_off_where_they_end_too_early),
    cmocka_unit_test(type_nested_in_itself_is_cut_off),
    cmocka_unit_test(signature_bomb_is_cut_off),
    cmocka_unit_test(array_of_arrays_is_cut_off_at_the_limit),
    cmocka_unit_test(methods_are_called_what_people_call_them),
};
UNIT_TESTS(tests);

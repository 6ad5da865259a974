/* test_fsharp_name.c - how F# source calls a method, by its name in metadata. */
#include "coverage/collect/fsharp_name.h"

#include <stdio.h>

#include "metadata/sig.h"
#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

static struct metadata_fixture *fixture;
static struct image *image;

static void begin(void)
{
    static const uint8_t mvid[16] = {1};
    fixture = metadata_fixture_begin();
    image = &fixture->image;
    (void)IMAGE_ROW(image, Module, 0, image_string(image, "M.dll"), image_guid(image, mvid), 0, 0);
    (void)IMAGE_ROW(image, TypeDef, 0, image_string(image, "<Module>"), 0, 0, 1, 1);
    (void)IMAGE_ROW(image, TypeDef, 1, image_string(image, "Maybe"), 0, 0, 1, 1);
}

static uint32_t method(const char *name, uint32_t signature)
{
    return IMAGE_ROW(image, MethodDef, 0, 0, 0x16, image_string(image, name), signature, 1);
}

/* Asserts the names, with a space between them; empty: there is none. */
static void assert_names(uint32_t rid, const char *expected, bool is_extension, bool has_builders)
{
    struct fsharp_names names;
    char all[128] = "";
    fsharp_names_find(&names, &fixture->md, rid);
    for (uint32_t i = 0; i < names.count; i++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", i == 0 ? "" : " ",
                       STR_ARGS(names.items[i]));
    assert_string_equal(all, expected);
    assert_int_equal(names.is_extension, is_extension);
    assert_int_equal(names.has_builders, has_builders);
}

static void names_are_those_of_the_source(void **state)
{
    static const struct {
        const char *name, *expected;
        bool is_extension;
    } rows[] = {
        {"add", "add", false},
        {"get_Size", "Size", false},
        {"set_Size", "Size", false},
        {"add$W", "add", false},
        {"Int32.get_Half", "Half", true},
        {"Int32.Twice.Static", "Twice", true},
        {".ctor", "", false},
        {".cctor", "", false},
        {"|Even|Odd|", "Even Odd", false},
        {"|Big|_|", "Big", false},
        {"|A|B|C|D|E|F|G|", "A B C D E F G", false},
        {"op_GreaterGreaterEquals", ">>=", false},
        {"op_PlusDot", "+.", false},
        {"op_LessBarGreater", "<|>", false},
        {"op_Plus", "", false}, /* a single sign may be that of numbers */
        {"op_Addition", "", false},
        {"Bind", "Bind", false}, /* no value is the builder */
    };
    (void)state;
    begin();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        (void)method(rows[i].name, 0);
    metadata_fixture_open(fixture);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_names((uint32_t)i + 1, rows[i].expected, rows[i].is_extension, false);
    metadata_fixture_end(fixture);
}

static void many_cases_or_signs_are_cut_off(void **state)
{
    char signs[256] = "op_";
    (void)state;
    for (unsigned i = 0; i < 40; i++)
        strcat(signs, "Plus");
    begin();
    (void)method("|A|B|C|D|E|F|G|H|I|J|", 0);
    (void)method(signs, 0);
    metadata_fixture_open(fixture);
    assert_names(1, "A B C D E F G H", false, false);
    assert_names(2, "", false, false);
    metadata_fixture_end(fixture);
}

static void attribute_says_the_name_of_the_source(void **state)
{
    static const uint8_t value[] = {1, 0, 3, 'm', 'a', 'p', 0, 0}, cut[] = {1, 0, 9, 'm'};
    (void)state;
    begin();
    uint32_t type =
        IMAGE_ROW(image, TypeRef, 2, image_string(image, "CompilationSourceNameAttribute"),
                  image_string(image, "Microsoft.FSharp.Core"));
    uint32_t constructor =
        IMAGE_ROW(image, MemberRef, type << 3 | 1, image_string(image, ".ctor"), 0);
    (void)method("Map", 0);
    (void)method("Other", 0);
    (void)IMAGE_ROW(image, CustomAttribute, 1 << 5, constructor << 3 | 3,
                    image_blob(image, value, sizeof value));
    (void)IMAGE_ROW(image, CustomAttribute, 2 << 5, constructor << 3 | 3,
                    image_blob(image, cut, sizeof cut));
    metadata_fixture_open(fixture);
    assert_names(1, "map", false, false);
    assert_names(2, "", false, false);
    metadata_fixture_end(fixture);
}

/* `maybe { return 1 }` calls Maybe.Return, and names the value that is the builder. */
static void builder_is_named_by_its_values(void **state)
{
    static const uint8_t maybe[] = {0, 0, ELEMENT_CLASS, 2 << 2}, other[] = {0, 0, ELEMENT_I4},
                         takes[] = {0, 1, ELEMENT_CLASS, 2 << 2, ELEMENT_I4};
    (void)state;
    begin();
    (void)method("Return", 0);
    (void)method("Map", 0);
    (void)IMAGE_ROW(image, TypeDef, 1, image_string(image, "Builders"), 0, 0, 1, 3);
    (void)method("get_maybe", image_blob(image, maybe, sizeof maybe));
    (void)method("get_other", image_blob(image, other, sizeof other));
    (void)method("get_made", image_blob(image, takes, sizeof takes));
    metadata_fixture_open(fixture);
    assert_names(1, "maybe Return", false, true);
    assert_names(2, "Map", false, false);
    metadata_fixture_end(fixture);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_are_those_of_the_source),
    cmocka_unit_test(many_cases_or_signs_are_cut_off),
    cmocka_unit_test(attribute_says_the_name_of_the_source),
    cmocka_unit_test(builder_is_named_by_its_values),
};
UNIT_TESTS(tests);

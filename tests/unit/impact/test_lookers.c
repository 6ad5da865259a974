/* test_lookers.c - code of a package looks, as does the part of .NET that looks.def lists; the rest
 * of .NET and test frameworks are harmless. The references are written row by row. */
#include "impact/lookers.h"

#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

static const uint8_t dotnet_key[] = {0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a};
static const uint8_t xunit_key[] = {0x8d, 0x05, 0xb1, 0xbb, 0x7a, 0x6f, 0xdb, 0x6c};
static const uint8_t other_key[] = {1, 2, 3, 4, 5, 6, 7, 8};

enum {
    OF_ASSEMBLY_REF = 2, /* II.24.2.6: tag of ResolutionScope */
    OF_TYPE_REF = 1,     /* of MemberRefParent */
};

static struct metadata_fixture *fixture;
static struct image *image;

static int open_references(void **state)
{
    (void)state;
    fixture = metadata_fixture_begin();
    image = &fixture->image;
    return 0;
}

static int close_references(void **state)
{
    (void)state;
    metadata_fixture_end(fixture);
    return 0;
}

static uint32_t refer(const char *assembly, const uint8_t *key)
{
    uint32_t blob = key != NULL ? image_blob(image, key, sizeof dotnet_key) : 0;
    return IMAGE_ROW(image, AssemblyRef, 1, 0, 0, 0, 0, blob, image_string(image, assembly), 0, 0);
}

/* A member of a type N.C of the assembly: the token of its reference. */
static uint32_t member_of(uint32_t assembly)
{
    uint32_t type = IMAGE_ROW(image, TypeRef, assembly << 2 | OF_ASSEMBLY_REF,
                              image_string(image, "C"), image_string(image, "N"));
    uint32_t rid = IMAGE_ROW(image, MemberRef, type << 3 | OF_TYPE_REF, image_string(image, "M"),
                             image_blob(image, "\x06\x08", 2));
    return TOKEN(TABLE_MemberRef, rid);
}

/* In a build of this one module, or NULL: of none. */
static uint8_t look_in(const char *module, uint32_t token, const char *text)
{
    struct fact_module built = {.name = module != NULL ? str_of(module) : STR("")};
    struct new_build build = {.facts = {.modules = &built, .module_count = module != NULL}};
    const struct lookers lookers = {.build = &build};
    return lookers_of_token(&lookers, &fixture->md, token, str_of(text));
}

static void package_looks_at_all_whatever_it_is_called(void **state)
{
    (void)state;
    uint32_t mapper = member_of(refer("Mapper", other_key));
    uint32_t unsigned_one = member_of(refer("System.Text.Json", NULL));
    uint32_t forged = member_of(refer("xunit.assert", other_key));
    metadata_fixture_open(fixture);
    assert_int_equal(look_in(NULL, mapper, "N.C::M"), LOOKS_AT_ALL);
    assert_int_equal(look_in(NULL, unsigned_one, "N.C::M"), LOOKS_AT_ALL);
    assert_int_equal(look_in(NULL, forged, "N.C::M"), LOOKS_AT_ALL);
}

static void assembly_of_the_build_does_not_look(void **state)
{
    (void)state;
    uint32_t own = member_of(refer("Shop", NULL));
    metadata_fixture_open(fixture);
    assert_int_equal(look_in("Shop", own, "N.C::M"), 0);
    assert_int_equal(look_in("Other", own, "N.C::M"), LOOKS_AT_ALL);
}

static void test_framework_does_not_look_but_is_known(void **state)
{
    (void)state;
    uint32_t xunit = member_of(refer("xunit.core", xunit_key));
    uint32_t dotnet = member_of(refer("System.Runtime", dotnet_key));
    metadata_fixture_open(fixture);
    assert_int_equal(look_in(NULL, xunit, "Xunit.Assert::Equal 0(int,int)"), 0);
    assert_true(lookers_know_framework(NULL, &fixture->md, TOKEN(TABLE_TypeRef, 1)));
    assert_int_equal(look_in(NULL, dotnet, "N.C::M"), 0);
    assert_false(lookers_know_framework(NULL, &fixture->md, TOKEN(TABLE_TypeRef, 2)));
}

static void member_of_dotnet_looks_as_its_first_row_says(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint8_t looks;
    } cases[] = {
        {"System.String::Concat 0(string,string)", 0},
        {"System.Type::get_FullName instance 0()", 0},
        {"System.Type::GetMethods instance 0()", LOOKS_AT_METADATA},
        {"System.Type::get_FullNames instance 0()", LOOKS_AT_METADATA},
        {"System.TypeCode::M", 0},
        {"System.Activator::CreateInstance 1()", 0},
        {"System.Activator::CreateInstance 0(System.Type)", LOOKS_AT_METADATA},
        {"System.IO.File::ReadAllText 0(string)", LOOKS_AT_FILES},
        {"System.IO.MemoryStream::.ctor instance 0()", 0},
        {"System.Reflection.Assembly::LoadFrom 0(string)", LOOKS_AT_ALL},
    };
    uint32_t dotnet = member_of(refer("System.Runtime", dotnet_key));
    metadata_fixture_open(fixture);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (look_in(NULL, dotnet, cases[i].text) != cases[i].looks)
            fail_msg("%s looks at %d", cases[i].text, look_in(NULL, dotnet, cases[i].text));
}

static void type_of_dotnet_is_harmless_whatever_its_members_are(void **state)
{
    (void)state;
    (void)member_of(refer("System.Runtime", dotnet_key));
    metadata_fixture_open(fixture);
    assert_int_equal(look_in(NULL, TOKEN(TABLE_TypeRef, 1), "System.Type"), 0);
}

static void function_without_code_looks_at_all(void **state)
{
    (void)state;
    struct str function = STR("Own.Native::Read 0()");
    struct new_build build = {.facts = {.module_count = 0}};
    const struct lookers lookers = {.build = &build, .functions = &function, .function_count = 1};
    metadata_fixture_open(fixture);
    assert_int_equal(lookers_of_token(&lookers, &fixture->md, TOKEN(TABLE_MethodDef, 1), function),
                     LOOKS_AT_ALL);
    assert_int_equal(lookers_of_token(&lookers, &fixture->md, TOKEN(TABLE_MethodDef, 1),
                                      STR("Own.Native::Write 0()")),
                     0);
}

#define LOOK_TEST(name) cmocka_unit_test_setup_teardown(name, open_references, close_references)

static const struct CMUnitTest tests[] = {
    LOOK_TEST(package_looks_at_all_whatever_it_is_called),
    LOOK_TEST(assembly_of_the_build_does_not_look),
    LOOK_TEST(test_framework_does_not_look_but_is_known),
    LOOK_TEST(member_of_dotnet_looks_as_its_first_row_says),
    LOOK_TEST(type_of_dotnet_is_harmless_whatever_its_members_are),
    LOOK_TEST(function_without_code_looks_at_all),
};
UNIT_TESTS(tests);

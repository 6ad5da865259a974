/* test_test_methods.c - tests, and what frameworks call around them, are known by their attributes,
 * interfaces and names alone. Each module is written row by row. */
#include "scope/test_methods.h"

#include "metadata/sig.h"
#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

enum {
    STATIC = 0x10,
    VIRTUAL = 0x40,
    NEW_SLOT = 0x100,
    ABSTRACT = 0x400,
    OF_TYPE_DEF = 0, /* II.24.2.6: tags of TypeDefOrRef */
    OF_TYPE_REF = 1,
    OF_TYPE_SPEC = 2
};

static struct metadata_fixture *fixture;
static struct image *image;
static uint32_t body;

/* --- rows ------------------------------------------------------------------------------------- */

/* What is added next belongs to it. `extends`: TypeDefOrRef. */
static uint32_t add_type(const char *name, uint32_t extends)
{
    return IMAGE_ROW(image, TypeDef, 1, image_string(image, name), image_string(image, "N"),
                     extends, 1, image->row_count[TABLE_MethodDef] + 1);
}

static uint32_t def(uint32_t type)
{
    return type << 2 | OF_TYPE_DEF;
}

static uint32_t ref(const char *space, const char *name)
{
    uint32_t rid = IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, name),
                             image_string(image, space));
    return rid << 2 | OF_TYPE_REF;
}

/* generic<argument>, of a class: both TypeDefOrRef below 32. */
static uint32_t instance(uint32_t generic, uint32_t argument)
{
    const uint8_t signature[] = {ELEMENT_GENERICINST, ELEMENT_CLASS,    (uint8_t)generic, 1,
                                 ELEMENT_CLASS,       (uint8_t)argument};
    assert_true(generic < 0x80 && argument < 0x80);
    uint32_t rid = IMAGE_ROW(image, TypeSpec, image_blob(image, signature, sizeof signature));
    return rid << 2 | OF_TYPE_SPEC;
}

static void implement(uint32_t type, uint32_t interface)
{
    (void)IMAGE_ROW(image, InterfaceImpl, type, interface);
}

static uint32_t add_method_as(const char *name, uint32_t rva, uint32_t flags)
{
    return IMAGE_ROW(image, MethodDef, rva, 0, 0x86 | flags, image_string(image, name), 0, 1);
}

static uint32_t add_method(const char *name)
{
    return add_method_as(name, body, 0);
}

/* `on`: HasCustomAttribute; `type`: TypeDefOrRef, a reference. */
static void attribute_on(uint32_t on, uint32_t type)
{
    uint32_t constructor =
        IMAGE_ROW(image, MemberRef, type >> 2 << 3 | 1, image_string(image, ".ctor"), 0);
    (void)IMAGE_ROW(image, CustomAttribute, on, constructor << 3 | 3, 0);
}

static void attribute(uint32_t method, const char *space, const char *name)
{
    attribute_on(method << 5, ref(space, name));
}

static void fact(uint32_t method)
{
    attribute(method, "Xunit", "FactAttribute");
}

/* One that the module declares, with this constructor. */
static void own_attribute(uint32_t method, uint32_t constructor)
{
    (void)IMAGE_ROW(image, CustomAttribute, method << 5, constructor << 3 | 2, 0);
}

static uint32_t add_test(const char *name)
{
    uint32_t method = add_method(name);
    fact(method);
    return method;
}

/* --- a module --------------------------------------------------------------------------------- */

static void begin(void)
{
    static const uint8_t mvid[16] = {1};
    static const uint8_t tiny[] = {0x06, 0x2A}; /* ret */
    fixture = metadata_fixture_begin();
    image = &fixture->image;
    body = image_body(image, tiny, sizeof tiny);
    (void)IMAGE_ROW(image, Module, 0, image_string(image, "Tests.dll"), image_guid(image, mvid), 0,
                    0);
    (void)IMAGE_ROW(image, AssemblyRef, 8, 0, 0, 0, 0, 0, image_string(image, "System.Runtime"), 0,
                    0);
    (void)IMAGE_ROW(image, TypeDef, 0, image_string(image, "<Module>"), 0, 0, 1, 1);
}

static void end(void)
{
    metadata_fixture_end(fixture);
    fixture = NULL;
}

static int begin_module(void **state)
{
    (void)state;
    begin();
    return 0;
}

static int end_module(void **state)
{
    (void)state;
    end();
    return 0;
}

/* NULL: no test. */
static const uint8_t *found(void)
{
    uint8_t *parts = NULL;
    metadata_fixture_open(fixture);
    assert_true(test_methods_find(&parts, &fixture->md, &fixture->arena));
    return parts;
}

static const uint8_t *found_some(void)
{
    const uint8_t *parts = found();
    assert_non_null(parts);
    return parts;
}

#define TESTS_ARE(parts, method)  assert_int_equal((parts)[(method)-1], TEST_PART_TEST)
#define AROUND_IS(parts, method)  assert_int_equal((parts)[(method)-1], TEST_PART_AROUND)
#define NOTHING_IS(parts, method) assert_int_equal((parts)[(method)-1], TEST_PART_NONE)

/* --- attributes ------------------------------------------------------------------------------- */

static const struct {
    const char *space, *name;
    bool is_test;
} attributes[] = {
    {"Xunit", "FactAttribute", true},
    {"Xunit", "TheoryAttribute", true},
    {"Xunit", "SkippableFactAttribute", true},
    {"Xunit", "SkippableTheoryAttribute", true},
    {"NUnit.Framework", "TestAttribute", true},
    {"NUnit.Framework", "TestCaseAttribute", true},
    {"NUnit.Framework", "TestCaseSourceAttribute", true},
    {"NUnit.Framework", "TheoryAttribute", true},
    {"NUnit.Framework", "CombinatorialAttribute", true},
    {"NUnit.Framework", "PairwiseAttribute", true},
    {"NUnit.Framework", "SequentialAttribute", true},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "TestMethodAttribute", true},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "DataTestMethodAttribute", true},
    {"TUnit.Core", "TestAttribute", true},
    {"", "FactAttribute", true},
    {"SystemX", "FooTestAttribute", true},
    {"X.System", "FooTestAttribute", true},
    {"System", "FooTestAttribute", false},
    {"System.Diagnostics", "FactAttribute", false},
    {"Xunit", "TraitAttribute", false},
    {"Xunit", "FactAttributes", false},
    {"Xunit", "Fact", false},
    {"Xunit", "ArtifactAttribute", false},
    {"X", "LatestAttribute", false},
    {"NUnit.Framework", "SetUpAttribute", false},
    {"NUnit.Framework", "TestFixtureAttribute", false},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "TestInitializeAttribute", false},
};

static void test_has_an_attribute_of_a_framework(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
        begin();
        (void)add_type("C", 0);
        uint32_t other = add_method("Helper"), method = add_method("M");
        attribute(method, attributes[i].space, attributes[i].name);
        const uint8_t *parts = found();
        if ((parts != NULL) != attributes[i].is_test)
            fail_msg("%s.%s", attributes[i].space, attributes[i].name);
        if (parts != NULL) {
            TESTS_ARE(parts, method);
            NOTHING_IS(parts, other);
        }
        end();
    }
}

static void attribute_of_the_module_may_derive_from_one(void **state)
{
    (void)state;
    (void)add_type("SlowAttribute", ref("Xunit", "FactAttribute"));
    uint32_t slow = add_method(".ctor");
    (void)add_type("SlowestAttribute", def(2));
    uint32_t slowest = add_method(".ctor");
    (void)add_type("OtherAttribute", ref("Xunit", "TraitAttribute"));
    uint32_t other = add_method(".ctor");
    (void)add_type("C", 0);
    uint32_t first = add_method("First"), second = add_method("Second"), third = add_method("No");
    own_attribute(first, slow);
    own_attribute(second, slowest);
    own_attribute(third, other);
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, first);
    TESTS_ARE(parts, second);
    NOTHING_IS(parts, third);
    NOTHING_IS(parts, slow); /* of the attribute's own class */
}

static void attribute_of_the_module_may_have_the_name_alone(void **state)
{
    (void)state;
    (void)add_type("MyTestAttribute", ref("System", "Attribute"));
    uint32_t constructor = add_method(".ctor");
    (void)add_type("C", 0);
    uint32_t method = add_method("M");
    own_attribute(method, constructor);
    TESTS_ARE(found_some(), method);
}

static void attributes_that_derive_from_each_other_end(void **state)
{
    (void)state;
    (void)add_type("AAttribute", def(3));
    uint32_t constructor = add_method(".ctor");
    (void)add_type("BAttribute", def(2));
    (void)add_type("C", 0);
    own_attribute(add_method("M"), constructor);
    assert_null(found());
}

static void attribute_of_something_else_makes_no_test(void **state)
{
    (void)state;
    uint32_t type = add_type("C", 0);
    (void)add_method("M");
    assert_int_equal(add_method("N"), type); /* the rows have the same number */
    attribute_on(type << 5 | 3, ref("NUnit.Framework", "TestAttribute"));
    attribute_on(99 << 5 | 0, ref("NUnit.Framework", "TestAttribute")); /* no such method */
    attribute_on(0 << 5 | 0, ref("NUnit.Framework", "TestAttribute"));
    assert_null(found());
}

static void module_without_tests_has_nothing_around_them(void **state)
{
    (void)state;
    uint32_t type = add_type("C", 0);
    (void)add_method(".ctor");
    attribute(add_method("SetUp"), "NUnit.Framework", "SetUpAttribute");
    implement(type, instance(ref("Xunit", "IClassFixture`1"), def(type)));
    assert_null(found());
}

/* --- around tests ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_around;
} names[] = {
    {".ctor", true},
    {"Dispose", true},
    {"DisposeAsync", true},
    {"InitializeAsync", true},
    {"System.IDisposable.Dispose", true},
    {"Xunit.IAsyncLifetime.InitializeAsync", true},
    {"Helper", false},
    {".cctor", false},
    {"PreDispose", false},
    {"Disposed", false},
    {"I.Disposed", false},
    {"DisposeCore", false},
    {"dispose", false},
    {"ctor", false},
};

static void construction_and_clean_up_are_around_tests(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        begin();
        (void)add_type("C", 0);
        uint32_t method = add_method(names[i].name), test = add_test("M");
        (void)add_type("Other", 0);
        uint32_t same = add_method(names[i].name);
        const uint8_t *parts = found_some();
        TESTS_ARE(parts, test);
        if (parts[method - 1] != (names[i].is_around ? TEST_PART_AROUND : TEST_PART_NONE))
            fail_msg("%s", names[i].name);
        NOTHING_IS(parts, same); /* of a class that has nothing to do with tests */
        end();
    }
}

static void what_has_an_attribute_of_a_framework_is_around_tests(void **state)
{
    (void)state;
    (void)add_type("MarkAttribute", ref("System", "Attribute"));
    uint32_t mark = add_method(".ctor");
    (void)add_type("C", 0);
    uint32_t set_up = add_method("SetUp"), made = add_method("Made"), marked = add_method("Marked"),
             class_set_up = add_method_as("ClassSetUp", body, STATIC), test = add_test("M");
    attribute(set_up, "NUnit.Framework", "SetUpAttribute");
    attribute(made, "System.Runtime.CompilerServices", "CompilerGeneratedAttribute");
    own_attribute(marked, mark);
    attribute(class_set_up, "Microsoft.VisualStudio.TestTools.UnitTesting",
              "ClassInitializeAttribute");
    (void)add_type("Other", 0);
    uint32_t other = add_method("SetUp");
    attribute(other, "NUnit.Framework", "SetUpAttribute");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    AROUND_IS(parts, set_up);
    AROUND_IS(parts, class_set_up);
    NOTHING_IS(parts, made);
    NOTHING_IS(parts, marked);
    NOTHING_IS(parts, other);
}

static void test_is_no_less_a_test_for_other_attributes(void **state)
{
    (void)state;
    (void)add_type("C", 0);
    uint32_t before = add_method("Before"), after = add_method("Dispose");
    attribute(before, "Xunit", "TraitAttribute");
    fact(before);
    fact(after);
    attribute(after, "Xunit", "TraitAttribute");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, before);
    TESTS_ARE(parts, after);
}

static void what_has_no_code_is_neither(void **state)
{
    (void)state;
    (void)add_type("C", 0);
    uint32_t abstract = add_method_as("M", 0, ABSTRACT), odd = add_method_as("O", body, ABSTRACT),
             native = add_method_as("Dispose", 0, 0), constructor = add_method(".ctor");
    fact(abstract);
    fact(odd);
    const uint8_t *parts = found_some();
    NOTHING_IS(parts, abstract);
    NOTHING_IS(parts, odd);
    NOTHING_IS(parts, native);
    AROUND_IS(parts, constructor); /* it is a class of tests all the same */
}

/* --- fixtures --------------------------------------------------------------------------------- */

static const struct {
    const char *space, *name;
    bool is_fixture;
} interfaces[] = {
    {"Xunit", "IClassFixture`1", true},    {"Xunit", "ICollectionFixture`1", true},
    {"Xunit", "IAssemblyFixture`1", true}, {"Xunit", "IClassFixture", false},
    {"System", "IEquatable`1", false},     {"Xunit", "IMyClassFixture`1", false},
};

static void fixture_that_a_class_names_is_around_tests(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(interfaces); i++) {
        begin();
        uint32_t shared = add_type("Shared", 0);
        uint32_t constructor = add_method(".ctor"), helper = add_method("Helper");
        uint32_t tests = add_type("C", 0);
        (void)add_test("M");
        implement(tests, instance(ref(interfaces[i].space, interfaces[i].name), def(shared)));
        const uint8_t *parts = found_some();
        if ((parts[constructor - 1] == TEST_PART_AROUND) != interfaces[i].is_fixture)
            fail_msg("%s", interfaces[i].name);
        NOTHING_IS(parts, helper);
        end();
    }
}

static void fixture_is_of_its_class_or_of_more(void **state)
{
    static const struct {
        const char *name;
        bool is_of_class;
    } kinds[] = {
        {"IClassFixture`1", true}, {"ICollectionFixture`1", false}, {"IAssemblyFixture`1", false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        bool is_of_class = !kinds[i].is_of_class;
        begin();
        uint32_t shared = add_type("Shared", 0);
        uint32_t spec = instance(ref("Xunit", kinds[i].name), def(shared));
        (void)add_test("M");
        (void)found_some();
        uint32_t token = coded_to_token(CODED_TYPE_DEF_OR_REF, spec);
        assert_int_equal(test_methods_fixture(&is_of_class, &fixture->md, token), shared);
        assert_int_equal(is_of_class, kinds[i].is_of_class);
        end();
    }
}

/* `hook`: the first argument of the attribute; 0 if it is not asked for. */
static const struct {
    const char *space, *name;
    uint8_t hook;
    bool is_global;
} around[] = {
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "AssemblyInitializeAttribute", 0, true},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "AssemblyCleanupAttribute", 0, true},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "ClassInitializeAttribute", 0, false},
    {"Microsoft.VisualStudio.TestTools.UnitTesting", "TestInitializeAttribute", 0, false},
    {"NUnit.Framework", "SetUpFixtureAttribute", 0, true},
    {"NUnit.Framework", "OneTimeSetUpAttribute", 0, false},
    {"TUnit.Core", "BeforeEveryAttribute", 0, true},
    {"TUnit.Core", "BeforeAttribute", 0, false},
    {"TUnit.Core", "BeforeAttribute", 1, false},
    {"TUnit.Core", "AfterAttribute", 2, true},
    {"TUnit.Core", "BeforeAttribute", 3, true},
    {"System", "BeforeEveryAttribute", 0, false},
};

static void what_runs_around_tests_of_others_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(around); i++) {
        uint8_t value[] = {8, 1, 0, around[i].hook, 0, 0, 0, 0, 0};
        begin();
        (void)add_type("C", 0);
        uint32_t method = add_test("M");
        uint32_t constructor =
            IMAGE_ROW(image, MemberRef, ref(around[i].space, around[i].name) >> 2 << 3 | 1,
                      image_string(image, ".ctor"), 0);
        uint32_t row = IMAGE_ROW(image, CustomAttribute, method << 5, constructor << 3 | 3,
                                 image_blob(image, value + 1, value[0]));
        (void)found_some();
        if (test_methods_is_global(&fixture->md, row) != around[i].is_global)
            fail_msg("%s %u", around[i].name, around[i].hook);
        end();
    }
}

/* As of a collection: a class without tests names it. */
static void class_without_tests_may_name_a_fixture(void **state)
{
    (void)state;
    uint32_t shared = add_type("Shared", 0);
    uint32_t constructor = add_method(".ctor");
    uint32_t collection = add_type("Collection", 0);
    uint32_t own = add_method(".ctor");
    (void)add_type("C", 0);
    (void)add_test("M");
    implement(collection, instance(ref("Xunit", "ICollectionFixture`1"), def(shared)));
    const uint8_t *parts = found_some();
    AROUND_IS(parts, constructor);
    NOTHING_IS(parts, own);
}

static void bases_of_a_fixture_are_around_tests(void **state)
{
    (void)state;
    uint32_t base = add_type("Base", 0);
    uint32_t constructor = add_method(".ctor");
    uint32_t shared = add_type("Shared", def(base));
    uint32_t tests = add_type("C", 0);
    (void)add_test("M");
    implement(tests, instance(ref("Xunit", "IClassFixture`1"), def(shared)));
    AROUND_IS(found_some(), constructor);
}

static void odd_interfaces_name_no_fixture(void **state)
{
    static const uint8_t cut[] = {ELEMENT_GENERICINST, ELEMENT_CLASS};
    static const uint8_t primitive[] = {ELEMENT_GENERICINST, ELEMENT_CLASS, 1 << 2 | OF_TYPE_REF, 1,
                                        ELEMENT_STRING};
    static const uint8_t variable[] = {
        ELEMENT_GENERICINST, ELEMENT_CLASS, 1 << 2 | OF_TYPE_REF, 1, ELEMENT_VAR, 0};
    static const uint8_t array[] = {ELEMENT_SZARRAY, ELEMENT_CLASS,       1 << 2 | OF_TYPE_REF, 1,
                                    ELEMENT_CLASS,   2 << 2 | OF_TYPE_DEF};
    const struct view odd[] = {VIEW(cut), VIEW(primitive), VIEW(variable), VIEW(array)};
    (void)state;
    uint32_t class_fixture = ref("Xunit", "IClassFixture`1");
    uint32_t elsewhere = ref("Elsewhere", "Shared"), shared = add_type("Shared", 0);
    assert_int_equal(class_fixture, 1 << 2 | OF_TYPE_REF);
    assert_int_equal(elsewhere, shared << 2 | OF_TYPE_REF); /* the rows have the same number */
    uint32_t constructor = add_method(".ctor");
    uint32_t tests = add_type("C", 0);
    uint32_t test = add_test("M");
    for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
        uint32_t rid = IMAGE_ROW(image, TypeSpec, image_blob(image, odd[i].data, odd[i].len));
        implement(tests, rid << 2 | OF_TYPE_SPEC);
    }
    implement(tests, class_fixture);
    implement(tests, instance(class_fixture, elsewhere));
    implement(tests, instance(class_fixture, def(20))); /* no such type */
    implement(tests, instance(class_fixture, def(0)));
    implement(tests, instance(class_fixture, shared << 2 | OF_TYPE_SPEC));
    implement(tests, 99 << 2 | OF_TYPE_SPEC);
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    NOTHING_IS(parts, constructor);
}

/* --- bases ------------------------------------------------------------------------------------ */

static void bases_of_a_class_of_tests_are_around_tests(void **state)
{
    (void)state;
    uint32_t grand = add_type("Grand", ref("System", "Object"));
    uint32_t grand_constructor = add_method(".ctor");
    uint32_t base = add_type("Base", def(grand));
    uint32_t dispose = add_method("Dispose"), helper = add_method("Helper");
    (void)add_type("C", def(base));
    (void)add_test("M");
    const uint8_t *parts = found_some();
    AROUND_IS(parts, grand_constructor);
    AROUND_IS(parts, dispose);
    NOTHING_IS(parts, helper);
}

static void bases_may_come_later_in_the_table(void **state)
{
    (void)state;
    (void)add_type("C", def(3));
    uint32_t test = add_test("M");
    (void)add_type("Base", def(4));
    uint32_t constructor = add_method(".ctor");
    (void)add_type("Grand", 0);
    uint32_t grand_constructor = add_method(".ctor");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    AROUND_IS(parts, constructor);
    AROUND_IS(parts, grand_constructor);
}

static void what_derives_from_a_class_of_tests_is_around_tests(void **state)
{
    (void)state;
    (void)add_type("GrandChild", def(3)); /* before its bases */
    uint32_t grand_constructor = add_method(".ctor");
    (void)add_type("Child", def(4));
    uint32_t constructor = add_method(".ctor"), helper = add_method("Helper");
    (void)add_type("C", 0);
    uint32_t test = add_test("M");
    (void)add_type("Stranger", 0);
    uint32_t stranger = add_method(".ctor");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    AROUND_IS(parts, constructor);
    AROUND_IS(parts, grand_constructor);
    NOTHING_IS(parts, helper);
    NOTHING_IS(parts, stranger);
}

static void unknown_attribute_may_be_a_tests(void **state)
{
    (void)state;
    (void)add_type("C", 0);
    uint32_t property = add_method("Property"), set_up = add_method("SetUp"),
             dispose = add_method("Dispose"), test = add_test("M");
    attribute(property, "FsCheck.Xunit", "PropertyAttribute");
    attribute(set_up, "NUnit.Framework", "SetUpAttribute");
    attribute(set_up, "NUnit.Framework", "CategoryAttribute");
    attribute(dispose, "NUnit.Framework", "CategoryAttribute");
    (void)add_type("Other", 0);
    uint32_t elsewhere = add_method("Property");
    attribute(elsewhere, "FsCheck.Xunit", "PropertyAttribute");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    assert_int_equal(parts[property - 1], TEST_PART_UNKNOWN);
    AROUND_IS(parts, set_up);
    AROUND_IS(parts, dispose);
    NOTHING_IS(parts, elsewhere); /* of a class that has no known test */
}

static void generic_base_is_a_base(void **state)
{
    (void)state;
    uint32_t base = add_type("Base`1", 0);
    uint32_t constructor = add_method(".ctor");
    (void)add_type("C", instance(def(base), ref("System", "String")));
    (void)add_test("M");
    AROUND_IS(found_some(), constructor);
}

static void override_of_a_test_is_a_test(void **state)
{
    (void)state;
    uint32_t base = add_type("Base", 0);
    uint32_t virtual = add_method_as("Runs", body, VIRTUAL | NEW_SLOT);
    fact(virtual);
    uint32_t set_up = add_method_as("Prepare", body, VIRTUAL | NEW_SLOT);
    attribute(set_up, "NUnit.Framework", "SetUpAttribute");
    (void)add_type("Derived", def(base));
    uint32_t override = add_method_as("Runs", body, VIRTUAL);
    uint32_t hidden = add_method_as("Prepare", body, VIRTUAL);
    uint32_t other = add_method_as("Walks", body, VIRTUAL);
    uint32_t new_slot = add_method_as("Runs", body, VIRTUAL | NEW_SLOT);
    const uint8_t *parts = found();
    assert_non_null(parts);
    assert_int_equal(parts[virtual - 1], TEST_PART_TEST);
    assert_int_equal(parts[override - 1], TEST_PART_TEST);
    assert_int_equal(parts[hidden - 1], TEST_PART_AROUND);
    assert_int_equal(parts[other - 1], TEST_PART_NONE);
    assert_int_equal(parts[new_slot - 1], TEST_PART_NONE);
}

static void set_up_fixture_is_around_tests(void **state)
{
    (void)state;
    (void)add_type("Tests", 0);
    (void)add_test("Runs");
    uint32_t type = add_type("Global", 0);
    uint32_t set_up = add_method("Prepare");
    attribute(set_up, "NUnit.Framework", "OneTimeSetUpAttribute");
    attribute_on(type << 5 | 3, ref("NUnit.Framework", "SetUpFixtureAttribute"));
    const uint8_t *parts = found();
    assert_non_null(parts);
    assert_int_equal(parts[set_up - 1], TEST_PART_AROUND);
}

static void circle_of_bases_ends(void **state)
{
    (void)state;
    (void)add_type("A", def(3));
    uint32_t test = add_test("M"), own = add_method(".ctor");
    (void)add_type("B", def(2));
    uint32_t constructor = add_method(".ctor");
    (void)add_type("Itself", def(4));
    uint32_t itself = add_method(".ctor");
    (void)add_type("ToItself", def(4));
    (void)add_type("ToCircle", def(3));
    uint32_t derived = add_method(".ctor");
    const uint8_t *parts = found_some();
    TESTS_ARE(parts, test);
    AROUND_IS(parts, own);
    AROUND_IS(parts, constructor);
    AROUND_IS(parts, derived);
    NOTHING_IS(parts, itself);
}

static void base_that_there_is_not_is_none(void **state)
{
    static const uint8_t cut[] = {ELEMENT_GENERICINST, ELEMENT_CLASS};
    (void)state;
    uint32_t cut_rid = IMAGE_ROW(image, TypeSpec, image_blob(image, cut, sizeof cut));
    const uint32_t bases[] = {def(99),
                              def(0),
                              99 << 2 | OF_TYPE_REF,
                              99 << 2 | OF_TYPE_SPEC,
                              cut_rid << 2 | OF_TYPE_SPEC,
                              1 << 2 | 3};
    uint32_t tests[ARRAY_LEN(bases)];
    for (size_t i = 0; i < ARRAY_LEN(bases); i++) {
        (void)add_type("C", bases[i]);
        tests[i] = add_test("M");
    }
    const uint8_t *parts = found_some();
    for (size_t i = 0; i < ARRAY_LEN(bases); i++)
        TESTS_ARE(parts, tests[i]);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void without_memory_it_is_said(void **state)
{
    struct arena small;
    uint8_t *parts = NULL;
    bool ok = false;
    size_t limit = 0;
    (void)state;
    (void)add_type("C", 0);
    uint32_t test = add_test("M");
    metadata_fixture_open(fixture);
    for (; !ok; limit += 8) {
        arena_init(&small, NULL, 0, limit);
        ok = test_methods_find(&parts, &fixture->md, &small);
        if (ok)
            TESTS_ARE(parts, test);
        arena_free(&small);
        assert_true(limit < 1 << 16);
    }
    assert_true(limit > 8);
}

#define TEST(name)  cmocka_unit_test_setup_teardown(name, begin_module, end_module)
#define TABLE(name) cmocka_unit_test(name) /* makes a module for each of its rows */
static const struct CMUnitTest tests[] = {
    TABLE(test_has_an_attribute_of_a_framework),
    TEST(attribute_of_the_module_may_derive_from_one),
    TEST(attribute_of_the_module_may_have_the_name_alone),
    TEST(attributes_that_derive_from_each_other_end),
    TEST(attribute_of_something_else_makes_no_test),
    TEST(module_without_tests_has_nothing_around_them),
    TABLE(construction_and_clean_up_are_around_tests),
    TEST(what_has_an_attribute_of_a_framework_is_around_tests),
    TEST(test_is_no_less_a_test_for_other_attributes),
    TEST(what_has_no_code_is_neither),
    TABLE(fixture_that_a_class_names_is_around_tests),
    cmocka_unit_test(fixture_is_of_its_class_or_of_more),
    cmocka_unit_test(what_runs_around_tests_of_others_is_known),
    TEST(class_without_tests_may_name_a_fixture),
    TEST(bases_of_a_fixture_are_around_tests),
    TEST(odd_interfaces_name_no_fixture),
    TEST(bases_of_a_class_of_tests_are_around_tests),
    TEST(bases_may_come_later_in_the_table),
    TEST(what_derives_from_a_class_of_tests_is_around_tests),
    TEST(unknown_attribute_may_be_a_tests),
    TEST(generic_base_is_a_base),
    TEST(circle_of_bases_ends),
    TEST(override_of_a_test_is_a_test),
    TEST(set_up_fixture_is_around_tests),
    TEST(base_that_there_is_not_is_none),
    TEST(without_memory_it_is_said),
};
UNIT_TESTS(tests);

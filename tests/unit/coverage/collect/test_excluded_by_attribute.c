/* test_excluded_by_attribute.c - which methods an attribute excludes: its own, its property's,
 * that of a type around it, of the assembly; by which names; and with which reason. */
#include "coverage/collect/excluded_by_attribute.h"

#include "tests/support/check.h"
#include "tests/support/image.h"
#include "tests/support/reasons.h"

enum {
    OF_METHOD = 0, /* II.24.2.6 HasCustomAttribute */
    OF_TYPE = 3,
    OF_MODULE = 7,
    OF_PROPERTY = 9,
    OF_ASSEMBLY = 14,
};

struct fixture {
    struct image image;
    struct metadata md;
    struct arena arena;
    struct exclusions exclusions;
    bool optimised;
};

static void begin(struct fixture *f)
{
    f->optimised = false;
    image_begin(&f->image);
    image_sample(&f->image); /* [Mark] on Generic, by N.MarkAttribute, and on Inner */
    f->image.sorted = 0;
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
}

static void end(struct fixture *f)
{
    arena_free(&f->arena);
    image_free(&f->image);
}

static void open(struct fixture *f, const char *attribute, bool auto_properties)
{
    struct str name = str_of(attribute);
    struct exclusion_options options = {&name, name.len != 0, auto_properties};
    struct err err = {0};
    assert_true(metadata_open(&f->md, image_metadata(&f->image), &err));
    f->md.optimised = f->optimised;
    assert_true(exclusions_open(&f->exclusions, &f->md, &options, &f->arena, &err));
}

#define assert_excluded(f, method, expected)                                                       \
    assert_reason(exclusions_reason(&(f)->exclusions, (method)), (expected))

/* An attribute of this name; gives what CustomAttribute.Type holds. */
static uint32_t add_attribute(struct fixture *f, const char *space, const char *name)
{
    uint32_t type = IMAGE_ROW(&f->image, TypeRef, 1 << 2 | 2, image_string(&f->image, name),
                              image_string(&f->image, space));
    uint32_t constructor =
        IMAGE_ROW(&f->image, MemberRef, type << 3 | 1, image_string(&f->image, ".ctor"), 0);
    return constructor << 3 | 3;
}

static uint32_t add_exclude(struct fixture *f)
{
    return add_attribute(f, "System.Diagnostics.CodeAnalysis", "ExcludeFromCodeCoverageAttribute");
}

static uint32_t add_property(struct fixture *f, const char *name, uint32_t getter)
{
    uint32_t property = IMAGE_ROW(&f->image, Property, 0, image_string(&f->image, name), 0);
    IMAGE_ROW(&f->image, MethodSemantics, 2, getter, property << 1 | 1);
    return property;
}

static void method_type_and_nested_type_are_excluded(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    open(&f, "Mark", false);
    assert_excluded(&f, SAMPLE_CONSTRUCTOR, "");
    assert_excluded(&f, SAMPLE_GENERIC, "[Mark]");
    assert_excluded(&f, SAMPLE_CONVERT, "[Mark]");
    assert_excluded(&f, SAMPLE_MARK, "");
    end(&f);
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_OUTER << 5 | OF_TYPE, add_exclude(&f), 0);
    open(&f, "", false);
    assert_excluded(&f, SAMPLE_CONSTRUCTOR, "[ExcludeFromCodeCoverage]");
    assert_excluded(&f, SAMPLE_CONVERT, "[ExcludeFromCodeCoverage]");
    assert_excluded(&f, SAMPLE_MARK, "");
    end(&f);
}

static void assembly_and_module_are_everything(void **state)
{
    static const uint32_t parents[] = {1 << 5 | OF_ASSEMBLY, 1 << 5 | OF_MODULE};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
        struct fixture f;
        begin(&f);
        IMAGE_ROW(&f.image, CustomAttribute, parents[i], add_exclude(&f), 0);
        open(&f, "", false);
        for (uint32_t method = SAMPLE_CONSTRUCTOR; method <= SAMPLE_MARK; method++)
            assert_excluded(&f, method, "[ExcludeFromCodeCoverage]");
        end(&f);
    }
}

static void names_are_short_or_full_with_or_without_suffix(void **state)
{
    static const char *const right[] = {"Mark", "MarkAttribute", "N.Mark", "N.MarkAttribute"};
    static const char *const wrong[] = {"mark",      "M.Mark", ".Mark",  "Mar",
                                        "Attribute", "N",      "N.Outer"};
    struct fixture f;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(right); i++) {
        begin(&f);
        open(&f, right[i], false);
        assert_excluded(&f, SAMPLE_GENERIC, "[Mark]");
        end(&f);
    }
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        begin(&f);
        open(&f, wrong[i], false);
        assert_excluded(&f, SAMPLE_GENERIC, "");
        end(&f);
    }
}

static void justification_is_the_reason(void **state)
{
    static const uint8_t good[] = "\1\0\1\0\x54\x0E\x0DJustification\3why";
    static const uint8_t null[] = "\1\0\1\0\x54\x0E\x0DJustification\xFF";
    static const uint8_t other[] = "\1\0\1\0\x54\x0E\4Name\3why";
    struct fixture f;
    (void)state;
    for (size_t len = 0; len < sizeof good; len++) { /* its NUL is not read */
        begin(&f);
        uint32_t value = image_blob(&f.image, good, len);
        IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_CONSTRUCTOR << 5 | OF_METHOD, add_exclude(&f),
                  value);
        open(&f, "", false);
        assert_excluded(&f, SAMPLE_CONSTRUCTOR,
                        len == sizeof good - 1 ? "[ExcludeFromCodeCoverage]: why"
                                               : "[ExcludeFromCodeCoverage]");
        end(&f);
    }
    begin(&f);
    uint32_t exclude = add_exclude(&f);
    uint32_t none = image_blob(&f.image, null, sizeof null - 1);
    uint32_t named = image_blob(&f.image, other, sizeof other - 1);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_CONSTRUCTOR << 5 | OF_METHOD, exclude, none);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_MARK << 5 | OF_METHOD, exclude, named);
    open(&f, "", false);
    assert_excluded(&f, SAMPLE_CONSTRUCTOR, "[ExcludeFromCodeCoverage]");
    assert_excluded(&f, SAMPLE_MARK, "[ExcludeFromCodeCoverage]");
    end(&f);
}

static void property_excludes_its_accessors(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    uint32_t property = add_property(&f, "Convert", SAMPLE_CONSTRUCTOR);
    IMAGE_ROW(&f.image, CustomAttribute, property << 5 | OF_PROPERTY, add_exclude(&f), 0);
    open(&f, "", false);
    assert_excluded(&f, SAMPLE_CONSTRUCTOR, "[ExcludeFromCodeCoverage]");
    assert_excluded(&f, SAMPLE_GENERIC, "");
    end(&f);
}

static void accessors_that_the_compiler_made_are_excluded_on_request(void **state)
{
    struct fixture f;
    (void)state;
    for (int asked = 0; asked <= 1; asked++)
        for (int made = 0; made <= 1; made++) {
            begin(&f);
            uint32_t by_compiler =
                add_attribute(&f, "System.Runtime.CompilerServices", "CompilerGeneratedAttribute");
            f.image.row_count[TABLE_TypeDef] = 0; /* Outer with a field of a property */
            f.image.rows[TABLE_TypeDef].len = 0;
            IMAGE_ROW(&f.image, TypeDef, 1, image_string(&f.image, "T"), 0, 0, 1, 1);
            uint32_t field =
                IMAGE_ROW(&f.image, Field, 1, image_string(&f.image, "<P>k__BackingField"), 0);
            IMAGE_ROW(&f.image, CustomAttribute, field << 5 | 1, by_compiler, 0);
            (void)add_property(&f, "P", SAMPLE_CONSTRUCTOR);
            if (made != 0)
                IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_CONSTRUCTOR << 5 | OF_METHOD,
                          by_compiler, 0);
            open(&f, "", asked != 0);
            assert_excluded(&f, SAMPLE_CONSTRUCTOR,
                            asked != 0 && made != 0 ? "--exclude-auto-properties" : "");
            end(&f);
        }
}

static void mark(struct fixture *f, uint32_t method, uint32_t attribute, uint32_t value)
{
    IMAGE_ROW(&f->image, CustomAttribute, method << 5 | OF_METHOD, attribute, value);
}

/* [Obsolete] with this message, and true for an error. */
static uint32_t obsolete(struct fixture *f, const char *message)
{
    uint8_t value[256] = {1, 0, (uint8_t)strlen(message)};
    size_t len = strlen(message);
    assert_in_range(len, 0, 127); /* a compressed length of one byte */
    memcpy(value + 3, message, len);
    value[3 + len] = 1;
    return image_blob(&f->image, value, len + 6);
}

#define UNSUPPORTED " are not supported in this version of your compiler."

static void obsolete_of_the_compiler_is_none_of_the_user(void **state)
{
    static const char *const made[] = {"Constructors of types with required members" UNSUPPORTED,
                                       "Types with embedded references" UNSUPPORTED};
    struct fixture f;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        begin(&f);
        uint32_t attribute = add_attribute(&f, "System", "ObsoleteAttribute");
        mark(&f, SAMPLE_CONSTRUCTOR, attribute, obsolete(&f, made[i]));
        mark(&f, SAMPLE_GENERIC, attribute, obsolete(&f, "Other types" UNSUPPORTED));
        mark(&f, SAMPLE_MARK, attribute, 0);
        open(&f, "Obsolete", false);
        assert_excluded(&f, SAMPLE_CONSTRUCTOR, "");
        assert_excluded(&f, SAMPLE_GENERIC, "[Obsolete]");
        assert_excluded(&f, SAMPLE_MARK, "[Obsolete]");
        end(&f);
        begin(&f);
        attribute = add_attribute(&f, "System", "ObsoleteAttribute");
        IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_OUTER << 5 | OF_TYPE, attribute,
                  obsolete(&f, made[i]));
        open(&f, "System.ObsoleteAttribute", false);
        assert_excluded(&f, SAMPLE_CONSTRUCTOR, "");
        end(&f);
    }
}

/* Without optimisation, compilers mark each async method; the user's attribute is a second one. */
static void the_step_through_of_async_methods_is_not_the_users(void **state)
{
    struct fixture f;
    (void)state;
    for (int optimised = 0; optimised <= 1; optimised++) {
        begin(&f);
        uint32_t steps = add_attribute(&f, "System.Diagnostics", "DebuggerStepThroughAttribute");
        uint32_t async =
            add_attribute(&f, "System.Runtime.CompilerServices", "AsyncStateMachineAttribute");
        mark(&f, SAMPLE_CONSTRUCTOR, async, 0);
        mark(&f, SAMPLE_CONSTRUCTOR, steps, 0);
        mark(&f, SAMPLE_GENERIC, async, 0);
        mark(&f, SAMPLE_GENERIC, steps, 0);
        mark(&f, SAMPLE_GENERIC, steps, 0);
        mark(&f, SAMPLE_MARK, steps, 0);
        f.optimised = optimised != 0;
        open(&f, "DebuggerStepThrough", false);
        assert_excluded(&f, SAMPLE_CONSTRUCTOR, optimised == 0 ? "" : "[DebuggerStepThrough]");
        assert_excluded(&f, SAMPLE_GENERIC, "[DebuggerStepThrough]");
        assert_excluded(&f, SAMPLE_MARK, "[DebuggerStepThrough]");
        end(&f);
    }
}

/* What metadata refers to need not exist. */
static void rows_that_lead_nowhere_exclude_nothing(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    uint32_t exclude = add_exclude(&f);
    for (uint32_t kind = 0; kind < 32; kind++) {
        IMAGE_ROW(&f.image, CustomAttribute, 1000 << 5 | kind, exclude, 0);
        IMAGE_ROW(&f.image, CustomAttribute, kind, exclude, 0);
    }
    IMAGE_ROW(&f.image, MethodSemantics, 2, 1000, 1 << 1 | 1);
    IMAGE_ROW(&f.image, MethodSemantics, 2, 0, 1 << 1 | 1);
    IMAGE_ROW(&f.image, MethodSemantics, 2, SAMPLE_GENERIC, 1000 << 1);
    open(&f, "", true);
    for (uint32_t method = SAMPLE_CONSTRUCTOR; method <= SAMPLE_MARK; method++)
        assert_excluded(&f, method, "");
    end(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(method_type_and_nested_type_are_excluded),
    cmocka_unit_test(assembly_and_module_are_everything),
    cmocka_unit_test(names_are_short_or_full_with_or_without_suffix),
    cmocka_unit_test(justification_is_the_reason),
    cmocka_unit_test(property_excludes_its_accessors),
    cmocka_unit_test(accessors_that_the_compiler_made_are_excluded_on_request),
    cmocka_unit_test(obsolete_of_the_compiler_is_none_of_the_user),
    cmocka_unit_test(the_step_through_of_async_methods_is_not_the_users),
    cmocka_unit_test(rows_that_lead_nowhere_exclude_nothing),
};
UNIT_TESTS(tests);

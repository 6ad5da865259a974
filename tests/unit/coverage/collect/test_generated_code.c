/* test_generated_code.c - which methods an attribute says are a generator's: its own, its
 * property's, that of a type around it; and what files say against it. */
#include "coverage/collect/generated_code.h"

#include "tests/support/check.h"
#include "tests/support/image.h"
#include "tests/support/reasons.h"

enum {
    OF_METHOD = 0, /* II.24.2.6 HasCustomAttribute */
    OF_TYPE = 3,
    OF_MODULE = 7,
    OF_PROPERTY = 9,
    OF_ASSEMBLY = 14,
    METHODS = 5 /* of image_sample */
};

struct fixture {
    struct image image;
    struct metadata md;
    struct arena arena;
    struct marked_members members;
};

static void begin(struct fixture *f)
{
    image_begin(&f->image);
    image_sample(&f->image);
    f->image.sorted = 0;
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
}

static void end(struct fixture *f)
{
    arena_free(&f->arena);
    image_free(&f->image);
}

static void open(struct fixture *f)
{
    struct err err = {0};
    assert_true(metadata_open(&f->md, image_metadata(&f->image), &err));
    assert_true(generated_members_open(&f->members, &f->md, &f->arena, &err));
}

/* An attribute of this name; gives what CustomAttribute.Type holds. */
static uint32_t add_attribute(struct fixture *f, const char *space, const char *name)
{
    uint32_t type = IMAGE_ROW(&f->image, TypeRef, 1 << 2 | 2, image_string(&f->image, name),
                              image_string(&f->image, space));
    uint32_t constructor =
        IMAGE_ROW(&f->image, MemberRef, type << 3 | 1, image_string(&f->image, ".ctor"), 0);
    return constructor << 3 | 3;
}

static uint32_t by_tool(struct fixture *f)
{
    return add_attribute(f, "System.CodeDom.Compiler", "GeneratedCodeAttribute");
}

static uint32_t by_compiler(struct fixture *f)
{
    return add_attribute(f, "System.Runtime.CompilerServices", "CompilerGeneratedAttribute");
}

#define assert_generated(f, method, expected)                                                      \
    do {                                                                                           \
        uint32_t type_;                                                                            \
        assert_reason(marked_members_reason(&type_, &(f)->members, (method)), (expected));         \
    } while (0)

static void tool_marks_a_method_alone(void **state)
{
    static const uint8_t value[] = {1, 0, 3, 'G', 'e', 'n', 1, '2', 0, 0};
    static const uint8_t null[] = {1, 0, 0xFF, 0xFF, 0, 0};
    struct fixture f;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_GENERIC << 5 | OF_METHOD, by_tool(&f),
              image_blob(&f.image, value, sizeof value));
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_MARK << 5 | OF_METHOD, by_tool(&f),
              image_blob(&f.image, null, sizeof null));
    open(&f);
    assert_generated(&f, SAMPLE_CONSTRUCTOR, "");
    assert_generated(&f, SAMPLE_GENERIC, "generated: [GeneratedCode] by Gen");
    assert_generated(&f, SAMPLE_CONVERT, "");
    assert_generated(&f, SAMPLE_MARK, "generated: [GeneratedCode] ");
    end(&f);
}

static void type_is_marked_with_those_in_it(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_OUTER << 5 | OF_TYPE, by_tool(&f), 0);
    open(&f);
    assert_generated(&f, SAMPLE_CONSTRUCTOR, "generated: [GeneratedCode] ");
    assert_generated(&f, SAMPLE_CONVERT, "generated: [GeneratedCode] ");
    assert_generated(&f, SAMPLE_MARK, "");
    end(&f);
}

static void property_marks_its_accessors(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    uint32_t property = IMAGE_ROW(&f.image, Property, 0, image_string(&f.image, "P"), 0);
    IMAGE_ROW(&f.image, MethodSemantics, 2, SAMPLE_GENERIC, property << 1 | 1);
    IMAGE_ROW(&f.image, CustomAttribute, property << 5 | OF_PROPERTY, by_tool(&f), 0);
    open(&f);
    assert_generated(&f, SAMPLE_GENERIC, "generated: [GeneratedCode] ");
    assert_generated(&f, SAMPLE_CONSTRUCTOR, "");
    end(&f);
}

static void assembly_and_module_are_everything(void **state)
{
    static const uint32_t parents[] = {1 << 5 | OF_ASSEMBLY, 1 << 5 | OF_MODULE};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
        struct fixture f;
        begin(&f);
        IMAGE_ROW(&f.image, CustomAttribute, parents[i], by_tool(&f), 0);
        open(&f);
        for (uint32_t method = SAMPLE_CONSTRUCTOR; method <= SAMPLE_MARK; method++)
            assert_generated(&f, method, "generated: [GeneratedCode] ");
        end(&f);
    }
}

/* Accessors of { get; set; } have it, closures and the type of top-level statements. */
static void compiler_marks_types_that_have_a_name(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    uint32_t attribute = by_compiler(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_GENERIC << 5 | OF_METHOD, attribute, 0);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_ATTRIBUTE << 5 | OF_TYPE, attribute, 0);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_MODULE_TYPE << 5 | OF_TYPE, attribute, 0);
    open(&f);
    assert_generated(&f, SAMPLE_GENERIC, "");
    assert_generated(&f, SAMPLE_MARK, "generated: [CompilerGenerated]");
    end(&f);
    begin(&f);
    IMAGE_ROW(&f.image, MethodDef, 0, 0, 0x96, image_string(&f.image, "<Main>$"), 0, 5);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_ATTRIBUTE << 5 | OF_TYPE, by_compiler(&f), 0);
    open(&f);
    assert_generated(&f, SAMPLE_MARK, "");
    end(&f);
}

/* --- what files say --------------------------------------------------------------------------- */

/* Five methods with a statement each, in the document of this index. */
struct code {
    struct fact_method methods[METHODS];
    struct fact_statement statements[METHODS];
    struct fact_document documents[2];
};

static void mark(struct code *c, struct fixture *f, const char *path, bool is_generated)
{
    struct err err = {0};
    *c = (struct code){.documents = {{.path = STR("/src/A.cs")}, {.path = str_of(path)}}};
    c->documents[1].generated = is_generated ? reason_of(REASON_GENERATED_FOLDER) : NULL;
    for (uint32_t i = 0; i < METHODS; i++) {
        c->methods[i] =
            (struct fact_method){.token = TOKEN(TABLE_MethodDef, i + 1), .user_method = i};
        c->statements[i] =
            (struct fact_statement){.method = i, .document = i + 1 == SAMPLE_GENERIC};
    }
    c->methods[SAMPLE_MARK - 1].user_method = SAMPLE_GENERIC - 1;
    const struct fact_module code = {.documents = c->documents,
                                     .statements = c->statements,
                                     .statement_count = METHODS,
                                     .methods = c->methods,
                                     .method_count = METHODS};
    assert_true(generated_code_mark(&code, &f->md, &f->arena, &err));
}

static void type_of_two_parts_is_marked_by_its_files(void **state)
{
    struct fixture f;
    struct code c;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_OUTER << 5 | OF_TYPE, by_tool(&f), 0);
    open(&f);
    mark(&c, &f, "/src/B.cs", false);
    assert_reason(c.methods[SAMPLE_CONSTRUCTOR - 1].generated, "generated: [GeneratedCode] ");
    assert_reason(c.methods[SAMPLE_CONVERT - 1].generated, "generated: [GeneratedCode] ");
    mark(&c, &f, "/src/obj/B.cs", true);
    for (uint32_t i = 0; i < METHODS; i++)
        assert_null(c.methods[i].generated);
    end(&f);
}

/* As `partial void OnNameChanged`, which a generator declares: the user writes its body. */
static void body_of_a_partial_method_is_the_users(void **state)
{
    struct fixture f;
    struct code c;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_CONSTRUCTOR << 5 | OF_METHOD, by_tool(&f), 0);
    open(&f);
    mark(&c, &f, "/src/B.cs", false);
    assert_non_null(c.methods[SAMPLE_CONSTRUCTOR - 1].generated);
    mark(&c, &f, "/src/obj/B.cs", true);
    assert_null(c.methods[SAMPLE_CONSTRUCTOR - 1].generated);
    end(&f);
}

static void code_of_a_template_is_the_users(void **state)
{
    struct fixture f;
    struct code c;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_GENERIC << 5 | OF_METHOD, by_tool(&f), 0);
    open(&f);
    mark(&c, &f, "/src/B.cs", false);
    assert_non_null(c.methods[SAMPLE_GENERIC - 1].generated);
    assert_non_null(c.methods[SAMPLE_MARK - 1].generated); /* moved out of it */
    mark(&c, &f, "/src/B.tt", false);
    assert_null(c.methods[SAMPLE_GENERIC - 1].generated);
    assert_null(c.methods[SAMPLE_MARK - 1].generated);
    end(&f);
}

/* F#'s compiler marks what it makes of unions under names that the user could write. */
static void type_that_the_compiler_of_fsharp_marks_is_the_users(void **state)
{
    struct fixture f;
    struct code c;
    (void)state;
    begin(&f);
    IMAGE_ROW(&f.image, CustomAttribute, SAMPLE_OUTER << 5 | OF_TYPE, by_compiler(&f), 0);
    open(&f);
    mark(&c, &f, "/src/B.cs", false);
    assert_non_null(c.methods[SAMPLE_GENERIC - 1].generated);
    mark(&c, &f, "/src/B.fs", false);
    assert_null(c.methods[SAMPLE_GENERIC - 1].generated);
    end(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tool_marks_a_method_alone),
    cmocka_unit_test(type_is_marked_with_those_in_it),
    cmocka_unit_test(property_marks_its_accessors),
    cmocka_unit_test(assembly_and_module_are_everything),
    cmocka_unit_test(compiler_marks_types_that_have_a_name),
    cmocka_unit_test(type_of_two_parts_is_marked_by_its_files),
    cmocka_unit_test(body_of_a_partial_method_is_the_users),
    cmocka_unit_test(code_of_a_template_is_the_users),
    cmocka_unit_test(type_that_the_compiler_of_fsharp_marks_is_the_users),
};
UNIT_TESTS(tests);

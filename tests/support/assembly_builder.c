#include "tests/support/assembly_builder.h"

#include <string.h>

#include "base/bytes.h"

enum {
    INSTANCE = 0x86,
    STATIC = 0x96,
    COLUMNS = 6, /* of MethodDef */
    COLUMN_NAME = 3
};

static void add(struct il_builder *b, uint32_t flags, const char *signature, const char *text)
{
    struct view body;
    (void)il_add_method_as(&body, b, flags, 0, signature, text);
}

static void rename_method(struct image *image, uint32_t rid, const char *name)
{
    uint32_t cell = (rid - 1) * COLUMNS + COLUMN_NAME;
    store_u32(image->rows[TABLE_MethodDef].data + 4 * (size_t)cell, image_string(image, name));
}

static void add_fact(struct image *image, uint32_t constructor, uint32_t method)
{
    (void)IMAGE_ROW(image, CustomAttribute, method << 5, constructor << 3 | 3, 0);
}

/* II.24.2.6: ResolutionScope, MemberRefParent. */
static uint32_t fact_constructor(struct image *image, const char *framework)
{
    uint32_t assembly =
        IMAGE_ROW(image, AssemblyRef, 2, 0, 0, 0, 0, 0, image_string(image, framework), 0, 0);
    uint32_t type = IMAGE_ROW(image, TypeRef, assembly << 2 | 2,
                              image_string(image, "FactAttribute"), image_string(image, "Xunit"));
    return IMAGE_ROW(image, MemberRef, type << 3 | 1, image_string(image, ".ctor"), 0);
}

struct view assembly_build(struct il_builder *b, const char *framework)
{
    struct image *image = &b->image;
    il_begin(b, "void()");
    (void)IMAGE_ROW(image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(image, "Handmade"), 0);
    add(b, INSTANCE, "this:void()", ".locals int32; .init; ldc.i4.1; stloc.0; ret");
    add(b, STATIC, "void()", "ret");
    add(b, STATIC, "void()", "ret");
    add(b, STATIC, "class()", "ldnull; tail.; call class(class); ret");
    add(b, INSTANCE, "this:void()", "ret");
    add(b, STATIC, "void()", "tail.; call void(); ret");
    add(b, STATIC, "void(bool)", "ldarg.0; brtrue.s B; nop; B: ret");
    rename_method(image, ASSEMBLY_STATIC_CONSTRUCTOR, ".cctor");
    rename_method(image, ASSEMBLY_CONSTRUCTOR, ".ctor");
    if (framework != NULL) {
        uint32_t constructor = fact_constructor(image, framework);
        add_fact(image, constructor, ASSEMBLY_TEST);
        add_fact(image, constructor, ASSEMBLY_GIVES_CLASS);
    }
    return image_pe(image, false);
}

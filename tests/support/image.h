/* image.h - builds small PE images, their metadata and PDBs in memory, so that tests need no .NET.
 * Rows and heap items are added one by one; image_metadata and image_pe then lay everything out.
 * All indexes are 2 bytes wide, heap offsets too unless `wide` is set. Nothing is checked: broken
 * images are wanted as well. */
#pragma once

#include "metadata/pe.h"
#include "metadata/tables.h"

enum {
    IMAGE_DEBUG_MAX = 8,
    IMAGE_SECTION_RVA = 0x2000,
    IMAGE_SECTION_OFFSET = 0x200
};

struct image_debug {
    uint32_t type, stamp;
    uint16_t minor;
    struct view data;
};

struct image {
    struct arena arena;
    struct writer strings, user_strings, guids, blobs;
    struct writer rows[TABLE_COUNT]; /* a u32 for each cell */
    uint32_t row_count[TABLE_COUNT];
    uint64_t sorted; /* all tables that have a sorting column, until changed */
    bool wide;       /* heap offsets of 4 bytes */
    bool pe32_plus;
    const char *tables_name; /* "#~" */
    struct writer section;   /* room for the CLI header, then bodies */
    uint32_t native_rva;     /* ManagedNativeHeader */
    struct image_debug debug[IMAGE_DEBUG_MAX];
    uint32_t debug_count;
    bool is_pdb; /* then image_metadata writes a #Pdb stream with these */
    uint8_t pdb_id[20];
    uint32_t entry_point;
    uint32_t foreign_rows[TABLE_COUNT];
};

void image_begin(struct image *image);
void image_free(struct image *image);

/* Heap items; the result is what a column holds. */
uint32_t image_string(struct image *image, const char *text);
uint32_t image_blob(struct image *image, const void *data, size_t len);
uint32_t image_user_string(struct image *image, const char *ascii);
uint32_t image_guid(struct image *image, const uint8_t guid[16]);

/* Adds a row and returns its rid. */
uint32_t image_row(struct image *image, enum table_id table, const uint32_t *cells, size_t count);
#define IMAGE_ROW(image, name, ...)                                                                \
    image_row((image), TABLE_##name, (const uint32_t[]){__VA_ARGS__},                              \
              ARRAY_LEN(((const uint32_t[]){__VA_ARGS__})))

/* Adds bytes to the section and returns their RVA. */
uint32_t image_body(struct image *image, const void *data, size_t len);
void image_add_debug(struct image *image, uint32_t type, uint32_t stamp, uint16_t minor,
                     struct view data);

/* The finished bytes live in the image's arena. */
struct view image_metadata(struct image *image);
struct view image_pe(struct image *image, bool mapped);

/* An assembly "Sample" with some of everything; the rids of what is in it are these. */
enum image_sample_rids {
    SAMPLE_MODULE_TYPE = 1, /* <Module> */
    SAMPLE_OUTER = 2,       /* N.Outer`2<TKey, TValue> */
    SAMPLE_INNER = 3,       /* N.Outer`2/Inner */
    SAMPLE_ATTRIBUTE = 4,   /* N.MarkAttribute */
    SAMPLE_CONSTRUCTOR = 1, /* of Outer: .ctor() */
    SAMPLE_GENERIC = 2,     /* of Outer: Generic`1(TKey, !!0 named TMethod, List<TValue>) */
    SAMPLE_CONVERT = 3,     /* of Inner: op_Implicit(int) : string */
    SAMPLE_ABSTRACT = 4,    /* of Inner: no body */
    SAMPLE_MARK = 5,        /* of MarkAttribute: .ctor() */
    SAMPLE_FIELD_OUTER = 1, /* int32 */
    SAMPLE_FIELD_INNER = 2, /* string */
};
void image_sample(struct image *image);

#include "tests/support/image.h"

#include <string.h>

enum {
    CLI_HEADER_LEN = 72,
    HEADERS_LEN = IMAGE_SECTION_OFFSET,
    PE_OFFSET = 0x80
};

/* Widths of the columns as this builder writes them. */
enum {
    U1 = 2,
    U2 = 2,
    U4 = 4,
    INDEX_WIDTH = 2,
    HEAP = 0,
    STRING = HEAP,
    GUID = HEAP,
    BLOB = HEAP
};
#define INDEX(table) INDEX_WIDTH
#define CODED(kind)  INDEX_WIDTH
static const struct {
    uint8_t table, width;
} columns[] = {
#define COLUMN(table, column, kind) {TABLE_##table, kind},
#include "metadata/tables.def"
};

#define SORTED(table, column) | UINT64_C(1) << TABLE_##table
static const uint64_t all_sorted = 0
#include "metadata/tables.def"
    ;

void image_begin(struct image *image)
{
    *image = (struct image){.sorted = all_sorted, .tables_name = "#~"};
    arena_init(&image->arena, NULL, 0, ARENA_NO_LIMIT);
    image->strings = wr_in(&image->arena);
    image->user_strings = wr_in(&image->arena);
    image->guids = wr_in(&image->arena);
    image->blobs = wr_in(&image->arena);
    image->section = wr_in(&image->arena);
    for (unsigned i = 0; i < TABLE_COUNT; i++)
        image->rows[i] = wr_in(&image->arena);
    wr_u8(&image->strings, 0);
    wr_u8(&image->user_strings, 0);
    wr_u8(&image->blobs, 0);
    (void)memset(wr_space(&image->section, CLI_HEADER_LEN), 0, CLI_HEADER_LEN);
}

void image_free(struct image *image)
{
    arena_free(&image->arena);
}

uint32_t image_string(struct image *image, const char *text)
{
    uint32_t offset = (uint32_t)image->strings.len;
    wr_bytes(&image->strings, text, strlen(text) + 1);
    return offset;
}

static void write_compressed(struct writer *w, size_t value)
{
    if (value >= 0x80)
        wr_u8(w, (uint8_t)(0x80 | value >> 8)); /* tests have no longer items */
    wr_u8(w, (uint8_t)value);
}

uint32_t image_blob(struct image *image, const void *data, size_t len)
{
    uint32_t offset = (uint32_t)image->blobs.len;
    write_compressed(&image->blobs, len);
    wr_bytes(&image->blobs, data, len);
    return offset;
}

uint32_t image_user_string(struct image *image, const char *ascii)
{
    uint32_t offset = (uint32_t)image->user_strings.len;
    write_compressed(&image->user_strings, strlen(ascii) * 2 + 1);
    for (; *ascii != '\0'; ascii++)
        wr_u16(&image->user_strings, (uint8_t)*ascii);
    wr_u8(&image->user_strings, 0);
    return offset;
}

uint32_t image_guid(struct image *image, const uint8_t guid[16])
{
    wr_bytes(&image->guids, guid, 16);
    return (uint32_t)(image->guids.len / 16);
}

uint32_t image_row(struct image *image, enum table_id table, const uint32_t *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wr_u32(&image->rows[table], cells[i]);
    return ++image->row_count[table];
}

uint32_t image_body(struct image *image, const void *data, size_t len)
{
    wr_align(&image->section, 4);
    uint32_t rva = IMAGE_SECTION_RVA + (uint32_t)image->section.len;
    wr_bytes(&image->section, data, len);
    return rva;
}

void image_add_debug(struct image *image, uint32_t type, uint32_t stamp, uint16_t minor,
                     struct view data)
{
    struct writer copy = wr_in(&image->arena);
    wr_bytes(&copy, data.data, data.len);
    image->debug[image->debug_count++] =
        (struct image_debug){type, stamp, minor, {copy.data, copy.len}};
}

static void write_rows(struct writer *w, const struct image *image)
{
    for (unsigned id = 0; id < TABLE_COUNT; id++) {
        const uint8_t *cell = image->rows[id].data;
        for (uint32_t row = 0; row < image->row_count[id]; row++)
            for (size_t c = 0; c < ARRAY_LEN(columns); c++) {
                if (columns[c].table != id)
                    continue;
                unsigned width = columns[c].width != HEAP ? columns[c].width : image->wide ? 4 : 2;
                uint32_t value = load_u32(cell);
                cell += 4;
                if (width == 2)
                    wr_u16(w, (uint16_t)value);
                else
                    wr_u32(w, value);
            }
    }
}

static struct writer tables_stream(struct image *image)
{
    uint64_t present = 0;
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        if (image->row_count[id] != 0)
            present |= UINT64_C(1) << id;
    struct writer w = wr_in(&image->arena);
    wr_u32(&w, 0);
    wr_u8(&w, 2);
    wr_u8(&w, 0);
    wr_u8(&w, image->wide ? 7 : 0);
    wr_u8(&w, 1);
    wr_u64(&w, present);
    wr_u64(&w, image->sorted);
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        if (image->row_count[id] != 0)
            wr_u32(&w, image->row_count[id]);
    write_rows(&w, image);
    return w;
}

static struct writer pdb_stream(struct image *image)
{
    uint64_t referenced = 0;
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        if (image->foreign_rows[id] != 0)
            referenced |= UINT64_C(1) << id;
    struct writer w = wr_in(&image->arena);
    wr_bytes(&w, image->pdb_id, sizeof image->pdb_id);
    wr_u32(&w, image->entry_point);
    wr_u64(&w, referenced);
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        if (image->foreign_rows[id] != 0)
            wr_u32(&w, image->foreign_rows[id]);
    return w;
}

static void write_padded_text(struct writer *w, const char *text)
{
    wr_bytes(w, text, strlen(text) + 1);
    wr_align(w, 4);
}

struct view image_metadata(struct image *image)
{
    struct writer w, tables = tables_stream(image), pdb = pdb_stream(image);
    struct {
        const char *name;
        struct writer *bytes;
    } streams[] = {
        {image->tables_name, &tables}, {"#Strings", &image->strings}, {"#US", &image->user_strings},
        {"#GUID", &image->guids},      {"#Blob", &image->blobs},      {"#Pdb", &pdb},
    };
    unsigned count = image->is_pdb ? 6 : 5;
    uint32_t offset = 0;
    w = wr_in(&image->arena);
    wr_u32(&w, 0x424A5342);
    wr_u16(&w, 1);
    wr_u16(&w, 1);
    wr_u32(&w, 0);
    wr_u32(&w, 12);
    wr_bytes(&w, image->is_pdb ? "PDB v1.0\0\0\0" : "v4.0.30319\0", 12);
    wr_u16(&w, 0);
    wr_u16(&w, (uint16_t)count);
    for (unsigned i = 0; i < count; i++)
        offset += 8 + (uint32_t)((strlen(streams[i].name) + 4) & ~(size_t)3);
    offset += (uint32_t)w.len;
    for (unsigned i = 0; i < count; i++) {
        wr_align(streams[i].bytes, 4);
        wr_u32(&w, offset);
        wr_u32(&w, (uint32_t)streams[i].bytes->len);
        write_padded_text(&w, streams[i].name);
        offset += (uint32_t)streams[i].bytes->len;
    }
    for (unsigned i = 0; i < count; i++)
        wr_bytes(&w, streams[i].bytes->data, streams[i].bytes->len);
    return (struct view){w.data, w.len};
}

/* Adds the debug directory and its data; returns its RVA, or 0 when there is none. */
static uint32_t write_debug(struct image *image)
{
    uint32_t rva[IMAGE_DEBUG_MAX];
    for (uint32_t i = 0; i < image->debug_count; i++)
        rva[i] = image_body(image, image->debug[i].data.data, image->debug[i].data.len);
    if (image->debug_count == 0)
        return 0;
    uint32_t directory = image_body(image, NULL, 0);
    for (uint32_t i = 0; i < image->debug_count; i++) {
        const struct image_debug *d = &image->debug[i];
        wr_u32(&image->section, 0);
        wr_u32(&image->section, d->stamp);
        wr_u16(&image->section, 1);
        wr_u16(&image->section, d->minor);
        wr_u32(&image->section, d->type);
        wr_u32(&image->section, (uint32_t)d->data.len);
        wr_u32(&image->section, rva[i]);
        wr_u32(&image->section, rva[i] - IMAGE_SECTION_RVA + IMAGE_SECTION_OFFSET);
    }
    return directory;
}

static void zeros(struct writer *w, size_t n)
{
    (void)memset(wr_space(w, n), 0, n);
}

struct view image_pe(struct image *image, bool mapped)
{
    struct view metadata = image_metadata(image);
    uint32_t debug_rva = write_debug(image);
    uint32_t metadata_rva = image_body(image, metadata.data, metadata.len);
    uint8_t *cli = image->section.data; /* II.25.3.3 */
    store_u32(cli, CLI_HEADER_LEN);
    store_u32(cli + 8, metadata_rva);
    store_u32(cli + 12, (uint32_t)metadata.len);
    store_u32(cli + 16, 1); /* COMIMAGE_FLAGS_ILONLY */
    store_u32(cli + 64, image->native_rva);

    struct writer w = wr_in(&image->arena);
    wr_u16(&w, 0x5A4D); /* "MZ" */
    zeros(&w, 0x3C - 2);
    wr_u32(&w, PE_OFFSET);
    zeros(&w, PE_OFFSET - w.len);
    wr_u32(&w, 0x4550); /* "PE" */
    wr_u16(&w, 0x14C);
    wr_u16(&w, 1); /* sections */
    wr_u32(&w, 0x12345678);
    zeros(&w, 8);
    unsigned directories_at = image->pe32_plus ? 112 : 96;
    wr_u16(&w, (uint16_t)(directories_at + 16 * 8));
    wr_u16(&w, 0x2102);
    size_t optional = w.len;
    wr_u16(&w, image->pe32_plus ? 0x20B : 0x10B);
    zeros(&w, directories_at - 2 + 16 * 8);
    store_u32(w.data + optional + 56, IMAGE_SECTION_RVA + (uint32_t)image->section.len);
    store_u32(w.data + optional + directories_at - 4, 16);
    store_u32(w.data + optional + directories_at + 6 * 8, debug_rva);
    store_u32(w.data + optional + directories_at + 6 * 8 + 4, image->debug_count * 28);
    store_u32(w.data + optional + directories_at + 14 * 8, IMAGE_SECTION_RVA);
    store_u32(w.data + optional + directories_at + 14 * 8 + 4, CLI_HEADER_LEN);
    wr_bytes(&w, ".text\0\0", 8);
    wr_u32(&w, (uint32_t)image->section.len);
    wr_u32(&w, IMAGE_SECTION_RVA);
    wr_u32(&w, (uint32_t)image->section.len);
    wr_u32(&w, IMAGE_SECTION_OFFSET);
    zeros(&w, 16);
    zeros(&w, (mapped ? IMAGE_SECTION_RVA : HEADERS_LEN) - w.len);
    wr_bytes(&w, image->section.data, image->section.len);
    return (struct view){w.data, w.len};
}

static uint32_t blob_of(struct image *image, size_t len, const uint8_t *bytes)
{
    return image_blob(image, bytes, len);
}
#define BLOB_OF(image, ...)                                                                        \
    blob_of((image), sizeof((const uint8_t[]){__VA_ARGS__}), (const uint8_t[]){__VA_ARGS__})

void image_sample(struct image *image)
{
    static const uint8_t mvid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const uint8_t tiny[] = {0x06, 0x2A}; /* one byte of code: ret */
    uint32_t no_args = BLOB_OF(image, 0x20, 0x00, 0x01);
    uint32_t namespace_n = image_string(image, "N");
    IMAGE_ROW(image, Module, 0, image_string(image, "Sample.dll"), image_guid(image, mvid), 0, 0);
    IMAGE_ROW(image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0, image_string(image, "Sample"), 0);
    IMAGE_ROW(image, AssemblyRef, 8, 0, 0, 0, 0, 0, image_string(image, "System.Runtime"), 0, 0);
    /* 1: System.Object; 2: List`1 and 3: its nested Enumerator */
    IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, "Object"),
              image_string(image, "System"));
    IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, "List`1"),
              image_string(image, "System.Collections.Generic"));
    IMAGE_ROW(image, TypeRef, 2 << 2 | 3, image_string(image, "Enumerator"), 0);

    IMAGE_ROW(image, TypeDef, 0, image_string(image, "<Module>"), 0, 0, 1, 1);
    IMAGE_ROW(image, TypeDef, 1, image_string(image, "Outer`2"), namespace_n, 1 << 2 | 1, 1, 1);
    IMAGE_ROW(image, TypeDef, 2, image_string(image, "Inner"), 0, 1 << 2 | 1, 2, 3);
    IMAGE_ROW(image, TypeDef, 1, image_string(image, "MarkAttribute"), namespace_n, 1 << 2 | 1, 3,
              5);
    IMAGE_ROW(image, NestedClass, SAMPLE_INNER, SAMPLE_OUTER);
    IMAGE_ROW(image, Field, 1, image_string(image, "number"), BLOB_OF(image, 0x06, 0x08));
    IMAGE_ROW(image, Field, 1, image_string(image, "text"), BLOB_OF(image, 0x06, 0x0E));

    uint32_t body = image_body(image, tiny, sizeof tiny);
    IMAGE_ROW(image, MethodDef, body, 0, 0x1886, image_string(image, ".ctor"), no_args, 1);
    /* instance void Generic<TMethod>(!0, !!0, List`1<!1>) */
    IMAGE_ROW(
        image, MethodDef, body, 0, 0x86, image_string(image, "Generic"),
        BLOB_OF(image, 0x30, 1, 3, 0x01, 0x13, 0, 0x1E, 0, 0x15, 0x12, 2 << 2 | 1, 1, 0x13, 1), 1);
    IMAGE_ROW(image, MethodDef, body, 0, 0x896, image_string(image, "op_Implicit"),
              BLOB_OF(image, 0x00, 1, 0x0E, 0x08), 4);
    IMAGE_ROW(image, MethodDef, 0, 0, 0x5C6, image_string(image, "Abstract"), no_args, 5);
    IMAGE_ROW(image, MethodDef, body, 0, 0x1886, image_string(image, ".ctor"), no_args, 5);
    IMAGE_ROW(image, Param, 0, 1, image_string(image, "key"));
    IMAGE_ROW(image, Param, 0, 2, image_string(image, "method"));
    IMAGE_ROW(image, Param, 0, 3, image_string(image, "list"));
    IMAGE_ROW(image, Param, 0, 1, image_string(image, "number"));

    /* Owner: the type, then the method (II.24.2.6 TypeOrMethodDef), ascending */
    IMAGE_ROW(image, GenericParam, 0, 0, SAMPLE_OUTER << 1, image_string(image, "TKey"));
    IMAGE_ROW(image, GenericParam, 1, 0, SAMPLE_OUTER << 1, image_string(image, "TValue"));
    IMAGE_ROW(image, GenericParam, 0, 0, SAMPLE_GENERIC << 1 | 1, image_string(image, "TMethod"));
    /* 1: Object::.ctor; 2: [MarkAttribute]::.ctor by reference */
    IMAGE_ROW(image, MemberRef, 1 << 3 | 1, image_string(image, ".ctor"), no_args);
    IMAGE_ROW(image, MemberRef, SAMPLE_ATTRIBUTE << 3 | 0, image_string(image, ".ctor"), no_args);
    IMAGE_ROW(image, MethodSpec, SAMPLE_GENERIC << 1 | 0, BLOB_OF(image, 0x0A, 1, 0x08));
    IMAGE_ROW(image, StandAloneSig, BLOB_OF(image, 0x07, 2, 0x08, 0x0E));
    IMAGE_ROW(image, TypeSpec, BLOB_OF(image, 0x15, 0x12, 2 << 2 | 1, 1, 0x08));
    /* on Generic by MethodDef, on Inner by MemberRef; Parent ascending */
    uint32_t value = BLOB_OF(image, 1, 0, 0, 0);
    IMAGE_ROW(image, CustomAttribute, SAMPLE_GENERIC << 5 | 0, SAMPLE_MARK << 3 | 2, value);
    IMAGE_ROW(image, CustomAttribute, SAMPLE_INNER << 5 | 3, 2 << 3 | 3, value);
}

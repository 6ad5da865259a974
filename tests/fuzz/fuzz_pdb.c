/* fuzz_pdb.c - a portable PDB: documents and their sources, points, awaits and state machines of
 * every method. Bytes that begin with MPDB are an embedded one, and inflated first. */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "coverage/source/embedded.h"
#include "metadata/pdb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/image.h"

enum {
    ROWS_MAX = 64 /* that are looked at of a table */
};

static void read_document(const struct pdb *pdb, uint32_t rid)
{
    struct pdb_document document;
    struct view source;
    struct err err = {.code = ERR_NONE};
    struct arena *arena = fuzz_arena();
    if (!pdb_read_document(&document, pdb, rid, arena, &err)) {
        fuzz_check_err(&err);
        return;
    }
    fuzz_read((struct view){(const uint8_t *)document.name.text, document.name.len});
    fuzz_read(document.hash);
    if (document.language != NULL)
        fuzz_read((struct view){document.language, 16});
    if (document.hash_algorithm != NULL)
        fuzz_read((struct view){document.hash_algorithm, 16});
    if (document.embedded_source.data == NULL)
        return;
    if (embedded_source(&source, document.embedded_source, arena, &err))
        fuzz_read(source);
    else
        fuzz_check_err(&err);
}

static void read_points(const struct pdb *pdb, uint32_t rid)
{
    struct seq_points points;
    struct err err = {.code = ERR_NONE};
    if (!pdb_sequence_points(&points, pdb, rid, fuzz_arena(), &err)) {
        fuzz_check_err(&err);
        return;
    }
    for (uint32_t i = 0; i < points.count; i++) {
        const struct seq_point *point = &points.points[i];
        FUZZ_ASSERT(i == 0 || point->il_offset >= point[-1].il_offset, "points go back");
        FUZZ_ASSERT(point->document != 0 &&
                        point->document <= tables_rows(&pdb->md.tables, TABLE_Document),
                    "point %u in document %u", (unsigned)i, (unsigned)point->document);
        FUZZ_ASSERT(point->hidden ? point->start_line == 0 && point->end_line == 0
                                  : point->start_line <= point->end_line,
                    "point %u ends before it starts", (unsigned)i);
    }
}

static void read_pdb(struct view image)
{
    struct pdb pdb;
    struct err err = {.code = ERR_NONE};
    size_t offset = 0, len = 0;
    if (!pdb_open(&pdb, image, &err)) {
        fuzz_check_err(&err);
        return;
    }
    pdb_id_range(&offset, &len, &pdb);
    FUZZ_ASSERT(offset <= image.len && len <= image.len - offset, "the id lies outside");
    fuzz_read(pdb_source_link(&pdb));
    uint32_t documents = tables_rows(&pdb.md.tables, TABLE_Document);
    uint32_t methods = tables_rows(&pdb.md.tables, TABLE_MethodDebugInformation);
    for (uint32_t rid = 0; rid <= documents + 1 && rid <= ROWS_MAX; rid++)
        read_document(&pdb, rid);
    for (uint32_t rid = 0; rid <= methods + 1 && rid <= ROWS_MAX; rid++) {
        read_points(&pdb, rid);
        (void)pdb_kickoff_method(&pdb, rid);
    }
}

/* pdb_open's views outlive what fuzz_arena gives, so an inflated PDB has an arena of its own. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct view image = {data, size};
    if (size < 4 || memcmp(data, "MPDB", 4) != 0) {
        read_pdb(image);
        return 0;
    }
    struct arena arena;
    struct err err = {.code = ERR_NONE};
    struct view inflated;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    if (embedded_pdb(&inflated, image, &arena, &err))
        read_pdb(inflated);
    else
        fuzz_check_err(&err);
    arena_free(&arena);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

static uint32_t blob_of(struct image *image, const char *bytes, size_t len)
{
    return image_blob(image, bytes, len);
}
#define BLOB(image, literal) blob_of((image), (literal), sizeof(literal) - 1)

/* GUIDs of PortablePdb-Metadata.md, "CustomDebugInformation Table", in memory order. */
static const uint8_t kinds[][16] = {
    {0xC5, 0x2A, 0xFD, 0x54, 0x25, 0xE9, 0x1A, 0x40, 0x9C, 0x2A, 0xF9, 0x4F, 0x17, 0x10, 0x72,
     0xF8}, /* MethodSteppingInformation */
    {0x56, 0x05, 0x11, 0xCC, 0x91, 0xA0, 0x38, 0x4D, 0x9F, 0xEC, 0x25, 0xAB, 0x9A, 0x35, 0x1A,
     0x6A}, /* SourceLink */
    {0x1B, 0x57, 0x8A, 0x0E, 0x26, 0x69, 0x6E, 0x46, 0xB4, 0xAD, 0x8A, 0xB0, 0x46, 0x11, 0xF5,
     0xFE}, /* EmbeddedSource */
};

static uint32_t document_name(struct image *image)
{
    uint8_t name[3] = {'/'};
    name[1] = (uint8_t)BLOB(image, "src");
    name[2] = (uint8_t)BLOB(image, "a.cs");
    return image_blob(image, name, sizeof name);
}

static void fill(struct image *image)
{
    enum { /* tags of HasCustomDebugInformation */
        OF_METHOD = 0,
        OF_MODULE = 7,
        OF_DOCUMENT = 22
    };
    uint32_t kind[ARRAY_LEN(kinds)];
    image->is_pdb = true;
    image->foreign_rows[TABLE_MethodDef] = 3;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        kind[i] = image_guid(image, kinds[i]);
    for (unsigned i = 0; i < 2; i++)
        IMAGE_ROW(image, Document, document_name(image), 1, BLOB(image, "digest"), 2);
    /* hidden, one line, two lines back, then in document 2 */
    IMAGE_ROW(image, MethodDebugInformation, 1,
              BLOB(image, "\0\0\0\0\1\0\5\12\3\2\2\x7B\4\2\0\2\4\0\7\2\2"));
    IMAGE_ROW(image, MethodDebugInformation, 0, BLOB(image, "\0\1\0\0\5\12\3"));
    IMAGE_ROW(image, MethodDebugInformation, 0, 0);
    IMAGE_ROW(image, StateMachineMethod, 2, 1);
    IMAGE_ROW(image, CustomDebugInformation, 2 << 5 | OF_METHOD, kind[0],
              BLOB(image, "\1\0\0\0\7\0\0\0\11\0\0\0\2"));
    IMAGE_ROW(image, CustomDebugInformation, 1 << 5 | OF_MODULE, kind[1], BLOB(image, "{}"));
    IMAGE_ROW(image, CustomDebugInformation, 1 << 5 | OF_DOCUMENT, kind[2],
              BLOB(image, "\0\0\0\0class C {}"));
}

static void add_embedded(fuzz_add *add, struct view pdb)
{
    uint8_t *bytes = malloc(8 + compressBound(pdb.len));
    z_stream z = {.next_in = (Bytef *)(uintptr_t)pdb.data, .avail_in = (uInt)pdb.len};
    FUZZ_ASSERT(bytes != NULL, "no memory");
    memcpy(bytes, "MPDB", 4);
    store_u32(bytes + 4, (uint32_t)pdb.len);
    z.next_out = bytes + 8;
    z.avail_out = (uInt)compressBound(pdb.len);
    int rc = deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    FUZZ_ASSERT(rc == Z_OK && deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib refuses");
    add("embedded", (struct view){bytes, 8 + z.total_out});
    (void)deflateEnd(&z);
    free(bytes);
}

void fuzz_seeds(fuzz_add *add)
{
    struct image image;
    image_begin(&image);
    fill(&image);
    struct view pdb = image_metadata(&image);
    add("pdb", pdb);
    add_embedded(add, pdb);
    image.wide = true;
    add("pdb-wide", image_metadata(&image));
    image_free(&image);
}

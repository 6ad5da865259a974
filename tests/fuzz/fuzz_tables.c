/* fuzz_tables.c - the #~ stream: every cell of every row, every list, every search. The first byte
 * says whether the stream is a PDB's, and then how many rows the tables have that lie elsewhere. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/image.h"

enum {
    FOREIGN = 0x80,      /* of the first byte; its low bits are the binary logarithm of the rows */
    FOREIGN_BITS = 0x1F, /* up to 2^31: more than a token can name */
    ROWS_SEARCHED = 8
};

static const enum column all_columns[] = {
#define COLUMN(table, column, kind) COL_##table##_##column,
#include "metadata/tables.def"
};

static uint32_t read_column(const struct tables *t, enum column column)
{
    uint32_t rows = tables_rows(t, (enum table_id)((unsigned)column >> 8)), all = 0;
    if (t->table[(unsigned)column >> 8].rows == NULL)
        rows = 0;
    for (uint32_t rid = 0; rid <= rows + 1; rid++)
        all ^= tables_get(t, column, rid);
    FUZZ_ASSERT(tables_get(t, column, rows + 1) == 0, "a cell after the last row");
    for (uint32_t rid = 1; rid <= rows && rid <= ROWS_SEARCHED; rid++) {
        uint32_t value = tables_get(t, column, rid), found = tables_find(t, column, value);
        FUZZ_ASSERT(found <= rows, "row %u of %u found", (unsigned)found, (unsigned)rows);
        FUZZ_ASSERT(found == 0 || tables_get(t, column, found) == value, "found what is not asked");
    }
    return all;
}

static void read_lists(const struct tables *t)
{
    static const struct {
        enum column list;
        enum table_id child;
    } lists[] = {
        {COL_TypeDef_FieldList, TABLE_Field},           {COL_TypeDef_MethodList, TABLE_MethodDef},
        {COL_MethodDef_ParamList, TABLE_Param},         {COL_EventMap_EventList, TABLE_Event},
        {COL_PropertyMap_PropertyList, TABLE_Property},
    };
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        uint32_t parents = tables_rows(t, (enum table_id)((unsigned)lists[i].list >> 8));
        uint32_t last = tables_rows(t, lists[i].child) + 1;
        for (uint32_t rid = 0; rid <= parents + 1 && rid < 64; rid++) {
            struct row_range range = tables_list(t, lists[i].list, rid, lists[i].child);
            bool empty = range.first == range.end;
            FUZZ_ASSERT(empty || (range.first != 0 && range.first < range.end && range.end <= last),
                        "rows %u to %u of %u", (unsigned)range.first, (unsigned)range.end,
                        (unsigned)last);
        }
    }
}

static void check_coded(uint32_t value)
{
    for (int kind = 0; kind < CODED_INDEX_COUNT; kind++) {
        uint32_t token = coded_to_token((enum coded_index)kind, value);
        if (token != 0)
            FUZZ_ASSERT(coded_from_token((enum coded_index)kind, token) == value,
                        "coded index %d: 0x%x", kind, (unsigned)value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tables tables;
    struct err err = {.code = ERR_NONE};
    uint32_t foreign[TABLE_COUNT];
    if (size == 0)
        return 0;
    for (unsigned i = 0; i < TABLE_COUNT; i++)
        foreign[i] = (UINT32_C(1) << (data[0] & FOREIGN_BITS)) - 1;
    if (!tables_open(&tables, (struct view){data + 1, size - 1},
                     (data[0] & FOREIGN) != 0 ? foreign : NULL, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    uint32_t all = 0;
    for (size_t i = 0; i < ARRAY_LEN(all_columns); i++)
        all ^= read_column(&tables, all_columns[i]);
    read_lists(&tables);
    check_coded(all);
    return 0;
}

/* The bytes of stream #~: its header behind the root has offset and size, II.24.2.2. */
static void add_stream(fuzz_add *add, const char *name, struct image *image, uint8_t first)
{
    struct view root = image_metadata(image);
    struct arena *arena = fuzz_arena();
    struct reader r = rd_view(root);
    (void)rd_take(&r, 12);
    (void)rd_take(&r, rd_u32(&r)); /* version */
    (void)rd_u32(&r);
    while (!r.failed) {
        uint32_t offset = rd_u32(&r), size = rd_u32(&r);
        const uint8_t *stream = r.failed ? NULL : r.data + r.pos;
        if (stream != NULL && stream[0] == '#' && stream[1] == '~') {
            uint8_t *bytes = ARENA_NEW(arena, uint8_t, (size_t)size + 1, NULL);
            FUZZ_ASSERT(bytes != NULL, "no memory");
            bytes[0] = first;
            for (uint32_t i = 0; i < size; i++)
                bytes[1 + i] = root.data[offset + i];
            add(name, (struct view){bytes, (size_t)size + 1});
            return;
        }
        while (!r.failed && rd_u8(&r) != 0)
            continue;
        rd_align(&r, 4);
    }
}

void fuzz_seeds(fuzz_add *add)
{
    struct image image;
    for (unsigned wide = 0; wide < 2; wide++) {
        image_begin(&image);
        image_sample(&image);
        image.wide = wide != 0;
        add_stream(add, wide != 0 ? "module-wide" : "module", &image, 0);
        image_free(&image);
    }
    image_begin(&image);
    image.is_pdb = true;
    image.foreign_rows[TABLE_MethodDef] = 7;
    IMAGE_ROW(&image, Document, 1, 1, 1, 1);
    IMAGE_ROW(&image, MethodDebugInformation, 1, 1);
    IMAGE_ROW(&image, StateMachineMethod, 1, 2);
    IMAGE_ROW(&image, CustomDebugInformation, 1, 1, 1);
    add_stream(add, "pdb", &image, FOREIGN | 3);
    image_free(&image);
}

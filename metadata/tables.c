/* The #~ stream, II.24.2.6:
 *
 *     u32 reserved | u8 major, minor | u8 HeapSizes | u8 reserved | u64 Valid | u64 Sorted
 *     u32 row count for each bit of Valid, lowest first
 *     [u32 when HeapSizes has bit 0x40: "extra data", written by edit and continue]
 *     rows of the first table of Valid | rows of the next | ...
 *
 * A column is 2 or 4 bytes wide: heap offsets by HeapSizes, an index by the number of rows it may
 * point to, a coded index by the largest of its tables and the bits that its tag takes. */
#include "metadata/tables.h"

#include "base/sort.h"

enum {
    HEAP_STRING_LARGE = 0x01,
    HEAP_GUID_LARGE = 0x02,
    HEAP_BLOB_LARGE = 0x04,
    EXTRA_DATA = 0x40,
    ROWS_MAX = 0xFFFFFF, /* a token has 24 bits for the rid */
    NO_TABLE = 0xFF,
};

enum column_kind {
    U1,
    U2,
    U4,
    STRING,
    GUID,
    BLOB,
    INDEX_BASE = 0x100,
    CODED_BASE = 0x200
};
#define INDEX(name) (INDEX_BASE | TABLE_##name)
#define CODED(name) (CODED_BASE | CODED_##name)

static const struct column_def {
    uint8_t table;
    uint16_t kind;
} column_defs[] = {
#define COLUMN(table, column, kind) {TABLE_##table, kind},
#include "metadata/tables.def"
};

#define TABLE(id, name) _Static_assert((id) < TABLE_COUNT, #name " has no bit in Valid");
#define COLUMN(table, column, kind)                                                                \
    _Static_assert((COL_##table##_##column & 0xFF) < COLUMNS_MAX, #table "." #column);
#include "metadata/tables.def"

/* clang-format off */
#define T(name) TABLE_##name
#define HAS_CUSTOM_ATTRIBUTE                                                                       \
    T(MethodDef), T(Field), T(TypeRef), T(TypeDef), T(Param), T(InterfaceImpl), T(MemberRef),      \
    T(Module), T(DeclSecurity), T(Property), T(Event), T(StandAloneSig), T(ModuleRef),             \
    T(TypeSpec), T(Assembly), T(AssemblyRef), T(File), T(ExportedType), T(ManifestResource),       \
    T(GenericParam), T(GenericParamConstraint), T(MethodSpec)
/* II.24.2.6: how many bits the tag takes, how many tags there are, and the tables in the order of
 * their tags. */
static const struct coded_def {
    uint8_t tag_bits, tag_count;
    uint8_t tables[27];
} coded_defs[CODED_INDEX_COUNT] = {
    [CODED_TYPE_DEF_OR_REF]       = {2, 3, {T(TypeDef), T(TypeRef), T(TypeSpec)}},
    [CODED_HAS_CONSTANT]          = {2, 3, {T(Field), T(Param), T(Property)}},
    [CODED_HAS_CUSTOM_ATTRIBUTE]  = {5, 22, {HAS_CUSTOM_ATTRIBUTE}},
    [CODED_HAS_FIELD_MARSHAL]     = {1, 2, {T(Field), T(Param)}},
    [CODED_HAS_DECL_SECURITY]     = {2, 3, {T(TypeDef), T(MethodDef), T(Assembly)}},
    [CODED_MEMBER_REF_PARENT]     = {3, 5, {T(TypeDef), T(TypeRef), T(ModuleRef), T(MethodDef), T(TypeSpec)}},
    [CODED_HAS_SEMANTICS]         = {1, 2, {T(Event), T(Property)}},
    [CODED_METHOD_DEF_OR_REF]     = {1, 2, {T(MethodDef), T(MemberRef)}},
    [CODED_MEMBER_FORWARDED]      = {1, 2, {T(Field), T(MethodDef)}},
    [CODED_IMPLEMENTATION]        = {2, 3, {T(File), T(AssemblyRef), T(ExportedType)}},
    [CODED_CUSTOM_ATTRIBUTE_TYPE] = {3, 4, {NO_TABLE, NO_TABLE, T(MethodDef), T(MemberRef)}},
    [CODED_RESOLUTION_SCOPE]      = {2, 4, {T(Module), T(ModuleRef), T(AssemblyRef), T(TypeRef)}},
    [CODED_TYPE_OR_METHOD_DEF]    = {1, 2, {T(TypeDef), T(MethodDef)}},
    /* Portable PDB, "CustomDebugInformation Table" */
    [CODED_HAS_CUSTOM_DEBUG_INFORMATION] =
        {5, 27, {HAS_CUSTOM_ATTRIBUTE, T(Document), T(LocalScope), T(LocalVariable), T(LocalConstant), T(ImportScope)}},
};
#undef HAS_CUSTOM_ATTRIBUTE
#undef T
/* clang-format on */

/* Bytes of a coded index: 2 when each of its tables fits the bits that the tag leaves. */
static uint8_t coded_width(const struct tables *tables, const struct coded_def *def)
{
    for (unsigned tag = 0; tag < def->tag_count; tag++)
        if (def->tables[tag] != NO_TABLE &&
            tables->table[def->tables[tag]].row_count >= UINT32_C(1) << (16 - def->tag_bits))
            return 4;
    return 2;
}

static uint8_t measure_width(const struct tables *tables, unsigned kind)
{
    if (kind >= CODED_BASE)
        return coded_width(tables, &coded_defs[kind & 0xFF]);
    if (kind >= INDEX_BASE)
        return tables->table[kind & (TABLE_COUNT - 1)].row_count >= UINT32_C(1) << 16 ? 4 : 2;
    switch (kind) {
    case U4:
        return 4;
    case STRING:
        return (tables->heap_sizes & HEAP_STRING_LARGE) != 0 ? 4 : 2;
    case GUID:
        return (tables->heap_sizes & HEAP_GUID_LARGE) != 0 ? 4 : 2;
    case BLOB:
        return (tables->heap_sizes & HEAP_BLOB_LARGE) != 0 ? 4 : 2;
    default:
        return 2; /* U2, and U1 with its padding */
    }
}

static void lay_out_columns(struct tables *tables)
{
    for (size_t i = 0; i < ARRAY_LEN(column_defs); i++) {
        struct table *table = &tables->table[column_defs[i].table];
        unsigned position = table->column_count++;
        table->column_offset[position] = (uint8_t)table->row_size;
        table->column_size[position] = measure_width(tables, column_defs[i].kind);
        table->row_size = (uint16_t)(table->row_size + table->column_size[position]);
    }
}

/* The tables that exist, and those of them that are in a PDB rather than in its module. */
#define TABLE(id, name) | UINT64_C(1) << (id)
static const uint64_t known_tables = 0
#include "metadata/tables.def"
    ;
static const uint64_t pdb_tables = UINT64_C(0xFF) << TABLE_Document;
static const uint64_t pointer_tables =
    UINT64_C(1) << TABLE_FieldPtr | UINT64_C(1) << TABLE_MethodPtr | UINT64_C(1) << TABLE_ParamPtr |
    UINT64_C(1) << TABLE_EventPtr | UINT64_C(1) << TABLE_PropertyPtr;

static bool read_row_counts(struct tables *tables, struct reader *r, const uint32_t *foreign_rows,
                            struct err *err)
{
    for (unsigned id = 0; id < TABLE_COUNT; id++) {
        struct table *table = &tables->table[id];
        bool present = (tables->present >> id & 1) != 0;
        if (present)
            table->row_count = rd_u32(r);
        else if (foreign_rows != NULL && (pdb_tables >> id & 1) == 0)
            table->row_count = foreign_rows[id];
        if (table->row_count > ROWS_MAX)
            return err_set(err, ERR_FORMAT, "table 0x%02x has %u rows; tokens allow only %u", id,
                           (unsigned)table->row_count, (unsigned)ROWS_MAX);
        if (present && (pointer_tables >> id & 1) != 0 && table->row_count != 0)
            return err_set(err, ERR_UNSUPPORTED,
                           "table 0x%02x redirects %u rows: edit-and-continue metadata", id,
                           (unsigned)table->row_count);
    }
    return true;
}

bool tables_open(struct tables *out, struct view stream, const uint32_t *foreign_rows,
                 struct err *err)
{
    struct reader r = rd_view(stream);
    *out = (struct tables){0};
    (void)rd_take(&r, 6); /* reserved, versions */
    out->heap_sizes = rd_u8(&r);
    (void)rd_u8(&r); /* reserved */
    out->present = rd_u64(&r);
    out->sorted = rd_u64(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "stream #~ has %zu bytes, but its header alone takes 24",
                       stream.len);
    uint64_t strange = out->present & ~(foreign_rows != NULL ? pdb_tables : known_tables);
    if (strange != 0)
        return err_set(err, ERR_FORMAT, "stream #~ has a table 0x%02x, which %s does not know",
                       (unsigned)__builtin_ctzll(strange),
                       foreign_rows != NULL ? "a standalone PDB" : "ECMA-335");
    if (!read_row_counts(out, &r, foreign_rows, err))
        return false;
    if ((out->heap_sizes & EXTRA_DATA) != 0)
        (void)rd_u32(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "stream #~ ends at byte %zu within its row counts",
                       stream.len);
    lay_out_columns(out);
    for (unsigned id = 0; id < TABLE_COUNT; id++) {
        struct table *table = &out->table[id];
        if ((out->present >> id & 1) == 0)
            continue;
        size_t left = rd_left(&r);
        table->rows = rd_take(&r, (size_t)table->row_count * table->row_size);
        if (r.failed)
            return err_set(err, ERR_FORMAT,
                           "table 0x%02x has %u rows of %u bytes, stream #~ has %zu bytes left", id,
                           (unsigned)table->row_count, (unsigned)table->row_size, left);
    }
    return true;
}

struct row_range tables_list(const struct tables *tables, enum column list_column, uint32_t rid,
                             enum table_id child)
{
    uint32_t parents = tables->table[(unsigned)list_column >> 8].row_count;
    uint32_t past_last = tables->table[child].row_count + 1;
    if (rid == 0 || rid > parents)
        return (struct row_range){past_last, past_last};
    uint32_t first = tables_get(tables, list_column, rid);
    uint32_t end = rid < parents ? tables_get(tables, list_column, rid + 1) : past_last;
    if (end > past_last)
        end = past_last;
    if (first == 0 || first > end)
        first = end;
    return (struct row_range){first, end};
}

static bool is_sorted_by(const struct tables *tables, enum column column)
{
    switch ((int)column) {
#define SORTED(table, column) case COL_##table##_##column:
#include "metadata/tables.def"
        return (tables->sorted >> ((unsigned)column >> 8) & 1) != 0;
    default:
        return false;
    }
}

struct row_search {
    const struct tables *tables;
    enum column column;
    uint32_t value;
};

static bool is_less(const void *context, size_t place)
{
    const struct row_search *s = context;
    return tables_get(s->tables, s->column, (uint32_t)place + 1) < s->value;
}

uint32_t tables_find(const struct tables *tables, enum column column, uint32_t value)
{
    const struct table *table = &tables->table[(unsigned)column >> 8];
    uint32_t row_count = table->rows != NULL ? table->row_count : 0;
    if (!is_sorted_by(tables, column)) {
        for (uint32_t rid = 1; rid <= row_count; rid++)
            if (tables_get(tables, column, rid) == value)
                return rid;
        return 0;
    }
    const struct row_search search = {tables, column, value};
    uint32_t rid = 1 + (uint32_t)sorted_first(row_count, is_less, &search);
    return rid <= row_count && tables_get(tables, column, rid) == value ? rid : 0;
}

uint32_t coded_to_token(enum coded_index kind, uint32_t coded)
{
    const struct coded_def *def = &coded_defs[kind];
    uint32_t tag = coded & ((UINT32_C(1) << def->tag_bits) - 1);
    uint32_t rid = coded >> def->tag_bits;
    if (tag >= def->tag_count || def->tables[tag] == NO_TABLE || rid > ROWS_MAX)
        return 0;
    return TOKEN(def->tables[tag], rid);
}

uint32_t coded_from_token(enum coded_index kind, uint32_t token)
{
    const struct coded_def *def = &coded_defs[kind];
    for (uint32_t tag = 0; tag < def->tag_count; tag++)
        if (def->tables[tag] == TOKEN_TABLE(token) && def->tables[tag] != NO_TABLE)
            return TOKEN_RID(token) << def->tag_bits | tag;
    return NO_INDEX;
}

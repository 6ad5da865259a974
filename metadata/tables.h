/* tables.h - rows of the #~ stream: the type system tables of ECMA-335 II.22 and those of the
 * Portable PDB.
 * Source: ECMA-335 II.24.2.6, II.22; Portable PDB specification (tables 0x30 to 0x37).
 * Units:  rid counts rows from 1; 0 is the null reference.
 * tables.def is the one place that knows the columns: TABLE(id, name) followed by COLUMN(table,
 * column, kind). */
#pragma once

#include "base/bytes.h"
#include "base/err.h"

enum {
    TABLE_COUNT = 64,
    COLUMNS_MAX = 9
};

enum table_id {
#define TABLE(id, name) TABLE_##name = id,
#include "metadata/tables.def"
};

/* COL_<table>_<column>: the table in the high byte, the position in the low one. */
enum column {
#define TABLE(id, name)             COL_FIRST_##name = (id << 8) - 1,
#define COLUMN(table, column, kind) COL_##table##_##column,
#include "metadata/tables.def"
};

struct table {
    const uint8_t *rows;
    /* in a PDB, type system tables have the module's count, but no rows */
    uint32_t row_count;
    uint16_t row_size;
    uint8_t column_count;
    uint8_t column_offset[COLUMNS_MAX];
    /* 2 or 4; never 1, because a column of one byte is read with its padding */
    uint8_t column_size[COLUMNS_MAX];
};

struct tables {
    uint64_t present, sorted;
    uint8_t heap_sizes; /* II.24.2.6: 1 #Strings, 2 #GUID, 4 #Blob are large */
    struct table table[TABLE_COUNT];
};

/* `foreign_rows`: for a PDB, the row counts of the module's tables that its #Pdb stream gives
 * (TABLE_COUNT of them); NULL for a module. */
NODISCARD bool tables_open(struct tables *out, struct view stream, const uint32_t *foreign_rows,
                           struct err *err);

/* The value of a column; 0 when the row does not exist. Indexes come as rids or heap offsets, coded
 * indexes as stored (coded_to_token decodes them). */
static inline uint32_t tables_get(const struct tables *tables, enum column column, uint32_t rid)
{
    const struct table *table = &tables->table[(unsigned)column >> 8];
    unsigned position = (unsigned)column & 0xFF;
    if (rid - 1 >= table->row_count || table->rows == NULL)
        return 0;
    const uint8_t *cell =
        table->rows + (size_t)(rid - 1) * table->row_size + table->column_offset[position];
    return table->column_size[position] == 2 ? load_u16(cell) : load_u32(cell);
}

static inline uint32_t tables_rows(const struct tables *tables, enum table_id id)
{
    return tables->table[id].row_count;
}

/* The first row of the list that row `rid` of a parent table owns (II.22: MethodList, FieldList,
 * ParamList …) and the row after its last; both clamped to the child table. */
struct row_range {
    uint32_t first, end;
};
struct row_range tables_list(const struct tables *tables, enum column list_column, uint32_t rid,
                             enum table_id child);

/* The first row whose `column` is `value`, or 0. Binary search where the table's sorted bit is set
 * and the column is the one it is sorted by, else linear. */
uint32_t tables_find(const struct tables *tables, enum column column, uint32_t value);

/* II.24.2.6 coded indexes as tokens: table in the high byte, rid below. 0 when the tag is not
 * defined. */
enum coded_index {
    CODED_TYPE_DEF_OR_REF,
    CODED_HAS_CONSTANT,
    CODED_HAS_CUSTOM_ATTRIBUTE,
    CODED_HAS_FIELD_MARSHAL,
    CODED_HAS_DECL_SECURITY,
    CODED_MEMBER_REF_PARENT,
    CODED_HAS_SEMANTICS,
    CODED_METHOD_DEF_OR_REF,
    CODED_MEMBER_FORWARDED,
    CODED_IMPLEMENTATION,
    CODED_CUSTOM_ATTRIBUTE_TYPE,
    CODED_RESOLUTION_SCOPE,
    CODED_TYPE_OR_METHOD_DEF,
    CODED_HAS_CUSTOM_DEBUG_INFORMATION,
    CODED_INDEX_COUNT
};
uint32_t coded_to_token(enum coded_index kind, uint32_t coded);
/* The token that a column has as such an index. */
static inline uint32_t tables_token(const struct tables *tables, enum coded_index kind,
                                    enum column column, uint32_t rid)
{
    return coded_to_token(kind, tables_get(tables, column, rid));
}
/* The other way, for searches; NO_INDEX when the table is not of that kind. */
uint32_t coded_from_token(enum coded_index kind, uint32_t token);

/* Tokens: II.22, III.1.9. */
#define TOKEN(table, rid)  ((uint32_t)(table) << 24 | (rid))
#define TOKEN_TABLE(token) ((token) >> 24)
#define TOKEN_RID(token)   ((token)&0xFFFFFFu)

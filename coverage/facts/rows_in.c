#include "coverage/facts/rows_in.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/hex.h"

struct rows_in rows_from(const struct rows_source *source, enum store_table_id table,
                         const char *sql)
{
    struct rows_in rows = {
        .source = source, .table = store_tables[table].name, .bytes_left = source->bytes};
    int rc = sqlite3_prepare_v2(source->db, sql, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !store_explain(source->db, rc, source->err);
    return rows;
}

struct rows_in rows_of(const struct rows_source *source, enum store_table_id table)
{
    const struct store_table *from = &store_tables[table];
    struct rows_in rows = rows_from(source, table, from->select);
    rows.digest = source->digest;
    if (rows.digest != NULL)
        store_hash_name(rows.digest, from);
    return rows;
}

bool rows_next(struct rows_in *rows)
{
    if (rows->failed)
        return false;
    rows->column = 0;
    rows->row++;
    int rc = sqlite3_step(rows->statement);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        rows->failed = !store_explain(rows->source->db, rc, rows->source->err);
    if (rc == SQLITE_ROW && rows->digest != NULL)
        store_hash_row(rows->digest);
    return rc == SQLITE_ROW;
}

bool rows_close(struct rows_in *rows)
{
    (void)sqlite3_finalize(rows->statement);
    return !rows->failed;
}

bool rows_count(uint32_t *out, const struct rows_source *source, enum store_table_id table)
{
    char sql[64];
    /* count(*) would be one step however many rows there are, which store_open_to_read limits. */
    (void)snprintf(sql, sizeof sql, "SELECT count(rowid) FROM %s", store_tables[table].name);
    struct rows_in rows = rows_from(source, table, sql);
    *out = rows_next(&rows) ? get_u32(&rows, UINT32_MAX - 1) : 0;
    return rows_close(&rows);
}

void rows_refuse(struct rows_in *rows)
{
    if (!rows->failed)
        rows->failed =
            !err_set(rows->source->err, ERR_FORMAT, "damaged: table %s, row %u, column %d",
                     rows->table, rows->row, rows->column);
}

/* --- values of items -------------------------------------------------------------------------- */

static bool is_at(struct rows_in *rows, char expected)
{
    const struct reader *r = &rows->items;
    return !rows->failed && r->pos < r->len && r->data[r->pos] == (uint8_t)expected;
}

static bool skip_item_character(struct rows_in *rows, char expected)
{
    if (!is_at(rows, expected))
        return false;
    rows->items.pos++;
    return true;
}

static void expect_item_character(struct rows_in *rows, char expected)
{
    if (!skip_item_character(rows, expected))
        rows_refuse(rows);
}

static void begin_item_value(struct rows_in *rows)
{
    expect_item_character(rows, rows->before_value);
    rows->before_value = ',';
}

static int64_t get_item_number(struct rows_in *rows)
{
    struct reader *r = &rows->items;
    int64_t value = 0;
    begin_item_value(rows);
    size_t first = r->pos;
    while (r->pos < r->len && ascii_is_digit((char)r->data[r->pos]) && value <= UINT32_MAX)
        value = 10 * value + (r->data[r->pos++] - '0');
    if (r->pos == first)
        rows_refuse(rows);
    return rows->failed ? 0 : value;
}

static bool item_is_null(struct rows_in *rows)
{
    static const char null[] = "null";
    const struct reader *r = &rows->items;
    size_t start = r->pos + 1; /* after what is before the value */
    if (rd_left(r) < sizeof null || memcmp(r->data + start, null, sizeof null - 1) != 0)
        return false;
    begin_item_value(rows);
    rows->items.pos += sizeof null - 1;
    return true;
}

/* The digits of a blob. */
static struct view item_digits(struct rows_in *rows)
{
    struct reader *r = &rows->items;
    begin_item_value(rows);
    expect_item_character(rows, '"');
    size_t first = r->pos;
    while (r->pos < r->len && hex_value((char)r->data[r->pos]) >= 0)
        r->pos++;
    struct view digits = {r->data + first, r->pos - first};
    expect_item_character(rows, '"');
    if (digits.len % 2 != 0)
        rows_refuse(rows);
    return rows->failed ? (struct view){NULL, 0} : digits;
}

static void bytes_of(uint8_t *out, struct view digits)
{
    for (size_t i = 0; i < digits.len; i += 2)
        out[i / 2] =
            (uint8_t)(hex_value((char)digits.data[i]) << 4 | hex_value((char)digits.data[i + 1]));
}

/* --- values ----------------------------------------------------------------------------------- */

static bool next_is(struct rows_in *rows, int type)
{
    rows->column++;
    return !rows->failed && sqlite3_column_type(rows->statement, rows->column - 1) == type;
}

int64_t get_int(struct rows_in *rows)
{
    if (rows->in_item)
        return get_item_number(rows);
    if (next_is(rows, SQLITE_INTEGER)) {
        int64_t value = sqlite3_column_int64(rows->statement, rows->column - 1);
        if (rows->digest != NULL)
            digest_tagged(rows->digest, SQLITE_INTEGER, (uint64_t)value);
        return value;
    }
    rows_refuse(rows);
    return 0;
}

uint32_t get_u32(struct rows_in *rows, uint32_t max)
{
    int64_t value = get_int(rows);
    if (value >= 0 && value <= max)
        return (uint32_t)value;
    rows_refuse(rows);
    return 0;
}

uint32_t get_index(struct rows_in *rows)
{
    if (rows->in_item)
        return item_is_null(rows) ? NO_INDEX : get_u32(rows, NO_INDEX - 1);
    if (sqlite3_column_type(rows->statement, rows->column) != SQLITE_NULL)
        return get_u32(rows, NO_INDEX - 1);
    rows->column++;
    if (rows->digest != NULL)
        digest_tagged(rows->digest, SQLITE_NULL, 0);
    return NO_INDEX;
}

void expect_id(struct rows_in *rows, uint32_t id)
{
    if (get_int(rows) != id)
        rows_refuse(rows);
}

/* What SQLite has, until the next row. */
static struct view look_at_bytes(struct rows_in *rows, int type)
{
    if (!next_is(rows, type)) {
        rows_refuse(rows);
        return (struct view){NULL, 0};
    }
    const void *data = sqlite3_column_blob(rows->statement, rows->column - 1);
    size_t len = (size_t)sqlite3_column_bytes(rows->statement, rows->column - 1);
    if (data == NULL && len != 0) {
        rows->failed = true;
        return (struct view){NULL, 0};
    }
    if (len > rows->bytes_left) { /* several rows have the same bytes */
        rows_refuse(rows);
        return (struct view){NULL, 0};
    }
    rows->bytes_left -= len;
    if (rows->digest != NULL)
        store_hash_bytes(rows->digest, type, data, len);
    return (struct view){data, len};
}

static struct view get_bytes(struct rows_in *rows, int type, struct arena *arena)
{
    struct view bytes = look_at_bytes(rows, type);
    if (rows->failed)
        return (struct view){NULL, 0};
    /* Most are empty in a million rows: they need no place in the arena. */
    const char *copy = bytes.len == 0 ? ""
                                      : arena_copy_text(arena, (const char *)bytes.data, bytes.len,
                                                        rows->source->err);
    rows->failed |= copy == NULL;
    return (struct view){(const uint8_t *)copy, copy != NULL ? bytes.len : 0};
}

struct str get_text(struct rows_in *rows)
{
    struct view bytes = get_bytes(rows, SQLITE_TEXT, rows->source->arena);
    return (struct str){(const char *)bytes.data, bytes.len};
}

static struct view get_item_bytes(struct rows_in *rows, struct arena *arena)
{
    struct view digits = item_digits(rows);
    if (digits.len == 0)
        return (struct view){(const uint8_t *)"", 0};
    uint8_t *bytes = arena_raw(arena, digits.len / 2, 1, rows->source->err);
    rows->failed |= bytes == NULL;
    if (bytes == NULL)
        return (struct view){NULL, 0};
    bytes_of(bytes, digits);
    return (struct view){bytes, digits.len / 2};
}

static struct view get_blob_in(struct arena *arena, struct rows_in *rows, size_t max_len)
{
    struct view bytes =
        rows->in_item ? get_item_bytes(rows, arena) : get_bytes(rows, SQLITE_BLOB, arena);
    if (bytes.len > max_len)
        rows_refuse(rows);
    return bytes;
}

struct view get_blob(struct rows_in *rows, size_t max_len)
{
    return get_blob_in(rows->source->arena, rows, max_len);
}

/* Into a buffer; its length. */
static size_t get_up_to(uint8_t *out, size_t room, struct rows_in *rows)
{
    struct view bytes = rows->in_item ? item_digits(rows) : look_at_bytes(rows, SQLITE_BLOB);
    size_t len = rows->in_item ? bytes.len / 2 : bytes.len;
    if (len > room)
        rows_refuse(rows);
    if (rows->failed || len == 0)
        return 0;
    if (rows->in_item)
        bytes_of(out, bytes);
    else
        memcpy(out, bytes.data, len);
    return len;
}

static const struct reason *get_reason(struct rows_in *rows)
{
    uint32_t row = get_index(rows);
    if (row == NO_INDEX)
        return NULL;
    if (row < rows->source->reason_count)
        return &rows->source->reasons[row];
    rows_refuse(rows);
    return NULL;
}

static void get_arms(struct rows_in *rows, struct fact_decision *decision)
{
    struct view arms = get_blob(rows, UINT32_MAX);
    decision->arms = arms.data;
    decision->arms_len = (uint32_t)arms.len;
}

static uint64_t get_u64(struct rows_in *rows)
{
    int64_t value = get_int(rows);
    if (value < 0)
        rows_refuse(rows);
    return (uint64_t)value;
}

static void get_field(struct rows_in *rows, const struct store_column *column, void *field,
                      uint32_t index)
{
    struct fact_causes *causes = field;
    switch (column->kind) {
    case COLUMN_ID:
        expect_id(rows, index);
        break;
    case COLUMN_I64:
        *(int64_t *)field = get_int(rows);
        break;
    case COLUMN_U64:
        *(uint64_t *)field = get_u64(rows);
        break;
    case COLUMN_U32:
        *(uint32_t *)field = get_u32(rows, column->max);
        break;
    case COLUMN_U16:
        *(uint16_t *)field = (uint16_t)get_u32(rows, UINT16_MAX);
        break;
    case COLUMN_BOOL:
        *(bool *)field = get_u32(rows, 1) == 1;
        break;
    case COLUMN_INDEX:
        *(uint32_t *)field = get_index(rows);
        break;
    case COLUMN_BEFORE:
        *(uint32_t *)field = index - get_u32(rows, index);
        break;
    case COLUMN_TEXT:
        *(struct str *)field = get_text(rows);
        break;
    case COLUMN_REASON:
        *(const struct reason **)field = get_reason(rows);
        break;
    case COLUMN_BYTES:
        if (get_up_to(field, column->max, rows) != column->max)
            rows_refuse(rows);
        break;
    case COLUMN_BLOB:
        *(struct view *)field = get_blob(rows, column->max);
        break;
    case COLUMN_CODE:
        *(struct view *)field = get_blob_in(rows->source->code, rows, column->max);
        break;
    case COLUMN_CAUSES:
        causes->len = (uint8_t)get_up_to(causes->bytes, sizeof causes->bytes, rows);
        break;
    case COLUMN_ARMS:
        get_arms(rows, field);
        break;
    }
}

void get_columns(struct rows_in *rows, const struct store_columns *of, void *item, uint32_t index)
{
    memset(item, 0, of->size);
    for (uint32_t i = 0; i < of->count; i++)
        get_field(rows, &of->columns[i], (uint8_t *)item + of->columns[i].at, index);
}

/* --- items ------------------------------------------------------------------------------------ */

void items_open(struct rows_in *rows)
{
    rows->items = rd_view(look_at_bytes(rows, SQLITE_TEXT));
    expect_item_character(rows, '[');
}

bool items_next(struct rows_in *rows)
{
    bool is_first = !rows->in_item;
    if (!is_first)
        expect_item_character(rows, ']');
    rows->in_item = is_at(rows, is_first ? '[' : ',');
    if (!rows->in_item) {
        expect_item_character(rows, ']');
        if (rd_left(&rows->items) != 0)
            rows_refuse(rows);
        return false;
    }
    if (!is_first)
        expect_item_character(rows, ',');
    rows->before_value = '[';
    return true;
}

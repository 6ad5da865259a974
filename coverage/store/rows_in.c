#include "coverage/store/rows_in.h"

#include <string.h>

#include "coverage/store/store_version4.h"

struct rows_in rows_from(const struct rows_source *source, enum store_table_id table,
                         const char *sql)
{
    struct rows_in rows = {.db = source->db,
                           .arena = source->arena,
                           .code = source->code,
                           .err = source->err,
                           .table = store_tables_of(source->version)[table].name,
                           .version = source->version,
                           .reasons = source->reasons,
                           .reason_count = source->reason_count};
    int rc = sqlite3_prepare_v2(rows.db, sql, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !store_explain(rows.db, rc, rows.err);
    return rows;
}

struct rows_in rows_of(const struct rows_source *source, enum store_table_id table)
{
    const struct store_table *from = &store_tables_of(source->version)[table];
    struct rows_in rows = rows_from(source, table, from->select);
    rows.digest = source->digest;
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
        rows->failed = !store_explain(rows->db, rc, rows->err);
    if (rc == SQLITE_ROW && rows->digest != NULL)
        store_hash_row(rows->digest);
    return rc == SQLITE_ROW;
}

bool rows_close(struct rows_in *rows)
{
    (void)sqlite3_finalize(rows->statement);
    return !rows->failed;
}

void rows_refuse(struct rows_in *rows)
{
    if (!rows->failed)
        rows->failed = !err_set(rows->err, ERR_FORMAT, "damaged: table %s, row %u, column %d",
                                rows->table, rows->row, rows->column);
}

static bool next_is(struct rows_in *rows, int type)
{
    rows->column++;
    return !rows->failed && sqlite3_column_type(rows->statement, rows->column - 1) == type;
}

int64_t get_int(struct rows_in *rows)
{
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
    if (rows->digest != NULL)
        store_hash_bytes(rows->digest, type, data, len);
    return (struct view){data, len};
}

static struct view get_bytes(struct rows_in *rows, int type)
{
    struct view bytes = look_at_bytes(rows, type);
    if (rows->failed)
        return (struct view){NULL, 0};
    /* Most are empty in a million rows: they need no place in the arena. */
    const char *copy = bytes.len == 0 ? ""
                                      : arena_copy_text(rows->arena, (const char *)bytes.data,
                                                        bytes.len, rows->err);
    rows->failed |= copy == NULL;
    return (struct view){(const uint8_t *)copy, copy != NULL ? bytes.len : 0};
}

struct str get_text(struct rows_in *rows)
{
    struct view bytes = get_bytes(rows, SQLITE_TEXT);
    return (struct str){(const char *)bytes.data, bytes.len};
}

struct view get_blob(struct rows_in *rows, size_t max_len)
{
    struct view bytes = get_bytes(rows, SQLITE_BLOB);
    if (bytes.len > max_len)
        rows_refuse(rows);
    return bytes;
}

struct view get_code_blob(struct rows_in *rows, size_t max_len)
{
    struct arena *names = rows->arena;
    rows->arena = rows->code;
    struct view bytes = get_blob(rows, max_len);
    rows->arena = names;
    return bytes;
}

size_t get_up_to(uint8_t *out, size_t room, struct rows_in *rows)
{
    struct view bytes = look_at_bytes(rows, SQLITE_BLOB);
    if (bytes.len > room)
        rows_refuse(rows);
    if (rows->failed || bytes.len == 0)
        return 0;
    memcpy(out, bytes.data, bytes.len);
    return bytes.len;
}

void get_exactly(uint8_t *out, size_t len, struct rows_in *rows)
{
    if (get_up_to(out, len, rows) != len)
        rows_refuse(rows);
}

const struct reason *get_reason(struct rows_in *rows)
{
    const struct reason *reason = NULL;
    if (rows->version == 4) {
        rows->failed |= !version4_reason(&reason, get_text(rows), rows->arena, rows->err);
        return reason;
    }
    uint32_t row = get_index(rows);
    if (row == NO_INDEX)
        return NULL;
    if (row < rows->reason_count)
        return rows->reasons[row];
    rows_refuse(rows);
    return NULL;
}

#include "coverage/store/rows_out.h"

#include <string.h>

#include "base/hex.h"
#include "base/number.h"

struct rows_out rows_to(sqlite3 *db, enum store_table_id table, struct digest *digest,
                        struct reason_list *reasons, struct arena *arena, struct err *err)
{
    struct rows_out rows = {.db = db, .digest = digest, .reasons = reasons, .err = err};
    int rc = sqlite3_prepare_v2(db, store_tables[table].insert, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !store_explain(db, rc, err);
    if (arena != NULL)
        wr_open(&rows.items, arena);
    if (digest != NULL)
        store_hash_name(digest, &store_tables[table]);
    return rows;
}

static void note(struct rows_out *rows, int rc)
{
    if (!rows->failed && rc != SQLITE_OK && rc != SQLITE_DONE)
        rows->failed = !store_explain(rows->db, rc, rows->err);
}

void rows_put(struct rows_out *rows)
{
    if (!rows->failed)
        note(rows, sqlite3_step(rows->statement));
    (void)sqlite3_reset(rows->statement);
    rows->column = 0;
}

bool rows_end(struct rows_out *rows)
{
    (void)sqlite3_finalize(rows->statement);
    return !rows->failed;
}

static int next_column(struct rows_out *rows)
{
    if (rows->column == 0 && rows->digest != NULL)
        store_hash_row(rows->digest);
    return ++rows->column;
}

/* --- values of items -------------------------------------------------------------------------- */

static void item_number(struct rows_out *rows, uint64_t value)
{
    char text[1 + NUMBER_DIGITS_MAX], *end = text + sizeof text;
    char *at = number_digits(end, value);
    *--at = rows->before_value;
    rows->before_value = ',';
    wr_bytes(&rows->items, at, (size_t)(end - at));
}

static void item_null(struct rows_out *rows)
{
    wr_u8(&rows->items, (uint8_t)rows->before_value);
    rows->before_value = ',';
    wr_bytes(&rows->items, "null", 4);
}

static void item_blob(struct rows_out *rows, const uint8_t *data, size_t len)
{
    char *text = (char *)wr_space(&rows->items, 3 + 2 * len);
    if (text == NULL)
        return;
    *text = rows->before_value;
    rows->before_value = ',';
    (void)hex_of(text + 2, data, len); /* its NUL is where the second quotation mark goes */
    text[1] = text[2 + 2 * len] = '"';
}

/* --- values ----------------------------------------------------------------------------------- */

void put_int(struct rows_out *rows, int64_t value)
{
    if (rows->in_item) {
        item_number(rows, (uint64_t)value);
        return;
    }
    note(rows, sqlite3_bind_int64(rows->statement, next_column(rows), value));
    if (rows->digest != NULL)
        digest_tagged(rows->digest, SQLITE_INTEGER, (uint64_t)value);
}

static void put_null(struct rows_out *rows)
{
    if (rows->in_item) {
        item_null(rows);
        return;
    }
    note(rows, sqlite3_bind_null(rows->statement, next_column(rows)));
    if (rows->digest != NULL)
        digest_tagged(rows->digest, SQLITE_NULL, 0);
}

void put_index(struct rows_out *rows, uint32_t index)
{
    if (index != NO_INDEX)
        put_int(rows, index);
    else
        put_null(rows);
}

void put_blob(struct rows_out *rows, const void *data, size_t len)
{
    if (rows->in_item) {
        item_blob(rows, data, len);
        return;
    }
    note(rows, sqlite3_bind_blob64(rows->statement, next_column(rows), len != 0 ? data : "", len,
                                   SQLITE_STATIC));
    if (rows->digest != NULL)
        store_hash_bytes(rows->digest, SQLITE_BLOB, data, len);
}

void put_reason(struct rows_out *rows, const struct reason *reason)
{
    uint32_t row = NO_INDEX;
    if (!rows->failed)
        rows->failed = !reason_list_row(&row, rows->reasons, reason, rows->err);
    put_index(rows, row);
}

/* `keep` is SQLITE_STATIC, or SQLITE_TRANSIENT of a text that does not last until rows_put. */
static void put_text_as(struct rows_out *rows, struct str text, sqlite3_destructor_type keep)
{
    note(rows, sqlite3_bind_text64(rows->statement, next_column(rows),
                                   text.len != 0 ? text.text : "", text.len, keep, SQLITE_UTF8));
    if (rows->digest != NULL)
        store_hash_bytes(rows->digest, SQLITE_TEXT, text.text, text.len);
}

void put_text(struct rows_out *rows, struct str text)
{
    put_text_as(rows, text, SQLITE_STATIC);
}

/* --- items ------------------------------------------------------------------------------------ */

void items_begin(struct rows_out *rows)
{
    rows->items.len = 0;
    wr_u8(&rows->items, '[');
}

void item_begin(struct rows_out *rows)
{
    if (rows->items.len > 1)
        wr_u8(&rows->items, ',');
    rows->in_item = true;
    rows->before_value = '[';
}

void item_end(struct rows_out *rows)
{
    wr_u8(&rows->items, ']');
    rows->in_item = false;
}

void items_end(struct rows_out *rows)
{
    const struct writer *items = &rows->items;
    wr_u8(&rows->items, ']');
    if (!rows->failed && items->failed)
        rows->failed =
            !err_set(rows->err, ERR_MEMORY, "out of memory: a row needs %zu bytes", items->len);
    if (!rows->failed)
        put_text_as(rows, (struct str){(const char *)items->data, items->len}, SQLITE_TRANSIENT);
}

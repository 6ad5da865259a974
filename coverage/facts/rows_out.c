#include "coverage/facts/rows_out.h"

#include <string.h>

#include "base/fnv.h"
#include "base/hex.h"
#include "base/number.h"

enum {
    SLOTS_FIRST = 64
};

/* --- reasons ---------------------------------------------------------------------------------- */

const struct reason *reason_list_at(const struct reason_list *list, uint32_t row)
{
    return ((const struct reason *const *)list->items.items)[row];
}

static uint64_t hash_reason_text(uint64_t hash, struct str text)
{
    return fnv_bytes(fnv_word(hash, text.len), text.text, text.len);
}

/* The slot where the reason is, or would be. */
static uint32_t *find_reason_slot(const struct reason_list *list, const struct reason *reason)
{
    uint64_t hash = fnv_word(FNV_START, reason->code);
    hash = hash_reason_text(hash_reason_text(hash, reason->subject), reason->remark);
    uint32_t at = (uint32_t)(hash ^ hash >> 32) & (list->slot_count - 1);
    while (list->slots[at] != 0 && !reason_eq(reason_list_at(list, list->slots[at] - 1), reason))
        at = (at + 1) & (list->slot_count - 1);
    return &list->slots[at];
}

/* At most half of the slots are in use, so that a search ends. */
static bool make_reason_slots(struct reason_list *list, struct err *err)
{
    if (list->items.count < list->slot_count / 2)
        return true;
    uint32_t count = list->slot_count != 0 ? 2 * list->slot_count : SLOTS_FIRST;
    uint32_t *slots = ARENA_NEW(list->arena, uint32_t, count, err);
    if (slots == NULL)
        return false;
    list->slots = slots;
    list->slot_count = count;
    for (uint32_t i = 0; i < list->items.count; i++)
        *find_reason_slot(list, reason_list_at(list, i)) = i + 1;
    return true;
}

bool reason_list_row(uint32_t *row, struct reason_list *list, const struct reason *reason,
                     struct err *err)
{
    *row = NO_INDEX;
    if (reason == NULL)
        return true;
    if (!make_reason_slots(list, err))
        return false;
    uint32_t *slot = find_reason_slot(list, reason);
    if (*slot == 0) {
        if (!list_put(&list->items, &reason, sizeof reason, list->arena, err))
            return false;
        *slot = list->items.count;
    }
    *row = *slot - 1;
    return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

struct rows_out rows_to(struct rows_target *target, enum store_table_id table)
{
    struct rows_out rows = {.target = target};
    int rc = sqlite3_prepare_v2(target->db, store_tables[table].insert, -1, &rows.statement, NULL);
    rows.failed = rc != SQLITE_OK && !store_explain(target->db, rc, target->err);
    if (target->arena != NULL)
        rows.items = wr_in(target->arena);
    if (target->digest != NULL)
        store_hash_name(target->digest, &store_tables[table]);
    return rows;
}

static void note_result(struct rows_out *rows, int rc)
{
    if (!rows->failed && rc != SQLITE_OK && rc != SQLITE_DONE)
        rows->failed = !store_explain(rows->target->db, rc, rows->target->err);
}

void rows_put(struct rows_out *rows)
{
    if (!rows->failed)
        note_result(rows, sqlite3_step(rows->statement));
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
    if (rows->column == 0 && rows->target->digest != NULL)
        store_hash_row(rows->target->digest);
    return ++rows->column;
}

/* --- values of items -------------------------------------------------------------------------- */

static void put_item_number(struct rows_out *rows, uint64_t value)
{
    char text[1 + NUMBER_DIGITS_MAX], *end = text + sizeof text;
    char *at = number_digits(end, value);
    *--at = rows->before_value;
    rows->before_value = ',';
    wr_bytes(&rows->items, at, (size_t)(end - at));
}

static void put_item_null(struct rows_out *rows)
{
    wr_u8(&rows->items, (uint8_t)rows->before_value);
    rows->before_value = ',';
    wr_bytes(&rows->items, "null", 4);
}

static void put_item_blob(struct rows_out *rows, const uint8_t *data, size_t len)
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
        put_item_number(rows, (uint64_t)value);
        return;
    }
    note_result(rows, sqlite3_bind_int64(rows->statement, next_column(rows), value));
    if (rows->target->digest != NULL)
        digest_tagged(rows->target->digest, SQLITE_INTEGER, (uint64_t)value);
}

static void put_null(struct rows_out *rows)
{
    if (rows->in_item) {
        put_item_null(rows);
        return;
    }
    note_result(rows, sqlite3_bind_null(rows->statement, next_column(rows)));
    if (rows->target->digest != NULL)
        digest_tagged(rows->target->digest, SQLITE_NULL, 0);
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
        put_item_blob(rows, data, len);
        return;
    }
    note_result(rows, sqlite3_bind_blob64(rows->statement, next_column(rows), len != 0 ? data : "",
                                          len, SQLITE_STATIC));
    if (rows->target->digest != NULL)
        store_hash_bytes(rows->target->digest, SQLITE_BLOB, data, len);
}

static void put_reason_row(struct rows_out *rows, const struct reason *reason)
{
    uint32_t row = NO_INDEX;
    if (!rows->failed)
        rows->failed = !reason_list_row(&row, &rows->target->reasons, reason, rows->target->err);
    put_index(rows, row);
}

/* `keep` is SQLITE_STATIC, or SQLITE_TRANSIENT of a text that does not last until rows_put. */
static void put_text_as(struct rows_out *rows, struct str text, sqlite3_destructor_type keep)
{
    note_result(rows,
                sqlite3_bind_text64(rows->statement, next_column(rows),
                                    text.len != 0 ? text.text : "", text.len, keep, SQLITE_UTF8));
    if (rows->target->digest != NULL)
        store_hash_bytes(rows->target->digest, SQLITE_TEXT, text.text, text.len);
}

void put_text(struct rows_out *rows, struct str text)
{
    put_text_as(rows, text, SQLITE_STATIC);
}

/* --- columns ---------------------------------------------------------------------------------- */

const struct reason *reason_at(const void *field)
{
    return *(const struct reason *const *)field;
}

static void put_column(struct rows_out *rows, const struct store_column *column, const void *field,
                       uint32_t index)
{
    const struct view *bytes = field;
    const struct fact_causes *causes = field;
    const struct fact_decision *decision = field;
    switch (column->kind) {
    case COLUMN_ID:
        put_int(rows, index);
        break;
    case COLUMN_I64:
    case COLUMN_U64:
        put_int(rows, *(const int64_t *)field);
        break;
    case COLUMN_U32:
        put_int(rows, *(const uint32_t *)field);
        break;
    case COLUMN_U16:
        put_int(rows, *(const uint16_t *)field);
        break;
    case COLUMN_BOOL:
        put_int(rows, *(const bool *)field);
        break;
    case COLUMN_INDEX:
        put_index(rows, *(const uint32_t *)field);
        break;
    case COLUMN_BEFORE:
        put_int(rows, index - *(const uint32_t *)field);
        break;
    case COLUMN_TEXT:
        put_text(rows, *(const struct str *)field);
        break;
    case COLUMN_REASON:
        put_reason_row(rows, reason_at(field));
        break;
    case COLUMN_BYTES:
        put_blob(rows, field, column->max);
        break;
    case COLUMN_BLOB:
    case COLUMN_CODE:
        put_blob(rows, bytes->data, bytes->len);
        break;
    case COLUMN_CAUSES:
        put_blob(rows, causes->bytes, causes->len);
        break;
    case COLUMN_ARMS:
        put_blob(rows, decision->arms, decision->arms_len);
        break;
    }
}

void put_columns(struct rows_out *rows, const struct store_columns *of, const void *item,
                 uint32_t index)
{
    for (uint32_t i = 0; i < of->count; i++)
        put_column(rows, &of->columns[i], (const uint8_t *)item + of->columns[i].at, index);
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
        rows->failed = !err_set(rows->target->err, ERR_MEMORY,
                                "out of memory: a row needs %zu bytes", items->len);
    if (!rows->failed)
        put_text_as(rows, (struct str){(const char *)items->data, items->len}, SQLITE_TRANSIENT);
}

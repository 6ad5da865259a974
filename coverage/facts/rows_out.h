/* rows_out.h - the rows of a data file, column by column, from left to right; only store_write.c
 * includes it. A column may hold items: a list that belongs to the row, as an array of arrays in
 * JSON. Between item_begin and item_end, put_ writes the next value of an item.
 * Owner:  texts and bytes must live until rows_put.
 * Errors: sticky: rows_end returns false after the first. */
#pragma once

#include "base/bytes.h"
#include "base/list.h"
#include "contract/reason.h"
#include "coverage/facts/store_tables.h"

/* The distinct reasons of a data file, each with the number of its row: thousands of statements
 * share a few. They stay where they are, and the list lives in its arena. */
struct reason_list {
    struct list items;   /* const struct reason *, in the order of arrival */
    uint32_t *slots;     /* by hash: index + 1, or 0 */
    uint32_t slot_count; /* a power of two */
    struct arena *arena;
};

/* *row: the row of an equal reason, else a new row at the end; NO_INDEX if there is no reason. */
NODISCARD bool reason_list_row(uint32_t *row, struct reason_list *list, const struct reason *reason,
                               struct err *err);
const struct reason *reason_list_at(const struct reason_list *list, uint32_t row);

/* The file that rows go to; it outlives them. */
struct rows_target {
    sqlite3 *db;
    struct digest *digest;      /* of what is put; NULL: that is not hashed as it is written */
    struct reason_list reasons; /* has all that are put */
    struct arena *arena;        /* gets the items; NULL where no column holds any */
    struct err *err;
};

struct rows_out {
    struct rows_target *target;
    sqlite3_stmt *statement;
    struct writer items; /* of the column that holds some */
    bool in_item;
    char before_value; /* of an item: what separates it from what is before it */
    int column;
    bool failed;
};

/* rows_end must follow. */
struct rows_out rows_to(struct rows_target *target, enum store_table_id table);
void rows_put(struct rows_out *rows);
NODISCARD bool rows_end(struct rows_out *rows);

/* The next columns, or the next values of the item; `index` is its own. */
void put_columns(struct rows_out *rows, const struct store_columns *of, const void *item,
                 uint32_t index);

/* --- the next column, or the next value of the item ------------------------------------------- */

void put_int(struct rows_out *rows, int64_t value);    /* in an item: not negative */
void put_index(struct rows_out *rows, uint32_t index); /* NO_INDEX becomes NULL */
void put_blob(struct rows_out *rows, const void *data, size_t len);
void put_text(struct rows_out *rows, struct str text); /* not in an item */

/* What a field of the kind COLUMN_REASON holds. */
const struct reason *reason_at(const void *field);

/* --- a column that holds items ---------------------------------------------------------------- */

void items_begin(struct rows_out *rows);
void item_begin(struct rows_out *rows);
void item_end(struct rows_out *rows);
void items_end(struct rows_out *rows);

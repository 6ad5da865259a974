/* rows_out.h - the rows of a data file, column by column, from left to right; only store_write.c
 * includes it. A column may hold items: a list that belongs to the row, as an array of arrays in
 * JSON. Between item_begin and item_end, put_ writes the next value of an item.
 * Owner:  texts and bytes must live until rows_put.
 * Errors: sticky: rows_end returns false after the first. */
#ifndef ILCOV_COVERAGE_STORE_ROWS_OUT_H
#define ILCOV_COVERAGE_STORE_ROWS_OUT_H

#include "base/bytes.h"
#include "coverage/store/reason_list.h"
#include "coverage/store/store_tables.h"

struct rows_out {
    sqlite3 *db;
    sqlite3_stmt *statement;
    struct digest *digest;       /* of what is put, or NULL */
    struct reason_list *reasons; /* has all that are put */
    struct writer items;         /* of the column that holds some */
    bool in_item;
    char before_value; /* of an item: what separates it from what is before it */
    struct err *err;
    int column;
    bool failed;
};

/* rows_end must follow. `digest` is NULL for rows that are not hashed as they are written;
 * `reasons` where no column is one; `arena`, which gets the items, where no column holds any. */
struct rows_out rows_to(sqlite3 *db, enum store_table_id table, struct digest *digest,
                        struct reason_list *reasons, struct arena *arena, struct err *err);
void rows_put(struct rows_out *rows);
NODISCARD bool rows_end(struct rows_out *rows);

/* --- the next column, or the next value of the item ------------------------------------------- */

void put_int(struct rows_out *rows, int64_t value);    /* in an item: not negative */
void put_index(struct rows_out *rows, uint32_t index); /* NO_INDEX becomes NULL */
void put_blob(struct rows_out *rows, const void *data, size_t len);
void put_reason(struct rows_out *rows, const struct reason *reason);
void put_text(struct rows_out *rows, struct str text); /* not in an item */

/* --- a column that holds items ---------------------------------------------------------------- */

void items_begin(struct rows_out *rows);
void item_begin(struct rows_out *rows);
void item_end(struct rows_out *rows);
void items_end(struct rows_out *rows);

#endif

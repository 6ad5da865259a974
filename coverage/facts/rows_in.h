/* rows_in.h - the rows of a data file, column by column; only those that read it include it
 * (store_read.h). Whatever program wrote them, no value is trusted before its type and range are
 * checked. A column may hold items (rows_out.h): between items_next and the next one, get_ reads
 * the next value of an item.
 * Owner:  texts and bytes are copied into the arena of the source.
 * Errors: sticky: after the first, every column is 0 or empty, and rows_close returns false.
 *         ERR_FORMAT names table, row and column. */
#pragma once

#include "coverage/facts/store_tables.h"

/* The file that rows come from; it outlives them. */
struct rows_source {
    sqlite3 *db;
    uint64_t bytes;               /* of the file */
    const struct reason *reasons; /* by row */
    uint32_t reason_count;
    struct digest *digest; /* receives what rows_of reads; or NULL */
    const struct progress_hook *progress;
    struct arena *arena;
    struct arena *code;  /* of what store_read_summed says; or `arena` */
    uint32_t items_left; /* how many the file can have, less those that its modules have so far */
    struct err *err;
};

struct rows_in {
    const struct rows_source *source;
    sqlite3_stmt *statement;
    const char *table;
    uint32_t row;
    int column;
    uint64_t bytes_left; /* of the file, less those of its texts and blobs so far */
    bool failed;
    struct digest *digest; /* of what is read, or NULL */
    struct reader items;   /* of the column that holds some; its bytes are SQLite's */
    bool in_item;
    char before_value; /* of an item: what must be before it */
};

/* rows_close must follow. */
struct rows_in rows_from(const struct rows_source *source, enum store_table_id table,
                         const char *sql);
/* All rows of a table; they go into the digest, if there is one. */
struct rows_in rows_of(const struct rows_source *source, enum store_table_id table);
bool rows_next(struct rows_in *rows);
NODISCARD bool rows_close(struct rows_in *rows);

NODISCARD bool rows_count(uint32_t *out, const struct rows_source *source,
                          enum store_table_id table);

/* Reports the column that was read last as damaged. */
void rows_refuse(struct rows_in *rows);

/* The next column holds items. */
void items_open(struct rows_in *rows);
/* False after the last one. */
bool items_next(struct rows_in *rows);

/* The next columns, or the next values of the item; all else of the item becomes zero. `index` is
 * its own. */
void get_columns(struct rows_in *rows, const struct store_columns *of, void *item, uint32_t index);

/* --- the next column, or the next value of the item ------------------------------------------- */

int64_t get_int(struct rows_in *rows);
uint32_t get_u32(struct rows_in *rows, uint32_t max);
uint32_t get_index(struct rows_in *rows);          /* NULL becomes NO_INDEX */
void expect_id(struct rows_in *rows, uint32_t id); /* the row's own: rows are numbered from 0 */
struct str get_text(struct rows_in *rows);         /* not in an item */
struct view get_blob(struct rows_in *rows, size_t max_len);

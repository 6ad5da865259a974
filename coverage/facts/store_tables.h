/* store_tables.h - shared only by what reads and writes the data file. The format is drawn in
 * store_tables.c.
 * Owner:  `*db` is NULL before store_open; the caller closes it, even if store_open fails. */
#pragma once

#include <sqlite3.h>

#include "coverage/facts/digest.h"
#include "coverage/facts/store.h"

enum store_table_id {
#define TABLE(id, name, columns, parameters, order) id,
#define VIEW(id, name, query)                       id,
#include "coverage/facts/store.def"
#undef TABLE
#undef VIEW
    STORE_TABLE_COUNT
};

struct store_table {
    const char *name, *create, *insert, *select;
    const char *owners; /* the module of each row; only for tables that have the column */
    bool is_view;       /* has no rows of its own: only `name` and `create` */
};

extern const struct store_table store_tables[STORE_TABLE_COUNT];

/* The field that a column is, and what it may hold. */
enum store_column_kind {
    COLUMN_ID,     /* no field: the row's own number, from 0 */
    COLUMN_I64,    /* int64_t, or a uint64_t that is taken as one */
    COLUMN_U64,    /* uint64_t, at most INT64_MAX */
    COLUMN_U32,    /* uint32_t or an enum, at most `max` */
    COLUMN_U16,    /* uint16_t */
    COLUMN_BOOL,   /* bool */
    COLUMN_INDEX,  /* uint32_t; NO_INDEX is NULL */
    COLUMN_BEFORE, /* uint32_t, how many items before; in the file the number of that item */
    COLUMN_TEXT,   /* struct str */
    COLUMN_REASON, /* const struct reason * */
    COLUMN_BYTES,  /* uint8_t[max] */
    COLUMN_BLOB,   /* struct view of at most `max` bytes */
    COLUMN_CODE,   /* the same, in the arena of code */
    COLUMN_CAUSES, /* struct fact_causes */
    COLUMN_ARMS,   /* those of a decision */
};

struct store_column {
    enum store_column_kind kind;
    uint32_t max;
    size_t at; /* of the field */
};

/* Reads and writes the rows of a table, or the items in those of METHODS that the view of the id
 * has: each is a struct of this size. */
struct store_columns {
    size_t size;
    const struct store_column *columns;
    uint32_t count;
};

/* Without `module`, and without the items of a method. None of META, DECLARATIONS and COUNTS. */
extern const struct store_columns store_columns[STORE_TABLE_COUNT];

/* Translates SQLite's error into `err`; returns false. `db` may be NULL. */
bool store_explain(sqlite3 *db, int rc, struct err *err);
NODISCARD bool store_execute(sqlite3 *db, const char *sql, struct err *err);

/* Is it a data file of the version that this program reads? `bytes`: how many it has. */
NODISCARD bool store_check_header(uint64_t *bytes, const char *path, struct err *err);

/* `query` is the end of the URI, from its '?'; `flags` are SQLITE_OPEN_. */
NODISCARD bool store_open(sqlite3 **db, const char *path, const char *query, int flags,
                          struct err *err);

/* The digest piece by piece, for a caller that reads or writes the rows anyway: tables in order.
 * ERR_FORMAT if the values of a table have more than `bytes_max` bytes. */
NODISCARD bool store_hash_table(struct digest *digest, sqlite3 *db, const struct store_table *table,
                                uint64_t bytes_max, const struct progress_hook *progress,
                                struct err *err);
void store_hash_name(struct digest *digest, const struct store_table *table);
void store_hash_row(struct digest *digest); /* before its columns */
/* A column: an integer is digest_tagged with its type, NULL so with 0; text and blobs are this. */
void store_hash_bytes(struct digest *digest, int type, const void *data, size_t len);

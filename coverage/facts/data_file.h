/* data_file.h - how a data file is told from a report of another tool. coverage/facts reads it.
 * Source: SQLite, Database File Format, 1.3. */
#pragma once

#include <string.h>

#include "base/base.h"

#define DATA_FILE_MAGIC "SQLite format 3" /* and its NUL */

/* Are these the first bytes of a database? Only the store knows whether it is one of ilcov's. */
static inline bool data_file_begins(const void *bytes, size_t len)
{
    return len >= sizeof DATA_FILE_MAGIC &&
           memcmp(bytes, DATA_FILE_MAGIC, sizeof DATA_FILE_MAGIC) == 0;
}

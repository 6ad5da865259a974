/* store_read.h - shared by store_read.c and store_part.c only: rows in, facts out.
 * Owner:  facts live in the arena of the source. Errors: as in store.h. */
#pragma once

#include "coverage/facts/rows_in.h"

struct rows_source store_source_of(const struct store_reader *reader, struct arena *arena,
                                   struct err *err);

/* store_close must follow, even if it fails. */
NODISCARD bool store_open_to_read(struct store_reader *out, const char *path, struct err *err);
/* Accepts only ilcov's own tables and views, to the letter: another view or a trigger would run
 * external code. */
NODISCARD bool store_check_schema(const struct store_reader *reader, struct arena *arena,
                                  struct err *err);

NODISCARD bool store_read_reasons(struct rows_source *source);
/* Reasons, runs, processes, modules and their documents. */
NODISCARD bool store_read_outline(struct facts *out, struct rows_source *source);

/* Tests and what they hit. */
NODISCARD bool store_read_tests(struct facts *out, const struct rows_source *source);

/* store.h - the data file: facts in an SQLite database.
 * Owner:  what store_read gives lives in the arena.
 * Errors: ERR_IO unwritable or unreadable; ERR_FORMAT not a data file, damaged (the digest over all
 *         rows does not match), or of another version; the text says which. The caller names the
 *         file. Facts that facts_check refuses can be neither written nor read.
 * store_write builds a temporary file beside `path` and renames it: a reader sees the whole old
 * file or the whole new one. `progress` may be NULL. */
#pragma once

#include "base/progress.h"
#include "coverage/facts/digest.h"
#include "coverage/facts/facts.h"
#include "system/whole_file.h"

enum {
    STORE_APPLICATION_ID = 0x496C436F /* "IlCo" */,
    STORE_VERSION = 1 /* no other is read */
};

/* Can a data file be written to the path, and may it? Not over a file that holds anything else:
 * ERR_FORMAT. Leaves no files. */
NODISCARD bool store_check_output(const char *path, struct err *err);

NODISCARD bool store_write(const char *path, const struct facts *facts,
                           const struct progress_hook *progress, struct err *err);
NODISCARD bool store_read(struct facts *out, const char *path, struct arena *arena,
                          struct err *err);

/* The same, but with one vector per module for all runs of one kind: their sum, attributed to the
 * first of them. So memory does not grow with the number of runs. Methods, statements, decisions
 * and counts, without the texts that name them, are in `code`, which may be `arena`, or be freed
 * earlier (facts_forget_code). */
NODISCARD bool store_read_summed(struct facts *out, const char *path,
                                 const struct progress_hook *progress, struct arena *arena,
                                 struct arena *code, struct err *err);

/* --- one vector of counts at a time, for files with more runs than fit into memory ------------ */

struct store_writer {
    struct output output;
    struct sqlite3 *db;
    const struct progress_hook *progress;
    struct digest digest; /* of the rows so far, without those of counts */
    struct arena arena;
};

/* Writes `facts` without its counts; store_finish or store_abandon must follow. Each run and module
 * may have counts once. After a failure, call store_abandon. */
NODISCARD bool store_create(struct store_writer *out, const char *path, const struct facts *facts,
                            const struct progress_hook *progress, struct err *err);
NODISCARD bool store_put_counts(struct store_writer *writer, uint32_t run, uint32_t module,
                                const uint64_t *counts, uint32_t len, struct err *err);
NODISCARD bool store_finish(struct store_writer *writer, struct err *err);
void store_abandon(struct store_writer *writer);

/* In place of store_finish: the data file is temporary. `out->temporary` is its path, until
 * output_abandon (system/whole_file.h). */
NODISCARD bool store_keep(struct output *out, struct store_writer *writer, struct err *err);
/* store_write into a temporary file beside `path`. */
NODISCARD bool store_write_beside(struct output *out, const char *path, const struct facts *facts,
                                  const struct progress_hook *progress, struct err *err);

struct store_reader {
    struct sqlite3 *db;
    uint64_t bytes; /* of the file */
    uint8_t digest[DIGEST_LEN];
};

/* Reads `facts` without its counts; on success, store_close must follow. */
NODISCARD bool store_open_facts(struct store_reader *out, struct facts *facts, const char *path,
                                const struct progress_hook *progress, struct arena *arena,
                                struct err *err);
/* Opens a file that was read before, only for its counts. */
NODISCARD bool store_open_again(struct store_reader *out, const char *path,
                                const uint8_t digest[DIGEST_LEN], struct arena *arena,
                                struct err *err);
void store_close(struct store_reader *reader);

/* --- a part of it, for questions about a few lines -------------------------------------------- */

/* The digest is not checked, because that takes reading everything: a file whose values were
 * changed to other possible ones is not noticed, only what contradicts the rest or is no data. */
struct store_part {
    struct store_reader reader;
    uint32_t *statement_counts; /* of each module in the file */
};

/* Reads `facts` without methods, what is in them, and counts; on success, store_part_close must
 * follow. */
NODISCARD bool store_part_open(struct store_part *out, struct facts *facts, const char *path,
                               struct arena *arena, struct err *err);

/* What is wanted of the code, by module and index: methods, and those with statements in these
 * documents. NULL: none of the module. */
struct store_wanted {
    bool *const *documents;
    bool *const *methods;
};

/* Adds all methods with their names, tokens and user methods alone, and the statements of those
 * that are wanted, without causes; no decisions. What an earlier call added is replaced. Modules
 * and documents are as they were opened, but for texts. After a failure, the facts are not to be
 * used. */
NODISCARD bool store_part_read(struct store_part *part, struct facts *facts,
                               const struct store_wanted *wanted, struct arena *arena,
                               struct err *err);
void store_part_close(struct store_part *part);

/* --- counts ----------------------------------------------------------------------------------- */

/* Calls `take` for each row of counts of a run (NO_INDEX: of all), in the order of runs and
 * modules. `packed` is valid data and lives only for the call. */
typedef bool store_take_counts(void *context, uint32_t run, uint32_t module, struct view packed,
                               struct err *err);
NODISCARD bool store_each_counts(struct store_reader *reader, const struct facts *facts,
                                 uint32_t run, store_take_counts *take, void *context,
                                 struct err *err);

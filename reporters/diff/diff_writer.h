/* diff_writer.h - the one interface of all writers of what changed (coverage/diff/diff.h): a diff in, a
 * file out.
 * A writer prints what it is given, in the order it is given or of importance; it opens no other
 * file: source text comes through struct diff_sources. Output is the same bytes for the same diff
 * and sources: no clock, no locale.
 * Errors: ERR_IO when the file can't be written; then neither it nor a temporary file is left;
 *         ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_DIFF_WRITER_H
#define ILCOV_REPORTERS_DIFF_DIFF_WRITER_H

#include "coverage/diff/diff.h"
#include "reporters/destination.h"

/* The text of line `number` of a file of HEAD (package and path as in struct diff_file), without
 * its end; empty when it is not known. Good until the next call. */
struct diff_sources {
    struct str (*line)(void *context, struct str package, struct str path, uint32_t number);
    void *context;
};

struct diff_writer {
    const char *name;         /* as in --format */
    const char *default_file; /* NULL: standard output */
    const char *summary;      /* a line of help */
    bool (*write)(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                  bool colour, struct err *err);
};

/* All writers, in the order of the help; ends with a NULL name. */
extern const struct diff_writer diff_writers[];
const struct diff_writer *diff_writer_find(struct str name);

/* NULL and DESTINATION_STDOUT are standard output. */
NODISCARD bool diff_writer_write(const struct diff_writer *writer, const char *path,
                                 const struct diff *diff, const struct diff_sources *sources,
                                 struct err *err);

/* The writers. One that returns true may still have failed to write: ferror(file) knows. */
bool diff_text_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                     bool colour, struct err *err);
bool diff_markdown_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                         bool colour, struct err *err);
bool diff_json_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                     bool colour, struct err *err);
bool diff_github_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                       bool colour, struct err *err);
bool diff_gitlab_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                       bool colour, struct err *err);
bool diff_sarif_write(FILE *file, const struct diff *diff, const struct diff_sources *sources,
                      bool colour, struct err *err);

#endif

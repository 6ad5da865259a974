/* format.h - what --format names: the one interface of all writers of reports and of differences.
 * A writer gets a report or a difference and writes a file, or a directory of files. It prints what
 * it is given, in the order it is given or of importance; whatever is to be counted was counted in
 * coverage/report or coverage/diff. It reads no file: source text comes through struct sources.
 * Output is the same bytes for the same input: no clock, no locale.
 * report/report_formats.h and diff/diff_formats.h list the formats.
 * Errors: ERR_IO when something can't be written, ERR_MEMORY; then neither the file that it
 *         concerns nor a temporary one is left. */
#ifndef ILCOV_REPORTERS_FORMAT_H
#define ILCOV_REPORTERS_FORMAT_H

#include "reporters/destination.h"
#include "reporters/sources.h"

struct report;
struct diff;

enum format_kind {
    FORMAT_OF_REPORT,
    FORMAT_OF_DIFF
};

/* What a writer gets. format_write sets the last two. */
struct format_job {
    const struct report *report;     /* FORMAT_OF_REPORT */
    const struct diff *diff;         /* FORMAT_OF_DIFF */
    const struct sources *sources;   /* NULL unless the format wants them */
    struct destination *destination; /* open: a file, or a directory to open files in */
    bool colour;                     /* false unless the format has colours */
};

struct format {
    const char *name;         /* as in --format */
    const char *default_path; /* as for format_write */
    const char *summary;      /* a line of help */
    enum format_kind kind;
    enum destination_kind output;
    bool wants_sources, has_colour;
    /* Need not look whether writing fails: the destination remembers. A file that it opened in a
     * directory it commits, unless it fails. */
    bool (*write)(const struct format_job *job, struct err *err);
};

/* In a list that ends with a NULL name; NULL: there is none. */
const struct format *format_find(const struct format *formats, struct str name);

/* The file that it writes unless another is named; NULL: a standard stream. */
const char *format_default_file(const struct format *format);

/* `path` is a file or, for DESTINATION_DIRECTORY, a directory; NULL is standard error,
 * DESTINATION_STDOUT standard output: in colour when that is a terminal and NO_COLOR is not set.
 * The error names it. */
NODISCARD bool format_write(const struct format *format, const char *path,
                            const struct format_job *job, struct err *err);

#endif

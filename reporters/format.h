/* format.h - what --format names: the one interface of all writers of reports and diffs. A writer
 * gets a report or a diff and writes a file or a directory of files. It prints its input in the
 * given order or by importance; all counting is done in coverage/report and coverage/diff. It reads
 * no files: source text comes through struct sources. Equal input gives equal bytes: no clock; only
 * what goes to a standard stream for people depends on the terminal and its locale (screen.h).
 * report/report_formats.h and diff/diff_formats.h list the formats.
 * Errors: ERR_IO if something can't be written, ERR_MEMORY; then neither that file nor a temporary
 *         one is left. */
#pragma once

#include "base/progress.h"
#include "coverage/report/report_files.h"
#include "reporters/destination.h"
#include "reporters/screen.h"
#include "reporters/sources.h"

struct diff;
struct gate_result;

/* Takes a writer's remarks about what it wrote, a line each. */
struct remark_hook {
    void (*say)(void *context, struct str line);
    void *context;
};

/* What a writer gets. format_write sets `destination` and what follows from it, and the arenas: one
 * lasts as long as the format is written, the other is the writer's to empty. */
struct format_job {
    const struct report *report;     /* or NULL */
    const struct diff *diff;         /* also of a report that shows changes; or NULL */
    const struct sources *sources;   /* NULL unless the format needs them */
    const struct sources *was;       /* those of BASE, if the format shows changes */
    struct destination *destination; /* open: a file, or a directory to put files in */
    struct screen screen;            /* of a format with colours; plain for others */
    const struct gate_result *gates; /* of a report (coverage/diff/gate.h) */
    uint32_t gate_count;
    const struct progress_hook *progress; /* or NULL */
    bool no_hotspots;                     /* pages without the list of hotspots */
    uint64_t part_bytes; /* the most that a file of a format may have that splits; 0: any */
    const struct remark_hook *remarks; /* or NULL */
    struct arena *arena, *scratch;
};

struct format {
    const char *name;         /* as in --format */
    const char *default_path; /* as for format_write */
    const char *summary;      /* a line for --help */
    enum destination_kind output;
    bool wants_sources, has_colour;
    bool shows_changes; /* of code: wants the diff's sections and the sources of BASE */
    bool tells_tests;   /* wants to know which tests ran a line (report.tests) */
    /* Before anything runs, and before `write`: may it write there? NULL: wherever the destination
     * can be written. */
    bool (*check)(const char *path, struct err *err);
    /* Need not check for write errors: the destination remembers them. Commits each file that it
     * opened in a directory, unless it fails. NULL: a format of lines. */
    bool (*write)(const struct format_job *job, struct err *err);
    /* A format of lines. `open` returns a writer, or NULL if it fails. The writer takes the files
     * of the report in its order, with their lines, as report_read passes them, so that formats of
     * one order can share these. Then it is closed, unless something failed. `close` may be
     * NULL. */
    enum report_order order;
    void *(*open)(const struct format_job *job, struct err *err);
    bool (*take)(void *writer, const struct report_file *files, uint32_t count, struct err *err);
    bool (*close)(void *writer, struct err *err);
    /* With part_bytes: writes to a file or several, next to it, without a destination. NULL: the
     * format is never split. */
    bool (*write_parts)(const struct format_job *job, const char *path, struct err *err);
    /* Removes parts that an earlier report left beside the file. */
    void (*tidy)(const char *path);
};

/* Can it be written there, and may it? Leaves no files. */
NODISCARD bool format_check(const struct format *format, const char *path, struct err *err);

/* Searches a list that ends with a NULL name; NULL if there is none. */
const struct format *format_find(const struct format *formats, struct str name);

/* NULL and DESTINATION_STDOUT are standard streams. */
bool format_is_stream(const char *path);

/* The file that it writes by default; NULL: a standard stream. */
const char *format_default_file(const struct format *format);

/* The name of a part, from 1, of a report that was split: "out/coverage.1.xml". */
NODISCARD bool format_part_path(struct str *out, const char *path, uint32_t number,
                                struct arena *arena, struct err *err);

/* Is `file` the name of a part of `whole`? Both are names without a folder; numbers have no leading
 * zeros. */
bool format_is_part(uint32_t *number, struct str file, struct str whole);

/* `path` is a file or, for DESTINATION_DIRECTORY, a directory; NULL is standard error,
 * DESTINATION_STDOUT standard output: in colour if that is a terminal and NO_COLOR is not set. */
struct format_output {
    const struct format *format;
    const char *path;
    bool is_done, failed;
    struct err err; /* of one that failed: it names the path */
    /* While it is written. */
    struct format_job job;
    struct destination destination;
    struct arena arena, scratch;
    bool is_open; /* the destination */
    void *writer; /* of lines */
};

/* Writes the first, and with it those after it that need the same lines in the same order. */
void format_write_batch(struct format_output *outputs, uint32_t count,
                        const struct format_job *job);

NODISCARD bool format_write(const struct format *format, const char *path,
                            const struct format_job *job, struct err *err);

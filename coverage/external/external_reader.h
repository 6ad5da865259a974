/* external_reader.h - reads a report of another tool, whatever its format.
 * Errors: ERR_IO; ERR_FORMAT it contradicts its format, at a line that the text names;
 *         ERR_UNSUPPORTED a report in a format that is not read; ERR_LIMIT. Nothing that a report
 * names is opened: neither sources (only their existence is checked, external_path.h), nor a
 *         DTD, nor an entity. A report that declares entities is refused. */
#pragma once

#include "base/progress.h"
#include "coverage/external/external.h"

/* Repeated data about a line is united. Cobertura repeats itself, and OpenCover may: the largest
 * hits and the fuller fraction count. LCOV accumulates: hits and outcomes add up. A line is covered
 * if it has hits, whatever its outcomes have; if a report tells only these, they say so. */
NODISCARD bool external_read(struct external *out, struct view bytes, struct arena *arena,
                             struct err *err);

/* The same for a file of any size: it is read in pieces. The text of an error does not name it.
 * `progress` may be NULL. */
NODISCARD bool external_read_file(struct external *out, const char *path,
                                  const struct progress_hook *progress, struct arena *arena,
                                  struct err *err);

/* What was left out, or contradicts itself, in a line that does not name the report; empty if
 * nothing does. */
NODISCARD bool external_losses(struct str *out, const struct external *external,
                               struct arena *arena, struct err *err);

/* Should external_read read a file that begins with these bytes (16 or more, or the whole file)?
 * Yes unless it is an ilcov data file, if only for the error message. */
bool external_is(struct view first_bytes);
/* The same for a file; false for one that can't be read, which its reader will report. */
bool external_is_file(const char *path);

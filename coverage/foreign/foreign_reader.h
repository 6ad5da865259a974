/* foreign_reader.h - reads a report of another tool, whatever its format.
 * Errors: ERR_IO; ERR_FORMAT it contradicts its format, at a line that the text names;
 *         ERR_UNSUPPORTED a report, but of a format that is not read; ERR_LIMIT. Nothing that a
 *         report names is opened: neither sources (whether one exists is asked, foreign_path.h),
 *         nor a DTD, nor what an entity stands for. One that declares entities is refused. / */
#ifndef ILCOV_COVERAGE_FOREIGN_FOREIGN_READER_H
#define ILCOV_COVERAGE_FOREIGN_FOREIGN_READER_H

#include "coverage/foreign/foreign.h"

/* What one report says of a line several times is united. Cobertura repeats itself, and
 * OpenCover may: the most hits, and the fuller of two fractions. LCOV counts on: the sum, of
 * outcomes too. Names are those of the first mention with a method. */
NODISCARD bool foreign_read(struct foreign *out, struct view bytes, struct arena *arena,
                            struct err *err);

/* The same of a file, however large: it is read in pieces. The text of an error does not name
 * it. */
NODISCARD bool foreign_read_file(struct foreign *out, const char *path, struct arena *arena,
                                 struct err *err);

/* Is what begins so, with 16 bytes or more where there are as many, worth foreign_read? All but
 * ilcov's data files is, if only for its error. */
bool foreign_is(struct view first_bytes);
/* The same of a file; false for one that can't be read, which its reader will tell. */
bool foreign_is_file(const char *path);

#endif

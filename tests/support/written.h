/* written.h - what a format writes, without a file. */
#ifndef ILCOV_TESTS_SUPPORT_WRITTEN_H
#define ILCOV_TESTS_SUPPORT_WRITTEN_H

#include "reporters/format.h"

/* As format_write, but to an open FILE, which stays open; `job` tells whether in colour. */
NODISCARD bool written_to(FILE *file, const struct format *format, const struct format_job *job,
                          struct err *err);

/* A copy in the arena. Aborts when it can't be written. */
struct str written_by(const struct format *format, const struct format_job *job,
                      struct arena *arena);

#endif

/* written.h - what a format writes, without a file. */
#pragma once

#include "reporters/format.h"

/* As format_write, but to a destination that is open; `job` tells whether in colour. A report that
 * was made by hand, without facts, has its lines. */
NODISCARD bool written_into(struct destination *destination, const struct format *format,
                            const struct format_job *job, struct err *err);

/* The same to an open FILE, which stays open. */
NODISCARD bool written_to(FILE *file, const struct format *format, const struct format_job *job,
                          struct err *err);

/* A copy in the arena. Aborts when it can't be written. */
struct str written_by(const struct format *format, const struct format_job *job,
                      struct arena *arena);

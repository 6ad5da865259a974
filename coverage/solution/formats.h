/* formats.h - the bytes of a solution in each format; solution.c tells which it is. As there. */
#ifndef ILCOV_COVERAGE_SOLUTION_FORMATS_H
#define ILCOV_COVERAGE_SOLUTION_FORMATS_H

#include "coverage/solution/projects.h"

NODISCARD bool solution_read_sln(struct solution *out, struct view bytes, struct arena *arena,
                                 struct err *err);
NODISCARD bool solution_read_slnx(struct solution *out, struct view bytes, struct arena *arena,
                                  struct err *err);

/* `of`: the solution that it filters, and whose folder is that of the projects. *is_all: it lists
 * none, so all of the solution are meant. */
NODISCARD bool solution_read_slnf(struct solution *out, struct str *of, bool *is_all,
                                  struct view bytes, struct arena *arena, struct err *err);

#endif

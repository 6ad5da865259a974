/* solution.h - reads a solution: .sln (lines), .slnx (XML), .slnf (JSON: some projects of a
 * solution), or a single project file.
 * Source: "Solution (.sln) file" and "Filtered solutions" of Visual Studio's documentation;
 *         microsoft/vs-solutionpersistence, src/Microsoft.VisualStudio.SolutionPersistence.
 * Owner:  everything lives in the arena.
 * Errors: ERR_USAGE the name says that it is none of these; ERR_IO; ERR_FORMAT names the line. A
 *         text is what follows the name of the file, which the caller knows. */
#ifndef ILCOV_COVERAGE_SOLUTION_SOLUTION_H
#define ILCOV_COVERAGE_SOLUTION_SOLUTION_H

#include "coverage/solution/projects.h"

NODISCARD bool solution_read(struct solution *out, const char *path, struct arena *arena,
                             struct err *err);

#endif

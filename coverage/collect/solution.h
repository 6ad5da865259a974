/* solution.h - reads a solution: .sln (lines), .slnx (XML), .slnf (JSON: some projects of a
 * solution), or a single project file.
 * Source: "Solution (.sln) file" and "Filtered solutions" of Visual Studio's documentation;
 *         microsoft/vs-solutionpersistence, src/Microsoft.VisualStudio.SolutionPersistence.
 * Owner:  everything lives in the arena.
 * Errors: ERR_USAGE the name says that it is none of these; ERR_IO; ERR_FORMAT names the line. A
 *         text is what follows the name of the file, which the caller knows. */
#pragma once

#include "base/list.h"
#include "base/text.h"

struct solution_project {
    struct str name; /* as the solution has it, with '/' between its parts */
    struct str path; /* as the path of the solution: absolute if that is; a NUL follows */
};

struct solution {
    struct str folder;          /* what its paths are relative to; empty: the current directory */
    struct list list;           /* struct solution_project: C#, Visual Basic and F# */
    struct list other_projects; /* struct str: names of other projects, such as .vcxproj */
};

/* Does its name say that a file is a project: of C#, Visual Basic or F#? */
bool solution_is_project(struct str path);

/* A path that a file in the folder names, with '/' between its parts. */
NODISCARD bool solution_resolve(struct str *out, struct str folder, struct str written,
                                struct arena *arena, struct err *err);

/* What the bytes of a file with such a name say. Of a filter, `of` is the solution that it filters,
 * and whose folder is that of the projects; *is_all: it lists none, so all of the solution are
 * meant. */
NODISCARD bool solution_read_bytes(struct solution *out, struct str *of, bool *is_all,
                                   struct str name, struct view bytes, struct arena *arena,
                                   struct err *err);

NODISCARD bool solution_read(struct solution *out, const char *path, struct arena *arena,
                             struct err *err);

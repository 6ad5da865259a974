/* projects.h - the projects of a solution, as the files of each format name them.
 * Owner:  everything lives in the arena.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_SOLUTION_PROJECTS_H
#define ILCOV_COVERAGE_SOLUTION_PROJECTS_H

#include "base/list.h"
#include "base/text.h"

struct solution_project {
    struct str name; /* as the solution has it, with '/' between its parts */
    struct str path; /* as the path of the solution: absolute if that is; a NUL follows */
};

struct solution {
    struct str folder;   /* what its paths are relative to; empty: the current directory */
    struct list list;    /* struct solution_project: C#, Visual Basic and F# */
    struct list foreign; /* struct str: names of other projects, such as .vcxproj */
};

/* Does its name say that a file is a project: of C#, Visual Basic or F#? */
bool solution_is_project(struct str path);

/* Adds a project by its path relative to the solution. What does not end in "proj", such as a
 * folder, is none. */
NODISCARD bool solution_add(struct solution *solution, struct str relative, struct arena *arena,
                            struct err *err);

/* A path that a file in the folder names, with '/' between its parts. */
NODISCARD bool solution_resolve(struct str *out, struct str folder, struct str written,
                                struct arena *arena, struct err *err);

#endif

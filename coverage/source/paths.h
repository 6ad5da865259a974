/* paths.h - source paths: the root of a run, documents relative to it, globs over relative paths. A
 * relative path has '/' between its parts, whatever the compiler wrote, and no part is empty, "."
 * or "..". Errors: ERR_IO the root can't be found out or is not a directory; ERR_MEMORY. */
#pragma once

#include "base/path.h"
#include "base/text.h"

/* Cuts a path, absolute and without links, back to the top of the git work tree around it: where
 * .git is, a directory, or a file in a linked work tree or submodule. False: there is none. */
NODISCARD bool paths_top(char path[PATH_ROOM]);

/* The real path of `given`; NULL: the top of the git work tree around the current directory, else
 * the current directory. */
NODISCARD bool paths_root(char root[PATH_ROOM], const char *given, struct err *err);

enum path_place {
    PATH_OUTSIDE, /* not below the root, judging by the path */
    PATH_INSIDE,  /* below it */
    PATH_MAPPED,  /* only a candidate: if there is a file <root>/<relative> with the document's
                     checksum, it is that */
};

/* Where a document is, by the path that the compiler wrote. Mapped are the paths /_/... of
 * deterministic builds and relative paths. A document outside by its path is looked up once,
 * because a link may lead below the root. */
NODISCARD bool paths_place(enum path_place *place, struct str *relative, struct str root,
                           struct str document, struct arena *arena, struct err *err);

/* Does it lie in an unpacked NuGet package: ".../xunit.v3.core/2.0.1/build/Entry.cs"? */
bool paths_is_of_package(struct str document);

/* Does --exclude-files GLOB match this path? `*` and `**` match any characters, including '/'; `?`
 * matches one. A part `**` may also match no folder at all. */
bool paths_match(struct str glob, struct str relative);
bool paths_match_any(const struct str *globs, uint32_t count, struct str relative);

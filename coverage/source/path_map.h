/* path_map.h - source paths as they were where the code was built, and where the sources are here:
 * the --map FROM=TO of the user.
 * FROM:   the first parts of a path, whole ones: "/src" is none of "/src2/A.cs". Separators may be
 *         '/' or '\'. A FROM of Windows, that begins with a drive or a backslash, is compared
 *         without regard to the case of ASCII letters.
 * TO:     a folder, or a file if FROM is one; below the root unless it is absolute.
 * Owner:  parsed maps are views into what they were parsed from. */
#pragma once

#include "coverage/facts/facts.h"
#include "coverage/source/paths.h"

struct path_map {
    struct str text; /* "/build/src=." */
    struct str from, to;
    bool is_used; /* it was the one that fitted, for some path */
};

struct path_maps {
    struct path_map *items; /* of two that fit, the longer one counts; of equal ones, the last */
    uint32_t count;
};

/* ERR_USAGE: says what is wrong. */
NODISCARD bool path_map_parse(struct path_map *out, struct str text, struct err *err);

/* As paths_place, if one of the maps fits the document. `root` is absolute, or empty or "." for one
 * that nobody knows. */
NODISCARD bool path_maps_place(bool *fits, enum path_place *place, struct str *relative,
                               const struct path_maps *maps, struct str root, struct str document,
                               struct arena *arena, struct err *err);

/* The same for facts that were read: documents that a map fits are where it says. `root`: empty for
 * that of the run. */
NODISCARD bool path_maps_apply(const struct path_maps *maps, struct facts *facts, struct str root,
                               struct arena *arena, struct err *err);

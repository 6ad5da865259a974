/* external_path.h - paths as reports name them: from other systems, other folders, with either
 * slash. */
#pragma once

#include "base/text.h"

/* `name` with '/' between its parts, none of them empty or "."; ".." removes a part. A relative
 * name goes below the source folder that contains the file; else below the only source folder, or
 * stays as it is. */
NODISCARD bool external_path(struct str *out, struct str name, const struct str *sources,
                             uint32_t source_count, struct arena *arena, struct err *err);

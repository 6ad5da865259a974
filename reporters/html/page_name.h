/* page_name.h - names of the files that hold pages. They come from paths and names in the data, so
 * only letters, digits and "._-" of ASCII are kept, and a hash of all of the name comes first: no
 * two differ in case only, none is a device, and a page keeps its name from run to run. */
#pragma once

#include "base/text.h"

/* "files/0f6a3c2b91d4-Order.cs.html" of the folder "files", the path "src/Order.cs" and what else
 * tells it apart. `copy` is 0, or tells apart names whose hashes are equal. */
NODISCARD bool page_name(struct str *out, const char *folder, struct str path, struct str owner,
                         uint32_t copy, struct arena *arena, struct err *err);

/* What to name, and where its name goes. */
struct page_named {
    struct str path, owner, *name;
};

/* Names for all of them, no two of which are equal. Sorts them. */
NODISCARD bool page_names(struct page_named *pages, uint32_t count, const char *folder,
                          struct arena *arena, struct err *err);

/* Is this such a name, without its folder? `end`: what it ends with, ".html" for pages. */
bool page_name_is_one(struct str file, const char *end);

/* site_tree.h - the two orders in which people look for code: folders and files; assemblies,
 * namespaces, types and methods. */
#pragma once

#include "reporters/html/site.h"

/* After site_list_files. Each file gets its node. */
NODISCARD bool site_tree_grow(struct site *site, struct err *err);

/* Are there so many rows below it that each of its branches has a page of its own? */
bool site_tree_splits(const struct tree_node *node);

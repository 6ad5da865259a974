/* type_changes.h - the part of method_changes.h that is about types: whose declarations changed,
 * and which code names them.
 * Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

/* What a module, which declares something, says of a type; without a name, of itself. NULL: it has
 * none of that name. */
const struct fact_type *declared_type(const struct fact_module *module, struct str name);

/* Adds types whose declaration is not what it was, and modules whose own is not. */
NODISCARD bool type_changes_find(struct build_changes *changes);

/* Adds the types that derive from those that were added, and marks the methods that name any. */
NODISCARD bool type_changes_mark(struct build_changes *changes);

/* anonymous_names.h - anonymous types and delegates, which compilers number in the order of the
 * module, by what they are made of: <>f__AnonymousType3 is <>f__AnonymousType{Id,Name} in every
 * build.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "base/list.h"
#include "metadata/heaps.h"

struct anonymous_names {
    struct list items; /* struct anonymous_name */
};

/* Is it the name of one? Its code follows from what it is made of. */
bool anonymous_name_is(struct str type);

/* Those of a module. */
NODISCARD bool anonymous_names_open(struct anonymous_names *out, const struct metadata *md,
                                    struct arena *arena, struct err *err);

/* `text`, in which types are named as name_type does. */
NODISCARD bool anonymous_names_replace(struct str *out, const struct anonymous_names *names,
                                       struct str text, struct arena *arena, struct err *err);

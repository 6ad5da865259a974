#include "coverage/names/made_type.h"

#include <string.h>

#include "metadata/lookup.h"

enum {
    NESTING_MAX = 16
};

/* A `file` type has such a name, too, but is never nested. */
bool made_type_is(const struct metadata *md, uint32_t rid)
{
    struct str name = heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, rid));
    return (str_starts(name, "<") && enclosing_type(md, rid) != 0) ||
           str_starts(name, "_Closure$__") || str_starts(name, "VB$StateMachine_") ||
           (name.len != 0 && memchr(name.text, '@', name.len) != NULL);
}

uint32_t made_type_user(const struct metadata *md, uint32_t type_rid)
{
    for (unsigned depth = 0; depth < NESTING_MAX; depth++) {
        uint32_t outer = enclosing_type(md, type_rid);
        if (!made_type_is(md, type_rid) || outer == 0)
            break;
        type_rid = outer;
    }
    return type_rid;
}

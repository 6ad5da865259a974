/* nothrow.h - which methods of a module certainly return: they throw nothing, run no loop, and
 * nothing else runs on their behalf. Code that comes after a call of one needs no counter of its
 * own: it runs as often as the code before it.
 *
 * A method is nothrow if it is short, has no handler, and does nothing but read and write fields
 * of its own module's objects, compute, branch forwards and call nothrow methods: auto-properties,
 * constructors that fill in fields. Not if calling it may run a class constructor, nor if it may be
 * overridden (called by its token, it may be), nor if it is synchronized. A call of it is nothrow
 * where the object is known not to be null (stack.h).
 *
 * Only methods of the same module are known, by their MethodDef tokens, and the constructor of
 * System.Object. Code that changes while it runs (hot reload) has none.
 * Owner: the arena. Both users, profiler and collector, get the same from the same bytes. */
#pragma once

#include "rewriter/flow.h"

/* The method's body; empty if it has none, or is not to be looked at. */
typedef struct view (*body_of_method)(const void *context, uint32_t rid);

/* The bodies that a module has in its image; the context is a struct module. */
struct view body_in_image(const void *module, uint32_t rid);

/* False without memory. `scratch` is reset between methods. */
NODISCARD bool find_nothrow(struct nothrow *out, const struct metadata *md, body_of_method body,
                            const void *context, struct arena *arena, struct arena *scratch);

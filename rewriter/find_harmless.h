/* find_harmless.h - judges all methods of a module: which certainly return (harmless.h).
 * Owner: the arena. Both users, profiler and collector, get the same from the same bytes. */
#ifndef ILCOV_REWRITER_FIND_HARMLESS_H
#define ILCOV_REWRITER_FIND_HARMLESS_H

#include "rewriter/flow.h"

/* The method's body; empty if it has none, or is not to be looked at. */
typedef struct view (*body_of_method)(const void *context, uint32_t rid);

/* The bodies that a module has in its image; the context is a struct module. */
struct view body_in_image(const void *module, uint32_t rid);

/* False without memory. `scratch` is reset between methods. */
NODISCARD bool find_harmless(struct harmless *out, const struct metadata *md, body_of_method body,
                             const void *context, struct arena *arena, struct arena *scratch);

#endif

/* generated_members.h - which members of a module say by an attribute that a generator wrote them:
 *
 *   [GeneratedCode]       on a method, property or event (whose accessors it then marks), a type
 *                         (with those nested in it), the module or the assembly
 *   [CompilerGenerated]   on a type of which the user could write the name: only a generator
 *                         writes it there. Not on closures, state machines and the like, and not
 *                         on the type of top-level statements: the user wrote what is in them.
 *
 * Source: ECMA-335 II.22.10, II.22.28, II.23.3.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_COLLECT_GENERATED_MEMBERS_H
#define ILCOV_COVERAGE_COLLECT_GENERATED_MEMBERS_H

#include "coverage/collect/marked_members.h"

/* For marked_members_reason. */
NODISCARD bool generated_members_open(struct marked_members *out, const struct metadata *md,
                                      struct arena *arena, struct err *err);

#endif

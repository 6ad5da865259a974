/* generated_code.h - says of each method of a module whether a generator wrote it, once its
 * documents, methods and statements are known. Attributes of its members tell:
 *
 *   [GeneratedCode]       on a method, property or event (whose accessors it then marks), a type
 *                         (with those nested in it), the module or the assembly
 *   [CompilerGenerated]   on a type of which the user could write the name: only a generator
 *                         writes it there. Not on closures, state machines and the like, and not
 *                         on the type of top-level statements: the user wrote what is in them.
 *
 * A type of several parts is often a user's and a generator's. If a file of it is marked as
 * generated, attributes on the type and its members came with that file, and say nothing of methods
 * in others: generators also put [GeneratedCode] on partial methods of which the user writes the
 * body.
 * What #line leads to, such as a .razor file, is the user's: a method with a statement there is
 * never marked. Code that the compiler moved has the mark of its user's method.
 * Source: ECMA-335 II.22.10, II.22.28, II.23.3.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/collect/marked_members.h"
#include "coverage/facts/facts.h"

/* For marked_members_reason: what the attributes say. */
NODISCARD bool generated_members_open(struct marked_members *out, const struct metadata *md,
                                      struct arena *arena, struct err *err);

/* Fills in `generated` of all methods. */
NODISCARD bool generated_code_mark(const struct fact_module *module, const struct metadata *md,
                                   struct arena *arena, struct err *err);

/* excluded_by_attribute.h - which methods of a module the programmer excluded: by an attribute on
 * the method, its property or event, an enclosing type, the module or the assembly; on request,
 * compiler-generated accessors (auto-properties). [GeneratedCode] and [CompilerGenerated] exclude
 * nothing (generated_code.h), nor does an [Obsolete] or [DebuggerStepThrough] that the compiler
 * added to the user's code.
 * Source: ECMA-335 II.22.10, II.22.28, II.23.3.
 * Owner:  everything lives in the arena. A reason is REASON_ATTRIBUTE, its subject
 *         "ExcludeFromCodeCoverage", its remark the Justification, or REASON_AUTO_PROPERTY. */
#pragma once

#include "coverage/collect/marked_members.h"
#include "rewriter/il.h"

struct exclusion_options {
    const struct str *attributes; /* "Obsolete", "ObsoleteAttribute", "System.ObsoleteAttribute" */
    uint32_t attribute_count;
    bool auto_properties;
};

struct exclusions {
    struct marked_members members;
    const struct reason **of_field; /* by row, from 1; NULL: of no excluded property */
};

/* What reasons call the attribute that the user names: "Obsolete" of "System.ObsoleteAttribute". */
struct str exclusions_attribute(struct str name);

NODISCARD bool exclusions_open(struct exclusions *out, const struct metadata *md,
                               const struct exclusion_options *options, struct arena *arena,
                               struct err *err);

/* Why a method is excluded, regardless of enclosing methods. */
const struct reason *exclusions_reason(const struct exclusions *exclusions, uint32_t method_rid);

/* Why the statement with the instructions [first, end) is excluded: it initialises an excluded
 * property in a constructor. */
const struct reason *exclusions_initialiser(const struct exclusions *exclusions,
                                            uint32_t method_rid, const struct il *il,
                                            uint32_t first, uint32_t end);

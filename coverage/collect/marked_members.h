/* marked_members.h - what attributes say of the members of a module: a reason for each method,
 * property, event, type, the module or the assembly whose attribute a judge takes for one.
 * Source: ECMA-335 II.22.10, II.22.28, II.23.3.
 * Owner:  everything lives in the arena. */
#pragma once

#include "base/bytes.h"
#include "contract/reason.h"
#include "metadata/names.h"

/* By row, from 1; NULL: nothing was said. */
struct marked_members {
    const struct metadata *md;
    const struct reason *of_all; /* the module or the assembly */
    const struct reason **of_type, **of_method, **of_property, **of_event;
    struct arena *arena;
};

enum {
    NESTED_TYPES_MAX = 64 /* types in types; more is a circle */
};

/* An attribute: the member that it is on, its full name, and its value (II.23.3). */
struct attribute_use {
    uint32_t token;
    struct str name;
    struct view value;
};

/* The next string of a value (SerString); NULL and 0 for null. */
struct str attribute_string(struct reader *value);

/* Sets *reason, which is what attributes before gave, or leaves it. */
typedef bool attribute_judge(const struct reason **reason, const struct attribute_use *use,
                             const void *context, struct arena *arena, struct err *err);

NODISCARD bool marked_members_open(struct marked_members *out, const struct metadata *md,
                                   attribute_judge *judge, const void *context, struct arena *arena,
                                   struct err *err);

/* A method of a property or event, with what was said of that. */
struct accessor {
    uint32_t method;   /* its row */
    uint32_t property; /* the row of its property; 0: it is of an event */
    const struct reason *reason;
};

/* By row of MethodSemantics, from 1. False: the row names nothing that is there. */
bool marked_members_accessor(struct accessor *out, const struct marked_members *members,
                             uint32_t row);

/* What is said of the method itself, or of a type around it, or of everything. *type: the row of
 * the type, or 0. */
const struct reason *marked_members_reason(uint32_t *type, const struct marked_members *members,
                                           uint32_t method);

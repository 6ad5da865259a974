/* method_change.h - what happened to methods, by the names that a report shows: for each method of
 * HEAD, what it was in BASE; and the methods of BASE that are gone.
 * Order:  by package, type, name, signature; among several builds, the one that changed most comes
 *         first.
 * Owner:  texts are views into facts, or live in the arena. */
#pragma once

#include "base/list.h"
#include "coverage/diff/diff.h"
#include "coverage/merge/pairing.h"

/* The names by which a report tells methods apart. */
struct method_key {
    struct str package, type, name, signature;
};

/* In this order, ordinal. */
int method_key_order(const struct method_key *a, const struct method_key *b);

struct method_change {
    struct method_key key;
    enum diff_kind kind;
    struct str from, display_from; /* as in struct diff_method */
    /* In BASE: indexes in the facts and in the module; NO_INDEX: it was not there. */
    uint32_t was_module, was_method;
};

/* Both append to a list of struct method_change. */
NODISCARD bool method_changes_of_head(struct list *out, const struct pairing *pairing,
                                      const struct facts *head, struct arena *arena,
                                      struct err *err);
NODISCARD bool method_changes_removed(struct list *out, const struct pairing *pairing,
                                      const struct facts *base, struct arena *arena,
                                      struct err *err);

/* The first one named `key`, or NULL. */
const struct method_change *method_change_find(const struct list *changes,
                                               const struct method_key *key);

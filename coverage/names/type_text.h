/* type_text.h - finds types by their names in the text of a signature or member
 * (method_hash_token).
 * Owner:  arrays live in the arena. */
#pragma once

#include "base/list.h"
#include "base/text.h"

/* Where the text first names the type, or a type nested in it; NULL: nowhere. "N.C" is not named by
 * "N.C2", "M.N.C" or "N.B/N.C". */
const char *type_text_find(struct str text, struct str type);

/* Names of many types, to be looked for in many texts. */
struct type_names {
    struct type_name *items; /* made of letters and digits, dots and slashes: in order */
    uint32_t count;
    struct type_name *odd; /* all others: looked for one by one */
    uint32_t odd_count;
};
struct type_name {
    struct str text;
    uint32_t index; /* in the list */
};

NODISCARD bool type_names_open(struct type_names *out, const struct str *list, uint32_t count,
                               struct arena *arena, struct err *err);

/* Adds to `found` (uint32_t) the names of the list that the text names, in the sense of
 * type_text_find: each that is not there yet. */
NODISCARD bool type_names_find(struct list *found, const struct type_names *names, struct str text,
                               struct arena *arena, struct err *err);
NODISCARD bool type_names_add(struct list *found, uint32_t name, struct arena *arena,
                              struct err *err);

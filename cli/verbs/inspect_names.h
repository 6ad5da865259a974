/* inspect_names.h - what `ilcov inspect` of an assembly and of a data file have in common: the
 * methods that METHOD selects, the names that it may have meant, and bytes in hexadecimal. */
#pragma once

#include "base/list.h"
#include "base/text.h"
#include "reporters/json_writer.h"

/* Version of what --json prints. */
#define INSPECT_SCHEMA "1.0.0"

/* Does METHOD select this one? A glob for a method's name, its type's, or both ("N.Type.Method").
 * The namespace, enclosing types and the numbers of generic parameters may be left out; nested
 * types follow a slash, as they are printed, or a dot. Empty means all. */
NODISCARD bool inspect_is_meant(bool *meant, struct str wanted, struct str type, struct str name,
                                struct arena *arena, struct err *err);

/* Names that were not meant, as long as METHOD is. */
struct inspect_misses {
    struct list names; /* const char * */
    uint32_t method_count;
    struct arena *arena;
};

/* As inspect_is_meant; one that is not is kept in `misses`. */
NODISCARD bool inspect_look(bool *found, struct inspect_misses *misses, struct str wanted,
                            struct str type, struct str name, struct arena *scratch,
                            struct err *err);
/* Sets `err`: nothing matches, and what is nearest. Always false. */
bool inspect_nothing_matches(struct inspect_misses *misses, struct str wanted, struct err *err);

/* On standard output, in lower case. */
void inspect_print_hex(const uint8_t *bytes, size_t len);

/* What others named, on standard output, legible. */
void inspect_print_name(struct str name);
/* "N.C.Method(int)" */
void inspect_print_method_name(struct str type, struct str name, struct str signature);

/* The same as members of an object. */
void inspect_put_method_name(struct json_writer *json, uint32_t token, struct str type,
                             struct str name, struct str signature);

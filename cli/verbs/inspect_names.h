/* inspect_names.h - what `ilcov inspect` of an assembly and of a data file have in common: the
 * methods that METHOD selects, and bytes in hexadecimal. */
#ifndef ILCOV_CLI_VERBS_INSPECT_NAMES_H
#define ILCOV_CLI_VERBS_INSPECT_NAMES_H

#include "base/text.h"

/* Does METHOD select this one? A glob for a method's name, its type's, or both as they are printed,
 * "N.Type.Method"; empty means all. */
NODISCARD bool inspect_is_meant(bool *meant, struct str wanted, struct str type, struct str name,
                                struct arena *arena, struct err *err);

/* On standard output, in lower case. */
void inspect_print_hex(const uint8_t *bytes, size_t len);

#endif

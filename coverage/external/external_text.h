/* external_text.h - numbers and names of methods as reports write them. */
#pragma once

#include "base/text.h"

/* Decimal digits and nothing else; saturates. */
bool external_number(uint64_t *out, struct str s);

/* "System.Double N.C::M(System.Char)", as Mono.Cecil writes methods; any other text is just a name.
 * Views. */
void external_split_method(struct str *class_name, struct str *method_name,
                           struct str *method_signature, struct str text);

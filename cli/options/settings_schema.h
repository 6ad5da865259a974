/* settings_schema.h - the JSON schema of settings files, made from the tables of the verbs:
 * docs/ilcov.schema.json. */
#pragma once

#include <stdio.h>

#include "cli/options/verb.h"

NODISCARD bool settings_schema_print(FILE *out, const struct verb *const *verbs,
                                     struct arena *arena, struct err *err);

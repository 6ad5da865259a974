/* cobertura_rules.h - reads a Cobertura file again and holds it against the rules that its readers
 * live by: every total recomputed from the lines, every order, every number's form. It shares no
 * code with the writer. */
#pragma once

#include <stdio.h>

#include "base/base.h"

/* Prints a line to `out` for each violation, beginning with the path, and returns how many there
 * are. `dtd` (may be NULL) is the path of a DTD that the file has to be valid against. */
unsigned cobertura_check(const char *path, const char *dtd, FILE *out);

/* manual.h - the parts of docs/ilcov.1 that are made from the tables of the verbs, in man(7)'s
 * macros. */
#pragma once

#include "cli/options/verb.h"

/* SYNOPSIS: a line for each verb. */
void manual_add_synopsis(struct text *out, const struct verb *const *verbs);

/* OPTIONS: a subsection for each verb. Options that mean the same as those of a verb before are
 *          only named. */
void manual_add_options(struct text *out, const struct verb *const *verbs);

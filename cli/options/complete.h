/* complete.h - what may follow on a command line that is being typed. The scripts of the shells
 * (cli/verbs/verb_completion.c) ask `ilcov __complete WORD...` with the words behind 'ilcov', of
 * which the last is to be completed; it may be empty.
 *
 * The answer has a line for each candidate: the candidate, a tab, what it is. The last line says
 * what else to offer, and for what:
 *
 *   words N     nothing else. Candidates stand behind the first N characters of the word
 *   open N      the same, and no blank follows them
 *   files N     files as well
 *   folders N   folders as well
 *   command N   what the shell offers for the command that begins at the Nth word */
#pragma once

#include "cli/options/verb.h"

/* The name of the verb, which is in no help. */
#define COMPLETE_VERB "__complete"

/* `verbs` ends with NULL. There is at least one word; their order is changed. A lack of memory is
 * sticky in `out`. */
void complete_line(struct text *out, const struct verb *const *verbs, int count, char **words);

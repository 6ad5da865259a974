/* data_input.h - the data file that a verb reads, and where its sources are. */
#ifndef ILCOV_CLI_OUTCOME_DATA_INPUT_H
#define ILCOV_CLI_OUTCOME_DATA_INPUT_H

#include "coverage/facts/facts.h"

/* Reads the data file; sources that a given root contains are taken in (coverage/report/outside.h).
 * `given_root` may be NULL: then `root` is empty. Says what is wrong and returns the exit
 * status. */
int data_input_read(struct facts *facts, struct str *root, const char *data, const char *given_root,
                    struct arena *arena);

#endif

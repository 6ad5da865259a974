/* variables.h - the environment variables of this process. */
#ifndef ILCOV_SYSTEM_VARIABLES_H
#define ILCOV_SYSTEM_VARIABLES_H

/* "NAME=value" each, with NULL after them; NULL if there are none at all. Theirs is the memory of
 * the process: setenv may change it. */
char **variables_all(void);

#endif

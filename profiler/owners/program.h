/* program.h - the managed half of owners.h, which the library contains: owners.dll, made of
 * owners.cs. */
#ifndef ILCOV_PROFILER_OWNERS_PROGRAM_H
#define ILCOV_PROFILER_OWNERS_PROGRAM_H

#include "base/bytes.h"

struct view owners_program(void);

#endif

/* user_method.h - what is known of a method in order to find the user's method that it belongs to
 * (userview.h). */
#ifndef ILCOV_COVERAGE_NAMES_USER_METHOD_H
#define ILCOV_COVERAGE_NAMES_USER_METHOD_H

#include "base/base.h"

struct user_method {
    uint32_t first_line, last_line; /* of its statements and of those folded into it; 0: none */
    uint32_t document;
    uint32_t own_offset;   /* of a constructor: code before this initialises fields */
    uint32_t user_rid;     /* out: its own rid if the user wrote it */
    uint32_t mentioned_in; /* of one that the compiler made: the user's that leads to it, or 0 */
};

#endif

/* browser.h - shows a file to the user in a browser: $BROWSER (of several, separated by colons, the
 * first), else xdg-open.
 * Errors: ERR_IO it can't be started, or ends soon with an error. */
#ifndef ILCOV_SYSTEM_BROWSER_H
#define ILCOV_SYSTEM_BROWSER_H

#include "base/err.h"

/* Does not wait for a browser that stays open; it outlives this program. */
NODISCARD bool browser_open(const char *path, struct err *err);

#endif

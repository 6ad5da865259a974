/* site_folder.h - the folder that pages are written to, which may be somebody's: what is no file of
 * a report or comparison of ilcov is not replaced there, and git goes on to see it. */
#ifndef ILCOV_REPORTERS_HTML_SITE_FOLDER_H
#define ILCOV_REPORTERS_HTML_SITE_FOLDER_H

#include "base/err.h"

/* May pages be written there? ERR_IO, without the folder, if they would replace another file. */
NODISCARD bool site_folder_check(const char *folder, struct err *err);

/* May git ignore the whole folder? Not if it holds anything else, or says itself what git should
 * ignore. */
bool site_folder_may_be_ignored(const char *folder);

#endif

/* asset.h - the files that every HTML report has beside its pages: style.css and script.js of this
 * folder, which are part of the program, and a .gitignore, so that the report is no change of the
 * repository that it is written into. */
#ifndef ILCOV_REPORTERS_HTML_ASSET_H
#define ILCOV_REPORTERS_HTML_ASSET_H

#include "reporters/destination.h"

NODISCARD bool asset_write_all(struct destination *destination, struct err *err);

#endif

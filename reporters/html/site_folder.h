/* site_folder.h - the folder that pages are written to, which may be somebody's: what is no file of
 * a report or comparison of ilcov is neither replaced nor removed there, and git goes on to see
 * it. */
#pragma once

#include "reporters/html/page.h"

/* May pages be written there? ERR_IO, without the folder, if they would replace another file. */
NODISCARD bool site_folder_check(const char *folder, struct err *err);

/* The files that are beside all pages: style.css and script.js of this folder, which are part of
 * the program, and a .gitignore, so that the pages are no change of the repository that they are
 * written into: unless the folder holds anything else, or says itself what git should ignore. */
NODISCARD bool site_folder_add_assets(struct destination *destination, struct err *err);

/* Removes what earlier pages there are besides those that were written: of sources and folders that
 * are gone, of lists that are not written any more. Only what has the name and the mark of one of
 * ours is removed. */
void site_folder_sweep(const struct page_set *pages);

/* file_exists.h - is there anything at a path, and what is it open to? */
#ifndef ILCOV_SYSTEM_FILE_FILE_EXISTS_H
#define ILCOV_SYSTEM_FILE_FILE_EXISTS_H

#include "base/base.h"

/* Two answers for a link that leads to nothing. */
bool file_exists(const char *path);
bool file_or_link_exists(const char *path);

/* May this process read it, or start it as a program? False with errno. */
bool file_is_readable(const char *path);
bool file_is_executable(const char *path);
/* May it make files in this folder? */
bool file_folder_is_writable(const char *path);

#endif

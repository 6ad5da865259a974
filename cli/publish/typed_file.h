/* typed_file.h - which source file a person means: what file_choice.h decides, for a name that was
 * typed in some directory. */
#pragma once

#include "coverage/report/file_choice.h"

/* The name as a path below the root of the sources, or empty. */
NODISCARD bool typed_file_relative(struct str *out, struct str sources_root, struct str name,
                                   struct arena *arena, struct err *err);

/* `typed` is split into a name and lines. ERR_USAGE: what follows the colon are no lines. */
NODISCARD bool typed_file_choose(struct file_choice *out, struct str *name, struct line_list *lines,
                                 const struct report_files *files, struct str sources_root,
                                 struct str typed, struct arena *arena, struct err *err);

/* The paths of a choice that is not FILE_FOUND, some of them. */
void typed_file_say_paths(const struct file_choice *choice);

/* file_choice.h - which source file of a report is meant by a name that a person types: the end of
 * its path, such as "Order.cs" or "Orders/Order.cs", or all of it.
 * Owner:  the arena. */
#pragma once

#include "coverage/report/report_files.h"

enum file_answer {
    FILE_FOUND,
    FILE_AMBIGUOUS, /* the paths that end with the name */
    FILE_UNKNOWN    /* paths that the name may have been meant for */
};

struct file_choice {
    enum file_answer answer;
    const struct report_file *files; /* FILE_FOUND: the file, once for each assembly */
    uint32_t file_count;
    struct str *paths; /* else: by path, each once */
    uint32_t path_count;
};

/* `relative`: the name from the current directory as a path below the root, or empty. It and the
 * whole path come before ends of paths, and the case of letters counts unless nothing fits. */
NODISCARD bool file_choose(struct file_choice *out, const struct report_files *files,
                           struct str name, struct str relative, struct arena *arena,
                           struct err *err);

/* What follows the last ':' of "Order.cs:12", "Order.cs:12-20,31" or "Order.cs:12:5" (a column, as
 * compilers print it). */
struct line_list {
    struct line_range *ranges; /* ascending by their first line */
    uint32_t count;
};

/* Takes the lines off the name; none if there are none. ERR_USAGE: they are not lines. */
NODISCARD bool file_choice_split(struct str *name, struct line_list *lines, struct str typed,
                                 struct arena *arena, struct err *err);

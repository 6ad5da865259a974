#include "cli/options/find_above.h"

#include <string.h>

#include "system/file_status.h"
#include "system/output_path.h"

static bool has_file_or_link(char out[PATH_ROOM], struct str folder, const char *name)
{
    return path_join_in(out, folder, str_of(name)) && file_or_link_exists(out);
}

bool find_above(char out[PATH_ROOM], const char *name)
{
    char here[PATH_ROOM], git[PATH_ROOM];
    struct err ignored = {0};
    if (file_or_link_exists(name)) {
        memcpy(out, name, strlen(name) + 1);
        return true;
    }
    if (!output_path(here, ".", &ignored))
        return false; /* the current directory is gone, and its files with it */
    bool found = false;
    for (struct str folder = str_of(here), last = {NULL, 0}; folder.len != last.len;
         last = folder, folder = path_dir(folder)) {
        found = found || has_file_or_link(out, folder, name);
        if (has_file_or_link(git, folder, ".git"))
            return found;
    }
    return false; /* no work tree */
}

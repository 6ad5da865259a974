#include "cli/options/settings_path.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/find_above.h"
#include "reporters/destination.h"
#include "system/file_status.h"
#include "system/output_path.h"

/* How much of the value is no path: "html=" of "html=site"; all of it if none of it is one. */
static size_t path_start(const char *value, const struct option_row *row)
{
    size_t len = strlen(value);
    if (row->completes == COMPLETE_FILE || row->completes == COMPLETE_FOLDER)
        return 0;
    if (row->completes != COMPLETE_WORD_FILE)
        return len;
    const char *equals = strchr(value, '=');
    return equals != NULL ? (size_t)(equals + 1 - value) : len;
}

bool settings_path_resolve(const char **out, const char *value, const struct option_row *row,
                           const char *path, struct arena *arena, struct err *err)
{
    struct str joined, text, folder = path_dir(str_of(path));
    struct str word = {value, path_start(value, row)}, its = str_from(str_of(value), word.len);
    *out = value;
    if (its.len == 0 || folder.len == 0 || path_is_absolute(its) || str_is(its, DESTINATION_STDOUT))
        return true;
    if (!path_join(&joined, folder, its, arena, err) ||
        !text_format(&text, arena, err, "%.*s%.*s", STR_ARGS(word), STR_ARGS(joined)))
        return false;
    if (!row->may_be_path || file_exists(text.text))
        *out = text.text;
    return true;
}

static bool is_in_folder_of_git(struct str path)
{
    for (size_t at = 0; at < path.len;)
        if (str_eq_nocase(path_part(path, &at), STR(".git")))
            return true;
    return false;
}

bool settings_path_check(const char *value, const struct option_row *row, const char *path,
                         struct err *err)
{
    char above[PATH_ROOM], folder[PATH_ROOM], leads_to[PATH_ROOM];
    struct str its = str_from(str_of(value), path_start(value, row)),
               of_file = path_dir(str_of(path));
    struct file_status there;
    if (row->may_be_path && (str_is(its, DESTINATION_STDOUT) ||
                             (file_status_read(&there, value) && there.kind == FILE_IS_OTHER)))
        return err_set(err, ERR_USAGE,
                       "'%s' may never end; a settings file that ilcov found itself may only name "
                       "files: use --%s",
                       value, row->name);
    if (!row->writes || its.len == 0 || str_is(its, DESTINATION_STDOUT))
        return true;
    if (of_file.len >= sizeof above)
        return err_set(err, ERR_LIMIT, "the path of %s is too long", path);
    (void)snprintf(above, sizeof above, "%.*s", STR_ARGS(of_file.len != 0 ? of_file : STR(".")));
    if (!output_path(folder, above, err) || !output_path(leads_to, its.text, err))
        return false;
    struct str to = str_of(leads_to), within = str_of(folder);
    if (path_file(within).len == 0) /* the root */
        within.len = 0;
    bool is_other = file_status_read(&there, leads_to) && there.kind == FILE_IS_OTHER;
    if (path_is_below(to, within) && !is_in_folder_of_git(str_from(to, within.len)) && !is_other)
        return true;
    return err_set(err, ERR_USAGE,
                   "this would write to %s; a settings file that ilcov found itself may only name "
                   "files below its own folder: use --%s, or --config FILE",
                   leads_to, row->name);
}

/* A link that leads to nothing is an error of whoever reads it: settings are meant to be there. */
bool settings_path_find(const char **out, struct arena *arena, struct err *err)
{
    char found[PATH_ROOM];
    struct str copy;
    *out = NULL;
    if (!find_above(found, SETTINGS_FILE_NAME))
        return true;
    if (!str_copy(&copy, str_of(found), arena, err))
        return false;
    *out = copy.text;
    return true;
}

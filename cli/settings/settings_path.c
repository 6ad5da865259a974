#include "cli/settings/settings_path.h"

#include <string.h>

#include "base/path.h"
#include "cli/base/find_above.h"
#include "reporters/destination.h"
#include "system/file/file_exists.h"

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

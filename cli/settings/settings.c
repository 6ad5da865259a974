#include "cli/settings/settings.h"

#include <stdlib.h>

#include "cli/base/say.h"
#include "cli/settings/setting_key.h"
#include "cli/settings/settings_environment.h"
#include "cli/settings/settings_file.h"
#include "cli/settings/settings_path.h"

/* A section comes before what is said for all verbs. */
static const struct setting *find(const struct settings_file *file, const struct command_line *line,
                                  const struct option_row *row)
{
    const struct setting *common = NULL;
    char key[SETTING_KEY_ROOM], its[SETTING_KEY_ROOM];
    setting_key(key, row);
    for (size_t i = 0; i < file->count; i++) {
        const struct setting *item = &file->items[i];
        setting_key(its, item->row);
        if (!str_is(str_of(key), its))
            continue;
        if (item->verb == line->verb)
            return item;
        if (item->verb == NULL && setting_is_common(line->verbs, row))
            common = item;
    }
    return common;
}

static bool give(struct option_given *out, const struct setting *setting, const char *path,
                 struct arena *arena, struct err *err)
{
    struct str from;
    if (!text_format(&from, arena, err, "%s:%u", path, setting->line))
        return false;
    *out = (struct option_given){ORIGIN_FILE, from.text, setting->verb != NULL, setting->values,
                                 setting->count};
    return true;
}

static bool check(const struct option_given *given, const struct option_row *row, const char *path,
                  struct err *err)
{
    for (size_t i = 0; i < given->count; i++) {
        if (settings_path_check(given->values[i], row, path, err))
            continue;
        err_prefix(err, "%s", given->from);
        return false;
    }
    return true;
}

static bool read_file(struct settings_file *out, const char *path, const struct command_line *line,
                      struct arena *arena, struct err *err)
{
    *out = (struct settings_file){0};
    if (path == NULL && !settings_path_find(&path, arena, err))
        return false;
    return path == NULL || *path == '\0' || settings_file_read(out, path, line->verbs, arena, err);
}

bool settings_look(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err)
{
    struct settings_file read;
    struct verb_option option;
    const char *named = config != NULL ? config : getenv(SETTING_CONFIG);
    if (!read_file(&read, named, line, arena, err))
        return false;
    *file = read.path;
    for (size_t i = 0; verb_option(&option, line->verb, i); i++) {
        if (!option_is_setting(option.row))
            continue;
        const struct setting *setting = find(&read, line, option.row);
        if ((setting != NULL && !give(&given[i], setting, read.path, arena, err)) ||
            (setting != NULL && named == NULL && !check(&given[i], option.row, read.path, err)) ||
            !settings_environment(&given[i], line, option.row, arena, err))
            return false;
    }
    return true;
}

bool settings_find(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err)
{
    return settings_look(given, file, line, config, arena, err) &&
           settings_environment_check(line->verbs, arena, err);
}

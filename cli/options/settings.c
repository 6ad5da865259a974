#include "cli/options/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/options/option_values.h"
#include "cli/options/say.h"
#include "cli/options/setting_key.h"
#include "cli/options/settings_file.h"
#include "cli/options/settings_path.h"
#include "contract/session_format.h"
#include "system/process.h"
#include "system/trace.h"

/* --- variables -------------------------------------------------------------------------------- */

static const char *variable_value(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

/* Of an option that repeats: separated by semicolons or line ends. */
static bool split_values(struct option_given *out, const char *value, struct arena *arena,
                         struct err *err)
{
    static const char ends[] = ";\n", blanks[] = " \t\r";
    struct str item, copy;
    out->values = ARENA_NEW(arena, const char *, strlen(value) + 1, err);
    for (out->count = 0; out->values != NULL; value++) {
        item = str_trim((struct str){value, strcspn(value, ends)}, blanks);
        value += strcspn(value, ends);
        if (item.len != 0) {
            if (!str_copy(&copy, item, arena, err))
                return false;
            out->values[out->count++] = copy.text;
        }
        if (*value == '\0')
            return true;
    }
    return false;
}

static bool read_variable(struct option_given *out, const char *name, const char *value,
                          const struct option_row *row, struct arena *arena, struct err *err)
{
    bool yes = true;
    if (row->argument == NULL && !option_parse_bool(&yes, value))
        return err_set(err, ERR_USAGE, "%s must be yes or no, not '%s'", name, value);
    *out = (struct option_given){.origin = ORIGIN_ENVIRONMENT,
                                 .from = arena_copy_text(arena, name, strlen(name), err)};
    if (out->from == NULL)
        return false;
    if (row->repeats)
        return split_values(out, value, arena, err);
    out->values = ARENA_NEW(arena, const char *, 1, err);
    if (out->values == NULL)
        return false;
    out->values[out->count++] = row->argument != NULL ? value : option_bool(yes);
    return true;
}

/* What the environment says about the verb's option; `out` stays if that is nothing. */
static bool read_setting_variable(struct option_given *out, const struct command_line *line,
                                  const struct option_row *row, struct arena *arena,
                                  struct err *err)
{
    char name[SETTING_KEY_ROOM];
    setting_variable(name, line->verb, row);
    const char *value = variable_value(name);
    bool is_own = value != NULL;
    if (!is_own && setting_is_common(line->verbs, row)) {
        setting_variable(name, NULL, row);
        value = variable_value(name);
    }
    if (value == NULL)
        return true;
    bool fine = read_variable(out, name, value, row, arena, err);
    out->is_own = is_own;
    return fine;
}

/* --- what was meant --------------------------------------------------------------------------- */

static bool is_known_variable(const char *const *names, struct str name)
{
    static const char *const others[] = {SETTING_CONFIG, SESSION_ENV, TRACE_ENV};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (str_is(name, others[i] + strlen(SETTING_VARIABLE)))
            return true;
    for (; *names != NULL; names++)
        if (str_is(name, *names))
            return true;
    return false;
}

bool settings_check_variables(const struct verb *const *verbs, struct arena *arena, struct err *err)
{
    enum {
        LETTERS_MOST = 2 /* that may be wrong: other variables of this beginning are none of ours */
    };
    const char *const *names = NULL;
    for (char **variable = variables_all(); variable != NULL && *variable != NULL; variable++) {
        struct str name = {*variable, strcspn(*variable, "=")};
        if (!str_take(&name, SETTING_VARIABLE))
            continue;
        if (names == NULL)
            names = setting_names(verbs, NULL, true, arena, err);
        if (names == NULL)
            return false;
        const char *meant =
            is_known_variable(names, name) ? NULL : nearest_within(name, names, LETTERS_MOST);
        if (meant != NULL)
            say("the variable " SETTING_VARIABLE "%.*s is ignored; did you mean " SETTING_VARIABLE
                "%s?",
                STR_ARGS(name), meant);
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------- */

/* A section comes before what is said for all verbs. */
static const struct setting *find_setting(const struct settings_file *file,
                                          const struct command_line *line,
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

static bool give_setting(struct option_given *out, const struct setting *setting, const char *path,
                         struct arena *arena, struct err *err)
{
    struct str from;
    if (!text_format(&from, arena, err, "%s:%u", path, setting->line))
        return false;
    *out = (struct option_given){ORIGIN_FILE, from.text, setting->verb != NULL, setting->values,
                                 setting->count};
    return true;
}

static bool check_setting_paths(const struct option_given *given, const struct option_row *row,
                                const char *path, struct err *err)
{
    for (size_t i = 0; i < given->count; i++) {
        if (settings_path_check(given->values[i], row, path, err))
            continue;
        err_prefix(err, "%s", given->from);
        return false;
    }
    return true;
}

static bool read_settings_file(struct settings_file *out, const char *path,
                               const struct command_line *line, struct arena *arena,
                               struct err *err)
{
    *out = (struct settings_file){0};
    if (path == NULL && !settings_path_find(&path, arena, err))
        return false;
    return path == NULL || *path == '\0' || settings_file_read(out, path, line->verbs, arena, err);
}

/* --- both ------------------------------------------------------------------------------------- */

bool settings_look(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err)
{
    struct settings_file read;
    struct verb_option option;
    const char *named = config != NULL ? config : getenv(SETTING_CONFIG);
    if (!read_settings_file(&read, named, line, arena, err))
        return false;
    *file = read.path;
    for (size_t i = 0; verb_option(&option, line->verb, i); i++) {
        if (!option_is_setting(option.row))
            continue;
        const struct setting *setting = find_setting(&read, line, option.row);
        if ((setting != NULL && !give_setting(&given[i], setting, read.path, arena, err)) ||
            (setting != NULL && named == NULL &&
             !check_setting_paths(&given[i], option.row, read.path, err)) ||
            !read_setting_variable(&given[i], line, option.row, arena, err))
            return false;
    }
    return true;
}

bool settings_find(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err)
{
    return settings_look(given, file, line, config, arena, err) &&
           settings_check_variables(line->verbs, arena, err);
}

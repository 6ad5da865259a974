#include "cli/settings/settings_environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/base/option_values.h"
#include "cli/base/say.h"
#include "cli/settings/setting_key.h"
#include "contract/session_format.h"
#include "system/process.h"
#include "system/trace.h"

static const char *variable_value(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static bool split(struct option_given *out, const char *value, struct arena *arena, struct err *err)
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
        return err_set(err, ERR_USAGE, "%s is yes or no, not '%s'", name, value);
    *out = (struct option_given){.origin = ORIGIN_ENVIRONMENT,
                                 .from = arena_copy_text(arena, name, strlen(name), err)};
    if (out->from == NULL)
        return false;
    if (row->repeats)
        return split(out, value, arena, err);
    out->values = ARENA_NEW(arena, const char *, 1, err);
    if (out->values == NULL)
        return false;
    out->values[out->count++] = row->argument != NULL ? value : option_bool(yes);
    return true;
}

bool settings_environment(struct option_given *out, const struct command_line *line,
                          const struct option_row *row, struct arena *arena, struct err *err)
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

struct names {
    const char **items; /* without SETTING_VARIABLE; ends with NULL */
    size_t count, room;
};

static bool add(struct names *names, const struct verb *verb, const struct option_row *row,
                struct arena *arena, struct err *err)
{
    char name[SETTING_KEY_ROOM];
    setting_variable(name, verb, row);
    const char *its = name + strlen(SETTING_VARIABLE);
    char *copy = arena_copy_text(arena, its, strlen(its), err);
    if (copy == NULL || names->count + 1 >= names->room)
        return false;
    names->items[names->count++] = copy;
    return true;
}

static bool add_all(struct names *names, const struct verb *const *verbs, struct arena *arena,
                    struct err *err)
{
    struct verb_option option;
    for (; *verbs != NULL; verbs++)
        for (size_t i = 0; verb_option(&option, *verbs, i); i++)
            if (option_is_setting(option.row) && (!add(names, NULL, option.row, arena, err) ||
                                                  !add(names, *verbs, option.row, arena, err)))
                return false;
    return true;
}

static bool is_known(const struct names *names, struct str name)
{
    static const char *const others[] = {SETTING_CONFIG, SESSION_ENV, TRACE_ENV};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (str_is(name, others[i] + strlen(SETTING_VARIABLE)))
            return true;
    for (size_t i = 0; i < names->count; i++)
        if (str_is(name, names->items[i]))
            return true;
    return false;
}

bool settings_environment_check(const struct verb *const *verbs, struct arena *arena,
                                struct err *err)
{
    enum {
        NAMES_MAX = 1024,
        LETTERS_MOST = 2 /* that may be wrong: other variables of this beginning are none of ours */
    };
    struct names names = {.room = NAMES_MAX};
    for (char **variable = variables_all(); variable != NULL && *variable != NULL; variable++) {
        struct str name = {*variable, strcspn(*variable, "=")};
        if (!str_take(&name, SETTING_VARIABLE))
            continue;
        if (names.items == NULL) {
            names.items = ARENA_NEW(arena, const char *, NAMES_MAX, err);
            if (names.items == NULL || !add_all(&names, verbs, arena, err))
                return false;
        }
        const char *meant =
            is_known(&names, name) ? NULL : nearest_within(name, names.items, LETTERS_MOST);
        if (meant != NULL)
            say("the variable " SETTING_VARIABLE "%.*s is ignored; did you mean " SETTING_VARIABLE
                "%s?",
                STR_ARGS(name), meant);
    }
    return true;
}

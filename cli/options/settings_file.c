#include "cli/options/settings_file.h"

#include <jansson.h>
#include <string.h>

#include "cli/options/option_values.h"
#include "cli/options/setting_key.h"
#include "cli/options/settings_path.h"
#include "cli/options/settings_text.h"
#include "system/file.h"

struct settings_reading {
    struct settings_file *out;
    size_t room;
    const struct verb *const *verbs;
    struct settings_keys keys;
    uint32_t line; /* of the member that is read */
    struct arena *arena;
    struct err *err;
};

static bool refuse_setting(const struct settings_reading *r, const char *text)
{
    return err_set(r->err, ERR_USAGE, "%s:%u: %s", r->out->path, r->line, text);
}

/* --- values ----------------------------------------------------------------------------------- */

/* As it would be typed: the shortest digits that are the number. */
static bool read_setting_number(const char **out, const struct settings_reading *r,
                                const json_t *value)
{
    struct str text;
    double number = json_number_value(value);
    bool fine;
    if (json_is_integer(value)) {
        fine = text_format(&text, r->arena, r->err, "%lld", (long long)json_integer_value(value));
    } else {
        fine = text_format(&text, r->arena, r->err, "%.15g", number);
        if (fine && strtod(text.text, NULL) != number)
            fine = text_format(&text, r->arena, r->err, "%.17g", number);
    }
    *out = text.text;
    return fine;
}

static bool is_item(const struct option_row *row, const json_t *value)
{
    return json_is_string(value) || (row->is_number && json_is_number(value));
}

static bool read_item(const char **out, const struct settings_reading *r,
                      const struct option_row *row, const json_t *value)
{
    if (json_is_number(value))
        return read_setting_number(out, r, value);
    const char *text =
        arena_copy_text(r->arena, json_string_value(value), json_string_length(value), r->err);
    return text != NULL && settings_path_resolve(out, text, row, r->out->path, r->arena, r->err);
}

static bool refuse_type(const struct settings_reading *r, const struct option_row *row)
{
    char key[SETTING_KEY_ROOM];
    setting_key(key, row);
    return err_set(r->err, ERR_USAGE, "%s:%u: '%s' must be %s", r->out->path, r->line, key,
                   row->argument == NULL ? "true or false"
                   : row->repeats        ? "a string or an array of strings"
                   : row->is_number      ? "a number or a string"
                                         : "a string");
}

static bool read_setting_value(struct setting *setting, const struct settings_reading *r,
                               const json_t *value)
{
    const struct option_row *row = setting->row;
    bool is_list = row->repeats && json_is_array(value);
    size_t count = is_list ? json_array_size(value) : 1;
    if (row->argument == NULL ? !json_is_boolean(value) : !is_list && !is_item(row, value))
        return refuse_type(r, row);
    setting->values = ARENA_NEW(r->arena, const char *, count + 1, r->err);
    if (setting->values == NULL)
        return false;
    for (; setting->count < count; setting->count++) {
        const json_t *item = is_list ? json_array_get(value, setting->count) : value;
        if (row->argument == NULL)
            setting->values[setting->count] = option_bool(json_is_true(item));
        else if (!is_item(row, item))
            return refuse_type(r, row);
        else if (!read_item(&setting->values[setting->count], r, row, item))
            return false;
    }
    return true;
}

/* --- names ------------------------------------------------------------------------------------ */

/* "'mode' is not an option of 'ilcov report'": some other verb has it. */
static bool refuse_key(const struct settings_reading *r, const struct verb *verb, const char *key)
{
    const char *meant;
    if (verb != NULL && setting_option(r->verbs, NULL, key) != NULL)
        return err_set(r->err, ERR_USAGE, "%s:%u: 'ilcov %s' has no option '%.64s'", r->out->path,
                       r->line, verb->name, key);
    if (!setting_meant(&meant, r->verbs, verb, key, r->arena, r->err))
        return false;
    if (meant == NULL)
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: unknown setting '%.64s'; 'ilcov config' lists all settings",
                       r->out->path, r->line, key);
    return err_set(r->err, ERR_USAGE, "%s:%u: unknown setting '%.64s'; did you mean '%s'?",
                   r->out->path, r->line, key, meant);
}

static bool read_setting(struct settings_reading *r, const struct verb *verb, const char *key,
                         const json_t *value)
{
    const struct option_row *row = setting_option(r->verbs, verb, key);
    if (row == NULL)
        return refuse_key(r, verb, key);
    struct setting *setting = &r->out->items[r->out->count];
    *setting = (struct setting){.verb = verb, .row = row, .line = r->line};
    if (!read_setting_value(setting, r, value))
        return false;
    r->out->count++;
    return true;
}

static bool read_verb_section(struct settings_reading *r, const struct verb *verb, json_t *section)
{
    const char *key;
    json_t *value;
    if (!json_is_object(section))
        return err_set(r->err, ERR_USAGE,
                       "%s:%u: '%s' must be an object: the options of 'ilcov %s'", r->out->path,
                       r->line, verb->name, verb->name);
    json_object_foreach(section, key, value)
    {
        r->line = settings_next_key(&r->keys);
        if (!read_setting(r, verb, key, value))
            return false;
    }
    return true;
}

static bool read_top(struct settings_reading *r, json_t *top)
{
    const char *key;
    json_t *value;
    r->line = 1;
    if (!json_is_object(top))
        return refuse_setting(r, "settings must be an object: { ... }");
    json_object_foreach(top, key, value)
    {
        r->line = settings_next_key(&r->keys);
        const struct verb *section = setting_section(r->verbs, key);
        bool fine;
        if (strcmp(key, "$schema") == 0)
            fine = json_is_string(value) || refuse_setting(r, "'$schema' must be a string");
        else if (section != NULL)
            fine = read_verb_section(r, section, value);
        else
            fine = read_setting(r, NULL, key, value);
        if (!fine)
            return false;
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Each member has a ':' in the text. */
static size_t count_members(struct str text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.text[i] == ':';
    return count;
}

bool settings_file_parse(struct settings_file *out, struct str text, const char *path,
                         const struct verb *const *verbs, struct arena *arena, struct err *err)
{
    struct settings_reading r = {.out = out, .verbs = verbs, .arena = arena, .err = err};
    json_error_t error;
    *out = (struct settings_file){.path = path};
    if (text.len > SETTINGS_FILE_MAX)
        return err_set(err, ERR_LIMIT, "%s: more than 1 MiB, too large for settings", path);
    if (!settings_text_strip(&text, text, arena, err)) {
        if (err->code == ERR_USAGE) {
            struct err said = *err;
            (void)err_set(err, ERR_USAGE, "%s:%.400s", path, said.text);
        }
        return false;
    }
    out->items = ARENA_NEW(arena, struct setting, count_members(text) + 1, err);
    if (out->items == NULL)
        return false;
    json_t *top = json_loadb(text.text, text.len, JSON_REJECT_DUPLICATES, &error);
    if (top == NULL)
        return json_error_code(&error) == json_error_out_of_memory
                   ? err_set(err, ERR_MEMORY, "out of memory")
                   : err_set(err, ERR_USAGE, "%s:%d:%d: %s", path, error.line,
                             error.column > 0 ? error.column : 1, error.text);
    r.keys = (struct settings_keys){text, 0, 1};
    bool fine = read_top(&r, top);
    json_decref(top);
    return fine;
}

bool settings_file_read(struct settings_file *out, const char *path,
                        const struct verb *const *verbs, struct arena *arena, struct err *err)
{
    struct view bytes;
    *out = (struct settings_file){.path = path};
    if (!file_bytes_read(&bytes, path, err)) {
        err_prefix(err, "%s", path);
        return false;
    }
    bool fine = settings_file_parse(out, (struct str){(const char *)bytes.data, bytes.len}, path,
                                    verbs, arena, err);
    file_bytes_release(&bytes);
    return fine;
}

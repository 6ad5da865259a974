#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/add_variables.h"
#include "cli/options/settings_text.h"

enum {
    SETTINGS_MAX = 16 << 20
};

static bool refuse_memory(struct err *err)
{
    return err_set(err, ERR_MEMORY, "out of memory");
}

/* An object, or NULL. */
static json_t *parse_json_settings(const struct addition *addition, struct arena *arena,
                                   struct err *err)
{
    struct str text = {(const char *)addition->bytes.data, addition->bytes.len};
    json_error_t why;
    if (text.len > SETTINGS_MAX) {
        (void)err_set(err, ERR_LIMIT, "%s: more than 16 MiB, too large for settings",
                      addition->path);
        return NULL;
    }
    if (!settings_text_strip(&text, text, arena, err)) {
        struct err said = *err;
        if (said.code == ERR_USAGE)
            (void)err_set(err, ERR_FORMAT, "%s:%.400s", addition->path, said.text);
        return NULL;
    }
    json_t *top = json_loadb(text.text, text.len, 0, &why);
    if (top == NULL && json_error_code(&why) == json_error_out_of_memory)
        (void)refuse_memory(err);
    else if (top == NULL)
        (void)err_set(err, ERR_FORMAT, "%s:%d: not JSON: %s", addition->path, why.line, why.text);
    else if (!json_is_object(top)) {
        (void)err_set(err, ERR_FORMAT, "%s is not a JSON object", addition->path);
        json_decref(top);
        top = NULL;
    }
    return top;
}

/* The member, which is created if it is missing; NULL if it is something else. */
static json_t *object_of(json_t *parent, const char *name, const char *path, struct err *err)
{
    json_t *object = json_object_get(parent, name);
    if (object == NULL) {
        object = json_object();
        if (json_object_set_new(parent, name, object) != 0) {
            (void)refuse_memory(err);
            return NULL;
        }
    }
    if (!json_is_object(object)) {
        (void)err_set(err, ERR_FORMAT, "%s: \"%s\" is not an object", path, name);
        return NULL;
    }
    return object;
}

static bool set_json_variables(json_t *parent, const struct addition *addition, struct arena *arena,
                               struct err *err)
{
    json_t *all = object_of(parent, "environmentVariables", addition->path, err);
    if (all == NULL)
        return false;
    for (char *const *variable = addition->variables; *variable != NULL; variable++) {
        struct str name;
        size_t len = strcspn(*variable, "=");
        if (!str_copy(&name, (struct str){*variable, len}, arena, err))
            return false;
        if (json_object_set_new(all, name.text, json_string(*variable + len + 1)) != 0)
            return refuse_memory(err);
    }
    return true;
}

static bool take_json_text(struct str *out, const json_t *top, struct arena *arena, struct err *err)
{
    char *text = json_dumps(top, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    bool ok = text != NULL ? text_format(out, arena, err, "%s\n", text) : refuse_memory(err);
    free(text);
    return ok;
}

bool add_to_testconfig(struct str *out, const struct addition *addition, struct arena *arena,
                       struct err *err)
{
    json_t *top = parse_json_settings(addition, arena, err);
    bool ok = top != NULL && set_json_variables(top, addition, arena, err) &&
              take_json_text(out, top, arena, err);
    json_decref(top);
    return ok;
}

/* A copy of the profile with which `dotnet run` starts the project; NULL: no memory. */
static json_t *new_profile(json_t *profiles)
{
    const char *name;
    json_t *profile;
    json_object_foreach(profiles, name, profile)
    {
        const char *command = json_string_value(json_object_get(profile, "commandName"));
        if (command != NULL && strcmp(command, "Project") == 0)
            return json_deep_copy(profile);
    }
    return json_pack("{ss}", "commandName", "Project");
}

static bool add_profile(json_t *profiles, const struct addition *addition, struct arena *arena,
                        struct err *err)
{
    json_t *profile = new_profile(profiles);
    if (profile == NULL)
        return refuse_memory(err);
    if (!set_json_variables(profile, addition, arena, err)) {
        json_decref(profile);
        return false;
    }
    return json_object_set_new(profiles, "ilcov", profile) == 0 || refuse_memory(err);
}

bool add_to_launchsettings(struct str *out, const struct addition *addition, struct arena *arena,
                           struct err *err)
{
    json_t *top = parse_json_settings(addition, arena, err);
    json_t *profiles = top != NULL ? object_of(top, "profiles", addition->path, err) : NULL;
    bool ok = profiles != NULL && add_profile(profiles, addition, arena, err) &&
              take_json_text(out, top, arena, err);
    json_decref(top);
    return ok;
}

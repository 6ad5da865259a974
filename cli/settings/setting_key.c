#include "cli/settings/setting_key.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/nearest.h"

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

void setting_key(char out[SETTING_KEY_ROOM], const struct option_row *row)
{
    size_t len = 0;
    bool starts = false; /* a word */
    for (const char *c = row->name; *c != '\0' && len + 1 < SETTING_KEY_ROOM; c++) {
        if (*c != '-')
            out[len++] = starts ? upper(*c) : *c;
        starts = *c == '-';
    }
    out[len] = '\0';
}

void setting_variable(char out[SETTING_KEY_ROOM], const struct verb *verb,
                      const struct option_row *row)
{
    (void)snprintf(out, SETTING_KEY_ROOM, SETTING_VARIABLE "%s%s%s", verb != NULL ? verb->name : "",
                   verb != NULL ? "_" : "", row->name);
    for (char *c = out; *c != '\0'; c++)
        *c = *c == '-' ? '_' : upper(*c);
}

static bool find(struct verb_option *out, const struct verb *verb, const char *key)
{
    char its[SETTING_KEY_ROOM];
    for (size_t i = 0; verb_option(out, verb, i); i++) {
        setting_key(its, out->row);
        if (option_is_setting(out->row) && strcmp(its, key) == 0)
            return true;
    }
    return false;
}

const struct option_row *setting_option(const struct verb *const *verbs, const struct verb *verb,
                                        const char *key)
{
    struct verb_option option;
    if (verb != NULL)
        return find(&option, verb, key) ? option.row : NULL;
    for (; *verbs != NULL; verbs++)
        if (find(&option, *verbs, key))
            return option.row;
    return NULL;
}

const struct verb *setting_first(const struct verb *const *verbs, const char *key)
{
    struct verb_option option;
    for (; *verbs != NULL; verbs++)
        if (find(&option, *verbs, key))
            return *verbs;
    return NULL;
}

bool setting_is_common(const struct verb *const *verbs, const struct option_row *row)
{
    char key[SETTING_KEY_ROOM];
    setting_key(key, row);
    const struct option_row *first = setting_option(verbs, NULL, key);
    return first != NULL && first->take == row->take;
}

const struct verb *setting_section(const struct verb *const *verbs, const char *name)
{
    for (; *verbs != NULL; verbs++)
        if (strcmp((*verbs)->name, name) == 0 && verb_has_settings(*verbs))
            return *verbs;
    return NULL;
}

/* --- what was meant --------------------------------------------------------------------------- */

/* The same but for "-", "_" and capitals: fail-under, Fail_Under. */
static bool is_respelled(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, "-_");
        b += strspn(b, "-_");
        if (ascii_lower(*a) != ascii_lower(*b))
            return false;
        if (*a == '\0')
            return true;
        a++;
        b++;
    }
}

struct names {
    const char **items; /* ends with NULL */
    size_t count, room;
};

static bool add(struct names *names, const char *name, struct arena *arena, struct err *err)
{
    char *copy = arena_copy_text(arena, name, strlen(name), err);
    if (copy == NULL || names->count + 1 >= names->room)
        return false;
    names->items[names->count++] = copy;
    return true;
}

static bool add_keys(struct names *names, const struct verb *verb, struct arena *arena,
                     struct err *err)
{
    struct verb_option option;
    char key[SETTING_KEY_ROOM];
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        setting_key(key, option.row);
        if (option_is_setting(option.row) && !add(names, key, arena, err))
            return false;
    }
    return true;
}

static bool add_all(struct names *names, const struct verb *const *verbs, struct arena *arena,
                    struct err *err)
{
    for (; *verbs != NULL; verbs++)
        if (verb_has_settings(*verbs) &&
            (!add(names, (*verbs)->name, arena, err) || !add_keys(names, *verbs, arena, err)))
            return false;
    return true;
}

bool setting_meant(const char **out, const struct verb *const *verbs, const struct verb *verb,
                   const char *key, struct arena *arena, struct err *err)
{
    enum {
        NAMES_MAX = 1024
    };
    struct names names = {.room = NAMES_MAX};
    names.items = ARENA_NEW(arena, const char *, NAMES_MAX, err);
    if (names.items == NULL ||
        !(verb != NULL ? add_keys(&names, verb, arena, err) : add_all(&names, verbs, arena, err)))
        return false;
    *out = nearest_word(str_of(key), names.items);
    for (size_t i = 0; i < names.count; i++)
        if (is_respelled(key, names.items[i]))
            *out = names.items[i];
    return true;
}

#include "cli/options/setting_key.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/list.h"
#include "base/nearest.h"

static char upper_letter(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

void setting_key(char out[SETTING_KEY_ROOM], const struct option_row *row)
{
    size_t len = 0;
    bool starts = false; /* a word */
    for (const char *c = row->name; *c != '\0' && len + 1 < SETTING_KEY_ROOM; c++) {
        if (*c != '-')
            out[len++] = starts ? upper_letter(*c) : *c;
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
        *c = *c == '-' ? '_' : upper_letter(*c);
}

static bool find_key(struct verb_option *out, const struct verb *verb, const char *key)
{
    char its[SETTING_KEY_ROOM];
    for (size_t i = 0; verb_option(out, verb, i); i++) {
        setting_key(its, out->row);
        if (option_is_setting(out->row) && strcmp(its, key) == 0)
            return true;
    }
    return false;
}

const struct verb *setting_first(const struct verb *const *verbs, const char *key)
{
    struct verb_option option;
    while (*verbs != NULL && !find_key(&option, *verbs, key))
        verbs++;
    return *verbs;
}

const struct option_row *setting_option(const struct verb *const *verbs, const struct verb *verb,
                                        const char *key)
{
    struct verb_option option;
    verb = verb != NULL ? verb : setting_first(verbs, key);
    return verb != NULL && find_key(&option, verb, key) ? option.row : NULL;
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
    const struct verb *verb = verb_named(verbs, name);
    return verb != NULL && verb_has_settings(verb) ? verb : NULL;
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

static bool add_setting_name(struct list *names, const char *name, struct arena *arena,
                             struct err *err)
{
    const char **added = list_add(names, sizeof *added, arena, err);
    if (added != NULL)
        *added = arena_copy_text(arena, name, strlen(name), err);
    return added != NULL && *added != NULL;
}

static bool add_key(struct list *names, const struct option_row *row, struct arena *arena,
                    struct err *err)
{
    char key[SETTING_KEY_ROOM];
    setting_key(key, row);
    return add_setting_name(names, key, arena, err);
}

static bool add_variable(struct list *names, const struct verb *verb, const struct option_row *row,
                         struct arena *arena, struct err *err)
{
    char name[SETTING_KEY_ROOM];
    setting_variable(name, verb, row);
    return add_setting_name(names, name + strlen(SETTING_VARIABLE), arena, err);
}

static bool add_names_of_verb(struct list *names, const struct verb *verb, bool variables,
                              struct arena *arena, struct err *err)
{
    struct verb_option option;
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (option_is_setting(option.row) &&
            !(variables ? add_variable(names, NULL, option.row, arena, err) &&
                              add_variable(names, verb, option.row, arena, err)
                        : add_key(names, option.row, arena, err)))
            return false;
    return true;
}

const char *const *setting_names(const struct verb *const *verbs, const struct verb *verb,
                                 bool variables, struct arena *arena, struct err *err)
{
    struct list names = {NULL, 0, 0};
    bool fine = verb == NULL || add_names_of_verb(&names, verb, variables, arena, err);
    for (; fine && verb == NULL && *verbs != NULL; verbs++)
        fine = !verb_has_settings(*verbs) ||
               ((variables || add_setting_name(&names, (*verbs)->name, arena, err)) &&
                add_names_of_verb(&names, *verbs, variables, arena, err));
    return fine && list_add(&names, sizeof(char *), arena, err) != NULL ? names.items : NULL;
}

bool setting_meant(const char **out, const struct verb *const *verbs, const struct verb *verb,
                   const char *key, struct arena *arena, struct err *err)
{
    const char *const *names = setting_names(verbs, verb, false, arena, err);
    if (names == NULL)
        return false;
    *out = nearest_word(str_of(key), names);
    for (; *names != NULL; names++)
        if (is_respelled(key, *names))
            *out = *names;
    return true;
}

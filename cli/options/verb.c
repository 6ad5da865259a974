#include "cli/options/verb.h"

#include <string.h>

const struct option_row option_help = {
    .letter = 'h', .name = "help", .help = "print this help and exit", .cli_only = true};
const struct option_row option_help_all = {
    .name = "help-all",
    .help = "print this help with rarely needed options, and exit",
    .more = "For a verb without such options it is the same as --help.",
    .cli_only = true};
const struct option_row option_version = {
    .letter = 'V', .name = "version", .help = "print the version and exit", .cli_only = true};
const struct option_row option_config = {
    .name = "config",
    .argument = "FILE",
    .help = "take the settings from FILE, not from the nearest ilcov.json",
    .more = "It is looked for in the current directory and its parents, up to the top of the git "
            "work tree. Options come before variables, and variables before the file: 'ilcov "
            "config' shows all of them.",
    .completes = COMPLETE_FILE,
    .advanced = true,
    .cli_only = true};
const struct option_row option_no_config = {
    .name = "no-config", .help = "use no settings file", .advanced = true, .cli_only = true};

const struct verb *verb_named(const struct verb *const *verbs, const char *name)
{
    while (*verbs != NULL && strcmp((*verbs)->name, name) != 0)
        verbs++;
    return *verbs;
}

static bool in_group(struct verb_option *out, const struct option_group *group, size_t *index)
{
    const struct option_row *row = group->rows;
    for (; row->name != NULL && *index != 0; row++)
        --*index;
    if (row->name == NULL)
        return false;
    *out = (struct verb_option){row, group->at + row->field, row->help, row->more};
    for (const struct help_override *overrides = group->overrides;
         overrides != NULL && overrides->name != NULL; overrides++) {
        if (strcmp(overrides->name, row->name) != 0)
            continue;
        if (overrides->help != NULL)
            out->help = overrides->help;
        out->more = overrides->more;
    }
    return true;
}

/* Has the verb an advanced option; or one that is a setting? */
static bool has_row(const struct verb *verb, bool advanced)
{
    for (const struct option_group *group = verb->groups; group != NULL && group->rows != NULL;
         group++)
        for (const struct option_row *row = group->rows; row->name != NULL; row++)
            if (advanced ? row->advanced : option_is_setting(row))
                return true;
    return false;
}

bool option_is_setting(const struct option_row *row)
{
    return !row->cli_only;
}

bool verb_has_advanced(const struct verb *verb)
{
    return verb_has_settings(verb) || has_row(verb, true);
}

bool verb_has_settings(const struct verb *verb)
{
    return has_row(verb, false);
}

/* The rows that follow the verb's own. */
static size_t common_rows(const struct option_row *out[], const struct verb *verb)
{
    bool has_settings = verb_has_settings(verb);
    size_t count = 0;
    if (has_settings) {
        out[count++] = &option_config;
        out[count++] = &option_no_config;
    }
    out[count++] = &option_help;
    out[count++] = &option_help_all;
    out[count++] = &option_version;
    return count;
}

bool verb_option(struct verb_option *out, const struct verb *verb, size_t index)
{
    for (const struct option_group *group = verb->groups; group != NULL && group->rows != NULL;
         group++) {
        if (in_group(out, group, &index))
            return true;
    }
    const struct option_row *rows[5];
    size_t count = common_rows(rows, verb);
    const struct option_row *row = rows[index < count ? index : 0];
    *out = (struct verb_option){.row = row, .help = row->help, .more = row->more};
    return index < count;
}

bool verb_find_option(struct verb_option *out, const struct verb *verb, const char *name,
                      char letter)
{
    for (size_t i = 0; verb_option(out, verb, i); i++) {
        if (name != NULL ? strcmp(out->row->name, name) == 0 : out->row->letter == letter)
            return true;
    }
    return false;
}

void option_add_words(struct text *text, bool (*word)(struct option_word *, size_t))
{
    struct option_word item;
    for (size_t i = 0; word(&item, i); i++)
        text_addf(text, "%s%s", i == 0 ? "" : ", ", item.name);
}

bool verb_option_help(struct str *out, const struct verb_option *option, struct arena *arena,
                      struct err *err)
{
    const char *rest = option->help, *gap = strstr(rest, "{}");
    struct text text = text_in(arena);
    if (gap != NULL && option->row->word != NULL) {
        text_add(&text, (struct str){rest, (size_t)(gap - rest)});
        option_add_words(&text, option->row->word);
        rest = gap + strlen("{}");
    }
    text_add_c(&text, rest);
    return text_take(out, &text, err);
}

#include "cli/base/verb.h"

#include <string.h>

const struct option_row option_help = {
    .letter = 'h', .name = "help", .help = "print this help and exit"};
const struct option_row option_version = {
    .letter = 'V', .name = "version", .help = "print the version and exit"};

static bool in_group(struct verb_option *out, const struct option_group *group, size_t *index)
{
    const struct option_row *row = group->rows;
    for (; row->name != NULL && *index != 0; row++)
        --*index;
    if (row->name == NULL)
        return false;
    *out = (struct verb_option){row, group->at + row->field, row->help, row->more};
    for (const struct option_saying *says = group->says; says != NULL && says->name != NULL;
         says++) {
        if (strcmp(says->name, row->name) != 0)
            continue;
        out->help = says->help;
        out->more = says->more;
    }
    return true;
}

bool verb_option(struct verb_option *out, const struct verb *verb, size_t index)
{
    for (const struct option_group *group = verb->groups; group != NULL && group->rows != NULL;
         group++) {
        if (in_group(out, group, &index))
            return true;
    }
    const struct option_row *row = index == 0 ? &option_help : &option_version;
    *out = (struct verb_option){.row = row, .help = row->help};
    return index < 2;
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
    struct text text;
    const char *rest = option->help, *gap = strstr(rest, "{}");
    text_open(&text, arena);
    if (gap != NULL && option->row->word != NULL) {
        text_add(&text, (struct str){rest, (size_t)(gap - rest)});
        option_add_words(&text, option->row->word);
        rest = gap + strlen("{}");
    }
    text_add_c(&text, rest);
    return text_take(out, &text, err);
}

#include "cli/base/format_options.h"

#include <string.h>

#include "cli/base/option_values.h"
#include "system/same_file.h"

/* The writers, and "none". */
static bool word(struct option_word *out, size_t index)
{
    size_t count = 0;
    while (reporters[count].name != NULL)
        count++;
    *out = index < count ? (struct option_word){reporters[index].name, reporters[index].summary,
                                                reporters[index].default_file}
                         : (struct option_word){"none", "no report, only the data file", NULL};
    return index <= count;
}

bool format_options_add(struct format_options *formats, const char *value,
                        const struct option_taking *taking, struct err *err)
{
    const char *equals = strchrnul(value, '=');
    struct str name = {value, (size_t)(equals - value)};
    const char *path = *equals == '=' ? equals + 1 : NULL;
    const struct reporter *reporter = reporter_find(name);
    if (path != NULL && *path == '\0')
        return err_set(err, ERR_USAGE, "format '%s' names no file after '='", value);
    if (str_is(name, "none") && path == NULL) {
        formats->is_none = true;
        return true;
    }
    if (str_is(name, "none"))
        return err_set(err, ERR_USAGE, "format 'none' writes no file: '%s'", path);
    if (reporter == NULL &&
        (memchr(name.text, '.', name.len) != NULL || memchr(name.text, '/', name.len) != NULL))
        return err_set(err, ERR_USAGE, "unknown format '%.*s'; did you mean 'cobertura=%.*s'?",
                       STR_ARGS(name), STR_ARGS(name));
    if (reporter == NULL)
        return option_refuse_word("format", name, word, taking, err);
    if (formats->items == NULL)
        formats->items = ARENA_NEW(taking->arena, struct option_format, taking->room, err);
    if (formats->items == NULL)
        return false;
    formats->items[formats->count++] =
        (struct option_format){reporter, path != NULL ? path : reporter->default_file};
    return true;
}

static bool take(void *field, const char *value, const struct option_taking *taking,
                 struct err *err)
{
    return format_options_add(field, value, taking, err);
}

const struct option_row format_rows[] = {
    {.letter = 'f',
     .name = "format",
     .argument = "NAME[=FILE]",
     .take = take,
     .help = "write a report (repeatable): {}; default cobertura=cobertura.xml",
     .more = "- as FILE is standard output.",
     .completes = COMPLETE_WORD_FILE,
     .word = word},
    {.name = NULL},
};

bool format_options_check(const struct format_options *formats, struct err *err)
{
    if (formats->is_none && formats->count != 0)
        return err_set(err, ERR_USAGE, "--format none cannot be combined with another format");
    for (uint32_t i = 0; i < formats->count; i++) {
        const char *path = formats->items[i].path;
        for (uint32_t j = 0; j < i && path != NULL; j++) {
            if (formats->items[j].path != NULL && same_file(path, formats->items[j].path))
                return err_set(err, ERR_USAGE, "two reports would be written to %s", path);
        }
    }
    return true;
}

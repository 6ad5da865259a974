#include "cli/options/option_values.h"

#include <string.h>

#include "base/ascii.h"
#include "base/nearest.h"
#include "scope/pattern.h"

bool option_take_flag(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    bool *out = field;
    (void)value, (void)context, (void)err;
    *out = true;
    return true;
}

bool option_take_choice(void *field, const char *value, const struct option_context *context,
                        struct err *err)
{
    struct option_choice *choice = field;
    (void)context, (void)err;
    *choice = (struct option_choice){.is_given = true, .yes = value == NULL};
    return true;
}

bool option_take_text(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    const char **out = field;
    *out = value;
    return *value != '\0' || err_set(err, ERR_USAGE, "option --%s is empty", context->name);
}

bool option_take_item(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    struct option_list *list = field;
    if (list->items == NULL)
        list->items = ARENA_NEW(context->arena, struct str, context->room, err);
    if (list->items == NULL)
        return false;
    list->items[list->count++] = str_of(value);
    return true;
}

bool option_take_pattern(void *field, const char *value, const struct option_context *context,
                         struct err *err)
{
    struct pattern pattern;
    if (strchr(value, '\n') != NULL)
        return err_set(err, ERR_USAGE, "a pattern must not contain a line break");
    return pattern_parse(&pattern, str_of(value), err) &&
           option_take_item(field, value, context, err);
}

bool option_take_time(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    enum {
        DAY_MS = 24 * 60 * 60 * 1000
    };
    static const struct {
        const char *unit;
        uint32_t ms;
    } units[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}};
    uint32_t *ms = field;
    uint64_t number = 0;
    const char *end = value;
    for (; ascii_is_digit(*end) && number <= DAY_MS; end++)
        number = number * 10 + (uint64_t)(*end - '0');
    for (size_t i = 0; end != value && i < ARRAY_LEN(units); i++) {
        uint64_t total = number * units[i].ms;
        if (strcmp(units[i].unit, end) == 0 && total != 0 && total <= DAY_MS) {
            *ms = (uint32_t)total;
            return true;
        }
    }
    return err_set(err, ERR_USAGE,
                   "invalid time '%s' for --%s; expected, for example, 500ms, 60s or 2m, up to 24h",
                   value, context->name);
}

bool option_take_size(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    static const struct {
        const char *unit;
        uint64_t bytes;
    } units[] = {
        {"", 1},          {"KB", 1000},     {"MB", 1000000},  {"GB", 1000000000},
        {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
    };
    enum {
        SIZE_MIN = 1 << 10,
        NUMBER_MAX = 1 << 30 /* times any unit fits in 64 bits */
    };
    uint64_t *bytes = field, number = 0;
    const char *end = value;
    for (; ascii_is_digit(*end) && number <= NUMBER_MAX; end++)
        number = number * 10 + (uint64_t)(*end - '0');
    for (size_t i = 0; end != value && number <= NUMBER_MAX && i < ARRAY_LEN(units); i++) {
        *bytes = number * units[i].bytes;
        if (strcmp(units[i].unit, end) == 0 && *bytes >= SIZE_MIN)
            return true;
    }
    return err_set(err, ERR_USAGE,
                   "invalid size '%s' for --%s; expected, for example, 10MiB, 9MB or 1000000, at "
                   "least 1KiB",
                   value, context->name);
}

bool option_parse_bool(bool *out, const char *text)
{
    static const char *const words[] = {"no", "yes", "false", "true", "0", "1", "off", "on"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (str_eq_nocase(str_of(text), str_of(words[i]))) {
            *out = i % 2 == 1;
            return true;
        }
    }
    return false;
}

const char *option_bool(bool value)
{
    return value ? "yes" : "no";
}

bool option_refuse_word(const char *what, struct str value,
                        bool (*word)(struct option_word *, size_t),
                        const struct option_context *context, struct err *err)
{
    enum {
        WORDS_MAX = 16
    };
    const char *names[WORDS_MAX + 1] = {NULL};
    struct option_word item;
    struct str known;
    for (size_t i = 0; i < WORDS_MAX && word(&item, i); i++)
        names[i] = item.name;
    const char *meant = nearest_word(value, names);
    if (meant != NULL)
        return err_set(err, ERR_USAGE, "unknown %s '%.*s'; did you mean '%s'?", what,
                       STR_ARGS(value), meant);
    struct text text = text_in(context->arena);
    option_add_words(&text, word);
    return text_take(&known, &text, err) &&
           err_set(err, ERR_USAGE, "unknown %s '%.*s'; expected one of %.*s", what, STR_ARGS(value),
                   STR_ARGS(known));
}

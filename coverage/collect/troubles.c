#include "coverage/collect/troubles.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/path.h"

enum {
    NAMED = 3 /* in one line */
};

/* Many files and processes may have the same trouble. */
bool troubles_add(struct troubles *troubles, struct str text, enum collect_trouble_kind kind,
                  struct err *err)
{
    const struct collect_trouble *known = troubles->list.items;
    for (uint32_t i = 0; i < troubles->list.count; i++)
        if (str_eq(known[i].text, text))
            return true;
    struct collect_trouble *trouble =
        list_add(&troubles->list, sizeof *trouble, troubles->arena, err);
    if (trouble == NULL)
        return false;
    trouble->kind = kind;
    return str_copy(&trouble->text, text, troubles->arena, err);
}

bool troubles_addf(struct troubles *troubles, enum collect_trouble_kind kind, struct err *err,
                   const char *format, ...)
{
    char text[2 * PATH_ROOM] = "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return troubles_add(troubles, str_of(text), kind, err);
}

bool troubles_take(struct troubles *troubles, struct text *text, enum collect_trouble_kind kind,
                   struct err *err)
{
    struct str line;
    return text_take(&line, text, err) && troubles_add(troubles, line, kind, err);
}

void troubles_name(struct text *line, const struct list *names)
{
    const struct str *items = names->items;
    for (uint32_t i = 0; i < names->count && i < NAMED; i++)
        text_addf(line, "%s%.*s", i == 0 ? "" : ", ", STR_ARGS(items[i]));
    if (names->count > NAMED)
        text_addf(line, " and %u others", names->count - NAMED);
}

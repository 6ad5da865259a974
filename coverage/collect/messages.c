#include "coverage/collect/messages.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/path.h"

enum {
    NAMED = 3 /* in one line */
};

/* Many files and processes may have the same trouble. */
bool messages_add(struct messages *messages, struct str text, enum collect_message_kind kind,
                  struct err *err)
{
    const struct collect_message *known = messages->list.items;
    for (uint32_t i = 0; i < messages->list.count; i++)
        if (str_eq(known[i].text, text))
            return true;
    struct collect_message *message =
        list_add(&messages->list, sizeof *message, messages->arena, err);
    if (message == NULL)
        return false;
    message->kind = kind;
    return str_copy(&message->text, text, messages->arena, err);
}

bool messages_addf(struct messages *messages, enum collect_message_kind kind, struct err *err,
                   const char *format, ...)
{
    char text[2 * PATH_ROOM] = "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return messages_add(messages, str_of(text), kind, err);
}

bool messages_take(struct messages *messages, struct text *text, enum collect_message_kind kind,
                   struct err *err)
{
    struct str line;
    return text_take(&line, text, err) && messages_add(messages, line, kind, err);
}

void messages_name(struct text *line, const struct list *names)
{
    const struct str *items = names->items;
    for (uint32_t i = 0; i < names->count && i < NAMED; i++)
        text_addf(line, "%s%.*s", i == 0 ? "" : ", ", STR_ARGS(items[i]));
    if (names->count > NAMED)
        text_addf(line, " and %u others", names->count - NAMED);
}

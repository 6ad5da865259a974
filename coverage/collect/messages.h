/* messages.h - sentences for standard error, each once: what could not be read or counted, and
 * what the user may want to know. */
#pragma once

#include "base/list.h"
#include "base/text.h"

enum collect_message_kind {
    MESSAGE_LOSS,      /* a process reported what it could not count */
    MESSAGE_BAD_INPUT, /* something could not be read */
    MESSAGE_WARNING,   /* a comment that looks like a mistake, or sources that are missing */
    MESSAGE_NOTE,      /* a comment without effect: shown with --verbose */
};

struct collect_message {
    struct str text;
    enum collect_message_kind kind;
};

struct messages {
    struct list list; /* struct collect_message */
    struct arena *arena;
};

/* Copies the text. */
NODISCARD bool messages_add(struct messages *messages, struct str text,
                            enum collect_message_kind kind, struct err *err);

NODISCARD bool messages_addf(struct messages *messages, enum collect_message_kind kind,
                             struct err *err, const char *format, ...) PRINTF_LIKE(4, 5);
/* Adds a text that is finished with that. */
NODISCARD bool messages_take(struct messages *messages, struct text *text,
                             enum collect_message_kind kind, struct err *err);

/* Names for such a line: the first three, and how many others there are. `names`: struct str. */
void messages_name(struct text *line, const struct list *names);

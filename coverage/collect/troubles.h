/* troubles.h - sentences for standard error, each once: what could not be read or counted, and
 * what the user may want to know. */
#ifndef ILCOV_COVERAGE_COLLECT_TROUBLES_H
#define ILCOV_COVERAGE_COLLECT_TROUBLES_H

#include "base/list.h"
#include "base/text.h"

enum collect_trouble_kind {
    TROUBLE_LOSS,      /* a process reported what it could not count */
    TROUBLE_BAD_INPUT, /* something could not be read */
    TROUBLE_WARNING,   /* a comment that looks like a mistake, or sources that are missing */
    TROUBLE_NOTE,      /* a comment without effect: shown with --verbose */
};

struct collect_trouble {
    struct str text;
    enum collect_trouble_kind kind;
};

struct troubles {
    struct list list; /* struct collect_trouble */
    struct arena *arena;
};

/* Copies the text. */
NODISCARD bool troubles_add(struct troubles *troubles, struct str text,
                            enum collect_trouble_kind kind, struct err *err);

NODISCARD bool troubles_addf(struct troubles *troubles, enum collect_trouble_kind kind,
                             struct err *err, const char *format, ...) PRINTF_LIKE(4, 5);
/* Adds a text that is finished with that. */
NODISCARD bool troubles_take(struct troubles *troubles, struct text *text,
                             enum collect_trouble_kind kind, struct err *err);

/* Names for such a line: the first three, and how many others there are. `names`: struct str. */
void troubles_name(struct text *line, const struct list *names);

#endif

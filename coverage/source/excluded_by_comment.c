#include "coverage/source/excluded_by_comment.h"

struct ignored_maker {
    struct list lines;           /* struct ignored_lines */
    const struct comment *start; /* an open start without its end, or NULL */
    struct str name;
    struct list *warnings;
    struct arena *arena;
    struct err *err;
};

static bool warn_of_comment(struct ignored_maker *m, const struct comment *comment,
                            const char *what)
{
    struct str *warning = list_add(m->warnings, sizeof *warning, m->arena, m->err);
    return warning != NULL && text_format(warning, m->arena, m->err, "%.*s:%u: %s",
                                          STR_ARGS(m->name), comment->line, what);
}

static bool warn_of_unknown(struct ignored_maker *m, const struct comment *comment)
{
    enum {
        SHOWN = 40
    };
    struct str word = comment->reason, text;
    word.len = word.len < SHOWN ? word.len : SHOWN;
    return text_format(&text, m->arena, m->err,
                       "a comment for ilcov must begin with ilcov:ignore, ilcov:ignore-start or "
                       "ilcov:ignore-end: %.*s",
                       STR_ARGS(word)) &&
           warn_of_comment(m, comment, text.text);
}

static bool add_ignored(struct ignored_maker *m, const struct comment *comment, uint32_t last)
{
    struct ignored_lines *added = list_add(&m->lines, sizeof *added, m->arena, m->err);
    if (added == NULL)
        return false;
    *added = (struct ignored_lines){
        .first = comment->line, .last = last, .is_single = comment->kind == COMMENT_IGNORE};
    added->reason = reason_new(REASON_COMMENT, STR(""), comment->reason, m->arena, m->err);
    return added->reason != NULL;
}

static bool take_ignore_comment(struct ignored_maker *m, const struct comment *comment)
{
    const struct comment *start = m->start;
    switch (comment->kind) {
    case COMMENT_IGNORE:
        return add_ignored(m, comment, comment->line);
    case COMMENT_START:
        if (start != NULL)
            return warn_of_comment(m, comment,
                                   "ilcov:ignore-start after another one without an end");
        m->start = comment;
        return true;
    case COMMENT_END:
        if (start == NULL)
            return warn_of_comment(m, comment, "ilcov:ignore-end without a start");
        m->start = NULL;
        return add_ignored(m, start, comment->line);
    case COMMENT_UNKNOWN:
        break;
    }
    return warn_of_unknown(m, comment);
}

bool ignored_make(struct ignored *out, const struct comments *comments, struct str name,
                  struct list *warnings, struct arena *arena, struct err *err)
{
    struct ignored_maker m = {.name = name, .warnings = warnings, .arena = arena, .err = err};
    for (uint32_t i = 0; i < comments->count; i++)
        if (!take_ignore_comment(&m, &comments->items[i]))
            return false;
    if (m.start != NULL &&
        (!warn_of_comment(&m, m.start,
                          "ilcov:ignore-start without an end: everything after it is excluded") ||
         !add_ignored(&m, m.start, UINT32_MAX)))
        return false;
    *out = (struct ignored){m.lines.items, m.lines.count};
    return true;
}

const struct reason *ignored_reason(struct ignored *ignored, uint32_t start_line, uint32_t end_line)
{
    const struct reason *reason = NULL;
    for (uint32_t i = 0; i < ignored->count; i++) {
        struct ignored_lines *lines = &ignored->items[i];
        if ((start_line < lines->first || start_line > lines->last) &&
            !(lines->is_single && end_line == lines->first))
            continue;
        lines->is_used = true;
        if (reason == NULL)
            reason = lines->reason;
    }
    return reason;
}

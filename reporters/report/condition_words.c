#include "reporters/report/condition_words.h"

#include "coverage/report/sentence.h"
#include "reporters/source_text.h"

enum {
    EXCERPT_MOST = 60 /* bytes */
};

bool condition_is_on(const struct report_condition *condition, uint32_t line)
{
    const struct fact_span *span = &condition->span;
    return condition->is_exact && span->start_column != 0 && span->end_column < COLUMN_UNKNOWN &&
           span->start_line == line && span->end_line == line;
}

static struct str excerpt(const struct report_condition *condition, const struct report_file *file,
                          const struct sources *sources)
{
    const struct fact_span *span = &condition->span;
    if (!condition_is_on(condition, span->start_line))
        return STR("");
    struct str line = source_text_line(sources, file->package->name, file->path, span->start_line);
    struct str cut = source_text_cut(line, span->start_column, span->end_column);
    return cut.len <= EXCERPT_MOST ? cut : STR("");
}

bool condition_words(struct str *out, const struct report_condition *condition,
                     const struct report_file *file, const struct sources *sources,
                     struct arena *arena, struct err *err)
{
    struct text text;
    struct str code = excerpt(condition, file, sources);
    text_open(&text, arena);
    if (code.len != 0) {
        text_add(&text, STR("`"));
        text_add(&text, code);
        text_add_c(&text, sentence_needs_subject(condition) ? "` " : "`: ");
    } else if (sentence_needs_subject(condition)) {
        text_add_c(&text, sentence_subject(condition));
        text_add(&text, STR(" "));
    }
    sentence_of_condition(&text, condition);
    return text_take(out, &text, err);
}

bool missed_text_words(struct str *out, const struct column_range *range, uint32_t line,
                       const struct report_file *file, const struct sources *sources,
                       struct arena *arena, struct err *err)
{
    struct text text;
    struct str code = source_text_shown(
        source_text_line(sources, file->package->name, file->path, line), range->start, range->end);
    text_open(&text, arena);
    if (code.len != 0 && code.len <= EXCERPT_MOST) {
        text_add(&text, STR("`"));
        text_add(&text, code);
        text_add_c(&text, range->end == 0 ? " ...` " : "` ");
    } else {
        text_add_c(&text, sentence_missed_subject());
        text_add(&text, STR(" "));
    }
    sentence_of_missed_text(&text);
    return text_take(out, &text, err);
}

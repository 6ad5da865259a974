#include "reporters/report/condition_words.h"

#include "coverage/report/sentence.h"
#include "coverage/report/why.h"
#include "reporters/html/missed_arms.h"
#include "reporters/source_text.h"

enum {
    EXCERPT_MOST = 60 /* bytes */
};

static bool is_on(const struct fact_span *span, uint32_t line)
{
    return span->start_column != 0 && span->end_column < COLUMN_UNKNOWN &&
           span->start_line == line && span->end_line == line;
}

bool condition_is_on(const struct report_condition *condition, uint32_t line)
{
    return condition->is_exact && is_on(&condition->span, line);
}

static struct str excerpt(const struct fact_span *span, const struct report_file *file,
                          const struct sources *sources)
{
    if (!is_on(span, span->start_line))
        return STR("");
    struct str line = source_text_line(sources, file->package->name, file->path, span->start_line);
    struct str cut = source_text_cut(line, span->start_column, span->end_column);
    return cut.len <= EXCERPT_MOST ? cut : STR("");
}

static void quote(struct text *out, struct str code)
{
    text_add(out, STR("`"));
    text_add(out, code);
    text_add(out, STR("`"));
}

/* The brief words are what was added after the first `head` bytes. */
static bool take_words(struct lacking_words *out, struct text *text, size_t head, struct err *err)
{
    if (!text_take(&out->whole, text, err))
        return false;
    out->brief = str_from(out->whole, head);
    return true;
}

bool condition_words(struct lacking_words *out, const struct report_condition *condition,
                     const struct report_file *file, const struct sources *sources,
                     struct arena *arena, struct err *err)
{
    struct text text;
    struct missed_cases cases;
    if (!missed_arms_find(&cases, condition, file, sources, arena, err))
        return false;
    bool are_known = missed_cases_are_known(&cases);
    struct str code =
        sentence_has_text(condition) ? excerpt(&condition->span, file, sources) : STR("");
    text_open(&text, arena);
    if (are_known) {
        if (cases.subject.len != 0)
            quote(&text, cases.subject);
        else
            text_add_c(&text, SENTENCE_SWITCH);
        text_add(&text, STR(" "));
    } else if (code.len != 0) {
        quote(&text, code);
        text_add_c(&text, sentence_needs_subject(condition) ? " " : ": ");
    } else if (sentence_needs_subject(condition)) {
        text_add_c(&text, sentence_noun(condition->words));
        text_add(&text, STR(" "));
    }
    size_t head = text.len;
    if (are_known)
        sentence_of_cases(&text, &cases, quote);
    else
        sentence_of_condition(&text, condition);
    return take_words(out, &text, head, err);
}

bool missed_text_words(struct lacking_words *out, const struct column_range *range, uint32_t line,
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
        text_add_c(&text, SENTENCE_STATEMENT);
        text_add(&text, STR(" "));
    }
    size_t head = text.len;
    text_add_c(&text, SENTENCE_DID_NOT_RUN);
    return take_words(out, &text, head, err);
}

bool condition_why(struct str *out, const struct report_why *why, uint32_t line,
                   const struct report_file *file, const struct sources *sources,
                   struct arena *arena, struct err *err)
{
    struct text text;
    struct why_said said = {.count = 0};
    text_open(&text, arena);
    for (uint32_t i = 0; i < why->root_count; i++) {
        const struct why_root *root = &why->roots[i];
        const struct fact_span *span = why_condition(root);
        struct str code = span != NULL ? excerpt(span, file, sources) : STR("");
        why_begin(&said, &text);
        if (why_needs_subject(root) && code.len != 0)
            quote(&text, code);
        else if (why_needs_subject(root))
            text_add_c(&text, sentence_noun(root->decision->words));
        why_words(&text, why, root, line);
        why_end(&said, &text);
    }
    return text_take(out, &text, err);
}

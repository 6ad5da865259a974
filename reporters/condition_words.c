#include "reporters/condition_words.h"

#include "coverage/report/missed_cases.h"
#include "coverage/report/sentence.h"
#include "coverage/report/why.h"

static void quote_code(struct text *out, struct str code)
{
    text_addf(out, "`%.*s`", STR_ARGS(code));
}

const struct code_style code_in_backquotes = {quote_code, " ...", 60};

static bool is_span_on(const struct fact_span *span, uint32_t line)
{
    return span->start_column != 0 && span->end_column < COLUMN_UNKNOWN &&
           span->start_line == line && span->end_line == line;
}

bool condition_is_on(const struct report_condition *condition, uint32_t line)
{
    return condition->is_exact && is_span_on(&condition->span, line);
}

/* Its text and what comes after that, if it is known, on one line and not long. */
static bool put_quoted(struct text *out, const struct fact_span *span, const char *after,
                       const struct source_place *place, const struct code_style *style)
{
    if (place == NULL || !is_span_on(span, span->start_line))
        return false;
    struct str line = source_text_line(place, span->start_line);
    struct str code = source_text_cut(line, span->start_column, span->end_column);
    if (code.len == 0 || code.len > style->most)
        return false;
    style->quote(out, code);
    text_add_c(out, after);
    return true;
}

/* The text of the condition; where that is not known, of what it is part of. */
static bool put_text(struct text *out, const struct report_condition *condition, const char *after,
                     const struct source_place *place, const struct code_style *style)
{
    size_t before = out->len;
    if (sentence_has_text(condition))
        return put_quoted(out, &condition->span, after, place, style);
    if (condition->is_exact || condition->is_switch || condition->covered_count == 0)
        return false;
    text_add_c(out, condition->words != WORDS_UNKNOWN ? "a part of " : "");
    bool is_put = put_quoted(out, &condition->span, after, place, style);
    if (!is_put)
        out->len = before;
    return is_put;
}

/* The arms of a switch that were missed, with the text of its source. */
static bool find_cases(struct missed_cases *out, const struct report_condition *condition,
                       const struct source_place *place, struct arena *arena, struct err *err)
{
    struct str text = {NULL, 0};
    struct line_extent lines = {1, 1};
    if (missed_cases_lines(&lines, condition) &&
        !source_text_lines(&text, place, lines.first, lines.last, arena, err))
        return false;
    return missed_cases_find(out, condition, text, lines.first, arena, err);
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
                     const struct source_place *place, const struct code_style *style,
                     struct arena *arena, struct err *err)
{
    struct missed_cases cases;
    if (!find_cases(&cases, condition, place, arena, err))
        return false;
    bool are_known = missed_cases_are_known(&cases);
    bool needs_subject = sentence_needs_subject(condition);
    struct text text = text_in(arena);
    if (are_known && cases.subject.len != 0) {
        style->quote(&text, cases.subject);
        text_add(&text, STR(" "));
    } else if (are_known) {
        text_addf(&text, "%s ", SENTENCE_SWITCH);
    } else if (!put_text(&text, condition, needs_subject ? " " : ": ", place, style) &&
               needs_subject) {
        text_addf(&text, "%s ", sentence_noun(condition->words));
    }
    size_t head = text.len;
    if (are_known)
        sentence_of_cases(&text, &cases, style->quote);
    else
        sentence_of_condition(&text, condition);
    return take_words(out, &text, head, err);
}

bool missed_text_words(struct lacking_words *out, const struct column_range *range, uint32_t line,
                       const struct source_place *place, const struct code_style *style,
                       struct arena *arena, struct err *err)
{
    struct str code = source_text_shown(source_text_line(place, line), range->start, range->end);
    if (code.len == 0 || code.len > style->most)
        code = STR("");
    else if (range->end == 0 &&
             !text_format(&code, arena, err, "%.*s%s", STR_ARGS(code), style->dots))
        return false;
    struct text text = text_in(arena);
    if (code.len != 0)
        style->quote(&text, code);
    else
        text_add_c(&text, SENTENCE_STATEMENT);
    text_add(&text, STR(" "));
    size_t head = text.len;
    text_add_c(&text, SENTENCE_DID_NOT_RUN);
    return take_words(out, &text, head, err);
}

void condition_put_why(struct text *out, const struct report_why *why, uint32_t line,
                       const struct source_place *place, const struct code_style *style)
{
    struct why_said said = {.count = 0};
    for (uint32_t i = 0; i < why->root_count; i++) {
        const struct why_root *root = &why->roots[i];
        const struct fact_span *span = why_condition(root);
        why_begin(&said, out);
        if (why_needs_subject(root) && (span == NULL || !put_quoted(out, span, "", place, style)))
            text_add_c(out, sentence_noun(root->decision->words));
        why_words(out, why, root, line);
        why_end(&said, out);
    }
}

bool condition_why(struct str *out, const struct report_why *why, uint32_t line,
                   const struct source_place *place, const struct code_style *style,
                   struct arena *arena, struct err *err)
{
    struct text text = text_in(arena);
    condition_put_why(&text, why, line, place, style);
    return text_take(out, &text, err);
}

#include "coverage/report/missed_cases.h"

#include <string.h>

#include "base/ascii.h"
#include "coverage/source/line_index.h"

enum {
    LINES_MOST = 5000 /* of a switch */
};

/* --- which ones ------------------------------------------------------------------------------- */

static struct reader open_condition_arms(const struct report_condition *condition)
{
    return arms_open(condition->arms, condition->arms_len);
}

/* ARM_NO_MATCH has no span. */
static bool is_same_arm(const struct fact_arm *a, const struct fact_arm *b)
{
    return a->span.start_line == b->span.start_line && a->span.start_column == b->span.start_column;
}

/* Was the arm never taken, and is it the first of those with this text? Several outcomes may lead
 * to one arm, and other decisions: a guard that does not hold. */
static bool is_missing_arm(const struct report_condition *condition, const struct fact_arm *arm)
{
    struct fact_arm other;
    struct reader r = open_condition_arms(condition);
    for (bool is_first = true; arms_next(&r, &other);) {
        if (other.kind == ARM_SUBJECT || !is_same_arm(arm, &other))
            continue;
        if ((is_first && other.outcome != arm->outcome) || other.kind == ARM_SHARED ||
            condition->outcome_hits[other.outcome] != 0)
            return false;
        is_first = false;
    }
    return true;
}

/* Is it known which arms the outcome leads to? */
static bool is_accounted_for(const struct report_condition *condition, uint32_t outcome)
{
    struct fact_arm arm;
    struct reader r = open_condition_arms(condition);
    while (arms_next(&r, &arm))
        if (arm.kind != ARM_SUBJECT && arm.outcome == outcome)
            return true;
    return false;
}

static bool are_all_accounted_for(const struct report_condition *condition)
{
    for (uint32_t i = 0; i < condition->outcome_count; i++)
        if (condition->outcome_hits[i] == 0 && !is_accounted_for(condition, i))
            return false;
    return true;
}

bool missed_cases_lines(struct line_extent *out, const struct report_condition *condition)
{
    struct fact_arm arm;
    struct reader r = open_condition_arms(condition);
    *out = (struct line_extent){UINT32_MAX, 0};
    if (condition->arms_len == 0 || condition->covered_count == 0 ||
        condition->covered_count == condition->outcome_count || !are_all_accounted_for(condition))
        return false;
    while (arms_next(&r, &arm)) {
        if (arm.kind == ARM_NO_MATCH)
            continue;
        out->first = arm.span.start_line < out->first ? arm.span.start_line : out->first;
        out->last = arm.span.end_line > out->last ? arm.span.end_line : out->last;
    }
    return out->last != 0 && out->last - out->first <= LINES_MOST;
}

/* --- labels ----------------------------------------------------------------------------------- */

/* Up to a comment, and what a label has before that. */
static struct str before_comment(struct str label)
{
    bool in_string = false;
    for (size_t i = 0; i + 1 < label.len; i++) {
        in_string ^= label.text[i] == '"' && (i == 0 || label.text[i - 1] != '\\');
        if (!in_string && label.text[i] == '/' &&
            (label.text[i + 1] == '/' || label.text[i + 1] == '*'))
            label.len = i;
    }
    while (label.len != 0 &&
           (ascii_is_space(label.text[label.len - 1]) || label.text[label.len - 1] == ':'))
        label.len--;
    return label;
}

/* On one line, and not too long. */
static bool make_label(struct str *out, struct str whole, struct arena *arena, struct err *err)
{
    struct str label = before_comment(whole);
    size_t len = label.len > CASE_LABEL_MAX ? CASE_LABEL_MAX : label.len;
    while (len != 0 && len < label.len && ((uint8_t)label.text[len] & 0xC0) == 0x80)
        len--; /* whole characters */
    struct text made = text_in(arena);
    for (size_t i = 0; i < len; i++) {
        bool blank = ascii_is_space(label.text[i]),
             after = i != 0 && ascii_is_space(label.text[i - 1]);
        if (!blank || !after)
            text_add(&made, blank ? STR(" ") : (struct str){label.text + i, 1});
    }
    if (len < whole.len)
        text_add(&made, STR(" ..."));
    return text_take(out, &made, err);
}

/* --- the whole -------------------------------------------------------------------------------- */

static struct str text_of_arm(const struct fact_arm *arm, const struct line_index *index,
                              uint32_t first)
{
    uint32_t start, end;
    bool known =
        line_index_offset(&start, index, arm->span.start_line - first + 1,
                          arm->span.start_column) &&
        line_index_offset(&end, index, arm->span.end_line - first + 1, arm->span.end_column) &&
        start < end;
    return known ? (struct str){index->text.text + start, end - start} : STR("");
}

static struct str subject_of(struct str text)
{
    bool is_short = text.len <= CASE_SUBJECT_MAX;
    for (size_t i = 0; i < text.len; i++)
        is_short &= (uint8_t)text.text[i] >= ' ';
    return is_short ? text : STR("");
}

static bool name_missed(struct missed_cases *out, const struct report_condition *condition,
                        const struct line_index *index, uint32_t first, struct arena *arena,
                        struct err *err)
{
    struct fact_arm arm;
    struct reader r = open_condition_arms(condition);
    while (arms_next(&r, &arm)) {
        bool missing = arm.kind != ARM_SUBJECT && is_missing_arm(condition, &arm);
        struct str text = arm.kind != ARM_NO_MATCH ? text_of_arm(&arm, index, first) : STR("");
        if (arm.kind == ARM_SUBJECT)
            out->subject = subject_of(text);
        out->always_matched |= missing && arm.kind == ARM_NO_MATCH;
        if (!missing || arm.kind == ARM_NO_MATCH)
            continue;
        if (text.len == 0) { /* the file is shorter than it was */
            *out = (struct missed_cases){.named = 0};
            return true;
        }
        if (out->named < CASES_NAMED_MAX &&
            !make_label(&out->labels[out->named++], text, arena, err))
            return false;
        out->count++;
    }
    return true;
}

bool missed_cases_find(struct missed_cases *out, const struct report_condition *condition,
                       struct str text, uint32_t first, struct arena *arena, struct err *err)
{
    struct line_index index;
    struct line_extent lines;
    *out = (struct missed_cases){.named = 0};
    if (text.text == NULL || !missed_cases_lines(&lines, condition))
        return true;
    return line_index_make(&index, text, arena, err) &&
           name_missed(out, condition, &index, first, arena, err);
}

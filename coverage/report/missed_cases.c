#include "coverage/report/missed_cases.h"

#include <string.h>

#include "coverage/source/line_index.h"
#include "coverage/source/switch_arms.h"

enum {
    LINES_MOST = 5000, /* of a switch */
    LINES_AROUND = 100 /* the statements of the method: its head, arms without any, and braces */
};

enum fate {
    ARM_RAN,
    ARM_MISSED,
    ARM_SILENT, /* optimised code has no statement for `break;` */
    ARM_THROWS, /* an expression's `throw` is neither an outcome nor a statement */
    ARM_UNKNOWN
};

struct tally {
    uint32_t of[ARM_UNKNOWN + 1];
};

/* Optimised code may have no point for the head of a switch, which then lies above its arms. What
 * is read from the middle of a comment or string puts no arm where a statement starts. */
bool missed_cases_lines(struct line_extent *out, const struct report_condition *condition)
{
    *out = (struct line_extent){condition->span.start_line, condition->span.end_line};
    for (uint32_t i = 0; i < condition->start_count; i++) {
        uint32_t line = condition->starts[i].line;
        out->last = line > out->last ? line : out->last;
        out->first = line < out->first && !condition->is_exact ? line : out->first;
    }
    if (!condition->is_exact)
        out->first = out->first > LINES_AROUND ? out->first - LINES_AROUND : 1;
    out->last += LINES_AROUND;
    return condition->starts != NULL && out->last - out->first <= LINES_MOST;
}

/* The statement that starts at one of the places: of a block, the brace or what comes after it. */
static enum fate fate_of(const struct switch_arm *arm, const struct report_condition *condition,
                         const uint32_t *offsets)
{
    if (arm->has_guard && arm->has_several)
        return ARM_UNKNOWN;
    for (uint32_t k = 0; k < arm->start_count; k++)
        for (uint32_t i = 0; i < condition->start_count; i++)
            if (offsets[i] == arm->starts[k])
                return condition->starts[i].ran ? ARM_RAN : ARM_MISSED;
    return arm->throws ? ARM_THROWS : arm->breaks ? ARM_SILENT : ARM_UNKNOWN;
}

/* --- labels ----------------------------------------------------------------------------------- */

static bool has_comment(struct str label)
{
    for (size_t i = 0; i + 1 < label.len; i++)
        if (label.text[i] == '/' && (label.text[i + 1] == '/' || label.text[i + 1] == '*'))
            return true;
    return false;
}

/* On one line, and not too long. */
static bool make_label(struct str *out, struct str text, const struct switch_arm *arm,
                       struct arena *arena, struct err *err)
{
    struct text made;
    struct str label = {text.text + arm->label_start, arm->label_end - arm->label_start};
    bool is_cut = has_comment(label) || label.len > CASE_LABEL_MAX;
    if (is_cut)
        label.len = arm->first_end - arm->label_start;
    is_cut &= arm->first_end != arm->label_end || label.len > CASE_LABEL_MAX;
    size_t len = label.len > CASE_LABEL_MAX ? CASE_LABEL_MAX : label.len;
    while (len != 0 && len < label.len && ((uint8_t)label.text[len] & 0xC0) == 0x80)
        len--; /* whole characters */
    text_open(&made, arena);
    for (size_t i = 0; i < len; i++) {
        bool blank = strchr(" \t\r\n", label.text[i]) != NULL;
        bool after = i != 0 && strchr(" \t\r\n", label.text[i - 1]) != NULL;
        if (!blank || !after)
            text_add(&made, blank ? STR(" ") : (struct str){label.text + i, 1});
    }
    if (is_cut)
        text_add(&made, STR(" ..."));
    return text_take(out, &made, err);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool name_cases(struct missed_cases *out, struct str text, const struct switch_arms *arms,
                       const enum fate *fates, bool silent_too, struct arena *arena,
                       struct err *err)
{
    for (uint32_t i = 0; i < arms->count; i++) {
        if (fates[i] != ARM_MISSED && !(silent_too && fates[i] == ARM_SILENT))
            continue;
        if (out->named < CASES_NAMED_MAX &&
            !make_label(&out->labels[out->named++], text, &arms->items[i], arena, err))
            return false;
        out->count++;
    }
    return true;
}

static bool has_guards(const struct switch_arms *arms)
{
    bool any = false;
    for (uint32_t i = 0; i < arms->count; i++)
        any |= arms->items[i].has_guard;
    return any;
}

/* A guard that does not hold leads on, too, but its ways are counted as its own: where arms have
 * guards, nothing is said of what comes when no arm was taken. Arms with statements are an
 * outcome each. All without one, and where no arm matches, come out after the switch, which is
 * one more. */
static bool explain(struct missed_cases *out, const struct report_condition *condition,
                    struct str text, const struct switch_arms *arms, const enum fate *fates,
                    struct arena *arena, struct err *err)
{
    struct tally tally = {{0}};
    for (uint32_t i = 0; i < arms->count; i++)
        tally.of[fates[i]]++;
    uint32_t missed = condition->outcome_count - condition->covered_count;
    uint32_t own = tally.of[ARM_RAN] + tally.of[ARM_MISSED];
    bool may_pass = !arms->is_expression && !arms->has_default;
    bool goes_past = tally.of[ARM_SILENT] != 0 || may_pass;
    bool all_are_own = condition->outcome_count == own && tally.of[ARM_SILENT] == 0;
    bool one_is_past = condition->outcome_count == own + 1 && goes_past;
    bool past_missed = one_is_past && missed == tally.of[ARM_MISSED] + 1 && !has_guards(arms);
    if (tally.of[ARM_UNKNOWN] != 0 || (!all_are_own && !one_is_past) ||
        (missed != tally.of[ARM_MISSED] && !past_missed))
        return true;
    out->is_expression = arms->is_expression;
    out->always_matched = past_missed && may_pass;
    return name_cases(out, text, arms, fates, past_missed, arena, err);
}

/* Of a switch without text of its own, the condition has that of the first statement of an arm. */
static bool find_arms(struct switch_arms *out, const struct report_condition *condition,
                      const struct line_index *index, uint32_t first, struct arena *arena,
                      struct err *err)
{
    const struct fact_span *span = &condition->span;
    uint32_t start, end;
    *out = (struct switch_arms){.items = NULL};
    if (!line_index_offset(&start, index, span->start_line - first + 1, span->start_column) ||
        !line_index_offset(&end, index, span->end_line - first + 1, span->end_column))
        return true;
    if (condition->is_exact) {
        if (!switch_arms_find(out, index->text, end, arena, err))
            return false;
        out->value = (struct str){index->text.text + start, end - start};
        return true;
    }
    if (!switch_arms_around(out, index->text, start, arena, err))
        return false;
    bool is_start = false;
    for (uint32_t i = 0; i < out->count; i++)
        for (uint32_t k = 0; k < out->items[i].start_count; k++)
            is_start |= out->items[i].starts[k] == start;
    out->is_known &= is_start;
    return true;
}

static void set_value(struct missed_cases *out, struct str value)
{
    bool is_short = value.len <= CASE_VALUE_MAX;
    for (size_t i = 0; i < value.len; i++)
        is_short &= (uint8_t)value.text[i] >= ' ';
    out->value = is_short ? value : STR("");
}

static bool find(struct missed_cases *out, const struct report_condition *condition,
                 struct str text, uint32_t first, struct arena *arena, struct err *err)
{
    struct line_index index;
    struct switch_arms arms;
    if (!line_index_make(&index, text, arena, err))
        return false;
    if (index.is_mapped)
        return true;
    if (!find_arms(&arms, condition, &index, first, arena, err))
        return false;
    uint32_t *offsets = ARENA_NEW(arena, uint32_t, condition->start_count, err);
    enum fate *fates = ARENA_NEW(arena, enum fate, arms.count, err);
    if (offsets == NULL || fates == NULL)
        return false;
    for (uint32_t i = 0; i < condition->start_count; i++)
        if (!line_index_offset(&offsets[i], &index, condition->starts[i].line - first + 1,
                               condition->starts[i].column))
            offsets[i] = UINT32_MAX;
    for (uint32_t i = 0; i < arms.count; i++)
        fates[i] = fate_of(&arms.items[i], condition, offsets);
    set_value(out, arms.value);
    return !arms.is_known || explain(out, condition, text, &arms, fates, arena, err);
}

bool missed_cases_find(struct missed_cases *out, const struct report_condition *condition,
                       struct str text, uint32_t first, struct arena *arena, struct err *err)
{
    *out = (struct missed_cases){.named = 0};
    return condition->starts == NULL || text.text == NULL ||
           find(out, condition, text, first, arena, err);
}

#include "coverage/report/line_sums.h"

#include <string.h>

bool condition_add_hits(const uint64_t **into, const uint64_t *from, uint32_t count,
                        struct arena *arena, struct err *err)
{
    uint64_t *sums = ARENA_NEW(arena, uint64_t, count, err);
    if (sums == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sums[i] = number_add((*into)[i], from[i]);
    *into = sums;
    return true;
}

uint32_t condition_count_covered(const uint64_t *hits, uint32_t count)
{
    uint32_t covered = 0;
    for (uint32_t i = 0; i < count; i++)
        covered += hits[i] != 0;
    return covered;
}

static bool are_alike_conditions(const struct report_condition *a, const struct report_condition *b)
{
    return a->is_switch == b->is_switch && a->outcome_count == b->outcome_count;
}

static uint64_t sum_outcome_counts(const struct report_condition *conditions, uint32_t count)
{
    uint64_t outcomes = 0;
    for (uint32_t i = 0; i < count; i++)
        outcomes += conditions[i].outcome_count;
    return outcomes;
}

static bool are_reversed(enum outcome_words a, enum outcome_words b)
{
    static const enum outcome_words other[WORDS_LAST + 1] = {
        [WORDS_FALSE_TRUE] = WORDS_TRUE_FALSE, [WORDS_TRUE_FALSE] = WORDS_FALSE_TRUE,
        [WORDS_VALUE_NULL] = WORDS_NULL_VALUE, [WORDS_NULL_VALUE] = WORDS_VALUE_NULL,
        [WORDS_BODY_END] = WORDS_END_BODY,     [WORDS_END_BODY] = WORDS_BODY_END,
    };
    return a != WORDS_UNKNOWN && other[a] == b;
}

static bool has_same_arms(const struct report_condition *a, const struct report_condition *b)
{
    return a->arms_len == b->arms_len &&
           (a->arms_len == 0 || memcmp(a->arms, b->arms, a->arms_len) == 0);
}

/* Another build of the same source may test the opposite: its outcomes are then the other way
 * round. */
static bool add_outcomes(struct report_condition *into, const struct report_condition *from,
                         struct arena *arena, struct err *err)
{
    const uint64_t *hits = from->outcome_hits;
    uint64_t swapped[2];
    if (!has_same_arms(into, from))
        into->arms_len = 0;
    if (are_reversed(into->words, from->words)) {
        swapped[0] = hits[1];
        swapped[1] = hits[0];
        hits = swapped;
    } else if (into->words != from->words) {
        into->words = WORDS_UNKNOWN;
    }
    if (!condition_add_hits(&into->outcome_hits, hits, into->outcome_count, arena, err))
        return false;
    into->covered_count = condition_count_covered(into->outcome_hits, into->outcome_count);
    into->never_asked &= from->never_asked;
    return true;
}

static bool all_alike(const struct report_line *line, const struct report_condition *conditions,
                      uint32_t count)
{
    if (line->condition_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!are_alike_conditions(&line->conditions[i], &conditions[i]))
            return false;
    return true;
}

bool line_sums_add(struct report_line *line, struct report_condition *conditions, uint32_t count,
                   struct arena *arena, struct err *err)
{
    if (!all_alike(line, conditions, count)) {
        if (sum_outcome_counts(conditions, count) >
            sum_outcome_counts(line->conditions, line->condition_count)) {
            line->conditions = conditions;
            line->condition_count = count;
        }
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!add_outcomes(&line->conditions[i], &conditions[i], arena, err))
            return false;
    return true;
}

void line_sums_count(struct report_line *line)
{
    line->outcome_count = line->covered_count = 0;
    for (uint32_t i = 0; i < line->condition_count; i++) {
        line->outcome_count += line->conditions[i].outcome_count;
        line->covered_count += line->conditions[i].covered_count;
    }
}

static bool is_copied_line(const struct class_line *class, const struct report_line *line,
                           const struct fact_statement *statement)
{
    if (class->last == NULL || statement_place_order(class->last, statement) != 0 ||
        class->line.condition_count - class->last_start != line->condition_count)
        return false;
    for (uint32_t i = 0; i < line->condition_count; i++)
        if (!are_alike_conditions(&class->line.conditions[class->last_start + i],
                                  &line->conditions[i]))
            return false;
    return true;
}

static bool reserve_conditions(struct class_line *class, uint32_t more, struct arena *arena,
                               struct err *err)
{
    uint32_t count = class->line.condition_count;
    if (class->room >= count + more)
        return true;
    uint32_t room = (count + more) * 2;
    struct report_condition *conditions = ARENA_NEW(arena, struct report_condition, room, err);
    if (conditions == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        conditions[i] = class->line.conditions[i];
    class->line.conditions = conditions;
    class->room = room;
    return true;
}

bool class_line_add(struct class_line *class, const struct report_line *line,
                    const struct fact_statement *statement, struct arena *arena, struct err *err)
{
    uint32_t count = line->condition_count;
    if (count == 0)
        return true;
    if (class->line.condition_count == 0) {
        class->line.conditions = line->conditions;
        class->line.condition_count = count;
        class->last = statement;
        return true;
    }
    bool copy = is_copied_line(class, line, statement);
    if (!reserve_conditions(class, copy ? 0 : count, arena, err))
        return false;
    if (copy) {
        for (uint32_t i = 0; i < count; i++)
            if (!add_outcomes(&class->line.conditions[class->last_start + i], &line->conditions[i],
                              arena, err))
                return false;
        return true;
    }
    class->last = statement;
    class->last_start = class->line.condition_count;
    for (uint32_t i = 0; i < count; i++) {
        struct report_condition *added = &class->line.conditions[class->line.condition_count++];
        *added = line->conditions[i];
        added->expression += class->last_start;
    }
    return true;
}

/* Each line, all numbers LEB128:
 *
 *   lines after the one before   hits   number of conditions
 *   outcomes   covered                  if it has conditions: their sums
 *
 * Each of its conditions:
 *
 *   outcomes * 8 + COVERED + IS_SWITCH + NEVER_ASKED   words
 *   hits of each outcome                               if COVERED: there are any */
#include "coverage/report/brief_lines.h"

#include "base/list.h"

enum {
    NEVER_ASKED = 1,
    IS_SWITCH = 2,
    COVERED = 4,
    FLAG_BITS = 3
};

static void put_condition(struct writer *w, const struct report_condition *condition)
{
    uint32_t flags = (condition->never_asked ? (uint32_t)NEVER_ASKED : 0) |
                     (condition->is_switch ? (uint32_t)IS_SWITCH : 0) |
                     (condition->covered_count != 0 ? (uint32_t)COVERED : 0);
    wr_leb128(w, (uint64_t)condition->outcome_count << FLAG_BITS | flags);
    wr_leb128(w, condition->words);
    for (uint32_t i = 0; (flags & COVERED) != 0 && i < condition->outcome_count; i++)
        wr_leb128(w, condition->outcome_hits[i]);
}

static void put_line(struct writer *w, const struct report_line *line, uint32_t before)
{
    wr_leb128(w, line->number - before);
    wr_leb128(w, line->hits);
    wr_leb128(w, line->condition_count);
    if (line->condition_count != 0) {
        wr_leb128(w, line->outcome_count);
        wr_leb128(w, line->covered_count);
    }
    for (uint32_t i = 0; i < line->condition_count; i++)
        put_condition(w, &line->conditions[i]);
}

bool brief_lines_make(struct report_lines *lines, struct writer *buffer, struct arena *arena,
                      struct err *err)
{
    struct view kept;
    uint32_t before = 0;
    buffer->len = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        put_line(buffer, &lines->lines[i], before);
        before = lines->lines[i].number;
    }
    if (buffer->failed)
        return err_set(err, ERR_MEMORY, "out of memory: %u lines", lines->count);
    if (!view_copy(&kept, (struct view){buffer->data, buffer->len}, arena, err))
        return false;
    *lines = (struct report_lines){.brief = kept.data, .brief_len = (uint32_t)kept.len};
    return true;
}

struct line_walk line_walk_open(const struct report_lines *lines)
{
    return (struct line_walk){.lines = lines, .brief = rd_open(lines->brief, lines->brief_len)};
}

static void take_line(struct brief_line *out, struct line_walk *walk)
{
    walk->number += (uint32_t)rd_leb128(&walk->brief);
    *out = (struct brief_line){.number = walk->number, .hits = rd_leb128(&walk->brief)};
    out->condition_count = (uint32_t)rd_leb128(&walk->brief);
    if (out->condition_count != 0) {
        out->outcome_count = (uint32_t)rd_leb128(&walk->brief);
        out->covered_count = (uint32_t)rd_leb128(&walk->brief);
    }
    walk->conditions_left = out->condition_count;
}

/* All but the hits of its outcomes, which follow if `*has_hits`; else they are 0. */
static struct report_condition take_condition(bool *has_hits, struct line_walk *walk)
{
    uint64_t head = rd_leb128(&walk->brief);
    walk->conditions_left--;
    *has_hits = (head & COVERED) != 0;
    return (struct report_condition){.is_switch = (head & IS_SWITCH) != 0,
                                     .never_asked = (head & NEVER_ASKED) != 0,
                                     .outcome_count = (uint32_t)(head >> FLAG_BITS),
                                     .words = (enum outcome_words)rd_leb128(&walk->brief)};
}

bool line_walk_next(struct brief_line *out, struct line_walk *walk)
{
    while (walk->conditions_left != 0)
        (void)line_walk_condition(walk);
    if (rd_left(&walk->brief) != 0) {
        take_line(out, walk);
        return true;
    }
    if (walk->next == walk->lines->count)
        return false;
    const struct report_line *line = &walk->lines->lines[walk->next++];
    walk->conditions = line->conditions;
    *out = (struct brief_line){.number = line->number,
                               .condition_count = line->condition_count,
                               .hits = line->hits,
                               .outcome_count = line->outcome_count,
                               .covered_count = line->covered_count};
    return true;
}

struct brief_condition line_walk_condition(struct line_walk *walk)
{
    if (walk->brief.len == 0) {
        const struct report_condition *condition = walk->conditions++;
        return (struct brief_condition){condition->outcome_count, condition->covered_count};
    }
    bool has_hits;
    struct brief_condition brief = {.outcome_count = take_condition(&has_hits, walk).outcome_count};
    for (uint32_t i = 0; has_hits && i < brief.outcome_count; i++)
        brief.covered_count += rd_leb128(&walk->brief) != 0;
    return brief;
}

/* --- whole again ------------------------------------------------------------------------------ */

static bool unpack_condition(struct report_condition *out, struct line_walk *walk,
                             struct arena *arena, struct err *err)
{
    bool has_hits;
    *out = take_condition(&has_hits, walk);
    uint64_t *hits = arena_raw(arena, out->outcome_count, sizeof *hits, err);
    if (hits == NULL)
        return false;
    for (uint32_t i = 0; i < out->outcome_count; i++) {
        hits[i] = has_hits ? rd_leb128(&walk->brief) : 0;
        out->covered_count += hits[i] != 0;
    }
    out->outcome_hits = hits;
    return true;
}

static bool unpack_line(struct report_line *out, const struct brief_line *line,
                        struct line_walk *walk, struct arena *arena, struct err *err)
{
    *out = (struct report_line){
        .number = line->number,
        .hits = line->hits,
        .conditions = ARENA_NEW(arena, struct report_condition, line->condition_count, err),
        .condition_count = line->condition_count,
        .outcome_count = line->outcome_count,
        .covered_count = line->covered_count};
    bool ok = out->conditions != NULL;
    for (uint32_t i = 0; ok && i < line->condition_count; i++)
        ok = unpack_condition(&out->conditions[i], walk, arena, err);
    return ok;
}

bool brief_lines_unpack(struct report_lines *out, const struct report_lines *lines,
                        struct arena *arena, struct err *err)
{
    struct line_walk walk = line_walk_open(lines);
    struct brief_line line;
    struct list list = {.items = NULL};
    *out = *lines;
    if (lines->brief_len == 0)
        return true;
    while (line_walk_next(&line, &walk)) {
        struct report_line *whole = list_add(&list, sizeof *whole, arena, err);
        if (whole == NULL || !unpack_line(whole, &line, &walk, arena, err))
            return false;
    }
    *out = (struct report_lines){.lines = list.items, .count = list.count};
    return true;
}

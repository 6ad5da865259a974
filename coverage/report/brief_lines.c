/* Each line, all numbers LEB128:
 *
 *   lines after the one before   hits   number of conditions
 *   outcomes   covered     if it has conditions: their sums, then the same of each */
#include "coverage/report/brief_lines.h"

static void put_counts(struct writer *w, uint32_t outcome_count, uint32_t covered_count)
{
    wr_leb128(w, outcome_count);
    wr_leb128(w, covered_count);
}

static void put_line(struct writer *w, const struct report_line *line, uint32_t before)
{
    wr_leb128(w, line->number - before);
    wr_leb128(w, line->hits);
    wr_leb128(w, line->condition_count);
    if (line->condition_count != 0)
        put_counts(w, line->outcome_count, line->covered_count);
    for (uint32_t i = 0; i < line->condition_count; i++)
        put_counts(w, line->conditions[i].outcome_count, line->conditions[i].covered_count);
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

static struct brief_condition take_counts(struct line_walk *walk)
{
    struct brief_condition counts = {.outcome_count = (uint32_t)rd_leb128(&walk->brief)};
    counts.covered_count = (uint32_t)rd_leb128(&walk->brief);
    return counts;
}

static void take_line(struct brief_line *out, struct line_walk *walk)
{
    walk->number += (uint32_t)rd_leb128(&walk->brief);
    *out = (struct brief_line){.number = walk->number, .hits = rd_leb128(&walk->brief)};
    out->condition_count = (uint32_t)rd_leb128(&walk->brief);
    if (out->condition_count != 0) {
        struct brief_condition sums = take_counts(walk);
        out->outcome_count = sums.outcome_count;
        out->covered_count = sums.covered_count;
    }
}

bool line_walk_next(struct brief_line *out, struct line_walk *walk)
{
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
    if (walk->brief.len != 0)
        return take_counts(walk);
    const struct report_condition *condition = walk->conditions++;
    return (struct brief_condition){condition->outcome_count, condition->covered_count};
}

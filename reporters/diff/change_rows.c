#include "reporters/diff/change_rows.h"

#include "base/fnv.h"
#include "base/list.h"
#include "coverage/diff/side_by_side.h"
#include "reporters/source_text.h"

enum {
    GAP_MOST = 8, /* lines without code between two of a method that are shown */
    ABOVE = 2,    /* lines shown before those of a method: its head */
    BELOW = 1,    /* and after them */
    CONTEXT = 3,  /* rows shown around one that matters */
    ROWS_MAX = 2000
};

struct row_side {
    struct list lines; /* struct change_line */
    struct source_place place;
    bool has_text;
};

struct rows_making {
    const struct change_section *section;
    struct row_side was, now;
    struct arena *arena;
    struct err *err;
};

/* --- one side --------------------------------------------------------------------------------- */

static bool add_side_line(struct row_side *side, uint32_t number, const struct diff_line *now,
                          const struct diff_old_line *was, struct rows_making *m)
{
    struct change_line line = {.number = number, .now = now, .was = was};
    struct str text = source_text_line(&side->place, number);
    bool has_code = now != NULL || was != NULL;
    if (text.text == NULL && !has_code)
        return true;
    if (text.text != NULL && !str_copy(&line.text, text, m->arena, m->err))
        return false;
    side->has_text = side->has_text || text.text != NULL;
    return list_put(&side->lines, &line, sizeof line, m->arena, m->err);
}

/* Lines between the last one and `number`, if they are few or next to it. */
static bool add_between(struct row_side *side, uint32_t number, struct rows_making *m)
{
    const struct change_line *lines = side->lines.items;
    uint32_t last = side->lines.count != 0 ? lines[side->lines.count - 1].number : 0;
    uint32_t from = last + 1;
    if (side->lines.count == 0 || number - last > GAP_MOST) {
        /* The next ones belong to the last line, if there is one. */
        for (uint32_t i = 0; side->lines.count != 0 && i < BELOW && from < number; i++)
            if (!add_side_line(side, from++, NULL, NULL, m))
                return false;
        from = number > from + ABOVE ? number - ABOVE : from;
    }
    for (; from < number; from++)
        if (!add_side_line(side, from, NULL, NULL, m))
            return false;
    return true;
}

static bool add_lines_below(struct row_side *side, struct rows_making *m)
{
    const struct change_line *lines = side->lines.items;
    uint32_t last = side->lines.count != 0 ? lines[side->lines.count - 1].number : UINT32_MAX;
    for (uint32_t i = 1; i <= BELOW && last < UINT32_MAX - i; i++)
        if (!add_side_line(side, last + i, NULL, NULL, m))
            return false;
    return true;
}

static struct change_line *last_side_line(struct row_side *side)
{
    return (struct change_line *)side->lines.items + side->lines.count - 1;
}

static bool read_now(struct rows_making *m)
{
    const struct diff_section *section = m->section->of;
    m->now.place =
        (struct source_place){m->section->now, section->method.package, section->method.file};
    for (uint32_t i = 0, n = 0; i < section->line_count; i++) {
        uint32_t number = section->lines[i];
        const struct diff_line *line = diff_file_line(m->section->file, number);
        if (!add_between(&m->now, number, m) || !add_side_line(&m->now, number, line, NULL, m))
            return false;
        while (n < section->note_count && section->notes[n].line < number)
            n++;
        if (n < section->note_count && section->notes[n].line == number)
            last_side_line(&m->now)->note = &section->notes[n];
    }
    return section->line_count == 0 || add_lines_below(&m->now, m);
}

static bool read_was(struct rows_making *m)
{
    const struct diff_was *was = m->section->of->was;
    if (was == NULL)
        return true;
    m->was.place = (struct source_place){m->section->was, was->package, was->file};
    for (uint32_t i = 0; i < was->line_count; i++)
        if (!add_between(&m->was, was->lines[i].number, m) ||
            !add_side_line(&m->was, was->lines[i].number, NULL, &was->lines[i], m))
            return false;
    return was->line_count == 0 || add_lines_below(&m->was, m);
}

/* --- both ------------------------------------------------------------------------------------- */

/* By their text without the blanks around it: code that is set in further is the same. */
static uint32_t *hash_lines(const struct row_side *side, struct arena *arena, struct err *err)
{
    uint32_t *hashes = ARENA_NEW(arena, uint32_t, side->lines.count, err);
    const struct change_line *lines = side->lines.items;
    for (uint32_t i = 0; hashes != NULL && i < side->lines.count; i++) {
        struct str text = str_trim(lines[i].text, " \t\r\f\v");
        uint64_t hash = fnv_bytes(FNV_START, text.text, text.len);
        hashes[i] = (uint32_t)(hash ^ hash >> 32);
    }
    return hashes;
}

static bool is_row_shown(const struct change_row *row)
{
    return row->was == NULL || row->now == NULL || !row->is_same ||
           (row->now->now != NULL && diff_line_is_shown(row->now->now));
}

/* Of the rows of one side alone, those with something to tell matter; of an added or removed
 * method, all do. */
static bool is_row_shown_alone(const struct change_row *row, const struct diff_section *section)
{
    enum diff_kind kind = section->method.kind;
    const struct diff_line *now = row->now != NULL ? row->now->now : NULL;
    return kind == DIFF_ADDED || kind == DIFF_REMOVED || (now != NULL && diff_line_is_shown(now));
}

/* Leaves out what is far from anything that matters. */
static bool thin_out(struct change_rows *out, bool both, struct rows_making *m)
{
    uint32_t count = 0, near = 0;
    bool *keep = ARENA_NEW(m->arena, bool, out->count, m->err);
    if (keep == NULL)
        return false;
    for (int pass = 0; pass < 2; pass++, near = 0)
        for (uint32_t k = 0; k < out->count; k++) {
            uint32_t i = pass == 0 ? k : out->count - 1 - k;
            bool here = both ? is_row_shown(&out->rows[i])
                             : is_row_shown_alone(&out->rows[i], m->section->of);
            near = here ? CONTEXT + 1 : near != 0 ? near - 1 : 0;
            keep[i] = keep[i] || near != 0;
        }
    for (uint32_t i = 0, last = 0; i < out->count; i++) {
        if (!keep[i])
            continue;
        if (count == ROWS_MAX) {
            out->cut++;
            continue;
        }
        struct change_row row = out->rows[i];
        row.skips = row.skips || (count != 0 && last + 1 != i);
        out->rows[count++] = row;
        last = i;
    }
    out->count = count;
    return true;
}

/* Numbers that do not follow each other. */
static bool jumps_ahead(const struct change_line *last, const struct change_line *next)
{
    return last != NULL && next != NULL && next->number != last->number + 1;
}

static bool make_rows(struct change_rows *out, struct rows_making *m)
{
    struct side_by_side side_by_side;
    const struct change_line *was = m->was.lines.items, *now = m->now.lines.items;
    uint32_t *was_hashes = hash_lines(&m->was, m->arena, m->err);
    uint32_t *now_hashes = hash_lines(&m->now, m->arena, m->err);
    if (was_hashes == NULL || now_hashes == NULL ||
        !side_by_side_make(&side_by_side, was_hashes, m->was.lines.count, now_hashes,
                           m->now.lines.count, m->arena, m->err))
        return false;
    out->rows = ARENA_NEW(m->arena, struct change_row, side_by_side.count, m->err);
    if (out->rows == NULL)
        return false;
    const struct change_line *last_was = NULL, *last_now = NULL;
    for (; out->count < side_by_side.count; out->count++) {
        const struct side_by_side_row *from = &side_by_side.rows[out->count];
        struct change_row *row = &out->rows[out->count];
        *row = (struct change_row){.is_same = from->is_same};
        row->was = from->was != NO_INDEX ? &was[from->was] : NULL;
        row->now = from->now != NO_INDEX ? &now[from->now] : NULL;
        row->skips = jumps_ahead(last_was, row->was) || jumps_ahead(last_now, row->now);
        last_was = row->was != NULL ? row->was : last_was;
        last_now = row->now != NULL ? row->now : last_now;
    }
    return thin_out(out, m->was.lines.count != 0 && m->now.lines.count != 0, m);
}

/* With its end. */
static size_t text_len(const struct change_line *line)
{
    return line != NULL && line->text.text != NULL ? line->text.len + 1 : 0;
}

bool change_rows_make(struct change_rows *out, const struct change_section *section,
                      struct arena *arena, struct err *err)
{
    struct rows_making making = {.section = section, .arena = arena, .err = err};
    struct rows_making *m = &making;
    *out = (struct change_rows){.rows = NULL};
    if (!read_was(m) || !read_now(m))
        return false;
    out->has_was = m->was.has_text;
    out->has_now = m->now.has_text;
    bool is_gone = section->of->line_count == 0; /* of one side, the other has no rows */
    if (is_gone)
        m->now.lines.count = 0;
    else if (!out->has_was || !out->has_now)
        m->was.lines.count = 0;
    bool ok = make_rows(out, m);
    for (uint32_t i = 0; ok && i < out->count; i++) {
        const struct change_row *row = &out->rows[i];
        out->source_len += text_len(row->was) + text_len(row->now);
    }
    return ok;
}

#include "coverage/source/line_index.h"

#include "base/ascii.h"
#include "base/list.h"
#include "base/sort.h"
#include "base/utf16.h"
#include "coverage/facts/facts.h"

enum {
    BOM_LEN = 3
};

uint32_t line_end_len(struct str text)
{
    unsigned char c = text.len != 0 ? (unsigned char)text.text[0] : 0;
    if (c != '\r' && c != '\n' && c != 0xC2 && c != 0xE2) /* nearly all */
        return 0;
    if (str_starts(text, "\r\n") || str_starts(text, "\xC2\x85"))
        return 2;
    if (str_starts(text, "\xE2\x80\xA8") || str_starts(text, "\xE2\x80\xA9"))
        return 3;
    return c == '\n' || c == '\r';
}

/* The next byte that may begin a line end. */
static uint32_t next_candidate(struct str text, uint32_t at)
{
    static const bool may_begin[256] = {['\n'] = true, ['\r'] = true, [0xC2] = true, [0xE2] = true};
    while (at < text.len && !may_begin[(unsigned char)text.text[at]])
        at++;
    return at;
}

/* `#line 12`, `#line (1, 2) - (3, 4)` */
static bool maps_lines(struct str line)
{
    line = str_trim_start(line, " \t");
    if (!str_take(&line, "#"))
        return false;
    line = str_trim_start(line, " \t");
    if (!str_take(&line, "line"))
        return false;
    line = str_trim_start(line, " \t");
    return str_starts(line, "(") || (line.len != 0 && ascii_is_digit(line.text[0]));
}

bool line_index_make(struct line_index *out, struct str text, struct arena *arena, struct err *err)
{
    struct list starts = {0};
    uint32_t at = str_starts(text, "\xEF\xBB\xBF") ? BOM_LEN : 0;
    if (text.len >= UINT32_MAX)
        return err_set(err, ERR_LIMIT, "a source has %zu bytes", text.len);
    bool is_mapped = maps_lines(str_from(text, at));
    bool ok = list_put(&starts, &at, sizeof at, arena, err);
    while (ok && (at = next_candidate(text, at)) < text.len) {
        uint32_t end = line_end_len(str_from(text, at));
        at += end != 0 ? end : 1;
        if (end == 0)
            continue;
        is_mapped = is_mapped || maps_lines(str_from(text, at));
        ok = list_put(&starts, &at, sizeof at, arena, err);
    }
    ok = ok && list_put(&starts, &at, sizeof at, arena, err); /* the end */
    *out = (struct line_index){text, starts.items, starts.count - 1, is_mapped};
    return ok;
}

/* Length of the line end that the text ends with, or 0. */
static size_t end_before(struct str line)
{
    for (size_t len = 3; len > 0; len--) /* CR LF is longer than LF */
        if (len <= line.len && line_end_len(str_from(line, line.len - len)) == len)
            return len;
    return 0;
}

struct str line_index_line(const struct line_index *index, uint32_t line)
{
    uint32_t start = index->starts[line - 1];
    struct str text = {index->text.text + start, index->starts[line] - start};
    text.len -= end_before(text);
    return text;
}

/* 16-bit units of the character at *pos; 0 if it is not UTF-8. */
static uint32_t units_at(struct str text, size_t *pos)
{
    if ((unsigned char)text.text[*pos] < 0x80) { /* nearly all */
        ++*pos;
        return 1;
    }
    uint32_t c = utf8_next(text.text, text.len, pos);
    return c == 0xFFFD ? 0 : c > 0xFFFF ? 2 : 1;
}

bool line_index_offset(uint32_t *offset, const struct line_index *index, uint32_t line,
                       uint32_t column)
{
    if (line == 0 || line > index->count || column == 0)
        return false;
    size_t at = index->starts[line - 1];
    for (uint32_t reached = 1; reached < column;) {
        uint32_t units = at < index->starts[line] ? units_at(index->text, &at) : 0;
        reached += units;
        if (units == 0 || reached > column)
            return false;
    }
    *offset = (uint32_t)at;
    return true;
}

bool line_index_point(uint32_t *start, uint32_t *end, const struct line_index *index,
                      const struct seq_point *point)
{
    return line_index_offset(start, index, point->start_line, point->start_column) &&
           line_index_offset(end, index, point->end_line, point->end_column) && *end > *start;
}

struct str line_index_text_of(const struct line_index *index, const struct seq_points *points,
                              uint32_t point)
{
    const struct seq_point *p = &points->points[point];
    uint32_t start, end;
    return index != NULL && !index->is_mapped && p->document == points->points[0].document &&
                   line_index_point(&start, &end, index, p)
               ? (struct str){index->text.text + start, end - start}
               : STR("");
}

void line_index_place(uint32_t *line, uint32_t *column, const struct line_index *index,
                      uint32_t offset)
{
    const uint32_t next = offset + 1;
    uint32_t begun = (uint32_t)sorted_place(&next, index->starts, index->count,
                                            sizeof *index->starts, u32_order);
    *line = begun != 0 ? begun : 1; /* before the first is a mark of the encoding */
    *column = 1;
    for (size_t at = index->starts[*line - 1]; at < offset;) {
        uint32_t units = units_at(index->text, &at);
        *column += units != 0 ? units : 1;
    }
}

struct fact_span line_index_span(const struct line_index *index, uint32_t start, uint32_t end)
{
    struct fact_span span = {.start_column = 0};
    uint32_t from, to;
    line_index_place(&span.start_line, &from, index, start);
    line_index_place(&span.end_line, &to, index, end < start ? start : end);
    if (start <= end && from < COLUMN_UNKNOWN && to < COLUMN_UNKNOWN) {
        span.start_column = (uint16_t)from;
        span.end_column = (uint16_t)to;
    }
    return span;
}

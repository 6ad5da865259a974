#include "reporters/source_text.h"

#include "base/utf16.h"

struct str source_text_line(const struct source_place *place, uint32_t number)
{
    struct str line = sources_line(place, number);
    if (number == 1 && line.text != NULL)
        (void)str_take(&line, "\xEF\xBB\xBF");
    return line;
}

bool source_text_lines(struct str *out, const struct source_place *place, uint32_t first,
                       uint32_t last, struct arena *arena, struct err *err)
{
    *out = (struct str){NULL, 0};
    struct text text = text_in(arena);
    for (uint32_t number = first; number <= last; number++) {
        struct str line = source_text_line(place, number);
        if (line.text == NULL && number == first)
            return true;
        if (line.text == NULL)
            break;
        text_add(&text, line);
        text_add(&text, STR("\n"));
    }
    return text_take(out, &text, err);
}

struct str source_text_without_end(struct str line)
{
    while (line.len != 0 && (uint8_t)line.text[line.len - 1] <= ' ')
        line.len--;
    return line;
}

struct str source_text_start(struct str line, size_t most)
{
    if (line.len <= most)
        return line;
    while (most != 0 && ((uint8_t)line.text[most] & 0xC0) == 0x80)
        most--;
    return (struct str){line.text, most};
}

/* Where a column begins, in bytes. */
static size_t offset_of_column(struct str line, uint16_t column)
{
    size_t pos = 0;
    for (uint32_t at = 1; pos < line.len && (column == 0 || at < column);)
        at += utf8_next(line.text, line.len, &pos) >= 0x10000 ? 2 : 1;
    return pos;
}

struct str source_text_cut(struct str line, uint16_t start_column, uint16_t end_column)
{
    if (line.text == NULL)
        return (struct str){"", 0};
    size_t start = offset_of_column(line, start_column);
    size_t end = offset_of_column(line, end_column);
    return end > start ? (struct str){line.text + start, end - start} : (struct str){"", 0};
}

struct str source_text_mark(struct str line, uint16_t start_column, uint16_t end_column,
                            size_t from)
{
    struct str part = source_text_cut(line, start_column, end_column);
    part = str_trim_start(part, " \t");
    return part.len != 0 && (size_t)(part.text - line.text) >= from ? part : STR("");
}

struct str source_text_shown(struct str line, uint16_t start_column, uint16_t end_column)
{
    return str_trim(source_text_cut(line, start_column, end_column), " \t\r\f\v");
}

#include "reporters/source_text.h"

#include "base/utf16.h"

struct str source_text_line(const struct sources *sources, struct str package, struct str path,
                            uint32_t number)
{
    static const char mark[] = "\xEF\xBB\xBF";
    struct str line = sources_line(sources, package, path, number);
    if (number == 1 && line.text != NULL && str_starts(line, mark))
        line = (struct str){line.text + sizeof mark - 1, line.len - (sizeof mark - 1)};
    return line;
}

bool source_text_lines(struct str *out, const struct sources *sources, struct str package,
                       struct str path, uint32_t first, uint32_t last, struct arena *arena,
                       struct err *err)
{
    struct text text;
    *out = (struct str){NULL, 0};
    text_open(&text, arena);
    for (uint32_t number = first; number <= last; number++) {
        struct str line = source_text_line(sources, package, path, number);
        if (line.text == NULL && number == first)
            return true;
        if (line.text == NULL)
            break;
        text_add(&text, line);
        text_add(&text, STR("\n"));
    }
    return text_take(out, &text, err);
}

size_t source_text_offset(struct str line, uint16_t column)
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
    size_t start = source_text_offset(line, start_column);
    size_t end = source_text_offset(line, end_column);
    return end > start ? (struct str){line.text + start, end - start} : (struct str){"", 0};
}

struct str source_text_shown(struct str line, uint16_t start_column, uint16_t end_column)
{
    return str_trim(source_text_cut(line, start_column, end_column), " \t\r\f\v");
}

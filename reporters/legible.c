#include "reporters/legible.h"

#include <string.h>

#include "base/utf16.h"

struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t c, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

/* Enough of Unicode Annex 11 and of the combining marks for names in assemblies. */
size_t legible_char_width(uint32_t c)
{
    static const struct range none[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
        {0x64B, 0x65F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
        {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    };
    static const struct range wide[] = {
        {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},
        {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
        {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };
    if (is_in(c, none, ARRAY_LEN(none)))
        return 0;
    return is_in(c, wide, ARRAY_LEN(wide)) ? 2 : 1;
}

size_t legible_width(struct str s)
{
    size_t width = 0;
    for (size_t pos = 0; pos < s.len;)
        width += legible_char_width(utf8_next(s.text, s.len, &pos));
    return width;
}

bool legible_char(uint32_t c)
{
    static const struct range illegible[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     /* controls; a terminal obeys U+009B like ESC [ */
        {0x61C, 0x61C},   {0x200E, 0x200F}, /* marks, embeddings and isolates of UAX #9 */
        {0x202A, 0x202E}, {0x2066, 0x2069}, {0x2028, 0x2029}, /* ends of lines and paragraphs */
        {0xFFFD, 0xFFFD},
    };
    return !is_in(c, illegible, ARRAY_LEN(illegible));
}

void legible_put(FILE *file, struct str s)
{
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        if (legible_char(utf8_next(s.text, s.len, &pos)))
            (void)fwrite(s.text + start, 1, pos - start, file);
        else
            (void)fputs(LEGIBLE_REPLACEMENT, file);
    }
}

size_t legible_defuse(char *text, size_t len)
{
    size_t kept = 0;
    for (size_t pos = 0; pos < len;) {
        size_t start = pos;
        if (legible_char(utf8_next(text, len, &pos))) {
            memmove(text + kept, text + start, pos - start);
            kept += pos - start;
        } else {
            text[kept++] = '?';
        }
    }
    return kept;
}

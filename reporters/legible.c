#include "reporters/legible.h"

#include <string.h>

#include "base/number.h"
#include "base/utf16.h"

struct char_range {
    uint32_t first, last;
};

static bool is_in_ranges(uint32_t c, const struct char_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

bool legible_char(uint32_t c)
{
    static const struct char_range illegible[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     /* controls; a terminal obeys U+009B like ESC [ */
        {0x61C, 0x61C},   {0x200E, 0x200F}, /* marks, embeddings and isolates of UAX #9 */
        {0x202A, 0x202E}, {0x2066, 0x2069}, {0x2028, 0x2029}, /* ends of lines and paragraphs */
        {0xFFFD, 0xFFFD},
    };
    return !is_in_ranges(c, illegible, ARRAY_LEN(illegible));
}

/* Unicode Annex 11 and the combining marks, for what stands in names and sources. */
size_t legible_char_width(uint32_t c)
{
    static const struct char_range none[] = {
        {0x300, 0x36F},     {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5BF},   {0x5C1, 0x5C2},
        {0x5C4, 0x5C5},     {0x610, 0x61A},   {0x64B, 0x65F},   {0x670, 0x670},   {0x6D6, 0x6DC},
        {0x6DF, 0x6E4},     {0x6E7, 0x6E8},   {0x6EA, 0x6ED},   {0x93C, 0x93C},   {0x941, 0x948},
        {0x94D, 0x94D},     {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1160, 0x11FF},
        {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x2060, 0x2060}, {0x20D0, 0x20FF},
        {0x302A, 0x302D},   {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
        {0xE0100, 0xE01EF},
    };
    static const struct char_range wide[] = {
        {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
        {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},
        {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},
        {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},
        {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
        {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
        {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},
        {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},
        {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
        {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
        {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
        {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
        {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
        {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3},
        {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440},
        {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567},
        {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
        {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7},
        {0x1F6DD, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB},
        {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6},
        {0x20000, 0x3FFFD},
    };
    if (c < 0x300 || !legible_char(c)) /* a replacement takes one */
        return 1;
    if (is_in_ranges(c, none, ARRAY_LEN(none)))
        return 0;
    return is_in_ranges(c, wide, ARRAY_LEN(wide)) ? 2 : 1;
}

size_t legible_width(struct str s)
{
    size_t width = 0;
    for (size_t pos = 0; pos < s.len;)
        width += legible_char_width(utf8_next(s.text, s.len, &pos));
    return width;
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

void legible_put_line(FILE *file, struct str s)
{
    legible_put(file, s);
    (void)fputc('\n', file);
}

int legible_digits(uint64_t number)
{
    char room[NUMBER_DIGITS_MAX], *end = room + sizeof room;
    return (int)(end - number_digits(end, number));
}

const char *legible_percent(char out[LEGIBLE_PERCENT_ROOM], uint64_t covered, uint64_t valid)
{
    uint32_t x100 = number_percent_x100(covered, valid);
    (void)snprintf(out, LEGIBLE_PERCENT_ROOM, "%u.%02u%%", x100 / 100, x100 % 100);
    return valid != 0 ? out : "-";
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

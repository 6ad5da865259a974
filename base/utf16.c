#include "base/utf16.h"

enum {
    REPLACEMENT = 0xFFFD
};

static size_t put_utf8(char *out, size_t room, size_t at, uint32_t c)
{
    char bytes[4];
    size_t n = 0;
    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xC0 | c >> 6);
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xE0 | c >> 12);
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else {
        bytes[n++] = (char)(0xF0 | c >> 18);
        bytes[n++] = (char)(0x80 | (c >> 12 & 0x3F));
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    }
    if (at + n < room)
        for (size_t i = 0; i < n; i++)
            out[at + i] = bytes[i];
    return n;
}

size_t utf16_to_utf8(char *out, size_t room, const uint16_t *text, size_t unit_count)
{
    size_t len = 0, kept = 0;
    for (size_t i = 0; i < unit_count; i++) {
        uint32_t c = text[i];
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < unit_count && (text[i + 1] & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((c & 0x3FF) << 10) + (text[i + 1] & 0x3FFu);
            i++;
        } else if (c >= 0xD800 && c < 0xE000) {
            c = REPLACEMENT;
        }
        size_t n = put_utf8(out, room, len, c);
        if (kept == len && len + n < room)
            kept = len + n;
        len += n;
    }
    if (room != 0)
        out[kept] = '\0';
    return len;
}

uint32_t utf8_next(const char *text, size_t len, size_t *pos)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint8_t first = (uint8_t)text[(*pos)++];
    if (first < 0x80)
        return first;
    unsigned more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4)
        return REPLACEMENT;
    uint32_t c = first & (0x3Fu >> more);
    for (unsigned i = 0; i < more; i++) {
        if (*pos >= len || ((uint8_t)text[*pos] & 0xC0) != 0x80)
            return REPLACEMENT;
        c = c << 6 | ((uint8_t)text[(*pos)++] & 0x3F);
    }
    return c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? REPLACEMENT : c;
}

size_t utf8_to_utf16(uint16_t *out, size_t room, const char *text, size_t len)
{
    size_t count = 0, kept = 0;
    for (size_t pos = 0; pos < len;) {
        uint32_t c = utf8_next(text, len, &pos);
        uint16_t units[2] = {(uint16_t)c, 0};
        size_t n = 1;
        if (c >= 0x10000) {
            units[0] = (uint16_t)(0xD800 + ((c - 0x10000) >> 10));
            units[1] = (uint16_t)(0xDC00 + ((c - 0x10000) & 0x3FF));
            n = 2;
        }
        if (kept == count && count + n < room) {
            for (size_t i = 0; i < n; i++)
                out[count + i] = units[i];
            kept = count + n;
        }
        count += n;
    }
    if (room != 0)
        out[kept] = 0;
    return count;
}

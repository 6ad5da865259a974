#include "coverage/session/session_text.h"

#include <string.h>

#include "base/hex.h"
#include "base/utf16.h"

enum {
    MVID_LEN = 16
};

/* utf8_next returns U+FFFD for malformed bytes and for the three bytes that encode it. */
bool session_is_text(struct str s)
{
    size_t pos = 0;
    while (pos < s.len) {
        size_t start = pos;
        uint32_t code_point = utf8_next(s.text, s.len, &pos);
        if (code_point == 0)
            return false;
        if (code_point == 0xFFFD &&
            (pos - start != 3 || memcmp(s.text + start, "\xEF\xBF\xBD", 3) != 0))
            return false;
    }
    return true;
}

bool session_parse_mvid(uint8_t mvid[MVID_LEN], struct str hex)
{
    if (hex.len != 2 * MVID_LEN)
        return false;
    for (size_t i = 0; i < MVID_LEN; i++) {
        int high = hex_value(hex.text[2 * i]), low = hex_value(hex.text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        mvid[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool session_parse_number(uint64_t *out, struct str digits, unsigned base)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        int digit = hex_value(digits.text[i]);
        if (digit < 0 || (unsigned)digit >= base ||
            __builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value))
            return false;
    }
    *out = value;
    return digits.len != 0;
}

bool session_parse_u32(uint32_t *out, struct str digits)
{
    uint64_t value = 0;
    if (!session_parse_number(&value, digits, 10) || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool unescape_field(struct str *out, struct str field, struct arena *arena, struct err *err)
{
    char *text = arena_raw(arena, field.len + 1, 1, err);
    if (text == NULL)
        return false;
    size_t len = 0;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.text[i];
        if (c == '\\') {
            char code = i + 1 < field.len ? field.text[++i] : '\0';
            if (code != 't' && code != 'n' && code != '\\')
                return err_set(err, ERR_FORMAT, "a backslash is followed by neither t, n nor \\");
            c = code == 't' ? '\t' : code == 'n' ? '\n' : '\\';
        }
        text[len++] = c;
    }
    text[len] = '\0';
    *out = (struct str){text, len};
    return session_is_text(*out) || err_set(err, ERR_FORMAT, "a field is not UTF-8");
}

bool session_parse_line(struct session_line *out, struct str line, struct arena *arena,
                        struct err *err)
{
    bool more = true;
    out->field_count = 0;
    while (more) {
        if (out->field_count == SESSION_FIELDS_MAX)
            return err_set(err, ERR_FORMAT, "more than %d fields", SESSION_FIELDS_MAX);
        size_t left = line.len;
        struct str field = str_take_until(&line, '\t');
        more = field.len < left; /* a tab follows, and so another field, possibly empty */
        if (!unescape_field(&out->fields[out->field_count++], field, arena, err))
            return false;
    }
    return true;
}

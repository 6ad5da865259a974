#include "reporters/html/html_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "base/utf16.h"
#include "reporters/legible.h"

/* What needs no look at its neighbours: most of any source. */
static bool is_plain_in_html(char c, bool in_attribute)
{
    if (c == '&' || c == '<')
        return false;
    if (in_attribute && (c == '"' || c == '\''))
        return false;
    return (c >= ' ' && c < 0x7F) || (c == '\t' && !in_attribute);
}

static void escape_char(struct text *out, struct str s, size_t *pos)
{
    size_t start = *pos;
    uint32_t c = utf8_next(s.text, s.len, pos);
    if (c == '&')
        text_add(out, STR("&amp;"));
    else if (c == '<')
        text_add(out, STR("&lt;"));
    else if (c == '"')
        text_add(out, STR("&quot;"));
    else if (c == '\'')
        text_add(out, STR("&#39;"));
    else if (!legible_char(c))
        text_add(out, STR(LEGIBLE_REPLACEMENT));
    else
        text_add(out, (struct str){s.text + start, *pos - start});
}

static void escape_text(struct text *out, struct str s, bool in_attribute)
{
    for (size_t pos = 0; pos < s.len;) {
        size_t end = pos;
        while (end < s.len && is_plain_in_html(s.text[end], in_attribute))
            end++;
        if (end != pos)
            text_add(out, (struct str){s.text + pos, end - pos});
        pos = end;
        if (pos < s.len)
            escape_char(out, s, &pos);
    }
}

void html_text(struct text *out, struct str s)
{
    escape_text(out, s, false);
}

void html_attribute(struct text *out, struct str s)
{
    escape_text(out, s, true);
}

void html_number(struct text *out, uint64_t number)
{
    char room[NUMBER_DIGITS_MAX], *end = room + sizeof room;
    const char *first = number_digits(end, number);
    text_add(out, (struct str){first, (size_t)(end - first)});
}

static bool has_odd_quotes(struct str template)
{
    bool odd = false;
    for (size_t i = 0; i < template.len; i++)
        odd ^= template.text[i] == '"';
    return odd;
}

void html_put_args(struct text *out, const char *format, va_list args)
{
    bool in_attribute = false;
    for (const char *mark; (mark = strchr(format, '%')) != NULL; format = mark + 1) {
        struct str before = {format, (size_t)(mark - format)};
        bool is_long = mark[1] == 'l';
        in_attribute ^= has_odd_quotes(before);
        text_add(out, before);
        for (mark++; *mark == 'l';)
            mark++;
        if (*mark == 'u') {
            html_number(out, is_long ? va_arg(args, uint64_t) : va_arg(args, uint32_t));
        } else if (*mark == 's') {
            text_add_c(out, va_arg(args, const char *));
        } else if (*mark == '.') { /* "*s" follows */
            size_t len = (size_t)va_arg(args, int);
            escape_text(out, (struct str){va_arg(args, const char *), len}, in_attribute);
            mark += 2;
        } else {
            text_add(out, STR("%"));
        }
    }
    text_add_c(out, format);
}

void html_put(struct text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    html_put_args(out, format, args);
    va_end(args);
}

void html_range(struct text *out, uint32_t first, uint32_t last)
{
    html_number(out, first);
    if (last != first)
        html_put(out, "\xE2\x80\x93%u", last);
}

void html_count(struct text *out, uint64_t count, const char *noun)
{
    html_put(out, "%" PRIu64 " %s%s", count, noun, count != 1 ? "s" : "");
}

void html_percent(struct text *out, uint64_t covered, uint64_t valid)
{
    uint32_t tenths = number_percent_x100(covered, valid) / 10;
    if (valid == 0)
        text_add(out, STR("\xE2\x80\x93"));
    else if (tenths == 1000)
        text_add(out, STR("100\xC2\xA0%"));
    else
        html_put(out, "%u.%u\xC2\xA0%%", tenths / 10, tenths % 10);
}

void html_code(struct text *out, struct str code)
{
    html_put(out, "<code>%.*s</code>", STR_ARGS(code));
}

#include "reporters/html/html_text.h"

#include "base/number.h"
#include "base/utf16.h"
#include "reporters/legible.h"

/* What needs no look at its neighbours: most of any source. */
static bool is_plain(char c, bool in_attribute)
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

static void escape(struct text *out, struct str s, bool in_attribute)
{
    for (size_t pos = 0; pos < s.len;) {
        size_t end = pos;
        while (end < s.len && is_plain(s.text[end], in_attribute))
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
    escape(out, s, false);
}

void html_attribute(struct text *out, struct str s)
{
    escape(out, s, true);
}

void html_number(struct text *out, uint64_t number)
{
    char room[NUMBER_DIGITS_MAX], *end = room + sizeof room;
    const char *first = number_digits(end, number);
    text_add(out, (struct str){first, (size_t)(end - first)});
}

void html_count(struct text *out, uint64_t count, const char *noun)
{
    html_number(out, count);
    text_add(out, STR(" "));
    text_add_c(out, noun);
    if (count != 1)
        text_add(out, STR("s"));
}

void html_percent(struct text *out, uint64_t covered, uint64_t valid)
{
    if (valid == 0) {
        text_add(out, STR("\xE2\x80\x93"));
        return;
    }
    uint32_t tenths = number_percent_x100(covered, valid) / 10;
    if (tenths == 1000)
        text_add(out, STR("100"));
    else
        text_addf(out, "%u.%u", tenths / 10, tenths % 10);
    text_add(out, STR("\xC2\xA0%"));
}

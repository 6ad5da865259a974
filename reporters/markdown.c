#include "reporters/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf16.h"
#include "reporters/legible.h"

enum {
    RANGES_MOST = 12
};

static bool is_special_in_markdown(uint32_t c)
{
    static const char special[] = "|<>&\"'`*_~[]\\#@:!$";
    return c < 0x80 && c != 0 && strchr(special, (int)c) != NULL;
}

static void put_escaped(struct text *text, struct str s)
{
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (!legible_char(c))
            text_add_c(text, LEGIBLE_REPLACEMENT);
        else if (is_special_in_markdown(c))
            text_addf(text, "&#%" PRIu32 ";", c);
        else
            text_add(text, (struct str){s.text + start, pos - start});
    }
}

static size_t char_count(struct str s)
{
    size_t count = 0;
    for (size_t pos = 0; pos < s.len; count++)
        (void)utf8_next(s.text, s.len, &pos);
    return count;
}

void markdown_put_cut(struct text *text, struct str s, size_t most)
{
    size_t count = char_count(s), index = 0, left_out = count > most ? count - most : 0;
    for (size_t pos = 0; pos < s.len; index++) {
        size_t start = pos;
        (void)utf8_next(s.text, s.len, &pos);
        if (left_out != 0 && index == most / 2)
            text_add_c(text, "\xE2\x80\xA6"); /* … */
        if (index < most / 2 || index >= most / 2 + left_out)
            put_escaped(text, (struct str){s.text + start, pos - start});
    }
}

void markdown_put_code(struct text *text, struct str name)
{
    text_add_c(text, "<code>");
    markdown_put_cut(text, name, MARKDOWN_NAME_MOST);
    text_add_c(text, "</code>");
}

void markdown_put_share(struct text *text, uint64_t covered, uint64_t valid)
{
    char percent[LEGIBLE_PERCENT_ROOM];
    text_addf(text, " %s", legible_percent(percent, covered, valid));
    if (valid != 0)
        text_addf(text, " (%" PRIu64 "/%" PRIu64 ")", covered, valid);
    text_add_c(text, " |");
}

void markdown_put_range(struct markdown_ranges *ranges, uint32_t first, uint32_t last)
{
    if (ranges->count++ >= RANGES_MOST)
        return;
    text_addf(ranges->text, "%s%" PRIu32, ranges->count > 1 ? ", " : "", first);
    if (last != first)
        text_addf(ranges->text, "\xE2\x80\x93%" PRIu32, last); /* – */
}

void markdown_end_ranges(const struct markdown_ranges *ranges)
{
    if (ranges->count > RANGES_MOST)
        text_addf(ranges->text, " \xE2\x80\xA6 and %" PRIu32 " more", ranges->count - RANGES_MOST);
}

void markdown_open_table(struct text *text, uint32_t row_count, const char *title, const char *head)
{
    text_addf(text, "<details%s><summary>%s</summary>\n\n%s",
              row_count <= MARKDOWN_OPEN_MOST ? " open" : "", title, head);
}

bool markdown_keep_row(struct text *text, size_t start, size_t end)
{
    if (text->len <= end)
        return true;
    text->len = start;
    return false;
}

void markdown_close_table(struct text *text, uint32_t left_out, const char *what)
{
    if (left_out != 0)
        text_addf(text, "\n\xE2\x80\xA6 and %" PRIu32 " more %s\n", left_out, what);
    text_add_c(text, "\n</details>\n\n");
}

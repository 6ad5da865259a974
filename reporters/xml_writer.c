#include "reporters/xml_writer.h"

#include <assert.h>

#include "base/utf16.h"

enum {
    INDENT = 2
};

/* --- values ----------------------------------------------------------------------------------- */

/* XML 1.0, 2.2: Char. U+FFFD is legal, but it is also what utf8_next makes of malformed bytes. */
static bool is_kept(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && (c < 0xFFFD || c > 0xFFFF));
}

/* What stands for a byte that does not stand for itself, in the value of an attribute; NULL if it
 * may be the beginning of a character (XML 1.0, 2.4 and 3.3.3: a reader makes spaces of others). */
static const char *xml_escape_of(unsigned char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

/* Most bytes of a report stand for themselves. */
static bool is_plain_in_xml(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '<' && c != '>' && c != '&' && c != '"';
}

static void add_xml_character(struct sink *sink, struct str value, size_t *pos)
{
    size_t start = *pos;
    uint32_t c = utf8_next(value.text, value.len, pos);
    if (is_kept(c))
        sink_add(sink, value.text + start, *pos - start);
    else
        sink_c(sink, "\xEF\xBF\xBD");
}

/* `keeps`: bytes that stand for themselves all the same. */
static void add_xml_value(struct sink *sink, struct str value, const char *keeps)
{
    for (size_t pos = 0; pos < value.len;) {
        size_t start = pos;
        while (pos < value.len && is_plain_in_xml((unsigned char)value.text[pos]))
            pos++;
        sink_add(sink, value.text + start, pos - start);
        if (pos == value.len)
            return;
        const char *escape = xml_escape_of((unsigned char)value.text[pos]);
        if (escape == NULL || strchr(keeps, value.text[pos]) != NULL) {
            add_xml_character(sink, value, &pos);
        } else {
            sink_c(sink, escape);
            pos++;
        }
    }
}

/* --- elements --------------------------------------------------------------------------------- */

static void begin_xml_line(struct xml_writer *w)
{
    if (w->is_in_tag)
        sink_add(&w->sink, ">\n", 2);
    w->is_in_tag = false;
    sink_spaces(&w->sink, (size_t)w->depth * INDENT);
}

void xw_open(struct xml_writer *out, FILE *file)
{
    out->depth = 0;
    out->is_in_tag = false;
    sink_open(&out->sink, file);
    sink_c(&out->sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

uint64_t xw_position(const struct xml_writer *w)
{
    return sink_position(&w->sink);
}

void xw_begin(struct xml_writer *w, const char *element)
{
    assert(w->depth < XML_DEPTH);
    begin_xml_line(w);
    sink_byte(&w->sink, '<');
    sink_c(&w->sink, element);
    w->open[w->depth++] = element;
    w->is_in_tag = true;
}

void xw_end(struct xml_writer *w)
{
    assert(w->depth != 0);
    w->depth--;
    if (w->is_in_tag) {
        sink_add(&w->sink, "/>\n", 3);
        w->is_in_tag = false;
        return;
    }
    begin_xml_line(w);
    sink_add(&w->sink, "</", 2);
    sink_c(&w->sink, w->open[w->depth]);
    sink_add(&w->sink, ">\n", 2);
}

void xw_close(struct xml_writer *w)
{
    while (w->depth != 0)
        xw_end(w);
    sink_flush(&w->sink);
}

static void begin_attribute(struct xml_writer *w, const char *attribute)
{
    assert(w->is_in_tag);
    sink_byte(&w->sink, ' ');
    sink_c(&w->sink, attribute);
    sink_add(&w->sink, "=\"", 2);
}

void xw_text(struct xml_writer *w, const char *attribute, struct str value)
{
    begin_attribute(w, attribute);
    add_xml_value(&w->sink, value, "");
    sink_byte(&w->sink, '"');
}

void xw_text_c(struct xml_writer *w, const char *attribute, const char *value)
{
    xw_text(w, attribute, str_of(value));
}

void xw_number(struct xml_writer *w, const char *attribute, uint64_t value)
{
    begin_attribute(w, attribute);
    sink_number(&w->sink, value);
    sink_byte(&w->sink, '"');
}

void xw_signed(struct xml_writer *w, const char *attribute, int64_t value)
{
    begin_attribute(w, attribute);
    sink_signed(&w->sink, value);
    sink_byte(&w->sink, '"');
}

void xw_bool(struct xml_writer *w, const char *attribute, bool value)
{
    xw_text_c(w, attribute, value ? "true" : "false");
}

struct sink *xw_value_begin(struct xml_writer *w, const char *attribute)
{
    begin_attribute(w, attribute);
    return &w->sink;
}

void xw_value_end(struct xml_writer *w)
{
    sink_byte(&w->sink, '"');
}

void xw_leaf(struct xml_writer *w, const char *element, struct str value)
{
    begin_xml_line(w);
    sink_byte(&w->sink, '<');
    sink_c(&w->sink, element);
    sink_byte(&w->sink, '>');
    add_xml_value(&w->sink, value, "\t\n");
    sink_add(&w->sink, "</", 2);
    sink_c(&w->sink, element);
    sink_add(&w->sink, ">\n", 2);
}

void xw_comment(struct xml_writer *w, const struct str *pieces, size_t count)
{
    bool is_after_dash = false;
    begin_xml_line(w);
    sink_c(&w->sink, "<!--");
    for (size_t i = 0; i < count; i++)
        for (size_t pos = 0; pos < pieces[i].len;) {
            bool is_dash = pieces[i].text[pos] == '-';
            if (is_dash && is_after_dash)
                sink_c(&w->sink, "\\");
            is_after_dash = is_dash;
            add_xml_character(&w->sink, pieces[i], &pos);
        }
    sink_c(&w->sink, "-->\n");
}

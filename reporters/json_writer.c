#include "reporters/json_writer.h"

#include <inttypes.h>

#include "base/utf16.h"
#include "base/version.h"

enum {
    INDENT = 2
};

void jw_open(struct json_writer *out, FILE *file)
{
    out->depth = 0;
    out->line_depth = 0;
    out->has_member = false;
    sink_open(&out->sink, file);
}

static void begin_json_line(struct json_writer *w)
{
    sink_byte(&w->sink, '\n');
    sink_spaces(&w->sink, (size_t)w->depth * INDENT);
}

static void begin_json_value(struct json_writer *w, const char *key)
{
    if (w->has_member)
        sink_add(&w->sink, ", ", w->line_depth != 0 ? 2 : 1);
    if (w->line_depth == 0 && w->depth != 0)
        begin_json_line(w);
    if (key != NULL) {
        sink_byte(&w->sink, '"');
        sink_c(&w->sink, key);
        sink_add(&w->sink, "\": ", 3);
    }
    w->has_member = true;
}

void jw_begin(struct json_writer *w, const char *key, char bracket)
{
    begin_json_value(w, key);
    sink_byte(&w->sink, bracket);
    w->depth++;
    w->has_member = false;
}

void jw_begin_line(struct json_writer *w, const char *key, char bracket)
{
    jw_begin(w, key, bracket);
    if (w->line_depth == 0)
        w->line_depth = w->depth;
}

void jw_end(struct json_writer *w, char bracket)
{
    bool ends_line = w->line_depth == w->depth;
    w->depth--;
    if (w->line_depth == 0 && w->has_member)
        begin_json_line(w);
    sink_byte(&w->sink, bracket);
    w->has_member = true;
    if (ends_line)
        w->line_depth = 0;
}

void jw_finish(struct json_writer *w)
{
    sink_byte(&w->sink, '\n');
    sink_flush(&w->sink);
    w->has_member = false;
}

void jw_number(struct json_writer *w, const char *key, uint64_t value)
{
    begin_json_value(w, key);
    sink_number(&w->sink, value);
}

void jw_signed(struct json_writer *w, const char *key, int64_t value)
{
    begin_json_value(w, key);
    sink_signed(&w->sink, value);
}

void jw_bool(struct json_writer *w, const char *key, bool value)
{
    begin_json_value(w, key);
    sink_c(&w->sink, value ? "true" : "false");
}

void jw_null(struct json_writer *w, const char *key)
{
    begin_json_value(w, key);
    sink_c(&w->sink, "null");
}

/* Most bytes of a report stand for themselves. */
static bool is_plain_in_json(unsigned char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

static void add_json_character(struct sink *sink, struct str value, size_t *pos)
{
    char escape[8];
    size_t start = *pos;
    uint32_t c = utf8_next(value.text, value.len, pos);
    if (c == '"' || c == '\\') {
        sink_byte(sink, '\\');
        sink_byte(sink, (char)c);
    } else if (c < 0x20 || c == 0x7F) {
        (void)snprintf(escape, sizeof escape, "\\u%04" PRIx32, c);
        sink_c(sink, escape);
    } else if (c == 0xFFFD) {
        sink_c(sink, "\xEF\xBF\xBD");
    } else {
        sink_add(sink, value.text + start, *pos - start);
    }
}

/* RFC 8259, 7. */
static void add_string(struct sink *sink, struct str value)
{
    sink_byte(sink, '"');
    for (size_t pos = 0; pos < value.len;) {
        size_t start = pos;
        while (pos < value.len && is_plain_in_json((unsigned char)value.text[pos]))
            pos++;
        sink_add(sink, value.text + start, pos - start);
        if (pos < value.len)
            add_json_character(sink, value, &pos);
    }
    sink_byte(sink, '"');
}

void jw_text(struct json_writer *w, const char *key, struct str value)
{
    begin_json_value(w, key);
    add_string(&w->sink, value);
}

void jw_text_c(struct json_writer *w, const char *key, const char *value)
{
    jw_text(w, key, str_of(value));
}

void jw_share(struct json_writer *w, const char *key, uint64_t covered, uint64_t valid)
{
    jw_begin_line(w, key, '{');
    jw_number(w, "covered", covered);
    jw_number(w, "valid", valid);
    jw_end(w, '}');
}

void jw_generator(struct json_writer *w)
{
    jw_begin_line(w, "generator", '{');
    jw_text_c(w, "name", "ilcov");
    jw_text_c(w, "version", ilcov_version);
    jw_end(w, '}');
}

void json_put_string(FILE *out, struct str value)
{
    struct sink sink;
    sink_open(&sink, out);
    add_string(&sink, value);
    sink_flush(&sink);
}

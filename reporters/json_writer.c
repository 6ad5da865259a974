#include "reporters/json_writer.h"

#include <inttypes.h>

#include "base/utf16.h"

enum {
    INDENT = 2
};

static void begin_line(struct json_writer *w)
{
    (void)fprintf(w->file, "\n%*s", (int)w->depth * INDENT, "");
}

static void begin_value(struct json_writer *w, const char *key)
{
    if (w->has_member)
        (void)fputs(w->line_depth != 0 ? ", " : ",", w->file);
    if (w->line_depth == 0 && w->depth != 0)
        begin_line(w);
    if (key != NULL)
        (void)fprintf(w->file, "\"%s\": ", key);
    w->has_member = true;
}

void jw_begin(struct json_writer *w, const char *key, char bracket)
{
    begin_value(w, key);
    (void)fputc(bracket, w->file);
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
        begin_line(w);
    (void)fputc(bracket, w->file);
    w->has_member = true;
    if (ends_line)
        w->line_depth = 0;
}

void jw_finish(struct json_writer *w)
{
    (void)fputc('\n', w->file);
}

void jw_number(struct json_writer *w, const char *key, uint64_t value)
{
    begin_value(w, key);
    (void)fprintf(w->file, "%" PRIu64, value);
}

void jw_signed(struct json_writer *w, const char *key, int64_t value)
{
    begin_value(w, key);
    (void)fprintf(w->file, "%" PRId64, value);
}

void jw_bool(struct json_writer *w, const char *key, bool value)
{
    begin_value(w, key);
    (void)fputs(value ? "true" : "false", w->file);
}

void jw_null(struct json_writer *w, const char *key)
{
    begin_value(w, key);
    (void)fputs("null", w->file);
}

/* RFC 8259, 7. */
void jw_text(struct json_writer *w, const char *key, struct str value)
{
    begin_value(w, key);
    (void)fputc('"', w->file);
    for (size_t pos = 0; pos < value.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(value.text, value.len, &pos);
        if (c == '"' || c == '\\')
            (void)fprintf(w->file, "\\%c", (char)c);
        else if (c < 0x20 || c == 0x7F)
            (void)fprintf(w->file, "\\u%04" PRIx32, c);
        else if (c == 0xFFFD)
            (void)fputs("\xEF\xBF\xBD", w->file);
        else
            (void)fwrite(value.text + start, 1, pos - start, w->file);
    }
    (void)fputc('"', w->file);
}

void jw_text_c(struct json_writer *w, const char *key, const char *value)
{
    jw_text(w, key, str_of(value));
}

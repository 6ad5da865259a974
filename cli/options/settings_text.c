#include "cli/options/settings_text.h"

#include <string.h>

#include "base/utf16.h"

/* --- comments --------------------------------------------------------------------------------- */

struct strip {
    struct str in;
    size_t at;
    char *out;
    size_t len;
    uint32_t line, column; /* from 1, in characters */
};

static bool is_ahead(const struct strip *s, const char *what)
{
    size_t len = strlen(what);
    return s->in.len - s->at >= len && memcmp(s->in.text + s->at, what, len) == 0;
}

/* A byte is copied; bytes inside a character have no column. */
static void copy_byte(struct strip *s)
{
    char c = s->in.text[s->at++];
    s->out[s->len++] = c;
    if (c == '\n') {
        s->line++;
        s->column = 1;
    } else if (((unsigned char)c & 0xc0) != 0x80) {
        s->column++;
    }
}

/* A string that does not end on its line is an error that the library finds. */
static void copy_string(struct strip *s)
{
    copy_byte(s);
    while (s->at < s->in.len && s->in.text[s->at] != '"' && s->in.text[s->at] != '\n') {
        if (s->in.text[s->at] == '\\' && s->at + 1 < s->in.len && s->in.text[s->at + 1] != '\n')
            copy_byte(s);
        copy_byte(s);
    }
    if (s->at < s->in.len)
        copy_byte(s);
}

/* The library would pass over it. */
static bool refuse_nul(const struct strip *s, struct err *err)
{
    return err_set(err, ERR_USAGE, "%u:%u: a NUL byte", s->line, s->column);
}

/* A character of a comment. */
static bool blank_character(struct strip *s, struct err *err)
{
    static const char replacement[] = "\xef\xbf\xbd";
    if (s->in.text[s->at] == '\n') {
        copy_byte(s);
        return true;
    }
    if (s->in.text[s->at] == '\0')
        return refuse_nul(s, err);
    size_t before = s->at;
    bool is_replacement = is_ahead(s, replacement);
    if (utf8_next(s->in.text, s->in.len, &s->at) == 0xfffd && !is_replacement)
        return err_set(err, ERR_USAGE, "%u:%u: invalid UTF-8 in a comment", s->line, s->column);
    s->out[s->len++] = ' ';
    s->column++;
    return s->at > before;
}

static bool blank_line(struct strip *s, struct err *err)
{
    while (s->at < s->in.len && s->in.text[s->at] != '\n')
        if (!blank_character(s, err))
            return false;
    return true;
}

static bool blank_block(struct strip *s, struct err *err)
{
    uint32_t line = s->line, column = s->column;
    bool fine = blank_character(s, err) && blank_character(s, err);
    while (fine && s->at < s->in.len && !is_ahead(s, "*/"))
        fine = blank_character(s, err);
    if (fine && s->at == s->in.len)
        return err_set(err, ERR_USAGE, "%u:%u: this comment has no end", line, column);
    return fine && blank_character(s, err) && blank_character(s, err);
}

bool settings_text_strip(struct str *out, struct str text, struct arena *arena, struct err *err)
{
    struct strip s = {.in = text, .line = 1, .column = 1};
    s.out = arena_raw(arena, text.len + 1, 1, err);
    if (s.out == NULL)
        return false;
    if (is_ahead(&s, "\xff\xfe") || is_ahead(&s, "\xfe\xff"))
        return err_set(err, ERR_USAGE, "1:1: this is UTF-16; save the file as UTF-8");
    if (is_ahead(&s, "\xef\xbb\xbf"))
        s.at = strlen("\xef\xbb\xbf");
    while (s.at < text.len) {
        bool fine = true;
        if (text.text[s.at] == '\0')
            return refuse_nul(&s, err);
        if (is_ahead(&s, "//"))
            fine = blank_line(&s, err);
        else if (is_ahead(&s, "/*"))
            fine = blank_block(&s, err);
        else if (text.text[s.at] == '"')
            copy_string(&s);
        else
            copy_byte(&s);
        if (!fine)
            return false;
    }
    s.out[s.len] = '\0';
    *out = (struct str){s.out, s.len};
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void skip_json_string(struct settings_keys *keys)
{
    const char *text = keys->text.text;
    for (keys->at++; keys->at < keys->text.len && text[keys->at] != '"'; keys->at++)
        if (text[keys->at] == '\\')
            keys->at++;
    keys->at++;
}

static void skip_json_blanks(struct settings_keys *keys)
{
    for (; keys->at < keys->text.len && strchr(" \t\r\n", keys->text.text[keys->at]) != NULL;
         keys->at++)
        if (keys->text.text[keys->at] == '\n')
            keys->line++;
}

uint32_t settings_next_key(struct settings_keys *keys)
{
    for (;;) {
        skip_json_blanks(keys);
        if (keys->at >= keys->text.len)
            return 0;
        if (keys->text.text[keys->at] != '"') {
            keys->at++;
            continue;
        }
        uint32_t line = keys->line;
        skip_json_string(keys);
        skip_json_blanks(keys);
        if (keys->at < keys->text.len && keys->text.text[keys->at] == ':')
            return line;
    }
}

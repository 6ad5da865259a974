#include "reporters/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf16.h"
#include "reporters/legible.h"

static const char dots_utf8[] = "\xE2\x80\xA6" /* … */, dots_ascii[] = "...";

size_t screen_width(const struct screen *screen, size_t most)
{
    size_t width = screen->columns;
    if (width == 0 || width > most)
        width = most;
    return width > SCREEN_WIDTH_LEAST ? width : SCREEN_WIDTH_LEAST;
}

void screen_style(const struct screen *screen, enum screen_style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m", [STYLE_BOLD] = "\033[1m",    [STYLE_DIM] = "\033[2m",
        [STYLE_RED] = "\033[31m",  [STYLE_YELLOW] = "\033[33m", [STYLE_GREEN] = "\033[32m",
    };
    if (screen->colour)
        (void)fputs(codes[style], screen->file);
}

/* --- characters ------------------------------------------------------------------------------- */

static void put_unknown(const struct screen *screen, uint32_t c)
{
    for (size_t i = legible_char_width(c); i != 0; i--)
        (void)fputc('?', screen->file);
}

void screen_put(const struct screen *screen, struct str s)
{
    if (!screen->ascii) {
        legible_put(screen->file, s);
        return;
    }
    for (size_t pos = 0; pos < s.len;) {
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (c < 0x80 && legible_char(c))
            (void)fputc((int)c, screen->file);
        else
            put_unknown(screen, c);
    }
}

void screen_put_styled(const struct screen *screen, enum screen_style style, struct str s)
{
    screen_style(screen, style);
    screen_put(screen, s);
    screen_style(screen, STYLE_PLAIN);
}

void screen_put_c(const struct screen *screen, const char *s)
{
    (void)fputs(s, screen->file);
}

void screen_spaces(const struct screen *screen, size_t count)
{
    for (; count != 0; count--)
        (void)fputc(' ', screen->file);
}

void screen_rule(const struct screen *screen, size_t width)
{
    screen_style(screen, STYLE_DIM);
    for (; width != 0; width--)
        screen_put_c(screen, screen->ascii ? "-" : "\xE2\x94\x80"); /* ─ */
    screen_style(screen, STYLE_PLAIN);
    screen_put_c(screen, "\n");
}

/* --- cutting ---------------------------------------------------------------------------------- */

/* How many columns the dots take, of `room`. */
static size_t put_dots(const struct screen *screen, size_t room)
{
    if (screen->ascii && room < sizeof dots_ascii - 1) {
        screen_put_c(screen, room != 0 ? "." : "");
        return room != 0;
    }
    screen_put_c(screen, room == 0 ? "" : screen->ascii ? dots_ascii : dots_utf8);
    return room == 0 ? 0 : screen->ascii ? sizeof dots_ascii - 1 : 1;
}

static size_t dots_width(const struct screen *screen, size_t room)
{
    size_t width = screen->ascii && room >= sizeof dots_ascii - 1 ? sizeof dots_ascii - 1 : 1;
    return width < room ? width : room;
}

/* The bytes at the start that fit into `room`; `width` is theirs. A mark stays with its letter. */
static size_t fitting_start(size_t *width, struct str s, size_t room)
{
    size_t end = 0;
    *width = 0;
    for (size_t pos = 0; pos < s.len; end = pos) {
        size_t wide = legible_char_width(utf8_next(s.text, s.len, &pos));
        if (*width + wide > room)
            break;
        *width += wide;
    }
    return end;
}

/* Where the end begins that fits into `room`. Marks of a letter that is cut off go with it. */
static size_t fitting_end(size_t *width, struct str s, size_t room)
{
    size_t pos = 0, total = legible_width(s);
    while (pos < s.len) {
        size_t next = pos;
        size_t wide = legible_char_width(utf8_next(s.text, s.len, &next));
        if (total <= room && (wide != 0 || pos == 0))
            break;
        total -= wide;
        pos = next;
    }
    *width = total;
    return pos;
}

size_t screen_put_text(const struct screen *screen, struct str s, size_t room)
{
    size_t width;
    if (fitting_start(&width, s, room) == s.len) {
        screen_put(screen, s);
        return width;
    }
    size_t end = fitting_start(&width, s, room - dots_width(screen, room));
    screen_put(screen, (struct str){s.text, end});
    return width + put_dots(screen, room - width);
}

/* The end of `s` from `start` on, of this width, after dots. */
static size_t put_end(const struct screen *screen, struct str s, size_t start, size_t width,
                      size_t room)
{
    size_t dots = put_dots(screen, room - width);
    screen_put(screen, (struct str){s.text + start, s.len - start});
    return dots + width;
}

size_t screen_put_name(const struct screen *screen, struct str s, size_t room)
{
    size_t width = legible_width(s);
    if (width <= room) {
        screen_put(screen, s);
        return width;
    }
    size_t start = fitting_end(&width, s, room - dots_width(screen, room));
    return put_end(screen, s, start, width, room);
}

size_t screen_put_path(const struct screen *screen, struct str s, size_t room)
{
    size_t width = legible_width(s);
    if (width > room) {
        size_t start = fitting_end(&width, s, room - dots_width(screen, room));
        const char *slash = memchr(s.text + start, '/', s.len - start);
        if (slash != NULL) {
            start = (size_t)(slash - s.text);
            width = legible_width((struct str){slash, s.len - start});
            return put_end(screen, s, start, width, room);
        }
    }
    return screen_put_name(screen, s, room);
}

/* --- the locale ------------------------------------------------------------------------------- */

static bool names_utf8(const char *locale)
{
    const char *codeset = strchr(locale, '.');
    return codeset != NULL &&
           (strncasecmp(codeset + 1, "UTF-8", 5) == 0 || strncasecmp(codeset + 1, "UTF8", 4) == 0);
}

bool screen_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *locale = getenv(names[i]);
        if (locale != NULL && *locale != '\0')
            return names_utf8(locale);
    }
    return false;
}

/* screen.h - text for people in lines of a certain width: names that are cut where they say least,
 * columns that stand below each other.
 * Units:  columns of a terminal, whatever the locale (legible_width). What is not legible is
 *         replaced; with `ascii`, so is all that is not ASCII, because a terminal that does not
 *         know UTF-8 would take its bytes for commands. */
#pragma once

#include <stdio.h>

#include "base/text.h"

enum {
    SCREEN_WIDTH = 80,      /* where there is no terminal */
    SCREEN_WIDTH_LEAST = 32 /* a narrower terminal wraps lines */
};

struct screen {
    FILE *file;
    size_t columns; /* of the terminal; 0: there is none, or its width is not known */
    bool ascii, colour;
};

/* The width of the terminal, at least SCREEN_WIDTH_LEAST and at most `most`. */
size_t screen_width(const struct screen *screen, size_t most);

/* Colours; nothing without them. */
enum screen_style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_RED,
    STYLE_YELLOW,
    STYLE_GREEN
};
void screen_style(const struct screen *screen, enum screen_style style);

void screen_put(const struct screen *screen, struct str s);
/* In a style, and plain after that. */
void screen_put_styled(const struct screen *screen, enum screen_style style, struct str s);
void screen_put_c(const struct screen *screen, const char *s);
void screen_spaces(const struct screen *screen, size_t count);
void screen_rule(const struct screen *screen, size_t width);

/* These write at most `room` columns and return how many they wrote. What does not fit is replaced
 * by an ellipsis: at the end of a text; at the start of a name, because its end tells
 * Company.Product.A from Company.Product.B; at the start of a path, between two folders if its last
 * part fits. */
size_t screen_put_text(const struct screen *screen, struct str s, size_t room);
size_t screen_put_name(const struct screen *screen, struct str s, size_t room);
size_t screen_put_path(const struct screen *screen, struct str s, size_t room);

/* Does the environment want UTF-8 (LC_ALL, LC_CTYPE, LANG)? */
bool screen_is_utf8(void);

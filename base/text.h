/* text.h - a string that grows in an arena, and views of strings that live elsewhere. Comparisons
 * with literals, whose length is then known, are done where they stand. */
#pragma once

#include <string.h>

#include "base/arena.h"

/* UTF-8 that is owned elsewhere, mostly a #Strings entry; not necessarily NUL-terminated. */
struct str {
    const char *text;
    size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf: "%.*s", STR_ARGS(name) */
#define STR_ARGS(s) (int)(s).len, (s).text

static inline struct str str_of(const char *text)
{
    return (struct str){text, strlen(text)};
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.text, b.text, a.len) == 0);
}

static inline bool str_is(struct str a, const char *b)
{
    return str_eq(a, str_of(b));
}

static inline bool str_starts(struct str s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && (len == 0 || memcmp(s.text, prefix, len) == 0);
}

static inline bool str_ends(struct str s, const char *suffix)
{
    size_t len = strlen(suffix);
    return s.len >= len && (len == 0 || memcmp(s.text + s.len - len, suffix, len) == 0);
}

/* What follows the first `at` bytes, of which there are at least that many. */
static inline struct str str_from(struct str s, size_t at)
{
    return (struct str){s.text + at, s.len - at};
}

/* Takes the prefix off; false if the text does not begin with it. */
static inline bool str_take(struct str *s, const char *prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_from(*s, strlen(prefix));
    return true;
}

/* Takes off what is before the first `end`, and the `end`: without one, all. */
struct str str_take_until(struct str *s, char end);

/* Is it one of the words, which single blanks separate? */
bool str_is_one_of(struct str s, const char *words);
/* The word at the start (ascii_is_word), which may be empty. */
struct str str_word(struct str s);
/* Ordinal comparison of bytes, like strcmp. */
int str_cmp(struct str a, struct str b);
/* The same for an array of them, as for qsort. */
int str_order(const void *left, const void *right);
/* `*` matches any run of characters, `?` one; nothing else is special. */
bool str_glob(struct str pattern, struct str s);
/* The same, ignoring the case of ASCII letters. */
bool str_glob_nocase(struct str pattern, struct str s);
bool str_eq_nocase(struct str a, struct str b);
bool str_ends_nocase(struct str s, const char *suffix);
/* Without the characters of `blanks` at the start; at both ends. */
struct str str_trim_start(struct str s, const char *blanks);
struct str str_trim(struct str s, const char *blanks);
/* A NUL-terminated copy. */
NODISCARD bool str_copy(struct str *out, struct str s, struct arena *arena, struct err *err);

/* A growing string; failure is sticky and reported by text_take. */
struct text {
    struct arena *arena;
    char *data;
    size_t len, room;
    bool failed;
};

static inline struct text text_in(struct arena *arena)
{
    return (struct text){.arena = arena};
}

void text_add(struct text *t, struct str s);

static inline void text_add_c(struct text *t, const char *s)
{
    text_add(t, str_of(s));
}

void text_add_number(struct text *t, uint32_t number);
/* A character as it is written escaped: tabs, line ends and backslashes are \t, \n and \\
 * (contract/session_format.h). */
struct str text_escape(const char *c);
void text_add_escaped(struct text *t, struct str s);
void text_addf(struct text *t, const char *format, ...) PRINTF_LIKE(2, 3);
/* The finished string, NUL-terminated; text is NULL and `err` set if memory ran out. */
NODISCARD bool text_take(struct str *out, struct text *t, struct err *err);
/* All three at once. */
NODISCARD bool text_format(struct str *out, struct arena *arena, struct err *err,
                           const char *format, ...) PRINTF_LIKE(4, 5);

enum {
    UTC_ROOM = 32
};

/* "2026-11-22T21:55:26Z" (ISO 8601) from seconds since 1970; empty if it has no such year. */
const char *utc_text(char out[UTC_ROOM], int64_t seconds);

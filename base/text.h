/* text.h - a string that grows in an arena, and views of strings that live elsewhere. */
#ifndef ILCOV_BASE_TEXT_H
#define ILCOV_BASE_TEXT_H

#include "base/arena.h"

/* UTF-8 that is owned elsewhere, mostly a #Strings entry; not necessarily NUL-terminated. */
struct str {
    const char *text;
    size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf: "%.*s", STR_ARGS(name) */
#define STR_ARGS(s) (int)(s).len, (s).text

struct str str_of(const char *text);
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *b);
bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
/* What follows the first `at` bytes, of which there are at least that many. */
struct str str_from(struct str s, size_t at);
/* Takes the prefix off; false if the text does not begin with it. */
bool str_take(struct str *s, const char *prefix);
/* Ordinal comparison of bytes, like strcmp. */
int str_cmp(struct str a, struct str b);
/* `*` matches any run of characters, `?` one; nothing else is special. */
bool str_glob(struct str pattern, struct str s);
/* The same, ignoring the case of ASCII letters. */
bool str_glob_nocase(struct str pattern, struct str s);
bool str_eq_nocase(struct str a, struct str b);
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

void text_open(struct text *t, struct arena *arena);
void text_add(struct text *t, struct str s);
void text_add_c(struct text *t, const char *s);
/* Tabs, line ends and backslashes are written \t, \n and \\ (contract/session_format.h). */
void text_add_escaped(struct text *t, struct str s);
void text_addf(struct text *t, const char *format, ...) PRINTF_LIKE(2, 3);
/* The finished string, NUL-terminated; text is NULL and `err` set if memory ran out. */
NODISCARD bool text_take(struct str *out, struct text *t, struct err *err);
/* All three at once. */
NODISCARD bool text_format(struct str *out, struct arena *arena, struct err *err,
                           const char *format, ...) PRINTF_LIKE(4, 5);

#endif

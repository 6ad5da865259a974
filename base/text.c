#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/ascii.h"
#include "base/number.h"

struct str str_take_until(struct str *s, char end)
{
    const char *found = s->len != 0 ? memchr(s->text, end, s->len) : NULL;
    struct str taken = {s->text, found != NULL ? (size_t)(found - s->text) : s->len};
    *s = str_from(*s, taken.len + (found != NULL));
    return taken;
}

bool str_is_one_of(struct str s, const char *words)
{
    for (size_t len; *words != '\0'; words += len + (words[len] == ' ')) {
        for (len = 0; words[len] != '\0' && words[len] != ' ';)
            len++;
        if (str_eq(s, (struct str){words, len}))
            return true;
    }
    return false;
}

struct str str_word(struct str s)
{
    size_t len = 0;
    while (len < s.len && ascii_is_word(s.text[len]))
        len++;
    return (struct str){s.text, len};
}

int str_cmp(struct str a, struct str b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len != 0 ? memcmp(a.text, b.text, len) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

int str_order(const void *left, const void *right)
{
    return str_cmp(*(const struct str *)left, *(const struct str *)right);
}

static bool is_same_letter(char a, char b, bool nocase)
{
    return a == b || (nocase && ascii_lower(a) == ascii_lower(b));
}

/* The usual algorithm: on a mismatch, the last star takes one more character. Quadratic at worst,
 * never exponential. */
static bool match_glob(struct str pattern, struct str s, bool nocase)
{
    size_t p = 0, i = 0, star = SIZE_MAX, taken = 0;
    while (i < s.len) {
        if (p < pattern.len && pattern.text[p] == '*') {
            star = p++;
            taken = i;
        } else if (p < pattern.len &&
                   (pattern.text[p] == '?' || is_same_letter(pattern.text[p], s.text[i], nocase))) {
            p++;
            i++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            i = ++taken;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.text[p] == '*')
        p++;
    return p == pattern.len;
}

bool str_glob(struct str pattern, struct str s)
{
    return match_glob(pattern, s, false);
}

bool str_glob_nocase(struct str pattern, struct str s)
{
    return match_glob(pattern, s, true);
}

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!is_same_letter(a.text[i], b.text[i], true))
            return false;
    return true;
}

bool str_ends_nocase(struct str s, const char *suffix)
{
    struct str end = str_of(suffix);
    return s.len >= end.len && str_eq_nocase(str_from(s, s.len - end.len), end);
}

static bool is_among_characters(char c, const char *characters)
{
    return c != '\0' && strchr(characters, c) != NULL;
}

struct str str_trim_start(struct str s, const char *blanks)
{
    for (; s.len != 0 && is_among_characters(s.text[0], blanks); s.text++)
        s.len--;
    return s;
}

struct str str_trim(struct str s, const char *blanks)
{
    s = str_trim_start(s, blanks);
    while (s.len != 0 && is_among_characters(s.text[s.len - 1], blanks))
        s.len--;
    return s;
}

bool str_copy(struct str *out, struct str s, struct arena *arena, struct err *err)
{
    char *copy = arena_copy_text(arena, s.text, s.len, err);
    *out = (struct str){copy, copy != NULL ? s.len : 0};
    return copy != NULL;
}

static bool reserve_text(struct text *t, size_t more)
{
    if (t->failed || more > SIZE_MAX / 2 - t->len)
        t->failed = true;
    if (t->failed || t->len + more < t->room)
        return !t->failed;
    size_t room = (t->len + more + 1) * 2;
    char *data = arena_grow(t->arena, t->data, t->room, room, NULL);
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->room = room;
    return true;
}

void text_add(struct text *t, struct str s)
{
    if (s.len == 0 || !reserve_text(t, s.len))
        return;
    memcpy(t->data + t->len, s.text, s.len);
    t->len += s.len;
}

void text_add_number(struct text *t, uint32_t number)
{
    char room[NUMBER_DIGITS_MAX], *end = room + sizeof room;
    const char *first = number_digits(end, number);
    text_add(t, (struct str){first, (size_t)(end - first)});
}

static void add_args(struct text *t, const char *format, va_list args) PRINTF_LIKE(2, 0);

static void add_args(struct text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t left = t->room - t->len;
    int len = vsnprintf(left != 0 ? t->data + t->len : NULL, left, format, args);
    if (!t->failed && len >= 0 && (size_t)len < left) {
        t->len += (size_t)len;
    } else if (len >= 0 && reserve_text(t, (size_t)len + 1)) {
        (void)vsnprintf(t->data + t->len, (size_t)len + 1, format, again);
        t->len += (size_t)len;
    }
    va_end(again);
}

struct str text_escape(const char *c)
{
    switch (*c) {
    case '\t':
        return STR("\\t");
    case '\n':
        return STR("\\n");
    case '\\':
        return STR("\\\\");
    default:
        return (struct str){c, 1};
    }
}

void text_add_escaped(struct text *t, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        text_add(t, text_escape(&s.text[i]));
}

void text_addf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_args(t, format, args);
    va_end(args);
}

bool text_take(struct str *out, struct text *t, struct err *err)
{
    *out = (struct str){NULL, 0};
    if (!reserve_text(t, 1))
        return err_set(err, ERR_MEMORY, "out of memory: a text of %zu bytes cannot grow", t->len);
    t->data[t->len] = '\0';
    arena_shrink(t->arena, t->data, t->room, t->len + 1);
    t->room = t->len + 1;
    *out = (struct str){t->data, t->len};
    return true;
}

bool text_format(struct str *out, struct arena *arena, struct err *err, const char *format, ...)
{
    va_list args;
    struct text t = text_in(arena);
    va_start(args, format);
    add_args(&t, format, args);
    va_end(args);
    return text_take(out, &t, err);
}

const char *utc_text(char out[UTC_ROOM], int64_t seconds)
{
    struct tm parts;
    time_t time = (time_t)seconds;
    if (gmtime_r(&time, &parts) == NULL ||
        strftime(out, UTC_ROOM, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        out[0] = '\0';
    return out;
}

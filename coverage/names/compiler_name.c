#include "coverage/names/compiler_name.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hex.h"
#include "metadata/lookup.h"

enum {
    NESTING_MAX = 16,
    FILE_HASH_LEN = 64
};

/* --- what they say ---------------------------------------------------------------------------- */

/* The place after the `>` that closes the `<` at the start; 0 if there is none. */
static size_t past_bracket(struct str name)
{
    size_t depth = 0;
    for (size_t i = 0; i < name.len && name.text[0] == '<'; i++) {
        depth += name.text[i] == '<';
        depth -= name.text[i] == '>';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* The number at the start, and what follows it; NO_INDEX if there is none. */
static uint32_t number_at(struct str *s)
{
    uint32_t number = 0;
    size_t i = 0;
    for (; i < s->len && ascii_is_digit(s->text[i]); i++) {
        if (number > (NO_INDEX - 9) / 10)
            return NO_INDEX;
        number = number * 10 + (uint32_t)(s->text[i] - '0');
    }
    *s = str_from(*s, i);
    return i != 0 ? number : NO_INDEX;
}

/* "3_0", or "3#2_0#1": the first of two numbers. */
static uint32_t first_of_two(struct str s)
{
    uint32_t first = number_at(&s);
    if (str_starts(s, "#")) {
        s = str_from(s, 1);
        (void)number_at(&s);
    }
    return str_starts(s, "_") ? first : NO_INDEX;
}

bool compiler_name_read(struct compiler_name *out, struct str method)
{
    size_t close = past_bracket(method);
    if (close <= 2)
        return false;
    struct str rest = str_from(method, close);
    bool is_local = str_starts(rest, "g__");
    if (!is_local && !str_starts(rest, "b__"))
        return false;
    const char *bar = is_local ? memchr(rest.text, '|', rest.len) : NULL;
    size_t skipped = bar != NULL ? (size_t)(bar - rest.text) + 1 : strlen("b__");
    *out =
        (struct compiler_name){{method.text + 1, close - 2}, first_of_two(str_from(rest, skipped))};
    return true;
}

uint32_t compiler_name_ordinal_of_type(struct str type)
{
    static const char *const kinds[] = {"c__DisplayClass", "c__", "d__"};
    struct str rest = str_from(type, past_bracket(type));
    for (size_t i = 0; i < ARRAY_LEN(kinds) && rest.len != type.len; i++) {
        if (!str_starts(rest, kinds[i]))
            continue;
        rest = str_from(rest, strlen(kinds[i]));
        return number_at(&rest);
    }
    return NO_INDEX;
}

size_t compiler_name_file_prefix(struct str type)
{
    size_t hash = past_bracket(type) + 1, end = hash + FILE_HASH_LEN, at = hash;
    if (hash == 1 || type.len < end + strlen("__T") || type.text[hash - 1] != 'F')
        return 0;
    while (at < end && hex_value(type.text[at]) >= 0)
        at++;
    return at == end && str_starts(str_from(type, end), "__") ? end + strlen("__") : 0;
}

/* --- types ------------------------------------------------------------------------------------ */

/* A `file` type has such a name, too, but is never nested. */
bool compiler_type_is(const struct metadata *md, uint32_t rid)
{
    struct str name = row_string(md, COL_TypeDef_TypeName, rid);
    return (str_starts(name, "<") && enclosing_type(md, rid) != 0) ||
           str_starts(name, "_Closure$__") || str_starts(name, "VB$StateMachine_") ||
           (name.len != 0 && memchr(name.text, '@', name.len) != NULL);
}

uint32_t compiler_type_user(const struct metadata *md, uint32_t type_rid)
{
    for (unsigned depth = 0; depth < NESTING_MAX; depth++) {
        uint32_t outer = enclosing_type(md, type_rid);
        if (!compiler_type_is(md, type_rid) || outer == 0)
            break;
        type_rid = outer;
    }
    return type_rid;
}

/* --- without their numbers -------------------------------------------------------------------- */

/* Without their numbers:
 *
 *   C#            <M>b__3_1              <>b__                  a lambda
 *                 <M>g__Name|3_0         <>g__Name              a local function
 *                 <M>d__5, <M>O__3_0     <>d__, <>O__           a state machine, cached delegates
 *                 <>o__3                <>o__                  call sites of dynamic
 *                 <0>__Name              <>__Name               one of these
 *                 <>c__DisplayClass3_0   <>c__DisplayClass      a closure
 *                 <>c__3, <>9__3_0       <>c__, <>9__           lambdas of a generic method, their
 *                                                               cache
 *                 <>f__AnonymousType0    <>f__AnonymousType     and AnonymousDelegate
 *                 <File>F{64 hex}__T     T                      a `file` type: the hash is of its
 *                                                               path
 *   F#            Name@12-1              Name@                  a closure: line and number
 *   Visual Basic  _Closure$__3-0         _Closure$__            and _Lambda$__R3-0, $I3-0
 *                 VB$StateMachine_3_M    VB$StateMachine__M
 *                 VB$AnonymousDelegate_1 VB$AnonymousDelegate_
 *
 * Numbers within a method stay: <x>5__2, <>u__1, CS$<>8__locals1. */
struct name_scan {
    struct str name;
    size_t at;
    struct text out;
};

static bool is_in_set(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static size_t skip_set(struct str name, size_t at, const char *set)
{
    while (at < name.len && is_in_set(name.text[at], set))
        at++;
    return at;
}

static const char digits[] = "0123456789";
static const char ordinals[] = "0123456789_";
static const char vb_ordinals[] = "0123456789-R";

/* <M>b__3_1: what follows the bracket, which ends at `close`, and whether it is numbered. */
static bool cut_bracketed(struct name_scan *s, size_t close)
{
    static const struct {
        const char *text;
        bool anonymous; /* only after <> */
        const char *numbers;
    } kinds[] = {
        {"b__", false, ordinals},
        {"d__", false, digits},
        {"O__", false, ordinals},
        {"o__", true, ordinals},
        {"c__DisplayClass", true, ordinals},
        {"c__", true, ordinals},
        {"9__", true, ordinals},
        {"f__AnonymousType", true, digits},
        {"f__AnonymousDelegate", true, digits},
    };
    struct str rest = str_from(s->name, close);
    bool anonymous = close == s->at + 2;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!str_starts(rest, kinds[i].text) || (kinds[i].anonymous && !anonymous))
            continue;
        text_addf(&s->out, "<>%s", kinds[i].text);
        s->at = skip_set(s->name, close + strlen(kinds[i].text), kinds[i].numbers);
        return true;
    }
    return false;
}

static bool cut_local_function(struct name_scan *s, size_t close)
{
    if (!str_starts(str_from(s->name, close), "g__"))
        return false;
    size_t bar = close + strlen("g__");
    while (bar < s->name.len && s->name.text[bar] != '|')
        bar++;
    text_addf(&s->out, "<>%.*s", (int)(bar - close), s->name.text + close);
    s->at = bar < s->name.len ? skip_set(s->name, bar + 1, ordinals) : bar;
    return true;
}

static bool cut_cached_delegate(struct name_scan *s, size_t close)
{
    if (close == s->at + 2 || skip_set(s->name, s->at + 1, digits) != close - 1 ||
        !str_starts(str_from(s->name, close), "__"))
        return false;
    text_add_c(&s->out, "<>__");
    s->at = close + strlen("__");
    return true;
}

static bool cut_csharp(struct name_scan *s)
{
    struct str rest = str_from(s->name, s->at);
    size_t close = s->at + past_bracket(rest), file = compiler_name_file_prefix(rest);
    if (file != 0)
        s->at += file;
    return file != 0 ||
           (close != s->at && (cut_bracketed(s, close) || cut_local_function(s, close) ||
                               cut_cached_delegate(s, close)));
}

static bool cut_fsharp(struct name_scan *s)
{
    size_t end = skip_set(s->name, s->at + 1, digits);
    if (s->name.text[s->at] != '@' || s->at == 0 || end == s->at + 1)
        return false;
    text_add_c(&s->out, "@");
    s->at = end;
    if (end < s->name.len && s->name.text[end] == '-' &&
        skip_set(s->name, end + 1, digits) > end + 1)
        s->at = skip_set(s->name, end + 1, digits);
    return true;
}

static bool cut_vb(struct name_scan *s)
{
    static const char *const prefixes[] = {"_Closure$__", "_Lambda$__", "VB$StateMachine_",
                                           "VB$AnonymousDelegate_", "$I"};
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        size_t end = s->at + strlen(prefixes[i]);
        if (!str_starts(str_from(s->name, s->at), prefixes[i]) || end >= s->name.len ||
            !is_in_set(s->name.text[end], vb_ordinals))
            continue;
        text_add_c(&s->out, prefixes[i]);
        s->at = skip_set(s->name, end, vb_ordinals);
        return true;
    }
    return false;
}

/* Where a name that a compiler made may begin: all of Visual Basic's have a '$'. */
static size_t next_mark(struct str name, size_t at, bool has_dollar)
{
    for (; at < name.len; at++) {
        char c = name.text[at];
        if (c == '<' || c == '@' || (has_dollar && (c == '$' || c == '_' || c == 'V')))
            break;
    }
    return at;
}

bool compiler_name_strip(struct str *out, struct str name, struct arena *arena, struct err *err)
{
    struct name_scan s = {.name = name};
    bool has_dollar = memchr(name.text, '$', name.len) != NULL;
    *out = name;
    if (!has_dollar && next_mark(name, 0, false) == name.len)
        return true;
    s.out = text_in(arena);
    while (s.at < name.len) {
        size_t start = s.at, mark = next_mark(name, start, has_dollar);
        text_add(&s.out, (struct str){name.text + start, mark - start});
        s.at = mark;
        if (mark < name.len && !cut_csharp(&s) && !cut_fsharp(&s) && !(has_dollar && cut_vb(&s)))
            text_add(&s.out, (struct str){name.text + s.at++, 1});
    }
    return text_take(out, &s.out, err);
}

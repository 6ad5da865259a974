/* The names that compilers make, without the numbers in them:
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
#include "coverage/names/identity.h"

#include <string.h>

enum {
    FILE_HASH_LEN = 64
};

struct scan {
    struct str name;
    size_t at;
    struct text out;
};

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static size_t skip(struct str name, size_t at, const char *set)
{
    while (at < name.len && is_one_of(name.text[at], set))
        at++;
    return at;
}

/* Where the '<' at `open` is closed; 0 if it is not. */
static size_t closing(struct str name, size_t open)
{
    unsigned depth = 0;
    for (size_t i = open; i < name.len; i++) {
        if (name.text[i] == '<')
            depth++;
        else if (name.text[i] == '>' && --depth == 0)
            return i;
    }
    return 0;
}

static const char digits[] = "0123456789";
static const char ordinals[] = "0123456789_";
static const char vb_ordinals[] = "0123456789-R";

/* <M>b__3_1: what follows the bracket at `close`, and whether it is numbered. */
static bool cut_bracketed(struct scan *s, size_t close)
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
    struct str rest = str_from(s->name, close + 1);
    bool anonymous = close == s->at + 1;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!str_starts(rest, kinds[i].text) || (kinds[i].anonymous && !anonymous))
            continue;
        text_addf(&s->out, "<>%s", kinds[i].text);
        s->at = skip(s->name, close + 1 + strlen(kinds[i].text), kinds[i].numbers);
        return true;
    }
    return false;
}

static bool cut_local_function(struct scan *s, size_t close)
{
    if (!str_starts(str_from(s->name, close + 1), "g__"))
        return false;
    size_t bar = close + 4;
    while (bar < s->name.len && s->name.text[bar] != '|')
        bar++;
    text_addf(&s->out, "<>%.*s", (int)(bar - close - 1), s->name.text + close + 1);
    s->at = bar < s->name.len ? skip(s->name, bar + 1, ordinals) : bar;
    return true;
}

static bool cut_cached_delegate(struct scan *s, size_t close)
{
    if (close == s->at + 1 || skip(s->name, s->at + 1, digits) != close ||
        !str_starts(str_from(s->name, close + 1), "__"))
        return false;
    text_add_c(&s->out, "<>__");
    s->at = close + 3;
    return true;
}

static bool cut_file(struct scan *s, size_t close)
{
    size_t end = close + 2 + FILE_HASH_LEN;
    if (end + 2 > s->name.len || s->name.text[close + 1] != 'F' ||
        skip(s->name, close + 2, "0123456789ABCDEFabcdef") < end ||
        !str_starts(str_from(s->name, end), "__"))
        return false;
    s->at = end + 2;
    return true;
}

static bool cut_csharp(struct scan *s)
{
    size_t close = s->name.text[s->at] == '<' ? closing(s->name, s->at) : 0;
    return close != 0 && (cut_bracketed(s, close) || cut_local_function(s, close) ||
                          cut_cached_delegate(s, close) || cut_file(s, close));
}

static bool cut_fsharp(struct scan *s)
{
    size_t end = skip(s->name, s->at + 1, digits);
    if (s->name.text[s->at] != '@' || s->at == 0 || end == s->at + 1)
        return false;
    text_add_c(&s->out, "@");
    s->at = end;
    if (end < s->name.len && s->name.text[end] == '-' && skip(s->name, end + 1, digits) > end + 1)
        s->at = skip(s->name, end + 1, digits);
    return true;
}

static bool cut_vb(struct scan *s)
{
    static const char *const prefixes[] = {"_Closure$__", "_Lambda$__", "VB$StateMachine_",
                                           "VB$AnonymousDelegate_", "$I"};
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        size_t end = s->at + strlen(prefixes[i]);
        if (!str_starts(str_from(s->name, s->at), prefixes[i]) || end >= s->name.len ||
            !is_one_of(s->name.text[end], vb_ordinals))
            continue;
        text_add_c(&s->out, prefixes[i]);
        s->at = skip(s->name, end, vb_ordinals);
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

bool identity_plain(struct str *out, struct str name, struct arena *arena, struct err *err)
{
    struct scan s = {.name = name};
    bool has_dollar = memchr(name.text, '$', name.len) != NULL;
    *out = name;
    if (!has_dollar && next_mark(name, 0, false) == name.len)
        return true;
    text_open(&s.out, arena);
    while (s.at < name.len) {
        size_t start = s.at, mark = next_mark(name, start, has_dollar);
        text_add(&s.out, (struct str){name.text + start, mark - start});
        s.at = mark;
        if (mark < name.len && !cut_csharp(&s) && !cut_fsharp(&s) && !(has_dollar && cut_vb(&s)))
            text_add(&s.out, (struct str){name.text + s.at++, 1});
    }
    return text_take(out, &s.out, err);
}

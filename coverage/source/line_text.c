#include "coverage/source/line_text.h"

#include "base/list.h"
#include "coverage/source/comments.h"

enum {
    DEPTH_MAX = 256 /* of braces, and of #if */
};

/* Text without a line end in between, of one body. */
struct text_piece {
    uint32_t offset, line;
    uint32_t body; /* 0: outside of lambdas; others in the order in which they begin */
};

struct lexer {
    const struct line_index *index;
    enum language language;
    struct str defined;
    struct list pieces;
    struct arena *arena;
    struct err *err;
    uint32_t at, line;
    uint32_t body, body_count;
    uint32_t around[DEPTH_MAX]; /* per open brace: the body that it is in */
    uint32_t depth;
    /* What came last: `=>`, `delegate`, or the `)` of a delegate's parameters begins a body. */
    bool begins_body;
    bool after_delegate;
    uint32_t parentheses; /* open ones after `delegate` */
};

static struct str rest_of(const struct lexer *l)
{
    return (struct str){l->index->text.text + l->at, l->index->text.len - l->at};
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool add_piece(struct lexer *l)
{
    const struct text_piece *last =
        l->pieces.count != 0 ? (struct text_piece *)l->pieces.items + l->pieces.count - 1 : NULL;
    if (last != NULL && last->line == l->line && last->body == l->body)
        return true;
    struct text_piece *added = list_add(&l->pieces, sizeof *added, l->arena, l->err);
    if (added != NULL)
        *added = (struct text_piece){l->at, l->line, l->body};
    return added != NULL;
}

/* --- #if -------------------------------------------------------------------------------------- */

static bool is_defined(const struct lexer *l, struct str name)
{
    struct str rest = l->defined;
    while (rest.len != 0) {
        size_t len = 0;
        while (len < rest.len && rest.text[len] != ',')
            len++;
        if (str_eq(str_trim((struct str){rest.text, len}, " "), name))
            return true;
        rest = len < rest.len ? (struct str){rest.text + len + 1, rest.len - len - 1} : STR("");
    }
    return false;
}

/* C# 6.5.3, in order of precedence: || && == ! (). Nothing is an error: what cannot be read is
 * false. */
static bool read_any(const struct lexer *l, struct str *s, unsigned depth);

static bool read_one(const struct lexer *l, struct str *s, unsigned depth)
{
    size_t len = 0;
    *s = str_trim_start(*s, " \t");
    if (depth == DEPTH_MAX)
        return false;
    if (str_starts(*s, "!") && !str_starts(*s, "!=")) {
        *s = (struct str){s->text + 1, s->len - 1};
        return !read_one(l, s, depth + 1);
    }
    if (str_starts(*s, "(")) {
        *s = (struct str){s->text + 1, s->len - 1};
        bool value = read_any(l, s, depth + 1);
        *s = str_trim_start(*s, " \t");
        if (str_starts(*s, ")"))
            *s = (struct str){s->text + 1, s->len - 1};
        return value;
    }
    while (len < s->len && is_word(s->text[len]))
        len++;
    struct str name = {s->text, len};
    *s = (struct str){s->text + len, s->len - len};
    return str_is(name, "true") || (!str_is(name, "false") && len != 0 && is_defined(l, name));
}

static bool take(struct str *s, const char *sign)
{
    *s = str_trim_start(*s, " \t");
    if (!str_starts(*s, sign))
        return false;
    *s = (struct str){s->text + 2, s->len - 2};
    return true;
}

static bool read_equal(const struct lexer *l, struct str *s, unsigned depth)
{
    bool value = read_one(l, s, depth);
    for (;;) {
        if (take(s, "=="))
            value = value == read_one(l, s, depth);
        else if (take(s, "!="))
            value = value != read_one(l, s, depth);
        else
            return value;
    }
}

static bool read_all(const struct lexer *l, struct str *s, unsigned depth)
{
    bool value = read_equal(l, s, depth);
    while (take(s, "&&"))
        value = read_equal(l, s, depth) && value;
    return value;
}

static bool read_any(const struct lexer *l, struct str *s, unsigned depth)
{
    bool value = read_all(l, s, depth);
    while (take(s, "||"))
        value = read_all(l, s, depth) || value;
    return value;
}

/* The line at `at` without blanks, if it is a directive. */
static bool directive(struct str *out, const struct lexer *l)
{
    uint32_t end = l->index->starts[l->line];
    struct str line = {l->index->text.text + l->at, end - l->at};
    line = str_trim(line, " \t\r\n");
    if (!str_starts(line, "#"))
        return false;
    *out = str_trim_start((struct str){line.text + 1, line.len - 1}, " \t");
    return true;
}

static bool next_line(struct lexer *l)
{
    if (l->line >= l->index->count)
        return false;
    l->at = l->index->starts[l->line++];
    return true;
}

/* Goes to the directive that ends what is left out: `#endif`, `#else`, or an `#elif` that holds. */
static void skip_inactive(struct lexer *l, bool to_end)
{
    struct str line;
    unsigned depth = 0;
    while (next_line(l)) {
        if (!directive(&line, l))
            continue;
        if (str_starts(line, "if")) {
            depth++;
        } else if (str_starts(line, "endif")) {
            if (depth-- == 0)
                return;
        } else if (depth == 0 && !to_end) {
            struct str condition = {line.text + 4, line.len - 4};
            if (str_starts(line, "else") ||
                (str_starts(line, "elif") && read_any(l, &condition, 0)))
                return;
        }
    }
    l->at = (uint32_t)l->index->text.len;
}

/* A directive at the start of a line, and what it leaves out. */
static bool skip_directive(struct lexer *l)
{
    struct str line;
    if (!directive(&line, l))
        return false;
    bool knows = l->defined.text != NULL && l->language != LANGUAGE_VISUAL_BASIC;
    struct str condition = {line.text + 2, line.len - 2};
    if (knows && str_starts(line, "if") && !read_any(l, &condition, 0))
        skip_inactive(l, false);
    else if (knows && (str_starts(line, "else") || str_starts(line, "elif")))
        skip_inactive(l, true);
    return true;
}

/* --- bodies of lambdas ------------------------------------------------------------------------ */

static void open_brace(struct lexer *l)
{
    if (l->depth < DEPTH_MAX)
        l->around[l->depth] = l->body;
    l->depth++;
    if (l->begins_body)
        l->body = ++l->body_count;
}

static void close_brace(struct lexer *l)
{
    if (l->depth == 0)
        return;
    if (--l->depth < DEPTH_MAX)
        l->body = l->around[l->depth];
}

static bool add_csharp(struct lexer *l)
{
    struct str rest = rest_of(l);
    uint32_t len = 1;
    char c = rest.text[0];
    bool begins_body = false, closes = c == '}';
    if (c == '{')
        open_brace(l);
    if (!add_piece(l))
        return false;
    if (closes)
        close_brace(l);
    while (is_word(c) && len < rest.len && is_word(rest.text[len]))
        len++;
    bool is_arrow = str_starts(rest, "=>");
    bool was_delegate = l->after_delegate;
    l->after_delegate = is_word(c) && str_is((struct str){rest.text, len}, "delegate");
    if (l->parentheses != 0) {
        l->parentheses += c == '(';
        l->parentheses -= c == ')';
        begins_body = l->parentheses == 0;
    } else if (was_delegate && c == '(') {
        l->parentheses = 1;
    } else {
        begins_body = is_arrow || l->after_delegate;
    }
    len += is_arrow;
    l->begins_body = begins_body;
    l->at += len;
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool is_comment(const struct lexer *l, struct str rest)
{
    switch (l->language) {
    case LANGUAGE_VISUAL_BASIC:
        return rest.text[0] == '\'';
    case LANGUAGE_FSHARP:
        return str_starts(rest, "//") || str_starts(rest, "(*");
    case LANGUAGE_CSHARP:
    case LANGUAGE_IL:
        break;
    }
    return rest.text[0] == '/';
}

/* A comment, or a literal: all of its lines are text. */
static bool add_long(struct lexer *l, uint32_t len, bool text)
{
    uint32_t end = l->at + len;
    bool ok = !text || add_piece(l);
    while (ok && l->line < l->index->count && l->index->starts[l->line] < end) {
        l->at = l->index->starts[l->line++];
        ok = !text || add_piece(l);
    }
    l->at = end;
    l->begins_body &= !text;
    return ok;
}

static bool add_next(struct lexer *l)
{
    struct str rest = rest_of(l);
    char c = rest.text[0];
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
        l->at++;
        return true;
    }
    size_t len =
        is_word(c) && l->language == LANGUAGE_CSHARP ? 0 : comments_skip(rest, l->language);
    if (len != 0)
        return add_long(l, (uint32_t)len, !is_comment(l, rest));
    if (l->language == LANGUAGE_CSHARP)
        return add_csharp(l);
    bool ok = add_piece(l);
    do
        l->at++;
    while (l->at < l->index->text.len && is_word(c) && is_word(l->index->text.text[l->at]));
    return ok;
}

bool line_text_make(struct line_text *out, const struct line_index *index, enum language language,
                    struct str defined, struct arena *arena, struct err *err)
{
    struct lexer l = {
        .index = index, .language = language, .defined = defined, .arena = arena, .err = err};
    bool ok = true;
    while (ok && next_line(&l)) {
        if (skip_directive(&l))
            continue;
        uint32_t line = l.line;
        while (ok && l.line == line && l.at < index->starts[line]) {
            ok = add_next(&l);
            /* After a literal of several lines, the rest of its last one. */
            line = l.line;
        }
    }
    *out = (struct line_text){l.pieces.items, l.pieces.count};
    return ok;
}

bool line_text_is_on(const struct line_text *text, uint32_t offset, uint32_t line)
{
    uint32_t low = 0, high = text->count;
    while (low < high) { /* the last piece that begins at the offset, or before it */
        uint32_t middle = low + (high - low) / 2;
        if (text->pieces[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return true;
    uint32_t body = text->pieces[low - 1].body;
    for (uint32_t i = low - 1; i < text->count && text->pieces[i].line <= line; i++)
        if (text->pieces[i].line == line && text->pieces[i].body == body)
            return true;
    return false;
}

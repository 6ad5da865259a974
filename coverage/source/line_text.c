#include "coverage/source/line_text.h"

#include "base/ascii.h"
#include "base/list.h"
#include "coverage/source/comments.h"
#include "coverage/source/preprocessor.h"

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
    struct preprocessor preprocessor;
    uint32_t conditions; /* #if that are open */
    bool is_unknown[DEPTH_MAX];
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

static struct directive directive_at(const struct lexer *l)
{
    uint32_t end = l->index->starts[l->line];
    return directive_read((struct str){l->index->text.text + l->at, end - l->at},
                          l->preprocessor.language);
}

static bool next_line(struct lexer *l)
{
    if (l->line >= l->index->count)
        return false;
    l->at = l->index->starts[l->line++];
    return true;
}

/* Where the condition is not known, all branches are active. */
static void set_unknown(struct lexer *l, enum truth truth)
{
    if (l->conditions != 0 && l->conditions <= DEPTH_MAX)
        l->is_unknown[l->conditions - 1] = truth == TRUTH_UNKNOWN;
}

static bool all_active(const struct lexer *l)
{
    return l->conditions == 0 || l->conditions > DEPTH_MAX || l->is_unknown[l->conditions - 1];
}

/* Is it the directive that ends what is left out: `#endif`, `#else`, an `#elif` that may hold? */
static bool ends_inactive(struct lexer *l, const struct directive *directive, bool to_end)
{
    if (directive->kind == DIRECTIVE_END_IF) {
        l->conditions--;
        return true;
    }
    if (to_end || directive->kind != DIRECTIVE_ELSE_IF)
        return !to_end && directive->kind == DIRECTIVE_ELSE;
    enum truth truth = preprocessor_holds(&l->preprocessor, directive->rest);
    set_unknown(l, truth);
    return truth != TRUTH_NO;
}

static void skip_inactive(struct lexer *l, bool to_end)
{
    unsigned depth = 0;
    while (next_line(l)) {
        struct directive directive = directive_at(l);
        if (depth == 0 && ends_inactive(l, &directive, to_end))
            return;
        depth += directive.kind == DIRECTIVE_IF;
        depth -= directive.kind == DIRECTIVE_END_IF;
    }
    l->at = (uint32_t)l->index->text.len;
}

/* What the directive of this line leaves out. */
static bool skip_directive(struct lexer *l, const struct directive *directive)
{
    enum truth truth;
    switch (directive->kind) {
    case DIRECTIVE_IF:
        truth = preprocessor_holds(&l->preprocessor, directive->rest);
        l->conditions++;
        set_unknown(l, truth);
        if (truth == TRUTH_NO && !all_active(l))
            skip_inactive(l, false);
        return true;
    case DIRECTIVE_ELSE_IF:
    case DIRECTIVE_ELSE:
        if (!all_active(l))
            skip_inactive(l, true);
        return true;
    case DIRECTIVE_END_IF:
        l->conditions -= l->conditions != 0;
        return true;
    case DIRECTIVE_DEFINE:
    case DIRECTIVE_UNDEFINE:
        return preprocessor_note(&l->preprocessor, directive, l->arena, l->err);
    case DIRECTIVE_NONE:
    case DIRECTIVE_OTHER:
        break;
    }
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
    while (ascii_is_word(c) && len < rest.len && ascii_is_word(rest.text[len]))
        len++;
    bool is_arrow = str_starts(rest, "=>");
    bool was_delegate = l->after_delegate;
    l->after_delegate = ascii_is_word(c) && str_is((struct str){rest.text, len}, "delegate");
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
    if (ascii_is_space(c)) {
        l->at++;
        return true;
    }
    size_t len =
        ascii_is_word(c) && l->language == LANGUAGE_CSHARP ? 0 : comments_skip(rest, l->language);
    if (len != 0)
        return add_long(l, (uint32_t)len, !is_comment(l, rest));
    if (l->language == LANGUAGE_CSHARP)
        return add_csharp(l);
    bool ok = add_piece(l);
    do
        l->at++;
    while (l->at < l->index->text.len && ascii_is_word(c) &&
           ascii_is_word(l->index->text.text[l->at]));
    return ok;
}

bool line_text_make(struct line_text *out, const struct line_index *index, enum language language,
                    struct str defined, struct arena *arena, struct err *err)
{
    struct lexer l = {.index = index,
                      .language = language,
                      .preprocessor = {.language = language, .given = defined},
                      .arena = arena,
                      .err = err};
    bool ok = true;
    while (ok && next_line(&l)) {
        struct directive directive = directive_at(&l);
        if (directive.kind != DIRECTIVE_NONE) {
            ok = skip_directive(&l, &directive);
            continue;
        }
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

#include "coverage/source/comments.h"

#include <string.h>

#include "base/ascii.h"
#include "base/list.h"
#include "coverage/source/line_index.h"

/* Strings in holes of strings: deeper than in any real source. */
enum {
    NESTING_MAX = 32
};

struct lexer {
    const char *at, *start, *end;
    uint32_t line;
    enum language language;
    bool is_line_start; /* only white space since */
    bool is_mapped;     /* by #line: lines are those of another file */
    unsigned nesting;
    struct list found; /* struct comment */
    struct arena *arena;
    struct err *err;
    bool failed;
};

enum escape {
    ESCAPE_NONE,
    ESCAPE_BACKSLASH,
    ESCAPE_QUOTE, /* doubled quotes stand for one */
};

struct literal {
    size_t quotes;  /* quotes that end it */
    size_t dollars; /* braces that open a hole; 0: no holes */
    enum escape escape;
    bool has_lines; /* else a line end also ends it: it was not a string */
};

/* --- bytes ------------------------------------------------------------------------------------ */

/* 0 past the end; source text does not contain 0. */
static char peek_at(const struct lexer *l, size_t n)
{
    return n < (size_t)(l->end - l->at) ? l->at[n] : '\0';
}

static void skip_bytes(struct lexer *l, size_t n)
{
    size_t left = (size_t)(l->end - l->at);
    l->at += n < left ? n : left;
}

static size_t run_of(const struct lexer *l, char c)
{
    size_t n = 0;
    while (l->at + n < l->end && l->at[n] == c)
        n++;
    return n;
}

#define MARK   "ilcov:"  /* what comments for ilcov begin with */
#define BLANKS " \t\f\v" /* within a line */

static bool is_blank_in_line(char c)
{
    return c != '\0' && strchr(BLANKS, c) != NULL;
}

/* Length of the line end here, or 0. F# knows CR and LF alone. */
static size_t line_end_here(const struct lexer *l)
{
    size_t len = line_end_len((struct str){l->at, (size_t)(l->end - l->at)});
    return l->language == LANGUAGE_FSHARP && len != 0 && (unsigned char)*l->at >= 0x80 ? 0 : len;
}

static bool take_line_end(struct lexer *l)
{
    size_t n = line_end_here(l);
    if (n == 0)
        return false;
    skip_bytes(l, n);
    l->line++;
    l->is_line_start = true;
    return true;
}

static struct str rest_of_line(struct lexer *l)
{
    const char *from = l->at;
    while (l->at < l->end && line_end_here(l) == 0)
        l->at++;
    return (struct str){from, (size_t)(l->at - from)};
}

/* --- what a comment says ---------------------------------------------------------------------- */

static bool takes_word(struct str *rest, const char *word)
{
    size_t len = strlen(word);
    if (!str_starts(*rest, word) ||
        (rest->len > len && !is_blank_in_line(rest->text[len]) && rest->text[len] != ':'))
        return false;
    *rest = str_from(*rest, len);
    return true;
}

static void take_comment(struct lexer *l, struct str text, uint32_t line)
{
    text = str_trim(text, BLANKS);
    if (!str_starts(text, MARK) || l->is_mapped || l->failed)
        return;
    struct comment *comment = list_add(&l->found, sizeof *comment, l->arena, l->err);
    if (comment == NULL) {
        l->failed = true;
        return;
    }
    struct str rest = text;
    if (takes_word(&rest, MARK "ignore"))
        comment->kind = COMMENT_IGNORE;
    else if (takes_word(&rest, MARK "ignore-start"))
        comment->kind = COMMENT_START;
    else if (takes_word(&rest, MARK "ignore-end"))
        comment->kind = COMMENT_END;
    else
        comment->kind = COMMENT_UNKNOWN;
    rest = str_trim(rest, BLANKS);
    if (comment->kind != COMMENT_UNKNOWN && str_starts(rest, ":"))
        rest = str_trim(str_from(rest, 1), BLANKS);
    comment->line = line;
    comment->reason = rest;
}

/* --- comments --------------------------------------------------------------------------------- */

static void skip_literal(struct lexer *l, const struct literal *literal);

/* Called after its opening. The directive is on its first line. */
static void skip_block_comment(struct lexer *l)
{
    bool fsharp = l->language == LANGUAGE_FSHARP;
    const char *from = l->at, *first_end = NULL;
    uint32_t line = l->line;
    for (unsigned depth = 1; l->at < l->end && depth != 0;) {
        const char *here = l->at;
        if (take_line_end(l)) {
            first_end = first_end != NULL ? first_end : here;
        } else if (peek_at(l, 0) == '*' && peek_at(l, 1) == (fsharp ? ')' : '/')) {
            depth--;
            skip_bytes(l, 2);
            first_end = first_end != NULL || depth != 0 ? first_end : here;
        } else if (fsharp && peek_at(l, 0) == '(' && peek_at(l, 1) == '*' && peek_at(l, 2) != ')') {
            depth++;
            skip_bytes(l, 2);
        } else if (fsharp && peek_at(l, 0) == '"') { /* strings are strings there, too */
            skip_bytes(l, 1);
            skip_literal(
                l, &(struct literal){.quotes = 1, .escape = ESCAPE_BACKSLASH, .has_lines = true});
        } else {
            skip_bytes(l, 1);
        }
    }
    first_end = first_end != NULL ? first_end : l->at;
    take_comment(l, (struct str){from, (size_t)(first_end - from)}, line);
}

static bool take_any_comment(struct lexer *l)
{
    char a = peek_at(l, 0), b = peek_at(l, 1);
    bool basic = l->language == LANGUAGE_VISUAL_BASIC, fsharp = l->language == LANGUAGE_FSHARP;
    if (basic ? a == '\'' : a == '/' && b == '/') {
        skip_bytes(l, basic ? 1 : 2);
        struct str text = rest_of_line(l);
        take_comment(l, text, l->line);
        return true;
    }
    if (fsharp ? a == '(' && b == '*' && peek_at(l, 2) != ')' : !basic && a == '/' && b == '*') {
        skip_bytes(l, 2);
        skip_block_comment(l);
        return true;
    }
    return false;
}

/* --- strings and characters ------------------------------------------------------------------- */

static void skip_code(struct lexer *l, const struct literal *hole_of);

static void skip_hole(struct lexer *l, const struct literal *literal)
{
    if (l->nesting == NESTING_MAX) {
        l->at = l->end;
        return;
    }
    l->nesting++;
    skip_code(l, literal);
    l->nesting--;
}

/* Is there a hole after these braces? In raw strings, if there are enough of them; otherwise, if
 * the brace is not doubled. */
static bool opens_hole(const struct lexer *l, const struct literal *literal, size_t braces)
{
    bool raw = literal->quotes >= 3 && (literal->dollars > 1 || l->language == LANGUAGE_CSHARP);
    return raw ? braces >= literal->dollars : braces % 2 != 0;
}

/* Called after its opening quotes. */
static void skip_literal(struct lexer *l, const struct literal *literal)
{
    while (l->at < l->end) {
        char c = peek_at(l, 0);
        /* of these two alone: looked for at each letter, a long run would take quadratic time */
        size_t run = c == '"' || c == '{' ? run_of(l, c) : 1;
        if (line_end_here(l) != 0) {
            if (!literal->has_lines)
                return;
            (void)take_line_end(l);
        } else if (c == '"' && literal->escape == ESCAPE_QUOTE && run >= 2) {
            skip_bytes(l, run - run % 2);
        } else if (c == '"' && run >= literal->quotes) {
            skip_bytes(l, literal->quotes == 1 ? 1 : run);
            return;
        } else if (c == '"') {
            skip_bytes(l, run);
        } else if (c == '\\' && literal->escape == ESCAPE_BACKSLASH) {
            skip_bytes(l, 1);
            if (line_end_here(l) == 0)
                skip_bytes(l, 1);
        } else if (c == '{' && literal->dollars != 0) {
            skip_bytes(l, run);
            if (opens_hole(l, literal, run))
                skip_hole(l, literal);
        } else {
            skip_bytes(l, 1);
        }
    }
}

/* At `$`, `@` or a quote: false if no string begins here. */
static bool take_literal(struct lexer *l)
{
    struct literal literal = {.quotes = 1, .escape = ESCAPE_BACKSLASH};
    size_t prefix = 0;
    bool verbatim = false;
    for (; peek_at(l, prefix) == '$' || peek_at(l, prefix) == '@'; prefix++) {
        literal.dollars += peek_at(l, prefix) == '$';
        verbatim = verbatim || peek_at(l, prefix) == '@';
    }
    if (peek_at(l, prefix) != '"')
        return false;
    skip_bytes(l, prefix);
    size_t run = run_of(l, '"');
    bool basic = l->language == LANGUAGE_VISUAL_BASIC;
    literal.has_lines = verbatim || l->language != LANGUAGE_CSHARP;
    if (verbatim || basic) {
        literal.escape = ESCAPE_QUOTE;
    } else if (run >= 3) {
        literal.quotes = l->language == LANGUAGE_FSHARP ? 3 : run;
        literal.escape = ESCAPE_NONE;
        literal.has_lines = true;
    }
    skip_bytes(l, literal.quotes);
    skip_literal(l, &literal);
    return true;
}

/* 'x' of C#, on one line. */
static void skip_character(struct lexer *l)
{
    skip_bytes(l, 1);
    while (l->at < l->end && line_end_here(l) == 0) {
        char c = peek_at(l, 0);
        skip_bytes(l, 1);
        if (c == '\'')
            return;
        if (c == '\\' && line_end_here(l) == 0)
            skip_bytes(l, 1);
    }
}

/* In F#, a ' may also belong to a type variable or end a name. */
static void skip_fsharp_character(struct lexer *l)
{
    size_t n = 1;
    if (l->at > l->start && (ascii_is_word(l->at[-1]) || l->at[-1] == '\'')) {
        skip_bytes(l, 1);
        return;
    }
    if (peek_at(l, 1) == '\\')
        for (n = 3; n < 12 && peek_at(l, n) != '\''; n++)
            continue;
    else
        for (n = 2; n < 5 && ((unsigned char)peek_at(l, n) & 0xC0) == 0x80; n++)
            continue;
    skip_bytes(l, peek_at(l, n) == '\'' ? n + 1 : 1);
}

/* ``an F# name`` */
static void skip_quoted_name(struct lexer *l)
{
    skip_bytes(l, 2);
    while (l->at < l->end && line_end_here(l) == 0 && run_of(l, '`') < 2)
        skip_bytes(l, 1);
    skip_bytes(l, run_of(l, '`'));
}

/* --- code ------------------------------------------------------------------------------------- */

/* `#line 12` until `#line default`; the rest of a directive's line is ignored. */
static void skip_directive(struct lexer *l)
{
    skip_bytes(l, 1);
    struct str text = str_trim(rest_of_line(l), BLANKS);
    if (!takes_word(&text, "line") && !(text.len != 0 && ascii_is_digit(text.text[0])))
        return;
    text = str_trim(text, BLANKS);
    if (str_starts(text, "default"))
        l->is_mapped = false;
    else if (!str_starts(text, "hidden"))
        l->is_mapped = true;
}

static bool is_directive(const struct lexer *l)
{
    char next = peek_at(l, 1);
    return l->is_line_start && peek_at(l, 0) == '#' && l->nesting == 0 &&
           (l->language != LANGUAGE_FSHARP || (next >= 'a' && next <= 'z') || next == ' ');
}

/* #8/23/1970# of Visual Basic. */
static bool take_date(struct lexer *l)
{
    size_t len = 1;
    if (l->language != LANGUAGE_VISUAL_BASIC || !ascii_is_digit(peek_at(l, 1)))
        return false;
    while (len < (size_t)(l->end - l->at) && peek_at(l, len) != '#' && peek_at(l, len) != '\n')
        len++;
    if (peek_at(l, len) != '#')
        return false;
    skip_bytes(l, len + 1);
    return true;
}

/* A comment, string, character or date here. */
static bool take_long(struct lexer *l)
{
    char c = peek_at(l, 0);
    if (c == '#')
        return take_date(l);
    if (take_any_comment(l) || ((c == '"' || c == '$' || c == '@') && take_literal(l)))
        return true;
    if (c != '\'') /* a comment, in Visual Basic */
        return false;
    if (l->language == LANGUAGE_FSHARP)
        skip_fsharp_character(l);
    else
        skip_character(l);
    return true;
}

/* `{x:0.00//}`: the text after the colon is not code. */
static bool takes_format(struct lexer *l, const struct literal *hole_of)
{
    char next = peek_at(l, 1);
    if (next == ':' ||
        (l->language == LANGUAGE_FSHARP && (next == '>' || next == '?' || next == '='))) {
        skip_bytes(l, 1); /* of both */
        return false;
    }
    while (l->at < l->end && peek_at(l, 0) != '}' && peek_at(l, 0) != '"' &&
           (line_end_here(l) == 0 || hole_of->has_lines))
        if (!take_line_end(l))
            skip_bytes(l, 1);
    return true;
}

/* To the end of the text, or of the enclosing hole. */
static void skip_code(struct lexer *l, const struct literal *hole_of)
{
    size_t depth = 0; /* of brackets of any kind */
    while (l->at < l->end) {
        char c = peek_at(l, 0);
        if (take_line_end(l))
            continue;
        if (is_directive(l)) {
            skip_directive(l);
            continue;
        }
        l->is_line_start = l->is_line_start && (is_blank_in_line(c) || (unsigned char)c >= 0x80);
        if (take_long(l))
            continue;
        if (l->language == LANGUAGE_FSHARP && c == '`' && peek_at(l, 1) == '`') {
            skip_quoted_name(l);
            continue;
        }
        if (hole_of != NULL && depth == 0 && c == ':' && takes_format(l, hole_of))
            continue;
        if (hole_of != NULL && depth == 0 && c == '}') {
            size_t run = run_of(l, '}');
            skip_bytes(l, run < hole_of->dollars ? run : hole_of->dollars);
            return;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth != 0 && (c == ')' || c == ']' || c == '}');
        skip_bytes(l, 1);
    }
}

bool comments_find(struct comments *out, struct view source, enum language language,
                   struct arena *arena, struct err *err)
{
    const char *text = (const char *)source.data;
    struct lexer l = {
        .at = text,
        .start = text,
        .end = text + source.len,
        .line = 1,
        .language = language,
        .is_line_start = true,
        .arena = arena,
        .err = err,
    };
    /* Most sources have no such comment, wherever one might be. */
    if (source.len != 0 && memmem(text, source.len, MARK, sizeof MARK - 1) != NULL)
        skip_code(&l, NULL);
    *out = (struct comments){l.found.items, l.found.count};
    return !l.failed;
}

size_t comments_skip(struct str text, enum language language)
{
    struct lexer l = {
        .at = text.text,
        .start = text.text,
        .end = text.text + text.len,
        .line = 1,
        .language = language,
        .is_mapped = true, /* directives in comments are not needed here */
    };
    (void)take_long(&l);
    return (size_t)(l.at - text.text);
}

bool comments_leave_nothing(struct str text, enum language language)
{
    char mark = language == LANGUAGE_VISUAL_BASIC ? '\'' : '/';
    while (text.len != 0) {
        char c = text.text[0];
        size_t comment = c == mark ? comments_skip(text, language) : 0;
        if (comment == 0 && c != '{' && !ascii_is_space(c))
            return false;
        text = str_from(text, comment != 0 ? comment : 1);
    }
    return true;
}

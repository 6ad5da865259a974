#include "coverage/affected/body_text.h"

#include <limits.h>
#include <string.h>

#include "base/ascii.h"
#include "coverage/source/comments.h"

#define BLANKS " \t\f\v"

/* --- words ------------------------------------------------------------------------------------ */

static bool is_word_char(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The word at the start, which may be empty. */
static struct str word_at(struct str text)
{
    size_t len = 0;
    while (len < text.len && is_word_char(text.text[len]))
        len++;
    return (struct str){text.text, len};
}

static bool is_one_of(struct str word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(word, str_of(words[i])))
            return true;
    return false;
}

#define IS_ONE_OF(word, words) is_one_of((word), (words), ARRAY_LEN(words))

bool body_text_is_empty(struct str line, enum language language)
{
    struct str text = str_trim(line, BLANKS);
    if (text.len == 0)
        return true;
    if (language == LANGUAGE_VISUAL_BASIC)
        return text.text[0] == '\'';
    return str_starts(text, "//") ||
           (str_starts(text, "/*") &&
            memmem(text.text, text.len, "*/", 2) == text.text + text.len - 2 &&
            text.len >= strlen("/**/"));
}

/* --- C#: what looks like a member ------------------------------------------------------------- */

/* Words that only members and types begin with. */
static const char *const member_words[] = {
    "public",    "private", "protected", "internal", "override", "abstract",  "virtual",
    "sealed",    "partial", "event",     "class",    "struct",   "interface", "enum",
    "namespace", "record",  "delegate",  "operator", "implicit", "explicit",
};
/* Modifiers of local functions, too. */
static const char *const modifiers[] = {"static", "async", "unsafe", "extern"};
/* Words before a name and a parenthesis where no member is declared. */
static const char *const statement_words[] = {
    "return", "await", "throw",  "new",    "else",   "case",  "yield", "in",   "is",
    "as",     "out",   "ref",    "when",   "and",    "or",    "not",   "from", "let",
    "join",   "on",    "select", "where",  "by",     "group", "into",  "do",   "orderby",
    "goto",   "var",   "using",  "equals", "typeof", "lock",  "fixed", "for",  "foreach"};

/* The length of a type at the start, with its arguments; 0: none. */
static size_t type_length(struct str text)
{
    int nested = 0;
    size_t len = 0;
    if (text.len == 0 ||
        !(is_word_char(text.text[0]) || text.text[0] == '@' || text.text[0] == '('))
        return 0;
    for (; len < text.len; len++) {
        char c = text.text[len];
        nested += (c == '<' || c == '[' || (c == '(' && (len == 0 || nested != 0))) -
                  ((c == '>' || c == ']' || c == ')') && nested != 0);
        if (nested == 0 && !is_word_char(c) && memchr(".:?@>])*", c, 8) == NULL)
            break;
    }
    return nested == 0 ? len : 0;
}

/* "int F(", "T I.F<U>(", "int I.P =>" */
static bool has_name_of_member(struct str text)
{
    size_t type = type_length(text);
    struct str rest = str_trim_start(str_from(text, type), BLANKS);
    size_t name = type != 0 && rest.len < text.len - type ? type_length(rest) : 0;
    if (name == 0 || rest.text[0] == '(')
        return false;
    bool is_explicit = memchr(rest.text, '.', name) != NULL;
    rest = str_trim_start(str_from(rest, name), BLANKS);
    return str_starts(rest, "(") ||
           (is_explicit && (rest.len == 0 || str_starts(rest, "=>") || str_starts(rest, "{")));
}

static bool looks_like_member(struct str line)
{
    struct str text = str_trim(line, BLANKS), word = word_at(text);
    if (str_starts(text, "[") || IS_ONE_OF(word, member_words))
        return true;
    while (IS_ONE_OF(word, modifiers)) {
        text = str_trim_start(str_from(text, word.len), BLANKS);
        word = word_at(text);
    }
    return !IS_ONE_OF(word, statement_words) && has_name_of_member(text);
}

/* Lines that only moved to another column declare nothing new. */
static bool was_there(const struct body_edit *edit, struct str line)
{
    for (uint32_t i = 0; i < edit->was_count; i++)
        if (str_eq(str_trim(edit->was[i], BLANKS), str_trim(line, BLANKS)))
            return true;
    return false;
}

/* --- C#: braces ------------------------------------------------------------------------------- */

struct shape {
    int depth, least;      /* of braces, from 0: at the end, and anywhere */
    int closed;            /* the least after a closing one that is not the last character */
    bool ends_at_top;      /* a ';' outside of all braces */
    bool is_known;         /* no directive, and no string that goes on */
    char last, first;      /* that are no comment; 0: none */
    struct str first_text; /* from the first on */
};

static void add_char(struct shape *shape, char c)
{
    if (shape->last == '}' && shape->depth < shape->closed)
        shape->closed = shape->depth;
    shape->depth += (c == '{') - (c == '}');
    if (shape->depth < shape->least)
        shape->least = shape->depth;
    shape->ends_at_top = shape->ends_at_top || (c == ';' && shape->depth <= 0);
    shape->last = c;
}

/* Does the literal or comment end on its line? */
static bool is_closed(struct str token)
{
    char last = token.text[token.len - 1];
    if (str_starts(token, "//"))
        return true;
    if (str_starts(token, "/*"))
        return token.len >= strlen("/**/") && str_ends(token, "*/");
    const char *quote = memchr(token.text, '"', token.len);
    if (quote != NULL && str_starts(str_from(token, (size_t)(quote - token.text)), "\"\"\""))
        return false; /* raw, or verbatim with quotes */
    return last == '\'' || (last == '"' && quote != token.text + token.len - 1);
}

static void add_line(struct shape *shape, struct str line)
{
    struct str text = str_trim(line, BLANKS);
    if (str_starts(text, "#"))
        shape->is_known = false;
    while (text.len != 0 && shape->is_known) {
        size_t len = comments_skip(text, LANGUAGE_CSHARP);
        struct str token = {text.text, len != 0 ? len : 1};
        bool is_comment = str_starts(token, "//") || str_starts(token, "/*");
        if (len != 0)
            shape->is_known = is_closed(token);
        if (!is_comment && memchr(BLANKS, token.text[0], strlen(BLANKS)) == NULL) {
            if (shape->first == '\0') {
                shape->first = token.text[0];
                shape->first_text = text;
            }
            add_char(shape, len != 0 ? '"' : token.text[0]);
        }
        text = str_from(text, token.len);
    }
}

/* --- C#: a body ------------------------------------------------------------------------------- */

/* Lines from `begin` up to `end`; of the first one what follows `skip` bytes, of the last one
 * without `drop` bytes. */
struct part {
    const struct str *lines;
    uint32_t begin, end;
    size_t skip, drop;
};

static struct shape shape_of(const struct part *part)
{
    struct shape shape = {.closed = INT_MAX, .is_known = true};
    for (uint32_t i = part->begin; i < part->end; i++) {
        struct str line = part->lines[i];
        if (i + 1 == part->end)
            line.len -= part->drop;
        add_line(&shape, i == part->begin ? str_from(line, part->skip) : line);
    }
    return shape;
}

static bool has_column(struct str line, uint32_t column)
{
    if (column == 0 || column - 1 > line.len)
        return false;
    for (size_t i = 0; i + 1 < column; i++)
        if ((unsigned char)line.text[i] >= 0x80)
            return false;
    return true;
}

/* What is around the body on its first and its last line must be there again. */
static bool find_parts(struct part *was, struct part *now, const struct body_edit *edit)
{
    *was = (struct part){edit->was, 0, edit->was_count, 0, 0};
    *now = (struct part){edit->now, 0, edit->now_count, 0, 0};
    if (edit->first != BODY_ELSEWHERE) {
        struct str line = edit->was[edit->first], before = {line.text, edit->start_column - 1};
        if (!has_column(line, edit->start_column))
            return false;
        was->begin = edit->first;
        was->skip = before.len;
        while (now->begin < now->end && body_text_is_empty(edit->now[now->begin], LANGUAGE_CSHARP))
            now->begin++;
        if (str_trim(before, BLANKS).len != 0) {
            if (now->begin == now->end || edit->now[now->begin].len < before.len ||
                memcmp(edit->now[now->begin].text, before.text, before.len) != 0)
                return false;
            now->skip = before.len;
        }
    }
    if (edit->last != BODY_ELSEWHERE) {
        struct str line = edit->was[edit->last];
        if (!has_column(line, edit->end_column))
            return false;
        was->end = edit->last + 1;
        was->drop = line.len - (edit->end_column - 1);
        struct str after = str_from(line, edit->end_column - 1);
        while (now->begin < now->end &&
               body_text_is_empty(edit->now[now->end - 1], LANGUAGE_CSHARP))
            now->end--;
        if (now->begin == now->end)
            return false;
        struct str end = edit->now[now->end - 1];
        if (end.len < after.len ||
            memcmp(end.text + end.len - after.len, after.text, after.len) != 0)
            return false;
        now->drop = after.len;
        if (now->begin + 1 == now->end && now->skip + now->drop > end.len)
            return false;
    }
    return true;
}

/* `get;` is the declaration of what the compiler makes. */
static bool is_accessor(const struct shape *shape)
{
    static const char *const words[] = {"get", "set", "init", "add", "remove"};
    struct str word = word_at(shape->first_text);
    return IS_ONE_OF(word, words) &&
           (word.len == shape->first_text.len || shape->first_text.text[word.len] == ';');
}

static bool stays_in_braces(const struct body_edit *edit, int *depth)
{
    struct part old_part, new_part;
    if (!find_parts(&old_part, &new_part, edit))
        return false;
    struct shape was = shape_of(&old_part), now = shape_of(&new_part);
    bool ends = edit->last != BODY_ELSEWHERE;
    int before = *depth;
    *depth += now.depth - was.depth;
    if (!was.is_known || !now.is_known || before + now.least < was.least || *depth < 0)
        return false;
    if (edit->first != BODY_ELSEWHERE && is_accessor(&was))
        return false;
    for (uint32_t i = new_part.begin; i < new_part.end; i++)
        if ((i != new_part.begin || new_part.skip == 0) && looks_like_member(edit->now[i]) &&
            !was_there(edit, edit->now[i]))
            return false;
    if (!ends)
        return true;
    /* The last brace closes the body, and so must no other. A body that is an expression ends
     * before its ';'. */
    if (was.last == '}' &&
        (now.last != '}' || (now.closed != INT_MAX && before + now.closed <= was.depth)))
        return false;
    struct str end = edit->was[edit->last];
    bool is_expression =
        str_starts(str_trim_start(str_from(end, end.len - old_part.drop), BLANKS), ";");
    return *depth == 0 && !(is_expression && now.ends_at_top);
}

/* --- Visual Basic ----------------------------------------------------------------------------- */

/* A method's first and last statement are the lines that declare and end it. */
static bool stays_in_lines(const struct body_edit *edit)
{
    static const char *const words[] = {
        "Public",    "Private",        "Protected",    "Friend",   "Overrides", "Overridable",
        "Overloads", "Shared",         "Sub",          "Function", "Class",     "Structure",
        "Property",  "Module",         "Interface",    "Enum",     "Namespace", "Event",
        "Custom",    "Operator",       "MustOverride", "Delegate", "Partial",   "Async",
        "Shadows",   "NotOverridable", "Iterator"};
    static const char *const blocks[] = {"If",     "While", "Using",   "With",
                                         "Select", "Try",   "SyncLock"};
    if (edit->first != BODY_ELSEWHERE || edit->last != BODY_ELSEWHERE)
        return false;
    for (uint32_t i = 0; i < edit->now_count; i++) {
        struct str text = str_trim(edit->now[i], BLANKS), word = word_at(text);
        struct str next = word_at(str_trim_start(str_from(text, word.len), BLANKS));
        if (str_starts(text, "<") || str_starts(text, "#") || IS_ONE_OF(word, words) ||
            (str_eq_nocase(word, STR("End")) && !IS_ONE_OF(next, blocks)))
            return false;
    }
    return true;
}

bool body_text_stays(const struct body_edit *edit, enum language language, int *depth)
{
    switch (language) {
    case LANGUAGE_CSHARP:
        return stays_in_braces(edit, depth);
    case LANGUAGE_VISUAL_BASIC:
        return stays_in_lines(edit);
    case LANGUAGE_FSHARP: /* inlines bodies elsewhere, and infers declarations from them */
    case LANGUAGE_IL:
        break;
    }
    return false;
}

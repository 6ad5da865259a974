#include "coverage/diff/code_text.h"

#include <string.h>

#include "coverage/source/comments.h"
#include "coverage/source/line_index.h"
#include "coverage/source/tokens.h"

/* --- languages -------------------------------------------------------------------------------- */

/* A line that has no code, whatever stands around it: how it begins and ends, and characters that
 * it does not have between the two, since code may follow them. */
struct idle {
    const char *begin, *end, *without; /* `end` and `without` may be NULL */
    bool is_all;                       /* it is `begin` alone */
};

static const struct idle of_visual_basic[] = {
    {.begin = "'"},
    {.begin = "#"},
    {.begin = "imports ", .without = ":"},
    {.begin = "option ", .without = ":"},
    {.begin = "namespace ", .without = ":"},
    {.begin = "end namespace", .without = ":"},
    {.begin = "<assembly:", .without = ">", .end = ">"},
    {.begin = NULL},
};
static const struct idle of_fsharp[] = {
    {.begin = "//"},
    {.begin = "#"},
    {.begin = "open ", .without = ";="},
    {.begin = "namespace ", .without = ";="},
    {.begin = "module ", .without = ";="}, /* what it is made of may stand on the same line */
    {.begin = "[<assembly:", .without = "]", .end = ">]"},
    {.begin = "do ()", .is_all = true},
    {.begin = NULL},
};

/* Components (.razor) and views (.cshtml): a directive of the others alone is an expression. */
/* clang-format off */
#define OF_ANY_RAZOR                                                                               \
    {.begin = "@using ", .without = "("}, {.begin = "@namespace "}, {.begin = "@inherits "},       \
    {.begin = "@implements "}, {.begin = "@inject "}, {.begin = "@attribute "},                    \
    {.begin = "@page "}, {.begin = "@page", .is_all = true}
/* clang-format on */
static const struct idle of_components[] = {
    OF_ANY_RAZOR,    {.begin = "@layout "}, {.begin = "@typeparam "}, {.begin = "@rendermode "},
    {.begin = NULL},
};
static const struct idle of_views[] = {
    OF_ANY_RAZOR,
    {.begin = "@model "},
    {.begin = "@addTagHelper "},
    {.begin = "@removeTagHelper "},
    {.begin = "@tagHelperPrefix "},
    {.begin = NULL},
};

static const struct source_kind {
    const char *ending;
    const struct idle *idle; /* NULL: C# */
    bool ignores_case, has_markup;
} languages[] = {
    {.ending = ".cs"},
    {.ending = ".vb", .idle = of_visual_basic, .ignores_case = true},
    {.ending = ".fs", .idle = of_fsharp},
    {.ending = ".razor", .idle = of_components, .has_markup = true},
    {.ending = ".cshtml", .idle = of_views, .has_markup = true},
};

static const struct source_kind *source_kind_of(struct str path)
{
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (str_ends_nocase(path, languages[i].ending))
            return &languages[i];
    return NULL;
}

bool code_text_is_source(struct str path)
{
    return source_kind_of(path) != NULL;
}

/* --- by lines --------------------------------------------------------------------------------- */

static struct str take_trimmed_line(struct str *rest)
{
    return str_trim(str_take_until(rest, '\n'), " \t\r");
}

static bool has_start(struct str line, const char *word, bool ignores_case)
{
    struct str start = {line.text, strlen(word)};
    return ignores_case ? line.len >= start.len && str_eq_nocase(start, str_of(word))
                        : str_starts(line, word);
}

static bool has_any_character(struct str text, const char *characters)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.text[i] != '\0' && strchr(characters, text.text[i]) != NULL)
            return true;
    return false;
}

static bool is_like(struct str line, const struct idle *idle, bool ignores_case)
{
    if (!has_start(line, idle->begin, ignores_case))
        return false;
    struct str rest = str_from(line, strlen(idle->begin));
    if (idle->is_all)
        return rest.len == 0;
    if (idle->end != NULL && !str_ends(rest, idle->end))
        return false;
    rest.len -= idle->end != NULL ? strlen(idle->end) : 0;
    return idle->without == NULL || !has_any_character(rest, idle->without);
}

static bool is_idle_line(struct str line, const struct source_kind *language)
{
    for (const struct idle *idle = language->idle; idle->begin != NULL; idle++)
        if (is_like(line, idle, language->ignores_case))
            return true;
    return line.len == 0;
}

/* Markup has code after an '@', and in what it hands to components and tag helpers. */
static bool is_markup_alone(struct str line)
{
    bool has_value = memchr(line.text, '=', line.len) != NULL;
    for (size_t i = 0; i < line.len; i++) {
        char next = i + 1 < line.len ? line.text[i + 1] : '\0';
        if (line.text[i] == '@' ||
            (has_value && line.text[i] == '<' && next >= 'A' && next <= 'Z') ||
            (has_value && str_starts(str_from(line, i), "asp-")))
            return false;
    }
    return true;
}

static bool any_line_runs(struct str text, const struct source_kind *language)
{
    while (text.len != 0) {
        struct str line = take_trimmed_line(&text);
        if (!is_idle_line(line, language) && !(language->has_markup && is_markup_alone(line)))
            return true;
    }
    return false;
}

/* --- C# --------------------------------------------------------------------------------------- */

enum {
    NESTING_MOST = 32
};

/* Where a member is declared. */
enum around {
    IN_FILE, /* or a namespace */
    IN_INTERFACE,
    IN_TYPE,
};

struct code_reading {
    struct str text;
    const struct token *at;
    unsigned nesting;
};

/* What stands before the ';' or '{' of a member. */
struct head {
    struct str kind; /* its first keyword of these: using, namespace, interface, ... */
    const struct token *first;
    bool is_constant, is_abstract, is_static;
    bool has_parameters, has_arrow, has_value, is_odd;
};

static struct str word_at(const struct code_reading *r, const struct token *token)
{
    return (struct str){r->text.text + token->start, token->end - token->start};
}

static bool is_head_keyword(struct str word)
{
    return str_is_one_of(word,
                         "using extern namespace interface enum class struct record delegate");
}

/* Past the bracket that closes the one here; false at the end of the text. */
static bool skip_brackets(struct code_reading *r)
{
    unsigned depth = 0;
    do {
        enum token_kind kind = r->at->kind;
        depth += token_opens(kind);
        depth -= token_closes(kind);
        if (kind == TOKEN_END || kind == TOKEN_UNKNOWN)
            return false;
        r->at++;
    } while (depth != 0);
    return true;
}

static bool ends_head(enum token_kind kind)
{
    return token_is_one_of(kind, ONE(TOKEN_SEMICOLON) | ONE(TOKEN_OPEN_BRACE) |
                                     ONE(TOKEN_CLOSE_BRACE) | ONE(TOKEN_END));
}

/* Of one of another type, such as decimal, a static constructor may set the value. */
static bool is_type_of_constants(struct str word)
{
    return str_is_one_of(word, "bool byte sbyte short ushort int uint long ulong nint nuint char "
                               "float double string");
}

/* `delegate*` is a type. */
static void note_word(struct head *head, const struct code_reading *r)
{
    struct str word = word_at(r, r->at), next = word_at(r, r->at + 1);
    if (head->kind.len == 0 && !head->has_parameters && is_head_keyword(word) &&
        !(str_is(word, "delegate") && str_is(next, "*")))
        head->kind = word;
    head->is_constant |= str_is(word, "const") && is_type_of_constants(next);
    head->is_abstract |= str_is(word, "abstract");
    head->is_static |= str_is(word, "static");
}

static struct head take_member_head(struct code_reading *r)
{
    struct head head = {.kind = STR("")};
    while (r->at->kind == TOKEN_OPEN_SQUARE && !head.is_odd)
        head.is_odd = !skip_brackets(r);
    head.first = r->at;
    while (!head.is_odd && !ends_head(r->at->kind)) {
        enum token_kind kind = r->at->kind;
        if (kind == TOKEN_WORD)
            note_word(&head, r);
        head.has_arrow |= kind == TOKEN_ARROW;
        head.has_value |= kind == TOKEN_ASSIGN;
        head.has_parameters |= kind == TOKEN_OPEN;
        head.is_odd = kind == TOKEN_UNKNOWN;
        if (kind == TOKEN_OPEN || kind == TOKEN_OPEN_SQUARE)
            head.is_odd = !skip_brackets(r);
        else
            r->at++;
    }
    return head;
}

/* `using A.B;`, `using A = (B, C);`, not `using var a = B();` or `using (B()) ;` */
static bool is_import(const struct head *head, const struct code_reading *r)
{
    const struct token *name = head->first + 1;
    if (str_is(word_at(r, head->first), "global"))
        name++;
    return head->has_value ? name->kind == TOKEN_WORD && name[1].kind == TOKEN_ASSIGN
                           : !head->has_parameters;
}

static bool is_type_kind(struct str kind)
{
    return str_is_one_of(kind, "class struct record");
}

/* Of a record, the compiler writes code. */
static bool type_runs(const struct head *head)
{
    return head->has_parameters || str_is(head->kind, "record");
}

static bool has_accessors_alone(const struct head *head, enum around around)
{
    return !head->has_parameters &&
           (head->is_abstract || (around == IN_INTERFACE && !head->is_static));
}

static bool statement_runs(const struct head *head, enum around around,
                           const struct code_reading *r)
{
    if (head->first == r->at || str_is(head->kind, "delegate"))
        return false;
    if (str_is(head->kind, "using"))
        return !is_import(head, r);
    if (is_type_kind(head->kind))
        return true; /* of one without braces: a record, or with a primary constructor */
    if (around == IN_FILE)
        return !str_is(head->kind, "namespace") && !str_is(head->kind, "extern");
    return head->has_value && !head->is_constant;
}

/* `{ get; set; }` */
static bool accessors_run(struct code_reading *r)
{
    for (r->at++; r->at->kind != TOKEN_CLOSE_BRACE; r->at++)
        if (r->at->kind != TOKEN_WORD && r->at->kind != TOKEN_SEMICOLON)
            return true;
    r->at++;
    return false;
}

static bool members_run(struct code_reading *r, enum around around);

static bool block_runs(struct code_reading *r, const struct head *head, enum around around)
{
    bool is_namespace = str_is(head->kind, "namespace"), is_class = is_type_kind(head->kind);
    if (str_is(head->kind, "enum"))
        return !skip_brackets(r);
    if (!is_namespace && !is_class && !str_is(head->kind, "interface"))
        return !has_accessors_alone(head, around) || accessors_run(r);
    if ((is_class && type_runs(head)) || r->nesting == NESTING_MOST)
        return true;
    r->at++;
    r->nesting++;
    if (members_run(r, is_namespace ? IN_FILE
                       : is_class   ? IN_TYPE
                                    : IN_INTERFACE) ||
        r->at->kind != TOKEN_CLOSE_BRACE)
        return true;
    r->nesting--;
    r->at++;
    return false;
}

/* Ends at the brace that closes what they are in, or at the end of the text. */
static bool members_run(struct code_reading *r, enum around around)
{
    while (r->at->kind != TOKEN_CLOSE_BRACE && r->at->kind != TOKEN_END) {
        struct head head = take_member_head(r);
        if (head.is_odd || head.has_arrow)
            return true;
        if (r->at->kind == TOKEN_OPEN_BRACE) {
            if (head.has_value || block_runs(r, &head, around))
                return true;
        } else if (r->at->kind != TOKEN_SEMICOLON) {
            return head.first != r->at;
        } else if (statement_runs(&head, around, r)) {
            return true;
        } else {
            r->at++;
        }
    }
    return false;
}

static size_t first_line_len(struct str text)
{
    size_t len = 0;
    while (len < text.len && line_end_len(str_from(text, len)) == 0)
        len++;
    return len;
}

/* What seems to be a comment or string, begun where #if leaves the text out, may hide code. */
static bool hides_branch(struct str skipped)
{
    while (skipped.len != 0) {
        struct str line = take_trimmed_line(&skipped);
        if (!str_take(&line, "#"))
            continue;
        line = str_trim_start(line, " \t");
        if (str_starts(line, "el") || str_starts(line, "endif"))
            return true;
    }
    return false;
}

/* Without directives, which are the first on their line: of #if, all branches count. What is not
 * understood is a '#' in the result. */
static bool without_directives(struct str *out, struct str text, struct arena *arena,
                               struct err *err)
{
    bool is_first = true;
    struct text kept = text_in(arena);
    while (text.len != 0) {
        unsigned char c = (unsigned char)text.text[0];
        if (is_first && c == '#') {
            text = str_from(text, first_line_len(text));
            continue;
        }
        size_t len =
            c < 0x80 && strchr("/\"'$@", c) != NULL ? comments_skip(text, LANGUAGE_CSHARP) : 0;
        struct str part = {text.text, len != 0 ? len : 1};
        is_first = line_end_len(text) != 0 || (is_first && (c <= ' ' || c >= 0x80));
        text_add(&kept, hides_branch(part) ? STR("#") : part);
        text = str_from(text, part.len);
    }
    return text_take(out, &kept, err);
}

static bool csharp_runs(bool *out, struct str text, struct arena *arena, struct err *err)
{
    struct tokens tokens;
    struct code_reading r = {.nesting = 0};
    if (!without_directives(&r.text, text, arena, err) ||
        !tokens_find(&tokens, r.text, LANGUAGE_CSHARP, arena, err))
        return false;
    r.at = tokens.items;
    *out = members_run(&r, IN_FILE) || r.at->kind != TOKEN_END;
    return true;
}

bool code_text_has_code(bool *out, struct str path, struct str text, struct arena *arena,
                        struct err *err)
{
    const struct source_kind *language = source_kind_of(path);
    if (str_starts(text, "\xEF\xBB\xBF"))
        text = str_from(text, 3);
    if (language == NULL || language->idle == NULL)
        return csharp_runs(out, text, arena, err);
    *out = any_line_runs(text, language);
    return true;
}

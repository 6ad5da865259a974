#include "coverage/diff/code_text.h"

#include <string.h>

#include "coverage/source/tokens.h"

/* --- languages -------------------------------------------------------------------------------- */

/* How lines begin that have no code, whatever stands around them. */
static const char *const of_visual_basic[] = {
    "'", "#", "imports ", "option ", "namespace ", "end namespace", "<assembly:", NULL};
static const char *const of_fsharp[] = {"//",      "#",           "open ", "namespace ",
                                        "module ", "[<assembly:", "do ()", NULL};
static const char *const of_razor[] = {
    "@using ",        "@namespace ",       "@inherits ",   "@implements ",      "@model ",
    "@inject ",       "@layout ",          "@page",        "@attribute ",       "@typeparam ",
    "@addtaghelper ", "@removetaghelper ", "@rendermode ", "@taghelperprefix ", NULL};

static const struct {
    const char *ending;
    const char *const *idle; /* NULL: C# */
} languages[] = {
    {".cs", NULL},        {".vb", of_visual_basic}, {".fs", of_fsharp},
    {".razor", of_razor}, {".cshtml", of_razor},
};

bool code_text_is_source(struct str path)
{
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (str_ends(path, languages[i].ending))
            return true;
    return false;
}

/* --- by lines --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct str take_line(struct str *rest)
{
    const char *end = memchr(rest->text, '\n', rest->len);
    struct str line = {rest->text, end != NULL ? (size_t)(end - rest->text) : rest->len};
    *rest = str_from(*rest, line.len + (end != NULL));
    while (line.len != 0 && is_blank(line.text[0]))
        line = str_from(line, 1);
    while (line.len != 0 && is_blank(line.text[line.len - 1]))
        line.len--;
    return line;
}

static bool begins(struct str line, const char *word)
{
    size_t len = strlen(word);
    return line.len >= len && str_eq_nocase((struct str){line.text, len}, str_of(word));
}

static bool is_idle(struct str line, const char *const *idle)
{
    if (line.len == 0)
        return true;
    if (begins(line, "module ") && memchr(line.text, '=', line.len) != NULL)
        return false; /* what it is made of may stand on the same line */
    for (; *idle != NULL; idle++)
        if (begins(line, *idle))
            return true;
    return false;
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

static bool any_line_runs(struct str text, const char *const *idle)
{
    while (text.len != 0) {
        struct str line = take_line(&text);
        if (!is_idle(line, idle) && (idle != of_razor || !is_markup_alone(line)))
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

struct reading {
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

static struct str word_of(const struct reading *r, const struct token *token)
{
    return (struct str){r->text.text + token->start, token->end - token->start};
}

static bool is_kind(struct str word)
{
    static const char *const kinds[] = {"using", "extern", "namespace", "interface", "enum",
                                        "class", "struct", "record",    "delegate"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_is(word, kinds[i]))
            return true;
    return false;
}

/* Past the bracket that closes the one here; false at the end of the text. */
static bool skip_brackets(struct reading *r)
{
    unsigned depth = 0;
    do {
        enum token_kind kind = r->at->kind;
        depth += kind == TOKEN_OPEN || kind == TOKEN_OPEN_SQUARE || kind == TOKEN_OPEN_BRACE;
        depth -= kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_SQUARE || kind == TOKEN_CLOSE_BRACE;
        if (kind == TOKEN_END || kind == TOKEN_UNKNOWN)
            return false;
        r->at++;
    } while (depth != 0);
    return true;
}

static bool ends_head(enum token_kind kind)
{
    return kind == TOKEN_SEMICOLON || kind == TOKEN_OPEN_BRACE || kind == TOKEN_CLOSE_BRACE ||
           kind == TOKEN_END;
}

static void note_word(struct head *head, struct str word)
{
    if (head->kind.len == 0 && !head->has_parameters && is_kind(word))
        head->kind = word;
    head->is_constant |= str_is(word, "const");
    head->is_abstract |= str_is(word, "abstract");
    head->is_static |= str_is(word, "static");
}

static struct head take_head(struct reading *r)
{
    struct head head = {.kind = STR("")};
    while (r->at->kind == TOKEN_OPEN_SQUARE && !head.is_odd)
        head.is_odd = !skip_brackets(r);
    head.first = r->at;
    while (!head.is_odd && !ends_head(r->at->kind)) {
        enum token_kind kind = r->at->kind;
        if (kind == TOKEN_WORD)
            note_word(&head, word_of(r, r->at));
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
static bool is_import(const struct head *head, const struct reading *r)
{
    const struct token *name = head->first + 1;
    if (str_is(word_of(r, head->first), "global"))
        name++;
    return head->has_value ? name->kind == TOKEN_WORD && name[1].kind == TOKEN_ASSIGN
                           : !head->has_parameters;
}

static bool is_type(struct str kind)
{
    return str_is(kind, "class") || str_is(kind, "struct") || str_is(kind, "record");
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

static bool statement_runs(const struct head *head, enum around around, const struct reading *r)
{
    if (head->first == r->at || str_is(head->kind, "delegate"))
        return false;
    if (str_is(head->kind, "using"))
        return !is_import(head, r);
    if (is_type(head->kind))
        return true; /* of one without braces: a record, or with a primary constructor */
    if (around == IN_FILE)
        return !str_is(head->kind, "namespace") && !str_is(head->kind, "extern");
    return head->has_value && !head->is_constant;
}

/* `{ get; set; }` */
static bool accessors_run(struct reading *r)
{
    for (r->at++; r->at->kind != TOKEN_CLOSE_BRACE; r->at++)
        if (r->at->kind != TOKEN_WORD && r->at->kind != TOKEN_SEMICOLON)
            return true;
    r->at++;
    return false;
}

static bool members_run(struct reading *r, enum around around);

static bool block_runs(struct reading *r, const struct head *head, enum around around)
{
    bool is_namespace = str_is(head->kind, "namespace"), is_class = is_type(head->kind);
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
static bool members_run(struct reading *r, enum around around)
{
    while (r->at->kind != TOKEN_CLOSE_BRACE && r->at->kind != TOKEN_END) {
        struct head head = take_head(r);
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

/* Without directives: of #if, all branches count. */
static bool without_directives(struct str *out, struct str text, struct arena *arena,
                               struct err *err)
{
    struct text kept;
    text_open(&kept, arena);
    while (text.len != 0) {
        struct str line = take_line(&text);
        if (!str_starts(line, "#"))
            text_add(&kept, line);
        text_add_c(&kept, "\n");
    }
    return text_take(out, &kept, err);
}

static bool csharp_runs(bool *out, struct str text, struct arena *arena, struct err *err)
{
    struct tokens tokens;
    struct reading r = {.nesting = 0};
    if (!without_directives(&r.text, text, arena, err) || !tokens_find(&tokens, r.text, arena, err))
        return false;
    r.at = tokens.items;
    *out = members_run(&r, IN_FILE) || r.at->kind != TOKEN_END;
    return true;
}

bool code_text_has_code(bool *out, struct str path, struct str text, struct arena *arena,
                        struct err *err)
{
    const char *const *idle = NULL;
    if (str_starts(text, "\xEF\xBB\xBF"))
        text = str_from(text, 3);
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (str_ends(path, languages[i].ending))
            idle = languages[i].idle;
    if (idle == NULL)
        return csharp_runs(out, text, arena, err);
    *out = any_line_runs(text, idle);
    return true;
}

#include "coverage/source/preprocessor.h"

#include "coverage/source/vb_constants.h"

enum {
    DEPTH_MAX = 256 /* of parentheses */
};

/* The last one of a name counts. */
struct own_symbol {
    struct str name;
    bool is_defined;
    struct vb_value value; /* Visual Basic */
};

static struct str take_word(struct str *s)
{
    *s = str_trim_start(*s, " \t");
    struct str word = str_word(*s);
    *s = str_from(*s, word.len);
    return word;
}

static struct directive read_vb(struct str rest)
{
    struct str name = take_word(&rest), after = rest;
    struct str second = take_word(&after);
    if (str_eq_nocase(name, STR("If")))
        return (struct directive){DIRECTIVE_IF, rest};
    if (str_eq_nocase(name, STR("ElseIf")))
        return (struct directive){DIRECTIVE_ELSE_IF, rest};
    if (str_eq_nocase(name, STR("Else")))
        return str_eq_nocase(second, STR("If")) ? (struct directive){DIRECTIVE_ELSE_IF, after}
                                                : (struct directive){DIRECTIVE_ELSE, rest};
    if (str_eq_nocase(name, STR("End")) && str_eq_nocase(second, STR("If")))
        return (struct directive){DIRECTIVE_END_IF, after};
    if (str_eq_nocase(name, STR("Const")))
        return (struct directive){DIRECTIVE_DEFINE, rest};
    return (struct directive){DIRECTIVE_OTHER, rest};
}

struct directive directive_read(struct str line, enum language language)
{
    static const struct {
        const char *name;
        enum directive_kind kind;
    } names[] = {{"if", DIRECTIVE_IF},         {"elif", DIRECTIVE_ELSE_IF},
                 {"else", DIRECTIVE_ELSE},     {"endif", DIRECTIVE_END_IF},
                 {"define", DIRECTIVE_DEFINE}, {"undef", DIRECTIVE_UNDEFINE}};
    line = str_trim(line, " \t\r\n");
    struct str rest = line;
    if (!str_take(&rest, "#"))
        return (struct directive){DIRECTIVE_NONE, line};
    if (language == LANGUAGE_VISUAL_BASIC)
        return read_vb(rest);
    struct str name = take_word(&rest);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_is(name, names[i].name))
            return (struct directive){names[i].kind, rest};
    return (struct directive){DIRECTIVE_OTHER, rest};
}

/* --- symbols ---------------------------------------------------------------------------------- */

static const struct own_symbol *find_own(const struct preprocessor *p, struct str name)
{
    const struct own_symbol *own = p->own.items;
    for (uint32_t i = p->own.count; i-- > 0;)
        if (p->language == LANGUAGE_VISUAL_BASIC ? str_eq_nocase(own[i].name, name)
                                                 : str_eq(own[i].name, name))
            return &own[i];
    return NULL;
}

static struct vb_value value_of(const void *context, struct str name)
{
    const struct preprocessor *p = context;
    const struct own_symbol *own = find_own(p, name);
    if (own != NULL)
        return own->value;
    return p->given.text != NULL ? vb_given(p->given, name) : (struct vb_value){.kind = VB_UNKNOWN};
}

bool preprocessor_note(struct preprocessor *p, const struct directive *directive,
                       struct arena *arena, struct err *err)
{
    struct str rest = directive->rest;
    struct own_symbol symbol = {.name = take_word(&rest),
                                .is_defined = directive->kind == DIRECTIVE_DEFINE};
    rest = str_trim_start(rest, " \t");
    if (p->language == LANGUAGE_VISUAL_BASIC && str_take(&rest, "=")) {
        symbol.value = vb_evaluate(&rest, value_of, p);
        if (str_trim_start(rest, " \t").len != 0 && !str_starts(str_trim_start(rest, " \t"), "'"))
            symbol.value.kind = VB_UNKNOWN;
    }
    struct own_symbol *added = list_add(&p->own, sizeof *added, arena, err);
    if (added != NULL)
        *added = symbol;
    return added != NULL;
}

/* --- conditions ------------------------------------------------------------------------------- */

static bool is_defined(const struct preprocessor *p, struct str name)
{
    const struct own_symbol *own = find_own(p, name);
    if (own != NULL)
        return own->is_defined;
    for (struct str rest = p->given; rest.len != 0;)
        if (str_eq(str_trim(str_take_until(&rest, ','), " "), name))
            return true;
    return false;
}

static bool take(struct str *s, const char *sign)
{
    *s = str_trim_start(*s, " \t");
    return str_take(s, sign);
}

/* C# 6.5.3, in order of precedence: || && == ! (). Nothing is an error: what cannot be read is
 * false. */
static bool read_any(const struct preprocessor *p, struct str *s, unsigned depth);

static bool read_one(const struct preprocessor *p, struct str *s, unsigned depth)
{
    *s = str_trim_start(*s, " \t");
    if (depth == DEPTH_MAX)
        return false;
    if (!str_starts(*s, "!=") && str_take(s, "!"))
        return !read_one(p, s, depth + 1);
    if (str_take(s, "(")) {
        bool value = read_any(p, s, depth + 1);
        (void)take(s, ")");
        return value;
    }
    struct str name = take_word(s);
    return str_is(name, "true") || (!str_is(name, "false") && name.len != 0 && is_defined(p, name));
}

static bool read_equal(const struct preprocessor *p, struct str *s, unsigned depth)
{
    bool value = read_one(p, s, depth);
    for (;;) {
        if (take(s, "=="))
            value = value == read_one(p, s, depth);
        else if (take(s, "!="))
            value = value != read_one(p, s, depth);
        else
            return value;
    }
}

static bool read_all(const struct preprocessor *p, struct str *s, unsigned depth)
{
    bool value = read_equal(p, s, depth);
    while (take(s, "&&"))
        value = read_equal(p, s, depth) && value;
    return value;
}

static bool read_any(const struct preprocessor *p, struct str *s, unsigned depth)
{
    bool value = read_all(p, s, depth);
    while (take(s, "||"))
        value = read_all(p, s, depth) || value;
    return value;
}

static enum truth vb_holds(const struct preprocessor *p, struct str condition)
{
    struct vb_value value = vb_evaluate(&condition, value_of, p);
    struct str after = condition;
    if (str_eq_nocase(take_word(&after), STR("Then")))
        condition = after;
    condition = str_trim_start(condition, " \t");
    if (value.kind != VB_NUMBER || (condition.len != 0 && !str_starts(condition, "'")))
        return TRUTH_UNKNOWN;
    return value.number != 0 ? TRUTH_YES : TRUTH_NO;
}

enum truth preprocessor_holds(const struct preprocessor *p, struct str condition)
{
    if (p->language == LANGUAGE_VISUAL_BASIC)
        return vb_holds(p, condition);
    if (p->given.text == NULL)
        return TRUTH_UNKNOWN;
    return read_any(p, &condition, 0) ? TRUTH_YES : TRUTH_NO;
}

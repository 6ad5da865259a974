#include "coverage/source/preprocessor.h"

#include "base/ascii.h"
#include "coverage/source/line_index.h"

enum {
    DEPTH_MAX = 256 /* of parentheses and negations */
};

/* A symbol of C# or F# is a number: -1 if it is defined, else 0, as True and False of Visual
 * Basic. */
struct constant {
    enum {
        VALUE_UNKNOWN,
        VALUE_NUMBER,
        VALUE_TEXT
    } kind;
    int64_t number;
    struct str text; /* between its quotes */
};

/* The last one of a name counts. */
struct own_symbol {
    struct str name;
    struct constant value;
};

static const struct constant unknown = {.kind = VALUE_UNKNOWN};

static struct constant number_value(int64_t n)
{
    return (struct constant){.kind = VALUE_NUMBER, .number = n};
}

static struct constant boolean_value(bool yes)
{
    return number_value(yes ? -1 : 0);
}

/* --- words ------------------------------------------------------------------------------------ */

static bool is_same_name(bool is_basic, struct str a, struct str b)
{
    return is_basic ? str_eq_nocase(a, b) : str_eq(a, b);
}

static struct str next_name(struct str *s)
{
    *s = str_trim_start(*s, " \t");
    struct str word = str_word(*s);
    *s = str_from(*s, word.len);
    return word;
}

static bool take_name(bool is_basic, struct str *s, const char *word)
{
    struct str rest = *s;
    bool is_it = is_same_name(is_basic, next_name(&rest), str_of(word));
    if (is_it)
        *s = rest;
    return is_it;
}

static bool take_sign(struct str *s, const char *sign)
{
    *s = str_trim_start(*s, " \t");
    return str_take(s, sign);
}

/* Nothing follows, or a comment of Visual Basic. */
static bool is_end_of_line(struct str rest)
{
    rest = str_trim_start(rest, " \t");
    return rest.len == 0 || rest.text[0] == '\'';
}

enum directive_kind {
    DIRECTIVE_NONE, /* the line is no directive */
    DIRECTIVE_IF,
    DIRECTIVE_ELSE_IF,
    DIRECTIVE_ELSE,
    DIRECTIVE_END_IF,
    DIRECTIVE_DEFINE, /* #Const, too */
    DIRECTIVE_UNDEFINE,
    DIRECTIVE_OTHER
};

struct directive {
    enum directive_kind kind;
    struct str rest; /* what follows its name */
};

static struct directive read_directive(struct str line, bool is_basic)
{
    static const struct {
        bool is_basic;
        const char *name, *second;
        enum directive_kind kind;
    } names[] = {
        {false, "if", NULL, DIRECTIVE_IF},         {false, "elif", NULL, DIRECTIVE_ELSE_IF},
        {false, "else", NULL, DIRECTIVE_ELSE},     {false, "endif", NULL, DIRECTIVE_END_IF},
        {false, "define", NULL, DIRECTIVE_DEFINE}, {false, "undef", NULL, DIRECTIVE_UNDEFINE},
        {true, "If", NULL, DIRECTIVE_IF},          {true, "ElseIf", NULL, DIRECTIVE_ELSE_IF},
        {true, "Else", "If", DIRECTIVE_ELSE_IF},   {true, "Else", NULL, DIRECTIVE_ELSE},
        {true, "End", "If", DIRECTIVE_END_IF},     {true, "Const", NULL, DIRECTIVE_DEFINE},
    };
    line = str_trim(line, " \t\r\n");
    if (!str_take(&line, "#"))
        return (struct directive){DIRECTIVE_NONE, line};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str rest = line;
        if (names[i].is_basic == is_basic && take_name(is_basic, &rest, names[i].name) &&
            (names[i].second == NULL || take_name(is_basic, &rest, names[i].second)))
            return (struct directive){names[i].kind, rest};
    }
    return (struct directive){DIRECTIVE_OTHER, line};
}

/* --- symbols ---------------------------------------------------------------------------------- */

/* `symbols` NULL: names are unknown. */
static struct constant evaluate_expression(struct str *rest, const struct preprocessor *symbols,
                                           bool is_basic);

/* The value of a constant of Visual Basic among those given to the compiler: A=-1,B="text". False,
 * if it is not there. */
static struct constant given_constant(struct str given, struct str name)
{
    while (given.len != 0) {
        bool is_it = str_eq_nocase(str_word(given), name), quoted = false;
        size_t len = 0;
        given = str_from(given, str_word(given).len);
        if (!take_sign(&given, "="))
            return unknown;
        if (is_it)
            return evaluate_expression(&given, NULL, true);
        for (; len < given.len && (quoted || given.text[len] != ','); len++)
            quoted ^= given.text[len] == '"';
        given = str_from(given, len + (len < given.len));
    }
    return boolean_value(false);
}

static struct constant value_of_symbol(const struct preprocessor *p, struct str name)
{
    bool is_basic = p->language == LANGUAGE_VISUAL_BASIC;
    const struct own_symbol *own = p->own.items;
    for (uint32_t i = p->own.count; i-- > 0;)
        if (is_same_name(is_basic, own[i].name, name))
            return own[i].value;
    if (is_basic)
        return p->given.text != NULL ? given_constant(p->given, name) : unknown;
    for (struct str rest = p->given; rest.len != 0;)
        if (str_eq(str_trim(str_take_until(&rest, ','), " "), name))
            return boolean_value(true);
    return boolean_value(false);
}

/* DIRECTIVE_DEFINE or DIRECTIVE_UNDEFINE. */
static bool note_symbol(struct preprocessor *p, const struct directive *directive,
                        struct arena *arena, struct err *err)
{
    struct str rest = directive->rest;
    struct own_symbol symbol = {.name = next_name(&rest),
                                .value = boolean_value(directive->kind == DIRECTIVE_DEFINE)};
    if (p->language == LANGUAGE_VISUAL_BASIC)
        symbol.value = take_sign(&rest, "=") ? evaluate_expression(&rest, p, true) : unknown;
    if (p->language == LANGUAGE_VISUAL_BASIC && !is_end_of_line(rest))
        symbol.value = unknown;
    return list_put(&p->own, &symbol, sizeof symbol, arena, err);
}

/* --- operands --------------------------------------------------------------------------------- */

struct expression {
    struct str *rest;
    const struct preprocessor *symbols;
    bool is_basic;
    unsigned depth;
};

/* From the loosest to the tightest. */
enum level {
    LEVEL_XOR,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_COMPARISON,
    LEVEL_OPERAND
};

static struct constant read_level(struct expression *e, enum level level);

/* What cannot be read is unknown in Visual Basic; elsewhere nothing is an error, but false. */
static struct constant unread_value(const struct expression *e)
{
    return e->is_basic ? unknown : boolean_value(false);
}

static struct constant read_deeper(struct expression *e, enum level level)
{
    if (e->depth == DEPTH_MAX)
        return unread_value(e);
    e->depth++;
    struct constant value = read_level(e, level);
    e->depth--;
    return value;
}

/* Other kinds of numbers have a dot, an exponent, a type or a prefix, and are left unread. */
static struct constant read_integer(struct str *s)
{
    int64_t n = 0;
    struct str word = str_word(*s);
    if (word.len > 18 || (word.len < s->len && s->text[word.len] == '.'))
        return unknown;
    for (size_t i = 0; i < word.len; i++) {
        if (!ascii_is_digit(word.text[i]))
            return unknown;
        n = n * 10 + (word.text[i] - '0');
    }
    *s = str_from(*s, word.len);
    return number_value(n);
}

/* A doubled quote stays doubled. */
static struct constant read_string(struct str *s)
{
    size_t len = 1;
    while (len < s->len && (s->text[len] != '"' || (len + 1 < s->len && s->text[len + 1] == '"')))
        len += s->text[len] == '"' ? 2 : 1;
    if (len >= s->len)
        return unknown;
    struct str text = {s->text + 1, len - 1};
    *s = str_from(*s, len + 1);
    return (struct constant){.kind = VALUE_TEXT, .text = text};
}

static struct constant read_symbol(struct expression *e)
{
    struct str name = next_name(e->rest);
    if (is_same_name(e->is_basic, name, STR("true")))
        return boolean_value(true);
    if (is_same_name(e->is_basic, name, STR("false")) ||
        (e->is_basic && str_eq_nocase(name, STR("Nothing"))))
        return boolean_value(false);
    if (name.len == 0)
        return unread_value(e);
    return e->symbols != NULL ? value_of_symbol(e->symbols, name) : unknown;
}

static struct constant read_constant_operand(struct expression *e)
{
    if (take_sign(e->rest, "(")) {
        struct constant value = read_deeper(e, LEVEL_XOR);
        return take_sign(e->rest, ")") || !e->is_basic ? value : unknown;
    }
    if (!e->is_basic)
        return !str_starts(*e->rest, "!=") && str_take(e->rest, "!")
                   ? boolean_value(read_deeper(e, LEVEL_OPERAND).number == 0)
                   : read_symbol(e);
    bool minus = take_sign(e->rest, "-");
    *e->rest = str_trim_start(*e->rest, " \t");
    if (e->rest->len != 0 && ascii_is_digit(e->rest->text[0])) {
        struct constant value = read_integer(e->rest);
        value.number = minus ? -value.number : value.number;
        return value;
    }
    return minus ? unknown : str_starts(*e->rest, "\"") ? read_string(e->rest) : read_symbol(e);
}

/* --- operators -------------------------------------------------------------------------------- */

enum {
    BITS_XOR,
    BITS_OR,
    BITS_AND,
    EITHER,
    BOTH,
    LESS = 8, /* comparisons are a sum of what they hold for */
    EQUAL = 16,
    GREATER = 32
};

static struct constant compare_texts(struct str a, struct str b, unsigned operation)
{
    bool is_same = str_eq(a, b),
         is_ordered = ((operation & LESS) != 0) != ((operation & GREATER) != 0);
    if (is_ordered || (!is_same && str_eq_nocase(a, b))) /* depends on Option Compare */
        return unknown;
    return boolean_value((operation & (is_same ? EQUAL : LESS)) != 0);
}

static struct constant combine_values(const struct constant *a, const struct constant *b,
                                      unsigned operation)
{
    if (a->kind == VALUE_TEXT && b->kind == VALUE_TEXT && operation >= LESS)
        return compare_texts(a->text, b->text, operation);
    if (a->kind != VALUE_NUMBER || b->kind != VALUE_NUMBER)
        return unknown;
    switch (operation) {
    case BITS_XOR:
        return number_value(a->number ^ b->number);
    case BITS_OR:
        return number_value(a->number | b->number);
    case BITS_AND:
        return number_value(a->number & b->number);
    case EITHER:
        return boolean_value(a->number != 0 || b->number != 0);
    case BOTH:
        return boolean_value(a->number != 0 && b->number != 0);
    default:
        return boolean_value((operation & (a->number < b->number   ? LESS
                                           : a->number > b->number ? GREATER
                                                                   : EQUAL)) != 0);
    }
}

/* C# 6.5.3, Visual Basic 3.1.1. */
static bool take_binary_operator(unsigned *operation, struct expression *e, enum level level)
{
    static const struct {
        bool is_basic;
        enum level level;
        const char *text; /* of those that begin alike, the longest first */
        unsigned operation;
    } operators[] = {
        {false, LEVEL_OR, "||", EITHER},
        {false, LEVEL_AND, "&&", BOTH},
        {false, LEVEL_COMPARISON, "==", EQUAL},
        {false, LEVEL_COMPARISON, "!=", LESS | GREATER},
        {true, LEVEL_XOR, "Xor", BITS_XOR},
        {true, LEVEL_OR, "OrElse", EITHER},
        {true, LEVEL_OR, "Or", BITS_OR},
        {true, LEVEL_AND, "AndAlso", BOTH},
        {true, LEVEL_AND, "And", BITS_AND},
        {true, LEVEL_COMPARISON, "<>", LESS | GREATER},
        {true, LEVEL_COMPARISON, "<=", LESS | EQUAL},
        {true, LEVEL_COMPARISON, ">=", GREATER | EQUAL},
        {true, LEVEL_COMPARISON, "=", EQUAL},
        {true, LEVEL_COMPARISON, "<", LESS},
        {true, LEVEL_COMPARISON, ">", GREATER},
    };
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        bool is_word = ascii_is_letter(operators[i].text[0]);
        *operation = operators[i].operation;
        if (operators[i].level == level && operators[i].is_basic == e->is_basic &&
            (is_word ? take_name(true, e->rest, operators[i].text)
                     : take_sign(e->rest, operators[i].text)))
            return true;
    }
    return false;
}

static struct constant read_level(struct expression *e, enum level level)
{
    if (level == LEVEL_OPERAND)
        return read_constant_operand(e);
    if (level == LEVEL_COMPARISON && e->is_basic && take_name(true, e->rest, "Not")) {
        struct constant value = read_deeper(e, LEVEL_COMPARISON);
        return value.kind == VALUE_NUMBER ? number_value(~value.number) : unknown;
    }
    struct constant value = read_level(e, level + 1);
    unsigned operation;
    while (take_binary_operator(&operation, e, level)) {
        struct constant other = read_level(e, level + 1);
        value = combine_values(&value, &other, operation);
    }
    return value;
}

static struct constant evaluate_expression(struct str *rest, const struct preprocessor *symbols,
                                           bool is_basic)
{
    struct expression e = {.rest = rest, .symbols = symbols, .is_basic = is_basic};
    return read_level(&e, LEVEL_XOR);
}

enum truth preprocessor_holds(const struct preprocessor *p, struct str condition)
{
    bool is_basic = p->language == LANGUAGE_VISUAL_BASIC;
    if (!is_basic && p->given.text == NULL)
        return TRUTH_UNKNOWN;
    struct constant value = evaluate_expression(&condition, p, is_basic);
    if (is_basic)
        (void)take_name(true, &condition, "Then");
    if (value.kind != VALUE_NUMBER || (is_basic && !is_end_of_line(condition)))
        return TRUTH_UNKNOWN;
    return value.number != 0 ? TRUTH_YES : TRUTH_NO;
}

/* --- what is left out ------------------------------------------------------------------------- */

/* Of the line that begins at the offset, which moves past it. */
static struct directive take_source_line(uint32_t *at, const struct preprocessor *p,
                                         struct str text)
{
    uint32_t start = *at, len = 0, end = start;
    while (end < text.len && (len = line_end_len(str_from(text, end))) == 0)
        end++;
    *at = end + len;
    return read_directive((struct str){text.text + start, end - start},
                          p->language == LANGUAGE_VISUAL_BASIC);
}

static void set_unknown(struct preprocessor *p, enum truth truth)
{
    if (p->open != 0 && p->open <= PREPROCESSOR_DEPTH)
        p->is_unknown[p->open - 1] = truth == TRUTH_UNKNOWN;
}

static bool is_all_active(const struct preprocessor *p)
{
    return p->open == 0 || p->open > PREPROCESSOR_DEPTH || p->is_unknown[p->open - 1];
}

/* Is it the directive that ends what is left out: `#endif`, `#else`, an `#elif` that may hold? */
static bool ends_inactive(struct preprocessor *p, const struct directive *directive, bool to_end)
{
    if (directive->kind == DIRECTIVE_END_IF) {
        p->open--;
        return true;
    }
    if (to_end || directive->kind != DIRECTIVE_ELSE_IF)
        return !to_end && directive->kind == DIRECTIVE_ELSE;
    enum truth truth = preprocessor_holds(p, directive->rest);
    set_unknown(p, truth);
    return truth != TRUTH_NO;
}

static void skip_inactive(uint32_t *at, struct preprocessor *p, struct str text, bool to_end)
{
    for (unsigned depth = 0; *at < text.len;) {
        struct directive directive = take_source_line(at, p, text);
        if (depth == 0 && ends_inactive(p, &directive, to_end))
            return;
        depth += directive.kind == DIRECTIVE_IF;
        depth -= directive.kind == DIRECTIVE_END_IF;
    }
}

bool preprocessor_pass(uint32_t *at, struct preprocessor *p, struct str text, struct arena *arena,
                       struct err *err)
{
    struct directive directive = take_source_line(at, p, text);
    enum truth truth;
    switch (directive.kind) {
    case DIRECTIVE_IF:
        truth = preprocessor_holds(p, directive.rest);
        p->open++;
        set_unknown(p, truth);
        if (truth == TRUTH_NO && !is_all_active(p))
            skip_inactive(at, p, text, false);
        return true;
    case DIRECTIVE_ELSE_IF:
    case DIRECTIVE_ELSE:
        if (!is_all_active(p))
            skip_inactive(at, p, text, true);
        return true;
    case DIRECTIVE_END_IF:
        p->open -= p->open != 0;
        return true;
    case DIRECTIVE_DEFINE:
    case DIRECTIVE_UNDEFINE:
        return note_symbol(p, &directive, arena, err);
    case DIRECTIVE_NONE:
    case DIRECTIVE_OTHER:
        break;
    }
    return true;
}

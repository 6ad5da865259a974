/* The grammar, as far as it matters here (C# standard, 12.4.2 and 11.2):
 *
 *   statement   = ("if" | "while") "(" assignment ")" [";"] | "when" assignment
 *               | "switch" "(" assignment ")"
 *               | ["return" | "throw" | "yield" "return"] list [";"]
 *   list        = assignment {"," assignment}
 *   assignment  = conditional [("=" | "+=" | "??=" ...) assignment | "=>" (assignment | block)]
 *   conditional = coalesce ["?" assignment ":" assignment]
 *   coalesce    = or ["??" coalesce]
 *   or          = and {"||" and}
 *   and         = operand {"&&" operand}
 *   operand     = "!" "(" assignment ")" | "(" assignment ")" | opaque ["is" pattern]
 *   pattern     = joined {"or" joined}
 *   joined      = single {"and" single}
 *   single      = "not" single | "(" pattern ")" | test
 *
 *   test        = opaque | [type] "{" property {"," property} "}" [name]
 *   property    = name ":" pattern without "or"
 *
 * A lambda's body has statements of its own in the symbols and is skipped, as are the arms of a
 * switch. Any other pattern is one condition, whose steps are not known. */
#include "coverage/source/expression_tree.h"

#include "coverage/source/basic_tokens.h"

enum {
    NESTING_MAX = 64,
    OPERANDS_MAX = 20000 /* tuples are read twice, tuples in tuples four times */
};

/* Where the reading is. What cannot be read with certainty sets `failed`; the tree is then not
 * used. */
struct parser {
    const struct tokens *tokens;
    uint32_t at;
    unsigned nesting, operands;
    bool failed;
    bool awaits, assigns;
    bool is_basic;              /* Visual Basic: `Not` takes all of `a = b` */
    unsigned relations, values; /* in the pattern that is being read: `> 3`; other than null */
    bool has_properties;        /* likewise */
    struct arena *arena;
    struct err *err;
    bool no_memory;
};

static struct node *parse_expression(struct parser *p);
static struct node *parse_pattern(struct parser *p);

/* --- tokens ----------------------------------------------------------------------------------- */

static enum token_kind kind_here(const struct parser *p)
{
    return p->tokens->items[p->at].kind;
}

static enum token_kind kind_at(const struct parser *p, uint32_t at)
{
    return tokens_kind(p->tokens, at);
}

static bool is_word_here(const struct parser *p, const char *words)
{
    return tokens_is(p->tokens, p->at, words);
}

static bool is_kind_among(const struct parser *p, uint32_t kinds)
{
    return token_is_one_of(kind_here(p), kinds);
}

/* Goes past the token, if it is the one that is wanted. */
static bool take_kind(struct parser *p, enum token_kind wanted)
{
    bool is_it = kind_here(p) == wanted;
    p->at += is_it;
    return is_it;
}

static bool take_keyword(struct parser *p, const char *words)
{
    bool is_it = is_word_here(p, words);
    p->at += is_it;
    return is_it;
}

/* The position after the bracket that closes the one at `at`, or the end. */
static uint32_t past_brackets(const struct parser *p, uint32_t at)
{
    uint32_t partner = p->tokens->items[at].partner;
    return partner != NO_INDEX && partner > at ? partner + 1 : p->tokens->count;
}

/* Does a `:` belong to the `?` at `at`? If not, it belongs to a type: `int? x = a ? b : c`. */
static bool is_ternary(const struct parser *p, uint32_t at)
{
    uint32_t first = at + 1;
    for (unsigned open = 1; open != 0;) {
        enum token_kind k = kind_at(p, ++at);
        uint32_t past = k == TOKEN_LESS ? tokens_past_type_arguments(p->tokens, at, first) : 0;
        if (token_opens(k))
            past = past_brackets(p, at);
        if (past != 0)
            at = past - 1;
        else if (k == TOKEN_QUESTION)
            open++;
        else if (k == TOKEN_COLON)
            open--;
        else if (token_closes(k) || k == TOKEN_COMMA || k == TOKEN_SEMICOLON || k == TOKEN_END)
            return false;
    }
    return true;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* From the start of `a` to the end of `b`; either may be NULL. Never NULL itself. */
static struct node *make_node(struct parser *p, enum node_kind node_kind, struct node *a,
                              struct node *b)
{
    static struct node spare; /* if out of memory; its contents are not used */
    struct node *node = ARENA_NEW(p->arena, struct node, 1, p->err);
    if (node == NULL) {
        p->no_memory = p->failed = true;
        return &spare;
    }
    *node = (struct node){.kind = node_kind, .a = a, .b = b, .condition = NODE_NO_CONDITION};
    if (a != NULL) {
        node->first = a->first;
        node->end = b != NULL ? b->end : a->end;
    }
    return node;
}

/* A value that begins here, and ends where it began until it is ended. */
static struct node *make_value(struct parser *p)
{
    struct node *node = make_node(p, NODE_VALUE, NULL, NULL);
    node->first = node->end = p->at;
    return node;
}

/* Adds a condition to the text of a value; `chain` as in struct node. */
static void add_node_part(struct node *value, struct node *part, uint32_t chain)
{
    part->chain = chain;
    if (value->last_part != NULL)
        value->last_part->next = part;
    else
        value->parts = part;
    value->last_part = part;
}

/* --- patterns --------------------------------------------------------------------------------- */

static bool ends_operand(const struct parser *p)
{
    const struct token *token = &p->tokens->items[p->at];
    if (token->kind == TOKEN_QUESTION)
        return !(token[1].kind == TOKEN_OPEN_SQUARE && token[1].start == token->end) &&
               is_ternary(p, p->at);
    return is_kind_among(p, ONE(TOKEN_AND) | ONE(TOKEN_OR) | ONE(TOKEN_COALESCE) |
                                ONE(TOKEN_COALESCE_ASSIGN) | ONE(TOKEN_COLON) | ONE(TOKEN_ARROW) |
                                ONE(TOKEN_ASSIGN) | ONE(TOKEN_CLOSE) | ONE(TOKEN_CLOSE_SQUARE) |
                                ONE(TOKEN_CLOSE_BRACE) | ONE(TOKEN_COMMA) | ONE(TOKEN_SEMICOLON) |
                                ONE(TOKEN_END));
}

static bool joins_patterns(const struct parser *p)
{
    return is_word_here(p, "and or when");
}

/* A number or a character. */
static bool is_number_token(const struct parser *p)
{
    return kind_here(p) == TOKEN_NUMBER ||
           (kind_here(p) == TOKEN_LITERAL && *tokens_text(p->tokens, p->at).text == '\'');
}

/* The last word of the name at `first`, of a type or of a constant: B of `A.B c`. */
static struct str last_word(const struct parser *p, uint32_t first)
{
    while (kind_at(p, first) == TOKEN_WORD && kind_at(p, first + 1) == TOKEN_DOT &&
           kind_at(p, first + 2) == TOKEN_WORD)
        first += 2;
    return tokens_text(p->tokens, first);
}

/* What a test of a pattern asks, by its first tokens. */
static void note_test(struct parser *p, struct node *test)
{
    bool compares = is_kind_among(p, ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_RELATION));
    bool has_sign = compares || kind_here(p) == TOKEN_OPERATOR;
    p->at += has_sign;
    /* the code need not compare these */
    bool is_plain =
        !has_sign && (is_word_here(p, "true false") || tokens_is_sign(p->tokens, p->at, "0"));
    test->names_null = is_word_here(p, "null") || kind_here(p) == TOKEN_OPEN_BRACE;
    test->asks = compares || (is_number_token(p) && !is_plain)     ? CONDITION_COMPARE
                 : kind_here(p) == TOKEN_LITERAL || is_plain       ? CONDITION_EQUAL
                 : kind_here(p) == TOKEN_WORD && !test->names_null ? CONDITION_TYPE_TEST
                                                                   : CONDITION_TEST;
    p->relations += compares;
    p->values += test->asks == CONDITION_COMPARE || test->asks == CONDITION_TYPE_TEST || is_plain;
    p->failed |= is_word_here(p, "var _");
}

static bool is_all_and(const struct node *node)
{
    while (node->kind == NODE_AND) {
        if (!is_all_and(node->b))
            return false;
        node = node->a;
    }
    return node->kind == NODE_VALUE;
}

static struct node *leftmost_of(struct node *node)
{
    while (node->kind != NODE_VALUE)
        node = node->a;
    return node;
}

/* The compiler asks in the order of the text, but for constants and three relations or more, which
 * it sorts. */
static bool is_sorted_pattern(const struct parser *p)
{
    return p->values > 1 && (p->values != 2 || p->relations != 2);
}

/* `A: p` asks for p; `A: { B: p }` first whether there is an A. */
static struct node *parse_property(struct parser *p)
{
    uint32_t label = p->at;
    p->relations = p->values = 0;
    p->failed |= !take_kind(p, TOKEN_WORD) || !take_kind(p, TOKEN_COLON);
    struct node *pattern = parse_pattern(p), *leftmost;
    p->failed |= is_sorted_pattern(p) || !is_all_and(pattern);
    if (p->failed)
        return pattern;
    leftmost = leftmost_of(pattern);
    leftmost->first = label;
    if (leftmost->asks == CONDITION_OBJECT)
        leftmost->end = label + 1;
    return pattern;
}

/* `{ A: p, B: q }`, after the test of what has these properties. */
static struct node *parse_properties(struct parser *p, struct node *of)
{
    const unsigned relations = p->relations, values = p->values;
    struct node *node = of;
    p->at++;
    while (!p->failed && kind_here(p) != TOKEN_CLOSE_BRACE) {
        node = make_node(p, NODE_AND, node, parse_property(p));
        p->failed |= !take_kind(p, TOKEN_COMMA) && kind_here(p) != TOKEN_CLOSE_BRACE;
    }
    p->failed |= !take_kind(p, TOKEN_CLOSE_BRACE);
    if (kind_here(p) == TOKEN_WORD && !joins_patterns(p))
        p->at++;
    node->end = p->at;
    p->has_properties = true;
    p->relations = relations;
    p->values = values;
    return node;
}

static bool has_properties_here(const struct parser *p)
{
    return kind_here(p) == TOKEN_OPEN_BRACE && kind_at(p, p->at + 1) != TOKEN_CLOSE_BRACE;
}

/* A type, a name for it, a constant, properties. */
static struct node *parse_test(struct parser *p)
{
    static const uint32_t passed = ONE(TOKEN_WORD) | ONE(TOKEN_NUMBER) | ONE(TOKEN_LITERAL) |
                                   ONE(TOKEN_DOT) | ONE(TOKEN_OPERATOR);
    struct node *test = make_value(p);
    uint32_t first = p->at;
    test->is_pattern = true;
    if (has_properties_here(p)) {
        test->asks = CONDITION_OBJECT;
        test->end = p->at + 1;
        return parse_properties(p, test);
    }
    note_test(p, test);
    while (!p->failed && !joins_patterns(p)) {
        enum token_kind k = kind_here(p);
        uint32_t past = k == TOKEN_LESS ? tokens_past_type_arguments(p->tokens, p->at, p->at) : 0;
        bool is_empty = token_opens(k) && token_closes(kind_at(p, p->at + 1));
        if (past != 0)
            p->at = past;
        else if (is_empty && (k == TOKEN_OPEN_BRACE) == (p->at == first)) /* `{ }`, `int[]` */
            p->at += 2;
        else if (is_kind_among(p, passed) || (k == TOKEN_QUESTION && !is_ternary(p, p->at)))
            p->at++;
        else
            break;
    }
    test->end = p->at;
    if (test->asks == CONDITION_TYPE_TEST)
        test->name = last_word(p, first);
    if (p->at != first && test->asks == CONDITION_TYPE_TEST && has_properties_here(p))
        return parse_properties(p, test);
    p->failed |= p->at == first || token_opens(kind_here(p));
    return test;
}

static struct node *parse_single(struct parser *p)
{
    uint32_t first = p->at;
    struct node *node;
    p->failed |= p->nesting == NESTING_MAX;
    if (p->failed)
        return make_value(p);
    p->nesting++;
    if (take_keyword(p, "not")) {
        struct node *inner = parse_single(p);
        node = inner->kind == NODE_VALUE ? inner : make_node(p, NODE_NOT, inner, NULL);
        node->first = first;
    } else if (take_kind(p, TOKEN_OPEN)) {
        node = parse_pattern(p);
        p->failed |=
            !take_kind(p, TOKEN_CLOSE) || (kind_here(p) == TOKEN_WORD && !joins_patterns(p));
    } else {
        node = parse_test(p);
    }
    p->nesting--;
    return node;
}

static struct node *parse_joined(struct parser *p)
{
    struct node *node = parse_single(p);
    while (!p->failed && take_keyword(p, "and"))
        node = make_node(p, NODE_AND, node, parse_single(p));
    return node;
}

static struct node *parse_pattern(struct parser *p)
{
    struct node *node = parse_joined(p);
    while (!p->failed && take_keyword(p, "or"))
        node = make_node(p, NODE_OR, node, parse_joined(p));
    return node;
}

/* One condition, whatever is in it. */
static struct node *make_several(struct node *value)
{
    value->asks = CONDITION_SEVERAL;
    value->parts = value->last_part = NULL;
    return value;
}

/* The rest of the operand, as a whole. */
static struct node *skip_pattern(struct parser *p, struct node *value)
{
    p->failed |= ends_operand(p);
    while (!p->failed && !ends_operand(p)) {
        bool opens = token_opens(kind_here(p));
        p->failed |= kind_here(p) == TOKEN_UNKNOWN || is_word_here(p, "switch") ||
                     (opens && p->tokens->items[p->at].partner == NO_INDEX);
        p->at = opens ? past_brackets(p, p->at) : p->at + 1;
    }
    value->end = p->at;
    return make_several(value);
}

/* `value is PATTERN`, after `is`: one condition including the value, or one for each test of the
 * pattern. */
static struct node *parse_is(struct parser *p, struct node *value)
{
    const struct parser before = *p;
    p->relations = p->values = 0;
    p->has_properties = false;
    struct node *pattern = parse_pattern(p), *leftmost;
    const struct node *inner = pattern->kind == NODE_NOT ? pattern->a : pattern;
    bool is_known = !p->failed && !is_sorted_pattern(p) && ends_operand(p) &&
                    (!p->has_properties || is_all_and(inner));
    if (!is_known && !p->no_memory) {
        *p = before;
        return skip_pattern(p, value);
    }
    if (pattern->kind == NODE_VALUE) {
        value->asks = pattern->asks;
        value->names_null |= pattern->names_null;
        value->name = pattern->name;
        value->end = p->at;
        return value;
    }
    leftmost = leftmost_of(pattern);
    if (leftmost->asks == CONDITION_OBJECT) { /* its text is the value */
        leftmost->first = value->first;
        leftmost->end = before.at - 1;
    }
    leftmost->parts = value->parts;
    leftmost->last_part = value->last_part;
    return pattern;
}

/* --- operands --------------------------------------------------------------------------------- */

/* An operand that is being read. */
struct operand {
    struct node *value;
    uint32_t first;   /* token */
    uint32_t primary; /* first token of `a.b(c)[d]`, or of the last part */
    bool is_chain;    /* a chain may continue here */
    bool is_linked;   /* ... and must: after a dot */
    bool is_new;      /* after `new`, before the type */
    bool is_delegate; /* `delegate (...) { }` */
    bool is_tuple;
};

/* Called after the opening bracket; takes the closing one. */
static void parse_list(struct parser *p, struct node *value, enum token_kind close, uint32_t chain)
{
    while (!p->failed && kind_here(p) != close) {
        if (kind_here(p) == TOKEN_WORD && kind_at(p, p->at + 1) == TOKEN_COLON)
            p->at += 2; /* name: value */
        else if (kind_here(p) == TOKEN_OPERATOR && tokens_text(p->tokens, p->at).len == 2)
            p->at++; /* .. of a spread */
        add_node_part(value, parse_expression(p), chain);
        p->failed |= !take_kind(p, TOKEN_COMMA) && kind_here(p) != close;
    }
    p->failed |= !take_kind(p, close);
}

static void take_brackets(struct parser *p, struct operand *o)
{
    enum token_kind k = kind_here(p);
    bool types =
        p->at > o->first && tokens_is(p->tokens, p->at - 1, "typeof sizeof nameof default");
    bool called = o->is_chain || o->is_new;
    if (!called)
        o->primary = p->at;
    if (types || (k == TOKEN_OPEN_BRACE && o->is_delegate)) {
        p->at = past_brackets(p, p->at);
    } else {
        struct node *last = o->value->last_part;
        p->at++;
        parse_list(p, o->value, k + 1, o->primary);
        o->is_tuple |= !called && k == TOKEN_OPEN && o->value->last_part != last &&
                       (last != NULL ? last->next : o->value->parts)->next != NULL;
    }
    o->is_chain = true;
    o->is_linked = o->is_new = false;
}

static void add_chain(struct parser *p, struct operand *o, enum node_kind node_kind)
{
    struct node *node = make_node(p, node_kind, NULL, NULL);
    p->failed |= !o->is_chain || p->at == o->primary;
    node->first = o->primary;
    node->end = p->at++;
    add_node_part(o->value, node, o->primary);
}

/* `x switch { ... }`; anything before x may belong to it. */
static void take_switch(struct parser *p, struct operand *o)
{
    p->failed |= o->primary != o->first;
    add_chain(p, o, NODE_SWITCH);
    p->failed |= kind_here(p) != TOKEN_OPEN_BRACE;
    p->at = past_brackets(p, p->at);
}

static void take_any_word(struct parser *p, struct operand *o)
{
    bool is_new = is_word_here(p, "new");
    p->failed |= is_word_here(p, "from") && kind_at(p, p->at + 1) == TOKEN_WORD; /* a query */
    p->awaits |= is_word_here(p, "await");
    o->is_delegate |= is_word_here(p, "delegate");
    o->value->names_null |= is_word_here(p, "null nothing HasValue");
    if (is_word_here(p, "as TryCast"))
        o->value->asks = CONDITION_CAST;
    if (is_word_here(p, "as await in ref out scoped var throw with stackalloc")) {
        o->is_chain = false;
        o->is_new = is_word_here(p, "stackalloc with");
    } else {
        if (!o->is_linked && !o->is_new)
            o->primary = p->at;
        o->is_new |= is_new;
        o->is_chain = !is_new;
    }
    o->is_linked = false;
    p->at++;
}

static void take_other(struct parser *p, struct operand *o)
{
    enum token_kind k = kind_here(p);
    uint32_t past = k == TOKEN_LESS ? tokens_past_type_arguments(p->tokens, p->at, 0) : 0;
    p->failed |= k == TOKEN_UNKNOWN;
    o->value->is_equality |= k == TOKEN_EQUALITY;
    if (past != 0) {
        p->at = past;
        return;
    }
    if (k == TOKEN_NUMBER || k == TOKEN_LITERAL) {
        o->primary = p->at;
        o->is_chain = true;
    } else if (!o->is_chain || (k != TOKEN_NOT && k != TOKEN_STEP)) { /* else it is postfix */
        o->is_chain &= k == TOKEN_QUESTION;
        o->is_linked = k == TOKEN_DOT;
    }
    p->at++;
}

static bool is_null_index(const struct parser *p)
{
    return kind_here(p) == TOKEN_QUESTION && kind_at(p, p->at + 1) == TOKEN_OPEN_SQUARE &&
           kind_at(p, p->at + 2) != TOKEN_CLOSE_SQUARE;
}

/* The opaque text of an operand, with all conditions in it. */
static struct node *parse_opaque(struct parser *p)
{
    struct operand o = {.first = p->at, .primary = p->at, .value = make_value(p)};
    while (!p->failed && !ends_operand(p)) {
        enum token_kind k = kind_here(p);
        if (p->at != o.first && take_keyword(p, "is")) {
            return parse_is(p, o.value);
        }
        if (p->at != o.first && is_word_here(p, "switch")) {
            take_switch(p, &o);
        } else if (k == TOKEN_ACCESS || is_null_index(p)) {
            add_chain(p, &o, NODE_ACCESS);
            o.is_linked = k == TOKEN_ACCESS;
        } else if (token_opens(k)) {
            take_brackets(p, &o);
        } else if (k == TOKEN_WORD) {
            take_any_word(p, &o);
        } else {
            take_other(p, &o);
        }
    }
    p->failed |= p->at == o.first;
    o.value->end = p->at;
    return o.is_tuple && o.value->is_equality ? make_several(o.value) : o.value;
}

/* Is the whole operand in the brackets that open at `at`? */
static bool is_enclosed(const struct parser *p, uint32_t at)
{
    struct parser after = *p;
    if (kind_at(p, at) != TOKEN_OPEN)
        return false;
    after.at = past_brackets(p, at);
    return ends_operand(&after) && kind_here(&after) != TOKEN_ARROW;
}

/* `(...)`, or `!(...)`; NULL: it is a tuple, and the reading is where it was. */
static struct node *parse_enclosed(struct parser *p)
{
    uint32_t first = p->at;
    bool negated = take_kind(p, TOKEN_NOT);
    p->at++;
    struct node *node = parse_expression(p);
    if (p->failed) /* or the text may have ended */
        return node;
    if (!take_kind(p, TOKEN_CLOSE)) {
        p->at = first;
        p->failed |= negated;
        return NULL;
    }
    if (negated) {
        node = make_node(p, NODE_NOT, node, NULL);
        node->first = first;
        node->end = p->at;
    }
    return node;
}

static struct node *parse_operand(struct parser *p)
{
    p->failed |= p->nesting == NESTING_MAX || p->operands++ == OPERANDS_MAX;
    if (p->failed)
        return make_value(p);
    p->nesting++;
    uint32_t first = p->at;
    bool is_not = p->is_basic && take_kind(p, TOKEN_NOT);
    bool encloses = !is_not && is_enclosed(p, p->at + (kind_here(p) == TOKEN_NOT));
    struct node *node = is_not     ? make_node(p, NODE_NOT, parse_operand(p), NULL)
                        : encloses ? parse_enclosed(p)
                                   : NULL;
    if (is_not)
        node->first = first;
    if (node == NULL)
        node = parse_opaque(p);
    p->nesting--;
    return node;
}

/* --- operators between them ------------------------------------------------------------------- */

static struct node *parse_and(struct parser *p)
{
    struct node *node = parse_operand(p);
    while (!p->failed && take_kind(p, TOKEN_AND))
        node = make_node(p, NODE_AND, node, parse_operand(p));
    return node;
}

static struct node *parse_or(struct parser *p)
{
    struct node *node = parse_and(p);
    while (!p->failed && take_kind(p, TOKEN_OR))
        node = make_node(p, NODE_OR, node, parse_and(p));
    return node;
}

static struct node *parse_coalesce(struct parser *p)
{
    struct node *node = parse_or(p);
    if (p->failed || !take_kind(p, TOKEN_COALESCE))
        return node;
    p->failed |= node->kind != NODE_VALUE;
    return make_node(p, NODE_COALESCE, node, parse_coalesce(p));
}

static struct node *parse_conditional(struct parser *p)
{
    struct node *node = parse_coalesce(p);
    if (p->failed || !take_kind(p, TOKEN_QUESTION))
        return node;
    node = make_node(p, NODE_TERNARY, node, parse_expression(p));
    p->failed |= !take_kind(p, TOKEN_COLON);
    node->c = parse_expression(p);
    node->end = node->c->end;
    return node;
}

static struct node *parse_lambda(struct parser *p, struct node *parameters)
{
    if (kind_here(p) == TOKEN_OPEN_BRACE)
        p->at = past_brackets(p, p->at);
    else
        (void)parse_expression(p);
    parameters->parts = parameters->last_part = NULL;
    parameters->end = p->at;
    p->failed |= parameters->kind != NODE_VALUE;
    return parameters;
}

static struct node *parse_expression(struct parser *p)
{
    struct node *left = parse_conditional(p), *node = left;
    p->failed |= p->nesting == NESTING_MAX;
    if (p->failed)
        return left;
    p->nesting++;
    if (take_kind(p, TOKEN_ARROW)) {
        node = parse_lambda(p, left);
    } else if (take_kind(p, TOKEN_COALESCE_ASSIGN)) {
        p->assigns = true;
        p->failed |= left->kind != NODE_VALUE;
        node = make_node(p, NODE_COALESCE, left, parse_expression(p));
    } else if (take_kind(p, TOKEN_ASSIGN)) {
        p->assigns = true;
        struct node *right = parse_expression(p);
        node = make_node(p, NODE_VALUE, NULL, NULL);
        node->first = left->first;
        node->end = right->end;
        add_node_part(node, left, UINT32_MAX);
        add_node_part(node, right, UINT32_MAX);
    }
    p->nesting--;
    return node;
}

/* --- statements ------------------------------------------------------------------------------- */

/* `if (x)`: the brackets do not belong to x. After `do { } while (x);` goes on what is next in the
 * text where x does not hold. */
static struct node *parse_head(struct parser *p)
{
    p->failed |= !take_kind(p, TOKEN_OPEN);
    struct node *node = parse_expression(p);
    p->failed |= !take_kind(p, TOKEN_CLOSE);
    return take_kind(p, TOKEN_SEMICOLON) ? make_node(p, NODE_NOT, node, NULL) : node;
}

static struct node *parse_switch(struct parser *p)
{
    struct node *by = parse_head(p), *node = make_node(p, NODE_SWITCH, NULL, NULL);
    node->first = by->first;
    node->end = by->end;
    node->parts = node->last_part = by;
    return node;
}

static struct node *parse_plain(struct parser *p, bool *is_bare)
{
    while (take_keyword(p, "return throw yield"))
        continue;
    *is_bare = p->at == 0;
    struct node *value = make_value(p), *first = parse_expression(p);
    add_node_part(value, first, UINT32_MAX);
    while (!p->failed && take_kind(p, TOKEN_COMMA))
        add_node_part(value, parse_expression(p), UINT32_MAX);
    bool is_one = first->next == NULL;
    *is_bare &= !take_kind(p, TOKEN_SEMICOLON) && !p->assigns && is_one;
    return is_one ? first : value;
}

static struct node *parse_statement(struct parser *p, bool *is_bare)
{
    if (is_word_here(p, "switch") && kind_at(p, p->at + 1) == TOKEN_OPEN) {
        p->at++;
        return parse_switch(p);
    }
    if (take_keyword(p, "if while"))
        return make_node(p, NODE_ASK, parse_head(p), NULL);
    if (take_keyword(p, "when"))
        return make_node(p, NODE_ASK, parse_expression(p), NULL);
    return parse_plain(p, is_bare);
}

static struct node *parse_basic(struct parser *p, enum basic_head head)
{
    bool is_bare;
    struct node *node = parse_plain(p, &is_bare);
    if (head == BASIC_ASKS_NOT)
        node = make_node(p, NODE_NOT, node, NULL);
    return head == BASIC_USES ? node : make_node(p, NODE_ASK, node, NULL);
}

static struct node *parse_text(struct parser *p, enum text_reading reading, enum basic_head head)
{
    bool is_bare = false;
    if (p->is_basic)
        return parse_basic(p, head);
    struct node *root = parse_statement(p, &is_bare);
    if (reading == READ_STATEMENT)
        return root;
    p->failed |= !is_bare;
    return make_node(p, NODE_ASK, root, NULL);
}

bool expression_tree_make(struct expression_tree *out, struct str text, enum text_reading reading,
                          struct arena *arena, struct err *err)
{
    enum basic_head head = BASIC_USES;
    struct parser p = {
        .tokens = &out->tokens, .is_basic = reading >= READ_BASIC, .arena = arena, .err = err};
    *out = (struct expression_tree){.root = NULL};
    if (!(p.is_basic ? basic_tokens_find(&out->tokens, &head, text, reading == READ_BASIC_VALUE,
                                         arena, err)
                     : tokens_find(&out->tokens, text, LANGUAGE_CSHARP, arena, err)))
        return false;
    struct node *root = parse_text(&p, reading, head);
    if (root->kind != NODE_ASK && kind_here(&p) == TOKEN_CLOSE &&
        out->tokens.items[p.at].partner == NO_INDEX)
        p.at++; /* `@(a ? b : c)` of Razor ends behind the bracket */
    if (!p.failed && kind_here(&p) == TOKEN_END)
        out->root = root;
    out->awaits = p.awaits;
    return !p.no_memory;
}

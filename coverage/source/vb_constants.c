#include "coverage/source/vb_constants.h"

#include "base/ascii.h"

enum {
    DEPTH_MAX = 64 /* of parentheses and Not */
};

struct reader {
    struct str *s;
    vb_lookup *lookup;
    const void *context;
    unsigned depth;
};

enum logic {
    LOGIC_AND,
    LOGIC_OR,
    LOGIC_XOR,
    LOGIC_AND_ALSO,
    LOGIC_OR_ELSE
};

static const struct vb_value unknown = {VB_UNKNOWN, 0, {NULL, 0}};

static struct vb_value number(int64_t n)
{
    return (struct vb_value){VB_NUMBER, n, {NULL, 0}};
}

static struct vb_value boolean(bool yes)
{
    return number(yes ? -1 : 0);
}

static void skip(struct str *s, size_t len)
{
    *s = (struct str){s->text + len, s->len - len};
}

static bool take_word(struct str *s, const char *word)
{
    *s = str_trim_start(*s, " \t");
    size_t len = str_word(*s).len;
    bool is_it = str_eq_nocase((struct str){s->text, len}, str_of(word));
    if (is_it)
        skip(s, len);
    return is_it;
}

static bool take_sign(struct str *s, const char *sign)
{
    *s = str_trim_start(*s, " \t");
    return str_take(s, sign);
}

/* Other kinds of numbers have a dot, an exponent, a type or a prefix, and are left unread. */
static struct vb_value read_number(struct str *s)
{
    int64_t n = 0;
    size_t len = str_word(*s).len;
    if (len > 18 || (len < s->len && s->text[len] == '.'))
        return unknown;
    for (size_t i = 0; i < len; i++) {
        if (!ascii_is_digit(s->text[i]))
            return unknown;
        n = n * 10 + (s->text[i] - '0');
    }
    skip(s, len);
    return number(n);
}

/* A doubled quote stays doubled. */
static struct vb_value read_text(struct str *s)
{
    size_t len = 1;
    while (len < s->len && (s->text[len] != '"' || (len + 1 < s->len && s->text[len + 1] == '"')))
        len += s->text[len] == '"' ? 2 : 1;
    if (len >= s->len)
        return unknown;
    struct vb_value value = {VB_TEXT, 0, {s->text + 1, len - 1}};
    skip(s, len + 1);
    return value;
}

static struct vb_value read_xor(struct reader *r);

static struct vb_value read_name(struct reader *r, size_t len)
{
    struct str name = {r->s->text, len};
    if (take_word(r->s, "True"))
        return boolean(true);
    if (take_word(r->s, "False") || take_word(r->s, "Nothing"))
        return boolean(false);
    skip(r->s, len);
    return r->lookup != NULL ? r->lookup(r->context, name) : unknown;
}

static struct vb_value read_operand(struct reader *r)
{
    if (take_sign(r->s, "(")) {
        struct vb_value value = r->depth < DEPTH_MAX ? read_xor(r) : unknown;
        return take_sign(r->s, ")") ? value : unknown;
    }
    bool minus = take_sign(r->s, "-");
    *r->s = str_trim_start(*r->s, " \t");
    size_t len = str_word(*r->s).len;
    if (len != 0 && ascii_is_digit(r->s->text[0])) {
        struct vb_value value = read_number(r->s);
        value.number = minus ? -value.number : value.number;
        return value;
    }
    if (minus)
        return unknown;
    if (len != 0)
        return read_name(r, len);
    return str_starts(*r->s, "\"") ? read_text(r->s) : unknown;
}

/* Whether case matters depends on Option Compare. */
static struct vb_value compare(const struct vb_value *a, const struct vb_value *b, bool less,
                               bool equal, bool greater)
{
    if (a->kind == VB_UNKNOWN || a->kind != b->kind)
        return unknown;
    if (a->kind == VB_NUMBER)
        return boolean((less && a->number < b->number) || (equal && a->number == b->number) ||
                       (greater && a->number > b->number));
    bool same = str_eq(a->text, b->text);
    if (less != greater || (!same && str_eq_nocase(a->text, b->text)))
        return unknown;
    return boolean(same ? equal : less);
}

static struct vb_value read_comparison(struct reader *r)
{
    static const struct {
        const char *sign;
        bool less, equal, greater;
    } signs[] = {{"<>", true, false, true}, {"<=", true, true, false}, {">=", false, true, true},
                 {"=", false, true, false}, {"<", true, false, false}, {">", false, false, true}};
    struct vb_value value = read_operand(r);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (take_sign(r->s, signs[i].sign)) {
            struct vb_value other = read_operand(r);
            value = compare(&value, &other, signs[i].less, signs[i].equal, signs[i].greater);
            i = (size_t)-1; /* from the first sign again */
        }
    return value;
}

static struct vb_value read_not(struct reader *r)
{
    if (!take_word(r->s, "Not"))
        return read_comparison(r);
    if (r->depth == DEPTH_MAX)
        return unknown;
    r->depth++;
    struct vb_value value = read_not(r);
    r->depth--;
    return value.kind == VB_NUMBER ? number(~value.number) : unknown;
}

static struct vb_value combine(const struct vb_value *a, const struct vb_value *b, enum logic how)
{
    if (a->kind != VB_NUMBER || b->kind != VB_NUMBER)
        return unknown;
    switch (how) {
    case LOGIC_AND:
        return number(a->number & b->number);
    case LOGIC_OR:
        return number(a->number | b->number);
    case LOGIC_XOR:
        return number(a->number ^ b->number);
    case LOGIC_AND_ALSO:
        return boolean(a->number != 0 && b->number != 0);
    case LOGIC_OR_ELSE:
        break;
    }
    return boolean(a->number != 0 || b->number != 0);
}

static struct vb_value read_and(struct reader *r)
{
    struct vb_value value = read_not(r);
    for (;;) {
        bool also = take_word(r->s, "AndAlso");
        if (!also && !take_word(r->s, "And"))
            return value;
        struct vb_value other = read_not(r);
        value = combine(&value, &other, also ? LOGIC_AND_ALSO : LOGIC_AND);
    }
}

static struct vb_value read_or(struct reader *r)
{
    struct vb_value value = read_and(r);
    for (;;) {
        bool otherwise = take_word(r->s, "OrElse");
        if (!otherwise && !take_word(r->s, "Or"))
            return value;
        struct vb_value other = read_and(r);
        value = combine(&value, &other, otherwise ? LOGIC_OR_ELSE : LOGIC_OR);
    }
}

static struct vb_value read_xor(struct reader *r)
{
    r->depth++;
    struct vb_value value = read_or(r);
    while (take_word(r->s, "Xor")) {
        struct vb_value other = read_or(r);
        value = combine(&value, &other, LOGIC_XOR);
    }
    r->depth--;
    return value;
}

struct vb_value vb_evaluate(struct str *s, vb_lookup *lookup, const void *context)
{
    struct reader reader = {s, lookup, context, 0};
    return read_xor(&reader);
}

struct vb_value vb_given(struct str given, struct str name)
{
    while (given.len != 0) {
        size_t len = str_word(given).len;
        bool is_it = str_eq_nocase((struct str){given.text, len}, name);
        skip(&given, len);
        if (!take_sign(&given, "="))
            return unknown;
        if (is_it)
            return vb_evaluate(&given, NULL, NULL);
        bool quoted = false;
        for (len = 0; len < given.len && (quoted || given.text[len] != ','); len++)
            quoted ^= given.text[len] == '"';
        skip(&given, len + (len < given.len));
    }
    return boolean(false);
}

#include "coverage/names/display_name.h"

#include <string.h>

#include "coverage/names/display_type.h"

#include "coverage/names/username.h"
#include "metadata/lookup.h"

/* II.23.1.10, II.23.1.13 */
enum {
    METHOD_VIRTUAL = 0x0040,
    METHOD_NEW_SLOT = 0x0100,
    METHOD_SPECIAL_NAME = 0x0800,
    PARAM_IN = 0x0001,
    PARAM_OUT = 0x0002
};

struct method_naming {
    const struct metadata *md;
    uint32_t rid;
    uint32_t flags;
    struct method_sig sig;
    struct text *out;
};

/* --- parameters ------------------------------------------------------------------------------- */

/* What a `ref` parameter is called instead; NULL: nothing else. */
static const char *find_direction(const struct method_naming *n, uint32_t number)
{
    const struct tables *t = &n->md->tables;
    struct row_range rows = tables_list(t, COL_MethodDef_ParamList, n->rid, TABLE_Param);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        if (tables_get(t, COL_Param_Sequence, rid) != number)
            continue;
        uint32_t flags = tables_get(t, COL_Param_Flags, rid) & (PARAM_IN | PARAM_OUT);
        return flags == PARAM_OUT ? "out" : flags == PARAM_IN ? "in" : NULL;
    }
    return NULL;
}

/* The types of the first `count` parameters. */
static void add_param_types(struct method_naming *n, const char *open, uint32_t count,
                            const char *close)
{
    struct reader r = rd_view(n->sig.params);
    text_add_c(n->out, open);
    for (uint32_t i = 0; i < count; i++) {
        struct reader type = r;
        const char *word = find_direction(n, i + 1);
        text_add_c(n->out, i == 0 ? "" : ", ");
        if (word != NULL &&
            sig_first_element((struct view){r.data + r.pos, rd_left(&r)}) == ELEMENT_BYREF) {
            while (rd_u8(&type) != ELEMENT_BYREF)
                (void)rd_compressed(&type);
            text_addf(n->out, "%s ", word);
        }
        if (!display_signature_type(n->out, n->md, n->rid, &type) || !sig_skip_type(&r))
            break;
    }
    text_add_c(n->out, close);
}

/* --- operators -------------------------------------------------------------------------------- */

static const struct {
    const char *name, *symbol;
} operators[] = {
    {"UnaryPlus", "+"},
    {"UnaryNegation", "-"},
    {"LogicalNot", "!"},
    {"OnesComplement", "~"},
    {"Increment", "++"},
    {"Decrement", "--"},
    {"True", "true"},
    {"False", "false"},
    {"Addition", "+"},
    {"Subtraction", "-"},
    {"Multiply", "*"},
    {"Division", "/"},
    {"Modulus", "%"},
    {"BitwiseAnd", "&"},
    {"BitwiseOr", "|"},
    {"ExclusiveOr", "^"},
    {"LeftShift", "<<"},
    {"RightShift", ">>"},
    {"UnsignedRightShift", ">>>"},
    {"Equality", "=="},
    {"Inequality", "!="},
    {"LessThan", "<"},
    {"GreaterThan", ">"},
    {"LessThanOrEqual", "<="},
    {"GreaterThanOrEqual", ">="},
    {"IncrementAssignment", "++"},
    {"DecrementAssignment", "--"},
    {"AdditionAssignment", "+="},
    {"SubtractionAssignment", "-="},
    {"MultiplicationAssignment", "*="},
    {"DivisionAssignment", "/="},
    {"ModulusAssignment", "%="},
    {"BitwiseAndAssignment", "&="},
    {"BitwiseOrAssignment", "|="},
    {"ExclusiveOrAssignment", "^="},
    {"LeftShiftAssignment", "<<="},
    {"RightShiftAssignment", ">>="},
    {"UnsignedRightShiftAssignment", ">>>="},
};

/* F#'s symbols: F# specification, 3.7. */
static const struct {
    const char *name;
    char symbol;
} fsharp_symbols[] = {
    {"Greater", '>'}, {"Less", '<'},    {"Plus", '+'},    {"Minus", '-'}, {"Multiply", '*'},
    {"Equals", '='},  {"Twiddle", '~'}, {"Percent", '%'}, {"Dot", '.'},   {"Dollar", '$'},
    {"Amp", '&'},     {"Bar", '|'},     {"At", '@'},      {"Hash", '#'},  {"Hat", '^'},
    {"Bang", '!'},    {"Qmark", '?'},   {"Divide", '/'},  {"Colon", ':'}, {"LParen", '('},
    {"RParen", ')'},  {"LBrack", '['},  {"RBrack", ']'},  {"Comma", ','},
};

/* op_Implicit and op_Explicit are named after their result. */
static bool add_conversion(struct method_naming *n, struct str name)
{
    struct reader result = rd_view(n->sig.return_type);
    bool is_checked = str_take(&name, "Checked");
    if (!str_is(name, "Implicit") && !str_is(name, "Explicit"))
        return false;
    text_addf(n->out, "%s operator %s", str_is(name, "Implicit") ? "implicit" : "explicit",
              is_checked ? "checked " : "");
    (void)display_signature_type(n->out, n->md, n->rid, &result);
    return true;
}

static bool add_operator(struct method_naming *n, struct str name)
{
    bool is_checked = str_take(&name, "Checked");
    for (size_t i = 0; i < ARRAY_LEN(operators); i++)
        if (str_is(name, operators[i].name)) {
            text_addf(n->out, "operator %s%s", is_checked ? "checked " : "", operators[i].symbol);
            return true;
        }
    return false;
}

static bool take_symbol(char *symbol, struct str *name)
{
    for (size_t i = 0; i < ARRAY_LEN(fsharp_symbols); i++)
        if (str_take(name, fsharp_symbols[i].name)) {
            *symbol = fsharp_symbols[i].symbol;
            return true;
        }
    return false;
}

struct str display_fsharp_operator(char out[FSHARP_OPERATOR_MAX], struct str name)
{
    size_t len = 0;
    while (len < FSHARP_OPERATOR_MAX && take_symbol(&out[len], &name))
        len++;
    return (struct str){out, name.len == 0 ? len : 0};
}

static bool add_fsharp_operator(struct method_naming *n, struct str name)
{
    char signs[FSHARP_OPERATOR_MAX];
    struct str operator_ = display_fsharp_operator(signs, name);
    if (operator_.len != 0)
        text_addf(n->out, "(%.*s)", STR_ARGS(operator_));
    return operator_.len != 0;
}

/* --- accessors -------------------------------------------------------------------------------- */

static bool is_init(const struct method_naming *n)
{
    struct view blob = row_blob(n->md, COL_MethodDef_Signature, n->rid);
    struct reader r = rd_view(blob);
    struct str space, name;
    uint32_t encloser = 0;
    (void)rd_u8(&r);
    (void)rd_compressed(&r);
    return rd_u8(&r) == ELEMENT_CMOD_REQD &&
           type_parts(&space, &name, &encloser, n->md,
                      coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r))) &&
           str_is(name, "IsExternalInit");
}

/* An attribute of the type names its indexers: the name of the property, mostly Item. */
static bool is_default_member(const struct method_naming *n, struct str name)
{
    struct view value;
    uint32_t type = TOKEN(TABLE_TypeDef, owner_of_method(n->md, n->rid));
    if (!has_attribute(n->md, type, "System.Reflection.DefaultMemberAttribute", &value))
        return str_is(name, "Item"); /* the explicit implementation of another type's */
    struct reader r = rd_view(value);
    (void)rd_u16(&r); /* the prolog: II.23.3 */
    uint32_t len = rd_compressed(&r);
    const uint8_t *text = rd_take(&r, len);
    return text != NULL && str_eq(name, (struct str){(const char *)text, len});
}

/* P.get, this[int].set */
static bool add_accessor(struct method_naming *n, struct str name)
{
    static const struct {
        const char *prefix, *word;
        uint32_t own_params;
    } kinds[] = {
        {"get_", "get", 0}, {"set_", "set", 1}, {"add_", "add", 1}, {"remove_", "remove", 1}};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!str_take(&name, kinds[i].prefix))
            continue;
        bool is_indexer = n->sig.param_count > kinds[i].own_params;
        text_add(n->out, is_indexer && is_default_member(n, name) ? STR("this") : name);
        if (is_indexer)
            add_param_types(n, "[", n->sig.param_count - kinds[i].own_params, "]");
        text_addf(n->out, ".%s", i == 1 && is_init(n) ? "init" : kinds[i].word);
        return true;
    }
    return false;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Where the last name begins in "N.I<N.C>.F"; 0: nothing stands before it. */
static size_t start_of_member(struct str name)
{
    size_t at = 0, depth = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.text[i];
        if (c == '<' || c == '(')
            depth++;
        else if ((c == '>' || c == ')') && depth > 0)
            depth--;
        else if (c == '.' && depth == 0)
            at = i + 1;
    }
    return at;
}

/* The interface that a method implements explicitly: a TypeDef, TypeRef or TypeSpec; 0: none. */
static uint32_t implemented_interface(const struct method_naming *n)
{
    const struct tables *t = &n->md->tables;
    uint32_t owner = owner_of_method(n->md, n->rid);
    uint32_t rid = tables_find(t, COL_MethodImpl_Class, owner);
    for (; rid != 0 && rid <= tables_rows(t, TABLE_MethodImpl) &&
           tables_get(t, COL_MethodImpl_Class, rid) == owner;
         rid++) {
        if (row_token(n->md, CODED_METHOD_DEF_OR_REF, COL_MethodImpl_MethodBody, rid) !=
            TOKEN(TABLE_MethodDef, n->rid))
            continue;
        uint32_t of =
            row_token(n->md, CODED_METHOD_DEF_OR_REF, COL_MethodImpl_MethodDeclaration, rid);
        if (TOKEN_TABLE(of) == TABLE_MethodDef)
            return TOKEN(TABLE_TypeDef, owner_of_method(n->md, TOKEN_RID(of)));
        return row_token(n->md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, TOKEN_RID(of));
    }
    return 0;
}

static bool is_finalizer(const struct method_naming *n, struct str name)
{
    return str_is(name, "Finalize") && n->sig.param_count == 0 && n->sig.generic_count == 0 &&
           (n->flags & (METHOD_VIRTUAL | METHOD_NEW_SLOT)) == METHOD_VIRTUAL &&
           sig_first_element(n->sig.return_type) == ELEMENT_VOID;
}

/* True if the name says all, and no parameters follow. */
static bool add_display_name(struct method_naming *n, struct str name)
{
    struct str type = display_simple_type(n->md, owner_of_method(n->md, n->rid));
    bool is_special = (n->flags & METHOD_SPECIAL_NAME) != 0;
    if (str_is(name, ".ctor") || str_is(name, ".cctor") || is_finalizer(n, name)) {
        text_addf(n->out, "%s%.*s",
                  str_is(name, ".cctor")  ? "static "
                  : str_is(name, ".ctor") ? ""
                                          : "~",
                  STR_ARGS(type));
        return false;
    }
    size_t at = start_of_member(name);
    uint32_t interface = at > 1 && at < name.len ? implemented_interface(n) : 0;
    if (interface != 0) {
        display_token(n->out, n->md, n->rid, interface);
        text_add_c(n->out, ".");
        name = str_from(name, at);
        is_special = true; /* C# does not mark it as such then */
    }
    if (is_special && add_accessor(n, name))
        return true;
    struct str symbol = name;
    if (str_take(&symbol, "op_") &&
        ((is_special && (add_conversion(n, symbol) || add_operator(n, symbol))) ||
         (!is_special && add_fsharp_operator(n, symbol))))
        return false;
    text_add(n->out, name);
    return false;
}

bool display_method(struct str *name, struct str *signature, const struct metadata *md,
                    uint32_t method_rid, struct arena *arena, struct err *err)
{
    struct text text = text_in(arena);
    struct method_naming n = {.md = md,
                              .rid = method_rid,
                              .flags = tables_get(&md->tables, COL_MethodDef_Flags, method_rid),
                              .out = &text};
    struct str plain;
    if (!username_method(&plain, md, method_rid, arena, err))
        return false;
    if (!sig_method(&n.sig, row_blob(md, COL_MethodDef_Signature, method_rid), NULL)) {
        *name = plain;
        *signature = STR("(...)");
        return true;
    }
    if (n.sig.generic_count != 0) /* username_method adds "`2" */
        while (plain.len != 0 && plain.text[--plain.len] != '`')
            ;
    bool is_whole = add_display_name(&n, plain);
    display_method_parameters(&text, md, method_rid);
    if (!text_take(name, &text, err))
        return false;
    text = text_in(arena);
    if (!is_whole)
        add_param_types(&n, "(", n.sig.param_count, ")");
    return text_take(signature, &text, err);
}

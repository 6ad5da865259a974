#include "coverage/names/display_type.h"

#include <string.h>

#include "coverage/names/username.h"
#include "metadata/lookup.h"

enum {
    DEPTH_MAX = SIG_DEPTH_MAX,
    TEXT_LEN_MAX = 64 * 1024, /* bounds the work too: every step that branches writes something */
    RANK_MAX = 32,            /* the runtime's own limit */
    TUPLE_LEN = 7,            /* the items of a ValueTuple`8 before its Rest */
};

struct type_writing {
    struct text *out;
    size_t start; /* length of `out` before the type */
    const struct metadata *md;
    uint32_t type_rid, method_rid; /* whose parameters have names */
    bool is_cut;                   /* nothing more is written */
};

/* The type arguments that the names of a nested type and of those around it share. */
struct type_arguments {
    struct reader *r;
    uint32_t left;
};

static void add_signature_type(struct type_writing *w, struct reader *r, unsigned depth);

static void add_literal(struct type_writing *w, const char *text)
{
    if (!w->is_cut)
        text_add_c(w->out, text);
}

static void cut_type(struct type_writing *w)
{
    add_literal(w, "...");
    w->is_cut = true;
}

static bool may_write(struct type_writing *w, unsigned depth)
{
    if (depth >= DEPTH_MAX || w->out->len - w->start > TEXT_LEN_MAX)
        cut_type(w);
    return !w->is_cut;
}

/* --- generic parameters and arguments --------------------------------------------------------- */

/* Takes "`2" off the name. */
static uint32_t take_arity(struct str *name)
{
    size_t tick = name->len;
    uint32_t arity = 0, unit = 1;
    while (tick > 0 && name->text[tick - 1] >= '0' && name->text[tick - 1] <= '9' &&
           unit <= 10000) {
        tick--;
        arity += (uint32_t)(name->text[tick] - '0') * unit;
        unit *= 10;
    }
    if (tick == 0 || tick == name->len || name->text[tick - 1] != '`')
        return 0;
    name->len = tick - 1;
    return arity;
}

static uint32_t count_params(const struct metadata *md, uint32_t owner_token, uint32_t *first)
{
    const struct tables *t = &md->tables;
    uint32_t owner = coded_from_token(CODED_TYPE_OR_METHOD_DEF, owner_token), count = 0;
    *first = tables_find(t, COL_GenericParam_Owner, owner);
    while (*first != 0 && *first + count <= tables_rows(t, TABLE_GenericParam) &&
           tables_get(t, COL_GenericParam_Owner, *first + count) == owner)
        count++;
    return count;
}

/* The last `own` parameters of a definition: those before belong to the types around it. */
static void add_own_params(struct type_writing *w, uint32_t owner_token, uint32_t own)
{
    uint32_t first = 0, count = count_params(w->md, owner_token, &first);
    add_literal(w, "<");
    for (uint32_t i = 0; i < own && !w->is_cut; i++) {
        if (own > count)
            add_literal(w, i == 0 ? "" : ",");
        else
            text_addf(w->out, "%s%.*s", i == 0 ? "" : ", ",
                      STR_ARGS(row_string(w->md, COL_GenericParam_Name, first + count - own + i)));
        if (w->out->len - w->start > TEXT_LEN_MAX)
            cut_type(w);
    }
    add_literal(w, ">");
}

static void add_list(struct type_writing *w, struct reader *r, uint32_t count, unsigned depth)
{
    for (uint32_t i = 0; i < count && !w->is_cut; i++) {
        add_literal(w, i == 0 ? "" : ", ");
        add_signature_type(w, r, depth + 1);
    }
}

static void add_display_arguments(struct type_writing *w, struct type_arguments *args,
                                  uint32_t count, unsigned depth)
{
    add_literal(w, "<");
    add_list(w, args->r, count, depth);
    add_literal(w, ">");
    args->left -= count;
}

/* VAR or MVAR */
static void add_param(struct type_writing *w, struct reader *r, bool of_method)
{
    uint32_t number = rd_compressed(r), first = 0;
    uint32_t rid = of_method ? w->method_rid : w->type_rid;
    uint32_t owner = TOKEN(of_method ? TABLE_MethodDef : TABLE_TypeDef, rid);
    if (rid != 0 && number < count_params(w->md, owner, &first))
        text_add(w->out, row_string(w->md, COL_GenericParam_Name, first + number));
    else
        text_addf(w->out, "%s%u", of_method ? "!!" : "!", (unsigned)number);
}

/* --- names ------------------------------------------------------------------------------------ */

/* A TypeDef or TypeRef; its parameters are those of the definition if `args` is NULL. */
static void add_named(struct type_writing *w, uint32_t token, struct type_arguments *args,
                      bool with_space, unsigned depth)
{
    struct str space, name;
    uint32_t encloser = 0;
    if (!may_write(w, depth))
        return;
    if (!type_parts(&space, &name, &encloser, w->md, token)) {
        cut_type(w);
        return;
    }
    if (encloser != 0) {
        add_named(w, encloser, args, with_space, depth + 1);
        add_literal(w, ".");
    } else {
        username_parts(&space, &name);
        if (with_space && space.len != 0)
            text_addf(w->out, "%.*s.", STR_ARGS(space));
    }
    uint32_t own = take_arity(&name);
    if (w->is_cut)
        return;
    text_add(w->out, name);
    if (own != 0 && (args == NULL || args->left < own))
        add_own_params(w, token, own);
    else if (own != 0)
        add_display_arguments(w, args, own, depth);
}

/* Is it this type of the namespace System, such as "Nullable"? */
static bool is_system_type(struct type_writing *w, uint32_t token, const char *simple)
{
    struct str space, name;
    uint32_t encloser = 0;
    if (!type_parts(&space, &name, &encloser, w->md, token) || encloser != 0 ||
        !str_is(space, "System"))
        return false;
    (void)take_arity(&name);
    return str_is(name, simple);
}

/* A TypeSpec is not the name of a type in a signature of C#; in another it stands for its own. */
static void add_type_token(struct type_writing *w, uint32_t token, struct type_arguments *args,
                           unsigned depth)
{
    if (TOKEN_TABLE(token) == TABLE_TypeSpec) {
        struct reader r = rd_view(row_blob(w->md, COL_TypeSpec_Signature, TOKEN_RID(token)));
        add_signature_type(w, &r, depth + 1);
        return;
    }
    if (is_system_type(w, token, "Decimal"))
        add_literal(w, "decimal");
    else
        add_named(w, token, args, false, depth);
    if (args != NULL && args->left != 0 && !w->is_cut)
        add_display_arguments(w, args, args->left, depth);
}

/* CLASS or VALUETYPE, the generic type, the number of its arguments. */
static uint32_t read_instance(struct reader *r, uint32_t *arg_count)
{
    (void)rd_u8(r);
    uint32_t token = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(r));
    *arg_count = rd_compressed(r);
    return token;
}

/* The items of a tuple; a long one keeps those after the seventh in another tuple. */
static void add_items(struct type_writing *w, struct reader *r, uint32_t count, unsigned depth)
{
    uint32_t rest_count = 0;
    add_list(w, r, count <= TUPLE_LEN ? count : TUPLE_LEN, depth);
    for (uint32_t i = TUPLE_LEN; i < count && !w->is_cut; i++) {
        struct reader rest = *r;
        add_literal(w, ", ");
        if (may_write(w, depth) && rd_u8(&rest) == ELEMENT_GENERICINST &&
            is_system_type(w, read_instance(&rest, &rest_count), "ValueTuple")) {
            add_items(w, &rest, rest_count, depth + 1);
            *r = rest;
        } else {
            add_signature_type(w, r, depth + 1);
        }
    }
}

static void add_constructed_type(struct type_writing *w, struct reader *r, unsigned depth)
{
    uint32_t arg_count = 0;
    uint32_t token = read_instance(r, &arg_count);
    if (arg_count == 1 && is_system_type(w, token, "Nullable")) {
        add_signature_type(w, r, depth + 1);
        add_literal(w, "?");
    } else if (arg_count >= 2 && is_system_type(w, token, "ValueTuple")) {
        add_literal(w, "(");
        add_items(w, r, arg_count, depth);
        add_literal(w, ")");
    } else {
        add_type_token(w, token, &(struct type_arguments){r, arg_count}, depth);
    }
}

/* --- signatures ------------------------------------------------------------------------------- */

static void add_rank(struct type_writing *w, uint8_t kind, uint32_t rank)
{
    add_literal(w, rank == 1 && kind == ELEMENT_ARRAY ? "[*" : "[");
    for (uint32_t i = 1; i < rank; i++)
        add_literal(w, ",");
    add_literal(w, "]");
}

/* int[][,] is a vector of arrays of rank 2: the outermost rank stands first, unlike in IL. */
static void add_array_type(struct type_writing *w, struct reader *r, unsigned depth)
{
    uint8_t kinds[DEPTH_MAX];
    uint32_t ranks[DEPTH_MAX], count = 0;
    struct reader element = *r;
    bool sound = sig_skip_type(r);
    while (sound && count < DEPTH_MAX) {
        kinds[count] = element.data[element.pos];
        if (kinds[count] != ELEMENT_SZARRAY && kinds[count] != ELEMENT_ARRAY)
            break;
        (void)rd_u8(&element);
        struct reader shape = element;
        ranks[count] =
            kinds[count] == ELEMENT_SZARRAY || !sig_skip_type(&shape) ? 1 : sig_array_shape(&shape);
        sound = !shape.failed && ranks[count] <= RANK_MAX;
        count++;
    }
    if (!sound) {
        cut_type(w);
        return;
    }
    add_signature_type(w, &element, depth + count);
    for (uint32_t i = 0; i < count && !w->is_cut; i++)
        add_rank(w, kinds[i], ranks[i]);
}

/* delegate*<int, void>: the result stands last. II.23.2.3 lists calling conventions. */
static void add_function_pointer(struct type_writing *w, struct reader *r, unsigned depth)
{
    static const char *const conventions[SIG_KIND_MASK + 1] = {[1] = " unmanaged[Cdecl]",
                                                               [2] = " unmanaged[Stdcall]",
                                                               [3] = " unmanaged[Thiscall]",
                                                               [4] = " unmanaged[Fastcall]",
                                                               [9] = " unmanaged"};
    uint8_t flags = rd_u8(r);
    const char *convention = conventions[flags & SIG_KIND_MASK];
    if ((flags & SIG_GENERIC) != 0)
        (void)rd_compressed(r);
    uint32_t count = rd_compressed(r);
    struct reader result = *r;
    if (!sig_skip_type(r)) {
        cut_type(w);
        return;
    }
    text_addf(w->out, "delegate*%s<", convention != NULL ? convention : "");
    add_list(w, r, count, depth);
    add_literal(w, count == 0 ? "" : ", ");
    add_signature_type(w, &result, depth + 1);
    add_literal(w, ">");
}

/* The types with an element of their own: ECMA-335 II.23.1.16. */
static const char *const keywords[] = {
    [ELEMENT_VOID] = "void", [ELEMENT_BOOLEAN] = "bool",  [ELEMENT_CHAR] = "char",
    [ELEMENT_I1] = "sbyte",  [ELEMENT_U1] = "byte",       [ELEMENT_I2] = "short",
    [ELEMENT_U2] = "ushort", [ELEMENT_I4] = "int",        [ELEMENT_U4] = "uint",
    [ELEMENT_I8] = "long",   [ELEMENT_U8] = "ulong",      [ELEMENT_R4] = "float",
    [ELEMENT_R8] = "double", [ELEMENT_STRING] = "string", [ELEMENT_I] = "nint",
    [ELEMENT_U] = "nuint",   [ELEMENT_OBJECT] = "object", [ELEMENT_TYPEDBYREF] = "TypedReference",
};

static void add_prefixed(struct type_writing *w, const char *prefix, struct reader *r,
                         unsigned depth)
{
    add_literal(w, prefix);
    add_signature_type(w, r, depth + 1);
}

static void add_element(struct type_writing *w, uint8_t element, struct reader *r, unsigned depth)
{
    switch (element) {
    case ELEMENT_PTR:
        add_signature_type(w, r, depth + 1);
        add_literal(w, "*");
        break;
    case ELEMENT_BYREF:
        add_prefixed(w, "ref ", r, depth);
        break;
    case ELEMENT_VALUETYPE:
    case ELEMENT_CLASS:
        add_type_token(w, coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(r)), NULL, depth);
        break;
    case ELEMENT_VAR:
    case ELEMENT_MVAR:
        add_param(w, r, element == ELEMENT_MVAR);
        break;
    case ELEMENT_GENERICINST:
        add_constructed_type(w, r, depth);
        break;
    case ELEMENT_FNPTR:
        add_function_pointer(w, r, depth);
        break;
    case ELEMENT_SENTINEL:
        add_prefixed(w, "__arglist, ", r, depth);
        break;
    default:
        r->failed = true;
    }
}

/* One type, ECMA-335 II.23.2.12; custom modifiers are not part of the name. */
static void add_signature_type(struct type_writing *w, struct reader *r, unsigned depth)
{
    if (!may_write(w, depth))
        return;
    while (rd_left(r) != 0 && !r->failed &&
           (r->data[r->pos] == ELEMENT_CMOD_REQD || r->data[r->pos] == ELEMENT_CMOD_OPT)) {
        (void)rd_u8(r);
        (void)rd_compressed(r);
    }
    uint8_t element = rd_left(r) == 0 ? (uint8_t)ELEMENT_END : r->data[r->pos];
    if (element == ELEMENT_SZARRAY || element == ELEMENT_ARRAY) {
        add_array_type(w, r, depth);
        return;
    }
    (void)rd_u8(r);
    if (element < ARRAY_LEN(keywords) && keywords[element] != NULL)
        add_literal(w, keywords[element]);
    else
        add_element(w, element, r, depth);
    if (r->failed)
        cut_type(w);
}

/* --- what others ask -------------------------------------------------------------------------- */

bool display_type(struct str *out, const struct metadata *md, uint32_t type_rid,
                  struct arena *arena, struct err *err)
{
    struct text text = text_in(arena);
    struct type_writing w = {.out = &text, .md = md};
    add_named(&w, TOKEN(TABLE_TypeDef, type_rid), NULL, true, 0);
    return text_take(out, &text, err);
}

struct str display_simple_type(const struct metadata *md, uint32_t type_rid)
{
    struct str space, name;
    uint32_t encloser = 0;
    if (!type_parts(&space, &name, &encloser, md, TOKEN(TABLE_TypeDef, type_rid)))
        return STR("");
    if (encloser == 0)
        username_parts(&space, &name);
    (void)take_arity(&name);
    return name;
}

static struct type_writing inside_method(struct text *out, const struct metadata *md,
                                         uint32_t method_rid)
{
    return (struct type_writing){.out = out,
                                 .start = out->len,
                                 .md = md,
                                 .type_rid = owner_of_method(md, method_rid),
                                 .method_rid = method_rid};
}

bool display_signature_type(struct text *out, const struct metadata *md, uint32_t method_rid,
                            struct reader *r)
{
    struct type_writing w = inside_method(out, md, method_rid);
    add_signature_type(&w, r, 0);
    return !w.is_cut;
}

void display_token(struct text *out, const struct metadata *md, uint32_t method_rid, uint32_t token)
{
    struct type_writing w = inside_method(out, md, method_rid);
    add_type_token(&w, token, NULL, 0);
}

void display_method_parameters(struct text *out, const struct metadata *md, uint32_t method_rid)
{
    uint32_t first = 0, token = TOKEN(TABLE_MethodDef, method_rid);
    uint32_t count = count_params(md, token, &first);
    struct type_writing w = {.out = out, .start = out->len, .md = md};
    if (count != 0)
        add_own_params(&w, token, count);
}

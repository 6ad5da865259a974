#include "metadata/names.h"

#include <string.h>

#include "metadata/lookup.h"

enum {
    DEPTH_MAX = SIG_DEPTH_MAX, /* of nested types and of types within types */
    NAME_LEN_MAX = 64 * 1024,  /* bounds the work too: every step that branches writes something */
    RANK_MAX = 32,             /* the runtime's own limit */
};

/* What is being written, and whose generic parameters have names. */
struct type_naming {
    struct text *out;
    size_t start; /* length of `out` before the name */
    const struct metadata *md;
    uint32_t type_rid, method_rid; /* 0: parameters are written !0, !!0 */
    bool is_cut;                   /* it is too long: nothing more is written */
    struct err *err;
};

static bool add_type_signature(struct type_naming *n, struct reader *r, unsigned depth);

/* Ends the name here. The caller returns false up to the function that began the name. */
static bool cut_name(struct type_naming *n)
{
    text_add_c(n->out, "...");
    n->is_cut = true;
    return false;
}

static bool is_name_too_long(const struct type_naming *n)
{
    return n->out->len - n->start > NAME_LEN_MAX;
}

static bool add_token_name(struct type_naming *n, uint32_t token, unsigned depth)
{
    struct str space, name;
    uint32_t encloser = 0;
    if (is_name_too_long(n))
        return cut_name(n);
    if (depth >= DEPTH_MAX) { /* the outermost types are left out */
        text_add_c(n->out, "...");
        return true;
    }
    if (TOKEN_TABLE(token) == TABLE_TypeSpec) {
        struct reader r = rd_view(row_blob(n->md, COL_TypeSpec_Signature, TOKEN_RID(token)));
        return add_type_signature(n, &r, depth + 1);
    }
    if (!type_parts(&space, &name, &encloser, n->md, token))
        return err_set(n->err, ERR_FORMAT, "token 0x%08x does not name a type", (unsigned)token);
    if (encloser != 0) {
        if (!add_token_name(n, encloser, depth + 1))
            return false;
        text_add_c(n->out, "/");
    }
    if (space.len != 0) {
        text_add(n->out, space);
        text_add_c(n->out, ".");
    }
    text_add(n->out, name);
    return true;
}

static bool refuse_signature(struct type_naming *n, const struct reader *r)
{
    return err_set(n->err, ERR_FORMAT, "type signature is malformed at byte %zu of %zu", r->pos,
                   r->len);
}

/* A TypeDefOrRefOrSpecEncoded, II.23.2.8. */
static bool add_encoded_type(struct type_naming *n, struct reader *r, unsigned depth)
{
    uint32_t coded = rd_compressed(r);
    if (r->failed)
        return refuse_signature(n, r);
    return add_token_name(n, coded_to_token(CODED_TYPE_DEF_OR_REF, coded), depth + 1);
}

/* VAR or MVAR: the parameter's name from the definition of its owner, if that has one. */
static bool add_generic_param(struct type_naming *n, struct reader *r, bool of_method)
{
    const struct tables *t = &n->md->tables;
    uint32_t number = rd_compressed(r);
    uint32_t owner_rid = of_method ? n->method_rid : n->type_rid;
    enum table_id owner_table = of_method ? TABLE_MethodDef : TABLE_TypeDef;
    if (r->failed)
        return refuse_signature(n, r);
    if (owner_rid != 0) {
        uint32_t owner = coded_from_token(CODED_TYPE_OR_METHOD_DEF, TOKEN(owner_table, owner_rid));
        uint32_t first = tables_find(t, COL_GenericParam_Owner, owner);
        uint32_t rid = first + number; /* sorted by owner and number: II.22.20 */
        if (first != 0 && tables_get(t, COL_GenericParam_Owner, rid) == owner &&
            tables_get(t, COL_GenericParam_Number, rid) == number) {
            text_add(n->out, row_string(n->md, COL_GenericParam_Name, rid));
            return true;
        }
    }
    text_addf(n->out, "%s%u", of_method ? "!!" : "!", (unsigned)number);
    return true;
}

static bool add_generic_instance(struct type_naming *n, struct reader *r, unsigned depth)
{
    (void)rd_u8(r); /* CLASS or VALUETYPE */
    if (!add_encoded_type(n, r, depth))
        return false;
    uint32_t arg_count = rd_compressed(r);
    text_add_c(n->out, "<");
    for (uint32_t i = 0; i < arg_count; i++) {
        if (i != 0)
            text_add_c(n->out, ",");
        if (!add_type_signature(n, r, depth + 1))
            return false;
    }
    text_add_c(n->out, ">");
    return !r->failed || refuse_signature(n, r);
}

/* T[,]: II.14.2. T[] is a vector, T[*] an array of rank 1 that is not a vector. */
static bool add_array_name(struct type_naming *n, struct reader *r, unsigned depth)
{
    if (!add_type_signature(n, r, depth + 1))
        return false;
    uint32_t rank = sig_array_shape(r);
    if (r->failed)
        return refuse_signature(n, r);
    if (rank > RANK_MAX)
        return cut_name(n);
    text_add_c(n->out, rank == 1 ? "[*" : "[");
    for (uint32_t i = 1; i < rank; i++)
        text_add_c(n->out, ",");
    text_add_c(n->out, "]");
    return true;
}

static bool add_param_names(struct type_naming *n, struct reader *r, uint32_t count, unsigned depth)
{
    text_add_c(n->out, "(");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            text_add_c(n->out, ",");
        if (!add_type_signature(n, r, depth))
            return false;
    }
    text_add_c(n->out, ")");
    return true;
}

/* How code is called that is not managed: II.23.2.3. */
static const char *const conventions[SIG_KIND_MASK + 1] = {[0x1] = "unmanaged cdecl ",
                                                           [0x2] = "unmanaged stdcall ",
                                                           [0x3] = "unmanaged thiscall ",
                                                           [0x4] = "unmanaged fastcall ",
                                                           [0x9] = "unmanaged "};

/* method R *(A,B), method unmanaged cdecl R *(A,B) */
static bool add_method_pointer(struct type_naming *n, struct reader *r, unsigned depth)
{
    uint8_t flags = rd_u8(r);
    if ((flags & SIG_GENERIC) != 0)
        (void)rd_compressed(r);
    uint32_t param_count = rd_compressed(r);
    const char *convention = conventions[flags & SIG_KIND_MASK];
    text_add_c(n->out, "method ");
    text_add_c(n->out, convention != NULL ? convention : "");
    if (!add_type_signature(n, r, depth + 1))
        return false;
    text_add_c(n->out, " *");
    return add_param_names(n, r, param_count, depth + 1);
}

static bool add_suffixed(struct type_naming *n, struct reader *r, unsigned depth,
                         const char *suffix)
{
    if (!add_type_signature(n, r, depth + 1))
        return false;
    text_add_c(n->out, suffix);
    return true;
}

/* The types with an element of their own: II.23.1.16. */
static const char *const element_names[] = {
    [ELEMENT_VOID] = "System.Void",     [ELEMENT_BOOLEAN] = "System.Boolean",
    [ELEMENT_CHAR] = "System.Char",     [ELEMENT_I1] = "System.SByte",
    [ELEMENT_U1] = "System.Byte",       [ELEMENT_I2] = "System.Int16",
    [ELEMENT_U2] = "System.UInt16",     [ELEMENT_I4] = "System.Int32",
    [ELEMENT_U4] = "System.UInt32",     [ELEMENT_I8] = "System.Int64",
    [ELEMENT_U8] = "System.UInt64",     [ELEMENT_R4] = "System.Single",
    [ELEMENT_R8] = "System.Double",     [ELEMENT_STRING] = "System.String",
    [ELEMENT_I] = "System.IntPtr",      [ELEMENT_U] = "System.UIntPtr",
    [ELEMENT_OBJECT] = "System.Object", [ELEMENT_TYPEDBYREF] = "System.TypedReference",
};

/* One type, II.23.2.12; custom modifiers and PINNED are not part of the name. */
static bool add_type_signature(struct type_naming *n, struct reader *r, unsigned depth)
{
    if (depth >= DEPTH_MAX || is_name_too_long(n))
        return cut_name(n);
    uint8_t element = rd_u8(r);
    while (!r->failed && (element == ELEMENT_CMOD_REQD || element == ELEMENT_CMOD_OPT ||
                          element == ELEMENT_PINNED)) {
        if (element != ELEMENT_PINNED)
            (void)rd_compressed(r);
        element = rd_u8(r);
    }
    if (element < ARRAY_LEN(element_names) && element_names[element] != NULL) {
        text_add_c(n->out, element_names[element]);
        return true;
    }
    switch (element) {
    case ELEMENT_PTR:
        return add_suffixed(n, r, depth, "*");
    case ELEMENT_BYREF:
        return add_suffixed(n, r, depth, "&");
    case ELEMENT_SZARRAY:
        return add_suffixed(n, r, depth, "[]");
    case ELEMENT_ARRAY:
        return add_array_name(n, r, depth);
    case ELEMENT_VALUETYPE:
    case ELEMENT_CLASS:
        return add_encoded_type(n, r, depth);
    case ELEMENT_VAR:
        return add_generic_param(n, r, false);
    case ELEMENT_MVAR:
        return add_generic_param(n, r, true);
    case ELEMENT_GENERICINST:
        return add_generic_instance(n, r, depth);
    case ELEMENT_FNPTR:
        return add_method_pointer(n, r, depth);
    case ELEMENT_SENTINEL: /* II.23.2.2: before the first extra argument of a vararg call */
        text_add_c(n->out, "...,");
        return add_type_signature(n, r, depth + 1);
    default:
        return refuse_signature(n, r);
    }
}

bool name_type(struct str *out, const struct metadata *md, uint32_t token, struct arena *arena,
               struct err *err)
{
    struct text text = text_in(arena);
    struct type_naming n = {.out = &text, .md = md, .err = err};
    return (add_token_name(&n, token, 0) || n.is_cut) && text_take(out, &text, err);
}

bool name_signature_type(struct text *out, const struct metadata *md, struct reader *r,
                         struct err *err)
{
    struct type_naming n = {.out = out, .start = out->len, .md = md, .err = err};
    size_t start = r->pos;
    if (add_type_signature(&n, r, 0))
        return true;
    if (n.is_cut) {
        r->pos = start;
        (void)sig_skip_type(r); /* if it is nested too deep for that, too, the reader has failed */
    }
    return n.is_cut;
}

static struct view method_blob(const struct metadata *md, uint32_t method_rid)
{
    return row_blob(md, COL_MethodDef_Signature, method_rid);
}

static struct str read_method_name(const struct metadata *md, uint32_t method_rid)
{
    return row_string(md, COL_MethodDef_Name, method_rid);
}

bool name_method_signature(struct str *out, const struct metadata *md, uint32_t method_rid,
                           struct arena *arena, struct err *err)
{
    struct method_sig sig;
    if (!sig_method(&sig, method_blob(md, method_rid), err))
        return false;
    struct text text = text_in(arena);
    struct type_naming n = {.out = &text,
                            .md = md,
                            .type_rid = owner_of_method(md, method_rid),
                            .method_rid = method_rid,
                            .err = err};
    struct reader params = rd_view(sig.params);
    if (!add_param_names(&n, &params, sig.param_count, 0))
        return n.is_cut && text_take(out, &text, err);
    struct str name = read_method_name(md, method_rid);
    if (str_is(name, "op_Implicit") || str_is(name, "op_Explicit")) {
        struct reader result = rd_view(sig.return_type);
        text_add_c(&text, ":");
        if (!add_type_signature(&n, &result, 0) && !n.is_cut)
            return false;
    }
    return text_take(out, &text, err);
}

bool name_method(struct str *out, const struct metadata *md, uint32_t method_rid,
                 struct arena *arena, struct err *err)
{
    struct method_sig sig;
    if (!sig_method(&sig, method_blob(md, method_rid), err))
        return false;
    struct text text = text_in(arena);
    text_add(&text, read_method_name(md, method_rid));
    if (sig.generic_count != 0)
        text_addf(&text, "`%u", (unsigned)sig.generic_count);
    return text_take(out, &text, err);
}

struct str name_of_member(const struct metadata *md, uint32_t token)
{
    token = method_of_instance(md, token);
    switch (TOKEN_TABLE(token)) {
    case TABLE_Field:
        return row_string(md, COL_Field_Name, TOKEN_RID(token));
    case TABLE_MethodDef:
        return row_string(md, COL_MethodDef_Name, TOKEN_RID(token));
    case TABLE_MemberRef:
        return row_string(md, COL_MemberRef_Name, TOKEN_RID(token));
    default:
        return STR("");
    }
}

/* --- as reflection has it --------------------------------------------------------------------- */

static char in_full_name(char c)
{
    return c == '/' ? '+' : c;
}

bool name_full(struct str *out, const struct metadata *md, uint32_t type_rid, struct arena *arena,
               struct err *err)
{
    if (!name_type(out, md, TOKEN(TABLE_TypeDef, type_rid), arena, err))
        return false;
    char *text = arena_copy_text(arena, out->text, out->len, err);
    for (size_t i = 0; text != NULL && i < out->len; i++)
        text[i] = in_full_name(text[i]);
    out->text = text;
    return text != NULL;
}

bool name_is_full(struct str full_name, struct str name)
{
    bool same = full_name.len == name.len;
    for (size_t i = 0; same && i < name.len; i++)
        same = full_name.text[i] == in_full_name(name.text[i]);
    return same;
}

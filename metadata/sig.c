#include "metadata/sig.h"

/* II.23.2.7: CMOD_OPT or CMOD_REQD and a TypeDefOrRefOrSpec, any number of them. */
static void skip_modifiers(struct reader *r)
{
    while (rd_left(r) != 0 && !r->failed &&
           (r->data[r->pos] == ELEMENT_CMOD_REQD || r->data[r->pos] == ELEMENT_CMOD_OPT)) {
        (void)rd_u8(r);
        (void)rd_compressed(r);
    }
}

static void skip_type(struct reader *r, uint64_t *elements, unsigned depth);

uint32_t sig_array_shape(struct reader *r)
{
    uint32_t rank = rd_compressed(r);
    uint32_t size_count = rd_compressed(r);
    for (uint32_t i = 0; i < size_count && !r->failed; i++)
        (void)rd_compressed(r);
    uint32_t bound_count = rd_compressed(r);
    for (uint32_t i = 0; i < bound_count && !r->failed; i++)
        (void)rd_compressed_signed(r);
    return rank;
}

/* II.23.2.1 to II.23.2.3, after ELEMENT_FNPTR. */
static void skip_method(struct reader *r, uint64_t *elements, unsigned depth)
{
    uint8_t flags = rd_u8(r);
    if ((flags & SIG_GENERIC) != 0)
        (void)rd_compressed(r);
    uint32_t param_count = rd_compressed(r);
    skip_type(r, elements, depth);
    for (uint32_t i = 0; i < param_count && !r->failed; i++)
        skip_type(r, elements, depth);
}

static uint8_t read_element(struct reader *r, uint64_t *elements)
{
    uint8_t element = rd_u8(r);
    if (element < 64)
        *elements |= (uint64_t)1 << element;
    return element;
}

/* Nothing follows it. */
static bool is_plain_element(uint8_t element)
{
    return (element >= ELEMENT_VOID && element <= ELEMENT_STRING) ||
           element == ELEMENT_TYPEDBYREF || element == ELEMENT_I || element == ELEMENT_U ||
           element == ELEMENT_OBJECT;
}

/* II.23.2.12; types may nest `depth` levels deeper. */
static void skip_type(struct reader *r, uint64_t *elements, unsigned depth)
{
    if (depth == 0)
        r->failed = true;
    skip_modifiers(r);
    uint8_t element = read_element(r, elements);
    if (is_plain_element(element))
        return;
    switch (element) {
    case ELEMENT_PTR:
    case ELEMENT_BYREF:
    case ELEMENT_SZARRAY:
    case ELEMENT_PINNED:
    case ELEMENT_SENTINEL:
        skip_type(r, elements, depth - 1);
        return;
    case ELEMENT_VALUETYPE:
    case ELEMENT_CLASS:
    case ELEMENT_VAR:
    case ELEMENT_MVAR:
        (void)rd_compressed(r);
        return;
    case ELEMENT_ARRAY:
        skip_type(r, elements, depth - 1);
        (void)sig_array_shape(r);
        return;
    case ELEMENT_GENERICINST: {
        (void)read_element(r, elements); /* CLASS or VALUETYPE */
        (void)rd_compressed(r);
        uint32_t arg_count = rd_compressed(r);
        for (uint32_t i = 0; i < arg_count && !r->failed; i++)
            skip_type(r, elements, depth - 1);
        return;
    }
    case ELEMENT_FNPTR:
        skip_method(r, elements, depth - 1);
        return;
    default:
        r->failed = true;
    }
}

bool sig_elements(uint64_t *elements, struct reader *r)
{
    *elements = 0;
    skip_type(r, elements, SIG_DEPTH_MAX);
    return !r->failed;
}

bool sig_skip_type(struct reader *r)
{
    uint64_t elements;
    return sig_elements(&elements, r);
}

static struct view view_rest(const struct reader *r)
{
    return (struct view){r->data + r->pos, rd_left(r)};
}

bool sig_method(struct method_sig *out, struct view blob, struct err *err)
{
    struct reader r = rd_view(blob);
    *out = (struct method_sig){0};
    out->flags = rd_u8(&r);
    /* II.23.2.1 to II.23.2.3: default, the unmanaged conventions, vararg, and 9 (unmanaged with
     * modifiers) */
    unsigned kind = out->flags & SIG_KIND_MASK;
    if (!r.failed && kind > SIG_VARARG && kind != 0x9)
        return err_set(err, ERR_FORMAT, "signature of kind 0x%x is not a method's", kind);
    if ((out->flags & SIG_GENERIC) != 0)
        out->generic_count = rd_compressed(&r);
    out->param_count = rd_compressed(&r);
    skip_modifiers(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "method signature ends at byte %zu", blob.len);
    if (out->param_count > rd_left(&r)) /* each takes at least one byte */
        return err_set(err, ERR_FORMAT, "method signature of %zu bytes has %u parameters", blob.len,
                       (unsigned)out->param_count);
    out->return_type = view_rest(&r);
    if (!sig_skip_type(&r))
        return err_set(err, ERR_FORMAT, "return type at byte %zu of %zu is malformed",
                       blob.len - out->return_type.len, blob.len);
    out->params = view_rest(&r);
    return true;
}

bool sig_is_pinned(struct view type)
{
    struct reader r = rd_view(type);
    skip_modifiers(&r);
    return rd_u8(&r) == ELEMENT_PINNED && !r.failed;
}

enum element_type sig_first_element(struct view type)
{
    struct reader r = rd_view(type);
    for (;;) {
        skip_modifiers(&r);
        uint8_t element = rd_u8(&r);
        if (r.failed)
            return ELEMENT_END;
        if (element != ELEMENT_PINNED)
            return (enum element_type)element;
    }
}

struct view sig_of_call(const struct metadata *md, uint32_t token)
{
    token = method_of_instance(md, token);
    uint32_t rid = TOKEN_RID(token);
    switch (TOKEN_TABLE(token)) {
    case TABLE_MethodDef:
        return row_blob(md, COL_MethodDef_Signature, rid);
    case TABLE_MemberRef:
        return row_blob(md, COL_MemberRef_Signature, rid);
    case TABLE_StandAloneSig:
        return row_blob(md, COL_StandAloneSig_Signature, rid);
    default:
        return (struct view){NULL, 0};
    }
}

struct view sig_of_field(const struct metadata *md, uint32_t token)
{
    struct view blob = {NULL, 0};
    if (TOKEN_TABLE(token) == TABLE_Field)
        blob = row_blob(md, COL_Field_Signature, TOKEN_RID(token));
    else if (TOKEN_TABLE(token) == TABLE_MemberRef)
        blob = row_blob(md, COL_MemberRef_Signature, TOKEN_RID(token));
    struct reader r = rd_view(blob);
    if ((rd_u8(&r) & SIG_KIND_MASK) != SIG_FIELD) /* II.23.2.4 */
        return (struct view){NULL, 0};
    return view_rest(&r);
}

bool sig_locals(uint32_t *count, struct view *types, const struct metadata *md, uint32_t token,
                struct err *err)
{
    *count = 0;
    *types = (struct view){NULL, 0};
    if (token == 0)
        return true;
    struct view blob = {NULL, 0};
    if (TOKEN_TABLE(token) == TABLE_StandAloneSig)
        blob = sig_of_call(md, token);
    struct reader r = rd_view(blob);
    uint8_t kind = rd_u8(&r); /* II.23.2.6 */
    uint32_t local_count = rd_compressed(&r);
    if (r.failed || kind != SIG_LOCALS)
        return err_set(err, ERR_FORMAT, "token 0x%08x is not a signature of locals",
                       (unsigned)token);
    if (local_count > rd_left(&r))
        return err_set(err, ERR_FORMAT, "signature 0x%08x of %zu bytes has %u locals",
                       (unsigned)token, blob.len, (unsigned)local_count);
    *count = local_count;
    *types = view_rest(&r);
    return true;
}

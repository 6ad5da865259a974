#include "coverage/collect/fsharp_name.h"

#include "coverage/collect/marked_members.h"
#include "metadata/lookup.h"
#include "metadata/sig.h"

static const char builder_members[] = "Bind BindReturn Bind2 MergeSources Source Return ReturnFrom "
                                      "Yield YieldFrom Zero Combine Delay "
                                      "Run For While TryWith TryFinally Using";

/* The name in the source, if another one was given for other languages. */
static struct str source_name(const struct metadata *md, uint32_t rid)
{
    struct view value;
    if (!has_attribute(md, TOKEN(TABLE_MethodDef, rid),
                       "Microsoft.FSharp.Core.CompilationSourceNameAttribute", &value))
        return row_string(md, COL_MethodDef_Name, rid);
    struct reader r = rd_view(value);
    (void)rd_u16(&r); /* prolog */
    struct str name = attribute_string(&r);
    return r.failed ? STR("") : name;
}

/* An extension of another type has the name of that before its own, and `.Static` behind it; an
 * inline function has a second method for reflection. */
static struct str plain_name(struct str name)
{
    if (str_ends(name, "$W"))
        name.len -= sizeof "$W" - 1;
    if (str_ends(name, ".Static"))
        name.len -= sizeof ".Static" - 1;
    for (size_t i = name.len; i != 0; i--)
        if (name.text[i - 1] == '.')
            return str_from(name, i);
    return name;
}

/* --- computation expressions ------------------------------------------------------------------ */

/* Does the method take nothing and return the type? */
static bool makes_type(const struct metadata *md, uint32_t method_rid, uint32_t type_rid)
{
    struct method_sig sig;
    if (!sig_method(&sig, row_blob(md, COL_MethodDef_Signature, method_rid), NULL) ||
        sig.param_count != 0)
        return false;
    struct reader r = rd_view(sig.return_type);
    uint8_t element = rd_u8(&r);
    uint32_t token = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    return !r.failed && (element == ELEMENT_CLASS || element == ELEMENT_VALUETYPE) &&
           token == TOKEN(TABLE_TypeDef, type_rid);
}

/* What such an expression calls stands nowhere in it; the values that are its builder do. */
static void add_builders(struct fsharp_names *out, const struct metadata *md, uint32_t type_rid)
{
    uint32_t methods = tables_rows(&md->tables, TABLE_MethodDef);
    for (uint32_t rid = 1; rid <= methods && out->count < FSHARP_NAMES_MAX; rid++) {
        struct str name = row_string(md, COL_MethodDef_Name, rid);
        if (str_take(&name, "get_") && makes_type(md, rid, type_rid))
            out->items[out->count++] = name;
    }
}

/* --- all -------------------------------------------------------------------------------------- */

static void add_cases(struct fsharp_names *out, struct str pattern)
{
    while (pattern.len != 0 && out->count < FSHARP_NAMES_MAX) {
        struct str name = str_take_until(&pattern, '|');
        if (name.len != 0 && !str_is(name, "_"))
            out->items[out->count++] = name;
    }
}

void fsharp_names_find(struct fsharp_names *out, const struct metadata *md, uint32_t method_rid)
{
    struct str name = source_name(md, method_rid);
    out->count = 0;
    out->is_extension = out->has_builders = false;
    if (str_starts(name, "|")) {
        add_cases(out, name);
        return;
    }
    if (str_starts(name, ".")) /* .ctor, .cctor */
        return;
    out->is_extension = memchr(name.text, '.', name.len) != NULL;
    name = plain_name(name);
    if (str_is_one_of(name, builder_members))
        add_builders(out, md, owner_of_method(md, method_rid));
    out->has_builders = out->count != 0;
    if (str_take(&name, "op_")) { /* the name of op_Addition and its like says something else */
        struct str operator_ = display_fsharp_operator(out->operator_, name);
        if (operator_.len > 1)
            out->items[out->count++] = operator_;
    } else if (out->count < FSHARP_NAMES_MAX &&
               (str_take(&name, "get_") || str_take(&name, "set_") || name.len != 0))
        out->items[out->count++] = name;
}

#include "rewriter/nothrow.h"

#include <string.h>

#include "metadata/lookup.h"
#include "metadata/module.h"
#include "rewriter/flow.h"

enum {
    CODE_MAX = 96, /* bytes: longer methods are rarely nothrow */
    PASSES_MAX = 4,

    /* II.23.1.10 MethodAttributes */
    METHOD_STATIC = 0x10,
    METHOD_FINAL = 0x20,
    METHOD_VIRTUAL = 0x40,
    METHOD_SPECIAL = 0x1000, /* RTSpecialName: constructors */
    METHOD_PINVOKE = 0x2000,
    TYPE_SEALED = 0x100, /* II.23.1.15 TypeAttributes */
    /* II.23.1.11 MethodImplAttributes that change nothing here */
    IMPL_NO_INLINING = 0x8,
    IMPL_NO_OPTIMIZATION = 0x40,
    IMPL_AGGRESSIVE_INLINING = 0x100,
    IMPL_PLAIN = IMPL_NO_INLINING | IMPL_NO_OPTIMIZATION | IMPL_AGGRESSIVE_INLINING |
                 IMPL_AGGRESSIVE_OPTIMIZATION,
};

struct nothrow_search {
    struct nothrow *out;
    const struct metadata *md;
    body_of_method body;
    const void *context;
    uint8_t *has_cctor; /* of each row of the TypeDef table: [rid - 1] */
    struct arena *scratch;
};

struct view body_in_image(const void *module, uint32_t rid)
{
    struct method_def def;
    return module_method(&def, module, rid) ? def.body : (struct view){NULL, 0};
}

static uint32_t read_method_flags(const struct metadata *md, uint32_t rid)
{
    return tables_get(&md->tables, COL_MethodDef_Flags, rid);
}

static bool begin_with_same_type(struct view a, struct view b)
{
    struct reader r = rd_view(a);
    return sig_skip_type(&r) && r.pos <= b.len && memcmp(a.data, b.data, r.pos) == 0;
}

/* Loading the type of a local may fail where the method is compiled. A class needs no loading; a
 * structure of this module has been loaded, and that of the return value by the caller. */
static bool is_loaded(const struct stack_context *context, struct view type)
{
    struct reader r = rd_view(type);
    uint8_t element = rd_u8(&r);
    if (element == ELEMENT_VALUETYPE)
        return TOKEN_TABLE(coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r))) ==
                   TABLE_TypeDef ||
               begin_with_same_type(type, context->sig.return_type);
    return element != ELEMENT_GENERICINST && element != ELEMENT_TYPEDBYREF &&
           element != ELEMENT_CMOD_OPT && element != ELEMENT_CMOD_REQD;
}

static bool has_plain_locals(const struct stack_context *context)
{
    struct reader r = rd_view(context->local_types);
    for (uint32_t i = 0; i < context->local_count; i++) {
        if (!is_loaded(context, (struct view){r.data + r.pos, rd_left(&r)}))
            return false;
        if (!sig_skip_type(&r))
            break; /* the method is declined where it is compiled */
    }
    return true;
}

/* Tokens other than these could fail to be found where the method is compiled. */
static bool has_plain_token(const struct instr *instr)
{
    switch (instr->op) {
    case OP_LDFLD:
    case OP_LDFLDA:
    case OP_STFLD:
        return TOKEN_TABLE(instr->operand) == TABLE_Field;
    case OP_CALL: /* judged by the methods that they call */
    case OP_CALLVIRT:
    case OP_NEWOBJ:
    case OP_LDSTR:
        return true;
    default:
        return false;
    }
}

/* What can be said without knowing other methods. */
static bool may_be_nothrow(const struct nothrow_search *s, const struct il *il)
{
    for (uint32_t i = 0; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i];
        bool is_call = instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_NEWOBJ;
        uint32_t rid = TOKEN_RID(instr->operand);
        if (il_info(instr)->operand == OPERAND_TOKEN && !has_plain_token(instr))
            return false;
        if (is_call && !nothrow_call(s->out, s->md, instr) &&
            (TOKEN_TABLE(instr->operand) != TABLE_MethodDef || rid == 0 || rid > s->out->count ||
             s->out->rows[rid - 1] == NOTHROW_NOT))
            return false;
        if (!is_call && il_info(instr)->throws == THROWS_MAY)
            return false;
    }
    return true;
}

static bool is_nothrow_flow(const struct flow *flow)
{
    if (flow->calls_tail || !has_plain_locals(&flow->context))
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        bool returns = block->edge_count == 0 && block->exit == FLOW_RETURN;
        if (block->reachable && (block->may_throw || (block->edge_count == 0 && !returns)))
            return false;
    }
    for (uint32_t e = 0; e < flow->edge_count; e++)
        if (flow->edges[e].to <= flow->edges[e].from)
            return false;
    return true;
}

static bool may_be_overridden(const struct metadata *md, uint32_t flags, uint32_t type_rid)
{
    return (flags & METHOD_VIRTUAL) != 0 && (flags & METHOD_FINAL) == 0 &&
           (tables_get(&md->tables, COL_TypeDef_Flags, type_rid) & TYPE_SEALED) == 0;
}

/* II.10.5.3.1: a class constructor runs before static methods and constructors; of a structure,
 * which may have been made without one, before all methods. */
static bool may_run_class_constructor(const struct nothrow_search *s, uint32_t flags,
                                      uint32_t type_rid)
{
    return s->has_cctor[type_rid - 1] != 0 &&
           ((flags & (METHOD_STATIC | METHOD_SPECIAL)) != 0 || type_is_structure(s->md, type_rid));
}

static enum nothrow_row judge_method(const struct nothrow_search *s, uint32_t rid)
{
    struct flow flow = {.block_count = 0};
    uint32_t flags = read_method_flags(s->md, rid);
    uint32_t owner = owner_of_method(s->md, rid);
    struct view bytes = s->body(s->context, rid);
    arena_reset(s->scratch);
    if (bytes.len == 0 || owner == 0 || may_run_class_constructor(s, flags, owner) ||
        (flags & METHOD_PINVOKE) != 0 ||
        (tables_get(&s->md->tables, COL_MethodDef_ImplFlags, rid) & ~(uint32_t)IMPL_PLAIN) != 0 ||
        body_parse(&flow.body, bytes, s->scratch) != VERDICT_OK || flow.body.clause_count != 0 ||
        flow.body.code_size > CODE_MAX ||
        il_decode(&flow.il, &flow.body, s->scratch) != VERDICT_OK || !may_be_nothrow(s, &flow.il))
        return NOTHROW_NOT;
    if (flow_analyse(&flow, s->md, s->out, rid, s->scratch) != VERDICT_OK ||
        !is_nothrow_flow(&flow))
        return NOTHROW_UNDECIDED;
    return may_be_overridden(s->md, flags, owner) ? NOTHROW_BY_CALL : NOTHROW_ALWAYS;
}

/* .cctor is the only static method with a special name of the runtime. */
static void find_class_constructors(const struct nothrow_search *s)
{
    for (uint32_t rid = 1; rid <= s->out->count; rid++) {
        uint32_t owner = 0;
        if ((read_method_flags(s->md, rid) & (METHOD_STATIC | METHOD_SPECIAL)) ==
                (METHOD_STATIC | METHOD_SPECIAL) &&
            (owner = owner_of_method(s->md, rid)) != 0)
            s->has_cctor[owner - 1] = true;
    }
}

/* From the leaves up: a pass decides what calls only what is decided. What calls itself never
 * is. */
bool find_nothrow(struct nothrow *out, const struct metadata *md, body_of_method body,
                  const void *context, struct arena *arena, struct arena *scratch)
{
    uint32_t count = tables_rows(&md->tables, TABLE_MethodDef);
    uint32_t types = tables_rows(&md->tables, TABLE_TypeDef);
    *out = (struct nothrow){.count = count};
    out->rows = arena_raw(arena, count, sizeof *out->rows, NULL);
    struct nothrow_search s = {.out = out,
                               .md = md,
                               .body = body,
                               .context = context,
                               .has_cctor = ARENA_NEW(arena, uint8_t, types, NULL),
                               .scratch = scratch};
    if (out->rows == NULL || s.has_cctor == NULL)
        return false;
    memset(out->rows, NOTHROW_UNDECIDED, count);
    find_class_constructors(&s);
    bool changed = true;
    for (unsigned pass = 0; pass < PASSES_MAX && changed; pass++) {
        changed = false;
        for (uint32_t rid = 1; rid <= count; rid++) {
            if (out->rows[rid - 1] != NOTHROW_UNDECIDED)
                continue;
            out->rows[rid - 1] = (uint8_t)judge_method(&s, rid);
            changed |= out->rows[rid - 1] != NOTHROW_UNDECIDED;
        }
    }
    return true;
}

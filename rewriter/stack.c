#include "rewriter/stack.h"

#include <string.h>

#include "metadata/lookup.h"

static bool never_changes_this(const struct il *il)
{
    for (uint32_t i = 0; i < il->count; i++)
        if (il_stored_arg(&il->instrs[i]) == 0)
            return false;
    return true;
}

enum verdict stack_context_init(struct stack_context *out, const struct metadata *md,
                                const struct il *il, const struct il_body *body,
                                uint32_t method_rid)
{
    *out = (struct stack_context){.md = md, .il = il, .method_rid = method_rid};
    out->impl_flags = tables_get(&md->tables, COL_MethodDef_ImplFlags, method_rid);
    struct view blob = heap_blob(md, tables_get(&md->tables, COL_MethodDef_Signature, method_rid));
    if (!sig_method(&out->sig, blob, NULL))
        return VERDICT_REFUSED_SIGNATURE;
    if (!sig_locals(&out->local_count, &out->local_types, md, body->local_sig, NULL))
        return VERDICT_REFUSED_SIGNATURE;
    out->this_is_safe = (out->sig.flags & SIG_HAS_THIS) != 0 && never_changes_this(il);
    return VERDICT_OK;
}

bool stack_init(struct stack *out, uint32_t max_stack, struct arena *arena)
{
    *out = (struct stack){.room = max_stack};
    out->maker = arena_raw(arena, max_stack, sizeof *out->maker, NULL);
    return out->maker != NULL;
}

bool stack_enter(struct stack *stack, uint32_t depth)
{
    if (depth > stack->room)
        return false;
    for (uint32_t i = 0; i < depth; i++)
        stack->maker[i] = MAKER_UNKNOWN;
    stack->depth = depth;
    return true;
}

/* References that are never null: addresses of variables, fresh objects, literals, and `this` (a C#
 * call is a callvirt, which checks it). */
static bool is_safe_reference(const struct stack_context *context, int32_t maker)
{
    if (maker == MAKER_UNKNOWN)
        return false;
    const struct instr *instr = &context->il->instrs[maker];
    switch (instr->op) {
    case OP_LDARGA_S:
    case OP_LDARGA:
    case OP_LDLOCA_S:
    case OP_LDLOCA:
    case OP_NEWOBJ:
    case OP_NEWARR:
    case OP_LDSTR:
    case OP_LDFLDA: /* for null, it has thrown already */
    case OP_LDSFLDA:
    case OP_LDELEMA:
    case OP_UNBOX:
    case OP_LOCALLOC:
        return true;
    default:
        return context->this_is_safe && il_loaded_arg(instr) == 0;
    }
}

static bool type_is_bool(struct view type)
{
    return sig_first_element(type) == ELEMENT_BOOLEAN;
}

/* The nth type of a list of types. */
static struct view nth_type(struct view types, uint32_t n)
{
    struct reader r = rd_view(types);
    while (n-- != 0)
        if (!sig_skip_type(&r))
            return (struct view){NULL, 0};
    return (struct view){r.data + r.pos, rd_left(&r)};
}

/* The nth argument of a GENERICINST type signature, or of a MethodSpec's instantiation; empty when
 * it is neither. */
static struct view generic_argument(struct view blob, bool of_method, uint32_t n)
{
    struct reader r = rd_view(blob);
    uint8_t first = rd_u8(&r);
    if (of_method) {
        if (first != 0x0A) /* II.23.2.15 GENERICINST of a MethodSpec */
            return (struct view){NULL, 0};
    } else {
        if (first != ELEMENT_GENERICINST)
            return (struct view){NULL, 0};
        (void)rd_u8(&r); /* CLASS or VALUETYPE */
        (void)rd_compressed(&r);
    }
    uint32_t count = rd_compressed(&r);
    if (r.failed || n >= count)
        return (struct view){NULL, 0};
    return nth_type((struct view){r.data + r.pos, rd_left(&r)}, n);
}

/* Does a call return bool, including as a type argument of its generic type or method? */
static bool call_returns_bool(const struct stack_context *context, uint32_t token)
{
    const struct metadata *md = context->md;
    struct method_sig sig;
    if (!sig_method(&sig, sig_of_call(md, token), NULL))
        return false;
    struct reader r = rd_view(sig.return_type);
    uint8_t element = rd_u8(&r);
    uint32_t n = rd_compressed(&r);
    if (element == ELEMENT_BOOLEAN)
        return true;
    if (element == ELEMENT_MVAR && TOKEN_TABLE(token) == TABLE_MethodSpec) {
        uint32_t blob = tables_get(&md->tables, COL_MethodSpec_Instantiation, TOKEN_RID(token));
        return type_is_bool(generic_argument(heap_blob(md, blob), true, n));
    }
    if (TOKEN_TABLE(token) == TABLE_MethodSpec)
        token = coded_to_token(CODED_METHOD_DEF_OR_REF,
                               tables_get(&md->tables, COL_MethodSpec_Method, TOKEN_RID(token)));
    if (element != ELEMENT_VAR || TOKEN_TABLE(token) != TABLE_MemberRef)
        return false;
    uint32_t parent = coded_to_token(
        CODED_MEMBER_REF_PARENT, tables_get(&md->tables, COL_MemberRef_Class, TOKEN_RID(token)));
    if (TOKEN_TABLE(parent) != TABLE_TypeSpec)
        return false;
    uint32_t blob = tables_get(&md->tables, COL_TypeSpec_Signature, TOKEN_RID(parent));
    return type_is_bool(generic_argument(heap_blob(md, blob), false, n));
}

struct view stack_argument_type(const struct stack_context *context, uint32_t argument)
{
    bool has_this =
        (context->sig.flags & SIG_HAS_THIS) != 0 && (context->sig.flags & SIG_EXPLICIT_THIS) == 0;
    if (argument < has_this || argument - has_this >= context->sig.param_count)
        return (struct view){NULL, 0};
    return nth_type(context->sig.params, argument - has_this);
}

struct view stack_local_type(const struct stack_context *context, uint32_t local)
{
    return local < context->local_count ? nth_type(context->local_types, local)
                                        : (struct view){NULL, 0};
}

static bool makes_bool(const struct stack_context *context, int32_t maker)
{
    if (maker == MAKER_UNKNOWN)
        return false;
    const struct instr *instr = &context->il->instrs[maker];
    switch (instr->op) {
    case OP_CEQ:
        return !il_makes_zero_or_one(context->il, (uint32_t)maker);
    case OP_CGT:
    case OP_CGT_UN:
    case OP_CLT:
    case OP_CLT_UN:
    case OP_LDELEM_U1: /* an element of bool[] or byte[]: treated as a bool */
    case OP_LDIND_U1:
        return true;
    case OP_AND: /* of bools: the right operand was pushed just before */
    case OP_OR:
    case OP_XOR:
        return maker != 0 && makes_bool(context, maker - 1);
    case OP_CALL:
    case OP_CALLVIRT:
    case OP_CALLI:
        return call_returns_bool(context, instr->operand);
    case OP_LDFLD:
    case OP_LDSFLD:
        return type_is_bool(sig_of_field(context->md, instr->operand));
    default:
        break;
    }
    uint32_t local = il_loaded_local(instr);
    if (local != IL_NO_INDEX)
        return type_is_bool(stack_local_type(context, local));
    uint32_t argument = il_loaded_arg(instr);
    return argument != IL_NO_INDEX && type_is_bool(stack_argument_type(context, argument));
}

bool stack_top_is_bool(const struct stack *stack, const struct stack_context *context)
{
    return stack->depth != 0 && makes_bool(context, stack->maker[stack->depth - 1]);
}

/* How many slots a call pops and pushes. */
static enum verdict call_effect(uint32_t *pops, uint32_t *pushes,
                                const struct stack_context *context, const struct instr *instr)
{
    struct method_sig sig;
    if (!sig_method(&sig, sig_of_call(context->md, instr->operand), NULL))
        return VERDICT_REFUSED_SIGNATURE;
    bool takes_this = (sig.flags & SIG_HAS_THIS) != 0 && (sig.flags & SIG_EXPLICIT_THIS) == 0;
    *pops = sig.param_count + (takes_this && instr->op != OP_NEWOBJ) + (instr->op == OP_CALLI);
    *pushes = instr->op == OP_NEWOBJ || sig_first_element(sig.return_type) != ELEMENT_VOID;
    return VERDICT_OK;
}

/* With runtime async, `ret` takes the result of the task: a T for Task<T>, nothing for Task. */
static bool returns_value(const struct stack_context *context)
{
    enum element_type type = sig_first_element(context->sig.return_type);
    return (context->impl_flags & IMPL_ASYNC) != 0 ? type == ELEMENT_GENERICINST
                                                   : type != ELEMENT_VOID;
}

static enum verdict effect(uint32_t *pops, uint32_t *pushes, const struct stack_context *context,
                           const struct instr *instr)
{
    const struct opcode_info *info = il_info(instr);
    *pops = info->pops;
    *pushes = info->pushes;
    if (*pops != STACK_VARIES)
        return VERDICT_OK;
    if (instr->op == OP_RET) {
        *pops = returns_value(context);
        return VERDICT_OK;
    }
    return call_effect(pops, pushes, context, instr);
}

/* May the instruction throw here? If only a null reference makes it throw, that reference is the
 * deepest slot that it pops. */
static bool throws_here(const struct stack *stack, const struct stack_context *context,
                        const struct instr *instr, uint32_t pops)
{
    switch ((enum throws)il_info(instr)->throws) {
    case THROWS_NEVER:
        return false;
    case THROWS_UNLESS_SAFE:
        return !is_safe_reference(context, stack->maker[stack->depth - pops]);
    case THROWS_MAY:
        break;
    }
    return true;
}

enum verdict stack_step(struct stack *stack, bool *throws, const struct stack_context *context,
                        uint32_t index)
{
    const struct instr *instr = &context->il->instrs[index];
    uint32_t pops = 0, pushes = 0;
    enum verdict verdict = effect(&pops, &pushes, context, instr);
    if (verdict != VERDICT_OK)
        return verdict;
    if (pops > stack->depth || pushes > stack->room - (stack->depth - pops))
        return VERDICT_REFUSED_STACK;
    *throws = throws_here(stack, context, instr, pops);
    if (instr->op == OP_DUP) { /* both slots keep the maker of the first */
        stack->maker[stack->depth] = stack->maker[stack->depth - 1];
        stack->depth++;
        return VERDICT_OK;
    }
    stack->depth -= pops;
    for (uint32_t i = 0; i < pushes; i++)
        stack->maker[stack->depth++] = (int32_t)index;
    return VERDICT_OK;
}

static struct view method_signature(const struct metadata *md, uint32_t rid)
{
    return heap_blob(md, tables_get(&md->tables, COL_MethodDef_Signature, rid));
}

/* Is the parent of a MemberRef the generic type that contains the method, with any type arguments?
 * Only then can it be the method itself, and not one of the base type, such as its constructor. */
static bool refers_to_own_type(const struct stack_context *context, uint32_t member_ref)
{
    const struct metadata *md = context->md;
    uint32_t parent = coded_to_token(CODED_MEMBER_REF_PARENT,
                                     tables_get(&md->tables, COL_MemberRef_Class, member_ref));
    if (TOKEN_TABLE(parent) != TABLE_TypeSpec)
        return false;
    struct reader r =
        rd_view(heap_blob(md, tables_get(&md->tables, COL_TypeSpec_Signature, TOKEN_RID(parent))));
    bool generic = rd_u8(&r) == ELEMENT_GENERICINST;
    (void)rd_u8(&r); /* CLASS or VALUETYPE */
    uint32_t type = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    return generic && !r.failed &&
           type == TOKEN(TABLE_TypeDef, owner_of_method(md, context->method_rid));
}

/* By token, or, inside a generic type, by a MemberRef of the same name and signature. */
bool stack_calls_itself(const struct stack_context *context, uint32_t index)
{
    const struct instr *instr = &context->il->instrs[index];
    const struct metadata *md = context->md;
    if (instr->op != OP_CALL && instr->op != OP_CALLVIRT)
        return false;
    uint32_t token = instr->operand;
    if (TOKEN_TABLE(token) == TABLE_MethodSpec)
        token = coded_to_token(CODED_METHOD_DEF_OR_REF,
                               tables_get(&md->tables, COL_MethodSpec_Method, TOKEN_RID(token)));
    if (TOKEN_TABLE(token) == TABLE_MethodDef)
        return TOKEN_RID(token) == context->method_rid;
    if (TOKEN_TABLE(token) != TABLE_MemberRef)
        return false;
    struct str name =
        heap_string(md, tables_get(&md->tables, COL_MemberRef_Name, TOKEN_RID(token)));
    struct str own_name =
        heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, context->method_rid));
    struct view signature = sig_of_call(md, token);
    struct view own_signature = method_signature(md, context->method_rid);
    return str_eq(name, own_name) && signature.len == own_signature.len && signature.len != 0 &&
           memcmp(signature.data, own_signature.data, signature.len) == 0 &&
           refers_to_own_type(context, TOKEN_RID(token));
}

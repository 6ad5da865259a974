#include "rewriter/stack.h"

#include <string.h>

#include "metadata/lookup.h"

enum {
    LOCALS_FEW = 16, /* types that are found by counting */
};

static bool is_object_constructor(const struct metadata *md, uint32_t token)
{
    return TOKEN_TABLE(token) == TABLE_MemberRef &&
           str_is(row_string(md, COL_MemberRef_Name, TOKEN_RID(token)), ".ctor") &&
           type_is(md, type_of_member(md, token), "System.Object");
}

bool nothrow_call(const struct nothrow *nothrow, const struct metadata *md,
                  const struct instr *instr)
{
    bool by_type = instr->op == OP_CALLVIRT;
    if (nothrow == NULL || (instr->op != OP_CALL && instr->op != OP_NEWOBJ && !by_type))
        return false;
    uint32_t rid = TOKEN_RID(instr->operand);
    if (TOKEN_TABLE(instr->operand) != TABLE_MethodDef)
        return !by_type && is_object_constructor(md, instr->operand);
    if (rid == 0 || rid > nothrow->count)
        return false;
    uint8_t row = nothrow->rows[rid - 1];
    return row == NOTHROW_ALWAYS || (row == NOTHROW_BY_CALL && !by_type);
}

static bool never_changes_this(const struct il *il)
{
    for (uint32_t i = 0; i < il->count; i++)
        if (il_stored_arg(&il->instrs[i]) == 0)
            return false;
    return true;
}

#define NO_TEST ((struct null_test){NO_VARIABLE, false})

/* The number of a local or argument, as in stack.h. */
static uint8_t local_variable(uint32_t local)
{
    return local < VARIABLE_ARGUMENTS ? (uint8_t)local : NO_VARIABLE;
}

static uint8_t argument_variable(uint32_t argument)
{
    return argument < VARIABLES_MAX - VARIABLE_ARGUMENTS ? (uint8_t)(VARIABLE_ARGUMENTS + argument)
                                                         : NO_VARIABLE;
}

static uint64_t variable_bit(uint8_t variable)
{
    return variable == NO_VARIABLE ? 0 : (uint64_t)1 << variable;
}

static uint8_t loaded_variable(const struct instr *instr)
{
    uint8_t local = local_variable(il_loaded_local(instr));
    return local != NO_VARIABLE ? local : argument_variable(il_loaded_arg(instr));
}

static uint8_t stored_variable(const struct instr *instr)
{
    uint8_t local = local_variable(il_stored_local(instr));
    return local != NO_VARIABLE ? local : argument_variable(il_stored_arg(instr));
}

static uint64_t tracked_variables(const struct il *il)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i];
        if (instr->op == OP_LDLOCA_S || instr->op == OP_LDLOCA)
            taken |= variable_bit(local_variable(instr->operand));
        else if (instr->op == OP_LDARGA_S || instr->op == OP_LDARGA)
            taken |= variable_bit(argument_variable(instr->operand));
    }
    return ~taken;
}

/* Where a type cannot be read, it and all after it start at the end. */
static bool index_locals(struct stack_context *context, struct arena *arena)
{
    struct reader r = rd_view(context->local_types);
    if (context->local_count <= LOCALS_FEW)
        return true;
    context->local_starts =
        arena_raw(arena, context->local_count, sizeof *context->local_starts, NULL);
    for (uint32_t i = 0; context->local_starts != NULL && i < context->local_count; i++) {
        context->local_starts[i] = (uint32_t)r.pos;
        if (!sig_skip_type(&r))
            r.pos = r.len;
    }
    return context->local_starts != NULL;
}

enum verdict stack_context_init(struct stack_context *out, const struct metadata *md,
                                const struct nothrow *nothrow, const struct il *il,
                                const struct il_body *body, uint32_t method_rid,
                                struct arena *arena)
{
    *out = (struct stack_context){.md = md, .nothrow = nothrow, .il = il, .method_rid = method_rid};
    out->impl_flags = tables_get(&md->tables, COL_MethodDef_ImplFlags, method_rid);
    struct view blob = row_blob(md, COL_MethodDef_Signature, method_rid);
    if (!sig_method(&out->sig, blob, NULL))
        return VERDICT_DECLINED_SIGNATURE;
    if (!sig_locals(&out->local_count, &out->local_types, md, body->local_sig, NULL))
        return VERDICT_DECLINED_SIGNATURE;
    if (!index_locals(out, arena))
        return VERDICT_DECLINED_MEMORY;
    out->this_is_safe = (out->sig.flags & SIG_HAS_THIS) != 0 && never_changes_this(il);
    out->tracked = tracked_variables(il);
    return VERDICT_OK;
}

bool stack_init(struct stack *out, uint32_t max_stack, struct arena *arena)
{
    *out = (struct stack){.room = max_stack};
    out->slots = arena_raw(arena, max_stack, sizeof *out->slots, NULL);
    return out->slots != NULL;
}

bool stack_enter(struct stack *stack, uint32_t depth, uint64_t not_null)
{
    if (depth > stack->room)
        return false;
    for (uint32_t i = 0; i < depth; i++)
        stack->slots[i] = (struct stack_slot){MAKER_UNKNOWN, NO_VARIABLE, false, NO_TEST};
    stack->depth = depth;
    stack->not_null = not_null;
    stack->holder = NO_VARIABLE;
    return true;
}

static const struct stack_slot *get_top(const struct stack *stack)
{
    return stack->depth != 0 ? &stack->slots[stack->depth - 1] : NULL;
}

int32_t stack_top_maker(const struct stack *stack)
{
    return stack->depth != 0 ? get_top(stack)->maker : MAKER_UNKNOWN;
}

uint64_t stack_not_null_if(const struct stack *stack, bool is_true)
{
    if (stack->depth == 0)
        return 0;
    struct null_test test = get_top(stack)->test;
    return (is_true ? variable_bit(get_top(stack)->variable) : 0) |
           (test.is_null != is_true ? variable_bit(test.variable) : 0);
}

/* References that are never null: addresses of variables, fresh objects, literals, and `this` (a C#
 * call is a callvirt, which checks it). */
static bool makes_reference(const struct stack_context *context, const struct instr *instr)
{
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
    token = method_of_instance(md, token);
    if (element != ELEMENT_VAR || TOKEN_TABLE(token) != TABLE_MemberRef)
        return false;
    uint32_t parent = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, TOKEN_RID(token));
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
    if (local >= context->local_count)
        return (struct view){NULL, 0};
    if (context->local_starts == NULL)
        return nth_type(context->local_types, local);
    uint32_t start = context->local_starts[local];
    return (struct view){context->local_types.data + start, context->local_types.len - start};
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
    case OP_UNBOX_ANY:
        return type_is(context->md, instr->operand, "System.Boolean");
    case OP_LDFLD:
    case OP_LDSFLD:
        return type_is_bool(sig_of_field(context->md, instr->operand));
    default:
        break;
    }
    uint32_t local = il_loaded_local(instr);
    if (local != NO_INDEX)
        return type_is_bool(stack_local_type(context, local));
    uint32_t argument = il_loaded_arg(instr);
    return argument != NO_INDEX && type_is_bool(stack_argument_type(context, argument));
}

bool stack_top_is_bool(const struct stack *stack, const struct stack_context *context)
{
    return stack->depth != 0 && makes_bool(context, get_top(stack)->maker);
}

struct effect {
    uint32_t pops, pushes;
    bool uses_this; /* a call that dereferences the deepest slot, or hands it on as `this` */
};

static enum verdict call_effect(struct effect *out, const struct stack_context *context,
                                const struct instr *instr)
{
    struct method_sig sig;
    if (!sig_method(&sig, sig_of_call(context->md, instr->operand), NULL))
        return VERDICT_DECLINED_SIGNATURE;
    bool takes_this = (sig.flags & SIG_HAS_THIS) != 0 && (sig.flags & SIG_EXPLICIT_THIS) == 0;
    *out = (struct effect){
        .pops = sig.param_count + (takes_this && instr->op != OP_NEWOBJ) + (instr->op == OP_CALLI),
        .pushes = instr->op == OP_NEWOBJ || sig_first_element(sig.return_type) != ELEMENT_VOID,
        .uses_this = takes_this && (instr->op == OP_CALL || instr->op == OP_CALLVIRT),
    };
    return VERDICT_OK;
}

/* With runtime async, `ret` takes the result of the task: a T for Task<T>, nothing for Task. */
static bool returns_value(const struct stack_context *context)
{
    enum element_type type = sig_first_element(context->sig.return_type);
    return (context->impl_flags & IMPL_ASYNC) != 0 ? type == ELEMENT_GENERICINST
                                                   : type != ELEMENT_VOID;
}

static enum verdict find_effect(struct effect *out, const struct stack_context *context,
                                const struct instr *instr)
{
    const struct opcode_info *info = il_info(instr);
    if (info->pops == STACK_VARIES && instr->op != OP_RET)
        return call_effect(out, context, instr);
    *out = (struct effect){.pops = instr->op == OP_RET ? returns_value(context) : info->pops,
                           .pushes = info->pushes};
    return VERDICT_OK;
}

/* A constant that is neither 0 nor -1, by which the smallest number cannot be divided. */
static bool is_safe_divisor(const struct stack_context *context, int32_t maker)
{
    int32_t value = 0;
    return maker != MAKER_UNKNOWN && il_constant(&value, &context->il->instrs[maker]) &&
           value != 0 && value != -1;
}

/* May the instruction throw here? If only a null reference makes it throw, that reference is the
 * deepest slot that it pops. */
static bool throws_here(const struct stack *stack, const struct stack_context *context,
                        const struct instr *instr, const struct effect *effect)
{
    const struct stack_slot *deepest = &stack->slots[stack->depth - effect->pops];
    switch ((enum throws)il_info(instr)->throws) {
    case THROWS_NEVER:
        return false;
    case THROWS_UNLESS_SAFE:
        return !deepest->not_null;
    case THROWS_MAY:
        break;
    }
    if (instr->op == OP_DIV || instr->op == OP_DIV_UN || instr->op == OP_REM ||
        instr->op == OP_REM_UN)
        return !is_safe_divisor(context, stack_top_maker(stack));
    return !nothrow_call(context->nothrow, context->md, instr) ||
           (effect->uses_this && !deepest->not_null);
}

/* A slot was used: it, its copies and the variable it came from are not null. */
static void note_use(struct stack *stack, struct stack_slot used)
{
    stack->not_null |= variable_bit(used.variable);
    for (uint32_t i = 0; i < stack->depth; i++)
        stack->slots[i].not_null |=
            (used.maker != MAKER_UNKNOWN && stack->slots[i].maker == used.maker) ||
            (used.variable != NO_VARIABLE && stack->slots[i].variable == used.variable);
}

/* Slots that were loaded before no longer have the variable's value, and tests say nothing about
 * it. */
static void note_store(struct stack *stack, const struct stack_context *context, uint8_t variable,
                       struct stack_slot value)
{
    for (uint32_t i = 0; i < stack->depth; i++) {
        struct stack_slot *slot = &stack->slots[i];
        if (slot->variable == variable)
            slot->variable = NO_VARIABLE;
        if (slot->test.variable == variable)
            slot->test = NO_TEST;
    }
    if (stack->holder == variable || stack->held.variable == variable)
        stack->holder = NO_VARIABLE;
    stack->not_null &= ~variable_bit(variable);
    if (value.not_null)
        stack->not_null |= variable_bit(variable);
    if (value.test.variable != NO_VARIABLE && value.test.variable != variable &&
        (context->tracked & variable_bit(variable)) != 0) {
        stack->holder = variable;
        stack->held = value.test;
    }
}

static bool is_made_by(const struct stack_slot *slot, const struct stack_context *context,
                       enum opcode op)
{
    return slot->maker != MAKER_UNKNOWN && context->il->instrs[slot->maker].op == op;
}

/* What the bool says that a comparison of two slots makes: x == null, x != null, !bool. */
static struct null_test test_of(const struct stack_slot *slots, const struct stack_context *context,
                                uint8_t op)
{
    struct null_test test = {slots[0].variable, op == OP_CEQ};
    if (op != OP_CEQ && op != OP_CGT_UN)
        return NO_TEST;
    if (is_made_by(&slots[1], context, OP_LDNULL))
        return test;
    if (op != OP_CEQ || !is_made_by(&slots[1], context, OP_LDC_I4_0))
        return NO_TEST;
    test = slots[0].test;
    test.is_null = !test.is_null;
    return test;
}

/* `popped`: what the instruction popped, the deepest first. */
static struct stack_slot make_pushed(const struct stack *stack, const struct stack_context *context,
                                     uint32_t index, const struct stack_slot *popped, uint32_t pops)
{
    const struct instr *instr = &context->il->instrs[index];
    struct stack_slot slot = {(int32_t)index, NO_VARIABLE, makes_reference(context, instr),
                              NO_TEST};
    uint8_t variable = pops == 0 ? loaded_variable(instr) : NO_VARIABLE;
    if ((variable_bit(variable) & context->tracked) != 0) {
        slot.variable = variable;
        slot.not_null |= (stack->not_null & variable_bit(variable)) != 0;
        slot.test = stack->holder == variable ? stack->held : NO_TEST;
    } else if (pops == 2) {
        slot.test = test_of(popped, context, instr->op);
    }
    return slot;
}

enum verdict stack_step(struct stack *stack, bool *throws, const struct stack_context *context,
                        uint32_t index)
{
    const struct instr *instr = &context->il->instrs[index];
    struct effect does;
    enum verdict verdict = find_effect(&does, context, instr);
    if (verdict != VERDICT_OK)
        return verdict;
    if (does.pops > stack->depth || does.pushes > stack->room - (stack->depth - does.pops))
        return VERDICT_DECLINED_STACK;
    *throws = throws_here(stack, context, instr, &does);
    if (instr->op == OP_DUP) { /* both slots are the same */
        stack->slots[stack->depth] = stack->slots[stack->depth - 1];
        stack->depth++;
        return VERDICT_OK;
    }
    stack->depth -= does.pops;
    const struct stack_slot *deepest = &stack->slots[stack->depth];
    if (il_info(instr)->throws == THROWS_UNLESS_SAFE ||
        (does.uses_this && instr->op == OP_CALLVIRT))
        note_use(stack, *deepest);
    uint8_t stored = does.pops == 1 && does.pushes == 0 ? stored_variable(instr) : NO_VARIABLE;
    if (stored != NO_VARIABLE)
        note_store(stack, context, stored, *deepest);
    for (uint32_t i = 0; i < does.pushes; i++) {
        struct stack_slot slot = make_pushed(stack, context, index, deepest, does.pops);
        stack->slots[stack->depth++] = slot;
    }
    return VERDICT_OK;
}

static struct view method_signature(const struct metadata *md, uint32_t rid)
{
    return row_blob(md, COL_MethodDef_Signature, rid);
}

/* Is the parent of a MemberRef the generic type that contains the method, with any type arguments?
 * Only then can it be the method itself, and not one of the base type, such as its constructor. */
static bool refers_to_own_type(const struct stack_context *context, uint32_t member_ref)
{
    const struct metadata *md = context->md;
    uint32_t parent = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, member_ref);
    return TOKEN_TABLE(parent) == TABLE_TypeSpec &&
           type_definition(md, parent) ==
               TOKEN(TABLE_TypeDef, owner_of_method(md, context->method_rid));
}

/* By token, or, inside a generic type, by a MemberRef of the same name and signature. */
bool stack_calls_itself(const struct stack_context *context, uint32_t index)
{
    const struct instr *instr = &context->il->instrs[index];
    const struct metadata *md = context->md;
    if (instr->op != OP_CALL && instr->op != OP_CALLVIRT)
        return false;
    uint32_t token = method_of_instance(md, instr->operand);
    if (TOKEN_TABLE(token) == TABLE_MethodDef)
        return TOKEN_RID(token) == context->method_rid;
    if (TOKEN_TABLE(token) != TABLE_MemberRef)
        return false;
    struct str name = row_string(md, COL_MemberRef_Name, TOKEN_RID(token));
    struct str own_name = row_string(md, COL_MethodDef_Name, context->method_rid);
    struct view signature = sig_of_call(md, token);
    struct view own_signature = method_signature(md, context->method_rid);
    return str_eq(name, own_name) && signature.len == own_signature.len && signature.len != 0 &&
           memcmp(signature.data, own_signature.data, signature.len) == 0 &&
           refers_to_own_type(context, TOKEN_RID(token));
}

/* The code that replaces the `ret`:
 *
 *       body = <the return value>;
 *       if (body == null) goto end;
 *       module = get_module().module_id();
 *       token = get_token();
 *       index = body._IL.Length;
 *       if (ask(CODE_SIZE) == 0) goto end;                        // the method has no probes
 *       index = 0;
 *       if (ask(LOCALS) > body._localVariables.Length) goto end;  // not the expected shape
 *       if (ask(CLAUSES) != body._exceptionHandlingClauses.Length) goto end;
 *       body._maxStackSize = ask(MAX_STACK); ...
 *       code = new byte[ask(CODE_SIZE)];
 *       copy from ask(CODE);
 *       body._IL = code;
 *       objects = new RuntimeLocalVariableInfo[ask(LOCALS)];
 *       copy from body._localVariables;
 *       body._localVariables = objects;
 *       objects = body._exceptionHandlingClauses;
 *       for (; index < objects.Length; index++) {
 *           clause = objects[index];
 *           clause._tryOffset = ask(TRY_OFFSET); ...
 *       }
 *   end:
 *       return body;
 */
#include "rewriter/restore.h"

#include "metadata/sig.h"
#include "rewriter/il.h"

enum {
    RESTORE_STACK = 8,
    EXITS_MAX = 8,
    CALLCONV_C = 0x1,
};

/* The locals of restore_locals, in this order. */
enum added_local {
    LOCAL_BODY,
    LOCAL_MODULE,
    LOCAL_TOKEN,
    LOCAL_INDEX, /* the length of the code; then 0; in the loop that of a clause */
    LOCAL_CODE,
    LOCAL_OBJECTS,
    LOCAL_CLAUSE,
    LOCAL_COUNT
};

const uint8_t restore_locals[] = {ELEMENT_OBJECT,  ELEMENT_I,       ELEMENT_I4,
                                  ELEMENT_I4,      ELEMENT_SZARRAY, ELEMENT_U1,
                                  ELEMENT_SZARRAY, ELEMENT_OBJECT,  ELEMENT_OBJECT};
const size_t restore_locals_len = sizeof restore_locals;
const uint32_t restore_local_count = LOCAL_COUNT;

const uint8_t restore_ask_sig[] = {CALLCONV_C, 4,          ELEMENT_I8, ELEMENT_I,
                                   ELEMENT_I4, ELEMENT_I4, ELEMENT_I4};
const size_t restore_ask_sig_len = sizeof restore_ask_sig;

struct restorer {
    const struct restore_form *form;
    struct writer w;
    size_t exits[EXITS_MAX]; /* where the distances to `end` are */
    uint32_t exit_count;
};

static void op(struct restorer *r, enum opcode op)
{
    il_write(&r->w, op);
}

static void op_with(struct restorer *r, enum opcode op, uint32_t operand)
{
    il_write(&r->w, op);
    wr_u32(&r->w, operand);
}

static void load(struct restorer *r, enum added_local local)
{
    il_write_variable(&r->w, OP_LDLOC_S, OP_LDLOC, r->form->local_count + local);
}

static void store(struct restorer *r, enum added_local local)
{
    il_write_variable(&r->w, OP_STLOC_S, OP_STLOC, r->form->local_count + local);
}

static void leave_if(struct restorer *r, enum opcode branch)
{
    op_with(r, branch, 0);
    r->exits[r->exit_count++] = r->w.len - 4;
}

static void land(struct restorer *r, size_t at, size_t target)
{
    if (!r->w.failed)
        store_u32(r->w.data + at, (uint32_t)(target - (at + 4)));
}

/* Pushes the answer, an int64, with at most 5 slots. */
static void ask(struct restorer *r, uint32_t question)
{
    load(r, LOCAL_MODULE);
    load(r, LOCAL_TOKEN);
    op_with(r, OP_LDC_I4, question);
    load(r, LOCAL_INDEX);
    op(r, OP_LDC_I8);
    wr_u64(&r->w, r->form->ask);
    op_with(r, OP_CALLI, r->form->ask_sig);
}

static void ask_number(struct restorer *r, uint32_t question)
{
    ask(r, question);
    op(r, OP_CONV_I4);
}

/* Pushes the address of a field, a uint8&. */
static void address(struct restorer *r, enum added_local object, enum restore_field field)
{
    load(r, object);
    op_with(r, OP_CALL, r->form->object_ref);
    op_with(r, OP_LDC_I4, r->form->offset[field]);
    op(r, OP_ADD);
}

static void store_number(struct restorer *r, enum added_local object, enum restore_field field,
                         enum opcode store_op)
{
    address(r, object, field); /* &field */
    ask_number(r, field);      /* &field, value */
    op(r, store_op);
}

static void array_of(struct restorer *r, enum restore_field field)
{
    address(r, LOCAL_BODY, field);
    op(r, OP_LDIND_REF);
}

static void length(struct restorer *r)
{
    op(r, OP_LDLEN);
    op(r, OP_CONV_I4);
}

static void store_array(struct restorer *r, enum restore_field field, enum added_local array)
{
    address(r, LOCAL_BODY, field); /* &field */
    load(r, array);                /* &field, array */
    op(r, OP_STIND_REF);
}

static void write_checks(struct restorer *r)
{
    store(r, LOCAL_BODY);
    load(r, LOCAL_BODY);
    leave_if(r, OP_BRFALSE);
    op(r, OP_LDARG_0);
    op_with(r, OP_CALL, r->form->get_module);
    op_with(r, OP_CALL, r->form->module_id);
    store(r, LOCAL_MODULE);
    op(r, OP_LDARG_0);
    op_with(r, OP_CALL, r->form->get_token);
    store(r, LOCAL_TOKEN);
    array_of(r, RESTORE_CODE);
    length(r);
    store(r, LOCAL_INDEX);
    ask_number(r, RESTORE_CODE_SIZE);
    leave_if(r, OP_BRFALSE);
    op(r, OP_LDC_I4_0);
    store(r, LOCAL_INDEX);
    ask_number(r, RESTORE_LOCALS);
    array_of(r, RESTORE_LOCALS);
    length(r);
    leave_if(r, OP_BGT);
    ask_number(r, RESTORE_CLAUSES);
    array_of(r, RESTORE_CLAUSES);
    length(r);
    leave_if(r, OP_BNE_UN);
}

static void write_arrays(struct restorer *r)
{
    ask_number(r, RESTORE_CODE_SIZE);
    op_with(r, OP_NEWARR, r->form->byte_type);
    store(r, LOCAL_CODE);
    load(r, LOCAL_CODE);
    op(r, OP_LDC_I4_0);
    op_with(r, OP_LDELEMA, r->form->byte_type); /* to */
    ask(r, RESTORE_CODE);
    op(r, OP_CONV_U);                 /* to, from */
    ask_number(r, RESTORE_CODE_SIZE); /* to, from, size */
    op(r, OP_CPBLK);
    store_array(r, RESTORE_CODE, LOCAL_CODE);

    ask_number(r, RESTORE_LOCALS);
    op_with(r, OP_NEWARR, r->form->local_type);
    store(r, LOCAL_OBJECTS);
    array_of(r, RESTORE_LOCALS);   /* from */
    load(r, LOCAL_OBJECTS);        /* from, to */
    ask_number(r, RESTORE_LOCALS); /* from, to, count */
    op_with(r, OP_CALL, r->form->copy_array);
    store_array(r, RESTORE_LOCALS, LOCAL_OBJECTS);
}

static void write_clauses(struct restorer *r)
{
    array_of(r, RESTORE_CLAUSES);
    store(r, LOCAL_OBJECTS);
    size_t loop = r->w.len;
    load(r, LOCAL_INDEX);
    load(r, LOCAL_OBJECTS);
    length(r);
    leave_if(r, OP_BGE);
    load(r, LOCAL_OBJECTS);
    load(r, LOCAL_INDEX);
    op(r, OP_LDELEM_REF);
    store(r, LOCAL_CLAUSE);
    for (enum restore_field field = RESTORE_TRY_OFFSET; field < RESTORE_FIELD_COUNT; field++)
        store_number(r, LOCAL_CLAUSE, field, OP_STIND_I4);
    load(r, LOCAL_INDEX);
    op(r, OP_LDC_I4_1);
    op(r, OP_ADD);
    store(r, LOCAL_INDEX);
    op_with(r, OP_BR, 0);
    land(r, r->w.len - 4, loop);
}

/* Is the only exit the last instruction, in a body without clauses? */
static bool ends_simply(const struct il_body *body, struct arena *arena)
{
    struct il il;
    if (body->clause_count != 0 || il_decode(&il, body, arena) != VERDICT_OK)
        return false;
    for (uint32_t i = 0; i < il.count; i++)
        if ((il.instrs[i].op == OP_RET) != (i == il.count - 1))
            return false;
    return true;
}

bool restore_write(struct writer *out, struct view body, const struct restore_form *form,
                   struct arena *arena)
{
    struct restorer r = {.form = form};
    struct il_body old;
    if (body_parse(&old, body, arena) != VERDICT_OK || !ends_simply(&old, arena))
        return false;
    wr_open(&r.w, arena);
    wr_bytes(&r.w, old.code, old.code_size - 1); /* branches to the ret lead to the added code */
    write_checks(&r);
    store_number(&r, LOCAL_BODY, RESTORE_MAX_STACK, OP_STIND_I4);
    store_number(&r, LOCAL_BODY, RESTORE_LOCAL_SIG, OP_STIND_I4);
    store_number(&r, LOCAL_BODY, RESTORE_INIT_LOCALS, OP_STIND_I1);
    write_arrays(&r);
    write_clauses(&r);
    for (uint32_t i = 0; i < r.exit_count; i++)
        land(&r, r.exits[i], r.w.len);
    load(&r, LOCAL_BODY);
    op(&r, OP_RET);
    if (r.w.failed)
        return false;
    old.local_sig = form->local_sig;
    old.init_locals = true; /* LOCAL_INDEX starts at 0 */
    old.max_stack = old.max_stack > RESTORE_STACK ? old.max_stack : RESTORE_STACK;
    body_write(out, &old, r.w.data, (uint32_t)r.w.len);
    return !out->failed;
}

int64_t restore_answer(const struct il_body *body, uint32_t local_count, uint32_t question,
                       uint32_t clause)
{
    static const struct eh_clause none;
    const struct eh_clause *c = clause < body->clause_count ? &body->clauses[clause] : &none;
    switch (question) {
    case RESTORE_CODE:
        return (int64_t)(uintptr_t)body->code;
    case RESTORE_CODE_SIZE:
        return body->code_size;
    case RESTORE_LOCALS:
        return local_count;
    case RESTORE_CLAUSES:
        return body->clause_count;
    case RESTORE_MAX_STACK:
        return body->max_stack;
    case RESTORE_LOCAL_SIG:
        return body->local_sig;
    case RESTORE_INIT_LOCALS:
        return body->init_locals;
    case RESTORE_TRY_OFFSET:
        return c->try_offset;
    case RESTORE_TRY_LENGTH:
        return c->try_length;
    case RESTORE_HANDLER_OFFSET:
        return c->handler_offset;
    case RESTORE_HANDLER_LENGTH:
        return c->handler_length;
    case RESTORE_FILTER_OFFSET:
        return c->filter_offset;
    default:
        return 0;
    }
}

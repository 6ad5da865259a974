/* The code that replaces the last `ret`. It has one local, and keeps what else it needs on the
 * stack or in `body`, which nobody has seen yet:
 *
 *       body = <the return value>;
 *       if (body == null) goto end;
 *       if (ask(CODE_SIZE, body._IL.Length) == 0) goto end;       // the method has no probes
 *       if (ask(LOCALS) > body._localVariables.Length) goto end;  // not the expected shape
 *       if (ask(CLAUSES) > body._exceptionHandlingClauses.Length) goto end;
 *       body._localSignatureMetadataToken = ask(LOCAL_SIG); ...
 *       body._IL = new RuntimeLocalVariableInfo[ask(LOCALS)];
 *       copy to it from body._localVariables;
 *       body._localVariables = body._IL;                          // and so the clauses
 *       body._IL = new byte[ask(CODE_SIZE)];
 *       copy to it from ask(CODE);
 *       body._maxStackSize = 0;
 *       while (body._maxStackSize < body._exceptionHandlingClauses.Length) {
 *           body._exceptionHandlingClauses[body._maxStackSize]._tryOffset = ask(TRY_OFFSET); ...
 *           body._maxStackSize++;
 *       }
 *       body._maxStackSize = ask(MAX_STACK);
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

const uint8_t restore_ask_sig[] = {CALLCONV_C, 4,          ELEMENT_I8, ELEMENT_I,
                                   ELEMENT_I4, ELEMENT_I4, ELEMENT_I4};
const size_t restore_ask_sig_len = sizeof restore_ask_sig;

struct restorer {
    const struct restore_form *form;
    struct writer w;
    uint32_t exits[EXITS_MAX]; /* where the distances to `end` are */
    uint32_t exit_count;
};

static void write_op(struct restorer *r, enum opcode op)
{
    il_write(&r->w, op);
}

static void leave_if(struct restorer *r, enum opcode branch)
{
    r->exits[r->exit_count++] = il_write_branch(&r->w, branch);
}

/* Pushes the address of a field, a uint8&, in place of the object. */
static void write_field_address(struct restorer *r, enum restore_field field)
{
    il_write_u32(&r->w, OP_CALL, r->form->object_ref);
    il_write_u32(&r->w, OP_LDC_I4, r->form->offset[field]);
    write_op(r, OP_ADD);
}

/* The same of `body`. */
static void own_address(struct restorer *r, enum restore_field field)
{
    write_op(r, OP_LDLOC_0);
    write_field_address(r, field);
}

static void array_of(struct restorer *r, enum restore_field field)
{
    own_address(r, field);
    write_op(r, OP_LDIND_REF);
}

static void length_of(struct restorer *r, enum restore_field field)
{
    array_of(r, field);
    write_op(r, OP_LDLEN);
    write_op(r, OP_CONV_I4);
}

/* Pushes the number of a clause. */
static void clause_number(struct restorer *r)
{
    own_address(r, RESTORE_MAX_STACK);
    write_op(r, OP_LDIND_I4);
}

static void write_zero(struct restorer *r)
{
    write_op(r, OP_LDC_I4_0);
}

static void code_length(struct restorer *r)
{
    length_of(r, RESTORE_CODE);
}

/* Pushes the answer, an int64, with at most 5 slots; `clause` pushes what is asked about. */
static void write_question(struct restorer *r, uint32_t question,
                           void (*clause)(struct restorer *r))
{
    write_op(r, OP_LDARG_0);
    il_write_u32(&r->w, OP_CALL, r->form->get_module);
    il_write_u32(&r->w, OP_CALL, r->form->module_id);
    write_op(r, OP_LDARG_0);
    il_write_u32(&r->w, OP_CALL, r->form->get_token);
    il_write_u32(&r->w, OP_LDC_I4, question);
    clause(r);
    write_op(r, OP_LDC_I8);
    wr_u64(&r->w, r->form->ask);
    il_write_u32(&r->w, OP_CALLI, r->form->ask_sig);
}

static void ask_number(struct restorer *r, uint32_t question)
{
    write_question(r, question, write_zero);
    write_op(r, OP_CONV_I4);
}

static void store_number(struct restorer *r, enum restore_field field, enum opcode store_op)
{
    own_address(r, field); /* &field */
    ask_number(r, field);  /* &field, value */
    write_op(r, store_op);
}

static void write_checks(struct restorer *r)
{
    write_op(r, OP_STLOC_0);
    write_op(r, OP_LDLOC_0);
    leave_if(r, OP_BRFALSE);
    write_question(r, RESTORE_CODE_SIZE, code_length);
    write_op(r, OP_CONV_I4);
    leave_if(r, OP_BRFALSE);
    ask_number(r, RESTORE_LOCALS);
    length_of(r, RESTORE_LOCALS);
    leave_if(r, OP_BGT);
    ask_number(r, RESTORE_CLAUSES);
    length_of(r, RESTORE_CLAUSES);
    leave_if(r, OP_BGT);
}

/* body._IL = new type[ask(count)]; */
static void write_new_array(struct restorer *r, uint32_t type, uint32_t count)
{
    own_address(r, RESTORE_CODE);
    ask_number(r, count);
    il_write_u32(&r->w, OP_NEWARR, type);
    write_op(r, OP_STIND_REF);
}

/* Ours has more at its end, if any. */
static void write_shorter(struct restorer *r, enum restore_field field, uint32_t type)
{
    write_new_array(r, type, field);
    array_of(r, field);        /* from */
    array_of(r, RESTORE_CODE); /* from, to */
    ask_number(r, field);      /* from, to, count */
    il_write_u32(&r->w, OP_CALL, r->form->copy_array);
    own_address(r, field);
    array_of(r, RESTORE_CODE);
    write_op(r, OP_STIND_REF);
}

static void write_code(struct restorer *r)
{
    write_new_array(r, r->form->byte_type, RESTORE_CODE_SIZE);
    array_of(r, RESTORE_CODE);
    write_op(r, OP_LDC_I4_0);
    il_write_u32(&r->w, OP_LDELEMA, r->form->byte_type); /* to */
    write_question(r, RESTORE_CODE, write_zero);
    write_op(r, OP_CONV_U); /* to, from */
    code_length(r);         /* to, from, size */
    write_op(r, OP_CPBLK);
}

static void write_clause(struct restorer *r)
{
    for (enum restore_field field = RESTORE_TRY_OFFSET; field < RESTORE_FIELD_COUNT; field++) {
        array_of(r, RESTORE_CLAUSES);
        clause_number(r);
        write_op(r, OP_LDELEM_REF);
        write_field_address(r, field);           /* &field */
        write_question(r, field, clause_number); /* &field, value */
        write_op(r, OP_CONV_I4);
        write_op(r, OP_STIND_I4);
    }
}

static void write_clauses(struct restorer *r)
{
    own_address(r, RESTORE_MAX_STACK);
    write_zero(r);
    write_op(r, OP_STIND_I4);
    size_t loop = r->w.len;
    clause_number(r);
    length_of(r, RESTORE_CLAUSES);
    uint32_t to_end = il_write_branch(&r->w, OP_BGE);
    write_clause(r);
    own_address(r, RESTORE_MAX_STACK);
    clause_number(r);
    write_op(r, OP_LDC_I4_1);
    write_op(r, OP_ADD);
    write_op(r, OP_STIND_I4);
    uint32_t back = (uint32_t)(r->w.len - loop) + 5; /* the length of the branch, too */
    il_write_u32(&r->w, OP_BR, -back);
    il_land(&r->w, to_end);
}

/* `dup; dup; brtrue; pop; ret`: nothing is returned that could be shown. */
static bool returns_null(const struct il *il, uint32_t ret)
{
    const struct instr *i = il->instrs + ret;
    return ret >= 4 && i[-1].op == OP_POP && il_is_brtrue(&i[-2]) && i[-3].op == OP_DUP &&
           i[-4].op == OP_DUP;
}

/* Does a body without clauses return something at its end only? */
static bool ends_simply(const struct il_body *body, struct arena *arena)
{
    struct il il;
    if (body->clause_count != 0 || il_decode(&il, body, arena) != VERDICT_OK)
        return false;
    for (uint32_t i = 0; i < il.count; i++)
        if ((il.instrs[i].op == OP_RET) != (i == il.count - 1) && !returns_null(&il, i))
            return false;
    return true;
}

bool restore_write(struct writer *out, struct il_body *body, const struct restore_form *form,
                   struct arena *arena)
{
    struct restorer r = {.form = form};
    if (!ends_simply(body, arena))
        return false;
    r.w = wr_in(arena);
    wr_bytes(&r.w, body->code, body->code_size - 1); /* branches to the ret lead to what follows */
    write_checks(&r);
    store_number(&r, RESTORE_LOCAL_SIG, OP_STIND_I4);
    store_number(&r, RESTORE_INIT_LOCALS, OP_STIND_I1);
    write_shorter(&r, RESTORE_LOCALS, form->local_type);
    write_shorter(&r, RESTORE_CLAUSES, form->clause_type);
    write_code(&r);
    write_clauses(&r);
    store_number(&r, RESTORE_MAX_STACK, OP_STIND_I4);
    for (uint32_t i = 0; i < r.exit_count; i++)
        il_land(&r.w, r.exits[i]);
    write_op(&r, OP_LDLOC_0);
    write_op(&r, OP_RET);
    if (r.w.failed)
        return false;
    body->local_sig = form->local_sig;
    body->max_stack = body->max_stack > RESTORE_STACK ? body->max_stack : RESTORE_STACK;
    body_write(out, body, r.w.data, (uint32_t)r.w.len);
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

#include "rewriter/owner_code.h"

#include "metadata/sig.h"
#include "rewriter/il.h"

enum {
    STACK = 8,
    EXECUTE_SYNCHRONOUSLY = 0x80000, /* of TaskContinuationOptions */
};

/* Of `enter`, in this order. */
enum {
    LOCAL_NAME,
    LOCAL_OWNER,
    LOCAL_PREVIOUS,
};

const uint8_t owner_enter_locals[] = {
    SIG_LOCALS, 3, ELEMENT_PINNED, ELEMENT_STRING, ELEMENT_I8, ELEMENT_OBJECT,
};
const size_t owner_enter_locals_len = sizeof owner_enter_locals;

/* Of `leave`. */
enum {
    LOCAL_LEFT,
    LOCAL_TASK,
};

const uint8_t owner_leave_locals[] = {SIG_LOCALS, 2, ELEMENT_I8, ELEMENT_OBJECT};
const size_t owner_leave_locals_len = sizeof owner_leave_locals;

const uint8_t owner_switched_locals[] = {SIG_LOCALS, 1, ELEMENT_OBJECT};
const size_t owner_switched_locals_len = sizeof owner_switched_locals;

static void op_with(struct writer *w, enum opcode op, uint32_t operand)
{
    il_write(w, op);
    wr_u32(w, operand);
}

static void constant(struct writer *w, uint64_t value)
{
    il_write(w, OP_LDC_I8);
    wr_u64(w, value);
}

static void variable(struct writer *w, enum opcode op, uint8_t number)
{
    il_write(w, op);
    wr_u8(w, number);
}

/* A branch to a later place. */
static size_t branch(struct writer *w, enum opcode op)
{
    op_with(w, op, 0);
    return w->len;
}

static void land(struct writer *w, size_t from)
{
    if (!w->failed)
        store_u32(w->data + from - 4, (uint32_t)(w->len - from));
}

static void call_library(struct writer *w, uint64_t function, uint32_t signature)
{
    constant(w, function);
    op_with(w, OP_CALLI, signature);
}

/* Pushes what the cell holds: a handle, which is the address of a reference to the AsyncLocal. */
static void handle(struct writer *w, const struct owner_form *form)
{
    constant(w, form->cell);
    il_write(w, OP_CONV_U);
    il_write(w, OP_LDIND_I);
}

static void async_local(struct writer *w, const struct owner_form *form)
{
    handle(w, form);
    il_write(w, OP_LDIND_REF);
}

/* Pushes the number in a boxed one, 0 for null. */
static void number_in(struct writer *w, const struct owner_form *form, uint8_t local)
{
    variable(w, OP_LDLOC_S, local);
    size_t to_boxed = branch(w, OP_BRTRUE);
    il_write(w, OP_LDC_I4_0);
    il_write(w, OP_CONV_I8);
    size_t to_end = branch(w, OP_BR);
    land(w, to_boxed);
    variable(w, OP_LDLOC_S, local);
    op_with(w, OP_UNBOX, form->int64);
    il_write(w, OP_LDIND_I8);
    land(w, to_end);
}

/* Pushes where the characters are, and how many; 0 and 0 without an object. */
static void name(struct writer *w, const struct owner_form *form)
{
    variable(w, OP_LDLOC_S, LOCAL_NAME);
    size_t to_name = branch(w, OP_BRTRUE);
    il_write(w, OP_LDC_I4_0);
    il_write(w, OP_CONV_I);
    il_write(w, OP_LDC_I4_0);
    size_t to_end = branch(w, OP_BR);
    land(w, to_name);
    variable(w, OP_LDLOC_S, LOCAL_NAME);
    il_write(w, OP_CONV_I);
    op_with(w, OP_CALL, form->string_data);
    il_write(w, OP_ADD);
    variable(w, OP_LDLOC_S, LOCAL_NAME);
    op_with(w, OP_CALLVIRT, form->string_length);
    land(w, to_end);
}

static void offer_local(struct writer *w, const struct owner_form *form)
{
    handle(w, form);
    size_t to_end = branch(w, OP_BRTRUE);
    il_write(w, OP_LDNULL);
    op_with(w, OP_LDFTN, form->switched);
    op_with(w, OP_NEWOBJ, form->new_action);
    op_with(w, OP_NEWOBJ, form->new_local);
    op_with(w, OP_CALL, form->alloc);
    op_with(w, OP_CALL, form->to_pointer);
    call_library(w, form->offer, form->offer_sig);
    land(w, to_end);
}

static void body_of(struct writer *out, const struct writer *code, uint32_t locals)
{
    struct il_body body = {.max_stack = STACK, .init_locals = true, .local_sig = locals};
    if (code->failed)
        out->failed = true;
    else
        body_write(out, &body, code->data, (uint32_t)code->len);
}

void owner_write_enter(struct writer *out, const struct owner_form *form, struct arena *arena)
{
    struct writer w;
    wr_open(&w, arena);
    il_write(&w, OP_LDARG_0);
    size_t to_named = branch(&w, OP_BRFALSE);
    il_write(&w, OP_LDARG_0);
    op_with(&w, OP_CALLVIRT, form->get_type);
    op_with(&w, OP_CALLVIRT, form->full_name);
    variable(&w, OP_STLOC_S, LOCAL_NAME);
    land(&w, to_named);
    il_write(&w, OP_LDARG_1);
    name(&w, form);
    call_library(&w, form->entered, form->entered_sig);
    variable(&w, OP_STLOC_S, LOCAL_OWNER);
    variable(&w, OP_LDLOC_S, LOCAL_OWNER);
    size_t to_change = branch(&w, OP_BRTRUE);
    il_write(&w, OP_LDC_I4_M1);
    il_write(&w, OP_CONV_I8);
    il_write(&w, OP_RET);
    land(&w, to_change);
    offer_local(&w, form);
    async_local(&w, form);
    op_with(&w, OP_CALLVIRT, form->get_value);
    variable(&w, OP_STLOC_S, LOCAL_PREVIOUS);
    async_local(&w, form);
    variable(&w, OP_LDLOC_S, LOCAL_OWNER);
    op_with(&w, OP_BOX, form->int64);
    op_with(&w, OP_CALLVIRT, form->set_value);
    number_in(&w, form, LOCAL_PREVIOUS);
    il_write(&w, OP_RET);
    body_of(out, &w, form->enter_locals);
}

/* Says how the owner on the stack ended: by `how`, an int32 on top of it. */
static void call_ended(struct writer *w, const struct owner_form *form)
{
    call_library(w, form->ended, form->ended_sig);
}

static void end_with_task(struct writer *w, const struct owner_form *form)
{
    variable(w, OP_LDLOC_S, LOCAL_TASK);
    op_with(w, OP_CALLVIRT, form->is_completed);
    size_t to_done = branch(w, OP_BRTRUE);
    variable(w, OP_LDLOC_S, LOCAL_TASK); /* task */
    il_write(w, OP_LDNULL);
    op_with(w, OP_LDFTN, form->finished);
    op_with(w, OP_NEWOBJ, form->new_task_action); /* task, action */
    variable(w, OP_LDLOC_S, LOCAL_LEFT);
    op_with(w, OP_BOX, form->int64); /* task, action, owner */
    op_with(w, OP_CALL, form->no_cancellation);
    op_with(w, OP_LDC_I4, EXECUTE_SYNCHRONOUSLY);
    op_with(w, OP_CALL, form->default_scheduler);
    op_with(w, OP_CALLVIRT, form->continue_with);
    il_write(w, OP_POP);
    size_t to_end = branch(w, OP_BR);
    land(w, to_done);
    variable(w, OP_LDLOC_S, LOCAL_LEFT);
    variable(w, OP_LDLOC_S, LOCAL_TASK);
    op_with(w, OP_CALLVIRT, form->is_successful);
    call_ended(w, form);
    land(w, to_end);
}

void owner_write_leave(struct writer *out, const struct owner_form *form, struct arena *arena)
{
    struct writer w;
    wr_open(&w, arena);
    il_write(&w, OP_LDARG_0);
    il_write(&w, OP_LDC_I4_M1);
    il_write(&w, OP_CONV_I8);
    size_t to_change = branch(&w, OP_BNE_UN);
    il_write(&w, OP_RET);
    land(&w, to_change);
    call_library(&w, form->left, form->left_sig);
    variable(&w, OP_STLOC_S, LOCAL_LEFT);
    il_write(&w, OP_LDARG_2);
    op_with(&w, OP_ISINST, form->task);
    variable(&w, OP_STLOC_S, LOCAL_TASK);
    variable(&w, OP_LDLOC_S, LOCAL_TASK);
    size_t to_task = branch(&w, OP_BRTRUE);
    variable(&w, OP_LDLOC_S, LOCAL_LEFT);
    il_write(&w, OP_LDARG_1);
    call_ended(&w, form);
    size_t to_local = branch(&w, OP_BR);
    land(&w, to_task);
    end_with_task(&w, form);
    land(&w, to_local);
    async_local(&w, form); /* local */
    il_write(&w, OP_LDARG_0);
    size_t to_box = branch(&w, OP_BRTRUE);
    il_write(&w, OP_LDNULL); /* local, null */
    size_t to_set = branch(&w, OP_BR);
    land(&w, to_box);
    il_write(&w, OP_LDARG_0);
    op_with(&w, OP_BOX, form->int64); /* local, previous */
    land(&w, to_set);
    op_with(&w, OP_CALLVIRT, form->set_value);
    il_write(&w, OP_RET);
    body_of(out, &w, form->leave_locals);
}

void owner_write_finished(struct writer *out, const struct owner_form *form, struct arena *arena)
{
    struct writer w;
    wr_open(&w, arena);
    il_write(&w, OP_LDARG_1);
    op_with(&w, OP_UNBOX, form->int64);
    il_write(&w, OP_LDIND_I8);
    il_write(&w, OP_LDARG_0);
    op_with(&w, OP_CALLVIRT, form->is_successful);
    call_ended(&w, form);
    il_write(&w, OP_RET);
    body_of(out, &w, 0);
}

void owner_write_switched(struct writer *out, const struct owner_form *form, struct arena *arena)
{
    struct writer w;
    wr_open(&w, arena);
    variable(&w, OP_LDARGA_S, 0);
    op_with(&w, OP_CALL, form->current_value);
    variable(&w, OP_STLOC_S, 0);
    number_in(&w, form, 0);
    call_library(&w, form->switch_to, form->switch_to_sig);
    il_write(&w, OP_RET);
    body_of(out, &w, form->switched_locals);
}

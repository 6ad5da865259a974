#include "rewriter/enclosure.h"

#include "rewriter/il.h"

static void call_library(struct writer *w, uint64_t function, uint32_t signature)
{
    il_write(w, OP_LDC_I8);
    wr_u64(w, function);
    il_write_u32(w, OP_CALLI, signature);
}

static void write_pointer(struct writer *w, enum opcode constant)
{
    il_write(w, constant);
    il_write(w, OP_CONV_U);
}

void enclosure_write_enter(struct writer *w, const struct enclosure *enclosure)
{
    if (enclosure->has_object) {
        il_write_variable(w, OP_LDARGA_S, OP_LDARGA, 0);
        il_write(w, OP_CONV_U);
    } else {
        write_pointer(w, OP_LDC_I4_0);
    }
    il_write_u32(w, OP_LDC_I4, enclosure->number);
    call_library(w, enclosure->functions.enter, enclosure->tokens->enter_sig);
}

void enclosure_write_return(struct writer *w, const struct enclosure *enclosure)
{
    if (enclosure->box != 0)
        il_write_u32(w, OP_BOX, enclosure->box);
    if (enclosure->gives_result) {
        il_write_u32(w, OP_CALL, enclosure->tokens->alloc);
        il_write_u32(w, OP_CALL, enclosure->tokens->to_pointer);
    } else {
        write_pointer(w, OP_LDC_I4_1); /* ENCLOSURE_NOTHING */
    }
    call_library(w, enclosure->functions.returned, enclosure->tokens->returned_sig);
}

void enclosure_write_leave(struct writer *w, const struct enclosure *enclosure)
{
    il_write_u32(w, OP_LDC_I4, enclosure->number);
    il_write(w, OP_LDC_I4_S);
    wr_u8(w, enclosure->how);
    call_library(w, enclosure->functions.leave, enclosure->tokens->leave_sig);
    il_write(w, OP_ENDFINALLY);
}

/* A handle is the address of a reference. */
void enclosure_write_end(struct writer *w, const struct enclosure *enclosure)
{
    if (enclosure->gives_result) {
        call_library(w, enclosure->functions.result, enclosure->tokens->result_sig);
        il_write(w, OP_LDIND_REF);
        if (enclosure->box != 0)
            il_write_u32(w, OP_UNBOX_ANY, enclosure->box);
        call_library(w, enclosure->functions.took_result, enclosure->tokens->plain_sig);
    }
    il_write(w, OP_RET);
}

void enclosure_write_start(struct writer *w, struct eh_clause *clause,
                           const struct enclosure *enclosure)
{
    const struct enclosure_tokens *tokens = enclosure->tokens;
    size_t start = w->len;
    call_library(w, enclosure->functions.must_start, tokens->result_sig);
    uint32_t to_leave = il_write_branch(w, OP_BRFALSE);
    il_write_u32(w, OP_CALL, tokens->current_domain);
    il_write_u32(w, OP_LDSTR, tokens->path); /* domain, path */
    il_write(w, OP_LDC_I4_1);
    il_write_u32(w, OP_NEWARR, tokens->string); /* domain, path, arguments */
    il_write(w, OP_DUP);
    il_write(w, OP_LDC_I4_0);
    il_write_u32(w, OP_LDSTR, tokens->argument);
    il_write(w, OP_STELEM_REF);                         /* domain, path, arguments */
    il_write_u32(w, OP_CALLVIRT, tokens->run_assembly); /* what it returns */
    il_write(w, OP_POP);
    il_land(w, to_leave);
    uint32_t to_end = il_write_branch(w, OP_LEAVE);
    size_t handler = w->len;
    il_write(w, OP_POP); /* the exception */
    call_library(w, enclosure->functions.refused, tokens->plain_sig);
    uint32_t from_handler = il_write_branch(w, OP_LEAVE);
    il_land(w, to_end);
    il_land(w, from_handler);
    *clause = (struct eh_clause){.flags = EH_CATCH,
                                 .try_offset = (uint32_t)start,
                                 .try_length = (uint32_t)(handler - start),
                                 .handler_offset = (uint32_t)handler,
                                 .handler_length = (uint32_t)(w->len - handler),
                                 .class_token = tokens->object};
}

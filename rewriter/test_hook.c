#include "rewriter/test_hook.h"

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

void test_hook_write_enter(struct writer *w, const struct test_hook *test_hook)
{
    if (test_hook->has_object) {
        il_write_variable(w, OP_LDARGA_S, OP_LDARGA, 0);
        il_write(w, OP_CONV_U);
    } else {
        write_pointer(w, OP_LDC_I4_0);
    }
    il_write_u32(w, OP_LDC_I4, test_hook->number);
    call_library(w, test_hook->functions.enter, test_hook->tokens->enter_sig);
}

void test_hook_write_return(struct writer *w, const struct test_hook *test_hook)
{
    if (test_hook->box != 0)
        il_write_u32(w, OP_BOX, test_hook->box);
    if (test_hook->gives_result) {
        il_write_u32(w, OP_CALL, test_hook->tokens->alloc);
        il_write_u32(w, OP_CALL, test_hook->tokens->to_pointer);
    } else {
        write_pointer(w, OP_LDC_I4_1); /* TEST_HOOK_NOTHING */
    }
    call_library(w, test_hook->functions.returned, test_hook->tokens->returned_sig);
}

void test_hook_write_leave(struct writer *w, const struct test_hook *test_hook)
{
    il_write_u32(w, OP_LDC_I4, test_hook->number);
    il_write(w, OP_LDC_I4_S);
    wr_u8(w, test_hook->how);
    call_library(w, test_hook->functions.leave, test_hook->tokens->leave_sig);
    il_write(w, OP_ENDFINALLY);
}

/* A handle is the address of a reference. */
void test_hook_write_end(struct writer *w, const struct test_hook *test_hook)
{
    if (test_hook->gives_result) {
        call_library(w, test_hook->functions.result, test_hook->tokens->result_sig);
        il_write(w, OP_LDIND_REF);
        if (test_hook->box != 0)
            il_write_u32(w, OP_UNBOX_ANY, test_hook->box);
        call_library(w, test_hook->functions.took_result, test_hook->tokens->plain_sig);
    }
    il_write(w, OP_RET);
}

void test_hook_write_start(struct writer *w, struct eh_clause *clause,
                           const struct test_hook *test_hook)
{
    const struct test_hook_tokens *tokens = test_hook->tokens;
    size_t start = w->len;
    call_library(w, test_hook->functions.must_start, tokens->result_sig);
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
    call_library(w, test_hook->functions.refused, tokens->plain_sig);
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

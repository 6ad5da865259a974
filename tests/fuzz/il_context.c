#include "tests/fuzz/il_context.h"

#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/il_builder.h"

/* What the context's first method holds: each instruction's token is kept. */
static const char context_text[] =
    "call void(); call bool(); call bool(int32); call int32(int32,int32);"
    "callvirt this:bool() get_X; callvirt this:void(object); call this:!0() Get of<bool>;"
    "call this:!0() Get of<int32>; call !!0() Get <bool>; call !!0() Get <string>;"
    "call this:bool() get_IsCompleted; call this:void() Dispose; call string(string,string);"
    "call self; call self_ref; call base;"
    "newobj this:void(); newobj this:void(int32);"
    "ldfld int32 <>1__state; ldfld bool f; ldfld object o; ldsfld bool s; ldsfld object <>9__1;"
    "calli void(); calli bool(int32); calli this:int64(nint)";

static struct il_builder builder;

static bool is_call(enum opcode op)
{
    return op == OP_CALL || op == OP_CALLVIRT || op == OP_NEWOBJ;
}

/* Reads the tokens back: il_builder names none. */
static void collect(struct il_context *context, struct view code)
{
    for (size_t at = 0; at + 5 <= code.len; at += 5) {
        enum opcode op = opcode_of(code.data[at]);
        uint32_t token = load_u32(code.data + at + 1);
        if (op == OP_CALLI)
            context->signatures[context->signature_count++] = token;
        else if (is_call(op))
            context->calls[context->call_count++] = token;
        else
            context->fields[context->field_count++] = token;
    }
}

struct il_context *il_context(void)
{
    static const char *const locals[] = {".locals int32", ".locals bool int32 object",
                                         ".locals object string int64 float64 bool"};
    static struct il_context context;
    if (context.call_count != 0)
        return &context;
    il_begin(&builder, "void()");
    (void)il_assemble(&builder, context_text);
    collect(&context, (struct view){builder.code.data, builder.code.len});
    (void)il_add_method(&builder, "this:bool(int32)", "ldc.i4.1; ret");
    (void)il_add_method(&builder, "int32(bool,string)", "ldc.i4.1; ret");
    context.locals[context.local_count++] = 0;
    for (size_t i = 0; i < ARRAY_LEN(locals); i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "%s; ret", locals[i]);
        (void)il_add_method(&builder, "this:void()", text);
        context.locals[context.local_count++] = builder.local_sig;
    }
    (void)il_assemble(&builder, "");
    context.md = builder.md;
    return &context;
}

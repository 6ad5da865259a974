/* test_enclosed_body.c - two calls around a body: whichever way control leaves it, the second one
 * comes after the first, and what was in the body stays there in its order. */
#include "rewriter/rewrite.h"

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    NUMBER = 0x01020304,
    RETURNED = 2,
    FUNCTION_SIG = 0x117FFFFD,
};

#define COUNTERS UINT64_C(0x11223344)
#define TABLE    UINT64_C(0x7800000)
#define FUNCTION UINT64_C(0x5566778899AA)

/* Any addresses: what counts is which is called where. */
static const struct test_hook_functions functions = {
    .enter = UINT64_C(0x7F0000000010),
    .returned = UINT64_C(0x7F0000000020),
    .leave = UINT64_C(0x7F0000000030),
    .result = UINT64_C(0x7F0000000040),
    .took_result = UINT64_C(0x7F0000000050),
    .must_start = UINT64_C(0x7F0000000060),
    .refused = UINT64_C(0x7F0000000070),
};

struct world {
    struct il_method m;
    struct test_hook_tokens tokens;
    struct test_hook test_hook;
    struct probe_form form;
    bool is_sharded;
    uint32_t local_sig; /* that the new body has */
    struct rewritten out;
    struct il_body body; /* the new one */
    struct il il;
};

/* --- making ----------------------------------------------------------------------------------- */

static uint32_t member(struct il_builder *b, struct view signature)
{
    enum {
        OF_TYPE_REF_1 = 1 << 3 | 1
    };
    return TOKEN(TABLE_MemberRef,
                 IMAGE_ROW(&b->image, MemberRef, OF_TYPE_REF_1, image_string(&b->image, "F"),
                           image_blob(&b->image, signature.data, signature.len)));
}

static uint32_t stand_alone(struct il_builder *b, struct view signature)
{
    return TOKEN(
        TABLE_StandAloneSig,
        IMAGE_ROW(&b->image, StandAloneSig, image_blob(&b->image, signature.data, signature.len)));
}

static uint32_t own_locals_of(struct il_builder *b, uint32_t count)
{
    uint8_t all[8] = {SIG_LOCALS, (uint8_t)count};
    assert_true(count + 2 <= sizeof all);
    memset(all + 2, ELEMENT_I4, count);
    return count != 0 ? stand_alone(b, (struct view){all, count + 2}) : 0;
}

enum {
    SHARDED = 1,
    OPTIMISED = 2,
    STARTS = 4,
    WITHOUT_OBJECT = 8,
};

enum result {
    NO_RESULT,
    OBJECT_RESULT,
    VALUE_RESULT, /* is boxed */
};

enum {
    OF_TYPE = 0x01000001, /* IL_BUILDER has that TypeRef */
    STRING = 0x70000001,
};

static void open_world(struct world *w, const char *signature, enum result result, unsigned how)
{
    struct il_builder *b = &w->m.builder;
    arena_init(&w->m.arena, NULL, 0, ARENA_NO_LIMIT);
    il_begin(b, signature);
    b->md.optimised = (how & OPTIMISED) != 0;
    w->tokens = (struct test_hook_tokens){
        .enter_sig = stand_alone(b, BYTES_VIEW(0, 2, ELEMENT_VOID, ELEMENT_I, ELEMENT_I4)),
        .returned_sig = stand_alone(b, BYTES_VIEW(0, 1, ELEMENT_VOID, ELEMENT_I)),
        .leave_sig = stand_alone(b, BYTES_VIEW(0, 2, ELEMENT_VOID, ELEMENT_I4, ELEMENT_I4)),
        .result_sig = stand_alone(b, BYTES_VIEW(0, 0, ELEMENT_I)),
        .plain_sig = stand_alone(b, BYTES_VIEW(0, 0, ELEMENT_VOID)),
        .alloc = member(b, BYTES_VIEW(0, 1, ELEMENT_I8, ELEMENT_OBJECT)),
        .to_pointer = member(b, BYTES_VIEW(0, 1, ELEMENT_I, ELEMENT_I8)),
        .current_domain = member(b, BYTES_VIEW(0, 0, ELEMENT_OBJECT)),
        .run_assembly = member(b, BYTES_VIEW(SIG_HAS_THIS, 2, ELEMENT_I4, ELEMENT_STRING,
                                             ELEMENT_SZARRAY, ELEMENT_STRING)),
        .object = OF_TYPE,
        .string = OF_TYPE,
        .path = STRING,
        .argument = STRING + 1,
    };
    w->test_hook = (struct test_hook){.functions = functions,
                                      .tokens = &w->tokens,
                                      .number = NUMBER,
                                      .has_object = (how & WITHOUT_OBJECT) == 0,
                                      .starts = (how & STARTS) != 0,
                                      .gives_result = result != NO_RESULT,
                                      .box = result == VALUE_RESULT ? OF_TYPE : 0,
                                      .how = RETURNED};
    w->is_sharded = (how & SHARDED) != 0;
    w->form = (struct probe_form){.mode = MODE_HIT,
                                  .counters = COUNTERS,
                                  .shard_table = TABLE,
                                  .function_sig = FUNCTION_SIG,
                                  .function = FUNCTION,
                                  .test_hook = &w->test_hook};
}

static void rewrite_text(struct world *w, const char *text, uint32_t own_locals)
{
    struct il_method *m = &w->m;
    uint32_t sig = own_locals_of(&m->builder, own_locals);
    if (w->is_sharded) /* a variable that another local signature of the file has */
        w->form.anchor = (struct anchor){ANCHOR_LOCAL, own_locals, NO_INDEX,
                                         own_locals_of(&m->builder, own_locals + 1)};
    w->local_sig = w->is_sharded ? w->form.anchor.local_sig : sig;
    m->body = il_assemble(&m->builder, text);
    assert_int_equal(flow_build(&m->flow, m->body, &m->builder.md, NULL, IL_METHOD_RID, &m->arena),
                     VERDICT_OK);
    assert_int_equal(m->flow.context.local_count, own_locals);
    assert_true(rewrite_can_enclose(&m->flow));
    assert_true(plan_make(&m->plan, &m->flow, &m->arena));
    assert_int_equal(rewrite(&w->out, &m->flow, &m->plan, &w->form, &m->arena, &m->arena),
                     VERDICT_OK);
    assert_int_equal(body_parse(&w->body, w->out.body, &m->arena), VERDICT_OK);
    assert_int_equal(il_decode(&w->il, &w->body, &m->arena), VERDICT_OK);
    assert_int_equal(w->out.map_count, m->flow.il.count);
}

static void close_world(struct world *w)
{
    il_method_close(&w->m);
}

/* --- what every enclosed body is -------------------------------------------------------------- */

static const struct eh_clause *added_clause(const struct world *w)
{
    assert_true(w->body.clause_count != 0);
    return &w->body.clauses[w->body.clause_count - 1];
}

/* The new instruction at an offset. */
static uint32_t index_at(const struct world *w, uint32_t offset)
{
    assert_true(offset < w->il.code_size);
    assert_int_not_equal(w->il.index_at[offset], NO_INDEX);
    return w->il.index_at[offset];
}

static const struct instr *new_instr(const struct world *w, uint32_t old)
{
    return &w->il.instrs[index_at(w, w->out.map[old].new_offset)];
}

static uint32_t end_of_all(const struct world *w)
{
    const struct eh_clause *clause = added_clause(w);
    return index_at(w, clause->handler_offset + clause->handler_length);
}

/* Where what was at an old offset is now, with its probe; the old end is where the handler is. */
static uint32_t moved(const struct world *w, uint32_t old_offset)
{
    uint32_t old = w->m.flow.il.index_at[old_offset];
    assert_int_not_equal(old, NO_INDEX);
    return old == w->m.flow.il.count ? added_clause(w)->handler_offset
                                     : w->out.map[old].probe_offset;
}

static void check_target(const struct world *w, uint32_t target, uint32_t old_target)
{
    uint32_t expected = w->out.map[old_target].probe_offset;
    for (uint32_t i = target; i < w->il.count; i++) {
        if (w->il.instrs[i].offset == expected)
            return;
        if (w->il.instrs[i].op == OP_BR) { /* the end of a stub */
            assert_int_equal(w->il.instrs[w->il.instrs[i].operand].offset, expected);
            return;
        }
        assert_int_equal(il_info(&w->il.instrs[i])->flow, FLOW_NEXT);
    }
    fail_msg("no way from %u to %u", w->il.instrs[target].offset, expected);
}

/* Is it the call of a function of the library? `i` is that of its address. */
static void check_call(const struct world *w, uint32_t i, uint64_t function, uint32_t signature)
{
    assert_int_equal(w->il.instrs[i].op, OP_LDC_I8);
    assert_int_equal(load_u64(w->il.code + w->il.instrs[i].offset + 1), function);
    assert_int_equal(w->il.instrs[i + 1].op, OP_CALLI);
    assert_int_equal(w->il.instrs[i + 1].operand, signature);
}

static void check_token(const struct world *w, uint32_t i, enum opcode op, uint32_t token)
{
    assert_int_equal(w->il.instrs[i].op, op);
    assert_int_equal(w->il.instrs[i].operand, token);
}

static void check_pointer(const struct world *w, uint32_t i, enum opcode constant)
{
    assert_int_equal(w->il.instrs[i].op, constant);
    assert_int_equal(w->il.instrs[i + 1].op, OP_CONV_U);
}

/* [box]; handle of the result, or TEST_HOOK_NOTHING; returned; leave */
static void check_return(const struct world *w, uint32_t old)
{
    uint32_t i = index_at(w, w->out.map[old].new_offset);
    if (w->test_hook.box != 0)
        check_token(w, i++, OP_BOX, w->test_hook.box);
    if (w->test_hook.gives_result) {
        check_token(w, i, OP_CALL, w->tokens.alloc);
        check_token(w, i + 1, OP_CALL, w->tokens.to_pointer);
    } else {
        check_pointer(w, i, OP_LDC_I4_1);
    }
    check_call(w, i + 2, functions.returned, w->tokens.returned_sig);
    assert_int_equal(w->il.instrs[i + 4].op, OP_LEAVE);
    assert_int_equal(w->il.instrs[i + 4].operand, end_of_all(w));
}

static bool is_short_branch_of(const struct instr *was, const struct instr *is)
{
    return il_info(was)->operand == OPERAND_TARGET8 && il_info(is)->operand == OPERAND_TARGET32 &&
           strlen(il_info(was)->mnemonic) == strlen(il_info(is)->mnemonic) + strlen(".s") &&
           strncmp(il_info(was)->mnemonic, il_info(is)->mnemonic, strlen(il_info(is)->mnemonic)) ==
               0;
}

static void check_instruction(const struct world *w, uint32_t old)
{
    const struct il *il = &w->m.flow.il;
    const struct instr *was = &il->instrs[old];
    if (was->op == OP_TAIL)
        return;
    if (was->op == OP_RET) {
        check_return(w, old);
        return;
    }
    const struct instr *is = new_instr(w, old);
    uint8_t operand = il_info(was)->operand;
    assert_true(is->op == was->op || is_short_branch_of(was, is));
    if (operand == OPERAND_TARGET8 || operand == OPERAND_TARGET32) {
        check_target(w, is->operand, was->operand);
    } else if (operand == OPERAND_SWITCH) {
        const uint32_t *before = &il->targets[was->operand], *now = &w->il.targets[is->operand];
        assert_int_equal(now[0], before[0]);
        for (uint32_t i = 1; i <= before[0]; i++)
            check_target(w, now[i], before[i]);
    } else {
        assert_int_equal(is->len, was->len);
        assert_memory_equal(w->il.code + is->offset, il->code + was->offset, was->len);
    }
}

static void check_clauses(const struct world *w)
{
    const struct il_body *old = &w->m.flow.body;
    const struct eh_clause *added = added_clause(w);
    assert_int_equal(w->body.clause_count, old->clause_count + 1 + w->test_hook.starts);
    for (uint32_t i = 0; i < old->clause_count; i++) {
        const struct eh_clause *was = &old->clauses[i], *is = &w->body.clauses[i];
        assert_int_equal(is->flags, was->flags);
        assert_int_equal(is->class_token, was->class_token);
        assert_int_equal(is->try_offset, moved(w, was->try_offset));
        assert_int_equal(is->try_offset + is->try_length,
                         moved(w, was->try_offset + was->try_length));
        assert_int_equal(is->handler_offset, moved(w, was->handler_offset));
        assert_int_equal(is->handler_offset + is->handler_length,
                         moved(w, was->handler_offset + was->handler_length));
        if (was->flags == EH_FILTER)
            assert_int_equal(is->filter_offset, moved(w, was->filter_offset));
        assert_true(is->try_offset >= added->try_offset);
        assert_true(is->handler_offset + is->handler_length <= added->handler_offset);
    }
    assert_int_equal(added->flags, EH_FINALLY);
    assert_int_equal(added->try_offset + added->try_length, added->handler_offset);
    assert_true(added->try_offset <= w->out.map[0].probe_offset);
    assert_int_equal(w->il.instrs[end_of_all(w) - 1].op, OP_ENDFINALLY);
}

/* Only the last instruction returns; the result before it is not protected. */
static void check_ends(const struct world *w)
{
    uint32_t last = w->il.count - 1, i = end_of_all(w);
    if (w->test_hook.gives_result) {
        check_call(w, i, functions.result, w->tokens.result_sig);
        assert_int_equal(w->il.instrs[i + 2].op, OP_LDIND_REF);
        i += 3;
        if (w->test_hook.box != 0)
            check_token(w, i++, OP_UNBOX_ANY, w->test_hook.box);
        check_call(w, i, functions.took_result, w->tokens.plain_sig);
        i += 2;
    }
    assert_int_equal(i, last);
    assert_int_equal(w->il.instrs[last].op, OP_RET);
    for (i = 0; i < last; i++) {
        assert_int_not_equal(w->il.instrs[i].op, OP_RET);
        assert_int_not_equal(w->il.instrs[i].op, OP_TAIL);
    }
}

/* number; how; leave; endfinally */
static void check_handler(const struct world *w)
{
    uint32_t i = index_at(w, added_clause(w)->handler_offset);
    int32_t number = 0;
    assert_true(il_constant(&number, &w->il.instrs[i]));
    assert_int_equal(number, NUMBER);
    assert_true(il_constant(&number, &w->il.instrs[i + 1]));
    assert_int_equal(number, RETURNED);
    check_call(w, i + 2, functions.leave, w->tokens.leave_sig);
    assert_int_equal(i + 5, end_of_all(w));
}

/* [start]; &this, or null; number; enter; and then comes what is protected */
static void check_entry(const struct world *w)
{
    uint32_t i = index_at(w, added_clause(w)->try_offset) - 5;
    int32_t number = 0;
    if (w->test_hook.has_object) {
        assert_int_equal(w->il.instrs[i].op, OP_LDARGA_S);
        assert_int_equal(w->il.instrs[i].operand, 0);
        assert_int_equal(w->il.instrs[i + 1].op, OP_CONV_U);
    } else {
        check_pointer(w, i, OP_LDC_I4_0);
    }
    assert_true(il_constant(&number, &w->il.instrs[i + 2]));
    assert_int_equal(number, NUMBER);
    check_call(w, i + 3, functions.enter, w->tokens.enter_sig);
    assert_true(w->test_hook.starts || i == 0);
}

/* flow_build follows every way, and knows what each call takes and gives. */
static void check_stack(struct world *w)
{
    struct flow flow;
    assert_int_equal(
        flow_build(&flow, w->out.body, &w->m.builder.md, NULL, IL_METHOD_RID, &w->m.arena),
        VERDICT_OK);
    assert_int_equal(w->body.local_sig, w->local_sig);
    assert_true(w->body.max_stack >= w->m.flow.body.max_stack + 3);
    for (uint32_t i = 0; i < flow.block_count; i++)
        assert_true(!flow.blocks[i].reachable || flow.blocks[i].depth <= flow.body.max_stack);
}

static void check_all(struct world *w)
{
    check_clauses(w);
    check_entry(w);
    check_handler(w);
    check_ends(w);
    check_stack(w);
    for (uint32_t i = 0; i < w->out.map_count; i++)
        check_instruction(w, i);
}

static uint32_t count_of(const struct il *il, enum opcode op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < il->count; i++)
        count += il->instrs[i].op == op;
    return count;
}

/* --- the start -------------------------------------------------------------------------------- */

/* try: must_start; brfalse L; CurrentDomain; path; new string[1]; dup; 0; argument; stelem;
 * ExecuteAssembly; pop; L: leave E; catch: pop; refused; leave E; E: */
static void body_starts_the_managed_half_before_it_enters(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void()", NO_RESULT, STARTS);
    rewrite_text(&w, "ret", 0);
    const struct instr *is = w.il.instrs;
    check_call(&w, 0, functions.must_start, w.tokens.result_sig);
    assert_true(is[2].op == OP_BRFALSE && is[2].operand == 13);
    check_token(&w, 3, OP_CALL, w.tokens.current_domain);
    check_token(&w, 4, OP_LDSTR, STRING);
    assert_int_equal(is[5].op, OP_LDC_I4_1);
    check_token(&w, 6, OP_NEWARR, OF_TYPE);
    assert_true(is[7].op == OP_DUP && is[8].op == OP_LDC_I4_0);
    check_token(&w, 9, OP_LDSTR, STRING + 1);
    assert_int_equal(is[10].op, OP_STELEM_REF);
    check_token(&w, 11, OP_CALLVIRT, w.tokens.run_assembly);
    close_world(&w);
}

static void what_fails_to_start_is_caught_and_told(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:object()", OBJECT_RESULT, STARTS);
    rewrite_text(&w,
                 ".try A C catch C D; A: call void(); leave.s D; C: pop; leave.s D;"
                 "D: ldarg.0; ret",
                 0);
    assert_int_equal(w.body.clause_count, 3);
    const struct eh_clause *clause = &w.body.clauses[1];
    assert_true(clause->flags == EH_CATCH && clause->class_token == OF_TYPE);
    assert_int_equal(clause->try_offset, 0);
    uint32_t i = index_at(&w, clause->handler_offset);
    assert_int_equal(w.il.instrs[i].op, OP_POP);
    check_call(&w, i + 1, functions.refused, w.tokens.plain_sig);
    assert_int_equal(w.il.instrs[i + 3].op, OP_LEAVE);
    assert_int_equal(w.il.instrs[i + 3].operand, i + 4);
    assert_int_equal(index_at(&w, clause->handler_offset + clause->handler_length), i + 4);
    check_all(&w);
    close_world(&w);
}

/* --- returns ---------------------------------------------------------------------------------- */

#define THREE_WAYS                                                                                 \
    "ldarg.0; brfalse.s B; ldarg.1; switch C D; ldc.i4.0; ret; B: ldc.i4.1; ret;"                  \
    "C: ldc.i4.2; ret; D: ldc.i4.3; ret"

static void every_return_goes_to_the_end(void **state)
{
    static const unsigned hows[] = {0, SHARDED, OPTIMISED, SHARDED | OPTIMISED, STARTS};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hows); i++) {
        struct world w;
        open_world(&w, "int32(bool,int32)", VALUE_RESULT, hows[i] | WITHOUT_OBJECT);
        rewrite_text(&w, THREE_WAYS, 0);
        assert_int_equal(count_of(&w.m.flow.il, OP_RET), 4);
        assert_int_equal(count_of(&w.il, OP_LEAVE), 4 + 2 * w.test_hook.starts);
        assert_int_equal(count_of(&w.il, OP_RET), 1);
        check_all(&w);
        close_world(&w);
    }
}

static void void_method_returns_nothing(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void(bool)", NO_RESULT, 0);
    rewrite_text(&w, "ldarg.1; brtrue.s B; ret; B: call void(); ret", 0);
    assert_int_equal(count_of(&w.il, OP_LEAVE), 2);
    check_all(&w);
    close_world(&w);
}

static void body_that_never_returns_is_enclosed(void **state)
{
    static const char *const texts[] = {"A: call void(); br.s A", "ldnull; throw"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct world w;
        open_world(&w, "this:int32()", VALUE_RESULT, 0);
        rewrite_text(&w, texts[i], 0);
        assert_int_equal(count_of(&w.il, OP_LEAVE), 0);
        check_all(&w);
        close_world(&w);
    }
}

static void tail_prefix_is_dropped(void **state)
{
    static const char *const texts[] = {
        "tail.; call int32(); ret",
        "ldarg.1; brtrue.s T; nop; T: tail.; call int32(); ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct world w;
        open_world(&w, "this:int32(bool)", VALUE_RESULT, 0);
        rewrite_text(&w, texts[i], 0);
        assert_int_equal(count_of(&w.m.flow.il, OP_TAIL), 1);
        assert_int_equal(count_of(&w.il, OP_TAIL), 0);
        assert_int_equal(count_of(&w.il, OP_CALL), 3); /* and the two that keep its result */
        check_all(&w);
        close_world(&w);
    }
}

/* Without an enclosure nothing of this happens. */
static void tail_prefix_and_return_stay_without_test_hook(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:int32(bool)", VALUE_RESULT, 0);
    w.form.test_hook = NULL;
    rewrite_text(&w, "tail.; call int32(); ret", 0);
    assert_int_equal(count_of(&w.il, OP_TAIL), 1);
    assert_int_equal(count_of(&w.il, OP_RET), 1);
    assert_int_equal(count_of(&w.il, OP_CALL), 1);
    assert_int_equal(w.body.clause_count, 0);
    assert_int_equal(w.body.local_sig, 0);
    close_world(&w);
}

/* --- branches and clauses --------------------------------------------------------------------- */

static void branches_lead_where_they_led(void **state)
{
    static const char *const texts[] = {
        "A: nop; ldarg.1; brtrue.s A; ldc.i4.0; ret",
        ("A: ldarg.1; brfalse B; br.s C; B: ldarg.2; ldc.i4.5; blt.s A; ldc.i4.1; ret;"
         "C: ldarg.2; ldc.i4.0; bge.un C; ldc.i4.2; ret"),
        "A: ldarg.2; switch A B A B C; B: ldc.i4.1; ret; C: ldarg.1; brtrue.s B; br.s A",
        "ldarg.1; brtrue.s T; ldc.i4.0; br.s J; T: ldc.i4.1; J: ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (unsigned how = 0; how <= (SHARDED | OPTIMISED); how++) {
            struct world w;
            open_world(&w, "this:int32(bool,int32)", VALUE_RESULT, how);
            rewrite_text(&w, texts[i], 0);
            check_all(&w);
            close_world(&w);
        }
}

/* As the loop's jump would enter twice. */
static void jump_to_the_start_does_not_enter_again(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void(bool)", NO_RESULT, 0);
    rewrite_text(&w, "A: nop; ldarg.1; brtrue.s A; ret", 0);
    uint32_t start = added_clause(&w)->try_offset;
    for (uint32_t i = 0; i < w.il.count; i++)
        if (il_info(&w.il.instrs[i])->operand == OPERAND_TARGET32)
            assert_true(w.il.instrs[w.il.instrs[i].operand].offset >= start);
    check_all(&w);
    close_world(&w);
}

static void clauses_stay_in_order_inside_the_new_one(void **state)
{
    static const char *const texts[] = {
        /* at the start */
        ".try A C catch C D; A: call void(); leave.s D; C: pop; leave.s D; D: ret",
        /* one in the other, and a filter */
        ".try A F filter F H E; .try A G finally G Z; A: call void(); leave.s E;"
        "F: pop; ldc.i4.1; endfilter; H: pop; leave.s E; E: leave.s Z; G: endfinally; Z: ret",
        /* two beside each other, the second at the end of the code */
        ".try A C catch C D; .try G H fault H I; A: call void(); leave.s D; C: pop; leave.s D;"
        "D: br.s G; R: ret; G: call void(); leave.s R; H: call void(); endfinally; I:",
    };
    static const uint32_t flags[][3] = {{EH_CATCH, EH_FINALLY},
                                        {EH_FILTER, EH_FINALLY, EH_FINALLY},
                                        {EH_CATCH, EH_FAULT, EH_FINALLY}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (unsigned how = 0; how <= (SHARDED | OPTIMISED); how++) {
            struct world w;
            open_world(&w, "this:void()", NO_RESULT, how);
            rewrite_text(&w, texts[i], 0);
            assert_int_equal(w.body.clause_count, i == 0 ? 2 : 3);
            for (uint32_t k = 0; k < w.body.clause_count; k++)
                assert_int_equal(w.body.clauses[k].flags, flags[i][k]);
            check_all(&w);
            close_world(&w);
        }
}

/* --- locals ----------------------------------------------------------------------------------- */

/* The thread counts elsewhere from then on. */
static void base_is_found_after_entering(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void()", NO_RESULT, SHARDED);
    w.form.anchor.base_local = 0;
    w.is_sharded = false;
    w.form.anchor = (struct anchor){ANCHOR_LOCAL, 0, 0, 0};
    rewrite_text(&w, ".locals int32; ret", 1);
    uint32_t based = NO_INDEX;
    for (uint32_t i = 0; i < w.il.count; i++)
        if (il_stored_local(&w.il.instrs[i]) == 0)
            based = i;
    assert_int_not_equal(based, NO_INDEX);
    assert_true(based > index_at(&w, added_clause(&w)->try_offset));
    close_world(&w);
}

static void method_without_an_object_enters_with_null(void **state)
{
    static const enum result results[] = {NO_RESULT, OBJECT_RESULT, VALUE_RESULT};
    static const char *const signatures[] = {"void()", "object()", "int32()"};
    static const char *const texts[] = {"ret", "ldnull; ret", "ldc.i4.7; ret"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        struct world w;
        open_world(&w, signatures[i], results[i], WITHOUT_OBJECT);
        rewrite_text(&w, texts[i], 0);
        check_all(&w);
        close_world(&w);
    }
}

/* --- what is declined ------------------------------------------------------------------------- */

static void body_that_jumps_to_a_method_is_declined(void **state)
{
    static const struct {
        const char *text;
        bool can;
    } cases[] = {{"jmp self", false},
                 {"ldarg.0; brtrue.s E; ret; E: jmp self", false},
                 {"ldarg.0; tail.; call void(bool); ret", true},
                 {"ret", true}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        il_method_open(&m, "void(bool)", cases[i].text);
        assert_int_equal(rewrite_can_enclose(&m.flow), cases[i].can);
        il_method_close(&m);
    }
}

/* --- probes that call ------------------------------------------------------------------------- */

/* ldc.i8 address; ldc.i8 function; calli: and nothing else that touches memory. */
static void check_calling(struct il_method *m, enum count_mode mode, unsigned size)
{
    struct probe_form form = {.mode = mode,
                              .counters = COUNTERS,
                              .looks_first = mode == MODE_HIT,
                              .calls = true,
                              .function_sig = FUNCTION_SIG,
                              .function = FUNCTION};
    struct rewritten out;
    struct il_body body;
    struct il il;
    uint32_t calls = 0, seen = 0;
    assert_int_equal(rewrite(&out, &m->flow, &m->plan, &form, &m->arena, &m->arena), VERDICT_OK);
    assert_int_equal(body_parse(&body, out.body, &m->arena), VERDICT_OK);
    assert_int_equal(il_decode(&il, &body, &m->arena), VERDICT_OK);
    for (uint32_t i = 2; i < il.count; i++) {
        if (il.instrs[i].op != OP_CALLI)
            continue;
        uint64_t address = load_u64(il.code + il.instrs[i - 2].offset + 1);
        assert_int_equal(il.instrs[i].operand, FUNCTION_SIG);
        assert_int_equal(il.instrs[i - 1].op, OP_LDC_I8);
        assert_int_equal(load_u64(il.code + il.instrs[i - 1].offset + 1), FUNCTION);
        assert_int_equal(il.instrs[i - 2].op, OP_LDC_I8);
        assert_int_equal((address - COUNTERS) % size, 0);
        assert_in_range((address - COUNTERS) / size, 0, m->plan.counter_count - 1);
        seen |= 1U << (address - COUNTERS) / size;
        calls++;
    }
    assert_int_equal(calls, m->plan.counter_count);
    assert_int_equal(seen, (1U << calls) - 1);
    assert_int_equal(count_of(&il, OP_STIND_I8) + count_of(&il, OP_STIND_I1), 0);
    assert_int_equal(count_of(&il, OP_LDIND_I8) + count_of(&il, OP_LDIND_U1), 0);
}

static void probes_call_a_function_in_every_mode(void **state)
{
    static const char *const texts[] = {"ret", "ldarg.0; brtrue.s E; call void(); E: ret",
                                        "ldarg.0; ldc.i4.0; ceq; stloc.0; ldloc.0; pop; ret"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        char text[128] = ".locals bool; ";
        strcat(text, texts[i]);
        il_method_open(&m, "void(bool)", text);
        assert_true(i != 1 || m.plan.counter_count > 1);
        check_calling(&m, MODE_COUNT, 8);
        check_calling(&m, MODE_HIT, 1);
        il_method_close(&m);
    }
}

static void check_code(const struct world *w, struct view expected)
{
    assert_int_equal(w->body.code_size, expected.len);
    assert_memory_equal(w->body.code, expected.data, expected.len);
}

/* ldc.i8 address; ldc.i8 function; calli; ret */
static void calling_probe_is_these_bytes(void **state)
{
    static const uint8_t expected[] = {0x21, 0x44, 0x33, 0x22, 0x11, 0,    0,    0,
                                       0,    0x21, 0xAA, 0x99, 0x88, 0x77, 0x66, 0x55,
                                       0,    0,    0x29, 0xFD, 0xFF, 0x7F, 0x11, 0x2A};
    (void)state;
    for (enum count_mode mode = MODE_COUNT; mode <= MODE_EXACT; mode++) {
        struct world w;
        open_world(&w, "void()", NO_RESULT, 0);
        w.form.test_hook = NULL;
        w.form.mode = mode;
        w.form.calls = mode != MODE_EXACT;
        rewrite_text(&w, "ret", 0);
        check_code(&w, VIEW(expected));
        close_world(&w);
    }
}

static void enclosed_probes_call_too(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:int32(bool,int32)", VALUE_RESULT, 0);
    w.form.calls = true;
    w.form.function_sig = stand_alone(&w.m.builder, BYTES_VIEW(0, 1, ELEMENT_VOID, ELEMENT_I));
    rewrite_text(&w, "ldarg.1; brfalse.s B; ldc.i4.0; ret; B: ldc.i4.1; ret", 0);
    assert_int_equal(count_of(&w.il, OP_CALLI), w.m.plan.counter_count + 6); /* two returns */
    check_all(&w);
    close_world(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(body_starts_the_managed_half_before_it_enters),
    cmocka_unit_test(what_fails_to_start_is_caught_and_told),
    cmocka_unit_test(every_return_goes_to_the_end),
    cmocka_unit_test(void_method_returns_nothing),
    cmocka_unit_test(body_that_never_returns_is_enclosed),
    cmocka_unit_test(tail_prefix_is_dropped),
    cmocka_unit_test(tail_prefix_and_return_stay_without_test_hook),
    cmocka_unit_test(branches_lead_where_they_led),
    cmocka_unit_test(jump_to_the_start_does_not_enter_again),
    cmocka_unit_test(clauses_stay_in_order_inside_the_new_one),
    cmocka_unit_test(base_is_found_after_entering),
    cmocka_unit_test(method_without_an_object_enters_with_null),
    cmocka_unit_test(body_that_jumps_to_a_method_is_declined),
    cmocka_unit_test(probes_call_a_function_in_every_mode),
    cmocka_unit_test(calling_probe_is_these_bytes),
    cmocka_unit_test(enclosed_probes_call_too),
};
UNIT_TESTS(tests);

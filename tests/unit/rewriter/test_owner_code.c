/* test_owner_code.c - the bodies do what owner_code.h says of them: each way through them is walked
 * with names in place of values, and what it calls, with what, is compared with what was written by
 * hand. */
#include "rewriter/owner_code.h"

#include <stdio.h>

#include "contract/session_format.h"
#include "metadata/sig.h"
#include "rewriter/il.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

enum {
    STACK_ROOM = 8,
    LOCALS_ROOM = 3,
    STEPS_MAX = 200,
    TEXT_ROOM = 1024,
    CODE_ROOM = 512,
};

/* Any tokens and addresses: what counts is which is used where. */
static const struct owner_form form = {
    .get_type = 0x0A000001,
    .full_name = 0x0A000002,
    .string_data = 0x0A000003,
    .string_length = 0x0A000004,
    .alloc = 0x0A000005,
    .to_pointer = 0x0A000006,
    .new_local = 0x0A000007,
    .get_value = 0x0A000008,
    .set_value = 0x0A000009,
    .new_action = 0x0A00000A,
    .current_value = 0x0A00000B,
    .task = 0x01000001,
    .is_completed = 0x0A00000C,
    .is_successful = 0x0A00000D,
    .continue_with = 0x0A00000E,
    .new_task_action = 0x0A00000F,
    .no_cancellation = 0x0A000010,
    .default_scheduler = 0x0A000011,
    .int64 = 0x01000002,
    .switched = 0x06000001,
    .finished = 0x06000002,
    .enter_locals = 0x11000001,
    .leave_locals = 0x11000002,
    .switched_locals = 0x11000003,
    .entered_sig = 0x11000004,
    .left_sig = 0x11000005,
    .ended_sig = 0x11000006,
    .switch_to_sig = 0x11000007,
    .offer_sig = 0x11000008,
    .entered = UINT64_C(0x7F0000000010),
    .left = UINT64_C(0x7F0000000020),
    .ended = UINT64_C(0x7F0000000030),
    .switch_to = UINT64_C(0x7F0000000040),
    .offer = UINT64_C(0x7F0000000050),
    .cell = UINT64_C(0x7F0000000060),
};

/* What each may be called by, how many values it takes, and what its result is called here. */
static const struct callee {
    const char *name;
    uint32_t token;
    uint64_t function; /* of the library: `token` is its signature */
    enum opcode op;
    unsigned takes;
    const char *result; /* NULL: void */
} callees[] = {
    {"get_type", 0x0A000001, 0, OP_CALLVIRT, 1, "type"},
    {"full_name", 0x0A000002, 0, OP_CALLVIRT, 1, "name"},
    {"string_data", 0x0A000003, 0, OP_CALL, 0, "data"},
    {"string_length", 0x0A000004, 0, OP_CALLVIRT, 1, "length"},
    {"alloc", 0x0A000005, 0, OP_CALL, 1, "handle"},
    {"to_pointer", 0x0A000006, 0, OP_CALL, 1, "pointer"},
    {"new_local", 0x0A000007, 0, OP_NEWOBJ, 1, "local"},
    {"get_value", 0x0A000008, 0, OP_CALLVIRT, 1, "value"},
    {"set_value", 0x0A000009, 0, OP_CALLVIRT, 2, NULL},
    {"new_action", 0x0A00000A, 0, OP_NEWOBJ, 2, "action"},
    {"current_value", 0x0A00000B, 0, OP_CALL, 1, "current"},
    {"is_completed", 0x0A00000C, 0, OP_CALLVIRT, 1, "completed"},
    {"is_successful", 0x0A00000D, 0, OP_CALLVIRT, 1, "successful"},
    {"continue_with", 0x0A00000E, 0, OP_CALLVIRT, 6, "continuation"},
    {"new_task_action", 0x0A00000F, 0, OP_NEWOBJ, 2, "action"},
    {"no_cancellation", 0x0A000010, 0, OP_CALL, 0, "none"},
    {"default_scheduler", 0x0A000011, 0, OP_CALL, 0, "scheduler"},
    {"entered", 0x11000004, UINT64_C(0x7F0000000010), OP_CALLI, 3, "owner"},
    {"left", 0x11000005, UINT64_C(0x7F0000000020), OP_CALLI, 0, "owner"},
    {"ended", 0x11000006, UINT64_C(0x7F0000000030), OP_CALLI, 2, NULL},
    {"switch_to", 0x11000007, UINT64_C(0x7F0000000040), OP_CALLI, 1, NULL},
    {"offer", 0x11000008, UINT64_C(0x7F0000000050), OP_CALLI, 1, NULL},
};

/* One of the four bodies. */
struct code {
    const char *args[3];
    struct il_body body;
    struct il il;
    uint32_t depth[CODE_ROOM]; /* before each instruction, and 1; 0: it was not yet reached */
};

typedef void write_body(struct writer *w, const struct owner_form *form, struct arena *arena);

static void open_code(struct code *out, write_body *write_it)
{
    struct writer w;
    *out = (struct code){.args = {NULL}};
    wr_open(&w, &arena);
    write_it(&w, &form, &arena);
    assert_false(w.failed);
    assert_int_equal(body_parse(&out->body, (struct view){w.data, w.len}, &arena), VERDICT_OK);
    assert_int_equal(il_decode(&out->il, &out->body, &arena), VERDICT_OK);
    assert_true(out->il.count < CODE_ROOM);
}

/* --- the walk --------------------------------------------------------------------------------- */

struct walk {
    struct code *code;
    const char *const *truths; /* what is not 0 or null, or holds; the rest is, or does not */
    const char *stack[STACK_ROOM];
    const char *locals[LOCALS_ROOM];
    unsigned depth;
    char text[TEXT_ROOM]; /* what it calls */
};

static const char *joined(const char *before, const char *text, const char *after)
{
    struct str out;
    assert_true(text_format(&out, &arena, NULL, "%s%s%s", before, text, after));
    return out.text;
}

static void push(struct walk *w, const char *value)
{
    assert_true(w->depth < w->code->body.max_stack && w->depth < STACK_ROOM);
    w->stack[w->depth++] = value;
}

static const char *pop(struct walk *w)
{
    assert_true(w->depth != 0);
    return w->stack[--w->depth];
}

static bool is_true(const struct walk *w, const char *value)
{
    for (unsigned i = 0; w->truths[i] != NULL; i++)
        if (strcmp(w->truths[i], value) == 0)
            return true;
    return false;
}

static void say(struct walk *w, const char *text)
{
    assert_true(strlen(w->text) + strlen(text) < sizeof w->text);
    strcat(w->text, text);
}

static const char *constant_name(uint64_t value)
{
    for (size_t i = 0; i < ARRAY_LEN(callees); i++)
        if (callees[i].function != 0 && callees[i].function == value)
            return callees[i].name;
    assert_int_equal(value, form.cell);
    return "cell";
}

static const struct callee *callee_of(const struct instr *instr)
{
    for (size_t i = 0; i < ARRAY_LEN(callees); i++)
        if (callees[i].op == instr->op && callees[i].token == instr->operand)
            return &callees[i];
    fail_msg("%s %08x", il_info(instr)->mnemonic, instr->operand);
    return NULL;
}

static void call(struct walk *w, const struct instr *instr)
{
    const struct callee *callee = callee_of(instr);
    if (instr->op == OP_CALLI)
        assert_string_equal(pop(w), callee->name);
    assert_true(w->depth >= callee->takes);
    w->depth -= callee->takes;
    if (callee->result != NULL)
        say(w, joined(callee->result, "=", ""));
    say(w, joined(callee->name, "(", ""));
    for (unsigned i = 0; i < callee->takes; i++)
        say(w, joined(i != 0 ? "," : "", w->stack[w->depth + i], ""));
    say(w, "); ");
    if (callee->result != NULL)
        push(w, callee->result);
}

static const char *function_name(uint32_t token)
{
    assert_true(token == form.switched || token == form.finished);
    return token == form.switched ? "&switched" : "&finished";
}

/* An instruction that neither calls nor branches. */
static void compute(struct walk *w, const struct instr *instr)
{
    uint32_t arg = il_loaded_arg(instr), local = il_loaded_local(instr);
    uint32_t stored = il_stored_local(instr);
    int32_t value;
    char number[16];
    if (arg != IL_NO_INDEX) {
        assert_true(arg < 3 && w->code->args[arg] != NULL);
        push(w, w->code->args[arg]);
        return;
    }
    if (local != IL_NO_INDEX) {
        assert_true(local < LOCALS_ROOM);
        push(w, w->locals[local]);
        return;
    }
    if (stored != IL_NO_INDEX) {
        assert_true(stored < LOCALS_ROOM);
        w->locals[stored] = pop(w);
        return;
    }
    if (il_constant(&value, instr)) {
        (void)snprintf(number, sizeof number, "%d", value);
        push(w, joined(number, "", ""));
        return;
    }
    switch ((int)instr->op) {
    case OP_LDARGA_S:
        push(w, joined("&", w->code->args[instr->operand], ""));
        return;
    case OP_LDC_I8:
        push(w, constant_name(load_u64(w->code->il.code + instr->offset + 1)));
        return;
    case OP_LDNULL:
        push(w, "null");
        return;
    case OP_LDFTN:
        push(w, function_name(instr->operand));
        return;
    case OP_CONV_I:
    case OP_CONV_U:
    case OP_CONV_I8:
        push(w, pop(w));
        return;
    case OP_LDIND_I:
    case OP_LDIND_I8:
    case OP_LDIND_REF:
        push(w, joined("*", pop(w), ""));
        return;
    case OP_ADD: {
        const char *right = pop(w);
        push(w, joined(pop(w), "+", right));
        return;
    }
    case OP_BOX:
        assert_int_equal(instr->operand, form.int64);
        push(w, joined("box(", pop(w), ")"));
        return;
    case OP_UNBOX:
        assert_int_equal(instr->operand, form.int64);
        push(w, joined("unbox(", pop(w), ")"));
        return;
    case OP_ISINST:
        assert_int_equal(instr->operand, form.task);
        push(w, joined("task(", pop(w), ")"));
        return;
    case OP_POP:
        (void)pop(w);
        return;
    default:
        fail_msg("unexpected: %s", il_info(instr)->mnemonic);
    }
}

static bool branches(struct walk *w, const struct instr *instr)
{
    switch ((int)instr->op) {
    case OP_BR:
        return true;
    case OP_BRTRUE:
        return is_true(w, pop(w));
    case OP_BRFALSE:
        return !is_true(w, pop(w));
    case OP_BNE_UN: {
        const char *right = pop(w);
        return is_true(w, joined(pop(w), " is not ", right));
    }
    default:
        fail_msg("unexpected: %s", il_info(instr)->mnemonic);
        return false;
    }
}

/* Whichever way an instruction is reached, the stack is as deep. */
static void check_depth(struct walk *w, uint32_t i)
{
    uint32_t *known = &w->code->depth[i];
    assert_true(*known == 0 || *known == w->depth + 1);
    *known = w->depth + 1;
}

static void walk(struct code *code, const char *const *truths, bool gives, const char *expected)
{
    struct walk w = {.code = code, .truths = truths, .locals = {"null", "null", "null"}};
    uint32_t i = 0;
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        assert_true(i < code->il.count);
        const struct instr *instr = &code->il.instrs[i];
        check_depth(&w, i++);
        if (instr->op == OP_RET) {
            say(&w, gives ? joined("return ", pop(&w), "") : "return");
            assert_int_equal(w.depth, 0);
            assert_string_equal(w.text, expected);
            return;
        }
        if (instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_CALLI ||
            instr->op == OP_NEWOBJ)
            call(&w, instr);
        else if (il_info(instr)->flow == FLOW_NEXT)
            compute(&w, instr);
        else if (branches(&w, instr))
            i = instr->operand;
    }
    fail_msg("it does not end: %s", w.text);
}

/* To be called when all ways were walked. */
static void check_all_was_reached(const struct code *code)
{
    for (uint32_t i = 0; i < code->il.count; i++)
        if (code->depth[i] == 0)
            fail_msg("no way leads to %u: %s", code->il.instrs[i].offset,
                     il_info(&code->il.instrs[i])->mnemonic);
}

#define TRUTHS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_TRUTHS   ((const char *const[]){NULL})

/* --- enter ------------------------------------------------------------------------------------ */

#define NAMED                                                                                      \
    "type=get_type(self); name=full_name(type); data=string_data(); length=string_length(name); "  \
    "owner=entered(number,name+data,length); "
#define OFFERED                                                                                    \
    "action=new_action(null,&switched); local=new_local(action); handle=alloc(local); "            \
    "pointer=to_pointer(handle); offer(pointer); "
#define CHANGED "value=get_value(**cell); set_value(**cell,box(owner)); "

static void open_enter(struct code *code)
{
    open_code(code, owner_write_enter);
    code->args[0] = "self";
    code->args[1] = "number";
}

static void enter_names_the_type_and_sets_the_owner(void **state)
{
    struct code code;
    (void)state;
    open_enter(&code);
    walk(&code, TRUTHS("self", "name", "owner", "*cell"), true, NAMED CHANGED "return 0");
    walk(&code, TRUTHS("self", "name", "owner", "*cell", "value"), true,
         NAMED CHANGED "return *unbox(value)");
    walk(&code, TRUTHS("owner", "*cell"), true, "owner=entered(number,0,0); " CHANGED "return 0");
}

static void enter_makes_the_local_when_there_is_none(void **state)
{
    struct code code;
    (void)state;
    open_enter(&code);
    walk(&code, TRUTHS("self", "name", "owner"), true, NAMED OFFERED CHANGED "return 0");
    walk(&code, TRUTHS("self", "name", "owner", "value"), true,
         NAMED OFFERED CHANGED "return *unbox(value)");
}

static void enter_changes_nothing_without_an_owner(void **state)
{
    struct code code;
    (void)state;
    open_enter(&code);
    walk(&code, TRUTHS("self", "name"), true, NAMED "return -1");
    walk(&code, TRUTHS("self", "name", "*cell"), true, NAMED "return -1");
    walk(&code, NO_TRUTHS, true, "owner=entered(number,0,0); return -1");
    assert_int_equal(OWNER_UNCHANGED, -1);
}

/* Type.FullName may be null. */
static void enter_takes_no_length_of_a_name_that_is_null(void **state)
{
    struct code code;
    (void)state;
    open_enter(&code);
    walk(&code, TRUTHS("self"), true,
         "type=get_type(self); name=full_name(type); owner=entered(number,0,0); return -1");
}

/* --- leave ------------------------------------------------------------------------------------ */

#define PENDING                                                                                    \
    "completed=is_completed(task(result)); action=new_task_action(null,&finished); "               \
    "none=no_cancellation(); scheduler=default_scheduler(); "                                      \
    "continuation=continue_with(task(result),action,box(owner),none,524288,scheduler); "
#define DONE                                                                                       \
    "completed=is_completed(task(result)); successful=is_successful(task(result)); "               \
    "ended(owner,successful); "
#define LEFT     "owner=left(); "
#define RESTORED "set_value(**cell,box(previous)); return"
#define CLEARED  "set_value(**cell,null); return"
#define IS_OURS  "previous is not -1"

static void open_leave(struct code *code)
{
    open_code(code, owner_write_leave);
    code->args[0] = "previous";
    code->args[1] = "how";
    code->args[2] = "result";
}

static void leave_does_nothing_where_nothing_had_changed(void **state)
{
    struct code code;
    (void)state;
    open_leave(&code);
    walk(&code, NO_TRUTHS, false, "return");
    walk(&code, TRUTHS("previous", "task(result)", "result"), false, "return");
}

static void leave_ends_the_owner_and_restores_the_previous_one(void **state)
{
    struct code code;
    (void)state;
    open_leave(&code);
    walk(&code, TRUTHS(IS_OURS, "previous"), false, LEFT "ended(owner,how); " RESTORED);
    walk(&code, TRUTHS(IS_OURS), false, LEFT "ended(owner,how); " CLEARED);
    walk(&code, TRUTHS(IS_OURS, "result"), false, LEFT "ended(owner,how); " CLEARED);
}

/* 524288: TaskContinuationOptions.ExecuteSynchronously */
static void task_that_runs_on_ends_its_owner_later(void **state)
{
    struct code code;
    (void)state;
    open_leave(&code);
    walk(&code, TRUTHS(IS_OURS, "previous", "task(result)"), false, LEFT PENDING RESTORED);
    walk(&code, TRUTHS(IS_OURS, "task(result)"), false, LEFT PENDING CLEARED);
}

static void task_that_is_done_ends_its_owner_as_it_ended(void **state)
{
    struct code code;
    (void)state;
    open_leave(&code);
    walk(&code, TRUTHS(IS_OURS, "previous", "task(result)", "completed"), false,
         LEFT DONE RESTORED);
    walk(&code, TRUTHS(IS_OURS, "task(result)", "completed"), false, LEFT DONE CLEARED);
}

/* --- the other two ---------------------------------------------------------------------------- */

static void finished_task_ends_the_owner_that_it_was_given(void **state)
{
    struct code code;
    (void)state;
    open_code(&code, owner_write_finished);
    code.args[0] = "task";
    code.args[1] = "owner";
    walk(&code, NO_TRUTHS, false,
         "successful=is_successful(task); ended(*unbox(owner),successful); return");
    check_all_was_reached(&code);
}

/* `ended` gets a bool of a task, and a number of a method. */
static void success_of_a_task_is_that_of_a_method(void **state)
{
    (void)state;
    assert_int_equal(HITS_THREW, false);
    assert_int_equal(HITS_RETURNED, true);
}

static void switched_flow_switches_to_its_owner(void **state)
{
    struct code code;
    (void)state;
    open_code(&code, owner_write_switched);
    code.args[0] = "args";
    walk(&code, TRUTHS("current"), false,
         "current=current_value(&args); switch_to(*unbox(current)); return");
    walk(&code, NO_TRUTHS, false, "current=current_value(&args); switch_to(0); return");
    check_all_was_reached(&code);
}

/* --- bodies ----------------------------------------------------------------------------------- */

static void no_code_is_there_for_nothing(void **state)
{
    struct code code;
    (void)state;
    open_enter(&code);
    walk(&code, TRUTHS("self", "name", "owner", "value"), true,
         NAMED OFFERED CHANGED "return *unbox(value)");
    walk(&code, TRUTHS("owner", "*cell"), true, "owner=entered(number,0,0); " CHANGED "return 0");
    walk(&code, NO_TRUTHS, true, "owner=entered(number,0,0); return -1");
    check_all_was_reached(&code);
    open_leave(&code);
    walk(&code, NO_TRUTHS, false, "return");
    walk(&code, TRUTHS(IS_OURS, "previous"), false, LEFT "ended(owner,how); " RESTORED);
    walk(&code, TRUTHS(IS_OURS, "task(result)"), false, LEFT PENDING CLEARED);
    walk(&code, TRUTHS(IS_OURS, "task(result)", "completed"), false, LEFT DONE CLEARED);
    check_all_was_reached(&code);
}

/* Nothing reads a local before it is written, or it is null, as InitLocals has it. */
static void bodies_have_their_locals_and_no_clauses(void **state)
{
    static const struct {
        write_body *write_it;
        uint32_t locals;
    } bodies[] = {{owner_write_enter, 0x11000001},
                  {owner_write_leave, 0x11000002},
                  {owner_write_finished, 0},
                  {owner_write_switched, 0x11000003}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct code code;
        open_code(&code, bodies[i].write_it);
        assert_int_equal(code.body.local_sig, bodies[i].locals);
        assert_true(code.body.init_locals);
        assert_int_equal(code.body.clause_count, 0);
    }
}

/* II.23.2.6. The name is pinned while the library reads its characters. */
static void locals_have_the_types_of_what_is_stored(void **state)
{
    static const uint8_t enter[] = {0x07, 3, 0x45, 0x0E, 0x0A, 0x1C};
    static const uint8_t leave[] = {0x07, 2, 0x0A, 0x1C};
    static const uint8_t switched[] = {0x07, 1, 0x1C};
    static const char *const stored[] = {"name", "owner", "value"};
    struct code code;
    (void)state;
    assert_int_equal(owner_enter_locals_len, sizeof enter);
    assert_memory_equal(owner_enter_locals, enter, sizeof enter);
    assert_int_equal(owner_leave_locals_len, sizeof leave);
    assert_memory_equal(owner_leave_locals, leave, sizeof leave);
    assert_int_equal(owner_switched_locals_len, sizeof switched);
    assert_memory_equal(owner_switched_locals, switched, sizeof switched);
    open_enter(&code);
    for (uint32_t i = 1; i < code.il.count; i++) { /* of enter: each is what was called last */
        uint32_t local = il_stored_local(&code.il.instrs[i]);
        if (local == IL_NO_INDEX)
            continue;
        assert_true(local < ARRAY_LEN(stored));
        assert_string_equal(callee_of(&code.il.instrs[i - 1])->result, stored[local]);
    }
}

static void writer_without_memory_has_failed(void **state)
{
    static write_body *const bodies[] = {owner_write_enter, owner_write_leave, owner_write_finished,
                                         owner_write_switched};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct arena small;
        struct writer w;
        arena_init(&small, NULL, 0, 8);
        wr_open(&w, &arena);
        bodies[i](&w, &form, &small);
        assert_true(w.failed);
        arena_free(&small);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
    const struct CMUnitTest tests[] = {
        TEST(enter_names_the_type_and_sets_the_owner),
        TEST(enter_makes_the_local_when_there_is_none),
        TEST(enter_changes_nothing_without_an_owner),
        TEST(enter_takes_no_length_of_a_name_that_is_null),
        TEST(leave_does_nothing_where_nothing_had_changed),
        TEST(leave_ends_the_owner_and_restores_the_previous_one),
        TEST(task_that_runs_on_ends_its_owner_later),
        TEST(task_that_is_done_ends_its_owner_as_it_ended),
        TEST(finished_task_ends_the_owner_that_it_was_given),
        TEST(success_of_a_task_is_that_of_a_method),
        TEST(switched_flow_switches_to_its_owner),
        TEST(no_code_is_there_for_nothing),
        TEST(bodies_have_their_locals_and_no_clauses),
        TEST(locals_have_the_types_of_what_is_stored),
        TEST(writer_without_memory_has_failed),
    };
    return cmocka_run_group_tests_name("owner_code", tests, NULL, NULL);
}

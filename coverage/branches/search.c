/* A search among constants: `x is 3 or 60 or 5 or 40`. The compiler sorts them, and compares by
 * order first, to need fewer comparisons:
 *
 *       ldloc x; ldc 5; bgt H
 *       ldloc x; ldc 3; beq T; ldloc x; ldc 5; beq T; br F
 *   H:  ldloc x; ldc 40; beq T; ldloc x; ldc 60; beq T
 *   F:
 *
 * The user did not write the bgt. The user's own comparisons, such as `x > 5 ? x == 40 : x == 3`,
 * `x > 5 && x < 9 || x == 3`, do not have this form, in which
 *   - the bgt compares with the last constant of the first half, which is asked for there;
 *   - the halves have nothing in common but the one place that control comes to if no constant is
 *     equal: no way of one leads to the other;
 *   - up to three parts are asked in a row, more are halved, the first half being the smaller.
 *     A part is a constant, a range or a table.
 * Source: Roslyn's SwitchIntegralJumpTableEmitter, which has no name in metadata. */
#include "coverage/branches/rules.h"

#include "base/bytes.h"

enum {
    ROW_MAX = 3,     /* parts that are asked one after the other */
    HALVED_MAX = 32, /* times */
};

/* The comparison at the end of a block, with what it compares: key is the index of the instruction
 * that loads it. A bgt compares with `low`. */
struct key_test {
    uint32_t key;
    int64_t low, high; /* of a part */
    uint32_t yes, no;  /* the blocks that follow, past jumps */
    bool is_of_table;  /* the value is looked up in a table next */
};

struct constant_search {
    const struct branches *branches;
    const struct instr *key;
    uint32_t point;
    bool is_unsigned;
    uint32_t none; /* the block that follows if no constant is equal */
};

/* Parts that were found. */
struct found_parts {
    uint32_t count;
    int64_t low, high;
};

/* --- one comparison --------------------------------------------------------------------------- */

/* The index at which a constant begins that ends before instruction `end`, 0 if there is none. */
static uint32_t constant_before(int64_t *value, const struct il *il, uint32_t end)
{
    int32_t small = 0;
    uint32_t at = end - 1;
    if (end == 0)
        return 0;
    if (il->instrs[at].op == OP_LDC_I8) {
        *value = (int64_t)load_u64(il->code + il->instrs[at].offset + 1);
        return at;
    }
    bool widened = il->instrs[at].op == OP_CONV_I8 || il->instrs[at].op == OP_CONV_U8;
    if (widened && at-- == 0)
        return 0;
    if (!il_constant(&small, &il->instrs[at]))
        return 0;
    *value = il->instrs[at + 1].op == OP_CONV_U8 ? (int64_t)(uint32_t)small : small;
    return at;
}

/* Removes `ldc low; sub` before instruction `end`. */
static uint32_t before_sub(int64_t *low, const struct il *il, uint32_t end)
{
    *low = 0;
    return end != 0 && il->instrs[end - 1].op == OP_SUB ? constant_before(low, il, end - 1) : end;
}

static uint32_t way_of_test(const struct branches *branches, uint32_t n, bool taken)
{
    const struct block *block = &branches->flow->blocks[n];
    uint32_t last = block->first_edge + block->edge_count - 1;
    return flow_past_jumps(branches->flow,
                           branches->flow->edges[taken ? block->first_edge : last].to);
}

static bool set_test(struct key_test *out, const struct branches *branches, uint32_t n,
                     uint32_t end, bool yes)
{
    if (end <= branches->flow->blocks[n].first)
        return false;
    out->key = end - 1;
    out->yes = way_of_test(branches, n, yes);
    out->no = way_of_test(branches, n, !yes);
    return true;
}

/* x > low? */
static bool asks_for_order(struct key_test *out, const struct branches *branches, uint32_t n)
{
    const struct il *il = &branches->flow->il;
    uint32_t last = flow_last_instr(branches->flow, n);
    switch (il->instrs[last].op) {
    case OP_BGT:
    case OP_BGT_S:
    case OP_BGT_UN:
    case OP_BGT_UN_S:
        return set_test(out, branches, n, constant_before(&out->low, il, last), true);
    default:
        return false;
    }
}

/* low <= x && x <= high? A table of 64 bits is only asked for after that:
 *     ldloc x; ldc low; sub; dup; ldc size; ble.un T; pop; br NO; T: conv.u4; switch */
static bool asks_for_range(struct key_test *out, const struct branches *branches, uint32_t n,
                           bool yes)
{
    const struct flow *flow = branches->flow;
    int64_t size = 0;
    uint32_t end = constant_before(&size, &flow->il, flow_last_instr(flow, n));
    out->is_of_table = end != 0 && flow->il.instrs[end - 1].op == OP_DUP;
    end = before_sub(&out->low, &flow->il, end - out->is_of_table);
    out->high = out->low + size;
    if (!set_test(out, branches, n, end, yes))
        return false;
    if (out->is_of_table && flow->blocks[out->no].edge_count == 1)
        out->no = way_of_test(branches, out->no, true);
    return true;
}

static bool asks_for_table(struct key_test *out, const struct branches *branches, uint32_t n)
{
    const struct instr *instrs = branches->flow->il.instrs;
    uint32_t end = flow_last_instr(branches->flow, n);
    end -= end != 0 && instrs[end - 1].op == OP_CONV_U4;
    end = before_sub(&out->low, &branches->flow->il, end);
    out->high = out->low + branches->flow->blocks[n].edge_count;
    return set_test(out, branches, n, end, true);
}

/* Does the branch ask for a constant, a range or a table? */
static bool asks_for_part(struct key_test *out, const struct branches *branches, uint32_t n)
{
    const struct il *il = &branches->flow->il;
    uint32_t last = flow_last_instr(branches->flow, n);
    uint8_t op = il->instrs[last].op;
    *out = (struct key_test){.low = 0};
    switch (op) {
    case OP_BRFALSE:
    case OP_BRFALSE_S:
    case OP_BRTRUE:
    case OP_BRTRUE_S:
        return set_test(out, branches, n, last, op == OP_BRFALSE || op == OP_BRFALSE_S);
    case OP_BEQ:
    case OP_BEQ_S:
    case OP_BNE_UN:
    case OP_BNE_UN_S:
        last = constant_before(&out->low, il, last);
        out->high = out->low;
        return set_test(out, branches, n, last, op == OP_BEQ || op == OP_BEQ_S);
    case OP_BLE_UN:
    case OP_BLE_UN_S:
    case OP_BGT_UN:
    case OP_BGT_UN_S:
        return asks_for_range(out, branches, n, op == OP_BLE_UN || op == OP_BLE_UN_S);
    case OP_SWITCH:
        return asks_for_table(out, branches, n);
    default:
        return false;
    }
}

/* --- the search ------------------------------------------------------------------------------- */

static bool is_key_below(const struct constant_search *s, int64_t a, int64_t b)
{
    return s->is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

/* Does the test begin its block, look for the same value, and have the same statement? */
static bool belongs_to_search(const struct constant_search *s, uint32_t n,
                              const struct key_test *test)
{
    const struct branches *branches = s->branches;
    return test->key == branches->flow->blocks[n].first &&
           branches->map.at[test->key] == s->point &&
           il_loads_the_same(&branches->flow->il.instrs[test->key], s->key);
}

static bool finds_parts(const struct constant_search *s, struct found_parts *out, uint32_t n,
                        unsigned halved);

static bool finds_row(const struct constant_search *s, struct found_parts *out, uint32_t n)
{
    struct key_test test;
    for (out->count = 0; n != s->none; out->count++, n = test.no) {
        if (out->count == ROW_MAX || !asks_for_part(&test, s->branches, n) ||
            !belongs_to_search(s, n, &test) ||
            (out->count != 0 && !is_key_below(s, out->high, test.low)))
            return false;
        if (out->count == 0)
            out->low = test.low;
        out->high = test.high;
    }
    return out->count != 0;
}

static bool finds_halves(const struct constant_search *s, struct found_parts *out,
                         const struct key_test *test, unsigned halved)
{
    struct found_parts first, second;
    if (!finds_parts(s, &first, test->no, halved + 1) || first.high != test->low ||
        !finds_parts(s, &second, test->yes, halved + 1) || !is_key_below(s, test->low, second.low))
        return false;
    *out = (struct found_parts){first.count + second.count, first.low, second.high};
    return out->count > ROW_MAX && first.count == out->count / 2;
}

static bool finds_parts(const struct constant_search *s, struct found_parts *out, uint32_t n,
                        unsigned halved)
{
    struct key_test test;
    if (halved < HALVED_MAX && asks_for_order(&test, s->branches, n) &&
        belongs_to_search(s, n, &test) && finds_halves(s, out, &test, halved))
        return true;
    return finds_row(s, out, n);
}

/* Where the search ends if nothing is found is not known before: it is one of the ways out of its
 * first row. */
bool search_halves(const struct branches *branches, uint32_t n)
{
    struct key_test root = {.low = 0}, test;
    struct found_parts parts;
    if (!asks_for_order(&root, branches, n))
        return false;
    uint32_t last = flow_last_instr(branches->flow, n), first = root.no;
    uint8_t op = branches->flow->il.instrs[last].op;
    struct constant_search s = {.branches = branches,
                                .key = &branches->flow->il.instrs[root.key],
                                .point = branches->map.at[last],
                                .is_unsigned = op == OP_BGT_UN || op == OP_BGT_UN_S};
    if (il_loaded_local(s.key) == NO_INDEX && il_loaded_arg(s.key) == NO_INDEX)
        return false;
    for (unsigned i = 0; i < HALVED_MAX && asks_for_order(&test, branches, first) &&
                         belongs_to_search(&s, first, &test);
         i++)
        first = test.no;
    for (unsigned i = 0; i < ROW_MAX && asks_for_part(&test, branches, first) &&
                         belongs_to_search(&s, first, &test);
         i++) {
        s.none = first = test.no;
        if (finds_halves(&s, &parts, &root, 0))
            return true;
    }
    return false;
}

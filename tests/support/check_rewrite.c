#include "tests/support/check_rewrite.h"

#include <string.h>

#include "metadata/lookup.h"

enum {
    ELEMENT_PROBE_MAX = 32, /* instructions of a probe */
    SYMBOLS_MAX = 4,
    PASSED_MAX = 8 /* counters between two old instructions */
};

#define NONE          UINT32_MAX
#define DEPTH_UNKNOWN UINT32_MAX

enum role {
    ROLE_OLD,   /* an instruction of the old body */
    ROLE_ENTRY, /* computes the base */
    ROLE_PROBE,
    ROLE_VALUE, /* the branching around two probes that tells true from false */
    ROLE_GLUE,  /* a `br` around stubs or out of one */
};

/* What was put between two old instructions: a probe, a pair of them around a value, a `br`. */
struct element {
    uint32_t first, end; /* new instructions */
    enum role role;
    uint32_t counter; /* of a pair the first */
};

struct checker {
    const struct flow *flow;
    const struct plan *plan;
    const struct probe_form *form;
    struct il_body body; /* the new ones */
    struct il il;
    uint8_t *role;        /* of each new instruction */
    uint32_t *element_of; /* likewise; NONE for old ones */
    uint32_t *home;       /* of each old instruction: its index in the new code */
    uint32_t *landing;    /* of each block: where control enters it; one more: the end */
    struct element *elements;
    uint32_t element_count;
    uint8_t *seen; /* of each counter: how many probes add to it */
    struct err *err;
};

static bool wrong(const struct checker *c, uint32_t new_index, const char *what)
{
    uint32_t offset = new_index < c->il.count ? c->il.instrs[new_index].offset : c->il.code_size;
    return err_set(c->err, ERR_MISMATCH, "new IL_%04x: %s", (unsigned)offset, what);
}

static const struct instr *new_instr(const struct checker *c, uint32_t index)
{
    static const struct instr none = {.op = OP_INVALID};
    return index < c->il.count ? &c->il.instrs[index] : &none;
}

static bool is_last(const struct checker *c, uint32_t block, uint32_t old)
{
    return c->flow->blocks[block].end - 1 == old;
}

static bool forks(const struct block *block)
{
    return block->exit == FLOW_CONDITION || block->exit == FLOW_SWITCH;
}

/* --- what a probe does ------------------------------------------------------------------------ */

/* A number that a probe has on the stack: constant + bases * base, or a counter's value plus
 * constant. */
struct symbol {
    uint64_t constant;
    unsigned bases;
    uint32_t loaded; /* from this counter, or NONE */
    bool is_int32;   /* may only be added to a native int (III.1.5), and is no address */
};

struct symbols {
    struct symbol items[SYMBOLS_MAX];
    unsigned depth;
};

static bool push(struct symbols *s, struct symbol symbol)
{
    if (s->depth == SYMBOLS_MAX)
        return false;
    s->items[s->depth++] = symbol;
    return true;
}

static bool push_constant(struct symbols *s, uint64_t constant)
{
    return push(s, (struct symbol){.constant = constant, .loaded = NONE});
}

static bool push_int32(struct symbols *s, uint32_t constant)
{
    if (constant > INT32_MAX) /* it would be extended with its sign */
        return false;
    return push(s, (struct symbol){.constant = constant, .loaded = NONE, .is_int32 = true});
}

static bool widen(struct symbols *s)
{
    if (s->depth == 0 || !s->items[s->depth - 1].is_int32)
        return false;
    s->items[s->depth - 1].is_int32 = false;
    return true;
}

/* The local that keeps the base from the entry on; NONE: there is none. */
static uint32_t base_local(const struct checker *c)
{
    return probe_form_shards(c->form) ? c->form->anchor.base_local : NONE;
}

/* The counter whose address the symbol is, or NONE. */
static uint32_t counter_at(const struct checker *c, struct symbol symbol)
{
    uint64_t size = mode_counter_size(c->form->mode);
    uint64_t distance = symbol.constant - c->form->counters; /* wraps below the first */
    if (symbol.is_int32 || symbol.loaded != NONE ||
        symbol.bases != (probe_form_shards(c->form) ? 1u : 0u) || distance % size != 0 ||
        distance / size >= c->plan->counter_count)
        return NONE;
    return (uint32_t)(distance / size);
}

static bool add_symbols(struct symbols *s)
{
    if (s->depth < 2)
        return false;
    struct symbol right = s->items[--s->depth], *left = &s->items[s->depth - 1];
    if (left->loaded != NONE && right.loaded != NONE)
        return false;
    if ((right.is_int32 && left->bases == 0) || (left->is_int32 && right.bases == 0))
        return false;
    left->is_int32 = false;
    left->constant += right.constant;
    left->bases += right.bases;
    if (left->loaded == NONE)
        left->loaded = right.loaded;
    return true;
}

static bool load_symbol(const struct checker *c, struct symbols *s)
{
    uint32_t counter = s->depth != 0 ? counter_at(c, s->items[s->depth - 1]) : NONE;
    if (counter == NONE)
        return false;
    s->items[s->depth - 1] = (struct symbol){.loaded = counter};
    return true;
}

/* The counter that a store or call at the end of a probe adds 1 to, or NONE. */
static uint32_t counter_of_end(const struct checker *c, const struct symbols *s,
                               const struct instr *instr)
{
    if (s->depth != 2)
        return NONE;
    uint32_t counter = counter_at(c, s->items[0]);
    struct symbol value = s->items[1];
    bool adds = false;
    if (c->form->calls || c->form->mode == MODE_EXACT)
        adds = instr->op == OP_CALLI && !value.is_int32 && value.loaded == NONE &&
               value.bases == 0 && value.constant == c->form->function &&
               instr->operand == c->form->function_sig;
    else if (c->form->mode == MODE_COUNT)
        adds = instr->op == OP_STIND_I8 && !value.is_int32 && value.loaded == counter &&
               value.bases == 0 && value.constant == 1;
    else
        adds = instr->op == OP_STIND_I1 && value.loaded == NONE && value.bases == 0 &&
               value.constant == 1;
    return adds ? counter : NONE;
}

/* One instruction of a probe; false when no probe has it. */
static bool step_probe(const struct checker *c, struct symbols *s, const struct instr *instr)
{
    switch (instr->op) {
    case OP_LDC_I8:
        return push_constant(s, load_u64(c->il.code + instr->offset + 1));
    case OP_LDC_I4:
        return push_int32(s, instr->operand);
    case OP_LDC_I4_1:
        return push_int32(s, 1);
    case OP_CONV_U:
    case OP_CONV_I8:
        return widen(s);
    case OP_DUP:
        return s->depth != 0 && push(s, s->items[s->depth - 1]);
    case OP_ADD:
        return add_symbols(s);
    case OP_LDIND_I8:
        return load_symbol(c, s);
    default:
        return base_local(c) != NONE && il_loaded_local(instr) == base_local(c) &&
               push(s, (struct symbol){.bases = 1, .loaded = NONE});
    }
}

/* Is there a constant of this value? Then the next instruction is *next. */
static bool read_constant(const struct checker *c, uint32_t index, uint64_t value, uint32_t *next)
{
    const struct instr *instr = new_instr(c, index);
    *next = index + 1;
    return (instr->op == OP_LDC_I8 && load_u64(c->il.code + instr->offset + 1) == value) ||
           (instr->op == OP_LDC_I4 && value <= INT32_MAX && instr->operand == value);
}

static bool is_variable(const struct instr *instr, enum opcode short_op, enum opcode long_op,
                        uint32_t number)
{
    return (instr->op == short_op || instr->op == long_op) && instr->operand == number;
}

/* Does what may move to another thread add a 0: ldc table - 8; conv.u; ldind.i; add? */
static bool read_zero(const struct checker *c, uint32_t *next)
{
    uint32_t first = *next;
    if (!flow_is_async(c->flow) || !c->flow->context.md->optimised)
        return true;
    if (!read_constant(c, first, c->form->shard_table - 8, next))
        return false;
    *next += new_instr(c, *next)->op == OP_CONV_U;
    *next += 2;
    return new_instr(c, *next - 2)->op == OP_LDIND_I && new_instr(c, *next - 1)->op == OP_ADD;
}

/* ldloca anchor; conv.u; [zero;] ldc.i4.s 14; shr.un; [ldc chunks; and;] ldc.i4.3; shl; ldc table;
 * add; ldind.i */
static bool read_lookup(const struct checker *c, uint32_t first, uint32_t *next)
{
    const struct anchor *anchor = &c->form->anchor;
    uint32_t shift = first + 2, next_of;
    bool is_local = anchor->kind == ANCHOR_LOCAL;
    if (!probe_form_shards(c->form) ||
        !is_variable(new_instr(c, first), is_local ? OP_LDLOCA_S : OP_LDARGA_S,
                     is_local ? OP_LDLOCA : OP_LDARGA, anchor->variable) ||
        new_instr(c, first + 1)->op != OP_CONV_U || !read_zero(c, &shift))
        return false;
    uint32_t n = shift + (c->form->shard_chunks != 0 ? 4 : 2);
    *next = n + 5;
    return new_instr(c, shift)->op == OP_LDC_I4_S &&
           c->il.code[new_instr(c, shift)->offset + 1] == 14 &&
           new_instr(c, shift + 1)->op == OP_SHR_UN &&
           (c->form->shard_chunks == 0 ||
            (read_constant(c, shift + 2, c->form->shard_chunks, &next_of) &&
             new_instr(c, shift + 3)->op == OP_AND)) &&
           new_instr(c, n)->op == OP_LDC_I4_3 && new_instr(c, n + 1)->op == OP_SHL &&
           read_constant(c, n + 2, c->form->shard_table, &next_of) &&
           new_instr(c, n + 3)->op == OP_ADD && new_instr(c, n + 4)->op == OP_LDIND_I;
}

static bool read_plain_probe(const struct checker *c, uint32_t first, uint32_t *end,
                             uint32_t *counter);

/* ldc address; ldind.u1; brtrue N; before a probe of the same counter, whose end is N */
static bool read_looking_probe(const struct checker *c, uint32_t first, uint32_t *end,
                               uint32_t *counter)
{
    uint32_t look = first + 1 + (new_instr(c, first)->op == OP_LDC_I4); /* after its conv.u */
    return new_instr(c, look)->op == OP_LDIND_U1 && new_instr(c, look + 1)->op == OP_BRTRUE &&
           read_plain_probe(c, look + 2, end, counter) &&
           read_constant(c, first, c->form->counters + *counter, &first) &&
           (first == look || new_instr(c, first)->op == OP_CONV_U) &&
           new_instr(c, look + 1)->operand == *end;
}

/* Is there a probe at `first`? Then it ends before *end and adds 1 to *counter. */
static bool read_probe(const struct checker *c, uint32_t first, uint32_t *end, uint32_t *counter)
{
    return (c->form->looks_first ? read_looking_probe : read_plain_probe)(c, first, end, counter);
}

static bool read_plain_probe(const struct checker *c, uint32_t first, uint32_t *end,
                             uint32_t *counter)
{
    struct symbols s = {.depth = 0};
    for (uint32_t i = first; i < c->il.count && i - first < ELEMENT_PROBE_MAX;) {
        const struct instr *instr = new_instr(c, i);
        uint32_t found = counter_of_end(c, &s, instr);
        if (found != NONE) {
            *end = i + 1;
            *counter = found;
            return true;
        }
        uint32_t next = i + 1;
        bool looks_up = base_local(c) == NONE && read_lookup(c, i, &next);
        if (looks_up ? !push(&s, (struct symbol){.bases = 1, .loaded = NONE})
                     : !step_probe(c, &s, instr))
            return false;
        i = looks_up ? next : i + 1;
    }
    return false;
}

/* dup; brtrue T; <probe of false>; br N; T: <probe of true>; N: */
static bool read_value_probe(const struct checker *c, uint32_t first, struct element *out)
{
    uint32_t to_next = 0, after = 0, on_false = 0, on_true = 0;
    if (new_instr(c, first)->op != OP_DUP || new_instr(c, first + 1)->op != OP_BRTRUE ||
        !read_probe(c, first + 2, &to_next, &on_false) || new_instr(c, to_next)->op != OP_BR ||
        new_instr(c, first + 1)->operand != to_next + 1 ||
        !read_probe(c, to_next + 1, &after, &on_true) || new_instr(c, to_next)->operand != after)
        return false;
    *out = (struct element){first, after, ROLE_VALUE, on_false};
    return on_true == on_false + 1;
}

/* --- what is what ----------------------------------------------------------------------------- */

/* The lookup, and where the base is kept. */
static bool read_entry(struct checker *c, uint32_t *next)
{
    if (base_local(c) == NONE || c->plan->counter_count == 0)
        return true;
    if (!read_lookup(c, 0, next) || il_stored_local(new_instr(c, *next)) != base_local(c))
        return wrong(c, 0, "the entry sequence is not what computes the base");
    *next += 1;
    memset(c->role, ROLE_ENTRY, *next);
    return true;
}

static uint8_t long_branch(uint8_t op)
{
    static const uint8_t forms[][2] = {
        {OP_BR_S, OP_BR},         {OP_BRFALSE_S, OP_BRFALSE}, {OP_BRTRUE_S, OP_BRTRUE},
        {OP_BEQ_S, OP_BEQ},       {OP_BGE_S, OP_BGE},         {OP_BGT_S, OP_BGT},
        {OP_BLE_S, OP_BLE},       {OP_BLT_S, OP_BLT},         {OP_BNE_UN_S, OP_BNE_UN},
        {OP_BGE_UN_S, OP_BGE_UN}, {OP_BGT_UN_S, OP_BGT_UN},   {OP_BLE_UN_S, OP_BLE_UN},
        {OP_BLT_UN_S, OP_BLT_UN}, {OP_LEAVE_S, OP_LEAVE},
    };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (forms[i][0] == op)
            return forms[i][1];
    return op;
}

static bool has_target(const struct instr *instr)
{
    return il_info(instr)->operand == OPERAND_TARGET8 ||
           il_info(instr)->operand == OPERAND_TARGET32;
}

/* The same instruction, apart from where it branches to? */
static bool is_same(const struct checker *c, const struct instr *old, const struct instr *new)
{
    const uint8_t *old_bytes = c->flow->il.code + old->offset;
    const uint8_t *new_bytes = c->il.code + new->offset;
    if (new->op == OP_INVALID)
        return false;
    if (has_target(old))
        return new->op == old->op || new->op == long_branch(old->op);
    size_t len = il_info(old)->operand == OPERAND_SWITCH ? 5 : old->len;
    return new->len == old->len &&memcmp(old_bytes, new_bytes, len) == 0;
}

static uint32_t stub_count(const struct checker *c, const struct block *block)
{
    uint32_t count = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        count += c->flow->edges[e].taken && c->plan->edge_counter[e] != NO_INDEX;
    return forks(block) ? count : 0;
}

static bool read_element(const struct checker *c, uint32_t at, bool may_be_glue,
                         struct element *out)
{
    *out = (struct element){at, at + 1, ROLE_PROBE, NONE};
    if (read_value_probe(c, at, out))
        return true;
    *out = (struct element){at, at + 1, ROLE_PROBE, NONE};
    if (read_probe(c, at, &out->end, &out->counter))
        return true;
    out->role = ROLE_GLUE;
    return may_be_glue && new_instr(c, at)->op == OP_BR;
}

static bool add_element(struct checker *c, const struct element *element)
{
    c->elements[c->element_count] = *element;
    for (uint32_t i = element->first; i < element->end; i++) {
        c->role[i] = (uint8_t)element->role;
        c->element_of[i] = c->element_count;
    }
    c->element_count++;
    for (uint32_t n = 0; n < (element->role == ROLE_VALUE ? 2 : element->role == ROLE_PROBE); n++)
        if (c->seen[element->counter + n]++ != 0)
            return wrong(c, element->first, "a counter is added to in a second place");
    return true;
}

/* How many elements belong to the start of a block: they are the last before its first
 * instruction. */
static uint32_t arrival_elements(const struct checker *c, uint32_t n)
{
    const struct block *block = &c->flow->blocks[n];
    uint32_t count = c->plan->block_counter[n] != NO_INDEX;
    bool jumps = block->exit != FLOW_NEXT;
    bool one = block->end - block->first == 1;
    if (block->bool_store != block->first && (!one || !jumps))
        return count;
    count += c->plan->value_counter[n] != NO_INDEX;
    jumps = jumps && one;
    return !jumps ? count
                  : count + (block->edge_count == 1 && !forks(block) &&
                             c->plan->edge_counter[block->first_edge] != NO_INDEX);
}

/* Elements [first_element, element_count) lie before the first instruction of block `n`. */
static bool find_landing(struct checker *c, uint32_t n, uint32_t first_element, uint32_t at)
{
    uint32_t count = arrival_elements(c, n);
    if (count > c->element_count - first_element)
        return wrong(c, at, "a probe is missing at the start of a block");
    c->landing[n] = count != 0 ? c->elements[c->element_count - count].first : at;
    return true;
}

/* Goes through the new code from the start to the end and finds each old instruction in it. */
static bool align(struct checker *c)
{
    const struct flow *flow = c->flow;
    uint32_t at = 0, n = 0, glue_left = 0;
    if (!read_entry(c, &at))
        return false;
    for (uint32_t i = 0; i <= flow->il.count; i++) {
        struct element element;
        uint32_t first_element = c->element_count;
        while (at < c->il.count && read_element(c, at, glue_left != 0, &element)) {
            glue_left -= element.role == ROLE_GLUE;
            if (!add_element(c, &element))
                return false;
            at = element.end;
        }
        if (glue_left != 0)
            return wrong(c, at, "a stub is missing after a condition");
        if (i == flow->il.count)
            break;
        if (flow->blocks[n].first == i && !find_landing(c, n, first_element, at))
            return false;
        if (!is_same(c, &flow->il.instrs[i], new_instr(c, at)))
            return wrong(c, at, "this is neither the old instruction nor a probe");
        c->home[i] = at++;
        if (!is_last(c, n, i))
            continue;
        uint32_t stubs = stub_count(c, &flow->blocks[n]);
        glue_left = stubs != 0 ? stubs + 1 : 0;
        n++;
    }
    c->landing[flow->block_count] = c->il.count;
    return at == c->il.count || wrong(c, at, "there is code after the last instruction");
}

/* --- what control passes ---------------------------------------------------------------------- */

/* The counters that are added to on a way; of a value's pair the first, with a mark. */
struct passed {
    uint64_t items[PASSED_MAX];
    uint32_t count;
};

#define VALUE_MARK (UINT64_C(1) << 32)

static void pass(struct passed *p, uint32_t counter, uint64_t mark)
{
    if (counter != NO_INDEX && p->count < PASSED_MAX)
        p->items[p->count++] = counter | mark;
}

/* From a place in the new code to the next old instruction, whose home is *reached. */
static bool follow(const struct checker *c, uint32_t at, uint32_t *reached, struct passed *passed)
{
    *passed = (struct passed){.count = 0};
    for (unsigned steps = 0; steps < 2 * PASSED_MAX && at < c->il.count; steps++) {
        *reached = at;
        if (c->role[at] == ROLE_OLD)
            return true;
        if (c->role[at] == ROLE_ENTRY)
            return wrong(c, at, "control comes to the entry sequence again");
        const struct element *element = &c->elements[c->element_of[at]];
        if (element->first != at)
            return wrong(c, at, "control comes into the middle of a probe");
        if (element->role != ROLE_GLUE)
            pass(passed, element->counter, element->role == ROLE_VALUE ? VALUE_MARK : 0);
        at = element->role == ROLE_GLUE ? new_instr(c, at)->operand : element->end;
    }
    return wrong(c, at, "control does not come back to the old code");
}

/* What stands before the jump that ends a block, or behind a block without one. */
static void pass_end(const struct checker *c, struct passed *p, uint32_t n)
{
    const struct block *block = &c->flow->blocks[n];
    if (block->bool_store == NO_INDEX)
        pass(p, c->plan->value_counter[n], VALUE_MARK);
    if (block->edge_count == 1 && !forks(block))
        pass(p, c->plan->edge_counter[block->first_edge], 0);
}

static void pass_edge(const struct checker *c, struct passed *p, uint32_t n, uint32_t to_old,
                      bool taken)
{
    const struct block *block = &c->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct edge *edge = &c->flow->edges[e];
        if (edge->taken == taken && c->flow->blocks[edge->to].first == to_old)
            pass(p, c->plan->edge_counter[e], 0);
    }
}

static void pass_arrival(const struct checker *c, struct passed *p, uint32_t old)
{
    uint32_t n = flow_block_of(c->flow, old);
    if (c->flow->blocks[n].first == old)
        pass(p, c->plan->block_counter[n], 0);
    if (is_last(c, n, old) && c->flow->blocks[n].exit != FLOW_NEXT)
        pass_end(c, p, n);
    if (c->flow->blocks[n].bool_store == old)
        pass(p, c->plan->value_counter[n], VALUE_MARK);
}

static bool passes_the_same(const struct passed *a, const struct passed *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->count; k++)
            found |= a->items[i] == b->items[k];
        if (!found)
            return false;
    }
    return true;
}

static bool check_way(const struct checker *c, uint32_t start, uint32_t to_old,
                      const struct passed *expected)
{
    struct passed passed;
    uint32_t reached = 0;
    if (!follow(c, start, &reached, &passed))
        return false;
    if (reached != c->home[to_old])
        return wrong(c, start, "control goes to another instruction than before");
    return passes_the_same(&passed, expected) ||
           wrong(c, start, "this way does not pass the probes that it should");
}

/* From old instruction `i` to `to`: by a branch that leads to `start`, or by running on. */
static bool check_step(const struct checker *c, uint32_t i, uint32_t start, uint32_t to, bool taken)
{
    struct passed expected = {.count = 0};
    uint32_t n = flow_block_of(c->flow, i);
    const struct block *block = &c->flow->blocks[n];
    if (is_last(c, n, i) && block->exit == FLOW_NEXT)
        pass_end(c, &expected, n);
    else if (is_last(c, n, i) && forks(block))
        pass_edge(c, &expected, n, to, taken);
    pass_arrival(c, &expected, to);
    return check_way(c, start, to, &expected);
}

static bool check_steps(const struct checker *c, uint32_t i)
{
    const struct il *old_il = &c->flow->il;
    const struct instr *old = &old_il->instrs[i], *new = new_instr(c, c->home[i]);
    uint8_t flow = il_info(old)->flow;
    bool runs_on =
        flow == FLOW_NEXT || flow == FLOW_PREFIX || flow == FLOW_CONDITION || flow == FLOW_SWITCH;
    if (runs_on && i + 1 < old_il->count && !check_step(c, i, c->home[i] + 1, i + 1, false))
        return false;
    if (has_target(old))
        return check_step(c, i, new->operand, old->operand, true);
    if (flow != FLOW_SWITCH)
        return true;
    const uint32_t *from = &old_il->targets[old->operand], *to = &c->il.targets[new->operand];
    for (uint32_t k = 1; k <= from[0]; k++)
        if (!check_step(c, i, to[k], from[k], true))
            return false;
    return true;
}

static bool check_all_ways(const struct checker *c)
{
    struct passed expected = {.count = 0};
    uint32_t entry = 0;
    while (entry < c->il.count && c->role[entry] == ROLE_ENTRY)
        entry++;
    pass_arrival(c, &expected, 0);
    if (!check_way(c, entry, 0, &expected))
        return false;
    for (uint32_t i = 0; i < c->flow->il.count; i++)
        if (!check_steps(c, i))
            return false;
    for (uint32_t k = 0; k < c->plan->counter_count; k++)
        if (c->seen[k] != 1)
            return err_set(c->err, ERR_MISMATCH, "counter %u has no probe", (unsigned)k);
    return true;
}

/* --- what must stay together ------------------------------------------------------------------ */

static bool is_call(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_CALLI;
}

static bool is_own_generic_type(const struct checker *c, uint32_t parent)
{
    const struct metadata *md = c->flow->context.md;
    uint32_t own = owner_of_method(md, c->flow->context.method_rid);
    if (TOKEN_TABLE(parent) != TABLE_TypeSpec)
        return false;
    struct view blob =
        heap_blob(md, tables_get(&md->tables, COL_TypeSpec_Signature, TOKEN_RID(parent)));
    struct reader r = rd_view(blob);
    bool generic = rd_u8(&r) == ELEMENT_GENERICINST;
    (void)rd_u8(&r);
    return generic && rd_compressed(&r) == own << 2; /* II.23.2.8: tag 0 is TypeDef */
}

/* Does old instruction `i` call the method that it is in? */
static bool calls_itself(const struct checker *c, uint32_t i)
{
    const struct metadata *md = c->flow->context.md;
    const struct tables *t = &md->tables;
    uint32_t own = c->flow->context.method_rid, token = c->flow->il.instrs[i].operand;
    if (c->flow->il.instrs[i].op == OP_CALLI)
        return false;
    if (TOKEN_TABLE(token) == TABLE_MethodSpec)
        token = coded_to_token(CODED_METHOD_DEF_OR_REF,
                               tables_get(t, COL_MethodSpec_Method, TOKEN_RID(token)));
    if (TOKEN_TABLE(token) != TABLE_MemberRef)
        return token == TOKEN(TABLE_MethodDef, own);
    uint32_t rid = TOKEN_RID(token);
    uint32_t parent =
        coded_to_token(CODED_MEMBER_REF_PARENT, tables_get(t, COL_MemberRef_Class, rid));
    struct view its = heap_blob(md, tables_get(t, COL_MemberRef_Signature, rid));
    struct view mine = heap_blob(md, tables_get(t, COL_MethodDef_Signature, own));
    return is_own_generic_type(c, parent) && its.len == mine.len &&
           memcmp(its.data, mine.data, its.len) == 0 &&
           str_eq(heap_string(md, tables_get(t, COL_MemberRef_Name, rid)),
                  heap_string(md, tables_get(t, COL_MethodDef_Name, own)));
}

/* Is old instruction `i` a call that the JIT may turn into a jump, if `ret` follows? */
static bool is_tail_call(const struct checker *c, uint32_t i)
{
    const struct il *il = &c->flow->il;
    if (!is_call(&il->instrs[i]))
        return false;
    for (uint32_t p = i; p != 0 && il_info(&il->instrs[p - 1])->flow == FLOW_PREFIX; p--)
        if (il->instrs[p - 1].op == OP_TAIL)
            return true;
    return calls_itself(c, i);
}

static bool check_neighbours(const struct checker *c)
{
    const struct il *il = &c->flow->il;
    for (uint32_t i = 0; i + 1 < il->count; i++) {
        bool together = il_info(&il->instrs[i])->flow == FLOW_PREFIX ||
                        (il->instrs[i + 1].op == OP_RET && is_tail_call(c, i));
        if (together && c->home[i + 1] != c->home[i] + 1)
            return wrong(c, c->home[i], "something follows a prefix or a tail call");
    }
    return true;
}

/* --- header, clauses, map --------------------------------------------------------------------- */

/* The place in the new code of a bound in the old one. */
static uint32_t new_bound(const struct checker *c, uint32_t old_offset)
{
    uint32_t old = c->flow->il.index_at[old_offset];
    uint32_t n = old == c->flow->il.count ? c->flow->block_count : flow_block_of(c->flow, old);
    uint32_t at = c->landing[n];
    return at < c->il.count ? c->il.instrs[at].offset : c->il.code_size;
}

static bool check_clause(const struct checker *c, uint32_t i)
{
    const struct eh_clause *old = &c->flow->body.clauses[i], *new = &c->body.clauses[i];
    bool same =
        new->flags == old->flags &&new->class_token == old->class_token &&new->try_offset ==
            new_bound(c, old->try_offset) &&
        new->try_offset + new->try_length == new_bound(c, old->try_offset + old->try_length) &&
        new->handler_offset == new_bound(c, old->handler_offset) &&
        new->handler_offset + new->handler_length ==
            new_bound(c, old->handler_offset + old->handler_length);
    if (old->flags == EH_FILTER) {
        uint32_t handler = c->flow->il.index_at[old->handler_offset];
        same = same && new->filter_offset == new_bound(c, old->filter_offset);
        /* III.3.34: endfilter is the filter's last instruction */
        if (c->flow->il.instrs[handler - 1].op == OP_ENDFILTER)
            same = same && c->landing[flow_block_of(c->flow, handler)] == c->home[handler - 1] + 1;
    }
    return same ||
           err_set(c->err, ERR_MISMATCH, "clause %u has other bounds than before", (unsigned)i);
}

static bool check_header(const struct checker *c)
{
    const struct il_body *old = &c->flow->body, *new = &c->body;
    uint32_t local_sig = probe_form_shards(c->form) ? c->form->anchor.local_sig : old->local_sig;
    if (new->tiny || new->local_sig != local_sig || new->init_locals != old->init_locals)
        return err_set(c->err, ERR_MISMATCH, "the new header has other locals than it should");
    if (old->tiny && new->init_locals)
        return err_set(c->err, ERR_MISMATCH, "a tiny header came to zero its locals");
    if (new->max_stack < old->max_stack)
        return err_set(c->err, ERR_MISMATCH, "the new body has less stack than the old one");
    if (new->clause_count != old->clause_count)
        return err_set(c->err, ERR_MISMATCH, "%u clauses became %u", (unsigned)old->clause_count,
                       (unsigned)new->clause_count);
    for (uint32_t i = 0; i < old->clause_count; i++)
        if (!check_clause(c, i))
            return false;
    return true;
}

/* Where begins what was put before old instruction `i`? */
static uint32_t probe_start(const struct checker *c, uint32_t i)
{
    uint32_t n = flow_block_of(c->flow, i);
    return c->flow->blocks[n].first == i ? c->landing[n] : c->home[i - 1] + 1;
}

static bool check_map(const struct checker *c, const struct rewritten *rewritten)
{
    const struct il *old = &c->flow->il;
    if (rewritten->map_count != old->count)
        return err_set(c->err, ERR_MISMATCH, "the offset map has %u rows for %u instructions",
                       (unsigned)rewritten->map_count, (unsigned)old->count);
    for (uint32_t i = 0; i < old->count; i++)
        if (rewritten->map[i].old_offset != old->instrs[i].offset ||
            rewritten->map[i].probe_offset != c->il.instrs[probe_start(c, i)].offset ||
            rewritten->map[i].new_offset != c->il.instrs[c->home[i]].offset)
            return wrong(c, c->home[i], "the offset map does not have this instruction");
    return true;
}

/* --- the evaluation stack --------------------------------------------------------------------- */

/* A body whose stack is followed: the new one, or the old one with no checker's roles. */
struct simulation {
    const struct checker *c;
    const struct il *il;
    const struct il_body *body;
    bool is_new;
    bool both_ways; /* of conditions on a constant too, as a JIT that does not fold constants */
    uint32_t *depth;
    uint32_t *work;
    uint32_t work_count;
};

static bool call_slots(const struct simulation *s, const struct instr *instr, uint32_t *pops,
                       uint32_t *pushes)
{
    struct method_sig sig;
    if (!sig_method(&sig, sig_of_call(s->c->flow->context.md, instr->operand), NULL))
        return false;
    bool has_this = (sig.flags & (SIG_HAS_THIS | SIG_EXPLICIT_THIS)) == SIG_HAS_THIS;
    bool gives = sig_first_element(sig.return_type) != ELEMENT_VOID;
    *pops = sig.param_count;
    if (instr->op == OP_NEWOBJ)
        *pushes = 1;
    else
        *pushes = gives;
    if (has_this && instr->op != OP_NEWOBJ)
        (*pops)++;
    if (instr->op == OP_CALLI)
        (*pops)++;
    return true;
}

/* Methods that the runtime suspends return what is in their task. */
static bool returns_value(const struct stack_context *context)
{
    enum element_type type = sig_first_element(context->sig.return_type);
    if ((context->impl_flags & IMPL_ASYNC) != 0)
        return type == ELEMENT_GENERICINST;
    return type != ELEMENT_VOID;
}

static bool slots(const struct simulation *s, uint32_t index, uint32_t *pops, uint32_t *pushes)
{
    const struct instr *instr = &s->il->instrs[index];
    const struct opcode_info *info = il_info(instr);
    *pops = info->pops;
    *pushes = info->pushes;
    if (s->is_new && s->c->role[index] != ROLE_OLD && instr->op == OP_CALLI) {
        *pops = 2; /* void(native int) and its address */
        *pushes = 0;
        return true;
    }
    if (instr->op == OP_RET)
        *pops = returns_value(&s->c->flow->context);
    else if (info->pops == STACK_VARIES)
        return call_slots(s, instr, pops, pushes);
    return true;
}

static bool reach(struct simulation *s, uint32_t index, uint32_t depth)
{
    if (index >= s->il->count)
        return false;
    if (s->depth[index] == DEPTH_UNKNOWN) {
        s->depth[index] = depth;
        s->work[s->work_count++] = index;
    }
    return s->depth[index] == depth;
}

/* Which ways of a condition the flow graph has: bit 0 running on, bit 1 branching. */
static unsigned ways_of_condition(const struct simulation *s, uint32_t index)
{
    uint32_t old = index;
    if (s->is_new) {
        if (s->c->role[index] != ROLE_OLD)
            return 3;
        uint32_t low = 0, high = s->c->flow->il.count;
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            if (s->c->home[middle] <= index)
                low = middle;
            else
                high = middle;
        }
        old = low;
    }
    const struct block *block = &s->c->flow->blocks[flow_block_of(s->c->flow, old)];
    if (s->both_ways || block->edge_count != 1)
        return 3;
    return s->c->flow->edges[block->first_edge].taken ? 2 : 1;
}

static bool simulate_one(struct simulation *s, uint32_t index)
{
    const struct instr *instr = &s->il->instrs[index];
    const struct opcode_info *info = il_info(instr);
    uint32_t depth = s->depth[index], pops = 0, pushes = 0;
    if (!slots(s, index, &pops, &pushes) || pops > depth ||
        depth - pops + pushes > s->body->max_stack)
        return false;
    depth = info->flow == FLOW_LEAVE ? 0 : depth - pops + pushes;
    unsigned ways = info->flow == FLOW_CONDITION ? ways_of_condition(s, index) : 3;
    bool ok = true;
    if (has_target(instr) && (ways & 2) != 0)
        ok = reach(s, instr->operand, depth);
    for (uint32_t k = 1; info->flow == FLOW_SWITCH && k <= s->il->targets[instr->operand]; k++)
        ok = ok && reach(s, s->il->targets[instr->operand + k], depth);
    bool runs_on = info->flow == FLOW_NEXT || info->flow == FLOW_PREFIX ||
                   info->flow == FLOW_SWITCH || info->flow == FLOW_CONDITION;
    return ok && (!runs_on || (ways & 1) == 0 || reach(s, index + 1, depth));
}

/* Does the stack balance? *at is where it does not. */
static bool simulate(struct simulation *s, uint32_t *at)
{
    bool ok = reach(s, 0, 0);
    for (uint32_t i = 0; i < s->body->clause_count; i++) {
        const struct eh_clause *clause = &s->body->clauses[i];
        uint32_t depth = clause->flags == EH_CATCH || clause->flags == EH_FILTER;
        ok = ok && reach(s, s->il->index_at[clause->handler_offset], depth);
        if (clause->flags == EH_FILTER)
            ok = ok && reach(s, s->il->index_at[clause->filter_offset], 1);
    }
    *at = 0;
    while (ok && s->work_count != 0) {
        *at = s->work[--s->work_count];
        ok = simulate_one(s, *at);
    }
    return ok;
}

static bool open_simulation(struct simulation *s, const struct checker *c, bool is_new,
                            bool both_ways, struct arena *arena)
{
    *s = (struct simulation){.c = c,
                             .il = is_new ? &c->il : &c->flow->il,
                             .body = is_new ? &c->body : &c->flow->body,
                             .is_new = is_new,
                             .both_ways = both_ways};
    s->depth = arena_raw(arena, s->il->count, sizeof *s->depth, c->err);
    s->work = arena_raw(arena, s->il->count, sizeof *s->work, c->err);
    if (s->depth == NULL || s->work == NULL)
        return false;
    memset(s->depth, 0xFF, s->il->count * sizeof *s->depth);
    return true;
}

static bool check_stack(const struct checker *c, struct arena *arena)
{
    struct simulation old, new;
    uint32_t at = 0;
    if (!open_simulation(&new, c, true, false, arena))
        return false;
    if (!simulate(&new, &at))
        return wrong(c, at, "the evaluation stack does not balance or grows too deep");
    /* A JIT also reads what stands behind conditions on constants. */
    if (!open_simulation(&old, c, false, true, arena) ||
        !open_simulation(&new, c, true, true, arena))
        return false;
    return !simulate(&old, &at) || simulate(&new, &at) ||
           wrong(c, at, "the evaluation stack balances only when constants are folded");
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool read_body(struct checker *c, struct view body, struct arena *arena)
{
    enum verdict verdict = body_parse(&c->body, body, arena);
    if (verdict == VERDICT_OK && c->body.whole.len != body.len)
        return err_set(c->err, ERR_MISMATCH, "the new body of %zu bytes ends at byte %zu", body.len,
                       c->body.whole.len);
    if (verdict == VERDICT_OK)
        verdict = il_decode(&c->il, &c->body, arena);
    return verdict == VERDICT_OK ||
           err_set(c->err, verdict == VERDICT_DECLINED_MEMORY ? ERR_MEMORY : ERR_MISMATCH,
                   "the new body can't be read: %s", verdict_text(verdict));
}

static bool alloc_checker(struct checker *c, struct arena *arena)
{
    c->role = ARENA_NEW(arena, uint8_t, c->il.count, c->err);
    c->element_of = arena_raw(arena, c->il.count, sizeof *c->element_of, c->err);
    c->elements = arena_raw(arena, c->il.count, sizeof *c->elements, c->err);
    c->home = arena_raw(arena, c->flow->il.count, sizeof *c->home, c->err);
    c->landing = arena_raw(arena, (size_t)c->flow->block_count + 1, sizeof *c->landing, c->err);
    c->seen = ARENA_NEW(arena, uint8_t, c->plan->counter_count, c->err);
    return c->role != NULL && c->element_of != NULL && c->elements != NULL && c->home != NULL &&
           c->landing != NULL && c->seen != NULL;
}

bool check_rewrite(const struct rewritten *rewritten, const struct flow *flow,
                   const struct plan *plan, const struct probe_form *form, struct arena *arena,
                   struct err *err)
{
    struct checker c = {.flow = flow, .plan = plan, .form = form, .err = err};
    return read_body(&c, rewritten->body, arena) && alloc_checker(&c, arena) && align(&c) &&
           check_all_ways(&c) && check_neighbours(&c) && check_header(&c) &&
           check_map(&c, rewritten) && check_stack(&c, arena);
}

static bool bodies_are_equal(const struct il_body *a, const struct il_body *b)
{
    bool same = a->code_size == b->code_size && a->max_stack == b->max_stack &&
                a->init_locals == b->init_locals && a->local_sig == b->local_sig &&
                a->clause_count == b->clause_count && memcmp(a->code, b->code, a->code_size) == 0;
    for (uint32_t i = 0; same && i < a->clause_count; i++) {
        const struct eh_clause *x = &a->clauses[i], *y = &b->clauses[i];
        same = x->flags == y->flags && x->try_offset == y->try_offset &&
               x->try_length == y->try_length && x->handler_offset == y->handler_offset &&
               x->handler_length == y->handler_length && x->class_token == y->class_token &&
               x->filter_offset == y->filter_offset;
    }
    return same;
}

static bool instructions_cover_the_code(const struct il *il)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < il->count; i++) {
        const struct opcode_info *info = il_info(&il->instrs[i]);
        const uint8_t *code = il->code + il->instrs[i].offset;
        bool same = info->code > 0xFF ? code[0] == info->code >> 8 && code[1] == (info->code & 0xFF)
                                      : code[0] == info->code;
        if (il->instrs[i].offset != end || !same || il->index_at[end] != i)
            return false;
        end += il->instrs[i].len;
    }
    return end == il->code_size;
}

bool check_round_trip(struct view body, struct arena *arena, struct err *err)
{
    struct il_body first, second;
    struct il il;
    enum verdict verdict = body_parse(&first, body, arena);
    if (verdict != VERDICT_OK)
        return true; /* nothing to compare */
    size_t len = body_written_len(&first, first.code_size);
    uint8_t *bytes = arena_raw(arena, len, 1, err);
    if (bytes == NULL)
        return false;
    struct writer w = wr_over(bytes, len);
    body_write(&w, &first, first.code, first.code_size);
    if (w.failed || w.len != len)
        return err_set(err, ERR_MISMATCH, "body_write wrote %zu of %zu bytes", w.len, len);
    if (body_parse(&second, (struct view){bytes, len}, arena) != VERDICT_OK ||
        second.whole.len != len || !bodies_are_equal(&first, &second))
        return err_set(err, ERR_MISMATCH, "the body is another one when it is read again");
    verdict = il_decode(&il, &first, arena);
    return verdict != VERDICT_OK || instructions_cover_the_code(&il) ||
           err_set(err, ERR_MISMATCH, "the instructions are not the bytes of the code");
}

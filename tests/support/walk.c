#include "tests/support/walk.h"

enum {
    STEPS_PATIENT = 3000, /* instructions before a walk takes the first way out */
    STEPS_MAX = 12000,    /* ... and before it is abandoned */
    NESTING_MAX = 32,     /* handlers within handlers */
    SLOTS_USUAL = 32,
    VARIABLES = 0x100, /* that are followed */
    VALUES_MAX = STEPS_MAX * 2 + 2 * VARIABLES + 0x10000,
};

#define NONE UINT32_MAX

/* A value, on the evaluation stack or in a variable. Its number stands for what it is; what
 * has been learned or decided of it on this way is in walker.known. */
struct slot {
    uint32_t number;
    bool not_null; /* a reference, surely not null */
    bool is_constant;
    int32_t constant;
    /* NONE, or of a bool: the value that it compares with null or 0, and whether it is true if that
     * is null or 0 */
    uint32_t compares;
    bool with_zero;
};

enum known {
    KNOWN_NOT,
    KNOWN_ZERO, /* null, false */
    KNOWN_OTHER,
};

/* How a stretch of execution ended. */
enum stop {
    STOP_END,
    STOP_ENDFINALLY,
    STOP_ENDFILTER,
    STOP_LOST
};

struct walker {
    const struct flow *flow;
    const struct plan *plan;
    struct err *err;
    bool failed; /* the method did what its flow graph says it can't */
    bool this_is_safe;
    uint64_t random;
    unsigned throw_odds; /* one in so many; 0: never */
    uint32_t steps, nesting;
    uint64_t thrown;
    struct slot *locals, *args; /* of the walk; numbers 0 to VARIABLES - 1 */
    bool local_escapes[VARIABLES], arg_escapes[VARIABLES];
    /* What the instruction before stored in a local, and which: it still has that, whoever has its
     * address. NONE: nothing. */
    struct slot just_stored;
    uint32_t just_stored_local;
    uint8_t *known;                               /* enum known, by number of the value */
    uint32_t values;                              /* numbers given */
    uint64_t *blocks, *edges, *counters, *excess; /* of the walk */
    uint64_t *all_blocks, *all_edges, *all_counters, *all_excess;
};

static uint32_t any_below(struct walker *w, uint32_t limit)
{
    w->random ^= w->random << 13; /* xorshift64 */
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)((w->random >> 32) % limit);
}

static const struct instr *instr_at(const struct walker *w, uint32_t i)
{
    return &w->flow->il.instrs[i];
}

static enum stop fail(struct walker *w, uint32_t i, const char *what)
{
    if (!w->failed)
        (void)err_set(w->err, ERR_MISMATCH, "IL_%04x: %s",
                      i < w->flow->il.count ? (unsigned)instr_at(w, i)->offset
                                            : (unsigned)w->flow->il.code_size,
                      what);
    w->failed = true;
    return STOP_LOST;
}

static bool in_hurry(const struct walker *w)
{
    return w->steps > STEPS_PATIENT;
}

/* --- values ----------------------------------------------------------------------------------- */

struct frame {
    struct slot *slots;
    uint32_t depth;
};

static struct slot *top(const struct frame *f)
{
    return &f->slots[f->depth - 1];
}

static bool changes_this(const struct il *il)
{
    for (uint32_t i = 0; i < il->count; i++) {
        const struct instr *instr = &il->instrs[i];
        bool by_number = instr->op == OP_STARG_S || instr->op == OP_STARG ||
                         instr->op == OP_LDARGA_S || instr->op == OP_LDARGA;
        if (by_number && instr->operand == 0)
            return true;
    }
    return false;
}

static struct slot new_value(struct walker *w)
{
    uint32_t number = w->values < VALUES_MAX - 1 ? w->values++ : VALUES_MAX - 1;
    w->known[number] = KNOWN_NOT; /* the last number is never known for long */
    return (struct slot){.number = number, .compares = NONE};
}

/* A variable whose address is taken may change at any time. */
static void find_addresses(struct walker *w)
{
    for (uint32_t i = 0; i < w->flow->il.count; i++) {
        const struct instr *instr = instr_at(w, i);
        bool of_arg = instr->op == OP_LDARGA || instr->op == OP_LDARGA_S;
        bool of_local = instr->op == OP_LDLOCA || instr->op == OP_LDLOCA_S;
        if ((of_arg || of_local) && instr->operand < VARIABLES)
            (of_arg ? w->arg_escapes : w->local_escapes)[instr->operand] = true;
    }
}

/* The variable that an instruction loads or stores, or NULL. */
static struct slot *variable_of(struct walker *w, const struct instr *instr, bool stores)
{
    uint32_t local = stores ? il_stored_local(instr) : il_loaded_local(instr);
    uint32_t arg = stores ? il_stored_arg(instr) : il_loaded_arg(instr);
    if (local < VARIABLES && !w->local_escapes[local])
        return &w->locals[local];
    if (arg < VARIABLES && !w->arg_escapes[arg])
        return &w->args[arg];
    return NULL;
}

/* Is the value neither null nor false nor 0? If that is open, it is decided here, and so is what it
 * says about another value. From then on it is known, also of a number, which is a reference only
 * in code that nobody can verify. */
static bool is_true(struct walker *w, const struct slot *slot)
{
    if (slot->is_constant || slot->not_null) {
        bool is = slot->not_null || slot->constant != 0;
        w->known[slot->number] = is ? KNOWN_OTHER : w->known[slot->number];
        return is;
    }
    if (w->known[slot->number] == KNOWN_NOT && slot->compares != NONE &&
        w->known[slot->compares] != KNOWN_NOT)
        w->known[slot->number] =
            (w->known[slot->compares] == KNOWN_ZERO) == slot->with_zero ? KNOWN_OTHER : KNOWN_ZERO;
    if (w->known[slot->number] == KNOWN_NOT)
        w->known[slot->number] = any_below(w, 2) != 0 ? KNOWN_OTHER : KNOWN_ZERO;
    bool is = w->known[slot->number] == KNOWN_OTHER;
    if (slot->compares != NONE)
        w->known[slot->compares] = is == slot->with_zero ? KNOWN_ZERO : KNOWN_OTHER;
    return is;
}

/* What an instruction pushes, as far as it matters here; it popped what is at `popped`. */
static struct slot made_by(struct walker *w, const struct instr *instr, const struct slot *popped)
{
    const struct slot *variable = variable_of(w, instr, false);
    if (variable != NULL)
        return *variable;
    if (il_loaded_local(instr) == w->just_stored_local && w->just_stored_local != NONE)
        return w->just_stored;
    struct slot made = new_value(w);
    switch (instr->op) {
    case OP_LDARGA_S:
    case OP_LDARGA:
    case OP_LDLOCA_S:
    case OP_LDLOCA:
    case OP_LDFLDA:
    case OP_LDSFLDA:
    case OP_LDELEMA:
    case OP_UNBOX:
    case OP_LOCALLOC:
    case OP_NEWOBJ:
    case OP_NEWARR:
    case OP_LDSTR:
        made.not_null = true;
        break;
    case OP_LDNULL:
        made.is_constant = true;
        break;
    case OP_CEQ:
    case OP_CGT_UN:
        made.is_constant = popped[0].is_constant && popped[1].is_constant;
        made.constant = (popped[0].constant == popped[1].constant) == (instr->op == OP_CEQ);
        if (popped[1].is_constant && popped[1].constant == 0 && !popped[0].is_constant) {
            bool nested = popped[0].compares != NONE; /* !(x == null) */
            made.compares = nested ? popped[0].compares : popped[0].number;
            made.with_zero = (instr->op == OP_CEQ) != (nested && popped[0].with_zero);
        }
        break;
    default:
        made.is_constant = il_constant(&made.constant, instr);
        break;
    }
    return made;
}

static bool call_effect(const struct walker *w, const struct instr *instr, uint32_t *pops,
                        uint32_t *pushes)
{
    struct method_sig sig;
    if (!sig_method(&sig, sig_of_call(w->flow->context.md, instr->operand), NULL))
        return false;
    bool has_this = (sig.flags & (SIG_HAS_THIS | SIG_EXPLICIT_THIS)) == SIG_HAS_THIS;
    bool is_new = instr->op == OP_NEWOBJ;
    *pops = sig.param_count + (has_this && !is_new) + (instr->op == OP_CALLI);
    *pushes = is_new || sig_first_element(sig.return_type) != ELEMENT_VOID;
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

static bool effect(const struct walker *w, const struct instr *instr, uint32_t *pops,
                   uint32_t *pushes)
{
    *pops = il_info(instr)->pops;
    *pushes = il_info(instr)->pushes;
    if (instr->op == OP_RET)
        *pops = returns_value(&w->flow->context);
    else if (*pops == STACK_VARIES)
        return call_effect(w, instr, pops, pushes);
    return true;
}

static bool calls_with_this(const struct walker *w, const struct instr *instr)
{
    struct method_sig sig;
    return sig_method(&sig, sig_of_call(w->flow->context.md, instr->operand), NULL) &&
           (sig.flags & SIG_HAS_THIS) != 0;
}

static bool is_not_null(const struct walker *w, const struct slot *slot)
{
    return slot->not_null || w->known[slot->number] == KNOWN_OTHER;
}

static bool may_throw(const struct walker *w, const struct instr *instr, const struct frame *f,
                      uint32_t pops)
{
    const struct slot *deepest = &f->slots[f->depth - pops];
    if (il_info(instr)->throws != THROWS_MAY)
        return il_info(instr)->throws == THROWS_UNLESS_SAFE && !is_not_null(w, deepest);
    uint8_t op = instr->op;
    if (op == OP_DIV || op == OP_DIV_UN || op == OP_REM || op == OP_REM_UN)
        return !top(f)->is_constant || top(f)->constant == 0 || top(f)->constant == -1;
    bool takes_this = calls_with_this(w, instr) && instr->op != OP_NEWOBJ;
    return !nothrow_call(w->flow->context.nothrow, w->flow->context.md, instr) ||
           (takes_this && !is_not_null(w, deepest));
}

/* It did not throw, so the reference that it used was none to nothing. */
static void note_use(struct walker *w, const struct instr *instr, const struct slot *deepest)
{
    if ((instr->op == OP_CALLVIRT && calls_with_this(w, instr)) ||
        il_info(instr)->throws == THROWS_UNLESS_SAFE)
        w->known[deepest->number] = KNOWN_OTHER;
}

/* False when the stack does not have what the instruction takes. */
static bool apply(struct walker *w, struct frame *f, const struct instr *instr, uint32_t pops,
                  uint32_t pushes)
{
    struct slot copied = f->depth != 0 ? *top(f) : (struct slot){.compares = NONE};
    if (pops > f->depth || pushes > w->flow->body.max_stack - (f->depth - pops))
        return false;
    f->depth -= pops;
    const struct slot *popped = &f->slots[f->depth];
    struct slot *stored = variable_of(w, instr, true);
    if (pops != 0)
        note_use(w, instr, popped);
    if (stored != NULL)
        *stored = *popped;
    struct slot made = made_by(w, instr, popped);
    if (instr->op != OP_NOP) {
        w->just_stored_local = il_stored_local(instr);
        w->just_stored = *popped;
    }
    for (uint32_t n = 0; n < pushes; n++)
        f->slots[f->depth++] = instr->op == OP_DUP ? copied : made;
    return true;
}

/* --- counts ----------------------------------------------------------------------------------- */

static void bump(struct walker *w, uint32_t counter)
{
    if (counter != NO_INDEX)
        w->counters[counter]++;
}

static bool forks(const struct block *block)
{
    return block->exit == FLOW_CONDITION || block->exit == FLOW_SWITCH;
}

static void begin_block(struct walker *w, uint32_t n)
{
    w->blocks[n]++;
    bump(w, w->plan->block_counter[n]);
}

/* The probes that stand at the end of a block, before its jump if it has one. */
static void pass_end(struct walker *w, uint32_t n, const struct frame *f)
{
    const struct block *block = &w->flow->blocks[n];
    if (w->plan->value_counter[n] != NO_INDEX) {
        bool is_stored = block->bool_store != NONE;
        const struct slot *variable =
            is_stored ? variable_of(w, instr_at(w, block->bool_store), true) : top(f);
        bool value = variable != NULL ? is_true(w, variable) : any_below(w, 2) != 0;
        bump(w, w->plan->value_counter[n] + value);
    }
    if (block->edge_count == 1 && !forks(block))
        bump(w, w->plan->edge_counter[block->first_edge]);
}

/* The edge from a block's end to an instruction, or NONE. */
static uint32_t find_edge(const struct walker *w, uint32_t n, uint32_t to, bool taken)
{
    const struct block *block = &w->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (w->flow->edges[e].taken == taken && w->flow->blocks[w->flow->edges[e].to].first == to)
            return e;
    return NONE;
}

/* The `ret` that belongs to the tail call with which block `n` ends, or NONE. */
static uint32_t tail_return(const struct walker *w, uint32_t n)
{
    const struct block *block = &w->flow->blocks[n];
    if (block->exit != FLOW_NEXT || block->edge_count != 1)
        return NONE;
    uint32_t to = w->flow->edges[block->first_edge].to;
    return w->flow->blocks[to].after_tail_call ? to : NONE;
}

/* --- execution -------------------------------------------------------------------------------- */

static enum stop run(struct walker *w, uint32_t i, uint32_t depth);

static bool inside(uint32_t offset, uint32_t start, uint32_t length)
{
    return offset >= start && offset - start < length;
}

static enum stop run_handler(struct walker *w, uint32_t offset, uint32_t depth)
{
    if (w->nesting >= NESTING_MAX)
        return STOP_LOST;
    w->nesting++;
    enum stop stop = run(w, w->flow->il.index_at[offset], depth);
    w->nesting--;
    return stop;
}

/* Where an exception at `i` is caught: the handler's first instruction; NONE when control ended
 * with *stop. First who catches it, asking filters; then what finally handlers do on the way. */
static uint32_t throw_at(struct walker *w, uint32_t i, enum stop *stop)
{
    const struct il_body *body = &w->flow->body;
    uint32_t offset = instr_at(w, i)->offset, catcher = NONE;
    uint32_t tail = tail_return(w, flow_block_of(w->flow, i));
    if (tail != NONE)
        w->excess[tail]++;
    w->thrown++;
    for (uint32_t n = 0; n < body->clause_count && catcher == NONE; n++) {
        const struct eh_clause *clause = &body->clauses[n];
        if (!inside(offset, clause->try_offset, clause->try_length))
            continue;
        if (clause->flags == EH_CATCH && !in_hurry(w) && any_below(w, 4) != 0)
            catcher = n;
        if (clause->flags != EH_FILTER || in_hurry(w))
            continue;
        *stop = run_handler(w, clause->filter_offset, 1);
        if (*stop != STOP_ENDFILTER)
            return NONE;
        if (any_below(w, 2) != 0)
            catcher = n;
    }
    if (catcher == NONE && any_below(w, 2) != 0) { /* a crash: no handler runs */
        *stop = STOP_END;
        return NONE;
    }
    for (uint32_t n = 0; n < (catcher == NONE ? body->clause_count : catcher); n++) {
        const struct eh_clause *clause = &body->clauses[n];
        if ((clause->flags != EH_FINALLY && clause->flags != EH_FAULT) ||
            !inside(offset, clause->try_offset, clause->try_length))
            continue;
        *stop = run_handler(w, clause->handler_offset, 0);
        if (*stop != STOP_ENDFINALLY)
            return NONE;
    }
    *stop = STOP_END;
    return catcher == NONE ? NONE : w->flow->il.index_at[body->clauses[catcher].handler_offset];
}

/* `leave` from `i` to `to`: STOP_ENDFINALLY when all finally handlers between came to their end. */
static enum stop leave(struct walker *w, uint32_t i, uint32_t to)
{
    const struct il_body *body = &w->flow->body;
    uint32_t from_offset = instr_at(w, i)->offset, to_offset = instr_at(w, to)->offset;
    enum stop stop = STOP_ENDFINALLY;
    for (uint32_t n = 0; n < body->clause_count && stop == STOP_ENDFINALLY; n++) {
        const struct eh_clause *clause = &body->clauses[n];
        if (clause->flags == EH_FINALLY &&
            inside(from_offset, clause->try_offset, clause->try_length) &&
            !inside(to_offset, clause->try_offset, clause->try_length))
            stop = run_handler(w, clause->handler_offset, 0);
    }
    return stop;
}

/* Does the condition branch? Its operand is still on top. */
static bool decide_condition(struct walker *w, uint32_t i, const struct frame *f, bool *branches)
{
    const struct block *block = &w->flow->blocks[flow_block_of(w->flow, i)];
    uint8_t op = instr_at(w, i)->op;
    bool on_true = op == OP_BRTRUE || op == OP_BRTRUE_S;
    bool tests = on_true || op == OP_BRFALSE || op == OP_BRFALSE_S;
    *branches = tests ? is_true(w, top(f)) == on_true : any_below(w, 2) != 0;
    return block->edge_count != 1 || (tests && top(f)->is_constant);
}

/* Which instruction follows `i`; NONE where control stops. *taken: by a branch. */
static bool choose_next(struct walker *w, uint32_t i, const struct frame *f, uint32_t *next,
                        bool *taken)
{
    const struct instr *instr = instr_at(w, i);
    bool branches = true;
    *next = i + 1;
    *taken = false;
    switch ((enum control_flow)il_info(instr)->flow) {
    case FLOW_NEXT:
    case FLOW_PREFIX:
        return true;
    case FLOW_CONDITION:
        if (!decide_condition(w, i, f, &branches))
            return false;
        break;
    case FLOW_SWITCH: {
        const uint32_t *targets = &w->flow->il.targets[instr->operand];
        uint32_t choice = any_below(w, targets[0] + 1);
        *taken = choice < targets[0];
        if (*taken)
            *next = targets[1 + choice];
        return true;
    }
    case FLOW_BRANCH:
    case FLOW_LEAVE:
        break;
    case FLOW_RETURN:
    case FLOW_THROW:
    case FLOW_ENDFINALLY:
    case FLOW_ENDFILTER:
    case FLOW_JMP:
        *next = NONE;
        return true;
    }
    *taken = branches;
    if (branches)
        *next = instr->operand;
    return true;
}

/* From the last instruction of block `n` to another block. */
static enum stop cross(struct walker *w, uint32_t n, uint32_t i, uint32_t next, bool taken)
{
    uint32_t e = next < w->flow->il.count ? find_edge(w, n, next, taken) : NONE;
    if (e == NONE)
        return fail(w, i, "control goes on without an edge");
    uint32_t to = w->flow->edges[e].to;
    if (forks(&w->flow->blocks[n]))
        bump(w, w->plan->edge_counter[e]);
    if (il_info(instr_at(w, i))->flow == FLOW_LEAVE) {
        bool into_tail = w->flow->blocks[to].after_tail_call; /* counted before the leave */
        w->excess[to] += into_tail;
        enum stop stop = leave(w, i, next);
        if (stop != STOP_ENDFINALLY)
            return stop;
        w->excess[to] -= into_tail;
    }
    w->edges[e]++;
    return STOP_ENDFINALLY; /* go on */
}

/* Executes instruction *i and moves it to the next. STOP_ENDFINALLY: *i is to be executed;
 * *ended: the stop is a real one. */
static enum stop step(struct walker *w, uint32_t *i, struct frame *f, bool *ended)
{
    const struct instr *instr = instr_at(w, *i);
    uint32_t n = flow_block_of(w->flow, *i), pops = 0, pushes = 0, next = 0;
    const struct block *block = &w->flow->blocks[n];
    bool last = block->end - 1 == *i, jumps = block->exit != FLOW_NEXT, taken = false;
    enum stop stop = STOP_END;
    *ended = true;
    if (++w->steps > STEPS_MAX)
        return STOP_LOST;
    if (*i == block->first)
        begin_block(w, n);
    if (!block->reachable)
        return fail(w, *i, "control comes to a block that is said to be unreachable");
    if (!effect(w, instr, &pops, &pushes) || pops > f->depth)
        return fail(w, *i, "the evaluation stack does not hold the operands");
    if (f->depth != block->depth && *i == block->first)
        return fail(w, *i, "a block begins with another stack depth than its flow graph says");
    bool throws = may_throw(w, instr, f, pops);
    if (throws && !block->may_throw)
        return fail(w, *i, "something throws in a block that is said not to");
    bool surely = il_info(instr)->flow == FLOW_THROW;
    if (throws &&
        (surely || in_hurry(w) || (w->throw_odds != 0 && any_below(w, w->throw_odds) == 0))) {
        *i = throw_at(w, *i, &stop);
        if (*i == NONE)
            return stop;
        f->depth = 1;
        f->slots[0] = new_value(w);
        f->slots[0].not_null = true;
        *ended = false;
        return STOP_ENDFINALLY;
    }
    if (last && jumps)
        pass_end(w, n, f);
    if (!choose_next(w, *i, f, &next, &taken))
        return fail(w, *i, "a condition that is not constant has one edge");
    if (!apply(w, f, instr, pops, pushes))
        return fail(w, *i, "the evaluation stack grows beyond its limit");
    if (instr->op == OP_ENDFINALLY)
        return STOP_ENDFINALLY;
    if (instr->op == OP_ENDFILTER)
        return STOP_ENDFILTER;
    if (next == NONE)
        return STOP_END;
    if (last && !jumps)
        pass_end(w, n, f);
    if (il_info(instr)->flow == FLOW_LEAVE)
        f->depth = 0;
    if (last) {
        stop = cross(w, n, *i, next, taken);
        if (stop != STOP_ENDFINALLY)
            return stop;
    }
    *i = next;
    *ended = false;
    return STOP_ENDFINALLY;
}

static enum stop run(struct walker *w, uint32_t i, uint32_t depth)
{
    /* A frame of its own: handlers run while what they interrupted waits. */
    struct slot first[SLOTS_USUAL];
    struct arena arena;
    arena_init(&arena, first, sizeof first, ARENA_NO_LIMIT);
    struct frame f = {ARENA_NEW(&arena, struct slot, (size_t)w->flow->body.max_stack + 2, w->err),
                      depth};
    for (uint32_t n = 0; f.slots != NULL && n < depth; n++)
        f.slots[n] = new_value(w);
    enum stop stop = STOP_LOST;
    for (bool ended = f.slots == NULL; !ended;)
        stop = step(w, &i, &f, &ended);
    w->failed |= f.slots == NULL;
    arena_free(&arena);
    return stop;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void add_up(uint64_t *total, uint64_t *part, uint32_t count, bool keep)
{
    for (uint32_t n = 0; n < count; n++) {
        total[n] += keep ? part[n] : 0;
        part[n] = 0;
    }
}

static bool walk_once(struct walker *w, struct walk_tally *tally)
{
    static const unsigned odds[] = {0, 4, 32, 256};
    const struct flow *flow = w->flow;
    w->steps = w->nesting = 0;
    w->thrown = w->values = 0;
    w->just_stored_local = NONE;
    for (uint32_t n = 0; n < VARIABLES; n++) {
        w->locals[n] = new_value(w);
        w->args[n] = new_value(w);
    }
    w->args[0].not_null = w->this_is_safe;
    w->throw_odds = odds[any_below(w, ARRAY_LEN(odds))];
    enum stop stop = run(w, 0, 0);
    if (w->failed)
        return false;
    bool finished = stop != STOP_LOST;
    add_up(w->all_blocks, w->blocks, flow->block_count, finished);
    add_up(w->all_edges, w->edges, flow->edge_count, finished);
    add_up(w->all_counters, w->counters, w->plan->counter_count, finished);
    add_up(w->all_excess, w->excess, flow->block_count, finished);
    tally->finished += finished;
    tally->abandoned += !finished;
    tally->steps += finished ? w->steps : 0;
    tally->thrown += finished ? w->thrown : 0;
    return true;
}

/* Is the count of the edge promised? Of a block's only way out only where nothing else comes
 * together with it, or nothing may stop it on its way. */
static bool edge_is_counted(const struct walker *w, uint32_t e)
{
    const struct edge *edge = &w->flow->edges[e];
    const struct block *from = &w->flow->blocks[edge->from], *to = &w->flow->blocks[edge->to];
    if (from->edge_count > 1 || (to->in_count == 1 && !to->is_entry))
        return true;
    return edge->from < edge->to && !from->may_throw && !edge->through_finally;
}

static bool compare(struct walker *w, struct walk_tally *tally, struct arena *arena)
{
    const struct flow *flow = w->flow;
    struct plan_counts counts;
    if (!plan_count(&counts, w->plan, flow, w->all_counters, arena, w->err))
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        tally->excess += w->all_excess[n];
        uint64_t expected = w->all_blocks[n] + w->all_excess[n];
        if (counts.blocks[n] != expected)
            return err_set(w->err, ERR_MISMATCH,
                           "block %u at IL_%04x began %llu times and is counted %llu times",
                           (unsigned)n, (unsigned)flow->il.instrs[flow->blocks[n].first].offset,
                           (unsigned long long)expected, (unsigned long long)counts.blocks[n]);
    }
    for (uint32_t e = 0; e < flow->edge_count; e++) {
        const struct edge *edge = &flow->edges[e];
        if (edge_is_counted(w, e) && counts.edges[e] != w->all_edges[e] &&
            w->all_excess[edge->to] == 0)
            return err_set(
                w->err, ERR_MISMATCH,
                "edge %u from IL_%04x to IL_%04x was taken %llu times and is counted "
                "%llu times",
                (unsigned)e, (unsigned)flow->il.instrs[flow->blocks[edge->from].first].offset,
                (unsigned)flow->il.instrs[flow->blocks[edge->to].first].offset,
                (unsigned long long)w->all_edges[e], (unsigned long long)counts.edges[e]);
    }
    return true;
}

static bool alloc_walker(struct walker *w, struct arena *arena)
{
    size_t blocks = w->flow->block_count, edges = w->flow->edge_count;
    size_t counters = w->plan->counter_count;
    w->blocks = ARENA_NEW(arena, uint64_t, blocks, w->err);
    w->edges = ARENA_NEW(arena, uint64_t, edges, w->err);
    w->counters = ARENA_NEW(arena, uint64_t, counters, w->err);
    w->excess = ARENA_NEW(arena, uint64_t, blocks, w->err);
    w->all_blocks = ARENA_NEW(arena, uint64_t, blocks, w->err);
    w->all_edges = ARENA_NEW(arena, uint64_t, edges, w->err);
    w->all_counters = ARENA_NEW(arena, uint64_t, counters, w->err);
    w->all_excess = ARENA_NEW(arena, uint64_t, blocks, w->err);
    w->locals = ARENA_NEW(arena, struct slot, VARIABLES, w->err);
    w->args = ARENA_NEW(arena, struct slot, VARIABLES, w->err);
    w->known = ARENA_NEW(arena, uint8_t, VALUES_MAX, w->err);
    return w->locals != NULL && w->args != NULL && w->known != NULL && w->blocks != NULL &&
           w->edges != NULL && w->counters != NULL && w->excess != NULL && w->all_blocks != NULL &&
           w->all_edges != NULL && w->all_counters != NULL && w->all_excess != NULL;
}

bool walk_check(struct walk_tally *tally, const struct flow *flow, const struct plan *plan,
                unsigned walks, uint64_t seed, struct arena *arena, struct err *err)
{
    struct walker w = {.flow = flow, .plan = plan, .err = err};
    w.random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    w.this_is_safe = (flow->context.sig.flags & SIG_HAS_THIS) != 0 && !changes_this(&flow->il);
    if (!alloc_walker(&w, arena))
        return false;
    find_addresses(&w);
    for (unsigned n = 0; n < walks; n++)
        if (!walk_once(&w, tally))
            return false;
    return compare(&w, tally, arena);
}

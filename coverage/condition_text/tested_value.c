#include "coverage/condition_text/tested_value.h"

/* --- from the branch or the value back to what made it ---------------------------------------- */

static bool is_null(const struct instr *instr)
{
    int32_t value;
    return instr->op == OP_LDNULL || (il_constant(&value, instr) && value == 0);
}

static bool widens_integer(const struct instr *instr)
{
    return instr->op == OP_CONV_I8 || instr->op == OP_CONV_U8 || instr->op == OP_CONV_I ||
           instr->op == OP_CONV_U;
}

/* The instruction before the zero that `at` compares with; NO_INDEX if it is none. */
static uint32_t before_zero(const struct il *il, uint32_t at)
{
    uint32_t zero = at - 1;
    if (at >= 3 && widens_integer(&il->instrs[zero]))
        zero--;
    return at >= 2 && zero >= 1 && is_null(&il->instrs[zero]) ? zero - 1 : NO_INDEX;
}

/* III.3.5-3.24: short and long branches have one order. */
enum relation tested_relation(uint16_t op, bool *negated)
{
    static const enum relation branches[] = {
        RELATION_EQUAL,         RELATION_GREATER_EQUAL, RELATION_GREATER,    RELATION_LESS_EQUAL,
        RELATION_LESS,          RELATION_EQUAL, /* bne.un */
        RELATION_GREATER_EQUAL, RELATION_GREATER,       RELATION_LESS_EQUAL, RELATION_LESS};
    _Static_assert(OP_BLT_UN_S - OP_BEQ_S + 1 == ARRAY_LEN(branches) &&
                       OP_BLT_UN - OP_BEQ + 1 == ARRAY_LEN(branches),
                   "");
    *negated ^= op == OP_BNE_UN || op == OP_BNE_UN_S;
    if (op >= OP_BEQ_S && op <= OP_BLT_UN_S)
        return branches[op - OP_BEQ_S];
    if (op >= OP_BEQ && op <= OP_BLT_UN)
        return branches[op - OP_BEQ];
    return op == OP_CEQ                      ? RELATION_EQUAL
           : op == OP_CGT || op == OP_CGT_UN ? RELATION_GREATER
           : op == OP_CLT || op == OP_CLT_UN ? RELATION_LESS
                                             : RELATION_UNKNOWN;
}

/* Does control come to the instruction from the one before it only? */
static bool runs_on_to(const struct flow *flow, uint32_t at)
{
    const struct block *block = &flow->blocks[flow_block_of(flow, at)];
    if (il_info(&flow->il.instrs[at - 1])->flow != FLOW_NEXT)
        return false;
    return block->first != at ||
           (!block->is_entry && block->in_count == 1 && !flow_edge_in(flow, block, 0)->taken);
}

/* All of [from, to] runs after `from` in one go. */
static bool is_straight(const struct flow *flow, uint32_t from, uint32_t to)
{
    for (uint32_t at = to; at > from; at--)
        if (!runs_on_to(flow, at))
            return false;
    return true;
}

/* One step back from `at`, which passes on what was there before, perhaps negated; `at` itself if
 * it is what makes the value. */
static uint32_t step_back(const struct flow *flow, uint32_t at, bool *negated)
{
    const struct il *il = &flow->il;
    const struct instr *instr = &il->instrs[at];
    if (at == 0)
        return at;
    if (instr->op == OP_NOP)
        return at - 1;
    uint32_t previous = il_before(il, at);
    while (instr->op == OP_LDFLD && previous != 0 && il_loaded_arg(&il->instrs[previous]) == 0)
        previous--; /* `this`, and that of the field it may be copied to */
    if (at >= 2 && previous != 0 &&
        (il_loads_stored(il, at, previous) ||
         (il_stored_local(instr) != NO_INDEX && il->instrs[previous].op == OP_DUP)))
        return previous - 1;
    uint32_t before = NO_INDEX;
    if (instr->op == OP_CEQ || instr->op == OP_CGT_UN)
        before = before_zero(il, at);
    if (before == NO_INDEX)
        return at;
    if (instr->op == OP_CEQ)
        *negated = !*negated;
    return before;
}

static bool begins_visible_point(const struct decisions *decisions, uint32_t at)
{
    uint32_t point = point_map_before(&decisions->map, at);
    return point != NO_INDEX &&
           decisions->points->points[point].il_offset == decisions->map.flow->il.instrs[at].offset;
}

/* Does a statement begin in (from, to]? What is before it is not what its text says: in
 * `d = x == null; if (d)`. */
static bool crosses_statement(const struct decisions *decisions, uint32_t from, uint32_t to)
{
    for (uint32_t at = to; at > from; at--)
        if (begins_visible_point(decisions, at))
            return true;
    return false;
}

static bool loads_variable(const struct instr *instr)
{
    return il_loaded_local(instr) != NO_INDEX || instr->op == OP_LDFLD;
}

static void find_root(struct tested_value *out, const struct decisions *decisions, uint32_t at)
{
    const struct flow *flow = decisions->map.flow;
    uint32_t last = at;
    bool is_left = false; /* on the stack, by the statement before */
    while (!is_left) {
        bool negated = out->negated;
        uint32_t before = step_back(flow, at, &negated);
        bool crosses = before != at && crosses_statement(decisions, before, at);
        if (before == at || (crosses && loads_variable(&flow->il.instrs[at])))
            break;
        out->negated = negated;
        is_left = crosses;
        at = crosses ? at : before;
    }
    if (!is_straight(flow, at, last))
        return;
    if (is_left) {
        out->relation = RELATION_TRUTH;
        return;
    }
    out->root = at;
    out->relation = tested_relation(flow->il.instrs[at].op, &out->negated);
    if (out->relation == RELATION_UNKNOWN)
        out->relation = RELATION_TRUTH;
}

static struct view type_of_value(const struct flow *flow, const struct instr *instr)
{
    const struct metadata *md = flow->context.md;
    struct method_sig sig = {.flags = 0};
    uint32_t local = il_loaded_local(instr), arg = il_loaded_arg(instr);
    if (local != NO_INDEX)
        return stack_local_type(&flow->context, local);
    if (arg != NO_INDEX)
        return stack_argument_type(&flow->context, arg);
    if (instr->op == OP_LDFLD || instr->op == OP_LDSFLD)
        return sig_of_field(md, instr->operand);
    return il_is_call(instr) && sig_method(&sig, sig_of_call(md, instr->operand), NULL)
               ? sig.return_type
               : (struct view){NULL, 0};
}

enum value_kind value_kind_of(const struct flow *flow, uint32_t instr)
{
    struct view type = type_of_value(flow, &flow->il.instrs[instr]);
    enum element_type element = sig_first_element(type);
    bool is_number = (element >= ELEMENT_CHAR && element <= ELEMENT_R8) || element == ELEMENT_I ||
                     element == ELEMENT_U || element == ELEMENT_VALUETYPE;
    bool is_object = element == ELEMENT_STRING || element == ELEMENT_CLASS ||
                     element == ELEMENT_OBJECT || element == ELEMENT_SZARRAY ||
                     element == ELEMENT_ARRAY ||
                     (element == ELEMENT_GENERICINST && type.len > 1 &&
                      type.data[0] == ELEMENT_GENERICINST && type.data[1] == ELEMENT_CLASS);
    return element == ELEMENT_BOOLEAN ? VALUE_BOOL
           : is_number                ? VALUE_NUMBER
           : is_object                ? VALUE_OBJECT
                                      : VALUE_UNKNOWN;
}

/* --- branches and values ---------------------------------------------------------------------- */

static void of_branch(struct tested_value *out, const struct decisions *decisions, uint32_t last)
{
    const struct flow *flow = decisions->map.flow;
    const struct instr *branch = &flow->il.instrs[last];
    if (!il_tests_bool(branch)) {
        out->relation = tested_relation(branch->op, &out->negated);
        return;
    }
    out->negated = branch->op == OP_BRFALSE || branch->op == OP_BRFALSE_S;
    if (begins_visible_point(decisions, last)) /* optimised code leaves the value on the stack */
        out->relation = RELATION_TRUTH;
    else if (last != 0 && runs_on_to(flow, last))
        find_root(out, decisions, last - 1);
}

static void of_value(struct tested_value *out, const struct decisions *decisions, uint32_t n)
{
    const struct flow *flow = decisions->map.flow;
    const struct block *block = &flow->blocks[n];
    uint32_t at = flow_last_instr(flow, n);
    if (block->bool_store != NO_INDEX) {
        at = block->bool_store;
    } else if (block->exit == FLOW_NEXT) {
        find_root(out, decisions, at);
        return;
    } else if (block->exit != FLOW_BRANCH && block->exit != FLOW_RETURN) {
        return;
    }
    if (at != 0 && runs_on_to(flow, at))
        find_root(out, decisions, at - 1);
}

/* The outcome that a jump counts as; false if jumps of the block count as several, or as none. */
static bool find_jump(uint32_t *outcome, const struct decisions *decisions,
                      const struct decision *decision, uint32_t n)
{
    const struct outcome_part *parts = decisions->parts;
    uint32_t found = 0;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct edge *edge = &decisions->map.flow->edges[parts[i].index];
        if (parts[i].source == SOURCE_EDGE && edge->from == n && edge->taken) {
            *outcome = parts[i].outcome;
            found++;
        }
    }
    return found == 1;
}

bool counts_value(const struct decisions *decisions, const struct decision *decision)
{
    return decision->part_count != 0 &&
           decisions->parts[decision->first_part].source == SOURCE_COUNTER;
}

static uint32_t visible_point_of(const struct point_map *map, const struct span *span)
{
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (point_map_is_visible(map, map->spans.points[i]))
            return map->spans.points[i];
    return NO_INDEX;
}

uint32_t next_point_in_text(const struct decisions *decisions, const struct seq_point *from)
{
    const struct spans *spans = &decisions->map.spans;
    const struct seq_point *best = NULL;
    uint32_t next = NO_INDEX;
    uint32_t i = spans_from(spans, from->document, from->start_line, from->start_column);
    for (; i < spans->count; i++) {
        const struct seq_point *text = spans->items[i].text;
        if (best != NULL &&
            (text->document != best->document || text->start_line != best->start_line ||
             text->start_column != best->start_column))
            break; /* of those that start together the last one is the shortest */
        uint32_t point = visible_point_of(&decisions->map, &spans->items[i]);
        if (point == NO_INDEX || seq_point_order(text, from) <= 0)
            continue;
        best = text;
        next = point;
    }
    return next;
}

uint32_t outcome_to_point(const struct decisions *decisions, const struct decision *decision,
                          uint32_t point)
{
    uint32_t found = 2;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &decisions->parts[i];
        if (point == NO_INDEX || part->place != point)
            continue;
        if (found != 2 && found != part->outcome)
            return 2;
        found = part->outcome;
    }
    return found;
}

struct tested_value tested_value_of(const struct decisions *decisions,
                                    const struct decision *decision)
{
    const struct flow *flow = decisions->map.flow;
    struct tested_value value = {.relation = RELATION_UNKNOWN, .root = NO_INDEX};
    uint32_t n = flow_block_of(flow, flow->il.index_at[decision->il_offset]);
    if (counts_value(decisions, decision)) {
        value.outcome = 1;
        of_value(&value, decisions, n);
    } else if (find_jump(&value.outcome, decisions, decision, n)) {
        of_branch(&value, decisions, flow_last_instr(flow, n));
    }
    return value;
}

#include "coverage/statements/fsharp_machine.h"

#include <string.h>

#include "coverage/statements/il_idioms.h"
#include "metadata/lookup.h"

enum {
    LOOKS_MAX = 4096,
    BLOCKS_MAX = 512 /* to find where the value of a flag comes from */
};

uint32_t fsharp_machine_state(const struct flow *flow)
{
    const struct instr *instrs = flow->il.instrs;
    bool clears =
        flow->il.count > 4 && instrs[0].op == OP_LDNULL && il_stored_local(&instrs[1]) != NO_INDEX;
    return clears ? 3 : 1;
}

/* They begin with the field that says where to continue: this.ResumptionPoint, or this.pc in a
 * class that is named after the method it came from, and a line: numbers@31. */
enum fsharp_kind fsharp_machine_kind(const struct flow *flow)
{
    const struct metadata *md = flow->context.md;
    const struct instr *instrs = flow->il.instrs;
    uint32_t at = fsharp_machine_state(flow);
    if (flow->il.count < 3 || il_loaded_arg(&instrs[at - 1]) != 0 || instrs[at].op != OP_LDFLD)
        return FSHARP_NO_MACHINE;
    uint32_t rid = flow->context.method_rid;
    struct str type = row_string(md, COL_TypeDef_TypeName, owner_of_method(md, rid));
    struct str state = idiom_member(flow, &instrs[at]);
    if (type.len == 0 || memchr(type.text, '@', type.len) == NULL)
        return FSHARP_NO_MACHINE;
    if (str_is(state, "ResumptionPoint") && il_stored_local(&instrs[at + 1]) != NO_INDEX)
        return FSHARP_TASK;
    return str_starts(state, "pc") && str_is_one_of(row_string(md, COL_MethodDef_Name, rid),
                                                    "GenerateNext Close get_CheckClose")
               ? FSHARP_SEQUENCE
               : FSHARP_NO_MACHINE;
}

/* --- flags ------------------------------------------------------------------------------------ */

/* How many more blocks are looked at to find whether a value is a flag. */
struct flag_search {
    const struct flow *flow;
    unsigned left;
};

static bool gives_flag(struct flag_search *s, uint32_t n, uint32_t end);

static bool all_give_flag(struct flag_search *s, uint32_t join)
{
    const struct flow *flow = s->flow;
    const struct block *block = &flow->blocks[join];
    if (block->depth == 0 || block->is_entry || s->left == 0)
        return false;
    s->left--;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        uint32_t jumps = flow->blocks[from].exit == FLOW_BRANCH;
        if (flow->blocks[from].edge_count != 1 ||
            !gives_flag(s, from, flow->blocks[from].end - jumps))
            return false;
    }
    return block->in_count != 0;
}

/* The blocks from which control may come to those that were looked at; each once. */
struct blocks_back {
    uint32_t items[BLOCKS_MAX];
    uint32_t count;
};

static bool add_back(struct blocks_back *back, uint32_t n)
{
    for (uint32_t i = 0; i < back->count; i++)
        if (back->items[i] == n)
            return true;
    if (back->count == BLOCKS_MAX)
        return false;
    back->items[back->count++] = n;
    return true;
}

/* Control comes to a handler or filter from anywhere in its `try`; to the method, where locals are
 * 0, from nowhere. False: they are too many. */
static bool look_back(struct blocks_back *back, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t offset = flow->il.instrs[block->first].offset;
    for (uint32_t i = 0; i < block->in_count; i++)
        if (!add_back(back, flow_edge_in(flow, block, i)->from))
            return false;
    for (uint32_t c = 0; n != 0 && block->is_entry && c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        if (clause->handler_offset != offset && clause->filter_offset != offset)
            continue;
        uint32_t first = flow_block_of(flow, flow->il.index_at[clause->try_offset]);
        uint32_t end = clause->try_offset + clause->try_length;
        for (uint32_t b = first;
             b < flow->block_count && flow->il.instrs[flow->blocks[b].first].offset < end; b++)
            if (!add_back(back, b))
                return false;
    }
    return true;
}

enum stored {
    STORED_NOTHING,
    STORED_FLAG,
    STORED_OTHER
};

/* What the block stores last in the local before the instruction. */
static enum stored last_stored(struct flag_search *s, uint32_t n, uint32_t end, uint32_t local)
{
    const struct instr *instrs = s->flow->il.instrs;
    for (uint32_t i = end; i-- > s->flow->blocks[n].first;) {
        if (il_address_of_local(&instrs[i]) == local)
            return STORED_OTHER;
        if (il_stored_local(&instrs[i]) == local)
            return gives_flag(s, n, i) ? STORED_FLAG : STORED_OTHER;
    }
    return STORED_NOTHING;
}

/* Does a local that is loaded at instruction `end` of block `n` have a flag, wherever control comes
 * from? What it has elsewhere may be the user's. */
static bool local_has_flag(struct flag_search *s, uint32_t n, uint32_t end, uint32_t local)
{
    struct blocks_back back = {.count = 0};
    for (uint32_t next = 0;; next++) {
        enum stored stored = last_stored(s, n, end, local);
        if (stored == STORED_OTHER || s->left == 0)
            return false;
        s->left--;
        if (stored == STORED_NOTHING && !look_back(&back, s->flow, n))
            return false;
        if (next == back.count)
            return true;
        n = back.items[next];
        end = s->flow->blocks[n].end;
    }
}

static bool gives_flag(struct flag_search *s, uint32_t n, uint32_t end)
{
    const struct instr *instrs = s->flow->il.instrs;
    int32_t value = 0;
    uint32_t first = s->flow->blocks[n].first, local = NO_INDEX;
    while (end > first) {
        local = il_loaded_local(&instrs[end - 1]);
        if (local != NO_INDEX && end - 1 > first && il_stored_local(&instrs[end - 2]) == local)
            end--;
        else if (instrs[end - 1].op != OP_NOP)
            break;
        end--;
    }
    if (end == first)
        return all_give_flag(s, n);
    return il_constant(&value, &instrs[end - 1]) ||
           (local != NO_INDEX && local_has_flag(s, n, end - 1, local));
}

bool fsharp_machine_gives_flag(const struct flow *flow, uint32_t n, uint32_t end)
{
    struct flag_search search = {flow, LOOKS_MAX};
    return gives_flag(&search, n, end);
}

/* --- what it hands on, and throws ------------------------------------------------------------- */

bool fsharp_machine_hands_on_flag(enum fsharp_kind kind, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return kind == FSHARP_TASK &&
           fsharp_machine_gives_flag(flow, n, block->end - (block->exit == FLOW_BRANCH));
}

static bool makes_exception(const struct flow *flow, uint32_t n, const char *type)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if ((instr->op == OP_NEWOBJ || il_is_call(instr)) &&
            str_is(idiom_external_type(flow->context.md, instr->operand), type))
            return true;
    }
    return false;
}

bool fsharp_machine_match_fails(const struct flow *flow, uint32_t n)
{
    return makes_exception(flow, n, "MatchFailureException");
}

bool fsharp_machine_throws(const struct flow *flow, uint32_t n)
{
    return fsharp_machine_match_fails(flow, n) || makes_exception(flow, n, "ExceptionDispatchInfo");
}

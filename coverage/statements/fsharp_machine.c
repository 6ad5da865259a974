#include "coverage/statements/fsharp_machine.h"

#include <string.h>

#include "coverage/statements/il_idioms.h"
#include "metadata/lookup.h"

enum {
    JOINS_NESTED_MAX = 8,
    ROUNDS_MAX = 64
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

static bool gives_flag(const struct fsharp_machine *machine, const struct flow *flow, uint32_t n,
                       uint32_t end, unsigned nested);

static bool all_give_flag(const struct fsharp_machine *machine, const struct flow *flow,
                          uint32_t join, unsigned nested)
{
    const struct block *block = &flow->blocks[join];
    if (block->depth == 0 || block->is_entry || nested == JOINS_NESTED_MAX)
        return false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        uint32_t jumps = flow->blocks[from].exit == FLOW_BRANCH;
        if (flow->blocks[from].edge_count != 1 ||
            !gives_flag(machine, flow, from, flow->blocks[from].end - jumps, nested + 1))
            return false;
    }
    return block->in_count != 0;
}

static bool gives_flag(const struct fsharp_machine *machine, const struct flow *flow, uint32_t n,
                       uint32_t end, unsigned nested)
{
    const struct instr *instrs = flow->il.instrs;
    int32_t value = 0;
    uint32_t first = flow->blocks[n].first, local = NO_INDEX;
    while (end > first) {
        local = il_loaded_local(&instrs[end - 1]);
        if (local != NO_INDEX && end - 1 > first && il_stored_local(&instrs[end - 2]) == local)
            end--;
        else if (instrs[end - 1].op != OP_NOP)
            break;
        end--;
    }
    if (end == first)
        return all_give_flag(machine, flow, n, nested);
    return il_constant(&value, &instrs[end - 1]) ||
           (local != NO_INDEX && local < flow->context.local_count && machine->is_flag[local]);
}

/* All locals are flags at first. One that receives anything else is not a flag, nor are those that
 * it is copied to. */
static void find_flags(struct fsharp_machine *machine, const struct flow *flow)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t n = 0; n < flow->block_count; n++)
            for (uint32_t i = flow->blocks[n].first; i < flow->blocks[n].end; i++) {
                uint32_t local = il_stored_local(&flow->il.instrs[i]);
                if (local == NO_INDEX)
                    local = il_address_of_local(&flow->il.instrs[i]);
                else if (local < flow->context.local_count && machine->is_flag[local] &&
                         gives_flag(machine, flow, n, i, 0))
                    continue;
                if (local < flow->context.local_count && machine->is_flag[local])
                    changed = true, machine->is_flag[local] = false;
            }
    }
    for (uint32_t local = 0; changed && local < flow->context.local_count; local++)
        machine->is_flag[local] = false;
}

bool fsharp_machine_gives_flag(const struct fsharp_machine *machine, const struct flow *flow,
                               uint32_t n, uint32_t end)
{
    return gives_flag(machine, flow, n, end, 0);
}

bool fsharp_machine_make(struct fsharp_machine *out, const struct statements_source *source,
                         struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    *out = (struct fsharp_machine){FSHARP_NO_MACHINE, NULL};
    if (source->language == LANGUAGE_FSHARP)
        out->kind = fsharp_machine_kind(flow);
    if (out->kind != FSHARP_TASK)
        return true;
    out->is_flag = arena_raw(arena, flow->context.local_count, sizeof *out->is_flag, err);
    for (uint32_t local = 0; out->is_flag != NULL && local < flow->context.local_count; local++)
        out->is_flag[local] = true;
    if (out->is_flag != NULL)
        find_flags(out, flow);
    return out->is_flag != NULL;
}

/* --- what it hands on, and throws ------------------------------------------------------------- */

bool fsharp_machine_hands_on_flag(const struct fsharp_machine *machine, const struct flow *flow,
                                  uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return machine->kind == FSHARP_TASK &&
           gives_flag(machine, flow, n, block->end - (block->exit == FLOW_BRANCH), 0);
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

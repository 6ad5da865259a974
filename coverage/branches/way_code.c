#include "coverage/branches/way_code.h"

static uint32_t next_block(const struct flow *flow, uint32_t n)
{
    return flow->edges[flow->blocks[n].first_edge].to;
}

bool way_code_begins(const struct point_map *map, uint32_t first, uint32_t last)
{
    const struct flow *flow = map->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end; i++) {
            uint32_t p = map->point_of[i];
            if (p != NO_POINT && map->points->points[p].hidden &&
                map->points->points[p].il_offset == flow->il.instrs[i].offset)
                return true;
        }
        if (n == last || block->edge_count != 1)
            return false;
    }
}

/* --- variables -------------------------------------------------------------------------------- */

struct variable {
    enum {
        VARIABLE_NONE,
        VARIABLE_LOCAL,
        VARIABLE_ARGUMENT,
        VARIABLE_FIELD, /* of `this`: a state machine keeps locals and arguments there */
    } kind;
    uint32_t number; /* of a field: its token */
};

static bool is_same(struct variable a, struct variable b)
{
    return a.kind != VARIABLE_NONE && a.kind == b.kind && a.number == b.number;
}

static bool takes_field(const struct instr *instr)
{
    return instr->op == OP_LDFLD || instr->op == OP_LDFLDA;
}

/* Is it the object whose fields hold the variables of a state machine? Which one counts. */
static bool only_holds(const struct point_map *map, uint32_t argument, const struct instr *next)
{
    bool has_this = (map->flow->context.sig.flags & SIG_HAS_THIS) != 0;
    return has_this && argument == 0 && takes_field(next);
}

/* The variable that the instruction loads, or, of a structure, takes the address of, to ask for a
 * property. It is not the last one. */
static struct variable loaded(const struct point_map *map, uint32_t index)
{
    const struct instr *instr = &map->flow->il.instrs[index];
    bool is_address = instr->op == OP_LDARGA_S || instr->op == OP_LDARGA;
    uint32_t local = il_loaded_local(instr);
    uint32_t argument = is_address ? instr->operand : il_loaded_arg(instr);
    if (local == IL_NO_INDEX)
        local = il_address_of_local(instr);
    if (local != IL_NO_INDEX)
        return (struct variable){VARIABLE_LOCAL, local};
    if (argument != IL_NO_INDEX && !only_holds(map, argument, instr + 1))
        return (struct variable){VARIABLE_ARGUMENT, argument};
    return (struct variable){takes_field(instr) ? VARIABLE_FIELD : VARIABLE_NONE, instr->operand};
}

static struct variable stored(const struct point_map *map, uint32_t index)
{
    const struct instr *instr = &map->flow->il.instrs[index];
    uint32_t local = il_stored_local(instr);
    if (local != IL_NO_INDEX)
        return (struct variable){VARIABLE_LOCAL, local};
    return (struct variable){instr->op == OP_STFLD ? VARIABLE_FIELD : VARIABLE_NONE,
                             instr->operand};
}

/* The block that does nothing else than run on to `n`, which no other block leads to; or
 * NO_BLOCK. */
static uint32_t block_before(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->in_count != 1 || block->is_entry)
        return NO_BLOCK;
    uint32_t from = flow_edge_in(flow, block, 0)->from;
    return flow->blocks[from].edge_count == 1 ? from : NO_BLOCK;
}

/* Does the code before the branch at the end of block `member`, back to where its statement begins,
 * load or store the variable? */
static bool knows(const struct board *board, uint32_t member, struct variable variable)
{
    const struct point_map *map = &board->map;
    uint32_t own = board->statement[member];
    for (uint32_t n = member; n != NO_BLOCK; n = block_before(map->flow, n)) {
        const struct block *block = &map->flow->blocks[n];
        for (uint32_t i = block->end; i-- > block->first;) {
            if (map->point_of[i] != own && point_map_is_visible(map, map->point_of[i]))
                return false;
            if (is_same(stored(map, i), variable) ||
                (i + 1 < block->end && is_same(loaded(map, i), variable)))
                return true;
        }
    }
    return false;
}

static bool is_stored_on_the_way(const struct point_map *map, uint32_t first, uint32_t load)
{
    const struct flow *flow = map->flow;
    struct variable variable = loaded(map, load);
    uint32_t end = flow_block_of(flow, load);
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end && i != load; i++)
            if (is_same(stored(map, i), variable))
                return true;
        if (n == end || block->edge_count != 1)
            return false;
    }
}

bool way_code_shares_value(const struct board *board, uint32_t first, uint32_t last,
                           uint32_t member)
{
    const struct point_map *map = &board->map;
    const struct flow *flow = board->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i + 1 < block->end; i++)
            if (knows(board, member, loaded(map, i)) && !is_stored_on_the_way(map, first, i))
                return true;
        if (n == last || block->edge_count != 1)
            return false;
    }
}

/* --- notes ------------------------------------------------------------------------------------ */

enum {
    TEST_LEN = 4, /* instructions that compare a variable with a constant, and branch */
};

static struct variable tested(const struct point_map *map, uint32_t n)
{
    const struct block *block = &map->flow->blocks[n];
    struct variable variable = {VARIABLE_NONE, 0};
    for (uint32_t i = block->end - 1;
         variable.kind == VARIABLE_NONE && i-- > block->first && block->end - i <= TEST_LEN;)
        variable = loaded(map, i);
    return variable;
}

static bool takes_address(const struct instr *instr)
{
    return instr->op == OP_LDLOCA || instr->op == OP_LDLOCA_S || instr->op == OP_LDFLDA;
}

bool way_code_tests_note(const struct point_map *map, uint32_t n)
{
    const struct il *il = &map->flow->il;
    struct variable variable = tested(map, n);
    bool is_noted = false;
    if (variable.kind == VARIABLE_NONE || variable.kind == VARIABLE_ARGUMENT)
        return false;
    for (uint32_t i = 1; i < il->count; i++) {
        int32_t ignored;
        bool stores = is_same(stored(map, i), variable);
        bool may_change =
            i + 1 < il->count && takes_address(&il->instrs[i]) && is_same(loaded(map, i), variable);
        if (may_change || (stores && (!il_constant(&ignored, &il->instrs[i - 1]) ||
                                      point_map_is_visible(map, map->point_of[i]))))
            return false;
        is_noted |= stores;
    }
    return is_noted;
}
